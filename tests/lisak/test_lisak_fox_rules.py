"""What the fox may say: tokens, judgement, the joker (rulings L9, L10, L11)."""

from typing import Any

import pytest
from lisak_positions import BLANK, PASS, TROPHIES, deal, legal, now, play, play_round, play_rounds, seen

from reynard.envs import lisak_v0


def counts(*row: str, **options: Any) -> list[int]:
    """The counts of tokens that the fox may put at the end of this row."""
    players = {5: 6, 3: 4, 4: 5}[len(row)]
    env = deal(**{"players": players, **options})
    play(env, *row)
    assert now(env, "phase", "to_move") == ("tokens", "fox")
    return [int(action.removeprefix("tokens: ")) for action in legal(env)]


def jokers(env: lisak_v0.raw_env) -> list[str]:
    """The cards that the joker may lie on, as "row card"; it may always be kept."""
    assert now(env, "phase", "to_move") == ("joker", "fox")
    assert PASS in legal(env)
    cards = [action.removeprefix("joker: row ") for action in legal(env) if action != PASS]
    return [card.replace(", card", "") for card in cards]


# --- L9: tokens -------------------------------------------------------------------------------------


def test_L9_the_fox_counts_the_cards_that_lead_in_the_right_direction() -> None:
    assert counts("furry", "tall", "green") == [1]
    assert counts("furry", "furry", "clue: dog") == [3]
    assert counts("tall", "green", "clue: oak") == [0]


@pytest.mark.parametrize("fox", ["literal", "free"])
def test_L9_a_blank_card_never_counts(fox: str) -> None:
    assert counts(BLANK, BLANK, BLANK, fox=fox) == [0]
    assert counts(BLANK, "furry", BLANK, fox=fox)[-1] == 1
    assert counts("furry", BLANK, "furry", BLANK, BLANK, fox=fox)[-1] == 2


def test_L9_all_see_the_count_and_not_which_cards_were_meant() -> None:
    env = deal()
    play(env, "furry", "tall", "green")
    assert seen(env, "seeker_0")["tokens"] == [None] * 7
    play(env, "tokens: 1")
    for agent in env.agents:
        assert seen(env, agent)["tokens"] == [1, *[None] * 6]
        assert (seen(env, agent)["judged"][0][0] is None) == (agent != "fox")
    assert now(env, "tokens", "joker") == ([1], None)


def test_L9_the_counts_of_all_rows_stay_on_the_table() -> None:
    env = deal()
    play_round(env, "furry", "furry", "tall")
    play_round(env, BLANK, "green", "tall")
    play_round(env, "furry", "clue: dog", "furry")
    assert now(env, "tokens") == [2, 0, 3]
    assert seen(env, "seeker_2")["tokens"] == [2, 0, 3, None, None, None, None]


# --- L10: judgement ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("tall", "green", "clue: elm"), [0]),
        (("tall", "green", "tame"), [0, 1]),
        (("tall", "small", "tame"), [0, 1, 2]),
        (("quick", "small", "tame"), [0, 1, 2, 3]),
        (("quick", "furry", "tame"), [1, 2, 3]),
        (("furry", "furry", "tame"), [2, 3]),
        (("furry", BLANK, "clue: cow"), [1, 2]),
        (("furry", "furry", "furry", "quick", "tame"), [3, 4, 5]),
        (("quick", "small", "tame", "furry", "tall"), [1, 2, 3, 4]),
        (("quick", "quick", "quick", "quick", "quick"), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_L10_literal_counts_run_from_the_right_cards_to_those_and_the_borderline_ones(
    row: tuple[str, ...], expected: list[int]
) -> None:
    assert counts(*row) == expected
    assert counts(*reversed(row)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"), [("cat", [1, 2, 3]), ("cow", [2, 3]), ("oak", [1]), ("fir", [1, 2])]
)
def test_L10_the_judgement_is_that_of_the_answer(answer: str, expected: list[int]) -> None:
    assert counts("furry", "tame", "small", "tall", answer=answer) == expected


def test_L10_literal_is_the_default() -> None:
    assert deal().ruleset.fox == "literal"


def test_L10_a_free_fox_may_name_any_count_up_to_the_written_cards() -> None:
    for row in (("tall", "green", "clue: oak"), ("furry", "furry", "furry"), ("quick", "tall", "furry")):
        assert counts(*row, fox="free") == [0, 1, 2, 3]
    assert counts("furry", BLANK, "tall", fox="free") == [0, 1, 2]
    assert counts("tall", BLANK, BLANK, "tall", BLANK, fox="free") == [0, 1, 2]
    assert counts(*["trophy: dog"] * 2, *["tall"] * 3, fox="free") == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("trophy", "expected"), [("dog", [1]), ("cow", [0, 1]), ("oak", [0])])
