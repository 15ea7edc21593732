"""What a seat observes (ruling D21): one table of segments, its encoder and its decoder.

Everything is relative to the observer: *mine* and *partner's*, and spaces counted from the observer's
own end, so that one network can sit in either seat. Cards are indexed by id (D1).
"""

from typing import Any, Final

import numpy as np

from ..jit import jit
from ..layout import Layout, Segment
from ..sets import count, first_items, one, spread
from .board import MAX_SPACES
from .cards import CARD_NAMES, CARD_SLOTS, NUM_SUITS, SUITS
from .ruleset import MAX_HAND, MAX_ROUNDS, MAX_SYMBOLS, TRICK_SLOTS
from .state import NONE, PHASES

# Sets take whole words of eight bytes; what lies beyond the last card, trick or space is always 0.
SPACE_SLOTS: Final = 16

LAYOUT: Final = Layout(
    segments=(
        Segment("led", (CARD_SLOTS,), 1, "The card led to the current trick, one-hot."),
        Segment("reply", (CARD_SLOTS,), 1, "The follower's card in the current trick, one-hot."),
        Segment(
            "chosen_gift", (CARD_SLOTS,), 1, "The card I have chosen to give while my partner still chooses."
        ),
        Segment("phase", (len(PHASES),), 1, f"What is decided now, one-hot: {', '.join(PHASES)}."),
        Segment("my_move", (1,), 1, "1: I am to move."),
        Segment("i_lead", (1,), 1, "1: I lead the current trick."),
        Segment("i_am_first", (1,), 1, "1: I am the first player of the game."),
        Segment("round_number", (MAX_ROUNDS,), 1, "The round, one-hot."),
        Segment("trick", (MAX_HAND,), 1, "The trick of the round, one-hot."),
        Segment("hand_sizes", (2,), MAX_HAND, "How many cards I hold, and my partner."),
        Segment("tracker", (MAX_SPACES,), 1, "The tracker's space, one-hot, from my end."),
        Segment("path", (SPACE_SLOTS,), 1, "1: this space is not covered by the forest; from my end."),
        Segment("start", (MAX_SPACES,), 1, "The start space, one-hot, from my end."),
        Segment("gems", (MAX_SPACES,), 127, "Gems beside each space, from my end.", usual=2),
        Segment("plus_marks", (SPACE_SLOTS,), 1, "Spaces with a plus mark, from my end."),
        Segment("forest_tiles", (1,), 127, "Forest tiles left.", usual=4),
        Segment("gems_left", (1,), 127, "Gems on the board.", usual=12),
        Segment("collected", (1,), 127, "Gems collected in this game.", usual=12),
        Segment(
            "signals", (2, MAX_SYMBOLS), 1, "The symbols announced for this round, mine and my partner's."
        ),
        Segment("decree", (CARD_SLOTS,), 1, "The decree, one-hot."),
        Segment("hand", (CARD_SLOTS,), 1, "The cards in my hand."),
    ),
    history=(
        Segment("known_to_me", (CARD_SLOTS,), 1, "Cards I know in my partner's hand (Foxes, Gift)."),
        Segment("unseen", (CARD_SLOTS,), 1, "Cards I cannot place: in my partner's hand or face down."),
        Segment("played_by_me", (CARD_SLOTS,), 1, "Cards I have played this round."),
        Segment("played_by_partner", (CARD_SLOTS,), 1, "Cards my partner has played this round."),
        Segment(
            "played_trick",
            (CARD_SLOTS,),
            MAX_HAND,
            "The trick each card was played to this round, from 1; 0: none.",
        ),
        Segment("known_of_me", (CARD_SLOTS,), 1, "Cards in my hand that my partner knows (Foxes, Gift)."),
        Segment("void", (2, NUM_SUITS), 1, "Suits I could not follow this round, and my partner."),
        Segment(
            "tricks_led", (TRICK_SLOTS,), 1, "Tricks of this round that I led, the current one included."
        ),
        Segment("tricks_won", (TRICK_SLOTS,), 1, "Tricks of this round that I won."),
        Segment("tricks_won_by_partner", (TRICK_SLOTS,), 1, "Tricks of this round that my partner won."),
        Segment("tricks_swapped", (TRICK_SLOTS,), 1, "Tricks in which my Foxes changed the decree."),
        Segment(
            "tricks_swapped_by_partner", (TRICK_SLOTS,), 1, "Tricks in which my partner's Foxes changed it."
        ),
        Segment("tricks_dove", (TRICK_SLOTS,), 1, "Tricks that were decided with dove as trump."),
        Segment("tricks_rose", (TRICK_SLOTS,), 1, "Tricks that were decided with rose as trump."),
        Segment("tricks_star", (TRICK_SLOTS,), 1, "Tricks that were decided with star as trump."),
        Segment(
            "trick_tracker",
            (TRICK_SLOTS,),
            MAX_SPACES,
            "The tracker's space after each trick from my end, from 1; 0 before.",
        ),
    ),
)
OBSERVATION: Final = LAYOUT.record()


