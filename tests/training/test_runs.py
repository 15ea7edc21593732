"""Training runs: what they leave behind, and that stopping one at any moment changes nothing."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

pytest.importorskip("sb3_contrib")

import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.training.cli import load_app
from reynard.training.config import read_config
from reynard.training.evaluate import evaluate
from reynard.training.run_folder import atomic, read_evaluations
from reynard.training.trainer import Run

CONFIG = {
    "game": "duet",
    "ruleset": "tiny",
    "seed": 5,
    "decisions": 16 * 32 * 24,
    "games": 32,
    "threads": 1,
    "ppo": {
        "steps": 16,
        "batch_size": 128,
        "epochs": 2,
        "learning_rate": {"start": 0.003, "end": 0.0003},
        "entropy": {"start": 0.02, "end": 0.0},
    },
    "network": {"trunk": [32], "critic": "full"},
    "evaluation": {"every": 4096, "games": 50},
    "checkpoint": {"every": 1024},
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.yaml"
    file.write_text(yaml.safe_dump(CONFIG))
    return file


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never stopped."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "config.yaml").write_text(yaml.safe_dump(CONFIG))
    Run(read_config(folder / "config.yaml"), folder / "run").train()
    return folder / "run"


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return torch.load(folder / "checkpoint.pt", weights_only=True)["weights"]


def test_a_run_leaves_everything_behind(finished: Path) -> None:
    names = {path.name for path in finished.iterdir()}
    assert {"config.yaml", "checkpoint.pt", "checkpoint-previous.pt", "evaluations.csv"} <= names
    assert {"policy.safetensors", "policy.json", "tensorboard"} <= names
    assert not any("unfinished" in name for name in names)
    assert read_config(finished / "config.yaml").to_dict()["network"]["critic"] == "full"
    rows = read_evaluations(finished / "evaluations.csv")
    assert [int(row["decisions"]) for row in rows] == [4096, 8192, 12288]
    card = json.loads((finished / "policy.json").read_text())
    assert card["decisions"] == 12288 and card["seed"] == 5 and card["config"]["ruleset"] == "tiny"
    played = evaluate(DUET, [f"learned:{finished / 'policy'}"], 50, 1_000_003, ruleset="tiny")
    assert float(rows[-1]["win_rate"]) == played.win_rate == card["evaluation"]["win_rate"]


def test_it_learns(finished: Path) -> None:
    learned = evaluate(DUET, [f"learned:{finished / 'policy'}"], 500, ruleset="tiny")
    chance = evaluate(DUET, ["random"], 500, ruleset="tiny")
    assert learned.means["gems"] > chance.means["gems"] + 0.3


@pytest.mark.parametrize("moments", [1, 3])
def test_killed_runs_end_with_the_same_weights(
    config: Path, finished: Path, moments: int, tmp_path: Path
) -> None:
    """``kill -9``, at some moment after a checkpoint, once or several times."""
    folder = tmp_path / "run"
    code = (
        "import sys; from pathlib import Path; from reynard.training.config import read_config;"
        "from reynard.training.trainer import Run;"
        "Run(read_config(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == 'resume').train()"
    )
    for attempt in range(moments + 1):
        mode = "resume" if attempt else "begin"
        process = subprocess.Popen([sys.executable, "-c", code, str(config), str(folder), mode])
        if attempt < moments:
            before = (folder / "checkpoint.pt").stat().st_mtime_ns if attempt else 0
            while process.poll() is None:
                file = folder / "checkpoint.pt"
                if file.exists() and file.stat().st_mtime_ns > before:
                    break
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
        assert process.wait(200) in (0, -signal.SIGKILL)
    mine, theirs = weights(folder), weights(finished)
    assert mine.keys() == theirs.keys() and all(torch.equal(mine[name], theirs[name]) for name in mine)
    for name in ("policy.safetensors", "evaluations.csv"):
        assert (folder / name).read_bytes() == (finished / name).read_bytes()


ALIKE = {
    "game": "lisak",
    "ruleset": {"world": "tiny", "knowledge": "posterior"},
    "decisions": 16 * 16,
    "games": 16,
    "threads": 1,
    "ppo": {"steps": 16, "batch_size": 128},
    "network": {"trunk": [8], "reads": ["phase", "tokens"], "choices": 4, "alike": True},
    "evaluation": {"games": 10},
}


def test_a_run_begins_with_a_saved_network(config: Path, finished: Path, tmp_path: Path) -> None:
    def first_weights(file: Path, *settings: str) -> dict[str, torch.Tensor]:
        run = Run(read_config(file, list(settings)), tmp_path / f"run-{len(settings)}")
        return {name: value.clone() for name, value in run.ppo.policy.actor.state_dict().items()}

    saved = load_file(finished / "policy.safetensors")
    begun = first_weights(config, f"start=learned:{finished / 'policy'}")
    assert begun.keys() == saved.keys()
    assert all(torch.equal(begun[name], saved[name]) for name in saved)
    fresh = first_weights(config)
    assert not all(torch.equal(fresh[name], saved[name]) for name in saved)


def test_a_network_of_alike_actions_begins_in_another_world(tmp_path: Path) -> None:
    file = tmp_path / "tiny.yaml"
    file.write_text(yaml.safe_dump(ALIKE))
    Run(read_config(file), tmp_path / "tiny").train()
    start = f"start=learned:{tmp_path / 'tiny' / 'policy'}"
    run = Run(read_config(file, [start, "ruleset.world=small"]), tmp_path / "small")
    saved = load_file(tmp_path / "tiny" / "policy.safetensors")
    assert all(torch.equal(value, saved[name]) for name, value in run.ppo.policy.actor.state_dict().items())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            ["network.trunk=[16]"],
            r"does not fit network and ruleset: its body.* is \[32\], this run's is \[16\]",
        ),
        (["network.choices=4"], r"does not fit .* is missing, this run's is"),
        (["game=lisak", "network.critic=own"], "plays duet, not lisak"),
        (["start=greedy"], "a network is named learned:PATH or zoo:NAME, not 'greedy'"),
        (["start=zoo:nobody"], "unknown policy in the zoo 'nobody'"),
        (["start=learned:nowhere"], "no learned policy can be read from nowhere"),
    ],
)
def test_a_network_that_does_not_fit_begins_nothing(
    config: Path, finished: Path, tmp_path: Path, settings: list[str], said: str
) -> None:
    settings = [f"start=learned:{finished / 'policy.json'}", *settings]
    with pytest.raises(InvalidOption, match=said):
        Run(read_config(config, settings), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_nothing_is_overwritten_by_mistake(config: Path, finished: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in finished.iterdir() if path.is_file()}
    with pytest.raises(InvalidOption, match="holds a run already: say --resume"):
        Run(read_config(config), finished)
    with pytest.raises(InvalidOption, match="holds no run to resume"):
        Run(read_config(config), tmp_path / "nowhere", resume=True)
    with pytest.raises(InvalidOption, match=r"has another configuration: ppo\.epochs: 2 → 3"):
        Run(read_config(config, ["ppo.epochs=3"]), finished, resume=True)
    assert before == {path: path.read_bytes() for path in finished.iterdir() if path.is_file()}


def test_a_broken_checkpoint_is_named(config: Path, tmp_path: Path, finished: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("config.yaml", "evaluations.csv"):
        (folder / name).write_bytes((finished / name).read_bytes())
    (folder / "checkpoint.pt").write_bytes((finished / "checkpoint.pt").read_bytes()[:1000])
    with pytest.raises(InvalidOption, match="checkpoint.pt cannot be read .* rename checkpoint-previous.pt"):
        Run(read_config(config), folder, resume=True)
    assert (folder / "checkpoint.pt").stat().st_size == 1000


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "evaluations.csv"
    file.write_text("old")
    sentence = r"cannot be written .*No space left.* still there"
    with pytest.raises(InvalidOption, match=sentence), atomic(file) as new:
        new.write_text("half of it")
        raise OSError(28, "No space left on device")
    assert file.read_text() == "old" and list(tmp_path.iterdir()) == [file]


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "file", sorted((ROOT / "configs").glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_every_config_trains(file: Path, tmp_path: Path) -> None:
    """A few hundred decisions, with everything else as the file says (on Ray: ``tests/rllib``)."""
    quick = ("decisions=512", "games=16", "threads=1", "backend=sb3", "ppo.steps=16", "ppo.batch_size=128")
    lessons = ["imitation.games=2", "imitation.epochs=1"] if read_config(file).imitation else []
    run = Run(read_config(file, [*quick, *lessons, "evaluation.games=10"]), tmp_path / "run")
    run.train()
    assert read_evaluations(tmp_path / "run" / "evaluations.csv")[-1]["decisions"] == "512"


def test_the_command_trains_draws_and_says_what_came_of_it(config: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    runner, folder = CliRunner(env={"COLUMNS": "100", "TERM": "dumb"}), tmp_path / "runs" / "first"
    words = [
        "train",
        str(config),
        "--out",
        str(folder),
        "--set",
        "decisions=2048",
        "--set",
        "evaluation.every=1024",
    ]
    result = runner.invoke(load_app(), words)
    assert result.exit_code == 0, result.output
    assert "wins in 50 games" in result.output and f"learned:{folder / 'policy'}" in result.output
    assert (folder / "curve.png").stat().st_size > 5000
    with (folder / "evaluations.csv").open(newline="") as table:
        assert [row["decisions"] for row in csv.DictReader(table)] == ["1024", "2048"]
    again = runner.invoke(load_app(), words)
    assert again.exit_code == 2 and "holds a run already" in again.output
    wrong = runner.invoke(load_app(), ["train", str(config), "--set", "ppo.epoch=3"])
    assert wrong.exit_code == 2 and "did you mean 'epochs'?" in wrong.output
