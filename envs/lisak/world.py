"""A world of words (L15): hints, answers, ideas, and what every clue means for every answer.

A world is data (see ``worlds.py`` for how it is read from files). The rules only look at the table
:attr:`World.judgement`; the words are for people.
"""

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

#: What a world says of an answer and a clue.
JUDGEMENTS: Final = ("no", "borderline", "yes")
NO, BORDERLINE, YES = range(3)

#: Two answers are alike if they are among so many hundredths of all pairs that share most ...
ALIKE_SHARE: Final = 0.05
#: ... and borderline if they are among the next so many.
NEARLY_ALIKE_SHARE: Final = 0.05

MAX_SIZE: Final = 5000  # answers, and ideas, of a random world
ANSWERS_OF_A_HINT: Final = 20  # in a random world


@dataclass(frozen=True)
class Text:
    """What is written, in English and in Czech."""

    en: str
    cs: str

    def in_language(self, language: str) -> str:
        """The text in ``"en"`` or ``"cs"``."""
        return self.cs if language == "cs" else self.en


def fold(text: str) -> str:
    """The text as it is compared: without case, diacritics and needless spaces (L15)."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


@dataclass(frozen=True, eq=False)
class World:
    """Words and what they have to do with each other.

    Clues are numbered: first the ideas, then the answers named as a clue ("it is like a …").

    Args:
        name: What the ruleset's option ``world`` calls it.
        hints: The hints (L2).
        answers: The answers, in the order of their cards.
        ideas: The ideas that can be written on a clue card.
        cards: The number of each answer's card, ascending.
        hint_of: Index of each answer's hint, int16, shape ``(answers,)``.
        judgement: :data:`NO`, :data:`BORDERLINE` or :data:`YES` for every answer and clue, int8, shape
            ``(answers, ideas + answers)``.
    """

    name: str
    hints: tuple[Text, ...]
    answers: tuple[Text, ...]
    ideas: tuple[Text, ...]
    cards: tuple[int, ...]
    hint_of: np.ndarray
    judgement: np.ndarray

    @cached_property
    def clues(self) -> tuple[Text, ...]:
        """The texts of all clues: the ideas, then the answers."""
        return (*self.ideas, *self.answers)

    @cached_property
    def by_text(self) -> dict[str, int]:
        """The clue of every folded text, English or Czech; where the two disagree, English counts."""
        czech = {fold(text.cs): clue for clue, text in enumerate(self.clues)}
        return czech | {fold(text.en): clue for clue, text in enumerate(self.clues)}

    def part(self, name: str, answers: list[int], ideas: list[int]) -> "World":
        """A smaller world that judges as this one does; its cards are numbered anew from 1.

        Args:
            name: Its name.
            answers: Indices of the answers it keeps.
            ideas: Indices of the ideas it keeps.
        """
        answers, ideas = sorted(answers), sorted(ideas)
        hints = sorted({int(self.hint_of[answer]) for answer in answers})
        clues = [*ideas, *(len(self.ideas) + answer for answer in answers)]
        return World(
            name=name,
            hints=tuple(self.hints[hint] for hint in hints),
            answers=tuple(self.answers[answer] for answer in answers),
            ideas=tuple(self.ideas[idea] for idea in ideas),
            cards=tuple(range(1, len(answers) + 1)),
            hint_of=np.array([hints.index(self.hint_of[answer]) for answer in answers], np.int16),
            judgement=np.ascontiguousarray(self.judgement[np.ix_(answers, clues)]),
        )


def with_answers_as_clues(ideas: np.ndarray) -> np.ndarray:
    """The judgement of all clues, from the judgement of the ideas.

    How much two answers share is the weighted Jaccard index of what is true of them, where *yes* weighs
    2 and *borderline* 1. The pairs that share most are alike, the next ones borderline.

    Args:
        ideas: int8, shape ``(answers, ideas)``.

    Returns:
        int8, shape ``(answers, ideas + answers)``.
    """
    count = len(ideas)
    levels = [(ideas >= level).astype(np.float32) for level in (BORDERLINE, YES)]
    shared = sum(level @ level.T for level in levels)
    weight = ideas.sum(axis=1, dtype=np.float32)
    either = weight[:, None] + weight[None, :] - shared
    alike = np.divide(shared, either, out=np.zeros_like(either), where=either > 0)
    pairs = alike[np.triu_indices(count, 1)]
    judgement = np.zeros((count, count), np.int8)
    if len(pairs):
        nearly, surely = np.quantile(pairs, [1 - ALIKE_SHARE - NEARLY_ALIKE_SHARE, 1 - ALIKE_SHARE])
        judgement += (alike > nearly).astype(np.int8) + (alike > surely)
    np.fill_diagonal(judgement, YES)
    return np.hstack([ideas, judgement])


def random_world(answers: int, ideas: int, seed: int) -> World:
    """A world of meaningless words, for experiments at any size.

    An idea is *yes* for 10–50% of the answers and *borderline* for about 8%, each pair by itself. The
    same arguments give the same world on every platform.

    Args:
        answers: From 2 to 5000; about 20 of them share a hint.
        ideas: From 1 to 5000.
        seed: Non-negative.
    """
    rng = np.random.Philox(seed)  # a bit generator's raw words are the same in all versions of NumPy

    def uniform(*shape: int) -> np.ndarray:
        return (rng.random_raw(int(np.prod(shape))) / 2.0**64).reshape(shape)

    density = 0.1 + 0.4 * uniform(1, ideas)
    judged = np.where(uniform(answers, ideas) < density, YES, NO).astype(np.int8)
    judged[uniform(answers, ideas) < 0.08] = BORDERLINE
    hints = max(1, answers // ANSWERS_OF_A_HINT)

    def texts(word: str, czech: str, count: int) -> tuple[Text, ...]:
        return tuple(Text(f"{word} {k}", f"{czech} {k}") for k in range(1, count + 1))

    return World(
        name=f"random({answers}, {ideas}, {seed})",
        hints=texts("hint", "nápověda", hints),
        answers=texts("answer", "odpověď", answers),
        ideas=texts("idea", "myšlenka", ideas),
        cards=tuple(range(1, answers + 1)),
        hint_of=np.sort(np.arange(answers) % hints).astype(np.int16),
        judgement=with_answers_as_clues(judged),
    )
