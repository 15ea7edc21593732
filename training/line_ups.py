"""Who sits where when a learner plays beside others, and how it does with each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from ..policies import Policy, seat_policies
from ..policies.seats import role_of, team_name
from .evaluate import Evaluation, evaluate
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
