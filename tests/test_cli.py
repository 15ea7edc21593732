"""The command line, as a person meets it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reynard.training.commands import app

runner = CliRunner(env={"COLUMNS": "80", "TERM": "dumb"})


def run(*words: str, typed: str | None = None, status: int = 0) -> str:
    result = runner.invoke(app, list(words), input=typed)
    assert result.exit_code == status, result.output
    return result.output


def test_list_names_everything() -> None:
    out = run("list")
    for word in ("reynard/duet-v0", "standard", "boxed", "tiny", "random", "greedy", "cautious", "human"):
        assert word in out


def test_evaluate_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    out = run(
        *("evaluate", "duet", "--policy", "greedy", "--policy", "cautious", "--games", "200", "--seed", "4"),
        *("--set", "ruleset=boxed", "--set", "characters=[gift, foxes]", "--json", str(file)),
    )
    written = json.loads(file.read_text())
    assert "greedy+cautious" in out and f"{written['win_rate']:.1%}" in out
    assert max(map(len, out.splitlines())) <= 80 and "…" not in out
    assert written["games"] == sum(written["outcomes"].values()) == 200
    assert written["configuration"]["ruleset"]["characters"] == ["foxes", "gift"]
    assert written["configuration"]["policies"] == ["greedy", "cautious"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("evaluate", "dust", "--policy", "greedy"), "unknown game 'dust'; did you mean 'duet'?"),
        (
            ("evaluate", "duet", "--policy", "gredy"),
            "unknown policy for duet 'gredy'; did you mean 'greedy'?",
        ),
        (("evaluate", "duet", "--policy", "random", "--set", "bord=A"), "did you mean 'board'?"),
        (("evaluate", "duet", "--policy", "random", "--set", "board"), "--set takes KEY=VALUE, not 'board'"),
        (
            ("evaluate", "duet", "--policy", "random", "--set", "board={gems: [1, 0]}"),
            "board needs the field 'plus_marks'",
        ),
        (("evaluate", "duet", "--policy", "random", "--set", "characters=[fox]"), "unknown character 'fox'"),
        (("evaluate", "duet", "--policy", "random", "--set", "board=[1, 2]"), "not [1, 2]"),
        (("evaluate", "duet", "--policy", "random", "--set", "board=[a"), "is no YAML"),
        (("evaluate", "duet", *["--policy", "random"] * 3), "name 1 policy or 2, not 3"),
        (("watch", "duet", "--perspective", "5"), "--perspective must be a whole number from 0 to 1, not 5"),
        (("play", "duet", "--seat", "2"), "--seat must be a whole number from 0 to 1, not 2"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    out = " ".join(run(*words, status=2).split())
    assert sentence in out and "Traceback" not in out


def test_every_config_describes_a_ruleset(root: Path, tmp_path: Path) -> None:
    files = sorted((root / "configs" / "duet").glob("*.yaml"))
    assert files
    for file in files:
        run("evaluate", "duet", "--policy", "greedy", "--games", "20", "--set", f"ruleset={file}")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("characters: [fox]")
    out = run("evaluate", "duet", "--policy", "random", "--set", f"ruleset={wrong}", status=2)
    assert "unknown character 'fox'" in out
    assert "No such file" in run(
        "evaluate", "duet", "--policy", "random", "--set", "ruleset=none.yaml", status=2
    )


def test_watch_shows_the_game_that_evaluate_plays() -> None:
    full = run("watch", "duet", "--policy", "greedy", "--seed", "3", "--set", "ruleset=tiny")
    assert "round 1 of 2" in full and "→ player_" in full
    assert full == run("watch", "duet", "--policy", "greedy", "--seed", "3", "--set", "ruleset=tiny")
    other = run("watch", "duet", "--policy", "greedy", "--seed", "3", "--game", "1", "--set", "ruleset=tiny")
    assert full != other


def test_X3_watching_one_seat_shows_no_secret_choice() -> None:
    for seed in range(40):
        words = ("watch", "duet", "--policy", "random", "--seed", str(seed), "--set", "ruleset=tiny")
        if "chooses in secret" in run(*words, "--perspective", "0"):
            assert "chooses in secret" not in run(*words)
            return
    raise AssertionError("no Gift was chosen in 40 games")


def test_watch_writes_a_gif(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    file = tmp_path / "game.gif"
    out = run("watch", "duet", "--policy", "random", "--set", "ruleset=tiny", "--gif", str(file))
    assert "pictures written to" in out
    with image.open(file) as picture:
        assert picture.n_frames > 5 and picture.size == (960, 720)


def test_play_to_the_end_with_a_partner() -> None:
    answers = "\n".join(str(action) for _ in range(40) for action in range(39))
    out = run("play", "duet", "--partner", "cautious", "--seed", "1", "--set", "ruleset=tiny", typed=answers)
    assert "You may:" in out and "→ your partner:" in out and "The game is over:" in out


def test_play_takes_names_and_lets_one_go() -> None:
    first = run("play", "duet", "--seed", "5", "--set", "first_player=0", typed="dove 99\nquit\n")
    assert "'dove 99' is not possible now" in first and "Goodbye. (seed 5)" in first
    name = first.split("You may: ")[1].split(",")[0].split(" ", 1)[1]
    second = run("play", "duet", "--seed", "5", "--set", "first_player=0", typed=f"{name.upper()}\n")
    assert f"you led {name}" in second and "Goodbye" in second  # the end of input is a goodbye too


def test_demo_compares_teams_and_draws_a_game(tmp_path: Path) -> None:
    out = run("demo", "--games", "100", "--out", str(tmp_path / "new"))
    assert all(team in out for team in ("random", "cautious", "greedy+cautious"))
    assert (tmp_path / "new" / "duet.gif").stat().st_size > 10_000


def test_bench_measures_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reynard.training import peers

    monkeypatch.setattr(peers, "PEERS", ())
    file = tmp_path / "bench.json"
    run("bench", "duet", "--seconds", "0.1", "--json", str(file))
    figures = {figure["name"]: figure for figure in json.loads(file.read_text())}
    assert figures["reynard engine"]["value"] > 0
    assert {"reynard vector", "reynard env", "reynard raw_env", "memory", "first AEC game"} <= set(figures)


def test_the_script_says_what_is_missing() -> None:
    code = "import sys; sys.modules['typer'] = None; from reynard.training.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.strip() == 'the command line needs typer: pip install "reynard[cli]"'


def test_the_environments_need_no_extra() -> None:
    absent = ("typer", "rich", "yaml", "pygame", "PIL", "torch", "matplotlib")
    code = (
        "import sys\n"
        f"for name in {absent}: sys.modules[name] = None\n"
        "import gymnasium, reynard.envs\n"
        "from reynard.envs import duet_v0\n"
        "duet_v0.env(render_mode='ansi').reset(seed=0)\n"
        "gymnasium.make('reynard/duet-v0', partner='greedy').reset(seed=0)\n"
        "env = duet_v0.raw_env(render_mode='rgb_array')\n"
        "env.reset(seed=0)\n"
        "try: env.render()\n"
        "except ImportError as missing: print(missing)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "reynard[render]"' in run.stdout and len(run.stdout.splitlines()) == 1
