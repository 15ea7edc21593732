"""Lišák for people: as text, as an image, in a window. All of it is drawn from a :class:`Scene`.

Only pictures need pygame, and only when the first one is drawn.
"""

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

import numpy as np

from .. import window
from ..table import Table
from .ruleset import MAX_ROW, Ruleset
from .scene import Card, Proposal, Row, Scene
from .state import FIRST_SEEKER, FOX

WIDTH: Final = 100
LABEL: Final = 11  # width of what stands in front of a line
NUMBER: Final = 5  # of a row's number
TOKENS: Final = MAX_ROW + 4  # of what lies at a row's end
MARKS: Final = {"yes": "+", "borderline": "~", "no": "−"}
GLUE: Final = "\u00a0"  # a space at which no line is broken


def scene_of(table: Table, perspective: int | None = None) -> Scene:
    """What is to be drawn of a game: the whole table, or what the seat ``perspective`` sees of it."""
    if perspective is None:
        # what can be inferred is public, so every seat is told the same
        posterior = table.describe(FOX).get("posterior")
        return Scene.of_state(table.to_dict() | {"posterior": posterior}, table.ruleset)
    return Scene.of_observation(table.describe(perspective), table.ruleset, perspective, table.outcome())


def scene_of_view(described: Mapping[str, Any], ruleset: Ruleset, seat: int) -> Scene:
    """What a seat sees, for someone who has no table but the seat's described observation."""
    return Scene.of_observation(described, ruleset, seat)


def text(scene: Scene) -> str:
    """The scene in plain Unicode, at most 100 columns wide."""
    say = scene.say
    round_ = say("round", number=scene.round + 1, rounds=scene.rounds)
    trophies = f"{say('trophies')}: {scene.trophies_left}/{scene.trophies}"
    lines = [
        _ends(f"{round_} · {say(f'phase {scene.phase}')}", f"{trophies} · {_joker(scene)}"),
        "─" * WIDTH,
        *_labelled(say("hint"), [scene.hint or say("no hint")]),
        *_answer(scene),
        "",
        *_table(scene),
        "",
        *_proposals(scene),
        *_likely(scene),
        "─" * WIDTH,
        *wrap(f"→ {scene.sentence()}", WIDTH),
        *_legend(scene),
    ]
    return "\n".join(lines)


def image(scene: Scene) -> np.ndarray:
    """The scene as a picture, uint8 of shape ``(720, 960, 3)``; the same scene gives the same pixels.

    It needs neither a screen nor a window.

    Raises:
        ImportError: pygame is missing.
    """
    return window.pixels(_drawn(scene))


class Window(window.Window):
    """A window that shows scenes, one after another.

    Args:
        fps: Scenes a second at most; ``show`` waits as long as that takes.

    Raises:
        ImportError: pygame is missing.
    """

    def __init__(self, fps: float = 4) -> None:
        super().__init__("Lišák", _drawn, fps)


def _drawn(scene: Scene) -> Any:
    window.import_pygame()
    from . import picture

    return picture.draw(scene)


# --- the lines of the text --------------------------------------------------------------------------


def _ends(left: str, right: str) -> str:
    return left + right.rjust(WIDTH - len(left))


def _labelled(label: str, parts: Iterable[str], between: str = " · ") -> list[str]:
    """Parts after a label, on as many lines as they need."""
    indent = " " * LABEL
    return wrap(f"{label:{LABEL}}" + between.join(parts), WIDTH, subsequent_indent=indent)


def _answer(scene: Scene) -> list[str]:
    if scene.answer is None:
        return []
    number = scene.say("card", number=scene.card)
    return _labelled(scene.say("answer"), [f"{scene.answer} ({number})"])


def _joker(scene: Scene) -> str:
    row = scene.joker_row
    where = scene.say("joker unused") if row is None else scene.say("joker used", row=row + 1)
    return f"{scene.say('joker')}: {where}"


