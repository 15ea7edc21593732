"""N games in lock-step, each seen from the seat of its mover."""

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from .errors import InvalidOption, whole_number
from .game import Game
from .games import Games, records_for
from .jit import ENABLED, kernel

_SHOWN = ("observations", "masks", "to_move")  # what is told of every game to whoever moves next


@kernel
def first_illegal(masks, to_move, actions):
    """The first running game whose action its mask does not allow; -1 if there is none."""
    for i in range(len(actions)):
        action = actions[i]
        legal = 0 <= action < masks.shape[1] and masks[i, action] == 1
        if not legal and to_move[i] >= 0:
            return i
    return -1


class Batch(Games):
    """N games that move together. The buffers are allocated once and written by every step.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        count: How many games.
        first_game: Index of the first game; game *i* of any batch plays as the same game alone (X1).
        threads: Threads for the loops over games; ``None`` leaves it to Numba.
        renew: Show the games in new arrays at every step, so that those handed out stay as they are.
        **options: Single options that replace the ruleset's.

    Attributes:
        observations: Of the layout's dtype (int8 unless a game says otherwise), shape ``(count, size)``:
            what each game's mover observes.
        masks: int8 flags, shape ``(count, actions)``; all zero for a game that is over.
        to_move: int8, shape ``(count,)``: the mover's seat, below 0 when the game is over.
        rewards: float32, shape ``(count,)``: what the last step brought to all.
        outcomes: int8, shape ``(count,)``: how the game ended in the last step, 0 if it did not.
        final_observations: As ``observations``; valid where ``outcomes`` is not 0 and the
            game began anew: the last observation of the seat that moved last.
    """

    def __init__(
        self,
        game: Game,
        ruleset: Any = "standard",
        count: int = 1,
        first_game: int = 0,
        threads: int | None = None,
        renew: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(game, ruleset, count, first_game, **options)
        self.threads = None if threads is None else whole_number(threads, "threads", 1, 1024)
        self._record = self.layout.record()
        self._rules = records_for(self.rules, False)
        self._records = records_for(self.records, False)
        finals = np.zeros(self.count, self._record)
        self._final_views = records_for(game.views(finals), False)
        self.final_observations = finals["whole"][:, : self.observation_size]
        self._renew = renew
        self._new_buffers()
        self.to_move[:] = -1

    def _new_buffers(self) -> None:
        seen = np.empty(self.count, self._record)
        self._views = records_for(self.game.views(seen), False)
        self._words = np.empty((self.count, self._mask_size), np.int64)
        self.observations = seen["whole"][:, : self.observation_size]
        self.masks = self._words.view(np.int8)[:, : len(self.action_names)]
        self.to_move = np.empty(self.count, np.int8)
        self.rewards = np.zeros(self.count, np.float32)
        self.outcomes = np.zeros(self.count, np.int8)

    def _shown(self) -> tuple[Any, ...]:
        """What a kernel shows the games in."""
        return self._views, self._words, self.to_move

    @property
    def nbytes(self) -> int:
        """Bytes of all buffers."""
        a_view = self._record.itemsize * self.count
        return self.records.nbytes + 2 * a_view + self._words.nbytes

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode in every game.

        Args:
            seed: A new seed, or ``None`` to go on with the next episodes of the last one.
            options: What chance decides, fixed for all games alike; ``"game"`` renumbers the games.

        Raises:
            InvalidOption, ValueError: An option or the seed is not allowed; nothing has changed then.
        """
        fields = self.read_options(options)
        self.seed(seed)
        if self._renew:
            self._new_buffers()
        self.write({name: value for name, value in fields.items() if name == "game"})
        self._threaded(self.game.kernels.begin_all, self._rules, self._records, *self._shown())
        self.rewards[:] = 0
        self.outcomes[:] = 0
        if set(fields) - {"game"}:
            self.write(fields)
            for index in range(self.count):
                self.game.kernels.begin_game(self._rules, self._records, index)
            self.refresh()

    def refresh(self) -> None:
        """Show the games anew, after they were changed from outside."""
        self._threaded(self.game.kernels.show_all, self._rules, self._records, *self._shown())

    def states(self) -> np.ndarray:
        """The full states for centralised critics: what every seat observes, one seat after the other.

        Returns:
            A new array in the observations' dtype, shape ``(count, seats * size)``, the mover's seat first.
        """
        seats = len(self.agents)
        seen = np.zeros(self.count * seats, self._record)
        views = records_for(self.game.views(seen), False)
        self._threaded(self.game.kernels.show_states, self._rules, self._records, views)
        return seen["whole"][:, : self.observation_size].reshape(self.count, -1)

    def step(self, actions: Any, restart: bool = False) -> None:
        """Play one action in every game that is not over.

        Args:
            actions: Integers, shape ``(count,)``; those of games that are over are passed over.
            restart: Begin the next episode of a game that ends, at once.

        Raises:
            IllegalAction: An action is not legal. No game has changed then.
            ValueError: The actions are no integers or not one for each game.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(
                f"actions must be integers of shape ({self.count},), "
                f"not {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = np.ascontiguousarray(chosen, np.int64)
        bad = first_illegal(self.masks, self.to_move, chosen)
        if bad >= 0:
            raise self.refusal(bad, int(self.to_move[bad]), chosen[bad], self.masks[bad])
        if self._renew:
            self._new_buffers()
        told = (*self._shown(), self._final_views, self.rewards, self.outcomes)
        advance_all = self.game.kernels.advance_all
        self._threaded(advance_all, self._rules, self._records, chosen, restart, *told)

    @classmethod
    def of(cls, game: Game, ruleset: Any, records: np.ndarray) -> "Batch":
        """A batch of games that stand as some records say.

        Args:
            game: The game.
            ruleset: What the records were played by.
            records: States, shape ``(count,)``; they are copied.
        """
        batch = cls(game, ruleset, len(records))
        batch.records[:] = records
        batch.refresh()
        return batch

    def part(self, rows: np.ndarray) -> "Batch":
        """A batch of some of the games, as they stand: what is played there changes nothing here.

        Args:
            rows: Which, as indices.
        """
        part = copy(self)
        part.count = len(rows)
        part.records = self.records[rows]
        part._records = records_for(part.records, False)
        finals = np.zeros(part.count, self._record)
        part._final_views = records_for(self.game.views(finals), False)
        part.final_observations = finals["whole"][:, : self.observation_size]
        part._new_buffers()
        for name in _SHOWN:
            getattr(part, name)[:] = getattr(self, name)[rows]
        return part

    def put_back(self, rows: np.ndarray, part: "Batch") -> None:
        """Go on from what became of some of the games; ``rewards`` and ``outcomes`` stay those of ``step``.

        Args:
            rows: Which, as they were given to :meth:`part`.
            part: What it returned.
        """
        for name in ("records", *_SHOWN):
            getattr(self, name)[rows] = getattr(part, name)

    def play_randomly(self, steps: int) -> int:
        """Random legal play in the compiled loop, ``steps`` decisions in each game, beginning anew.

        Returns:
            How many episodes ended.
        """
        kernel = self.game.kernels.play_randomly
        arrays = (self._views, self._words, self._final_views)
        ended = int(self._threaded(kernel, self._rules, self._records, steps, *arrays))
        self.refresh()
        return ended

    def _threaded(self, function: Any, *arguments: Any) -> Any:
        if self.threads is None or not ENABLED:
            return function(*arguments)
        import numba

        before = numba.get_num_threads()
        numba.set_num_threads(min(self.threads, before))
        try:
            return function(*arguments)
        finally:
            numba.set_num_threads(before)

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the games go on, the random streams included; can be pickled."""
        return {
            "game": self.game.name,
            "ruleset": self.ruleset.to_dict(),
            "records": self.records.copy(),
            "seeded": self._seeded,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what :meth:`get_state` returned.

        Raises:
            InvalidOption: It is the state of another game, ruleset or number of games.
        """
        mine = {"game": self.game.name, "ruleset": self.ruleset.to_dict()}
        for key, value in mine.items():
            if state.get(key) != value:
                raise InvalidOption(f"that is the state of another {key}: {state.get(key)!r}, not {value!r}")
        records = state["records"]
        if records.dtype != self.records.dtype or records.shape != self.records.shape:
            raise InvalidOption(
                f"that is the state of {len(records)} games with records of {records.dtype.itemsize} bytes, "
                f"not of {self.count} with {self.records.dtype.itemsize}"
            )
        self.records[:] = records
        self._seeded = bool(state["seeded"])
        if self._renew:
            self._new_buffers()
        self.rewards[:] = 0
        self.outcomes[:] = 0
        self.refresh()
