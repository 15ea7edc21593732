"""``random``: every legal action is as likely as the other."""

from typing import Any

import numpy as np

from ..envs.game import Game
from ..envs.jit import parallel_kernel, prange
from ..envs.streams import POLICY, random_legal, random_words
from .policy import ANY_GAME, Dice, Policy, no_argument, register


@parallel_kernel
def _choose(masks, actions, key, games, episodes, moves):
    for i in prange(len(masks)):
        words = random_words(key, games[i], episodes[i], POLICY, moves[i])
        actions[i] = random_legal(masks[i], words[0])


class Uniform:
    """Uniform over the legal actions, in any game."""

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        actions = np.empty(len(masks), np.int64)
        _choose(masks, actions, *rng.stream)
        return actions

    def odds(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """Every legal action alike, float64, shape ``(n, actions)``; as for :meth:`act`."""
        return masks / masks.sum(axis=1, keepdims=True, dtype=np.float64)


@register(ANY_GAME, "random", "any legal action, each as likely as the other")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("random", argument)
    return Uniform()
