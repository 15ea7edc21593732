"""``bayes``: seekers who reckon. They ask what tells most, and use a trophy when it pays.

How likely every answer is follows from the hint, the counts and the joker as a literal fox would give
them. By default (``bayes:ahead=2``, or more) they plan whole rows and look at the rows after them, see
:mod:`.ahead`. The rest of this file is ``bayes:ahead=1``, which looks no further than the next card.

There a clue is chosen for the information that the row's count will bring, given what is in the row
already. If writing is hidden, the consultation serves to tell the others what one will write; without
one, every seeker works out what those before it would do.
"""

from typing import Any

import numpy as np

from ...envs.errors import InvalidOption
from ...envs.game import Game
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.lisak.inference import candidates
from ...envs.lisak.observation import is_hidden, writer_of
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import fill, is_answer
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import CLUE_CARD, CONSULT, FIRST_SEEKER, NO_CARD, NONE, STATE, TROPHY_CARD
from ..policy import Dice, Policy, register
from .ahead import Ahead
from .reckoning import COUNTS, count_of_row, information, tables_for, weigh

AHEAD, MOST_AHEAD = 2, 4  # rows that are looked at, the one to be written included
SURE = 0.95  # as likely must an answer be for the last trophy
WORTH_A_TROPHY = (0.9, 0.7, 0.45, 0.15)  # and for another one, by round; the last also for all later rounds


