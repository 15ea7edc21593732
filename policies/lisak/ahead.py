"""Seekers who look ahead: what ``bayes`` does when it plans whole rows, and the rows after them.

All seekers plan the same row from what was known before it (:mod:`.planning`), and each writes its card of
it. Whoever finds that others wrote something else plans the rest of the row anew. If writing is hidden, the
consultation serves to tell the others what one will write; without one, everybody trusts in the common plan.
"""

import numpy as np

from ...envs.games import records_for
from ...envs.lisak.observation import action_of
from ...envs.lisak.reading import read_states
from ...envs.lisak.rules import fill
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import CLUE_CARD, CONSULT, FIRST_SEEKER, NO_CARD, NONE, STATE, TROPHY_CARD, WRITE
from ..policy import Dice
from .planning import plan_all
from .reckoning import tables_for

#: What decides about a row: the other fields of a state are left at 0.
FIELDS = ("answer", "cards", "tokens", "joker", "round_number")
#: So many plans are kept, since many games begin alike; a plan is the same whether it is kept or not.
PLANS_KEPT = 50_000


class Ahead:
    """Seekers who look ahead.

    Args:
        ruleset: The rules they play by.
        ahead: How many rows they look at, the one that is being written included.
    """

    def __init__(self, ruleset: Ruleset, ahead: int = 2) -> None:
        self._ruleset, self._ahead = ruleset, ahead
        rules, self._tables = tables_for(ruleset)
        self._rules, self._options = records_for(rules, False), records_for(rules.options, True)[0]
        self._plans: dict[bytes, np.ndarray] = {}

    def reset(self, games: np.ndarray) -> None:
        """Nothing to forget: plans do not depend on the game."""

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        """See :class:`Policy`."""
        states = read_states(observations, self._ruleset, self._rules)
        silence = int(self._options.silence)
        actions = np.full(len(states), silence, np.int64)
        consulting = states["phase"] == CONSULT
        worth_saying = (states["said"] == 0) & (states["round_number"] < self._ruleset.rounds - 1)
        asked = np.flatnonzero(~consulting | (worth_saying & (self._ruleset.writing == "hidden")))
        if len(asked):
            chosen = self._choose(states[asked], np.asarray(agents)[asked])
            nothing = consulting[asked] & (chosen == self._options.blank)  # a blank card is not proposed
            actions[asked] = np.where(nothing, silence, chosen)
        return actions

    def _choose(self, states: np.ndarray, agents: np.ndarray) -> np.ndarray:
        """What each seeker writes, or would write."""
        number, index = states["round_number"], np.arange(len(states))
        consulting = states["phase"] == CONSULT
        mine = np.where(consulting, agents - FIRST_SEEKER, states["place"])
        starts = np.zeros(len(states), STATE)
        for name in FIELDS:
            starts[name] = states[name]
        starts["phase"], starts["to_move"] = WRITE, FIRST_SEEKER
        starts["cards"][index, number] = 0
        used = (starts["cards"][..., 0] == TROPHY_CARD).sum(axis=(1, 2))
        starts["trophies_left"] = self._ruleset.trophies - used
        known = np.full((len(states), MAX_ROW), NONE, np.int64)
        left = starts["trophies_left"].astype(np.int64)
        for before in range(int(mine.max(initial=0))):
            those = np.flatnonzero(mine > before)
            known[those, before] = self._before(
                states[those], starts[those], known[those], left[those], before
            )
            on_trophy = (known[:, before] >= self._options.trophy) & (known[:, before] < self._options.blank)
            left -= on_trophy
        # if cards are hidden, only their number of trophies is sure
        left = np.where(consulting, np.maximum(left, 0), states["trophies_left"])
        return self._rows(starts, known, left)[index, mine]

    def _before(
        self, states: np.ndarray, starts: np.ndarray, known: np.ndarray, left: np.ndarray, place: int
    ) -> np.ndarray:
        """The cards at a place before one's own: as they are, as proposed, else as planned."""
        planned = None
        cards = states["cards"][np.arange(len(states)), states["round_number"], place]
        actions = np.empty(len(states), np.int64)
        for k, (state, card) in enumerate(zip(states, cards, strict=True)):
            if card[0] == NO_CARD and place < self._ruleset.seekers:
                proposal = self._proposal(state, place)
                card = proposal if proposal[0] in (CLUE_CARD, TROPHY_CARD) else card
            if card[0] == NO_CARD:
                if planned is None:
                    planned = self._rows(starts, known, np.maximum(left, 0))[:, place]
                actions[k] = planned[k]
            else:
                actions[k] = action_of(int(card[0]), int(card[1]), self._options)
        return actions

    def _proposal(self, state: np.void, seeker: int) -> np.ndarray:
        """What a seeker proposed first in this round; kind 0 if nothing."""
        if self._ruleset.consultation == 0:
            return np.zeros(2, np.int16)
        turn = (int(state["round_number"]) * self._ruleset.seekers + seeker) * self._ruleset.consultation
        return state["proposals"][turn]

    def _rows(self, starts: np.ndarray, known: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Whole rows that begin with the known cards: the common plan if they agree with it, else a new one.

        Returns:
            Actions, int64, shape ``(n, MAX_ROW)``.
        """
        rows = self._plan(starts, starts["trophies_left"].astype(np.int64))
        given = known != NONE
        trophies = ((known >= self._options.trophy) & (known < self._options.blank)).sum(axis=1)
        as_planned = ((rows == known) | ~given).all(axis=1) & (left == starts["trophies_left"] - trophies)
        others = np.flatnonzero(~as_planned)
        if len(others):
            begun = starts[others]
            for state, actions in zip(begun, known[others], strict=True):
                for place in np.flatnonzero(actions != NONE):
                    fill(state["cards"][state["round_number"], place], int(actions[place]), self._options)
            rows[others] = np.where(given[others], known[others], self._plan(begun, left[others]))
        return rows

    def _plan(self, begun: np.ndarray, left: np.ndarray) -> np.ndarray:
        """The best rows that begin with the cards that lie there, from memory if they are known already."""
        keys = [state.tobytes() + bytes([count]) for state, count in zip(begun, left.tolist(), strict=True)]
        new = {key: k for k, key in enumerate(keys) if key not in self._plans}
        if len(self._plans) + len(new) > PLANS_KEPT:
            new = {key: k for k, key in enumerate(keys)}
            self._plans.clear()
        if new:
            those = list(new.values())
            rows = np.full((len(those), MAX_ROW), NONE, np.int64)
            states = records_for(begun[those], False)
            plan_all(states, left[those], self._ahead, self._rules, self._tables, rows)
            self._plans.update(zip(new, rows, strict=True))
        return np.array([self._plans[key] for key in keys])
