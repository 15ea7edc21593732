"""Random streams that belong to a game, not to a batch: the counter-based generator Philox-4x32-10.

Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

A number is a pure function of *(seed, game index, episode, purpose, position)*. So game *i* plays the
same alone, in a batch of any size, on any number of threads and on any platform (ruling X1).

All arithmetic is on non-negative integers below 2**32 and their products. Python keeps a product whole
and Numba wraps it at 64 bits; the words taken from it are the same, so both ways of running agree.
"""

import numpy as np

from .jit import jit

MASK = 0xFFFFFFFF
STRETCH = 64  # flags of a mask that are counted at a time
DEAL, POLICY, NAMES, PARTNERS, SEARCH = 0, 1, 2, 3, 4  # purposes: streams that never meet


def key_of(seed: int | None) -> tuple[int, int]:
    """The two 32-bit key words of a seed (any non-negative integer; ``None`` asks the system).

    Raises:
        ValueError: The seed is negative or no integer.
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ValueError(f"seed must be a non-negative integer or None, not {seed!r}")
    first, second = np.random.SeedSequence(seed).generate_state(2, np.uint32)
    return int(first), int(second)


@jit
def philox(c0, c1, c2, c3, k0, k1):
    """Ten Philox rounds: four 32-bit counter words and two key words to four random words."""
    for _ in range(10):
        a = 0xD2511F53 * c0
        b = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = ((b >> 32) & MASK) ^ c1 ^ k0, b & MASK, ((a >> 32) & MASK) ^ c3 ^ k1, a & MASK
        k0 = (k0 + 0x9E3779B9) & MASK
        k1 = (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


@jit
def random_words(key, game, episode, purpose, position):
    """The four random words at a position of one stream."""
    return philox(
        int(position) & MASK,
        int(episode) & MASK,
        int(game) & MASK,
        int(purpose),
        int(key[0]),
        int(key[1]),
    )


@jit
def below(word, bound):
    """A number in ``0 … bound - 1`` from a random word (the bias is below ``bound / 2**32``)."""
    return (word * int(bound)) >> 32


@jit
def shuffle(cards, count, key, game, episode, purpose, position):
    """Shuffle the first ``count`` entries in place (Fisher-Yates), from ``position`` of the stream on."""
    words = (0, 0, 0, 0)
    for k in range(count - 1):
        if k % 4 == 0:
            words = random_words(key, game, episode, purpose, position + k // 4)
        other = k + below(words[k % 4], count - k)
        card = cards[k]
        cards[k] = cards[other]
        cards[other] = card


@jit
def count_flags(flags):
    """How many of the flags are set."""
    count = 0
    for k in range(len(flags)):
        count += int(flags[k])  # int: uncompiled, more than 127 of them would not fit
    return count


@jit
def random_legal(mask, word):
    """One of the actions that the mask allows, each as likely as the other; -1 if there is none."""
    count = count_flags(mask)
    if count == 0:
        return -1
    skipped = below(word, count)
    begin = 0
    # whole stretches first: counting is far quicker than looking for the place
    while begin + STRETCH < len(mask):
        flags = count_flags(mask[begin : begin + STRETCH])
        if skipped < flags:
            break
        skipped -= flags
        begin += STRETCH
    for action in range(begin, len(mask)):
        if mask[action] == 1:
            if skipped == 0:
                return action
            skipped -= 1
    return -1
