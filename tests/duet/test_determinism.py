"""Ruling X1: an episode is a pure function of (config, seed, actions), wherever it is played.

Also the random streams themselves (known answers, deals that are fair) and saved states.
"""

import copy
import hashlib
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from strategies import RULESETS, scaled

from reynard.envs import duet_v0, jit
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.cards import NUM_CARDS
from reynard.envs.duet.state import NONE
from reynard.envs.errors import InvalidOption
from reynard.envs.streams import key_of, philox, random_words, shuffle
from reynard.envs.table import Table
from reynard.envs.vector import GameVectorEnv


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


#: What a batch shows, and what the last step brought.
ARRAYS = ("records", "observations", "masks", "rewards", "outcomes")
Moment = dict[str, np.ndarray]


def moment(batch: Batch) -> Moment:
    """All that there is to see of a batch, copied. Last observations only where a game ended."""
    ended = (batch.outcomes != 0)[:, None]
    seen = {name: getattr(batch, name).copy() for name in ARRAYS}
    return {**seen, "final": np.where(ended, batch.final_observations, 0)}


def assert_same(mine: Moment, theirs: Moment, games: slice = slice(None)) -> None:
    """The same bytes in every array; ``games`` are those of ``theirs`` that ``mine`` holds."""
    for name, array in mine.items():
        other = theirs[name][games]
        if array.tobytes() != other.tobytes():
            rows = [k for k in range(len(array)) if array[k].tobytes() != other[k].tobytes()]
            pytest.fail(f"{name} differ in games {rows[:10]} of {len(array)}")


def choose(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every game; 0 for one that is over."""
    return (batch.masks * rng.random(batch.masks.shape)).argmax(1)


def play(
    batch: Batch, steps: int, seed: int = 0, restart: bool = True
) -> Iterator[tuple[np.ndarray, Moment]]:
    """Random play; the actions of every step and what came of them."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        actions = choose(batch, rng)
        batch.step(actions, restart=restart)
        yield actions, moment(batch)


def make(name: str, count: int, first_game: int = 0, threads: int = 1) -> Batch:
    return Batch(DUET, RULESETS[name], count, first_game, threads)


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


# ---------------------------------------------------------------------- other seeds, games, episodes


def decks_of(
    seed: int, games: int, first_game: int = 0, episode: int = 0, name: str = "standard"
) -> np.ndarray:
    """The decks of all rounds, shape (games, rounds, cards)."""
    batch = make(name, games, first_game)
    batch.reset(seed=seed)
    for _ in range(episode):
        batch.reset()
    return batch.records["decks"].copy()


def test_X1_every_seed_game_episode_and_round_has_its_own_deck() -> None:
    games = scaled(1000)
    decks = [
        decks_of(seed, games, first_game, episode)
        for seed in (0, 1, 2, 2**32, 2**32 + 1, 2**64, 2**100)
        for first_game, episode in ((0, 0), (0, 1), (0, 2), (2**20, 0), (2**31 - 1, 0))
    ]
    every = np.concatenate(decks).reshape(-1, NUM_CARDS)
    assert len(np.unique(every, axis=0)) == len(every)


def test_X1_a_seed_of_none_asks_the_system() -> None:
    assert key_of(None) != key_of(None)
    assert key_of(np.int64(7)) == key_of(7)
    for bad in (-1, 1.0, "1", True, np.float64(3)):
        with pytest.raises(ValueError, match="non-negative integer"):
            key_of(bad)  # type: ignore[arg-type]


def test_X1_reset_without_a_seed_goes_on_with_the_next_episode() -> None:
    batch, other = make("tiny", 50), make("tiny", 50)
    batch.reset(seed=1)
    batch.reset()
    other.reset(seed=1)
    for _ in play(other, 200, restart=False):
        pass
    assert (other.to_move == NONE).all()
    other.reset()
    assert_same(moment(batch), moment(other))


def deviations(counts: np.ndarray, freedom: int) -> float:
    """The chi-square statistic of counts that should all be alike, in standard deviations off its mean."""
    expected = counts.sum() / counts.size
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return abs(statistic - freedom) / (2 * freedom) ** 0.5


def pairs(first: np.ndarray, second: np.ndarray, size: int = NUM_CARDS) -> np.ndarray:
    """How often each value of one comes with each of the other."""
    return np.bincount(first.astype(np.int64) * size + second, minlength=size * size).reshape(size, size)


@pytest.mark.skipif(not jit.ENABLED, reason="takes long uncompiled")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_D5_every_card_comes_to_every_place_equally_often(number: int) -> None:
    decks = decks_of(77, 60_000)[:, number]
    counts = np.array([np.bincount(decks[:, place], minlength=NUM_CARDS) for place in range(NUM_CARDS)])
    assert (counts.sum(0) == len(decks)).all()
    # every card is somewhere and every place holds one, so the last row and column follow from the others
    assert deviations(counts, (NUM_CARDS - 1) ** 2) < 4


@pytest.mark.skipif(not jit.ENABLED, reason="takes long uncompiled")
def test_D5_deals_are_independent_of_each_other() -> None:
    """Places of one deck, rounds of one episode, games of one seed, episodes, seeds: no pair depends."""
    decks, later, other = decks_of(78, 60_000), decks_of(78, 60_000, episode=1), decks_of(79, 60_000)
    free = [
        (decks[:, 0, 0], decks[:, 1, 0]),
        (decks[:, 0, 29], decks[:, 2, 0]),
        (decks[:, 1, 22], decks[:, 2, 22]),
        (decks[:-1, 0, 0], decks[1:, 0, 0]),
        (decks[:-1, 0, 5], decks[1:, 1, 5]),
        (decks[:, 0, 0], later[:, 0, 0]),
        (decks[:, 2, 7], later[:, 0, 7]),
        (decks[:, 0, 0], other[:, 0, 0]),
    ]
    for first, second in free:
        assert deviations(pairs(first, second), NUM_CARDS**2 - 1) < 4
    for place in range(NUM_CARDS - 1):  # within a deck: every other card is next equally often
        counts = pairs(decks[:, 0, place], decks[:, 0, place + 1])
        assert not counts.diagonal().any()
        beside = counts[~np.eye(NUM_CARDS, dtype=bool)]
        assert deviations(beside, beside.size - 1) < 4.5


@pytest.mark.skipif(not jit.ENABLED, reason="takes long uncompiled")
def test_D5_both_seats_are_first_equally_often() -> None:
    batch = make("tiny", 100_000)
    batch.reset(seed=80)
    first = batch.records["first_player"]
    assert set(first.tolist()) == {0, 1}
    assert abs(first.mean() - 0.5) < 4 * 0.5 / len(first) ** 0.5
    assert abs((first[1:] == first[:-1]).mean() - 0.5) < 4 * 0.5 / len(first) ** 0.5


# ---------------------------------------------------------------------- the generator

#: Philox-4x32-10: counter, key, and the words of the reference implementation (Random123).
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_X1_philox_gives_the_known_answers(counter: Any, key: Any, words: Any) -> None:
    assert philox(*counter, *key) == words


@pytest.fixture(scope="module")
def compiled() -> Any:
    if not jit.ENABLED:
        pytest.skip("nothing is compiled")
    import numba

    @numba.njit
    def words_of(counter: Any, key: Any) -> Any:
        return philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])

    @numba.njit
    def shuffled(cards: Any, key: Any, game: Any, episode: Any, purpose: Any, position: Any) -> Any:
        shuffle(cards, len(cards), key, game, episode, purpose, position)

    return words_of, shuffled


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_X1_philox_gives_the_known_answers_compiled(
    compiled: Any, counter: Any, key: Any, words: Any
) -> None:
    assert compiled[0](np.array(counter), np.array(key)) == words


