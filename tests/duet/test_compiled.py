"""The rules are written once and run in two ways: compiled, and as plain Python. They must never differ."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import RULESETS, Played, rulesets, seeds

import reynard.envs
from reynard.envs import duet_v0, jit
from reynard.envs.batch import Batch, first_illegal
from reynard.envs.duet import DUET, kernels
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import PHASES
from reynard.envs.table import Table

ENGINE = Path(reynard.envs.__path__[0])

needs_compiler = pytest.mark.skipif(not jit.ENABLED, reason="there is only one way to run with REYNARD_JIT=0")


class PlainKernels:
    """The same loops over games, uncompiled."""

    def __getattr__(self, name: str) -> Any:
        return jit.plain(getattr(kernels, name))


def plain_batch(ruleset: Ruleset, count: int) -> Batch:
    """A batch that runs as plain Python."""
    game = replace(DUET, kernels=PlainKernels())  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reynard.envs.batch.records_for", lambda array, plain: array.view(np.recarray))
        return Batch(game, ruleset, count)


def pair(ruleset: Ruleset, count: int, seed: int) -> tuple[Batch, Batch]:
    """The same games compiled and as plain Python, begun."""
    both = Batch(DUET, ruleset, count, threads=1), plain_batch(ruleset, count)
    for batch in both:
        batch.reset(seed)
    assert_same(*both)
    return both


def assert_same(batch: Batch, plain: Batch) -> None:
    """The same bytes in everything that a batch shows; last observations only where a game ended."""
    for name in ("records", "observations", "masks", "rewards", "outcomes"):
        assert getattr(batch, name).tobytes() == getattr(plain, name).tobytes(), name
    ended = batch.outcomes != 0
    assert np.array_equal(batch.final_observations[ended], plain.final_observations[ended])


#: Uncompiled play takes a millisecond or two for a decision, so most games are small ones.
SPREAD = {
    "standard": (6, 100),
    "boxed": (6, 100),
    "agreement": (5, 100),
    "memoryless": (5, 100),
    "short": (16, 100),
    "plain": (25, 60),
    "tiny": (100, 50),
    "tiny_agreement": (80, 50),
    "one_suit": (110, 40),
}


@needs_compiler
@pytest.mark.parametrize("name", RULESETS)
def test_compiled_and_plain_rules_play_alike(name: str) -> None:
    """Step by step, in all bytes: states, the movers' observations and masks, rewards, last observations."""
    count, steps = SPREAD[name]
    batch, plain = pair(RULESETS[name], count, seed=1)
    rng = np.random.default_rng(1)
    games = 0
    for _ in range(steps):
        actions = (batch.masks * rng.random(batch.masks.shape)).argmax(1)
        batch.step(actions, restart=True)
        plain.step(actions, restart=True)
        assert_same(batch, plain)
        games += np.count_nonzero(batch.outcomes)
    assert games >= count
    plain.observations[:] = 0
    plain.masks[:] = 0
    plain.refresh()
    assert_same(batch, plain)


@needs_compiler
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(ruleset=rulesets(), seed=seeds())
def test_compiled_and_plain_rules_play_alike_under_any_ruleset(ruleset: Ruleset, seed: int) -> None:
    """Both seats' views of a single game, up to forty moves of it."""
    game, plain = Played(ruleset, seed), Played(ruleset, seed, plain=True)
    rng = np.random.default_rng(seed)
    for _ in range(40):
        assert plain.state.tobytes() == game.state.tobytes()
        assert plain.observations.tobytes() == game.observations.tobytes()
        assert plain.masks.tobytes() == game.masks.tobytes()
        if not len(game.legal()):
            break
        action = int(rng.choice(game.legal()))
        assert plain.play(action) == game.play(action)


@needs_compiler
def test_compiled_and_plain_rules_play_alike_in_a_batch_large_enough_for_threads() -> None:
    batch, plain = pair(RULESETS["tiny_agreement"], jit.SMALL_BATCH, seed=4)
    rng = np.random.default_rng(4)
    for _ in range(8):
        actions = (batch.masks * rng.random(batch.masks.shape)).argmax(1)
        batch.step(actions, restart=True)
        plain.step(actions, restart=True)
        assert_same(batch, plain)
    assert set(batch.records["phase"].tolist()) == {1, 2, 3, 4}


