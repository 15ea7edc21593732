"""What a well-read person infers from public facts: how likely the literal fox makes every answer.

The model of the literal fox (L10): it thinks *yes* of every card that the world judges yes, and of a
borderline card half the time, each time anew; its count is the number of such cards, and its joker lies
on a card of which it thinks yes when it places it. Every answer with the shown hint is as likely as the
other before. That the game went on after a row says that the answer stands on none of its cards (L8).
"""

from typing import Final

from ..jit import jit
from .rules import is_answer, judge
from .ruleset import MAX_ROW
from .state import CONSULT, JOKER, LOST_ROUNDS, NONE, TOKENS, WRITE
from .world import NO, YES

#: What the likeliest answer's chance is shown as.
UNIT: Final = 127


@jit
def candidates(game, rules):
    """Where in ``rules.pool`` the answers begin and end that the seekers must reckon with at first."""
    if rules.options[0].hint == 0:
        return 0, len(rules.pool)
    hint = rules.hint_of[game.answer]
    return int(rules.pool_start[hint]), int(rules.pool_start[hint + 1])


@jit
def chance_of_row(game, row, answer, rules):
    """How likely the fox puts this row's tokens, and the joker if it lies there, if that is the answer."""
    options = rules.options[0]
    chance, least, unsure = 1.0, 0, 0
    for place in range(options.row_length):
        judged = judge(answer, game.cards[row, place], options, rules.judgement)
        if game.joker == row * MAX_ROW + place:
            chance = 1.0 if judged == YES else 0.0 if judged == NO else 0.5
        if judged == YES:
            least += 1
        elif judged != NO:
            unsure += 1
    return chance * coin_flips(unsure, game.tokens[row] - least)


@jit
def coin_flips(coins, heads):
    """The chance of so many heads of so many coins."""
    if heads < 0 or heads > coins:
        return 0.0
    ways = 1.0
    for k in range(heads):
        ways = ways * (coins - k) / (k + 1)
    return ways / 2.0**coins


@jit
def likelihood(game, answer, rules):
    """How likely all that has happened is, if that is the answer."""
    options = rules.options[0]
    chance = 1.0
    for row in range(game.round_number + 1):
        if row == game.round_number and not row_went_by(game, options):
            break
        for place in range(MAX_ROW):
            if is_answer(game.cards[row, place], answer, options):
                return 0.0
        if game.tokens[row] != NONE:
            chance *= chance_of_row(game, row, answer, rules)
        if chance == 0.0:
            return 0.0
    return chance


@jit
def row_went_by(game, options):
    """Whether the current row's cards have been seen and none was right (in the last round: card by card)."""
    if game.phase == TOKENS or game.phase == JOKER or game.outcome == LOST_ROUNDS:
        return True
    return game.round_number == options.last_round and (game.phase == CONSULT or game.phase == WRITE)


@jit
def show_posterior(game, rules, shown):
    """Write how likely every answer is, as a share of the likeliest one's chance, in :data:`UNIT` ths,
    rounded up.

    So what is possible is 1 or more. If no answer fits (the fox was not literal), all are 0.
    """
    begin, end = candidates(game, rules)
    highest = 0.0
    for k in range(begin, end):
        chance = likelihood(game, rules.pool[k], rules)
        shown[rules.pool[k]] = chance > 0.0
        highest = max(highest, chance)
    for k in range(begin, end):
        answer = rules.pool[k]
        if shown[answer] == 1:
            share = UNIT * likelihood(game, answer, rules) / highest
            shown[answer] = int(share) + (share > int(share))
