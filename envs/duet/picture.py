"""The table of Duet as one picture. Near is at the bottom, far at the top, the path winds between them.

Needs pygame at import, as ``draw`` does.
"""

from typing import Final

import pygame

from ..drawing import GOLD, INK, PAPER, Canvas
from . import card_faces
from .card_faces import ASPECT, SHADOW
from .cards import NUM_RANKS
from .draw import GEM, MIST, MOSS, SHADE, SUIT_COLOURS, gem, suit, tree
from .forest import HEIGHT, MIDDLE, PATH_X, SIZE, WIDTH, ground, path
from .scene import Player, Scene

HAND_CARD: Final = 80
HAND_GAP: Final = 5
HAND_TOP: Final = (HEIGHT - 12 - HAND_CARD * ASPECT, 13)  # of the near and the far hand
PLATE: Final = (HEIGHT - 156, 154)  # the middle of the line with the player's name
TRICK_CARD: Final = 88
LEFT, RIGHT = 20, WIDTH - 20


def draw(scene: Scene) -> pygame.Surface:
    """The picture, ``SIZE`` pixels large."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.put(ground(), 0, 0)
    path(canvas, scene)
    _trick(canvas, scene)
    _supply(canvas, scene)
    for index, player in enumerate(scene.players):
        _hand(canvas, scene, player, index)
        _plate(canvas, player, index)
    _sentence(canvas, scene)
    return pygame.transform.smoothscale(canvas.surface, SIZE)


# --- left and right of it ---------------------------------------------------------------------------


def _panel(canvas: Canvas, x: float, width: float) -> None:
    canvas.veil(x, MIDDLE[0], width, MIDDLE[1] - MIDDLE[0], SHADE, 12)


def _put_card(canvas: Canvas, card: pygame.Surface, x: float, y: float) -> None:
    """A card's surface, so that the card itself has its corner at this point."""
    canvas.put(card, x - SHADOW, y - SHADOW)


def _trick(canvas: Canvas, scene: Scene) -> None:
    """The cards on the table, each on its player's side."""
    _panel(canvas, LEFT, 206)
    x = LEFT + 14
    canvas.text(f"Round {scene.round + 1} of {scene.rounds}", x, MIDDLE[0] + 20, 10, PAPER)
    canvas.text(f"Trick {scene.trick + 1} of {scene.tricks}", x, MIDDLE[0] + 42, 10, MIST)
    cards = scene.trick_cards or scene.last_trick
    current = bool(scene.trick_cards)
    height = TRICK_CARD * ASPECT
    for index, player in enumerate(scene.players):
        y = MIDDLE[1] - 14 - height - index * (height + 14)
        played = next((item for item in cards if item.player == index), None)
        if played is None:
            _put_card(canvas, card_faces.slot(TRICK_CARD), x, y)
            role = ""
        else:
            drawn = card_faces.face if current else card_faces.faded
            _put_card(canvas, drawn(played.card, scene.character(played.card), TRICK_CARD), x, y)
            role = "led" if played == cards[0] else "followed"
            if current and role == "led":
                canvas.box(x - 2, y - 2, TRICK_CARD + 4, height + 4, GOLD, 9, 3)
        label = x + TRICK_CARD + 12
        canvas.text(player.name, label, y + height / 2 - 10, 9, MIST if current else MOSS)
        canvas.text(role, label, y + height / 2 + 10, 9, GOLD if current else MOSS)
    if cards and not current:
        canvas.text("the last trick", x + TRICK_CARD + 12, MIDDLE[1] - 21 - height, 7, MOSS)


def _supply(canvas: Canvas, scene: Scene) -> None:
    """The decree, the forest tiles, the gems."""
    width = 208
    left = RIGHT - width
    _panel(canvas, left, width)
    x, y = left + 14, MIDDLE[0] + 14
    if scene.decree is None:
        _put_card(canvas, card_faces.slot(TRICK_CARD), x, y)
    else:
        _put_card(canvas, card_faces.face(scene.decree, scene.character(scene.decree), TRICK_CARD), x, y)
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
            _put_card(canvas, card_faces.back(HAND_CARD), x, y)
        else:
            _put_card(canvas, card_faces.face(card.card, scene.character(card.card), HAND_CARD), x, y)
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
    canvas.veil(LEFT, y - 15, 206, 30, GOLD if player.to_move else SHADE, 15)
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
    background = GOLD if won else (110, 34, 40) if over else SHADE
    canvas.veil(PATH_X - 236, y - 15, 472, 30, background, 15)
    canvas.text(words, PATH_X, y, 9, INK if won else PAPER, 0.5)
