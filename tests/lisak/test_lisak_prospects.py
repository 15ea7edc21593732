"""What Lišák's learned players work out about their actions, and what the team is said to know."""

from itertools import product
from math import log2

import numpy as np
import pytest

from reynard.envs.batch import Batch
from reynard.envs.lisak import LISAK
from reynard.envs.lisak.actions import catalogue
from reynard.envs.lisak.state import BLANK_CARD, CLUE_CARD, FOX, JOKER, NO_CARD, TOKENS
from reynard.envs.lisak.world import BORDERLINE, YES
from reynard.policies.lisak.progress import Progress
from reynard.policies.lisak.prospects import FEATURES, LITERAL, RIGHT, TELLS, TRUE, UNSURE, Prospects

OPTIONS = [
    {"world": "tiny"},
    {"world": "small", "consultation": 0, "rows": "flat"},
    {"world": "small", "hint": False, "players": 3},
]


def played(options: dict[str, object], steps: int, count: int = 24) -> Batch:
    """Random play that seldom guesses, so that the games last."""
    batch = Batch(LISAK, {**options, "knowledge": "posterior"}, count)
    numbers, rng = catalogue(batch.ruleset.words), np.random.default_rng(steps)
    liking = np.ones(len(batch.action_names))
    liking[numbers.trophy : numbers.blank] = 0.02
    batch.reset(5)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) ** (1 / liking) * batch.masks).argmax(axis=1), restart=True)
    return batch


def posterior_of(batch: Batch, index: int) -> np.ndarray:
    shown = batch.observations[index][batch.layout.slices()["posterior"]].astype(float)
    return shown / max(1, shown.sum())


@pytest.mark.parametrize("options", OPTIONS)
def test_seekers_prospects_are_the_posteriors_verdicts(options: dict[str, object]) -> None:
    compared = 0
    for steps in (0, 3, 13, 24, 40):
        batch = played(options, steps)
        world, told = batch.ruleset.words, Prospects(batch.ruleset)(batch.observations, batch.masks)
        numbers = catalogue(world)
        assert told.shape == (*batch.masks.shape, len(FEATURES)) and told.dtype == np.int8
        assert ((told[:, :, 0] == 100) == (batch.masks == 1)).all() and not told[batch.masks == 0].any()
        for index in range(batch.count):
            chances = posterior_of(batch, index)
            if batch.to_move[index] == FOX or not chances.any():
                continue
            for action in np.flatnonzero(batch.masks[index]):
                true = unsure = right = 0.0
                if action < numbers.trophy:
                    true = chances @ (world.judgement[:, action] == YES)
                    unsure = chances @ (world.judgement[:, action] == BORDERLINE)
                if numbers.ideas <= action < numbers.trophy:
                    right = chances[action - numbers.ideas]
                elif numbers.trophy <= action < numbers.blank:
                    right = chances[action - numbers.trophy]
                # the posterior is shown in 127ths, rounded up
                assert told[index, action, TRUE] == pytest.approx(100 * true, abs=4)
                assert told[index, action, UNSURE] == pytest.approx(100 * unsure, abs=4)
                assert told[index, action, RIGHT] == pytest.approx(100 * right, abs=4)
                assert (told[index, action, RIGHT] > 0) == (right > 0)
                compared += 1
    assert compared > 1000


def bits_of(chances: np.ndarray, verdicts: np.ndarray) -> tuple[float, float]:
    """Entropy of the answer, and its mutual information with a row's count, by enumeration.

    ``verdicts``: int, shape ``(answers, cards)``.
    """
    joint: dict[tuple[int, int], float] = {}
    for answer in np.flatnonzero(chances):
        unsure = int((verdicts[answer] == BORDERLINE).sum())
        for coins in product((0, 1), repeat=unsure):
            at = int(answer), int((verdicts[answer] == YES).sum()) + sum(coins)
            joint[at] = joint.get(at, 0.0) + chances[answer] / 2**unsure
    counts: dict[int, float] = {}
    for (_, count), chance in joint.items():
        counts[count] = counts.get(count, 0.0) + chance
    missing = -sum(chance * log2(chance) for chance in chances if chance > 0)
    told = sum(
        chance * log2(chance / counts[count] / chances[answer]) for (answer, count), chance in joint.items()
    )
    return missing, told


def test_what_a_clue_tells_is_its_rows_information_about_the_answer() -> None:
    compared = 0
    for steps in (0, 4, 11, 18):
        batch = played({"world": "small", "consultation": 0}, steps)
        world, told = batch.ruleset.words, Prospects(batch.ruleset)(batch.observations, batch.masks)
        for index in range(batch.count):
            chances = posterior_of(batch, index)
            row = batch.records[index]["cards"][batch.records[index]["round_number"]]
            written = [int(number) - 1 for kind, number in row if kind == CLUE_CARD]
            others = [kind for kind, _ in row if kind not in (CLUE_CARD, NO_CARD, BLANK_CARD)]
            if batch.to_move[index] == FOX or (chances > 0).sum() < 2 or others:
                continue
            for action in np.flatnonzero(batch.masks[index][: catalogue(world).trophy])[::9]:
                missing, bits = bits_of(chances, world.judgement[:, [*written, int(action)]])
                assert told[index, action, TELLS] == pytest.approx(100 * bits / missing, abs=4)
                compared += 1
    assert compared > 300


def test_L10_the_foxs_prospects_are_a_literal_foxs_chances() -> None:
    """Every way that its coins may fall for borderline cards, enumerated."""
    compared = 0
    for steps in range(6, 60, 6):
        batch = played({"world": "small", "consultation": 0, "fox": "free"}, steps)
        told = Prospects(batch.ruleset)(batch.observations, batch.masks)
        numbers = catalogue(batch.ruleset.words)
        for index, game in enumerate(batch.records):
            if game["phase"] not in (TOKENS, JOKER):
                continue
            parts = batch.layout.split(batch.observations[index])
            verdicts = (parts["judged"][game["round_number"]].astype(int) - 1).tolist()
            if game["phase"] == TOKENS:
                unsure = verdicts.count(BORDERLINE)
                counts = [verdicts.count(YES) + sum(coins) for coins in product((0, 1), repeat=unsure)]
                for tokens in range(batch.ruleset.row_length + 1):
                    if batch.masks[index, numbers.token + tokens]:
                        chance = 100 * counts.count(tokens) / len(counts)
                        assert told[index, numbers.token + tokens, LITERAL] == pytest.approx(chance, abs=0.51)
                        compared += 1
    assert compared > 100


def test_progress_is_the_share_of_the_bits_that_are_known() -> None:
    for options in OPTIONS:
        for steps in (0, 7, 20, 45):
            batch = played(options, steps)
            known = Progress(batch.ruleset)(batch.records)
            for index, game in enumerate(batch.records):
                world, chances = batch.ruleset.words, posterior_of(batch, index)
                if not chances.any():
                    continue
                hint = world.hint_of[game["answer"]]
                pool = int((world.hint_of == hint).sum()) if batch.ruleset.hint else len(world.answers)
                bits = -sum(chance * log2(chance) for chance in chances if chance > 0)
                assert known[index] == pytest.approx(max(0.0, 1 - bits / log2(pool)), abs=0.06)
    start = played({"world": "tiny"}, 0)
    assert Progress(start.ruleset)(start.records) == pytest.approx(0.0, abs=1e-6)
