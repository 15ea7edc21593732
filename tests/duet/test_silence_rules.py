"""What a player observes, and the one thing they may agree on (rulings D21, D22)."""

from typing import Any

import pytest
from positions import deal, deck, legal, play, seen
from watcher import Watcher

from reynard.envs import duet_v0
from reynard.envs.duet import Board

LOPSIDED = Board((3, 0, 0, 1, 2, 0, 4), (0, 4), 2, 2)

# --- D21: what is observed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"ruleset": "standard"},
        {"ruleset": "boxed", "board": "B"},
        {"ruleset": "boxed", "board": LOPSIDED, "agreement": 3, "hand_size": 5},
        {"ruleset": "standard", "suits": 2, "ranks": (1, 2, 3, 7, 9), "hand_size": 4, "board": LOPSIDED},
    ],
    ids=["standard", "boxed", "lopsided", "small deck"],
)
def test_D21_both_seats_observe_all_that_is_public_their_hand_and_what_was_made_known(
    options: dict[str, Any],
) -> None:
    for seed in range(8):
        env = duet_v0.raw_env(**options)
        watcher = Watcher(env, seed)
        for seat in (0, 1):
            assert seen(env, seat) == watcher.expected(seat)
        while env.to_dict()["outcome"] is None:
            watcher.play()
            for seat in (0, 1):
                assert seen(env, seat) == watcher.expected(seat)


def observations(decks: list[list[int]], seat: int) -> tuple[bytes, bytes]:
    env = duet_v0.raw_env()
    env.reset(seed=0, options={"decks": decks, "first_player": 0})
    view = env.observe(f"player_{seat}")
    return view["observation"].tobytes(), view["action_mask"].tobytes()


@pytest.mark.parametrize(("seat", "partners"), [(0, slice(11, 22)), (1, slice(0, 11))])
def test_D21_the_partners_hand_and_the_unused_cards_are_never_observed(seat: int, partners: slice) -> None:
    order = list(range(30))
    other = list(order)
    other[partners], other[23:30] = [*order[23:30], *order[partners][:4]], order[partners][4:]
    assert observations([order], seat) == observations([other], seat)
    assert observations([order], 1 - seat) != observations([other], 1 - seat)


def test_D21_the_decks_of_later_rounds_are_never_observed() -> None:
    order = list(range(30))
    for seat in (0, 1):
        assert observations([order, order], seat) == observations([order, order[::-1]], seat)


def test_D21_played_cards_are_observed_with_who_played_them_and_when() -> None:
    env = deal("dove 4, rose 2, dove 6", "dove 8, rose 6, star 4")
    play(env, "dove 4", "dove 8", "rose 6", "rose 2")
    assert (seen(env, 0)["played_by_me"], seen(env, 0)["played_by_partner"]) == (
        ["dove 4", "rose 2"],
        ["dove 8", "rose 6"],
    )
    for seat in (0, 1):
        assert seen(env, seat)["played_trick"] == {"dove 4": 0, "rose 2": 1, "dove 8": 0, "rose 6": 1}
    assert seen(env, 0)["tricks_won_by_partner"] == seen(env, 1)["tricks_won"] == [0, 1]


def test_D21_a_card_is_observed_the_moment_it_is_played() -> None:
    env = deal("dove 4, rose 2", "dove 8, rose 6")
    play(env, "dove 4")
    assert seen(env, 1)["led"] == seen(env, 0)["led"] == "dove 4"
    assert seen(env, 1)["played_by_partner"] == ["dove 4"]
    assert "dove 4" not in seen(env, 1)["unseen"]


def test_D21_a_suit_that_was_not_followed_is_observed() -> None:
    env = deal("dove 8, rose 2", "rose 6, star 4", decree="dove 10")
    play(env, "dove 8", "rose 6")
    assert seen(env, 0)["void"] == {"mine": [], "partner": ["dove"]}
    assert seen(env, 1)["void"] == {"mine": ["dove"], "partner": []}


def test_D21_following_tells_nothing() -> None:
    env = deal("dove 8, rose 2", "dove 4, star 4")
    play(env, "dove 8", "dove 4")
    assert seen(env, 0)["void"] == {"mine": [], "partner": []}


def test_D21_a_known_card_is_forgotten_when_it_is_played() -> None:
    env = deal("dove 3, rose 6, rose 8", "dove 4, star 6, star 8", decree="star 2")
    play(env, "dove 3", "rose 6", "dove 4", "star 6")
    assert (seen(env, 1)["known_to_me"], seen(env, 0)["known_of_me"]) == (["star 2"], ["star 2"])
    play(env, "star 2")
    assert (seen(env, 1)["known_to_me"], seen(env, 0)["known_of_me"]) == ([], [])
    assert "star 2" not in seen(env, 1)["unseen"]


def test_D21_hand_sizes_are_observed() -> None:
    env = deal("dove 8, rose 2", "dove 4, star 4")
    play(env, "dove 8")
    assert seen(env, 0)["hand_sizes"] == {"mine": 1, "partner": 2}
    assert seen(env, 1)["hand_sizes"] == {"mine": 2, "partner": 1}


