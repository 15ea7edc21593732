"""``reynard bound``: what can be won at all, as a person asks for it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.training.bound import Bound, clairvoyant
from reynard.training.cli import load_app
from reynard.training.evaluate import evaluate

runner = CliRunner(env={"COLUMNS": "80", "TERM": "dumb"})


def run(*words: str, status: int = 0) -> str:
    result = runner.invoke(load_app(), list(words))
    assert result.exit_code == status, result.output
    return result.output


def without_time(bound: Bound) -> dict[str, object]:
    return bound.to_dict() | {"seconds": 0}


def test_it_tells_and_writes_what_can_be_won(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    words = (
        "--games",
        "30",
        "--seed",
        "4",
        "--width",
        "2000",
        "--set",
        "ruleset=tiny",
        "--set",
        "hand_size=2",
    )
    out = run("bound", "duet", *words, "--json", str(file))
    written = json.loads(file.read_text())
    assert f"{written['win_rate']:.1%}" in out and max(map(len, out.splitlines())) <= 80
    bound = clairvoyant(30, 4, "tiny", 2000, hand_size=2)
    assert written | {"seconds": 0} == json.loads(json.dumps(without_time(bound)))
    assert bound.complete == 30 and "at least" not in out
    assert bound.wins == sum(bound.rounds.values()) and set(bound.rounds) == {"1", "2"}


def test_a_narrow_search_says_that_it_tells_the_least() -> None:
    assert "can be won, at least" in run("bound", "duet", "--games", "2", "--width", "2", "--set", "rounds=1")


def test_of_lisak_it_tells_what_nobody_can_beat(tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    out = run("bound", "lisak", "--set", "ruleset=tiny", "--json", str(file))
    written = json.loads(file.read_text())
    assert "best seekers" in out and f"{written['exact']['rounds']:.4f}" in out
    assert written["rounds"] <= written["exact"]["rounds"]
    assert written["exact"]["wins"] <= written["wins"] == 1


def test_nobody_wins_more_than_can_be_won() -> None:
    """On the same deals; what a scripted team wins here is won there as well."""
    board = {"gems": [0, 1, 0, 1, 0], "plus_marks": [1], "start": 2, "forest_tiles": 2}
    bound = clairvoyant(40, 2, "tiny", 2000, board=board, rounds=1)
    team = evaluate(DUET, "greedy", 40, 2, "tiny", board=board, rounds=1)
    assert bound.complete == 40 > bound.wins >= team.wins > 0


def test_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = clairvoyant(9, 1, "tiny", 3)
    monkeypatch.setattr("reynard.training.bound.PART", 4)
    told: list[int] = []
    assert without_time(clairvoyant(9, 1, "tiny", 3, told.append)) == without_time(whole)
    assert told == [4, 4, 1]


def test_what_is_wrong_is_said() -> None:
    assert "unknown option 'plyers'" in run("bound", "lisak", "--set", "plyers=3", status=2)
    assert "did you mean 'board'" in run("bound", "duet", "--set", "bord=A", status=2)
    with pytest.raises(InvalidOption, match="the number of games must be a whole number from 1"):
        clairvoyant(0)
    with pytest.raises(InvalidOption, match="the width of the search must be a whole number from 1"):
        clairvoyant(1, width=0)
