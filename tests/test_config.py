"""The configuration of training runs: what is read, and what is said about what is wrong."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic")
pytest.importorskip("yaml")

from reynard.envs.errors import InvalidOption
from reynard.training.config import Schedule, TrainConfig, differences, read_config

SHORT = "game: duet\ndecisions: 1000\n"
RUN = (
    "game, ruleset, seed, decisions, start, imitation, games, threads, backend, other_play, partners, "
    "learner, shaping, ppo, network, evaluation, checkpoint"
)
PPO = "steps, batch_size, epochs, gamma, gae_lambda, clip, value_coef, max_grad_norm, learning_rate, entropy"
SCHEDULE = "a number of at least 0 or a mapping with the keys start, end, shape, until"
COUNT = "a whole number of at least 1"
WIDTHS = "a list of whole numbers of at least 1"
NO_YAML = "this is no YAML: while"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that sentences name the file as run.yaml


def read(text: str, *settings: str) -> TrainConfig:
    Path("run.yaml").write_text(text, encoding="utf-8")
    return read_config("run.yaml", list(settings))


def refused(text: str, *settings: str) -> str:
    with pytest.raises(InvalidOption) as refusal:
        read(text, *settings)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


# --- What is good -----------------------------------------------------------------------------------


def test_two_keys_are_enough() -> None:
    config = read(SHORT)
    assert config.to_dict() == {
        "game": "duet",
        "ruleset": "standard",
        "seed": 0,
        "decisions": 1000,
        "start": None,
        "imitation": None,
        "games": 1024,
        "threads": None,
        "backend": "sb3",
        "other_play": False,
        "partners": [],
        "learner": None,
        "shaping": 0.0,
        "ppo": {
            "steps": 64,
            "batch_size": 8192,
            "epochs": 2,
            "gamma": 0.997,
            "gae_lambda": 0.95,
            "clip": 0.2,
            "value_coef": 0.5,
            "max_grad_norm": 0.5,
            "learning_rate": {"start": 3e-4, "end": 3e-4, "shape": "constant", "until": 1.0},
            "entropy": {"start": 0.01, "end": 0.01, "shape": "constant", "until": 1.0},
        },
        "network": {
            "trunk": [256, 256],
            "activation": "relu",
            "norm": False,
            "reads": None,
            "embedding": 0,
            "choices": 0,
            "alike": False,
            "critic": "shared",
        },
        "evaluation": {"every": 1_000_000, "games": 1000},
        "checkpoint": {"every": 1_000_000},
    }
    assert config == read_config("run.yaml") == TrainConfig(**config.to_dict())


def test_the_example_says_everything_and_is_good(root: Path) -> None:
    file = root / "configs" / "duet" / "selfplay.yaml"
    config = read_config(file)
    assert config.game == "duet" and config.ppo.learning_rate.start == 1e-3 and config.network.choices == 64
    text = file.read_text(encoding="utf-8")
    for key, field in TrainConfig.model_fields.items():
        assert f"\n{key}:" in text
        for part in getattr(field.annotation, "model_fields", {}):
            assert f"\n  {part}:" in text


def test_whole_numbers_are_numbers_and_exponents_need_no_dot() -> None:
    config = read(SHORT + "ppo: {gamma: 1, max_grad_norm: 2, learning_rate: 3e-4, value_coef: 5E-1}")
    assert config.ppo.gamma == 1.0 and isinstance(config.ppo.gamma, float)
    assert config.ppo.learning_rate == Schedule(start=3e-4, end=3e-4, shape="constant")
    assert config.ppo.value_coef == 0.5


def test_nothing_can_be_changed_afterwards() -> None:
    config = read(SHORT + "network: {trunk: [64]}")
    assert config.network.trunk == (64,)
    with pytest.raises(ValueError, match="frozen"):
        config.ppo.clip = 0.5  # type: ignore[misc]


@pytest.mark.parametrize(
    "ruleset",
    [
        "tiny",
        "{characters: [], board: {gems: [1, 0, 1], plus_marks: [0, 2], start: 1, forest_tiles: 1}}",
    ],
)
def test_a_written_config_reads_back_equal(ruleset: str) -> None:
    config = read(
        f"game: duet\ndecisions: 70_000\nruleset: {ruleset}\nthreads: 3\ngames: 16\n"
        "ppo: {batch_size: 512, entropy: 0, learning_rate: {start: 1e-5, end: 0, shape: cosine}}\n"
        "network: {trunk: [32, 16, 8], activation: gelu, norm: yes, critic: own}\n"
    )
    config.write_config("written.yaml")
    again = read_config("written.yaml")
    assert again == config and again.to_dict() == config.to_dict() and differences(config, again) == []


def test_strings_that_look_like_numbers_or_dates_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    world: dict[str, Any] = {"world": "3e4", "hints": ["2026-02-31", "ostrý šíp"]}
    config = TrainConfig.model_construct(game="lisak", ruleset=world, decisions=1)
    config.write_config("written.yaml")
    monkeypatch.setattr("reynard.training.config._wrong_with", lambda game, ruleset: None)
    assert read_config("written.yaml").ruleset == world


# --- Schedules --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (5, [5, 5, 5, 5, 5]),
        ({"start": 8, "end": 0}, [8, 6, 4, 2, 0]),
        ({"start": 0, "end": 8, "until": 0.5}, [0, 4, 8, 8, 8]),
        ({"start": 8, "end": 0, "shape": "cosine"}, [8, 4 + 2 * 2**0.5, 4, 4 - 2 * 2**0.5, 0]),
        ({"start": 8, "end": 2, "shape": "cosine", "until": 0.5}, [8, 5, 2, 2, 2]),
        ({"start": 8, "shape": "constant"}, [8, 8, 8, 8, 8]),
        ({"start": 8, "end": 2, "shape": "constant", "until": 0.5}, [8, 8, 2, 2, 2]),
    ],
)
def test_schedule_values(schedule: Any, values: list[float]) -> None:
    made = Schedule.model_validate(schedule)
    assert [made.value(quarter / 4) for quarter in range(5)] == pytest.approx(values)
    assert made.value(0) == values[0] and made.value(1) == values[-1]  # exactly


# --- What is wrong, and where -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        # keys
        ("\nsede: 1", f"line 4: unknown key 'sede'; did you mean 'seed'? allowed: {RUN}"),
        (
            "ppo:\n  epochs: 1\n  clipp: 1",
            f"line 5: ppo: unknown key 'clipp'; did you mean 'clip'? allowed: {PPO}",
        ),
        (
            "ppo:\n  entropy:\n    strat: 1",
            "line 5: ppo.entropy: unknown key 'strat'; did you mean 'start'? "
            "allowed: start, end, shape, until",
        ),
        ("7: 1", f"line 3: unknown key '7'; allowed: {RUN}"),
        ("seed: 1\ngames: 2\nseed: 3", "line 5: seed is given twice; give it once"),
        ("ppo:\n  clip: 1\n  clip: 1", "line 5: ppo.clip is given twice; give it once"),
        (
            "ppo:\n  entropy:\n    start: 1",
            "line 4: ppo.entropy.end is missing; it must be a number of at least 0",
        ),
        # values
        ("seed: -1", "line 3: seed must be a whole number of at least 0, not -1"),
        ("games: 0", f"line 3: games must be {COUNT}, not 0"),
        ("games: 64.0", f"line 3: games must be {COUNT}, not 64.0"),
        ("games: yes", f"line 3: games must be {COUNT}, not True"),
        ("threads: 0", f"line 3: threads must be {COUNT}, or null, not 0"),
        ("threads: two", f"line 3: threads must be {COUNT}, or null, not 'two'"),
        ("seed: 2026-02-31", "line 3: seed must be a whole number of at least 0, not '2026-02-31'"),
        ("ppo: 3", f"line 3: ppo must be a mapping with the keys {PPO}, not 3"),
        ("ppo:", f"line 3: ppo must be a mapping with the keys {PPO}, not None"),
        ("ppo:\n\n  steps: 0", f"line 5: ppo.steps must be {COUNT}, not 0"),
        ("ppo:\n  batch_size: 0", f"line 4: ppo.batch_size must be {COUNT}, not 0"),
        ("ppo:\n  epochs: 0", f"line 4: ppo.epochs must be {COUNT}, not 0"),
        ("ppo:\n  gamma: 1.1", "line 4: ppo.gamma must be a number from 0 to 1, not 1.1"),
        ("ppo:\n  gamma: true", "line 4: ppo.gamma must be a number from 0 to 1, not True"),
        ("ppo:\n  gae_lambda: -1", "line 4: ppo.gae_lambda must be a number from 0 to 1, not -1"),
        ("ppo:\n  clip: 0", "line 4: ppo.clip must be a number above 0 and at most 1, not 0"),
        ("ppo:\n  value_coef: -0.1", "line 4: ppo.value_coef must be a number of at least 0, not -0.1"),
        ("ppo:\n  max_grad_norm: 0", "line 4: ppo.max_grad_norm must be a number above 0, not 0"),
        ("ppo:\n  max_grad_norm: .inf", "line 4: ppo.max_grad_norm must be a number above 0, not inf"),
        ("ppo:\n  <<: {clip: 5}", "line 3: ppo.clip must be a number above 0 and at most 1, not 5"),
        ("network:\n  trunk: [8, 0]", f"line 4: network.trunk must be {WIDTHS}, not [8, 0]"),
        ("network:\n  trunk: []", f"line 4: network.trunk must be {WIDTHS}, not []"),
        ("network:\n  trunk: 64", f"line 4: network.trunk must be {WIDTHS}, not 64"),
        (
            "network: {alike: true}",
            "line 3: network.alike needs network.choices: units to judge the actions by their prospects",
        ),
        (
            "learner: [fox]",
            "line 3: learner needs partners: name who plays the other seats, or leave both out",
        ),
        (
            "partners: greedy",
            "line 3: partners must be a list of policies, or of lists of SEAT=POLICY, not 'greedy'",
        ),
        (
            "network:\n  activation: rely",
            "line 4: network.activation must be one of relu, gelu, tanh, not 'rely'",
        ),
        ("network:\n  critic: [own]", "line 4: network.critic must be one of shared, own, full, not ['own']"),
        ("network:\n  norm: 1", "line 4: network.norm must be true or false, not 1"),
        ("evaluation:\n  every: 0", f"line 4: evaluation.every must be {COUNT}, not 0"),
        ("evaluation:\n  games: 1.5", f"line 4: evaluation.games must be {COUNT}, not 1.5"),
        ("checkpoint:\n  every: -2", f"line 4: checkpoint.every must be {COUNT}, not -2"),
        # schedules
        ("ppo:\n  entropy: fast", f"line 4: ppo.entropy must be {SCHEDULE}, not 'fast'"),
        ("ppo:\n  entropy: -1", f"line 4: ppo.entropy must be {SCHEDULE}, not -1"),
        ("ppo:\n  entropy: true", f"line 4: ppo.entropy must be {SCHEDULE}, not True"),
        (
            "ppo:\n  entropy:\n    start: -1\n    end: 0",
            "line 5: ppo.entropy.start must be a number of at least 0, not -1",
        ),
        (
            "ppo:\n  entropy:\n    start: 1\n    end: 0\n    until: 0",
            "line 7: ppo.entropy.until must be a number above 0 and at most 1, not 0",
        ),
        (
            "ppo:\n  entropy: {start: 1, end: 0,\n    shape: cosin}",
            "line 5: ppo.entropy.shape must be one of linear, cosine, constant, not 'cosin'",
        ),
        (
            "ppo:\n  learning_rate: 0",
            "line 4: ppo.learning_rate must be above 0 at an end, not 0 all along",
        ),
        # the ruleset, in the game's own words, at the option that is wrong
        ("ruleset: 3", "line 3: ruleset must be a preset's name or a mapping of the game's options, not 3"),
        (
            "ruleset: standart",
            "line 3: ruleset: unknown ruleset 'standart'; did you mean 'standard'? "
            "allowed: standard, boxed, tiny",
        ),
        (
            "ruleset:\n  board: A\n  agreement: 99",
            "line 5: ruleset: agreement must be a whole number from 0 to 16, not 99",
        ),
        (
            "ruleset:\n  suits: 1\n  ranks: [1, 2]",
            "line 3: ruleset: suits and ranks must leave at least 3 cards: one for each hand and the decree",
        ),
        # YAML
        (
            "ppo: [1, 2",
            f"line 4: {NO_YAML} parsing a flow sequence, expected ',' or ']', but got '<stream end>'",
        ),
        (
            "seed: 'abc\ngames: 1",
            f"line 3: {NO_YAML} scanning a quoted scalar, found unexpected end of stream",
        ),
        ("seed\ngames: 1", f"line 3: {NO_YAML} scanning a simple key, could not find expected ':'"),
        (
            "seed: 1\n\tgames: 1",
            f"line 4: {NO_YAML} scanning for the next token, found character '\\t' "
            "that cannot start any token",
        ),
        (
            "seed: !!python/none x",
            "line 3: this is no YAML: could not determine a constructor for the tag "
            "'tag:yaml.org,2002:python/none'",
        ),
        (
            "seed: 1\n---\nseed: 2",
            "line 4: this is no YAML: expected a single document in the stream, but found another document",
        ),
        ("? [a]\n: 1", f"line 3: {NO_YAML} constructing a mapping, found unhashable key"),
        ("seed: \a", "line 3: this is no YAML: special characters are not allowed"),
        ("seed: *one", "line 3: this is no YAML: found undefined alias 'one'"),
        ("ruleset: &me\n  board: *me", "line 4: ruleset is nested more than 20 deep"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(rest: str, sentence: str) -> None:
    assert refused(SHORT + rest + "\n") == f"run.yaml, {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("decisions: 1", "run.yaml, line 1: game is missing; it must be a game (duet, lisak)"),
        ("# a run\ngame: duet", f"run.yaml, line 2: decisions is missing; it must be {COUNT}"),
        ("gmae: duet", f"run.yaml, line 1: unknown key 'gmae'; did you mean 'game'? allowed: {RUN}"),
        (
            "decisions: 1\ngame: dust",
            "run.yaml, line 2: unknown game 'dust'; did you mean 'duet'? allowed: duet, lisak",
        ),
        ("game: 1\ndecisions: 1", "run.yaml, line 1: game must be a game (duet, lisak), not 1"),
        ("game: duet\ndecisions: 0", f"run.yaml, line 2: decisions must be {COUNT}, not 0"),
        ("", f"run.yaml, line 1: a run must be a mapping with the keys {RUN}, not None"),
        ("\n- duet", f"run.yaml, line 2: a run must be a mapping with the keys {RUN}, not ['duet']"),
        (
            "game: lisak\ndecisions: 1\nruleset:\n  players: 7",
            "run.yaml, line 4: ruleset: players must be a whole number from 3 to 6, not 7",
        ),
    ],
)
def test_what_is_wrong_with_the_whole(text: str, sentence: str) -> None:
    assert refused(text) == sentence


def test_a_file_that_cannot_be_read() -> None:
    with pytest.raises(InvalidOption, match=r"^none\.yaml cannot be read: No such file or directory$"):
        read_config("none.yaml")
    Path("run.yaml").write_bytes(b"game: \xff")
    with pytest.raises(InvalidOption, match=r"^run\.yaml cannot be read: 'utf-8' codec can't decode byte"):
        read_config("run.yaml")


@pytest.mark.parametrize(
    ("games", "steps", "batch_size", "nearest"),
    [
        (1000, 64, 8192, "8000 or 12800"),
        (1024, 64, 1000, "512 or 1024"),
        (16, 64, 8192, "1024"),
        (7, 11, 2, "1 or 7"),
    ],
)
def test_batches_divide_an_update(games: int, steps: int, batch_size: int, nearest: str) -> None:
    text = f"{SHORT}games: {games}\nppo:\n  steps: {steps}\n  batch_size: "
    said = refused(f"{text}{batch_size}")
    assert said == (
        f"run.yaml, line 6: ppo.batch_size must divide games * ppo.steps "
        f"({games} * {steps} = {games * steps}), which "
        f"{batch_size} does not; nearest: {nearest}"
    )
    for size in nearest.split(" or "):
        assert read(text + size).ppo.batch_size == int(size)


# --- Settings ---------------------------------------------------------------------------------------


def test_settings_go_over_the_file_and_later_ones_over_earlier_ones() -> None:
    config = read(
        SHORT + "seed: 1\nppo: {clip: 0.1, epochs: 3}\nthreads: 4\n",
        *("seed=2", "seed=3", "ppo.clip=3e-1", "ppo.entropy={start: 1, end: 0}", "ppo.entropy.until=0.5"),
        *("threads=", "network.trunk=[8]", "ruleset.agreement=2", "ruleset.board=B"),
    )
    assert (config.seed, config.threads, config.network.trunk) == (3, None, (8,))
    assert (config.ppo.clip, config.ppo.epochs) == (0.3, 3)
    assert config.ppo.entropy == Schedule(start=1, end=0, until=0.5)
    assert config.ruleset == {"agreement": 2, "board": "B"}
    assert read("", "game=lisak", "decisions=5") == read("game: lisak\ndecisions: 5")


def test_a_setting_changes_one_place_even_where_an_alias_shares_it() -> None:
    config = read(
        SHORT + "ppo:\n  entropy: &same {start: 1, end: 0}\n  learning_rate: *same\n", "ppo.entropy.start=2"
    )
    assert (config.ppo.entropy.start, config.ppo.learning_rate.start) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("seed", "--set takes KEY=VALUE, not 'seed'"),
        ("ppo.clip=2", "--set ppo.clip=2: ppo.clip must be a number above 0 and at most 1, not 2"),
        ("ppo={clip: 2}", "--set ppo={clip: 2}: ppo.clip must be a number above 0 and at most 1, not 2"),
        ("ppo={clip: 1, clip: 1}", "--set ppo={clip: 1, clip: 1}: ppo.clip is given twice; give it once"),
        ("sede=2", f"--set sede=2: unknown key 'sede'; did you mean 'seed'? allowed: {RUN}"),
        ("ppo.step=2", f"--set ppo.step=2: ppo: unknown key 'step'; did you mean 'steps'? allowed: {PPO}"),
        (
            "ppo.entropy.end=0",
            "--set ppo.entropy.end=0: ppo.entropy.start is missing; it must be a number of at least 0",
        ),
        ("games.a=2", "--set games.a=2: games is no mapping; set it as a whole"),
        ("ppo.clip.a=2", "--set ppo.clip.a=2: ppo.clip is no mapping; set it as a whole"),
        ("game=dust", "--set game=dust: unknown game 'dust'; did you mean 'duet'? allowed: duet, lisak"),
        (
            "ruleset.agreement=99",
            "--set ruleset.agreement=99: ruleset: agreement must be a whole number from 0 to 16, not 99",
        ),
        (
            "games=1000",
            "--set games=1000: ppo.batch_size must divide games * ppo.steps (1000 * 64 = 64000), which "
            "8192 does not; nearest: 8000 or 12800",
        ),
        (
            "seed=[1",
            f"--set seed=[1: {NO_YAML} parsing a flow sequence, expected ',' or ']', but got '<stream end>'",
        ),
    ],
)
def test_what_is_wrong_with_a_setting_names_it(setting: str, sentence: str) -> None:
    text = SHORT + "games: 1024\nppo:\n  clip: 0.2\n  batch_size: 8192\n"
    assert refused(text, "seed=5", setting) == sentence


def test_a_line_is_named_where_the_settings_are_good() -> None:
    assert refused(SHORT + "seed: x\n", "games=16").startswith("run.yaml, line 3: seed must be")
    assert refused("\nseed: 1\n", "game=duet").startswith("run.yaml, line 2: decisions is missing")
    half = SHORT + "ppo:\n  entropy: {start: 1}\n"
    assert refused(half, "ppo.entropy.until=1").startswith("run.yaml, line 4: ppo.entropy.end is missing")


def test_braces_are_said_as_they_are() -> None:
    assert refused("game: '{keys}'\ndecisions: 1").startswith("run.yaml, line 1: unknown game '{keys}';")


# --- Two configurations -----------------------------------------------------------------------------


def test_differences_are_named() -> None:
    old = read(SHORT)
    assert differences(old, old) == []
    assert differences(old, read(SHORT, "ppo.clip=0.1", "network.trunk=[8]", "threads=2", "seed=0")) == [
        "threads: None → 2",
        "ppo.clip: 0.2 → 0.1",
        "network.trunk: [256, 256] → [8]",
    ]
    one, other = read(SHORT, "ruleset={agreement: 2}"), read(SHORT, "ruleset={board: B}")
    assert differences(old, one) == ["ruleset: standard → {'agreement': 2}"]
    assert differences(one, other) == ["ruleset.agreement: 2 → (none)", "ruleset.board: (none) → B"]
