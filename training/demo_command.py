"""``reynard demo``: the main job in a few minutes, from nothing to a team and a game to look at."""

from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from ..envs import find_game
from ..envs.game import Game
from ..policies.seats import GOOD_TEAMS
from .commands import Seed, app, console, evaluate_with_bar, refusals
from .reports import result_grid
from .show import play_through, write_gif
from .train_command import train_and_tell

#: Who is compared beside the team that was trained, and by which rules.
TEAMS: dict[str, list[list[str]]] = {
    "duet": [["random"], ["greedy"], ["zoo:duet-standard-a-s0"]],
    "lisak": [["random"], ["naive"], ["zoo:lisak-small-s0"], ["fox=literal", "seeker=bayes"]],
}
RULES: dict[str, dict[str, Any]] = {"duet": {}, "lisak": {"ruleset": "small", "knowledge": "posterior"}}


@app.command()
def demo(
    config: Annotated[
        Path | None,
        typer.Argument(help="A training run of Duet to begin with; without one the zoo plays alone."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games for each team.")] = 10_000,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for the run and the pictures.")] = Path("out"),
) -> None:
    """Train a Duet team from nothing, compare it, and make a picture of one of its games; then Lišák."""
    with refusals():
        out.mkdir(parents=True, exist_ok=True)
        trained: list[list[str]] = []
        if config is not None:
            from .config import read_config

            run = next(out / f"run-{k}" for k in count(1) if not (out / f"run-{k}").exists())
            console.print(f"A team learns Duet from nothing ({config}):", highlight=False)
            train_and_tell(read_config(config), run)
            console.print(f"Its learning curve: {run / 'curve.png'}\n", highlight=False)
            trained.append([f"learned:{run / 'policy'}"])
        for name, teams in TEAMS.items():
            game, rules = find_game(name), RULES[name]
            mine = trained if name == "duet" else []
            results = [evaluate_with_bar(game, team, games, seed, **rules) for team in [*teams, *mine]]
            console.print(result_grid(results))
            picture = out / f"{name}.gif"
            shown = mine[0] if mine else GOOD_TEAMS[name]
            draw_game(game, shown, seed, rules, picture)
            console.print(f"One game of {' and '.join(shown)}: {picture}\n", highlight=False)


def draw_game(game: Game, team: list[str], seed: int, rules: dict[str, Any], picture: Path) -> None:
    """A seed's first game as an animated picture."""
    renderer = game.renderer()
    steps = play_through(game, team, seed, **rules)
    write_gif(picture, [renderer.image(renderer.scene_of(table, None)) for table, _, _ in steps])
