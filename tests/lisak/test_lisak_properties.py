"""What holds in every game of Lišák, under any ruleset: random rulesets and random play, by Hypothesis."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lisak_checks import check
from lisak_games import RULESETS, choose, make, random_states, scaled

from reynard.envs import jit
from reynard.envs.lisak import LISAK, Ruleset, describe
from reynard.envs.lisak.reading import read_states
from reynard.envs.lisak.state import FIRST_SEEKER, FOX, NO_CARD, PHASES, WRITE
from reynard.envs.table import Table

#: The same examples in every run.
often = settings(max_examples=scaled(30), derandomize=True, database=None, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def compile_at_once() -> Any:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)
        yield


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset of a small world."""
    answers, ideas = draw(st.integers(2, 12)), draw(st.integers(1, 10))
    some = draw(st.lists(st.integers(1, answers), min_size=1, unique=True))
    return Ruleset(
        world=f"random({answers}, {ideas}, {draw(st.integers(0, 50))})",
        players=draw(st.integers(3, 6)),
        fox=draw(st.sampled_from(("literal", "free"))),
        writing=draw(st.sampled_from(("in_turn", "hidden"))),
        consultation=draw(st.integers(0, 3)),
        hint=draw(st.booleans()),
        cards=draw(st.sampled_from((None, tuple(some)))),
        card_order=draw(st.sampled_from(("drawn", "box"))),
        reward=draw(st.sampled_from(("outcome", "rated"))),
        rows=draw(st.sampled_from(("compact", "flat"))),
        knowledge=draw(st.sampled_from((None, "posterior"))),
        history=draw(st.booleans()),
        rounds=draw(st.sampled_from((2, 3, 5, 7, 7, 7))),
        trophies=draw(st.integers(1, 3)),
    )


# ---------------------------------------------------------------------- what must hold in every state


@pytest.mark.parametrize("name", RULESETS)
def test_every_state_of_a_batch_is_sound(name: str) -> None:
    """Tokens within their bounds, one card a seeker, trophies, joker, rounds, whose turn it is, masks."""
    batch = make(name, scaled(8))
    space, size = batch.layout.space(batch.ruleset.history), batch.observation_size
    rng = np.random.default_rng(1)
    phases: Counter[str] = Counter()
    for seed in range(2):
        batch.reset(seed)
        while True:
            for record, mask in zip(batch.records, batch.masks, strict=True):
                check(record, mask, batch.ruleset)
                phases[PHASES[record["phase"]]] += 1
            assert batch.observations.shape == (batch.count, size)
            assert (batch.observations >= space.low).all() and (batch.observations <= space.high).all()
            if (batch.to_move < 0).all():
                break
            batch.step(choose(batch, rng))
    expected = {*PHASES} - (set() if batch.ruleset.consultation else {"consult"})
    assert set(phases) == expected or not jit.ENABLED


@often
@given(ruleset=rulesets(), seed=st.integers(0, 2**40))
def test_every_state_is_sound_under_any_ruleset(ruleset: Ruleset, seed: int) -> None:
    table = Table(LISAK, ruleset)
    space = table.layout.space(ruleset.history)
    for state, actions in random_states(table, np.random.default_rng(seed), 2):
        mover = max(int(state["to_move"]), 0)
        check(state, table.masks[mover], ruleset)
        assert state["moves"] == len(actions)
        assert table.masks.any(axis=1).tolist() == [
            seat == state["to_move"] for seat in range(ruleset.players)
        ]
        for observation in table.observations:
            assert space.contains(observation)
        check_description(table, state)
        check_reading(table, state)


# ---------------------------------------------------------------------- descriptions and readings


def without_seeker(card: dict[str, Any]) -> dict[str, Any]:
    return {key: card[key] for key in ("kind", "text")}


