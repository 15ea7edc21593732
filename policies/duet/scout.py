"""``scout``: a quick player that looks one trick ahead, to the chance to win from the board it leads to.

It knows its own cards and what is public, nothing else; so it also stands for both players in the games
that the ``planner`` imagines. It takes a trick's winner to choose what is best for the team, and the partner
to give the best reply among the cards that they may hold.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ...envs.duet.actions import ANNOUNCE_FIRST, DECLINE, MOVE_FIRST
from ...envs.duet.board import MAX_SPACES
from ...envs.duet.cards import NUM_CARDS, NUM_SUITS, ROYAL_HEIR, rank_of, suit_of, suit_set
from ...envs.duet.rules import (
    collect,
    follower_wins,
    is_character,
    landing,
    lay_tile,
    legal_actions,
    possible_moves,
    steps_of,
)
from ...envs.duet.ruleset import Ruleset
from ...envs.duet.state import ANNOUNCE, EXCHANGE, GIFT_PHASE, LOST_TIME, MOVE, NONE, UNDECIDED
from ...envs.jit import jit
from ...envs.sets import count, has, one
from .position import copy_position, end_round, play_in_round, round_is_over
from .worth import FIGURES, prices_for, weights_for, worth

SPOTS: Final = MAX_SPACES + 2  # where a trick may end: on a space, or with an overrun at either end
ACTIONS: Final = ANNOUNCE_FIRST + 1  # those that are told apart; of the symbols only the first
CERTAIN: Final = 1e-9  # chances below this are none


class Desk(NamedTuple):
    """What a scout works with.

    Args:
        rules: From :func:`~.position.rules_by_round`.
        weights: From :func:`~.worth.weights_for`.
        prices: From :func:`~.worth.prices_for`.
        trial: A position to try things on, shape ``(1,)``.
        figures: Room for the figures of a board.
        spots: What each end of the trick is worth, shape ``(SPOTS,)``.
        values: Room for what the partner's replies are worth.
        chances: Room for how likely they are there.
        worths: What each action is worth, shape ``(ACTIONS,)``.
        reach: How many steps a trick can take the tracker.
    """

    rules: Any
    weights: Any
    prices: Any
    trial: Any
    figures: Any
    spots: Any
    values: Any
    chances: Any
    worths: Any
    reach: int


@jit
def desk_for(rules, weights, prices, trial):
    """A desk with room of its own."""
    figures, spots = np.zeros(len(FIGURES)), np.zeros(SPOTS)
    values, chances, worths = np.zeros(NUM_CARDS), np.zeros(NUM_CARDS), np.zeros(ACTIONS)
    reach = (1 + rules[0].sum_steps) * rules[0].footprints.max()  # D9
    return Desk(rules, weights, prices, trial, figures, spots, values, chances, worths, reach)


def tables_for(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """What a scout goes by under a ruleset: its weights and its prices."""
    return weights_for(ruleset), prices_for(ruleset)


@jit
def look_around(position, desk):
    """What each end of this trick is worth."""
    trial, number = desk.trial[0], position.round_number
    now = desk.rules[number]
    for spot in range(SPOTS):
        overrun = spot - MAX_SPACES  # at this seat's end
        if overrun < 0:
            within = (
                position.path[0] <= spot <= position.path[1] and abs(spot - position.tracker) <= desk.reach
            )
        else:
            within = abs(position.path[overrun] - position.tracker) < desk.reach
        if not within:
            continue
        copy_position(trial, position)
        if overrun < 0:
            trial.tracker = spot
            collect(trial, now)
        else:
            trial.tracker = now.start
            lay_tile(trial, overrun, now)
        if trial.outcome == UNDECIDED:
            if trial.trick + 1 < now.hand_size:
                trial.trick += 1
            elif number + 1 < len(desk.rules):
                end_round(trial, desk.rules)
            else:
                trial.outcome = LOST_TIME
        desk.spots[spot] = worth(trial, desk.rules, desk.weights, desk.figures)


@jit
def worth_of_move(position, led, reply, trump, move, desk):
    """What a choice of the trick's winner is worth (D16, D17)."""
    now = desk.rules[position.round_number]
    follower_won = follower_wins(led, reply, trump)
    winner = 1 - position.leader if follower_won else position.leader
    end = winner if move < 4 else 1 - winner
    space = landing(position.tracker, steps_of(led, reply, follower_won, move % 4, now), end, position.path)
    return desk.spots[MAX_SPACES + end if space == NONE else space]


