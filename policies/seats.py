"""Who sits where: from what people write to a policy for every seat."""

from collections.abc import Collection, Mapping, Sequence

from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from .policy import Policy, make_policy, roles_of_policy

#: Who plays: one name for every seat, one for each seat, or ``seat=name`` and ``role=name``.
Team = str | Policy | Sequence[str] | Mapping[str, "str | Policy"]


#: A good team for each game: what is shown, and played with, unless one asks for another.
GOOD_TEAMS: dict[str, list[str]] = {"duet": ["greedy"], "lisak": ["fox=literal", "seeker=bayes"]}


def role_of(agent: str) -> str:
    """The role of an agent: its name without the number (``seeker_2`` is a seeker)."""
    return agent.rsplit("_", 1)[0] if agent[-1].isdigit() else agent


def name_seats(agents: Sequence[str], team: Team) -> list["str | Policy | None"]:
    """Who sits in each seat; ``None`` where nobody is named.

    Args:
        agents: The agents' names, by seat.
        team: ``"greedy"``: in every seat. ``["greedy", "cautious"]``: one for each seat.
            ``{"fox": "literal", "seeker": "bayes"}``, or as a list ``["fox=literal", "seeker=bayes"]``: by
            agent or by role; an agent's own name goes before its role. In such a list one name without
            ``=`` stands for all that are not named.

    Raises:
        InvalidOption: The names do not fit the seats.
    """
    if isinstance(team, str):
        team = [team]
    if isinstance(team, Mapping):
        named, plain = dict(team), []
    elif isinstance(team, Sequence):
        # what stands behind a colon is a policy's own argument
        named = dict(spec.split("=", 1) for spec in team if "=" in spec.split(":", 1)[0])
        plain = [spec for spec in team if "=" not in spec.split(":", 1)[0]]
    else:
        return [team] * len(agents)
    roles = dict.fromkeys(map(role_of, agents))
    for key in named:
        if key not in agents and key not in roles:
            raise InvalidOption(unknown("seat or role", key, dict.fromkeys([*roles, *agents])))
    if len(plain) == len(agents) and not named:
        return list(plain)
    if len(plain) > 1 or not (plain or named):
        raise InvalidOption(
            f"there are {len(agents)} seats: name 1 policy or {len(agents)}, or say SEAT=POLICY or "
            f"ROLE=POLICY ({', '.join(roles)}), not {len(plain)} names"
        )
    rest = plain[0] if plain else None
    return [named.get(agent, named.get(role_of(agent), rest)) for agent in agents]


def seat_policies(
    game: Game, ruleset: object, team: Team, empty: Collection[int] = ()
) -> tuple[list[str], list[Policy]]:
    """The name and the policy of each seat; the same name in several seats is one policy.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        team: See :func:`name_seats`.
        empty: Seats that will never be asked; whoever is named for them need not fit.

    Raises:
        InvalidOption: A name is unknown, cannot play its seat, or is missing.
    """
    agents = game.agents(ruleset)
    seats = name_seats(agents, team)
    built: dict[str, Policy] = {}
    names, policies = [], []
    for seat, (agent, spec) in enumerate(zip(agents, seats, strict=True)):
        if seat in empty:
            spec = "random"
        if spec is None:
            raise InvalidOption(
                f"nobody plays {agent}: name a policy for it ({agent}=…) or for its role ({role_of(agent)}=…)"
            )
        if isinstance(spec, str):
            roles = roles_of_policy(spec, game)
            if roles and role_of(agent) not in roles:
                raise InvalidOption(
                    f"the policy {spec!r} plays {' and '.join(roles)}, not {role_of(agent)}: "
                    f"name another one for {agent}, as in {role_of(agent)}=random"
                )
            if spec not in built:
                built[spec] = make_policy(spec, game, ruleset)
        names.append(spec if isinstance(spec, str) else type(spec).__name__)
        policies.append(built[spec] if isinstance(spec, str) else spec)
    return names, policies


def team_name(agents: Sequence[str], seats: Sequence[str]) -> str:
    """A team in short: its one policy, or one for each role, or one for each seat."""
    parts = []
    for role in dict.fromkeys(map(role_of, agents)):
        of_role = [name for agent, name in zip(agents, seats, strict=True) if role_of(agent) == role]
        parts += of_role[:1] if len(set(of_role)) == 1 else of_role
    return parts[0] if len(set(parts)) == 1 else "+".join(parts)
