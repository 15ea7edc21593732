"""What a player of Lišák remembers: when the joker was used. All else lies on the table."""

import numpy as np

from ...envs.lisak.actions import Catalogue, catalogue
from ...envs.lisak.reading import actions_of
from ...envs.lisak.ruleset import Ruleset
from ...envs.lisak.state import JOKER, NO_CARD, NONE
from ..memory import Past, keys_of
from ..policy import Dice
from .posterior import Posterior


class Memory:
    """Remembers many games, each seat for itself.

    Args:
        ruleset: The rules they are played by.
        posterior: Draws what may be true there.
    """

    def __init__(self, ruleset: Ruleset, posterior: Posterior) -> None:
        self._ruleset, self._posterior = ruleset, posterior
        self._numbers: Catalogue = catalogue(ruleset.words)
        #: by game and seat: the last move seen, and the round that the joker was used in
        self._games: dict[tuple[int, int], tuple[int, int]] = {}

    def reset(self, games: np.ndarray) -> None:
        """Forget these games."""
        forgotten = set(games.tolist())
        self._games = {key: seen for key, seen in self._games.items() if key[0] not in forgotten}

    def see(self, observations: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Look at some decisions; see the protocol (``policies/memory.py``)."""
        known, _ = self._posterior.read(observations, seats)
        for state, key, move in zip(known, keys_of(seats, rng), rng.stream[3], strict=True):
            last, used = self._games.get(key, (NONE, NONE))
            if move < last or state["joker"] == NONE:
                used = NONE  # or another game has begun
            if used == NONE and state["joker"] != NONE:
                used = int(state["round_number"]) - 1  # it is used at a round's end
            self._games[key] = int(move), used

    def did(self, actions: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Everything that is done lies on the table."""

    def past(self, states: np.ndarray, seats: np.ndarray, rng: Dice) -> Past:
        """How the games began if some states are true; see the protocol."""
        forgetful = self._ruleset.consultation > 0 and not self._ruleset.history
        rows = np.arange(0 if forgetful else len(states))
        keys = keys_of(seats, rng)
        played = [self._played(states[row], self._games[keys[row]][1]) for row in rows]
        longest = max((way.shape[1] for way in played), default=0)
        actions = np.full((len(rows), states.shape[1], longest), NONE, np.int64)
        for row, way in enumerate(played):
            actions[row, :, : way.shape[1]] = way
        begun, drawn = (
            self._posterior.begin(states[rows]),
            self._posterior.answer_odds(states[rows], seats[rows]),
        )
        return Past(rows, begun, actions, actions != NONE, drawn)

    def _played(self, states: np.ndarray, used: int) -> np.ndarray:
        """All actions of some states of one game in their order, shape ``(states, moves)``.

        They differ only in the cards that are hidden.
        """
        one, numbers, columns = states[0], self._numbers, []
        cards, proposals = (actions_of(states[name], numbers) for name in ("cards", "proposals"))
        turns = self._ruleset.seekers * self._ruleset.consultation
        now, joker_left = int(one["round_number"]), True
        for number in range(now + 1):
            for turn in range(number * turns, (number + 1) * turns):
                if one["proposals"][turn, 0] != NO_CARD:
                    columns.append(proposals[:, turn])
            for place in range(cards.shape[2]):
                if one["cards"][number, place, 0] != NO_CARD:
                    columns.append(cards[:, number, place])
            if one["tokens"][number] == NONE:
                continue
            columns.append(np.full(len(states), numbers.token + one["tokens"][number]))
            asked = joker_left and one["tokens"][: number + 1].max() > 0  # L11
            if asked and (number < now or one["phase"] != JOKER):
                joker_left = number != used
                choice = numbers.silence if joker_left else numbers.joker + one["joker"]
                columns.append(np.full(len(states), choice))
        return np.stack(columns, axis=1) if columns else np.empty((len(states), 0), np.int64)
