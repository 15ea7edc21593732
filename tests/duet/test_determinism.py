"""Ruling X1: an episode is a pure function of (config, seed, actions), wherever it is played.

Also the random streams themselves (known answers, deals that are fair) and saved states.
"""

import copy
import hashlib
import pickle
from typing import Any

import numpy as np
import pytest
from moments import assert_same, choose, make, moment, play
from strategies import RULESETS, scaled

from reynard.envs import duet_v0, jit
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.cards import NUM_CARDS
from reynard.envs.duet.state import NONE
from reynard.envs.errors import InvalidOption
from reynard.envs.table import Table
from reynard.envs.vector import GameVectorEnv


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


# ---------------------------------------------------------------------- the same episode again


@pytest.mark.parametrize("name", RULESETS)
def test_X1_the_same_seed_and_actions_give_the_same_episodes(name: str) -> None:
    first, second = make(name, scaled(200)), make(name, scaled(200))
    first.reset(seed=11)
    second.reset(seed=12)
    for _ in play(second, 5):
        pass
    second.reset(seed=11)
    assert_same(moment(first), moment(second))
    for actions, mine in play(first, 150):
        second.step(actions, restart=True)
        assert_same(mine, moment(second))
    assert first.records["episode"].min() > 0  # every game began anew at least once


def test_X1_global_random_numbers_make_no_difference() -> None:
    batch, again = make("standard", scaled(100)), make("standard", scaled(100))
    np.random.seed(1)
    batch.reset(seed=3)
    np.random.seed(2)
    again.reset(seed=3)
    assert_same(moment(batch), moment(again))


@pytest.mark.parametrize("count", [1, 7, 64, 600])
@pytest.mark.parametrize("threads", [1, 2])
def test_X1_size_of_the_batch_and_threads_make_no_difference(count: int, threads: int) -> None:
    if not jit.ENABLED:
        count = min(count, 7)
    whole = make("tiny_agreement", max(count, 20) + 13)
    part = make("tiny_agreement", count, first_game=13, threads=threads)
    whole.reset(seed=5)
    part.reset(seed=5)
    games = slice(13, 13 + count)
    assert_same(moment(part), moment(whole), games)
    for actions, theirs in play(whole, 60):
        part.step(actions[games], restart=True)
        assert_same(moment(part), theirs, games)
    assert part.records["episode"].min() > 0


@pytest.mark.parametrize(
    ("name", "games"), [("tiny", 1500), ("standard", 200), ("boxed", 200), ("short", 200)]
)
def test_X1_a_game_of_a_batch_plays_as_the_same_game_alone(name: str, games: int) -> None:
    games = scaled(games)
    first_game = 1000
    whole = make(name, games, first_game)
    alone = [make(name, 1, first_game + index) for index in range(games)]
    whole.reset(seed=6)
    for index, batch in enumerate(alone):
        batch.reset(seed=6)
        assert batch.records.tobytes() == whole.records[index : index + 1].tobytes()
    for actions, theirs in play(whole, 45 if name == "tiny" else 110):
        for index, batch in enumerate(alone):
            batch.step(actions[index : index + 1], restart=True)
            ended = bool(batch.outcomes[0])
            same = (
                batch.records.tobytes() == theirs["records"][index : index + 1].tobytes()
                and batch.observations.tobytes() == theirs["observations"][index].tobytes()
                and batch.masks.tobytes() == theirs["masks"][index].tobytes()
                and batch.rewards[0] == theirs["rewards"][index]
                and batch.outcomes[0] == theirs["outcomes"][index]
                and (not ended or batch.final_observations.tobytes() == theirs["final"][index].tobytes())
            )
            assert same, f"game {first_game + index} is another one alone"
    assert (whole.records["episode"] > 0).mean() > 0.9


