"""What chance decides in an episode, fixed from outside: ``reset(options={"card": …})`` (L3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import InvalidOption
from .ruleset import Ruleset, card_number

CHANCE_OPTIONS = ("card",)


def read_chance(options: Mapping[str, Any], ruleset: Ruleset) -> dict[str, np.ndarray]:
    """The state fields that the options fix.

    Args:
        options: ``card``: the number of the card to play.
        ruleset: Tells which cards are in play.

    Raises:
        InvalidOption: There is no such card, or it is not in play.
    """
    if options.get("card") is None:
        return {}
    world = ruleset.words
    number = card_number(options["card"], world, "the reset option 'card'")
    answer = world.cards.index(number)
    if answer not in ruleset.deck:
        raise InvalidOption(f"card {number} is not among the {len(ruleset.deck)} cards this game plays with")
    return {"answer": np.array(answer, np.int16)}
