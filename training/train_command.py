"""``reynard train``: one configuration, one command."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from .commands import app, console, refusals


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
    """Train a team by self-play; a stopped run can be resumed, and ends with the same weights."""
    with refusals():
        from . import trainer
        from .config import read_config
        from .curve import draw_curve

        folder = out or Path("runs") / config.stem
        run = trainer.Run(read_config(config, settings), folder, resume)
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("training", total=run.config.decisions)

            def show(progress: trainer.Progress) -> None:
                text = f"{progress.speed:,.0f} decisions/s, {progress.win_rate:.1%} wins while exploring"
                bar.update(task, completed=progress.decisions, description=text)

            run.train(show)
        draw_curve(folder)
        last = trainer.read_evaluations(folder / "evaluations.csv")[-1]
        console.print(
            f"{float(last['win_rate']):.1%} wins in {run.config.evaluation.games:,} games "
            f"({float(last['low']):.1%}–{float(last['high']):.1%}): learned:{folder / 'policy'}",
            highlight=False,
            soft_wrap=True,
        )
