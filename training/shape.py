"""From a configuration's few words about the network to what it is made of in a game, and begins with."""

from typing import Any

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from ..envs.layout import Segment
from ..policies.menagerie import find_actor
from ..policies.networks import Actor, Shape
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


def take_weights(actor: Actor, name: str, game: str) -> None:
    """Let a network begin with the weights of a saved one. It stays as it is if they do not fit.

    Args:
        actor: The network.
        name: The saved one's policy, ``learned:PATH`` or ``zoo:NAME``.
        game: What it is to play.

    Raises:
        InvalidOption: The saved one cannot be read, or plays another game, or is made of other layers.
    """
    saved, card = find_actor(name)
    if card.get("game", game) != game:
        raise InvalidOption(f"start: {name} plays {card['game']}, not {game}")
    theirs, mine = (
        {key: list(part.shape) for key, part in one.state_dict().items()} for one in (saved, actor)
    )
    for key in sorted({*theirs, *mine}):
        if theirs.get(key) != mine.get(key):
            raise InvalidOption(
                f"start: {name} does not fit network and ruleset: its {key} is {theirs.get(key, 'missing')}, "
                f"this run's is {mine.get(key, 'missing')}"
            )
    actor.load_state_dict(saved.state_dict())
