"""What networks are made of: parts that are read, cards that are embedded, choices that are judged alike."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.policies.learned import load_actor, save_actor
from reynard.policies.networks import Actor, Shape
from reynard.training.config import NetworkConfig
from reynard.training.selfplay import SelfPlay
from reynard.training.shape import shape_of

STANDARD = DUET.make_ruleset("standard")


def moments(game: object, ruleset: object, prospects: bool, steps: int = 20) -> torch.Tensor:
    envs, rng = SelfPlay(game, ruleset, 16, prospects=prospects), np.random.default_rng(0)  # type: ignore[arg-type]
    seen = envs.reset()
    for _ in range(steps):
        masks = envs.action_masks()
        seen, *_ = envs.step((rng.random(masks.shape) * masks).argmax(axis=1))
    return torch.from_numpy(seen)


def test_only_what_is_read_counts_and_is_scaled() -> None:
    shape = shape_of(DUET, STANDARD, NetworkConfig(trunk=(8,), reads=("hand", "gems", "trick_tracker")))
    slices = DUET.layout(STANDARD).slices()
    assert shape.reads == (
        (slices["gems"].start, slices["gems"].stop, 2.0),
        (slices["hand"].start, slices["hand"].stop, 1.0),
        (slices["trick_tracker"].start, slices["trick_tracker"].stop, 11.0),
    )
    actor, seen = Actor(shape), moments(DUET, STANDARD, False)
    read = actor.body.reader(seen)
    by_hand = [seen[:, first:end].float() / by for first, end, by in shape.reads]
    assert torch.allclose(read, torch.cat(by_hand, dim=1))
    other = seen.clone()
    other[:, slices["unseen"]] = 1 - other[:, slices["unseen"]]
    assert torch.equal(actor(seen), actor(other))
    other[:, slices["hand"]] = 1 - other[:, slices["hand"]]
    assert not torch.equal(actor(seen), actor(other))


def test_a_segment_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"network.reads: unknown segment 'hands'; did you mean 'hand'\?"):
        shape_of(DUET, STANDARD, NetworkConfig(reads=("hands",)))
    short = DUET.make_ruleset("standard", history=False)
    with pytest.raises(InvalidOption, match="unknown segment 'void'"):
        shape_of(DUET, short, NetworkConfig(reads=("void",)))


def test_cards_are_embedded_by_kind_and_number() -> None:
    rules = LISAK.make_ruleset("tiny")
    shape = shape_of(LISAK, rules, NetworkConfig(trunk=(8,), embedding=4))
    parts = {part.name: part for part in LISAK.layout(rules).segments}
    assert shape.numbers == (5, parts["rows"].high + 1) and shape.embedding == 4
    assert len(shape.cards) == 3 and not any(reads[:2] in shape.cards for reads in shape.reads)
    actor, seen = Actor(shape), moments(LISAK, rules, False)
    cards = sum(end - first for first, end in shape.cards) // 2
    numbers = sum(end - first for first, end, _ in shape.reads)
    assert actor.body.reader(seen).shape == (16, numbers + 4 * cards)
    place = shape.cards[0][0]
    other = seen.clone()
    other[:, place + 1] = 1 + other[:, place + 1] % 3
    assert not torch.equal(actor(seen), actor(other))
    flat = shape_of(LISAK, LISAK.make_ruleset("tiny", rows="flat"), NetworkConfig(embedding=4))
    assert flat.cards == () and flat.embedding == 0


@pytest.mark.parametrize("open_actions", [1, 6])
def test_choices_are_judged_alike_whether_few_or_many(open_actions: int) -> None:
    torch.manual_seed(0)
    actor = Actor(Shape(3, 6, (4,), features=2, choices=5))
    torch.nn.init.normal_(actor.body.of_action.weight)
    seen = torch.rand(7, 3)
    prospects = torch.zeros(7, 6, 2)
    chosen = torch.stack([torch.randperm(6)[:open_actions] for _ in range(7)])
    prospects.scatter_(1, chosen[:, :, None].expand(-1, -1, 2), 100 * torch.rand(7, open_actions, 2))
    prospects[:, :, 0] = torch.where(prospects[:, :, 0] > 0, 100.0, 0.0)
    logits = actor(torch.cat([seen, prospects.flatten(1)], dim=1))
    features = actor.body.trunk(seen)
    for row in range(7):
        for action in chosen[row]:
            units = (
                actor.body.of_choice.weight @ (prospects[row, action] / 100)
                + actor.body.of_action.weight[action]
                + actor.body.of_whole(features[row])
            )
            assert actor.score is not None
            score = actor.score(torch.relu(units))[0] + actor.head(features[row])[action]
            assert logits[row, action].item() == pytest.approx(score.item(), abs=1e-5)
    found, choices = actor.body(torch.cat([seen, prospects.flatten(1)], dim=1))
    assert choices is not None and (choices.rows is None) == (open_actions == 6)
    together = choices.together(len(found))
    assert together.shape == (7, 5) and (together >= 0).all()
    if open_actions == 1:
        assert torch.allclose(together, choices.units)


def test_actions_that_are_alike_are_worth_the_same() -> None:
    torch.manual_seed(0)
    prospects = torch.zeros(2, 6, 2)
    prospects[:, [1, 4]] = torch.tensor([100.0, 30.0])
    prospects[:, 2] = torch.tensor([100.0, 80.0])
    whole = torch.cat([torch.rand(2, 3), prospects.flatten(1)], dim=1)
    for alike in (True, False):
        actor = Actor(Shape(3, 6, (4,), features=2, choices=5, alike=alike))
        assert actor.score is not None
        for name, weights in actor.named_parameters():
            if not name.endswith("bias"):
                torch.nn.init.normal_(weights)
        logits = actor(whole)
        same = torch.isclose(logits[:, 1], logits[:, 4], atol=1e-6)
        assert same.all() if alike else not same.any()
        assert not torch.isclose(logits[:, 1], logits[:, 2]).any()


def test_every_shape_survives_saving(tmp_path: Path) -> None:
    for game, ruleset, network in (
        (DUET, STANDARD, NetworkConfig(trunk=(8, 8), reads=("hand", "led"), choices=4)),
        (LISAK, LISAK.make_ruleset("tiny"), NetworkConfig(trunk=(8,), embedding=3, norm=True)),
        (LISAK, LISAK.make_ruleset("tiny"), NetworkConfig(trunk=(8,), embedding=2, choices=4)),
        (LISAK, LISAK.make_ruleset("tiny"), NetworkConfig(trunk=(8,), choices=4, alike=True)),
    ):
        shape = shape_of(game, ruleset, network)
        assert Shape.of(shape.to_dict()) == shape
        actor, seen = Actor(shape).eval(), moments(game, ruleset, network.choices > 0)
        assert seen.shape[1] == shape.whole
        save_actor(tmp_path / "it", actor, {"game": game.name})
        assert torch.equal(load_actor(tmp_path / "it")[0](seen), actor(seen))
        save_actor(tmp_path / "half", actor, {"game": game.name}, half=True)
        assert torch.allclose(load_actor(tmp_path / "half")[0](seen), actor(seen), atol=0.05)
