"""The rules are written once and run in two ways: compiled, and as plain Python; always alike (X1)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, choose, random_action

from reynard.envs import games, jit
from reynard.envs.batch import Batch
from reynard.envs.lisak import LISAK, Ruleset, kernels
from reynard.envs.lisak.state import PHASES
from reynard.envs.table import Table

needs_compiler = pytest.mark.skipif(not jit.ENABLED, reason="there is only one way to run with REYNARD_JIT=0")

#: So large that numbers which fit into a few bits one by one do so no more when they are multiplied.
LARGE = {
    "large": Ruleset(world="random(300, 260, 0)", players=6, consultation=3, rows="flat"),
    "largest": Ruleset(world="random(3000, 3000, 1)", players=6, consultation=3, hint=False),
}


class PlainKernels:
    """The same loops over games, uncompiled."""

    def __getattr__(self, name: str) -> Any:
        return jit.plain(getattr(kernels, name))


def plain_batch(ruleset: Ruleset, count: int) -> Batch:
    """A batch that runs as plain Python."""
    game = replace(LISAK, kernels=PlainKernels())  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reynard.envs.batch.records_for", lambda array, plain: games.records_for(array, True))
        return Batch(game, ruleset, count)


def pair(ruleset: Ruleset, count: int, seed: int) -> tuple[Batch, Batch]:
    """The same games compiled and as plain Python, begun."""
    both = Batch(LISAK, ruleset, count, threads=1), plain_batch(ruleset, count)
    for batch in both:
        batch.reset(seed)
    assert_same(*both)
    return both


def assert_same(batch: Batch, plain: Batch) -> None:
    """The same bytes in everything that a batch shows; last observations only where a game ended."""
    for name in ("records", "observations", "masks", "to_move", "rewards", "outcomes"):
        assert getattr(batch, name).tobytes() == getattr(plain, name).tobytes(), name
    ended = batch.outcomes != 0
    assert np.array_equal(batch.final_observations[ended], plain.final_observations[ended])


def side_by_side(batch: Batch, plain: Batch, steps: int) -> Iterator[np.ndarray]:
    """Random play of both, compared after every step; yields the phases."""
    rng = np.random.default_rng(1)
    for _ in range(steps):
        actions = choose(batch, rng)
        for each in (batch, plain):
            each.step(actions, restart=True)
        assert_same(batch, plain)
        yield batch.records["phase"].copy()


@needs_compiler
@pytest.mark.parametrize("name", RULESETS)
def test_X1_compiled_and_plain_rules_play_alike(name: str) -> None:
    """Step by step, in all bytes: states, the movers' observations and masks, rewards, last observations."""
    count = 3 if RULESETS[name].knowledge or name in ("standard", "six") else 6
    batch, plain = pair(RULESETS[name], count, seed=1)
    phases = {PHASES[phase] for seen in side_by_side(batch, plain, 70) for phase in seen}
    assert phases == {*PHASES} - {"over"} - (set() if RULESETS[name].consultation else {"consult"})
    plain.observations[:] = 0
    plain.masks[:] = 0
    plain.refresh()
    assert_same(batch, plain)


@needs_compiler
@pytest.mark.parametrize("name", LARGE)
def test_X1_compiled_and_plain_rules_play_alike_in_large_worlds(name: str) -> None:
    batch, plain = pair(LARGE[name], 1, seed=2)
    for _ in side_by_side(batch, plain, 45):
        pass
    assert batch.records["moves"][0] == 45  # deep in the second round and beyond the first proposals


@needs_compiler
@pytest.mark.parametrize("consultation", [1, 2, 3])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_X1_compiled_and_plain_rules_play_alike_to_the_last_round(players: int, consultation: int) -> None:
    """All proposals are made, and all cards are written."""
    ruleset = Ruleset(world="random(9, 7, 5)", players=players, consultation=consultation)
    batch, plain = pair(ruleset, 1, seed=3)
    rng = np.random.default_rng(3)
    while batch.records["round_number"][0] < 6:
        legal = np.flatnonzero(batch.masks[0])
        phase = PHASES[batch.records["phase"][0]]
        ideas = legal[legal < 7]
        action = int(rng.choice(ideas if phase in ("consult", "write") else legal))
        for each in (batch, plain):
            each.step([action])
        assert_same(batch, plain)


@needs_compiler
def test_X1_compiled_and_plain_random_play_are_alike() -> None:
    batch, plain = pair(RULESETS["tiny"], 12, seed=2)
    for steps in (1, 3, 40):
        assert plain.play_randomly(steps) == batch.play_randomly(steps)
        for name in ("records", "observations", "masks"):
            assert getattr(batch, name).tobytes() == getattr(plain, name).tobytes(), name


@needs_compiler
@pytest.mark.parametrize("moves", [0, 1, 17, 40])
def test_X1_a_table_goes_over_to_compiled_rules_unnoticed(
    moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a game, at any move."""
    fast, table = Table(LISAK, "tiny"), Table(LISAK, "tiny")
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 2 * moves)
    monkeypatch.setattr(Table, "moves_in_this_process", 0)
    fast._use(plain=False)
    rng = np.random.default_rng(moves)
    played = 0
    while not table._compiled or played < moves + 20:
        table.begin(played)
        fast.begin(played)
        while table.to_move >= 0:
            assert table.records.tobytes() == fast.records.tobytes()
            assert np.array_equal(table.observations, fast.observations)
            assert np.array_equal(table.masks, fast.masks)
            action = random_action(table, rng)
            assert table.play(action) == fast.play(action)
            played += 1
