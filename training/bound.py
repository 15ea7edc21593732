"""``reynard bound``: how well a game can be played at all.

Duet: how many games could be won by players who see all cards. Lišák: ``lisak_bound.py``.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..envs import find_game
from ..envs.batch import Batch
from ..envs.duet import DUET
from ..envs.errors import whole_number
from ..envs.lisak import LISAK
from ..policies.duet.beam import WIDTH, foresee
from .commands import GameName, Seed, Settings, app, console, read_settings, refusals
from .lisak_bound import LisakBound, bound_lisak
from .lisak_bound import bound_grid as lisak_grid
from .reports import plain_grid
from .statistics import wilson_interval

PART = 256  # games that are searched together


@dataclass(frozen=True)
class Bound:
    """What a clairvoyant team makes of some games.

    Args:
        games: How many games were searched.
        wins: How many of them it wins.
        win_rate: Their share. It can be won; more can, unless the search was complete.
        interval: The share's 95% Wilson interval, as a share of all games that chance can bring.
        complete: Games in which nothing was left out: what is not won there cannot be.
        rounds: How many wins came in each round, by its number.
        gems_mean: Gems collected in a game, on average; in one that was not won, the most found.
        positions_mean: Positions looked at in a game, on average.
        seconds: Time it took; the only thing here that does not depend on the configuration alone.
        configuration: Everything needed to repeat it.
    """

    games: int
    wins: int
    win_rate: float
    interval: tuple[float, float]
    complete: int
    rounds: dict[str, int]
    gems_mean: float
    positions_mean: float
    seconds: float
    configuration: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """In plain Python."""
        return asdict(self) | {"interval": list(self.interval)}


def clairvoyant(
    games: int,
    seed: int = 0,
    ruleset: Any = "standard",
    width: int = WIDTH,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Bound:
    """Search games 0 … ``games - 1`` of a seed, the very ones that ``evaluate`` plays, with all cards seen.

    The cards of all rounds are seen, so the share of games that can be won is above what any team can reach.
    The search is a beam (``policies/duet/beam.py``): what it wins can be won, so the share it finds is a
    lower bound on that share.

    Args:
        games: How many games.
        seed: Decides the cards.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        width: Positions that are kept after each trick.
        progress: Is told how many more games are done, now and then.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: An option or a number is not allowed.
    """
    whole_number(games, "the number of games", 1, 2**31)
    rules = DUET.make_ruleset(ruleset, **options)
    began, parts = time.perf_counter(), []
    for first in range(0, games, PART):
        batch = Batch(DUET, rules, min(PART, games - first), first)
        batch.reset(seed)
        parts.append(foresee(batch.records, rules, width))
        if progress is not None:
            progress(batch.count)
    won, complete, rounds, gems, seen = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("won", "complete", "rounds", "gems", "positions")
    )
    wins = int(won.sum())
    return Bound(
        games=games,
        wins=wins,
        win_rate=wins / games,
        interval=wilson_interval(wins, games),
        complete=int(complete.sum()),
        rounds={str(number): int((rounds[won] == number).sum()) for number in range(1, rules.rounds + 1)},
        gems_mean=float(gems.mean()),
        positions_mean=float(seen.mean()),
        seconds=time.perf_counter() - began,
        configuration={
            "reynard": version("reynard"),
            "game": DUET.name,
            "ruleset": rules.to_dict(),
            "games": games,
            "seed": seed,
            "width": width,
        },
    )


def bound_grid(bound: Bound) -> Any:
    """What ``reynard bound`` prints."""
    grid = plain_grid(f"duet, {bound.games:,} games, all cards seen")
    grid.show_header = False
    grid.add_column("")
    grid.add_column("", justify="right")
    all_there = bound.complete == bound.games
    grid.add_row("can be won" if all_there else "can be won, at least", f"{bound.win_rate:.1%}")
    grid.add_row("95% interval", "–".join(f"{end:.1%}" for end in bound.interval))
    for number, wins in bound.rounds.items():
        grid.add_row(f"in round {number}", f"{wins:,}")
    grid.add_row("gems", f"{bound.gems_mean:.2f}")
    grid.add_row("searched completely", f"{bound.complete:,}")
    grid.add_row("positions looked at", f"{bound.positions_mean:,.0f}")
    grid.add_row("time", f"{bound.seconds:.1f} s")
    return grid


@app.command("bound")
def bound_command(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games (duet).")] = 1000,
    seed: Seed = 0,
    settings: Settings = None,
    width: Annotated[int, typer.Option(min=1, help="Positions kept after each trick (duet).")] = WIDTH,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the result there as JSON.")] = None,
) -> None:
    """How well a game can be played at all.

    Duet: what share of games can be won with all cards seen. A search that leaves positions out can miss a
    win, so it tells the least that can be won; a larger width misses less. Lišák: what nobody can beat, and
    in small worlds what the best seekers do, with a literal fox.
    """
    with refusals():
        options: dict[str, Any] = {"ruleset": "standard", **read_settings(settings)}
        bound: Bound | LisakBound
        if find_game(game) is DUET:
            bound = clairvoyant(games, seed, width=width, **options)
            console.print(bound_grid(bound))
        else:
            bound = bound_lisak(LISAK.make_ruleset(**options))
            console.print(lisak_grid(bound))
        if json_file is not None:
            json_file.write_text(json.dumps(bound.to_dict(), indent=2) + "\n")
