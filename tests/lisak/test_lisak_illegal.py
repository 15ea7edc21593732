"""What is not allowed is refused in one sentence, and the state stays as it is (ruling X2): actions."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from lisak_positions import (
    BLANK,
    CARDS,
    PASS,
    WORLD,
    deal,
    legal,
    now,
    number_of,
    play,
    snapshot,
)

import reynard.envs  # noqa: F401 - registers
from reynard.envs import lisak_v0
from reynard.envs.batch import Batch
from reynard.envs.errors import IllegalAction
from reynard.envs.lisak import LISAK

#: The catalogue of the world made by hand: 12 clues, 6 trophies, then these.
SIZE = 12 + 6 + 2 + 6 + 35

#: What is no action at all, or none of the catalogue.
NO_ACTIONS = [
    *(-1, SIZE, 1000, 10**30, 3.0, 3.5, float("nan"), None, True, False, "3", "furry", [3], (3,)),
    *(np.float32(3), np.bool_(True), np.array([3]), np.array([3, 4]), slice(None)),
]

#: How to get into a phase.
PHASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "consult": ({"consultation": 1}, []),
    "write": ({}, []),
    "write without trophies": ({"trophies": 1}, ["trophy: dog"]),
    "tokens": ({}, ["furry", "quick", "tall"]),
    "joker": ({}, ["furry", "quick", "tall", "tokens: 1"]),
    "last round": ({"rounds": 2}, [BLANK, BLANK, BLANK, "tokens: 0"]),
}


def in_phase(phase: str) -> lisak_v0.raw_env:
    options, actions = PHASES[phase]
    env = deal(**options)
    play(env, *actions)
    return env


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(IllegalAction) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- raw_env ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_X2_every_action_that_is_not_legal_in_a_phase_is_refused(phase: str) -> None:
    env = in_phase(phase)
    before, allowed = snapshot(env), legal(env)
    assert 0 < len(allowed) < env.action_space("fox").n == SIZE
    for action in range(SIZE):
        if env.action_name(action) not in allowed:
            message = refusal(lambda action=action: env.step(action))
            assert f"{action} ({env.action_name(action)})" in message and env.agent_selection in message
            assert snapshot(env) == before
    play(env, allowed[0])


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_X2_what_is_no_action_at_all_is_refused(action: Any) -> None:
    env = deal()
    before = snapshot(env)
    agent, rewards, terminations = env.agent_selection, dict(env.rewards), dict(env.terminations)
    message = refusal(lambda: env.step(action))
    assert "lisak game 0" in message and "seeker_0" in message
    assert snapshot(env) == before
    assert (env.agent_selection, env.rewards, env.terminations) == (agent, rewards, terminations)
    play(env, "furry")


def test_X2_the_refusal_names_game_agent_action_and_what_is_legal() -> None:
    env = in_phase("joker")
    message = refusal(lambda: env.step(number_of(env, "tall")))
    assert message == (
        "lisak game 0: fox may not play 4 (clue: tall); legal now: "
        "19 (pass), 26 (joker: row 1, card 1), 27 (joker: row 1, card 2)"
    )
    env.reset(seed=0, options={"game": 12})
    assert "lisak game 12: seeker_0 may not play" in refusal(lambda: env.step(number_of(env, PASS)))


@pytest.mark.parametrize("language", ["en", "cs"])
def test_X2_a_refusal_stays_short_where_much_is_legal(language: str) -> None:
    env = lisak_v0.raw_env("standard", language=language, consultation=0)
    env.reset(seed=0)
    table = env.table
    message = refusal(lambda: env.step(table.masks.shape[1] - 1))
    assert len(message) < 400
    first, blank = table.action_names[0], table.action_names[np.flatnonzero(table.masks[1])[-1]]
    assert f"0 ({first})" in message and f"({blank})" in message


@pytest.mark.parametrize("action", [0, 3, -1, "furry"])
def test_X2_after_the_end_nothing_can_be_played(action: Any) -> None:
    env = deal()
    play(env, "trophy: cat", BLANK, BLANK)
    before = snapshot(env)
    with pytest.raises(ValueError):
        env.step(action)
    assert snapshot(env) == before


def test_X2_a_refused_action_leaves_no_trace_in_the_rest_of_the_game() -> None:
    troubled, calm = (deal(consultation=1) for _ in range(2))
    for action in (PASS, "furry", PASS, "furry", "quick", "trophy: dog", "tokens: 2", "joker: row 1, card 1"):
        for wrong in (SIZE - 1, -1, None):
            refusal(lambda wrong=wrong: troubled.step(wrong))
        play(troubled, action)
        play(calm, action)
        assert snapshot(troubled) == snapshot(calm)


def test_X2_the_wrapped_environment_ends_the_game_instead() -> None:
    env = lisak_v0.env(world=WORLD, consultation=0)
    env.reset(seed=0)
    env.step(number_of(env.unwrapped, PASS))
    assert all(env.terminations.values())
    assert env.rewards["seeker_0"] == -1


# --- the others -------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [19, 25, *NO_ACTIONS], ids=repr)
def test_X2_the_parallel_environment_refuses_the_movers_illegal_action(action: Any) -> None:
    env = lisak_v0.parallel_env(world=WORLD, consultation=0)
    env.reset(seed=0, options={"card": CARDS["cat"]})
    before = snapshot(env)
    message = refusal(lambda: env.step({"fox": 0, "seeker_0": action, "seeker_1": 0, "seeker_2": 0}))
    assert "lisak game 0: seeker_0 may not play" in message
    assert snapshot(env) == before
    assert "seeker_0" in refusal(lambda: env.step({"seeker_1": 0}))
    assert snapshot(env) == before
    env.step({"seeker_0": 0, "fox": None})
    assert now(env, "rows") == [[{"kind": "clue", "text": "furry", "seeker": "seeker_0"}]]


def test_X2_the_parallel_environment_refuses_actions_after_the_end() -> None:
    env = lisak_v0.parallel_env(world=WORLD, consultation=0)
    env.reset(seed=0, options={"card": CARDS["cat"]})
    for action in (12, 18, 18):
        env.step(dict.fromkeys(env.agents, action))
    assert env.agents == []
    before = snapshot(env)
    assert "over" in refusal(lambda: env.step({"seeker_0": 0}))
    assert snapshot(env) == before


def state_of(batch: Batch) -> list[bytes]:
    arrays = (batch.records, batch.observations, batch.masks, batch.to_move, batch.rewards, batch.outcomes)
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("action", [19, 20, SIZE - 1, SIZE, 63, -1, 10_000, -(2**40), 2**40])
@pytest.mark.parametrize("index", [0, 2])
def test_X2_batch_and_vector_environment_refuse_an_illegal_action_and_no_game_moves(
    index: int, action: int
) -> None:
    env = lisak_v0.vector_env(3, world=WORLD, consultation=0, threads=1, first_game=40)
    env.reset(seed=0)
    before = state_of(env.batch)
    actions = np.array([0, 1, 2])
    actions[index] = action
    for step in (env.step, env.batch.step):
        message = refusal(lambda step=step: step(actions))
        assert f"lisak game {40 + index}: seeker_0" in message and str(action) in message
        assert state_of(env.batch) == before
    env.step(np.array([0, 1, 2]))
    assert env.batch.records["cards"][:, 0, 0].tolist() == [[1, 1], [1, 2], [1, 3]]
    env.close()


@pytest.mark.parametrize(
    "actions", [None, 3, [3, 3], [[3, 3, 3]], [3.0, 3.0, 3.0], [True] * 3, ["3"] * 3, [3, 3, None]], ids=repr
)
def test_X2_the_batch_refuses_what_is_not_one_whole_number_for_each_game(actions: Any) -> None:
    batch = Batch(LISAK, count=3, world=WORLD, consultation=0, threads=1)
    batch.reset(seed=0)
    before = state_of(batch)
    with pytest.raises(ValueError, match="actions must be integers of shape"):
        batch.step(actions)
    assert state_of(batch) == before


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_X2_the_solo_environment_refuses_what_is_not_legal(seat: int) -> None:
    env: Any = gymnasium.make(
        "reynard/lisak-v0", disable_env_checker=True, world=WORLD, seat=seat, consultation=0
    ).unwrapped
    view, _ = env.reset(seed=2, options={"card": CARDS["fir"]})
    before = env.table.records.tobytes(), env.table.observations.tobytes()
    for action in (int(np.flatnonzero(view["action_mask"] == 0)[0]), -1, SIZE, None, 0.5):
        assert f"{env.table.agents[seat]} may not play" in refusal(lambda action=action: env.step(action))
        assert (env.table.records.tobytes(), env.table.observations.tobytes()) == before
