"""The command line, as a person meets it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reynard.training.cli import load_app

runner = CliRunner(env={"COLUMNS": "80", "TERM": "dumb"})


def run(*words: str, typed: str | None = None, status: int = 0) -> str:
    result = runner.invoke(load_app(), list(words), input=typed)
    assert result.exit_code == status, result.output
    return result.output


def test_list_names_everything() -> None:
    out = run("list")
    for word in ("reynard/duet-v0", "standard", "boxed", "tiny", "random", "greedy", "cautious", "human"):
        assert word in out
    for word in ("reynard/lisak-v0", "small", "bayes", "literal", "naive", "(as fox)", "(as seeker)"):
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
        (
            ("evaluate", "duet", *["--policy", "random"] * 3),
            "there are 2 seats: name 1 policy or 2, or say SEAT=POLICY or ROLE=POLICY (player), not 3 names",
        ),
        (("watch", "duet", "--perspective", "5"), "--perspective must be a seat's number or name"),
        (("play", "duet", "--seat", "2"), "(0 player_0, 1 player_1), not '2'"),
        (("play", "lisak", "--seat", "seeker_7"), "3 seeker_2), not 'seeker_7'"),
        (("play", "duet", "--timer"), "the policy 'human' takes no argument, not 'timer'"),
        (("evaluate", "lisak", "--policy", "bayes"), "the policy 'bayes' plays seeker, not fox"),
        (("evaluate", "lisak", "--policy", "fox=literal"), "nobody plays seeker_0"),
        (
            ("evaluate", "lisak", "--policy", "naive", "--set", "players=7"),
            "players must be a whole number from 3",
        ),
        (
            ("evaluate", "lisak", "--policy", "naive", "--set", "world=boxx"),
            "unknown world 'boxx'; did you mean",
        ),
        (
            ("world", "box", "--show", "can flyy"),
            "unknown idea or answer 'can flyy'; did you mean 'can fly'?",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    out = " ".join(run(*words, status=2).split())
    assert sentence in out and "Traceback" not in out


def test_every_config_describes_a_ruleset(root: Path, tmp_path: Path) -> None:
    for game, team in (("duet", "greedy"), ("lisak", "naive")):
        files = sorted((root / "configs" / game / "rulesets").glob("*.yaml"))
        assert files
        for file in files:
            run("evaluate", game, "--policy", team, "--games", "20", "--set", f"ruleset={file}")
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
    assert "You may:" in out and "→ player_1:" in out and "The game is over:" in out


def test_play_takes_names_and_lets_one_go() -> None:
    first = run("play", "duet", "--seed", "5", "--set", "first_player=0", typed="dove 99\nquit\n")
    assert "'dove 99' is not possible now" in first and "Goodbye. (seed 5)" in first
    name = first.split("You may: ")[1].split(",")[0].split(" ", 1)[1]
    second = run("play", "duet", "--seed", "5", "--set", "first_player=0", typed=f"{name.upper()}\n")
    assert f"you led {name}" in second and "Goodbye" in second  # the end of input is a goodbye too


# --- Lišák: roles, and people who write what comes to their minds ----------------------------------

TINY = ("--set", "ruleset=tiny")


def test_evaluate_seats_by_role_and_reports_ratings(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    out = run(
        *(
            "evaluate",
            "lisak",
            "--policy",
            "fox=literal",
            "--policy",
            "seeker_1=naive",
            "--policy",
            "seeker=bayes",
        ),
        *("--games", "100", *TINY, "--json", str(file)),
    )
    written = json.loads(file.read_text())
    assert written["configuration"]["policies"] == ["literal", "bayes", "naive", "bayes"]
    assert "literal+bayes+naive+bayes" in out and f"{written['shares']['cunning_foxes']:.1%}" in out
    for word in ("cunning foxes", "seasoned hounds", "sharp falcons", "rounds", "lost clue", "lost trophies"):
        assert word in out
    assert max(map(len, out.splitlines())) <= 80


def test_watch_by_role_in_either_language() -> None:
    out = run("watch", "lisak", *TINY, "--seed", "1", "--perspective", "seeker_1")
    assert "Round 1 of 7" in out and "→ fox: tokens:" in out and "answer " not in out.split("→")[0]
    czech = run("watch", "lisak", *TINY, "--seed", "1", "--set", "language=cs")
    assert "1. kolo ze 7" in czech and "stopa: " in czech and "clue: " not in czech


def played(*typed: str, seat: str = "seeker_0", options: tuple[str, ...] = ()) -> str:
    words = ("play", "lisak", "--seat", seat, "--seed", "3", *TINY, *options)
    return run(*words, typed="\n".join(typed) + "\n")


def test_a_seeker_types_ideas_and_nothing_is_guessed_silently() -> None:
    out = played("", "has wing", "1", "quit", options=("--set", "consultation=0"))
    assert "'has wing' is no idea or answer" not in out.split("Write one idea")[0]
    out = played("has wing", "1", "quit", options=("--set", "consultation=0"))
    assert "'has wing' is no idea or answer of this world." in out
    assert "Close to it: 1 has wings" in out and "→ seeker_1:" in out
    out = played("  HAS   Wings ", "quit", options=("--set", "consultation=0"))
    assert "is no idea" not in out and "→ seeker_1:" in out
    out = played("má křídla", "quit", options=("--set", "consultation=0"))  # Czech is understood too
    assert "is no idea" not in out and "→ seeker_1:" in out
    assert "Goodbye. (seed 3)" in out


def test_an_answer_is_a_clue_or_a_guess_and_the_person_says_which() -> None:
    asked = played("lion", "x", "t", "quit", options=("--set", "consultation=0"))
    assert asked.count("Is 'lion' a clue or a guess?") == 2 and "[lion]" in asked
    assert "Is 'lion'" not in played("!lion", "quit", options=("--set", "consultation=0"))
    helped = played("?", "??hang", "quit")
    assert "Type an idea" in helped and "usually hangs" in helped


def test_a_person_proposes_and_hands_in_blank_cards() -> None:
    out = played("has wings", "", "quit")
    assert "you: has wings" in out and "(blank)" in out


def test_a_person_is_the_fox() -> None:
    out = played("99", "x", *["0", "1", "2", "3", "", "1 1", "9 9", "1"] * 12, seat="fox")
    assert "How many cards lead in the right direction?" in out and "'99' is not possible now." in out
    assert "answer " in out and "The game is over:" in out
    czech = played("quit", seat="fox", options=("--set", "language=cs"))
    assert "Kolik karet vede správným směrem?" in czech


def test_out_of_time_is_a_blank_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from reynard.policies.lisak import human

    monkeypatch.setattr(human, "SECONDS", 1e-9)
    out = played(*["has wings"] * 3, options=("--timer", "--set", "rounds=2"))
    assert "Time is up." in out and "(blank)" in out
    assert "The last round: write the answer on a trophy" in out  # there no time-out can help
    monkeypatch.setattr(human, "SECONDS", 90.0)
    out = played("has wings", "has wings", "quit", options=("--timer",))
    assert "seconds left." in out and "Time is up." not in out


def test_demo_trains_compares_teams_and_draws_a_game(tmp_path: Path, root: Path) -> None:
    pytest.importorskip("sb3_contrib")
    text = (root / "configs" / "duet" / "demo.yaml").read_text()
    for line in ("decisions: 1_000_000", "every: 100_000, games: 500"):
        assert line in text
    text = text.replace("1_000_000", "32768").replace("every: 100_000, games: 500", "every: 16384, games: 50")
    (tmp_path / "quick.yaml").write_text(text)
    new = tmp_path / "new"
    for number in (1, 2):  # a second one leaves the first one's run alone
        out = run("demo", str(tmp_path / "quick.yaml"), "--games", "50", "--out", str(new))
        assert all(team in out for team in ("random", "greedy", "zoo:duet-standard-a-s0", f"run-{number}"))
        assert all(team in out for team in ("naive", "zoo:lisak-small-s0", "literal+bayes"))
        assert (new / f"run-{number}" / "curve.png").stat().st_size > 5000
    for game in ("duet", "lisak"):
        assert (new / f"{game}.gif").stat().st_size > 10_000


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
