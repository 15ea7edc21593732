"""``reynard zoo``: the trained networks of the package, and how a run's policy becomes one of them."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from ..envs import find_game
from ..envs.errors import InvalidOption, unknown
from ..policies.menagerie import FOLDER, zoo_card, zoo_names
from .commands import app, console, refusals
from .reports import plain_grid

GAMES = 10_000  # of the evaluation on a card

zoo = typer.Typer(help="The trained networks that come with the package.", no_args_is_help=True)
app.add_typer(zoo, name="zoo")


@zoo.command("list")
def list_zoo() -> None:
    """Every policy of the zoo, as its card tells of it."""
    grid = plain_grid("reynard evaluate GAME --policy zoo:NAME")
    for heading in ("name", "wins", "95% interval", "decisions", "minutes"):
        grid.add_column(heading, justify="left" if heading == "name" else "right")
    for name in zoo_names():
        card = zoo_card(name)
        result = card["evaluation"]
        low, high = result["interval"]
        grid.add_row(
            name,
            f"{result['win_rate']:.1%}",
            f"{low:.1%}–{high:.1%}",
            f"{card['decisions']:,}",
            f"{card['seconds'] / 60:.0f}",
        )
    console.print(grid)


@zoo.command("draw")
def draw_zoo(
    settings: Annotated[list[str], typer.Argument(help="Names without their seeds: duet-standard-a, …")],
    picture: Annotated[Path, typer.Option(help="Where to (.png, .svg, .pdf).")] = Path("curves.png"),
) -> None:
    """Draw the learning curves of some settings, a line for every seed."""
    with refusals():
        from .curve import draw_curves

        named = {setting: seeds_of(setting) for setting in settings}
        draw_curves(
            {setting: [zoo_card(name) for name in names] for setting, names in named.items()}, picture
        )
        console.print(f"The picture: {picture}", highlight=False, soft_wrap=True)


def seeds_of(setting: str) -> list[str]:
    """The policies of one setting.

    Raises:
        InvalidOption: There are none.
    """
    settings = dict.fromkeys(name.rsplit("-s", 1)[0] for name in zoo_names())
    if setting not in settings:
        raise InvalidOption(unknown("setting in the zoo", setting, settings))
    return [name for name in zoo_names() if name.rsplit("-s", 1)[0] == setting]


@zoo.command("add")
def add_to_zoo(
    run: Annotated[Path, typer.Argument(help="The folder of a training run that has ended.")],
    name: Annotated[str, typer.Argument(help="Its name in the zoo: GAME-SETTING-sSEED.")],
    folder: Annotated[Path, typer.Option(help="The zoo's folder.")] = FOLDER,
    games: Annotated[int, typer.Option(min=1, help="Games to evaluate it in.")] = GAMES,
) -> None:
    """Put a run's policy into the zoo: weights in half precision, and a card with a fresh evaluation."""
    with refusals():
        result = add(run, name, folder, games)
        low, high = result["interval"]
        console.print(f"{name}: {result['win_rate']:.1%} wins ({low:.1%}–{high:.1%})", highlight=False)


def add(run: Path, name: str, folder: Path = FOLDER, games: int = GAMES) -> dict[str, Any]:
    """Put a run's policy into the zoo; returns its evaluation.

    What is evaluated is what was written: the weights as they are read back.

    Raises:
        InvalidOption: The run has no policy, has not ended, or the name is not its game's.
    """
    from ..policies.learned import load_actor, save_actor
    from .config import TrainConfig
    from .evaluate import evaluate
    from .run_folder import EVALUATION_SEED, read_evaluations

    actor, card = load_actor(run / "policy")
    if card["decisions"] < card["config"]["decisions"]:
        done, planned = card["decisions"], card["config"]["decisions"]
        raise InvalidOption(f"the run in {run} has not ended: {done:,} of {planned:,} decisions")
    if not re.fullmatch(rf"{card['game']}-[a-z0-9-]+", name):
        raise InvalidOption(
            f"the name must be {card['game']}- and small letters, digits or dashes, not {name!r}"
        )
    told = {key: value for key, value in card.items() if key != "network"}
    rows = read_evaluations(run / "evaluations.csv")
    told["curve"] = [[int(row["decisions"]), float(row["win_rate"])] for row in rows]
    told["config"] = TrainConfig(**card["config"]).to_dict()  # with the keys that came since
    game, ruleset = find_game(card["game"]), card["config"]["ruleset"]
    with TemporaryDirectory() as aside:
        save_actor(Path(aside) / name, actor, told, half=True)
        result = evaluate(game, f"learned:{Path(aside) / name}", games, EVALUATION_SEED, ruleset).to_dict()
    result["seed"] = result.pop("configuration")["seed"]
    save_actor(folder / name, actor, told | {"evaluation": result}, half=True)
    return result
