"""What chance decides in an episode, fixed from outside: ``reset(options={"decks": …})`` (D5)."""

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import InvalidOption, whole_number
from .cards import NUM_CARDS
from .ruleset import Ruleset
from .state import NONE

CHANCE_OPTIONS = ("decks", "first_player")


def read_chance(options: Mapping[str, Any], ruleset: Ruleset) -> dict[str, np.ndarray]:
    """The state fields that the options fix.

    Args:
        options: ``decks``: a deck for each round, in order, at most as many as there are rounds (the
            others are drawn); of a deck's card ids the first ``hand_size`` are seat 0's hand, the next
            seat 1's, the next one the decree. ``first_player``: seat 0 or 1.
        ruleset: Tells which cards are in play.

    Raises:
        InvalidOption: A deck is no permutation of the cards in play, or there are too many.
    """
    fields: dict[str, np.ndarray] = {}
    if options.get("first_player") is not None:
        first = whole_number(options["first_player"], "the reset option 'first_player'", 0, 1)
        fields["first_player"] = np.array(first, np.int8)
    if options.get("decks") is not None:
        decks = options["decks"]
        if not isinstance(decks, list | tuple | np.ndarray):
            raise InvalidOption(f"the reset option 'decks' must be a list of decks, not {decks!r}")
        if len(decks) > ruleset.rounds:
            raise InvalidOption(
                f"the reset option 'decks' holds {len(decks)} decks, but a game has {ruleset.rounds} rounds"
            )
        fields["decks"] = np.full((len(decks), NUM_CARDS), NONE, np.int8)
        for number, deck in enumerate(decks):
            fields["decks"][number, : len(ruleset.deck)] = _checked(deck, number, ruleset)
    return fields


def _checked(deck: Any, number: int, ruleset: Ruleset) -> list[int]:
    allowed = ruleset.deck
    try:
        cards = [operator.index(card) for card in deck]
    except TypeError:
        cards = []
    if sorted(cards) != list(allowed):
        cards_in_play = "0 … 29" if len(allowed) == NUM_CARDS else ", ".join(map(str, allowed))
        raise InvalidOption(
            f"deck {number} is no permutation of the {len(allowed)} card ids in play ({cards_in_play})"
        )
    return cards
