"""TorchRL sees the games as they are: its rollouts are played again, move by move, in our own environment."""

from typing import Any

import numpy as np
import pytest
from games import MODULES, PRESETS

torch = pytest.importorskip("torch")
torchrl_envs = pytest.importorskip("torchrl.envs")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning"),
]

SEED, STEPS = 7, 400  # many games of each kind
REWARDED = {"duet", "lisak-tiny"}  # random players hardly ever find a word of a bigger world


def seats(env: Any) -> list[tuple[str, str, int]]:
    """Every agent with its group and its place in the group."""
    return [
        (agent, group, place) for group, agents in env.group_map.items() for place, agent in enumerate(agents)
    ]


def same_view(seen: Any, env: Any, direct: Any) -> None:
    """What TorchRL gives to every agent is what the game itself shows."""
    acting = [direct.agent_selection]
    if env.parallel:
        acting = [] if any(direct.terminations.values()) else direct.possible_agents
    for agent, group, place in seats(env):
        shown, mask = direct.observe(agent).values()
        given = seen[group, "observation", "observation"][place].numpy()
        assert given.dtype == shown.dtype and (given == shown).all()
        # TorchRL calls everything legal for an agent that it does not ask
        expected = mask if agent in acting else np.ones_like(mask)
        assert (seen[group, "action_mask"][place].numpy() == expected).all()
        assert bool(seen[group, "mask"][place]) == (agent in acting)


def replay(env: Any, direct: Any, rollout: Any) -> tuple[int, float]:
    """Play a rollout again and compare every step of it; how many games ended, and what was earned."""
    direct.reset(seed=SEED)
    direct.reset()  # seeding a TorchRL environment begins a game, and the rollout begins the next one
    ended, earned = 0, 0.0
    where = {agent: (group, place) for agent, group, place in seats(env)}
    for step in rollout.unbind(0):
        same_view(step, env, direct)
        group, place = where[direct.agent_selection]
        direct.step(int(step[group, "action"][place]))
        after = step["next"]
        same_view(after, env, direct)
        for agent, (group, place) in where.items():
            assert after[group, "reward"][place].item() == np.float32(direct.rewards[agent])
            assert after[group, "terminated"][place].item() == direct.terminations[agent]
            assert after[group, "truncated"][place].item() == direct.truncations[agent]
        assert after["terminated"].item() == all(direct.terminations.values())
        assert after["truncated"].item() == all(direct.truncations.values())
        earned += direct.rewards[direct.possible_agents[0]]
        if after["done"].item():
            ended += 1
            direct.reset()
    return ended, earned


@pytest.mark.parametrize("max_cycles", [None, 5])
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_aec_rollouts_are_our_games(name: str, preset: str, max_cycles: int | None) -> None:
    module = MODULES[name]
    env = torchrl_envs.PettingZooWrapper(module.env(preset, max_cycles=max_cycles), use_mask=True)
    env.set_seed(SEED)
    torch.manual_seed(SEED)
    rollout = env.rollout(STEPS, break_when_any_done=False)
    ended, earned = replay(env, module.raw_env(preset, max_cycles=max_cycles), rollout)
    assert ended >= 3
    if max_cycles is not None:
        assert rollout["next", "truncated"].any()
    elif name in REWARDED or f"{name}-{preset}" in REWARDED:
        assert earned > 0


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_parallel_rollouts_are_our_games(name: str, preset: str) -> None:
    module = MODULES[name]
    env = torchrl_envs.PettingZooWrapper(module.parallel_env(preset), use_mask=True)

    def act(td: Any) -> Any:  # the name tells TorchRL that it takes everything at once
        for group in env.group_map:
            mask = td[group, "action_mask"]
            choices = mask | ~mask.any(-1, keepdim=True)  # who waits passes, whatever it gives
            td[group, "action"] = torch.multinomial(choices.float(), 1).squeeze(-1)
        return td

    env.set_seed(SEED)
    torch.manual_seed(SEED)
    rollout = env.rollout(STEPS, act, break_when_any_done=False)
    ended, earned = replay(env, module.raw_env(preset), rollout)
    assert ended >= 3
    if name in REWARDED or f"{name}-{preset}" in REWARDED:
        assert earned > 0


@pytest.mark.parametrize("name", MODULES)
def test_torchrls_own_check(name: str) -> None:
    env = torchrl_envs.PettingZooWrapper(MODULES[name].env(), use_mask=True, return_state=True)
    torchrl_envs.check_env_specs(env)
    assert (env.reset()["state"].numpy() == env._env.unwrapped.state()).all()
