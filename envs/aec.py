"""PettingZoo's agent-environment-cycle environment of any game: one agent moves at a time."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .canvas import RENDER_FPS, RENDER_MODES, Canvas
from .errors import whole_number
from .game import Game
from .table import Table


class GameSpaces:
    """What the AEC and the parallel environment share: spaces, names, rendering.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or ``None``.
        perspective: Draw what this seat sees; ``None`` draws the full table.
        max_cycles: Truncate an episode after so many cycles; ``None``: never. A cycle of the parallel
            environment is a step, one of the AEC environment is over when every agent has moved.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: An option is unknown or not allowed.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game,
        ruleset: Any = "standard",
        render_mode: str | None = None,
        perspective: int | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self._canvas = Canvas(render_mode)
        self.table = Table(game, ruleset, **options)
        self.possible_agents = list(self.table.agents)
        self.agents: list[str] = []
        seats = len(self.possible_agents) - 1
        if perspective is not None:
            perspective = whole_number(perspective, "perspective (if not None)", 0, seats)
        if max_cycles is not None:
            max_cycles = whole_number(max_cycles, "max_cycles (if not None)", 1, 2**31)
        self.render_mode = render_mode
        self.perspective = perspective
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        layout, ruleset = self.table.layout, self.table.ruleset
        self.observation_spaces = {
            agent: observation_space(game, ruleset, len(self.table.action_names))
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(len(self.table.action_names)) for agent in self.possible_agents
        }
        every = layout.space(ruleset.history)
        self.state_space = gymnasium.spaces.Box(
            np.tile(every.low, seats + 1), np.tile(every.high, seats + 1), dtype=layout.dtype.type
        )
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    @property
    def ruleset(self) -> Any:
        """The options that are in force."""
        return self.table.ruleset

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """``observation``: shape ``(size,)``; ``action_mask``: int8 flags, shape ``(actions,)``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The catalogue of actions, the same for all agents."""
        return self.action_spaces[agent]

    def action_name(self, action: int) -> str:
        """An action in the game's words."""
        return self.table.action_names[action]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent observes; its mask is zero while it is not to move."""
        seat = self._seat[agent]
        return {
            "observation": self.table.observations[seat].copy(),
            "action_mask": self.table.masks[seat].copy(),
        }

    def describe(self, agent: str) -> dict[str, Any]:
        """What an agent observes, in names and values."""
        return self.table.describe(self._seat[agent])

    def state(self) -> np.ndarray:
        """Every seat's observation, one after the other. For centralised critics only."""
        return self.table.state()

    def to_dict(self) -> dict[str, Any]:
        """The full state in plain Python, JSON-able."""
        return self.table.to_dict()

    def render(self) -> str | np.ndarray | None:
        """The table as text, as a picture (uint8, height × width × 3), or in a window."""
        return self._canvas.draw(self.table, self.perspective)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._canvas.close()


def observation_space(game: Game, ruleset: Any, num_actions: int) -> gymnasium.Space[Any]:
    """The space of what one agent observes."""
    return gymnasium.spaces.Dict(
        {
            "observation": game.layout(ruleset).space(ruleset.history),
            "action_mask": gymnasium.spaces.Box(0, 1, (num_actions,), np.int8),
        }
    )


class GameAEC(GameSpaces, AECEnv[str, dict[str, np.ndarray], int]):
    """One agent after another. An illegal action raises (X2); :func:`wrapped` ends the game instead."""

    observation_space = GameSpaces.observation_space
    action_space = GameSpaces.action_space

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: A new seed, or ``None`` to go on with the next episode of the last one.
            options: What chance decides, fixed (for Duet: ``decks``, ``first_player``), and ``game``,
                the index of the random stream to play.

        Raises:
            InvalidOption, ValueError: An option or the seed is not allowed; nothing has changed then.
        """
        self.table.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.to_move]
        self._skip_agent_selection = None
        self._cycles = 0
        self._moved: set[str] = set()

    def step(self, action: Any) -> None:
        """Play the selected agent's action; ``None`` for an agent whose game is over.

        Raises:
            IllegalAction: The action is not among the legal ones; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        reward = self.table.play(action)
        self._cumulative_rewards[agent] = 0.0
        for name in self.agents:
            self.rewards[name] = reward
            self._cumulative_rewards[name] += reward
        seat = self.table.to_move
        if seat < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {name: {"outcome": self.table.outcome()} for name in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[seat]
            if self.max_cycles is not None:
                self._count_cycle(agent)
        if self.render_mode == "human":
            self.render()

    def _count_cycle(self, agent: str) -> None:
        self._moved.add(agent)
        if len(self._moved) == len(self.agents):
            self._cycles += 1
            self._moved.clear()
        if self._cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]


class _Direct:
    """Reads the course of the game from the game itself.

    PettingZoo's wrappers ask the wrapper below for every attribute, and that one the next: most of the
    time of a wrapped game. Before the first reset the game has none of these attributes, so that the
    wrappers' own message for that case is still given.
    """

    env: Any

    @cached_property
    def _game(self) -> Any:
        return self.env.unwrapped

    agent_selection = property(lambda self: self._game.agent_selection)
    rewards = property(lambda self: self._game.rewards)
    terminations = property(lambda self: self._game.terminations)
    truncations = property(lambda self: self._game.truncations)
    infos = property(lambda self: self._game.infos)
    _cumulative_rewards = property(lambda self: self._game._cumulative_rewards)


class _TerminateIllegal(_Direct, wrappers.TerminateIllegalWrapper):
    pass


class _AssertOutOfBounds(_Direct, wrappers.AssertOutOfBoundsWrapper):
    pass


class _OrderEnforcing(_Direct, wrappers.OrderEnforcingWrapper):
    pass


def wrapped(env: GameAEC) -> AECEnv[str, dict[str, np.ndarray], int]:
    """PettingZoo's usual wrappers, as its classic games have them."""
    return _OrderEnforcing(_AssertOutOfBounds(_TerminateIllegal(env, illegal_reward=-1)))
