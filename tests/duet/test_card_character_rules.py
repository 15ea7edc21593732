"""The characters that move cards or free them: Foxes, Gift, Royal Heir (rulings D18, D19, D20)."""

import pytest
from positions import deal, decree, hand, legal, play, seen

# --- D18: the Foxes ---------------------------------------------------------------------------------


def test_D18_the_leader_may_exchange_before_the_trick_goes_on() -> None:
    env = deal("dove 3, rose 6, star 8", "dove 4, rose 4, star 4", decree="star 10")
    play(env, "dove 3")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("exchange", 0)
    assert legal(env) == ["rose 6", "star 8", "decline"]
    play(env, "rose 6")
    assert (decree(env), hand(env, 0)) == ("rose 6", ["star 8", "star 10"])
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", 1)


def test_D18_the_follower_may_exchange_before_the_trick_is_decided() -> None:
    env = deal("dove 10, rose 8", "star 3, star 6", decree="rose 10")
    play(env, "dove 10", "star 3")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("exchange", 1)
    assert legal(env) == ["star 6", "decline"]
    play(env, "star 6")
    assert (decree(env), hand(env, 1)) == ("star 6", ["rose 10"])


def test_D18_declining_changes_nothing() -> None:
    env = deal("dove 3, rose 6", "dove 4, rose 4", decree="star 10")
    play(env, "dove 3", "decline")
    assert (decree(env), hand(env, 0)) == ("star 10", ["rose 6"])
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", 1)
    assert seen(env, 1)["known_to_me"] == seen(env, 0)["tricks_swapped"] == []


@pytest.mark.parametrize(("action", "winner"), [("decline", 0), ("rose 6", 1), ("dove 8", 0), ("star 8", 0)])
def test_D18_the_leaders_new_decree_is_trump_for_this_trick(action: str, winner: int) -> None:
    env = deal("dove 3, dove 8, rose 6, star 8", "rose 2, rose 4, rose 8, rose 10", decree="star 10")
    play(env, "dove 3", action, "rose 2")
    assert env.to_dict()["leader"] == winner


@pytest.mark.parametrize(("action", "winner"), [("decline", 0), ("star 6", 1)])
def test_D18_the_followers_new_decree_is_trump_for_this_trick(action: str, winner: int) -> None:
    env = deal("dove 10, rose 8", "star 3, star 6", decree="rose 10")
    play(env, "dove 10", "star 3", action)
    assert env.to_dict()["leader"] == winner


def test_D18_the_new_decree_is_trump_in_the_next_tricks_too() -> None:
    env = deal("dove 3, rose 6, rose 2", "dove 4, dove 8, star 2", decree="star 10")
    play(env, "dove 3", "rose 6", "dove 4", "dove 8", "rose 2")
    assert (decree(env), env.to_dict()["leader"]) == ("rose 6", 0)
    assert seen(env, 0)["tricks_rose"] == seen(env, 1)["tricks_rose"] == [0, 1]


@pytest.mark.parametrize("seat", [0, 1])
def test_D18_the_card_taken_is_known_to_both(seat: int) -> None:
    hands = ["dove 3, rose 6, star 8", "dove 4, rose 4, star 4"]
    env = deal(*(hands if seat == 0 else hands[::-1]), decree="star 10", first_player=seat)
    play(env, "dove 3", "rose 6")
    assert seen(env, 1 - seat)["known_to_me"] == ["star 10"]
    assert seen(env, seat)["known_of_me"] == ["star 10"]
    assert seen(env, 1 - seat)["known_of_me"] == seen(env, seat)["known_to_me"] == []
    assert "star 10" not in seen(env, 1 - seat)["unseen"]


def test_D18_who_could_not_follow_is_bound_by_the_card_they_took() -> None:
    env = deal("dove 10, dove 8, dove 2", "rose 3, rose 8, star 8", decree="dove 6")
    play(env, "dove 10", "rose 3", "star 8")  # dove 6 comes into the hand; star is trump
    assert (env.to_dict()["leader"], seen(env, 1)["void"]["mine"]) == (0, ["dove"])
    assert hand(env, 1) == ["dove 6", "rose 8"]
    play(env, "dove 2")
    assert legal(env) == ["dove 6"]


def test_D18_a_card_given_away_no_longer_binds() -> None:
    env = deal("dove 10, rose 10, dove 8", "dove 3, rose 2, star 2", decree="star 6")
    play(env, "dove 10", "dove 3", "rose 2", "rose 10")
    assert legal(env) == ["star 2", "star 6"]


def test_D18_foxes_with_an_empty_hand_are_not_asked() -> None:
    env = deal("dove 4, dove 8", "dove 3, dove 6", rounds=1)
    play(env, "dove 8", "dove 6", "dove 4", "dove 3")
    assert env.to_dict()["outcome"] == "lost_time"