def test_X1_shuffling_is_the_same_compiled_and_from_large_numbers(compiled: Any) -> None:
    rng = np.random.default_rng(0)
    for size in (1, 2, 3, 5, 10, 30):
        for _ in range(50):
            key = rng.integers(2**32, size=2)
            game, episode, position = (int(n) for n in rng.integers((2**31, 2**40, 24)))
            cards, plain = np.arange(size, dtype=np.int8), np.arange(size, dtype=np.int8)
            compiled[1](cards, key, game, episode, 0, position)
            shuffle(plain, size, key, game, episode, 0, position)
            assert np.array_equal(cards, plain)
            assert sorted(cards.tolist()) == list(range(size))


def test_X1_words_come_from_the_counter_that_names_them() -> None:
    key = np.array(KNOWN_ANSWERS[2][1])
    position, episode, game, purpose = KNOWN_ANSWERS[2][0]
    assert random_words(key, game, episode, purpose, position) == KNOWN_ANSWERS[2][2]


def test_X1_a_deal_is_a_shuffle_by_philox_and_nothing_else() -> None:
    """Fisher-Yates written once more: words in order, each scaled to the cards that are left."""
    batch = make("standard", 20, first_game=5)
    batch.reset(seed=123)
    batch.reset()
    key = key_of(123)
    for index in range(20):
        for number in range(3):
            words = [word for block in range(8) for word in philox(8 * number + block, 1, 5 + index, 0, *key)]
            deck = list(range(NUM_CARDS))
            for place in range(NUM_CARDS - 1):
                other = place + (words[place] * (NUM_CARDS - place) >> 32)
                deck[place], deck[other] = deck[other], deck[place]
            assert batch.records["decks"][index, number].tolist() == deck
        first = philox(24, 1, 5 + index, 0, *key)[0] >> 31
        assert batch.records["first_player"][index] == first


def test_X1_the_first_deal_of_seed_0_is_the_one_it_always_was() -> None:
    """Whoever published a seed can rely on it: this list changes only with a new version of the game."""
    # fmt: off
    assert decks_of(0, 1)[0, 0].tolist() == [
        3, 17, 1, 26, 27, 20, 13, 22, 4, 9, 25, 0, 11, 23, 2,
        15, 10, 24, 6, 19, 28, 12, 16, 18, 8, 5, 14, 21, 29, 7,
    ]
    # fmt: on
