"""Rulesets, boards and games of Duet that the tests play: by name, or drawn by Hypothesis."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from reynard.envs import jit
from reynard.envs.duet import kernels
from reynard.envs.duet.board import Board
from reynard.envs.duet.cards import CHARACTERS
from reynard.envs.duet.observation import LAYOUT, OBSERVATION
from reynard.envs.duet.ruleset import MAX_HAND, MAX_SYMBOLS, PRESETS, Ruleset, compile_ruleset
from reynard.envs.duet.state import NONE, STATE
from reynard.envs.games import records_for
from reynard.envs.streams import key_of

MASK_WORDS = 7  # enough for 39 actions and 16 symbols
SHOW_ONLY = -1  # no action: the kernel only shows the game

#: An asymmetric board on which games are won now and then, even at random.
SHORT = Board((1, 0, 1, 0, 0, 1, 0), (0, 4), 3, 2)

#: Every preset, and a spread of the options.
RULESETS: dict[str, Ruleset] = {
    **PRESETS,
    "agreement": Ruleset.of("boxed", agreement=3, board="B", first_player=1),
    "memoryless": Ruleset.of("standard", history=False, forest_loss="empty", reward="outcome"),
    "short": Ruleset.of("standard", board=SHORT, agreement=MAX_SYMBOLS, hand_size=4),
    "plain": Ruleset.of("boxed", board=SHORT, characters=("gift",), suits=2, hand_size=7, first_player=0),
    "tiny_agreement": Ruleset.of("tiny", agreement=2, lead="alternate", steps="sum"),
    "one_suit": Ruleset.of("tiny", suits=1, ranks=(1, 3, 5, 7, 9, 10), hand_size=2, rounds=3, history=False),
}


def scaled(count: int) -> int:
    """So many games if they are compiled, a few of them if not (``REYNARD_JIT=0``)."""
    return count if jit.ENABLED else max(count // 50, 2)


# ---------------------------------------------------------------------- drawn by Hypothesis


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any playable board, of 3 to 11 spaces."""
    spaces = draw(st.integers(3, 11))
    start = draw(st.integers(1, spaces - 2))
    others = [space for space in range(spaces) if space != start]
    most = draw(st.sampled_from((0, 0, 3)))  # with one gem or two, games are won now and then
    beside = draw(st.lists(st.integers(0, most), min_size=spaces, max_size=spaces))
    beside[start] = 0
    if not sum(beside):
        beside[draw(st.sampled_from((max(start - 1, 0), start + 1)))] = draw(st.integers(1, 2))
    marks = st.sampled_from(others)
    return Board(
        gems=tuple(beside),
        plus_marks=tuple(sorted(draw(st.sets(marks) | st.sets(marks, max_size=1)))),
        start=start,
        forest_tiles=draw(st.integers(0, min(start, spaces - 1 - start))),
    )


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset: every option takes every kind of value."""
    suits = draw(st.integers(1, 3))
    full = st.just(frozenset(range(1, 11)))
    ranks = draw(full | st.frozensets(st.integers(1, 10), min_size=3 if suits == 1 else 2, max_size=10))
    room = min(MAX_HAND, (suits * len(ranks) - 1) // 2)
    return Ruleset(
        steps=draw(st.sampled_from(("winner", "sum"))),
        lead=draw(st.sampled_from(("same", "alternate"))),
        board=draw(st.sampled_from(("A", "B")) | boards()),
        characters=tuple(draw(st.sets(st.sampled_from(tuple(CHARACTERS))) | st.just(tuple(CHARACTERS)))),
        forest_loss=draw(st.sampled_from(("needed", "empty"))),
        reward=draw(st.sampled_from(("progress", "outcome"))),
        first_player=draw(st.sampled_from((None, 0, 1))),
        agreement=draw(st.sampled_from((0, 0, 1, 2, 5, MAX_SYMBOLS))),
        history=draw(st.booleans()),
        suits=suits,
        ranks=tuple(ranks),
        hand_size=draw(st.just(room) | st.integers(1, room)),
        rounds=draw(st.integers(1, 3)),
    )


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**32 - 1)


# ---------------------------------------------------------------------- one game, played by hand


class Played:
    """One game, both seats' views and masks, and the actions that were played.

    Args:
        ruleset: Its rules.
        seed: Names the random stream.
        decks: The decks, or ``None`` to draw them.
        first_player: Likewise.
        plain: Play with the uncompiled rules.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        seed: int,
        decks: np.ndarray | None = None,
        first_player: int | None = None,
        plain: bool = False,
    ) -> None:
        self.ruleset = ruleset
        self.rules: Any = compile_ruleset(ruleset)
        self.games: Any = np.zeros(1, STATE)
        self.views = np.zeros(2, OBSERVATION)
        self.words = np.zeros((2, MASK_WORDS), np.int64)
        self.masks = self.words.view(np.int8)
        self.observations = self.views["whole"][:, : LAYOUT.visible_size(ruleset.history)]
        self.actions: list[int] = []
        self._arrays = [records_for(array, plain) for array in (self.rules, self.games)]
        self._views = records_for(self.views, plain)
        self._step = jit.plain(kernels.step_game) if plain else kernels.step_game
        shuffle, begin = kernels.shuffle_game, kernels.begin_game
        if plain:
            shuffle, begin = jit.plain(shuffle), jit.plain(begin)
        self.games["key"] = key_of(seed)
        shuffle(*self._arrays, 0)
        if decks is not None:
            self.games["decks"] = decks
        if first_player is not None:
            self.games["first_player"] = first_player
        begin(*self._arrays, 0)
        self._act(SHOW_ONLY)

    @property
    def state(self) -> np.void:
        """The record; it changes with the next action."""
        return self.games[0]

    @property
    def to_move(self) -> int:
        return int(self.games["to_move"][0])

    def legal(self) -> np.ndarray:
        """What the seat to move may do; nothing when the game is over."""
        return np.flatnonzero(self.masks[max(self.to_move, 0)])

    def play(self, action: int) -> float:
        self.actions.append(action)
        self._act(action)
        return float(self.games["reward"][0])

    def _act(self, action: int) -> None:
        self._step(*self._arrays, 0, action, self._views, self.words)

    def steps(self, rng: np.random.Generator) -> Iterator[tuple[np.void, np.void]]:
        """Play on at random to the end; before and after of every action."""
        while self.to_move != NONE:
            before = self.state.copy()
            self.play(int(rng.choice(self.legal())))
            yield before, self.state

    def story(self) -> str:
        """How to come here again."""
        decks = self.games["decks"][0].tolist()
        first_player = int(self.games["first_player"][0])
        return (
            f"ruleset: {self.ruleset.to_dict()}\ndecks: {decks}\nfirst player: {first_player}\n"
            f"actions: {self.actions}"
        )
