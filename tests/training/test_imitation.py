"""Learning from a teacher: what it shows, and what becomes of that."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

pytest.importorskip("sb3_contrib")

import torch

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, make_policy
from reynard.training.config import read_config
from reynard.training.evaluate import evaluate
from reynard.training.imitation import SEED, Lessons, demonstrate
from reynard.training.run_folder import Progress, read_evaluations
from reynard.training.trainer import Run

CONFIG: dict[str, Any] = {
    "game": "duet",
    "ruleset": "tiny",
    "decisions": 512,
    "imitation": {"teacher": "greedy", "games": 300, "epochs": 12, "batch_size": 256, "learning_rate": 3e-3},
    "games": 16,
    "threads": 1,
    "ppo": {"steps": 32, "batch_size": 128, "learning_rate": 1e-6},
    "network": {"trunk": [32], "choices": 16},
    "evaluation": {"every": 10_000, "games": 300},
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.yaml"
    file.write_text(yaml.safe_dump(CONFIG))
    return file


@pytest.mark.parametrize(("game", "teacher"), [(DUET, "greedy"), (LISAK, "naive")])
def test_a_teacher_shows_what_it_does_and_what_comes_of_it(game: Any, teacher: str) -> None:
    """As when its games are played by hand, move by move."""
    shown = demonstrate(game, "tiny", teacher, first=3, games=4, seed=8, gamma=0.9)
    expected = []
    for index in range(3, 7):
        table = Table(game, "tiny")
        table.begin(8, {"game": index})
        policy = make_policy(teacher, game, table.ruleset)
        moves: list[tuple[int, int, bytes, bytes, int]] = []
        rewards: list[float] = []
        while (seat := table.to_move) >= 0:
            dice = Dice.at(key_of(8), table.records)
            seen, mask = table.observations[[seat]].copy(), table.masks[[seat]].copy()
            action = int(policy.act(seen, mask, np.array([seat]), dice)[0])
            if mask.sum() > 1:
                moves.append((len(rewards), index, seen.tobytes(), mask.tobytes(), action))
            rewards.append(table.play(action))
        for move in moves:
            expected.append((*move, sum(0.9**k * reward for k, reward in enumerate(rewards[move[0] :]))))
    expected.sort(key=lambda move: move[:2])  # all games' first decisions come first
    assert [observation.tobytes() for observation in shown.observations] == [move[2] for move in expected]
    assert [mask.tobytes() for mask in shown.masks] == [move[3] for move in expected]
    assert shown.actions.tolist() == [move[4] for move in expected]
    assert shown.returns.tolist() == pytest.approx([move[5] for move in expected], abs=1e-5)


def test_lessons_rename_a_decision_as_a_whole() -> None:
    """Under any names of the suits what the teacher did is legal, and it is the same deed."""
    shown = demonstrate(DUET, "standard", "greedy", 0, 5, 1, 1.0)
    lessons = Lessons(DUET, DUET.make_ruleset("standard"), shown, False, 0)
    seen_as, meant = DUET.symmetries(DUET.make_ruleset("standard"))
    known = {
        (
            shown.observations[row][seen_as[k]].tobytes(),
            int(np.flatnonzero(meant[k] == shown.actions[row])[0]),
        )
        for row in range(len(shown.actions))
        for k in range(len(meant))
    }
    told = set()
    for _ in range(3):
        for seen, masks, actions, _ in lessons.epoch(64):
            assert (masks[np.arange(len(masks)), actions.numpy()] == 1).all()
            told |= {(one.tobytes(), int(action)) for one, action in zip(seen.numpy(), actions, strict=True)}
    assert told <= known
    assert len(told) > 2 * len(shown.actions)


def test_a_run_learns_from_its_teacher(config: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    Run(read_config(config), tmp_path / "run").train(told.append)
    first = read_evaluations(tmp_path / "run" / "evaluations.csv")[0]
    alone = Run(read_config(config, ["imitation=null"]), tmp_path / "alone")
    alone.train()
    nothing = read_evaluations(tmp_path / "alone" / "evaluations.csv")[-1]
    assert first["decisions"] == "0"
    teacher = evaluate(DUET, "greedy", 300, 1_000_003, ruleset="tiny").means["gems"]
    assert float(first["gems"]) > (teacher + float(nothing["gems"])) / 2
    assert [(one.decisions, one.total) for one in told if one.unit == "games"] == [(256, 300), (300, 300)]


def test_a_run_that_was_stopped_goes_on_with_the_next_games(config: Path, tmp_path: Path) -> None:
    """And ends with the same weights, bit for bit."""

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    Run(read_config(config), whole).train()
    with pytest.raises(KeyboardInterrupt):
        Run(read_config(config), stopped).train(stop)
    files = list((stopped / "demonstrations").iterdir())
    assert [file.name for file in files] == ["000000.npz"]
    written = files[0].stat().st_mtime_ns
    Run(read_config(config), stopped, resume=True).train()
    assert files[0].stat().st_mtime_ns == written
    one, other = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["weights"] for folder in (whole, stopped)
    )
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["imitation.teacher=greddy"], "unknown policy for duet 'greddy'; did you mean 'greedy'"),
        (["network.critic=full"], r"critic that sees the full state: network\.critic must be shared or own"),
        (["imitation.game=3"], "imitation: unknown key 'game'; did you mean 'games'"),
        (["imitation.games=0"], r"imitation\.games must be a whole number of at least 1, not 0"),
        (["imitation=greedy"], "imitation must be a mapping with the keys teacher, games, epochs"),
        (["imitation={games: 3}"], r"imitation\.teacher is missing; it must be a policy"),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(
    config: Path, tmp_path: Path, settings: list[str], said: str
) -> None:
    with pytest.raises(InvalidOption, match=said):
        Run(read_config(config, settings), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_teachers_games_are_no_games_of_an_evaluation() -> None:
    from reynard.training.run_folder import EVALUATION_SEED

    assert len({SEED, EVALUATION_SEED, *range(100)}) == 102
