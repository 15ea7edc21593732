"""What a player remembers of a game, and the states that explain what it remembers."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from strategies import scaled

from reynard.envs import find_game
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.game import Game
from reynard.envs.lisak import LISAK
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, Policy, seat_policies
from reynard.policies.memory import Beliefs, Memory
from reynard.policies.posterior import NOTHING, Posterior, likelihoods
from reynard.training.evaluate import decisions

#: What a game played again must come to. (Streams have other names there, and decks are not read.)
SAME = {
    "duet": "hand known void played played_trick gift signal decree gems path tracker tricks_swapped "
    "tricks_won leader phase to_move",
    "lisak": "answer cards proposals tokens joker trophies_left phase place said round_number to_move",
}
TINY = {"world": "random(9, 7, 5)"}
RULESETS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "standard": ("duet", "standard", {}),
    "boxed": ("duet", "boxed", {}),
    "agreement": ("duet", "tiny", {"agreement": 2}),
    "spoken": ("lisak", "standard", {**TINY, "players": 5, "consultation": 2}),
    "hidden": ("lisak", "standard", {**TINY, "players": 3, "writing": "hidden", "consultation": 0}),
    "free": (
        "lisak",
        "standard",
        {**TINY, "fox": "free", "rows": "flat", "history": False, "consultation": 0},
    ),
}


class Seen(NamedTuple):
    """Some decisions, and who has seen them come."""

    batch: Batch
    rows: np.ndarray
    seats: np.ndarray
    dice: Dice
    played: list[list[int]]  # all actions of each game
    memory: Memory
    posterior: Posterior

    @property
    def truth(self) -> np.ndarray:
        return self.batch.records[self.rows][:, None]


def dice_of(batch: Batch, rows: np.ndarray) -> Dice:
    return Dice.at(key_of(11), batch.records, rows)


def make(name: str) -> tuple[Game, Any]:
    game, preset, options = RULESETS[name]
    return find_game(game), find_game(game).make_ruleset(preset, **options)


def remembered(name: str, team: Any, games: int, seed: int = 3) -> Iterator[Seen]:
    """Games at every step, with a memory for every seat."""
    game, ruleset = make(name)
    beliefs = Beliefs(game, ruleset, [], 1.0)
    posterior, memory = beliefs.posterior, beliefs.memory
    batch = Batch(game, ruleset, games)
    played: list[list[int]] = [[] for _ in range(games)]
    for chosen in decisions(batch, seat_policies(game, ruleset, team)[1], seed):
        rows = np.flatnonzero(batch.to_move >= 0)
        seats, dice = batch.to_move[rows].astype(np.int64), dice_of(batch, rows)
        memory.see(batch.observations[rows], seats, dice)
        yield Seen(batch, rows, seats, dice, played, memory, posterior)
        memory.did(chosen[rows], seats, dice)
        for row in rows:
            played[row].append(int(chosen[row]))


@pytest.mark.parametrize("name", RULESETS)
def test_games_played_again_come_to_where_they_are(name: str) -> None:
    """From what each seat remembers, if the truth is taken to be true; at every decision."""
    met: Counter[str] = Counter()
    for seen in remembered(name, "random", scaled(20)):
        game, ruleset = seen.batch.game, seen.batch.ruleset
        past = seen.memory.past(seen.truth, seen.seats, seen.dice)
        if game.name == "duet":  # a round begins with its deal
            assert (seen.batch.records["decree"][seen.rows[past.rows]] >= 0).all()
            dealt = seen.batch.records["decree"][seen.rows] >= 0
            assert dealt.sum() == len(past.rows)
        else:
            assert len(past.rows) == len(seen.rows)
        for row, begun, (actions,), (told,) in zip(
            past.rows, past.begun, past.actions, past.told, strict=True
        ):
            actions, told = actions[actions != NOTHING], told[actions != NOTHING]
            truth, own = seen.truth[row, 0], seen.played[seen.rows[row]]
            since = own[len(own) - len(actions) :]
            assert (actions == since)[told].all()
            met["untold"] += (~told).sum()
            met["long"] += len(actions) > 8
            again = Batch.of(game, ruleset, begun)
            for action in actions:
                again.step(np.array([action]))
            for field in SAME[game.name].split():
                assert (again.records[field][0] == truth[field]).all(), field
    assert met["long"]
    # only where the tracker goes can be meant in several ways (D17)
    assert (met["untold"] > 0) == (name in ("standard", "boxed", "agreement"))


@pytest.mark.parametrize("name", ["boxed", "agreement"])
def test_the_truth_explains_what_was_played(name: str) -> None:
    """Had the others never done anything else, it would be certain; and some other states impossible."""
    impossible = 0
    for seen in remembered(name, "greedy", scaled(20)):
        _, players = seat_policies(seen.batch.game, seen.batch.ruleset, "greedy")
        drawn, _ = seen.posterior.sample(seen.batch.observations[seen.rows], seen.seats, 4, seen.dice)
        past = seen.memory.past(np.concatenate([seen.truth, drawn], axis=1), seen.seats, seen.dice)
        if not len(past.rows):
            continue
        odds = likelihoods(
            DUET,
            seen.batch.ruleset,
            past.begun,
            past.actions,
            seen.seats[past.rows],
            players,
            epsilon=0.0,
            told=past.told,
        )
        assert (odds[:, 0] == 1).all()
        impossible += (odds == 0).sum()
    assert impossible


def drawn_by(seen: Seen, players: list[Policy], deals: int, error: float) -> np.ndarray:
    beliefs = Beliefs(seen.batch.game, seen.batch.ruleset, players, error)
    beliefs.memory = seen.memory
    return beliefs.draw(seen.batch.observations[seen.rows], seen.seats, deals, seen.dice)


def distance(told: Counter[Any], expected: dict[Any, float]) -> float:
    """Between what was drawn and what should be: the share that would have to be moved."""
    assert set(told) <= set(expected)
    return sum(abs(told[key] / told.total() - chance) for key, chance in expected.items()) / 2


def test_states_of_duet_are_drawn_as_they_explain_what_was_played() -> None:
    """Against every state that there is in a small game."""
    game, ruleset = make("agreement")
    _, players = seat_policies(game, ruleset, "greedy")
    moved, checked = 0.0, 0
    for seen in remembered("agreement", "greedy", scaled(6)):
        states = drawn_by(seen, players, 1000, 0.1)
        for row, seat in enumerate(seen.seats):
            one = np.array([row])
            possible, chances = seen.posterior.enumerate(seen.batch.observations[seen.rows[row]], int(seat))
            past = seen.memory.past(possible[None], seen.seats[one], seen.dice.of(one))
            if not len(past.rows) or len(possible) > 12:
                continue
            begun = ruleset, past.begun, past.actions, seen.seats[one], players
            weights = likelihoods(game, *begun, epsilon=0.1, told=past.told)[0]
            expected = {
                (int(state["hand"][1 - seat]), int(state["gift"][1 - seat])): weight
                for state, weight in zip(possible, weights / weights.sum(), strict=True)
            }
            told = Counter(
                (int(state["hand"][1 - seat]), int(state["gift"][1 - seat])) for state in states[row]
            )
            assert distance(told, expected) < 0.08
            checked += 1
            moved = max(moved, np.abs(weights / weights.sum() - chances).sum() / 2)
    assert checked > 10 and moved > 0.2


class Least:
    """Counts as little as it may, and keeps its joker as long as it can."""

    def reset(self, games: np.ndarray) -> None:
        pass

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        return masks.argmax(axis=1)


def test_answers_of_lisak_are_drawn_as_they_explain_the_fox() -> None:
    """A fox that is not the literal one: against every answer, played again by hand."""
    game, ruleset = make("spoken")
    fox, moved, checked = Least(), 0.0, 0
    players = [fox, *seat_policies(game, ruleset, "random")[1][1:]]
    for seen in remembered("spoken", {"fox": fox, "seeker": "random"}, scaled(5)):
        states = drawn_by(seen, players, 1000, 0.1)
        for row, seat in enumerate(seen.seats):
            truth = seen.truth[row, 0]
            if seat == 0:
                assert (states[row]["answer"] == truth["answer"]).all()
                continue
            expected = {}
            for answer in ruleset.deck:
                if ruleset.words.hint_of[answer] == ruleset.words.hint_of[truth["answer"]]:
                    expected[answer] = chance_of(seen.played[seen.rows[row]], answer, ruleset, fox)
            total = sum(expected.values())
            expected = {answer: chance / total for answer, chance in expected.items()}
            assert distance(Counter(states[row]["answer"].tolist()), expected) < 0.08
            checked += truth["round_number"] > 0
            literal = Counter(drawn_by(seen, players, 1000, 1.0)[row]["answer"].tolist())
            moved = max(moved, distance(literal, expected))
    assert checked > 20 and moved > 0.2


def chance_of(actions: list[int], answer: int, ruleset: Any, fox: Least) -> float:
    """How likely the fox played as it did, had that been the answer: its way nine times of ten."""
    table = Table(LISAK, ruleset)
    table.begin(0, {"card": ruleset.words.cards[answer]})
    chance = 1.0
    for action in actions:
        mask = table.masks[table.to_move]
        if not mask[action]:
            return 0.0
        if table.to_move == 0 and mask.sum() > 1:
            chance *= 0.9 if mask.argmax() == action else 0.1 / (mask.sum() - 1)
        table.play(action)
        if table.to_move < 0:
            return 0.0
    return chance


def test_who_has_not_seen_the_round_begin_is_told_nothing_by_it() -> None:
    """Then states are drawn as from the posterior alone; and so they are if play is taken to tell nothing."""
    game, ruleset = make("boxed")
    _, players = seat_policies(game, ruleset, "greedy")
    for step, seen in enumerate(remembered("boxed", "greedy", 4)):
        if step != 20:
            continue
        observations, deals = seen.batch.observations[seen.rows], (6, seen.dice)
        plain, _ = seen.posterior.sample(observations, seen.seats, *deals)
        told = drawn_by(seen, players, 6, 0.05)
        assert (told["hand"] != plain["hand"]).any()
        assert (drawn_by(seen, players, 6, 1.0) == plain).all()
        seen.memory.reset(seen.dice.games)
        assert (drawn_by(seen, players, 6, 0.05) == plain).all()
        seen.memory.see(observations, seen.seats, seen.dice)  # too late
        assert (drawn_by(seen, players, 6, 0.05) == plain).all()
        return


def test_a_second_look_changes_nothing() -> None:
    game, ruleset = make("standard")
    _, players = seat_policies(game, ruleset, "greedy")
    for seen in remembered("standard", "greedy", 4):
        before = drawn_by(seen, players, 3, 0.05)
        seen.memory.see(seen.batch.observations[seen.rows], seen.seats, seen.dice)
        assert (drawn_by(seen, players, 3, 0.05) == before).all()
