"""Batches of named rulesets, played at random and compared moment by moment."""

from collections.abc import Iterator

import numpy as np
import pytest
from strategies import RULESETS

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET

#: What a batch shows, and what the last step brought.
ARRAYS = ("records", "observations", "masks", "rewards", "outcomes")
Moment = dict[str, np.ndarray]


def moment(batch: Batch) -> Moment:
    """All that there is to see of a batch, copied. Last observations only where a game ended."""
    ended = (batch.outcomes != 0)[:, None]
    seen = {name: getattr(batch, name).copy() for name in ARRAYS}
    return {**seen, "final": np.where(ended, batch.final_observations, 0)}


def assert_same(mine: Moment, theirs: Moment, games: slice = slice(None)) -> None:
    """The same bytes in every array; ``games`` are those of ``theirs`` that ``mine`` holds."""
    for name, array in mine.items():
        other = theirs[name][games]
        if array.tobytes() != other.tobytes():
            rows = [k for k in range(len(array)) if array[k].tobytes() != other[k].tobytes()]
            pytest.fail(f"{name} differ in games {rows[:10]} of {len(array)}")


def choose(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every game; 0 for one that is over."""
    return (batch.masks * rng.random(batch.masks.shape)).argmax(1)


def play(
    batch: Batch, steps: int, seed: int = 0, restart: bool = True
) -> Iterator[tuple[np.ndarray, Moment]]:
    """Random play; the actions of every step and what came of them."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        actions = choose(batch, rng)
        batch.step(actions, restart=restart)
        yield actions, moment(batch)


def make(name: str, count: int, first_game: int = 0, threads: int = 1) -> Batch:
    return Batch(DUET, RULESETS[name], count, first_game, threads)
