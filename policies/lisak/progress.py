"""How far a team of Lišák has come: what the table tells everybody about the answer."""

import numpy as np

from ...envs.games import records_for
from ...envs.jit import parallel_kernel, prange
from ...envs.lisak.inference import candidates
from ...envs.lisak.ruleset import Ruleset
from .reckoning import entropy, tables_for, weigh


class Progress:
    """Reads states of Lišák, but nothing in them that is not public.

    Args:
        ruleset: The rules they come from.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        rules, _ = tables_for(ruleset)
        self._rules = records_for(rules, False)

    def __call__(self, records: np.ndarray) -> np.ndarray:
        """The share of the bits that were missing at first which are known by now.

        Args:
            records: States, shape ``(n,)``.

        Returns:
            From 0 to 1, float32, shape ``(n,)``.
        """
        known = np.zeros(len(records), np.float32)
        _measure_all(records_for(records, False), self._rules, known)
        return known


@parallel_kernel
def _measure_all(states, rules, known):
    for i in prange(len(states)):
        begin, end = candidates(states[i], rules)
        if end - begin > 1:
            weights = np.empty(len(rules.pool))
            weigh(states[i], rules, weights)
            known[i] = max(0.0, 1.0 - entropy(weights, end - begin) / np.log2(end - begin))
