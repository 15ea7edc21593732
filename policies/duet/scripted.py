"""Playing by judgement alone: the frame of Duet's scripted players."""

import numpy as np

from ...envs.duet.observation import as_records
from ...envs.duet.ruleset import Ruleset, compile_ruleset
from ...envs.games import records_for
from ...envs.jit import parallel_kernel, prange
from ..policy import Dice
from .judgement import decide


@parallel_kernel
def _decide_all(views, masks, hope, thrift, rules, actions):
    for i in prange(len(views)):
        actions[i] = decide(views[i], masks[i], hope, thrift, rules[0])


class Scripted:
    """Plays what promises most, trick by trick. It has no memory and throws no dice.

    Args:
        ruleset: The rules it plays by.
        hope: From -1 (expects the partner's worst reply) over 0 (the average) to 1 (the best).
        thrift: What a card costs for each rank, in gems.
    """

    def __init__(self, ruleset: Ruleset, hope: float, thrift: float) -> None:
        self._rules = records_for(compile_ruleset(ruleset), False)
        self._hope = hope
        self._thrift = thrift

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        views = records_for(as_records(observations), False)
        actions = np.empty(len(masks), np.int64)
        _decide_all(views, masks, self._hope, self._thrift, self._rules, actions)
        return actions
