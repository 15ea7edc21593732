"""The characters that change the tracker's move: Musician and Gazelle (rulings D16, D17)."""

from typing import Any

import pytest
from positions import (
    MY_END,
    NEITHER,
    NO_FOLLOWER,
    NO_LEADER,
    PARTNERS_END,
    legal,
    place,
    play,
    seen,
    trick,
    two_tricks,
)

BOTH_ENDS = [MY_END, PARTNERS_END]


def landing(led: str, reply: str, choice: str, leader: int = 0, start: int = 5, **options: Any) -> int:
    """Where the tracker lands if the winner of a trick makes this choice."""
    env = two_tricks(led, reply, leader=leader, **options)
    place(env, tracker=start)
    play(env, led, reply, choice)
    return env.to_dict()["tracker"]


# --- D16: the Musician ------------------------------------------------------------------------------


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(
    ("led", "reply", "leader_wins"),
    [
        ("dove 8", "dove 1", True),  # the follower's Musician, lost
        ("dove 1", "dove 8", False),  # the leader's, lost
        ("dove 1", "rose 8", True),  # the leader's, won
        ("dove 8", "star 1", False),  # the follower's, won
        ("dove 1", "rose 1", True),
        ("dove 1", "star 1", False),
    ],
)
def test_D16_the_winner_chooses_the_direction_whoever_played_the_musician(
    led: str, reply: str, leader_wins: bool, leader: int
) -> None:
    env = trick(led, reply, leader=leader)
    winner = leader if leader_wins else 1 - leader
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("move", winner)
    assert legal(env) == BOTH_ENDS
    assert legal(env, 1 - winner) == []


@pytest.mark.parametrize(
    ("leader", "choice", "lands"),
    [(0, MY_END, 3), (0, PARTNERS_END, 7), (1, MY_END, 7), (1, PARTNERS_END, 3)],
)
def test_D16_the_tracker_goes_where_the_winner_wants(leader: int, choice: str, lands: int) -> None:
    assert landing("dove 8", "dove 1", choice, leader) == lands


@pytest.mark.parametrize(
    ("leader", "choice", "lands"),
    [(0, MY_END, 8), (0, PARTNERS_END, 2), (1, MY_END, 2), (1, PARTNERS_END, 8)],
)
def test_D16_a_follower_who_wins_moves_from_their_own_point_of_view(
    leader: int, choice: str, lands: int
) -> None:
    assert landing("dove 1", "dove 10", choice, leader) == lands


def test_D16_the_direction_is_asked_even_for_no_steps() -> None:
    env = trick("dove 1", "rose 8")
    assert legal(env) == BOTH_ENDS
    play(env, PARTNERS_END)
    assert env.to_dict()["tracker"] == 5


def test_D16_boxed_the_sum_goes_in_the_chosen_direction() -> None:
    assert landing("dove 1", "rose 8", PARTNERS_END, ruleset="boxed") == 7
    assert landing("dove 1", "rose 8", MY_END, ruleset="boxed") == 3


def test_D16_the_winner_leads_next_wherever_the_tracker_went() -> None:
    env = trick("dove 8", "dove 1")
    play(env, PARTNERS_END)
    assert (env.to_dict()["leader"], env.to_dict()["to_move"], env.to_dict()["phase"]) == (0, 0, "play")


def test_D16_the_trick_lies_open_while_the_winner_decides() -> None:
    env = trick("dove 8", "dove 1")
    assert env.to_dict()["trick_cards"] == [[0, 7], [1, 0]]
    for seat in (0, 1):
        assert (seen(env, seat)["led"], seen(env, seat)["reply"]) == ("dove 8", "dove 1")


def test_D16_collecting_follows_the_chosen_direction() -> None:
    env = two_tricks("dove 8", "dove 1")
    place(env, gems={7: 1, 0: 1})
    play(env, "dove 8", "dove 1", PARTNERS_END)
    assert env.to_dict()["collected"] == 1


def test_D16_without_a_musician_nothing_is_asked() -> None:
    assert trick("dove 8", "dove 2").to_dict()["phase"] == "play"


# --- D17: the Gazelle -------------------------------------------------------------------------------


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(
    ("led", "reply", "leader_wins"),
    [
        ("dove 8", "dove 5", True),
        ("dove 5", "dove 8", False),
        ("dove 5", "rose 8", True),
        ("dove 8", "star 5", False),
        ("dove 5", "rose 5", True),
        ("dove 5", "star 5", False),
    ],
)
def test_D17_standard_the_winner_moves_or_stays_whoever_played_gazelles(
    led: str, reply: str, leader_wins: bool, leader: int
) -> None:
    env = trick(led, reply, leader=leader)
    winner = leader if leader_wins else 1 - leader
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("move", winner)
    assert legal(env) == [MY_END, MY_END + (NO_LEADER if leader_wins else NO_FOLLOWER)]


