"""RLlib's checkpoints in the folder of a run."""

import json
import shutil
from pathlib import Path
from typing import Any

from ...envs.errors import InvalidOption
from ..config import TrainConfig
from ..run_folder import check_folder, unreadable

CHECKPOINT, PREVIOUS = "checkpoint", "checkpoint-previous"
_PROGRESS = "progress.json"  # in a checkpoint: how far the run was


def find_checkpoint(folder: Path, config: TrainConfig, resume: bool) -> Path | None:
    """The checkpoint to go on from; ``None`` if the run begins. Writes nothing.

    Raises:
        InvalidOption: The folder holds a run and is not to be resumed, or the other way round, or the run in
            it has another configuration.
    """
    check_folder(folder, config, resume)
    if not resume:
        return None
    # there is only the previous one if the run was killed between two renamings
    return next((folder / name for name in (CHECKPOINT, PREVIOUS) if (folder / name).exists()), None)


def progress_of(checkpoint: Path) -> tuple[int, float]:
    """How many decisions had been made, in how many seconds, when a checkpoint was taken.

    Raises:
        InvalidOption: It cannot be read.
    """
    try:
        progress = json.loads((checkpoint / _PROGRESS).read_text())
        return int(progress["decisions"]), float(progress["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise unreadable(checkpoint, PREVIOUS, error) from None


def save_checkpoint(folder: Path, algorithm: Any, decisions: int, seconds: float) -> None:
    """Write RLlib's checkpoint beside the old one, then put it in its place.

    Raises:
        InvalidOption: It cannot be written; the old one is still there.
    """
    unfinished = folder / f"{CHECKPOINT}.unfinished"
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        algorithm.save_to_path(unfinished.absolute())
        (unfinished / _PROGRESS).write_text(json.dumps({"decisions": decisions, "seconds": seconds}))
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise InvalidOption(
            f"{folder / CHECKPOINT} cannot be written ({error}); what was there is still there"
        ) from None
    if (folder / CHECKPOINT).exists():
        shutil.rmtree(folder / PREVIOUS, ignore_errors=True)
        (folder / CHECKPOINT).rename(folder / PREVIOUS)
    unfinished.rename(folder / CHECKPOINT)
