"""The folder of a training run, whoever trains: what is in it, and what an evaluation adds to it."""

import csv
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..envs import find_game
from ..envs.errors import InvalidOption
from ..policies.learned import Learned, save_actor
from ..policies.networks import Actor
from .config import TrainConfig, differences, read_config
from .evaluate import evaluate
from .line_ups import LineUp, evaluate_beside

EVALUATION_SEED = 1_000_003  # games that are not those of the training
CONFIG, EVALUATIONS, POLICY = "config.yaml", "evaluations.csv", "policy"


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Args:
        decisions: Decisions made so far, all games together.
        total: Decisions of the whole run.
        speed: Decisions a second since the run (or its continuation) began.
        win_rate: The share of games won since the last report, by the policy that learns and explores.
        unit: What is counted, if it is not decisions.
    """

    decisions: int
    total: int
    speed: float
    win_rate: float
    unit: str = "decisions"


def check_folder(folder: Path, config: TrainConfig, resume: bool) -> None:
    """Whether a run may begin in a folder, or go on there. Writes nothing.

    Raises:
        InvalidOption: The folder holds a run and is not to be resumed, or the other way round, or the run in
            it has another configuration.
    """
    file = folder / CONFIG
    if not resume:
        if file.exists():
            raise InvalidOption(
                f"{folder} holds a run already: say --resume to go on with it, or name another folder"
            )
        return
    if not file.exists():
        raise InvalidOption(f"{folder} holds no run to resume")
    if changed := differences(read_config(file), config):
        raise InvalidOption(f"the run in {folder} has another configuration: {'; '.join(changed)}")


def begin_folder(folder: Path, config: TrainConfig) -> None:
    """Make a run's folder, with its configuration as it was resolved."""
    folder.mkdir(parents=True, exist_ok=True)
    config.write_config(folder / CONFIG)


def unreadable(checkpoint: Path, previous: str, error: Exception) -> InvalidOption:
    """What to say of a checkpoint that is broken."""
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    return InvalidOption(
        f"{checkpoint} cannot be read ({reason}); to go on from the one before, "
        f"rename {previous} to {checkpoint.name}"
    )


def record_evaluation(
    folder: Path,
    config: TrainConfig,
    actor: Actor,
    decisions: int,
    seconds: float,
    ups: Sequence[Sequence[LineUp]] = (),
) -> None:
    """Play with the actor's favourites, add a line to the table, and save the policy with its card.

    Args:
        folder: The run's.
        config: Its configuration.
        actor: The network as it is now.
        decisions: On which it was trained.
        seconds: That this took.
        ups: The line-ups beside partners; none: it plays every seat.
    """
    game = find_game(config.game)
    ruleset = game.make_ruleset(config.ruleset)
    policy, games = Learned(actor.eval(), game, ruleset), config.evaluation.games
    with_each: dict[str, float] = {}
    if ups:
        result, with_each = evaluate_beside(game, policy, ups, games, EVALUATION_SEED, ruleset)
    else:
        result = evaluate(game, policy, games, EVALUATION_SEED, ruleset)
    row = {
        "decisions": decisions,
        "win_rate": result.win_rate,
        "low": result.interval[0],
        "high": result.interval[1],
        **result.means,
        **result.shares,
        **{f"with {name}": won for name, won in with_each.items()},
    }
    file = folder / EVALUATIONS
    rows = [old for old in read_evaluations(file) if int(old["decisions"]) < decisions]
    with atomic(file) as unfinished, unfinished.open("w", newline="") as out:
        table = csv.DictWriter(out, row)
        table.writeheader()
        table.writerows([*rows, row])
    card = {
        "game": game.name,
        "reynard": version("reynard"),
        "decisions": decisions,
        "seconds": round(seconds, 1),
        "seed": config.seed,
        "config": config.to_dict(),
        "evaluation": {key: value for key, value in asdict(result).items() if key != "configuration"},
    }
    save_actor(folder / POLICY, actor, card)


@contextmanager
def atomic(file: Path) -> Iterator[Path]:
    """A path to write to that becomes ``file`` when all is written; until then ``file`` stays as it is.

    Raises:
        InvalidOption: It cannot be written (a full disk, say).
    """
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        yield unfinished
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(file)
    except (OSError, RuntimeError) as error:
        raise InvalidOption(f"{file} cannot be written ({error}); what was there is still there") from None
    finally:
        unfinished.unlink(missing_ok=True)


def read_evaluations(file: Path) -> list[dict[str, str]]:
    """The lines of a run's table of evaluations."""
    if not file.exists():
        return []
    with file.open(newline="") as table:
        return list(csv.DictReader(table))


def card_of(folder: Path) -> dict[str, Any]:
    """The card of a run's policy."""
    return json.loads((folder / f"{POLICY}.json").read_text())
