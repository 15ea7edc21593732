"""The deck, the deal and the length of a game (rulings D1, D2, D3, D5, D6)."""

from typing import Any

import numpy as np
import pytest
from positions import SUITS, card, cards, deal, decree, hand, legal, named, place, play, seen, trick

from reynard.envs import duet_v0
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET, Board

CHARACTERS = ("musician", "foxes", "gazelle", "gift", "royal_heir")
ALL_CARDS = [f"{suit} {rank}" for suit in SUITS for rank in range(1, 11)]


def dealt(seed: int, **options: Any) -> duet_v0.raw_env:
    env = duet_v0.raw_env(**options)
    env.reset(seed=seed)
    return env


def dealt_cards(env: duet_v0.raw_env) -> tuple[list[list[int]], int]:
    """Both hands and the decree."""
    state = env.to_dict()
    return state["hands"], state["decree"]


# --- D1: the deck -----------------------------------------------------------------------------------


def test_D1_card_ids_count_ranks_one_to_ten_through_dove_rose_and_star() -> None:
    env = duet_v0.raw_env()
    assert [env.action_name(number) for number in range(30)] == ALL_CARDS


def test_D1_a_deal_splits_exactly_the_thirty_cards() -> None:
    env = dealt(seed=3)
    unused = set(seen(env, 0)["unseen"]) & set(seen(env, 1)["unseen"])
    assert sorted([*hand(env, 0), *hand(env, 1), decree(env), *unused]) == sorted(ALL_CARDS)


def test_D1_dove_ten_and_rose_one_are_neighbours_of_different_suits() -> None:
    env = deal("dove 2, rose 2", "dove 10, rose 1")
    play(env, "dove 2")
    assert legal(env) == ["dove 10"]


def test_D1_a_smaller_deck_keeps_the_ids() -> None:
    env = dealt(seed=0, suits=2, ranks=(2, 4, 10), hand_size=2)
    hands, turned_up = dealt_cards(env)
    everything = {card(name) for name in ("dove 2", "dove 4", "dove 10", "rose 2", "rose 4", "rose 10")}
    assert {*hands[0], *hands[1], turned_up} < everything
    assert {*hands[0], *hands[1], turned_up, *map(card, seen(env, 0)["unseen"])} == everything


# --- D2: footprints ---------------------------------------------------------------------------------


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize(
    ("rank", "footprints"),
    [(1, 0), (2, 3), (3, 2), (4, 1), (5, 1), (6, 2), (7, 0), (8, 2), (9, 0), (10, 3)],
)
def test_D2_footprints_by_rank_are_the_same_in_every_suit(suit: str, rank: int, footprints: int) -> None:
    reply, other_card = (f"{other} 5" for other in SUITS if other != suit)
    env = trick(f"{suit} {rank}", reply, other_card, leader=1, characters=())
    assert env.to_dict()["tracker"] == 5 + footprints


# --- D3: characters ---------------------------------------------------------------------------------


def effect(character: str, switched_on: tuple[str, ...]) -> tuple[str, list[str]]:
    """The phase that a character's card leads to, and what is legal in it."""
    led = {"musician": 1, "foxes": 3, "gazelle": 5, "gift": 7, "royal_heir": 9}[character]
    env = deal(f"dove {led}, dove 8", "dove 6, rose 6", characters=switched_on)
    play(env, f"dove {led}")
    if character in ("musician", "gazelle"):
        play(env, "dove 6")
    return env.to_dict()["phase"], legal(env)


SPECIAL = {
    "musician": ("move", ["move towards my end", "move towards the partner's end"]),
    "foxes": ("exchange", ["dove 8", "decline"]),
    "gazelle": ("move", ["move towards my end", "move towards my end, the follower's card ignored"]),
    "gift": ("gift", ["dove 8"]),
    "royal_heir": ("play", ["dove 6", "rose 6"]),
}
PLAIN = {
    "musician": ("play", ["rose 6"]),
    "foxes": ("play", ["dove 6"]),
    "gazelle": ("play", ["rose 6"]),
    "gift": ("play", ["dove 6"]),
    "royal_heir": ("play", ["dove 6"]),
}


@pytest.mark.parametrize("character", CHARACTERS)
def test_D3_a_character_alone_in_the_game_acts(character: str) -> None:
    assert effect(character, (character,)) == SPECIAL[character]


@pytest.mark.parametrize("character", CHARACTERS)
def test_D3_a_character_that_is_switched_off_is_a_plain_card(character: str) -> None:
    others = tuple(name for name in CHARACTERS if name != character)
    assert effect(character, others) == PLAIN[character]


def test_D3_all_five_characters_are_on_by_default() -> None:
    assert set(duet_v0.raw_env().ruleset.characters) == set(CHARACTERS)
    assert all(effect(name, duet_v0.raw_env().ruleset.characters) == SPECIAL[name] for name in CHARACTERS)


@pytest.mark.parametrize("rank", [2, 4, 6, 8, 10])
def test_D3_even_ranks_are_no_characters(rank: int) -> None:
    env = deal(f"dove {rank}, dove 1", "dove 3, rose 6", characters=("gazelle",))
    play(env, f"dove {rank}")
    assert legal(env) == ["dove 3"]
    play(env, "dove 3")
    assert env.to_dict()["phase"] == "play"


