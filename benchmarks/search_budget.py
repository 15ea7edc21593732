"""How much a player that searches wins for the time it takes: measured, kept as a table, drawn.

python benchmarks/search_budget.py measure TABLE.csv duet boxed 2000 planner:deals=8,width=8 planner ...
python benchmarks/search_budget.py draw TABLE.csv PICTURE.png
python benchmarks/search_budget.py compare duet standard 1000 POLICY OTHER

Time is wall time of whole games with the player in every seat, with nothing else running. Two policies are
compared on the same deals.
"""

import csv
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np

from reynard.envs import find_game
from reynard.envs.batch import Batch
from reynard.policies import seat_policies
from reynard.training.curve import COLOURS, axes_for_wins, save
from reynard.training.evaluate import evaluate, play_out
from reynard.training.statistics import wilson_interval

BLOCK = 250  # games that are compared together
COLUMNS = ("game", "ruleset", "policy", "games", "wins", "seconds_a_game")


def measure(table: Path, game: str, ruleset: str, games: int, policies: list[str]) -> None:
    """Add a line for each policy to the table."""
    for policy in policies:
        evaluate(find_game(game), policy, 2, 1, ruleset)  # so that everything is compiled
        result = evaluate(find_game(game), policy, games, 0, ruleset)
        row = (game, ruleset, policy, games, result.wins, f"{result.seconds / games:.4f}")
        new = not table.exists()
        with table.open("a", newline="") as out:
            csv.writer(out).writerows([COLUMNS, row] if new else [row])
        print(*row)


def draw(table: Path, picture: Path) -> None:
    """Win rate against seconds a game: a colour for every ruleset, a marker for every kind of player."""
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    figure, axes = axes_for_wins("seconds a game")
    rulesets = dict(zip(dict.fromkeys(row["ruleset"] for row in rows), COLOURS, strict=False))
    markers = dict(zip(dict.fromkeys(map(kind_of, rows)), "so^Dv", strict=False))
    lowest = 1.0
    for ruleset, kind in product(rulesets, markers):
        points = [row for row in rows if (row["ruleset"], kind_of(row)) == (ruleset, kind)]
        told = sorted((float(row["seconds_a_game"]), int(row["wins"]), int(row["games"])) for row in points)
        if not told:
            continue
        seconds, rates = [one[0] for one in told], [wins / games for _, wins, games in told]
        bounds = [wilson_interval(wins, games) for _, wins, games in told]
        errors = [[rate - low for rate, (low, _) in zip(rates, bounds, strict=True)]]
        errors.append([high - rate for rate, (_, high) in zip(rates, bounds, strict=True)])
        axes.errorbar(
            seconds,
            rates,
            errors,
            label=f"{kind} · {ruleset}",
            color=rulesets[ruleset],
            marker=markers[kind],
            markersize=5,
            capsize=2,
        )
        lowest = min(lowest, *(low for low, _ in bounds))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    axes.set_ylim(lowest - 0.1 * (1 - lowest), 1 + 0.02 * (1 - lowest))
    axes.legend(loc="lower right", frameon=False)
    save(figure, picture)


def kind_of(row: dict[str, str]) -> str:
    """What kind of player a line of the table tells of."""
    kind = row["policy"].partition(":")[0]
    return "network" if kind in ("zoo", "learned") else kind


def compare(game: str, ruleset: str, games: int, policies: list[str]) -> None:
    """Wins of two policies on the same deals, and what the second one gains on the first."""
    found = find_game(game)
    won, seconds = np.zeros((2, games)), np.zeros(2)
    for first in range(0, games, BLOCK):
        count = min(BLOCK, games - first)
        for number, policy in enumerate(policies):
            batch = Batch(found, ruleset, count, first)
            _, players = seat_policies(found, batch.ruleset, policy)
            began = time.perf_counter()
            play_out(batch, players, 0)
            seconds[number] += time.perf_counter() - began
            won[number, first : first + count] = batch.records["outcome"] == 1
        done = won[:, : first + count]
        gained = done[1] - done[0]
        error = 1.96 * gained.std() / np.sqrt(len(gained))
        rates = " → ".join(f"{wins}/{len(gained)}" for wins in done.sum(axis=1).astype(int))
        times = " and ".join(f"{one:.3f}" for one in seconds / len(gained))
        print(f"{rates} wins, gained {gained.mean():+.2%} ± {error:.2%}, {times} s a game", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", table, game, ruleset, games, *policies] if policies:
            measure(Path(table), game, ruleset, int(games), policies)
        case ["compare", game, ruleset, games, one, other]:
            compare(game, ruleset, int(games), [one, other])
        case ["draw", table, picture]:
            draw(Path(table), Path(picture))
        case _:
            sys.exit(__doc__)
