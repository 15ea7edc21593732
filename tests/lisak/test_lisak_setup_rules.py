"""Players, material and the box (rulings L1, L2, L3)."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from lisak_positions import (
    ANSWERS,
    BLANK,
    CARDS,
    TROPHIES,
    WORLD,
    deal,
    legal,
    now,
    play,
    play_round,
    play_rounds,
    seen,
)

from reynard.envs import lisak_v0
from reynard.envs.batch import Batch
from reynard.envs.errors import InvalidOption
from reynard.envs.lisak import LISAK
from reynard.envs.table import Table

every_preset = pytest.mark.parametrize("preset", LISAK.presets)
every_table = pytest.mark.parametrize("players", [3, 4, 5, 6])


# --- L1: players ------------------------------------------------------------------------------------


@every_table
def test_L1_one_player_is_the_fox_and_the_others_seek(players: int) -> None:
    env = deal(players=players)
    assert env.possible_agents == ["fox", *(f"seeker_{number}" for number in range(players - 1))]
    assert [seen(env, agent)["i_am_fox"] for agent in env.agents] == [True] + [False] * (players - 1)
    assert [seen(env, agent)["seat"] for agent in env.agents] == list(range(players))


def test_L1_four_play_unless_one_says_otherwise() -> None:
    assert lisak_v0.raw_env("tiny").ruleset.players == 4


@pytest.mark.parametrize(("last", "reward"), [("trophy: cat", 1.0), ("clue: cat", 0.0)])
def test_L1_they_win_or_lose_together(last: str, reward: float) -> None:
    env = deal()
    play(env, BLANK, BLANK, last)
    assert env.rewards == dict.fromkeys(env.possible_agents, reward)
    assert set(env.terminations.values()) == {True}


# --- L2: material -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards"), [(3, 12), (4, 6), (5, 6), (6, 6)])
def test_L2_each_seeker_writes_as_many_clue_cards_as_it_has(players: int, cards: int) -> None:
    env = deal(players=players)
    play_rounds(env, 6)
    written = Counter(card["seeker"] for row in now(env, "rows") for card in row)
    assert written == {f"seeker_{number}": cards for number in range(players - 1)}
    assert now(env, "round", "phase") == (7, "write")
    assert legal(env) == TROPHIES  # no clue cards are left, nor needed (L7)


@every_table
def test_L2_the_seekers_share_three_trophies(players: int) -> None:
    env = deal(players=players)
    assert now(env, "trophies_left") == 3
    for agent in env.agents:
        assert seen(env, agent)["trophies_left"] == 3
    play(env, "trophy: dog")
    assert now(env, "trophies_left") == 2
    play(env, "trophy: dog")
    assert {seen(env, agent)["trophies_left"] for agent in env.agents} == {1}


def test_L2_all_know_the_hint_and_only_the_fox_the_answer() -> None:
    env = deal("oak")
    for agent in env.agents:
        assert seen(env, agent)["hint"] == "Trees"
        assert seen(env, agent)["answer"] == ("oak" if agent == "fox" else None)
    assert now(env, "hint", "answer", "card") == ("Trees", "oak", CARDS["oak"])


def test_L2_a_game_can_hide_the_hint_from_the_seekers() -> None:
    env = deal("oak", hint=False)
    assert {seen(env, agent)["hint"] for agent in env.agents} == {None}
    assert seen(env, "fox")["answer"] == "oak"


def test_L2_the_fox_has_one_joker() -> None:
    env = deal()
    play_round(env, "furry", BLANK, BLANK, joker="joker: row 1, card 1")
    assert now(env, "joker") == [1, 1]
    play(env, "furry", "furry", BLANK, "tokens: 2")
    assert now(env, "round", "phase") == (3, "write")


# --- L3: the box ------------------------------------------------------------------------------------


def test_L3_the_standard_box_holds_300_numbered_cards() -> None:
    world = LISAK.presets["standard"].words
    assert world.cards == tuple(range(1, 301))
    assert len(world.answers) == len(set(world.answers)) == 300


@every_preset
def test_L3_any_card_can_be_chosen_by_its_number(preset: str) -> None:
    table = Table(LISAK, preset)
    world = table.ruleset.words
    for number in (1, 2, len(world.cards)):
        table.begin(3, {"card": number})
        assert table.to_dict()["card"] == number
        assert table.to_dict()["answer"] == world.answers[world.cards.index(number)].en


@every_preset
def test_L3_the_box_is_played_in_order_across_episodes(preset: str) -> None:
    """Game *i* of a batch begins *i* cards further on, and after the last card the first one comes."""
    table = Table(LISAK, preset, card_order="box")
    cards = len(table.ruleset.words.cards)
    for game in (0, 5, cards - 1, cards + 2):
        for episode in range(4):
            table.begin(game if episode == 0 else None, {"game": game})
            assert table.to_dict()["card"] == (game + episode) % cards + 1


def test_L3_each_game_of_a_batch_plays_the_box_from_its_own_card_on() -> None:
    batch = Batch(LISAK, count=8, world=WORLD, card_order="box", rounds=2, threads=1)
    batch.reset(seed=1)
    episodes = np.zeros(8, np.int64)
    random = np.random.default_rng(0)
    while episodes.min() < 7:
        assert batch.records["answer"].tolist() == ((np.arange(8) + episodes) % 6).tolist()
        batch.step((batch.masks * random.random(batch.masks.shape)).argmax(1), restart=True)
        episodes += batch.outcomes != 0


def test_L3_the_box_of_a_subset_is_played_in_the_order_of_the_numbers() -> None:
    env = lisak_v0.raw_env(world=WORLD, card_order="box", cards=(21, 2, 8))
    played = []
    for episode in range(7):
        env.reset(seed=9 if episode == 0 else None)
        played.append(now(env, "card"))
    assert played == [2, 8, 21, 2, 8, 21, 2]


def test_L3_a_card_is_drawn_by_the_episodes_seed() -> None:
    table = Table(LISAK, "standard")

    def drawn(seed: int) -> list[int]:
        cards = []
        for episode in range(3):
            table.begin(seed if episode == 0 else None)
            cards.append(table.to_dict()["card"])
        return cards

    assert drawn(4) == drawn(4)
    assert len({card for seed in range(40) for card in drawn(seed)}) > 60  # of 120 draws among 300


@pytest.mark.parametrize(("options", "cards"), [({}, CARDS.values()), ({"hints": ["trees"]}, (8, 13, 21))])
def test_L3_every_card_is_as_likely_as_the_other(options: dict[str, Any], cards: Any) -> None:
    batch = Batch(LISAK, count=200, world=WORLD, threads=1, **options)
    counts: Counter[int] = Counter()
    for seed in range(30):
        batch.reset(seed)
        counts.update(WORLD.cards[answer] for answer in batch.records["answer"])
    assert set(counts) == set(cards)
    expected = 6000 / len(counts)
    deviation = sum((count - expected) ** 2 / expected for count in counts.values())
    assert deviation < 25  # chi squared of 5 degrees of freedom; a fair draw goes beyond once in 7000


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        ({"hints": ["Trees"]}, ("oak", "elm", "fir")),
        ({"hints": ("  sTROMY ",)}, ("oak", "elm", "fir")),
        ({"hints": ["Zvirata", "Trees"]}, ANSWERS),
        ({"cards": [13, 2]}, ("cat", "elm")),
        ({"cards": (3,)}, ("dog",)),
        ({"hints": ["Animals"], "cards": [5, 8]}, ("cow",)),
    ],
)
def test_L3_a_subset_is_chosen_by_hint_and_by_number(options: dict[str, Any], answers: Any) -> None:
    env = lisak_v0.raw_env(world=WORLD, **options)
    env.reset(seed=0)
    drawn = {now(env, "answer")}
    for _ in range(60):
        env.reset()
        drawn.add(now(env, "answer"))
    assert drawn == set(answers)
    for answer, number in CARDS.items():
        if answer in answers:
            env.reset(options={"card": number})
            assert now(env, "answer") == answer
        else:
            with pytest.raises(InvalidOption, match=f"card {number} is not among the {len(answers)} cards"):
                env.reset(options={"card": number})
    assert set(TROPHIES) <= set(legal(env))  # but any answer can still be guessed
