"""Lišák's posterior: the full states that a seat cannot tell from the one it is in, and how likely each is.

Three things may be unknown to a seat. The answer, to a seeker: every answer that the hint allows is as likely
as the literal fox's counts and joker make it (``envs/lisak/inference.py``; if none fits, the fox is none of
the literal kind, and every candidate is as likely as the other). What others wrote that is not revealed yet
(``writing="hidden"``): any card that was legal. How many trophies are among those cards is public, so they
lie on any of the hidden places, each combination as likely as the other, with any answer on them; on the
other places there is any clue or a blank card, each as likely as the other. And the names of the random
stream, which are nobody's business: they are 0 here, and so is the number of moves.
"""

from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import numpy as np

from ...envs.errors import InvalidOption, whole_number
from ...envs.games import records_for
from ...envs.jit import jit, kernel, parallel_kernel, prange
from ...envs.lisak.inference import candidates
from ...envs.lisak.observation import is_hidden, layout, writer_of
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import begin, fill
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import FOX, OVER, TROPHY_CARD
from ...envs.streams import POLICY, below, random_words
from ..policy import Dice
from .reckoning import tables_for, weigh

#: Where in a decision's stream the samples' words lie: behind those of all decisions (:data:`MOVE` apart,
#: :data:`PLACES` for each sample), so that they never meet.
MOVE, PLACES = 1 << 22, 4
MOST_SAMPLES = MOVE // PLACES


