"""Ruling X3 through every kind of environment: what they tell of the game besides the observation, too."""

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from lisak_games import RULESETS, choose, random_action, scaled
from lisak_worlds import possible_answers, unnamed_stream, world
from numpy.random import Generator

import reynard.envs  # noqa: F401 - registers
from reynard.envs import jit, lisak_v0
from reynard.envs.lisak import Ruleset
from reynard.envs.lisak.state import FOX, PHASES, WRITE
from reynard.envs.table import Table


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


def other_answers(state: np.void, ruleset: Ruleset, rng: Generator, count: int) -> list[np.void]:
    """So many worlds with other answers, if there are, that no seeker can tell from the state."""
    others = []
    possible = [answer for answer in possible_answers(state, ruleset) if answer != state["answer"]]
    for answer in rng.permutation(possible)[:count]:
        other = state.copy()
        other["answer"] = answer
        unnamed_stream(other, rng)
        others.append(other)
    return others


def put(table: Table, state: np.void) -> None:
    table.records[0] = state
    table.refresh()


def in_bytes(value: Any) -> Any:
    """What an environment tells, to be compared byte for byte."""
    if isinstance(value, dict):
        return {key: in_bytes(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_bytes(item) for item in value]
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else repr(value)


# ---------------------------------------------------------------------- PettingZoo


def told_by_aec(env: lisak_v0.raw_env, agent: str) -> dict[str, Any]:
    """What PettingZoo's environment tells one agent."""
    told = {
        "observed": env.observe(agent),
        "described": env.describe(agent),
        "info": env.infos[agent],
        "reward": (env.rewards[agent], env._cumulative_rewards[agent]),
        "over": (env.terminations[agent], env.truncations[agent]),
        "selected": env.agent_selection,
        "picture": env.render(),
    }
    return in_bytes(told)


@pytest.mark.parametrize("name", ["standard", "tiny", "three", "flat", "hintless"])
def test_X3_the_aec_environment_tells_a_seat_nothing_else(name: str) -> None:
    ruleset = RULESETS[name]
    rng = np.random.default_rng(1)
    met: Counter[str] = Counter()
    for seat in (0, 1, ruleset.seekers):
        env = lisak_v0.raw_env(ruleset, render_mode="ansi", perspective=seat)
        agent = env.possible_agents[seat]
        for game in range(scaled(3)):
            env.reset(seed=game)
            while True:
                state = env.table.records[0].copy()
                before = told_by_aec(env, agent)
                others = [] if seat == FOX else other_answers(state, ruleset, rng, 2)
                for other in (*others, world(state, seat, ruleset, rng)):
                    put(env.table, other)
                    assert told_by_aec(env, agent) == before
                    met[PHASES[state["phase"]]] += 1
                put(env.table, state)
                if state["to_move"] < 0:
                    break
                env.step(random_action(env.table, rng))
    expected = {*PHASES} - (set() if ruleset.consultation else {"consult"})
    assert set(met) == expected or not jit.ENABLED


def shared_action(tables: tuple[Table, Table], rng: Generator) -> int | None:
    """What can be done at both tables; ``None`` if there is nothing."""
    both = tables[0].masks[tables[0].to_move] * tables[1].masks[tables[1].to_move]
    action = random_action(tables[0], rng)
    if both[action]:
        return action
    return int(rng.choice(np.flatnonzero(both))) if both.any() else None


@pytest.mark.parametrize("name", ["small", "three", "bare", "known"])
def test_X3_a_seeker_cannot_tell_two_answers_apart_until_the_rules_do(name: str) -> None:
    """Two games with different answers, played alike through both of PettingZoo's environments.

    All that step() returns and the environment holds is the same for the seekers, until the fox cannot
    give the same count any more, or one of the answers is written.
    """
    ruleset = RULESETS[name]
    rng = np.random.default_rng(2)
    ends: Counter[str] = Counter()
    together = 0
    aec = [lisak_v0.raw_env(ruleset) for _ in range(2)]
    parallel = [lisak_v0.parallel_env(ruleset) for _ in range(2)]
    seekers = aec[0].possible_agents[1:]
    for game in range(scaled(60)):
        hint = ruleset.words.hint_of
        first = int(rng.choice(ruleset.deck))
        like = [k for k in ruleset.deck if k != first and (not ruleset.hint or hint[k] == hint[first])]
        cards = [ruleset.words.cards[answer] for answer in (first, int(rng.choice(like)))]
        returned: list[Any] = []
        for k, card in enumerate(cards):
            aec[k].reset(seed=game, options={"card": card})
            returned.append(parallel[k].reset(seed=game, options={"card": card}))
        while True:
            for agent in seekers:
                one, two = (
                    in_bytes(
                        {
                            "observed": aec[k].observe(agent),
                            "info": aec[k].infos[agent],
                            "rewards": (aec[k].rewards[agent], aec[k].terminations[agent]),
                            "selected": aec[k].agent_selection,
                            "returned": {i: part[agent] for i, part in enumerate(returned[k])},
                        }
                    )
                    for k in range(2)
                )
                assert one == two
            if not parallel[0].agents:
                ends["over"] += 1
                break
            action = shared_action((aec[0].table, aec[1].table), rng)
            if action is None:
                ends["another count"] += 1
                break
            for k in range(2):
                aec[k].step(action)
                returned[k] = parallel[k].step(dict.fromkeys(parallel[k].agents, action))
            if aec[0].to_dict()["outcome"] != aec[1].to_dict()["outcome"]:
                ends["one is written"] += 1
                break
            together += 1
    if jit.ENABLED:
        assert together > 300
        assert {"over", "one is written"} <= set(ends), ends
        assert ruleset.fox == "free" or ends["another count"], ends


# ---------------------------------------------------------------------- Gymnasium


@pytest.mark.parametrize("name", ["tiny", "three", "flat", "hintless"])
def test_X3_every_row_of_the_vector_environment_is_blind(name: str) -> None:
    """Rows are the movers' views. What a step brings is the same, too, unless it completes a row of cards."""
    ruleset = RULESETS[name]
    true, false = (lisak_v0.vector_env(scaled(30), ruleset, threads=1) for _ in range(2))
    observed, _ = true.reset(seed=3)
    rng = np.random.default_rng(3)
    false.reset(seed=4)
    changed = lasts = 0
    for _ in range(60):
        records = true.batch.records
        for index, seat in enumerate(true.batch.to_move.tolist()):
            false.batch.records[index] = world(records[index], seat, ruleset, rng)
        changed += np.count_nonzero(false.batch.records["answer"] != records["answer"])
        false.batch.refresh()
        assert in_bytes(
            {"observation": false.batch.observations, "action_mask": false.batch.masks}
        ) == in_bytes(observed)
        assert np.array_equal(false.batch.to_move, true.batch.to_move)
        last_round = records["round_number"] == ruleset.rounds - 1
        full = (records["phase"] == WRITE) & (last_round | (records["place"] + 1 == ruleset.row_length))
        actions = choose(true.batch, rng)
        (observed, rewards, ended, cut, infos), told = true.step(actions), false.step(actions)
        for mine, theirs in ((rewards, told[1]), (ended, told[2]), (cut, told[3])):
            assert np.array_equal(mine[~full], theirs[~full])
        assert not ended[~full].any()
        if ruleset.writing == "in_turn" and (ended & told[2]).any():
            outcomes = [step["final_info"]["outcome"] for step in (infos, told[4])]
            for index in np.flatnonzero(ended & told[2] & (outcomes[0] == outcomes[1])):
                mine, theirs = (step["final_obs"][index] for step in (infos, told[4]))
                assert in_bytes(mine) == in_bytes(theirs)
                lasts += 1
    assert lasts > 0 or ruleset.writing == "hidden" or not jit.ENABLED
    assert changed > 0
    true.close()
    false.close()


@pytest.mark.parametrize("name", ["small", "flat", "known", "hintless"])
def test_X3_the_solo_environment_tells_its_seat_nothing_else(name: str) -> None:
    ruleset = RULESETS[name]
    rng = np.random.default_rng(5)
    phases = set()
    for seat in (0, 1, 2):
        env: Any = gymnasium.make(
            "reynard/lisak-v0", ruleset=ruleset, seat=seat, render_mode="ansi", disable_env_checker=True
        ).unwrapped

        def told(env: Any = env) -> Any:
            return in_bytes([env._observe(), env._info(), env.action_masks(), env.render()])

        for game in range(scaled(4)):
            env.reset(seed=game)
            over = env.table.to_move < 0  # the fox may never get to move
            while True:
                state = env.table.records[0].copy()
                before = told()
                others = [] if seat == FOX else other_answers(state, ruleset, rng, 2)
                for other in (*others, world(state, seat, ruleset, rng)):
                    put(env.table, other)
                    assert told() == before
                put(env.table, state)
                phases.add(PHASES[state["phase"]])
                if over:
                    break
                _, _, over, _, info = env.step(random_action(env.table, rng))
                assert set(info) == ({"seat", "outcome"} if over else {"seat"})
    expected = {*PHASES} - (set() if ruleset.consultation else {"consult"})
    assert phases == expected or not jit.ENABLED
