"""Ruling X3, non-interference: what a seat must not know makes no difference to what it is shown.

A seeker must not know the answer. So it is replaced by every other one that fits all that the seekers have
seen (``lisak_worlds.py``), and each of them must be shown the same bytes. Hidden cards are rewritten for
all seats that must not see them, the fox included.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, random_action, random_states, scaled
from lisak_worlds import hidden_places, judgement_of, possible_answers, rewrite, unnamed_stream, world

from reynard.envs import jit
from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.state import FOX, NO_CARD, OUTCOMES, OVER, PHASES, STATE
from reynard.envs.table import Table

#: What every seat is shown.
Shown = dict[int, bytes]
Show = Callable[[np.void], Shown]


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


class Leak(AssertionError):
    """A seat was shown something else in a world that it cannot tell from the true state."""


def show_on(table: Table) -> Show:
    """What a table shows to the seats."""

    def show(state: np.void) -> Shown:
        table.records[0] = state
        table.refresh()
        return {
            seat: table.observations[seat].tobytes() + table.masks[seat].tobytes()
            for seat in range(len(table.agents))
        }

    return show


def assert_blind(before: Shown, after: Shown, seat: int, state: np.void, other: np.void) -> None:
    if before[seat] != after[seat]:
        at = next(k for k in range(len(before[seat])) if before[seat][k] != after[seat][k])
        raise Leak(
            f"seat {seat} is shown another byte {at} in phase {PHASES[state['phase']]}\n"
            f"state: {readable(state)}\nworld: {readable(other)}"
        )


def readable(state: np.void) -> dict[str, Any]:
    return {name: state[name].tolist() for name in STATE.names or () if not name.endswith("_numbers")}


def check_random_games(ruleset: Ruleset, show_for: Callable[[Table], Show], games: int) -> Counter[str]:
    """The property at every state of random games, for all seats. Returns how often what was met."""
    table = Table(LISAK, ruleset)
    show, rng = show_for(table), np.random.default_rng(1)
    seekers = range(1, ruleset.players)
    met: Counter[str] = Counter()
    for state, _ in random_states(table, rng, games):
        shown = show(state)
        met[PHASES[state["phase"]]] += 1
        met[f"outcome {OUTCOMES[state['outcome']]}"] += 1
        possible = possible_answers(state, ruleset)
        assert state["answer"] in possible
        for answer in possible:
            if answer == state["answer"]:
                continue
            other = state.copy()
            other["answer"] = answer
            unnamed_stream(other, rng)
            after = show(other)
            for seat in seekers:
                assert_blind(shown, after, seat, state, other)
            assert shown[FOX] != after[FOX]  # the control: the fox does know
            met["another answer"] += 1
        for seat in range(ruleset.players):
            places = hidden_places(state, seat, ruleset)
            if places:
                other = world(state, seat, ruleset, rng)
                assert_blind(shown, show(other), seat, state, other)
                met[f"hidden from {'the fox' if seat == FOX else 'a seeker'}"] += (
                    state["cards"].tobytes() != other["cards"].tobytes()
                )
    return met


@pytest.mark.parametrize("name", RULESETS)
def test_X3_what_a_seat_must_not_know_makes_no_difference_to_what_it_is_shown(name: str) -> None:
    ruleset = RULESETS[name]
    met = check_random_games(ruleset, show_on, games=scaled(12 if name in ("standard", "wordy") else 16))
    if not jit.ENABLED:
        return  # too few games to say more
    expected = {*PHASES} - (set() if ruleset.consultation else {"consult"})
    assert expected <= set(met)
    assert met["another answer"] > sum(met[phase] for phase in PHASES) / 2
    assert met["hidden from the fox"] > 0 or ruleset.writing == "in_turn"
    assert met["hidden from a seeker"] > 0 or ruleset.writing == "in_turn"


def test_X3_holds_however_a_game_ends() -> None:
    """With few answers and short games; whoever lost sees no more than that."""
    met: Counter[str] = Counter()
    for fox, trophies in (("literal", 2), ("free", 1)):
        ruleset = Ruleset(world="random(5, 3, 2)", fox=fox, trophies=trophies, rounds=3, consultation=0)
        met += check_random_games(ruleset, show_on, games=scaled(100))
    if jit.ENABLED:  # enough games to say so
        assert all(met[f"outcome {outcome}"] > 5 for outcome in OUTCOMES), met


def test_X3_who_is_not_to_move_has_an_empty_mask() -> None:
    for name in ("three", "six", "flat", "bare"):
        table = Table(LISAK, RULESETS[name])
        for state, _ in random_states(table, np.random.default_rng(2), scaled(15)):
            for seat, mask in enumerate(table.masks):
                assert mask.any() == (seat == state["to_move"])


# ---------------------------------------------------------------------- the worlds themselves


@pytest.mark.parametrize("name", RULESETS)
def test_X3_the_other_answers_are_reachable_and_looked_the_same_all_along(name: str) -> None:
    """With another possible answer the same actions can be played, and lead to the same end."""
    ruleset = RULESETS[name]
    rng = np.random.default_rng(3)
    table, again = Table(LISAK, ruleset), Table(LISAK, ruleset)
    compared = 0
    for game in range(scaled(12)):
        table.begin(int(rng.integers(2**32)))
        history, actions = [table.observations[1:].tobytes()], []
        while table.to_move >= 0 and (len(actions) < rng.integers(60) or game % 2):
            actions.append(random_action(table, rng))
            table.play(actions[-1])
            history.append(table.observations[1:].tobytes())
        possible = possible_answers(table.records[0], ruleset)
        for answer in rng.choice(possible, size=min(3, len(possible)), replace=False):
            again.begin(0, {"card": ruleset.words.cards[answer]})
            for shown, action in zip(history, [*actions, None], strict=True):
                assert again.observations[1:].tobytes() == shown
                if action is not None:
                    again.play(action)
            assert again.to_move == table.to_move and again.outcome() == table.outcome()
            compared += answer != table.records["answer"][0]
    assert compared > 0 or not jit.ENABLED


@pytest.mark.parametrize("fox", ["literal", "free"])
def test_X3_every_answer_that_could_have_looked_the_same_is_among_the_worlds(fox: str) -> None:
    """The other way round: with an answer that is ruled out, the same actions fail or end otherwise."""
    ruleset = Ruleset(world="random(6, 4, 3)", fox=fox, rounds=4, consultation=0)
    rng = np.random.default_rng(4)
    table, again = Table(LISAK, ruleset), Table(LISAK, ruleset)
    ruled_out = 0
    for state, actions in random_states(table, rng, scaled(40)):
        for answer in range(6):
            if answer in possible_answers(state, ruleset):
                continue
            again.begin(0, {"card": answer + 1})
            for action in actions:
                if again.to_move < 0 or not again.masks[again.to_move, action]:
                    break
                again.play(action)
            else:
                assert again.outcome() != OUTCOMES[state["outcome"]]
            ruled_out += 1
    assert ruled_out > 0


# ---------------------------------------------------------------------- the test can fail


def parity_of_the_answer(state: np.void, seat: int, ruleset: Ruleset) -> int:
    return int(state["answer"])


def first_cards_judgement(state: np.void, seat: int, ruleset: Ruleset) -> int:
    """Also of a card that has not been counted yet."""
    card = state["cards"][state["round_number"], 0]
    return (
        0
        if card[0] == NO_CARD or hidden_places(state, seat, ruleset)
        else 1 + bool(judgement_of(card, state["answer"], ruleset))
    )


def a_hidden_card(state: np.void, seat: int, ruleset: Ruleset) -> int:
    places = hidden_places(state, seat, ruleset)
    return int(state["cards"][state["round_number"], places[0], 1]) if places else 0


def random_stream(state: np.void, seat: int, ruleset: Ruleset) -> int:
    return int(state["key"][0])


@pytest.mark.parametrize("where", [0, -1], ids=["observation", "mask"])
@pytest.mark.parametrize(
    "secret", [parity_of_the_answer, first_cards_judgement, a_hidden_card, random_stream]
)
def test_X3_a_single_hidden_value_is_found_out(
    secret: Callable[[np.void, int, Ruleset], int], where: int
) -> None:
    ruleset = RULESETS["flat"]

    def leaky(table: Table) -> Show:
        honest = show_on(table)

        def spoilt(state: np.void, seat: int, seen: bytes) -> bytes:
            if seat == FOX and secret is not a_hidden_card:
                return seen
            changed = bytearray(seen)
            changed[where] ^= secret(state, seat, ruleset) & 1
            return bytes(changed)

        return lambda state: {seat: spoilt(state, seat, seen) for seat, seen in honest(state).items()}

    with pytest.raises(Leak):
        check_random_games(ruleset, leaky, games=8)


def test_X3_public_facts_are_no_leak() -> None:
    """The same frame, but with what everyone knows: nothing is reported."""
    public = ("tokens", "joker", "trophies_left", "place", "said", "proposals", "moves", "reward", "outcome")

    def harmless(table: Table) -> Show:
        honest = show_on(table)

        def show(state: np.void) -> Shown:
            told = b"".join(state[name].tobytes() for name in public)
            return {seat: seen + told for seat, seen in honest(state).items()}

        return show

    check_random_games(RULESETS["flat"], harmless, games=scaled(6))


def test_X3_hidden_cards_are_rewritten_in_every_way() -> None:
    ruleset = RULESETS["three"]
    rng = np.random.default_rng(5)
    table = Table(LISAK, ruleset)
    states = [s for s, _ in random_states(table, rng, 40) if len(hidden_places(s, FOX, ruleset)) == 3]
    assert states
    kinds: Counter[int] = Counter()
    for state in states:
        assert state["phase"] != OVER
        for _ in range(20):
            other = state.copy()
            rewrite(other, hidden_places(state, FOX, ruleset), ruleset, rng)
            cards, others = (
                record["cards"][record["round_number"], :3, 0].tolist() for record in (state, other)
            )
            assert cards.count(2) == others.count(2)
            kinds.update(others)
    assert set(kinds) == {1, 2, 3}