@needs_compiler
def test_compiled_and_plain_random_play_are_alike() -> None:
    batch, plain = pair(RULESETS["tiny"], 20, seed=2)
    for steps in (1, 3, 40):
        assert plain.play_randomly(steps) == batch.play_randomly(steps)
        for name in ("records", "observations", "masks"):
            assert getattr(batch, name).tobytes() == getattr(plain, name).tobytes(), name


@needs_compiler
def test_compiled_and_plain_checks_of_actions_are_alike() -> None:
    batch = Batch(DUET, RULESETS["tiny"], 30, threads=1)
    batch.reset(seed=3)
    rng = np.random.default_rng(3)
    found = set()
    for _ in range(100):
        actions = (batch.masks * rng.random(batch.masks.shape)).argmax(1)
        spoilt = actions.copy()
        spoilt[rng.integers(30, size=rng.integers(3))] = rng.choice((-1, 0, 38, 39, 10**9))
        bad = first_illegal(batch.masks, batch.to_move, spoilt)
        assert bad == jit.plain(first_illegal)(batch.masks, batch.to_move, spoilt)
        found.add(bad)
        batch.step(actions, restart=True)
    assert len(found) > 5


@needs_compiler
def test_a_table_goes_over_to_compiled_rules_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a game, at any move."""
    fast = Table(DUET, "standard")
    for moves in (0, 1, 17, 40):
        table = Table(DUET, "standard")
        monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", moves)
        monkeypatch.setattr(Table, "moves_in_this_process", 0)
        table.begin(moves)
        fast.begin(moves)
        rng = np.random.default_rng(moves)
        while table.to_move >= 0:
            assert table.records.tobytes() == fast.records.tobytes()
            assert np.array_equal(table.observations, fast.observations)
            assert np.array_equal(table.masks, fast.masks)
            action = rng.choice(np.flatnonzero(table.masks[table.to_move]))
            assert table.play(action) == fast.play(action)


# ---------------------------------------------------------------------- whole environments, whole processes


def digest() -> str:
    """A few games through each kind of environment; everything that they return."""
    known = hashlib.sha256()

    def note(value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                known.update(str(key).encode())
                note(item)
        elif isinstance(value, np.ndarray) and value.dtype != object:
            known.update(value.tobytes())
        else:
            known.update(repr(value).encode())

    rng = np.random.default_rng(1)
    for name in ("tiny", "tiny_agreement"):
        env = duet_v0.env(RULESETS[name])
        for seed in (5, None):
            env.reset(seed=seed)
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, info = env.last()
                for value in (agent, observation, reward, terminated, truncated, info):
                    note(value)
                mask = observation["action_mask"]
                env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))
        parallel = duet_v0.parallel_env(RULESETS[name])
        observations, infos = parallel.reset(seed=6)
        while parallel.agents:
            actions = {
                agent: int((seen["action_mask"] * rng.random(len(seen["action_mask"]))).argmax())
                for agent, seen in observations.items()
            }
            observations, rewards, terminations, truncations, infos = parallel.step(actions)
            for value in (observations, rewards, terminations, truncations, infos, parallel.to_dict()):
                note(value)
        vector = duet_v0.vector_env(5, RULESETS[name])
        observed, info = vector.reset(seed=7)
        for _ in range(25):
            mask = observed["action_mask"]
            observed, rewards, terminated, truncated, info = vector.step(
                (mask * rng.random(mask.shape)).argmax(1)
            )
            for value in (observed, rewards, terminated, truncated, info):
                note(value)
        vector.close()
    return known.hexdigest()


def run_python(program: str, **environment: str) -> str:
    """What a program prints in a Python process of its own; warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=Path(__file__).parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@needs_compiler
def test_REYNARD_JIT_0_plays_every_environment_without_compiling_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)
    program = "import sys, test_compiled as t; print(t.digest(), t.jit.ENABLED, 'numba' in sys.modules)"
    assert run_python(program, REYNARD_JIT="0").split() == [digest(), "False", "False"]


# ---------------------------------------------------------------------- the cache of compiled code


