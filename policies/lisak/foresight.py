"""Looking rows ahead in Lišák: how many rounds seekers still need, and the row that makes them fewest.

A *position* is what seekers know between two rows: the answers that are still possible, how likely each
is, and how many trophies are left. A row is some trophies, on the likeliest answers, and ideas. The fox's
count, and its joker as ``literal`` places it, split a position into smaller ones, which are looked at in the
same way; at the end of the search their entropy tells how many rounds are to be expected.

Everything here is a function of the position alone, and counts on a literal fox (L10).
"""

from typing import Final

import numpy as np

from ...envs.jit import jit, kernel
from ...envs.lisak.world import BORDERLINE, YES
from .literal import WORTH_THE_JOKER
from .reckoning import COUNTS, entropy

#: A lost game counts as so many rounds; so a last trophy must be about as likely as 1 - 1 / LOSS.
LOSS: Final = 20.0
#: What is less likely than this is left aside in positions that are only imagined.
NEGLIGIBLE: Final = 1e-3
#: Trophies are not tried on answers that are less likely than this, now, and in imagined positions.
LEAST_CHANCE: Final = 0.02
LEAST_CHANCE_LATER: Final = 0.08
#: Positions with so few answers are looked at as far as it takes, this many rows more at most.
FEW: Final = 16
ROWS_MORE: Final = 3
#: Where the search ends, a row of n cards is taken to bring so much of log2(n + 1) bits. The play hardly
#: depends on it.
YIELD: Final = 0.85


@jit
def distinct(patterns, names, weights):
    """The ideas that tell anything about a position, one of each kind.

    Args:
        patterns: Judgements, int8, shape ``(ideas, answers)``.
        names: The ideas' numbers, shape ``(ideas,)``.
        weights: How likely each answer is; an idea need only differ in those above 0.

    Returns:
        The same of the ideas that are left. Of two ideas that judge alike the first stays.
    """
    ideas, answers = patterns.shape
    slots = 64
    while slots < 4 * ideas:
        slots *= 2
    taken = np.full(slots, -1, np.int64)
    kept = np.empty(ideas, np.int64)
    count = 0
    for idea in range(ideas):
        code, varied, first = 0, False, -1
        for k in range(answers):
            if weights[k] > 0:
                judged = int(patterns[idea, k])  # int: uncompiled, an int8 is too small
                if first < 0:
                    first = judged
                varied = varied or judged != first or judged == BORDERLINE
                code = (code * 5 + judged + 1) % 2147483647
        if not varied:
            continue
        slot, known = (code * 7919) % slots, False
        while taken[slot] >= 0 and not known:
            known = judges_alike(patterns, idea, taken[slot], weights)
            slot = (slot + 1) % slots
        if not known:
            taken[slot] = idea
            kept[count] = idea
            count += 1
    return patterns[kept[:count]], names[kept[:count]]


@jit
def judges_alike(patterns, one, other, weights):
    """Whether two ideas say the same of all answers that are possible."""
    alike = True
    for k in range(len(weights)):
        alike = alike and (weights[k] == 0 or patterns[one, k] == patterns[other, k])
    return alike


@jit
def bits(pattern, weights, surely, unsure, flips, doubt, chances):
    """How much the count tells about the answer if an idea joins a row; see ``reckoning.information``."""
    chances[:] = 0.0
    within = 0.0
    for k in range(len(weights)):
        weight = weights[k]
        if weight > 0.0:
            least = surely[k] + (pattern[k] == YES)
            coins = unsure[k] + (pattern[k] == BORDERLINE)
            if coins == 0:
                chances[least] += weight
            else:
                within += weight * doubt[coins]
                for heads in range(coins + 1):
                    chances[least + heads] += weight * flips[coins, heads]
    told = -within
    for chance in chances:
        if chance > 0.0:
            told -= chance * np.log2(chance)
    return told


@jit
def add_card(pattern, surely, unsure):
    """Put a card in a row: for every answer, a sure card or a coin flip more."""
    for k in range(len(pattern)):
        surely[k] += pattern[k] == YES
        unsure[k] += pattern[k] == BORDERLINE


