"""The clairvoyant: against all that can be played, and in endings that are won in one way only."""

from typing import Any

import numpy as np
import pytest
from positions import deal, place

from reynard.envs import InvalidOption, duet_v0
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.policies.duet.beam import Foresight, foresee

#: Small enough for all play to be counted up.
SMALL: dict[str, Any] = {
    "ruleset": "tiny",
    "board": {"gems": [0, 1, 0, 1, 0], "plus_marks": [1], "start": 2, "forest_tiles": 2},
}


def started(ruleset: Any, count: int, seed: int = 0) -> Batch:
    batch = Batch(DUET, ruleset, count)
    batch.reset(seed)
    return batch


def all_play(state: np.ndarray, ruleset: Any) -> tuple[bool, int, int]:
    """By the engine, all of it: whether a game can be won, the round it ends in at best, the most gems."""
    running, ended = state.copy(), []
    while len(running):
        batch = Batch.of(DUET, ruleset, running)
        rows, actions = np.nonzero(batch.masks)
        batch = Batch.of(DUET, ruleset, running[rows])
        batch.step(actions)
        over = batch.to_move < 0
        ended.append(batch.records[over].copy())
        if (ended[-1]["outcome"] == 1).any():
            break
        running = batch.records[~over].copy()
        for name in ("moves", "reward"):
            running[name] = 0  # of no consequence: what was reached in several ways is kept once
        running = np.unique(running.view(f"V{running.itemsize}")).view(running.dtype)
    ends = np.concatenate(ended)
    wins = ends["outcome"] == 1
    best = ends[wins] if wins.any() else ends[ends["collected"] == ends["collected"].max()]
    return bool(wins.any()), int(best["round_number"].min()) + 1, int(best["collected"].max())


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 1},
        {"rounds": 1, "steps": "sum", "agreement": 2},
        {"hand_size": 2, "rounds": 2},
        {"hand_size": 2, "rounds": 3, "steps": "sum", "lead": "alternate", "forest_loss": "empty"},
    ],
)
def test_with_room_for_everything_it_is_exact(options: dict[str, Any]) -> None:
    ruleset = DUET.make_ruleset(**(SMALL | options))
    games = started(ruleset, 12).records
    wide = foresee(games, ruleset, 20_000)
    assert wide.complete.all()
    truth = [all_play(games[row : row + 1], ruleset) for row in range(len(games))]
    assert wide.won.tolist() == [won for won, _, _ in truth]
    assert wide.gems.tolist() == [gems for _, _, gems in truth]
    assert wide.rounds[wide.won].tolist() == [number for won, number, _ in truth if won]
    for width in (1, 3):
        narrow = foresee(games, ruleset, width)
        assert (narrow.won <= wide.won).all() and (narrow.gems <= wide.gems)[~wide.won].all()
        assert (narrow.won | ~narrow.complete)[wide.won].all()
    assert 0 < wide.won.sum() < len(games)  # or the test would say little


def test_it_goes_on_from_any_moment() -> None:
    """Along random play: at every moment exactly what can still be reached, and never more than before."""
    ruleset = DUET.make_ruleset(**SMALL, rounds=1)
    batch, rng = started(ruleset, 30), np.random.default_rng(0)
    before = foresee(batch.records, ruleset, 20_000)
    while (batch.to_move >= 0).any():
        for row in np.flatnonzero(batch.to_move >= 0)[:3]:
            won, _, gems = all_play(batch.records[row : row + 1], ruleset)
            now = foresee(batch.records[row : row + 1], ruleset, 20_000)
            assert (now.won[0], now.gems[0]) == (won, gems)
            assert won <= before.won[row]
        batch.step([int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in batch.masks])


def ending(env: duet_v0.raw_env) -> Foresight:
    return foresee(env.table.records, env.ruleset)


def others_than(name: str) -> list[str]:
    return [one for one in ("musician", "foxes", "gazelle", "gift", "royal_heir") if one != name]


@pytest.mark.parametrize(
    ("character", "hands", "gem", "tracker"),
    [
        ("musician", ("dove 1", "dove 2"), 2, 5),  # D16: three steps, the other way
        ("gazelle", ("dove 5", "dove 8"), 4, 4),  # D17: stay
        ("foxes", ("dove 3, rose 10", "rose 2, rose 4"), 8, 5),  # D18: rose has to become trump
        ("gift", ("dove 7, dove 4", "dove 6, rose 10"), 2, 5),  # D19: rose 10 has to change hands
        ("royal_heir", ("dove 9, star 4", "dove 8, star 2"), 8, 5),  # D20: a trump although dove is held
    ],
)
def test_endings_that_only_a_character_wins(
    character: str, hands: tuple[str, str], gem: int, tracker: int
) -> None:
    for characters, won in ((others_than(character), False), ([character], True)):
        env = deal(*hands, rounds=1, characters=characters)
        place(env, gems={gem: 1}, tracker=tracker)
        told = ending(env)
        assert told.complete[0] and told.won[0] == won
        assert told.gems[0] == won and told.rounds[0] == 1


def test_the_same_alone_and_among_others() -> None:
    ruleset = DUET.make_ruleset("standard")
    batch = started(ruleset, 6, seed=3)
    before = batch.records.tobytes()
    whole = foresee(batch.records, ruleset, 4)
    alone = [foresee(batch.records[row : row + 1], ruleset, 4) for row in range(6)]
    for name in ("won", "rounds", "gems", "positions", "complete"):
        assert getattr(whole, name).tolist() == [getattr(one, name)[0] for one in alone]
    assert batch.records.tobytes() == before
    assert not whole.complete.any() and whole.won.any()


def test_a_width_that_is_none_is_refused() -> None:
    ruleset = DUET.make_ruleset("tiny")
    with pytest.raises(InvalidOption, match="the width of the search must be a whole number from 1"):
        foresee(started(ruleset, 1).records, ruleset, 0)
