"""What Duet looks like with other names for its suits: the game is the same.

Nothing in the rules depends on which suit is which (D1, D7–D9), so whoever renames the suits in everything
that a seat sees, and in everything it plays, plays the same game. Other-Play trains on that: partners who
cannot agree on names have to find conventions that need none.

Source: H. Hu et al., "Other-Play" for zero-shot coordination, ICML 2020.
"""

from functools import lru_cache
from itertools import permutations

import numpy as np

from .actions import action_names
from .cards import CARD_SLOTS, NUM_CARDS, NUM_RANKS, NUM_SUITS, SUITS
from .observation import LAYOUT
from .ruleset import Ruleset


def symmetries(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Every way to rename the suits in play; the first one leaves them as they are.

    Returns:
        For observations, int64, shape ``(ways, size)``, and for actions, shape ``(ways, actions)``: what is
        shown at a place, or meant by an action, of the renamed game is what stands at this place, or is this
        action, in the real one. A renamed mask is taken as an action is: ``mask[actions[way]]``.
    """
    return _symmetries(ruleset.suits, ruleset.history, len(action_names(ruleset)))


@lru_cache(maxsize=16)
def _symmetries(suits: int, history: bool, actions: int) -> tuple[np.ndarray, np.ndarray]:
    seen, meant = [], []
    for way in permutations(range(suits)):
        new_name = [*way, *range(suits, NUM_SUITS)]
        cards = np.arange(CARD_SLOTS)
        for card in range(NUM_CARDS):
            cards[new_name[card // NUM_RANKS] * NUM_RANKS + card % NUM_RANKS] = card
        places, slices = np.arange(LAYOUT.size), LAYOUT.slices()
        for part in LAYOUT.segments:
            start = slices[part.name].start
            if part.shape == (CARD_SLOTS,):
                places[start : start + CARD_SLOTS] = start + cards
        for suit, name in enumerate(SUITS):
            void = slices["void"].start + NUM_SUITS * np.arange(2)
            places[void + new_name[suit]] = void + suit
            tricks, renamed = slices[f"tricks_{name}"], slices[f"tricks_{SUITS[new_name[suit]]}"]
            places[renamed] = np.arange(tricks.start, tricks.stop)
        seen.append(places[: LAYOUT.visible_size(history)])
        meant.append(np.concatenate([cards[:NUM_CARDS], np.arange(NUM_CARDS, actions)]))
    return np.stack(seen), np.stack(meant)
