"""Playing many games with policies in the seats, and counting."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from ..envs.batch import Batch
from ..envs.errors import whole_number
from ..envs.game import Game
from ..envs.streams import key_of
from ..policies import Policy, seat_policies, team_name
from ..policies.policy import ask, distinct
from ..policies.seats import Team
from .statistics import wilson_interval

BATCH_SIZE = 4096


@dataclass(frozen=True)
class Evaluation:
    """What came of it.

    Args:
        games: How many games were played.
        wins: How many were won.
        win_rate: Their share.
        interval: The share's 95% Wilson interval.
        means: The mean of each of the game's statistics that are numbers (``gems``, ``rounds``).
        shares: In what share of the games each of those held that are true or false (ratings).
        outcomes: How often each outcome came.
        moves_mean: Decisions in a game, on average.
        seconds: Time it took; the only thing here that does not depend on the configuration alone.
        configuration: Everything needed to repeat it.
    """

    games: int
    wins: int
    win_rate: float
    interval: tuple[float, float]
    means: dict[str, float]
    shares: dict[str, float]
    outcomes: dict[str, int]
    moves_mean: float
    seconds: float
    configuration: dict[str, Any]

    @property
    def team(self) -> str:
        """The team in short."""
        return team_name(self.configuration["agents"], self.configuration["policies"])

    def to_dict(self) -> dict[str, Any]:
        """In plain Python, with ``gems_mean`` and its like on top."""
        plain = asdict(self)
        means = plain.pop("means")
        plain["interval"] = list(self.interval)
        return plain | {f"{name}_mean": value for name, value in means.items()}


def evaluate(
    game: Game,
    policies: Team,
    games: int,
    seed: int = 0,
    ruleset: Any = "standard",
    batch_size: int = BATCH_SIZE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Evaluation:
    """Play games 0 … ``games - 1`` of a seed and count how they end.

    Args:
        game: The game.
        policies: Who plays: one policy for every seat, one for each seat, or by seat or role, as in
            ``["fox=literal", "seeker=bayes"]``; see :func:`~reynard.policies.seats.name_seats`.
        games: How many games.
        seed: Decides the cards and the policies' dice.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        batch_size: Games that move together; it changes the speed, not the result.
        threads: Threads for the loops over games; likewise.
        progress: Is told how many more games have ended, now and then.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: A policy, an option or a number is not allowed.
    """
    whole_number(games, "the number of games", 1, 2**31)
    rules = game.make_ruleset(ruleset, **options)
    seats, players = seat_policies(game, rules, policies)
    began = time.perf_counter()
    parts = []
    for first in range(0, games, batch_size):
        batch = Batch(game, rules, min(batch_size, games - first), first, threads)
        play_out(batch, players, seed, progress)
        parts.append(batch.records)
    records = np.concatenate(parts)
    ended = np.bincount(records["outcome"], minlength=len(game.outcomes))
    wins = int(ended[1])
    statistics = game.statistics(records)
    averages = {name: float(values.mean()) for name, values in statistics.items()}
    shares = [name for name, values in statistics.items() if values.dtype == np.bool_]
    return Evaluation(
        games=games,
        wins=wins,
        win_rate=wins / games,
        interval=wilson_interval(wins, games),
        means={name: value for name, value in averages.items() if name not in shares},
        shares={name: averages[name] for name in shares},
        outcomes={str(name): int(count) for name, count in zip(game.outcomes, ended, strict=True) if name},
        moves_mean=float(records["moves"].mean()),
        seconds=time.perf_counter() - began,
        configuration={
            "reynard": version("reynard"),
            "game": game.name,
            "ruleset": rules.to_dict(),
            "agents": list(game.agents(rules)),
            "policies": seats,
            "games": games,
            "seed": seed,
        },
    )


def play_out(
    batch: Batch,
    policies: Sequence[Policy],
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play one episode of every game of a batch to its end, with a policy for each seat."""
    running = batch.count
    for _ in decisions(batch, policies, seed):
        still = int((batch.to_move >= 0).sum())
        if progress is not None and still < running:
            progress(running - still)
        running = still
    if progress is not None and running:
        progress(running)


def decisions(batch: Batch, policies: Sequence[Policy], seed: int) -> Iterator[np.ndarray]:
    """One episode of every game of a batch, with a policy for each seat.

    Yields:
        What every mover is about to do; 0 in games that are over. It is done when the next one is asked for.
    """
    batch.reset(seed)
    players, of_seat = distinct(policies)
    for player in players:
        player.reset(batch.records["game"])
    key = key_of(seed)
    while (running := batch.to_move >= 0).any():
        actions = ask(players, np.where(running, of_seat[batch.to_move], -1), batch, key)
        yield actions
        batch.step(actions)
