"""The trained networks of the package: they play as well as their cards say, and are what they seem."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

pytest.importorskip("sb3_contrib")

from reynard.envs import InvalidOption, find_game
from reynard.envs.duet import DUET
from reynard.policies import make_policy, zoo_names
from reynard.policies.menagerie import FOLDER, zoo_card
from reynard.training.cli import load_app
from reynard.training.config import TrainConfig, read_config
from reynard.training.evaluate import evaluate
from reynard.training.run_folder import EVALUATION_SEED
from reynard.training.trainer import Run
from reynard.training.zoo_command import add

SETTINGS = sorted({name.rsplit("-s", 1)[0] for name in zoo_names()})


@pytest.mark.parametrize("name", zoo_names())
def test_a_card_tells_the_truth(name: str) -> None:
    """A thousand games come out within four standard deviations of the card's win rate."""
    card = zoo_card(name)
    TrainConfig(**card["config"])  # it can be trained again
    assert card["decisions"] >= card["config"]["decisions"] and card["seconds"] > 0
    assert card["seed"] == card["config"]["seed"] and card["reynard"]
    told = card["evaluation"]
    assert told["games"] == 10_000 and told["wins"] == round(told["win_rate"] * 10_000)
    low, high = told["interval"]
    assert low <= told["win_rate"] <= high
    game, ruleset = find_game(card["game"]), card["config"]["ruleset"]
    played = evaluate(game, [f"zoo:{name}"], 1000, EVALUATION_SEED, ruleset)
    spread = (told["win_rate"] * (1 - told["win_rate"]) / 1000) ** 0.5
    assert abs(played.win_rate - told["win_rate"]) <= 4 * spread + 0.002


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_has_three_seeds_of_the_same_configuration(setting: str) -> None:
    cards = [zoo_card(name) for name in zoo_names() if name.rsplit("-s", 1)[0] == setting]
    assert len(cards) >= 3 and len({card["seed"] for card in cards}) == len(cards)

    def alike(config: dict[str, Any]) -> TrainConfig:
        """But for the seed, and the seed of the network that it began with."""
        begun = config.get("start")
        return TrainConfig(**config | {"seed": 0, "start": begun and begun.rsplit("-s", 1)[0]})

    assert len({json.dumps(alike(card["config"]).to_dict()) for card in cards}) == 1


def test_the_zoo_is_small_and_holds_nothing_else() -> None:
    files = [file for file in FOLDER.iterdir() if file.is_file()]
    assert {file.suffix for file in files} == {".json", ".safetensors"}
    assert {file.stem for file in files} == set(zoo_names())
    assert sum(file.stat().st_size for file in files) < 20e6


def test_who_is_not_in_the_zoo_or_cannot_play_here_is_refused() -> None:
    rules = DUET.make_ruleset("standard")
    with pytest.raises(InvalidOption, match="unknown policy in the zoo 'duet-standard-a-s9'; did you mean"):
        make_policy("zoo:duet-standard-a-s9", DUET, rules)
    with pytest.raises(InvalidOption, match="',sample' behind it, not 'duet-standard-a-s0,best'"):
        make_policy("zoo:duet-standard-a-s0,best", DUET, rules)
    with pytest.raises(InvalidOption, match="was trained for duet with 627 numbers in an observation"):
        make_policy("zoo:duet-standard-a-s0", DUET, DUET.make_ruleset("standard", history=False))


def config_of(tmp_path: Path, **changes: Any) -> TrainConfig:
    plain = {
        "game": "duet",
        "ruleset": "tiny",
        "decisions": 2048,
        "games": 32,
        "threads": 1,
        "ppo": {"steps": 16, "batch_size": 128},
        "network": {"trunk": [16], "choices": 8},
        "evaluation": {"every": 1024, "games": 20},
    }
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(plain | changes))
    return read_config(tmp_path / "config.yaml")


def test_a_run_becomes_one_of_them(tmp_path: Path) -> None:
    run, zoo = tmp_path / "run", tmp_path / "zoo"
    zoo.mkdir()
    Run(config_of(tmp_path), run).train()
    words = ["zoo", "add", str(run), "duet-tiny-s0", "--folder", str(zoo), "--games", "200"]
    said = CliRunner(env={"COLUMNS": "100"}).invoke(load_app(), words)
    assert said.exit_code == 0 and said.output.startswith("duet-tiny-s0: ")
    card = json.loads((zoo / "duet-tiny-s0.json").read_text())
    again = evaluate(DUET, [f"learned:{zoo / 'duet-tiny-s0'}"], 200, EVALUATION_SEED, "tiny")
    assert card["evaluation"]["wins"] == again.wins and card["evaluation"]["games"] == 200
    full, half = (
        (folder / name).stat().st_size
        for folder, name in ((run, "policy.safetensors"), (zoo, "duet-tiny-s0.safetensors"))
    )
    assert half < 0.6 * full
    with pytest.raises(InvalidOption, match="the name must be duet- and small letters"):
        add(run, "Reynard", zoo)
    card = json.loads((run / "policy.json").read_text())
    (run / "policy.json").write_text(json.dumps(card | {"decisions": 1024}))
    with pytest.raises(InvalidOption, match="has not ended: 1,024 of 2,048 decisions"):
        add(run, "duet-tiny-s1", zoo)


def test_the_list_names_them_all() -> None:
    said = CliRunner(env={"COLUMNS": "120"}).invoke(load_app(), ["zoo", "list"])
    assert said.exit_code == 0 and all(name in said.output for name in zoo_names())
