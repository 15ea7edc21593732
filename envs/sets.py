"""Small sets as integers: bit *k* says whether *k* is a member.

A hand of cards, the tricks a seat has won and the legal actions are all such sets. They make the rules
short, and they turn into flags eight at a time. (``int`` does nothing in compiled code; uncompiled it
keeps NumPy's small integers from overflowing.)
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
    return (int(members) >> int(item)) & 1 == 1


@jit
def one(item):
    """The set that holds just this item."""
    return 1 << int(item)


@jit
def first_items(count):
    """The set ``{0, …, count - 1}``."""
    return (1 << int(count)) - 1


@jit
def count(members):
    """How many items are in the set (fewer than 63 possible ones)."""
    bits = int(members)
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0x7F


@jit
def item_at(members, place):
    """The item at a place of the set, in ascending order from 0; the set must be large enough."""
    bits = int(members)
    for _ in range(place):
        bits &= bits - 1
    return count((bits & -bits) - 1)


@jit
def spread(members, words):
    """Write the set as flags, one byte each: ``words`` are the same bytes, eight at a time."""
    bits = int(members)
    for k in range(len(words)):
        words[k] = SPREAD[(bits >> (8 * k)) & 255]


@jit
def marked(flags):
    """The set of the flags that are 1: what :func:`spread` wrote, read back."""
    members = 0
    for k in range(len(flags)):
        members |= int(flags[k]) << k
    return members


def items(members: int) -> list[int]:
    """The items of a set in ascending order."""
    return [item for item in range(int(members).bit_length()) if has(members, item)]
