"""Small sets as integers: bit *k* says whether *k* is a member.

A hand of cards, the tricks a seat has won and the legal actions are all such sets. They make the rules
short, and they turn into flags eight at a time.
"""

from typing import Final

import numpy as np

from .jit import jit


def _spread_table() -> np.ndarray:
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    return bits.astype(np.int8).view(np.int64).reshape(256)


#: The eight flags of a byte's bits, as the eight bytes of one word.
SPREAD: Final = _spread_table()


@jit
def has(members, item):
    """Whether the item is in the set."""
    return (members >> item) & 1 == 1


@jit
def one(item):
    """The set that holds just this item."""
    return 1 << item


@jit
def first_items(count):
    """The set ``{0, …, count - 1}``."""
    return (1 << count) - 1


@jit
def spread(members, words):
    """Write the set as flags, one byte each: ``words`` are the same bytes, eight at a time."""
    for k in range(len(words)):
        words[k] = SPREAD[(members >> (8 * k)) & 255]


def members(bits: int) -> list[int]:
    """The items of a set in ascending order."""
    return [item for item in range(int(bits).bit_length()) if int(bits) >> item & 1]