# --- D5: setup --------------------------------------------------------------------------------------


def test_D5_each_player_gets_eleven_cards_and_the_next_one_is_the_decree() -> None:
    hands, turned_up = dealt_cards(dealt(seed=11))
    assert [len(held) for held in hands] == [11, 11]
    assert len({*hands[0], *hands[1], turned_up}) == 23


def test_D5_an_injected_deck_is_dealt_in_order() -> None:
    deck = [(7 * place + 3) % 30 for place in range(30)]
    env = duet_v0.raw_env()
    env.reset(seed=0, options={"decks": [deck]})
    assert dealt_cards(env) == ([sorted(deck[:11]), sorted(deck[11:22])], deck[22])


def test_D5_nobody_sees_the_other_seven_cards() -> None:
    deck = list(range(30))
    env = duet_v0.raw_env()
    env.reset(seed=0, options={"decks": [deck]})
    unused = set(named(deck[23:]))
    for seat in (0, 1):
        view = seen(env, seat)
        assert unused < set(view["unseen"])
        assert len(view["unseen"]) == 11 + 7
        assert not unused & {*view["hand"], view["decree"], *view["known_to_me"]}


def test_D5_the_decree_is_turned_up_for_both() -> None:
    env = deal("dove 4", "rose 4", decree="star 6")
    assert seen(env, 0)["decree"] == seen(env, 1)["decree"] == "star 6"


def test_D5_the_same_seed_deals_the_same_and_another_seed_another() -> None:
    deals = [dealt_cards(dealt(seed)) for seed in (1, 1, 2)]
    assert deals[0] == deals[1] != deals[2]


def test_D5_decks_that_are_not_given_are_drawn_by_the_seed() -> None:
    decks = []
    for given in (None, [list(range(30))]):
        env = duet_v0.raw_env()
        env.reset(seed=4, options={"decks": given})
        decks.append(env.table.records["decks"][0].tolist())
    assert decks[0][1:] == decks[1][1:]
    assert decks[1][0] == list(range(30)) != decks[0][0]


def test_D5_the_seed_chooses_the_first_player_who_leads() -> None:
    envs = [dealt(seed) for seed in range(30)]
    assert {env.agent_selection for env in envs} == {"player_0", "player_1"}
    assert all(env.to_dict()["leader"] == env.to_dict()["to_move"] for env in envs)
    assert all(seen(env, env.to_dict()["leader"])["i_am_first"] for env in envs)


@pytest.mark.parametrize("seat", [0, 1])
def test_D5_the_first_player_can_be_fixed_by_the_ruleset(seat: int) -> None:
    assert {dealt(seed, first_player=seat).to_dict()["leader"] for seed in range(20)} == {seat}


@pytest.mark.parametrize("seat", [0, 1])
def test_D5_the_first_player_can_be_fixed_for_one_episode(seat: int) -> None:
    env = duet_v0.raw_env(first_player=1 - seat)
    env.reset(seed=0, options={"first_player": seat})
    assert env.agent_selection == f"player_{seat}"
    env.reset(seed=0)
    assert env.agent_selection == f"player_{1 - seat}"


def test_D5_the_shuffle_puts_every_card_into_every_place_equally_often() -> None:
    batch = Batch(DUET, count=3000)
    batch.reset(seed=5)
    expected = batch.count / 30
    for number in range(3):
        decks = batch.records["decks"][:, number]
        counts = [[int((decks[:, place] == wanted).sum()) for place in range(30)] for wanted in range(30)]
        assert np.abs(np.array(counts) - expected).max() < 6 * np.sqrt(expected)
    assert abs(batch.records["first_player"].mean() - 0.5) < 0.05


# --- D6: length -------------------------------------------------------------------------------------


def play_all_tricks(env: duet_v0.raw_env) -> set[tuple[int, int]]:
    """Play to the end with the tracker held on the start space; returns (round, trick) of all tricks."""
    reached = set()
    while env.to_dict()["outcome"] is None:
        place(env, tracker=5)
        reached.add((env.to_dict()["round"], env.to_dict()["trick"]))
        play(env, legal(env)[0])
    return reached


def test_D6_a_game_has_at_most_three_rounds_of_eleven_tricks() -> None:
    env = dealt(seed=8, board=Board((40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40), (), 5, 5))
    assert play_all_tricks(env) == {(number, trick) for number in range(3) for trick in range(11)}
    assert env.to_dict()["outcome"] == "lost_time"


def test_D6_a_round_ends_when_all_cards_are_played() -> None:
    env = deal("dove 4, dove 6", "rose 4, rose 6", characters=())
    play(env, "dove 4", "rose 4", "dove 6")
    assert (env.to_dict()["round"], env.to_dict()["hands"]) == (0, [[], cards("rose 6")])
    play(env, "rose 6")
    assert (env.to_dict()["round"], env.to_dict()["trick"]) == (1, 0)


def test_D6_rounds_and_tricks_can_be_fewer() -> None:
    board = Board((40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40), (), 5, 5)
    env = dealt(seed=8, rounds=2, hand_size=3, board=board)
    assert play_all_tricks(env) == {(number, trick) for number in range(2) for trick in range(3)}
