"""What ``reynard`` can do: list, evaluate, watch, play, bench, world."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..envs import GAMES, find_game
from ..envs.errors import InvalidOption
from ..envs.game import Game
from ..envs.lisak import load_world
from ..envs.lisak.checks import faults, summary
from ..envs.table import Table
from ..policies import Quit, policies_of
from ..policies.policy import roles_of_policy
from ..policies.seats import GOOD_TEAMS, name_seats
from . import bench
from .evaluate import BATCH_SIZE, Evaluation, evaluate
from .reports import bench_grid, plain_grid, result_grid, verdicts
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
PolicyOption = typer.Option(
    "--policy",
    metavar="[WHO=]POLICY",
    help="Who plays: one policy for every seat, one for each seat, or WHO=POLICY by seat or role, as in "
    "fox=literal.",
)
Policies = Annotated[list[str], PolicyOption]


@contextmanager
def refusals() -> Iterator[None]:
    """What the user got wrong becomes one sentence, and the exit status 2."""
    try:
        yield
    except (ValueError, ImportError, OSError) as error:
        console.print("reynard:", style="red", end=" ")
        console.print(str(error), highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(2) from None


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
        for policy, sentence in policies_of(name).items():
            roles = roles_of_policy(policy, game)
            grid.add_row("policy", policy, f"{sentence} (as {', '.join(roles)})" if roles else sentence)
        console.print(grid)


def seat_number(game: Game, options: dict[str, Any], seat: str, option: str) -> int:
    """A seat, by its number or its agent's name."""
    agents = game.agents(game.make_ruleset(**{"ruleset": "standard", **options}))
    if seat in agents:
        return agents.index(seat)
    if seat.isdecimal() and int(seat) < len(agents):
        return int(seat)
    numbered = ", ".join(f"{number} {agent}" for number, agent in enumerate(agents))
    raise InvalidOption(f"{option} must be a seat's number or name ({numbered}), not {seat!r}")


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
    policy: Annotated[list[str] | None, PolicyOption] = None,
    seed: Seed = 0,
    index: Annotated[int, typer.Option("--game", min=0, help="Which of the seed's games.")] = 0,
    perspective: Annotated[str | None, typer.Option(help="Show what this seat sees; all by default.")] = None,
    settings: Settings = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animated GIF there instead of text.")] = None,
) -> None:
    """Show one game, exactly as evaluate plays it."""
    with refusals():
        found = find_game(game)
        options = read_settings(settings)
        seen_by = None if perspective is None else seat_number(found, options, perspective, "--perspective")
        renderer = found.renderer()
        frames = []
        team = policy or GOOD_TEAMS[found.name]
        for table, seat, action in play_through(found, team, seed, index, **options):
            scene = renderer.scene_of(table, seen_by)
            if gif is not None:
                frames.append(renderer.image(scene))
                continue
            console.out(renderer.text(scene), highlight=False)
            if action is not None:
                what = in_words(table, seat, action, seen_by)
                console.out(f"→ {table.agents[seat]}: {what}\n", highlight=False)
        if gif is not None:
            write_gif(gif, frames)
            console.print(f"{len(frames)} pictures written to {gif}", highlight=False)


@app.command()
def play(
    game: GameName,
    partner: Annotated[
        list[str] | None,
        typer.Option(metavar="[WHO=]POLICY", help="Who plays with you; a good team by default."),
    ] = None,
    seat: Annotated[str, typer.Option(help="Your seat: its number, or its name as in seeker_0.")] = "0",
    seed: Annotated[int | None, typer.Option(min=0, help="A game to play again.")] = None,
    timer: Annotated[bool, typer.Option("--timer", help="Count each round's 90 seconds (lisak).")] = False,
    settings: Settings = None,
) -> None:
    """Play with policies as your partners. You see what your seat may see, and nothing else."""
    with refusals():
        found = find_game(game)
        options = read_settings(settings)
        mine = seat_number(found, options, seat, "--seat")
        agents = found.agents(found.make_ruleset(**{"ruleset": "standard", **options}))
        named = name_seats(agents, partner or GOOD_TEAMS[found.name])
        players = {agent: who for agent, who in zip(agents, named, strict=True) if who is not None}
        players[agents[mine]] = "human:timer" if timer else "human"
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        renderer = found.renderer()
        try:
            for table, mover, action in play_through(found, players, seed, **options):
                if action is None:
                    console.out(renderer.text(renderer.scene_of(table, mine)), highlight=False)
                    console.print(f"The game is over: {table.outcome()} (seed {seed}).", highlight=False)
                elif mover != mine:
                    words = in_words(table, mover, action, mine)
                    console.out(f"→ {agents[mover]}: {words}", highlight=False)
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


@app.command()
def world(
    name: Annotated[str, typer.Argument(help="A world of Lišák: box, small, tiny, or a folder of your own.")],
    show: Annotated[str | None, typer.Option(help="An idea or an answer: what the world says of it.")] = None,
) -> None:
    """Tell about a world of words, and where it falls short of a good one (exit status 1)."""
    with refusals():
        found = load_world(name)
        if show is not None:
            console.print(verdicts(found, show), highlight=False)
            return
        for label, figure in summary(found).items():
            console.print(f"{label}: {figure}", highlight=False)
        wrong = faults(found)
        for fault in wrong:
            console.print(fault, highlight=False, markup=False, soft_wrap=True)
        console.print(f"{len(wrong)} faults" if wrong else "no faults")
    if wrong:
        raise typer.Exit(1)