def test_D21_spaces_are_counted_from_the_observers_own_end() -> None:
    env = deal("dove 4", "rose 2", board=LOPSIDED)
    first, second = seen(env, 0), seen(env, 1)
    assert (first["gems"], second["gems"]) == (
        [3, 0, 0, 1, 2, 0, 4, 0, 0, 0, 0],
        [4, 0, 2, 1, 0, 0, 3, 0, 0, 0, 0],
    )
    assert (first["tracker"], second["tracker"]) == (first["start"], second["start"]) == (2, 4)
    assert (first["plus_marks"], second["plus_marks"]) == ([0, 4], [2, 6])


def test_D21_without_history_only_the_table_as_it_lies_is_observed() -> None:
    games = [deal("dove 3, rose 6, rose 8", "dove 4, star 6, star 8", history=kept) for kept in (True, False)]
    for env in games:
        play(env, "dove 3", "rose 6", "dove 4", "star 6")
    full, short = (seen(env, 0) for env in games)
    assert set(full) - set(short) == {
        *(
            "known_to_me",
            "known_of_me",
            "unseen",
            "void",
            "played_by_me",
            "played_by_partner",
            "played_trick",
        ),
        *("tricks_led", "tricks_won", "tricks_won_by_partner", "tricks_swapped", "tricks_swapped_by_partner"),
        *("tricks_dove", "tricks_rose", "tricks_star", "trick_tracker"),
    }
    assert all(short[name] == full[name] for name in short)


# --- D22: agreement ---------------------------------------------------------------------------------

ROUND = ("dove 4", "rose 4", "star 4")


@pytest.mark.parametrize("first_player", [0, 1])
def test_D22_the_first_player_and_then_the_other_announces_before_the_deal(first_player: int) -> None:
    env = deal(*ROUND, agreement=3, first_player=first_player)
    for seat in (first_player, 1 - first_player):
        state = env.to_dict()
        assert (state["phase"], state["to_move"]) == ("announce", seat)
        assert (state["hands"], state["decree"]) == ([[], []], None)
        assert legal(env) == ["announce 0", "announce 1", "announce 2"]
        assert seen(env, seat)["hand"] == []
        assert len(seen(env, seat)["unseen"]) == 30
        play(env, "announce 1")
    assert (env.to_dict()["phase"], env.to_dict()["to_move"]) == ("play", first_player)
    assert env.to_dict()["hands"] == [[3], [13]]


def test_D22_an_announcement_is_public_at_once_and_for_the_round() -> None:
    env = deal("dove 4, dove 8", "rose 4, rose 8", agreement=3)
    play(env, "announce 2")
    assert seen(env, 1)["signals"] == {"mine": None, "partner": 2}
    play(env, "announce 0")
    for action in ("dove 4", "rose 4", "dove 8"):
        assert seen(env, 0)["signals"] == {"mine": 2, "partner": 0}
        assert seen(env, 1)["signals"] == {"mine": 0, "partner": 2}
        play(env, action)


@pytest.mark.parametrize(("ruleset", "second"), [("standard", 0), ("boxed", 1)])
def test_D22_every_round_begins_with_new_announcements(ruleset: str, second: int) -> None:
    env = deal(*ROUND, ROUND, agreement=2, ruleset=ruleset)
    play(env, "announce 1", "announce 0", "dove 4", "rose 4")
    state = env.to_dict()
    assert (state["round"], state["phase"], state["to_move"]) == (1, "announce", second)
    for seat in (0, 1):
        assert seen(env, seat)["signals"] == {"mine": None, "partner": None}
        assert seen(env, seat)["decree"] is None
    play(env, "announce 0", "announce 1")
    assert seen(env, second)["signals"] == {"mine": 0, "partner": 1}
    assert env.to_dict()["phase"] == "play"


@pytest.mark.parametrize("symbols", [("announce 0", "announce 0"), ("announce 1", "announce 0")])
def test_D22_an_announcement_changes_nothing_else(symbols: tuple[str, str]) -> None:
    env, silent = deal(*ROUND, agreement=2), deal(*ROUND)
    assert play(env, *symbols) == 0
    assert env.to_dict() | {"signals": None} == silent.to_dict() | {"signals": None}
    assert legal(env) == legal(silent)


def test_D22_by_default_nothing_is_announced() -> None:
    env = deal(*ROUND)
    assert env.to_dict()["phase"] == "play"
    assert env.action_space("player_0").n == 39


def test_D22_a_symbol_for_each_of_k() -> None:
    for symbols in (1, 3, 16):
        env = deal(*ROUND, agreement=symbols)
        assert env.action_space("player_0").n == 39 + symbols
        assert legal(env) == [f"announce {symbol}" for symbol in range(symbols)]


def test_D22_announcing_comes_before_anybody_could_know_a_card() -> None:
    views = []
    for hands in (("dove 4, dove 6", "rose 4, rose 6"), ("star 2, dove 9", "rose 1, star 7")):
        env = duet_v0.raw_env(agreement=2, hand_size=2)
        env.reset(seed=0, options={"decks": [deck(*hands, "star 10")], "first_player": 0})
        play(env, "announce 1")
        views.append([env.observe(agent)["observation"].tobytes() for agent in env.possible_agents])
    assert views[0] == views[1]