def test_D18_the_leader_with_foxes_as_the_last_card_is_not_asked() -> None:
    env = deal("dove 3", "dove 6")
    play(env, "dove 3")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", 1)


def test_D18_two_foxes_in_a_trick_exchange_one_after_the_other() -> None:
    env = deal("dove 3, rose 6", "rose 3, star 4", decree="star 10")
    play(env, "dove 3", "rose 6", "rose 3", "star 4")
    assert decree(env) == "star 4"
    assert (hand(env, 0), hand(env, 1)) == (["star 10"], ["rose 6"])
    assert seen(env, 0)["tricks_swapped"] == seen(env, 1)["tricks_swapped"] == [0]
    assert env.to_dict()["leader"] == 0  # star is trump when the trick is decided


def test_D18_both_see_in_which_tricks_the_decree_was_changed() -> None:
    env = deal("dove 3, rose 6, rose 8", "dove 4, rose 3, star 4", decree="star 10")
    play(env, "dove 3", "decline", "dove 4", "rose 3", "star 4", "rose 6")
    assert seen(env, 0)["tricks_swapped_by_partner"] == seen(env, 1)["tricks_swapped"] == [1]
    assert seen(env, 1)["tricks_swapped_by_partner"] == seen(env, 0)["tricks_swapped"] == []


# --- D19: the Gift ----------------------------------------------------------------------------------


def test_D19_both_choose_a_card_and_exchange_them_before_the_trick_goes_on() -> None:
    env = deal("dove 7, rose 6, star 8", "dove 4, rose 4, star 4", decree="star 10")
    play(env, "dove 7")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("gift", 0)
    assert legal(env) == ["rose 6", "star 8"]
    play(env, "rose 6")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("gift", 1)
    assert legal(env) == ["dove 4", "rose 4", "star 4"]
    assert (hand(env, 0), hand(env, 1)) == (["rose 6", "star 8"], ["dove 4", "rose 4", "star 4"])
    play(env, "star 4")
    assert (hand(env, 0), hand(env, 1)) == (["star 4", "star 8"], ["dove 4", "rose 4", "rose 6"])
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", 1)


def test_D19_the_followers_gift_comes_before_the_trick_is_decided() -> None:
    env = deal("dove 4, rose 6", "dove 7, star 4")
    play(env, "dove 4", "dove 7")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("gift", 1)
    play(env, "star 4", "rose 6")
    assert (hand(env, 0), hand(env, 1)) == (["star 4"], ["rose 6"])
    assert (env.to_dict()["trick"], env.to_dict()["leader"]) == (1, 1)


def test_D19_the_first_choice_is_hidden_from_the_partner() -> None:
    views = []
    for choice in ("rose 6", "star 8"):
        env = deal("dove 7, rose 6, star 8", "dove 4, rose 4, star 4")
        play(env, "dove 7", choice)
        views.append(env.observe("player_1"))
    assert all(views[0][part].tobytes() == views[1][part].tobytes() for part in views[0])


def test_D19_who_has_chosen_sees_their_own_choice() -> None:
    env = deal("dove 7, rose 6, star 8", "dove 4, rose 4, star 4")
    play(env, "dove 7", "rose 6")
    assert (seen(env, 0)["chosen_gift"], seen(env, 1)["chosen_gift"]) == ("rose 6", None)
    play(env, "rose 4")
    assert (seen(env, 0)["chosen_gift"], seen(env, 1)["chosen_gift"]) == (None, None)


def test_D19_each_then_knows_one_card_of_the_others_hand() -> None:
    env = deal("dove 7, rose 6, star 8", "dove 4, rose 4, star 4")
    play(env, "dove 7", "rose 6", "star 4")
    assert seen(env, 0)["known_to_me"] == seen(env, 1)["known_of_me"] == ["rose 6"]
    assert seen(env, 1)["known_to_me"] == seen(env, 0)["known_of_me"] == ["star 4"]


def test_D19_a_card_that_was_given_binds_the_follower() -> None:
    env = deal("dove 7, dove 8, star 8", "rose 4, rose 6, star 4")
    play(env, "dove 7", "dove 8", "star 4")
    assert legal(env) == ["dove 8"]


def test_D19_a_follower_can_give_their_last_card_of_the_led_suit_away() -> None:
    env = deal("dove 7, rose 8, star 8", "dove 4, rose 6, star 4")
    play(env, "dove 7", "rose 8", "dove 4")
    assert legal(env) == ["rose 6", "rose 8", "star 4"]


