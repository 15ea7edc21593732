"""The state of one game of Duet as one fixed-size record: field, shape, dtype, unit, sentinel.

A batch is an array of these records. A record holds everything, its random stream's name included, so
that a copied record goes on exactly as the original does. Cards are ids (D1), spaces are indices of
the path (D4), seats are 0 and 1; sets are integers with a bit for each member (``sets.py``).
"""

from typing import Any, Final

import numpy as np

from ..layout import with_words
from ..sets import has, items
from .board import MAX_SPACES
from .cards import CARD_SLOTS, NUM_CARDS
from .ruleset import MAX_ROUNDS, TRICK_SLOTS

NONE: Final = -1  # the sentinel wherever there is no card, seat, space or symbol

#: ``phase``: what the one who is to move decides.
PHASES: Final = ("announce", "play", "exchange", "gift", "move", "over")
ANNOUNCE, PLAY, EXCHANGE, GIFT_PHASE, MOVE, OVER = range(6)

#: ``outcome``, by number. 0: the game goes on.
OUTCOMES: Final = (None, "win", "lost_path", "lost_time")
UNDECIDED, WIN, LOST_PATH, LOST_TIME = range(4)

_FIELDS: Final = np.dtype(
    [
        # cards: each one in play is in a hand, played this round, the decree, or face down
        ("decks", np.int8, (MAX_ROUNDS, NUM_CARDS)),  # the shuffled deck of each round, NONE-padded
        ("hand", np.int32, 2),  # set of cards by seat
        ("known", np.int32, 2),  # set: those of the hand that the seat's partner knows (D18, D19)
        ("played", np.int32, 2),  # set of cards by the seat that played them this round
        ("played_trick", np.int8, CARD_SLOTS),  # the trick each was played to, from 1; 0: none
        ("void", np.int8, 2),  # set of suits this seat could not follow this round (D7)
        ("decree", np.int8),  # card, NONE before the deal
        ("led", np.int8),  # the leader's card in the current trick, or NONE
        ("reply", np.int8),  # the follower's, or NONE
        ("gift", np.int8, 2),  # the card each seat has chosen to give, NONE before (D19)
        ("signal", np.int8, 2),  # the symbol each seat announced for this round, NONE before (D22)
        # this round's tricks, the current one included
        ("tricks_led", np.int16, 2),  # set of tricks by the seat that led them
        ("tricks_won", np.int16, 2),  # set of tricks by the seat that won them
        ("tricks_swapped", np.int16, 2),  # set of tricks in which the seat's Foxes changed the decree
        ("tricks_trump", np.int16, 3),  # set of tricks by the suit that was trump when they were decided
        # the tracker's space after each trick, counted from each seat's end and from 1; 0 before
        ("trick_tracker", np.int8, (2, TRICK_SLOTS)),
        # the board
        ("gems", np.int8, MAX_SPACES),  # gems beside each space
        ("gems_left", np.int8),  # their sum
        ("path", np.int8, 2),  # the first and the last uncovered space
        ("tracker", np.int8),  # space
        ("forest_tiles", np.int8),  # tiles left
        ("collected", np.int8),  # gems returned to the supply so far
        # the course of the game
        ("round_number", np.int8),  # from 0
        ("trick", np.int8),  # from 0
        ("phase", np.int8),
        ("first_player", np.int8),  # who leads the game's first trick
        ("leader", np.int8),  # who leads the current trick
        ("to_move", np.int8),  # NONE when the game is over
        ("outcome", np.int8),
        ("moves", np.int16),  # actions played this episode
        ("reward", np.float32),  # what the last action brought to both (D23)
        # the random stream (X1)
        ("key", np.int64, 2),
        ("game", np.int64),  # index of the game
        ("episode", np.int64),
    ]
)

#: The record type; ``NAME_words`` are the bytes of a field, eight at a time.
STATE: Final = with_words(_FIELDS, ("played_trick", "trick_tracker"))


def to_dict(game: np.void) -> dict[str, Any]:
    """The full state of one game in plain Python, JSON-able.

    Args:
        game: A record of :data:`STATE`.

    Returns:
        ``round`` and ``trick`` (from 0), ``phase``, ``leader``, ``to_move`` (seat or None), ``hands``
        (two sorted lists of card ids), ``trick_cards`` (list of [seat, card]), ``played`` (sorted, the
        current trick's cards included), ``decree`` (card or None), ``tracker``, ``path`` ([first, last]
        uncovered space), ``gems`` (11), ``forest_tiles`` (left), ``collected``, ``outcome``; and, for
        the fuller picture, ``known`` (by seat, the cards of its hand that the partner knows), ``gift``
        and ``signals`` (by seat, None before), ``last_trick`` (like ``trick_cards``; [] in the first).
    """
    leader = int(game["leader"])
    trick = [[leader, int(game["led"])], [1 - leader, int(game["reply"])]]
    return {
        "round": int(game["round_number"]),
        "trick": int(game["trick"]),
        "phase": PHASES[game["phase"]],
        "leader": leader,
        "to_move": none_or(game["to_move"]),
        "hands": [items(hand) for hand in game["hand"]],
        "trick_cards": [[seat, card] for seat, card in trick if card != NONE],
        "played": items(game["played"][0] | game["played"][1]),
        "decree": none_or(game["decree"]),
        "tracker": int(game["tracker"]),
        "path": [int(space) for space in game["path"]],
        "gems": [int(count) for count in game["gems"]],
        "forest_tiles": int(game["forest_tiles"]),
        "collected": int(game["collected"]),
        "outcome": OUTCOMES[game["outcome"]],
        "known": [items(known) for known in game["known"]],
        "gift": [none_or(card) for card in game["gift"]],
        "signals": [none_or(symbol) for symbol in game["signal"]],
        "last_trick": _cards_of_trick(game, game["trick"] - 1),
    }


def _cards_of_trick(game: np.void, trick: int) -> list[list[int]]:
    """The cards of an earlier trick of this round, the leader's first, each with its seat."""
    if trick < 0:
        return []
    leader = 0 if has(game["tricks_led"][0], trick) else 1
    return [
        [seat, card]
        for seat in (leader, 1 - leader)
        for card in items(game["played"][seat])
        if game["played_trick"][card] == trick + 1
    ]


def none_or(value: np.integer) -> int | None:
    """A card, seat or symbol, or ``None`` for the sentinel."""
    return None if value == NONE else int(value)
