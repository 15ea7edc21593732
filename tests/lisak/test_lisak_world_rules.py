"""What words there are, and what they mean for each other (ruling L15)."""

import numpy as np
import pytest
from lisak_positions import (
    ANSWERS,
    BLANK,
    CLUES,
    IDEAS,
    PASS,
    TROPHIES,
    WORLD,
    deal,
    legal,
    seen,
)

from reynard.envs import lisak_v0
from reynard.envs.lisak import LISAK, World, load_world
from reynard.envs.lisak.world import BORDERLINE, NO, YES, Text, fold, random_world, with_answers_as_clues
from reynard.envs.table import Table

every_preset = pytest.mark.parametrize("preset", LISAK.presets)


def test_L15_a_clue_is_an_idea_or_the_name_of_an_answer() -> None:
    env = deal()
    assert legal(env) == [*CLUES, *TROPHIES, BLANK]
    assert [*map(env.action_name, range(12))] == [f"clue: {text}" for text in (*IDEAS, *ANSWERS)]


@every_preset
def test_L15_a_world_judges_every_answer_and_clue(preset: str) -> None:
    world = LISAK.presets[preset].words
    answers, ideas = len(world.answers), len(world.ideas)
    assert answers == {"standard": 300, "small": 60, "tiny": 16}[preset]
    assert preset != "standard" or ideas >= 240
    assert world.judgement.shape == (answers, ideas + answers)
    assert set(np.unique(world.judgement).tolist()) == {NO, BORDERLINE, YES}
    assert len(world.hint_of) == len(world.cards) == answers
    assert set(world.hint_of.tolist()) == set(range(len(world.hints)))
    pairs = world.judgement[:, ideas:]
    assert np.array_equal(pairs, pairs.T)
    assert (np.diag(pairs) == YES).all()
    assert len({fold(text.en) for text in world.clues}) == len(world.clues)


def test_L15_two_answers_are_judged_by_what_is_true_of_them() -> None:
    """Seven pairs, each sharing one idea more than the pair before; other pairs share nothing.

    Of the 91 pairs the 5 that share most are alike (a twentieth), and nobody else shares anything but the
    two pairs that share least.
    """
    ideas = np.zeros((14, 7 * 16), np.int8)
    for pair in range(7):
        first = 16 * pair
        ideas[2 * pair, first : first + 8] = YES
        ideas[2 * pair + 1, first + 7 - pair : first + 15 - pair] = YES  # pair + 1 of them shared
    judged = with_answers_as_clues(ideas)
    assert np.array_equal(judged[:, : 7 * 16], ideas)
    expected = np.diag([YES] * 14).astype(np.int8)
    for pair in range(7):
        expected[2 * pair, 2 * pair + 1] = expected[2 * pair + 1, 2 * pair] = YES if pair > 1 else BORDERLINE
    assert np.array_equal(judged[:, 7 * 16 :], expected)


def test_L15_a_random_world_is_known_by_its_size_and_seed() -> None:
    one, other = load_world("random(9, 7, 3)"), random_world(9, 7, 3)
    assert np.array_equal(one.judgement, other.judgement)
    assert not np.array_equal(one.judgement, random_world(9, 7, 4).judgement)
    assert (len(one.answers), len(one.ideas), one.name) == (9, 7, "random(9, 7, 3)")
    table = Table(LISAK, world=" random( 9,7, 3 )")
    assert len(table.action_names) == 7 + 9 + 9 + 1 + 1 + 6 + 35


def test_L15_texts_are_matched_ignoring_case_diacritics_and_outer_spaces() -> None:
    assert WORLD.by_text[fold("  KoCka ")] == WORLD.by_text[fold("Cat")] == CLUES.index("clue: cat")
    assert WORLD.by_text[fold("CHLUPATÁ")] == WORLD.by_text[fold(" furry")] == CLUES.index("clue: furry")
    assert fold("Žluťoučký  kůň") == fold(" zlutoucky KUN ")


def test_L15_a_part_of_a_world_judges_as_the_whole_does() -> None:
    part = WORLD.part("part", [5, 0, 3], [2, 4])
    assert [text.en for text in part.answers] == ["cat", "oak", "fir"]
    assert [text.en for text in part.clues] == ["quick", "tall", "cat", "oak", "fir"]
    assert part.cards == (1, 2, 3)
    for answer, text in enumerate(part.answers):
        for clue, idea in enumerate(part.clues):
            whole = WORLD.judgement[ANSWERS.index(text.en), [*IDEAS, *ANSWERS].index(idea.en)]
            assert part.judgement[answer, clue] == whole


def test_L15_texts_have_a_czech_form() -> None:
    env = deal(language="cs")
    names = [env.action_name(action) for action in range(len(CLUES))]
    assert names[:2] == ["stopa: chlupatá", "stopa: krotká"]
    assert names[6] == "stopa: kočka"
    assert seen(env, "fox")["answer"] == "cat"


def test_L15_a_world_of_ones_own_is_played_by_its_table_alone() -> None:
    """Two answers, one idea that says nothing of either: the tables decide, not the texts."""
    world = World(
        name="own",
        hints=(Text("thing", "věc"),),
        answers=(Text("this", "toto"), Text("that", "tamto")),
        ideas=(Text("odd", "divné"),),
        cards=(7, 9),
        hint_of=np.zeros(2, np.int16),
        judgement=np.array([[NO, YES, YES], [BORDERLINE, NO, YES]], np.int8),
    )
    env = lisak_v0.raw_env(world=world, consultation=0)
    for card, counts in ((7, ["tokens: 1"]), (9, ["tokens: 0", "tokens: 1"])):
        env.reset(seed=0, options={"card": card})
        other = "that" if card == 7 else "this"
        for action in ("clue: odd", f"trophy: {other}", BLANK):
            env.step(env.table.action_names.index(action))
        assert legal(env) == counts
        assert PASS not in legal(env)
