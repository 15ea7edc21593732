"""Where chance comes from: deals that are fair and independent, and the generator behind them (D5, X1)."""

from typing import Any

import numpy as np
import pytest
from moments import assert_same, make, moment, play
from strategies import scaled

from reynard.envs import jit
from reynard.envs.duet.cards import NUM_CARDS
from reynard.envs.duet.state import NONE
from reynard.envs.streams import key_of, philox, random_words, shuffle

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
