"""Cross-play: every pair as `evaluate` plays it, on the same deals, and what is made of the pairs."""

import csv
import json
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import MODULES
from test_cli import run

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.training import crossplay as computation
from reynard.training import crossplay_command
from reynard.training.crossplay import Crossplay, crossplay, gap, name_of_ruleset, scripted
from reynard.training.evaluate import evaluate

PAIR = ["greedy", "cautious"]


@pytest.fixture(scope="module")
def duet() -> Crossplay:
    return crossplay(DUET, [*PAIR, "random"], 80, seed=3, ruleset="boxed")


@pytest.fixture(scope="module")
def lisak() -> Crossplay:
    return crossplay(LISAK, games=40, seed=3, ruleset="tiny")


def counted(result: Crossplay) -> dict[str, Any]:
    plain = result.to_dict()
    plain.pop("seconds")
    return plain


def test_every_cell_is_what_evaluate_says_of_the_team(duet: Crossplay, lisak: Crossplay) -> None:
    for result, game, sides in (
        (duet, DUET, ("player_0", "player_1")),
        (lisak, LISAK, ("fox", "seeker")),
    ):
        assert result.sides == sides
        told = result.configuration
        for cell in result.cells:
            team = dict(zip(sides, (cell.row, cell.column), strict=True))
            alone = evaluate(game, team, told["games"], told["seed"], told["ruleset"])
            assert (cell.wins, cell.win_rate, cell.interval) == (alone.wins, alone.win_rate, alone.interval)
            assert cell.means == alone.means and result.at(cell.row, cell.column) is cell


def test_all_pairs_get_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = []

    def look(batch: Any, players: Any, seed: int, progress: Any) -> None:
        batch.reset(seed)
        dealt.append(batch.records.copy())
        play_out(batch, players, seed, progress)

    play_out = computation.play_out
    monkeypatch.setattr(computation, "play_out", look)
    crossplay(DUET, PAIR, 20, seed=3, ruleset="tiny")
    assert len(dealt) == 4 and len(np.unique(dealt[0])) == 20
    assert all((records == dealt[0]).all() for records in dealt)


def test_the_result_depends_on_the_seed_alone(duet: Crossplay) -> None:
    again = crossplay(DUET, [*PAIR, "random"], 80, seed=3, ruleset="boxed", batch_size=31, threads=1)
    assert counted(again) == counted(duet)
    assert counted(crossplay(DUET, [*PAIR, "random"], 80, seed=4, ruleset="boxed")) != counted(duet)


def test_the_interval_of_a_difference_is_paired() -> None:
    # differences 0.5, 1, 0, 0.5: mean 0.5, variance (0 + 0.25 + 0.25 + 0) / 3
    found = gap(np.array([1.0, 1.0, 0.0, 1.0]), np.array([0.5, 0.0, 0.0, 0.5]))
    spread = 1.959964 * sqrt(0.5 / 3 / 4)
    assert (found.self_play, found.cross_play, found.difference) == (0.75, 0.25, 0.5)
    assert found.interval == pytest.approx((0.5 - spread, 0.5 + spread), abs=1e-6)
    # what all deals have in common costs no certainty, however much the deals differ
    luck = np.array([0.0, 1.0, 0.0, 1.0])
    assert gap(luck + 0.25, luck).interval == (0.25, 0.25)


def test_means_over_pairs(duet: Crossplay) -> None:
    own = [cell.win_rate for cell in duet.cells if cell.row == cell.column]
    strangers = [cell.win_rate for cell in duet.cells if cell.row != cell.column]
    wins = duet.gaps["wins"]
    assert len(own) == 3 and len(strangers) == 6
    assert wins.self_play == pytest.approx(np.mean(own))
    assert wins.cross_play == pytest.approx(np.mean(strangers))
    assert wins.difference == pytest.approx(np.mean(own) - np.mean(strangers))
    assert wins.interval[0] < wins.difference < wins.interval[1]
    assert set(duet.gaps) == {"wins", "gems", "rounds"}
    pairs = duet.pairs()
    assert list(pairs) == [("greedy", "cautious"), ("greedy", "random"), ("cautious", "random")]
    one, other = duet.at("greedy", "random"), duet.at("random", "greedy")
    assert pairs["greedy", "random"]["gems"] == pytest.approx((one.means["gems"] + other.means["gems"]) / 2)
    others = [duet.at("greedy", who).win_rate for who in ("cautious", "random")]  # not with itself
    assert duet.side_means()["player_0"]["greedy"]["wins"] == pytest.approx(np.mean(others))


