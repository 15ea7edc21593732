"""Gymnasium's vector environment of any game: N games in lock-step, each seen from its mover's seat."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .aec import observation_space
from .batch import Batch
from .errors import InvalidOption
from .game import Game

Observations = dict[str, np.ndarray]


class GameVectorEnv(VectorEnv[Observations, np.ndarray, np.ndarray]):
    """N games; every step plays one action in each, and a game that ends begins anew in the same step.

    Observations are ``{"observation": int8 (N, size), "action_mask": int8 (N, actions)}``, each row from
    the seat that is to move. The reward is shared by all seats.

    ``infos`` hold ``"to_move"`` (int8, shape ``(N,)``: the mover's seat) and, in a step in which games
    ended, ``"final_info"`` with ``"outcome"`` (names, shape ``(N,)``, ``None`` where the game goes on) and
    ``"final_obs"`` (objects, shape ``(N,)``: the last observation of the seat that moved last), with
    Gymnasium's masks ``"_final_info"`` and ``"_final_obs"``.

    Args:
        game: The game.
        num_envs: N.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        copy: Return new arrays at every step, as Gymnasium's own vector environments do. Without, the
            arrays returned are overwritten by the next step, which is faster.
        threads: Threads for the loops over games; ``None`` leaves it to Numba.
        first_game: Index of the first game's random stream.
        render_mode: Must be ``None``: N games have no picture. (Gymnasium passes it on.)
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: An option is unknown or not allowed.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        ruleset: Any = "standard",
        copy: bool = True,
        threads: int | None = None,
        first_game: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise InvalidOption(
                f"a vector environment draws nothing: render_mode must be None, not {render_mode!r}"
            )
        self.batch = Batch(game, ruleset, num_envs, first_game, threads, renew=copy, **options)
        self.num_envs = self.batch.count
        num_actions = len(self.batch.action_names)
        self.single_observation_space = observation_space(game, self.batch.ruleset, num_actions)
        self.single_action_space = gymnasium.spaces.Discrete(num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._names = np.array(game.outcomes, object)
        self._no_action = np.zeros(num_actions, np.int8)
        self._no_action.flags.writeable = False  # every final observation shows this one

    @property
    def ruleset(self) -> Any:
        """The options that are in force."""
        return self.batch.ruleset

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode in every game; see :meth:`Batch.reset`."""
        self.batch.reset(seed, options)
        super().reset(seed=seed)
        return self._observations(), {"to_move": self.batch.to_move}

    def step(
        self, actions: np.ndarray
    ) -> tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in each game.

        Raises:
            IllegalAction: One of them is not legal. No game has changed then.
            ValueError: The actions are no integers or not one for each game.
        """
        batch = self.batch
        batch.step(actions, restart=True)
        ended = batch.outcomes != 0
        infos: dict[str, Any] = {"to_move": batch.to_move}
        rows = np.flatnonzero(ended)
        if len(rows):
            outcomes, last = self._final(rows)
            infos["final_info"] = {"outcome": outcomes, "_outcome": ended}
            infos["final_obs"] = last
            infos["_final_info"] = infos["_final_obs"] = ended
        return self._observations(), batch.rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _observations(self) -> Observations:
        return {"observation": self.batch.observations, "action_mask": self.batch.masks}

    def _final(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes, last = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
        outcomes[rows] = self._names[self.batch.outcomes[rows]]
        last[rows] = [
            {"observation": observation, "action_mask": self._no_action}
            for observation in self.batch.final_observations[rows]  # copied by the indexing
        ]
        return outcomes, last

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the games go on, the random streams included; can be pickled."""
        return self.batch.get_state()

    def set_state(self, state: Mapping[str, Any]) -> tuple[Observations, dict[str, Any]]:
        """Go on from what :meth:`get_state` returned; observations and infos as from ``reset``.

        Raises:
            InvalidOption: It is the state of another game, ruleset or number of games.
        """
        self.batch.set_state(state)
        return self._observations(), {"to_move": self.batch.to_move}
