"""The state of one game of Lišák as one fixed-size record: field, shape, dtype, unit, sentinel.

A batch is an array of these records. A record holds everything, its random stream's name included, so
that a copied record goes on exactly as the original does. A card on the table, or a proposal of one, is
two numbers: its kind, and what stands on it, counted from 1. Seat 0 is the fox, seat *1 + k* seeker *k*.
"""

from typing import Any, Final

import numpy as np

from ..layout import with_numbers
from .ruleset import MAX_PROPOSALS, MAX_ROUNDS, MAX_ROW, Ruleset

NONE: Final = -1  # the sentinel wherever there is no card, seat or token yet
FOX: Final = 0
FIRST_SEEKER: Final = 1

#: The kinds of cards and proposals; 0: there is none.
KINDS: Final = (None, "clue", "trophy", "blank", "pass")
NO_CARD, CLUE_CARD, TROPHY_CARD, BLANK_CARD, PASS = range(5)

#: ``phase``: what the one who is to move decides.
PHASES: Final = ("consult", "write", "tokens", "joker", "over")
CONSULT, WRITE, TOKENS, JOKER, OVER = range(5)

#: ``outcome``, by number. 0: the game goes on.
OUTCOMES: Final = (None, "win", "lost_clue", "lost_trophies", "lost_rounds")
UNDECIDED, WIN, LOST_CLUE, LOST_TROPHIES, LOST_ROUNDS = range(5)

#: L13: the ratings, each with the last round in which it can be had.
RATINGS: Final = (("cunning_foxes", 4), ("seasoned_hounds", 6), ("sharp_falcons", MAX_ROUNDS))

_FIELDS: Final = np.dtype(
    [
        ("answer", np.int16),  # the secret: an index into the world's answers
        ("cards", np.int16, (MAX_ROUNDS, MAX_ROW, 2)),  # by row and position
        ("proposals", np.int16, (MAX_ROUNDS * MAX_PROPOSALS, 2)),  # by turn, seekers * consultation a round
        ("tokens", np.int8, MAX_ROUNDS),  # at each row's end, the joker's included; NONE before
        ("joker", np.int8),  # 5 * row + position of the card it lies on; NONE while unused
        ("trophies_left", np.int8),
        ("round_number", np.int8),  # from 0
        ("phase", np.int8),
        ("place", np.int8),  # cards written in the current row
        ("said", np.int8),  # proposals that the seeker to move has made in this consultation
        ("to_move", np.int8),  # seat; NONE when the game is over
        ("outcome", np.int8),
        ("moves", np.int16),  # actions played this episode
        ("reward", np.float32),  # what the last action brought to all (L16)
        # the random stream (X1)
        ("key", np.int64, 2),
        ("game", np.int64),  # index of the game
        ("episode", np.int64),
    ]
)

#: The record type; ``NAME_numbers`` are the numbers of a field, one after the other.
STATE: Final = with_numbers(_FIELDS, ("cards", "proposals"))


def agents(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the seats (L1)."""
    return ("fox", *(f"seeker_{k}" for k in range(ruleset.seekers)))


def rating_of(round_number: int) -> str:
    """L13: the rating of a win in a round (from 0)."""
    return next(name for name, last in RATINGS if round_number < last)


def statistics(games: np.ndarray) -> dict[str, np.ndarray]:
    """Of finished games: the rounds, and whether a game was won with each of the ratings."""
    won = games["outcome"] == WIN
    ratings = np.array([rating_of(k) for k in range(MAX_ROUNDS)])[games["round_number"]]
    return {"rounds": games["round_number"] + 1.0} | {name: won & (ratings == name) for name, _ in RATINGS}


def to_dict(game: np.void, ruleset: Ruleset) -> dict[str, Any]:
    """The full state of one game in plain Python, JSON-able, texts in English.

    Args:
        game: A record of :data:`STATE`.
        ruleset: The rules it is played by.

    Returns:
        ``round`` (from 1), ``phase``, ``to_move`` (agent or None), ``hint``, ``answer``, ``card`` (its
        number), ``rows`` (per round a list of {kind: clue | trophy | blank, text, seeker}), ``tokens``
        (per round), ``proposals`` (per round a list of {seeker, kind: clue | trophy | pass, text}; the
        current round's last), ``joker`` (None or [round, position], both from 1), ``trophies_left``,
        ``outcome``, ``rating`` (None unless won).
    """
    world, names = ruleset.words, agents(ruleset)
    number = int(game["round_number"])

    def row(index: int) -> list[dict[str, Any]]:
        cards = [card for card in game["cards"][index] if card[0] != NO_CARD]
        writers = [names[FIRST_SEEKER + place % ruleset.seekers] for place in range(len(cards))]
        return [named(card, ruleset) | {"seeker": who} for card, who in zip(cards, writers, strict=True)]

    def proposals(index: int) -> list[dict[str, Any]]:
        turns = ruleset.seekers * ruleset.consultation
        made = game["proposals"][index * turns : (index + 1) * turns]
        return [
            {"seeker": names[FIRST_SEEKER + turn // ruleset.consultation], **named(card, ruleset)}
            for turn, card in enumerate(made)
            if card[0] != NO_CARD
        ]

    rows = [row(k) for k in range(number + 1)]
    joker = int(game["joker"])
    return {
        "round": number + 1,
        "phase": PHASES[game["phase"]],
        "to_move": None if game["to_move"] == NONE else names[game["to_move"]],
        "hint": world.hints[world.hint_of[game["answer"]]].en,
        "answer": world.answers[game["answer"]].en,
        "card": world.cards[game["answer"]],
        "rows": [cards for cards in rows if cards],
        "tokens": [int(count) for count in game["tokens"] if count != NONE],
        "proposals": [proposals(k) for k in range(number + 1)],
        "joker": None if joker == NONE else [joker // MAX_ROW + 1, joker % MAX_ROW + 1],
        "trophies_left": int(game["trophies_left"]),
        "outcome": OUTCOMES[game["outcome"]],
        "rating": rating_of(number) if game["outcome"] == WIN else None,
    }


def named(card: np.ndarray, ruleset: Ruleset) -> dict[str, Any]:
    """What stands on a card (or in a proposal), kind and English text."""
    world, (kind, number) = ruleset.words, card
    texts = {CLUE_CARD: world.clues, TROPHY_CARD: world.answers}.get(int(kind))
    return {"kind": KINDS[kind], "text": texts[number - 1].en if texts else None}
