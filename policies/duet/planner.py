"""``planner``: imagines how games go on after each action, and plays the one that wins most of them.

For a decision it deals the hidden cards in many ways, each as likely as the other, and lets the round be
played out after every action that may be worth it, the same deals for all of them. In those games both seats
are held by scouts, who know their own cards only: whoever imagines players that see all cards learns nothing
of what it costs not to know. The board at the round's end is worth the chance to win from it; what the scout
thinks of an action counts like a few deals. After each part of the deals the worse half of the actions is
given up (*sequential halving*: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed
Bandits", ICML 2013).
"""

import time
from typing import Any, Final

import numpy as np

from ...envs.duet.observation import as_records
from ...envs.duet.reading import read_state
from ...envs.duet.rules import legal_actions
from ...envs.duet.ruleset import Ruleset
from ...envs.duet.state import ANNOUNCE, STATE
from ...envs.errors import InvalidOption
from ...envs.game import Game
from ...envs.games import records_for
from ...envs.jit import parallel_kernel, prange
from ...envs.sets import count
from ..options import Options, read_options
from ..policy import Dice, no_argument, register
from .position import copy_position, play_in_round, positions, rules_by_round, take_over
from .posterior import MOST, deal_hidden, unknown_cards
from .scout import ACTIONS, desk_for, play_round_out, scout, tables_for
from .worth import chance_of, worth

DEALS, WIDTH = 64, 12
PRIOR: Final = 16  # deals that the scout's judgement counts like
STAGES: Final = 4  # parts that a decision's deals are tried in
FIRST: Final = 8  # deals of the first part when the clock decides; then twice as many each time