def test_roles_are_rows_and_columns(lisak: Crossplay) -> None:
    assert set(lisak.rows) == {"canny", "literal", "naive", "random"}
    assert set(lisak.columns) == {"bayes", "naive", "random"}
    own = {(cell.row, cell.column) for cell in lisak.cells if cell.is_own_team}
    assert own == {("naive", "naive"), ("random", "random")}
    assert lisak.gaps == {} and lisak.pairs() == {}
    rates = [lisak.at("naive", who).win_rate for who in lisak.columns]  # with itself too
    assert lisak.side_means()["fox"]["naive"]["wins"] == pytest.approx(np.mean(rates))
    assert set(lisak.side_means()["seeker"]) == set(lisak.columns)


def test_a_policy_can_be_kept_to_a_role() -> None:
    given = ["fox=naive", "literal", "bayes", "literal"]
    result = crossplay(LISAK, given, 4, ruleset="tiny", players=5)
    assert (result.rows, result.columns) == (["naive", "literal"], ["bayes"])
    assert result.configuration["policies"] == given


def test_by_default_all_play_who_play_by_themselves() -> None:
    assert set(scripted(DUET)) == {"cautious", "greedy", "random", "scout"}
    assert set(scripted(LISAK)) == {"bayes", "canny", "literal", "naive", "random"}


