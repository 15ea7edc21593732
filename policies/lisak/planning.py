"""The row that seekers of Lišák had best write: several cards chosen together, and looked ahead from.

Rows are built card by card, the most telling ones of each length are kept (a beam), with no trophy, one,
two …; the best of the complete ones are looked at as :mod:`.foresight` does it.
"""

from typing import Final

import numpy as np

from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.inference import candidates
from ...envs.lisak.rules import is_answer, meaning
from ...envs.lisak.ruleset import MAX_ROUNDS, MAX_ROW
from ...envs.lisak.state import NO_CARD, NONE, TROPHY_CARD
from .foresight import LEAST_CHANCE, LOSS, add_card, after_row, bits, distinct
from .reckoning import COUNTS, weigh

#: Partial rows that are kept at each place, and complete ones of each number of trophies that are looked at.
WIDTH: Final = 64
LOOKED_AT: Final = 64


@parallel_kernel
def plan_all(states, left, ahead, rules, tables, rows):
    """The best rows that begin with what is written.

    Args:
        states: Records, shape ``(n,)``, of a round's beginning but for the row: its first cards are given.
        left: Trophies that are left for the rest of the row, shape ``(n,)``.
        ahead: Rows that are looked ahead, this one included.
        rules: Of the ruleset.
        tables: Likewise, see :class:`~.reckoning.Tables`.
        rows: Where the actions are written that complete the row, shape ``(n, MAX_ROW)``; those for the
            places of cards that are given stay as they are.
    """
    for i in prange(len(states)):
        plan(states[i], left[i], ahead, rules, tables, rows[i])


@jit
def plan(game, left, ahead, rules, tables, actions):
    """The same in one game."""
    options = rules.options[0]
    row = game.cards[game.round_number]
    given, size = 0, int(options.row_length)
    while given < size and row[given, 0] != NO_CARD:
        given += 1
    weights = np.empty(len(rules.pool))
    begin = weigh(game, rules, weights)
    count = candidates(game, rules)[1] - begin
    rest, won = weights[:count].copy(), 0.0
    for before in range(given):
        if row[before, 0] == TROPHY_CARD:
            for k in range(count):  # what matters from here on is that it is wrong
                if is_answer(row[before], rules.pool[begin + k], options):
                    won += rest[k]
                    rest[k] = 0.0
    if game.round_number == options.last_round:
        likeliest(rest, begin, given, rules, actions)
        return
    actions[given:size] = options.blank
    places = np.flatnonzero(rest)
    if len(places) > 0 and rest[places].sum() > 1e-9:  # else the answer is on one of the row's trophies
        complete(game, places, rest[places], won, begin, given, left, ahead, rules, tables, actions)


@jit
def likeliest(rest, begin, given, rules, actions):
    """L7: in the last round one trophy after the other."""
    options = rules.options[0]
    for place in range(given, MAX_ROW):
        best = int(np.argmax(rest))
        actions[place] = int(options.trophy) + rules.pool[begin + best]
        rest[best] = -1.0


@jit
def judged_by(clues, places, begin, tables):
    """What clues say of some of the candidates, int8, shape ``(clues, places)``; below 0: a blank card."""
    judged = np.zeros((len(clues), len(places)), np.int8)
    for row in range(len(clues)):
        if clues[row] >= 0:
            for k in range(len(places)):
                judged[row, k] = tables.clues[clues[row], begin + places[k]]
    return judged


@jit
def cards_with_tokens(game, options):
    """The clues of earlier rows' cards that the joker may lie on."""
    clues, count = np.empty(MAX_ROUNDS * MAX_ROW, np.int64), 0
    for number in range(game.round_number):
        for place in range(options.row_length if game.tokens[number] > 0 else 0):
            clues[count] = meaning(game.cards[number, place], options)
            count += clues[count] >= 0
    return clues[:count]