class Planner:
    """Searches with imagined games. It has no memory; counted, it plays the same for the same dice.

    Args:
        ruleset: The rules it plays by; observations must hold the history.
        deals: For a decision, ways in which the hidden cards are dealt; 0: it plays as the scout does.
        width: Actions that are tried, at most: the most promising to the scout.
        seconds: Time for each decision, instead of a number of deals (which then is at most 4096). How it
            plays then depends on how fast the machine is.

    Attributes:
        rollouts: Rounds that were imagined so far.

    Raises:
        InvalidOption: The observations hold no history.
    """

    def __init__(
        self, ruleset: Ruleset, deals: int = DEALS, width: int = WIDTH, seconds: float | None = None
    ) -> None:
        if not ruleset.history:
            raise InvalidOption("planner and scout need to see what was played: they play with history=True")
        self._rules = rules_by_round(ruleset)
        self._tables = tables_for(ruleset)
        self._deals, self._width, self._seconds = deals, width, seconds
        self.rollouts = 0

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        size = len(observations)
        views, seats = records_for(as_records(observations), False), np.ascontiguousarray(agents, np.int64)
        games, room = records_for(np.zeros(size, STATE), False), positions(size, 4)
        actions = np.zeros(size, np.int64)
        arms, sums = np.full((size, ACTIONS), -1, np.int64), np.full((size, ACTIONS), -np.inf)
        _begin_all(views, seats, self._rules, *self._tables, games, room, actions, arms, sums, *rng.stream)
        if self._deals > 0:
            rows = np.flatnonzero(arms[:, 1] >= 0)
            if len(rows):
                parts = views[rows], seats[rows], rng.of(rows), room[rows]
                actions[rows] = self._plan(*parts, arms[rows, : self._width], sums[rows, : self._width])
        return actions

    def _plan(
        self, views: Any, seats: np.ndarray, rng: Dice, room: Any, arms: np.ndarray, sums: np.ndarray
    ) -> np.ndarray:
        """The best of each row's arms; below 0 is none. The arms stand in the scout's order."""
        ended, first = np.zeros(len(arms), np.int64), 0
        until = None if self._seconds is None else time.monotonic() + self._seconds * len(arms)
        for end in self._ends():
            _try_all(
                views, seats, self._rules, *self._tables, room, arms, sums, first, end, ended, *rng.stream
            )
            self.rollouts += int(ended.sum())
            first = end
            _halve(arms, sums)
            if until is not None and time.monotonic() >= until:
                break
        return arms[np.arange(len(arms)), sums.argmax(axis=1)]

    def _ends(self) -> list[int]:
        """Up to which deal each part goes."""
        if self._seconds is None:
            return sorted({-(-self._deals * part // STAGES) for part in range(1, STAGES + 1)})
        return [FIRST << part for part in range((MOST // FIRST).bit_length())]


def _halve(arms: np.ndarray, sums: np.ndarray) -> None:
    """Give up the worse half of each row's arms; two remain."""
    open_arms = (arms >= 0).sum(axis=1)
    ranks = np.argsort(np.argsort(-sums, axis=1, kind="stable"), axis=1)
    given_up = ranks >= np.maximum(2, (open_arms + 1) // 2)[:, None]
    arms[given_up] = -1
    sums[given_up] = -np.inf


@parallel_kernel
def _begin_all(
    views, seats, rules, weights, prices, games, room, actions, arms, sums, key, indices, episodes, moves
):
    """What the scouts do; and, where there is a choice, the actions in their order and as they judge them."""
    for i in prange(len(views)):
        root, position = room[i, 0], room[i, 2]
        desk = desk_for(rules, weights, prices, room[i, 1:2])
        read_state(views[i], seats[i], rules[len(rules) - 1], games[i])
        take_over(root, games[i])
        copy_position(position, root)
        now = rules[root.round_number]
        if root.phase != ANNOUNCE:
            # any deal will do: of the partner's unknown cards a scout uses only their number
            hidden, pool = unknown_cards(views[i])
            deal_hidden(position, seats[i], hidden, pool, now, key, indices[i], episodes[i], moves[i], 0)
        legal = legal_actions(position, now)
        actions[i] = scout(position, desk)
        if legal & (legal - 1) == 0 or root.phase == ANNOUNCE:
            continue
        size = 0
        while legal:
            action = count((legal & -legal) - 1)
            legal &= legal - 1
            place = size
            while place > 0 and desk.worths[arms[i, place - 1]] < desk.worths[action]:
                arms[i, place] = arms[i, place - 1]
                place -= 1
            arms[i, place] = action
            size += 1
        # worths of one kind of decision cannot be compared with another's: the best one stands for the board
        shift = worth(root, rules, weights, desk.figures) - desk.worths[arms[i, 0]]
        for place in range(size):
            sums[i, place] = PRIOR * chance_of(desk.worths[arms[i, place]] + shift)


@parallel_kernel
def _try_all(
    views, seats, rules, weights, prices, room, arms, sums, first, end, ended, key, indices, episodes, moves
):
    """Try all arms on the deals from ``first`` up to ``end``, and add up the chances to win."""
    for i in prange(len(views)):
        root, world, branch = room[i, 0], room[i, 2], room[i, 3]
        desk = desk_for(rules, weights, prices, room[i, 1:2])
        hidden, pool = unknown_cards(views[i])
        now = rules[root.round_number]
        ended[i] = 0
        for number in range(first, end):
            copy_position(world, root)
            deal_hidden(world, seats[i], hidden, pool, now, key, indices[i], episodes[i], moves[i], number)
            for arm in range(arms.shape[1]):
                if arms[i, arm] >= 0:
                    copy_position(branch, world)
                    play_in_round(branch, arms[i, arm], rules)
                    play_round_out(branch, desk)
                    sums[i, arm] += chance_of(worth(branch, rules, weights, desk.figures))
                    ended[i] += 1


#: What may be said of a planner.
_OPTIONS: Final[Options] = {
    "deals": (int, 1, MOST),
    "width": (int, 2, ACTIONS),
    "seconds": (float, 0.001, 3600.0),
}


@register("duet", "planner", "imagines how games go on: planner:deals=64,width=12, or planner:seconds=0.05")
def _build_planner(game: Game, ruleset: Any, argument: str) -> Planner:
    options = read_options("planner", argument, _OPTIONS)
    if "deals" in options and "seconds" in options:
        raise InvalidOption("planner: give deals or seconds, not both: one of them sets the budget")
    return Planner(ruleset, **options)


@register("duet", "scout", "looks one trick ahead, for the chance to win from the board that it leads to")
def _build_scout(game: Game, ruleset: Any, argument: str) -> Planner:
    no_argument("scout", argument)
    return Planner(ruleset, deals=0)
