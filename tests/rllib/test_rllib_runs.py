"""Whole runs on a real cluster of this machine: what they leave behind, going on, and killed processes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import ray
from ray import cloudpickle
from rllib_runs import tiny

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.training.config import read_config
from reynard.training.evaluate import evaluate
from reynard.training.rllib.cluster import cluster
from reynard.training.rllib.run import Run, train_with_rllib
from reynard.training.run_folder import Progress, read_evaluations

pytestmark = [
    pytest.mark.rllib,
    pytest.mark.filterwarnings("ignore:.*rllib-multi-agent-env-v0 already in registry:UserWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def machine() -> Iterator[None]:
    """One cluster for all runs here: starting one takes seconds."""
    with cluster(2, 2):
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, machine: None) -> tuple[Path, list[Progress]]:
    folder, told = tmp_path_factory.mktemp("rllib") / "run", []
    train_with_rllib(tiny(), folder, report=told.append)
    return folder, told


def gems(team: str, games: int = 500) -> float:
    return evaluate(DUET, [team], games, ruleset="tiny").means["gems"]


def test_a_run_leaves_everything_behind(finished: tuple[Path, list[Progress]]) -> None:
    folder, told = finished
    names = {path.name for path in folder.iterdir()}
    assert {"config.yaml", "evaluations.csv", "policy.safetensors", "policy.json", "tensorboard"} <= names
    assert {"checkpoint", "checkpoint-previous"} <= names
    assert not any("unfinished" in name for name in names)
    rows = read_evaluations(folder / "evaluations.csv")
    decisions = [int(row["decisions"]) for row in rows]
    assert len(decisions) == 2 and 3000 <= decisions[0] < 4200 and 6144 <= decisions[1] < 7300
    card = json.loads((folder / "policy.json").read_text())
    assert card["decisions"] == decisions[-1] and card["seed"] == 5 and card["config"]["backend"] == "rllib"
    played = evaluate(DUET, [f"learned:{folder / 'policy'}"], 50, 1_000_003, ruleset="tiny")
    assert float(rows[-1]["win_rate"]) == played.win_rate == card["evaluation"]["win_rate"]
    assert [progress.decisions for progress in told][-1] == decisions[-1]
    assert all(progress.total == 6144 and progress.speed > 0 for progress in told)


def test_it_learns(finished: tuple[Path, list[Progress]]) -> None:
    assert gems(f"learned:{finished[0] / 'policy'}") > gems("random") + 0.3


def test_nothing_is_overwritten_by_mistake(finished: tuple[Path, list[Progress]], tmp_path: Path) -> None:
    folder, _ = finished
    with pytest.raises(InvalidOption, match="holds a run already: say --resume"):
        train_with_rllib(tiny(), folder)
    with pytest.raises(InvalidOption, match="holds no run to resume"):
        train_with_rllib(tiny(), tmp_path / "nowhere", resume=True)
    with pytest.raises(InvalidOption, match=r"has another configuration: ppo\.epochs: 2 → 3"):
        train_with_rllib(tiny(**{"ppo.epochs": 3}), folder, resume=True)
    with pytest.raises(InvalidOption, match="threads asks for 90 env runners, but the cluster has"):
        train_with_rllib(tiny(threads=90, games=96), tmp_path / "many")
    assert not (tmp_path / "many").exists()


# the runners cannot import a test
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Stop(Exception):
    """A run is stopped from outside."""


def test_a_stopped_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    config, folder, first, second = tiny(threads=1), tmp_path / "run", [], []

    def stop(progress: Progress) -> None:
        first.append(progress)
        if progress.decisions > 3500:
            raise Stop

    with pytest.raises(Stop):
        train_with_rllib(config, folder, report=stop)
    assert not (folder / "checkpoint-previous").exists()
    # a run that is killed between the two renamings of a later checkpoint
    (folder / "checkpoint").rename(folder / "checkpoint-previous")
    train_with_rllib(config, folder, resume=True, report=second.append)
    at_checkpoint = next(progress.decisions for progress in first if progress.decisions >= 2000)
    assert at_checkpoint < second[0].decisions < at_checkpoint + 1200
    assert 6144 <= second[-1].decisions < 7300
    decisions = [int(row["decisions"]) for row in read_evaluations(folder / "evaluations.csv")]
    assert decisions == sorted(decisions) and decisions[-1] == second[-1].decisions

    (folder / "checkpoint" / "rllib_checkpoint.json").write_text("half of")
    (folder / "checkpoint" / "algorithm_state.pkl").write_text("half of")
    with pytest.raises(InvalidOption, match="checkpoint cannot be read .* rename checkpoint-previous"):
        train_with_rllib(config, folder, resume=True)


def where(runner: Any) -> tuple[int, list[tuple[int, ...]]]:
    """A runner's process, and the random streams of its games."""
    tables = [env.unwrapped.table for env in runner.env.envs]
    return os.getpid(), [tuple(int(word) for word in table.records["key"][0]) for table in tables]