@jit
def worth_of_trick(position, led, reply, trump, desk):
    """What the best choice of the trick's winner is worth."""
    moves = possible_moves(led, reply, follower_wins(led, reply, trump), desk.rules[position.round_number])
    best = -np.inf
    while moves:
        move = count((moves & -moves) - 1)
        moves &= moves - 1
        best = max(best, worth_of_move(position, led, reply, trump, move, desk))
    return best


@jit
def worth_of_replies(position, led, trump, possible, known, chance, desk):
    """What the best of some replies is worth if each is there with a chance, and those known for certain.

    Returns the sum over the replies, each by its chance to be the best one there, and the chance that there
    is none.
    """
    values, chances, size = desk.values, desk.chances, 0
    while possible:
        card = count((possible & -possible) - 1)
        possible &= possible - 1
        value = worth_of_trick(position, led, card, trump, desk)
        place = size
        while place > 0 and values[place - 1] < value:
            values[place] = values[place - 1]
            chances[place] = chances[place - 1]
            place -= 1
        values[place] = value
        chances[place] = 1.0 if has(known, card) else chance
        size += 1
    total, rest = 0.0, 1.0
    for place in range(size):
        total += rest * chances[place] * values[place]
        rest *= 1.0 - chances[place]
    return total, rest


@jit
def partners_cards(position, seat, rules):
    """The cards that the partner may hold, those that they do, and how likely each of the others is there."""
    partner = 1 - seat
    known = int(position.known[partner])
    placed = int(position.hand[seat]) | known | int(position.played[0]) | int(position.played[1])
    pool = int(rules.deck_set) & ~placed & ~one(position.decree)
    for suit in range(NUM_SUITS):
        if has(position.void[partner], suit):
            pool &= ~suit_set(suit)
    hidden = count(position.hand[partner]) - count(known)
    if hidden == 0:
        pool = 0
    return pool | known, known, hidden / max(1, count(pool))


@jit
def worth_of_lead(position, seat, led, trump, desk):
    """What a led card is worth before the partner has replied."""
    now = desk.rules[position.round_number]
    possible, known, chance = partners_cards(position, seat, now)
    bound = suit_set(suit_of(led))
    if is_character(led, ROYAL_HEIR, now):
        bound = possible
    total, rest = worth_of_replies(position, led, trump, possible & bound, known, chance, desk)
    if rest > CERTAIN and possible & ~bound:
        others, none = worth_of_replies(position, led, trump, possible & ~bound, known, chance, desk)
        total += rest * others / max(1.0 - none, CERTAIN)
    return total


@jit
def price(card, trump, prices):
    """What it costs not to have a card any more."""
    return prices[rank_of(card) - 1] + (prices[len(prices) - 1] if suit_of(card) == trump else 0.0)


@jit
def worth_of_action(position, action, desk):
    """What a legal action is worth to a seat that knows its own cards and what is public."""
    phase, seat, trump = position.phase, position.to_move, suit_of(position.decree)
    led, reply = position.led, position.reply
    if phase == MOVE:
        return worth_of_move(position, led, reply, trump, action - MOVE_FIRST, desk)
    if phase == GIFT_PHASE:
        return -price(action, trump, desk.prices)
    cost = 0.0
    if phase == EXCHANGE:
        if action != DECLINE:
            cost = price(action, trump, desk.prices) - price(position.decree, trump, desk.prices)
            trump = suit_of(action)
    else:
        cost = price(action, trump, desk.prices)
        if led == NONE:
            led = action
        else:
            reply = action
    if reply == NONE:
        return worth_of_lead(position, seat, led, trump, desk) - cost
    return worth_of_trick(position, led, reply, trump, desk) - cost


@jit
def scout(position, desk):
    """The action that is worth most; ``desk.worths`` tells of all legal ones if there are several."""
    legal = legal_actions(position, desk.rules[position.round_number])
    chosen = count((legal & -legal) - 1)
    if legal & (legal - 1) == 0 or position.phase == ANNOUNCE:
        return chosen
    if position.phase != GIFT_PHASE:
        look_around(position, desk)
    best = -np.inf
    while legal:
        action = count((legal & -legal) - 1)
        legal &= legal - 1
        value = worth_of_action(position, action, desk)
        desk.worths[action] = value
        if value > best:
            best, chosen = value, action
    return chosen


@jit
def play_round_out(position, desk):
    """Let scouts sit in both seats to the end of the round."""
    while not round_is_over(position):
        play_in_round(position, scout(position, desk), desk.rules)
