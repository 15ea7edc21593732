"""Pictures and texts of Lišák: what they show, and above all what they must not."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reynard.envs.lisak import LISAK, Ruleset, render
from reynard.envs.lisak.actions import catalogue
from reynard.envs.lisak.scene import Card, Proposal, Scene
from reynard.envs.lisak.state import OUTCOMES, PHASES
from reynard.envs.lisak.world import BORDERLINE, NO, YES, Text, World, with_answers_as_clues
from reynard.envs.table import Table

os.environ["SDL_VIDEODRIVER"] = "dummy"
pygame = pytest.importorskip("pygame")

ANSWERS = (
    ("fox", "liška"),
    ("hedgehog", "ježek"),
    ("whale", "velryba"),
    ("cat", "kočka"),
    ("baker", "pekař"),
)
IDEAS = (
    ("has four legs", "má čtyři nohy"),
    ("lives in a forest", "žije v lese"),
    ("lives in water", "žije ve vodě"),
    ("is a person", "je to člověk"),
)
#: Of every answer and idea. Fox and cat are judged alike, so no seeker can tell them apart.
JUDGED = np.array([[2, 1, 0, 0], [2, 2, 0, 0], [0, 0, 2, 0], [2, 1, 0, 0], [0, 0, 0, 2]], np.int8)
ALIKE = np.array(
    [[2, 1, 0, 2, 0], [1, 2, 0, 1, 0], [0, 0, 2, 0, 0], [2, 1, 0, 2, 0], [0, 0, 0, 0, 2]], np.int8
)
WORLD = World(
    name="five",
    hints=(Text("animal", "zvíře"), Text("profession", "povolání")),
    answers=tuple(Text(en, cs) for en, cs in ANSWERS),
    ideas=tuple(Text(en, cs) for en, cs in IDEAS),
    cards=(11, 12, 13, 14, 15),
    hint_of=np.array([0, 0, 0, 0, 1], np.int16),
    judgement=np.hstack([JUDGED, ALIKE]),
)
NUMBERS = catalogue(WORLD)
FOX, HEDGEHOG, WHALE, CAT, BAKER = range(5)
LEGS, FOREST, WATER, PERSON = range(4)


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred moves are not worth compiling for."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 10**9)


def trophy(answer: int) -> int:
    return NUMBERS.trophy + answer


def like(answer: int) -> int:
    return NUMBERS.ideas + answer


def tokens(count: int) -> int:
    return NUMBERS.token + count


def joker(row: int, place: int) -> int:
    return NUMBERS.joker + 5 * row + place


def dealt(*actions: int, answer: int = FOX, **options: Any) -> Table:
    """A game for four about the fox, without consultation, after these actions."""
    table = Table(LISAK, **({"world": WORLD, "consultation": 0} | options))
    table.begin(0, {"card": WORLD.cards[answer]})
    for action in actions:
        table.play(action)
    return table


def after_two_rows(**options: Any) -> Table:
    """One token of two lies on "has four legs", a trophy has been wrong, a third row is being written."""
    first = (LEGS, trophy(HEDGEHOG), WATER, tokens(2), joker(0, 0))
    second = (NUMBERS.blank, FOREST, PERSON, tokens(0))
    return dealt(*first, *second, like(HEDGEHOG), **options)


def walk(until: Callable[[Table], bool], seed: int = 1, **options: Any) -> Table:
    """A random game, at the first position that is looked for; a new game begins if there is none."""
    table = Table(LISAK, "tiny", **options)
    chance = random.Random(seed)
    for episode in range(100):
        table.begin(seed + episode)
        while not until(table) and table.to_move >= 0:
            table.play(chance.choice(np.flatnonzero(table.masks[table.to_move]).tolist()))
        if until(table):
            return table
    raise AssertionError("no such position")


def both_ways(scene: Scene) -> tuple[str, bytes]:
    return render.text(scene), render.image(scene).tobytes()


# --- what is shown ----------------------------------------------------------------------------------


def test_the_text_of_the_whole_table() -> None:
    rule = "─" * 100
    assert render.text(render.scene_of(after_two_rows())).split("\n") == [
        "Round 3 of 7 · writing".ljust(64) + "trophies left: 2/3 · joker: in row 1",
        rule,
        "hint       animal",
        "answer     fox (card 11)",
        "",
        "     seeker 0              seeker 1              seeker 2",
        "  1  ★ has four legs +     [hedgehog] ~          lives in water −      ●★    2",
        "  2  (blank)               lives in a forest ~   is a person −               0",
        "▸ 3  hedgehog ~            …                     …",
        "",
        rule,
        "→ seeker 1 writes a card",
        "  […] trophy · ★ joker · what the fox thinks: + yes, ~ borderline, − no",
    ]


def test_the_text_of_a_seeker_names_neither_answer_nor_judgement() -> None:
    lines = render.text(render.scene_of(after_two_rows(), 2)).split("\n")
    assert lines[2:4] == ["hint       animal", ""]
    assert lines[4].split() == ["seeker", "0", "you", "seeker", "2"]
    assert lines[5].split() == [
        "1",
        "★",
        "has",
        "four",
        "legs",
        "[hedgehog]",
        "lives",
        "in",
        "water",
        "●★",
        "2",
    ]
    assert lines[-2:] == ["→ you write a card", "  […] trophy · ★ joker"]


def test_the_fox_sees_its_answer_and_what_it_thinks() -> None:
    scene = render.scene_of(after_two_rows(), 0)
    assert (scene.answer, scene.card) == ("fox", 11)
    assert scene.rows == render.scene_of(after_two_rows()).rows
    assert scene.sentence() == "seeker 1 writes a card"


def test_cards_know_who_wrote_them_and_where_the_joker_lies() -> None:
    for perspective in (None, 0, 1, 3):
        first = render.scene_of(after_two_rows(), perspective).rows[0]
        assert [card.seat for card in first.cards] == [1, 2, 3]
        assert [card.joker for card in first.cards] == [True, False, False]
        assert [card.kind for card in first.cards] == ["clue", "trophy", "clue"]
        assert first.tokens == 2


def test_in_a_game_for_three_every_seeker_writes_two_cards() -> None:
    table = dealt(LEGS, FOREST, WATER, players=3)
    for perspective in (None, 0, 2):
        scene = render.scene_of(table, perspective)
        assert ([card.seat for card in scene.rows[0].cards], scene.slots) == ([1, 2, 1], 4)


def test_L5_proposals_are_shown_under_their_names() -> None:
    table = dealt(LEGS, trophy(CAT), NUMBERS.silence, consultation=2)
    made = (Proposal(1, "clue", "has four legs"), Proposal(1, "trophy", "cat"), Proposal(2, "pass", None))
    for perspective in (None, 0, 3):
        assert render.scene_of(table, perspective).proposals == made
    text = render.text(render.scene_of(table, 2))
    assert "proposals  seeker 0: has four legs · [cat]\n           you: pass\n" in text
    assert render.scene_of(table, 2).sentence() == "seeker 2 may propose a clue or an answer"


def test_only_this_rounds_proposals_are_shown() -> None:
    table = dealt(
        LEGS, FOREST, WATER, LEGS, FOREST, WATER, tokens(1), NUMBERS.silence, PERSON, consultation=1
    )
    for perspective in (None, 1):
        assert render.scene_of(table, perspective).proposals == (Proposal(1, "clue", "is a person"),)


def test_L7_the_last_row_has_room_for_the_trophies_that_are_left() -> None:
    table = dealt(LEGS, FOREST, trophy(CAT), tokens(2), NUMBERS.silence, rounds=2)
    assert render.scene_of(table).slots == 2
    assert render.scene_of(table, 1).sentence() == "you write an answer on a trophy"
    table.play(trophy(WHALE))
    assert render.scene_of(table, 3).slots == 2
    assert render.text(render.scene_of(table, 3)).split("\n")[6].split() == ["▸", "2", "[whale]", "…"]


def test_the_likeliest_answers_are_listed_to_everyone_if_they_are_known() -> None:
    table = dealt(LEGS, LEGS, WATER, tokens(2), NUMBERS.silence, knowledge="posterior")
    for perspective in (None, 0, 1):
        scene = render.scene_of(table, perspective)
        assert scene.likely == (("fox", 0.3333), ("hedgehog", 0.3333), ("cat", 0.3333))
        assert "the likeliest answers: fox 33% · hedgehog 33% · cat 33%" in render.text(scene)
    assert render.scene_of(dealt()).likely is None


def test_the_likeliest_answer_comes_first() -> None:
    table = dealt(LEGS, FOREST, WATER, tokens(1), NUMBERS.silence, knowledge="posterior")
    assert render.scene_of(table, 1).likely == (("whale", 0.498), ("fox", 0.251), ("cat", 0.251))


def test_more_answers_than_are_listed_are_counted() -> None:
    table = walk(lambda table: True, hint=False, knowledge="posterior")
    assert "and 10 more" in render.text(render.scene_of(table, 1))


@pytest.mark.parametrize(
    ("actions", "outcome", "ending"),
    [
        ((trophy(FOX), LEGS, LEGS), "win", "won: the right answer is on a trophy · Cunning Foxes"),
        ((like(FOX), LEGS, LEGS), "lost_clue", "lost: the answer is on a clue card"),
        ((trophy(CAT),) * 3, "lost_trophies", "lost: the trophies are used up"),
        (
            (LEGS, LEGS, LEGS, tokens(3), NUMBERS.silence, *(trophy(CAT),) * 3),
            "lost_rounds",
            "lost: the last round is over",
        ),
    ],
)
def test_L12_the_end_is_said_in_words(actions: tuple[int, ...], outcome: str, ending: str) -> None:
    table = dealt(*actions, rounds=2)
    for perspective in (None, 0, 1):
        scene = render.scene_of(table, perspective)
        assert (scene.outcome, scene.sentence()) == (outcome, ending)
        assert render.image(scene).any()
    # the environment tells how it ended; the observation alone does not
    alone = render.scene_of_view(table.describe(1), table.ruleset, 1)
    assert (alone.outcome, alone.sentence()) == ("over", "the game is over")


@pytest.mark.parametrize(
    ("rounds", "english", "czech"),
    [
        (1, "Cunning Foxes", "Mazaní lišáci"),
        (4, "Cunning Foxes", "Mazaní lišáci"),
        (5, "Seasoned Hounds", "Ostřílení ohaři"),
        (6, "Seasoned Hounds", "Ostřílení ohaři"),
        (7, "Sharp Falcons", "Bystří sokolové"),
    ],
)
def test_L13_the_rating_is_said_in_both_languages(rounds: int, english: str, czech: str) -> None:
    before = (PERSON, PERSON, PERSON, tokens(0)) * (rounds - 1)
    last = (trophy(FOX),) if rounds == 7 else (trophy(FOX), PERSON, PERSON)
    for language, rating in (("en", english), ("cs", czech)):
        scene = render.scene_of(dealt(*before, *last, language=language), 1)
        assert scene.rating == rating
        assert render.text(scene).split("\n")[-2].endswith(f" · {rating}")


def test_pictures_speak_the_rulesets_language() -> None:
    table = after_two_rows(language="cs", knowledge="posterior")
    text = render.text(render.scene_of(table))
    for words in (
        "3. kolo ze 7 · psaní",
        "zvíře",
        "liška (karta 11)",
        "[ježek] ~",
        "má čtyři nohy +",
        "stopař 1",
    ):
        assert words in text
    assert not any(word in text for word in ("fox", "seeker", "animal", "legs", "hedgehog", "likeliest"))
    assert render.scene_of(table, 2).sentence() == "píšeš na kartu"
    assert render.scene_of(table, 1).sentence() == "stopař 1 píše na kartu"


# --- what must not be shown -------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("moment", ["writing", "tokens", "joker", "over"])
def test_X3_a_seekers_pictures_do_not_change_with_the_answer(moment: str, seat: int) -> None:
    row = (LEGS, trophy(HEDGEHOG), WATER)
    actions = {
        "writing": (*row, tokens(2), joker(0, 0), FOREST),
        "tokens": row,
        "joker": (*row, tokens(2)),
        "over": (*row, tokens(2), NUMBERS.silence, *(trophy(WHALE),) * 2, LEGS),
    }[moment]
    fox, cat = (dealt(*actions, answer=answer, knowledge="posterior") for answer in (FOX, CAT))
    assert both_ways(render.scene_of(fox, seat)) == both_ways(render.scene_of(cat, seat))
    for perspective in (None, 0):
        texts, pictures = zip(
            *(both_ways(render.scene_of(it, perspective)) for it in (fox, cat)), strict=True
        )
        assert texts[0] != texts[1] and pictures[0] != pictures[1]


def test_L6_hidden_cards_are_face_down_for_all_but_their_writers() -> None:
    tables = [dealt(first, FOREST, writing="hidden") for first in (LEGS, trophy(WHALE))]
    shown = [Card(None, None, 1), Card("clue", "lives in a forest", 2)]
    assert [list(render.scene_of(table, 2).rows[0].cards) for table in tables[:1]] == [shown]
    assert render.text(render.scene_of(tables[0], 3)).count("(face down)") == 2
    assert all(card.judged is None for card in render.scene_of(tables[0], 0).rows[0].cards)
    assert [card.text for card in render.scene_of(tables[0]).rows[0].cards] == [
        "has four legs",
        "lives in a forest",
    ]
    # whether a trophy was taken is public (L6): what stands on the card is not
    tables = [dealt(first, FOREST, writing="hidden") for first in (LEGS, PERSON)]
    for seat in (0, 2, 3):
        first, second = (both_ways(render.scene_of(table, seat)) for table in tables)
        assert first == second
    first, second = (both_ways(render.scene_of(table, 1)) for table in tables)
    assert first[0] != second[0] and first[1] != second[1]


def test_hidden_cards_lie_open_once_the_row_is_complete() -> None:
    table = dealt(LEGS, FOREST, WATER, writing="hidden")
    assert all(card.text for card in render.scene_of(table, 3).rows[0].cards)


def test_a_hint_that_is_not_told_is_shown_to_the_fox_alone() -> None:
    fox, baker = (dealt(WATER, answer=answer, hint=False) for answer in (FOX, BAKER))
    assert both_ways(render.scene_of(fox, 1)) == both_ways(render.scene_of(baker, 1))
    assert (render.scene_of(fox, 1).hint, render.scene_of(fox).hint) == (None, "animal")
    assert "hint       not told" in render.text(render.scene_of(fox, 1))


# --- everything can be drawn ------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("wanted", PHASES)
def test_every_phase_is_drawn_from_every_perspective(wanted: str, players: int) -> None:
    options = {"language": "cs" if players % 2 else "en", "rows": "flat" if players == 4 else "compact"}
    table = walk(lambda table: table.to_dict()["phase"] == wanted, players=players, **options)
    for perspective in (None, 0, players - 1):
        scene = render.scene_of(table, perspective)
        assert scene.phase == wanted
        assert all(len(line) <= render.WIDTH for line in render.text(scene).split("\n"))
        picture = render.image(scene)
        assert (picture.shape, picture.dtype) == ((720, 960, 3), np.uint8)


@pytest.mark.parametrize("outcome", OUTCOMES[1:])
def test_no_text_is_wider_than_it_says_whatever_happens(outcome: str) -> None:
    table = walk(lambda table: table.outcome() == outcome, players=6, language="cs", rounds=2)
    for perspective in (None, *range(6)):
        text = render.text(render.scene_of(table, perspective))
        assert max(map(len, text.split("\n"))) <= render.WIDTH


def long_words() -> World:
    """Everything is 35 letters long or longer, and one word has no space to break at."""
    words = (
        "you would rather not meet it at night",
        "nejneobhospodařovávatelnějšími",
        "as long as a train with all its cars",
    )
    texts = [
        tuple(Text(f"{words[k % 3]} {n}{k}", f"{words[k % 3]} {k}{n}") for k in range(12)) for n in (1, 2, 3)
    ]
    judged = np.array([YES, NO, BORDERLINE], np.int8)[np.add.outer(np.arange(12), np.arange(12)) % 3]
    return World(
        "long",
        texts[0],
        texts[1],
        texts[2],
        tuple(range(1, 13)),
        np.arange(12, dtype=np.int16),
        with_answers_as_clues(judged),
    )


@pytest.mark.parametrize("language", ["en", "cs"])
def test_long_words_are_wrapped_and_never_cut(language: str) -> None:
    world = long_words()
    table = Table(LISAK, world=world, players=6, consultation=0, language=language)
    table.begin(0)
    for idea in range(5):
        table.play(idea)
    scene = render.scene_of(table, 1)
    text = render.text(scene)
    assert max(map(len, text.split("\n"))) <= render.WIDTH
    written = "".join(card.text or "" for card in scene.rows[0].cards)
    assert Counter("".join(written.split())) <= Counter(text)  # no letter is lost between the lines


def test_words_in_a_picture_are_wrapped_and_made_smaller_but_never_cut() -> None:
    from reynard.envs import drawing

    world = long_words()
    for words in (*(idea.en for idea in world.ideas), "a" * 40, "hide-and-seek", "cat"):
        lines, size = drawing.fitted(words, 64, 44, 9)
        assert "".join("".join(lines).split()) == words.replace(" ", "")
        assert len(lines) * size * drawing.LINE <= 44
        widths = [drawing.rendered_text(line, size, (0, 0, 0)).get_width() / drawing.SCALE for line in lines]
        assert max(widths) <= 64
    assert drawing.fitted("hide-and-seek", 64, 44, 9)[0] == ("hide-", "and-seek")
    assert drawing.fitted("cat", 64, 44, 9) == (("cat",), 9)


def test_the_same_scene_gives_the_same_pixels() -> None:
    scene = render.scene_of(after_two_rows())
    first = render.image(scene)
    pygame.quit()  # as a program does that uses pygame for itself
    assert np.array_equal(render.image(scene), first)
    first[:] = 0
    assert render.image(scene).any()


def test_an_image_opens_no_window() -> None:
    pygame.quit()
    render.image(render.scene_of(dealt()))
    assert not pygame.display.get_init()


def test_a_window_shows_scenes_until_it_is_closed() -> None:
    scene = render.scene_of(dealt())
    window = render.Window(fps=1000)
    window.show(scene)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(shown, render.image(scene))
    assert pygame.display.get_caption()[0] == "Lišák"
    window.close()
    window.close()
    assert not pygame.display.get_init()
    window.show(scene)
    assert not pygame.display.get_init()


def test_whoever_closes_the_window_is_not_shown_it_again() -> None:
    window = render.Window(fps=1000)
    window.show(render.scene_of(dealt()))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(render.scene_of(dealt()))
    assert window.closed and not pygame.display.get_init()


# --- refusals ---------------------------------------------------------------------------------------


def test_without_pygame_pictures_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = render.scene_of(dealt())
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert render.text(scene)
    for draw in (lambda: render.image(scene), lambda: render.Window()):
        with pytest.raises(ImportError, match=r'^pictures need pygame: pip install "reynard\[render\]"$'):
            draw()


def test_pygame_is_imported_by_pictures_only() -> None:
    code = (
        "import sys; from reynard.envs.lisak import render; assert 'pygame' not in sys.modules;"
        "render.Window(); assert 'pygame' in sys.modules"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "REYNARD_JIT": "0"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_view_is_drawn_for_its_own_seat_only() -> None:
    described = dealt().describe(1)
    with pytest.raises(ValueError, match="seat must be from 0 to 3, not 4"):
        render.scene_of_view(described, Ruleset(world=WORLD), 4)
    with pytest.raises(ValueError, match="this is what seat 1 observes, not seat 2"):
        render.scene_of_view(described, Ruleset(world=WORLD), 2)
