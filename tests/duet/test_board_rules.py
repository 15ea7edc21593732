"""What a move does to the board, and how a game is won or lost by it (rulings D11, D12, D13, D15)."""

from typing import Any

import pytest
from positions import PARTNERS_END, deal, legal, place, play, trick, two_tricks

from reynard.envs import duet_v0
from reynard.envs.duet import Board

GEMS_A = [2, 0, 1, 2, 1, 0, 1, 2, 1, 0, 2]


def walk(seat: int, steps: int, *, gems: dict[int, int] | None = None, **fields: Any) -> duet_v0.raw_env:
    """A trick that a seat leads and wins with so many footprints, on a board arranged before it."""
    options = {name: fields.pop(name) for name in ("board", "forest_loss", "rounds") if name in fields}
    rank = {0: 9, 1: 4, 2: 8, 3: 10}[steps]
    env = two_tricks(f"dove {rank}", "dove 2", leader=seat, **options)
    place(env, gems=gems, **fields)
    play(env, f"dove {rank}", "dove 2")
    return env


# --- D11: overrun -----------------------------------------------------------------------------------


def test_D11_overrun_at_seat_0s_end_places_a_tile_and_returns_the_tracker_to_the_start() -> None:
    state = walk(seat=0, steps=2, tracker=1).to_dict()
    assert (state["tracker"], state["path"], state["forest_tiles"]) == (5, [1, 10], 3)


def test_D11_overrun_at_seat_1s_end_places_a_tile_and_returns_the_tracker_to_the_start() -> None:
    state = walk(seat=1, steps=2, tracker=9).to_dict()
    assert (state["tracker"], state["path"], state["forest_tiles"]) == (5, [0, 9], 3)


@pytest.mark.parametrize(("seat", "tracker", "last"), [(0, 2, 0), (1, 8, 10)])
def test_D11_reaching_the_last_space_exactly_is_no_overrun(seat: int, tracker: int, last: int) -> None:
    state = walk(seat, steps=2, tracker=tracker).to_dict()
    assert (state["tracker"], state["path"], state["forest_tiles"]) == (last, [0, 10], 4)


def test_D11_gems_of_the_covered_space_slide_to_the_next_gem_space() -> None:
    assert walk(seat=0, steps=2, tracker=1).to_dict()["gems"] == [0, 2, *GEMS_A[2:]]
    assert walk(seat=1, steps=2, tracker=9).to_dict()["gems"] == [*GEMS_A[:9], 2, 0]


def test_D11_gems_join_those_that_lie_beside_the_next_space() -> None:
    state = walk(seat=0, steps=3, tracker=1, gems={0: 3, 1: 4, 7: 1}).to_dict()
    assert state["gems"][:2] == [0, 7]


def test_D11_an_empty_space_is_covered_all_the_same() -> None:
    state = walk(seat=0, steps=3, tracker=1, gems={3: 1}).to_dict()
    assert state["path"] == [1, 10]
    assert state["gems"] == [0, 0, 0, 1, *[0] * 7]


@pytest.mark.parametrize(
    ("seat", "gems", "start", "slid"),
    [(0, (3, 0, 1, 2), 1, [0, 0, 4, 2]), (1, (1, 2, 0, 3), 2, [1, 5, 0, 0])],
)
def test_D11_gems_slide_past_the_start_space(
    seat: int, gems: tuple[int, ...], start: int, slid: list[int]
) -> None:
    board = Board(gems, (), start, 1)
    assert walk(seat, steps=2, board=board).to_dict()["gems"][:4] == slid


@pytest.mark.parametrize(
    ("seat", "path", "tracker", "covered", "gems"),
    [
        (0, [2, 10], 3, [3, 10], {3: 5, 4: 1, 9: 1}),
        (1, [0, 8], 7, [0, 7], {7: 5, 6: 1, 1: 1}),
    ],
)
def test_D11_running_onto_covered_spaces_covers_one_more(
    seat: int, path: list[int], tracker: int, covered: list[int], gems: dict[int, int]
) -> None:
    edge = path[seat]
    inner = edge + 1 - 2 * seat
    before = {**gems, edge: 3, inner: 2}
    state = walk(seat, steps=2, tracker=tracker, path=path, gems=before, forest_tiles=2).to_dict()
    assert (state["path"], state["forest_tiles"], state["tracker"]) == (covered, 1, 5)
    assert state["gems"] == [gems.get(space, 0) for space in range(11)]


