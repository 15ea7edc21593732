"""The table of Duet as one picture. Near is at the bottom, far at the top, the path winds between them.

Needs pygame at import, as ``draw`` does.
"""

from functools import lru_cache
from math import cos, hypot, pi, sin
from random import Random
from typing import Final

import numpy as np
import pygame

from . import card_faces
from .card_faces import ASPECT, SHADOW
from .cards import NUM_RANKS
from .draw import (
    GEM,
    GOLD,
    INK,
    MIST,
    MOSS,
    PAPER,
    SCALE,
    SUIT_COLOURS,
    Canvas,
    Point,
    fox,
    gem,
    paw,
    shade,
    suit,
    tree,
)
from .scene import Played, Player, Scene, Space

SIZE: Final = (960, 720)
WIDTH, HEIGHT = SIZE

HAND_CARD: Final = 80
HAND_GAP: Final = 5
HAND_TOP: Final = (HEIGHT - 12 - HAND_CARD * ASPECT, 13)  # of the near and the far hand
PLATE: Final = (HEIGHT - 156, 154)  # the middle of the line with the player's name
TRICK_CARD: Final = 88
LEFT, RIGHT = 20, WIDTH - 20
MIDDLE: Final = (176, HEIGHT - 176)  # the part of the table between the two
PATH_X, PATH_SWING = 478, 140  # the path's middle and half the length of its rows
PATH_ROWS: Final = (488, 356, 224)  # from near to far
STONE: Final = 23

STONE_COLOUR: Final = (188, 172, 142)
TRAIL: Final = (112, 88, 58)


def draw(scene: Scene) -> pygame.Surface:
    """The picture, ``SIZE`` pixels large."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.put(_table(), 0, 0)
    _path(canvas, scene)
    _trick(canvas, scene)
    _supply(canvas, scene)
    for index, player in enumerate(scene.players):
        _hand(canvas, scene, player, index)
        _plate(canvas, player, index)
    _sentence(canvas, scene)
    return pygame.transform.smoothscale(canvas.surface, SIZE)


# --- what never changes -----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _table() -> pygame.Surface:
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
    for (x0, y0), (x1, y1) in zip(trail, trail[1:], strict=False):
        walked.append(walked[-1] + hypot(x1 - x0, y1 - y0))
    marks = np.linspace(0, walked[-1], count)
    xs, ys = np.interp(marks, walked, [x for x, _ in trail]), np.interp(marks, walked, [y for _, y in trail])
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]


# --- the path ---------------------------------------------------------------------------------------


def _path(canvas: Canvas, scene: Scene) -> None:
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
            canvas.text(words, x + side * 38, y - 7 + 14 * line, 7, MIST, 0 if side == 1 else 1)
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
    for dx, dy, size, light in ((-14, -12, 19, 0), (13, -13, 21, 0.06), (-1, -6, 24, 0.14), (-20, 1, 15, 0.1), (19, 2, 16, 0.02)):
        tree(canvas, x + dx, y + dy, size, shade((36, 118, 66), light))
    if space.plus:
        _plus(canvas, x + STONE + 7, y + 8)


def _gems(canvas: Canvas, space: Space, x: float, y: float) -> None:
    """The gems beside a space: up to three as they are, and their number if there is more than one."""
    if space.start or space.covered and not space.gems:
        return
    shown = min(space.gems, 3)
    number = f"{space.gems}" if space.gems > 1 else ""
    width = max(shown, 1) * 17 + (8 + 7 * len(number) if number else 0)
    left = x - width / 2
    canvas.veil(left - 5, y - 10, width + 10, 21, (8, 24, 16, 150), 10)
    if not shown:
        canvas.circle(x, y, 4, (90, 104, 92), 1)
    for k in range(shown):
        gem(canvas, left + 8.5 + 17 * k, y, 7.5)
    if number:
        canvas.text(number, left + shown * 17 + 4, y, 8, PAPER)


# --- left and right of it ---------------------------------------------------------------------------


def _panel(canvas: Canvas, x: float, width: float) -> None:
    canvas.veil(x, MIDDLE[0], width, MIDDLE[1] - MIDDLE[0], (9, 27, 18, 215), 12)


def _trick(canvas: Canvas, scene: Scene) -> None:
    """The cards on the table, each on its player's side."""
    _panel(canvas, LEFT, 206)
    x = LEFT + 14
    canvas.text(f"Round {scene.round + 1} of {scene.rounds}", x, MIDDLE[0] + 20, 10, PAPER)
    canvas.text(f"Trick {scene.trick + 1} of {scene.tricks}", x, MIDDLE[0] + 42, 10, MIST)
    cards = scene.trick_cards or scene.last_trick
    current = bool(scene.trick_cards)
    height = TRICK_CARD * ASPECT
    for index in (0, 1):
        y = MIDDLE[1] - 14 - height if index == 0 else MIDDLE[1] - 28 - 2 * height
        played = next((item for item in cards if item.player == index), None)
        _trick_card(canvas, scene, played, current, x, y)
        label = x + TRICK_CARD + 12
        canvas.text(scene.players[index].name, label, y + height / 2 - 10, 9, MIST if current else MOSS)
        canvas.text(_role(scene, played, index), label, y + height / 2 + 10, 9, GOLD if current else MOSS)
        if current and cards[0].player == index:
            canvas.box(x - 2, y - 2, TRICK_CARD + 4, height + 4, GOLD, 9, 3)
    if cards and not current:
        canvas.text("the last trick", x + TRICK_CARD + 12, MIDDLE[1] - 21 - height, 7, MOSS)


