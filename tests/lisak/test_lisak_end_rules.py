"""Winning, losing, ratings, silence and rewards (rulings L12, L13, L14, L16)."""

from typing import Any

import numpy as np
import pytest
from lisak_positions import BLANK, CARDS, WORLD, deal, legal, now, play, play_round, play_rounds, seen

from reynard.envs import lisak_v0
from reynard.envs.batch import Batch
from reynard.envs.lisak import LISAK

#: L13 and L16: the rating of a win in each round, and what it brings when rewards are rated.
RATINGS = {
    1: ("cunning_foxes", 1.0),
    2: ("cunning_foxes", 1.0),
    3: ("cunning_foxes", 1.0),
    4: ("cunning_foxes", 1.0),
    5: ("seasoned_hounds", 0.75),
    6: ("seasoned_hounds", 0.75),
    7: ("sharp_falcons", 0.5),
}

every_round = pytest.mark.parametrize("number", RATINGS)


def in_round(number: int, **options: Any) -> lisak_v0.raw_env:
    """A game at the beginning of this round."""
    env = deal(**options)
    play_rounds(env, number - 1)
    assert now(env, "round", "phase") == (number, "write")
    return env


# --- L12: the end -----------------------------------------------------------------------------------


@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
@every_round
def test_L12_the_right_answer_on_a_trophy_wins_in_any_round(number: int, writing: str) -> None:
    env = in_round(number, writing=writing)
    if number == 7:
        play(env, "trophy: cat")
    else:
        play(env, "furry", "trophy: cat", BLANK)
    assert now(env, "outcome", "round", "to_move") == ("win", number, None)
    assert {name: info["outcome"] for name, info in env.infos.items()} == dict.fromkeys(env.agents, "win")


@pytest.mark.parametrize("number", range(1, 7))
def test_L8_L12_the_answer_on_a_clue_card_loses_in_any_round(number: int) -> None:
    env = in_round(number)
    play(env, "trophy: dog", "clue: cat", BLANK)
    assert now(env, "outcome", "round", "rating") == ("lost_clue", number, None)


@pytest.mark.parametrize("number", range(1, 7))
def test_L8_L12_using_up_the_trophies_loses_in_any_round(number: int) -> None:
    env = in_round(number)
    play(env, "trophy: dog", "trophy: cow", "trophy: oak")
    assert now(env, "outcome", "round", "rating") == ("lost_trophies", number, None)


def test_L7_L12_the_end_of_the_seventh_round_loses() -> None:
    env = in_round(7)
    play(env, "trophy: dog", "trophy: cow", "trophy: oak")
    assert now(env, "outcome", "round", "rating") == ("lost_rounds", 7, None)


def test_L12_when_the_game_is_over_nobody_is_to_move() -> None:
    env = deal()
    play(env, "trophy: cat", BLANK, BLANK)
    for agent in env.possible_agents:
        assert legal(env, agent) == []
        shown = seen(env, agent)
        assert (shown["phase"], shown["mover"], shown["my_move"]) == ("over", None, False)


# --- L13: the rating --------------------------------------------------------------------------------


@every_round
def test_L13_the_round_of_the_win_is_rated(number: int) -> None:
    env = in_round(number)
    assert now(env, "rating") is None
    play_round(env, "trophy: cat", *[BLANK] * (0 if number == 7 else 2))
    assert now(env, "rating") == RATINGS[number][0]


@every_round
def test_L13_statistics_count_the_ratings(number: int) -> None:
    env = in_round(number)
    play_round(env, "trophy: cat", *[BLANK] * (0 if number == 7 else 2))
    found = {name: float(values[0]) for name, values in LISAK.statistics(env.table.records).items()}
    ratings = dict.fromkeys(("cunning_foxes", "seasoned_hounds", "sharp_falcons"), 0.0)
    assert found == {"rounds": number, **ratings, RATINGS[number][0]: 1.0}


def test_L13_a_loss_has_no_rating_in_the_statistics_either() -> None:
    env = in_round(2)
    play(env, "clue: cat", BLANK, BLANK)
    found = {name: float(values[0]) for name, values in LISAK.statistics(env.table.records).items()}
    assert found == {"rounds": 2, "cunning_foxes": 0, "seasoned_hounds": 0, "sharp_falcons": 0}


# --- L14: silence -----------------------------------------------------------------------------------


