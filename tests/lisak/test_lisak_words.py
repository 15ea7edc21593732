"""The worlds that come with the package, and what is said when a world's file is off (L15)."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from reynard.envs import InvalidOption
from reynard.envs.lisak import load_world, named_worlds
from reynard.envs.lisak.checks import differences, faults, summary
from reynard.envs.lisak.world import BORDERLINE, NO, YES, fold, random_world
from reynard.envs.lisak.worlds import FOLDER, read_part, read_world
from reynard.training.commands import app

BOX = load_world("box")


def judged(answer: str, idea: str) -> int:
    row = [text.en for text in BOX.answers].index(answer)
    return int(BOX.judgement[row, [text.en for text in BOX.clues].index(idea)])


# --- the box ----------------------------------------------------------------------------------------


def test_L15_the_box_is_as_large_as_it_should_be() -> None:
    assert BOX.cards == tuple(range(1, 301)) and len(BOX.answers) == 300
    assert 12 <= len(BOX.hints) <= 16 and len(BOX.ideas) >= 240
    sizes = np.bincount(BOX.hint_of)
    assert sizes.min() >= 12 and sizes.max() <= 40
    assert BOX.judgement.shape == (300, len(BOX.ideas) + 300)
    assert set(np.unique(BOX.judgement)) == {NO, BORDERLINE, YES}
    for half in (BOX.hint_of[:150], BOX.hint_of[150:]):  # the fronts and the backs are both well mixed
        assert len(set(half.tolist())) == len(BOX.hints)


def test_L15_the_box_has_no_faults() -> None:
    assert faults(BOX) == []


def test_L15_the_checks_count_what_they_say() -> None:
    # the properties once more, in the plainest way
    ideas = BOX.judgement[:, : len(BOX.ideas)]
    for first, second, count in differences(BOX):
        a, b = ideas[first], ideas[second]
        decisive = sum((x == YES and y == NO) or (x == NO and y == YES) for x, y in zip(a, b, strict=True))
        assert decisive == count >= 5
    assert (ideas == YES).sum(axis=1).min() >= 15 and (ideas == YES).sum(axis=1).max() <= 110
    assert (ideas == YES).sum(axis=0).min() >= 6 and (ideas == YES).sum(axis=0).max() <= 180
    assert 0.03 <= (ideas == BORDERLINE).mean() <= 0.15
    for language in ("en", "cs"):
        texts = [fold(text.in_language(language)) for text in BOX.clues]
        assert len(set(texts)) == len(texts) and all(texts)
        for idea in texts[: len(BOX.ideas)]:
            assert not any(f" {answer} " in f" {idea} " for answer in texts[len(BOX.ideas) :]), idea


def test_L15_checks_find_what_is_wrong() -> None:
    found = "\n".join(faults(random_world(20, 4, 0)))
    for words in ("ideas that are true of it", "differ decisively in", "5 are needed"):
        assert words in found
    everything = random_world(20, 4, 0)
    everything.judgement[:, 0] = YES
    everything.judgement[:, 1:4] = BORDERLINE
    found = "\n".join(faults(everything))
    assert "'idea 1' is true of 100.0% of the answers" in found and "of all pairs are borderline" in found
    assert summary(BOX)["ideas"] == str(len(BOX.ideas))


@pytest.mark.parametrize(
    ("answer", "idea", "verdict"),
    [
        ("owl", "can fly", YES),
        ("penguin", "can fly", NO),
        ("whale", "lays eggs", NO),
        ("hammer", "made mostly of metal", YES),
        ("carrot", "people eat it", YES),
        ("piano", "people eat it", NO),
        ("aeroplane", "bigger than a car", YES),
        ("ring", "bigger than a car", NO),
    ],
)
def test_L15_nobody_would_judge_these_otherwise(answer: str, idea: str, verdict: int) -> None:
    assert judged(answer, idea) == verdict


def test_L15_answers_as_clues_are_judged_by_what_they_share() -> None:
    alike = BOX.judgement[:, len(BOX.ideas) :]
    assert (alike == alike.T).all() and (alike.diagonal() == YES).all()
    assert judged("dog", "cat") == YES and judged("dog", "volcano") == NO
    off_diagonal = alike[~np.eye(300, dtype=bool)]
    assert 0.04 < (off_diagonal == YES).mean() < 0.06 and 0.04 < (off_diagonal == BORDERLINE).mean() < 0.06


def test_L15_text_is_matched_without_case_diacritics_and_outer_spaces() -> None:
    fly = [text.en for text in BOX.ideas].index("can fly")
    for typed in ("  Can FLY ", "can  fly", "UMÍ LÉTAT", "umi letat"):
        assert BOX.by_text[fold(typed)] == fly
    assert (
        BOX.by_text[fold("Medvěd")]
        == BOX.by_text["bear"]
        == len(BOX.ideas) + [text.en for text in BOX.answers].index("bear")
    )


# --- smaller and random ones ------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "answers"), [("small", 60), ("tiny", 16)])
def test_L15_parts_judge_as_the_box_does(name: str, answers: int) -> None:
    part = load_world(name)
    assert name in named_worlds() and len(part.answers) == answers
    assert part.cards == tuple(range(1, answers + 1))
    for a, answer in enumerate(part.answers):
        assert part.hints[part.hint_of[a]] in BOX.hints
        for c, clue in enumerate(part.clues):
            assert part.judgement[a, c] == judged(answer.en, clue.en)
    yes = (part.judgement[:, : len(part.ideas)] == YES).mean(axis=0)
    assert yes.min() * answers >= 2 and yes.max() <= 0.6  # the ideas fit these answers
    assert min(count for *_, count in differences(part)) >= 3


@pytest.mark.parametrize(("answers", "ideas"), [(2, 1), (30, 500), (400, 20), (1000, 1000)])
def test_L15_random_worlds_of_any_size(answers: int, ideas: int) -> None:
    world, again = (load_world(f"random({answers}, {ideas}, {seed})") for seed in (7, 8))
    assert world.judgement.shape == (answers, ideas + answers)
    assert world.judgement.tobytes() == random_world(answers, ideas, 7).judgement.tobytes()
    assert answers * ideas < 10 or world.judgement.tobytes() != again.judgement.tobytes()
    if answers * ideas > 1000:
        assert 0.05 < (world.judgement[:, :ideas] == BORDERLINE).mean() < 0.11
        assert 0.15 < (world.judgement[:, :ideas] == YES).mean() < 0.4


def test_L15_random_worlds_are_the_same_everywhere() -> None:
    # computed once; NumPy promises that a bit generator's raw words stay as they are
    world = random_world(6, 8, 3)
    assert ["".join(map(str, row)) for row in world.judgement[:, :8]] == GOLDEN


GOLDEN = ["00102020", "20021200", "00000000", "00020022", "00000020", "00202200"]


@pytest.mark.parametrize("name", ["random(1, 5, 0)", "random(5, 0, 0)", "random(5001, 5, 0)"])
def test_L15_random_worlds_have_limits(name: str) -> None:
    with pytest.raises(InvalidOption, match="of a random world must be a whole number from"):
        load_world(name)


def test_an_unknown_world_is_refused_with_what_there_is() -> None:
    with pytest.raises(
        InvalidOption, match=r"unknown world 'bax'; did you mean 'box'\? allowed: box, small, tiny"
    ):
        load_world("bax")


# --- faulty files -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small world of one's own, in good order."""
    home = tmp_path / "mine"
    (home / "ideas").mkdir(parents=True)
    (home / "hints.tsv").write_text("id\ten\tcs\nanimals\tanimal\tzvíře\nthings\tthing\tvěc\n")
    (home / "kinds.tsv").write_text("kind\twithin\tabout\nbirds\tanimals\thas a beak\nround\t\tround\n")
    (home / "answers.tsv").write_text(
        "card\thint\ten\tcs\tkinds\n"
        "1\tanimals\tdog\tpes\t\n"
        "3\tanimals\towl\tsova\tbirds\n"
        "2\tanimals\tostrich\tpštros\tbirds\n"
        "4\tthings\tcoin\tmince\tround\n"
    )
    (home / "ideas" / "a.toml").write_text(
        'otherwise = "no"\n\n'
        '["can fly"]\ncs = "umí létat"\nyes = "birds"\nno = "ostrich"\nborderline = ""\n\n'
        '["breathes"]\ncs = "dýchá"\nyes = "animals"\n'
    )
    return home


