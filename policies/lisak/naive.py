"""``naive``: a pair that does not reckon. Seekers ask for likely ideas; a fox never uses its joker.

The seekers write ideas that are true of many answers of the hint, without a thought for what the row
will tell. They believe every card of a row as much as the row has tokens, and when time runs short they
write the answer that agrees best with all of that on a trophy.
"""

from typing import Any

import numpy as np

from ...envs.game import Game
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.inference import candidates
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import is_answer, meaning
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import CLUE_CARD, CONSULT, NO_CARD, NONE
from ...envs.lisak.world import NO
from ...envs.streams import POLICY, below, random_words
from ..policy import Dice, Policy, no_argument, register
from .literal import Literal
from .reckoning import tables_for

GUESS_FROM_ROUND = 3  # from 0: in the fourth round the first seeker guesses
FAVOURITES = 12  # it asks for one of so many likely ideas


class NaiveSeeker:
    """Seekers who do not reckon.

    Args:
        ruleset: The rules they play by.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        rules, self._tables = tables_for(ruleset)
        self._rules = records_for(rules, False)

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        states = records_for(read_states(observations, self._ruleset, self._rules), False)
        actions = np.empty(len(masks), np.int64)
        _decide_all(states, self._rules, self._tables, actions, *rng.stream)
        return actions


class Naive:
    """The pair: in the fox's seat a fox, in any other a seeker.

    Args:
        ruleset: The rules they play by.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._fox, self._seeker = Literal(ruleset, joker=False), NaiveSeeker(ruleset)

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        actions = np.empty(len(masks), np.int64)
        for policy, rows in ((self._fox, agents == 0), (self._seeker, agents != 0)):
            if rows.any():
                actions[rows] = policy.act(observations[rows], masks[rows], agents[rows], rng.of(rows))
        return actions


@parallel_kernel
def _decide_all(states, rules, tables, actions, key, games, episodes, moves):
    for i in prange(len(states)):
        words = random_words(key, games[i], episodes[i], POLICY, moves[i])
        actions[i] = decide(states[i], words[0], rules, tables)


@jit
def decide(game, word, rules, tables):
    """A pass in the consultation; a guess when time runs short; else a likely idea."""
    options = rules.options[0]
    if game.phase == CONSULT:
        return int(options.silence)
    first = game.place == 0 and game.round_number >= min(GUESS_FROM_ROUND, options.last_round - 1)
    if game.round_number == options.last_round or (first and game.trophies_left > 1):
        return int(options.trophy) + best_guess(game, rules)
    return likely_idea(game, below(word, FAVOURITES), rules, tables)


@jit
def best_guess(game, rules):
    """The answer that agrees best with the rows, each card believed as much as its row has tokens."""
    options = rules.options[0]
    begin, end = candidates(game, rules)
    best, chosen = -np.inf, int(rules.pool[begin])
    for k in range(begin, end):
        answer, score = rules.pool[k], 0.0
        for row in range(game.round_number + 1):
            for place in range(MAX_ROW):
                card = game.cards[row, place]
                if card[0] == NO_CARD:
                    continue
                if is_answer(card, answer, options):
                    score = -np.inf
                elif meaning(card, options) >= 0 and game.tokens[row] != NONE:
                    belief = game.tokens[row] / options.row_length
                    fits = rules.judgement[answer, meaning(card, options)] != NO
                    score += belief if fits else 1 - belief
        if score > best:
            best, chosen = score, int(answer)
    return chosen


@jit
def likely_idea(game, rank, rules, tables):
    """The idea of that rank (from 0) among those that are true of most candidates and not yet written."""
    options = rules.options[0]
    begin, end = candidates(game, rules)
    truths = np.zeros(options.ideas)
    for idea in range(options.ideas):
        for k in range(begin, end):
            truths[idea] += tables.clues[idea, k]
    for row in range(game.round_number + 1):
        for place in range(MAX_ROW):
            card = game.cards[row, place]
            if card[0] == CLUE_CARD and card[1] <= options.ideas:
                truths[card[1] - 1] = -1
    for _ in range(rank):
        truths[np.argmax(truths)] = -1
    return int(np.argmax(truths))


@register("lisak", "naive", "a pair that does not reckon: likely ideas, no joker")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("naive", argument)
    return Naive(ruleset)
