"""Lišák's posterior (``policies/lisak/posterior.py``) against brute force: every answer is played again.

With each answer the same actions are played in the game itself, and the chance that a literal fox counts and
puts its joker as it did is multiplied: it thinks yes of what is judged yes, and of a borderline card if a
coin says so, once for the count and once more for the joker.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, random_states, scaled
from lisak_worlds import hidden_places

from reynard.envs import InvalidOption
from reynard.envs.batch import Batch
from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.actions import catalogue
from reynard.envs.lisak.state import FOX, OVER, TOKENS, TROPHY_CARD
from reynard.envs.lisak.world import BORDERLINE, NO, YES
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice
from reynard.policies.lisak.posterior import Posterior


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


def dice_for(count: int, seed: int = 0) -> Dice:
    return Dice(key_of(seed), np.arange(count), np.arange(count) % 7, np.zeros(count))


def chance_of(action: int, table: Table) -> Fraction:
    """How likely the literal fox does that, where it is to move."""
    ruleset, state = table.ruleset, table.records[0]
    numbers, world, answer = catalogue(ruleset.words), ruleset.words, int(state["answer"])

    def judged(row: int, place: int) -> int:
        kind, number = state["cards"][row, place]
        if number == 0:
            return NO
        return int(world.judgement[answer, number - 1 + (numbers.ideas if kind == TROPHY_CARD else 0)])

    if state["phase"] == TOKENS:
        row = [judged(int(state["round_number"]), place) for place in range(ruleset.row_length)]
        coins = row.count(BORDERLINE)
        falls = [row.count(YES) + sum(fall) for fall in product((0, 1), repeat=coins)]
        return Fraction(falls.count(action - numbers.token), 2**coins)
    if action == numbers.silence:
        return Fraction(1)
    return Fraction(judged(*divmod(action - numbers.joker, 5)), 2)


def by_brute_force(actions: list[int], state: np.void, ruleset: Ruleset) -> dict[int, Fraction]:
    """How likely every answer is that the seekers must reckon with, together 1."""
    world, table, found = ruleset.words, Table(LISAK, ruleset), {}
    for answer in ruleset.deck:
        if ruleset.hint and world.hint_of[answer] != world.hint_of[state["answer"]]:
            continue
        table.begin(0, {"card": world.cards[answer]})
        chance = Fraction(1)
        for action in actions:
            if table.to_move < 0 or not table.masks[table.to_move, action]:
                chance = Fraction(0)
                break
            if table.to_move == FOX:
                chance *= chance_of(action, table)
            table.play(action)
        if chance and table.to_move >= 0:
            found[answer] = chance
    total = sum(found.values())
    return {answer: chance / total for answer, chance in found.items()}


#: Nothing but the answer is unknown; L10's fox, so that some answer always fits.
OPEN: dict[str, Ruleset] = {
    "tiny": LISAK.presets["tiny"],
    "no hint": Ruleset(world="tiny", hint=False, consultation=0, players=3),
    "short": Ruleset(world="random(9, 7, 5)", rounds=3, trophies=2, rows="flat", consultation=0),
    "hidden": Ruleset(world="random(5, 3, 2)", writing="hidden", consultation=0, rounds=4),
}


def decisions(ruleset: Ruleset, games: int, seed: int = 1) -> Iterator[tuple[Table, np.void, list[int]]]:
    table = Table(LISAK, ruleset)
    for state, actions in random_states(table, np.random.default_rng(seed), games):
        if state["phase"] != OVER:
            yield table, state, actions


def answers_of(states: np.ndarray, weights: np.ndarray) -> dict[int, float]:
    chances: dict[int, float] = {}
    for answer, weight in zip(states["answer"].tolist(), weights.tolist(), strict=True):
        chances[answer] = chances.get(answer, 0.0) + weight
    return chances


@pytest.mark.parametrize("name", OPEN)
def test_L10_answers_are_as_likely_as_brute_force_has_it_at_every_decision(name: str) -> None:
    ruleset, met = OPEN[name], Counter[str]()
    posterior = Posterior(ruleset)
    for table, state, actions in decisions(ruleset, scaled(8)):
        expected = by_brute_force(actions, state, ruleset)
        assert state["answer"] in expected
        for seat in range(ruleset.players):
            if hidden_places(state, seat, ruleset):
                continue
            states, weights = posterior.enumerate(table.observations[seat], seat)
            assert weights.sum() == pytest.approx(1.0) and len(np.unique(states["answer"])) == len(states)
            if seat == FOX:
                assert states["answer"].tolist() == [state["answer"]]
            else:
                assert answers_of(states, weights) == pytest.approx(
                    {k: float(v) for k, v in expected.items()}
                )
        met["joker"] += state["joker"] >= 0
        met["graded"] += len(set(expected.values())) > 1
        met["several"] += len(expected) > 1
    if scaled(8) == 8:
        assert met["several"] > 0 and (met["graded"] > 0 or name == "hidden")


def test_X3_every_state_looks_to_the_seat_as_the_true_one_does() -> None:
    """Each of them, shown by the game itself; and sampled ones can be played on to the end."""
    for name in ("hidden", "tiny", "short"):
        ruleset = OPEN[name]
        posterior, rng = Posterior(ruleset), np.random.default_rng(5)
        for table, state, _ in decisions(ruleset, scaled(4), seed=2):
            seat = int(rng.integers(ruleset.players))
            seen = table.observations[seat].copy()
            states, _ = posterior.sample(seen[None], np.array([seat]), 5, dice_for(1))
            for other in states[0]:
                for field in ("key", "game", "episode", "moves"):
                    other[field] = state[field]
                table.records[0] = other
                table.refresh()
                assert table.observations[seat].tobytes() == seen.tobytes()
            while table.to_move >= 0:
                table.play(int(rng.choice(np.flatnonzero(table.masks[table.to_move]))))
            table.records[0] = state
            table.refresh()


def test_L6_hidden_cards_are_any_legal_cards_and_nothing_else() -> None:
    """Every assignment of legal cards with the public number of trophies, the true one among them."""
    ruleset = OPEN["hidden"]
    numbers, posterior, met = catalogue(ruleset.words), Posterior(ruleset), Counter[int]()
    legal = [*range(numbers.trophy), numbers.blank, *range(numbers.trophy, numbers.blank)]
    for table, state, actions in decisions(ruleset, scaled(30), seed=4):
        for seat in range(ruleset.players):
            places = hidden_places(state, seat, ruleset)
            if not 0 < len(places) <= 2:
                continue
            row = state["cards"][state["round_number"]]
            trophies = sum(int(row[place, 0]) == TROPHY_CARD for place in places)
            ways = {
                cards
                for cards in product(legal, repeat=len(places))
                if sum(numbers.trophy <= card < numbers.blank for card in cards) == trophies
            }
            answers = {int(state["answer"])} if seat == FOX else set(by_brute_force(actions, state, ruleset))
            states, weights = posterior.enumerate(table.observations[seat], seat)
            assert len(states) == len(ways) * len(answers)
            shown = states["cards"][:, state["round_number"]][:, places]
            assert len(np.unique(shown.reshape(len(states), -1), axis=0)) == len(ways)
            assert (state["cards"] == states["cards"]).all(axis=(1, 2, 3)).sum() == len(answers)
            for answer, chance in answers_of(states, weights).items():
                alike = weights[states["answer"] == answer]
                assert alike == pytest.approx(np.full(len(ways), chance / len(ways)))
            met[trophies] += 1
    if scaled(30) == 30:
        assert met[0] > 0 and met[1] > 0, met


# ---------------------------------------------------------------------- samples


def chi_square(counts: np.ndarray, expected: np.ndarray) -> float:
    """How many standard deviations Pearson's statistic is above what chance alone would make it."""
    degrees = len(counts) - 1
    return float((((counts - expected) ** 2 / expected).sum() - degrees) / np.sqrt(2 * max(degrees, 1)))