def _table(scene: Scene) -> list[str]:
    """The rows of cards under the names of those who write them."""
    names = [
        scene.name(FIRST_SEEKER + place % (scene.players - 1))
        for place in range(max(scene.row_length, scene.slots))
    ]
    cells = [[_written(scene, card) for card in row.cards] for row in scene.rows]
    if scene.outcome is None:
        cells[-1] += ["…"] * (scene.slots - len(cells[-1]))
    longest = max(len(words) for words in (*names, *(words for row in cells for words in row)))
    width = min(longest + 3, (WIDTH - NUMBER - TOKENS) // len(names))
    lines = [" " * NUMBER + "".join(f"{name:{width}}" for name in names).rstrip()]
    for number, (row, words) in enumerate(zip(scene.rows, cells, strict=True)):
        current = number == scene.round and scene.outcome is None
        start = f"{'▸' if current else ' '} {number + 1}  "
        columns = [wrap(cell, width - 2) for cell in words]
        for k, parts in enumerate(zip_longest(*columns, fillvalue="") if columns else [()]):
            line = "".join(f"{part:{width}}" for part in parts).replace(GLUE, " ").ljust(width * len(names))
            lines.append(f"{start if k == 0 else '':{NUMBER}}{line}{_tokens(row) if k == 0 else ''}".rstrip())
    return lines


def _written(scene: Scene, card: Card) -> str:
    """A card in its cell."""
    if card.kind is None:
        return f"({scene.say('hidden')})"
    if card.text is None:
        return f"({scene.say('blank')})"
    words = f"[{card.text}]" if card.kind == "trophy" else card.text
    mark = f"{GLUE}{MARKS[card.judged]}" if card.judged else ""
    return f"{f'★{GLUE}' if card.joker else ''}{words}{mark}"


def _tokens(row: Row) -> str:
    """What lies at the row's end; the joker's token has moved to its card."""
    if row.tokens is None:
        return ""
    lying = row.tokens - any(card.joker for card in row.cards)
    return f"{'●' * lying + '★' * (row.tokens - lying):{MAX_ROW}} {row.tokens}"


def _proposals(scene: Scene) -> list[str]:
    """A line for each seeker who has said something."""
    lines = []
    for seat in range(FIRST_SEEKER, scene.players):
        made = [_proposed(scene, proposal) for proposal in scene.proposals if proposal.seat == seat]
        if made:
            label = "" if lines else scene.say("proposals")
            lines += _labelled(label, [f"{scene.name(seat)}: {' · '.join(made)}"])
    return lines


def _proposed(scene: Scene, proposal: Proposal) -> str:
    if proposal.text is None:
        return scene.say("pass")
    return f"[{proposal.text}]" if proposal.kind == "trophy" else proposal.text


def _likely(scene: Scene) -> list[str]:
    if scene.likely is None:
        return []
    if not scene.likely:
        return wrap(scene.say("none fits"), WIDTH)
    parts = [f"{words} {chance:.0%}" for words, chance in scene.likely]
    rest = scene.possible - len(scene.likely)
    if rest:
        parts.append(scene.say("more", count=rest))
    return wrap(f"{scene.say('likely')}: " + " · ".join(parts), WIDTH, subsequent_indent=" " * LABEL)


def _legend(scene: Scene) -> list[str]:
    """What the signs mean that are on the table."""
    cards = [card for row in scene.rows for card in row.cards]
    signs = []
    if any(item.kind == "trophy" for item in (*cards, *scene.proposals)):
        signs.append(f"[…] {scene.say('trophy')}")
    if scene.joker:
        signs.append(f"★ {scene.say('joker')}")
    if any(card.judged for card in cards):
        marks = ", ".join(f"{sign} {scene.say(f'judged {judged}')}" for judged, sign in MARKS.items())
        signs.append(f"{scene.say('judged')}: {marks}")
    return wrap("  " + " · ".join(signs), WIDTH) if signs else []
