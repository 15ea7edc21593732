"""The forest that Duet is played in: the ground with its trail, and the spaces of the path on it.

Needs pygame at import, as ``draw`` does.
"""

from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from random import Random
from typing import Final

import numpy as np
import pygame

from ..drawing import GOLD, INK, PAPER, Canvas, Point, fox, paw, shade
from .draw import GEM, MIST, SHADE, gem, tree
from .scene import Scene, Space

WIDTH, HEIGHT = SIZE = (960, 720)
MIDDLE: Final = (176, HEIGHT - 176)  # the part of the table between the two hands
PATH_X, PATH_SWING = 478, 140  # the path's middle and half the length of its rows
PATH_ROWS: Final = (488, 356, 224)  # from near to far
STONE: Final = 23

STONE_COLOUR: Final = (188, 172, 142)
TRAIL: Final = (112, 88, 58)

#: The trees on a forest tile: where, how large, how light; those behind first.
_GROVE: Final = (
    (-14, -12, 19, 0),
    (13, -13, 21, 0.06),
    (-1, -6, 24, 0.14),
    (-20, 1, 15, 0.1),
    (19, 2, 16, 0.02),
)


@lru_cache(maxsize=1)
def ground() -> pygame.Surface:
    """The forest floor: lighter in the middle, firs at the edges, and the trail."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    distance = np.hypot((x - PATH_X) / 620, (y - HEIGHT / 2) / 430)
    light = np.clip(1 - distance**1.6 * 0.75, 0.2, 1)[..., None]
    floor = np.array((16, 40, 28)) + light * np.array((22, 48, 24))
    small = pygame.surfarray.make_surface(floor.astype(np.uint8).swapaxes(0, 1))
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.surface.blit(pygame.transform.smoothscale(small, canvas.surface.get_size()), (0, 0))
    chance = Random(5)
    feet = sorted((chance.uniform(0, HEIGHT + 30), chance.uniform(0, WIDTH)) for _ in range(260))
    for foot, x0 in feet:
        if abs(x0 - PATH_X) > 245 or not MIDDLE[0] < foot < MIDDLE[1] + 20:
            size = chance.uniform(14, 26)
            tree(canvas, x0, foot - size, size, (22, 54 + chance.randrange(14), 36))
    for radius, colour in ((7.5, shade(TRAIL, -0.45)), (5.5, TRAIL)):
        for x0, y0 in _places(800):
            canvas.circle(x0, y0, radius, colour)
    return canvas.surface


@lru_cache(maxsize=1)
def _trail() -> list[Point]:
    """The path's middle line from near to far: three rows and two bends, the same seen from either end."""
    bend = (PATH_ROWS[0] - PATH_ROWS[1]) / 2
    left = [(-PATH_SWING - bend * sin(k * pi / 24), -bend * cos(k * pi / 24)) for k in range(25)]
    first = [(PATH_SWING - k * PATH_SWING / 10, 0.0) for k in range(21)]
    near = [*((x, 2 * bend + y) for x, y in first), *((x, bend - y) for x, y in left)]
    middle = [(k * PATH_SWING / 10 - PATH_SWING, 0.0) for k in range(1, 10)]
    half = [*near, *middle]
    far = [(-x, -y) for x, y in reversed(half)]
    # a trail is never quite straight
    return [(PATH_X + x, PATH_ROWS[1] + y + 5 * sin(x / 36)) for x, y in (*half, (0.0, 0.0), *far)]


@lru_cache(maxsize=16)
def _places(count: int) -> list[Point]:
    """Where the spaces lie: evenly along the trail."""
    trail = _trail()
    walked = [0.0]
    for (x0, y0), (x1, y1) in pairwise(trail):
        walked.append(walked[-1] + hypot(x1 - x0, y1 - y0))
    marks = np.linspace(0, walked[-1], count)
    xs, ys = np.interp(marks, walked, [x for x, _ in trail]), np.interp(marks, walked, [y for _, y in trail])
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]


def path(canvas: Canvas, scene: Scene) -> None:
    """The spaces with all that lies on and beside them, and the tracker."""
    places = _places(len(scene.spaces))
    for space, (x, y) in sorted(zip(scene.spaces, places, strict=True), key=lambda pair: pair[1][1]):
        if space.covered:
            _forest(canvas, space, x, y)
        else:
            _stone(canvas, space, x, y)
    for space, (x, y) in zip(scene.spaces, places, strict=True):
        _gems(canvas, space, x, y + STONE + 13)
    for player, (x, y), side in zip(scene.players, (places[0], places[-1]), (1, -1), strict=True):
        for line, words in enumerate((player.end.removesuffix(" end"), "end")):
            canvas.text(words, x + side * 47, y - 7 + 14 * line, 7, MIST, 0 if side == 1 else 1)
    x, y = places[scene.tracker]
    canvas.ellipse(x, y + 9, 17, 6, shade(STONE_COLOUR, -0.5))
    canvas.circle(x, y - 9, 24, INK)
    canvas.circle(x, y - 9, 22.5, GOLD)
    fox(canvas, x, y - 10, 16)


def _stone(canvas: Canvas, space: Space, x: float, y: float) -> None:
    """An open space with its number."""
    canvas.ellipse(x, y + 3, STONE + 1, STONE, (20, 30, 20))
    canvas.circle(x, y, STONE, shade(STONE_COLOUR, -0.35))
    canvas.circle(x, y - 1, STONE - 1.5, STONE_COLOUR)
    canvas.circle(x, y - 1, STONE - 5, shade(STONE_COLOUR, 0.18))
    if space.start:
        paw(canvas, x, y - 3, 9, shade(STONE_COLOUR, -0.3))
        return
    canvas.text(str(space.number), x, y, 9, shade(STONE_COLOUR, -0.6), 0.5)
    if space.plus:
        _plus(canvas, x + STONE + 3, y + 8)


def _plus(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x, y, 8.5, (20, 30, 20))
    canvas.circle(x, y, 7.5, shade(GEM, 0.55))
    canvas.box(x - 4.5, y - 1.25, 9, 2.5, INK)
    canvas.box(x - 1.25, y - 4.5, 2.5, 9, INK)


def _forest(canvas: Canvas, space: Space, x: float, y: float) -> None:
    """A space under a forest tile."""
    canvas.ellipse(x, y + 4, STONE + 9, STONE - 1, (14, 36, 22))
    canvas.ellipse(x, y + 2, STONE + 7, STONE - 3, (34, 74, 42))
    for dx, dy, size, light in _GROVE:
        tree(canvas, x + dx, y + dy, size, shade((36, 118, 66), light))
    if space.plus:
        _plus(canvas, x + STONE + 7, y + 8)


def _gems(canvas: Canvas, space: Space, x: float, y: float) -> None:
    """The gems beside a space: up to three as they are, and their number if there is more than one."""
    if space.start or (space.covered and not space.gems):
        return
    shown = min(space.gems, 3)
    number = f"{space.gems}" if space.gems > 1 else ""
    width = max(shown, 1) * 17 + (8 + 7 * len(number) if number else 0)
    left = x - width / 2
    canvas.veil(left - 5, y - 10, width + 10, 21, (*SHADE[:3], 150), 10)
    if not shown:
        canvas.circle(x, y, 4, (90, 104, 92), 1)
    for k in range(shown):
        gem(canvas, left + 8.5 + 17 * k, y, 7.5)
    if number:
        canvas.text(number, left + shown * 17 + 4, y, 8, PAPER)
