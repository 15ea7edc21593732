"""What Duet's scripted players think of a trick: how good its end would be for the team."""

import numpy as np

from ...envs.duet.actions import ANNOUNCE_FIRST, DECLINE, MOVE_FIRST
from ...envs.duet.cards import NUM_CARDS, suit_of
from ...envs.duet.reading import index_of
from ...envs.duet.rules import follower_wins, possible_moves
from ...envs.duet.state import ANNOUNCE, EXCHANGE, GIFT_PHASE, MOVE, NONE
from ...envs.jit import jit
from ...envs.sets import has
from .reading import ME, PARTNER, board_of, landing_of, partners_replies

OVERRUN = -2.0  # a tile lost and nothing collected
GEM = 1.0
FAR = 0.05  # for every space between the tracker and the nearest gem


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
def value_of_move(view, board, led, reply, winner, follower_won, move, rules):
    """How good a winner's choice of direction and ignored cards is."""
    return value_of_space(view, landing_of(board, led, reply, winner, follower_won, move, rules))


@jit
def best_move(view, board, led, reply, leader, trump, rules):
    """The best choice of the trick's winner, and how good it is."""
    follower_won = follower_wins(led, reply, trump)
    winner = 1 - leader if follower_won else leader
    moves = possible_moves(led, reply, follower_won, rules)
    best, chosen = -np.inf, 0
    for move in range(8):
        if has(moves, move):
            value = value_of_move(view, board, led, reply, winner, follower_won, move, rules)
            if value > best:
                best, chosen = value, move
    return chosen, best


@jit
def value_of_lead(view, board, led, trump, hope, rules):
    """How good a led card is. ``hope`` weighs the partner's best reply against the average one; a
    negative one weighs the worst instead.
    """
    replies = partners_replies(view, led, rules)
    total, count, best, worst = 0.0, 0, -np.inf, np.inf
    for reply in range(NUM_CARDS):
        if has(replies, reply) and reply != led:
            value = best_move(view, board, led, reply, ME, trump, rules)[1]
            total += value
            count += 1
            best = max(best, value)
            worst = min(worst, value)
    if count == 0:
        return 0.0
    extreme = best if hope > 0 else worst
    return abs(hope) * extreme + (1 - abs(hope)) * total / count


@jit
def value_of_trick(view, board, card, trump, hope, rules):
    """How good it is to play a card now, as the leader or as the follower."""
    led = index_of(view.led)
    if view.i_lead[0] == 1:
        return value_of_lead(view, board, card, trump, hope, rules)
    return best_move(view, board, led, card, PARTNER, trump, rules)[1]


@jit
def decide(view, mask, hope, thrift, rules):
    """The action that promises most. ``thrift`` is what a rank of the card costs, to keep high ones."""
    phase = index_of(view.phase)
    trump, board = suit_of(index_of(view.decree)), board_of(view)
    if phase == ANNOUNCE:
        return ANNOUNCE_FIRST
    best, chosen = -np.inf, 0
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        if phase == MOVE:
            leader = ME if view.i_lead[0] == 1 else PARTNER
            led, reply = index_of(view.led), index_of(view.reply)
            value = value_of_move(view, board, led, reply, ME, leader == PARTNER, action - MOVE_FIRST, rules)
        elif phase == EXCHANGE:
            played = index_of(view.led) if view.i_lead[0] == 1 else index_of(view.reply)
            after = trump if action == DECLINE else suit_of(action)
            value = value_of_trick(view, board, played, after, hope, rules) + (
                0.01 if action == DECLINE else 0.0
            )
        elif phase == GIFT_PHASE:
            value = -value_of_lead(view, board, action, trump, hope, rules)  # give what is hardest to lead
        else:
            value = value_of_trick(view, board, action, trump, hope, rules) - thrift * (action % 10)
        if value > best:
            best, chosen = value, action
    return chosen
