"""What Lišák's players reckon with: how likely every answer is, and what a card would tell.

All of it is worked out from one seat's observation, read back into a state (``envs/lisak/reading.py``).
Answers are known by their places among the candidates, clues by their numbers.
"""

from typing import Final, NamedTuple

import numpy as np

from ...envs.jit import jit
from ...envs.lisak.compiled import Rules, compile_ruleset
from ...envs.lisak.inference import candidates, coin_flips, likelihood
from ...envs.lisak.rules import meaning
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import NO_CARD
from ...envs.lisak.world import BORDERLINE, YES

COUNTS: Final = MAX_ROW + 1  # what a fox can say of a row


class Tables(NamedTuple):
    """What a player looks up.

    Args:
        clues: The world's judgement turned round: int8, shape ``(clues, pool)``, a row for each clue and
            in it the answers of the pool, so that the candidates of a hint are neighbours.
        flips: The chance of *k* heads of *n* coins, shape ``(6, 6)``.
        doubt: The entropy of that, in bits, shape ``(6,)``.
    """

    clues: np.ndarray
    flips: np.ndarray
    doubt: np.ndarray


def tables_for(ruleset: Ruleset) -> tuple[Rules, Tables]:
    """The compiled rules and the tables of a ruleset."""
    rules = compile_ruleset(ruleset)
    flips = np.array([[coin_flips(n, k) for k in range(COUNTS)] for n in range(COUNTS)])
    logs = np.log2(flips, out=np.zeros_like(flips), where=flips > 0)
    return rules, Tables(
        clues=np.ascontiguousarray(rules.judgement[rules.pool].T),
        flips=flips,
        doubt=-(flips * logs).sum(axis=1),
    )


@jit
def weigh(game, rules, weights):
    """Write how likely each candidate is (together 1), and return where they begin in the pool.

    If none fits, the fox is none of the literal kind, and every candidate is as likely as the other.
    """
    begin, end = candidates(game, rules)
    total = 0.0
    for k in range(end - begin):
        weights[k] = likelihood(game, rules.pool[begin + k], rules)
        total += weights[k]
    for k in range(end - begin):
        weights[k] = weights[k] / total if total > 0 else 1 / (end - begin)
    return begin


@jit
def entropy(weights, count):
    """Of the candidates, in bits."""
    bits = 0.0
    for k in range(count):
        if weights[k] > 0:
            bits -= weights[k] * np.log2(weights[k])
    return bits


@jit
def count_of_row(card, options, tables, begin, count, surely, unsure):
    """Reckon a card into what the fox would count for every candidate: sure cards and coin flips."""
    clue = meaning(card, options)
    if card[0] == NO_CARD or clue < 0:
        return
    for k in range(count):
        judged = tables.clues[clue, begin + k]
        surely[k] += judged == YES
        unsure[k] += judged == BORDERLINE


@jit
def information(clue, tables, begin, weights, active, surely, unsure, chances):
    """How many bits the row's count tells about the answer if this clue joins the row.

    Args:
        clue: Its number.
        tables: See :class:`Tables`.
        begin: Where the candidates begin in the pool.
        weights: How likely each candidate is.
        active: Which candidates are possible at all, as places.
        surely: How many of the row's cards are surely right, for each candidate.
        unsure: How many are borderline.
        chances: Room for the chance of every count.
    """
    chances[:] = 0.0
    within = 0.0
    for k in active:
        judged = tables.clues[clue, begin + k]
        least = surely[k] + (judged == YES)
        coins = unsure[k] + (judged == BORDERLINE)
        within += weights[k] * tables.doubt[coins]
        for heads in range(coins + 1):
            chances[least + heads] += weights[k] * tables.flips[coins, heads]
    bits = -within
    for chance in chances:
        if chance > 0:
            bits -= chance * np.log2(chance)
    return bits