@pytest.mark.parametrize("name", OPEN)
def test_samples_are_distributed_as_the_enumerated_states(name: str) -> None:
    ruleset, draws, compared, sizes = OPEN[name], scaled(4000), 0, []
    posterior = Posterior(ruleset)
    for number, (table, state, _) in enumerate(decisions(ruleset, scaled(6), seed=6)):
        seat = 1 + number % (ruleset.players - 1)
        if len(hidden_places(state, seat, ruleset)) > 1:
            continue  # too many states to be counted
        states, weights = posterior.enumerate(table.observations[seat], seat)
        drawn, _ = posterior.sample(
            table.observations[seat : seat + 1], np.array([seat]), draws, dice_for(1, number)
        )
        kinds = {one.tobytes(): k for k, one in enumerate(states)}
        counts = np.bincount([kinds[one.tobytes()] for one in drawn[0]], minlength=len(states))
        if len(states) > 1 and draws * weights.min() > 3:
            assert chi_square(counts, draws * weights) < 6
            compared += 1
            sizes.append(len(states))
    if draws == 4000:
        assert compared > 5


def test_X1_the_same_dice_draw_the_same_states_in_any_batch() -> None:
    for name in ("three", "hintless"):
        ruleset = RULESETS[name]
        batch, posterior = Batch(LISAK, ruleset, 300), Posterior(ruleset)
        batch.reset(3)
        rng = np.random.default_rng(0)
        for _ in range(9):
            batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1), restart=True)
        seats, dice = batch.to_move.astype(np.int64), dice_for(300)
        whole, _ = posterior.sample(batch.observations, seats, 6, dice)
        assert len({one.tobytes() for one in whole[:, 0]}) > 1
        rows = rng.permutation(300)[:20]
        part, weights = posterior.sample(batch.observations[rows], seats[rows], 6, dice.of(rows))
        assert part.tobytes() == whole[rows].tobytes() and (weights == 1 / 6).all()
        fewer, _ = posterior.sample(batch.observations[rows], seats[rows], 2, dice.of(rows))
        assert fewer.tobytes() == np.ascontiguousarray(part[:, :2]).tobytes()
        other, _ = posterior.sample(batch.observations, seats, 6, dice_for(300, seed=1))
        assert other.tobytes() != whole.tobytes()


