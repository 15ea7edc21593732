"""Cross-play: every policy with every other, on the same deals."""

import csv
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.batch import Batch
from ..envs.errors import InvalidOption, unknown, whole_number
from ..envs.game import Game
from ..policies import Policy, make_policy, policies_of
from ..policies.policy import roles_of_policy
from ..policies.seats import role_of
from .evaluate import BATCH_SIZE, play_out
from .statistics import Z95, wilson_interval

GAMES = 1000  # in each cell, unless one asks for another number
WINS = "wins"  # the share of games won, among a game's own figures
#: A person, networks, which have names of their own, and players that search, who take their time.
NOT_SCRIPTED = ("human", "learned", "zoo", "search", "planner")


@dataclass(frozen=True)
class Cell:
    """How one pair played.

    Args:
        row: The policy on the first side.
        column: The policy on the second.
        wins: Games won.
        win_rate: Their share.
        interval: The share's 95% Wilson interval.
        means: The mean of each of the game's statistics that are numbers (``gems``, ``rounds``).
    """

    row: str
    column: str
    wins: int
    win_rate: float
    interval: tuple[float, float]
    means: dict[str, float]

    @property
    def is_own_team(self) -> bool:
        """Whether one policy plays with itself."""
        return self.row == self.column

    @property
    def figures(self) -> dict[str, float]:
        """The win rate, as ``wins``, and the means."""
        return {WINS: self.win_rate, **self.means}