@jit
def complete(game, places, rest, won, begin, given, left, ahead, rules, tables, actions):
    """Try every number of trophies in the rest of a row, and the most telling ideas beside them.

    Args:
        game: The state, with the cards that are given.
        places: Which candidates are possible and on no trophy yet.
        rest: How likely each of them is.
        won: How likely the answer is on a trophy already.
        begin: Where the candidates begin in the pool.
        given: How many cards are given.
        left: Trophies that are left.
        ahead: Rows that are looked ahead.
        rules: Of the ruleset.
        tables: Likewise.
        actions: Where the best row is written.
    """
    options = rules.options[0]
    size = int(options.row_length)
    # whole numbers of one width: compiled code of a function that calls itself is kept in one version only
    number, last = np.int64(game.round_number), np.int64(options.last_round)
    patterns = judged_by(np.arange(int(options.ideas)), places, begin, tables)
    likeness = judged_by(options.ideas + rules.pool[begin + places], places, begin, tables)
    cards = judged_by(cards_with_tokens(game, options), places, begin, tables)
    row_clues = np.full(size, -1, np.int64)
    for before in range(given):
        row_clues[before] = meaning(game.cards[number, before], options)
    row = judged_by(row_clues, places, begin, tables)
    surely, unsure = np.zeros(len(places), np.int64), np.zeros(len(places), np.int64)
    for before in range(given):
        add_card(row[before], surely, unsure)
    patterns, names = distinct(patterns, np.arange(int(options.ideas)), rest)
    rows = np.empty((WIDTH, MAX_ROW), np.int64)
    order, rest = np.argsort(-rest, kind="mergesort"), rest.copy()
    best = np.inf
    for guesses in range(min(left, size - given, len(places)) + 1):
        first = given + guesses
        if guesses > 0:
            guess = order[guesses - 1]
            if rest[guess] < LEAST_CHANCE:
                break
            won += rest[guess]
            rest[guess] = 0.0
            row[first - 1] = likeness[guess]
            add_card(likeness[guess], surely, unsure)
        if guesses == left:  # the last one: who has not won now has lost
            if 1.0 + LOSS * max(0.0, 1.0 - won) < best - 1e-9:
                write(actions, given, order, guesses, rows[0], 0, places, begin, names, rules)
            break
        if 2.0 - won >= best:
            continue  # even if all the rest were won in the next round
        found = telling_rows(patterns, rest, surely, unsure, size - first, tables, rows)
        for k in range(min(found, LOOKED_AT)):
            for card in range(size - first):
                row[first + card] = 0
                if rows[k, card] >= 0:
                    row[first + card] = patterns[rows[k, card]]
            expected = after_row(
                patterns, likeness, cards, game.joker == NONE, row, rest, left - guesses, number, last, ahead,
                tables, best,
            )  # fmt: skip
            if expected < best - 1e-9:
                best = expected
                write(actions, given, order, guesses, rows[k], size - first, places, begin, names, rules)


@jit
def write(actions, given, order, guesses, row, ideas, places, begin, names, rules):
    """Complete a row: trophies on the likeliest answers, then ideas; what is left stays blank."""
    options = rules.options[0]
    actions[given : options.row_length] = options.blank
    for k in range(guesses):
        actions[given + k] = int(options.trophy) + rules.pool[begin + places[order[k]]]
    for k in range(ideas):
        if row[k] >= 0:
            actions[given + guesses + k] = names[row[k]]


@jit
def telling_rows(patterns, rest, surely, unsure, ideas, tables, rows):
    """The rows of so many ideas whose count tells most, the best one first; returns how many there are.

    Args:
        patterns: What the ideas say of the answers, int8, shape ``(kinds, answers)``.
        rest: How likely each answer is.
        surely: How many cards are surely right without them, for each.
        unsure: How many are borderline.
        ideas: How many.
        tables: See :class:`~.reckoning.Tables`.
        rows: Where they are written, shape ``(WIDTH, MAX_ROW)``; -1 where no idea tells anything.
    """
    rows[:] = -1
    kinds, found = len(patterns), 1
    chances = np.empty(COUNTS)
    told = np.empty((WIDTH, kinds))
    for card in range(ideas if kinds > 0 else 0):
        for k in range(found):
            sure, coins = surely.copy(), unsure.copy()
            for before in range(card):
                add_card(patterns[rows[k, before]], sure, coins)
            for kind in range(kinds):
                told[k, kind] = bits(patterns[kind], rest, sure, coins, tables.flips, tables.doubt, chances)
        found = longer(told, card, found, kinds, rows)
    return found


@jit
def longer(told, card, found, kinds, rows):
    """Keep the best rows that are one idea longer, each once whatever its order; returns how many."""
    before = rows[:found].copy()
    kept = 0
    while kept < len(rows):
        top = int(np.argmax(told[:found]))
        k, kind = top // kinds, top % kinds
        if told[k, kind] < -0.5:
            break
        told[k, kind] = -1.0
        longer_one = before[k].copy()
        place = card
        while place > 0 and longer_one[place - 1] > kind:  # in order, so that equal rows look the same
            longer_one[place] = longer_one[place - 1]
            place -= 1
        longer_one[place] = kind
        known = False
        for other in range(kept):
            known = known or np.array_equal(rows[other], longer_one)
        if not known:
            rows[kept] = longer_one
            kept += 1
    return kept
