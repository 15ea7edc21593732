"""The things on Lišák's table: cards, tokens, the joker, marks, the stand. They know nothing of the game.

Needs pygame at import, as ``drawing`` does.
"""

from functools import lru_cache
from math import sin
from typing import Final

import numpy as np
import pygame

from ..drawing import FOX, GOLD, PAPER, Canvas, Colour, curve, fox, paw, placed, shade, star

WIDTH, HEIGHT = SIZE = (960, 720)
SHADOW: Final = 4  # pixels that a card's surface is larger than the card, on every side

RED: Final = (178, 40, 46)  # trophies
CREAM: Final = (240, 226, 200)  # text on the table
SAND: Final = (190, 162, 128)  # quiet text on the table
SHADE: Final = (34, 20, 14, 190)  # behind text on the table
FELT: Final = (38, 66, 54)
WOOD: Final = (126, 80, 50)
VIOLET: Final = (92, 58, 128)  # the joker
#: By seeker; told apart by their numbers too.
SEEKERS: Final = ((52, 104, 160), (60, 124, 74), (132, 78, 138), (176, 118, 34), (34, 126, 134))
YES, BORDERLINE, NO = (58, 132, 66), (204, 140, 30), (150, 138, 124)

_BACK: Final = (122, 54, 34)


# --- cards ------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def card(width: float, height: float, border: Colour, thickness: float, paper: Colour) -> pygame.Surface:
    """A card with nothing on it, with its shadow."""
    canvas = Canvas(width + 2 * SHADOW, height + 2 * SHADOW, clear=True)
    for spread, alpha in ((3, 22), (2, 34), (1, 52)):
        side = SHADOW - spread
        canvas.box(side, side + 1, width + 2 * spread, height + 2 * spread, (0, 0, 0, alpha), 6 + spread)
    canvas.box(SHADOW, SHADOW, width, height, border, 6)
    inner = (SHADOW + thickness, SHADOW + thickness, width - 2 * thickness, height - 2 * thickness)
    canvas.box(*inner, paper, max(2, 6 - thickness / 2))
    return canvas.surface


def clue_card(width: float, height: float) -> pygame.Surface:
    """A white card."""
    return card(width, height, shade(PAPER, -0.22), 1, PAPER)


def trophy_card(width: float, height: float) -> pygame.Surface:
    """A card with a red border."""
    return card(width, height, RED, 4, PAPER)


@lru_cache(maxsize=8)
def card_back(width: float, height: float) -> pygame.Surface:
    """A card face down."""
    canvas = Canvas(width + 2 * SHADOW, height + 2 * SHADOW, clear=True)
    canvas.put(card(width, height, shade(PAPER, -0.12), 3, _BACK), 0, 0)
    middle_x, middle_y = SHADOW + width / 2, SHADOW + height / 2
    for k in range(-3, 4):
        for side in (-1, 1):
            paw(canvas, middle_x + k * width * 0.125, middle_y + side * height * 0.34, 3.6, shade(_BACK, 0.2))
    canvas.circle(middle_x, middle_y, 17, shade(_BACK, -0.3))
    fox(canvas, middle_x, middle_y - 0.5, 11.5, (206, 110, 52))
    return canvas.surface


@lru_cache(maxsize=16)
def slot(width: float, height: float, line: Colour) -> pygame.Surface:
    """The place of a card that is not there."""
    canvas = Canvas(width + 2 * SHADOW, height + 2 * SHADOW, clear=True)
    canvas.box(SHADOW, SHADOW, width, height, (10, 22, 16, 70), 6)
    canvas.box(SHADOW, SHADOW, width, height, line, 6, 1.5)
    return canvas.surface


# --- small things -----------------------------------------------------------------------------------


def person(canvas: Canvas, number: int, x: float, y: float, radius: float) -> None:
    """The sign of a seeker: their colour and number."""
    canvas.circle(x, y, radius, SEEKERS[number])
    canvas.text(str(number), x, y, radius * 0.86, PAPER, 0.5)


