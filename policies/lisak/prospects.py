"""What each of a player's actions promises in Lišák, as far as an observation tells.

A seeker's: how likely the fox thinks yes of a clue, how likely a trophy is right, under the literal fox
(L10). The fox's: how likely a literal fox would do it. Nothing in here knows more than the observer does.
"""

from typing import Final

import numpy as np

from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.actions import action_names
from ...envs.lisak.inference import candidates, coin_flips
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import judge
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import JOKER, TOKENS
from ...envs.lisak.world import BORDERLINE, NO, YES
from .reckoning import COUNTS, count_of_row, entropy, information, tables_for, weigh

WHOLE: Final = 100  # chances are whole percents
CHOICE, TRUE, UNSURE, TELLS, RIGHT, LITERAL = range(6)
FEATURES: Final[tuple[str, ...]] = (
    "choice",  # 100: the action is legal; all others are 0 where it is not
    "true",  # of a clue: that the world judges it yes
    "unsure",  # of a clue: that the world judges it borderline
    "tells",  # of a clue: the share of the missing bits that its row's count would bring, as the row stands
    "right",  # of an answer, as a clue or on a trophy: that it is the one
    "literal",  # of tokens and the joker: that the literal fox would do it
)


class Prospects:
    """Reads observations of Lišák.

    Args:
        ruleset: The rules they come from.
    """

    names: tuple[str, ...] = FEATURES
    promising: tuple[str, ...] = ("tells", "right", "literal")

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        rules, self._tables = tables_for(ruleset)
        self._rules = records_for(rules, False)
        self.actions = len(action_names(ruleset))

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What the legal actions promise.

        Args:
            observations: Shape ``(n, size)``.
            masks: What may be done, int8 flags, shape ``(n, actions)``.

        Returns:
            Chances in percent, int8, shape ``(n, actions, features)``.
        """
        states = records_for(read_states(observations, self._ruleset, self._rules), False)
        table = np.zeros((len(observations), self.actions, len(FEATURES)), np.int8)
        _look_ahead_all(states, np.ascontiguousarray(masks), self._rules, self._tables, table)
        return table


@parallel_kernel
def _look_ahead_all(states, masks, rules, tables, table):
    for i in prange(len(states)):
        for action in range(masks.shape[1]):
            if masks[i, action] == 1:
                table[i, action, CHOICE] = WHOLE
        if states[i].phase == TOKENS or states[i].phase == JOKER:
            judge_as_literal(states[i], rules, table[i])
        else:
            weights = np.empty(len(rules.pool))
            weigh_clues(states[i], rules, tables, weights, table[i])


@jit
def percent(chance):
    """A chance in whole percents; above 0 whatever is possible at all."""
    return max(int(WHOLE * chance + 0.5), int(chance > 0.0))


@jit
def weigh_clues(game, rules, tables, weights, table):
    """What the answers that are still possible say of every clue and trophy."""
    options = rules.options[0]
    begin = weigh(game, rules, weights)
    count = candidates(game, rules)[1] - begin
    surely, unsure_ones = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for place in range(options.row_length):
        card = game.cards[game.round_number, place]
        count_of_row(card, options, tables, begin, count, surely, unsure_ones)
    active, missing, room = np.flatnonzero(weights[:count]), entropy(weights, count), np.empty(COUNTS)
    for clue in range(options.trophy):
        if table[clue, CHOICE] == 0:
            continue
        true, unsure = 0.0, 0.0
        for k in range(count):
            judged = tables.clues[clue, begin + k]
            true += weights[k] * (judged == YES)
            unsure += weights[k] * (judged == BORDERLINE)
        table[clue, TRUE] = percent(true)
        table[clue, UNSURE] = percent(unsure)
        if missing > 0.0:
            bits = information(clue, tables, begin, weights, active, surely, unsure_ones, room)
            table[clue, TELLS] = min(WHOLE, percent(max(0.0, bits / missing)))
    for k in range(count):
        answer = rules.pool[begin + k]
        for action in (options.ideas + answer, options.trophy + answer):
            if table[action, CHOICE] > 0:
                table[action, RIGHT] = percent(weights[k])


@jit
def judge_as_literal(game, rules, table):
    """How likely the literal fox puts each number of tokens, or the joker on each card."""
    options = rules.options[0]
    sure, unsure = 0, 0
    for place in range(options.row_length):
        judged = judge(game.answer, game.cards[game.round_number, place], options, rules.judgement)
        sure += judged == YES
        unsure += judged == BORDERLINE
    for tokens in range(options.row_length + 1):
        if table[options.token + tokens, CHOICE] > 0:
            table[options.token + tokens, LITERAL] = percent(coin_flips(unsure, tokens - sure))
    for row in range(game.round_number + 1):
        for place in range(options.row_length):
            action = options.joker + row * MAX_ROW + place
            if table[action, CHOICE] > 0:
                judged = judge(game.answer, game.cards[row, place], options, rules.judgement)
                table[action, LITERAL] = WHOLE if judged == YES else 0 if judged == NO else WHOLE // 2
