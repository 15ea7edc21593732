"""Pictures of learning: how often a policy won, by how long it had been trained."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .run_folder import card_of, read_evaluations

COLOURS = ("#c1632b", "#2b6cc1", "#3d8b40", "#8b3d8b", "#8a7a1f", "#444444")


def axes_for_wins(across: str = "million decisions") -> tuple[Any, Any]:
    """A figure and its axes, with games won upwards.

    Args:
        across: What the other axis counts.

    Raises:
        ImportError: Matplotlib is missing; the message says how to get it.
    """
    try:
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot
        from matplotlib.ticker import PercentFormatter
    except ImportError as missing:
        raise ImportError('the learning curve needs Matplotlib: pip install "reynard[train]"') from missing
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    axes.set(xlabel=across, ylabel="games won", ylim=(0, 1))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, file: Path) -> None:
    """Write a figure and forget it."""
    from matplotlib import pyplot

    figure.savefig(file, dpi=150)
    pyplot.close(figure)


def draw_curve(folder: Path) -> Path:
    """Write ``curve.png`` into a run's folder from its table of evaluations."""
    rows, card = read_evaluations(folder / "evaluations.csv"), card_of(folder)
    millions = [int(row["decisions"]) / 1e6 for row in rows]
    figure, axes = axes_for_wins()
    low, high = ([float(row[name]) for row in rows] for name in ("low", "high"))
    axes.fill_between(millions, low, high, color=COLOURS[0], alpha=0.22, linewidth=0)
    axes.plot(
        millions, [float(row["win_rate"]) for row in rows], color=COLOURS[0], marker="o", markersize=3.5
    )
    axes.set_xlim(0, None)
    ruleset = card["config"]["ruleset"]
    title = (
        ruleset if isinstance(ruleset, str) else ", ".join(f"{key} {value}" for key, value in ruleset.items())
    )
    axes.set_title(f"{card['game']}, {title}, seed {card['seed']}", loc="left")
    save(figure, folder / "curve.png")
    return folder / "curve.png"


def draw_curves(cards: Mapping[str, Sequence[Mapping[str, Any]]], file: Path) -> None:
    """Draw what cards tell of their runs.

    Args:
        cards: By setting, the cards of its seeds.
        file: Where to.
    """
    figure, axes = axes_for_wins()
    for colour, (setting, seeds) in zip(COLOURS * len(cards), cards.items(), strict=False):
        for number, card in enumerate(seeds):
            millions, won = zip(*((done / 1e6, rate) for done, rate in card["curve"]), strict=True)
            label = setting if number == 0 else None
            axes.plot(millions, won, color=colour, label=label, marker="o", markersize=2.5, linewidth=1.2)
    axes.set_xlim(0, None)
    axes.legend(loc="lower right", frameon=False)
    save(figure, file)