@dataclass(frozen=True)
class Gap:
    """What a figure loses when partners are strangers.

    Args:
        self_play: Its mean over all policies with themselves.
        cross_play: Its mean over all pairs of two policies, each in both seats.
        difference: The first less the second.
        interval: The difference's 95% interval, from the differences deal by deal.
    """

    self_play: float
    cross_play: float
    difference: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Crossplay:
    """What came of it.

    Args:
        sides: What rows and columns stand for: two seats, or two roles.
        rows: The policies on the first side.
        columns: Those on the second; where sides are seats, the same ones.
        cells: Every pair, row by row.
        gaps: Where sides are seats, the :class:`Gap` of ``wins`` and of each mean; otherwise empty.
        seconds: Time it took; the only thing here that does not depend on the configuration alone.
        configuration: Everything needed to repeat it.
    """

    sides: tuple[str, str]
    rows: list[str]
    columns: list[str]
    cells: list[Cell]
    gaps: dict[str, Gap]
    seconds: float
    configuration: dict[str, Any]

    @property
    def seats_are_alike(self) -> bool:
        """Whether sides are seats, so that rows and columns are the same policies."""
        return bool(self.gaps)

    def at(self, row: str, column: str) -> Cell:
        """The cell of a pair."""
        return self.cells[self.rows.index(row) * len(self.columns) + self.columns.index(column)]

    def pairs(self) -> dict[tuple[str, str], dict[str, float]]:
        """Where sides are seats: the figures of every two policies, the mean of both ways to sit."""
        two = combinations(self.rows, 2) if self.seats_are_alike else ()
        return {(one, other): _means([self.at(one, other), self.at(other, one)]) for one, other in two}

    def side_means(self) -> dict[str, dict[str, dict[str, float]]]:
        """The figures of each policy on each side: the mean over its partners.

        Where sides are seats, partners are the others; where they are roles, all who play the other role.
        """
        met = [cell for cell in self.cells if not (self.seats_are_alike and cell.is_own_team)]
        first = {who: _means([cell for cell in met if cell.row == who]) for who in self.rows}
        second = {who: _means([cell for cell in met if cell.column == who]) for who in self.columns}
        return dict(zip(self.sides, (first, second), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, as JSON knows it."""
        plain = asdict(self)
        for part in (*plain["cells"], *plain["gaps"].values()):
            part["interval"] = list(part["interval"])
        return plain | {
            "sides": list(self.sides),
            "pairs": [{"policies": list(pair), **figures} for pair, figures in self.pairs().items()],
            "side_means": self.side_means(),
        }

    def write_csv(self, path: Path) -> None:
        """Write a line for each cell; its first two columns have the sides' names.

        Raises:
            OSError: The file cannot be written.
        """
        means = list(self.cells[0].means)
        with path.open("w", newline="") as file:
            lines = csv.writer(file)
            columns = ("games", "wins", "win_rate", "low", "high", *(f"{name}_mean" for name in means))
            lines.writerow([*self.sides, *columns])
            for cell in self.cells:
                counted = (self.configuration["games"], cell.wins, cell.win_rate, *cell.interval)
                lines.writerow([cell.row, cell.column, *counted, *cell.means.values()])


def _means(cells: Sequence[Cell]) -> dict[str, float]:
    return {name: float(np.mean([cell.figures[name] for cell in cells])) for name in cells[0].figures}


def crossplay(
    game: Game,
    policies: Sequence[str] | None = None,
    games: int = GAMES,
    seed: int = 0,
    ruleset: Any = "standard",
    batch_size: int = BATCH_SIZE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Crossplay:
    """Let every policy play games 0 … ``games - 1`` of a seed with every other.

    All pairs get the same deals, so what differs between them is not the luck of the cards.

    Args:
        game: The game. If all its seats are alike, a policy plays in each of the two; if it has roles,
            in each role that it can play.
        policies: Who plays; ``"fox=naive"`` plays that role only. By default all of :func:`scripted`.
        games: How many games for each pair, 2 or more.
        seed: Decides the cards and the policies' dice.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        batch_size: Games that move together; it changes the speed, not the result.
        threads: Threads for the loops over games; likewise.
        progress: Is told how many more games have ended, now and then.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: A policy, an option or a number is not allowed; nothing was played then.
    """
    whole_number(games, "the number of games", 2, 2**31)
    rules = game.make_ruleset(ruleset, **options)
    agents = game.agents(rules)
    policies = scripted(game) if policies is None else list(policies)
    cast = cast_of(game, agents, policies)
    (first, second), (rows, columns) = cast, cast.values()
    # one policy object wherever its name stands, as `evaluate` has it
    built = {spec: make_policy(spec, game, rules) for spec in dict.fromkeys([*rows, *columns])}
    began = time.perf_counter()
    cells = []
    by_deal: dict[str, np.ndarray] = {}  # of each figure, sums over the own teams and over all others
    for row, column in product(rows, columns):
        players = [built[row if side == first else column] for side in _side_of_seats(agents)]
        played = _play(game, rules, players, games, seed, batch_size, threads, progress)
        for name, values in played.items():
            by_deal.setdefault(name, np.zeros((2, games)))[int(row != column)] += values
        wins = int(played.pop(WINS).sum())
        means = {name: float(values.mean()) for name, values in played.items()}
        cells.append(Cell(row, column, wins, wins / games, wilson_interval(wins, games), means))
    gaps = {}
    if _alike(agents):
        count = len(rows)
        for name, (own, others) in by_deal.items():
            gaps[name] = gap(own / count, others / (count * count - count))
    return Crossplay(
        sides=(first, second),
        rows=rows,
        columns=columns,
        cells=cells,
        gaps=gaps,
        seconds=time.perf_counter() - began,
        configuration={
            "reynard": version("reynard"),
            "game": game.name,
            "ruleset": rules.to_dict(),
            "ruleset_name": name_of_ruleset(game, rules),
            "policies": policies,
            "games": games,
            "seed": seed,
        },
    )


def gap(own: np.ndarray, others: np.ndarray) -> Gap:
    """The difference of two means with its 95% interval: normal, of the paired differences.

    Pairing takes the luck of the deal out: a deal that is hard for one team is mostly hard for the other.

    Args:
        own: A figure on each deal, the mean over the policies with themselves, shape ``(games,)``.
        others: The same over the pairs of two policies, on the same deals.
    """
    differences = own - others
    middle = float(differences.mean())
    spread = Z95 * float(differences.std(ddof=1)) / len(differences) ** 0.5
    return Gap(float(own.mean()), float(others.mean()), middle, (middle - spread, middle + spread))


def scripted(game: Game) -> list[str]:
    """The policies that a game brings along and that play by themselves."""
    return [name for name in policies_of(game.name) if name not in NOT_SCRIPTED]


def cast_of(game: Game, agents: Sequence[str], policies: Sequence[str]) -> dict[str, list[str]]:
    """Who plays on each side, in the order they were named.

    Args:
        game: The game.
        agents: The agents' names, by seat.
        policies: See :func:`crossplay`.

    Raises:
        InvalidOption: A policy is unknown, cannot play that role, or nobody plays a side.
    """
    cast: dict[str, list[str]] = {side: [] for side in _side_of_seats(agents)}
    for given in policies:
        # what stands behind a colon is a policy's own argument
        who, equals, spec = given.partition("=") if "=" in given.split(":", 1)[0] else ("", "", given)
        if equals and _alike(agents):
            raise InvalidOption(
                f"in {game.name} every policy plays in every seat: say {spec!r}, not {given!r}"
            )
        if equals and who not in cast:
            raise InvalidOption(unknown("role", who, cast))
        roles = roles_of_policy(spec, game)
        if spec.split(":", 1)[0] == "human":
            raise InvalidOption("cross-play is for policies that play by themselves, and 'human' does not")
        if equals and roles and who not in roles:
            raise InvalidOption(f"the policy {spec!r} plays {' and '.join(roles)}, not {who}")
        for side, players in cast.items():
            plays = side == who if equals else not roles or role_of(side) in roles
            if plays and spec not in players:
                players.append(spec)
    for side, players in cast.items():
        if not players:
            raise InvalidOption(f"nobody plays {side}: name a policy that can, as in {side}=random")
        if _alike(agents) and len(players) < 2:
            raise InvalidOption(f"cross-play needs 2 or more policies, not only {players[0]!r}")
    return cast


def _alike(agents: Sequence[str]) -> bool:
    return len(set(map(role_of, agents))) == 1


def _side_of_seats(agents: Sequence[str]) -> list[str]:
    """The side of each seat: its role, or where all have the same one, the seat itself."""
    return list(agents) if _alike(agents) else [role_of(agent) for agent in agents]


def _play(
    game: Game,
    rules: Any,
    players: Sequence[Policy],
    games: int,
    seed: int,
    batch_size: int,
    threads: int | None,
    progress: Callable[[int], None] | None,
) -> dict[str, np.ndarray]:
    """Figures game by game, shape ``(games,)``: wins (0 or 1) and the game's numbers."""
    parts = []
    for first in range(0, games, batch_size):
        batch = Batch(game, rules, min(batch_size, games - first), first, threads)
        play_out(batch, players, seed, progress)
        parts.append(batch.records)
    records = np.concatenate(parts)
    numbers = {name: x for name, x in game.statistics(records).items() if x.dtype != np.bool_}
    return {WINS: records["outcome"] == 1, **numbers}


def name_of_ruleset(game: Game, rules: Any) -> str:
    """A ruleset in a few words: the preset it is nearest to, and what differs."""
    options = rules.to_dict()
    differing = {
        name: {key: value for key, value in options.items() if preset.to_dict()[key] != value}
        for name, preset in game.presets.items()
    }
    nearest = min(differing, key=lambda name: len(differing[name]))
    told = [
        f"{key}={value}" if len(str(value)) <= 20 else f"its own {key}"
        for key, value in differing[nearest].items()
    ]
    return ", ".join([nearest, *told])
