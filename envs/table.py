"""One game with all its seats, played move by move: what PettingZoo's environments sit on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import jit
from .game import Game
from .games import Games, as_action, records_for

#: Compiling takes some seconds when the cache is empty. A process plays its first moves uncompiled, so
#: that trying a game out starts at once; whoever plays on gets the compiled rules after this many.
MOVES_BEFORE_COMPILING = 200


class Table(Games):
    """A single game; every seat's observation and mask are kept up to date.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        **options: Single options that replace the ruleset's.

    Attributes:
        observations: What each seat observes, of the layout's dtype, shape ``(seats, size)``; changed by
            the next move.
        masks: What each seat may do, int8 flags, shape ``(seats, actions)``; zero for who is not to move.
    """

    moves_in_this_process = 0

    def __init__(self, game: Game, ruleset: Any = "standard", **options: Any) -> None:
        super().__init__(game, ruleset, 1, **options)
        seats = len(self.agents)
        self._views = np.zeros(seats, self.layout.record())
        self._mask_words = np.zeros((seats, self._mask_size), np.int64)
        self.observations = self._views["whole"][:, : self.observation_size]
        self.masks = self._mask_words.view(np.int8)[:, : len(self.action_names)]
        self._to_move = self.records["to_move"]
        self._reward = self.records["reward"]
        self._compiled = False
        self._use(plain=True)

    def _use(self, plain: bool) -> None:
        """Play with the uncompiled rules, or with the compiled ones."""
        kernels = self.game.kernels
        choose = jit.plain if plain else (lambda kernel: kernel)
        self._shuffle = choose(kernels.shuffle_game)
        self._begin = choose(kernels.begin_game)
        self._step = choose(kernels.step_game)
        self._rules = records_for(self.rules, plain)
        self._records = records_for(self.records, plain)
        self._seen = records_for(self.game.views(self._views), plain)
        self._compiled = not plain

    def begin(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: A new seed, or ``None`` to go on with the next episode of the last one.
            options: What chance decides, fixed; ``"game"`` plays the stream of that game index.

        Raises:
            InvalidOption: An option is not allowed. Nothing has changed then.
            ValueError: The seed is negative or no integer. Nothing has changed then.
        """
        fields = self.read_options(options)
        self.seed(seed)
        self.records["game"] = 0
        self.write({name: value for name, value in fields.items() if name == "game"})
        self._shuffle(self._rules, self._records, 0)
        self.write(fields)
        self._begin(self._rules, self._records, 0)
        self.refresh()

    def refresh(self) -> None:
        """Show the state to all seats anew, after it was changed from outside."""
        self._step(self._rules, self._records, 0, -1, self._seen, self._mask_words)

    @property
    def to_move(self) -> int:
        """The seat that is to move; below 0 when the game is over."""
        return int(self._to_move[0])

    def play(self, action: Any) -> float:
        """Play the action of the seat that is to move.

        Returns:
            The reward to all.

        Raises:
            IllegalAction: It is not among the legal ones. Nothing has changed then.
        """
        seat = int(self._to_move[0])
        number = as_action(action)
        if seat < 0 or not 0 <= number < self.masks.shape[1] or not self.masks[seat, number]:
            raise self.refusal(0, seat, action, self.masks[seat])
        if not self._compiled:
            Table.moves_in_this_process += 1
            if Table.moves_in_this_process > MOVES_BEFORE_COMPILING:
                self._use(plain=False)
        self._step(self._rules, self._records, 0, number, self._seen, self._mask_words)
        return float(self._reward[0])

    def outcome(self) -> str | None:
        """How the game ended; ``None`` while it goes on."""
        return self.game.outcomes[self.records["outcome"][0]]

    def state(self) -> np.ndarray:
        """The full state for centralised critics: every seat's observation, one after the other."""
        return self.observations.reshape(-1).copy()

    def describe(self, seat: int) -> dict[str, Any]:
        """What a seat observes, in names and values."""
        return self.game.describe(self.observations[seat], self.ruleset)
