"""A ruleset as the compiled rules read it: one record of options, and tables of any size.

Only the tables' lengths depend on the world, so all worlds are played by the same compiled code.
"""

from typing import Final, NamedTuple

import numpy as np

from ..jit import jit
from .actions import Catalogue, catalogue
from .observation import SEGMENTS, layout
from .ruleset import MAX_ROUNDS, Ruleset
from .state import FIRST_SEEKER, FOX, RATINGS

OPTIONS: Final = np.dtype(
    [
        # where each sort of action begins; the ideas begin at 0
        ("ideas", np.int16),  # how many; and the first answer as a clue
        ("answers", np.int16),  # how many
        ("trophy", np.int16),
        ("blank", np.int16),
        ("silence", np.int16),
        ("token", np.int16),
        ("joker", np.int16),
        # the rules
        ("seekers", np.int8),
        ("row_length", np.int8),
        ("last_round", np.int8),  # from 0
        ("trophies", np.int8),
        ("consultation", np.int8),
        ("literal", np.int8),  # the fox (L10)
        ("hidden", np.int8),  # writing (L6)
        ("box_order", np.int8),  # cards (L3)
        ("hint", np.int8),  # shown
        ("reward", np.float32, MAX_ROUNDS),  # for a win in each round (L16)
        # observations
        ("one_hot", np.int8),
        ("posterior", np.int8),
    ]
)
#: Where each segment begins in the flat observation; NONE for those it has not.
PLACES: Final = np.dtype([(name, np.int32) for name in SEGMENTS])


class Rules(NamedTuple):
    """What the rules read.

    Args:
        options: One record of :data:`OPTIONS`, shape ``(1,)``.
        places: One record of :data:`PLACES`, shape ``(1,)``.
        judgement: The world's, int8, shape ``(answers, clues)`` (L15).
        hint_of: Each answer's hint, int16, shape ``(answers,)``.
        deck: The answers that can be drawn, in the order of their cards, int16 (L3).
        pool: The same, hint after hint: who are the candidates, int16.
        pool_start: Where in the pool each hint's answers begin, and the end, int32, shape ``(hints + 1,)``.
        masks: Masks in which neighbours among clues and trophies are legal, int64 words, four rows; see
            :func:`ready_mask`.
        frame: What does not change in a seat's observations before the cards on the table, shape
            ``(seats, numbers)``, in the observations' dtype.
    """

    options: np.ndarray
    places: np.ndarray
    judgement: np.ndarray
    hint_of: np.ndarray
    deck: np.ndarray
    pool: np.ndarray
    pool_start: np.ndarray
    masks: np.ndarray
    frame: np.ndarray


def compile_ruleset(ruleset: Ruleset) -> Rules:
    """The ruleset for the rules to read."""
    world, options = ruleset.words, np.zeros(1, OPTIONS)
    numbers = catalogue(world)
    for name in ("ideas", "answers", "trophy", "blank", "silence", "token", "joker"):
        options[name] = getattr(numbers, name)
    for name in ("seekers", "row_length", "trophies", "consultation", "hint"):
        options[name] = getattr(ruleset, name)
    options["last_round"] = ruleset.rounds - 1
    options["literal"] = ruleset.fox == "literal"
    options["hidden"] = ruleset.writing == "hidden"
    options["box_order"] = ruleset.card_order == "box"
    options["reward"] = rewards(ruleset)
    options["one_hot"] = ruleset.rows == "flat"
    options["posterior"] = ruleset.knowledge == "posterior"
    places = np.full(1, -1, PLACES)
    for name, place in layout(ruleset).slices().items():
        places[name] = place.start
    deck = np.array(ruleset.deck, np.int16)
    by_hint = np.argsort(world.hint_of[deck], kind="stable")
    hints = np.bincount(world.hint_of[deck], minlength=len(world.hints))
    return Rules(
        options=options,
        places=places,
        judgement=world.judgement,
        hint_of=world.hint_of,
        deck=deck,
        pool=deck[by_hint],
        pool_start=np.concatenate([[0], np.cumsum(hints)]).astype(np.int32),
        masks=_masks(numbers),
        frame=_frame(ruleset),
    )


@jit
def ready_mask(first, end, options):
    """Which of the ready masks has these neighbours: none, clues, clues and trophies, or trophies."""
    return 3 if first > 0 else int(end > 0) + int(end > options.trophy)


def _masks(numbers: Catalogue) -> np.ndarray:
    words = np.zeros((4, -(-numbers.size // 8)), np.int64)
    flags = words.view(np.int8)
    flags[1, : numbers.trophy] = 1
    flags[2, : numbers.blank] = 1
    flags[3, numbers.trophy : numbers.blank] = 1
    return words


def _frame(ruleset: Ruleset) -> np.ndarray:
    parts, seats = layout(ruleset), np.arange(ruleset.players)
    place = parts.slices()
    frame = np.zeros((ruleset.players, place["rows"].start), parts.dtype)
    frame[seats, place["seat"].start + seats] = 1
    frame[FOX, place["i_am_fox"]] = 1
    writers = FIRST_SEEKER + np.arange(ruleset.row_length) % ruleset.seekers
    after = (writers - seats[:, None]) % ruleset.players
    frame[:, place["writers"].start : place["writers"].start + ruleset.row_length] = after
    return frame


def rewards(ruleset: Ruleset) -> list[float]:
    """L16: what a win in each round brings."""
    if ruleset.reward == "outcome":
        return [1.0] * MAX_ROUNDS
    steps = (1.0, 0.75, 0.5)
    lasts = [last for _, last in RATINGS]
    return [steps[sum(number >= last for last in lasts)] for number in range(MAX_ROUNDS)]
