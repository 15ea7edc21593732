"""What happens between two rounds (ruling D14)."""

from typing import Any

import pytest
from positions import card, cards, deal, decree, hand, legal, place, play, seen

from reynard.envs import duet_v0
from reynard.envs.duet import Board

GEMS_A = [2, 0, 1, 2, 1, 0, 1, 2, 1, 0, 2]
NEXT = ("dove 4", "rose 4", "star 4")


def after_a_round(
    *,
    first_player: int = 0,
    gems: dict[int, int] | None = None,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> duet_v0.raw_env:
    """The game after a round of one trick that moves the tracker by no step from where it is placed."""
    env = deal(
        "dove 9", "dove 7", "star 10", NEXT, NEXT, first_player=first_player, characters=(), **(options or {})
    )
    place(env, gems=gems, **fields)
    play_round(env)
    return env


def play_round(env: duet_v0.raw_env) -> None:
    """Play the first legal actions until the round is over."""
    number = env.to_dict()["round"]
    while env.to_dict()["round"] == number and env.to_dict()["outcome"] is None:
        play(env, legal(env)[0])


# --- plus marks -------------------------------------------------------------------------------------


def test_D14_every_plus_mark_gets_one_gem() -> None:
    gems = {space: 1 for space in (0, 2, 7)}
    state = after_a_round(tracker=5, gems=gems).to_dict()
    assert state["gems"] == [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0]
    assert state["collected"] == 0


def test_D14_plus_marks_get_their_gem_before_the_tile_is_laid() -> None:
    state = after_a_round(options={"board": "B"}, tracker=4).to_dict()
    assert state["path"] == [0, 9]
    assert state["gems"] == [4, 3, 2, 0, 0, 0, 0, 0, 1, 2 + 1 + 3 + 1, 0]


@pytest.mark.parametrize(
    ("path", "tracker", "before", "after"),
    [
        ([2, 10], 4, {9: 5, 2: 1}, [0, 0, 2, 1, 1, 0, 1, 0, 1, 5, 0]),  # the mark on 1 slides to 2
        ([3, 10], 4, {9: 5, 3: 1}, [0, 0, 0, 3, 1, 0, 1, 0, 1, 5, 0]),  # to 3, which has its own
        ([0, 7], 5, {4: 1}, [0, 1, 0, 1, 2, 0, 1, 1, 0, 0, 0]),  # the mark on 8 slides to 7
        ([0, 6], 5, {4: 1}, [0, 1, 0, 1, 2, 0, 2, 0, 0, 0, 0]),  # to 6, which has its own
    ],
)
def test_D14_the_gem_of_a_covered_plus_mark_slides_inward(
    path: list[int], tracker: int, before: dict[int, int], after: list[int]
) -> None:
    assert after_a_round(path=path, tracker=tracker, gems=before).to_dict()["gems"] == after


def test_D14_the_gem_of_a_covered_plus_mark_slides_past_the_start() -> None:
    board = Board((0, 0, 1, 2, 0), (0,), 1, 1)
    env = after_a_round(options={"board": board}, path=[1, 4], tracker=3)
    assert env.to_dict()["gems"][:5] == [0, 0, 2, 1, 0]


# --- the tile ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first_player", [0, 1])
@pytest.mark.parametrize(
    ("tracker", "path", "covered"),
    [
        (4, [0, 10], [0, 9]),
        (0, [0, 10], [0, 9]),
        (6, [0, 10], [1, 10]),
        (10, [0, 10], [1, 10]),
        (5, [2, 10], [2, 9]),  # it is the uncovered spaces that count
        (6, [0, 9], [1, 9]),
        (6, [3, 10], [3, 9]),
    ],
)
def test_D14_the_tile_covers_the_end_farther_from_the_tracker(
    tracker: int, path: list[int], covered: list[int], first_player: int
) -> None:
    state = after_a_round(first_player=first_player, tracker=tracker, path=path).to_dict()
    assert (state["path"], state["forest_tiles"], state["round"]) == (covered, 3, 1)


@pytest.mark.parametrize("lead", ["same", "alternate"])
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("first_player", [0, 1])
@pytest.mark.parametrize(("tracker", "path"), [(5, [0, 10]), (6, [2, 10]), (4, [0, 8])])
def test_D14_in_a_tie_the_tile_covers_the_end_of_who_will_not_lead(
    tracker: int, path: list[int], first_player: int, number: int, lead: str
) -> None:
    board = {"tracker": tracker, "path": path, "round_number": number}
    state = after_a_round(first_player=first_player, options={"lead": lead}, **board).to_dict()
    leader = first_player if lead == "same" or number == 1 else 1 - first_player
    assert state["leader"] == leader
    assert state["path"] == ([path[0], path[1] - 1] if leader == 0 else [path[0] + 1, path[1]])


def test_D14_gems_of_the_covered_end_slide_inward() -> None:
    state = after_a_round(tracker=4, gems={10: 3, 9: 1, 8: 2}).to_dict()
    assert state["gems"][8:] == [3, 4, 0]


@pytest.mark.parametrize("tracker", [2, 5, 9])
def test_D14_the_tracker_stays(tracker: int) -> None:
    assert after_a_round(tracker=tracker).to_dict()["tracker"] == tracker


def test_D14_the_tile_goes_by_where_the_last_move_ended() -> None:
    env = deal("dove 10", "dove 2", "star 10", NEXT)
    place(env, tracker=6)
    play(env, "dove 10", "dove 2")
    assert (env.to_dict()["tracker"], env.to_dict()["path"]) == (3, [0, 9])


def test_D14_an_overrun_in_the_last_trick_costs_two_tiles() -> None:
    env = deal("dove 10", "dove 2", "star 10", NEXT)
    place(env, tracker=1)
    play(env, "dove 10", "dove 2")
    state = env.to_dict()
    assert (state["tracker"], state["path"], state["forest_tiles"]) == (5, [1, 9], 2)


# --- the next deal ----------------------------------------------------------------------------------


def test_D14_all_thirty_cards_are_dealt_anew_with_a_new_decree() -> None:
    env = deal("dove 8, dove 6", "dove 2, dove 4", "star 10", ("dove 8, star 2", "star 10, rose 1", "dove 6"))
    play(env, "dove 8", "dove 2", "dove 6", "dove 4")
    state = env.to_dict()
    assert (state["round"], state["trick"], state["phase"]) == (1, 0, "play")
    assert state["hands"] == [cards("dove 8, star 2"), sorted(cards("star 10, rose 1"))]
    assert (state["decree"], state["played"]) == (card("dove 6"), [])


def test_D14_without_injected_decks_every_round_is_shuffled_anew() -> None:
    env = duet_v0.raw_env(hand_size=2, characters=(), board=Board((40, *[0] * 9, 40), (), 5, 5))
    env.reset(seed=0)
    deals = []
    for number in range(3):
        assert env.to_dict()["round"] == number
        deals.append((hand(env, 0), hand(env, 1), decree(env)))
        play_round(env)
        place(env, tracker=5)
    assert len({str(dealt) for dealt in deals}) == 3


@pytest.mark.parametrize("first_player", [0, 1])
@pytest.mark.parametrize(("ruleset", "leaders"), [("standard", [0, 0, 0]), ("boxed", [0, 1, 0])])
def test_D14_who_leads_the_rounds(ruleset: str, leaders: list[int], first_player: int) -> None:
    env = deal(*NEXT, NEXT, NEXT, ruleset=ruleset, first_player=first_player)
    seats = []
    for _ in range(3):
        seats.append(env.to_dict()["leader"])
        assert env.to_dict()["to_move"] == seats[-1]
        place(env, tracker=5)
        play_round(env)
    assert seats == [(leader + first_player) % 2 for leader in leaders]


def test_D14_the_winner_of_the_last_trick_does_not_lead_the_next_round() -> None:
    env = deal("dove 2", "dove 10", "star 10", NEXT)
    play(env, "dove 2", "dove 10")
    assert (env.to_dict()["round"], env.to_dict()["leader"]) == (1, 0)


def test_D14_what_was_observed_in_a_round_ends_with_it() -> None:
    env = deal("dove 3, dove 8", "star 6, dove 10", "rose 4", ("dove 2, rose 2", "dove 4, rose 6", "star 1"))
    play(env, "dove 3", "dove 8", "dove 10", "star 6", "rose 4")
    assert env.to_dict()["round"] == 1
    for seat in (0, 1):
        view = seen(env, seat)
        assert (view["played_by_me"], view["played_by_partner"], view["played_trick"]) == ([], [], {})
        assert (view["known_to_me"], view["known_of_me"]) == ([], [])
        assert view["void"] == {"mine": [], "partner": []}
        assert view["tricks_won"] == view["tricks_won_by_partner"] == []
        assert view["tricks_swapped"] == view["tricks_swapped_by_partner"] == []
        assert view["tricks_dove"] == view["tricks_rose"] == view["tricks_star"] == []
        assert view["tricks_led"] == ([0] if seat == 0 else [])
        assert view["trick_tracker"] == [None] * 11
        assert view["hand_sizes"] == {"mine": 2, "partner": 2}
        assert len(view["unseen"]) == 30 - 2 - 1


def test_D14_there_is_nothing_between_the_last_round_and_the_end() -> None:
    env = deal("dove 9", "dove 7", rounds=1)
    play(env, "dove 9", "dove 7")
    state = env.to_dict()
    assert (state["outcome"], state["gems"], state["path"]) == ("lost_time", GEMS_A, [0, 10])
