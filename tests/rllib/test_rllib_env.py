"""A game as RLlib sees it: what is shown, what is earned, and what the learner makes of it."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")

from games import MODULES
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.evaluation.postprocessing import Postprocessing
from rllib_runs import tiny

from reynard.envs import IllegalAction
from reynard.training.rllib.algorithm import TEAM, make_config
from reynard.training.rllib.env import TeamEnv
from reynard.training.selfplay import SelfPlay

pytestmark = [
    pytest.mark.rllib,
    pytest.mark.filterwarnings("ignore:.*rllib-multi-agent-env-v0 already in registry:UserWarning"),
]


def team_env(game: str, **changes: Any) -> TeamEnv:
    config = {"game": game, "ruleset": "tiny", "seed": 3, "prospects": False, "full_state": False}
    return TeamEnv(config | {"other_play": False} | changes)


@pytest.mark.parametrize("prospects", [False, True])
@pytest.mark.parametrize("full_state", [False, True])
@pytest.mark.parametrize("other_play", [False, True])
@pytest.mark.parametrize("name", MODULES)
def test_it_shows_what_the_other_backend_shows(
    name: str, prospects: bool, full_state: bool, other_play: bool
) -> None:
    """The same games, rows, masks, meanings of actions, rewards and ends, over several episodes."""
    options = {"prospects": prospects, "full_state": full_state, "other_play": other_play}
    there = SelfPlay(MODULES[name].GAME, "tiny", 3, seed=3, **options)
    envs = [team_env(name, **options) for _ in range(3)]
    for index, env in enumerate(envs):
        env.number(3, index)
    rng, theirs, ended = np.random.default_rng(0), there.reset(), 0
    mine = [env.reset(seed=8)[0] for env in envs]
    for _ in range(120):
        masks = there.action_masks().copy()
        rows = theirs["observation"] if full_state else theirs
        for index, shown in enumerate(mine):
            (agent,) = shown
            parts = [rows[index], masks[index], *([theirs["state"][index]] if full_state else [])]
            assert (shown[agent] == np.concatenate(parts)).all()
            assert envs[index].observation_spaces[agent].contains(shown[agent])
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        theirs, rewards, ends, infos = there.step(actions)
        for index, env in enumerate(envs):
            (agent,) = mine[index]
            mine[index], earned, over, cut, told = env.step({agent: int(actions[index])})
            assert earned == dict.fromkeys(env.possible_agents, rewards[index])
            assert over == {"__all__": bool(ends[index])} and cut == {"__all__": False}
            if ends[index]:
                ended += 1
                assert set(mine[index]) == set(told) == set(env.possible_agents)
                assert told[agent]["outcome"] == infos[index]["outcome"]
                last = infos[index]["terminal_observation"]
                assert (mine[index][agent][: len(last)] == last).all()
                mine[index] = env.reset()[0]
    assert ended > 5


def test_an_illegal_action_is_refused() -> None:
    env = team_env("duet")
    shown, _ = env.reset()
    ((agent, row),) = shown.items()
    with pytest.raises(IllegalAction):
        env.step({agent: int(np.flatnonzero(row[env.row.mask] == 0)[0])})


def sampler(game: str, **changes: Any) -> tuple[MultiAgentEnvRunner, Any]:
    config = make_config(tiny(game=game, games=4, **changes), runners=1)
    return MultiAgentEnvRunner(config, worker_index=1), config


Moves = list[tuple[str, int, float]]


def listen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Moves, list[bool]]]:
    """Of every episode that is played from now on: who did what and what it brought to all; is it over?"""
    told: list[tuple[Moves, list[bool]]] = []
    current: dict[int, tuple[Moves, list[bool]]] = {}
    step, reset = TeamEnv.step, TeamEnv.reset

    def logged_reset(env: TeamEnv, **given: Any) -> Any:
        current[env._number] = [], []
        told.append(current[env._number])
        return reset(env, **given)

    def logged_step(env: TeamEnv, actions: dict[str, Any]) -> Any:
        mover = env.agents[env.table.to_move]
        result = step(env, actions)
        moves, over = current[env._number]
        moves.append((mover, int(actions[mover]), float(result[1][mover])))
        over += [True] * result[2]["__all__"]
        return result

    monkeypatch.setattr(TeamEnv, "reset", logged_reset)
    monkeypatch.setattr(TeamEnv, "step", logged_step)
    return told


def by_hand(moves: Moves) -> list[tuple[str, tuple[int, ...], tuple[float, ...]]]:
    """Of every agent of an episode its actions, and what it earned from each until it was to move again."""
    lines = []
    for agent in dict.fromkeys(mover for mover, _, _ in moves):
        earned: list[float] = []
        for mover, _, gain in moves:
            if mover == agent:
                earned.append(0.0)
            if earned:
                earned[-1] += gain
        actions = tuple(action for mover, action, _ in moves if mover == agent)
        lines.append((agent, actions, tuple(round(gain, 5) for gain in earned)))
    return lines


@pytest.mark.parametrize("game", ["duet", "lisak"])
def test_everything_that_is_earned_arrives_and_returns_are_those_by_hand(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over fragments that cut episodes anywhere, and in the learner's targets of whole ones."""
    told = listen(monkeypatch)
    runner, config = sampler(game, **{"ppo.gamma": 0.9, "ppo.gae_lambda": 1.0})
    chunks: dict[Any, list[Any]] = {}
    for _ in range(12):
        for episode in runner.sample(num_timesteps=50):
            for agent, one in episode.agent_episodes.items():
                chunks.setdefault((episode.id_, agent), []).append(one)
    found = [
        (
            agent,
            tuple(int(action) for part in parts for action in part.get_actions()),
            tuple(round(float(gain), 5) for part in parts for gain in part.get_rewards()),
        )
        for (_, agent), parts in chunks.items()
        if parts[-1].is_terminated
    ]
    assert any(len(parts) > 1 and parts[-1].is_terminated for parts in chunks.values())
    expected = [line for moves, over in told if over for line in by_hand(moves)]
    assert sorted(found) == sorted(expected) and len(found) > 8
    assert any(gain > 0 for _, _, gains in found for gain in gains)

    learner = config.build_learner(env=runner.env)
    episodes = runner.sample(num_episodes=6)
    expected = []
    for one in (one for episode in episodes for one in episode.agent_episodes.values()):
        ahead, seen = 0.0, one.get_observations()
        for moment in reversed(range(len(one))):
            ahead = float(one.get_rewards(moment)) + 0.9 * ahead
            expected.append((seen[moment].tobytes(), ahead))
    batch = learner._learner_connector(
        rl_module=learner.module, batch={}, episodes=episodes, shared_data={}, metrics=learner.metrics
    )[TEAM]
    counted = batch[Columns.LOSS_MASK].numpy()
    rows, targets = (batch[name].numpy()[counted] for name in (Columns.OBS, Postprocessing.VALUE_TARGETS))
    found = [(row.tobytes(), float(target)) for row, target in zip(rows, targets, strict=True)]
    expected, found = sorted(expected), sorted(found)
    assert [row for row, _ in found] == [row for row, _ in expected]
    assert [target for _, target in found] == pytest.approx([target for _, target in expected], abs=1e-4)
