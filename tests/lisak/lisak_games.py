"""Rulesets of many kinds, and random play that gets everywhere in them."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from moments import Moment
from moments import moment as moment_of
from numpy.random import Generator

from reynard.envs import jit
from reynard.envs.batch import Batch
from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.actions import catalogue
from reynard.envs.lisak.state import WRITE
from reynard.envs.table import Table

TINY = "random(9, 7, 5)"
SMALL = "random(24, 12, 2)"

#: Every preset, and every option with every value somewhere.
RULESETS: dict[str, Ruleset] = {
    **LISAK.presets,
    "three": Ruleset(world=SMALL, players=3, writing="hidden", consultation=2, reward="rated"),
    "six": Ruleset(world=SMALL, players=6, fox="free", consultation=3, cards=(2, 3, 5, 7, 11, 13, 17)),
    "flat": Ruleset(world=TINY, players=5, rows="flat", writing="hidden", knowledge="posterior"),
    "bare": Ruleset(world=TINY, players=3, rows="flat", fox="free", consultation=0, rounds=3, trophies=2),
    "hintless": Ruleset(world=SMALL, hint=False, knowledge="posterior", consultation=0, card_order="box"),
    "known": Ruleset(world=SMALL, knowledge="posterior", writing="hidden", fox="free", hints=("hint 1",)),
    "memoryless": Ruleset(world=TINY, history=False, consultation=3, language="cs", rounds=5),
}
WORDY = Ruleset(world="random(60, 64, 0)", players=6, rows="flat", writing="hidden", knowledge="posterior")
RULESETS["wordy"] = WORDY


def scaled(count: int) -> int:
    """So many games if they are compiled, a few of them if not (``REYNARD_JIT=0``)."""
    return count if jit.ENABLED else max(count // 30, 2)


def make(name: str, count: int, first_game: int = 0, threads: int | None = 1) -> Batch:
    return Batch(LISAK, RULESETS[name], count, first_game, threads)


@lru_cache(maxsize=32)
def _reluctance(ruleset: Ruleset) -> np.ndarray:
    """How seldom random play takes each action: a game with as many trophies as clues would soon be over."""
    numbers = catalogue(ruleset.words)
    weights = np.ones(numbers.size)
    share = numbers.ideas / numbers.answers
    weights[numbers.ideas : numbers.trophy] = 0.15 * share
    weights[numbers.trophy : numbers.blank] = 0.1 * share
    weights[numbers.blank] = 0.2 * numbers.ideas
    weights[numbers.silence] = 6
    return 1 / weights


def choose(batch: Batch, rng: Generator) -> np.ndarray:
    """A random legal action for every game, now and then a right trophy; 0 for a game that is over."""
    drawn = batch.masks * rng.random(batch.masks.shape) ** _reluctance(batch.ruleset)
    actions = drawn.argmax(1)
    right = catalogue(batch.ruleset.words).trophy + batch.records["answer"].astype(np.int64)
    allowed = batch.masks[np.arange(batch.count), right] == 1
    lucky = allowed & (batch.records["phase"] == WRITE) & (rng.random(batch.count) < 0.03)
    return np.where(lucky, right, actions)


def random_action(table: Table, rng: Generator) -> int:
    """The same at a table."""
    mask = table.masks[table.to_move]
    right = catalogue(table.ruleset.words).trophy + int(table.records["answer"][0])
    if table.records["phase"][0] == WRITE and mask[right] and rng.random() < 0.03:
        return right
    return int((mask * rng.random(len(mask)) ** _reluctance(table.ruleset)).argmax())


def moment(batch: Batch) -> Moment:
    """All that there is to see of a batch, copied; the records as bare bytes."""
    records = np.frombuffer(batch.records.tobytes(), np.uint8).reshape(batch.count, -1)
    return {**moment_of(batch), "records": records}


def play(
    batch: Batch, steps: int, seed: int = 0, restart: bool = True
) -> Iterator[tuple[np.ndarray, Moment]]:
    """Random play; the actions of every step and what came of them."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        actions = choose(batch, rng)
        batch.step(actions, restart=restart)
        yield actions, moment(batch)


def random_states(table: Table, rng: Generator, games: int) -> Iterator[tuple[np.void, list[int]]]:
    """Every state of so many random games, the last ones included, with the actions that led there."""
    for game in range(games):
        table.begin(int(rng.integers(2**32)), {"game": game})
        actions: list[int] = []
        while True:
            state = table.records[0].copy()
            yield state, list(actions)
            if state["to_move"] < 0:
                break
            table.records[0] = state  # whoever looks on may have changed it
            table.refresh()
            actions.append(random_action(table, rng))
            table.play(actions[-1])
