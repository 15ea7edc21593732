"""Duet's cards as pictures: faces and backs in any size, drawn once and kept.

Needs pygame at import, as ``draw`` does.
"""

from functools import lru_cache
from typing import Final

import pygame

from ..drawing import GOLD, INK, PAPER, Canvas, fox, paw, shade
from .cards import FOOTPRINTS, FOXES, GAZELLE, GIFT, MUSICIAN, NUM_RANKS, ROYAL_HEIR
from .draw import SUIT_COLOURS, eye, suit

ASPECT: Final = 1.45  # height of a card by its width
SHADOW: Final = 4  # pixels that a card's surface is larger than the card, on every side

_BACK: Final = (112, 48, 32)
#: What a character does, in two short lines (D16-D20).
_EFFECTS: Final = {
    MUSICIAN: ("winner chooses", "the direction"),
    FOXES: ("may swap with", "the decree"),
    GAZELLE: ("winner may", "ignore steps"),
    GIFT: ("each gives the", "other a card"),
    ROYAL_HEIR: ("the follower", "plays any card"),
}


def _blank(width: float, paper: tuple[int, ...], border: tuple[int, ...]) -> Canvas:
    """A card without anything on it, with its shadow."""
    height = width * ASPECT
    canvas = Canvas(width + 2 * SHADOW, height + 2 * SHADOW, clear=True)
    for spread, alpha in ((3, 22), (2, 34), (1, 52)):
        side = SHADOW - spread
        canvas.box(side, side + 1, width + 2 * spread, height + 2 * spread, (0, 0, 0, alpha), 7 + spread)
    canvas.box(SHADOW, SHADOW, width, height, border, width * 0.085)
    canvas.box(SHADOW + 1, SHADOW + 1, width - 2, height - 2, paper, width * 0.075)
    return canvas


@lru_cache(maxsize=256)
def face(card: int, character: str | None, width: float) -> pygame.Surface:
    """A card face up; ``character`` is the name it bears, if it is one that counts."""
    number, rank = card // NUM_RANKS, card % NUM_RANKS + 1
    colour = SUIT_COLOURS[number]
    canvas = _blank(width, PAPER, shade(colour, 0.35))
    unit = width / 80
    left, top = SHADOW, SHADOW

    def x(value: float) -> float:
        return left + value * unit

    def y(value: float) -> float:
        return top + value * unit

    canvas.text(str(rank), x(9), y(20), 18 * unit, shade(colour, -0.25))
    suit(canvas, number, x(60), y(21), 13 * unit)
    if character is None:
        suit(canvas, number, x(40), y(88), 20 * unit, shade(colour, 0.78))
        _footprints(canvas, FOOTPRINTS[rank - 1], x(40), y(54), unit)
    else:
        _footprints(canvas, FOOTPRINTS[rank - 1], x(40), y(52), unit)
        canvas.box(x(5), y(67), 70 * unit, 17 * unit, shade(colour, -0.3), 4 * unit)
        canvas.text(character, x(40), y(75.5), 7 * unit, PAPER, 0.5)
        for line, words in enumerate(_EFFECTS[rank]):
            canvas.text(words, x(40), y(94 + 11 * line), 6 * unit, INK, 0.5)
    return canvas.surface


def _footprints(canvas: Canvas, count: int, x: float, y: float, unit: float) -> None:
    """So many paws in a row; a crossed one for none."""
    for k in range(count):
        paw(canvas, x + (k - (count - 1) / 2) * 21 * unit, y, 8 * unit, (92, 80, 70))
    if not count:
        paw(canvas, x, y, 8 * unit, (216, 206, 188))
        canvas.line([(x - 9 * unit, y + 8 * unit), (x + 9 * unit, y - 8 * unit)], (168, 156, 138), 1.6 * unit)


@lru_cache(maxsize=8)
def back(width: float) -> pygame.Surface:
    """A card face down."""
    height = width * ASPECT
    canvas = _blank(width, PAPER, shade(_BACK, 0.5))
    inset = width * 0.06
    canvas.box(SHADOW + inset, SHADOW + inset, width - 2 * inset, height - 2 * inset, _BACK, width * 0.05)
    line = width * 0.1
    canvas.box(
        SHADOW + line, SHADOW + line, width - 2 * line, height - 2 * line, shade(_BACK, 0.3), width * 0.04, 1
    )
    middle_x, middle_y = SHADOW + width / 2, SHADOW + height / 2
    for k in range(-2, 3):
        for side in (-1, 1):
            at = (middle_x + k * width * 0.15, middle_y + side * height * 0.36)
            paw(canvas, *at, width * 0.045, shade(_BACK, 0.22))
    canvas.circle(middle_x, middle_y, width * 0.32, shade(_BACK, -0.3))
    fox(canvas, middle_x, middle_y, width * 0.21, (206, 110, 52))
    return canvas.surface


@lru_cache(maxsize=8)
def slot(width: float) -> pygame.Surface:
    """The place of a card that is not there yet."""
    height = width * ASPECT
    canvas = Canvas(width + 2 * SHADOW, height + 2 * SHADOW, clear=True)
    canvas.box(SHADOW, SHADOW, width, height, (8, 24, 16, 90), width * 0.085)
    canvas.box(SHADOW, SHADOW, width, height, (150, 180, 150, 90), width * 0.085, 1)
    return canvas.surface


@lru_cache(maxsize=256)
def faded(card: int, character: str | None, width: float) -> pygame.Surface:
    """A card face up that belongs to the past."""
    surface = face(card, character, width).copy()
    surface.fill((122, 138, 126), special_flags=pygame.BLEND_RGB_MULT)
    return surface


def known_mark(canvas: Canvas, x: float, y: float) -> None:
    """An eye: the other player knows this card."""
    canvas.circle(x, y, 9.5, PAPER)
    eye(canvas, x, y, 5.4, (72, 60, 110))


def gift_mark(canvas: Canvas, x: float, y: float) -> None:
    """A ribbon: this card has been chosen as a gift."""
    canvas.box(x - 17, y - 9, 34, 18, INK, 9)
    canvas.box(x - 16, y - 8, 32, 16, GOLD, 8)
    canvas.text("gift", x, y, 7, INK, 0.5)
