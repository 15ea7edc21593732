"""An action outside the mask is refused, and the state stays as it is (ruling X2)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from positions import deal, deck, legal, play, snapshot

from reynard.envs import duet_v0
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.errors import IllegalAction

HANDS = ("dove 4, dove 3, dove 7, rose 2", "dove 1, dove 8, rose 6, star 4", "star 10")

#: What is no action at all, or none of the catalogue (3 is dove 4, which is legal at first).
NO_ACTIONS = [
    -1,
    -30,
    39,
    1000,
    10**30,
    3.0,
    3.5,
    float("nan"),
    None,
    True,
    False,
    "3",
    "dove 4",
    [3],
    (3,),
    np.float32(3),
    np.bool_(True),
    np.array([3]),
    np.array([3, 4]),
    slice(None),
]

#: How to get into a phase, and what is legal there.
PHASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "announce": ({"agreement": 2}, []),
    "play": ({}, []),
    "follow": ({}, ["dove 4"]),
    "exchange": ({}, ["dove 3"]),
    "gift": ({}, ["dove 7"]),
    "move": ({}, ["dove 4", "dove 1"]),
}


def in_phase(phase: str) -> duet_v0.raw_env:
    options, actions = PHASES[phase]
    env = deal(*HANDS, **options)
    play(env, *actions)
    return env


def parallel() -> duet_v0.parallel_env:
    env = duet_v0.parallel_env(hand_size=4)
    env.reset(seed=0, options={"decks": [deck(*HANDS)], "first_player": 0})
    return env


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(IllegalAction) as caught:
        call()
    return str(caught.value)


# --- raw_env ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_X2_every_action_that_is_not_legal_in_a_phase_is_refused(phase: str) -> None:
    env = in_phase(phase)
    before = snapshot(env)
    allowed = legal(env)
    assert 0 < len(allowed) < env.action_space("player_0").n
    for action in range(int(env.action_space("player_0").n)):
        if env.action_name(action) not in allowed:
            refusal(lambda action=action: env.step(action))
            assert snapshot(env) == before
    play(env, allowed[0])


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_X2_what_is_no_action_at_all_is_refused(action: Any) -> None:
    env = deal(*HANDS)
    before = snapshot(env)
    agent, rewards, terminations = env.agent_selection, dict(env.rewards), dict(env.terminations)
    message = refusal(lambda: env.step(action))
    assert "duet" in message and "player_0" in message
    assert snapshot(env) == before
    assert (env.agent_selection, env.rewards, env.terminations) == (agent, rewards, terminations)
    play(env, "dove 4")


def test_X2_the_refusal_names_game_agent_action_and_what_is_legal() -> None:
    env = deal(*HANDS)
    play(env, "rose 2")
    message = refusal(lambda: env.step(0))
    assert "duet game 0" in message
    assert "player_1" in message
    assert "0 (dove 1)" in message
    assert message.endswith("legal now: 15 (rose 6)")


def test_X2_the_refusal_shows_what_is_not_in_the_catalogue_as_it_is() -> None:
    env = deal(*HANDS)
    for action in (77, -1, 3.5, None, "dove 4"):
        message = refusal(lambda action=action: env.step(action))
        assert repr(action) in message
        assert "legal now: 2 (dove 3), 3 (dove 4), 6 (dove 7), 11 (rose 2)" in message


def test_X2_the_refusal_names_the_game_that_reset_chose() -> None:
    env = duet_v0.raw_env()
    env.reset(seed=0, options={"game": 12})
    assert "duet game 12" in refusal(lambda: env.step(30))


def test_X2_NumPys_whole_numbers_are_actions() -> None:
    for kind in (np.int8, np.int64, np.uint8):
        env = deal(*HANDS)
        env.step(kind(3))
        assert env.to_dict()["trick_cards"] == [[0, 3]]


@pytest.mark.parametrize("action", [0, 3, -1, "dove 4"])
def test_X2_after_the_end_nothing_can_be_played(action: Any) -> None:
    env = deal("dove 4", "dove 6", rounds=1)
    play(env, "dove 4", "dove 6")
    before = snapshot(env)
    with pytest.raises(ValueError):
        env.step(action)
    assert snapshot(env) == before


def test_X2_a_refused_action_leaves_no_trace_in_the_rest_of_the_game() -> None:
    troubled, calm = (deal(*HANDS) for _ in range(2))
    for action in ("dove 4", "dove 1", "move towards my end", "dove 3", "rose 2", "dove 8"):
        for wrong in (38, -1, None):
            refusal(lambda wrong=wrong: troubled.step(wrong))
        play(troubled, action)
        play(calm, action)
        assert snapshot(troubled) == snapshot(calm)


# --- parallel_env -----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [0, 30, *NO_ACTIONS], ids=repr)
def test_X2_the_parallel_environment_refuses_the_movers_illegal_action(action: Any) -> None:
    env = parallel()
    before = snapshot(env)
    message = refusal(lambda: env.step({"player_0": action, "player_1": 0}))
    assert "duet game 0" in message and "player_0" in message
    assert "legal now: 2 (dove 3), 3 (dove 4), 6 (dove 7), 11 (rose 2)" in message
    assert snapshot(env) == before
    assert env.agents == ["player_0", "player_1"]
    env.step({"player_0": 3, "player_1": 0})
    assert env.to_dict()["trick_cards"] == [[0, 3]]


def test_X2_the_parallel_environment_refuses_to_go_on_without_the_movers_action() -> None:
    env = parallel()
    before = snapshot(env)
    for actions in ({}, {"player_1": 3}):
        assert "player_0" in refusal(lambda actions=actions: env.step(actions))
        assert snapshot(env) == before


def test_X2_the_parallel_environment_refuses_actions_after_the_end() -> None:
    env = duet_v0.parallel_env(hand_size=1, rounds=1)
    env.reset(seed=0, options={"decks": [deck("dove 4", "dove 6", "star 10")], "first_player": 0})
    env.step({"player_0": 3, "player_1": 0})
    env.step({"player_0": 0, "player_1": 5})
    assert env.agents == []
    before = snapshot(env)
    for actions in ({}, {"player_0": 3, "player_1": 3}):
        assert "over" in refusal(lambda actions=actions: env.step(actions))
        assert snapshot(env) == before


# --- the batch --------------------------------------------------------------------------------------


def three_games(**options: Any) -> Batch:
    batch = Batch(DUET, count=3, hand_size=4, **options)
    batch.reset(seed=0, options={"decks": [deck(*HANDS)], "first_player": 0})
    return batch


def state_of(batch: Batch) -> list[bytes]:
    arrays = (batch.records, batch.observations, batch.masks, batch.to_move, batch.rewards, batch.outcomes)
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("action", [0, 30, 31, 38, -1, 39, 63, 10_000, -(2**40), 2**40])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_X2_the_batch_refuses_an_illegal_action_and_no_game_moves(index: int, action: int) -> None:
    batch = three_games()
    before = state_of(batch)
    actions = np.array([3, 3, 3])
    actions[index] = action
    message = refusal(lambda: batch.step(actions))
    assert f"duet game {index}: player_0" in message
    assert str(action) in message
    assert message.endswith("legal now: 2 (dove 3), 3 (dove 4), 6 (dove 7), 11 (rose 2)")
    assert state_of(batch) == before
    batch.step([3, 2, 6])
    assert batch.records["led"].tolist() == [3, 2, 6]


def test_X2_the_batch_names_the_games_own_index() -> None:
    batch = three_games(first_game=40)
    assert "duet game 41" in refusal(lambda: batch.step([3, 0, 3]))


@pytest.mark.parametrize(
    "actions",
    [
        None,
        3,
        [3, 3],
        [3, 3, 3, 3],
        [[3, 3, 3]],
        [3.0, 3.0, 3.0],
        [True, True, True],
        ["3", "3", "3"],
        [3, 3, None],
    ],
    ids=repr,
)
def test_X2_the_batch_refuses_what_is_not_one_whole_number_for_each_game(actions: Any) -> None:
    batch = three_games()
    before = state_of(batch)
    with pytest.raises(ValueError, match="actions must be integers of shape"):
        batch.step(actions)
    assert state_of(batch) == before


def test_X2_the_batch_passes_over_actions_of_games_that_are_over() -> None:
    batch = Batch(DUET, count=2, hand_size=1, rounds=1)
    batch.reset(seed=0, options={"decks": [deck("dove 4", "dove 6", "star 10")], "first_player": 0})
    batch.step([3, 3])
    batch.step([5, 5])
    assert batch.to_move.tolist() == [-1, -1]
    records = batch.records.tobytes()
    batch.step([-1, 1000])
    assert batch.records.tobytes() == records
    assert not batch.masks.any()