def cache_folder(engine: Path, *package: Path) -> Path:
    """The folder for compiled code that a copy of the engine would use."""
    spec = importlib.util.spec_from_file_location("copied_jit", engine / "jit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.cache_folder(*package)


def folder_name(engine: Path, *package: Path) -> str:
    return cache_folder(engine, *package).name


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A copy of the engine's sources."""
    return copy_of_engine(tmp_path / "copy")


def copy_of_engine(folder: Path) -> Path:
    return shutil.copytree(ENGINE, folder / "reynard" / "envs", ignore=shutil.ignore_patterns("__pycache__"))


def test_the_cache_folder_belongs_to_the_sources(engine: Path, tmp_path: Path) -> None:
    assert folder_name(engine) == jit.cache_folder().name
    assert folder_name(copy_of_engine(tmp_path / "another")) == folder_name(engine)


@pytest.mark.parametrize(
    "source", ["jit.py", "streams.py", "sets.py", "duet/cards.py", "duet/rules.py", "duet/observation.py"]
)
def test_the_cache_folder_changes_with_every_source(engine: Path, source: str) -> None:
    before = folder_name(engine)
    path = engine / source
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "\n# changed\n", encoding="utf-8")
    changed = folder_name(engine)
    assert changed != before
    path.write_text(text, encoding="utf-8")
    assert folder_name(engine) == before


def test_the_cache_folder_changes_with_a_new_source_and_with_nothing_else(engine: Path) -> None:
    before = folder_name(engine)
    (engine / "duet" / "notes.md").write_text("no code")
    (engine / "duet" / "__pycache__").mkdir(exist_ok=True)
    (engine / "duet" / "__pycache__" / "rules.pyc").write_bytes(b"")
    os.utime(engine / "duet" / "rules.py", (0, 0))
    assert folder_name(engine) == before
    (engine / "duet" / "more.py").write_text("MORE = 1\n")
    assert folder_name(engine) != before


def test_the_cache_folder_of_another_package_belongs_to_its_sources_and_the_engines(engine: Path) -> None:
    package = engine.parent / "policies"
    package.mkdir()
    (package / "fast.py").write_text("SPEED = 1\n")
    names = [folder_name(engine, package), folder_name(engine)]
    (package / "fast.py").write_text("SPEED = 2\n")
    names.append(folder_name(engine, package))
    (engine / "streams.py").write_text("")
    names.append(folder_name(engine, package))
    assert len(set(names)) == 4


def test_the_cache_folder_lies_where_it_may_be_written(
    engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert cache_folder(engine).parent == engine / "__pycache__"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    elsewhere = cache_folder(engine)
    assert engine not in elsewhere.parents
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    assert cache_folder(engine) == tmp_path / "chosen" / elsewhere.name


@pytest.mark.slow
@needs_compiler
def test_code_compiled_from_other_rules_is_never_played(engine: Path, tmp_path: Path) -> None:
    """A constant changes that Numba does not watch; the next process plays by the new one."""
    program = (
        "from reynard.envs.batch import Batch\n"
        "from reynard.envs.duet import DUET\n"
        "batch = Batch(DUET, 'standard', 50, threads=1)\n"
        "batch.reset(seed=1)\n"
        "for _ in range(7):\n"
        "    batch.step(batch.masks.argmax(1))\n"
        "print(batch.records['phase'].tolist())\n"
    )
    environment = {"PYTHONPATH": str(engine.parent.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before = run_python(program, **environment)
    assert run_python(program, **environment) == before
    cards = engine / "duet" / "cards.py"
    text = cards.read_text(encoding="utf-8")
    assert "FOXES: Final = 3" in text
    cards.write_text(text.replace("FOXES: Final = 3", "FOXES: Final = 4"), encoding="utf-8")
    after = run_python(program, **environment)
    assert after != before
    assert after == run_python(program, **environment, REYNARD_JIT="0")
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_the_spread_of_rulesets_meets_every_phase_uncompiled_or_not() -> None:
    """So that the comparisons above are worth something."""
    met = set()
    for name in ("short", "tiny_agreement"):
        batch = Batch(DUET, RULESETS[name], 15, threads=1)
        batch.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(100):
            met |= {PHASES[phase] for phase in batch.records["phase"]}
            batch.step((batch.masks * rng.random(batch.masks.shape)).argmax(1), restart=False)
    assert met == set(PHASES)
