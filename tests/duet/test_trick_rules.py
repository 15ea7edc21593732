"""Playing a trick, winning it and walking for it (rulings D7 to D10)."""

import pytest
from positions import deal, hand, legal, play, seen, trick, two_tricks

from reynard.envs import duet_v0

# --- D7: following suit -----------------------------------------------------------------------------


def test_D7_the_leader_may_play_any_card() -> None:
    env = deal("dove 2, dove 7, rose 3, star 10", "dove 4, rose 4, star 4, star 6", decree="rose 10")
    assert legal(env) == hand(env, 0) == ["dove 2", "dove 7", "rose 3", "star 10"]


@pytest.mark.parametrize("led", ["dove 2", "rose 2", "star 2"])
def test_D7_the_follower_must_play_the_led_suit(led: str) -> None:
    env = deal("dove 2, rose 2, star 2, star 4", "dove 6, dove 8, rose 6, star 6", decree="star 10")
    play(env, led)
    suit = led.split()[0]
    assert legal(env) == [name for name in hand(env, 1) if name.startswith(suit)]


def test_D7_a_follower_without_the_led_suit_may_play_anything() -> None:
    env = deal("dove 2, rose 2, star 2", "rose 6, rose 8, star 6", decree="star 10")
    play(env, "dove 2")
    assert legal(env) == ["rose 6", "rose 8", "star 6"]


def test_D7_who_could_not_follow_once_must_follow_another_suit() -> None:
    env = deal("dove 8, rose 2, star 2", "rose 6, star 4, star 6", decree="dove 10")
    play(env, "dove 8", "star 4", "rose 2")
    assert legal(env) == ["rose 6"]


def test_D7_the_leader_of_a_later_trick_may_play_any_card() -> None:
    env = deal("dove 4, rose 2, star 2", "dove 8, rose 6, star 6", decree="rose 10")
    play(env, "dove 4", "dove 8")
    assert env.agent_selection == "player_1"
    assert legal(env) == ["rose 6", "star 6"]


def test_D7_only_the_seat_to_move_may_do_anything() -> None:
    env = deal("dove 2, rose 2", "dove 6, rose 6")
    assert (legal(env, 0), legal(env, 1)) == (["dove 2", "rose 2"], [])
    play(env, "dove 2")
    assert (legal(env, 0), legal(env, 1)) == ([], ["dove 6"])


# --- D8: winning ------------------------------------------------------------------------------------

LEADER, FOLLOWER = "leader", "follower"


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(
    ("led", "reply", "winner"),
    [
        ("dove 4", "dove 8", FOLLOWER),  # same suit, not trump
        ("dove 8", "dove 4", LEADER),
        ("dove 1", "dove 2", FOLLOWER),
        ("rose 10", "rose 9", LEADER),
        ("star 2", "star 3", FOLLOWER),  # same suit, trump
        ("star 9", "star 8", LEADER),
        ("dove 10", "star 1", FOLLOWER),  # trump beats the led suit
        ("rose 2", "star 8", FOLLOWER),
        ("star 1", "dove 10", LEADER),  # trump was led
        ("star 4", "rose 9", LEADER),
        ("dove 1", "rose 10", LEADER),  # neither is trump
        ("rose 2", "dove 9", LEADER),
        ("rose 8", "dove 2", LEADER),
    ],
)
def test_D8_the_winner_of_a_trick_when_star_is_trump(led: str, reply: str, winner: str, leader: int) -> None:
    env = two_tricks(led, reply, "star 6", leader, characters=())
    play(env, led, reply)
    won_by = leader if winner == LEADER else 1 - leader
    assert seen(env, won_by)["tricks_won"] == seen(env, 1 - won_by)["tricks_won_by_partner"] == [0]
    assert seen(env, won_by)["tricks_won_by_partner"] == seen(env, 1 - won_by)["tricks_won"] == []


@pytest.mark.parametrize(("decree", "winner"), [("dove 6", LEADER), ("rose 6", FOLLOWER), ("star 6", LEADER)])
def test_D8_the_decrees_suit_is_trump(decree: str, winner: str) -> None:
    env = trick("dove 10", "rose 2", decree, characters=())
    assert env.to_dict()["leader"] == (0 if winner == LEADER else 1)


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("led", "reply", "changes"), [("dove 8", "dove 4", 0), ("dove 4", "dove 8", 1)])
def test_D8_the_winner_leads_the_next_trick(led: str, reply: str, changes: int, leader: int) -> None:
    env = trick(led, reply, leader=leader)
    state = env.to_dict()
    next_leader = (leader + changes) % 2
    assert (state["trick"], state["phase"], state["trick_cards"]) == (1, "play", [])
    assert state["leader"] == state["to_move"] == next_leader
    assert env.agent_selection == f"player_{next_leader}"


# --- D9: steps --------------------------------------------------------------------------------------

#: Star is trump: led, reply, who wins, footprints of both.
STEPS = [
    ("dove 10", "dove 4", LEADER, 3, 1),
    ("dove 4", "dove 10", FOLLOWER, 1, 3),
    ("dove 8", "star 4", FOLLOWER, 2, 1),
    ("dove 4", "rose 2", LEADER, 1, 3),
    ("star 4", "dove 8", LEADER, 1, 2),
    ("dove 9", "dove 6", LEADER, 0, 2),
    ("dove 9", "dove 10", FOLLOWER, 0, 3),
]


def steps_walked(env: duet_v0.raw_env, start: int = 5) -> int:
    return abs(env.to_dict()["tracker"] - start)


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("led", "reply", "winner", "leaders", "followers"), STEPS)
def test_D9_standard_only_the_winning_cards_footprints_count(
    led: str, reply: str, winner: str, leaders: int, followers: int, leader: int
) -> None:
    env = trick(led, reply, "star 6", leader, ruleset="standard")
    assert steps_walked(env) == (leaders if winner == LEADER else followers)


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("led", "reply", "winner", "leaders", "followers"), STEPS)
def test_D9_boxed_the_footprints_of_both_cards_count(
    led: str, reply: str, winner: str, leaders: int, followers: int, leader: int
) -> None:
    env = trick(led, reply, "star 6", leader, ruleset="boxed")
    assert steps_walked(env) == leaders + followers


def test_D9_standard_is_the_default() -> None:
    assert steps_walked(trick("dove 10", "dove 4")) == 3
    assert duet_v0.raw_env().ruleset == duet_v0.raw_env(ruleset="standard").ruleset


def test_D9_steps_can_be_chosen_apart_from_the_ruleset() -> None:
    assert steps_walked(trick("dove 10", "dove 4", steps="sum")) == 4
    assert steps_walked(trick("dove 10", "dove 4", ruleset="boxed", steps="winner")) == 3


# --- D10: direction ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["standard", "boxed"])
@pytest.mark.parametrize(
    ("leader", "led", "reply", "towards"),
    [
        (0, "dove 10", "dove 9", 0),
        (0, "dove 9", "dove 10", 10),
        (1, "dove 10", "dove 9", 10),
        (1, "dove 9", "dove 10", 0),
    ],
)
def test_D10_the_tracker_moves_towards_the_winners_end(
    leader: int, led: str, reply: str, towards: int, ruleset: str
) -> None:
    env = trick(led, reply, leader=leader, ruleset=ruleset)
    assert env.to_dict()["tracker"] == (2 if towards == 0 else 8)


def test_D10_each_player_sees_the_tracker_come_towards_the_end_of_the_one_who_won() -> None:
    env = trick("dove 10", "dove 4")
    assert [seen(env, seat)["tracker"] for seat in (0, 1)] == [2, 8]