def test_D11_two_overruns_at_one_end_carry_the_gems_two_spaces_inward() -> None:
    env = deal("dove 10, dove 8, dove 6", "rose 2, rose 4, rose 6")
    place(env, tracker=1, gems={0: 2, 1: 1, 10: 4})
    play(env, "dove 10", "rose 2")
    place(env, tracker=2)
    play(env, "dove 8", "rose 4")
    assert env.to_dict()["path"] == [2, 10]
    assert env.to_dict()["gems"] == [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4]


def test_D11_nothing_is_collected_by_an_overrun() -> None:
    env = two_tricks("dove 10", "dove 2")
    place(env, tracker=2)
    assert play(env, "dove 10", "dove 2") == 0
    assert env.to_dict()["collected"] == 0
    assert sum(env.to_dict()["gems"]) == 12


def test_D11_the_game_goes_on_after_an_overrun() -> None:
    env = walk(seat=1, steps=3, tracker=10)
    assert env.to_dict()["outcome"] is None
    assert (env.to_dict()["trick"], env.to_dict()["leader"]) == (1, 1)


def test_D11_the_tile_covers_the_end_that_was_overrun_not_the_winners() -> None:
    env = two_tricks("dove 10", "dove 1")
    place(env, tracker=9)
    play(env, "dove 10", "dove 1", PARTNERS_END)
    state = env.to_dict()
    assert (state["path"], state["tracker"], state["leader"]) == ([0, 9], 5, 0)


@pytest.mark.parametrize("ruleset", ["standard", "boxed"])
def test_D11_boxed_counts_both_cards_towards_an_overrun(ruleset: str) -> None:
    env = two_tricks("dove 10", "dove 2", ruleset=ruleset)
    play(env, "dove 10", "dove 2")
    expected = (2, [0, 10]) if ruleset == "standard" else (5, [1, 10])
    assert (env.to_dict()["tracker"], env.to_dict()["path"]) == expected


# --- D12: collecting --------------------------------------------------------------------------------


def test_D12_one_gem_is_collected_even_where_several_lie() -> None:
    state = walk(seat=0, steps=2).to_dict()
    assert (state["tracker"], state["collected"]) == (3, 1)
    assert state["gems"] == [2, 0, 1, 1, 1, 0, 1, 2, 1, 0, 2]


def test_D12_a_move_of_zero_steps_collects() -> None:
    state = walk(seat=0, steps=0, tracker=7).to_dict()
    assert (state["tracker"], state["collected"], state["gems"][7]) == (7, 1, 1)


def test_D12_gems_that_are_passed_stay() -> None:
    state = walk(seat=1, steps=3).to_dict()
    assert state["gems"] == [2, 0, 1, 2, 1, 0, 1, 2, 0, 0, 2]


def test_D12_nothing_is_collected_where_nothing_lies() -> None:
    state = walk(seat=1, steps=1, tracker=8).to_dict()
    assert (state["tracker"], state["collected"], state["gems"]) == (9, 0, GEMS_A)


def test_D12_nothing_is_collected_on_the_start_space() -> None:
    state = walk(seat=0, steps=2, tracker=7).to_dict()
    assert (state["tracker"], state["collected"], state["gems"]) == (5, 0, GEMS_A)


def test_D12_collecting_is_automatic() -> None:
    env = walk(seat=0, steps=2)
    assert (env.to_dict()["phase"], env.to_dict()["trick"]) == ("play", 1)
    assert legal(env) == ["dove 6"]


# --- D13: winning -----------------------------------------------------------------------------------


def test_D13_the_last_gem_wins_at_once() -> None:
    env = walk(seat=0, steps=2, gems={3: 1})
    state = env.to_dict()
    assert (state["outcome"], state["phase"], state["to_move"]) == ("win", "over", None)
    assert state["hands"] != [[], []]
    assert env.terminations == {"player_0": True, "player_1": True}
    assert [info["outcome"] for info in env.infos.values()] == ["win", "win"]
    assert legal(env, 0) == legal(env, 1) == []


def test_D13_the_last_but_one_gem_does_not_win() -> None:
    assert walk(seat=0, steps=2, gems={3: 2}).to_dict()["outcome"] is None
    assert walk(seat=0, steps=2, gems={3: 1, 9: 1}).to_dict()["outcome"] is None


def test_D13_the_last_gem_wins_in_the_very_last_trick() -> None:
    env = deal("dove 8", "dove 2", rounds=1)
    place(env, gems={3: 1})
    play(env, "dove 8", "dove 2")
    assert env.to_dict()["outcome"] == "win"


