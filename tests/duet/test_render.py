"""Pictures and texts of Duet: what they show, and above all what they must not."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reynard.envs.duet import DUET, Ruleset, render
from reynard.envs.duet.cards import CARD_NAMES
from reynard.envs.duet.scene import HandCard, Played, Scene
from reynard.envs.table import Table

os.environ["SDL_VIDEODRIVER"] = "dummy"
pygame = pytest.importorskip("pygame")

PHASES = ("announce", "play", "exchange", "gift", "move", "over")
BOARDS = {
    "A": "A",
    "B": "B",
    "three spaces": {"gems": [100, 0, 7], "plus_marks": [0, 2], "start": 1, "forest_tiles": 1},
    "five tiles": {
        "gems": [1, 0, 1, 1, 9, 0, 1, 1, 1, 1, 2],
        "plus_marks": [],
        "start": 5,
        "forest_tiles": 5,
    },
}


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred moves are not worth compiling for."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 10**9)


def phase(table: Table) -> str:
    return table.to_dict()["phase"]


def walk(
    until: Callable[[Table], bool] = lambda table: phase(table) == "over", seed: int = 1, **options: Any
) -> Table:
    """A random game, at the first position that is looked for; a new game begins if there is none."""
    table = Table(DUET, **options)
    chance = random.Random(seed)
    for episode in range(100):
        table.begin(seed + episode)
        while not until(table) and phase(table) != "over":
            table.play(chance.choice(np.flatnonzero(table.masks[table.to_move]).tolist()))
        if until(table):
            return table
    raise AssertionError("no such position")


def both_ways(scene: Scene) -> tuple[str, bytes]:
    return render.text(scene), render.image(scene).tobytes()


def dealt(**options: Any) -> Table:
    """Seat 0 holds all doves and rose 1, seat 1 rose 2 to 10 and stars 1 and 2; star 3 is the decree."""
    table = Table(DUET, first_player=0, **options)
    table.begin(0, {"decks": [list(range(30))]})
    return table


# --- what is shown ----------------------------------------------------------------------------------


def test_the_text_of_the_whole_table() -> None:
    table = dealt()
    table.play(7)  # dove 8
    assert render.text(render.scene_of(table)) == (
        "round 1 of 3 · trick 1 of 11                              collected 0 of 22 gems\n"
        "────────────────────────────────────────────────────────────────────────────────\n"
        "▸ seat 1 · 11 cards\n"
        "    rose 2 3 4 5 6 7 8 9 10   star 1 2\n"
        "\n"
        "seat 0's end                                                        seat 1's end\n"
        "   0      1      2      3      4     [5]     6      7      8      9      10\n"
        "  2◆      ·+    1◆     2◆+    1◆+           1◆+    2◆     1◆+     ·     2◆\n"
        "\n"
        "forest   4 tiles left\n"
        "decree   star 3 · trump is star\n"
        "trick    seat 0 led dove 8 (2 steps)\n"
        "\n"
        "\n"
        "  seat 0 · 10 cards · leads\n"
        "    dove 1 2 3 4 5 6 7 9 10   rose 1\n"
        "────────────────────────────────────────────────────────────────────────────────\n"
        "→ seat 1 follows in trick 1"
    )


def test_the_text_of_one_seat_starts_at_its_own_end_and_hides_the_other_hand() -> None:
    table = dealt()
    table.play(7)
    lines = render.text(render.scene_of(table, 1)).split("\n")
    assert lines[2:4] == ["  partner (seat 0) · 10 cards · leads", "    10 face down"]
    assert lines[5].startswith("your end") and lines[5].endswith("partner's end")
    assert lines[6].split() == ["10", "9", "8", "7", "6", "[5]", "4", "3", "2", "1", "0"]
    assert lines[14:16] == ["▸ you (seat 1) · 11 cards", "    rose 2 3 4 5 6 7 8 9 10   star 1 2"]
    assert lines[-1] == "→ you follow in trick 1"
    assert "dove" not in "\n".join(lines).replace("partner led dove 8", "")


def test_a_card_taken_by_foxes_is_shown_as_known() -> None:
    table = dealt()
    table.play(2)  # dove 3, Foxes
    assert render.scene_of(table, 1).sentence() == "partner may exchange the decree"
    table.play(0)  # dove 1 becomes the decree, star 3 comes to the hand
    assert render.scene_of(table, 1).players[1].hand == (HandCard(22, known=True), *[HandCard(None)] * 9)
    assert HandCard(22, known=True) in render.scene_of(table, 0).players[0].hand
    assert "star 3*   9 face down" in render.text(render.scene_of(table, 1))
    assert "* known to the other player" in render.text(render.scene_of(table, 1))


def test_a_chosen_gift_is_shown_to_its_giver_alone() -> None:
    table = dealt()
    table.play(6)  # dove 7, Gift
    table.play(9)  # seat 0 gives dove 10
    assert HandCard(9, chosen=True) in render.scene_of(table, 0).players[0].hand
    assert "giving dove 10" in render.text(render.scene_of(table, 0))
    assert "giving" not in render.text(render.scene_of(table, 1))


def test_the_last_trick_stays_until_the_next_card() -> None:
    table = dealt()
    table.play(7)  # dove 8
    table.play(11)  # rose 2: seat 0 wins
    scene = render.scene_of(table, 1)
    assert scene.trick_cards == () and scene.last_trick == (Played(1, 7), Played(0, 11))
    assert "last     partner led dove 8 (2 steps)" in render.text(scene)
    assert render.scene_of(table, 0).sentence() == "you lead in trick 2"


def test_what_the_winner_decides_is_said() -> None:
    table = dealt()
    table.play(0)  # dove 1, Musician
    table.play(14)  # rose 5, Gazelle
    ending = "the direction and may ignore steps"
    assert render.scene_of(table).sentence() == f"seat 0 won the trick and chooses {ending}"
    assert render.scene_of(table, 0).sentence() == f"you won the trick and choose {ending}"


def test_announced_symbols_are_shown() -> None:
    table = Table(DUET, agreement=4, first_player=1)
    table.begin(0)
    assert render.scene_of(table).sentence() == "seat 1 announces a symbol before the deal"
    table.play(39 + 3)
    text = render.text(render.scene_of(table, 0))
    assert "partner (seat 1) · 0 cards · leads · announced 3" in text
    assert "not dealt yet" in text


def test_the_whole_table_shows_further_facts_if_the_state_holds_them() -> None:
    table = dealt()
    table.play(6)
    facts = {"known": [[1], []], "gift": [2, None], "signals": [None, 5], "last_trick": [[1, 20], [0, 21]]}
    scene = Scene.of_state({**table.to_dict(), **facts}, table.ruleset)
    assert scene.players[0].hand[1:3] == (HandCard(1, known=True), HandCard(2, chosen=True))
    assert scene.players[1].signal == 5
    assert scene.last_trick == (Played(1, 20), Played(0, 21))


def test_characters_that_are_switched_off_have_no_name() -> None:
    on, off = (render.scene_of(dealt(characters=names)) for names in (("gift",), ()))
    assert (on.character(6), on.character(0), off.character(6)) == ("Gift", None, None)
    assert not np.array_equal(render.image(on), render.image(off))


def test_covered_spaces_are_forest() -> None:
    table = walk(lambda table: table.to_dict()["path"][0] > 0, board="B")
    near, far = render.scene_of(table, 0), render.scene_of(table, 1)
    assert near.spaces[0].covered and near.spaces[0].number == 0
    assert far.spaces == near.spaces[::-1]
    assert render.text(near).split("\n")[6].lstrip().startswith("♣♣")


@pytest.mark.parametrize("outcome", ["lost_path", "lost_time", "win"])
def test_the_end_is_said_in_a_word(outcome: str) -> None:
    board = {"gems": [0, 1, 0, 1, 0], "plus_marks": [], "start": 2, "forest_tiles": 2}
    table = walk(lambda table: table.outcome() == outcome, board=board, hand_size=3, rounds=2)
    word = "won" if outcome == "win" else "lost"
    assert render.text(render.scene_of(table)).split("\n")[-1].startswith(f"→ {word}: ")
    # the environment tells how it ended; from the observation alone the board must do
    assert render.scene_of(table, 0).outcome == outcome
    alone = render.scene_of_view(table.describe(0), table.ruleset, 0)
    assert alone.sentence().startswith(f"{word}: ")


# --- what must not be shown -------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("wanted", PHASES[1:])
def test_X3_a_seats_pictures_do_not_change_with_the_hidden_cards(seat: int, wanted: str) -> None:
    partner = 1 - seat

    def hides_cards(table: Table) -> bool:
        if phase(table) != wanted:
            return False
        seen = table.describe(seat)
        return seen["hand_sizes"]["partner"] > len(seen["known_to_me"])

    table = walk(hides_cards, seed=seat + 3)
    seats_view = both_ways(render.scene_of(table, seat))
    full_view = both_ways(render.scene_of(table))
    hands, known = table.records["hand"][0], table.records["known"][0]
    unseen = [CARD_NAMES.index(name) for name in table.describe(seat)["unseen"]]
    held = [card for card in unseen if hands[partner] >> card & 1]
    spare = [card for card in unseen if not hands[partner] >> card & 1]
    dealt_instead = [*spare, *held][: len(held)]
    hands[partner] = known[partner] | sum(1 << card for card in dealt_instead)
    if table.records["gift"][0, partner] >= 0:
        table.records["gift"][0, partner] = dealt_instead[0]
    table.refresh()
    assert both_ways(render.scene_of(table, seat)) == seats_view
    assert both_ways(render.scene_of(table)) != full_view


# --- everything can be drawn ------------------------------------------------------------------------


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("wanted", PHASES)
def test_every_phase_is_drawn_from_every_perspective(wanted: str, history: bool) -> None:
    table = walk(lambda table: phase(table) == wanted, agreement=3, history=history)
    for perspective in (None, 0, 1):
        scene = render.scene_of(table, perspective)
        assert scene.phase == wanted
        assert all(len(line) <= render.WIDTH for line in render.text(scene).split("\n"))
        picture = render.image(scene)
        assert (picture.shape, picture.dtype) == ((720, 960, 3), np.uint8)


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_is_drawn(board: str) -> None:
    table = walk(board=BOARDS[board], rounds=1)
    for perspective in (None, 1):
        scene = render.scene_of(table, perspective)
        assert all(len(line) <= render.WIDTH for line in render.text(scene).split("\n"))
        assert render.image(scene).any()


def test_the_widest_text_fits() -> None:
    scene = render.scene_of(dealt(agreement=0), 0)
    hand = (*(HandCard(card, known=True) for card in range(0, 30, 3)), HandCard(29, known=True, chosen=True))
    players = tuple(replace(player, hand=hand, signal=15) for player in scene.players)
    widest = replace(scene, players=players, collected=100)
    assert max(map(len, render.text(widest).split("\n"))) == render.WIDTH


def test_the_same_scene_gives_the_same_pixels() -> None:
    scene = render.scene_of(dealt())
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


def test_pygame_is_imported_silently_and_by_pictures_only() -> None:
    code = (
        "import sys; from reynard.envs.duet import render; assert 'pygame' not in sys.modules;"
        "render.Window(); assert 'pygame' in sys.modules"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "REYNARD_JIT": "0"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_there_are_two_seats() -> None:
    with pytest.raises(ValueError, match="seat must be 0 or 1, not 2"):
        render.scene_of_view(dealt().describe(0), Ruleset.of("standard"), 2)
