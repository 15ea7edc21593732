"""``reynard crossplay``: every policy with every other, as a table, files and a picture."""

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from ..envs import find_game
from ..envs.errors import InvalidOption
from .commands import GameName, Seed, Settings, app, console, read_settings, refusals
from .crossplay import GAMES, WINS, Crossplay, cast_of, crossplay, scripted
from .reports import plain_grid

PICTURES = (".png", ".svg", ".pdf")


@app.command("crossplay")
def crossplay_command(
    game: GameName,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="[ROLE=]POLICY",
            help="Who plays, once for each; ROLE=POLICY plays that role only, as in fox=naive. "
            "By default all scripted policies of the game.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="How many games for each pair.")] = GAMES,
    seed: Seed = 0,
    settings: Settings = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write a line for each pair there.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything there as JSON.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a heat map there (.png, .svg, .pdf).")] = None,
) -> None:
    """Let every policy play with every other, on the same deals.

    Rows are seat 0 and columns seat 1; in a game with roles, rows are foxes and columns seekers.
    """
    with refusals():
        # whatever can be refused is refused before the first game
        for file in (csv_file, json_file, picture):
            if file is not None and not file.parent.is_dir():
                raise InvalidOption(f"there is no folder {str(file.parent)!r} to write {file.name} to")
        if picture is not None:
            if picture.suffix not in PICTURES:
                raise InvalidOption(f"--picture must end in {', '.join(PICTURES)}, not {picture.name!r}")
            import_module(".crossplay_picture", __package__)  # it says what is missing
        found = find_game(game)
        rules = found.make_ruleset(**{"ruleset": "standard", **read_settings(settings)})
        policies = policy or scripted(found)
        rows, columns = cast_of(found, found.agents(rules), policies).values()
        total = len(rows) * len(columns) * games
        parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*parts, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(f"{game}, everybody with everybody", total=total)
            result = crossplay(
                found, policies, games, seed, rules, progress=lambda done: bar.update(task, advance=done)
            )
        told = result.configuration
        heading = f"{told['game']}, {told['ruleset_name']}, {games:,} games for each pair, seed {seed}"
        if any(cell.is_own_team for cell in result.cells):
            heading += " (*: a policy with itself)"
        console.print(heading, highlight=False, markup=False, style="italic")
        console.print(matrix(result, console.width))
        console.print()
        console.print(summary(result))
        if csv_file is not None:
            result.write_csv(csv_file)
        if json_file is not None:
            json_file.write_text(json.dumps(result.to_dict(), indent=2) + "\n")
        if picture is not None:
            from .crossplay_picture import write_picture

            write_picture(result, picture)
            console.print(f"The picture: {picture}", highlight=False, soft_wrap=True)


def shown(name: str, value: float, signed: str = "") -> str:
    """A figure for people: a share in percent, anything else as a number; with ``"+"``, with its sign."""
    return f"{value:{signed}.1%}" if name == WINS else f"{value:{signed}.2f}"


def matrix(result: Crossplay, width: int) -> Grid:
    """Every pair, within a width: win rates, and where there is room 95% intervals, means and names."""
    columns, (down, across) = result.columns, result.sides
    grid = plain_grid("")
    interval = len(" 99.6–100.0")
    room = width - max(map(len, [*result.rows, f"{across} →"])) - len("12 ")
    detailed = interval * len(columns) <= room
    named = detailed and sum(max(interval, 1 + len(column)) for column in columns) <= room
    grid.add_column(f"{down} ↓\n{across} →", overflow="fold")
    for number, column in enumerate(columns, 1):
        grid.add_column(f"\n{column if named else number}", justify="right", no_wrap=True)
    for row in result.rows:
        cells = [result.at(row, column) for column in columns]
        label = row if named or row not in columns else f"{columns.index(row) + 1} {row}"
        rates = [f"{cell.win_rate:.1%}" if detailed else f"{cell.win_rate:.0%}" for cell in cells]
        marks = ["*" if cell.is_own_team else "" for cell in cells]
        grid.add_row(label, *(mark + rate for mark, rate in zip(marks, rates, strict=True)))
        if detailed:
            bounds = ["–".join(f"{100 * bound:.1f}" for bound in cell.interval) for cell in cells]
            grid.add_row("  95%", *bounds, style="dim")
            for name in cells[0].means:
                grid.add_row(f"  {name}", *(shown(name, cell.means[name]) for cell in cells), style="dim")
    return grid


def summary(result: Crossplay) -> Grid:
    """How policies do with themselves and with others; in a game with roles, with all their partners."""
    names = list(result.cells[0].figures)
    grid = plain_grid("")
    grid.add_column("" if result.seats_are_alike else "over all partners")
    for name in names:
        grid.add_column(name, justify="right")
    if not result.seats_are_alike:
        for side, means in result.side_means().items():
            for policy, figures in means.items():
                grid.add_row(f"{side} {policy}", *(shown(name, figures[name]) for name in names))
        return grid
    gaps = result.gaps
    grid.add_row("with themselves", *(shown(name, gaps[name].self_play) for name in names))
    grid.add_row("with others", *(shown(name, gaps[name].cross_play) for name in names))
    grid.add_row("difference", *(shown(name, gaps[name].difference, "+") for name in names))
    bounds = [" to ".join(shown(name, bound, "+") for bound in gaps[name].interval) for name in names]
    grid.add_row("  95%, deal by deal", *bounds, style="dim")
    for pair, figures in result.pairs().items():
        grid.add_row(" and ".join(pair), *(shown(name, figures[name]) for name in names))
    return grid
