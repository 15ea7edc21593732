"""What Duet's learned players work out about their actions: right, and no more than the observer knows."""

import numpy as np
import pytest

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.cards import CARD_NAMES
from reynard.envs.sets import items
from reynard.envs.table import Table
from reynard.policies.duet.prospects import FEATURES, GEMS, REACH, Prospects

RULESETS = ["standard", "boxed", "tiny"]


def played(ruleset: str, steps: int, count: int = 64) -> Batch:
    batch, rng = Batch(DUET, ruleset, count), np.random.default_rng(steps)
    batch.reset(7)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1), restart=True)
    return batch


@pytest.mark.parametrize("ruleset", RULESETS)
def test_chances_are_told_of_legal_actions_only(ruleset: str) -> None:
    prospects = Prospects(DUET.make_ruleset(ruleset))
    for steps in range(0, 60, 7):
        batch = played(ruleset, steps)
        table = prospects(batch.observations, batch.masks)
        assert table.shape == (*batch.masks.shape, len(FEATURES)) and table.dtype == np.int8
        assert ((table[:, :, 0] == 100) == (batch.masks == 1)).all()
        assert not table[batch.masks == 0].any()
        assert table.min() >= 0 and table.max() <= 100
        assert (
            table[:, :, 2].astype(int) + table[:, :, 3] <= 101
        ).all()  # a gem and the edge: one or the other


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_follower_is_told_comes_true(ruleset: str) -> None:
    """D8-D12: if nothing else can come between, the reply's trick ends as its prospects say."""
    rules, checked = DUET.make_ruleset(ruleset), 0
    prospects, rng = Prospects(rules), np.random.default_rng(0)
    table = Table(DUET, rules)
    for episode in range(60):
        table.begin(episode)
        while table.to_move >= 0:
            seat, mask = table.to_move, table.masks[table.to_move]
            told = prospects(table.observations[[seat]], mask[None])[0]
            before = table.to_dict()
            seen = table.describe(seat)
            action = int(rng.choice(np.flatnonzero(mask)))
            table.play(action)
            after = table.to_dict()
            ended = after["trick"] == before["trick"] + 1 or after["outcome"] is not None
            replied = (before["phase"] == "play" and not seen["i_lead"]) or before["phase"] == "move"
            if not (replied and ended) or after["round"] != before["round"]:
                continue
            odds = dict(zip(FEATURES, told[action].tolist(), strict=True))
            collected = after["collected"] - before["collected"]
            assert odds["collect"] == 100 * collected
            assert odds["overrun"] == 100 * (after["forest_tiles"] < before["forest_tiles"]) or (
                after["outcome"] == "lost_path"
            )
            if after["outcome"] is None:
                assert (odds["win"] == 100) == (after["leader"] == seat)
                if not odds["overrun"]:
                    for reach in range(-REACH, REACH + 1):
                        space = after["tracker"] + (reach if seat == 0 else -reach)
                        gems = 0 <= space < len(after["gems"]) and after["gems"][space] > 0
                        assert told[action][GEMS + REACH + reach] == 100 * gems
            checked += 1
    assert checked > 100


def test_a_leader_is_told_what_random_replies_would_bring() -> None:
    """Against the partner's possible hands, each as likely as the other, drawn by hand."""
    rules = DUET.make_ruleset("standard", characters=[])
    prospects, rng = Prospects(rules), np.random.default_rng(1)
    compared = 0
    for steps in (4, 9, 14):
        batch = played_without_characters(rules, steps)
        told = prospects(batch.observations, batch.masks)
        for index in range(12):
            game = batch.records[index]
            seat = int(game["to_move"])
            if game["led"] >= 0:
                continue
            seen = DUET.describe(batch.observations[index], rules)
            unseen = np.array([CARD_NAMES.index(name) for name in seen["unseen"]])
            void = seen["void"]["partner"]
            size = seen["hand_sizes"]["partner"]
            action = int(np.flatnonzero(batch.masks[index])[0])
            wins = np.zeros(3000)
            possible = np.array([card for card in unseen if CARD_NAMES[card].split()[0] not in void])
            trump = seen["decree"].split()[0]
            suit, rank = CARD_NAMES[action].split()
            for sample in range(len(wins)):
                hand = rng.permutation(possible)[:size]
                names = [CARD_NAMES[card].split() for card in hand]
                following = [name for name in names if name[0] == suit] or names
                replies = [
                    int(their_rank) > int(rank) if their_suit == suit else their_suit == trump
                    for their_suit, their_rank in following
                ]
                wins[sample] = 1 - np.mean(replies)
            assert seat in (0, 1)
            assert abs(told[index, action, 1] / 100 - wins.mean()) < 0.05
            compared += 1
    assert compared > 10


def played_without_characters(rules: object, steps: int) -> Batch:
    batch, rng = Batch(DUET, rules, 12), np.random.default_rng(steps)
    batch.reset(1)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1), restart=True)
    return batch


def test_D21_hidden_cards_change_nothing() -> None:
    """What an observation does not hold prospects cannot tell; shown on real swaps."""
    batch = played("standard", 15)
    prospects = Prospects(batch.ruleset)
    told = prospects(batch.observations, batch.masks)
    for index in range(len(batch.records)):
        game = batch.records[index]
        partner = 1 - int(game["to_move"])
        hidden = items(int(game["hand"][partner]) & ~int(game["known"][partner]))
        everywhere = set(range(30)) - {int(game["decree"])}
        for held in (*game["hand"], *game["played"]):
            everywhere -= set(items(int(held)))
        if hidden and everywhere:
            game["hand"][partner] ^= (1 << hidden[0]) | (1 << min(everywhere))
    seen = batch.observations.copy()
    batch.refresh()
    void = batch.observations != seen
    assert not void.any()
    assert (prospects(batch.observations, batch.masks) == told).all()
