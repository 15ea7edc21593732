"""Evaluation: what it counts, and that the seed alone decides it."""

import json
from typing import Any

import numpy as np
import pytest
from games import MODULES

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, make_policy, policies_of
from reynard.training.evaluate import evaluate
from reynard.training.show import play_through
from reynard.training.statistics import wilson_interval


def counted(result: Any) -> dict[str, Any]:
    plain = result.to_dict()
    plain.pop("seconds")
    return plain


def test_wilson_interval_against_known_values() -> None:
    # E. B. Wilson's interval as computed by R: prop.test(x, n, correct = FALSE)
    assert wilson_interval(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson_interval(500, 1000) == pytest.approx((0.4690695, 0.5309305), abs=1e-6)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775328), abs=1e-6)
    assert wilson_interval(10, 10) == pytest.approx((0.7224672, 1.0), abs=1e-6)
    for wins, games in ((1, 0), (3, 2), (-1, 4)):
        with pytest.raises(ValueError, match="no share"):
            wilson_interval(wins, games)


@pytest.mark.parametrize("team", [["random"], ["greedy"], ["cautious"], ["random", "greedy"]])
def test_X1_the_result_depends_on_the_seed_alone(team: list[str]) -> None:
    results = [
        evaluate(DUET, team, 150, seed=5, batch_size=size, threads=threads)
        for size, threads in ((4096, None), (64, 1), (7, 2))
    ]
    assert counted(results[0]) == counted(results[1]) == counted(results[2])
    assert counted(results[0]) != counted(evaluate(DUET, team, 150, seed=6))


def test_counts_agree_with_games_played_one_by_one() -> None:
    result = evaluate(DUET, ["greedy", "random"], 40, seed=3, ruleset="boxed")
    outcomes, gems, rounds, moves = [], [], [], []
    for index in range(40):
        table, _, _ = list(play_through(DUET, ["greedy", "random"], 3, index, ruleset="boxed"))[-1]
        outcomes.append(table.outcome())
        gems.append(table.to_dict()["collected"])
        rounds.append(table.to_dict()["round"] + 1)
        moves.append(int(table.records["moves"][0]))
    assert result.outcomes == {name: outcomes.count(name) for name in ("win", "lost_path", "lost_time")}
    assert result.means == {"gems": pytest.approx(np.mean(gems)), "rounds": pytest.approx(np.mean(rounds))}
    assert result.moves_mean == pytest.approx(np.mean(moves))
    assert result.wins == outcomes.count("win") and sum(result.outcomes.values()) == 40


def test_what_is_written_repeats_the_evaluation() -> None:
    first = evaluate(DUET, ["greedy"], 30, seed=1, board="B", agreement=2)
    plain = json.loads(json.dumps(first.to_dict()))
    for key in ("games", "wins", "win_rate", "interval", "gems_mean", "outcomes", "seconds", "configuration"):
        assert key in plain
    again = plain["configuration"]
    second = evaluate(
        MODULES[again["game"]].GAME, again["policies"], again["games"], again["seed"], again["ruleset"]
    )
    assert counted(second) == counted(first)


def test_progress_counts_every_game_once() -> None:
    told: list[int] = []
    evaluate(DUET, ["random"], 50, seed=0, ruleset="tiny", batch_size=20, progress=told.append)
    assert sum(told) == 50 and min(told) > 0


def test_scripted_players_are_far_better_than_chance_and_side_B_is_harder() -> None:
    def gems(team: str, board: str) -> float:
        return evaluate(DUET, [team], 400, seed=0, board=board).means["gems"]

    for team in ("greedy", "cautious"):
        assert gems(team, "A") > gems("random", "A") + 5
    for team in ("random", "greedy", "cautious"):  # D4: side B is measurably harder
        assert gems(team, "A") > gems(team, "B") + 1


def test_D4_side_B_is_harder_in_wins_too() -> None:
    a, b = (evaluate(DUET, ["greedy"], 1000, seed=0, board=board) for board in "AB")
    assert b.interval[1] < a.interval[0]


@pytest.mark.parametrize("policy", ["greedy", "cautious"])
@pytest.mark.parametrize(
    "options",
    [{}, {"ruleset": "boxed"}, {"ruleset": "tiny"}, {"agreement": 3}, {"history": False}, {"characters": []}],
)
def test_scripted_players_play_every_kind_of_game(policy: str, options: dict[str, Any]) -> None:
    result = evaluate(DUET, [policy], 60, seed=0, **options)
    assert sum(result.outcomes.values()) == 60


@pytest.mark.parametrize(("gem_at", "card"), [(8, 9), (3, 1)])
@pytest.mark.parametrize("policy", ["greedy", "cautious"])
def test_scripted_players_take_the_gem_that_they_can_take(policy: str, gem_at: int, card: int) -> None:
    # seat 1 must follow dove 6: dove 10 wins (three steps, to space 8), dove 2 loses (two, to space 3)
    gems = [1 if space in (0, gem_at) else 0 for space in range(11)]
    board = {"gems": gems, "plus_marks": [], "start": 5, "forest_tiles": 4}
    table = Table(DUET, characters=(), board=board)
    deck = [5, *range(10, 20), 1, 9, *range(20, 29), 0, 2, 3, 4, 6, 7, 8, 29]
    table.begin(0, {"decks": [deck], "first_player": 0})
    table.play(5)
    player = make_policy(policy, DUET, table.ruleset)
    dice = Dice(key_of(0), np.zeros(1), np.zeros(1))
    action = int(player.act(table.observations[1:], table.masks[1:], np.array([1]), dice)[0])
    assert action == card
    table.play(action)
    assert table.to_dict()["collected"] == 1


def test_wrong_calls_are_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidOption, match="there are 2 seats: name 1 policy or 2, .*, not 3 names"):
        evaluate(DUET, ["random"] * 3, 10)
    with pytest.raises(InvalidOption, match="the number of games must be"):
        evaluate(DUET, ["random"], 0)
    with pytest.raises(InvalidOption, match="takes no argument, not 'fast'"):
        evaluate(DUET, ["greedy:fast"], 10)


def test_policies_have_a_name_and_a_sentence() -> None:
    assert {"random", "greedy", "cautious", "human"} <= set(policies_of("duet"))
    assert all(policies_of("duet").values())


def test_dice_are_the_same_for_the_same_decision_and_differ_otherwise() -> None:
    games, moves = np.arange(100), np.full(100, 3)
    throw = Dice(key_of(1), games, moves).random()
    assert throw.shape == (100, 4) and (throw >= 0).all() and (throw < 1).all()
    assert (Dice(key_of(1), games[50:], moves[50:]).random() == throw[50:]).all()
    for other in (
        Dice(key_of(2), games, moves),
        Dice(key_of(1), games, moves + 1),
        Dice(key_of(1), games + 100, moves),
    ):
        assert (other.random() != throw).mean() > 0.99
    assert abs(throw.mean() - 0.5) < 0.05