def test_L14_seekers_see_neither_the_answer_nor_any_judgement() -> None:
    env = deal()
    play_round(env, "furry", "tall", "quick", tokens=2, joker="joker: row 1, card 1")
    play(env, "green")
    fox = seen(env, "fox")
    assert fox["answer"] == "cat"
    assert fox["judged"][:2] == [["yes", "no", "borderline", None, None], ["no", None, None, None, None]]
    for agent in ("seeker_0", "seeker_1", "seeker_2"):
        shown = seen(env, agent)
        assert shown["answer"] is None
        assert shown["judged"] == [[None] * 5] * 7


def test_L14_everything_else_is_the_same_for_all() -> None:
    env = deal(consultation=1)
    play_round(env, "furry", "green", "trophy: dog", "furry", "tall", "trophy: dog", tokens=2)
    play(env, "clue: dog")
    shared = ("phase", "round_number", "hint", "trophies_left", "place", "tokens", "joker", "rows")
    fox, *seekers = (seen(env, agent) for agent in env.agents)
    for shown in seekers:
        for name in (*shared, "proposals", "earlier_proposals"):
            assert shown[name] == fox[name], name


def test_L14_whom_a_seat_sees_is_counted_from_itself() -> None:
    env = deal(players=5)
    play(env, "furry", "tall")  # seeker 2 is to move
    movers = {agent: seen(env, agent)["mover"] for agent in env.agents}
    assert movers == {"fox": 3, "seeker_0": 2, "seeker_1": 1, "seeker_2": 0, "seeker_3": 4}
    assert [seen(env, agent)["my_move"] for agent in env.agents] == [False, False, False, True, False]
    assert seen(env, "seeker_2")["writers"] == [3, 4, 0, 1]


def test_L14_the_end_tells_the_answer_to_nobody_who_lost_without_naming_it() -> None:
    env = deal()
    play(env, "trophy: dog", "trophy: cow", "trophy: oak")
    assert [seen(env, agent)["answer"] for agent in env.possible_agents] == ["cat", None, None, None]


# --- L16: the reward --------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["outcome", "rated"])
@every_round
def test_L16_a_win_brings_1_or_what_its_rating_is_worth(number: int, reward: str) -> None:
    env = deal(reward=reward)
    for _ in range(number - 1):
        assert play_round(env, "furry", BLANK, "tall") == 0
    earned = play_round(env, "trophy: cat", *[BLANK] * (0 if number == 7 else 2))
    assert earned == (1.0 if reward == "outcome" else RATINGS[number][1])
    assert env.rewards == dict.fromkeys(env.possible_agents, earned)


@pytest.mark.parametrize("reward", ["outcome", "rated"])
@pytest.mark.parametrize("row", [("clue: cat", BLANK, BLANK), ["trophy: dog"] * 3])
def test_L16_a_loss_brings_nothing(row: tuple[str, ...], reward: str) -> None:
    env = deal(reward=reward)
    assert play(env, *row) == 0
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    env = in_round(7, reward=reward)
    assert play(env, *["trophy: dog"] * 3) == 0


def test_L16_outcome_is_the_default() -> None:
    assert deal().ruleset.reward == "outcome"


@pytest.mark.parametrize("reward", ["outcome", "rated"])
def test_L16_the_batch_pays_the_same(reward: str) -> None:
    batch = Batch(LISAK, count=12, world=WORLD, consultation=0, reward=reward, threads=1)
    batch.reset(seed=0, options={"card": CARDS["cat"]})
    names = batch.action_names
    right, blank = names.index("trophy: cat"), names.index(BLANK)
    earned = np.zeros(12)
    while (batch.to_move >= 0).any():
        writes = batch.records["phase"] == 1
        wins = (batch.records["round_number"] >= np.arange(12) % 7) & writes  # game i wins in round i % 7 + 1
        actions = np.where(
            wins & (batch.to_move == 1), right, np.where(writes, blank, names.index("tokens: 0"))
        )
        batch.step(actions)
        earned += batch.rewards
    rounds = np.arange(12) % 7 + 1
    assert (batch.outcomes == 1).all()
    assert np.array_equal(batch.records["round_number"] + 1, rounds)
    assert earned.tolist() == [1.0 if reward == "outcome" else RATINGS[number][1] for number in rounds]
