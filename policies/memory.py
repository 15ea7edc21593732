"""What a player remembers, and what that tells of the others: states that explain how they played.

An observation does not hold all that a player has seen. What the others did, in which order, tells more of
what they know, if one knows how they play.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ..envs.game import Game
from .policy import Dice, Policy
from .posterior import likelihoods, posterior_of

SPREAD: Final = 4  # states that are drawn for each one that is kept
GOLDEN: Final = (5**0.5 - 1) / 2  # multiples of it lie evenly in [0, 1), however many one takes


class Past(NamedTuple):
    """How some decisions' games may have begun, m of those that were asked for.

    Args:
        rows: Which decisions, shape ``(m,)``; of the others too much is missing.
        begun: State records, shape ``(m, states)``, from where all is played again.
        actions: What was played since, int64, shape ``(m, states, moves)``, -1 where that has ended.
        told: Which of those actions are known to be the ones that were meant, bools, likewise.
        drawn: How likely the posterior is to draw each state for what the others did, apart from what it
            knows besides; float64, shape ``(m, states)``.
    """

    rows: np.ndarray
    begun: np.ndarray
    actions: np.ndarray
    told: np.ndarray
    drawn: np.ndarray


def keys_of(seats: np.ndarray, rng: Dice) -> list[tuple[int, int]]:
    """By what a memory tells decisions apart: game and seat."""
    return list(zip(rng.games.tolist(), np.asarray(seats).tolist(), strict=True))


class Memory(Protocol):
    """Remembers games, each seat for itself."""

    def reset(self, games: np.ndarray) -> None:
        """Forget these games."""
        ...

    def see(self, observations: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Look at some decisions before they are made; a second look at the same ones changes nothing."""
        ...

    def did(self, actions: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Remember what was decided."""
        ...

    def past(self, states: np.ndarray, seats: np.ndarray, rng: Dice) -> Past:
        """How the decisions that were seen last came about, if some states are true.

        Args:
            states: State records that the seats cannot tell from the true ones, shape ``(n, states)``.
            seats: Who decides, shape ``(n,)``.
            rng: The decisions' random numbers, which tell the games apart.
        """
        ...


class Beliefs:
    """What a player takes to be true who knows how the others play, and has not forgotten how they played.

    More states are drawn from the posterior than are needed, and each is kept as often as it explains what
    the others did.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        policies: Who is taken to play, one for each seat. They must have no memory.
        error: How often a player does something else than its policy, from 0 to 1; 1: what was played tells
            nothing.

    Attributes:
        posterior: Draws what an observation allows.
        memory: Remembers what was played.
        remembers: Whether the memory has to see decisions at all.

    Raises:
        InvalidOption: The ruleset's observations do not tell enough.
    """

    def __init__(self, game: Game, ruleset: Any, policies: Sequence[Policy], error: float) -> None:
        self._game, self._ruleset, self._policies, self._error = game, ruleset, policies, error
        self.remembers = error < 1
        self.posterior = posterior_of(game, ruleset)
        self.memory: Memory = import_module(f".{game.name}.memory", __package__).Memory(
            ruleset, self.posterior
        )

    def draw(self, observations: np.ndarray, seats: np.ndarray, deals: int, rng: Dice) -> np.ndarray:
        """Draw states for some decisions that the memory has seen.

        Args:
            observations: What each observer sees, shape ``(n, size)``.
            seats: Who it is, shape ``(n,)``.
            deals: How many states for each.
            rng: Random numbers of the n decisions.

        Returns:
            State records, shape ``(n, deals)``, all alike in weight; the first few of a row are as good as
            the last.
        """
        if not self.remembers:
            return self.posterior.sample(observations, seats, deals, rng)[0]
        states, _ = self.posterior.sample(observations, seats, SPREAD * deals, rng)
        past = self.memory.past(states, seats, rng)
        kept = states[:, :deals].copy()
        if not len(past.rows):
            return kept
        told = likelihoods(
            self._game,
            self._ruleset,
            past.begun,
            past.actions,
            seats[past.rows],
            self._policies,
            epsilon=self._error,
            told=past.told,
        )
        heaped = np.cumsum(told / past.drawn, axis=1)
        places = (rng.random()[past.rows, 1:2] + GOLDEN * np.arange(deals)) % 1
        for row, heap, place in zip(past.rows, heaped, places, strict=True):
            if heap[-1] > 0:  # else nobody played as the policies do, and nothing is told
                kept[row] = states[row, np.searchsorted(heap, place * heap[-1], side="right")]
        return kept
