"""The scripts that measure do what they say, on a few small games."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def budget(*words: str, status: int = 0) -> str:
    script = ROOT / "benchmarks" / "search_budget.py"
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_the_budget_of_searches_is_measured_drawn_and_compared(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    table, picture = tmp_path / "table.csv", tmp_path / "picture.png"
    budget("measure", str(table), "duet", "tiny", "40", "greedy", "cautious")
    budget("measure", str(table), "duet", "tiny", "40", "random")
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["policy"] for row in rows] == ["greedy", "cautious", "random"]
    assert all(row["games"] == "40" and float(row["seconds_a_game"]) > 0 for row in rows)
    budget("draw", str(table), str(picture))
    assert picture.stat().st_size > 5000
    said = budget("compare", "duet", "tiny", "40", "random", "greedy")
    good, bad = rows[0]["wins"], rows[2]["wins"]
    assert f"{bad}/40 → {good}/40 wins" in said
    assert "search_budget.py draw TABLE.csv" in budget("paint", status=1)
