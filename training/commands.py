"""What ``reynard`` can do: list, evaluate, watch, play, bench, demo."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from ..envs import GAMES
from ..envs.errors import InvalidOption, unknown, whole_number
from ..envs.game import Game
from ..envs.table import Table
from ..policies import Quit, policies_of
from . import bench
from .evaluate import BATCH_SIZE, Evaluation, evaluate
from .show import play_through, write_gif

app = typer.Typer(
    help="Cooperative, partial-information games for reinforcement learning.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
console = Console()

GameName = Annotated[str, typer.Argument(help="Which game: " + ", ".join(GAMES) + ".")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="An option of the ruleset: ruleset=boxed, ruleset=FILE.yaml, board=B, agreement=2, …",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Decides the cards and the policies' dice.")]
Policies = Annotated[
    list[str],
    typer.Option(
        "--policy", metavar="POLICY", help="Who plays; named once: every seat, else one for each seat."
    ),
]


@contextmanager
def refusals() -> Iterator[None]:
    """What the user got wrong becomes one sentence, and the exit status 2."""
    try:
        yield
    except (ValueError, ImportError, OSError) as error:
        console.print("reynard:", style="red", end=" ")
        console.print(str(error), highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(2) from None


def find_game(name: str) -> Game:
    """The game of a name."""
    if name not in GAMES:
        raise InvalidOption(unknown("game", name, GAMES))
    return import_module(GAMES[name]).GAME


def read_settings(settings: list[str] | None) -> dict[str, Any]:
    """``KEY=VALUE`` strings to options; values are YAML, so numbers, lists and mappings work."""
    options: dict[str, Any] = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        if not equals:
            raise InvalidOption(f"--set takes KEY=VALUE, not {setting!r}")
        try:
            options[key.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InvalidOption(f"the value of --set {key.strip()} is no YAML: {value!r}") from None
    ruleset = options.get("ruleset")
    if isinstance(ruleset, str) and ruleset.endswith((".yaml", ".yml")):
        options["ruleset"] = yaml.safe_load(Path(ruleset).read_text())
    return options


@app.command("list")
def list_everything() -> None:
    """Games, their rulesets and their policies."""
    for name in GAMES:
        game = find_game(name)
        grid = plain_grid(f"reynard/{name}-v0")
        grid.show_header = False
        for preset in game.presets:
            grid.add_row("ruleset", preset, "")
        for policy, summary in policies_of(name).items():
            grid.add_row("policy", policy, summary)
        console.print(grid)


def count_seats(game: Game, options: dict[str, Any]) -> int:
    """How many seats a game has under these options."""
    return len(game.agents(game.make_ruleset(**{"ruleset": "standard", **options})))


def plain_grid(title: str) -> Grid:
    """A table narrow enough for a terminal of 80 columns."""
    return Grid(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)


def result_grid(results: list[Evaluation]) -> Grid:
    """Evaluations as a table, a row each."""
    first = results[0]
    losses = [name for name in first.outcomes if name != "win"]
    grid = plain_grid(f"{first.configuration['game']}, {first.games:,} games")
    grid.add_column("team", no_wrap=True)
    for column in ("wins", "95% interval", *first.means, *losses, "time"):
        grid.add_column(column.replace("_", " "), justify="right", no_wrap=True)
    for result in results:
        low, high = result.interval
        seats = result.configuration["policies"]
        grid.add_row(
            seats[0] if len(set(seats)) == 1 else "+".join(seats),
            f"{result.win_rate:.1%}",
            f"{low:.1%}–{high:.1%}",
            *(f"{value:.2f}" for value in result.means.values()),
            *(f"{result.outcomes[name]:,}" for name in losses),
            f"{result.seconds:.1f} s",
        )
    return grid


def evaluate_with_bar(game: Game, policies: list[str], games: int, seed: int, **settings: Any) -> Evaluation:
    """``evaluate`` with a progress bar, which vanishes when it is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(" + ".join(policies), total=games)
        return evaluate(
            game, policies, games, seed, progress=lambda done: bar.update(task, advance=done), **settings
        )


@app.command("evaluate")
def evaluate_command(
    game: GameName,
    policy: Policies,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 10_000,
    seed: Seed = 0,
    settings: Settings = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Games that move together.")] = BATCH_SIZE,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; by default one for each core.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the result there as JSON.")] = None,
) -> None:
    """Play many games and count wins, gems, rounds and how the others were lost.

    The result depends on the seed alone, not on the batch size or the number of threads.
    """
    with refusals():
        found = find_game(game)
        result = evaluate_with_bar(
            found,
            policy,
            games,
            seed,
            batch_size=batch_size,
            threads=threads,
            **read_settings(settings),
        )
        console.print(result_grid([result]))
        if json_file is not None:
            json_file.write_text(json.dumps(result.to_dict(), indent=2) + "\n")


