"""What nobody can beat in Lišák: against enumeration of every plan in tiny worlds, and figures made by hand.

The enumeration knows nothing of equivalent clues, of hopes or of whole-number weights: it writes every row
there is, throws every coin, and keeps the plan that loses least, then takes the fewest rounds.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.world import BORDERLINE, YES, random_world
from reynard.training import lisak_questioning
from reynard.training.evaluate import evaluate
from reynard.training.lisak_bound import bound_grid, bound_lisak

CLUE, TROPHY, BLANK = range(3)
Position = tuple[tuple[int, Fraction], ...]


def best_plan(ruleset: Ruleset) -> tuple[Fraction, Fraction]:
    """The least share of lost games, and the least mean number of rounds with that."""
    world = ruleset.words
    ideas, answers = len(world.ideas), len(world.answers)
    cards = [(CLUE, k) for k in range(ideas + answers)] + [(TROPHY, k) for k in range(answers)] + [(BLANK, 0)]

    def verdict(answer: int, card: tuple[int, int]) -> int:
        kind, number = card
        return 0 if kind == BLANK else int(world.judgement[answer, number + (ideas if kind == TROPHY else 0)])

    @lru_cache(None)
    def chances(answer: int, row: tuple[tuple[int, int], ...]) -> tuple[Fraction, ...]:
        judged = [verdict(answer, card) for card in row]
        counted = [judged.count(YES) + sum(fall) for fall in product((0, 1), repeat=judged.count(BORDERLINE))]
        return tuple(Fraction(counted.count(count), len(counted)) for count in range(len(row) + 1))

    @lru_cache(None)
    def plan(position: Position, trophies: int, rounds: int) -> tuple[Fraction, Fraction]:
        if rounds == 1:
            likeliest = sorted((chance for _, chance in position), reverse=True)
            return 1 - sum(likeliest[:trophies], Fraction(0)), Fraction(1)
        best = None
        for row in combinations_with_replacement(cards, ruleset.row_length):
            used = sum(kind == TROPHY for kind, _ in row)
            if used > trophies:
                continue
            right = {number for kind, number in row if kind == TROPHY}
            wrong = {number - ideas for kind, number in row if kind == CLUE and number >= ideas}
            lost, mean = Fraction(0), Fraction(1)
            goes_on = []
            for answer, chance in position:
                if answer in right:
                    continue
                if answer in wrong or used == trophies:
                    lost += chance
                else:
                    goes_on.append((answer, chance))
            for count in range(ruleset.row_length + 1):
                left = [(answer, chance * chances(answer, row)[count]) for answer, chance in goes_on]
                total = sum((chance for _, chance in left), Fraction(0))
                if total:
                    after = tuple((answer, chance / total) for answer, chance in left if chance)
                    more_lost, more = plan(after, trophies - used, rounds - 1)
                    lost, mean = lost + total * more_lost, mean + total * more
            best = (lost, mean) if best is None else min(best, (lost, mean))
        assert best is not None
        return best

    each = Fraction(1, answers)
    return plan(tuple((answer, each) for answer in range(answers)), ruleset.trophies, ruleset.rounds)


SMALL: list[dict[str, Any]] = [
    {"world": "random(4, 2, 1)", "rounds": 3, "trophies": 1},
    {"world": "random(4, 2, 3)", "rounds": 3, "trophies": 2},
    {"world": "random(3, 1, 2)", "rounds": 4, "trophies": 1},
    {"world": "random(5, 2, 4)", "rounds": 2, "trophies": 1},
    {"world": "random(5, 2, 9)", "rounds": 2, "trophies": 3, "players": 3},
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_the_best_questioning_is_what_enumeration_finds(options: dict[str, Any]) -> None:
    ruleset = Ruleset(**options)
    lost, rounds = best_plan(ruleset)
    exact = bound_lisak(ruleset).exact
    assert exact is not None
    assert exact.wins == pytest.approx(float(1 - lost), abs=1e-9)
    assert exact.rounds == pytest.approx(float(rounds), abs=1e-6)


def test_enumeration_and_search_know_games_that_cannot_always_be_won() -> None:
    assert {bound_lisak(Ruleset(**options)).exact.wins == 1.0 for options in SMALL} == {True, False}  # type: ignore[union-attr]


def test_the_information_bound_by_hand() -> None:
    # 300 answers, three cards: after r rows at most 4 ** r counts, three trophies for each
    bound = bound_lisak(Ruleset(hint=False))
    assert bound.rounds_without_joker == pytest.approx(1 + 297 / 300 + 288 / 300 + 252 / 300 + 108 / 300)
    # one joker: unused, or on one of 3 cards after the first row, or on one of 6 after the second …
    assert bound.rounds == pytest.approx(1 + 297 / 300 + (300 - 3 * 4 * 4) / 300)
    assert bound.answers == 300 and bound.bits == pytest.approx(np.log2(300)) and bound.row_bits == 2
    assert bound.wins == 1.0 and bound.exact is None
    # two rounds, one trophy, a thousand answers: what is told by one row, and a joker
    world = random_world(1000, 3, 0)
    few = bound_lisak(Ruleset(world=world, hint=False, rounds=2, trophies=1))
    assert few.wins == pytest.approx(4 * 4 / 1000)
    # by the third round two rows, and the joker on one of 3 cards after the first or of 6 after the second
    third = bound_lisak(Ruleset(world=world, hint=False, rounds=3, trophies=1))
    assert third.wins == pytest.approx(16 * 10 / 1000)
    shown = bound_lisak(Ruleset(world=world, rounds=2, trophies=1))
    assert shown.wins == pytest.approx(16 / 20) and shown.bits == pytest.approx(np.log2(20))


def test_bounds_are_in_order_and_nobody_beats_them() -> None:
    ruleset = LISAK.presets["tiny"]
    bound = bound_lisak(ruleset)
    assert bound.exact is not None
    assert bound.rounds <= bound.rounds_without_joker <= bound.exact.rounds
    assert bound.exact.wins == 1.0 and bound.exact.rounds == 2.0 and bound.exact.positions >= 2
    played = evaluate(
        LISAK, ["fox=naive", "seeker=bayes:ahead=1"], 300, ruleset=ruleset
    )  # naive has no joker
    assert played.win_rate <= bound.exact.wins and played.means["rounds"] > bound.exact.rounds - 0.05


def test_a_world_that_is_too_large_is_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bound_lisak(LISAK.presets["small"]).exact is None
    assert bound_lisak(LISAK.presets["tiny"], exact=False).exact is None
    monkeypatch.setattr(lisak_questioning, "MOST_POSITIONS", 1)
    assert bound_lisak(LISAK.presets["tiny"]).exact is None


def test_the_grid_shows_both_bounds() -> None:
    console = Console(width=80, record=True)
    console.print(bound_grid(bound_lisak(LISAK.presets["tiny"])))
    console.print(bound_grid(bound_lisak(Ruleset(hint=False))))
    text = console.export_text()
    assert "2.0000" in text and "100.00%" in text and "8.23" in text and "4.15" in text
