"""The compiled rules of Duet against the plain ones of ``oracle.py``: random games, exhausted tiny ones."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from oracle import Oracle

from reynard.envs.duet import kernels
from reynard.envs.duet.board import Board
from reynard.envs.duet.cards import CHARACTERS
from reynard.envs.duet.observation import OBSERVATION
from reynard.envs.duet.ruleset import PRESETS, Ruleset, compile_ruleset
from reynard.envs.duet.state import NONE, STATE, to_dict

MASK_WORDS = 7
SHOW_ONLY = -1  # no action: the kernel only writes the mask

#: The phase in which a character acts.
PHASE_OF = {"musician": "move", "foxes": "exchange", "gazelle": "move", "gift": "gift", "royal_heir": "play"}
ALL_PHASES = {"announce", "over", *PHASE_OF.values()}
ALL_OUTCOMES = {"win", "lost_path", "lost_time"}


class Engine:
    """One game of the compiled rules, with the methods of :class:`Oracle`."""

    def __init__(self, ruleset: Ruleset, decks: list[list[int]], first_player: int) -> None:
        self.rules = compile_ruleset(ruleset)
        self.views = np.zeros(2, OBSERVATION)
        self.masks = np.zeros((2, MASK_WORDS), np.int64)
        self.flags = self.masks.view(np.int8)
        self.games: Any = np.zeros(1, STATE)
        self.games["decks"] = NONE
        for number, deck in enumerate(decks):
            self.games["decks"][0, number, : len(deck)] = deck
        self.games["first_player"] = first_player
        kernels.begin_game(self.rules, self.games, 0)
        kernels.step_game(self.rules, self.games, 0, SHOW_ONLY, self.views, self.masks)

    def play(self, action: int) -> float:
        kernels.step_game(self.rules, self.games, 0, action, self.views, self.masks)
        return float(self.games["reward"][0])

    def masks_by_seat(self) -> list[list[int]]:
        """The legal actions of both seats, as of the last action of this game or of a clone of it."""
        return [np.flatnonzero(flags).tolist() for flags in self.flags]

    def to_dict(self) -> dict[str, Any]:
        return to_dict(self.games[0])

    def clone(self) -> "Engine":
        """The same game, to be played on independently. The buffers for masks are shared."""
        other = object.__new__(Engine)
        other.__dict__.update(self.__dict__)
        other.games = self.games.view(np.uint8).copy().view(STATE)  # bytes are copied faster than records
        return other


@dataclass
class Pair:
    """The same game in the engine and in the oracle; every disagreement fails the test.

    ``seen`` counts what was reached, as ("phase", name), ("action", number) and so on.
    """

    ruleset: Ruleset
    decks: list[list[int]]
    first_player: int
    engine: Engine
    oracle: Oracle
    seen: Counter[tuple[str, Any]]
    actions: tuple[int, ...] = ()
    state: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def begin(
        cls, ruleset: Ruleset, decks: list[list[int]], first_player: int, seen: Counter[tuple[str, Any]]
    ) -> "Pair":
        game = (ruleset, decks, first_player)
        pair = cls(*game, Engine(*game), Oracle(*game), seen)
        pair.compare()
        return pair

    def play(self, action: int) -> None:
        self.seen["action", action] += 1
        self.actions += (action,)
        before = self.state
        engines, oracles = self.engine.play(action), self.oracle.play(action)
        assert abs(engines - oracles) < 1e-6, self._story(f"reward: engine {engines}, oracle {oracles}")
        self.compare()
        for event in events(before, self.state, self.oracle.board.plus_marks):
            self.seen["event", event] += 1

    def compare(self) -> None:
        engines, oracles = self.engine.to_dict(), self.oracle.to_dict()
        if engines != oracles:
            differing = {
                key: (engines.get(key), oracles.get(key))
                for key in sorted(engines.keys() | oracles.keys())
                if engines.get(key) != oracles.get(key)
            }
            pytest.fail(self._story(f"state, as (engine, oracle): {differing}"))
        expected: list[list[int]] = [[], []]
        if self.oracle.to_move is not None:
            expected[self.oracle.to_move] = self.oracle.legal()
        masks = self.engine.masks_by_seat()
        assert masks == expected, self._story(f"masks: engine {masks}, oracle {expected}")
        self.state = oracles
        self.seen["phase", self.oracle.phase] += 1
        self.seen["outcome", self.oracle.outcome] += 1
        self.seen["round", self.oracle.round] += 1

    def clone(self) -> "Pair":
        return Pair(
            self.ruleset,
            self.decks,
            self.first_player,
            self.engine.clone(),
            self.oracle.clone(),
            self.seen,
            self.actions,
            self.state,
        )

    def _story(self, what: str) -> str:
        return (
            f"{what}\nruleset: {self.ruleset.to_dict()}\ndecks: {self.decks}\n"
            f"first player: {self.first_player}\nactions: {list(self.actions)}\n"
            f"oracle: {self.oracle.to_dict()}"
        )


def events(before: dict[str, Any], after: dict[str, Any], plus_marks: tuple[int, ...]) -> Iterator[str]:
    """What one action brought about, as far as the rare cases go that a test wants to have met."""
    tiles = before["forest_tiles"] - after["forest_tiles"]
    first, last = before["path"]
    if after["round"] == before["round"] and tiles == 1:
        yield "overrun"
    if after["round"] > before["round"]:
        if tiles == 2:
            yield "overrun in the last trick"
        elif after["tracker"] - first == last - after["tracker"]:
            yield "tie between rounds"
        if any(not first <= space <= last for space in plus_marks):
            yield "plus mark on a covered space"


def reached(seen: Counter[tuple[str, Any]], kind: str) -> set[Any]:
    """What of a kind was reached, without ``None``."""
    return {name for (key, name), count in seen.items() if key == kind and count and name is not None}


# ---------------------------------------------------------------------- random games


def play_random_games(ruleset: Ruleset, games: int, seed: int) -> Counter[tuple[str, Any]]:
    """Random deals, first players and legal actions, compared after every action.

    In every other game, most actions are taken for what they bring at once; without it, few would be won.
    """
    rng = random.Random(seed)
    seen: Counter[tuple[str, Any]] = Counter()
    for number in range(games):
        decks = [rng.sample(ruleset.deck, len(ruleset.deck)) for _ in range(ruleset.rounds)]
        first_player = rng.randrange(2) if ruleset.first_player is None else ruleset.first_player
        pair = Pair.begin(ruleset, decks, first_player, seen)
        while legal := pair.oracle.legal():
            greedy = number % 2 == 1 and rng.random() < 0.97
            pair.play(greedy_action(pair.oracle, rng) if greedy else rng.choice(legal))
    return seen


def greedy_action(oracle: Oracle, rng: random.Random) -> int:
    """An action with the largest reward, and among those one that needs no forest tile."""

    def value(action: int) -> tuple[float, int, float]:
        after = oracle.clone()
        return after.play(action), after.forest_tiles - 10 * (after.outcome == "lost_path"), rng.random()

    return max(oracle.legal(), key=value)


def random_board(rng: random.Random) -> Board:
    spaces = rng.randint(3, 11)
    start = rng.randint(1, spaces - 2)
    others = [space for space in range(spaces) if space != start]
    counts = rng.choice(((0, 0, 0, 0, 1), (0, 0, 1, 1, 2, 3)))  # few gems, so that a game can be won, or more
    gems = [rng.choice(counts) if space != start else 0 for space in range(spaces)]
    gems[rng.choice(others)] += 1
    return Board(
        gems=tuple(gems),
        plus_marks=tuple(sorted(rng.sample(others, rng.randint(0, min(4, len(others)))))),
        start=start,
        forest_tiles=rng.randint(0, min(start, spaces - 1 - start)),
    )


def random_ruleset(rng: random.Random) -> Ruleset:
    """Any option may take any value; small and full decks are about equally frequent."""
    ranks = range(1, 11) if rng.random() < 0.4 else rng.sample(range(1, 11), rng.randint(3, 10))
    suits = rng.choice((1, 2, 3, 3))
    room = min(11, (suits * len(ranks) - 1) // 2)
    return Ruleset(
        steps=rng.choice(("winner", "sum")),
        lead=rng.choice(("same", "alternate")),
        board=rng.choice(("A", "B", random_board(rng), random_board(rng))),
        characters=tuple(name for name in CHARACTERS if rng.random() < 0.75),
        forest_loss=rng.choice(("needed", "needed", "empty")),
        reward=rng.choice(("progress", "outcome")),
        first_player=rng.choice((None, None, 0, 1)),
        agreement=rng.choice((0, 0, 1, 2, 3, 16)),
        suits=suits,
        ranks=tuple(ranks),
        hand_size=room if rng.random() < 0.5 else rng.randint(1, room),
        rounds=rng.choice((1, 2, 3, 3)),
    )


@pytest.mark.parametrize("name", PRESETS)
def test_D5_to_D20_engine_equals_oracle_in_random_games_of_every_preset(name: str) -> None:
    seen = play_random_games(PRESETS[name], games=200, seed=1)
    assert reached(seen, "phase") == ALL_PHASES - {"announce"}
    assert reached(seen, "outcome") >= {"lost_path", "lost_time"}


@pytest.mark.parametrize("seed", range(6))
def test_D3_to_D23_engine_equals_oracle_in_random_games_of_random_rulesets(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[tuple[str, Any]] = Counter()
    for _ in range(200):
        seen += play_random_games(random_ruleset(rng), games=3, seed=rng.randrange(2**32))
    assert reached(seen, "phase") == ALL_PHASES
    assert reached(seen, "outcome") == ALL_OUTCOMES
    assert reached(seen, "round") == {0, 1, 2}
    assert reached(seen, "event") == {
        "overrun",
        "overrun in the last trick",
        "tie between rounds",
        "plus mark on a covered space",
    }


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("steps", ["winner", "sum"])
def test_D16_to_D20_engine_equals_oracle_with_a_single_character(character: str, steps: str) -> None:
    ruleset = Ruleset.of(steps=steps, characters=(character,))
    seen = play_random_games(ruleset, games=30, seed=2)
    assert reached(seen, "phase") == {"play", PHASE_OF[character], "over"}


@pytest.mark.parametrize("forest_loss", ["needed", "empty"])
@pytest.mark.parametrize("lead", ["same", "alternate"])
def test_D14_D15_engine_equals_oracle_between_rounds(forest_loss: str, lead: str) -> None:
    """Rounds of two tricks with small steps: most tiles are placed between rounds, many of them in a tie."""
    seen: Counter[tuple[str, Any]] = Counter()
    for forest_tiles in range(5):
        board = Board((1, 0, 2, 0, 0, 1, 0, 1, 2), (0, 1, 3, 7, 8), 4, forest_tiles)
        ruleset = Ruleset.of(
            board=board, forest_loss=forest_loss, lead=lead, ranks=(1, 3, 4, 5, 7, 9), hand_size=2
        )
        seen += play_random_games(ruleset, games=60, seed=forest_tiles)
    assert {"lost_path", "lost_time"} <= reached(seen, "outcome")
    assert seen["event", "tie between rounds"] >= 50
    assert seen["event", "plus mark on a covered space"] >= 50


# ---------------------------------------------------------------------- tiny games, to the last node


def all_deals(ruleset: Ruleset) -> Iterator[list[int]]:
    """Every different deal: two hands and a decree; the order of the rest makes no difference."""
    size = ruleset.hand_size
    for first in combinations(ruleset.deck, size):
        others = [card for card in ruleset.deck if card not in first]
        for second in combinations(others, size):
            rest = [card for card in others if card not in second]
            for decree in rest:
                yield [*first, *second, decree, *(card for card in rest if card != decree)]


def exhaust(pair: Pair) -> None:
    """Every action at every node from here on."""
    pair.seen["nodes", None] += 1
    for action in pair.oracle.legal():
        child = pair.clone()
        child.play(action)
        exhaust(child)


def exhaust_all(ruleset: Ruleset) -> Counter[tuple[str, Any]]:
    """All first deals, each followed by other ones in later rounds, and both first players."""
    rng = random.Random(0)
    deals = list(all_deals(ruleset))
    later_deals = [rng.sample(deals, len(deals)) for _ in range(ruleset.rounds - 1)]
    seen: Counter[tuple[str, Any]] = Counter()
    for decks in zip(deals, *later_deals, strict=True):
        for first_player in (0, 1):
            exhaust(Pair.begin(ruleset, list(decks), first_player, seen))
    return seen


#: Small enough to be exhausted; gems are few, so that they can all be collected in a few tricks.
TINY = {
    "no_character": Ruleset(
        board=Board((0, 1, 0, 0, 0), (0, 4), 2, 2),
        characters=(),
        lead="alternate",
        suits=1,
        ranks=(1, 3, 5, 7, 9),
        hand_size=2,
        rounds=3,
    ),
    "musician": Ruleset(
        board=Board((1, 0, 0, 1, 0), (0,), 2, 1), suits=2, ranks=(1, 2, 4), hand_size=2, rounds=2
    ),
    "foxes": Ruleset(board=Board((0, 1, 0, 1), (3,), 2, 1), suits=2, ranks=(3, 4, 6), hand_size=2, rounds=2),
    "gazelle": Ruleset(
        board=Board((0, 1, 0, 1, 0), (), 2, 0), steps="sum", suits=2, ranks=(1, 4, 5), hand_size=2, rounds=1
    ),
    "gift": Ruleset(board=Board((0, 1, 0, 1), (3,), 2, 1), suits=2, ranks=(4, 7, 8), hand_size=2, rounds=2),
    "royal_heir": Ruleset(
        board=Board((0, 1, 0, 0, 0), (0,), 2, 1), suits=3, ranks=(4, 9), hand_size=2, rounds=2
    ),
    "musician_and_gazelle": Ruleset(
        board=Board((0, 1, 0, 1, 0), (), 2, 0), steps="sum", suits=2, ranks=(1, 5, 8), hand_size=2, rounds=1
    ),
    "all_in_one_suit": Ruleset(
        board=Board((0, 1, 0, 0, 0), (0,), 2, 1), suits=1, ranks=(1, 3, 5, 7, 9), hand_size=2, rounds=2
    ),
    "agreement": Ruleset(
        board=Board((1, 0, 0), (0,), 1, 1),
        characters=("foxes",),
        lead="alternate",
        reward="outcome",
        agreement=2,
        suits=1,
        ranks=(2, 3, 4, 7, 8),
        hand_size=2,
        rounds=2,
    ),
    "last_tile_loses": Ruleset(
        board=Board((0, 1, 0, 1, 0), (0,), 2, 2),
        forest_loss="empty",
        suits=2,
        ranks=(1, 2, 4),
        hand_size=2,
        rounds=2,
    ),
}


#: Likewise, but with three tricks in a round.
SMALL = Ruleset(
    board=Board((0, 1, 0, 1, 0), (), 2, 1), suits=1, ranks=(2, 3, 4, 5, 6, 7, 8), hand_size=3, rounds=1
)


def exhaust_and_expect(ruleset: Ruleset, nodes: int) -> None:
    seen = exhaust_all(ruleset)
    phases = {"play", "over"} | ({"announce"} if ruleset.agreement else set())
    phases |= {PHASE_OF[name] for name in ruleset.characters if CHARACTERS[name] in ruleset.ranks}
    assert reached(seen, "phase") == phases
    assert reached(seen, "outcome") == ALL_OUTCOMES
    assert seen["nodes", None] >= nodes


@pytest.mark.parametrize("name", TINY)
def test_D3_to_D23_engine_equals_oracle_at_every_node_of_tiny_games(name: str) -> None:
    exhaust_and_expect(TINY[name], nodes=10_000)


@pytest.mark.slow
def test_D3_to_D23_engine_equals_oracle_at_every_node_of_games_of_three_tricks() -> None:
    exhaust_and_expect(SMALL, nodes=250_000)
