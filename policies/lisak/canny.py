"""``canny``: a fox that thinks of its seekers. What it may choose, it chooses by what they will infer.

Its judgement is the literal fox's (L10), so whoever believes in a literal fox is never misled. But where
borderline cards leave it several counts, it gives the one after which the answer looks likeliest to those
who reckon, instead of throwing coins; and its joker lies where, and when, it brings them nearest.
"""

from typing import Any

import numpy as np

from ...envs.game import Game
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.compiled import compile_ruleset
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import legal_tokens
from ...envs.lisak.ruleset import Ruleset
from ...envs.lisak.state import JOKER, NONE
from ...envs.sets import has
from ..policy import Dice, Policy, no_argument, register
from .literal import belief_in_answer, place_joker
from .reckoning import COUNTS


class Canny:
    """A fox that thinks of its seekers. It needs no dice: what it cannot tell apart, it answers alike.

    Args:
        ruleset: The rules it plays by.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._rules = records_for(compile_ruleset(ruleset), False)

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        states = records_for(read_states(observations, self._ruleset, self._rules), False)
        actions = np.empty(len(masks), np.int64)
        _answer_all(states, self._rules, actions)
        return actions


@parallel_kernel
def _answer_all(states, rules, actions):
    for i in prange(len(states)):
        if states[i].phase == JOKER:
            actions[i] = place_joker(states[i], rules)
        else:
            actions[i] = rules.options[0].token + telling_count(states[i], rules)


@jit
def telling_count(game, rules):
    """The legal count after which the answer is likeliest to those who reckon; the least of those alike."""
    legal = legal_tokens(game, rules.options[0], rules.judgement)
    nearest, chosen = -1.0, 0
    for count in range(COUNTS):
        if has(legal, count):
            game.tokens[game.round_number] = count
            belief = belief_in_answer(game, rules)
            if belief > nearest + 1e-9:
                nearest, chosen = belief, count
    game.tokens[game.round_number] = NONE
    return chosen


@register("lisak", "canny", "a fox that counts as tells its seekers most", roles=("fox",))
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("canny", argument)
    return Canny(ruleset)
