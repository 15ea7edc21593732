"""What an observation of Duet tells at a glance.

In an observation the observer's end of the path is the first one; so in here the observer is seat 0 and the
partner seat 1.
"""

from ...envs.duet.cards import ROYAL_HEIR, suit_of, suit_set
from ...envs.duet.reading import index_of
from ...envs.duet.rules import is_character, landing, steps_of
from ...envs.jit import jit
from ...envs.sets import marked

ME, PARTNER = 0, 1


@jit
def partners_replies(view, led, rules):
    """The cards that the partner may reply with, as far as the observer can know."""
    possible = marked(view.unseen) | marked(view.known_to_me)
    if is_character(led, ROYAL_HEIR, rules):
        return possible
    following = possible & suit_set(suit_of(led))
    if view.void[1, suit_of(led)] == 1:
        following = marked(view.known_to_me) & suit_set(suit_of(led))
        return following if following else possible & ~suit_set(suit_of(led))
    return following if following else possible


@jit
def board_of(view):
    """The tracker's space, and the first and the last uncovered one."""
    return index_of(view.tracker), index_of(view.path), len(view.path) - 1 - index_of(view.path[::-1])


@jit
def landing_of(board, led, reply, winner, follower_won, move, rules):
    """The space that a winner's choice of direction and ignored cards leads to; NONE over the edge.

    ``board`` is what :func:`board_of` tells.
    """
    end = winner if move < 4 else 1 - winner
    return landing(board[0], steps_of(led, reply, follower_won, move % 4, rules), end, board[1:])
