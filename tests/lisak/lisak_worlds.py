"""Other worlds: states that a seat cannot tell from the one it is in (ruling X3).

What a seeker may know of the answer is written out once more, in plain Python and from the rulings alone:
the hint, that the game went on or how it ended, and what the fox's tokens and its joker say. Besides, cards
may be hidden, and the names of the random stream are nobody's business. All else in a record is public.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from reynard.envs.lisak import Ruleset
from reynard.envs.lisak.ruleset import MAX_ROW
from reynard.envs.lisak.state import (
    BLANK_CARD,
    CLUE_CARD,
    FIRST_SEEKER,
    FOX,
    JOKER,
    LOST_CLUE,
    NO_CARD,
    OVER,
    TOKENS,
    TROPHY_CARD,
    WIN,
    WRITE,
)
from reynard.envs.lisak.world import BORDERLINE, NO, YES

#: Kind and number.
Card = Sequence[int]


def judgement_of(card: Card, answer: int, ruleset: Ruleset) -> int | None:
    """What the world says of a card; ``None`` of a blank one."""
    world, (kind, number) = ruleset.words, card
    if kind == CLUE_CARD:
        return int(world.judgement[answer, number - 1])
    return int(world.judgement[answer, len(world.ideas) + number - 1]) if kind == TROPHY_CARD else None


def names(card: Card, answer: int, ruleset: Ruleset) -> bool:
    """Whether this answer stands on the card."""
    kind, number = card
    on_trophy = kind == TROPHY_CARD and number - 1 == answer
    return on_trophy or (kind == CLUE_CARD and number - 1 == len(ruleset.words.ideas) + answer)


def possible_answers(state: np.void, ruleset: Ruleset) -> list[int]:
    """The answers that the seekers cannot rule out, the right one among them."""
    rows = [[card for card in row if card[0] != NO_CARD] for row in state["cards"].tolist()]
    hint_of = ruleset.words.hint_of
    return [
        answer
        for answer in ruleset.deck
        if (not ruleset.hint or hint_of[answer] == hint_of[state["answer"]])
        and is_possible(state, rows, answer, ruleset)
    ]


def is_possible(state: np.void, rows: list[list[Card]], answer: int, ruleset: Ruleset) -> bool:
    """Whether all that is on the table fits this answer."""
    current = int(state["round_number"])
    if any(names(card, answer, ruleset) for row in rows[:current] for card in row):
        return False
    if not fits_current_row(state, rows[current], answer, ruleset):
        return False
    if ruleset.fox == "free":
        return True
    for row, tokens in zip(rows, state["tokens"].tolist(), strict=True):
        judged = [judgement_of(card, answer, ruleset) for card in row]
        least = judged.count(YES)
        if tokens >= 0 and not least <= tokens <= least + judged.count(BORDERLINE):
            return False
    row_number, place = divmod(int(state["joker"]), MAX_ROW)
    return state["joker"] < 0 or judgement_of(rows[row_number][place], answer, ruleset) != NO


def fits_current_row(state: np.void, row: list[Card], answer: int, ruleset: Ruleset) -> bool:
    """Whether the game would have gone on, or ended, as it did."""
    last_round = state["round_number"] == ruleset.rounds - 1
    named = [card[0] for card in row if names(card, answer, ruleset)]
    if state["phase"] in (TOKENS, JOKER) or (last_round and state["phase"] == WRITE):
        return not named
    if state["phase"] != OVER:
        return True
    if last_round:
        won = len(named) == 1 and names(row[-1], answer, ruleset)
        return won if state["outcome"] == WIN else not named
    if state["outcome"] == WIN:
        return TROPHY_CARD in named
    return named != [] and TROPHY_CARD not in named if state["outcome"] == LOST_CLUE else not named


def hidden_places(state: np.void, seat: int, ruleset: Ruleset) -> list[int]:
    """The places of the current row that the seat must not see: others' cards before the reveal."""
    last_round = state["round_number"] == ruleset.rounds - 1
    if ruleset.writing == "in_turn" or state["phase"] != WRITE or last_round:
        return []
    return [k for k in range(state["place"]) if FIRST_SEEKER + k % ruleset.seekers != seat]


def rewrite(state: np.void, places: list[int], ruleset: Ruleset, rng: Generator) -> None:
    """Anything else on the hidden cards, with as many trophies among them: those are counted publicly."""
    row = state["cards"][state["round_number"]]
    trophies = int(np.count_nonzero(row[places, 0] == TROPHY_CARD))
    for k, place in enumerate(rng.permutation(places)):
        if k < trophies:
            row[place] = TROPHY_CARD, rng.integers(len(ruleset.words.answers)) + 1
        elif rng.random() < 0.3:
            row[place] = BLANK_CARD, 0
        else:
            row[place] = CLUE_CARD, rng.integers(len(ruleset.words.clues)) + 1


def unnamed_stream(state: np.void, rng: Generator) -> None:
    """Another seed, another game, another episode."""
    state["key"] = rng.integers(2**32, size=2)
    state["game"] = rng.integers(2**31)
    state["episode"] = rng.integers(100)


def world(state: np.void, seat: int, ruleset: Ruleset, rng: Generator) -> np.void:
    """Another state that is consistent with all that the seat has seen."""
    other = state.copy()
    if seat != FOX:
        other["answer"] = rng.choice(possible_answers(state, ruleset))
    rewrite(other, hidden_places(state, seat, ruleset), ruleset, rng)
    unnamed_stream(other, rng)
    return other
