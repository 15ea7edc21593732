"""What each of a player's actions would bring in the current trick, as far as an observation tells.

A network that sees, beside the observation, where the tracker would come to and which gems it would find
there need not learn the arithmetic of cards and spaces, and can begin with what to do about it. Nothing in
here knows more than the observer does.
"""

from typing import Final, NamedTuple

import numpy as np

from ...envs.duet.actions import DECLINE, MOVE_FIRST, action_names
from ...envs.duet.cards import NUM_CARDS, NUM_SUITS, ROYAL_HEIR, suit_of, suit_set
from ...envs.duet.observation import as_records
from ...envs.duet.reading import index_of
from ...envs.duet.rules import follower_wins, is_character, possible_moves
from ...envs.duet.ruleset import Ruleset, compile_ruleset
from ...envs.duet.state import EXCHANGE, MOVE, NONE, PLAY
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.sets import count, has, marked, one
from .judgement import best_move
from .reading import ME, PARTNER, board_of, landing_of

REACH: Final = 5  # how many spaces around the tracker are looked at
NEAR: Final = tuple(range(-REACH, REACH + 1))
WHOLE: Final = 100  # chances are whole percents
CHOICE, WIN, COLLECT, OVERRUN, DECIDES, GEMS = range(6)
FEATURES: Final[tuple[str, ...]] = (
    "choice",  # 100: the action is legal; all others are 0 where it is not
    "win",  # that I win the trick
    "collect",  # that it collects a gem
    "overrun",  # that the tracker runs over the edge
    "decides",  # that the trick's winner has something to decide (D16, D17)
    *(f"gems_at_{space:+d}" for space in NEAR),  # that gems then lie so far from the tracker, - is to my end
)