def test_L15_a_world_of_ones_own(folder: Path) -> None:
    world = load_world(str(folder))
    assert [text.en for text in world.answers] == ["dog", "ostrich", "owl", "coin"]  # by card
    assert world.judgement[:, :2].tolist() == [[NO, YES], [NO, YES], [YES, YES], [NO, NO]]
    assert [text.cs for text in world.ideas] == ["umí létat", "dýchá"]


def test_L15_the_nearer_mention_counts(folder: Path) -> None:
    (folder / "ideas" / "a.toml").write_text(
        '["x"]\ncs = "y"\nyes = "animals, coin"\nno = "birds"\nborderline = "owl"\n'
    )
    assert read_world(folder, "mine").judgement[:, 0].tolist() == [YES, NO, BORDERLINE, YES]


def change(file: str, old: str, new: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return apply


IDEAS, ANSWERS, KINDS = "ideas/a.toml", "answers.tsv", "kinds.tsv"
FAULTS = [
    (IDEAS, 'otherwise = "no"\n', "", "ideas/a.toml, line 2: 'can fly': nothing is said of 'dog'"),
    (
        IDEAS,
        'otherwise = "no"',
        'otherwise = "never"',
        "line 1: unknown value of otherwise: 'never'",
    ),
    (
        IDEAS,
        '"ostrich"',
        '"ostritch"',
        "line 3: 'can fly': unknown kind or answer 'ostritch'; did you",
    ),
    (
        IDEAS,
        'borderline = ""',
        'borderline = "ostrich"',
        "'can fly' says no and borderline of 'ostrich'",
    ),
    (IDEAS, 'yes = "animals"', 'yes = "animals, round"\nno = "birds"', None),
    (
        IDEAS,
        'cs = "dýchá"',
        'cs = "dýchá"\nmaybe = "dog"',
        "line 9: 'breathes': cs, yes, borderline and no",
    ),
    (IDEAS, 'cs = "dýchá"\n', "", "line 9: the text in 'cs' is missing"),
    (IDEAS, 'cs = "dýchá"', 'cs = "UMI LETAT"', "line 9: 'UMI LETAT' is already taken by the idea"),
    (IDEAS, '["breathes"]', '["breathes"', "ideas/a.toml is no TOML: "),
    (ANSWERS, "4\tthings", "3\tthings", "answers.tsv, line 5: card 3 is already taken by 'owl'"),
    (ANSWERS, "4\tthings", "0\tthings", "line 5: a card's number must be 1 or more, not '0'"),
    (ANSWERS, "4\tthings", "4\tthinks", "line 5: unknown hint 'thinks'; did you mean 'things'?"),
    (
        ANSWERS,
        "mince\tround",
        "mince\troundish",
        "line 5: unknown kind 'roundish'; did you mean 'round'?",
    ),
    (ANSWERS, "coin\tmince", "Dog\tmince", "line 5: 'Dog' is already taken by the answer 'dog'"),
    (ANSWERS, "coin\tmince", "coin\tpeš", "line 5: 'peš' is already taken by the answer 'pes'"),
    (ANSWERS, "coin\tmince", "birds\tmince", "line 5: 'birds' is also the name of a kind"),
    (ANSWERS, "dog\tpes\t", "dog\tpes\t\tmore", "line 2: 6 cells, but there are 5 columns"),
    (ANSWERS, "card\thint", "hint\tcard", "line 1: the columns must be card, hint, en, cs, kinds"),
    (KINDS, "birds\tanimals", "birds\tbirds", "kinds.tsv, line 2: the kind 'birds' lies within itself"),
    (
        KINDS,
        "birds\tanimals",
        "birds\tanimal",
        "line 2: unknown kind 'animal'; did you mean 'animals'?",
    ),
    (KINDS, "round\t", "birds\t", "line 3: the kind 'birds' is already there"),
]


@pytest.mark.parametrize(("file", "old", "new", "sentence"), FAULTS)
def test_L15_a_faulty_file_is_named_with_line_and_reason(
    folder: Path, file: str, old: str, new: str, sentence: str | None
) -> None:
    change(file, old, new)(folder)
    if sentence is None:  # a kind within a kind may say otherwise
        read_world(folder, "mine")
        return
    with pytest.raises(InvalidOption) as caught:
        read_world(folder, "mine")
    assert sentence in str(caught.value) and "\n" not in str(caught.value).split("is no TOML")[0]


def test_L15_kinds_that_contradict_each_other_are_a_fault(folder: Path) -> None:
    change("answers.tsv", "mince\tround", "mince\tround heavy")(folder)
    change("kinds.tsv", "round\t\tround\n", "round\t\tround\nheavy\t\theavy\n")(folder)
    change("ideas/a.toml", 'yes = "animals"', 'yes = "round"\nno = "heavy"')(folder)
    with pytest.raises(InvalidOption, match="'round' and 'heavy' disagree about 'coin': name it itself"):
        read_world(folder, "mine")
    change("ideas/a.toml", 'yes = "round"', 'yes = "round, coin"')(folder)
    assert read_world(folder, "mine").judgement[3, 1] == YES


def test_L15_missing_files_are_named(folder: Path) -> None:
    shutil.rmtree(folder / "ideas")
    with pytest.raises(InvalidOption, match=r"holds no \.toml file"):
        read_world(folder, "mine")
    (folder / "kinds.tsv").unlink()
    with pytest.raises(InvalidOption, match=r"a world needs the file .*kinds\.tsv"):
        read_world(folder, "mine")
    (folder / "kinds.tsv").write_bytes(b"kind\twithin\tabout\n\xff")
    with pytest.raises(InvalidOption, match="is not UTF-8"):
        read_world(folder, "mine")


def test_L15_a_part_must_name_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('within = "box"\nanswers = ["owl", "dogg"]\nideas = ["can fly"]')
    with pytest.raises(InvalidOption, match="unknown one of the answers 'dogg'; did you mean 'dog'"):
        read_part(file, "mine")
    file.write_text('within = "box"\nanswers = ["owl"]')
    with pytest.raises(InvalidOption, match="must say within, answers and ideas"):
        load_world(str(file))


def test_the_command_line_checks_a_world(folder: Path) -> None:
    runner = CliRunner(env={"COLUMNS": "100", "TERM": "dumb"})
    good = runner.invoke(app, ["world", "box"])
    assert good.exit_code == 0 and "no faults" in good.output and "300 under" in good.output
    poor = runner.invoke(app, ["world", str(folder)])
    assert poor.exit_code == 1 and "'owl' has 2 ideas that are true of it" in poor.output
    change("ideas/a.toml", '"ostrich"', '"ostritch"')(folder)
    faulty = runner.invoke(app, ["world", str(folder)])
    assert faulty.exit_code == 2 and "ideas/a.toml, line 3" in faulty.output and "'ostritch'" in faulty.output
    idea = runner.invoke(app, ["world", "box", "--show", "can fly"])
    assert idea.exit_code == 0 and "owl" in idea.output
    answer = runner.invoke(app, ["world", "box", "--show", "owl"])
    assert answer.exit_code == 0 and "can fly" in answer.output


def test_the_words_are_part_of_the_package() -> None:
    assert (FOLDER / "box" / "answers.tsv").is_file() and (FOLDER / "tiny.toml").is_file()
