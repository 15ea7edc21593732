"""What Duet's scripted players think of a trick: how good its end would be for the team.

They read their own observation only, in which the observer's end of the path is the first one; so in
here the observer is seat 0 and the partner seat 1.
"""

import numpy as np

from ...envs.duet.actions import ANNOUNCE_FIRST, DECLINE, MOVE_FIRST
from ...envs.duet.cards import NUM_CARDS, ROYAL_HEIR, suit_of, suit_set
from ...envs.duet.rules import follower_wins, is_character, landing, possible_moves, steps_of
from ...envs.duet.state import ANNOUNCE, EXCHANGE, GIFT_PHASE, MOVE, NONE
from ...envs.jit import jit
from ...envs.sets import has

ME, PARTNER = 0, 1
OVERRUN = -2.0  # a tile lost and nothing collected
GEM = 1.0
FAR = 0.05  # for every space between the tracker and the nearest gem


@jit
def index_of(flags):
    """Where a one-hot points; NONE if nowhere."""
    for k in range(len(flags)):
        if flags[k] == 1:
            return k
    return NONE


@jit
def set_of(flags):
    """The first 30 flags as a set of cards."""
    members = 0
    for card in range(NUM_CARDS):
        members |= int(flags[card]) << card
    return members


@jit
def value_of_space(view, space):
    """How good it is to stop at a space."""
    if space == NONE:
        return OVERRUN
    if view.gems[space] > 0:
        return GEM
    nearest = len(view.gems)
    for other in range(len(view.gems)):
        if view.gems[other] > 0:
            nearest = min(nearest, abs(other - space))
    return -FAR * nearest


@jit
def value_of_move(view, led, reply, winner, follower_won, move, rules):
    """How good a winner's choice of direction and ignored cards is."""
    end = winner if move < 4 else 1 - winner
    steps = steps_of(led, reply, follower_won, move % 4, rules)
    path = (index_of(view.path), len(view.path) - 1 - index_of(view.path[::-1]))
    return value_of_space(view, landing(index_of(view.tracker), steps, end, path))


@jit
def best_move(view, led, reply, leader, trump, rules):
    """The best choice of the trick's winner, and how good it is."""
    follower_won = follower_wins(led, reply, trump)
    winner = 1 - leader if follower_won else leader
    moves = possible_moves(led, reply, follower_won, rules)
    best, chosen = -np.inf, 0
    for move in range(8):
        if has(moves, move):
            value = value_of_move(view, led, reply, winner, follower_won, move, rules)
            if value > best:
                best, chosen = value, move
    return chosen, best


@jit
def partners_replies(view, led, rules):
    """The cards that the partner may reply with, as far as the observer can know."""
    possible = set_of(view.unseen) | set_of(view.known_to_me)
    if is_character(led, ROYAL_HEIR, rules):
        return possible
    following = possible & suit_set(suit_of(led))
    if view.void[1, suit_of(led)] == 1:
        following = set_of(view.known_to_me) & suit_set(suit_of(led))
        return following if following else possible & ~suit_set(suit_of(led))
    return following if following else possible


@jit
def value_of_lead(view, led, trump, hope, rules):
    """How good a led card is. ``hope`` weighs the partner's best reply against the average one; a
    negative one weighs the worst instead.
    """
    replies = partners_replies(view, led, rules)
    total, count, best, worst = 0.0, 0, -np.inf, np.inf
    for reply in range(NUM_CARDS):
        if has(replies, reply) and reply != led:
            value = best_move(view, led, reply, ME, trump, rules)[1]
            total += value
            count += 1
            best = max(best, value)
            worst = min(worst, value)
    if count == 0:
        return 0.0
    extreme = best if hope > 0 else worst
    return abs(hope) * extreme + (1 - abs(hope)) * total / count


@jit
def value_of_trick(view, card, trump, hope, rules):
    """How good it is to play a card now, as the leader or as the follower."""
    led = index_of(view.led)
    if view.i_lead[0] == 1:
        return value_of_lead(view, card, trump, hope, rules)
    return best_move(view, led, card, PARTNER, trump, rules)[1]


@jit
def decide(view, mask, hope, thrift, rules):
    """The action that promises most. ``thrift`` is what a rank of the card costs, to keep high ones."""
    phase = index_of(view.phase)
    trump = suit_of(index_of(view.decree))
    if phase == ANNOUNCE:
        return ANNOUNCE_FIRST
    best, chosen = -np.inf, 0
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        if phase == MOVE:
            leader = ME if view.i_lead[0] == 1 else PARTNER
            led, reply = index_of(view.led), index_of(view.reply)
            value = value_of_move(view, led, reply, ME, leader == PARTNER, action - MOVE_FIRST, rules)
        elif phase == EXCHANGE:
            played = index_of(view.led) if view.i_lead[0] == 1 else index_of(view.reply)
            after = trump if action == DECLINE else suit_of(action)
            value = value_of_trick(view, played, after, hope, rules) + (0.01 if action == DECLINE else 0.0)
        elif phase == GIFT_PHASE:
            value = -value_of_lead(view, action, trump, hope, rules)  # give what is hardest to lead
        else:
            value = value_of_trick(view, action, trump, hope, rules) - thrift * (action % 10)
        if value > best:
            best, chosen = value, action
    return chosen
