"""``literal``: an honest fox. Its counts are what it thinks, its joker lies where it tells most.

Of a borderline card it thinks yes half the time, each time anew.
"""

from typing import Any

import numpy as np

from ...envs.game import Game
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.compiled import compile_ruleset
from ...envs.lisak.inference import candidates, likelihood
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import judge, legal_jokers
from ...envs.lisak.ruleset import MAX_ROUNDS, MAX_ROW, Ruleset
from ...envs.lisak.state import JOKER, NONE
from ...envs.lisak.world import BORDERLINE, YES
from ...envs.sets import has
from ...envs.streams import POLICY, random_words
from ..policy import Dice, Policy, no_argument, register

#: How many bits nearer to the answer the joker must bring the seekers, by round; later ones as the last.
WORTH_THE_JOKER = (1.5, 0.7, 0.3, 0.05)
NEVER = np.inf


class Literal:
    """An honest fox.

    Args:
        ruleset: The rules it plays by.
        joker: Whether it ever uses its joker.
    """

    def __init__(self, ruleset: Ruleset, joker: bool = True) -> None:
        self._ruleset = ruleset
        self._rules = records_for(compile_ruleset(ruleset), False)
        self._joker = joker

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        states = records_for(read_states(observations, self._ruleset, self._rules), False)
        actions = np.empty(len(masks), np.int64)
        _answer_all(states, self._rules, self._joker, actions, *rng.stream)
        return actions


@parallel_kernel
def _answer_all(states, rules, joker, actions, key, games, episodes, moves):
    for i in prange(len(states)):
        if states[i].phase == JOKER:
            actions[i] = place_joker(states[i], rules) if joker else rules.options[0].silence
        else:
            words = random_words(key, games[i], episodes[i], POLICY, moves[i])
            actions[i] = rules.options[0].token + honest_count(states[i], words[0], rules)


@jit
def honest_count(game, word, rules):
    """The cards that are right, and each borderline one if its bit of a random word says so."""
    count = 0
    for place in range(rules.options[0].row_length):
        card = game.cards[game.round_number, place]
        judged = judge(game.answer, card, rules.options[0], rules.judgement)
        count += judged == YES or (judged == BORDERLINE and has(word, place))
    return count


@jit
def place_joker(game, rules):
    """The card that brings the seekers nearest to the answer, if that is near enough; else the pass."""
    options = rules.options[0]
    legal = legal_jokers(game, options, rules.judgement)
    before = belief_in_answer(game, rules)
    nearest, chosen = before, NONE
    for card in range(MAX_ROUNDS * MAX_ROW):
        if has(legal, card):
            game.joker = card
            after = belief_in_answer(game, rules)
            if after > nearest + 1e-9:
                nearest, chosen = after, card
    game.joker = NONE
    enough = WORTH_THE_JOKER[min(game.round_number, len(WORTH_THE_JOKER) - 1)]
    if chosen == NONE or before == 0.0 or np.log2(nearest / before) < enough:
        return int(options.silence)
    return int(options.joker) + chosen


@jit
def belief_in_answer(game, rules):
    """How likely the answer is to those who reckon with a literal fox."""
    begin, end = candidates(game, rules)
    total = 0.0
    for k in range(begin, end):
        total += likelihood(game, rules.pool[k], rules)
    return likelihood(game, game.answer, rules) / total if total > 0 else 0.0


@register("lisak", "literal", "a fox with honest counts and a well-placed joker", roles=("fox",))
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("literal", argument)
    return Literal(ruleset)
