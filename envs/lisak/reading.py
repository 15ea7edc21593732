"""Observations read back into states: what a seat knows, in the form that the rules understand.

So whoever reckons (scripted players, search, inference) uses the very functions that the game is played
by. What the seat does not know is missing: in a seeker's state the answer is some answer that fits the
hint, cards that are still hidden are not there, and without history neither are earlier proposals.
"""

import numpy as np

from .actions import Catalogue, catalogue
from .compiled import Rules
from .observation import layout
from .ruleset import MAX_ROUNDS, Ruleset
from .state import (
    BLANK_CARD,
    CLUE_CARD,
    CONSULT,
    FIRST_SEEKER,
    NO_CARD,
    NONE,
    PASS,
    STATE,
    TROPHY_CARD,
    UNDECIDED,
)


def read_states(observations: np.ndarray, ruleset: Ruleset, rules: Rules) -> np.ndarray:
    """Flat observations as states, as far as their observers know them.

    Args:
        observations: Shape ``(n, size)``, with or without history.
        ruleset: The rules they come from.
        rules: The same, compiled.

    Returns:
        Records of :data:`STATE`, shape ``(n,)``; their random streams mean nothing.
    """
    parts = {
        name: observations[:, place]
        for name, place in layout(ruleset).slices().items()
        if place.stop <= observations.shape[1]
    }
    count, players = len(observations), ruleset.players
    states = np.zeros(count, STATE)
    states["outcome"] = UNDECIDED
    states["phase"] = parts["phase"].argmax(axis=1)
    states["round_number"] = parts["round_number"].argmax(axis=1)
    states["trophies_left"] = parts["trophies_left"][:, 0]
    states["place"] = parts["place"][:, 0]
    states["tokens"] = parts["tokens"] - 1
    states["joker"] = np.where(parts["joker"].any(axis=1), parts["joker"].argmax(axis=1), NONE)
    seat = parts["seat"].argmax(axis=1)
    mover = (seat + parts["mover"].argmax(axis=1)) % players
    states["to_move"] = np.where(parts["mover"].any(axis=1), mover, NONE)
    states["answer"] = _answers(parts, ruleset, rules)
    states["cards"] = read_cards(parts["rows"], ruleset).reshape(states["cards"].shape)
    turns = ruleset.seekers * ruleset.consultation
    if turns:
        now = read_cards(parts["proposals"], ruleset).reshape(count, turns, 2)
        proposals = np.zeros((count, MAX_ROUNDS, turns, 2), np.int16)
        if "earlier_proposals" in parts:
            proposals[:] = read_cards(parts["earlier_proposals"], ruleset).reshape(proposals.shape)
        proposals[np.arange(count), states["round_number"]] = now
        states["proposals"][:, : MAX_ROUNDS * turns] = proposals.reshape(count, -1, 2)
        of_mover = np.arange(turns) // ruleset.consultation == (states["to_move"] - FIRST_SEEKER)[:, None]
        said = ((now[:, :, 0] != NO_CARD) & of_mover).sum(axis=1)
        states["said"] = np.where(states["phase"] == CONSULT, said, 0)
    return states


def _answers(parts: dict[str, np.ndarray], ruleset: Ruleset, rules: Rules) -> np.ndarray:
    """The answer that the fox knows; for a seeker, the first one that fits the hint."""
    hinted = rules.pool[rules.pool_start[:-1][parts["hint"].argmax(axis=1)] % len(rules.pool)]
    fitting = hinted if ruleset.hint else np.full(len(hinted), rules.deck[0])
    told = parts["answer"].argmax(axis=1) if ruleset.rows == "flat" else parts["answer"][:, 0] - 1
    return np.where(parts["i_am_fox"][:, 0] == 1, told, fitting)


def read_cards(cells: np.ndarray, ruleset: Ruleset) -> np.ndarray:
    """Cards or proposals as kinds and numbers, int16, shape ``(cards, 2)``."""
    if ruleset.rows == "compact":
        return cells.reshape(-1, 2).astype(np.int16)
    numbers = catalogue(ruleset.words)
    flags = cells.reshape(-1, numbers.silence + 1)
    action = flags.argmax(axis=1)
    sorts = [action < numbers.trophy, action < numbers.blank, action == numbers.blank]
    kind = np.select(sorts, [CLUE_CARD, TROPHY_CARD, BLANK_CARD], PASS)
    number = np.select(sorts[:2], [action + 1, action - numbers.trophy + 1], 0)
    written = flags.any(axis=1)
    return np.stack([kind * written, number * written], axis=1).astype(np.int16)


def actions_of(cards: np.ndarray, numbers: Catalogue) -> np.ndarray:
    """The actions that wrote cards, or proposed them: what :func:`~.rules.fill` does, turned round.

    Args:
        cards: Kinds and numbers, shape ``(..., 2)``.
        numbers: The world's catalogue.

    Returns:
        Actions, int64, shape ``(...)``; NONE where there is no card.
    """
    kind, number = cards[..., 0], cards[..., 1].astype(np.int64) - 1
    kinds = [kind == of for of in (CLUE_CARD, TROPHY_CARD, BLANK_CARD, PASS)]
    return np.select(kinds, [number, numbers.trophy + number, numbers.blank, numbers.silence], NONE)