def check_description(table: Table, record: np.void) -> None:
    """What a seat's observation is described as, is what the state holds as far as the seat may know it."""
    ruleset, state = table.ruleset, table.to_dict()
    seekers, turns = ruleset.seekers, ruleset.seekers * ruleset.consultation
    hidden = ruleset.writing == "hidden" and state["phase"] == "write" and state["round"] < ruleset.rounds
    for seat, agent in enumerate(table.agents):
        rows = [[without_seeker(card) for card in row] for row in state["rows"]]
        rows = [row + [None] * (5 - len(row)) for row in rows]
        rows += [[None] * 5] * (7 - len(rows))
        if hidden:
            for place in range(record["place"]):
                if FIRST_SEEKER + place % seekers != seat:
                    rows[state["round"] - 1][place] = None
        shown = table.describe(seat)
        expected = {
            "phase": state["phase"],
            "my_move": state["to_move"] == agent,
            "i_am_fox": seat == FOX,
            "seat": seat,
            "mover": None
            if state["to_move"] is None
            else (table.agents.index(state["to_move"]) - seat) % ruleset.players,
            "round_number": state["round"] - 1,
            "hint": state["hint"] if ruleset.hint else None,
            "trophies_left": state["trophies_left"],
            "place": record["place"],
            "tokens": state["tokens"] + [None] * (7 - len(state["tokens"])),
            "joker": state["joker"] and [state["joker"][0] - 1, state["joker"][1] - 1],
            "writers": [
                (FIRST_SEEKER + place % seekers - seat) % ruleset.players
                for place in range(ruleset.row_length)
            ],
            "answer": state["answer"] if seat == FOX else None,
            "rows": rows,
        }
        assert {key: shown[key] for key in expected} == expected
        seen_cards = [[card is not None and seat == FOX for card in row] for row in rows]
        assert [[verdict is not None for verdict in row] for row in shown["judged"]] == seen_cards
        assert ("posterior" in shown) == (ruleset.knowledge == "posterior")
        assert ("earlier_proposals" in shown) == (ruleset.history and turns > 0)
        if turns:
            said = [[without_seeker(one) for one in proposals] for proposals in state["proposals"]]
            assert [one for one in shown["proposals"] if one] == said[-1]
            if ruleset.history:
                earlier = [[one for one in proposals if one] for proposals in shown["earlier_proposals"]]
                assert earlier == said[:-1] + [[]] * (8 - len(said))


def check_reading(table: Table, record: np.void) -> None:
    """Read back into states, observations give what their seats know, and the fox's all of it."""
    ruleset = table.ruleset
    states = read_states(table.observations, ruleset, table.rules)
    public = ("tokens", "joker", "phase", "place", "round_number", "to_move", "trophies_left")
    hint_of = ruleset.words.hint_of
    hidden = ruleset.writing == "hidden" and record["phase"] == WRITE
    hidden &= record["round_number"] < ruleset.rounds - 1
    turns = ruleset.seekers * ruleset.consultation
    now = slice(record["round_number"] * turns, (record["round_number"] + 1) * turns)
    for seat, state in enumerate(states):
        for name in public:
            assert np.array_equal(state[name], record[name]), name
        cards = record["cards"].copy()
        if hidden:
            others = [place for place in range(5) if FIRST_SEEKER + place % ruleset.seekers != seat]
            cards[record["round_number"], others] = NO_CARD
        assert np.array_equal(state["cards"], cards)
        assert np.array_equal(state["proposals"][now], record["proposals"][now])
        assert not ruleset.history or np.array_equal(state["proposals"], record["proposals"])
        assert state["answer"] in ruleset.deck
        assert not ruleset.hint or hint_of[state["answer"]] == hint_of[record["answer"]]
    assert states[FOX]["answer"] == record["answer"]


@pytest.mark.parametrize("name", RULESETS)
def test_observations_are_described_and_read_back_as_what_they_show(name: str) -> None:
    table = Table(LISAK, RULESETS[name])
    for state, _ in random_states(table, np.random.default_rng(3), scaled(4)):
        check_description(table, state)
        check_reading(table, state)


@pytest.mark.parametrize("name", ["tiny", "three", "memoryless"])
def test_how_much_has_been_said_is_read_back(name: str) -> None:
    table = Table(LISAK, RULESETS[name])
    for state, _ in random_states(table, np.random.default_rng(5), scaled(3)):
        read = read_states(table.observations, table.ruleset, table.rules)["said"]
        assert read.tolist() == [state["said"]] * len(table.agents), PHASES[state["phase"]]


@pytest.mark.parametrize("name", ["tiny", "three", "six", "flat", "hintless", "memoryless"])
def test_flat_and_compact_observations_of_a_state_say_the_same(name: str) -> None:
    flat, compact = (Table(LISAK, replace(RULESETS[name], rows=rows)) for rows in ("flat", "compact"))
    assert flat.observations.dtype == np.int8 and compact.observations.dtype == np.int16
    for state, _ in random_states(flat, np.random.default_rng(4), scaled(3)):
        compact.records[0] = state
        compact.refresh()
        assert compact.masks.tobytes() == flat.masks.tobytes()
        for seat in range(len(flat.agents)):
            assert flat.describe(seat) == compact.describe(seat)
        states = [read_states(table.observations, table.ruleset, table.rules) for table in (flat, compact)]
        for field in ("cards", "proposals", "tokens", "joker", "said", "answer"):
            assert np.array_equal(states[0][field], states[1][field])


def test_what_is_no_observation_is_not_described() -> None:
    table = Table(LISAK, RULESETS["tiny"])
    table.begin(0)
    for wrong in (table.observations[0, :-1], table.observations, np.zeros(3, np.int16)):
        with pytest.raises(ValueError, match="an observation has shape"):
            describe(wrong, RULESETS["tiny"])
