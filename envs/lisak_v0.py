"""Lišák for PettingZoo: ``env``, ``raw_env`` and ``parallel_env``, as its own games have them."""

from typing import Any

from .aec import GameAEC, wrapped
from .lisak import LISAK
from .parallel import GameParallel
from .vector import GameVectorEnv

GAME = LISAK


class raw_env(GameAEC):  # noqa: N801 - PettingZoo's name
    """Lišák, one agent after another; an illegal action raises. Arguments: see :class:`GameSpaces`."""

    def __init__(self, ruleset: Any = "standard", **options: Any) -> None:
        super().__init__(LISAK, ruleset, **options)


class parallel_env(GameParallel):  # noqa: N801
    """Lišák, all agents at once; who is not to move passes. Arguments: see :class:`GameSpaces`."""

    def __init__(self, ruleset: Any = "standard", **options: Any) -> None:
        super().__init__(LISAK, ruleset, **options)


def env(ruleset: Any = "standard", **options: Any) -> Any:
    """Lišák with PettingZoo's usual wrappers: an illegal action ends the game. Arguments as ``raw_env``."""
    return wrapped(raw_env(ruleset, **options))


def vector_env(num_envs: int = 1, ruleset: Any = "standard", **options: Any) -> GameVectorEnv:
    """``num_envs`` games of Lišák in lock-step; see :class:`GameVectorEnv`."""
    return GameVectorEnv(LISAK, num_envs, ruleset, **options)
