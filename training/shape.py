"""From a configuration's few words about the network to what it is made of in a game."""

from typing import Any

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from ..envs.layout import Segment
from ..policies.networks import Shape
from ..policies.prospects import prospects_of
from .config import NetworkConfig


def shape_of(game: Game, ruleset: Any, network: NetworkConfig) -> Shape:
    """The shape of a network for a game.

    Args:
        game: The game.
        ruleset: What its observations come from.
        network: What was asked for.

    Raises:
        InvalidOption: The observation has no segment of a name.
    """
    layout = game.layout(ruleset)
    size = layout.visible_size(ruleset.history)
    segments = {part.name: part for part in layout.segments if layout.slices()[part.name].stop <= size}
    for name in network.reads or ():
        if name not in segments:
            raise InvalidOption(f"network.reads: {unknown('segment', name, segments)}")
    read = [part for part in segments.values() if network.reads is None or part.name in network.reads]
    cards = [part for part in read if part.cards] if network.embedding else []
    places = layout.slices()

    def ends(part: Segment) -> tuple[int, int]:
        return places[part.name].start, places[part.name].stop

    return Shape(
        inputs=size,
        actions=len(game.action_names(ruleset)),
        trunk=network.trunk,
        activation=network.activation,
        norm=network.norm,
        reads=tuple((*ends(part), float(part.usual or part.high)) for part in read if part not in cards),
        cards=tuple(map(ends, cards)),
        numbers=(max(part.cards for part in cards), max(part.high for part in cards) + 1)
        if cards
        else (0, 0),
        embedding=network.embedding if cards else 0,
        features=len(prospects_of(game, ruleset).names) if network.choices else 0,
        choices=network.choices,
        alike=network.alike,
    )
