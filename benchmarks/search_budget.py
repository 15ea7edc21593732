"""How much a player that searches wins for the time it takes: measured, kept as a table, drawn.

python benchmarks/search_budget.py measure TABLE.csv duet boxed 2000 planner:deals=8,width=8 planner ...
python benchmarks/search_budget.py draw TABLE.csv PICTURE.png

Time is wall time of whole games with the player in every seat, with nothing else running.
"""

import csv
import sys
from itertools import groupby
from pathlib import Path

from reynard.envs import find_game
from reynard.training.curve import COLOURS, axes_for_wins, save
from reynard.training.evaluate import evaluate
from reynard.training.statistics import wilson_interval

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
    """Win rate against seconds a game, a line for every kind of player and ruleset."""
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    figure, axes = axes_for_wins("seconds a game")

    def kind(row: dict[str, str]) -> tuple[str, str]:
        return row["ruleset"], row["policy"].partition(":")[0]

    for colour, (of, points) in zip(COLOURS, groupby(sorted(rows, key=kind), kind), strict=False):
        told = sorted((float(row["seconds_a_game"]), int(row["wins"]), int(row["games"])) for row in points)
        seconds, rates = [one[0] for one in told], [wins / games for _, wins, games in told]
        bounds = [wilson_interval(wins, games) for _, wins, games in told]
        errors = [[rate - low for rate, (low, _) in zip(rates, bounds, strict=True)]]
        errors.append([high - rate for rate, (_, high) in zip(rates, bounds, strict=True)])
        axes.errorbar(
            seconds,
            rates,
            errors,
            label=" · ".join(reversed(of)),
            color=colour,
            marker="o",
            markersize=4,
            capsize=2,
        )
    axes.set_xscale("log")
    axes.set_ylim(min(0.7, *axes.get_ylim()), 1.005)
    axes.legend(loc="lower right", frameon=False)
    save(figure, picture)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", table, game, ruleset, games, *policies] if policies:
            measure(Path(table), game, ruleset, int(games), policies)
        case ["draw", table, picture]:
            draw(Path(table), Path(picture))
        case _:
            sys.exit(__doc__)
