"""The course of a round: consultation and writing (rulings L4, L5, L6)."""

import pytest
from lisak_positions import (
    BLANK,
    CLUES,
    PASS,
    TROPHIES,
    deal,
    legal,
    now,
    play,
    play_round,
    play_rounds,
    seen,
)

every_table = pytest.mark.parametrize("players", [3, 4, 5, 6])


# --- L4: the round ----------------------------------------------------------------------------------


def test_L4_a_round_goes_from_consultation_over_writing_and_tokens_to_the_joker() -> None:
    env = deal(consultation=1)
    course = [now(env, "round", "phase", "to_move")]
    for action in (PASS, PASS, PASS, "furry", BLANK, BLANK, "tokens: 1", PASS):
        play(env, action)
        course.append(now(env, "round", "phase", "to_move"))
    seekers = ("seeker_0", "seeker_1", "seeker_2")
    assert course == [
        *((1, "consult", who) for who in seekers),
        *((1, "write", who) for who in seekers),
        (1, "tokens", "fox"),
        (1, "joker", "fox"),
        (2, "consult", "seeker_0"),
    ]


def test_L4_there_are_seven_rounds_and_not_one_more() -> None:
    env = deal()
    for number in range(1, 7):
        assert now(env, "round") == number
        play_rounds(env, 1)
    assert now(env, "round", "phase") == (7, "write")
    play(env, "trophy: dog", "trophy: dog", "trophy: dog")
    assert now(env, "round", "phase", "outcome") == (7, "over", "lost_rounds")


@pytest.mark.parametrize("rounds", [2, 3, 5])
def test_L4_a_variant_has_fewer_rounds_and_the_last_is_played_as_the_seventh(rounds: int) -> None:
    env = deal(rounds=rounds)
    play_rounds(env, rounds - 1)
    assert legal(env) == TROPHIES
    play(env, *["trophy: dog"] * 3)
    assert now(env, "round", "outcome") == (rounds, "lost_rounds")


# --- L5: consultation -------------------------------------------------------------------------------


def movers_of_consultation(consultation: int, *proposals: str, players: int = 4) -> list[str]:
    env = deal(consultation=consultation, players=players)
    movers = []
    for proposal in proposals:
        assert now(env, "phase") == "consult"
        movers.append(now(env, "to_move")[-1])
        play(env, proposal)
    assert now(env, "phase", "to_move") == ("write", "seeker_0")
    return movers


def test_L5_each_seeker_in_turn_makes_up_to_k_proposals() -> None:
    assert movers_of_consultation(1, "furry", "trophy: dog", "clue: cat") == ["0", "1", "2"]
    assert movers_of_consultation(2, *["furry"] * 6) == ["0", "0", "1", "1", "2", "2"]
    assert movers_of_consultation(3, *["tall"] * 6, players=3) == ["0", "0", "0", "1", "1", "1"]


def test_L5_who_passes_has_nothing_more_to_say() -> None:
    assert movers_of_consultation(1, PASS, "furry", PASS) == ["0", "1", "2"]
    assert movers_of_consultation(3, PASS, "furry", PASS, "tall", "tall", "tall") == list("011222")
    assert movers_of_consultation(2, *[PASS] * 5, players=6) == list("01234")


def test_L5_without_a_consultation_a_round_begins_with_writing() -> None:
    env = deal(consultation=0)
    assert now(env, "phase", "proposals") == ("write", [[]])
    assert "proposals" not in seen(env, "seeker_0")


def test_L5_one_proposal_each_unless_one_says_otherwise() -> None:
    env = deal(consultation=1)
    assert env.ruleset.consultation == type(env.ruleset)().consultation == 1


def test_L5_a_proposal_is_a_clue_an_answer_or_a_pass() -> None:
    assert legal(deal(consultation=2)) == [*CLUES, *TROPHIES, PASS]


def test_L5_proposals_are_public_at_once_and_bind_nobody() -> None:
    env = deal(consultation=2)
    play(env, "green", "trophy: dog", PASS, "clue: cat")
    said = [
        {"seeker": "seeker_0", "kind": "clue", "text": "green"},
        {"seeker": "seeker_0", "kind": "trophy", "text": "dog"},
        {"seeker": "seeker_1", "kind": "pass", "text": None},
        {"seeker": "seeker_2", "kind": "clue", "text": "cat"},
    ]
    assert now(env, "proposals") == [said]
    shown = [{"kind": what["kind"], "text": what["text"]} for what in said]
    for agent in env.agents:
        assert seen(env, agent)["proposals"] == [*shown[:3], None, shown[3], None]
    assert now(env, "trophies_left", "outcome") == (3, None)  # nothing has been written
    play(env, PASS)
    assert legal(env) == [*CLUES, *TROPHIES, BLANK]


def test_L5_each_round_has_a_consultation_of_its_own_the_last_one_too() -> None:
    env = deal(consultation=1, rounds=3)
    for number, proposal in enumerate(("furry", "tall", "green"), 1):
        assert now(env, "round", "phase") == (number, "consult")
        play(env, proposal, PASS, PASS)
        if number < 3:
            play_round(env, BLANK, BLANK, BLANK)
    assert [[what["text"] for what in said] for said in now(env, "proposals")] == [
        ["furry", None, None],
        ["tall", None, None],
        ["green", None, None],
    ]
    shown = seen(env, "seeker_1")
    assert shown["proposals"][0] == {"kind": "clue", "text": "green"}
    assert [said[0]["text"] for said in shown["earlier_proposals"][:2]] == ["furry", "tall"]
    assert shown["earlier_proposals"][2:] == [[None] * 3] * 5


