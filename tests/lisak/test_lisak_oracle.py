"""The compiled rules of Lišák against the plain ones of ``oracle.py``: random games, exhausted tiny ones."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from lisak_oracle import BORDERLINE, NO, YES, Card, Oracle

from reynard.envs.lisak import LISAK
from reynard.envs.lisak.world import World, random_world
from reynard.envs.lisak.worlds import load_world
from reynard.envs.table import Table

#: What was reached, as ("phase", name), ("event", name) and so on.
Seen = Counter[tuple[str, Any]]

ALL_PHASES = {"consult", "write", "tokens", "joker", "over"}
ALL_OUTCOMES = {"win", "lost_clue", "lost_trophies", "lost_rounds"}


@dataclass
class Pair:
    """The same game in the engine and in the oracle; every disagreement fails the test."""

    table: Table
    oracle: Oracle
    seen: Seen
    about: str
    actions: tuple[int, ...] = ()

    @classmethod
    def begin(
        cls, table: Table, world: World, options: dict[str, Any], seed: int, card: int | None, seen: Seen
    ) -> "Pair":
        """One game. Without a number the engine draws a card; the oracle is then told which."""
        table.begin(seed, None if card is None else {"card": card})
        answers = [answer.en for answer in world.answers]
        answer = answers.index(table.to_dict()["answer"]) if card is None else world.cards.index(card)
        about = f"world: {world.name}\noptions: {options}\nanswer: {answer} ({answers[answer]})"
        pair = cls(table, Oracle(world, answer, **options), seen, about)
        pair.compare()
        return pair

    def play(self, action: int) -> None:
        self.actions += (action,)
        before = self.oracle.clone()
        engines, oracles = self.table.play(action), self.oracle.play(action)
        assert abs(engines - oracles) < 1e-6, self._story(f"reward: engine {engines}, oracle {oracles}")
        self.compare()
        self.seen["reward", oracles] += 1
        for event in events(before, self.oracle):
            self.seen["event", event] += 1

    def compare(self) -> None:
        engines, oracles = self.table.to_dict(), self.oracle.to_dict()
        if engines != oracles:
            differing = {
                key: (engines.get(key), oracles.get(key))
                for key in sorted(engines.keys() | oracles.keys())
                if engines.get(key) != oracles.get(key)
            }
            pytest.fail(self._story(f"state, as (engine, oracle): {differing}"))
        mover = self.oracle.to_move
        for seat, flags in enumerate(self.table.masks):
            masked = set(np.flatnonzero(flags).tolist())
            expected = self.oracle.legal() if seat == mover else set()
            assert masked == expected, self._story(
                f"mask of seat {seat}: engine only {sorted(masked - expected)}, "
                f"oracle only {sorted(expected - masked)}"
            )
        assert max(self.table.to_move, -1) == (-1 if mover is None else mover), self._story("to_move")
        assert self.table.outcome() == self.oracle.outcome, self._story("outcome()")
        self.seen["comparisons", None] += 1
        self.seen["phase", self.oracle.phase] += 1
        self.seen["outcome", self.oracle.outcome] += 1
        self.seen["round", self.oracle.round] += 1
        self.seen["rating", self.oracle.rating()] += 1

    def _story(self, what: str) -> str:
        names = [f"{action} ({self.table.action_names[action]})" for action in self.actions]
        return f"{what}\n{self.about}\nactions: {', '.join(names)}\noracle: {self.oracle.to_dict()}"


def events(before: Oracle, after: Oracle) -> Iterator[str]:
    """What one action brought about, as far as the cases go that a test wants to have met."""
    row_number = len(before.rows) - 1
    row = after.rows[row_number]
    if len(row) > len(before.rows[-1]):
        yield from events_of_a_card(row, after)
    if after.joker is not None and before.joker is None:
        yield "joker on this row" if after.joker[0] == row_number else "joker on a row before"


def events_of_a_card(row: list[Card], after: Oracle) -> Iterator[str]:
    in_last_round = after.round == after.rounds
    yield row[-1].kind
    if len(row) > len(after.seekers):
        yield "round again in the last round" if in_last_round else "second card"
    if after.trophies_left == 0 and after.phase == "write":
        yield "no trophy left while a row is written"
    texts = {kind: [card.text for card in row if card.kind == kind] for kind in ("clue", "trophy")}
    answer = after.world.answers[after.answer].en
    if after.outcome == "win" and not in_last_round:
        if answer in texts["clue"]:
            yield "won in spite of a clue card"
        if row[-1].text != answer:
            yield "right trophy before the last card"
        if after.trophies_left == 0:
            yield "won with the last trophy"
    if after.outcome == "lost_clue" and after.trophies_left == 0:
        yield "answer on a clue card, and no trophy left"
    if after.phase == "tokens":
        written = [card for card in row if card.column is not None]
        judgements = [int(after.world.judgement[after.answer, card.column]) for card in written]
        for level, name in ((NO, "no"), (BORDERLINE, "borderline"), (YES, "yes")):
            if level in judgements:
                yield f"a card judged {name}"
        for card in written:
            if card.kind == "trophy" and after.world.judgement[after.answer, card.column] != NO:
                yield "wrong trophy that may count"
        if not judgements:
            yield "row of blanks"


EVENTS = {
    "clue",
    "trophy",
    "blank",
    "second card",
    "round again in the last round",
    "no trophy left while a row is written",
    "won in spite of a clue card",
    "right trophy before the last card",
    "won with the last trophy",
    "answer on a clue card, and no trophy left",
    "a card judged no",
    "a card judged borderline",
    "a card judged yes",
    "wrong trophy that may count",
    "row of blanks",
    "joker on this row",
    "joker on a row before",
}


def reached(seen: Seen, kind: str) -> set[Any]:
    """What of a kind was reached, without ``None``."""
    return {name for (key, name), count in seen.items() if key == kind and count and name is not None}


# ---------------------------------------------------------------------- random games


@dataclass(frozen=True)
class Mood:
    """How likely the seekers are to write what, and the fox to keep the joker; the rest are other clues."""

    right: float  # a trophy
    wrong: float  # a trophy
    slip: float  # the answer on a clue card
    blank: float
    keep: float  # the joker


MOODS = (
    Mood(right=0.0, wrong=0.02, slip=0.0, blank=0.2, keep=0.8),  # reaches the last round
    Mood(right=0.01, wrong=0.04, slip=0.0, blank=0.6, keep=0.9),
    Mood(right=0.05, wrong=0.3, slip=0.02, blank=0.1, keep=0.3),
    Mood(right=0.15, wrong=0.35, slip=0.15, blank=0.1, keep=0.5),
)


def steered_action(oracle: Oracle, mood: Mood, rng: random.Random) -> int:
    legal = oracle.legal()
    chance = rng.random()
    if oracle.phase == "joker" and chance < mood.keep:
        return oracle.pass_
    if oracle.phase != "write":
        return rng.choice(sorted(legal))
    right = oracle.first_trophy + oracle.answer
    slip = len(oracle.world.ideas) + oracle.answer
    if oracle.round == oracle.rounds:
        return right if chance < 0.2 else rng.choice(sorted(legal))
    kinds = [
        (mood.right, {right}),
        (mood.wrong, set(range(oracle.first_trophy, oracle.blank)) - {right}),
        (mood.slip, {slip}),
        (mood.blank, {oracle.blank}),
    ]
    for share, actions in kinds:
        if chance < share and actions & legal:
            return rng.choice(sorted(actions & legal))
        chance -= share
    return rng.choice(sorted(set(range(oracle.first_trophy)) - {slip}))


def play_random_games(table: Table, world: World, options: dict[str, Any], games: int, seed: int) -> Seen:
    """Random legal actions, compared after every one; in most games they follow some mood.

    Left to pure chance, most games would soon end because the answer stands on a clue card, or would
    never be won.
    """
    rng = random.Random(seed)
    seen: Seen = Counter()
    deck = options.get("cards") or world.cards
    for number in range(games):
        card = rng.choice(deck) if number % 2 else None
        pair = Pair.begin(table, world, options, rng.randrange(2**31), card, seen)
        assert world.cards[pair.oracle.answer] in deck
        mood = rng.choice((*MOODS, None))
        while legal := pair.oracle.legal():
            pair.play(rng.choice(sorted(legal)) if mood is None else steered_action(pair.oracle, mood, rng))
    return seen


def random_options(world: World, rng: random.Random) -> dict[str, Any]:
    """Any option may take any value; games of full length are frequent."""
    cards = sorted(rng.sample(world.cards, rng.randint(2, len(world.cards))))
    return {
        "players": rng.randint(3, 6),
        "fox": rng.choice(("literal", "free")),
        "writing": rng.choice(("in_turn", "hidden")),
        "consultation": rng.choice((0, 0, 1, 2, 3)),
        "rounds": rng.choice((2, 3, 4, 5, 6, 7, 7, 7)),
        "trophies": rng.choice((1, 2, 3, 3)),
        "reward": rng.choice(("outcome", "rated")),
        "hint": rng.random() < 0.5,
        # the oracle's HARMLESS_OPTIONS
        "cards": rng.choice((None, cards)),
        "card_order": rng.choice(("drawn", "box")),
        "rows": rng.choice(("compact", "flat")),
        "knowledge": rng.choice((None, "posterior")),
        "history": rng.random() < 0.5,
        "language": rng.choice(("en", "cs")),
    }


def any_world(rng: random.Random) -> World:
    if rng.random() < 0.3:
        return load_world(rng.choice(("tiny", "tiny", "small")))
    return random_world(rng.randint(2, 14), rng.randint(1, 12), rng.randrange(100))


@pytest.mark.parametrize("preset", LISAK.presets)
def test_L4_to_L16_engine_equals_oracle_in_random_games_of_every_preset(preset: str) -> None:
    table = Table(LISAK, preset)
    options = table.ruleset.to_dict()
    world = load_world(options.pop("world"))
    seen = play_random_games(table, world, options, games=60, seed=1)
    assert reached(seen, "phase") == ALL_PHASES
    assert reached(seen, "outcome") == ALL_OUTCOMES


@pytest.mark.parametrize("seed", range(4))
def test_L4_to_L16_engine_equals_oracle_in_random_games_of_random_options(seed: int) -> None:
    rng = random.Random(seed)
    seen: Seen = Counter()
    for _ in range(100):
        world = any_world(rng)
        options = random_options(world, rng)
        table = Table(LISAK, world=world.name, **options)
        seen += play_random_games(table, world, options, games=6, seed=rng.randrange(2**31))
    assert reached(seen, "phase") == ALL_PHASES
    assert reached(seen, "outcome") == ALL_OUTCOMES
    assert reached(seen, "round") == set(range(1, 8))
    assert reached(seen, "rating") == {"cunning_foxes", "seasoned_hounds", "sharp_falcons"}
    assert reached(seen, "reward") == {0.0, 0.5, 0.75, 1.0}
    assert reached(seen, "event") == EVENTS
    for outcome in ALL_OUTCOMES:
        assert seen["outcome", outcome] >= 20, outcome


# ---------------------------------------------------------------------- tiny games, to the last node

#: Two answers and an idea that is borderline for one and yes for the other: every card matters.
TINY_WORLD = random_world(2, 1, 33)

#: Those with their trophies and their numbers of players that are small enough to be exhausted.
TINY = [(4, fox, trophies) for fox in ("literal", "free") for trophies in (1, 2)]
TINY += [(3, "literal", 1), (3, "literal", 2), (3, "free", 1)]


class Views:
    """What each seat observes in which situation: by what it may know, and the other way round."""

    def __init__(self) -> None:
        self.observed: dict[tuple[int, str], bytes] = {}
        self.known: dict[tuple[int, bytes], str] = {}

    def add(self, oracle: Oracle, table: Table) -> None:
        for seat, observation in enumerate(table.observations):
            known, observed = repr(oracle.visible(seat)), observation.tobytes()
            assert self.observed.setdefault((seat, known), observed) == observed, (
                f"seat {seat} observes more than it may know: {known}"
            )
            # how a game ended needn't be observed: rewards and infos tell
            assert oracle.phase == "over" or self.known.setdefault((seat, observed), known) == known, (
                f"seat {seat} observes the same in {known} and in {self.known[seat, observed]}"
            )


def exhaust(pair: Pair, views: Views) -> None:
    """Every action at every node from here on."""
    oracle, actions = pair.oracle, pair.actions
    views.add(oracle, pair.table)
    record = pair.table.records.copy()
    for action in sorted(oracle.legal()):
        pair.oracle, pair.actions = oracle.clone(), actions
        pair.table.records[...] = record
        pair.table.refresh()
        pair.play(action)
        exhaust(pair, views)


@pytest.mark.parametrize(("writing", "rows"), [("in_turn", "compact"), ("hidden", "flat")])
@pytest.mark.parametrize(("players", "fox", "trophies"), TINY)
def test_L6_to_L14_engine_equals_oracle_at_every_node_of_tiny_games(
    players: int, fox: str, trophies: int, writing: str, rows: str
) -> None:
    """With it L14, X3: for all answers and courses, seats observe what they may know, no more and no less."""
    options = {
        "players": players,
        "fox": fox,
        "trophies": trophies,
        "writing": writing,
        "rows": rows,
        "knowledge": "posterior",
        "consultation": 0,
        "rounds": 2,
    }
    seen: Seen = Counter()
    views = Views()
    table = Table(LISAK, world=TINY_WORLD.name, **options)
    for card in TINY_WORLD.cards:
        exhaust(Pair.begin(table, TINY_WORLD, options, 0, card, seen), views)
    assert reached(seen, "phase") == ALL_PHASES - {"consult"}
    assert reached(seen, "outcome") == ALL_OUTCOMES
    assert seen["comparisons", None] >= 900
