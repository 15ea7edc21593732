"""``search:blueprint=NAME``: one step of look-ahead over what is hidden, then everybody plays the blueprint.

For every action that may be worth it, games are played to their end by a policy that everybody is taken to
follow, the *blueprint*, from states that are consistent with all that the player knows; the action that wins
most of them is played (SPARTA's single-agent search: A. Lerer et al., "Improving Policies via Search in
Cooperative Partially Observable Games", AAAI 2020). The player departs from its blueprint only where that is
better by more than chance would have it, so with the same blueprint in the other seats it plays, but for that
error, at least as well.

All actions are tried on the same states. A few states tell most actions apart; more are drawn only where two
are still close, up to the budget.
"""

from typing import Any, Final

import numpy as np

from ..envs.batch import Batch
from ..envs.errors import InvalidOption
from ..envs.game import Game
from ..envs.streams import key_of
from .memory import Beliefs
from .options import Options, read_options
from .policy import ANY_GAME, Dice, Policy, ask, distinct, register
from .prospects import prospects_of
from .seats import seat_policies

FIRST: Final = 8  # states that every action is tried on
BLOCK: Final = 256  # decisions that are searched together
SOONER: Final = 1e-5  # what a move less is worth: of two ways to win, the quicker
DICE: Final = key_of(0)  # of the blueprint in the games that are imagined; their episodes tell them apart


class Decision:
    """A decision that is being searched.

    Args:
        row: Which one of those that were asked for.
        arms: The actions that are tried, the blueprint's first.
        deals: States that they may be tried on.

    Attributes:
        values: What came of each, ``(arms, deals)``, of which the first ``seen`` are known.
        open: Which arms may still be the best.
        seen: States that they were tried on.
    """

    def __init__(self, row: int, arms: np.ndarray, deals: int) -> None:
        self.row, self.arms, self.seen = row, arms, 0
        self.values = np.zeros((len(arms), deals))
        self.open = np.ones(len(arms), np.bool_)

    def close(self, margin: float) -> None:
        """Give up the arms that are clearly worse than the best one, and those that do not differ from it."""
        known = self.values[:, : self.seen]
        best = self.best(margin)
        for arm in np.flatnonzero(self.open):
            worse = known[best] - known[arm]
            if arm != best and worse.mean() >= 2 * _error(worse):
                self.open[arm] = False

    def best(self, margin: float) -> int:
        """The arm to play: the blueprint's, unless another one is better by so many standard errors."""
        known = self.values[:, : self.seen]
        best = int(np.where(self.open, known.mean(axis=1), -1).argmax())
        better = known[best] - known[0]
        return best if better.mean() > margin * _error(better) else 0


def _error(differences: np.ndarray) -> float:
    """The standard error of their mean."""
    return float(differences.std() / np.sqrt(len(differences)))