@jit
def left_by(count, weights, surely, unsure, flips, left):
    """How likely a count is; ``left`` becomes what it leaves of every answer's chance."""
    total = 0.0
    for k in range(len(weights)):
        heads = count - surely[k]
        left[k] = 0.0
        if weights[k] > 0.0 and 0 <= heads <= unsure[k]:
            left[k] = weights[k] * flips[unsure[k], heads]
        total += left[k]
    return total


@jit
def estimate(weights, trophies, size):
    """How many rounds a position still takes, by its entropy: the last one, and those that lead there."""
    several = np.log2(float(min(trophies, size)))
    missing = max(0.0, entropy(weights, len(weights)) - several)
    return 1.0 + missing / (YIELD * np.log2(size + 1.0))


@jit
def joker_cards(left, total, cards, worth, told, chosen):
    """Where the fox would put its joker for each answer, as ``literal`` does it (L11).

    Args:
        left: How likely each answer is, together ``total``.
        total: Their sum.
        cards: What the cards it may lie on say of the answers, int8, shape ``(cards, answers)``.
        worth: How many bits it must tell.
        told: Room for the belief in each card, shape ``(cards,)``.
        chosen: The card for each answer is written there; -1: none.
    """
    for card in range(len(cards)):
        told[card] = 0.0
        for k in range(len(left)):
            told[card] += left[k] * fits(cards[card, k])
    for k in range(len(left)):
        chosen[k] = -1
        most = total / 2.0**worth
        for card in range(len(cards)):
            sure = fits(cards[card, k])
            if sure > 0.0 and told[card] < sure * most - 1e-12:
                most, chosen[k] = told[card] / sure, card


@jit
def fits(judged):
    """How likely the fox thinks yes of a card."""
    return 1.0 if judged == YES else 0.5 if judged == BORDERLINE else 0.0


@jit
def position_of(left, patterns, likeness, cards):
    """The answers that are left, and what is said of them.

    Args:
        left: How likely each answer of the position before is, and that this happens.
        patterns: See :func:`after_row`.
        likeness: Likewise.
        cards: Likewise.

    Returns:
        ``patterns``, ``likeness``, ``cards`` and ``weights`` (together 1) of the new position, the likeliest
        answer first.
    """
    kept = np.flatnonzero(left > NEGLIGIBLE * left.sum())
    kept = kept[np.argsort(-left[kept], kind="mergesort")]
    weights = left[kept] / left[kept].sum()
    alike = np.empty((len(kept), len(kept)), np.int8)
    for k in range(len(kept)):
        for other in range(len(kept)):
            alike[other, k] = likeness[kept[other], kept[k]]
    return of_answers(patterns, kept), alike, of_answers(cards, kept), weights


@jit
def of_answers(judged, kept):
    """The columns of these answers."""
    some = np.empty((len(judged), len(kept)), np.int8)
    for row in range(len(judged)):
        for k in range(len(kept)):
            some[row, k] = judged[row, kept[k]]
    return some


@jit
def add_telling(patterns, rest, surely, unsure, ideas, row, tables, chances):
    """Put so many ideas at the end of a row, each the one that tells most beside those before it."""
    for place in range(len(row) - ideas, len(row)):
        most, chosen = 1e-9, -1
        for idea in range(len(patterns)):
            told = bits(patterns[idea], rest, surely, unsure, tables.flips, tables.doubt, chances)
            if told > most + 1e-9:
                most, chosen = told, idea
        row[place] = 0
        if chosen >= 0:
            row[place] = patterns[chosen]
            add_card(row[place], surely, unsure)


@jit
def easy(weights, trophies, rounds, ahead, size):
    """How many rounds a position takes that is not searched; below 0 if it is to be searched."""
    count = len(weights)  # the likeliest first
    if rounds == 1:
        return 1.0 + LOSS * max(0.0, 1.0 - weights[:trophies].sum())
    if count <= min(trophies, size):
        return 1.0
    if ahead <= 0 and (count > FEW or ahead <= -ROWS_MORE):
        return estimate(weights, trophies, size)
    return -1.0


