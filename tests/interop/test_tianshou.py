"""Tianshou sees the games as they are: what it collects is played again in our own environment."""

from typing import Any

import numpy as np
import pytest
from games import MODULES, PRESETS

pytest.importorskip("tianshou")

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, ReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

pytestmark = pytest.mark.interop

SEED = 7
EPISODES = {"duet": 3, "lisak": 20}
REWARDED = {"duet", "lisak-tiny"}  # random players hardly ever find a word of a bigger world


def collect(env: Any, episodes: int) -> Any:
    """What Tianshou's own random players, who look at the masks, make of the game."""
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    buffer = ReplayBuffer(5000)
    collector = Collector[CollectStats](
        MultiAgentOffPolicyAlgorithm(algorithms=players, env=env), DummyVectorEnv([lambda: env]), buffer
    )
    np.random.seed(SEED)  # what these players draw from
    collector.reset(gym_reset_kwargs={"seed": SEED})
    assert collector.collect(n_episode=episodes).n_collected_episodes == episodes
    return buffer


def same_view(seen: Any, row: int, direct: Any) -> None:
    """What Tianshou gives to whoever is to move is what the game itself shows."""
    agent = direct.agent_selection
    shown, mask = direct.observe(agent).values()
    assert seen.agent_id[row] == agent
    assert seen.obs.dtype == shown.dtype and (seen.obs[row] == shown).all()
    assert (seen.mask[row] == mask).all()


@pytest.mark.parametrize("max_cycles", [None, 5])
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_collected_games_are_our_games(name: str, preset: str, max_cycles: int | None) -> None:
    module = MODULES[name]
    buffer = collect(PettingZooEnv(module.env(preset, max_cycles=max_cycles)), EPISODES[name])
    direct = module.raw_env(preset, max_cycles=max_cycles)
    direct.reset(seed=SEED)
    outcomes, earned = [], 0.0
    for row in range(len(buffer)):
        same_view(buffer.obs, row, direct)
        direct.step(int(buffer.act[row]))
        same_view(buffer.obs_next, row, direct)
        mover = direct.agent_selection
        assert buffer.rew[row].tolist() == list(direct.rewards.values())
        assert buffer.terminated[row] == direct.terminations[mover]
        assert buffer.truncated[row] == direct.truncations[mover]
        earned += direct.rewards[mover]
        if buffer.done[row]:
            outcomes.append(direct.infos[mover].get("outcome"))
            if outcomes[-1] is not None:
                assert buffer.info.outcome[row] == outcomes[-1]
            direct.reset()
    assert len(outcomes) == EPISODES[name]
    if max_cycles is not None:
        assert None in outcomes
    elif name in REWARDED or f"{name}-{preset}" in REWARDED:
        assert earned > 0
