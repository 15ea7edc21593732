"""PettingZoo's parallel environment of any game: all agents step at once, and who is not to move passes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from .aec import GameSpaces
from .errors import IllegalAction

Observations = dict[str, dict[str, np.ndarray]]


class GameParallel(GameSpaces, ParallelEnv[str, dict[str, np.ndarray], int]):
    """Every step plays the mover's action. The others' actions are passes, whatever they are."""

    observation_space = GameSpaces.observation_space
    action_space = GameSpaces.action_space

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begin an episode; the arguments are those of the AEC environment's ``reset``."""
        self.table.begin(seed, options)
        self.agents = self.possible_agents[:]
        self._cycles = 0
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the action of the agent that is to move.

        Raises:
            IllegalAction: The mover's action is missing or not legal; nothing has changed then.
        """
        agents = self.agents
        seat = self.table.to_move
        if agents and self.possible_agents[seat] not in actions:
            raise IllegalAction(
                f"{self.possible_agents[seat]} is to move, but actions has only {list(actions)}"
            )
        reward = self.table.play(actions[self.possible_agents[seat]] if agents else None)
        self._cycles += 1
        over = self.table.to_move < 0
        cut = not over and self._cycles == self.max_cycles
        outcome = {"outcome": self.table.outcome()} if over else {}
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self.observe(agent) for agent in agents},
            dict.fromkeys(agents, reward),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: dict(outcome) for agent in agents},
        )