@jit
def from_my_end(space, seat, rules):
    """A space's index from the observer's own end (and the other way round)."""
    return space if seat == 0 else rules.spaces - 1 - space


@jit
def observe(game, seat, rules, view):
    """Write all that a seat may know into ``view``, a record of :data:`OBSERVATION`."""
    view.whole[:] = 0
    observe_cards(game, seat, rules, view)
    observe_course(game, seat, view)
    observe_board(game, seat, rules, view)
    observe_tricks(game, seat, rules, view)


@jit
def mark(flags, index):
    """1 at the index; nowhere, if it is NONE. (Without a branch, which would be guessed wrong too often.)"""
    sign = int(index) >> 8  # 0, or -1 for NONE
    flags[index & ~sign] = 1 + sign


@jit
def observe_cards(game, seat, rules, view):
    """Where the cards are, as far as the seat knows."""
    partner = 1 - seat
    elsewhere = int(game.hand[seat]) | game.known[partner] | game.played[0] | game.played[1]
    if game.decree != NONE:
        elsewhere |= one(game.decree)
    spread(game.hand[seat], view.hand_words)
    spread(game.known[seat], view.known_of_me_words)
    spread(game.known[partner], view.known_to_me_words)
    spread(int(rules.deck_set) & ~elsewhere, view.unseen_words)
    spread(game.played[seat], view.played_by_me_words)
    spread(game.played[partner], view.played_by_partner_words)
    for k in range(len(view.played_trick_words)):
        view.played_trick_words[k] = game.played_trick_words[k]
    mark(view.decree, game.decree)
    mark(view.led, game.led)
    mark(view.reply, game.reply)
    mark(view.chosen_gift, game.gift[seat])
    view.hand_sizes[0] = count(game.hand[seat])
    view.hand_sizes[1] = count(game.hand[partner])


@jit
def observe_course(game, seat, view):
    """How far the game is, and who does what."""
    view.phase[game.phase] = 1
    view.my_move[0] = game.to_move == seat
    view.i_lead[0] = game.leader == seat
    view.i_am_first[0] = game.first_player == seat
    view.round_number[game.round_number] = 1
    view.trick[game.trick] = 1
    mark(view.signals[0], game.signal[seat])
    mark(view.signals[1], game.signal[1 - seat])


@jit
def observe_board(game, seat, rules, view):
    """Path, gems, tiles and tracker, from the seat's own end."""
    last = rules.spaces - 1
    for index in range(MAX_SPACES):
        space = from_my_end(index, seat, rules)  # below 0 beyond the end of a shorter board
        view.gems[index] = game.gems[max(space, 0)] * (space >= 0)
    first_open = game.path[0] if seat == 0 else last - game.path[1]
    last_open = game.path[1] if seat == 0 else last - game.path[0]
    spread(first_items(last_open + 1) & ~first_items(first_open), view.path_words)
    spread(rules.plus_marks[seat], view.plus_marks_words)
    view.tracker[from_my_end(game.tracker, seat, rules)] = 1
    view.start[from_my_end(rules.start, seat, rules)] = 1
    view.forest_tiles[0] = game.forest_tiles
    view.gems_left[0] = game.gems_left
    view.collected[0] = game.collected


