"""``human``: a person at a terminal, who is shown nothing but the seat's own observation."""

from typing import Any

import numpy as np

from ..envs.game import Game
from .policy import ANY_GAME, Dice, Policy, no_argument, register


class Quit(Exception):
    """The person has had enough."""


class Human:
    """Prints what the seat sees and asks for an action, by number or by name.

    Args:
        game: The game.
        ruleset: The rules it is played by.
    """

    def __init__(self, game: Game, ruleset: Any) -> None:
        self._game = game
        self._ruleset = ruleset
        self._names = game.action_names(ruleset)

    def reset(self, games: np.ndarray) -> None:
        """People remember what they like."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`. Asks again until the answer is legal.

        Raises:
            Quit: The person said ``quit``, or the input has ended.
        """
        rows = zip(observations, masks, agents, strict=True)
        return np.array([self._ask(seen, mask, int(seat)) for seen, mask, seat in rows], np.int64)

    def _ask(self, seen: np.ndarray, mask: np.ndarray, seat: int) -> int:
        renderer = self._game.renderer()
        print(
            renderer.text(
                renderer.scene_of_view(self._game.describe(seen, self._ruleset), self._ruleset, seat)
            )
        )
        legal = [int(action) for action in np.flatnonzero(mask)]
        print("You may: " + ", ".join(f"{action} {self._names[action]}" for action in legal))
        while True:
            try:
                answer = input("Your choice (number or name, quit to stop): ").strip().casefold()
            except EOFError:
                raise Quit from None
            if answer in ("q", "quit"):
                raise Quit
            for action in legal:
                if answer in (str(action), self._names[action].casefold()):
                    return action
            print(f"{answer!r} is not possible now; you may say one of the numbers or names above.")


@register(ANY_GAME, "human", "a person at this terminal")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("human", argument)
    return Human(game, ruleset)
