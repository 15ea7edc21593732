"""What a play brings (ruling D23)."""

from typing import Any

import numpy as np
import pytest
from positions import deal, place, play, two_tricks

from reynard.envs import duet_v0
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET, Board

ALL_GEMS_A = 12 + 5 + 5  # at the beginning, and twice the plus marks
NEAR = 1e-6
EASY = {
    "board": Board((0, 1, 0, 0, 0), (0,), 2, 2),
    "hand_size": 3,
    "rounds": 2,
}  # random play wins some games


def random_game(seed: int, **options: Any) -> tuple[float, dict[str, Any]]:
    """The sum of one player's rewards over a random game, and its last state."""
    env = duet_v0.raw_env(**options)
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    total = 0.0
    while env.to_dict()["outcome"] is None:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(random.choice(np.flatnonzero(mask))))
        assert env.rewards["player_0"] == env.rewards["player_1"]
        total += env.rewards["player_1"]
    return total, env.to_dict()


def test_D23_progress_pays_each_gem_when_it_is_collected() -> None:
    env = two_tricks("dove 8", "dove 2")
    assert play(env, "dove 8") == 0
    assert play(env, "dove 2") == pytest.approx(1 / ALL_GEMS_A, abs=NEAR)
    assert play(env, "dove 6") == 0


def test_D23_progress_pays_nothing_where_nothing_is_collected() -> None:
    env = two_tricks("dove 8", "dove 2")
    place(env, tracker=7)
    assert play(env, "dove 8", "dove 2") == 0


def test_D23_progress_counts_all_gems_that_the_episode_can_bring() -> None:
    board = Board((3, 0, 1, 0, 2), (0, 4), 1, 1)
    for rounds, every in ((1, 6), (2, 8), (3, 10)):
        env = deal("dove 4, dove 6", "dove 10, rose 4", first_player=1, board=board, rounds=rounds)
        assert play(env, "dove 10", "dove 4") == pytest.approx(1 / every, abs=NEAR)


def test_D23_progress_pays_1_more_for_the_win() -> None:
    env = two_tricks("dove 8", "dove 2")
    place(env, gems={3: 1})
    assert play(env, "dove 8", "dove 2") == pytest.approx(1 + 1 / ALL_GEMS_A, abs=NEAR)


def test_D23_outcome_pays_the_win_only() -> None:
    env = two_tricks("dove 8", "dove 2", reward="outcome")
    place(env, gems={3: 1})
    assert play(env, "dove 8", "dove 2") == 1
    env = two_tricks("dove 8", "dove 2", reward="outcome")
    assert play(env, "dove 8", "dove 2") == 0
    assert env.to_dict()["collected"] == 1


@pytest.mark.parametrize("reward", ["progress", "outcome"])
@pytest.mark.parametrize(
    ("fields", "outcome"), [({"forest_tiles": 0, "tracker": 1}, "lost_path"), ({}, "lost_time")]
)
def test_D23_a_loss_pays_nothing(fields: dict[str, int], outcome: str, reward: str) -> None:
    env = deal("dove 8", "dove 2", reward=reward, rounds=1)
    place(env, gems={1: 3}, **fields)
    assert play(env, "dove 8", "dove 2") == 0
    assert env.to_dict()["outcome"] == outcome


def test_D23_both_players_are_paid_the_same() -> None:
    env = two_tricks("dove 8", "dove 2")
    place(env, gems={3: 1})
    play(env, "dove 8", "dove 2")
    assert env.rewards["player_0"] == env.rewards["player_1"] > 1


@pytest.mark.parametrize(
    ("options", "every", "games"),
    [({}, 22, 12), ({"ruleset": "boxed", "board": "B"}, 22, 12), (EASY, 2, 40)],
    ids=["standard", "boxed", "easy"],
)
def test_D23_progress_sums_to_the_share_of_collected_gems_and_1_for_a_win(
    options: dict[str, Any], every: int, games: int
) -> None:
    wins = 0
    for seed in range(games):
        total, state = random_game(seed, **options)
        won = state["outcome"] == "win"
        wins += won
        assert total == pytest.approx(state["collected"] / every + won, abs=1e-5)
    assert 0 < wins < games or options is not EASY


def test_D23_outcome_sums_to_1_for_a_win_and_0_for_a_loss() -> None:
    games = [random_game(seed, reward="outcome", **EASY) for seed in range(40)]
    assert {total for total, _ in games} == {0.0, 1.0}
    assert all(total == (state["outcome"] == "win") for total, state in games)


def test_D23_all_gems_in_a_game_of_one_round_make_a_return_of_2() -> None:
    board = Board((0, 1, 0, 1), (), 2, 1)
    env = deal("dove 4, dove 2", "dove 1, dove 10", board=board, rounds=1, characters=())
    assert play(env, "dove 4", "dove 1") == pytest.approx(1 / 2, abs=NEAR)
    place(env, tracker=0)
    assert play(env, "dove 2", "dove 10") == pytest.approx(1 / 2 + 1, abs=NEAR)


def test_D23_the_batch_pays_the_same() -> None:
    batch = Batch(DUET, count=40, **EASY)
    batch.reset(seed=3)
    total = np.zeros(batch.count)
    while (batch.to_move >= 0).any():
        batch.step(batch.masks.argmax(axis=1))
        total += batch.rewards
    wins = batch.outcomes == 1
    assert wins.any() and not wins.all()
    np.testing.assert_allclose(total, batch.records["collected"] / batch.ruleset.all_gems + wins, atol=1e-5)
