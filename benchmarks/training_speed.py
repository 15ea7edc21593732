"""How fast a configuration trains, the whole loop: playing, learning, nothing left out but evaluations.

python benchmarks/training_speed.py configs/duet/selfplay.yaml threads=2 decisions=300_000
"""

import sys
import tempfile
import time
from pathlib import Path

from reynard.training.config import read_config
from reynard.training.trainer import Run

REST = ["evaluation.every=1_000_000_000", "evaluation.games=1", "checkpoint.every=1_000_000_000"]
WARM_UP = 2  # updates that are not counted


def main(config: str, *settings: str) -> None:
    """Print decisions a second, once everything is compiled."""
    told: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        run = Run(read_config(config, [*settings, *REST]), Path(folder) / "run")
        run.train(lambda progress: told.append((time.perf_counter(), progress.decisions)))
    (began, first), (ended, last) = told[WARM_UP - 1], told[-1]
    print(f"{(last - first) / (ended - began):,.0f} decisions/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