@kernel
def after_row(patterns, likeness, cards, joker, row, rest, trophies, number, last, ahead, tables, enough):
    """How many rounds it takes with a certain row, this one included, lost games reckoned in.

    In the rows to come the likeliest answers stand on as many trophies as is best, and ideas are chosen one
    by one for what they tell.

    Args:
        patterns: What the ideas say of the possible answers, int8, shape ``(ideas, answers)``.
        likeness: What the answers as clues say of each other, int8, shape ``(answers, answers)``.
        cards: What those cards of earlier rows say on which the joker may lie, int8, shape
            ``(cards, answers)``.
        joker: Whether the fox has it still.
        row: What the row's cards say, int8, shape ``(size, answers)``.
        rest: How likely each answer is that is on none of the row's trophies; 0 for the others.
        trophies: How many are left after the row, 1 or more.
        number: The round, from 0; not the last one.
        last: The last one.
        ahead: How many rows are looked at, this one included.
        tables: See :class:`~.reckoning.Tables`.
        enough: Stop when it is certain to become as much as this.
    """
    size, answers, total = len(row), len(rest), rest.sum()
    surely, unsure = np.zeros(answers, np.int64), np.zeros(answers, np.int64)
    for card in range(size):
        add_card(row[card], surely, unsure)
    left, after, chances = np.empty(answers), np.empty(answers), np.empty(COUNTS)
    lies, told = np.full(answers, -1), np.empty(len(cards) + size)
    all_cards = np.concatenate((cards, row))
    expected = 1.0 + total  # who is not won in this round takes another one at least
    for tokens in range(size + 1):
        counted = left_by(tokens, rest, surely, unsure, tables.flips, left)
        if counted <= NEGLIGIBLE * total:
            continue
        open_cards = (all_cards if tokens > 0 else cards) if joker else all_cards[:0]
        worth = WORTH_THE_JOKER[min(number, len(WORTH_THE_JOKER) - 1)]
        joker_cards(left, counted, open_cards, worth, told, lies)
        for lying in range(-1, len(open_cards)):
            chance = 0.0
            for k in range(answers):
                chance += left[k] * (lies[k] == lying)
                after[k] = left[k] * (1.0 if lying < 0 else fits(open_cards[max(lying, 0), k]))
            if chance <= NEGLIGIBLE * total:
                continue
            some, alike, known, weights = position_of(
                after, patterns, likeness, open_cards if lying < 0 else all_cards[:0]
            )
            best = easy(weights, trophies, last - number, ahead - 1, size)
            if best < 0.0:
                best, won, count = np.inf, 0.0, len(weights)
                some, _ = distinct(some, np.arange(len(some)), weights)
                sure, coins = np.zeros(count, np.int64), np.zeros(count, np.int64)
                next_row = np.zeros((size, count), np.int8)
                for guesses in range(min(trophies, size) + 1):
                    if guesses > 0:
                        if weights[guesses - 1] < LEAST_CHANCE_LATER:
                            break
                        won += weights[guesses - 1]
                        weights[guesses - 1] = 0.0
                        next_row[guesses - 1] = alike[guesses - 1]
                        add_card(alike[guesses - 1], sure, coins)
                    if guesses == trophies:
                        best = min(best, 1.0 + LOSS * max(0.0, 1.0 - won))
                    elif 2.0 - won < best:  # else not even if all the rest were won in the next round
                        surer, unsurer = sure.copy(), coins.copy()
                        add_telling(some, weights, surer, unsurer, size - guesses, next_row, tables, chances)
                        found = after_row(
                            some, alike, known, joker and lying < 0, next_row, weights, trophies - guesses,
                            number + 1, last, ahead - 1, tables, best,
                        )  # fmt: skip
                        best = min(best, found)
            expected += chance * (best - 1.0)
            if expected >= enough:
                return expected
    return expected