@pytest.mark.parametrize(("name", "games"), [("tiny", 1000), ("standard", 150), ("agreement", 150)])
def test_X1_a_game_of_a_batch_plays_as_the_same_game_at_a_table(name: str, games: int) -> None:
    """At a table both seats look on; the batch shows what its mover sees."""
    games = scaled(games)
    batch = make(name, games, first_game=40)
    batch.reset(seed=8)
    history = [(None, moment(batch)), *play(batch, 60 if name == "tiny" else 110)]
    table = Table(DUET, RULESETS[name])
    episodes = 0
    for index in range(games):
        table.begin(8, {"game": 40 + index})
        for actions, now in history:
            if actions is not None:
                seat = table.to_move
                reward = table.play(actions[index])
                assert reward == now["rewards"][index]
                assert table.records["outcome"][0] == now["outcomes"][index]
                if table.to_move == NONE:
                    assert table.observations[seat].tobytes() == now["final"][index].tobytes()
                    table.begin(options={"game": 40 + index})
                    episodes += 1
            seat = table.to_move
            assert table.records[0].tobytes() == now["records"][index].tobytes()
            assert table.observations[seat].tobytes() == now["observations"][index].tobytes()
            assert table.masks[seat].tobytes() == now["masks"][index].tobytes()
            assert not table.masks[1 - seat].any()
    assert episodes >= games


def test_X1_environments_play_the_same_games() -> None:
    """PettingZoo's two and the vector one: game by game, episode by episode."""
    games = scaled(100)
    vector = duet_v0.vector_env(games, "tiny", threads=1)
    observed, _ = vector.reset(seed=9)
    history: list[Any] = [(None, {key: array.copy() for key, array in observed.items()}, None, None)]
    rng = np.random.default_rng(9)
    for _ in range(40):
        actions = (observed["action_mask"] * rng.random(observed["action_mask"].shape)).argmax(1)
        observed, rewards, ended, _, _ = vector.step(actions)
        history.append((actions, observed, rewards, ended))
    aec, parallel = duet_v0.raw_env("tiny"), duet_v0.parallel_env("tiny")
    for index in range(games):
        for env in (aec, parallel):
            env.reset(seed=9, options={"game": index})
        for actions, observed, rewards, ended in history:
            if actions is not None:
                agent = aec.agent_selection
                aec.step(int(actions[index]))
                returned = parallel.step({agent: actions[index]})
                assert aec.rewards[agent] == returned[1][agent] == rewards[index]
                assert aec.terminations[agent] == returned[2][agent] == ended[index]
                if ended[index]:
                    for env in (aec, parallel):
                        env.reset(options={"game": index})
            for env in (aec, parallel):
                own = env.observe(aec.agent_selection)
                assert own["observation"].tobytes() == observed["observation"][index].tobytes()
                assert own["action_mask"].tobytes() == observed["action_mask"][index].tobytes()
    vector.close()


def test_X1_fixed_decks_are_the_same_in_a_batch_and_alone() -> None:
    rng = np.random.default_rng(10)
    options = {"decks": [rng.permutation(NUM_CARDS).tolist() for _ in range(2)], "first_player": 1, "game": 4}
    batch = make("standard", 30)
    batch.reset(seed=2, options=options)
    for index in (0, 1, 29):
        table = Table(DUET, RULESETS["standard"])
        table.begin(2, {**options, "game": 4 + index})
        assert table.records[0].tobytes() == batch.records[index].tobytes()
    assert len(np.unique(batch.records["decks"][:, 2], axis=0)) == 30  # the third round's are drawn