class Bayes:
    """Seekers who reckon card by card.

    Args:
        ruleset: The rules they play by.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        rules, tables = tables_for(ruleset)
        self._rules, self._tables = records_for(rules, False), tables
        self._opening = self._first_rows()

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        states = records_for(read_states(observations, self._ruleset, self._rules), False)
        actions = np.empty(len(masks), np.int64)
        seats = np.ascontiguousarray(agents, np.int64)
        _decide_all(states, seats, self._rules, self._tables, self._opening, actions)
        return actions

    def _first_rows(self) -> np.ndarray:
        """What is written in the first round, by hint: the same in all games, so it is reckoned once."""
        starts = self._rules.pool_start[:-1] if self._ruleset.hint else np.zeros(1, np.int32)
        states = np.zeros(len(starts), STATE)
        states["answer"] = self._rules.pool[starts % len(self._rules.pool)]
        states["trophies_left"] = self._ruleset.trophies
        states["tokens"] = states["joker"] = NONE
        opening = np.full((len(starts), self._ruleset.row_length), NONE, np.int64)
        if self._ruleset.rounds > 1:
            _open_all(records_for(states, False), self._rules, self._tables, opening)
        return opening


@parallel_kernel
def _open_all(states, rules, tables, opening):
    for i in prange(len(states)):
        weights = np.empty(len(rules.pool))
        begin = weigh(states[i], rules, weights)
        row = np.zeros((MAX_ROW, 2), np.int16)
        for place in range(opening.shape[1]):
            states[i].place = place
            action = reckon(states[i], place, row, rules, tables, begin, weights)
            fill(row[place], action, rules.options[0])
            opening[i, place] = action


@parallel_kernel
def _decide_all(states, seats, rules, tables, opening, actions):
    for i in prange(len(states)):
        known = opening[rules.hint_of[states[i].answer] % len(opening)]
        actions[i] = decide(states[i], seats[i], rules, tables, known)


@jit
def decide(game, seat, rules, tables, opening):
    """A seeker's action: what it writes, or the proposal to write it if that is of any use.

    ``opening`` is what is written in the first round.
    """
    options = rules.options[0]
    if game.phase == CONSULT:
        useful = options.hidden == 1 and game.said == 0 and game.round_number < options.last_round
        if not useful:
            return int(options.silence)
    weights = np.empty(len(rules.pool))
    begin = weigh(game, rules, weights)
    row = game.cards[game.round_number].copy()
    mine = seat - FIRST_SEEKER if game.phase == CONSULT else int(game.place)
    if game.phase == CONSULT or is_hidden(game, options):
        foresee(game, mine, row, rules, tables, opening, begin, weights)
    action = choose(game, mine, row, rules, tables, opening, begin, weights)
    nothing = game.phase == CONSULT and action == options.blank  # a blank card is not proposed
    return int(options.silence) if nothing else action


@jit
def foresee(game, place, row, rules, tables, opening, begin, weights):
    """Fill in the cards before a place that are not to be seen: as proposed, else as one would oneself."""
    options = rules.options[0]
    for before in range(place):
        if row[before, 0] != NO_CARD:
            continue
        writer = writer_of(before, options) - FIRST_SEEKER
        turn = (game.round_number * options.seekers + writer) * options.consultation
        first_card = before < options.seekers
        if first_card and options.consultation > 0 and game.proposals[turn, 0] in (CLUE_CARD, TROPHY_CARD):
            row[before] = game.proposals[turn]
        else:
            action = choose(game, before, row, rules, tables, opening, begin, weights)
            fill(row[before], action, options)


@jit
def choose(game, place, row, rules, tables, opening, begin, weights):
    """What to write at a place of a row whose cards before it are known."""
    if game.round_number == 0 and is_opening(row, place, opening, rules.options[0]):
        return opening[place]
    return reckon(game, place, row, rules, tables, begin, weights)


@jit
def is_opening(row, place, opening, options):
    """Whether the cards before a place are those that the opening begins with."""
    expected = np.empty(2, np.int16)
    for before in range(place):
        fill(expected, opening[before], options)
        if row[before, 0] != expected[0] or row[before, 1] != expected[1]:
            return False
    return True


@jit
def reckon(game, place, row, rules, tables, begin, weights):
    """The same, worked out: a trophy if it pays, else the idea that tells most."""
    options = rules.options[0]
    count = candidates(game, rules)[1] - begin
    surely, unsure = np.zeros(count, np.int64), np.zeros(count, np.int64)
    left, total = int(game.trophies_left), 0.0
    chances = weights[:count].copy()
    for before in range(place):
        count_of_row(row[before], options, tables, begin, count, surely, unsure)
        if row[before, 0] == TROPHY_CARD:
            left -= game.place <= before  # those that lie on the table are counted already
            for k in range(count):  # what matters from here on is that it is wrong
                if is_answer(row[before], rules.pool[begin + k], options):
                    chances[k] = 0.0
    for k in range(count):
        total += chances[k]
    best = int(np.argmax(chances))
    trophy = int(options.trophy) + rules.pool[begin + best]
    if total == 0.0:  # the answer is on one of the row's trophies
        return trophy if game.round_number == options.last_round else int(options.blank)
    for k in range(count):
        chances[k] /= total
    if game.round_number == options.last_round:
        return trophy
    if left > 0 and pays(chances, best, left, options.row_length - place, game.round_number):
        return trophy
    return most_telling(chances, begin, surely, unsure, tables, int(options.ideas))


@jit
def pays(chances, best, left, places, number):
    """Whether a trophy pays: it is sure enough, or all that is possible can be tried in this row."""
    likeliest = np.sort(chances)[::-1]
    if likeliest[: min(left, places)].sum() >= SURE:
        return True
    return left > 1 and chances[best] >= WORTH_A_TROPHY[min(number, len(WORTH_A_TROPHY) - 1)]


@jit
def most_telling(chances, begin, surely, unsure, tables, ideas):
    """The idea whose row will tell most; the first of those that tell the same."""
    active = np.flatnonzero(chances)
    room = np.empty(COUNTS)
    best, chosen = -1.0, 0
    for idea in range(ideas):
        bits = information(idea, tables, begin, chances, active, surely, unsure, room)
        if bits > best + 1e-9:
            best, chosen = bits, idea
    return chosen


@register(
    "lisak", "bayes", "seekers who reckon and plan their rows, ahead=N rows ahead (2)", roles=("seeker",)
)
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    name, _, number = (argument or f"ahead={AHEAD}").partition("=")
    if name != "ahead" or not number.isdecimal() or not 1 <= int(number) <= MOST_AHEAD:
        raise InvalidOption(
            f"bayes takes ahead=N, N from 1 to {MOST_AHEAD}, as in bayes:ahead=2, not {argument!r}"
        )
    return Bayes(ruleset) if int(number) == 1 else Ahead(ruleset, int(number))