def in_words(table: Table, mover: int, action: int, perspective: int | None) -> str:
    """An action as a seat (or, with ``None``, an onlooker who sees everything) sees it."""
    hidden = perspective not in (None, mover) and table.game.is_secret(table.records[0], table.ruleset)
    return "chooses in secret" if hidden else table.action_names[action]


@app.command()
def watch(
    game: GameName,
    policy: Policies = ["greedy"],  # noqa: B006 - typer reads it, nobody writes it
    seed: Seed = 0,
    index: Annotated[int, typer.Option("--game", min=0, help="Which of the seed's games.")] = 0,
    perspective: Annotated[int | None, typer.Option(help="Show what this seat sees; all by default.")] = None,
    settings: Settings = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animated GIF there instead of text.")] = None,
) -> None:
    """Show one game, exactly as evaluate plays it."""
    with refusals():
        found = find_game(game)
        options = read_settings(settings)
        if perspective is not None:
            whole_number(perspective, "--perspective", 0, count_seats(found, options) - 1)
        renderer = found.renderer()
        frames = []
        for table, seat, action in play_through(found, policy, seed, index, **options):
            scene = renderer.scene_of(table, perspective)
            if gif is not None:
                frames.append(renderer.image(scene))
                continue
            console.out(renderer.text(scene), highlight=False)
            if action is not None:
                what = in_words(table, seat, action, perspective)
                console.out(f"→ {table.agents[seat]}: {what}\n", highlight=False)
        if gif is not None:
            write_gif(gif, frames)
            console.print(f"{len(frames)} pictures written to {gif}", highlight=False)


@app.command()
def play(
    game: GameName,
    partner: Annotated[str, typer.Option(help="The policy that plays with you.")] = "greedy",
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(min=0, help="A game to play again.")] = None,
    settings: Settings = None,
) -> None:
    """Play with any policy as your partner. You see what your seat may see, and nothing else."""
    with refusals():
        found = find_game(game)
        options = read_settings(settings)
        seats = count_seats(found, options)
        whole_number(seat, "--seat", 0, seats - 1)
        players = ["human" if k == seat else partner for k in range(seats)]
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        renderer = found.renderer()
        try:
            for table, mover, action in play_through(found, players, seed, **options):
                if action is None:
                    console.out(renderer.text(renderer.scene_of(table, seat)), highlight=False)
                    console.print(f"The game is over: {table.outcome()} (seed {seed}).", highlight=False)
                elif mover != seat:
                    console.print(f"→ your partner: {in_words(table, mover, action, seat)}", highlight=False)
        except Quit:
            console.print(f"Goodbye. (seed {seed})", highlight=False)


@app.command("bench")
def bench_command(
    game: GameName,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time for each measurement.")] = 3.0,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures there as JSON.")] = None,
) -> None:
    """Measure this machine's speed, beside whichever other libraries' games are installed.

    The observation, the action mask and a random legal choice always count in.
    """
    with refusals():
        found = find_game(game)
        figures = []
        for figure in bench.measure(found, seconds):
            figures.append(figure)
            console.print(f"{figure.name}: {figure.shown()}", highlight=False, soft_wrap=True)
        console.print(bench_grid(figures))
        if json_file is not None:
            json_file.write_text(json.dumps([asdict(figure) for figure in figures], indent=2) + "\n")


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


@app.command()
def demo(
    games: Annotated[int, typer.Option(min=1, help="Games for each team.")] = 20_000,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for the picture.")] = Path("out"),
) -> None:
    """The main job: scripted teams play Duet, the comparison is printed, one game becomes a picture."""
    with refusals():
        duet = find_game("duet")
        teams = (["random"], ["cautious"], ["greedy"], ["greedy", "cautious"])
        results = [evaluate_with_bar(duet, list(team), games, seed) for team in teams]
        console.print(result_grid(results))
        out.mkdir(parents=True, exist_ok=True)
        renderer = duet.renderer()
        steps = play_through(duet, ["greedy"], seed)
        frames = [renderer.image(renderer.scene_of(table, None)) for table, _, _ in steps]
        write_gif(out / "duet.gif", frames)
        console.print(f"One game of the greedy team: {out / 'duet.gif'}", highlight=False)
