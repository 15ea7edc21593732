"""Ruling X1: an episode is a pure function of (config, seed, actions), wherever it is played.

Also saved states.
"""

import copy
import hashlib
import pickle
from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, choose, make, moment, play, scaled
from moments import assert_same

from reynard.envs import jit, lisak_v0
from reynard.envs.batch import Batch
from reynard.envs.errors import InvalidOption
from reynard.envs.lisak import LISAK
from reynard.envs.table import Table

#: Which rulesets the slower tests play with.
SOME = ["tiny", "three", "flat", "hintless"]


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


# ---------------------------------------------------------------------- the same episode again


@pytest.mark.parametrize("name", RULESETS)
def test_X1_the_same_seed_and_actions_give_the_same_episodes(name: str) -> None:
    first, second = make(name, scaled(40)), make(name, scaled(40))
    first.reset(seed=11)
    second.reset(seed=12)
    for _ in play(second, 5):
        pass
    second.reset(seed=11)
    assert_same(moment(first), moment(second))
    for actions, mine in play(first, 60):
        second.step(actions, restart=True)
        assert_same(mine, moment(second))
    assert first.records["episode"].max() > 0 or not jit.ENABLED  # with so few games


def test_X1_global_random_numbers_make_no_difference() -> None:
    batch, again = make("standard", 50), make("standard", 50)
    np.random.seed(1)
    batch.reset(seed=3)
    np.random.seed(2)
    again.reset(seed=3)
    assert_same(moment(batch), moment(again))
    again.reset(seed=4)
    assert not np.array_equal(batch.records["answer"], again.records["answer"])


@pytest.mark.parametrize(("count", "threads"), [(1, 1), (7, 2), (60, 1), (300, 1), (300, 2)])
def test_X1_size_of_the_batch_and_threads_make_no_difference(count: int, threads: int) -> None:
    """From 256 games on the loops have threads."""
    if not jit.ENABLED:
        count = min(count, 7)
    whole = make("tiny", max(count, 20) + 13)
    part = make("tiny", count, first_game=13, threads=threads)
    whole.reset(seed=5)
    part.reset(seed=5)
    games = slice(13, 13 + count)
    assert_same(moment(part), moment(whole), games)
    for actions, theirs in play(whole, 60):
        part.step(actions[games], restart=True)
        assert_same(moment(part), theirs, games)
    assert part.records["episode"].max() > 0 or not jit.ENABLED


@pytest.mark.parametrize("name", SOME)
def test_X1_a_game_of_a_batch_plays_as_the_same_game_alone(name: str) -> None:
    games, first_game = scaled(60), 1000
    whole = make(name, games, first_game)
    alone = [make(name, 1, first_game + index) for index in range(games)]
    whole.reset(seed=6)
    for index, batch in enumerate(alone):
        batch.reset(seed=6)
        assert_same(moment(batch), moment(whole), slice(index, index + 1))
    for actions, theirs in play(whole, 60):
        for index, batch in enumerate(alone):
            batch.step(actions[index : index + 1], restart=True)
            assert_same(moment(batch), theirs, slice(index, index + 1))
    assert (whole.records["episode"] > 0).mean() > 0.5 or not jit.ENABLED


@pytest.mark.parametrize("name", SOME)
def test_X1_a_game_of_a_batch_plays_as_the_same_game_at_a_table(name: str) -> None:
    """At a table all seats look on; the batch shows what its mover sees."""
    games = scaled(50)
    batch = make(name, games, first_game=40)
    batch.reset(seed=8)
    history = [(None, moment(batch)), *play(batch, 60)]
    table = Table(LISAK, RULESETS[name])
    episodes = 0
    for index in range(games):
        table.begin(8, {"game": 40 + index})
        for actions, now in history:
            if actions is not None:
                seat = table.to_move
                assert table.play(actions[index]) == now["rewards"][index]
                assert table.records["outcome"][0] == now["outcomes"][index]
                if table.to_move < 0:
                    assert table.observations[seat].tobytes() == now["final"][index].tobytes()
                    table.begin(options={"game": 40 + index})
                    episodes += 1
            seat = table.to_move
            assert table.records[0].tobytes() == now["records"][index].tobytes()
            assert table.observations[seat].tobytes() == now["observations"][index].tobytes()
            assert table.masks[seat].tobytes() == now["masks"][index].tobytes()
    assert episodes > 0 or not jit.ENABLED


