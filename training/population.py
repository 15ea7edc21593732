"""Training beside others: fixed partners in some of the seats, drawn anew for every episode.

With one partner the learner becomes its best response; with many it learns to play with whoever comes
(ad-hoc teamwork). ``self`` among the partners stands for the learner itself, in every seat.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..envs.game import Game
from ..envs.jit import parallel_kernel, prange
from ..envs.streams import PARTNERS, below, key_of, random_words
from ..policies.policy import ask, distinct
from .line_ups import LineUp, Partner, line_ups
from .selfplay import SelfPlay


@parallel_kernel
def _draw(keys, games, episodes, words):
    for i in prange(len(games)):
        four = random_words(keys[i], games[i], episodes[i], PARTNERS, 0)
        words[i, 0] = four[0]
        words[i, 1] = four[1]


class Population(SelfPlay):
    """N games that a learner plays with others; a step ends when the learner is to move again.

    Who sits where depends on nothing but the seed, the game and the episode. The reward of a step is the sum
    of what was earned until the learner's next move. An episode that ends before the learner's first move has
    nothing to decide, and the next one begins.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        count: N.
        seed: Decides all episodes.
        partners: See :func:`~.line_ups.line_ups`.
        learner: See :func:`~.line_ups.line_ups`.
        **options: As for :class:`~.selfplay.SelfPlay`.

    Attributes:
        line_ups: For each partner all ways to sit down with it.
    """

    def __init__(
        self,
        game: Game,
        ruleset: Any,
        count: int,
        seed: int = 0,
        *,
        partners: Sequence[Partner],
        learner: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(game, ruleset, count, seed, **options)
        self.line_ups = line_ups(game, self.batch.ruleset, partners, learner)
        flat = [up for ups in self.line_ups for up in ups]
        # which of the others sits in each seat of each line-up; below 0: the learner
        self._who = np.array([[0 if policy else -1 for policy in up.others] for up in flat])
        seated = [policy for up in flat for policy in up.others if policy is not None]
        self._others, self._who[self._who == 0] = distinct(seated)
        sizes = np.array([len(ups) for ups in self.line_ups])
        self._first, self._sizes = np.cumsum(sizes) - sizes, sizes
        self._at = np.zeros(count, np.int64)  # each game's line-up
        self._key = key_of(seed)

    def line_up(self, index: int) -> LineUp:
        """Who sits where in a game's episode."""
        return [up for ups in self.line_ups for up in ups][self._at[index]]

    def _begin(self) -> None:
        self._sit(np.arange(self.num_envs))
        self._let_others_play(np.zeros(self.num_envs, np.float32), {}, np.ones(self.num_envs, np.bool_))

    def _sit(self, rows: np.ndarray) -> None:
        """Draw who plays the episodes that begin in these games."""
        of, words = self.batch.records[rows], np.empty((len(rows), 2), np.int64)
        _draw(of["key"], of["game"], of["episode"], words)
        partner = np.array([below(int(word), len(self._sizes)) for word in words[:, 0]], np.int64)
        seating = [
            below(int(word), int(self._sizes[who])) for who, word in zip(partner, words[:, 1], strict=True)
        ]
        self._at[rows] = self._first[partner] + np.array(seating, np.int64)
        for up in np.unique(self._at[rows]):
            for number in np.unique(self._who[up][self._who[up] >= 0]):
                self._others[number].reset(of["game"][self._at[rows] == up])

    def _play(self, actions: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        rewards, sights = super()._play(actions)
        ended = self.outcomes != 0
        self._sit(np.flatnonzero(ended))
        self._let_others_play(rewards, sights, ended)
        return rewards, sights

    def _let_others_play(self, rewards: np.ndarray, sights: dict[int, np.ndarray], ended: np.ndarray) -> None:
        """Until it is the learner's turn everywhere; adds to rewards, last sights and ends."""
        batch = self.batch
        while True:
            who = self._who[self._at, batch.to_move]
            rows = np.flatnonzero(who >= 0)
            if not len(rows):
                return
            part = batch.part(rows)
            part.step(ask(self._others, who[rows], part, self._key), restart=True)
            batch.put_back(rows, part)
            # what happens after an episode's end belongs to no decision
            fresh = ~ended[rows]
            rewards[rows[fresh]] += part.rewards[fresh]
            over = part.outcomes != 0
            newly = rows[over & fresh]
            self.outcomes[newly] = part.outcomes[over & fresh]
            ended[newly] = True
            last = self._last_sights(part, rows, np.zeros(len(rows), np.int64))
            sights.update({game: sight for game, sight in last.items() if game in newly})
            self._sit(rows[over])

    def set_state(self, state: Mapping[str, Any]) -> Any:
        """Go on from what ``get_state`` returned; returns the observations."""
        seen = super().set_state(dict(state))
        self._sit(np.arange(self.num_envs))
        return seen
