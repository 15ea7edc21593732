"""PettingZoo's own tests on every preset of every game, and what they do not check."""

import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from games import MODULES, PRESETS
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo_shims import play, playable, without_extra_decisions

import reynard.envs
from reynard.envs import IllegalAction, InvalidOption

# api_test keeps lists of the environments that may have dict observations and all-zero masks; for all
# others it warns of these three, which are how action masks are given (DESIGN of PettingZoo's own games).
# The fourth is about the one agent that has no number, because there is only one of it: the fox.
HARMLESS = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",
        "We recommend agents to be named in the format",
    )
]

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


def harmless(test: Any) -> Any:
    for mark in HARMLESS:
        test = mark(test)
    return test


@harmless
@every_preset
@pytest.mark.parametrize("wrapped", [True, False])
def test_api(name: str, preset: str, wrapped: bool) -> None:
    module = MODULES[name]
    api_test((module.env if wrapped else module.raw_env)(preset), num_cycles=200)


@every_preset
def test_parallel_api(name: str, preset: str) -> None:
    parallel_api_test(MODULES[name].parallel_env(preset), num_cycles=200)


@every_preset
def test_seed(name: str, preset: str) -> None:
    seed_test(lambda: MODULES[name].env(preset), num_cycles=100)


@every_preset
def test_parallel_seed(name: str, preset: str) -> None:
    # the official test samples without masks, and stops after one step; the next one does not
    parallel_seed_test(lambda: playable(MODULES[name].parallel_env(preset)))


@every_preset
def test_X1_parallel_is_the_same_for_the_same_seed_to_the_end(name: str, preset: str) -> None:
    def digest() -> bytes:
        env = playable(MODULES[name].parallel_env(preset))
        seen, infos = env.reset(seed=42)
        for k, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(k)
        trace: list[Any] = [seen, infos]
        while env.agents:
            step = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
            trace.append(step)
            for agent in env.possible_agents:
                assert env.observation_space(agent).contains(step[0][agent])
        return pickle.dumps(trace)

    assert digest() == digest()


def test_max_cycles() -> None:
    for preset in ("standard", "boxed"):
        max_cycles_test(without_extra_decisions(MODULES["duet"], ruleset=preset))


@every_preset
def test_max_cycles_truncates(name: str, preset: str) -> None:
    env = MODULES[name].parallel_env(preset, max_cycles=3)
    playable(env).reset(seed=0)
    for _ in range(3):
        *_, truncations, _infos = env.step({a: env.action_space(a).sample() for a in env.agents})
    assert all(truncations.values()) and not env.agents


@every_preset
def test_render(name: str, preset: str) -> None:
    render_test(lambda render_mode: MODULES[name].env(preset, render_mode=render_mode))


@every_preset
def test_state(name: str, preset: str) -> None:
    module = MODULES[name]
    EnvLogger.suppress_output()  # it samples without masks, and the wrapper says so
    state_test(module.env(preset), module.parallel_env(preset))


@every_preset
def test_performance_benchmark_runs(name: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100_000))
    monkeypatch.setattr("time.time", lambda: next(ticks) / 10)  # its five seconds pass faster
    performance_benchmark(MODULES[name].env(preset))


@pytest.mark.parametrize("name", MODULES)
def test_registered(name: str) -> None:
    environment = f"reynard/{name}-v0"
    aec = pettingzoo.make("aec", environment, ruleset="standard")
    assert isinstance(aec, pettingzoo.AECEnv)
    play(aec, 0, np.random.default_rng(0))
    parallel = pettingzoo.make("parallel", environment, ruleset="standard")
    assert isinstance(parallel, pettingzoo.ParallelEnv)
    assert set(reynard.envs.GAMES) == set(MODULES)


@every_preset
def test_X2_env_ends_the_game_where_raw_env_refuses(name: str, preset: str) -> None:
    EnvLogger.suppress_output()
    module = MODULES[name]
    wrapped, raw = module.env(preset), module.raw_env(preset)
    for env in (wrapped, raw):
        env.reset(seed=0)
    illegal = int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"] == 0)[0])
    before = raw.table.records.tobytes()
    with pytest.raises(IllegalAction, match="may not play"):
        raw.step(illegal)
    assert raw.table.records.tobytes() == before
    wrapped.step(illegal)
    assert all(wrapped.terminations.values())


def test_bad_options_are_refused_in_one_sentence() -> None:
    env = MODULES["duet"].raw_env
    with pytest.raises(InvalidOption, match=r"unknown render_mode 'ascii'.*allowed: ansi"):
        env(render_mode="ascii")
    with pytest.raises(InvalidOption, match="perspective .* from 0 to 1, not 2"):
        env(perspective=2)
    with pytest.raises(InvalidOption, match="max_cycles"):
        env(max_cycles=0)
    with pytest.raises(InvalidOption, match=r"unknown option 'bord'; did you mean 'board'\?"):
        env(bord="A")
    game = env()
    with pytest.raises(InvalidOption, match="did you mean 'decks'"):
        game.reset(options={"deck": []})
    with pytest.raises(ValueError, match="seed must be"):
        game.reset(seed=-1)
    game.reset(options={"something else": 1})  # meant for some wrapper


def test_the_end_is_told_to_all() -> None:
    env = MODULES["duet"].raw_env("tiny")
    play(env, 3, np.random.default_rng(3))
    assert env.agents == []
    parallel = playable(MODULES["duet"].parallel_env("tiny"))
    parallel.reset(seed=3)
    infos: dict[str, Any] = {}
    while parallel.agents:
        *_, infos = parallel.step({a: parallel.action_space(a).sample() for a in parallel.agents})
    assert {info["outcome"] for info in infos.values()} <= {"win", "lost_path", "lost_time"}
    with pytest.raises(IllegalAction, match="is over"):
        parallel.step({})


def test_parallel_needs_the_movers_action() -> None:
    env = MODULES["duet"].parallel_env(first_player=0)
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match="player_0 is to move"):
        env.step({"player_1": 3})
