"""``zoo:NAME``: the trained networks that come with the package.

Each is a pair of files in the folder ``zoo``: weights, and a card that says how it was trained and how well
it plays. They are read like any learned policy's, so they can run no code.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from .learned import load_actor, path_of, seat_actor
from .policy import ANY_GAME, Policy, register

if TYPE_CHECKING:
    from .networks import Actor

FOLDER: Final = Path(__file__).parent / "zoo"


def zoo_names(game: str | None = None) -> list[str]:
    """The names of the policies in the zoo, in order.

    Args:
        game: Only those of this game.
    """
    names = sorted(file.stem for file in FOLDER.glob("*.json"))
    return [name for name in names if game is None or name.startswith(f"{game}-")]


def zoo_card(name: str) -> dict[str, Any]:
    """What is said of a policy in the zoo.

    Raises:
        InvalidOption: There is none of that name.
    """
    if name not in zoo_names():
        raise InvalidOption(unknown("policy in the zoo", name, zoo_names()))
    return json.loads((FOLDER / f"{name}.json").read_text())


def find_actor(name: str) -> tuple["Actor", dict[str, Any]]:
    """The network of a policy, and its card.

    Args:
        name: ``learned:PATH`` or ``zoo:NAME``.

    Raises:
        InvalidOption: There is none of that name, or it cannot be read.
        ImportError: PyTorch or safetensors is missing; the message says how to get it.
    """
    kind, _, argument = name.partition(":")
    if kind == "zoo":
        zoo_card(argument)  # it refuses what is not there
        return load_actor(FOLDER / argument)
    if kind == "learned" and argument:
        return load_actor(path_of(argument))
    raise InvalidOption(f"a network is named learned:PATH or zoo:NAME, not {name!r}")


@register(ANY_GAME, "zoo", "a network of the package: zoo:NAME (see `reynard zoo list`), or zoo:NAME,sample")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    name, _, mode = argument.partition(",")
    if mode not in ("", "sample"):
        raise InvalidOption(f"zoo takes a name, and ',sample' behind it, not {argument!r}")
    if name not in zoo_names():
        raise InvalidOption(unknown("policy in the zoo", name, zoo_names(game.name) or zoo_names()))
    return seat_actor(f"zoo:{name}", FOLDER / name, game, ruleset, sample=mode == "sample")
