"""The picture of a run: how often its policy won, by how long it had been trained."""

from pathlib import Path

from .trainer import card_of, read_evaluations


def draw_curve(folder: Path) -> Path:
    """Write ``curve.png`` into a run's folder from its table of evaluations.

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
    rows, card = read_evaluations(folder / "evaluations.csv"), card_of(folder)
    millions = [int(row["decisions"]) / 1e6 for row in rows]
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    low, high = ([float(row[name]) for row in rows] for name in ("low", "high"))
    axes.fill_between(millions, low, high, color="#c1632b", alpha=0.22, linewidth=0, label="95% interval")
    axes.plot(millions, [float(row["win_rate"]) for row in rows], color="#c1632b", marker="o", markersize=3.5)
    axes.set(xlabel="million decisions", ylabel="games won", ylim=(0, 1), xlim=(0, None))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    ruleset = card["config"]["ruleset"]
    title = (
        ruleset if isinstance(ruleset, str) else ", ".join(f"{key} {value}" for key, value in ruleset.items())
    )
    axes.set_title(f"{card['game']}, {title}, seed {card['seed']}", loc="left")
    file = folder / "curve.png"
    figure.savefig(file, dpi=150)
    pyplot.close(figure)
    return file