def test_if_no_answer_fits_every_candidate_is_as_likely_as_the_other() -> None:
    ruleset = Ruleset(world="random(9, 7, 5)", fox="free", consultation=0, players=3)
    table = Table(LISAK, ruleset)
    table.begin(0, {"card": 1})
    told = ruleset.words.judgement[:, 0]
    assert (told != YES).any()
    for action in (0, 0, 0, 0):
        table.play(action)
    # four times the same idea: a literal fox does not say three, unless the idea is borderline
    table.play(table.action_names.index("tokens: 3"))
    states, weights = Posterior(ruleset).enumerate(table.observations[1], 1)
    fitting = np.flatnonzero(told == BORDERLINE)
    expected = fitting if len(fitting) else np.arange(9)
    assert sorted(states["answer"].tolist()) == expected.tolist()
    assert weights == pytest.approx(np.full(len(expected), 1 / len(expected)))
    # and two tokens after that on a row whose cards nobody judges alike
    table.play(table.action_names.index("pass"))
    for _ in range(4):
        table.play(table.action_names.index("blank card"))
    table.play(table.action_names.index("tokens: 0"))
    table.play(table.action_names.index("pass"))
    states, _ = Posterior(ruleset).enumerate(table.observations[1], 1)
    assert sorted(states["answer"].tolist()) == expected.tolist()


def refusals() -> list[tuple[dict[str, Any], str]]:
    return [
        ({"seat": 2}, "that is what seat 1 observes, not seat 2"),
        ({"limit": 7}, "8 states look like this to seat 1: the limit must be at least that, not 7"),
        ({"limit": 0}, "the limit must be a whole number from 1"),
    ]


@pytest.mark.parametrize(("arguments", "sentence"), refusals(), ids=str)
def test_what_is_not_allowed_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    table = Table(LISAK, "tiny")
    table.begin(0)
    with pytest.raises(InvalidOption, match=sentence):
        Posterior(table.ruleset).enumerate(table.observations[1], **{"seat": 1, **arguments})
    with pytest.raises(InvalidOption, match="the number of samples"):
        Posterior(table.ruleset).sample(table.observations[1:2], np.array([1]), 0, dice_for(1))


def test_a_game_that_is_over_has_no_posterior() -> None:
    table = Table(LISAK, "tiny")
    table.begin(0)
    while table.to_move >= 0:
        table.play(int(np.flatnonzero(table.masks[table.to_move])[-1]))
    with pytest.raises(InvalidOption, match="the game is over"):
        Posterior(table.ruleset).enumerate(table.observations[1], 1)