def test_X1_environments_play_the_same_games() -> None:
    """PettingZoo's two and the vector one: game by game, episode by episode."""
    games = scaled(40)
    vector = lisak_v0.vector_env(games, "tiny", threads=1)
    observed, _ = vector.reset(seed=9)
    history: list[Any] = [(None, observed, None, None)]
    rng = np.random.default_rng(9)
    for _ in range(60):
        actions = choose(vector.batch, rng)
        observed, rewards, ended, _, _ = vector.step(actions)
        history.append((actions, observed, rewards, ended))
    aec, parallel = lisak_v0.raw_env("tiny"), lisak_v0.parallel_env("tiny")
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


def test_X1_a_chosen_card_is_the_same_in_a_batch_and_alone() -> None:
    batch = make("standard", 30)
    batch.reset(seed=2, options={"card": 77, "game": 4})
    for index in (0, 1, 29):
        table = Table(LISAK, RULESETS["standard"])
        table.begin(2, {"card": 77, "game": 4 + index})
        assert table.records[0].tobytes() == batch.records[index].tobytes()
    assert set(batch.records["answer"].tolist()) == {76}
    batch.reset()
    assert len(set(batch.records["answer"].tolist())) > 10  # the next episodes' are drawn


def test_X1_random_play_in_the_compiled_loop_depends_on_nothing_else_either() -> None:
    half = scaled(100) // 2
    whole = make("tiny", 2 * half)
    parts = [make("tiny", half, first_game) for first_game in (0, half)]
    for batch in (whole, *parts):
        batch.reset(seed=4)
    ended = [batch.play_randomly(150) for batch in (whole, *parts)]
    assert ended[0] == ended[1] + ended[2] > 0
    for array in ("records", "observations", "masks"):
        assert getattr(whole, array).tobytes() == b"".join(getattr(part, array).tobytes() for part in parts)


# ---------------------------------------------------------------------- saved states


def onwards(batch: Batch, steps: int, seed: int) -> bytes:
    """Play on, and all that was seen on the way, as a digest."""
    digest = hashlib.sha256()
    for actions, now in play(batch, steps, seed):
        digest.update(actions.tobytes())
        for array in now.values():
            digest.update(array.tobytes())
    return digest.digest()


def pickled(state: Any) -> Any:
    return pickle.loads(pickle.dumps(state))


@pytest.mark.parametrize(
    ("name", "through"), [("tiny", pickled), ("three", pickled), ("flat", copy.copy), ("hintless", pickled)]
)
def test_X1_play_goes_on_from_a_saved_state_as_it_would_have(name: str, through: Any) -> None:
    batch = make(name, scaled(60), first_game=3)
    batch.reset(seed=21)
    for _ in play(batch, 37):
        pass
    state = through(batch.get_state())
    after = moment(batch)
    then = onwards(batch, 60, seed=1)
    batch.reset()
    next_reset = moment(batch)

    def resumed(other: Batch) -> None:
        other.set_state(state)
        for array in ("records", "observations", "masks"):
            assert moment(other)[array].tobytes() == after[array].tobytes()
        assert not other.rewards.any() and not other.outcomes.any()
        assert onwards(other, 60, seed=1) == then
        other.reset()
        assert_same(moment(other), next_reset)

    resumed(batch)
    resumed(make(name, scaled(60)))  # an unused one, whose games had other numbers
    other = make(name, scaled(60), threads=2)
    other.reset(seed=99)
    resumed(other)


def test_X1_the_vector_environment_goes_on_from_a_saved_state() -> None:
    env, other = (lisak_v0.vector_env(9, "tiny", threads=1) for _ in range(2))
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(20):
        env.step(choose(env.batch, rng))
    observed, infos = other.set_state(pickled(env.get_state()))
    assert np.array_equal(observed["observation"], env.batch.observations)
    assert np.array_equal(observed["action_mask"], env.batch.masks)
    assert np.array_equal(infos["to_move"], env.batch.to_move)
    for _ in range(40):
        actions = choose(env.batch, rng)
        env.step(actions)
        other.step(actions)
        assert_same(moment(other.batch), moment(env.batch))
    env.close()
    other.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "duet"}, "another game: 'duet'"),
        ({"ruleset": RULESETS["three"].to_dict()}, "another ruleset"),
        ({"ruleset": {**RULESETS["tiny"].to_dict(), "fox": "free"}}, "another ruleset"),
        ({"records": np.zeros(3, LISAK.state)}, "state of 3 games"),
        ({"records": np.zeros(5, [("key", np.int64)])}, "8 bytes"),
    ],
)
def test_X1_the_state_of_another_game_is_refused_and_nothing_changes(change: Any, message: str) -> None:
    batch = make("tiny", 5)
    batch.reset(seed=1)
    for _ in play(batch, 9):
        pass
    before, state = moment(batch), batch.get_state()
    with pytest.raises(InvalidOption, match=message):
        batch.set_state({**state, **change})
    assert_same(moment(batch), before)