class Prospects:
    """Reads observations of Duet.

    The partner's reply is taken to be any card they may hold and play, each as likely as the other; the
    trick's winner is taken to choose a gem where there is one.

    Args:
        ruleset: The rules they come from.
    """

    names: tuple[str, ...] = FEATURES
    promising: tuple[str, ...] = ("collect",)

    def __init__(self, ruleset: Ruleset) -> None:
        self._rules = records_for(compile_ruleset(ruleset), False)
        self.actions = len(action_names(ruleset))

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What the legal actions would bring.

        Args:
            observations: int8, shape ``(n, size)``, with or without history.
            masks: What may be done, int8 flags, shape ``(n, actions)``.

        Returns:
            Chances in percent, int8, shape ``(n, actions, features)``; of a move of the tracker and of a
            reply, 100 or 0.
        """
        table = np.zeros((len(observations), self.actions, len(FEATURES)), np.int8)
        _look_ahead_all(records_for(as_records(observations), False), masks, self._rules, table)
        return table


class Trick(NamedTuple):
    """What the observer sees of the current trick.

    Args:
        phase: What is decided now.
        i_lead: Whether the observer led it, or is to.
        led: Its first card.
        reply: Its second one.
        trump: The suit of the decree.
        board: What :func:`board_of` tells.
    """

    phase: int
    i_lead: bool
    led: int
    reply: int
    trump: int
    board: tuple[int, int, int]


@parallel_kernel
def _look_ahead_all(views, masks, rules, table):
    for i in prange(len(views)):
        odds, replies = np.zeros(len(FEATURES)), np.zeros(NUM_CARDS)
        trick = trick_of(views[i])
        if trick.phase == EXCHANGE and trick.i_lead:
            weigh_replies(views[i], trick.led, rules[0], replies)
        for action in range(masks.shape[1]):
            if masks[i, action] == 1:
                odds[:] = 0.0
                look_ahead(views[i], trick, action, rules[0], replies, odds)
                for k in range(len(odds)):
                    table[i, action, k] = int(WHOLE * odds[k] + 0.5)


@jit
def trick_of(view):
    """The current trick of an observation."""
    return Trick(
        index_of(view.phase),
        view.i_lead[0] == 1,
        index_of(view.led),
        index_of(view.reply),
        suit_of(index_of(view.decree)),
        board_of(view),
    )


@jit
def look_ahead(view, trick, action, rules, replies, odds):
    """Write what an action would bring, as chances.

    ``replies`` are those of the partner's cards; if a card is to be led, room for them.
    """
    odds[CHOICE] = 1.0
    if trick.phase == MOVE:
        odds[WIN] = 1.0
        space = landing_of(
            trick.board, trick.led, trick.reply, ME, not trick.i_lead, action - MOVE_FIRST, rules
        )
        land(view, space, 1.0, odds)
    elif trick.phase == PLAY and trick.i_lead:
        weigh_replies(view, action, rules, replies)
        await_reply(view, trick, action, trick.trump, rules, replies, odds)
    elif trick.phase == PLAY:
        end_trick(view, trick.board, trick.led, action, PARTNER, trick.trump, 1.0, rules, odds)
    elif trick.phase == EXCHANGE:
        trump = trick.trump if action == DECLINE else suit_of(action)
        if trick.i_lead:
            await_reply(view, trick, trick.led, trump, rules, replies, odds)
        else:
            end_trick(view, trick.board, trick.led, trick.reply, PARTNER, trump, 1.0, rules, odds)


@jit
def await_reply(view, trick, led, trump, rules, replies, odds):
    """Add what a card that the observer leads would bring with each reply."""
    for card in range(NUM_CARDS):
        if replies[card] > 0.0:
            end_trick(view, trick.board, led, card, ME, trump, replies[card], rules, odds)


@jit
def weigh_replies(view, led, rules, chances):
    """Write how likely the partner replies with each card, if they reply with any that they may play.

    Of their cards that the observer does not know, each unseen card is as likely as the other; but none is of
    a suit that they could not follow: they would have it from a Foxes or a Gift, and it would be known.
    """
    known, unseen, suit = marked(view.known_to_me), marked(view.unseen), suit_set(suit_of(led))
    for other in range(NUM_SUITS):
        if view.void[1, other] == 1:
            unseen &= ~suit_set(other)
    hidden, pool = max(0, view.hand_sizes[1] - count(known)), count(unseen)
    share = hidden / max(1, pool)
    # the chance that all cards of the led suit lie face down, so that the partner may play another one
    free = 1.0
    if not is_character(led, ROYAL_HEIR, rules):
        if known & suit or not (known | unseen) & ~suit:
            free = 0.0
        for k in range(count(unseen & suit)):
            free *= max(0, pool - hidden - k) / (pool - k)
    following = count(known & suit) + share * count(unseen & suit)
    others = count(known & ~suit) + share * count(unseen & ~suit)
    if is_character(led, ROYAL_HEIR, rules):
        following = others = following + others
    for card in range(NUM_CARDS):
        weight = 1.0 if has(known, card) else share if has(unseen, card) else 0.0
        if weight > 0.0 and has(suit, card):
            bound = 1.0 if is_character(led, ROYAL_HEIR, rules) else 1.0 - free
            chances[card] = bound * weight / following
        else:
            chances[card] = free * weight / others if weight > 0.0 else 0.0


@jit
def end_trick(view, board, led, reply, leader, trump, chance, rules, odds):
    """Add what these two cards would bring."""
    follower_won = follower_wins(led, reply, trump)
    winner = 1 - leader if follower_won else leader
    if winner == ME:
        odds[WIN] += chance
    move = 0
    if possible_moves(led, reply, follower_won, rules) != one(move):
        odds[DECIDES] += chance
        move, _ = best_move(view, board, led, reply, leader, trump, rules)
    land(view, landing_of(board, led, reply, winner, follower_won, move, rules), chance, odds)


@jit
def land(view, space, chance, odds):
    """Add what the tracker would find on a space, or over the edge."""
    if space == NONE:
        odds[OVERRUN] += chance
        return
    if view.gems[space] > 0:
        odds[COLLECT] += chance
    for k in range(len(NEAR)):
        other = space + k - REACH
        if 0 <= other < len(view.gems) and view.gems[other] > (other == space):
            odds[GEMS + k] += chance