def ask(run: Run) -> dict[int, tuple[int, list[tuple[int, ...]]]]:
    group = run.algorithm.env_runner_group
    answers = group.foreach_env_runner(where, local_env_runner=False)
    return {pid: (pid, keys) for pid, keys in answers}


def test_a_killed_env_runner_does_not_end_the_run(tmp_path: Path) -> None:
    config, folder = tiny(decisions=20_000), tmp_path / "run"
    run, told, asked = Run(config, folder, None, 2), [], []

    def kill(progress: Progress) -> None:
        told.append(progress)
        if len(told) in (3, 14):
            asked.append(ask(run))
        if len(told) == 3:
            os.kill(min(asked[0]), signal.SIGKILL)

    run.train(kill)
    before, after = asked
    assert len(before) == len(after) == 2
    assert min(before) not in after and max(before) in after, "one runner is another process now"
    (new,) = set(after) - set(before)
    streams = [set(keys) for _, keys in (*before.values(), after[new])]
    assert not streams[0] & streams[1] and not streams[2] & (streams[0] | streams[1])
    assert 20_000 <= told[-1].decisions < 22_100
    steps = [later.decisions - sooner.decisions for sooner, later in pairwise(told)]
    assert all(1024 <= step < 2100 for step in steps), "every update has its decisions, whoever died"
    assert len(told) == len(steps) + 1 and told[-2].decisions < 20_000
    assert int(read_evaluations(folder / "evaluations.csv")[-1]["decisions"]) == told[-1].decisions
    assert gems(f"learned:{folder / 'policy'}") > gems("random") + 0.3


@pytest.mark.parametrize("changes", [{"game": "lisak"}, {"other_play": True, "network.critic": "full"}])
def test_every_kind_of_run_trains(changes: dict[str, Any], tmp_path: Path) -> None:
    config, told = tiny(decisions=512, games=8, threads=1, **{"ppo.batch_size": 128, **changes}), []
    train_with_rllib(config, tmp_path / "run", report=told.append)
    (row,) = read_evaluations(tmp_path / "run" / "evaluations.csv")
    assert 512 <= int(row["decisions"]) < 1100
    if config.game == "lisak":  # chance alone wins every sixth game of it
        assert 0 < told[-1].win_rate < 0.6


def test_the_example_trains(root: Path, tmp_path: Path) -> None:
    """A few hundred decisions, with everything else as the file says."""
    quick = ("decisions=512", "games=16", "threads=1", "ppo.steps=16", "ppo.batch_size=128")
    config = read_config(root / "configs" / "duet" / "rllib.yaml", [*quick, "evaluation.games=10"])
    train_with_rllib(config, tmp_path / "run")
    assert int(read_evaluations(tmp_path / "run" / "evaluations.csv")[-1]["decisions"]) >= 512


@pytest.mark.parametrize(
    "key",
    [
        {"partners": ["greedy"]},
        {"game": "lisak", "shaping": 1.0},
        {"start": "zoo:duet-standard-a-s0"},
        {"imitation": {"teacher": "greedy"}},
    ],
    ids=str,
)
def test_what_only_the_other_backend_does_is_refused(key: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=f"{list(key)[-1]}: .* rllib"):
        train_with_rllib(tiny(**key), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_without_ray_one_sentence_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['ray'] = None; import reynard.training.rllib.run"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.rstrip().endswith(
        'ImportError: backend: rllib needs Ray: pip install "reynard[rllib]"'
    )
    quiet = (
        "import sys, reynard.training.train_command, reynard.training.trainer; print('ray' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", quiet], capture_output=True, text=True).stdout == "False\n"


def test_no_ray_is_left_behind() -> None:
    """A run that started Ray ends it; one that found it running leaves it running."""
    with cluster(1, 4) as runners:
        assert runners == 1
    assert ray.is_initialized()
