"""What the command line prints: results and figures as tables."""

from collections.abc import Callable

import numpy as np
from rich.table import Table as Grid

from ..envs.errors import InvalidOption, unknown
from ..envs.lisak import World
from ..envs.lisak.world import BORDERLINE, JUDGEMENTS, YES, fold
from . import bench
from .evaluate import Evaluation


def plain_grid(title: str) -> Grid:
    """A table narrow enough for a terminal of 80 columns."""
    return Grid(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)


def result_grid(results: list[Evaluation]) -> Grid:
    """Evaluations of one game, a column for each team."""
    first = results[0]
    grid = plain_grid(f"{first.configuration['game']}, {first.games:,} games")
    grid.add_column("")
    for result in results:
        grid.add_column(result.team, justify="right")
    for label, show in _rows_of(first).items():
        grid.add_row(label, *map(show, results))
    return grid


def _rows_of(first: Evaluation) -> dict[str, Callable[[Evaluation], str]]:
    """What is told of every team: the label, and how it is shown."""
    rows: dict[str, Callable[[Evaluation], str]] = {
        "wins": lambda result: f"{result.win_rate:.1%}",
        "95% interval": lambda result: "–".join(f"{bound:.1%}" for bound in result.interval),
    }
    for name in first.shares:
        rows[_spaced(name)] = lambda result, name=name: f"{result.shares[name]:.1%}"
    for name in first.means:
        rows[_spaced(name)] = lambda result, name=name: f"{result.means[name]:.2f}"
    for name in first.outcomes:
        if name != "win":
            rows[_spaced(name)] = lambda result, name=name: f"{result.outcomes[name]:,}"
    return rows | {"time": lambda result: f"{result.seconds:.1f} s"}


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def bench_grid(figures: list[bench.Figure]) -> Grid:
    """Our speeds beside the peers', as ratios; PettingZoo's games are compared with ours in PettingZoo."""
    ours = [figure for figure in figures if figure.comparable and figure.value is not None]
    grid = plain_grid("how many times as fast")
    grid.add_column("as")
    for figure in ours:
        grid.add_column(figure.name.removeprefix("reynard "), justify="right")
    for peer in figures:
        if peer.is_peer and peer.value is not None:
            in_pettingzoo = peer.name.startswith("pettingzoo")
            ratios = [
                f"{(figure.value or 0) / peer.value:,.1f}" if ("env" in figure.name) == in_pettingzoo else ""
                for figure in ours
            ]
            grid.add_row(peer.name, *ratios)
    return grid


def verdicts(found: World, text: str) -> str:
    """What a world says of an idea (for every answer) or of an answer (for every idea)."""
    clue = found.by_text.get(fold(text))
    if clue is None:
        raise InvalidOption(unknown("idea or answer", text, [each.en for each in found.clues]))
    ideas = len(found.ideas)
    is_idea = clue < ideas
    column = found.judgement[:, clue] if is_idea else found.judgement[clue - ideas, :ideas]
    texts = found.answers if is_idea else found.ideas
    lines = [f"{found.clues[clue].en} ({found.clues[clue].cs})"]
    for verdict in (YES, BORDERLINE):
        named = ", ".join(texts[k].en for k in np.flatnonzero(column == verdict))
        lines.append(f"{JUDGEMENTS[verdict]}: {named}")
    return "\n".join(lines)