class Search:
    """Looks one step ahead from a blueprint.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        blueprint: Who everybody is taken to be: a policy for each seat.
        deals: States that a close decision is tried on, at most.
        width: Actions that are tried, at most: the blueprint's and the most promising others.
        margin: Standard errors by which another action must be better than the blueprint's.
        floor: An action that the blueprint plays less often is not tried, if it tells its odds.
        error: How often the others are taken to leave the blueprint. States are as likely as they explain
            what was played by it; with 1 that tells nothing, as is best where others search as well.

    Attributes:
        rollouts: Games that were imagined so far.
        departures: Decisions in which the blueprint was not followed.
    """

    def __init__(
        self,
        game: Game,
        ruleset: Any,
        blueprint: list[Policy],
        deals: int = 32,
        width: int = 12,
        margin: float = 1.0,
        floor: float = 0.05,
        error: float = 1.0,
    ) -> None:
        self._game, self._ruleset = game, ruleset
        self._beliefs = Beliefs(game, ruleset, blueprint, error)
        self._prospects = prospects_of(game, ruleset)
        self._promising = [self._prospects.names.index(name) for name in self._prospects.promising]
        self._players, self._of_seat = distinct(blueprint)
        self._deals, self._width, self._margin, self._floor = deals, width, margin, floor
        self.rollouts = self.departures = 0

    def reset(self, games: np.ndarray) -> None:
        """See :class:`Policy`."""
        self._beliefs.memory.reset(games)
        for player in self._players:
            player.reset(games)

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        seats = np.asarray(agents, np.int64)
        if self._beliefs.remembers:
            self._beliefs.memory.see(observations, seats, rng)
        actions = np.zeros(len(masks), np.int64)
        for number, player in enumerate(self._players):
            mine = np.flatnonzero(self._of_seat[seats] == number)
            if len(mine):
                actions[mine] = player.act(observations[mine], masks[mine], seats[mine], rng.of(mine))
        arms = self._arms(observations, masks, seats, rng, actions)
        choices = np.array([row for row, tried in enumerate(arms) if len(tried) > 1], np.int64)
        for first in range(0, len(choices), BLOCK):
            rows = choices[first : first + BLOCK]
            found = [Decision(row, arms[of], self._deals) for row, of in enumerate(rows)]
            actions[rows] = self._search(found, observations[rows], seats[rows], rng.of(rows))
        if self._beliefs.remembers:
            self._beliefs.memory.did(actions, seats, rng)
        return actions

    def _search(
        self, found: list[Decision], observations: np.ndarray, seats: np.ndarray, rng: Dice
    ) -> np.ndarray:
        """The actions for some decisions, of which nothing is found yet."""
        states = self._beliefs.draw(observations, seats, self._deals, rng)
        # the blueprint's dice are the same for all actions, and others for every state
        states["game"] = np.arange(self._deals)
        states["episode"] = (rng.words()[:, 1] >> 1)[:, None]
        seen = 0
        while seen < self._deals:
            running = [one for one in found if one.open.sum() > 1]
            if not running:
                break
            seen, before = min(max(FIRST, 2 * seen), self._deals), seen
            self._try(running, states, before, seen)
            for one in running:
                one.seen = seen
                one.close(self._margin)
        chosen = np.array([one.arms[one.best(self._margin)] for one in found])
        self.departures += int((chosen != [one.arms[0] for one in found]).sum())
        return chosen

    def _arms(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, rng: Dice, usual: np.ndarray
    ) -> list[np.ndarray]:
        """The actions to try in each decision, the usual one first, then the most promising."""
        promise = self._promise(observations, masks, seats, rng)
        order = np.argsort(-promise, axis=1, kind="stable")
        arms = []
        for row, mine in enumerate(usual):
            others = [action for action in order[row] if promise[row, action] >= 0 and action != mine]
            arms.append(np.array([mine, *others[: self._width - 1]], np.int64))
        return arms

    def _promise(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, rng: Dice
    ) -> np.ndarray:
        """What speaks for each action, float64, shape ``(n, actions)``; below 0: it is not worth a try.

        A blueprint that knows its odds is asked for them, and what it hardly ever does is left out; else the
        actions' prospects tell.
        """
        promise = np.full(masks.shape, -1.0)
        for number, player in enumerate(self._players):
            mine = np.flatnonzero(self._of_seat[seats] == number)
            if not len(mine):
                continue
            of_mine = observations[mine], masks[mine]
            odds = getattr(player, "odds", None)
            if odds is not None:
                told = odds(*of_mine, seats[mine], rng.of(mine))
                told[told < self._floor] = -1
            else:
                told = self._prospects(*of_mine)[:, :, self._promising].max(axis=2).astype(np.float64)
            promise[mine] = np.where(masks[mine] == 1, told, -1)
        return promise

    def _try(self, decisions: list[Decision], states: np.ndarray, first: int, end: int) -> None:
        """Try all open arms on the states from ``first`` up to ``end``."""
        arms = [(one, arm) for one in decisions for arm in np.flatnonzero(one.open)]
        records = np.concatenate([states[one.row, first:end] for one, _ in arms])
        actions = np.repeat([one.arms[arm] for one, arm in arms], end - first)
        values = self._roll_out(records, actions).reshape(len(arms), end - first)
        for (one, arm), told in zip(arms, values, strict=True):
            one.values[arm, first:end] = told

    def _roll_out(self, records: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """What comes of an action in each state: 1 for a win, a little less the longer it takes; else 0."""
        began, values = records["moves"].astype(np.float64), np.zeros(len(records))
        self.rollouts += len(records)
        batch = Batch.of(self._game, self._ruleset, records)
        running = np.arange(len(records))
        batch.step(actions)
        while len(running):
            over = batch.to_move < 0
            if over.any():
                won = batch.records["outcome"][over] == 1
                length = batch.records["moves"][over] - began[running[over]]
                values[running[over]] = won * (1 - SOONER * length)
                running = running[~over]
                batch = batch.part(np.flatnonzero(~over))
            if len(running):
                batch.step(ask(self._players, self._of_seat[batch.to_move], batch, DICE))
        return values


#: What may be said of a search.
_OPTIONS: Final[Options] = {
    "blueprint": (str, 0, 0),
    "deals": (int, 2, 4096),
    "width": (int, 2, 64),
    "margin": (float, 0, 100),
    "floor": (float, 0, 1),
    "error": (float, 0, 1),
}


@register(
    ANY_GAME,
    "search",
    "looks a step ahead by rollouts: search:blueprint=NAME,deals=32,width=12,margin=1,floor=0.05,error=1",
)
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    options = read_options("search", argument, _OPTIONS)
    if "blueprint" not in options:
        raise InvalidOption("search needs a blueprint to roll out, as in search:blueprint=greedy")
    team = options.pop("blueprint").split("+")
    _, blueprint = seat_policies(game, ruleset, team)
    return Search(game, ruleset, blueprint, **options)
