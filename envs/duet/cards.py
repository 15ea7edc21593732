"""The deck of Duet: suits, ranks, footprints, characters (rulings D1-D3)."""

from typing import Final

from ..jit import jit
from ..sets import first_items

SUITS: Final = ("dove", "rose", "star")
NUM_SUITS: Final = 3
NUM_RANKS: Final = 10
NUM_CARDS: Final = 30
CARD_SLOTS: Final = 32  # a byte for every card, rounded up to whole words of eight
#: D2: how far a card moves the tracker, by rank 1…10, the same in every suit.
FOOTPRINTS: Final = (0, 3, 2, 1, 1, 2, 0, 2, 0, 3)

#: D3: the ranks that are characters.
MUSICIAN: Final = 1
FOXES: Final = 3
GAZELLE: Final = 5
GIFT: Final = 7
ROYAL_HEIR: Final = 9
CHARACTERS: Final = {
    "musician": MUSICIAN,
    "foxes": FOXES,
    "gazelle": GAZELLE,
    "gift": GIFT,
    "royal_heir": ROYAL_HEIR,
}
#: Ruling D1's card names, by id: "dove 1" … "star 10".
CARD_NAMES: Final = tuple(f"{suit} {rank}" for suit in SUITS for rank in range(1, NUM_RANKS + 1))


@jit
def suit_of(card):
    """0 dove, 1 rose, 2 star."""
    return card // NUM_RANKS


@jit
def rank_of(card):
    """1 … 10."""
    return card % NUM_RANKS + 1


@jit
def suit_set(suit):
    """All ten cards of a suit, as a set."""
    return first_items(NUM_RANKS) << (int(suit) * NUM_RANKS)
