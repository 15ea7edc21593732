"""N games as a vector environment of Stable-Baselines3: one team, whose members move in turn.

All seats share the reward, so a game's decisions, whoever makes them, are one trajectory, and one network
plays every seat (self-play with parameter sharing).
"""

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ..envs.batch import Batch
from ..envs.game import Game
from ..envs.jit import parallel_kernel, prange
from ..envs.streams import NAMES, below, random_words
from ..policies.prospects import progress_of, prospects_of, with_prospects


@parallel_kernel
def _draw_names(keys, games, episodes, seats, ways, names):
    for i in prange(len(names)):
        words = random_words(keys[i], games[i], episodes[i], NAMES, max(seats[i], 0))
        names[i] = below(words[0], ways)


_NOTHING: dict[str, Any] = {}  # what is told of a game in which nothing special happened


class SelfPlay(VecEnv):
    """N games in lock-step; a game that ends begins anew in the same step.

    Observations are int8 (or what the game's layout says), shape ``(N, size)``, from the mover's seat; with
    ``full_state`` they are ``{"observation": …, "state": (N, seats * size)}``, where the state is what every
    seat observes, from the mover on. :meth:`action_masks` is what sb3-contrib's ``MaskablePPO`` asks for.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        count: N.
        seed: Decides all episodes.
        threads: Threads for the loops over games; ``None`` leaves it to Numba.
        full_state: Show the full state besides, for a critic.
        other_play: Show every seat the game under names of its own, drawn anew for each episode from the
            game's symmetries (Other-Play), and understand its actions under them. The full state keeps the
            real names.
        shaping: Weight of the team's progress as a reward; the progress is paid back at the end, so that it
            changes when something is earned, and not what is best (potential-based shaping; A. Ng et al.,
            ICML 1999). Episodes' returns are told without it.
        gamma: The discount that the progress is paid back with.
        prospects: Show the prospects of all actions behind the observation (``policies/prospects.py``).
    """

    render_mode = None

    def __init__(
        self,
        game: Game,
        ruleset: Any,
        count: int,
        seed: int = 0,
        threads: int | None = None,
        full_state: bool = False,
        other_play: bool = False,
        prospects: bool = False,
        shaping: float = 0.0,
        gamma: float = 1.0,
    ) -> None:
        self.batch = Batch(game, ruleset, count, threads=threads)
        self._seed_of_all = seed
        self._full_state = full_state
        self._seen_as, self._meant = game.symmetries(self.batch.ruleset)
        self._other_play = other_play and len(self._meant) > 1
        self._names = np.zeros(count, np.int64)  # under which of the symmetries each mover sees its game
        seen = self.batch.layout.space(self.batch.ruleset.history)
        self._prospects = prospects_of(game, self.batch.ruleset) if prospects else None
        self._progress_of = progress_of(game, self.batch.ruleset) if shaping else None
        self._shaping, self._gamma = shaping, gamma
        self._progress = np.zeros(count, np.float32)
        if self._prospects is not None:
            more = len(self.batch.action_names) * len(self._prospects.names)
            high = np.concatenate([seen.high, np.full(more, 100, seen.dtype)])
            seen = gymnasium.spaces.Box(np.zeros_like(high), high, dtype=self.batch.layout.dtype.type)
        space: gymnasium.Space[Any] = seen
        if full_state:
            own, seats = self.batch.layout.space(self.batch.ruleset.history), len(self.batch.agents)
            state = gymnasium.spaces.Box(
                np.tile(own.low, seats), np.tile(own.high, seats), dtype=self.batch.layout.dtype.type
            )
            space = gymnasium.spaces.Dict({"observation": seen, "state": state})
        super().__init__(count, space, gymnasium.spaces.Discrete(len(self.batch.action_names)))
        self._actions = np.zeros(count, np.int64)
        self._returns = np.zeros(count)
        self._lengths = np.zeros(count, np.int64)
        self.outcomes = np.zeros(count, np.int8)  # how each game ended in the last step; 0: it did not

    def reset(self) -> Any:
        """Begin the first episode of every game."""
        self.batch.reset(self._seed_of_all)
        self._returns[:] = 0
        self._lengths[:] = 0
        self._begin()
        self._progress = self._come_so_far()
        return self._observations()

    def _begin(self) -> None:
        """The first episodes begin: nobody plays before the learner's first decision."""

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for :meth:`step_wait`."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play one action in every game.

        Returns:
            Observations, rewards (float32), which games ended (bool), and a mapping for each game: of a game
            that ended ``episode`` (return ``r``, length ``l``), ``outcome`` and ``terminal_observation``.
        """
        rewards, last = self._play(self._meant[self._names, self._actions])
        ended = self.outcomes != 0
        self._returns += rewards
        self._lengths += 1
        infos = [_NOTHING] * self.num_envs
        for game in np.flatnonzero(ended).tolist():
            infos[game] = {
                "episode": {"r": float(self._returns[game]), "l": int(self._lengths[game]), "t": 0.0},
                "outcome": self.batch.game.outcomes[self.outcomes[game]],
                "terminal_observation": last[game],
            }
        self._returns[ended] = 0
        self._lengths[ended] = 0
        before, self._progress = self._progress, self._come_so_far()
        rewards += self._shaping * (self._gamma * np.where(ended, 0, self._progress) - before)
        return self._observations(), rewards, ended, infos

    def _play(self, actions: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Play until the learner is to move again; returns rewards and the last sight of games that ended."""
        names = self._names.copy()
        self.batch.step(actions, restart=True)
        self.outcomes = self.batch.outcomes.copy()
        return self.batch.rewards.copy(), self._last_sights(self.batch, np.arange(self.num_envs), names)

    def _come_so_far(self) -> np.ndarray:
        return self._progress if self._progress_of is None else self._progress_of(self.batch.records)

    def _last_sights(self, batch: Batch, rows: np.ndarray, names: np.ndarray) -> dict[int, np.ndarray]:
        """What whoever moved last saw at the end of each game that ended, when nothing was left to choose.

        ``rows`` are the batch's games here, ``names`` the symmetry that each of them was seen under.
        """
        sights = {}
        for index in np.flatnonzero(batch.outcomes):
            seen = batch.final_observations[index][self._seen_as[names[index]]][None]
            masks = np.zeros_like(batch.masks[:1])
            sights[int(rows[index])] = with_prospects(seen, masks, self._prospects)[0]
        return sights

    def _observations(self) -> Any:
        batch = self.batch
        if self._other_play:
            of = batch.records
            _draw_names(of["key"], of["game"], of["episode"], of["to_move"], len(self._meant), self._names)
            seen = np.take_along_axis(batch.observations, self._seen_as[self._names], axis=1)
            self._masks = np.take_along_axis(batch.masks, self._meant[self._names], axis=1)
        else:
            # copied, because the next step writes over the batch's own arrays
            seen, self._masks = batch.observations.copy(), batch.masks
        seen = with_prospects(seen, self._masks, self._prospects)
        return {"observation": seen, "state": self.batch.states()} if self._full_state else seen

    def action_masks(self) -> np.ndarray:
        """What each mover may do, int8 flags, shape ``(N, actions)``."""
        return self._masks

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the games go on."""
        return {
            "records": self.batch.records.copy(),
            "returns": self._returns.copy(),
            "lengths": self._lengths.copy(),
        }

    def set_state(self, state: dict[str, Any]) -> Any:
        """Go on from what :meth:`get_state` returned; returns the observations."""
        mine = self.batch.get_state()
        self.batch.set_state(mine | {"records": state["records"], "seeded": True})
        self._returns[:] = state["returns"]
        self._lengths[:] = state["lengths"]
        self._progress = self._come_so_far()
        return self._observations()

    # --- the rest of the interface; all games are one environment -------------------------------------

    def close(self) -> None:
        """Nothing to close."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has an attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once for each of the games asked for."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all games."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method; one that returns an array with a row for each game gives those rows."""
        return list(getattr(self, method_name)(*method_args, **method_kwargs))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """It is wrapped in nothing."""
        return [False] * len(list(self._get_indices(indices)))
