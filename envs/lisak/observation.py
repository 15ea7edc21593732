"""What a seat observes (L14): one table of segments, its encoder and its decoder.

Everything on the table is public but three things: the answer, which only the fox knows; what stands on
another's card before the reveal, if writing is hidden; and, as an option, the hint. Seats are counted
from the observer, so that one network can sit in any of them.

A card takes two numbers in compact observations, as in the state: kind, and what stands on it. In flat
ones it takes a flag for every action that can write it (``actions.py``).
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from ..jit import jit
from ..layout import Layout, Segment
from .actions import catalogue
from .inference import UNIT, show_posterior
from .rules import fill, judge
from .ruleset import MAX_PLAYERS, MAX_ROUNDS, MAX_ROW, MAX_TROPHIES, Ruleset
from .state import (
    BLANK_CARD,
    CLUE_CARD,
    FIRST_SEEKER,
    FOX,
    KINDS,
    NO_CARD,
    PHASES,
    TROPHY_CARD,
    WRITE,
    named,
)
from .world import JUDGEMENTS

#: The names of all segments that there can be.
SEGMENTS: Final = (
    "phase",
    "my_move",
    "i_am_fox",
    "seat",
    "mover",
    "round_number",
    "hint",
    "trophies_left",
    "place",
    "tokens",
    "joker",
    "writers",
    "judged",
    "answer",
    "rows",
    "proposals",
    "posterior",
    "earlier_proposals",
)


def layout(ruleset: Ruleset) -> Layout:
    """The segments of an observation under a ruleset."""
    seekers, consultation = ruleset.seekers, ruleset.consultation
    flat, known = ruleset.rows == "flat", ruleset.knowledge == "posterior"
    world = ruleset.words
    return _layout(
        len(world.hints), len(world.ideas), len(world.answers), seekers * consultation, flat, known
    )


@lru_cache(maxsize=64)
def _layout(hints: int, ideas: int, answers: int, proposals: int, flat: bool, known: bool) -> Layout:
    clues = ideas + answers
    card = ((clues + answers + 2,), 1) if flat else ((2,), clues)
    secret = ((answers,), 1, ", one-hot") if flat else ((1,), answers, ", from 1")
    how = "one-hot by action" if flat else "kind and number of what stands on it, from 1"
    kinds = ", ".join(f"{k} {kind}" for k, kind in enumerate(KINDS) if kind)
    parts = [
        Segment("phase", (len(PHASES),), 1, f"What is decided now, one-hot: {', '.join(PHASES)}."),
        Segment("my_move", (1,), 1, "1: I am to move."),
        Segment("i_am_fox", (1,), 1, "1: I am the fox."),
        Segment("seat", (MAX_PLAYERS,), 1, "My seat, one-hot: the fox, seeker 0, seeker 1, …"),
        Segment("mover", (MAX_PLAYERS,), 1, "How many seats after mine the mover's is, one-hot."),
        Segment("round_number", (MAX_ROUNDS,), 1, "The round, one-hot."),
        Segment("hint", (hints,), 1, "The hint, one-hot; nothing if it is not shown."),
        Segment("trophies_left", (1,), MAX_TROPHIES, "Trophy cards that nobody has written on."),
        Segment("place", (1,), MAX_ROW, "Cards that have been written for the current row."),
        Segment("tokens", (MAX_ROUNDS,), MAX_ROW + 1, "Tokens at each row's end, and 1; 0 before."),
        Segment("joker", (MAX_ROUNDS, MAX_ROW), 1, "1: the joker lies on this card."),
        Segment(
            "writers",
            (MAX_ROW,),
            MAX_PLAYERS - 1,
            "How many seats after mine each of a row's cards is written.",
        ),
        Segment(
            "judged",
            (MAX_ROUNDS, MAX_ROW),
            len(JUDGEMENTS),
            "Only the fox's: the world's judgement of each card: 1 no, 2 borderline, 3 yes.",
        ),
        Segment("answer", secret[0], secret[1], f"Only the fox's: the answer{secret[2]}."),
        Segment(
            "rows",
            (MAX_ROUNDS, MAX_ROW, *card[0]),
            card[1],
            f"Every card on the table: {how}." + ("" if flat else f" Kinds: {kinds}."),
            cards=0 if flat else len(KINDS),
        ),
    ]
    if proposals:
        parts.append(
            Segment(
                "proposals",
                (proposals, *card[0]),
                card[1],
                "This round's proposals, written as the rows.",
                cards=0 if flat else len(KINDS),
            )
        )
    if known:
        parts.append(
            Segment(
                "posterior",
                (answers,),
                UNIT,
                f"How likely each answer is, as a share of the likeliest one's chance, in {UNIT}ths, "
                "rounded up.",
            )
        )
    history = (
        [
            Segment(
                "earlier_proposals",
                (MAX_ROUNDS, proposals, *card[0]),
                card[1],
                "The proposals of earlier rounds, likewise.",
                cards=0 if flat else len(KINDS),
            )
        ]
        if proposals
        else []
    )
    return Layout(parts, history, np.int8 if flat else np.int16)


@jit
def observe(game, seat, rules, view):
    """Write all that a seat may know into ``view``, a flat observation."""
    options, at = rules.options[0], rules.places[0]
    fixed = rules.frame.shape[1]
    for k in range(fixed):
        view[k] = rules.frame[seat, k]
    view[fixed:] = 0
    observe_course(game, seat, rules, view)
    observe_cards(game, seat, options, at, view)
    if options.consultation > 0:
        observe_proposals(game, options, at, view)
    if seat == FOX:
        observe_secret(game, rules, view)
    if options.posterior == 1:
        show_posterior(game, rules, view[at.posterior : at.posterior + options.answers])


@jit
def observe_course(game, seat, rules, view):
    """How far the game is, and who is to move. (Without branches: they would be guessed wrong too often.)"""
    options, at = rules.options[0], rules.places[0]
    over = int(game.to_move) >> 8  # 0, or -1 if there is no mover
    after = int(game.to_move) - seat
    after += (options.seekers + 1) * (after < 0)
    view[at.phase + game.phase] = 1
    view[at.mover + (after & ~over)] = 1 + over
    view[at.my_move] = game.to_move == seat
    view[at.round_number + game.round_number] = 1
    view[at.hint + rules.hint_of[game.answer]] = options.hint
    view[at.trophies_left] = game.trophies_left
    view[at.place] = game.place
    tokens = view[at.tokens : at.tokens + MAX_ROUNDS]
    for row in range(MAX_ROUNDS):
        tokens[row] = game.tokens[row] + 1
    unused = int(game.joker) >> 8
    view[at.joker + (game.joker & ~unused)] = 1 + unused


@jit
def writer_of(place, options):
    """The seat that writes the card at a place of the row."""
    return FIRST_SEEKER + (place if place < options.seekers else place - options.seekers)


@jit
def observe_secret(game, rules, view):
    """What only the fox knows: the answer, and what the world says of the cards that it can see."""
    options, at = rules.options[0], rules.places[0]
    if options.one_hot == 1:
        view[at.answer + game.answer] = 1
    else:
        view[at.answer] = game.answer + 1
    for row in range(game.round_number + (0 if is_hidden(game, options) else 1)):
        for place in range(options.row_length):
            card = game.cards[row, place]
            if card[0] != NO_CARD:
                judged = judge(game.answer, card, options, rules.judgement)
                view[at.judged + row * MAX_ROW + place] = 1 + judged


@jit
def is_hidden(game, options):
    """Whether the cards of the current row are still to be revealed (L6, L8)."""
    return options.hidden == 1 and game.phase == WRITE and game.round_number < options.last_round


@jit
def observe_cards(game, seat, options, at, view):
    """The cards that the seat can see: all that are revealed, and its own."""
    width = card_width(options)
    show_cards(game.cards_numbers, 0, MAX_ROUNDS * MAX_ROW, options, view[at.rows :])
    if is_hidden(game, options):
        row = view[at.rows + int(game.round_number) * MAX_ROW * width :]
        for place in range(game.place):
            if writer_of(place, options) != seat:
                row[place * width : (place + 1) * width] = 0


@jit
def observe_proposals(game, options, at, view):
    """What was proposed, in this round and before."""
    width, turns = card_width(options), int(options.seekers * options.consultation)
    now = int(game.round_number) * turns
    earlier = view[at.earlier_proposals :]
    show_cards(game.proposals_numbers, 0, MAX_ROUNDS * turns, options, earlier)
    earlier[now * width : (now + turns) * width] = 0
    show_cards(game.proposals_numbers, now, turns, options, view[at.proposals :])


@jit
def card_width(options):
    """How many numbers of an observation a card or a proposal takes."""
    return int(options.silence) + 1 if options.one_hot == 1 else 2  # int: uncompiled, an int16 is too small


@jit
def show_cards(numbers, first, count, options, view):
    """So many cards or proposals, from the first one on."""
    numbers = numbers[2 * first : 2 * (first + count)]
    if options.one_hot == 0:
        for k in range(len(numbers)):  # without a branch: they would be guessed wrong too often
            view[k] = numbers[k]
        return
    width = card_width(options)
    for k in range(count):
        if numbers[2 * k] != NO_CARD:
            view[k * width + action_of(numbers[2 * k], numbers[2 * k + 1], options)] = 1


@jit
def action_of(kind, number, options):
    """The action that writes such a card."""
    if kind == CLUE_CARD:
        return number - 1
    if kind == TROPHY_CARD:
        return options.trophy + number - 1
    return options.blank if kind == BLANK_CARD else options.silence


# --- back to names ----------------------------------------------------------------------------------


def describe(observation: np.ndarray, ruleset: Ruleset) -> dict[str, Any]:
    """One observation in names and plain values, from the observer's point of view.

    Args:
        observation: The flat vector, with or without history.
        ruleset: The rules it comes from.

    Returns:
        Segment name to value: texts in English; ``rows`` and ``proposals`` as lists of {kind, text}
        (``None`` where there is nothing to see), ``posterior`` as {answer: chance} of what is possible,
        with chances that sum to 1.

    Raises:
        ValueError: The vector has a length that no observation of this ruleset has.
    """
    world = ruleset.words
    parts = layout(ruleset).split(observation)

    def pointed(name: str) -> int | None:
        return int(parts[name].argmax()) if parts[name].any() else None

    def number(name: str) -> int:
        return int(parts[name][0])

    def grid(name: str, decode: Any) -> list[list[Any]]:
        return [[decode(value) for value in row] for row in parts[name]]

    answer = pointed("answer") if ruleset.rows == "flat" else number("answer") - 1
    hint, joker = pointed("hint"), pointed("joker")
    described = {
        "phase": PHASES[pointed("phase") or 0],
        "my_move": bool(number("my_move")),
        "i_am_fox": bool(number("i_am_fox")),
        "seat": pointed("seat"),
        "mover": pointed("mover"),
        "round_number": pointed("round_number"),
        "hint": None if hint is None else world.hints[hint].en,
        "trophies_left": number("trophies_left"),
        "place": number("place"),
        "tokens": [None if count == 0 else int(count) - 1 for count in parts["tokens"]],
        "joker": None if joker is None else [joker // MAX_ROW, joker % MAX_ROW],
        "writers": [int(seats) for seats in parts["writers"]][: ruleset.row_length],
        "judged": grid("judged", lambda judged: JUDGEMENTS[judged - 1] if judged else None),
        "answer": None if answer in (None, -1) else world.answers[answer].en,
        "rows": grid("rows", lambda card: read_card(card, ruleset)),
    }
    if "proposals" in parts:
        described["proposals"] = [read_card(card, ruleset) for card in parts["proposals"]]
    if "posterior" in parts:
        chances = parts["posterior"] / max(1, parts["posterior"].sum(dtype=np.int64))
        described["posterior"] = {
            world.answers[k].en: round(float(chances[k]), 4) for k in np.flatnonzero(chances)
        }
    if "earlier_proposals" in parts:
        described["earlier_proposals"] = grid("earlier_proposals", lambda card: read_card(card, ruleset))
    return described


def read_card(cell: np.ndarray, ruleset: Ruleset) -> dict[str, Any] | None:
    """Kind and text of a card or a proposal; ``None`` where there is nothing to see."""
    if not cell.any():
        return None
    if ruleset.rows == "compact":
        return named(cell, ruleset)
    card = np.zeros(2, np.int16)
    fill(card, int(cell.argmax()), catalogue(ruleset.words))
    return named(card, ruleset)