def test_json_holds_everything_and_repeats_it(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    words = ("--policy", "greedy", "--policy", "random", "--games", "60", "--seed", "5", "--set", "board=B")
    run("crossplay", "duet", *words, "--json", str(file))
    written = json.loads(file.read_text())
    told = written["configuration"]
    game = MODULES[told["game"]].GAME
    again = crossplay(game, told["policies"], told["games"], told["seed"], told["ruleset"])
    written.pop("seconds")
    assert written == counted(again)
    assert told["ruleset_name"] == "standard, board=B" and told["reynard"]


@pytest.mark.parametrize("name", ["duet", "lisak"])
def test_csv_has_a_line_for_each_pair(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    result: Crossplay = request.getfixturevalue(name)
    file = tmp_path / "cells.csv"
    result.write_csv(file)
    lines = list(csv.DictReader(file.read_text().splitlines()))
    assert len(lines) == len(result.rows) * len(result.columns) >= 9
    first, second = result.sides
    for line in lines:
        cell = result.at(line[first], line[second])
        assert int(line["games"]) == result.configuration["games"] and int(line["wins"]) == cell.wins
        bounds = (float(line["low"]), float(line["high"]))
        assert (float(line["win_rate"]), bounds) == (cell.win_rate, cell.interval)
        assert {name: float(line[f"{name}_mean"]) for name in cell.means} == cell.means


def test_the_table_is_narrow_and_says_it_all(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    words = ("--games", "60", "--set", "ruleset=boxed", "--json", str(file))
    out = run("crossplay", "duet", *words)
    written = json.loads(file.read_text())
    assert max(map(len, out.splitlines())) <= 80 and "…" not in out
    assert "duet, boxed, 60 games for each pair, seed 0" in out
    for cell in written["cells"]:
        assert f"{cell['win_rate']:.1%}" in out and f"{cell['means']['gems']:.2f}" in out
        assert "–".join(f"{100 * bound:.1f}" for bound in cell["interval"]) in out
    assert f"{written['gaps']['wins']['difference']:+.1%}" in out and "cautious and greedy" in out
    for policy in ("greedy", "cautious"):
        rate = next(cell["win_rate"] for cell in written["cells"] if cell["row"] == cell["column"] == policy)
        assert f"*{rate:.1%}" in out


def test_many_policies_have_numbers_above_the_columns(duet: Crossplay) -> None:
    from rich.console import Console

    many = [f"learned:runs/duet-{number}" for number in range(10)]
    cells = [computation.Cell(one, other, 1, 0.5, (0.1, 0.9), {}) for one in many for other in many]
    result = Crossplay(duet.sides, many, many, cells, duet.gaps, 0.0, duet.configuration)
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(crossplay_command.matrix(result, 80))
    lines = [line.rstrip() for line in capture.get().splitlines()]
    assert max(map(len, lines)) <= 80
    assert sum("50%" in line for line in lines) == 10 and any(line.endswith(" 9   10") for line in lines)
    assert any(line.startswith("10 learned:") for line in lines)


def test_roles_in_the_table() -> None:
    out = run("crossplay", "lisak", "--policy", "naive", "--games", "20", "--set", "ruleset=tiny")
    for word in ("fox ↓", "seeker →", "*: a policy with itself", "fox naive", "seeker naive", "rounds"):
        assert word in out
    words = ("--policy", "fox=naive", "--policy", "seeker=random", "--games", "20")
    assert "with itself" not in run("crossplay", "lisak", *words, "--set", "ruleset=tiny")


@pytest.mark.parametrize("ending", [".png", ".svg"])
@pytest.mark.parametrize("name", ["duet", "lisak"])
def test_the_picture(name: str, ending: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    pytest.importorskip("matplotlib")
    from reynard.training.crossplay_picture import write_picture

    file = tmp_path / f"picture{ending}"
    write_picture(request.getfixturevalue(name), file)
    assert file.read_bytes().startswith(b"\x89PNG" if ending == ".png" else b"<?xml")
    assert file.stat().st_size > 10_000


def test_the_command_draws_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.png"
    words = ("--policy", "fox=literal", "--policy", "seeker=bayes", "--games", "4", "--set", "ruleset=tiny")
    assert f"The picture: {file}" in run("crossplay", "lisak", *words, "--picture", str(file))
    assert file.stat().st_size > 10_000


def test_without_matplotlib_one_sentence_says_what_is_missing() -> None:
    code = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "sys.argv = ['reynard', 'crossplay', 'duet', '--games', '2', '--picture', 'never.png']\n"
        "from reynard.training.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 2 and 'pip install "reynard[train]"' in run.stdout
    assert len(run.stdout.splitlines()) == 1 and not run.stderr and not Path("never.png").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("duet", "--policy", "greedy"), "cross-play needs 2 or more policies, not only 'greedy'"),
        (
            ("duet", "--policy", "greedy", "--policy", "gredy"),
            "unknown policy for duet 'gredy'; did you mean",
        ),
        (("duet", "--policy", "greedy", "--policy", "human"), "and 'human' does not"),
        (
            ("duet", "--policy", "player_0=greedy"),
            "in duet every policy plays in every seat: say 'greedy', not 'player_0=greedy'",
        ),
        (("duet", "--policy", "greedy", "--policy", "random:x"), "takes no argument, not 'x'"),
        (("duet", "--set", "bord=A"), "did you mean 'board'?"),
        (("duet", "--set", "threads=1"), "unknown option 'threads'"),
        (("duet", "--picture", "map.gif"), "--picture must end in .png, .svg, .pdf, not 'map.gif'"),
        (("duet", "--csv", "none/such.csv"), "there is no folder 'none' to write such.csv to"),
        (("lisak", "--policy", "bayes"), "nobody plays fox: name a policy that can, as in fox=random"),
        (("lisak", "--policy", "fox=bayes"), "the policy 'bayes' plays seeker, not fox"),
        (
            ("lisak", "--policy", "fux=literal"),
            "unknown role 'fux'; did you mean 'fox'? allowed: fox, seeker",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    out = " ".join(run("crossplay", *words, status=2).split())
    assert sentence in out and "Traceback" not in out


def test_one_game_has_no_interval() -> None:
    with pytest.raises(InvalidOption, match="the number of games must be a whole number from 2"):
        crossplay(DUET, PAIR, 1)


def test_a_ruleset_in_a_few_words() -> None:
    assert name_of_ruleset(DUET, DUET.make_ruleset("boxed")) == "boxed"
    assert name_of_ruleset(DUET, DUET.make_ruleset("standard", board="B", agreement=2)) in (
        "standard, agreement=2, board=B",
        "standard, board=B, agreement=2",
    )
    board = {"gems": [1, 1, 1, 0, 1], "plus_marks": [], "start": 3, "forest_tiles": 1}
    assert "its own board" in name_of_ruleset(DUET, DUET.make_ruleset("tiny", board=board))
