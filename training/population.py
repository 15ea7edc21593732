"""Training beside others: fixed partners in some of the seats, drawn anew for every episode.

With one partner the learner becomes its best response; with many it learns to play with whoever comes
(ad-hoc teamwork). ``self`` among the partners stands for the learner itself, in every seat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from ..envs.jit import parallel_kernel, prange
from ..envs.streams import PARTNERS, below, key_of, random_words
from ..policies import Dice, Policy, seat_policies
from ..policies.seats import role_of, team_name
from .evaluate import Evaluation, evaluate
from .selfplay import SelfPlay
from .statistics import wilson_interval

SELF = "self"
#: A partner: one policy for all seats, or a list of ``SEAT=POLICY`` and ``ROLE=POLICY``.
Partner = str | Sequence[str]


@dataclass(frozen=True)
class LineUp:
    """Who sits where in an episode.

    Args:
        name: The partner's name.
        mine: Whether each seat is the learner's.
        others: Who sits in each of the other seats.
    """

    name: str
    mine: tuple[bool, ...]
    others: tuple[Policy | None, ...]


def line_ups(
    game: Game, ruleset: Any, partners: Sequence[Partner], learner: Sequence[str] | None
) -> list[list[LineUp]]:
    """For each partner all ways to sit down with it.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        partners: With whom the learner plays; ``"self"``: with itself alone.
        learner: The learner's seats or roles; ``None``: any one seat.

    Raises:
        InvalidOption: A seat, a role or a policy is unknown, or no seat is left for a partner.
    """
    agents = game.agents(ruleset)
    known = dict.fromkeys([*map(role_of, agents), *agents])
    for name in learner or ():
        if name not in known:
            raise InvalidOption(f"learner: {unknown('seat or role', name, known)}")
    if learner is None:
        seatings = [tuple(seat == mine for seat in range(len(agents))) for mine in range(len(agents))]
    else:
        seatings = [tuple(agent in learner or role_of(agent) in learner for agent in agents)]
    if any(all(mine) for mine in seatings):
        raise InvalidOption("learner: every seat is the learner's, so none is left for a partner")
    ups = []
    for partner in partners:
        if partner == SELF:
            ups.append([LineUp(SELF, (True,) * len(agents), (None,) * len(agents))])
            continue
        spec: Any = partner if isinstance(partner, str) else list(partner)
        built: list[LineUp] = []
        for mine in seatings:
            empty = [seat for seat, is_mine in enumerate(mine) if is_mine]
            names, policies = seat_policies(game, ruleset, spec, empty)
            others = [None if is_mine else policy for is_mine, policy in zip(mine, policies, strict=True)]
            there = [k for k, policy in enumerate(others) if policy is not None]
            name = team_name([agents[k] for k in there], [names[k] for k in there])
            built.append(LineUp(name, mine, tuple(others)))
        ups.append(built)
    return ups


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
        partners: See :func:`line_ups`.
        learner: See :func:`line_ups`.
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
        self._mine = np.array([up.mine for up in flat])  # (line-ups, seats)
        self._others = [up.others for up in flat]
        sizes = np.array([len(ups) for ups in self.line_ups])
        self._first, self._sizes = np.cumsum(sizes) - sizes, sizes
        self._at = np.zeros(count, np.int64)  # each game's line-up
        self._key = key_of(seed)

    def reset(self) -> Any:
        """Begin the first episode of every game."""
        super().reset()
        self._sit(np.arange(self.num_envs))
        self._let_others_play(np.zeros(self.num_envs, np.float32), {}, np.ones(self.num_envs, np.bool_))
        self._progress = self._come_so_far()
        return self._observations()

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
            for policy in {id(policy): policy for policy in self._others[up] if policy is not None}.values():
                policy.reset(of["game"][self._at[rows] == up])

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
            rows = np.flatnonzero(~self._mine[self._at, batch.to_move])
            if not len(rows):
                return
            part = batch.part(rows)
            part.step(self._ask(rows), restart=True)
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

    def _ask(self, rows: np.ndarray) -> np.ndarray:
        """What the others do in these games."""
        batch, actions = self.batch, np.zeros(len(rows), np.int64)
        seats, of = batch.to_move[rows], batch.records[rows]
        asked: dict[int, tuple[Policy, list[int]]] = {}
        for index, (up, seat) in enumerate(zip(self._at[rows], seats, strict=True)):
            policy = self._others[up][seat]
            assert policy is not None
            asked.setdefault(id(policy), (policy, []))[1].append(index)
        for policy, indices in asked.values():
            at = np.array(indices)
            dice = Dice(self._key, of["game"][at], of["moves"][at], of["episode"][at])
            seen, masks = batch.observations[rows[at]], batch.masks[rows[at]]
            actions[at] = policy.act(seen, masks, seats[at], dice)
        return actions

    def set_state(self, state: Mapping[str, Any]) -> Any:
        """Go on from what ``get_state`` returned; returns the observations."""
        super().set_state(dict(state))
        self._sit(np.arange(self.num_envs))
        return self._observations()


def evaluate_beside(
    game: Game, policy: Policy, ups: Sequence[Sequence[LineUp]], games: int, seed: int, ruleset: Any
) -> tuple[Evaluation, dict[str, float]]:
    """How a policy does with each of the partners, on the same deals.

    Args:
        game: The game.
        policy: The learner.
        ups: From :func:`line_ups`.
        games: Games to play with each partner, in all ways to sit down together.
        seed: Decides cards and dice.
        ruleset: The rules.

    Returns:
        An evaluation of all games together, and the share won with each partner.
    """
    agents = game.agents(game.make_ruleset(ruleset))
    results, with_each = [], {}
    for ways in ups:
        mine = []
        for up in ways:
            team = {agent: other or policy for agent, other in zip(agents, up.others, strict=True)}
            mine.append(evaluate(game, team, max(1, games // len(ways)), seed, ruleset))
        with_each[ways[0].name] = sum(one.wins for one in mine) / sum(one.games for one in mine)
        results += mine
    total, wins = sum(one.games for one in results), sum(one.wins for one in results)

    def mean(of: str) -> dict[str, float]:
        keys = getattr(results[0], of)
        return {key: sum(getattr(one, of)[key] * one.games for one in results) / total for key in keys}

    return Evaluation(
        games=total,
        wins=wins,
        win_rate=wins / total,
        interval=wilson_interval(wins, total),
        means=mean("means"),
        shares=mean("shares"),
        outcomes={key: sum(one.outcomes[key] for one in results) for key in results[0].outcomes},
        moves_mean=sum(one.moves_mean * one.games for one in results) / total,
        seconds=sum(one.seconds for one in results),
        configuration=results[0].configuration | {"games": total},
    ), with_each