def test_X1_random_play_in_the_compiled_loop_depends_on_nothing_else_either() -> None:
    whole = make("standard", scaled(200))
    parts = [make("standard", scaled(200) // 2, first_game) for first_game in (0, scaled(200) // 2)]
    for batch in (whole, *parts):
        batch.reset(seed=4)
    ended = [batch.play_randomly(500) for batch in (whole, *parts)]
    assert ended[0] == ended[1] + ended[2] > 0
    for array in ("records", "observations", "masks"):
        assert getattr(whole, array).tobytes() == b"".join(getattr(part, array).tobytes() for part in parts)


# ---------------------------------------------------------------------- saved states


def saved(batch: Batch, steps: int, seed: int) -> bytes:
    """Play on, and all that was seen on the way, as a digest."""
    digest = hashlib.sha256()
    for actions, now in play(batch, steps, seed):
        digest.update(actions.tobytes())
        for array in now.values():
            digest.update(array.tobytes())
    return digest.digest()


def pickled(state: Any) -> Any:
    return pickle.loads(pickle.dumps(state))


def as_it_is(state: Any) -> Any:
    return state


@pytest.mark.parametrize(
    ("name", "through"),
    [
        ("standard", pickled),
        ("agreement", pickled),
        ("tiny", pickled),
        ("tiny", copy.deepcopy),
        ("tiny", as_it_is),
    ],
)
def test_X1_play_goes_on_from_a_saved_state_as_it_would_have(name: str, through: Any) -> None:
    batch = make(name, scaled(100), first_game=3)
    batch.reset(seed=21)
    for _ in play(batch, 37):
        pass
    state = through(batch.get_state())
    after = moment(batch)
    onwards = saved(batch, 120, seed=1)
    batch.reset()
    next_reset = moment(batch)

    def resumed(other: Batch) -> None:
        other.set_state(state)
        for array in ("records", "observations", "masks"):
            assert getattr(other, array).tobytes() == after[array].tobytes()
        assert not other.rewards.any() and not other.outcomes.any()
        assert saved(other, 120, seed=1) == onwards
        other.reset()
        assert_same(moment(other), next_reset)

    resumed(batch)
    resumed(make(name, scaled(100)))  # an unused one, whose games had other numbers
    other = make(name, scaled(100), threads=2)
    other.reset(seed=99)
    resumed(other)


def test_X1_a_saved_state_is_a_copy() -> None:
    batch = make("tiny", 5)
    batch.reset(seed=1)
    state = batch.get_state()
    before = pickle.dumps(state)
    for _ in play(batch, 10):
        pass
    assert pickle.dumps(state) == before
    batch.set_state(state)
    for _ in play(batch, 10):
        pass
    assert pickle.dumps(state) == before


def test_X1_the_vector_environment_goes_on_from_a_saved_state() -> None:
    env, other = (GameVectorEnv(DUET, 20, "tiny", threads=1) for _ in range(2))
    env.reset(seed=31)
    rng = np.random.default_rng(0)
    for _ in range(9):
        env.step(choose(env.batch, rng))
    state = pickle.loads(pickle.dumps(env.get_state()))
    observed, infos = other.set_state(state)
    assert np.array_equal(observed["observation"], env.batch.observations)
    assert np.array_equal(observed["action_mask"], env.batch.masks)
    assert np.array_equal(infos["to_move"], env.batch.to_move)
    for _ in range(60):
        actions = choose(env.batch, rng)
        for mine, theirs in zip(env.step(actions)[:4], other.step(actions)[:4], strict=True):
            for key in mine if isinstance(mine, dict) else [...]:
                assert np.array_equal(mine[key], theirs[key])
    assert env.batch.records.tobytes() == other.batch.records.tobytes()
    env.close()
    other.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "lisak"}, "another game: 'lisak'"),
        ({"ruleset": RULESETS["tiny"].to_dict()}, "another ruleset"),
        ({"ruleset": {**RULESETS["standard"].to_dict(), "reward": "outcome"}}, "another ruleset"),
        ({"records": np.zeros(3, DUET.state)}, "state of 3 games"),
        ({"records": np.zeros(5, [("key", np.int64)])}, "8 bytes"),
    ],
)
def test_X1_the_state_of_another_game_is_refused_and_nothing_changes(change: Any, message: str) -> None:
    batch = make("standard", 5)
    batch.reset(seed=1)
    for _ in play(batch, 9):
        pass
    before, state = moment(batch), batch.get_state()
    with pytest.raises(InvalidOption, match=message):
        batch.set_state({**state, **change})
    assert_same(moment(batch), before)
    batch.step(choose(batch, np.random.default_rng(1)), restart=True)
    mine = moment(batch)
    batch.set_state(state)
    batch.step(choose(batch, np.random.default_rng(1)), restart=True)
    assert_same(moment(batch), mine)
