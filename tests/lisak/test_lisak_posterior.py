"""What a well-read person infers (``knowledge="posterior"``), against Bayes' rule by brute force.

The model is that of ``envs/lisak/inference.py``: the fox thinks *yes* of every card that is judged yes, and
throws a coin for every borderline one; its count is the number of those cards; when it places its joker it
thinks, or throws a coin, once more. Here every way that the coins may fall is enumerated, in whole numbers
and plain Python.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, random_states, scaled
from lisak_positions import BLANK, WORLD, deal, play, play_round, seen

from reynard.envs.lisak import LISAK, Ruleset, World
from reynard.envs.lisak.world import BORDERLINE, NO, YES, random_world
from reynard.envs.table import Table


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


def unsure_world(seed: int) -> World:
    """Eight answers under two hints, where every verdict is as frequent as the other."""
    base = random_world(8, 6, 0)
    judgement = np.random.default_rng(seed).integers(0, 3, base.judgement.shape).astype(np.int8)
    hint_of = np.array([0, 0, 0, 0, 0, 1, 1, 1], np.int16)
    hints = (base.hints[0], WORLD.hints[1])
    return World("unsure", hints, base.answers, base.ideas, base.cards, hint_of, judgement)


# ---------------------------------------------------------------------- by brute force


def chance_of_row(verdicts: list[int | None], tokens: int, joker: int | None) -> Fraction:
    """How likely the fox says that of a row. ``joker``: the place that it lies on."""
    unsure = [place for place, verdict in enumerate(verdicts) if verdict == BORDERLINE]
    ways = 0
    for coins in product((False, True), repeat=len(unsure)):
        meant = {place for place, verdict in enumerate(verdicts) if verdict == YES}
        meant |= {place for place, heads in zip(unsure, coins, strict=True) if heads}
        ways += len(meant) == tokens
    once_more = {None: Fraction(1), YES: Fraction(1), BORDERLINE: Fraction(1, 2), NO: Fraction(0)}
    return Fraction(ways, 2 ** len(unsure)) * once_more[None if joker is None else verdicts[joker]]


def chance_of_all(state: dict[str, Any], answer: int, ruleset: Ruleset) -> Fraction:
    """How likely all that has happened is, if that is the answer. ``state``: of ``Table.to_dict``."""
    world = ruleset.words
    column = {text.en: clue for clue, text in enumerate(world.clues)}
    lost_at_last = state["outcome"] == "lost_rounds"
    asked = state["phase"] in ("tokens", "joker") or (
        state["round"] == ruleset.rounds and state["phase"] in ("consult", "write")
    )
    went_by = asked or lost_at_last
    chance = Fraction(1)
    for number, row in enumerate(state["rows"], 1):
        if number == state["round"] and not went_by:
            break
        if any(card["text"] == world.answers[answer].en for card in row):
            return Fraction(0)
        if number > len(state["tokens"]):
            break
        clues = [None if card["text"] is None else column[card["text"]] for card in row]
        verdicts = [None if clue is None else int(world.judgement[answer, clue]) for clue in clues]
        joker = state["joker"][1] - 1 if state["joker"] and state["joker"][0] == number else None
        chance *= chance_of_row(verdicts, state["tokens"][number - 1], joker)
    return chance


def expected(state: dict[str, Any], ruleset: Ruleset) -> list[int]:
    """What ought to be shown of every answer: its share of the likeliest one's chance, in 127ths."""
    world = ruleset.words
    chances = [Fraction(0)] * len(world.answers)
    for answer in ruleset.deck:
        if not ruleset.hint or world.hints[world.hint_of[answer]].en == state["hint"]:
            chances[answer] = chance_of_all(state, answer, ruleset)
    highest = max(chances)
    return [ceil(127 * chance / highest) if highest else 0 for chance in chances]


# ---------------------------------------------------------------------- random positions

GAMES = {
    "flat": RULESETS["flat"],
    "hintless": RULESETS["hintless"],
    "known": RULESETS["known"],
    "unsure": Ruleset(world=unsure_world(1), players=5, consultation=0, knowledge="posterior"),
    "three": Ruleset(world=unsure_world(2), players=3, knowledge="posterior", hint=False, rows="flat"),
    "six": Ruleset(world=unsure_world(3), players=6, consultation=0, knowledge="posterior", hint=False),
    "free": Ruleset(world=unsure_world(4), fox="free", knowledge="posterior", consultation=0),
    "part": Ruleset(world=unsure_world(5), cards=(2, 3, 5, 8), hint=False, knowledge="posterior"),
}


def positions(name: str, games: int) -> Iterator[tuple[Table, dict[str, Any]]]:
    """Every position of random games."""
    table = Table(LISAK, GAMES[name])
    for _state, _ in random_states(table, np.random.default_rng(1), games):
        yield table, table.to_dict()