@jit
def observe_tricks(game, seat, rules, view):
    """What the tricks of this round have shown."""
    partner = 1 - seat
    for suit in range(NUM_SUITS):
        view.void[0, suit] = (game.void[seat] >> suit) & 1
        view.void[1, suit] = (game.void[partner] >> suit) & 1
    spread(game.tricks_led[seat], view.tricks_led_words)
    spread(game.tricks_won[seat], view.tricks_won_words)
    spread(game.tricks_won[partner], view.tricks_won_by_partner_words)
    spread(game.tricks_swapped[seat], view.tricks_swapped_words)
    spread(game.tricks_swapped[partner], view.tricks_swapped_by_partner_words)
    spread(game.tricks_trump[0], view.tricks_dove_words)
    spread(game.tricks_trump[1], view.tricks_rose_words)
    spread(game.tricks_trump[2], view.tricks_star_words)
    for k in range(len(view.trick_tracker_words)):
        view.trick_tracker_words[k] = game.trick_tracker_words[seat, k]


def as_records(observations: np.ndarray) -> np.ndarray:
    """Flat observations, int8, shape ``(n, size)``, as records of :data:`OBSERVATION`, shape ``(n,)``.

    Without history, what is missing is 0.
    """
    records = np.zeros(len(observations), OBSERVATION)
    records["whole"][:, : observations.shape[1]] = observations
    return records


# --- back to names ----------------------------------------------------------------------------------


def describe(observation: np.ndarray) -> dict[str, Any]:
    """One observation in names and plain values, from the observer's point of view.

    Args:
        observation: The flat vector, with or without history, int8.

    Returns:
        Segment name to value: cards as ``"rose 7"``, one-hots as what they point at (``None`` where
        they point at nothing), flags as truth values, counts and spaces as numbers.

    Raises:
        ValueError: The vector has a length that no observation of Duet has.
    """
    return {name: _DECODERS[name](value) for name, value in LAYOUT.split(observation).items()}


def _index(value: np.ndarray) -> int | None:
    return int(value.argmax()) if value.any() else None


def _named(names: tuple[str, ...]) -> Any:
    return lambda value: [names[k] for k in np.flatnonzero(value)]


def _one_named(names: tuple[str, ...]) -> Any:
    return lambda value: names[int(value.argmax())] if value.any() else None


def _mine_and_partners(decode: Any) -> Any:
    return lambda value: {"mine": decode(value[0]), "partner": decode(value[1])}


_cards, _card, _suits = _named(CARD_NAMES), _one_named(CARD_NAMES), _named(SUITS)


def _flag(value: np.ndarray) -> bool:
    return bool(value[0])


def _number(value: np.ndarray) -> int:
    return int(value[0])


def _numbers(value: np.ndarray) -> list[int]:
    return [int(item) for item in value]


def _items(value: np.ndarray) -> list[int]:
    return [int(item) for item in np.flatnonzero(value)]


_DECODERS: Final = {
    "hand": _cards,
    "decree": _card,
    "led": _card,
    "reply": _card,
    "chosen_gift": _card,
    "phase": _one_named(PHASES),
    "my_move": _flag,
    "i_lead": _flag,
    "i_am_first": _flag,
    "round_number": _index,
    "trick": _index,
    "hand_sizes": _mine_and_partners(int),
    "tracker": _index,
    "path": _items,
    "start": _index,
    "gems": _numbers,
    "plus_marks": _items,
    "forest_tiles": _number,
    "gems_left": _number,
    "collected": _number,
    "signals": _mine_and_partners(_index),
    "known_to_me": _cards,
    "known_of_me": _cards,
    "unseen": _cards,
    "void": _mine_and_partners(_suits),
    "played_by_me": _cards,
    "played_by_partner": _cards,
    "played_trick": lambda value: {CARD_NAMES[card]: int(value[card]) - 1 for card in np.flatnonzero(value)},
    "tricks_led": _items,
    "tricks_won": _items,
    "tricks_won_by_partner": _items,
    "tricks_swapped": _items,
    "tricks_swapped_by_partner": _items,
    "tricks_dove": _items,
    "tricks_rose": _items,
    "tricks_star": _items,
    "trick_tracker": lambda value: [int(space) - 1 if space else None for space in value[:MAX_HAND]],
}
