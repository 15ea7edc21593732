"""A game as RLlib sees it: agents that take turns, each with rows of numbers to look at."""

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.utils.typing import MultiAgentDict as Agents

from ...envs import find_game
from ...envs.game import Game
from ...envs.streams import NAMES, below, random_words
from ...envs.table import Table
from ...policies.prospects import prospects_of, with_prospects


@dataclass(frozen=True)
class Row:
    """What stands where in what an agent is shown: its observation, its mask, and the critic's state.

    It is one array instead of a mapping of three, because RLlib copies and stacks every array by itself.

    Args:
        whole: Numbers that the actor reads: the observation and, where asked for, all actions' prospects.
        actions: Flags of the mask behind them.
        state: Numbers behind that which only the critic reads: what every seat observes; 0: none.
    """

    whole: int
    actions: int
    state: int

    @property
    def mask(self) -> slice:
        """Where the flags of the mask are."""
        return slice(self.whole, self.whole + self.actions)

    @property
    def size(self) -> int:
        """Numbers in all."""
        return self.whole + self.actions + self.state


def row_of(game: Game, ruleset: Any, prospects: bool, full_state: bool) -> Row:
    """What an agent is shown in a game.

    Args:
        game: The game.
        ruleset: Its checked options.
        prospects: Whether the actor reads prospects.
        full_state: Whether the critic reads the full state.
    """
    size, actions = game.layout(ruleset).visible_size(ruleset.history), len(game.action_names(ruleset))
    more = actions * len(prospects_of(game, ruleset).names) if prospects else 0
    return Row(size + more, actions, size * len(game.agents(ruleset)) if full_state else 0)


class TeamEnv(MultiAgentEnv):
    """One game. Only the agent that is to move gets a row (:class:`Row`); every agent gets every reward.

    Rows are of the layout's dtype, shape ``(row.size,)``. When the game is over every agent gets a last one,
    so that all of them have what they earned after their last action.

    Args:
        config: RLlib's environment config with the keys ``game``, ``ruleset``, ``prospects``, ``full_state``,
            ``other_play`` and ``seed``; what they mean is said in
            :class:`~reynard.training.selfplay.SelfPlay`.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        game = find_game(config["game"])
        self.table = table = Table(game, config["ruleset"])
        self._prospects = prospects_of(game, table.ruleset) if config["prospects"] else None
        self._full_state = config["full_state"]
        self._seen_as, self._meant = game.symmetries(table.ruleset)
        self._ways = len(self._meant) if config["other_play"] else 1
        self._seats = range(len(table.agents))
        self._names = [0 for _ in self._seats]  # under which of the symmetries each seat sees the game
        self._seed: int | None = config["seed"]
        self._number = 0
        self.row = row_of(game, table.ruleset, config["prospects"], config["full_state"])
        limits = np.iinfo(table.layout.dtype)
        space = gymnasium.spaces.Box(limits.min, limits.max, (self.row.size,), table.layout.dtype.type)
        self.agents = self.possible_agents = list(table.agents)
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, gymnasium.spaces.Discrete(self.row.actions))

    def number(self, seed: int, number: int) -> None:
        """Say which game of which seed this is; the next :meth:`reset` begins its first episode."""
        self._seed, self._number = seed, number

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Agents, Agents]:
        """Begin the next episode. RLlib's own seeds, which several runners may share, are passed over."""
        self.table.begin(self._seed, {"game": self._number})
        self._seed = None
        if self._ways > 1:
            of = self.table.records[0]
            for seat in self._seats:
                words = random_words(of["key"], of["game"], of["episode"], NAMES, seat)
                self._names[seat] = below(words[0], self._ways)
        mover = self.table.to_move
        return {self.agents[mover]: self._show(mover)}, {}

    def step(self, action_dict: Agents) -> tuple[Agents, Agents, Agents, Agents, Agents]:
        """Play the mover's action.

        Returns:
            Rows, rewards, ends (with ``__all__``), truncations (never), and at the end of a game
            ``outcome`` in the infos.

        Raises:
            IllegalAction: It is not legal.
        """
        mover = self.table.to_move
        action = action_dict[self.agents[mover]]
        reward = self.table.play(self._meant[self._names[mover], action] if self._ways > 1 else action)
        mover = self.table.to_move
        over = mover < 0
        seen = {self.agents[seat]: self._show(seat) for seat in (self._seats if over else (mover,))}
        outcome = self.table.outcome()
        infos = {agent: {"outcome": outcome} for agent in self.agents} if over else {}
        return seen, dict.fromkeys(self.agents, reward), {"__all__": over}, {"__all__": False}, infos

    def _show(self, seat: int) -> np.ndarray:
        table, way = self.table, self._names[seat]
        seen, mask = table.observations[seat : seat + 1], table.masks[seat : seat + 1]
        if self._ways > 1:
            seen, mask = seen[:, self._seen_as[way]], mask[:, self._meant[way]]
        parts = [with_prospects(seen, mask, self._prospects)[0], mask[0].astype(seen.dtype)]
        if self._full_state:
            parts.append(np.roll(table.observations, -seat, axis=0).reshape(-1))
        return np.concatenate(parts)