@pytest.mark.parametrize("name", GAMES)
def test_posterior_is_what_Bayes_rule_says(name: str) -> None:
    ruleset = GAMES[name]
    met: Counter[str] = Counter()
    for table, state in positions(name, scaled(12)):
        shares = expected(state, ruleset)
        place = table.layout.slices()["posterior"]
        for seat in range(ruleset.players):
            assert table.observations[seat, place].tolist() == shares, state
        met["positions"] += 1
        met["joker"] += state["joker"] is not None
        met["wrong trophy"] += any(card["kind"] == "trophy" for row in state["rows"] for card in row)
        met["graded"] += len({*shares} - {0}) > 1
        met["nobody"] += not any(shares)
        met["last round"] += state["round"] == ruleset.rounds
    if scaled(12) == 12:
        for what in ("joker", "wrong trophy", "graded", "last round"):
            assert met[what] > 0, (what, met)
    assert ruleset.fox == "free" or met["nobody"] == 0  # a fox within its bounds never rules out the truth


def test_posterior_as_described_sums_to_one() -> None:
    for table, state in positions("unsure", scaled(4)):
        shares = expected(state, GAMES["unsure"])
        chances = table.describe(1)["posterior"]
        total = sum(shares)
        answers = GAMES["unsure"].words.answers
        assert chances == {
            answers[k].en: pytest.approx(share / total, abs=1e-4) for k, share in enumerate(shares) if share
        }


# ---------------------------------------------------------------------- by hand


def chances_after(*cards: str, tokens: int, joker: str = "pass", **options: Any) -> dict[str, float]:
    env = deal(**{"knowledge": "posterior", "players": len(cards) + 1, "answer": "cat", **options})
    play_round(env, *cards, tokens=tokens, joker=joker)
    assert seen(env, "fox")["posterior"] == seen(env, "seeker_1")["posterior"]
    return seen(env, "seeker_0")["posterior"]


def about(**chances: float) -> Any:
    """These chances; what is shown is rounded up to 127ths."""
    return pytest.approx(chances, abs=0.005)


def test_posterior_at_first_is_what_the_hint_allows() -> None:
    env = deal(knowledge="posterior")
    assert seen(env, "seeker_0")["posterior"] == about(cat=1 / 3, dog=1 / 3, cow=1 / 3)
    env = deal(knowledge="posterior", hint=False)
    assert len(seen(env, "seeker_0")["posterior"]) == 6
    env = deal(knowledge="posterior", hint=False, cards=(2, 8))
    assert [*seen(env, "seeker_0")["posterior"]] == ["cat", "oak"]


def test_posterior_of_counts() -> None:
    # quick: a coin for the cat, yes for the dog, no for the cow
    assert chances_after("quick", BLANK, BLANK, tokens=0) == about(cat=1 / 3, cow=2 / 3)
    assert chances_after("quick", BLANK, BLANK, tokens=1) == about(cat=1 / 3, dog=2 / 3)
    # two coins for the cat, one for the dog beside a yes
    assert chances_after("quick", "small", BLANK, tokens=1) == about(cat=1 / 2, dog=1 / 2)


def test_posterior_of_a_card_that_names_an_answer() -> None:
    """The game went on, so it is not the dog; a coin for the cow beside the cat's yes."""
    on_clue = chances_after("clue: dog", BLANK, BLANK, tokens=1)
    assert on_clue == about(cat=2 / 3, cow=1 / 3)
    assert chances_after("trophy: dog", BLANK, BLANK, tokens=1) == on_clue


def test_posterior_of_the_joker() -> None:
    """It lies on a card that is a coin for the cat and a yes for the dog; the cow is out."""
    shown = "joker: row 1, card 1"
    assert chances_after("quick", "furry", "tall", tokens=2, joker=shown) == about(cat=1 / 5, dog=4 / 5)
    # one of the cat's two coins fell on heads, and so did that for the joker; the dog's only one did not
    assert chances_after("quick", "small", "tall", tokens=1, joker=shown) == about(cat=1 / 3, dog=2 / 3)


def test_posterior_in_the_last_round_knows_the_wrong_trophies() -> None:
    env = deal(knowledge="posterior", rounds=2)
    play_round(env, BLANK, BLANK, BLANK)
    play(env, "trophy: dog")
    assert seen(env, "seeker_2")["posterior"] == {"cat": 0.5, "cow": 0.5}
    play(env, "trophy: cow")
    assert seen(env, "seeker_2")["posterior"] == {"cat": 1.0}


def test_posterior_of_hidden_cards_is_not_told_before_the_reveal() -> None:
    env = deal(knowledge="posterior", writing="hidden")
    play(env, "clue: dog", "trophy: cow")
    for agent in env.agents:
        assert len(seen(env, agent)["posterior"]) == 3
    play(env, BLANK)
    assert seen(env, "seeker_0")["posterior"] == {"cat": 1.0}


def test_posterior_of_what_no_literal_fox_would_say_is_empty() -> None:
    assert chances_after("tall", "green", BLANK, tokens=2, fox="free") == {}
    assert WORLD.judgement[0, 4] == NO