def test_L8_L10_a_wrong_trophy_is_judged_as_the_answer_it_names(trophy: str, expected: list[int]) -> None:
    assert counts(f"trophy: {trophy}", "tall", BLANK) == expected
    assert counts(f"clue: {trophy}", "tall", BLANK) == expected


# --- L11: the joker ---------------------------------------------------------------------------------


def test_L11_the_joker_comes_after_the_tokens_and_goes_on_a_card_of_the_row() -> None:
    env = deal()
    play(env, "furry", "tall", "quick", "tokens: 1")
    assert jokers(env) == ["1 1", "1 3"]
    play(env, "joker: row 1, card 3")
    assert now(env, "round", "phase", "joker", "tokens") == (2, "write", [1, 3], [1])


def test_L11_the_joker_is_public() -> None:
    env = deal()
    play_round(env, "tall", "furry", BLANK, joker="joker: row 1, card 2")
    assert {tuple(seen(env, agent)["joker"]) for agent in env.agents} == {(0, 1)}
    assert {seen(env, agent)["tokens"][0] for agent in env.agents} == {1}  # the joker's token is one of them


def test_L11_a_literal_joker_lies_on_a_right_or_borderline_card() -> None:
    env = deal(players=6)
    play(env, "furry", "tall", BLANK, "trophy: cow", "trophy: oak", "tokens: 2")
    assert jokers(env) == ["1 1", "1 4"]


def test_L11_a_free_joker_lies_on_any_written_card() -> None:
    env = deal(players=6, fox="free")
    play(env, "furry", "tall", BLANK, "trophy: cow", "clue: oak", "tokens: 1")
    assert jokers(env) == ["1 1", "1 2", "1 4", "1 5"]
    play(env, PASS)
    play(env, "tall", *[BLANK] * 4, "tokens: 0")
    assert jokers(env) == ["1 1", "1 2", "1 4", "1 5"]


def test_L11_the_joker_may_be_taken_from_an_earlier_row_that_has_a_token() -> None:
    env = deal()
    play_round(env, "furry", "green", "quick", tokens=1)
    play_round(env, "quick", "tame", BLANK, tokens=0)
    play_round(env, "clue: dog", "tall", "tame", tokens=2)
    play(env, "tall", "tall", "furry", "tokens: 1")
    # none of the second row's cards: it has no token
    assert jokers(env) == ["1 1", "1 3", "3 1", "3 3", "4 3"]
    play(env, "joker: row 1, card 3")
    assert now(env, "joker", "round") == ([1, 3], 5)
    assert seen(env, "seeker_0")["joker"] == [0, 2]
    assert seen(env, "seeker_0")["tokens"] == [1, 0, 2, 1, None, None, None]


def test_L11_the_joker_is_also_offered_after_a_row_without_tokens() -> None:
    env = deal()
    play_round(env, "furry", BLANK, BLANK)
    play(env, "tall", "tall", BLANK, "tokens: 0")
    assert jokers(env) == ["1 1"]


@pytest.mark.parametrize("fox", ["literal", "free"])
def test_L11_without_any_token_there_is_nothing_to_decide(fox: str) -> None:
    env = deal(fox=fox)
    for number in range(1, 4):
        play(env, "tall", "quick", BLANK, "tokens: 0")
        assert now(env, "round", "phase") == (number + 1, "write")


def test_L11_the_fox_may_keep_the_joker_as_long_as_it_likes() -> None:
    env = deal()
    for _ in range(6):
        play(env, "furry", "tall", BLANK, "tokens: 1")
        assert now(env, "phase", "joker") == ("joker", None)
        play(env, PASS)
    assert now(env, "round", "joker") == (7, None)
    assert legal(env) == TROPHIES


@pytest.mark.parametrize("fox", ["literal", "free"])
def test_L11_the_joker_is_used_only_once(fox: str) -> None:
    env = deal(fox=fox)
    play_round(env, "furry", BLANK, BLANK, tokens=1, joker="joker: row 1, card 1")
    for number in range(2, 7):
        play(env, "furry", "furry", "furry", "tokens: 3")
        assert now(env, "round", "phase", "joker") == (number + 1, "write", [1, 1])


def test_L11_in_the_sixth_round_any_of_thirty_cards_can_be_shown() -> None:
    env = deal(players=6)
    for _ in range(5):
        play_round(env, *["furry"] * 5)
    play(env, *["furry"] * 5, "tokens: 5")
    assert jokers(env) == [f"{row} {card}" for row in range(1, 7) for card in range(1, 6)]
    play(env, "joker: row 6, card 5")
    assert now(env, "joker") == [6, 5]


def test_L11_at_a_table_of_three_the_second_cards_can_be_shown_too() -> None:
    env = deal(players=3)
    play_rounds(env, 1)
    play(env, "tall", "furry", "tall", "quick", "tokens: 1")
    assert jokers(env) == ["2 2", "2 4"]