class Posterior:
    """What a seat may take for the truth.

    Args:
        ruleset: The rules the observations come from.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        rules, _ = tables_for(ruleset)
        self._rules, self._options = records_for(rules, False), records_for(rules.options, True)[0]

    def sample(
        self, observations: np.ndarray, seats: np.ndarray, deals: int, rng: Dice
    ) -> tuple[np.ndarray, np.ndarray]:
        """States drawn from the posterior.

        Args:
            observations: What each seat observes, shape ``(n, size)``. Proposals of earlier rounds are in the
                states if they are in the observations.
            seats: Which seat that is, integers, shape ``(n,)``.
            deals: How many states for each.
            rng: Random numbers for the n decisions.

        Returns:
            Records of :data:`~reynard.envs.lisak.state.STATE`, and weights, float64, both of shape
            ``(n, deals)``. The weights are all alike, and those of an observation sum to 1.

        Raises:
            InvalidOption: A game is over, a seat is not the observer's, or the count is not allowed.
        """
        whole_number(deals, "the number of samples", 1, MOST_SAMPLES)
        known, seats = self.read(observations, seats)
        states = np.repeat(known[:, None], deals, axis=1)
        _draw_all(records_for(states, False), seats, self._rules, self._ruleset.trophies, *rng.stream)
        return states, np.full(states.shape, 1 / deals)

    def enumerate(
        self, observation: np.ndarray, seat: int, limit: int = 100_000
    ) -> tuple[np.ndarray, np.ndarray]:
        """All states that are possible, each once.

        Args:
            observation: What the seat observes, shape ``(size,)``.
            seat: The observer.
            limit: How many there may be.

        Returns:
            Records of :data:`~reynard.envs.lisak.state.STATE`, and how likely each is, together 1, float64,
            both of shape ``(m,)``.

        Raises:
            InvalidOption: The game is over, the seat is not the observer's, or there are more states.
        """
        whole_number(limit, "the limit", 1, 2**31)
        known, seats = self.read(np.asarray(observation)[None], np.array([seat]))
        weights = np.zeros((1, len(self._rules.hint_of)))
        _weigh_all(records_for(known, False), seats, self._rules, weights)
        answers = np.flatnonzero(weights[0])
        game = records_for(known, True)[0]
        places = [place for place in range(MAX_ROW) if hides(game, int(seats[0]), place, self._options)]
        trophies = int(hidden_trophies(game, self._ruleset.trophies)) if places else 0
        others = len(places) - trophies
        each = int(self._options.answers) ** trophies * (int(self._options.trophy) + 1) ** others
        ways = comb(len(places), trophies) * each
        if ways * len(answers) > limit:
            raise InvalidOption(
                f"{ways * len(answers):,} states look like this to seat {seat}: the limit must be at least "
                f"that, not {limit:,}"
            )
        states = np.repeat(known, ways * len(answers)).reshape(ways, len(answers))
        states["answer"] = answers
        row = int(known["round_number"][0])
        for way, actions in enumerate(self._ways(len(places), trophies)):
            for place, action in zip(places, actions, strict=True):
                fill(states["cards"][way, 0, row, place], action, self._options)
            states["cards"][way, :, row] = states["cards"][way, 0, row]
        return states.reshape(-1), np.tile(weights[0, answers] / ways, ways)

    def answer_odds(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """How likely the answers of some states are to be drawn, where a row looks alike to its seat.

        Args:
            states: Records of :data:`~reynard.envs.lisak.state.STATE`, shape ``(n, m)``.
            seats: Who observes, shape ``(n,)``.

        Returns:
            Chances, float64, shape ``(n, m)``.
        """
        weights = np.zeros((len(states), len(self._rules.hint_of)))
        first = np.ascontiguousarray(states[:, 0])
        _weigh_all(records_for(first, False), np.ascontiguousarray(seats, np.int64), self._rules, weights)
        return np.take_along_axis(weights, states["answer"].astype(np.int64), axis=1)

    def begin(self, states: np.ndarray) -> np.ndarray:
        """The games of some states as they began, with nothing on the table; of the states' shape."""
        begun = states.copy()
        _begin_all(records_for(begun.reshape(-1), False), self._options)
        return begun

    def _ways(self, places: int, trophies: int) -> Iterator[tuple[int, ...]]:
        """What may stand on the hidden cards, as actions."""
        first, blank = int(self._options.trophy), int(self._options.blank)
        for chosen in combinations(range(places), trophies):
            on_each = [range(first, blank) if k in chosen else (*range(first), blank) for k in range(places)]
            yield from product(*on_each)

    def read(self, observations: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the seats know, as states, and the seats, int64.

        Raises:
            InvalidOption: A game is over, or a seat is not the observer's.
        """
        seats = np.ascontiguousarray(seats, np.int64)
        place = layout(self._ruleset).slices()["seat"]
        observers = observations[:, place].argmax(axis=1)
        for seat, observer in zip(seats, observers, strict=True):
            if seat != observer:
                raise InvalidOption(f"that is what seat {observer} observes, not seat {seat}")
        states = read_states(observations, self._ruleset, self._rules)
        if (states["phase"] == OVER).any():
            raise InvalidOption(
                "the game is over, so its answer is no longer a matter of chance: ask before the end"
            )
        return states, seats


@jit
def hides(game, seat, place, options):
    """Whether a card lies at a place of the current row that the seat must not see (L6)."""
    return is_hidden(game, options) and place < game.place and writer_of(place, options) != seat


@jit
def hidden_trophies(game, trophies):
    """How many trophies lie there unseen: all that are gone and do not lie open."""
    seen = 0
    for row in range(game.round_number + 1):
        for place in range(MAX_ROW):
            seen += game.cards[row, place, 0] == TROPHY_CARD
    return trophies - game.trophies_left - seen


@jit
def weigh_answers(game, seat, rules, weights):
    """Write how likely each of the world's answers is to a seat, together 1."""
    weights[:] = 0.0
    if seat == FOX:
        weights[game.answer] = 1.0
        return
    chances = np.empty(len(rules.pool))
    begin = weigh(game, rules, chances)
    for k in range(candidates(game, rules)[1] - begin):
        weights[rules.pool[begin + k]] = chances[k]


@parallel_kernel
def _weigh_all(states, seats, rules, weights):
    for i in prange(len(states)):
        weigh_answers(states[i], seats[i], rules, weights[i])


@kernel
def _begin_all(states, options):
    for i in range(len(states)):
        begin(states[i], options)


@parallel_kernel
def _draw_all(states, seats, rules, trophies, key, games, episodes, moves):
    for i in prange(len(states)):
        weights = np.empty(len(rules.hint_of))
        weigh_answers(states[i, 0], seats[i], rules, weights)
        heaped = np.cumsum(weights)
        for k in range(states.shape[1]):
            place = (moves[i] + 1) * MOVE + k * PLACES
            words = random_words(key, games[i], episodes[i], POLICY, place)
            states[i, k].answer = draw(heaped, words[0] / 2.0**32 + words[1] / 2.0**64)
            hidden = hidden_trophies(states[i, k], trophies)
            if is_hidden(states[i, k], rules.options[0]):
                draw_cards(
                    states[i, k], seats[i], hidden, rules.options[0], key, games[i], episodes[i], place
                )


@jit
def draw(heaped, number):
    """The first place whose heaped-up chance exceeds a number from 0 to 1."""
    chosen = np.searchsorted(heaped, number * heaped[-1], side="right")
    return min(chosen, np.searchsorted(heaped, heaped[-1]))  # rounding must not lead to what is impossible


@jit
def draw_cards(game, seat, trophies, options, key, index, episode, place):
    """Fill in what others wrote that is hidden from a seat; the words at ``place`` have been used."""
    rest = 0
    for other in range(game.place):
        rest += hides(game, seat, other, options)
    for other in range(game.place):
        if not hides(game, seat, other, options):
            continue
        words = random_words(key, index, episode, POLICY, place + 1 + other // 2)
        first = 2 * (other % 2)
        if below(words[first], rest) < trophies:  # each combination of places is as likely as the other
            action = options.trophy + below(words[first + 1], options.answers)
            trophies -= 1
        else:
            action = below(words[first + 1], options.trophy + 1)
            action = options.blank if action == options.trophy else action
        rest -= 1
        fill(game.cards[game.round_number, other], action, options)