def _role(scene: Scene, played: Played | None, player: int) -> str:
    if played is None:
        return ""
    cards = scene.trick_cards or scene.last_trick
    return "led" if cards[0].player == player else "followed"


def _trick_card(
    canvas: Canvas, scene: Scene, played: Played | None, current: bool, x: float, y: float
) -> None:
    if played is None:
        surface = card_faces.slot(TRICK_CARD)
    elif current:
        surface = card_faces.face(played.card, scene.character(played.card), TRICK_CARD)
    else:
        surface = card_faces.faded(played.card, scene.character(played.card), TRICK_CARD)
    canvas.put(surface, x - SHADOW, y - SHADOW)


def _supply(canvas: Canvas, scene: Scene) -> None:
    """The decree, the forest tiles, the gems."""
    width = 208
    left = RIGHT - width
    _panel(canvas, left, width)
    x, y = left + 14, MIDDLE[0] + 14
    if scene.decree is None:
        canvas.put(card_faces.slot(TRICK_CARD), x - SHADOW, y - SHADOW)
    else:
        surface = card_faces.face(scene.decree, scene.character(scene.decree), TRICK_CARD)
        canvas.put(surface, x - SHADOW, y - SHADOW)
    beside = x + TRICK_CARD + 48
    canvas.text("decree", beside, y + 10, 8, MIST, 0.5)
    if scene.decree is not None:
        number = scene.decree // NUM_RANKS
        canvas.circle(beside, y + 62, 32, PAPER)
        canvas.circle(beside, y + 62, 32, SUIT_COLOURS[number], 2.5)
        suit(canvas, number, beside, y + 62, 21)
        canvas.text("trump", beside, y + 112, 8, GOLD, 0.5)
    _tiles(canvas, scene.forest_tiles, x, MIDDLE[0] + 180)
    _collected(canvas, scene, x, MIDDLE[0] + 276, width - 28)


def _tiles(canvas: Canvas, count: int, x: float, y: float) -> None:
    canvas.text("forest tiles left", x, y, 8, MIST)
    canvas.text(str(count), x + 180, y, 10, PAPER, 1)
    for k in range(count):
        middle = x + 16 + k * 37
        canvas.box(middle - 17, y + 18, 34, 36, (4, 14, 8), 8)
        canvas.box(middle - 16, y + 18, 32, 34, (58, 100, 58), 7)
        tree(canvas, middle, y + 35, 14, (24, 84, 50))


def _collected(canvas: Canvas, scene: Scene, x: float, y: float, width: float) -> None:
    canvas.text("gems collected", x, y, 8, MIST)
    canvas.text(f"{scene.collected} / {scene.all_gems}", x + width, y, 10, PAPER, 1)
    canvas.box(x, y + 16, width, 16, (8, 22, 15), 8)
    done = (width - 4) * scene.collected / scene.all_gems
    if done:
        canvas.box(x + 2, y + 18, max(done, 12), 12, GEM, 6)
    canvas.text("on the board", x, y + 54, 8, MIST)
    wide = canvas.text(str(scene.gems_left), x + width, y + 54, 10, PAPER, 1)
    gem(canvas, x + width - wide - 16, y + 54, 9)


# --- the players ------------------------------------------------------------------------------------


def _hand(canvas: Canvas, scene: Scene, player: Player, index: int) -> None:
    count = len(player.hand)
    left = (WIDTH - count * HAND_CARD - (count - 1) * HAND_GAP) / 2
    top = HAND_TOP[index]
    for k, card in enumerate(player.hand):
        x = left + k * (HAND_CARD + HAND_GAP)
        y = top + (0 if not card.chosen else -8 if index == 0 else 8)
        if card.card is None:
            surface = card_faces.back(HAND_CARD)
        else:
            surface = card_faces.face(card.card, scene.character(card.card), HAND_CARD)
        canvas.put(surface, x - SHADOW, y - SHADOW)
        if card.known:
            card_faces.known_mark(canvas, x + HAND_CARD * (0.8 if card.chosen else 0.5), y)
        if card.chosen:
            outer = y + HAND_CARD * ASPECT + 4 if index == 0 else y - 4
            card_faces.gift_mark(canvas, x + HAND_CARD / 2, outer)
    if not player.hand:
        words = "no cards dealt yet" if scene.phase == "announce" else "no cards left"
        canvas.text(words, WIDTH / 2, top + HAND_CARD * ASPECT / 2, 9, MOSS, 0.5)


def _plate(canvas: Canvas, player: Player, index: int) -> None:
    """The player's name, lit up when they are to move; beside it what they announced."""
    y = PLATE[index]
    canvas.veil(LEFT, y - 15, 206, 30, (245, 200, 92, 255) if player.to_move else (9, 27, 18, 215), 15)
    colour = INK if player.to_move else MIST
    canvas.text(player.title, LEFT + 16, y, 9, colour)
    if player.leads:
        canvas.text("leads", LEFT + 190, y, 7, colour, 1)
    if player.signal is not None:
        canvas.box(RIGHT - 208, y - 15, 208, 30, PAPER, 15)
        canvas.text(f"announced {player.signal}", RIGHT - 104, y, 9, INK, 0.5)


def _sentence(canvas: Canvas, scene: Scene) -> None:
    """What happens now, at the bottom of the path."""
    words = scene.sentence()
    won, over = scene.outcome == "win", scene.outcome is not None
    y = PLATE[0]
    background = (245, 200, 92, 255) if won else (110, 34, 40, 255) if over else (9, 27, 18, 215)
    canvas.veil(PATH_X - 236, y - 15, 472, 30, background, 15)
    canvas.text(words, PATH_X, y, 9, INK if won else PAPER, 0.5)