@pytest.mark.parametrize(("led", "reply"), [("dove 7", "dove 4"), ("dove 4", "dove 7")])
def test_D19_in_the_last_trick_nothing_happens(led: str, reply: str) -> None:
    env = deal(f"dove 10, {led}", f"dove 2, {reply}", rounds=1)
    play(env, "dove 10", "dove 2", led)
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", 1)
    play(env, reply)
    assert env.to_dict()["outcome"] == "lost_time"


def test_D19_a_card_that_is_known_already_can_be_given_and_stays_known() -> None:
    env = deal("dove 7, dove 3, star 8", "dove 4, rose 4, star 4", decree="star 10")
    play(env, "dove 3", "star 8", "dove 4")
    assert seen(env, 1)["known_to_me"] == ["star 10"]
    play(env, "rose 4", "dove 7", "star 10", "star 4")
    assert (hand(env, 0), hand(env, 1)) == (["star 4"], ["star 10"])
    assert seen(env, 0)["known_to_me"] == seen(env, 1)["known_of_me"] == ["star 10"]
    assert seen(env, 1)["known_to_me"] == seen(env, 0)["known_of_me"] == ["star 4"]


def test_D19_a_gift_can_be_given_back() -> None:
    env = deal("dove 7, rose 7, star 8", "dove 4, rose 4, star 4", decree="star 10")
    play(env, "dove 7", "star 8", "star 4", "dove 4", "rose 7", "star 4", "star 8")
    assert (hand(env, 0), hand(env, 1)) == (["star 8"], ["rose 4", "star 4"])
    assert seen(env, 0)["known_to_me"] == ["star 4"]
    assert seen(env, 1)["known_to_me"] == ["star 8"]


def test_D19_two_gifts_in_a_trick_exchange_twice() -> None:
    env = deal("dove 7, rose 6, star 8", "dove 4, rose 7, star 4")
    play(env, "dove 7", "rose 6", "dove 4", "rose 7")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("gift", 1)
    play(env, "star 4", "dove 4")
    assert (hand(env, 0), hand(env, 1)) == (["star 4", "star 8"], ["dove 4", "rose 6"])


def test_D18_D19_foxes_that_came_as_a_gift_act_for_who_plays_them() -> None:
    env = deal("dove 7, dove 3, star 8", "dove 4, rose 4, star 4", decree="star 10")
    play(env, "dove 7", "dove 3", "star 4")
    assert legal(env) == ["dove 3", "dove 4"]
    play(env, "dove 3")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("exchange", 1)


# --- D20: the Royal Heir ----------------------------------------------------------------------------


def test_D20_a_royal_heir_that_is_led_frees_the_follower() -> None:
    env = deal("dove 9, dove 2", "dove 4, star 4")
    play(env, "dove 9")
    assert legal(env) == ["dove 4", "star 4"]


def test_D20_not_following_a_royal_heir_tells_nothing() -> None:
    env = deal("dove 9, dove 2", "dove 4, star 4")
    play(env, "dove 9", "star 4")
    assert seen(env, 0)["void"] == seen(env, 1)["void"] == {"mine": [], "partner": []}


def test_D20_the_freed_follower_may_win_with_trump_or_lose_with_another_suit() -> None:
    for reply, leader in (("star 2", 1), ("rose 10", 0), ("dove 10", 1), ("dove 8", 0)):
        env = deal("dove 9, dove 2", f"{reply}, dove 4", decree="star 10")
        play(env, "dove 9", reply)
        assert env.to_dict()["leader"] == leader


def test_D20_a_follower_with_a_royal_heir_is_bound_all_the_same() -> None:
    env = deal("dove 2, dove 8", "dove 4, star 9")
    play(env, "dove 2")
    assert legal(env) == ["dove 4"]


def test_D20_the_follower_is_bound_again_in_the_next_trick() -> None:
    env = deal("dove 9, rose 8, rose 2", "dove 4, rose 4, star 4", decree="rose 10")
    play(env, "dove 9", "dove 4", "rose 8")
    assert legal(env) == ["rose 4"]


def test_D20_a_royal_heir_that_is_switched_off_binds_and_tells() -> None:
    env = deal("dove 9, dove 2", "rose 4, star 4", characters=("foxes",))
    play(env, "dove 9", "star 4")
    assert seen(env, 0)["void"] == {"mine": [], "partner": ["dove"]}


def test_D3_switched_off_foxes_and_gift_leave_hands_and_decree_alone() -> None:
    env = deal("dove 3, rose 7, star 2", "dove 7, rose 3, star 4", decree="star 10", characters=("musician",))
    play(env, "dove 3", "dove 7", "rose 3", "rose 7")
    assert (hand(env, 0), hand(env, 1), decree(env)) == (["star 2"], ["star 4"], "star 10")
    assert (env.to_dict()["trick"], env.to_dict()["leader"]) == (2, 0)
