"""What PettingZoo's official tests need to know about games with action masks.

Some of them sample actions without looking at the mask, which an environment that refuses illegal
actions (X2) must not accept. ``playable`` gives such a test an environment whose action spaces sample
legal actions only; nothing else about the environment is changed.
"""

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np


class LegalDiscrete(gymnasium.spaces.Discrete):
    """Samples a legal action of an agent that is to move, and 0 for any other."""

    def __init__(self, env: Any, agent: str) -> None:
        super().__init__(env.unwrapped.action_space(agent).n)
        self._env, self._agent = env, agent

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        legal = self._env.unwrapped.observe(self._agent)["action_mask"] if mask is None else mask
        return super().sample(legal if legal.any() else None) if legal.any() else self.start


def playable(env: Any) -> Any:
    """The same environment, sampling legal actions; its spaces stay the same objects over its life."""
    spaces = {agent: LegalDiscrete(env, agent) for agent in env.possible_agents}
    env.unwrapped.action_spaces = spaces
    return env


#: Decks with which every trick takes just two decisions as long as both prefer even ranks, which have no
#: character: PettingZoo's max_cycles_test expects that all agents move equally often.
SEAT_0 = [1, 5, 9, 11, 15, 19, 21, 25, 0, 2, 4]
SEAT_1 = [3, 7, 13, 17, 23, 27, 29, 20, 22, 24, 26]
EVEN_DECK = [*SEAT_0, *SEAT_1, 6, 8, 10, 12, 14, 16, 18, 28]


class EvenDiscrete(LegalDiscrete):
    """Prefers the cards that have no character."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        legal = self._env.unwrapped.observe(self._agent)["action_mask"]
        plain = legal.copy()
        plain[0:30:2] = 0
        plain[30:] = 0
        return super().sample(plain if plain.any() else legal)


def without_extra_decisions(module: Any, **options: Any) -> SimpleNamespace:
    """The game's module for ``max_cycles_test``, dealing :data:`EVEN_DECK`."""

    def made(maker: Any) -> Any:
        def make(max_cycles: int) -> Any:
            env = maker(max_cycles=max_cycles, **options)
            env.unwrapped.action_spaces = {agent: EvenDiscrete(env, agent) for agent in env.possible_agents}
            reset = env.reset
            env.reset = lambda: reset(options={"decks": [EVEN_DECK]})
            return env

        return make

    return SimpleNamespace(env=made(module.env), parallel_env=made(module.parallel_env))


def play(env: Any, seed: int, rng: np.random.Generator) -> None:
    """One random legal episode of an AEC environment."""
    env.reset(seed=seed)
    for _agent in env.agent_iter():
        seen, _reward, terminated, truncated, _info = env.last()
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
