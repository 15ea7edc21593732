"""What a player works out about each of its actions before its network looks: its *prospects*.

They are a function of one observation and its mask, so they can tell nothing that the observer does not know;
they spare a network the game's arithmetic, not its thinking.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ..envs.errors import InvalidOption
from ..envs.game import Game
from .duet import prospects as duet
from .lisak import prospects as lisak
from .lisak.progress import Progress as LisakProgress


class Prospects(Protocol):
    """Reads the observations of one ruleset.

    Attributes:
        names: What is told of each action. The first is always ``choice``: whether it is legal now; of an
            action that is not, nothing else is told.
        promising: Those of the names that speak for an action: where there are hundreds, the ones to try.
    """

    names: tuple[str, ...]
    promising: tuple[str, ...]

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What is to be expected of each action.

        Args:
            observations: Shape ``(n, size)``.
            masks: Flags, int8, shape ``(n, actions)``.

        Returns:
            Percents, int8, shape ``(n, actions, len(names))``.
        """
        ...


_PROSPECTS: dict[str, Callable[[Any], Prospects]] = {"duet": duet.Prospects, "lisak": lisak.Prospects}


def prospects_of(game: Game, ruleset: Any) -> Prospects:
    """The one who works out the prospects of a game's actions.

    Args:
        game: The game.
        ruleset: What the observations come from.
    """
    return _PROSPECTS[game.name](ruleset)


#: How far a team has come, from 0 to 1, by what everybody knows: state records to float32, shape ``(n,)``.
Progress = Callable[[np.ndarray], np.ndarray]

_PROGRESS: dict[str, Callable[[Any], Progress]] = {"lisak": LisakProgress}


def progress_of(game: Game, ruleset: Any) -> Progress:
    """The one who tells how far a team has come, between the rewards of the game itself.

    Args:
        game: The game.
        ruleset: The rules it is played by.

    Raises:
        InvalidOption: The game has none: its own rewards come often enough.
    """
    if game.name not in _PROGRESS:
        raise InvalidOption(f"{game.name} knows no progress but its rewards, so shaping must be 0")
    return _PROGRESS[game.name](ruleset)


def with_prospects(observations: np.ndarray, masks: np.ndarray, prospects: Prospects | None) -> np.ndarray:
    """Observations with the prospects of all actions behind them, as networks read them.

    Returns:
        In the observations' dtype, shape ``(n, size + actions * len(names))``.
    """
    if prospects is None:
        return observations
    table = prospects(observations, masks).reshape(len(observations), -1)
    return np.concatenate([observations, table.astype(observations.dtype, copy=False)], axis=1)
