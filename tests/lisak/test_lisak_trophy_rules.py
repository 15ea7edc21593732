"""The last round, the reveal, trophies right and wrong (rulings L7, L8)."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from lisak_positions import (
    BLANK,
    TROPHIES,
    deal,
    legal,
    now,
    play,
    play_round,
    play_rounds,
    seen,
    texts,
)

# --- L7: the seventh round --------------------------------------------------------------------------


@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
@pytest.mark.parametrize(("players", "order"), [(3, "010"), (4, "012"), (5, "012"), (6, "012")])
def test_L7_in_the_seventh_round_answers_are_written_in_turn_until_none_is_left(
    players: int, order: str, writing: str
) -> None:
    env = deal(players=players, writing=writing)
    play_rounds(env, 6)
    for place, seeker in enumerate(order):
        assert now(env, "phase", "to_move") == ("write", f"seeker_{seeker}")
        assert legal(env) == TROPHIES
        for agent in env.agents:  # what was judged already is no secret
            assert [card["text"] for card in seen(env, agent)["rows"][6] if card] == ["dog"] * place
        play(env, "trophy: dog")
    assert now(env, "phase", "outcome", "trophies_left") == ("over", "lost_rounds", 0)


@pytest.mark.parametrize("used", [0, 1, 2])
def test_L7_only_the_trophies_that_are_left_are_written_on(used: int) -> None:
    env = deal()
    play_round(env, *["trophy: cow"] * used, *[BLANK] * (3 - used), tokens=0)
    play_rounds(env, 5)
    play(env, *["trophy: dog"] * (2 - used))
    assert now(env, "phase", "trophies_left") == ("write", 1)
    play(env, "trophy: dog")
    assert now(env, "outcome") == "lost_rounds"


@pytest.mark.parametrize("right", [0, 1, 2])
def test_L7_a_right_answer_ends_it_at_once(right: int) -> None:
    env = deal()
    play_rounds(env, 6)
    assert play(env, *["trophy: dog"] * right) == 0
    assert play(env, "trophy: cat") == 1
    assert now(env, "round", "outcome", "trophies_left") == (7, "win", 2 - right)


def test_L7_the_fox_says_nothing_more() -> None:
    env = deal()
    play_rounds(env, 6)
    play(env, "trophy: dog", "trophy: cow")
    assert len(now(env, "tokens")) == 6
    assert legal(env, "fox") == []


# --- L8: the reveal ---------------------------------------------------------------------------------


def outcome_of(*row: str, **options: Any) -> str | None:
    env = deal(**{"players": len(row) + 1, **options})
    play(env, *row)
    return now(env, "outcome")


def test_L8_a_right_trophy_wins_when_the_row_is_complete() -> None:
    env = deal()
    play(env, "trophy: cat", "furry")
    assert now(env, "phase", "outcome") == ("write", None)
    assert play(env, BLANK) == 1
    assert now(env, "phase", "outcome", "to_move") == ("over", "win", None)


def test_L8_the_answer_on_a_clue_card_loses_when_the_row_is_complete() -> None:
    env = deal()
    play(env, "clue: cat", "furry")
    assert now(env, "phase", "outcome") == ("write", None)
    assert play(env, BLANK) == 0
    assert now(env, "phase", "outcome") == ("over", "lost_clue")


def every_order(*row: str) -> Sequence[tuple[str, ...]]:
    return sorted(set(permutations(row)))


@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        (("trophy: cat", "clue: cat", "furry"), "win"),
        (("trophy: cat", "clue: cat", "trophy: dog"), "win"),
        (("trophy: cat", "trophy: dog", "trophy: cow"), "win"),
        (("trophy: cat", "trophy: cat", "trophy: cat"), "win"),
        (("clue: cat", "trophy: dog", BLANK), "lost_clue"),
        (("trophy: dog", "trophy: dog", "trophy: cow"), "lost_trophies"),
        (("trophy: dog", "trophy: cow", "clue: dog"), None),
        (("clue: dog", BLANK, BLANK), None),
    ],
)
def test_L8_trophies_are_checked_before_clue_cards_and_those_before_the_trophies_left(
    row: tuple[str, ...], outcome: str | None, writing: str
) -> None:
    for order in every_order(*row):
        assert outcome_of(*order, writing=writing) == outcome, order


@pytest.mark.parametrize("order", every_order("clue: cat", "trophy: dog", "trophy: dog", "trophy: cow"))
def test_L8_the_answer_on_a_clue_card_loses_as_such_even_without_trophies_left(
    order: tuple[str, ...],
) -> None:
    assert outcome_of(*order) == "lost_clue"


@pytest.mark.parametrize("first", [0, 1, 2])
def test_L8_the_trophies_can_be_used_up_over_several_rounds(first: int) -> None:
    env = deal()
    play_round(env, *["trophy: dog"] * first, *[BLANK] * (3 - first))
    play(env, *[BLANK] * first, *["trophy: dog"] * (3 - first))
    assert now(env, "round", "outcome", "trophies_left") == (2, "lost_trophies", 0)


def test_L8_a_wrong_trophy_stays_in_the_row_as_a_clue_card() -> None:
    env = deal()
    play(env, "trophy: dog", "tall", BLANK)
    assert now(env, "phase", "trophies_left") == ("tokens", 2)
    assert texts(env) == ["dog", "tall", None]
    assert seen(env, "fox")["judged"][0][:3] == ["yes", "no", "no"]
    assert legal(env) == ["tokens: 1"]


def test_L8_only_the_name_itself_is_the_answer() -> None:
    """Not even an answer that is judged alike."""
    assert outcome_of("clue: dog", "trophy: dog", "furry") is None
