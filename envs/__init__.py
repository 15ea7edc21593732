"""Cooperative, partial-information games as PettingZoo and Gymnasium environments.

Importing this package registers ``reynard/duet-v0`` and ``reynard/lisak-v0`` with both libraries; the
games themselves, and Numba, are imported when one is made.
"""

from importlib import import_module
from typing import TYPE_CHECKING

import gymnasium
import pettingzoo

from .errors import IllegalAction, InvalidOption, unknown

if TYPE_CHECKING:
    from .game import Game

#: Every game, with the module that holds its environments.
GAMES = {"duet": "reynard.envs.duet_v0", "lisak": "reynard.envs.lisak_v0"}


def find_game(name: str) -> "Game":
    """The game of a name, imported when it is asked for.

    Raises:
        InvalidOption: There is none of that name.
    """
    if name not in GAMES:
        raise InvalidOption(unknown("game", name, GAMES))
    return import_module(GAMES[name]).GAME


def _register(name: str, module: str) -> None:
    environment = f"reynard/{name}-v0"
    if environment in gymnasium.registry:
        return
    gymnasium.register(
        environment,
        entry_point=f"reynard.policies.solo:{name}",  # it needs players, so it lives with them
        vector_entry_point=f"{module}:vector_env",
    )
    if hasattr(pettingzoo, "register"):  # since PettingZoo 1.26
        pettingzoo.register("aec", environment, f"{module}:env")
        pettingzoo.register("parallel", environment, f"{module}:parallel_env")


for _name, _module in GAMES.items():
    _register(_name, _module)

__all__ = ["GAMES", "IllegalAction", "InvalidOption", "find_game"]
