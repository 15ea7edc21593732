"""``reynard train``: one configuration, one command."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import progress as rich_progress

from .commands import app, console, refusals

if TYPE_CHECKING:
    from .config import TrainConfig
    from .run_folder import Progress


@app.command()
def train(
    config: Annotated[Path, typer.Argument(help="A YAML file: what to train, and how.")],
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/NAME of the file by default.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Replace a value of the file: seed=1, ppo.epochs=3, …"
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
) -> None:
    """Train a team; a stopped run can be resumed (and, with backend sb3, ends with the same weights)."""
    with refusals():
        from .config import read_config

        train_and_tell(read_config(config, settings), out or Path("runs") / config.stem, resume)


def train_and_tell(config: "TrainConfig", folder: Path, resume: bool = False) -> None:
    """Train with a progress bar, draw the curve, and say in a line what came of it."""
    from .curve import draw_curve
    from .run_folder import read_evaluations

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    with rich_progress.Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("training", total=config.decisions)

        def show(progress: "Progress") -> None:
            whose = "while exploring" if progress.unit == "decisions" else "by the teacher"
            text = f"{progress.speed:,.0f} {progress.unit}/s, {progress.win_rate:.1%} wins {whose}"
            bar.update(task, completed=progress.decisions, total=progress.total, description=text)

        if config.backend == "rllib":
            from .rllib.run import train_with_rllib

            train_with_rllib(config, folder, resume, show)
        else:
            from .trainer import Run

            Run(config, folder, resume).train(show)
    draw_curve(folder)
    last = read_evaluations(folder / "evaluations.csv")[-1]
    console.print(
        f"{float(last['win_rate']):.1%} wins in {config.evaluation.games:,} games "
        f"({float(last['low']):.1%}–{float(last['high']):.1%}): learned:{folder / 'policy'}",
        highlight=False,
        soft_wrap=True,
    )
