"""``human``: a person at a terminal, who is shown nothing but the seat's own observation."""

import queue
import threading
from typing import Any

import numpy as np

from ..envs.game import Game
from .policy import ANY_GAME, Dice, Policy, no_argument, register


class Quit(Exception):
    """The person has had enough."""


class TimeOut(Exception):
    """The person has not answered in time."""


def ask(prompt: str, seconds: float | None = None) -> str:
    """What a person types, without outer spaces.

    Args:
        prompt: What they are asked.
        seconds: How long they may take; ``None``: as long as they like.

    Raises:
        Quit: They typed ``quit`` (or ``q``), or the input has ended.
        TimeOut: The time is over. The line they are on is still read, and lost.
    """
    line = _read(prompt) if seconds is None else _read_in_time(prompt, seconds)
    if line is None or line.strip().casefold() in ("q", "quit"):
        raise Quit
    return line.strip()


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None


def _read_in_time(prompt: str, seconds: float) -> str | None:
    # input() cannot be interrupted on every platform, so it waits in a thread of its own
    answers: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=lambda: answers.put(_read(prompt)), daemon=True).start()
    try:
        return answers.get(timeout=max(0.0, seconds))
    except queue.Empty:
        print()
        raise TimeOut from None


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
        return np.array([self._choose(seen, mask, int(seat)) for seen, mask, seat in rows], np.int64)

    def _show(self, seen: np.ndarray, seat: int) -> None:
        renderer = self._game.renderer()
        described = self._game.describe(seen, self._ruleset)
        print(renderer.text(renderer.scene_of_view(described, self._ruleset, seat)))

    def _choose(self, seen: np.ndarray, mask: np.ndarray, seat: int) -> int:
        self._show(seen, seat)
        legal = [int(action) for action in np.flatnonzero(mask)]
        print("You may: " + ", ".join(f"{action} {self._names[action]}" for action in legal))
        while True:
            answer = ask("Your choice (number or name, quit to stop): ").casefold()
            for action in legal:
                if answer in (str(action), self._names[action].casefold()):
                    return action
            print(f"{answer!r} is not possible now; you may say one of the numbers or names above.")


@register(ANY_GAME, "human", "a person at this terminal")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("human", argument)
    return Human(game, ruleset)