@pytest.mark.parametrize(
    ("led", "reply", "choice", "lands"),
    [
        ("dove 8", "dove 5", MY_END, 3),
        ("dove 8", "dove 5", MY_END + NO_LEADER, 5),
        ("dove 5", "dove 10", MY_END, 8),
        ("dove 5", "dove 10", MY_END + NO_FOLLOWER, 5),
    ],
)
def test_D17_standard_the_winning_cards_footprints_count_or_not(
    led: str, reply: str, choice: str, lands: int
) -> None:
    assert landing(led, reply, choice) == lands


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("led", "reply"), [("dove 5", "dove 8"), ("dove 8", "dove 5"), ("dove 5", "rose 8")])
def test_D17_boxed_one_gazelle_lets_the_winner_ignore_either_card(led: str, reply: str, leader: int) -> None:
    env = trick(led, reply, leader=leader, ruleset="boxed")
    assert legal(env) == [MY_END, MY_END + NO_LEADER, MY_END + NO_FOLLOWER]


@pytest.mark.parametrize(("led", "reply"), [("dove 5", "rose 5"), ("dove 5", "star 5")])
def test_D17_boxed_two_gazelles_let_the_winner_ignore_one_or_both(led: str, reply: str) -> None:
    env = trick(led, reply, ruleset="boxed")
    assert legal(env) == [MY_END, MY_END + NO_LEADER, MY_END + NO_FOLLOWER, MY_END + NEITHER]


@pytest.mark.parametrize(
    ("led", "reply", "choice", "lands"),
    [
        ("dove 5", "dove 10", MY_END, 9),  # 1 + 3
        ("dove 5", "dove 10", MY_END + NO_LEADER, 8),
        ("dove 5", "dove 10", MY_END + NO_FOLLOWER, 6),
        ("dove 10", "dove 5", MY_END, 1),
        ("dove 10", "dove 5", MY_END + NO_LEADER, 4),
        ("dove 10", "dove 5", MY_END + NO_FOLLOWER, 2),
        ("dove 5", "rose 5", MY_END, 3),
        ("dove 5", "rose 5", MY_END + NO_LEADER, 4),
        ("dove 5", "rose 5", MY_END + NO_FOLLOWER, 4),
        ("dove 5", "rose 5", MY_END + NEITHER, 5),
    ],
)
def test_D17_boxed_the_cards_that_are_not_ignored_count(
    led: str, reply: str, choice: str, lands: int
) -> None:
    assert landing(led, reply, choice, ruleset="boxed") == lands


def test_D17_who_stays_collects_on_the_spot() -> None:
    env = two_tricks("dove 8", "dove 5")
    place(env, tracker=7)
    play(env, "dove 8", "dove 5", MY_END + NO_LEADER)
    assert (env.to_dict()["tracker"], env.to_dict()["collected"]) == (7, 1)


def test_D17_staying_avoids_an_overrun() -> None:
    for choice, path in ((MY_END, [1, 10]), (MY_END + NO_LEADER, [0, 10])):
        env = two_tricks("dove 8", "dove 5")
        place(env, tracker=0)
        play(env, "dove 8", "dove 5", choice)
        assert env.to_dict()["path"] == path


# --- both together ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("led", "reply", "ignorable"),
    [("dove 1", "rose 5", NO_LEADER), ("dove 1", "dove 5", NO_FOLLOWER), ("dove 5", "dove 1", NO_LEADER)],
)
def test_D16_D17_standard_musician_and_gazelle_give_both_choices(
    led: str, reply: str, ignorable: str
) -> None:
    env = trick(led, reply)
    assert legal(env) == [MY_END, MY_END + ignorable, PARTNERS_END, PARTNERS_END + ignorable]


def test_D16_D17_boxed_musician_and_gazelle_give_both_choices() -> None:
    env = trick("dove 1", "dove 5", ruleset="boxed")
    each = ("", NO_LEADER, NO_FOLLOWER)
    assert legal(env) == [MY_END + ignored for ignored in each] + [PARTNERS_END + ignored for ignored in each]


@pytest.mark.parametrize(
    ("choice", "lands"),
    [(MY_END, 6), (MY_END + NO_FOLLOWER, 5), (PARTNERS_END, 4), (PARTNERS_END + NO_FOLLOWER, 5)],
)
def test_D16_D17_musician_and_gazelle_move_as_chosen(choice: str, lands: int) -> None:
    assert landing("dove 1", "dove 5", choice) == lands


@pytest.mark.parametrize("ruleset", ["standard", "boxed"])
@pytest.mark.parametrize("reply", ["rose 1", "star 1", "dove 8"])
def test_D16_two_musicians_or_one_give_the_same_two_choices(reply: str, ruleset: str) -> None:
    assert legal(trick("dove 1", reply, ruleset=ruleset)) == BOTH_ENDS


@pytest.mark.parametrize(
    ("switched_on", "choices"),
    [(("musician",), BOTH_ENDS), (("gazelle",), [MY_END, MY_END + NO_FOLLOWER]), ((), ["dove 6"])],
)
def test_D3_musician_and_gazelle_are_switched_off_one_by_one(
    switched_on: tuple[str, ...], choices: list[str]
) -> None:
    assert legal(trick("dove 1", "dove 5", characters=switched_on)) == choices
