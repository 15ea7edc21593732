"""The catalogue of actions, the same ``Discrete`` for every agent; the mask does the rest.

With *I* ideas and *A* answers, in this order:

===================  ====================================================================
*I*                  an idea as a clue
*A*                  an answer as a clue ("it is like a …")
*A*                  an answer on a trophy
1                    a blank clue card
1                    pass: no (further) proposal, or no joker
6                    0 … 5 tokens
35                   the joker on row 1 … 7, card 1 … 5: ``5 * row + card``, both from 0
===================  ====================================================================

In the consultation a clue's or a trophy's number proposes to write it. On the table a card is known by
the number of the action that wrote it.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .ruleset import MAX_ROUNDS, MAX_ROW, Ruleset
from .world import World

TOKEN_ACTIONS: Final = MAX_ROW + 1
JOKER_ACTIONS: Final = MAX_ROUNDS * MAX_ROW


@dataclass(frozen=True)
class Catalogue:
    """Where each sort of action begins.

    Args:
        ideas: How many ideas the world has.
        answers: How many answers.
    """

    ideas: int
    answers: int

    @property
    def trophy(self) -> int:
        """The first trophy; so many clues there are."""
        return self.ideas + self.answers

    @property
    def blank(self) -> int:
        """The blank card."""
        return self.trophy + self.answers

    @property
    def silence(self) -> int:
        """The pass."""
        return self.blank + 1

    @property
    def token(self) -> int:
        """No token."""
        return self.silence + 1

    @property
    def joker(self) -> int:
        """The joker on the first card of the first row."""
        return self.token + TOKEN_ACTIONS

    @property
    def size(self) -> int:
        """How many actions there are."""
        return self.joker + JOKER_ACTIONS


def catalogue(world: World) -> Catalogue:
    """The catalogue of a world."""
    return Catalogue(len(world.ideas), len(world.answers))


#: How actions are called: clue, trophy, blank card, pass, tokens, joker.
_NAMES: Final = {
    "en": ("clue: {}", "trophy: {}", "blank card", "pass", "tokens: {}", "joker: row {}, card {}"),
    "cs": ("stopa: {}", "trofej: {}", "prázdná karta", "nic", "žetony: {}", "žolík: řada {}, karta {}"),
}


def action_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The name of every action, by its number, in the ruleset's language."""
    return _names(ruleset.words, ruleset.language)


@lru_cache(maxsize=16)
def _names(world: World, language: str) -> tuple[str, ...]:
    clue, trophy, blank, silence, tokens, joker = _NAMES[language]
    return (
        *(clue.format(text.in_language(language)) for text in world.clues),
        *(trophy.format(text.in_language(language)) for text in world.answers),
        blank,
        silence,
        *(tokens.format(count) for count in range(TOKEN_ACTIONS)),
        *(joker.format(row + 1, card + 1) for row in range(MAX_ROUNDS) for card in range(MAX_ROW)),
    )