def test_L5_without_history_only_this_rounds_proposals_are_seen() -> None:
    env = deal(consultation=1, history=False)
    play_round(env, "furry", PASS, PASS, BLANK, BLANK, BLANK)
    play(env, "green")
    shown = seen(env, "seeker_1")
    assert shown["proposals"] == [{"kind": "clue", "text": "green"}, None, None]
    assert "earlier_proposals" not in shown


def test_L5_the_fox_hears_all_and_has_no_action() -> None:
    env = deal(consultation=1)
    for proposal in ("furry", "trophy: cat", "clue: cat"):
        assert legal(env, "fox") == []
        play(env, proposal)
        assert proposal.split(": ")[-1] in [said["text"] for said in seen(env, "fox")["proposals"] if said]
    assert now(env, "phase") == "write"
    assert legal(env, "fox") == []


def test_L5_no_trophy_is_proposed_when_none_is_left() -> None:
    env = deal(consultation=1, trophies=1, players=3)
    play(env, PASS, PASS)
    assert set(TROPHIES) < set(legal(env))
    play(env, "trophy: dog")
    assert legal(env) == [*CLUES, BLANK]
    assert now(env, "phase") == "write"  # in the consultation itself there is always one: see L8


# --- L6: writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
@pytest.mark.parametrize(("players", "order"), [(3, "0101"), (4, "012"), (5, "0123"), (6, "01234")])
def test_L6_each_seeker_hands_in_one_card_and_two_at_a_table_of_three(
    players: int, order: str, writing: str
) -> None:
    env = deal(players=players, writing=writing)
    for _ in range(2):
        for place, seeker in enumerate(order):
            assert now(env, "phase", "to_move") == ("write", f"seeker_{seeker}")
            assert seen(env, "fox")["place"] == place
            assert seen(env, "fox")["writers"] == [int(number) + 1 for number in order]
            assert seen(env, "seeker_1")["writers"] == [(int(number) - 1) % players for number in order]
            play(env, "tall" if place % 2 else BLANK)
        row = now(env, "rows")[-1]
        assert [card["seeker"][-1] for card in row] == list(order)
        assert [card["text"] for card in row] == [None, "tall", None, "tall", None][: len(order)]
        play(env, "tokens: 0")


def test_L6_a_card_is_a_clue_a_trophy_or_blank() -> None:
    env = deal()
    assert legal(env) == [*CLUES, *TROPHIES, BLANK]
    play(env, "clue: dog", "trophy: dog", BLANK)
    assert [(card["kind"], card["text"]) for card in now(env, "rows")[0]] == [
        ("clue", "dog"),
        ("trophy", "dog"),
        ("blank", None),
    ]


def test_L6_the_same_may_be_written_twice() -> None:
    env = deal()
    play_round(env, "furry", "furry", "clue: dog")
    play_round(env, "furry", "trophy: dog", "trophy: dog")
    assert now(env, "rows")[0][0] == now(env, "rows")[1][0]
    assert now(env, "trophies_left") == 1


def test_L6_in_turn_everyone_sees_what_was_written_before() -> None:
    env = deal()
    play(env, "furry", "trophy: cow")
    for agent in env.agents:
        row = seen(env, agent)["rows"][0]
        assert row[:3] == [{"kind": "clue", "text": "furry"}, {"kind": "trophy", "text": "cow"}, None]


def test_L6_hidden_cards_are_seen_by_their_writer_alone_until_the_reveal() -> None:
    env = deal(writing="hidden", players=3)
    play(env, "furry", "tall", BLANK)
    rows = {agent: seen(env, agent)["rows"][0] for agent in env.agents}
    assert rows["fox"] == [None] * 5
    furry, tall = ({"kind": "clue", "text": text} for text in ("furry", "tall"))
    assert rows["seeker_0"] == [furry, None, {"kind": "blank", "text": None}, None, None]
    assert rows["seeker_1"] == [None, tall, None, None, None]
    assert seen(env, "fox")["judged"][0] == [None] * 5
    assert {seen(env, agent)["place"] for agent in env.agents} == {3}
    play(env, "green")
    for agent in env.agents:
        assert [card and card["text"] for card in seen(env, agent)["rows"][0]] == [
            *("furry", "tall", None, "green", None)
        ]
    assert seen(env, "fox")["judged"][0] == ["yes", "no", "no", "no", None]
    play_round(env)
    play(env, "small")
    assert seen(env, "seeker_1")["rows"][1] == [None] * 5
    assert seen(env, "seeker_1")["rows"][0][0] == furry


def test_L6_how_many_trophies_are_left_is_always_seen_and_no_more_are_taken() -> None:
    env = deal(writing="hidden", players=5)
    for left in (3, 2, 1):
        assert {seen(env, agent)["trophies_left"] for agent in env.agents} == {left}
        assert set(TROPHIES) < set(legal(env))
        play(env, "trophy: dog")
    assert {seen(env, agent)["trophies_left"] for agent in env.agents} == {0}
    assert legal(env) == [*CLUES, BLANK]