def test_D13_the_last_gem_wins_before_the_plus_marks_bring_new_ones() -> None:
    env = deal("dove 8", "dove 2")
    place(env, gems={3: 1})
    play(env, "dove 8", "dove 2")
    state = env.to_dict()
    assert (state["outcome"], state["round"], state["gems"]) == ("win", 0, [0] * 11)
    assert (state["path"], state["forest_tiles"]) == ([0, 10], 4)


def test_D13_the_last_gem_wins_without_any_tile_left() -> None:
    assert walk(seat=0, steps=2, gems={3: 1}, forest_tiles=0).to_dict()["outcome"] == "win"


# --- D15: losing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "tracker"), [(0, 1), (1, 9)])
def test_D15_a_an_overrun_without_a_tile_loses(seat: int, tracker: int) -> None:
    env = walk(seat, steps=2, tracker=tracker, forest_tiles=0)
    state = env.to_dict()
    assert (state["outcome"], state["phase"], state["to_move"]) == ("lost_path", "over", None)
    assert (state["path"], state["gems"]) == ([0, 10], GEMS_A)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert set(env.rewards.values()) == {0.0}


def test_D15_a_placing_the_last_tile_does_not_lose() -> None:
    state = walk(seat=0, steps=2, tracker=1, forest_tiles=1).to_dict()
    assert (state["outcome"], state["forest_tiles"], state["path"]) == (None, 0, [1, 10])


def test_D15_a_having_no_tile_does_not_lose_until_one_is_needed() -> None:
    assert walk(seat=0, steps=2, forest_tiles=0).to_dict()["outcome"] is None


@pytest.mark.parametrize("number", [0, 1])
def test_D15_a_the_end_of_a_round_without_a_tile_loses(number: int) -> None:
    env = deal("dove 9", "dove 2")
    place(env, forest_tiles=0, round_number=number)
    play(env, "dove 9", "dove 2")
    state = env.to_dict()
    assert (state["outcome"], state["round"], state["path"]) == ("lost_path", number, [0, 10])


def test_D15_a_an_overrun_takes_the_last_tile_that_the_end_of_the_round_then_needs() -> None:
    env = deal("dove 8", "dove 2")
    place(env, tracker=1, forest_tiles=1)
    play(env, "dove 8", "dove 2")
    state = env.to_dict()
    assert (state["outcome"], state["path"], state["tracker"]) == ("lost_path", [1, 10], 5)


def test_D15_b_gems_left_after_round_3_lose() -> None:
    env = deal("dove 8", "dove 2")
    place(env, round_number=2)
    play(env, "dove 8", "dove 2")
    state = env.to_dict()
    assert (state["outcome"], state["phase"], state["to_move"]) == ("lost_time", "over", None)
    assert (state["collected"], state["forest_tiles"], state["path"]) == (1, 4, [0, 10])


def test_D15_b_an_overrun_in_the_last_trick_needs_a_tile_first() -> None:
    outcomes = []
    for tiles in (1, 0):
        env = deal("dove 8", "dove 2")
        place(env, round_number=2, tracker=1, forest_tiles=tiles)
        play(env, "dove 8", "dove 2")
        outcomes.append(env.to_dict()["outcome"])
    assert outcomes == ["lost_time", "lost_path"]


def test_D15_forest_loss_empty_placing_the_last_tile_in_a_move_loses() -> None:
    state = walk(seat=0, steps=2, tracker=1, forest_tiles=1, forest_loss="empty").to_dict()
    assert (state["outcome"], state["forest_tiles"], state["path"]) == ("lost_path", 0, [1, 10])


def test_D15_forest_loss_empty_placing_the_last_tile_between_rounds_loses() -> None:
    env = deal("dove 9", "dove 2", forest_loss="empty")
    place(env, forest_tiles=1)
    play(env, "dove 9", "dove 2")
    assert (env.to_dict()["outcome"], env.to_dict()["round"]) == ("lost_path", 0)


def test_D15_forest_loss_empty_the_last_tile_but_one_does_not_lose() -> None:
    state = walk(seat=0, steps=2, tracker=1, forest_tiles=2, forest_loss="empty").to_dict()
    assert (state["outcome"], state["forest_tiles"]) == (None, 1)


def test_D15_forest_loss_needed_is_the_default() -> None:
    assert duet_v0.raw_env().ruleset.forest_loss == "needed"
    assert trick("dove 8", "dove 2").ruleset.forest_loss == "needed"
