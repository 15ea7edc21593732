"""The best questioning of a literal fox in Lišák (L10), worked out exactly for worlds with few answers.

A position is how likely each answer is, how many trophies and how many rounds are left. Of all rows that
could be written, those that are answered alike are looked at once, the most hopeful ones first, until no
other one can be better. The fox keeps its joker, and its coins are chance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, Final

import numpy as np

from ..envs.lisak import Ruleset
from ..envs.lisak.world import BORDERLINE, YES

#: A game that is lost counts as so many rounds: first the most wins, then the fewest rounds.
LOSS: Final = 1e6
#: No more positions than that are worked out.
MOST_POSITIONS: Final = 200_000
EPSILON: Final = 1e-7


class TooLarge(Exception):
    """There are more positions than can be worked out."""


class Solver:
    """Works out the best questioning of a literal fox that keeps its joker.

    Args:
        ruleset: The rules.
        judgement: The world's, int8, shape ``(answers, clues)``.
    """

    def __init__(self, ruleset: Ruleset, judgement: np.ndarray) -> None:
        self._rules, self._judgement = ruleset, judgement
        self._known: dict[tuple[Any, ...], tuple[float, float]] = {}
        size = ruleset.row_length
        #: the ways in which so many heads can fall with so many coins, times 2 ** (the row's other cards)
        self._ways = np.zeros((size + 1, 2 * size + 1), np.int64)
        for coins in range(size + 1):
            for heads in range(coins + 1):
                self._ways[coins, heads] = comb(coins, heads) << (size - coins)

    @property
    def positions(self) -> int:
        """How many have been worked out."""
        return len(self._known)

    def value(self, answers: np.ndarray) -> tuple[float, float]:
        """The share of games that are lost, and the mean number of rounds, from a game's beginning.

        Args:
            answers: The candidates, each as likely as the other.

        Raises:
            TooLarge: There are too many positions.
        """
        weights = np.ones(len(answers), np.int64)
        return self._value(np.asarray(answers), weights, self._rules.trophies, self._rules.rounds)

    def _value(
        self, answers: np.ndarray, weights: np.ndarray, trophies: int, rounds: int
    ) -> tuple[float, float]:
        """The same from any position; ``weights`` are whole numbers, one for each possible answer."""
        weights = weights // np.gcd.reduce(weights)
        size, total = self._rules.row_length, int(weights.sum())
        best_first = np.sort(weights)[::-1]
        if rounds == 1:
            return 1.0 - int(best_first[:trophies].sum()) / total, 1.0
        if len(answers) <= min(trophies, size):
            return 0.0, 1.0
        key = (tuple(answers.tolist()), tuple(weights.tolist()), trophies, rounds)
        if key not in self._known:
            if len(self._known) >= MOST_POSITIONS:
                raise TooLarge
            self._known[key] = self._search(answers, weights, trophies, rounds)
        return self._known[key]

    def _search(
        self, answers: np.ndarray, weights: np.ndarray, trophies: int, rounds: int
    ) -> tuple[float, float]:
        """The best of all rows, those with the best prospects first, until no other one can be better."""
        total = float(weights.sum())
        rows = [
            row
            for guesses in range(trophies + 1)
            for row in self._rows(answers, weights, guesses, trophies, rounds)
        ]
        rows.sort(key=lambda row: row.hope)
        best, value = np.inf, (1.0, 1.0)
        for row in rows:
            if row.hope >= best - EPSILON:
                break
            lost, mean, hope = row.lost, 1.0, row.hope
            for left, hoped in zip(row.left, row.hopes, strict=True):
                possible = np.flatnonzero(left)
                if len(possible) == 0:
                    continue
                chance = float(left.sum()) / (total * self._scale)
                more_lost, more = self._value(
                    answers[possible], left[possible], trophies - row.guesses, rounds - 1
                )
                lost, mean = lost + chance * more_lost, mean + chance * more
                hope += chance * (LOSS * more_lost + more) - hoped
                if hope >= best - EPSILON:
                    break
            if hope < best - EPSILON:
                best, value = hope, (lost, mean)
        return value

    @cached_property
    def _scale(self) -> int:
        return 1 << self._rules.row_length

    def _rows(
        self, answers: np.ndarray, weights: np.ndarray, guesses: int, trophies: int, rounds: int
    ) -> Iterator["_Row"]:
        """Every row with so many trophies, once of those that are answered alike."""
        size, total = self._rules.row_length, float(weights.sum())
        if guesses > min(size, len(answers)):
            return
        judged, named = self._clues(answers)
        written = list(combinations_with_replacement(range(len(judged)), size - guesses))
        chosen = np.array(written, np.int64).reshape(len(written), size - guesses)
        sure, unsure = (judged[chosen] == YES).sum(axis=1), (judged[chosen] == BORDERLINE).sum(axis=1)
        names = np.asarray(named[chosen].any(axis=1))
        for guessed in combinations(range(len(answers)), guesses):
            on_trophy = np.zeros(len(answers), bool)
            on_trophy[list(guessed)] = True
            likeness = self._judgement[np.ix_(answers, self._first_answer + answers[list(guessed)])].T
            rest = np.where(on_trophy, 0, weights)
            if guesses == trophies:  # L8: whoever has not won now has lost
                lost = float(rest.sum()) / total
                yield _Row(guesses, lost, LOSS * lost + 1.0, np.zeros((0, 0)), np.zeros(0))
                continue
            fatal = np.where(names & ~on_trophy, weights, 0).sum(axis=1) / total
            surely = sure + (likeness == YES).sum(axis=0)
            coins = unsure + (likeness == BORDERLINE).sum(axis=0)
            kinds = np.concatenate([surely, coins, names], axis=1)
            once = np.unique(kinds, axis=0, return_index=True)[1]
            alive = np.where(names[once] & ~on_trophy, 0, rest)
            tokens = np.arange(size + 1)[:, None]
            heads = tokens - surely[once][:, None]
            ways = np.where(heads < 0, 0, self._ways[coins[once][:, None], np.maximum(heads, 0)])
            left = alive[:, None] * ways  # shape (rows, counts, answers)
            hopes = self._hopes(left, trophies - guesses, rounds - 1) / (total * self._scale)
            for k, row in enumerate(once):
                hope = 1.0 + LOSS * fatal[row] + hopes[k].sum()
                yield _Row(guesses, float(fatal[row]), float(hope), left[k], hopes[k])

    @property
    def _first_answer(self) -> int:
        return self._judgement.shape[1] - len(self._judgement)

    def _clues(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What can be written: every judgement of the possible answers once, and who is named by it.

        Returns:
            Judgements, int8, and truth values, both of shape ``(clues, answers)``; first the blank card.
            Whatever judges all alike says no more than a blank card.
        """
        judged = self._judgement[answers].T
        named = np.zeros(judged.shape, bool)
        named[self._first_answer + answers, np.arange(len(answers))] = True
        tells = (judged != judged[:, :1]).any(axis=1)
        both = np.concatenate([judged[tells], named[tells]], axis=1)
        both = np.unique(np.concatenate([np.zeros((1, 2 * len(answers)), np.int8), both]), axis=0)
        return both[:, : len(answers)], both[:, len(answers) :].astype(bool)

    def _hopes(self, left: np.ndarray, trophies: int, rounds: int) -> np.ndarray:
        """What each count costs at least, in rounds and lost games, times how likely it is.

        Args:
            left: Weights, shape ``(rows, counts, answers)``.
            trophies: How many are left, 1 or more.
            rounds: Likewise.
        """
        heaped = np.cumsum(-np.sort(-left, axis=2), axis=2).astype(float)
        total, answers = heaped[:, :, -1], left.shape[2]

        def likeliest(count: int) -> np.ndarray:
            return heaped[:, :, min(count, answers) - 1] if count > 0 else np.zeros_like(total)

        if rounds == 1:
            return total + LOSS * (total - likeliest(trophies))
        tried = min(trophies, self._rules.row_length)
        careful = min(trophies - 1, self._rules.row_length)  # then those who are wrong play another round
        all_in = total + (LOSS if tried == trophies else 1.0) * (total - likeliest(tried))
        return np.minimum(total + (total - likeliest(careful)), all_in)


@dataclass(frozen=True)
class _Row:
    """A row that could be written.

    Args:
        guesses: How many trophies are in it.
        lost: How likely it loses at once.
        hope: What it costs at least.
        left: The answers' weights after each count, shape ``(counts, answers)``.
        hopes: The part of ``hope`` that each count has, shape ``(counts,)``.
    """

    guesses: int
    lost: float
    hope: float
    left: np.ndarray
    hopes: np.ndarray