def token(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """A token: amber, with a paw on it."""
    canvas.circle(x, y + 1.2, radius + 0.4, (14, 26, 20))
    canvas.circle(x, y, radius, shade(FOX, -0.35))
    canvas.circle(x, y - 0.6, radius - 0.9, shade(FOX, 0.22))
    paw(canvas, x, y - 0.4, radius * 0.52, shade(FOX, -0.5))


def joker(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """The joker: a star on violet."""
    canvas.circle(x, y + 1.2, radius + 0.6, (20, 14, 20))
    canvas.circle(x, y, radius, GOLD)
    canvas.circle(x, y, radius * 0.86, VIOLET)
    star(canvas, x, y + radius * 0.03, radius * 0.62, GOLD)


def ring(canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
    """Where something lay, or could lie."""
    canvas.circle(x, y, radius, colour, 1.5)


def judgement(canvas: Canvas, judged: str, x: float, y: float, size: float) -> None:
    """A tick, a wave or a cross."""
    if judged == "yes":
        canvas.line(placed([(-0.9, 0.05), (-0.25, 0.7), (0.95, -0.7)], x, y, size), YES, 2)
    elif judged == "borderline":
        wave = curve((-1, 0.25), ((-0.6, -0.7), (-0.3, -0.6), (0, 0)), ((0.3, 0.6), (0.6, 0.7), (1, -0.25)))
        canvas.line(placed(wave, x, y, size), BORDERLINE, 2)
    else:
        for side in (1, -1):
            canvas.line(placed([(-0.6 * side, -0.6), (0.6 * side, 0.6)], x, y, size), NO, 1.5)


def bubble(canvas: Canvas, x: float, y: float, width: float, height: float, tip: float) -> None:
    """A speech bubble whose tip points up."""
    canvas.polygon([(tip - 8, y + 1), (tip - 2, y - 8), (tip + 8, y + 1)], CREAM)
    canvas.box(x, y, width, height, CREAM, 9)


# --- the table --------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def ground(x: float, y: float, width: float, height: float) -> pygame.Surface:
    """A wooden table, lit in the middle, with a mat of green felt."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    planks = np.floor(rows / 90)
    along = columns + planks * 337
    grain = np.sin(rows * 0.62 + 3 * np.sin(along / 210 + planks * 2.1) + 0.8 * np.sin(along / 37 + rows / 9))
    grain += 0.6 * np.sin(rows * 1.71 + 5 * np.sin(along / 330 + planks) + np.sin(along / 61))
    light = 1 - 0.42 * np.hypot((columns - WIDTH / 2) / 620, (rows - HEIGHT / 2) / 460) ** 1.8
    light *= 1 + 0.028 * grain + 0.05 * np.sin(planks * 2.4)
    light *= np.where(rows % 90 < 1.5, 0.62, 1)
    floor = np.clip(light[..., None] * np.array(WOOD), 0, 255).astype(np.uint8)
    small = pygame.surfarray.make_surface(floor.swapaxes(0, 1))
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.surface.blit(pygame.transform.smoothscale(small, canvas.surface.get_size()), (0, 0))
    _mat(canvas, x, y, width, height)
    return canvas.surface


def _mat(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    for spread, alpha in ((7, 26), (5, 36), (3, 60)):
        canvas.veil(
            x - spread, y - spread + 2, width + 2 * spread, height + 2 * spread, (0, 0, 0, alpha), 14 + spread
        )
    canvas.box(x, y, width, height, shade(FELT, -0.3), 14)
    canvas.box(x + 2, y + 2, width - 4, height - 4, FELT, 12)
    canvas.box(x + 6, y + 6, width - 12, height - 12, shade(FELT, 0.13), 9, 1)
    woven = Canvas(300, 300, clear=True)
    fox(woven, 150, 145, 138)
    woven.surface.set_alpha(18)
    canvas.put(woven.surface, x + width / 2 - 150, y + height * 0.6 - 150)
    for k in range(9):  # tracks along the mat's foot
        side = 9 if k % 2 else -9
        at = (x + 60 + k * (width - 120) / 8, y + height - 22 + side * 0.5 + 4 * sin(k * 0.9))
        paw(canvas, *at, 5, shade(FELT, 0.06))


def engraved(canvas: Canvas, words: str, x: float, y: float, size: float) -> None:
    """Words cut into the table."""
    canvas.text(words, x + 0.8, y + 1.2, size, shade(WOOD, 0.25), 0.5)
    canvas.text(words, x, y, size, shade(WOOD, -0.7), 0.5)


def stand(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """A block of wood that holds a card, in front of it."""
    lift = min(16, height * 0.3)
    for spread, alpha in ((8, 24), (5, 40), (2, 70)):
        canvas.veil(x - spread, y + height - 10, width + 2 * spread, 12 + spread, (0, 0, 0, alpha), 8)
    canvas.polygon([(x + 6, y), (x + width - 6, y), (x + width, y + lift), (x, y + lift)], shade(WOOD, 0.34))
    canvas.box(x, y + lift - 1, width, height - lift + 1, shade(WOOD, 0.1), 4)
    canvas.box(x, y + height - 6, width, 6, shade(WOOD, -0.25), 3)
    for k in range(1, int((height - lift) // 14)):
        canvas.line(
            [(x + 8, y + lift + 14 * k), (x + width - 8, y + lift + 14 * k + 2)], shade(WOOD, 0.03), 1
        )
