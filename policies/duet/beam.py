"""The clairvoyant: how well a team could play that sees all cards, those of the rounds to come included.

Two players who want the same and see the same are one player, so all there is to do is to search. From trick
to trick the search keeps the most promising positions, at most ``width`` of them, and each position once (a
*beam*). What it wins can be won. With a width that holds all positions nothing is left out, and what it does
not win cannot be won.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...envs.duet.actions import ANNOUNCE_FIRST
from ...envs.duet.rules import begin_round, legal_actions, play
from ...envs.duet.ruleset import Ruleset
from ...envs.duet.state import ANNOUNCE, UNDECIDED, WIN
from ...envs.errors import whole_number
from ...envs.games import records_for
from ...envs.jit import SMALL_BATCH, jit, parallel_kernel, prange
from ...envs.sets import count
from ...envs.streams import MASK
from .position import (
    POSITION,
    copy_position,
    play_in_round,
    positions,
    round_is_over,
    rules_by_round,
    same_place,
    take_over,
    take_over_board,
)
from .worth import FIGURES, weights_for, worth

WIDTH: Final = 64
MAX_WIDTH: Final = 1_000_000
#: Room for a trick's branches: at most 12 of each of its decisions (two cards, two Foxes or two pairs of
#: gifts, a move) wait at a time.
BRANCHES: Final = 128
ROOM: Final = 2**29  # bytes to work in


@dataclass(frozen=True)
class Foresight:
    """What the clairvoyant makes of some games.

    Args:
        won: Whether it wins, shape ``(n,)``.
        rounds: The round that ends the game, from 1, int64, shape ``(n,)``: the earliest one found for a win.
        gems: Gems collected, likewise; the most that was found.
        positions: Positions that were looked at, likewise.
        complete: Whether nothing was left out, so that a game that is not won cannot be.
    """

    won: np.ndarray
    rounds: np.ndarray
    gems: np.ndarray
    positions: np.ndarray
    complete: np.ndarray


def foresee(states: np.ndarray, ruleset: Ruleset, width: int = WIDTH) -> Foresight:
    """Play games on as well as can be, with all cards seen.

    Args:
        states: Records of :data:`~reynard.envs.duet.state.STATE` with their decks, shape ``(n,)``; running,
            in any phase. They stay as they are.
        ruleset: Their rules.
        width: How many positions are kept after each trick.

    Raises:
        InvalidOption: The width is no number from 1 to a million.
    """
    whole_number(width, "the width of the search", 1, MAX_WIDTH)
    rules, weights = rules_by_round(ruleset), weights_for(ruleset)
    results = np.zeros((5, len(states)), np.int64)
    slots = 6 * width + BRANCHES
    at_once = min(SMALL_BATCH, max(1, ROOM // (slots * POSITION.itemsize)), max(1, len(states)))
    room, keys = positions(at_once, slots), np.zeros((at_once, 2 * width), np.int64)
    for first in range(0, len(states), at_once):
        part = slice(first, first + at_once)
        games = records_for(states[part].copy(), False)
        _foresee_all(games, rules, width, weights, room, keys, results[:, part].T)
    won, rounds, gems, seen, complete = results
    return Foresight(won == 1, rounds, gems, seen, complete == 1)


@parallel_kernel
def _foresee_all(games, rules, width, weights, room, keys, results):
    for i in prange(len(games)):
        search(games[i], rules, width, weights, room[i], keys[i], results[i])


@jit
def search(game, rules, width, weights, room, keys, result):
    """The beam. ``game`` is only dealt from; ``result`` is a row of :class:`Foresight`."""
    now, later, spare = room[: 2 * width], room[2 * width : 4 * width], room[4 * width : 6 * width]
    branches = room[6 * width :]
    figures = np.zeros(len(FIGURES))
    result[:] = 0
    result[4] = 1
    announce(game, rules)
    take_over(now[0], game)
    size = 1
    while size > 0:
        size = follow_all(now, size, later, spare, branches, rules, width, weights, figures, keys, result)
        now, later = later, now
        if size > 0 and round_is_over(now[0]):
            for k in range(size):
                deal_next(now[k], game, rules)


@jit
def announce(game, rules):
    """D22: whoever sees all cards has nothing to announce."""
    while game.phase == ANNOUNCE:
        play(game, ANNOUNCE_FIRST, rules[len(rules) - 1])


@jit
def deal_next(position, game, rules):
    """Go on to the next round with the deck that lies ready in ``game``."""
    take_over_board(game, position)
    begin_round(game, position.round_number + 1, rules[len(rules) - 1])
    announce(game, rules)
    take_over(position, game)


@jit
def follow_all(now, size, later, spare, branches, rules, width, weights, figures, keys, result):
    """All ways on from all positions to the ends of their trick.

    Returns how many positions ``later`` holds, 0 after a win.
    """
    found, floor = 0, -(1 << 62)
    here = branches[len(branches) - 1]
    for k in range(size):
        trick = now[k].trick
        copy_position(branches[0], now[k])
        top = 1
        while top > 0:
            top -= 1
            copy_position(here, branches[top])
            legal = legal_actions(here, rules[here.round_number])
            while legal:
                action = count((legal & -legal) - 1)
                legal &= legal - 1
                branch = branches[top]
                copy_position(branch, here)
                play_in_round(branch, action, rules)
                result[3] += 1
                if branch.outcome != UNDECIDED:
                    note_end(branch, result)
                    if branch.outcome == WIN:
                        return 0
                elif branch.trick == trick:
                    top += 1
                else:
                    key = key_of(branch, rules, weights, figures)
                    if key > floor:
                        keys[found] = key
                        copy_position(later[found], branch)
                        found += 1
                        if found == len(later):
                            found, floor = select(later, found, spare, keys, width, floor, result)
    found, floor = select(later, found, spare, keys, width, floor, result)
    return found


@jit
def note_end(position, result):
    """The end of a game: a win ends the search, else the most gems count."""
    won = position.outcome == WIN
    if won or position.collected >= result[2]:
        result[0] = won
        result[1] = position.round_number + 1
        result[2] = position.collected


@jit
def key_of(position, rules, weights, figures):
    """A number for a position: its worth before all, and equal for equal positions."""
    digest = 0
    for k in range(len(position.place_words)):
        word = int(position.place_words[k])
        for half in (word & MASK, (word >> 32) & MASK):
            digest = ((digest ^ half) * 0x9E3779B1) & MASK
            digest ^= digest >> 15
    return (int(worth(position, rules, weights, figures) * 65536) << 32) | digest


@jit
def select(later, found, spare, keys, width, floor, result):
    """Keep the best positions, each once. Returns how many, and the key that a further one must exceed."""
    order = np.argsort(keys[:found])
    kept = 0
    sorted_keys = keys[:found][order]
    for place in range(found - 1, -1, -1):
        position = later[order[place]]
        if kept > 0 and keys[kept - 1] == sorted_keys[place] and same_place(spare[kept - 1], position):
            continue
        if kept == width:
            result[4] = 0
            floor = max(floor, keys[kept - 1])
            break
        copy_position(spare[kept], position)
        keys[kept] = sorted_keys[place]
        kept += 1
    for k in range(kept):
        copy_position(later[k], spare[k])
    return kept, floor
