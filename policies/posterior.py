"""What may be true, for all that a player knows: full states, and how likely they are."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ..envs.game import Game
from .policy import Dice


class Posterior(Protocol):
    """Draws states of one ruleset that are consistent with everything that a seat may know."""

    def sample(
        self, observations: np.ndarray, seats: np.ndarray, deals: int, rng: Dice
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw states, exactly as likely as they are.

        Args:
            observations: What each observer sees, shape ``(n, size)``.
            seats: Who it is, integers, shape ``(n,)``.
            deals: How many states for each.
            rng: Random numbers of the n decisions; the draws depend on nothing else.

        Returns:
            State records, shape ``(n, deals)``, from which the games can be played on; and their weights,
            float64, likewise, of which a row's sum is 1.
        """
        ...

    def enumerate(
        self, observation: np.ndarray, seat: int, limit: int = 100_000
    ) -> tuple[np.ndarray, np.ndarray]:
        """All states that one observer must reckon with, but for what chance has still to bring.

        Args:
            observation: What it sees, shape ``(size,)``.
            seat: Who it is.
            limit: At most so many.

        Returns:
            State records and their chances, float64, both of shape ``(states,)``.

        Raises:
            InvalidOption: There are more than the limit.
        """
        ...


def posterior_of(game: Game, ruleset: Any) -> Posterior:
    """The one who draws a game's states.

    Args:
        game: The game.
        ruleset: What the observations come from.

    Raises:
        InvalidOption: Its observations do not tell enough.
    """
    return _POSTERIORS[game.name](ruleset)


def _duet(ruleset: Any) -> Posterior:
    from .duet.posterior import Posterior as Duet

    return Duet(ruleset)


def _lisak(ruleset: Any) -> Posterior:
    from .lisak.posterior import Posterior as Lisak

    return Lisak(ruleset)


_POSTERIORS: dict[str, Callable[[Any], Posterior]] = {"duet": _duet, "lisak": _lisak}
