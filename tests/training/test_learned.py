"""Networks as players: saved without pickles, refused when they do not fit, playing what they like best."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

import torch

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, make_policy
from reynard.policies.learned import Learned, load_actor, save_actor
from reynard.policies.networks import Actor, Shape
from reynard.training.evaluate import evaluate

RULES = DUET.make_ruleset("tiny")
TINY = Shape(DUET.layout(RULES).visible_size(True), len(DUET.action_names(RULES)), (16, 8), "gelu", True)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    save_actor(tmp_path / "fox", Actor(TINY), {"game": "duet"})
    return tmp_path / "fox"


def test_what_is_saved_plays_the_same_again(saved: Path) -> None:
    actor, card = load_actor(saved)
    assert card["game"] == "duet" and actor.shape == TINY
    torch.manual_seed(1)
    first = evaluate(DUET, Learned(Actor(TINY).eval(), DUET, RULES), 100, ruleset="tiny")
    for spec in (f"learned:{saved}", f"learned:{saved}.safetensors", f"learned:{saved}.json"):
        again = evaluate(DUET, [spec], 100, ruleset="tiny")
        assert again.outcomes == first.outcomes and again.means == first.means
    assert sorted(path.name for path in saved.parent.iterdir()) == ["fox.json", "fox.safetensors"]


def test_the_favourite_is_the_best_legal_action_and_samples_follow_the_odds(saved: Path) -> None:
    table = Table(DUET, "tiny")
    table.begin(0)
    seat = table.to_move
    n = 4000
    seen = np.repeat(table.observations[seat : seat + 1], n, axis=0)
    masks = np.repeat(table.masks[seat : seat + 1], n, axis=0)
    with torch.no_grad():
        logits = load_actor(saved)[0](torch.from_numpy(seen[:1])).numpy()[0]
    legal = np.flatnonzero(masks[0])
    dice = Dice(key_of(0), np.arange(n), np.zeros(n))
    favourite = make_policy(f"learned:{saved}", DUET, RULES).act(seen, masks, np.full(n, seat), dice)
    assert (favourite == legal[logits[legal].argmax()]).all()
    drawn = make_policy(f"learned:{saved},sample", DUET, RULES).act(seen, masks, np.full(n, seat), dice)
    assert masks[0][drawn].all()
    odds = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    for action, chance in zip(legal, odds, strict=True):
        assert abs((drawn == action).mean() - chance) < 4 * (chance / n) ** 0.5 + 1e-3


def test_what_does_not_fit_is_refused_in_one_sentence(saved: Path) -> None:
    def refused(spec: str, sentence: str, game: object = DUET, preset: str = "tiny") -> None:
        with pytest.raises(InvalidOption, match=sentence):
            make_policy(spec, game, game.make_ruleset(preset))  # type: ignore[attr-defined]

    refused("learned", "learned takes the path of a policy")
    refused(f"learned:{saved},best", "',sample' behind it, not")
    refused("learned:nowhere", "no learned policy can be read from nowhere: .*No such file")
    refused(f"learned:{saved}", "was trained for duet with .* this game is lisak", LISAK)
    card = json.loads(saved.with_suffix(".json").read_text())
    for network, sentence in (
        (None, "does not say what its network is"),
        ({**card["network"], "trunk": [16, 9]}, "does not fit the network that"),
        ({**card["network"], "activation": "swish"}, "unknown activation 'swish'"),
        ({**card["network"], "depth": 3}, "unknown part of a network 'depth'"),
        ({"inputs": 3}, "that describes no network"),
    ):
        saved.with_suffix(".json").write_text(json.dumps({"game": "duet", "network": network}))
        refused(f"learned:{saved}", sentence)
    saved.with_suffix(".json").write_text(json.dumps(card))
    saved.with_suffix(".safetensors").write_bytes(b"\x80\x04K*.")  # a pickle
    refused(f"learned:{saved}", "no learned policy can be read")
