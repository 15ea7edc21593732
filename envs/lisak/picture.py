"""The table of Lišák as one picture: the fox and its card left, the rows in the middle, the seekers right.

Needs pygame at import, as ``drawing`` does.
"""

from typing import Final

import pygame

from ..drawing import FOX, GOLD, INK, PAPER, Canvas, fox, paw, shade
from .draw import (
    CREAM,
    FELT,
    HEIGHT,
    RED,
    SAND,
    SHADE,
    SHADOW,
    SIZE,
    WIDTH,
    WOOD,
    bubble,
    card_back,
    clue_card,
    engraved,
    ground,
    joker,
    judgement,
    person,
    ring,
    slot,
    stand,
    token,
    trophy_card,
)
from .scene import Card, Proposal, Row, Scene
from .state import FIRST_SEEKER
from .state import FOX as FOX_SEAT

EDGE: Final = 18
SIDE: Final = 188  # width of what is left and right of the mat
LEFT, RIGHT = EDGE, WIDTH - EDGE - SIDE
MAT: Final = (218, 18, 524, 636)
FIRST_ROW, ROW_PITCH, CARD_HEIGHT = 64, 83, 72
CARDS: Final = (262, 422)  # left end and width of a row's cards
GAP: Final = 7
TOKENS: Final = 691  # left end of a row's tokens
SENTENCE: Final = (218, 664, 524, 40)


def draw(scene: Scene) -> pygame.Surface:
    """The picture, ``SIZE`` pixels large."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.put(ground(*MAT), 0, 0)
    _course(canvas, scene)
    for number in range(scene.rounds):
        _row(canvas, scene, number)
    _stand(canvas, scene)
    _fox(canvas, scene)
    _trophies(canvas, scene)
    _likely(canvas, scene)
    engraved(canvas, scene.say("game"), LEFT + SIDE / 2, SENTENCE[1] + 20, 16)
    _seekers(canvas, scene)
    _legend(canvas, scene)
    _sentence(canvas, scene)
    return pygame.transform.smoothscale(canvas.surface, SIZE)


# --- the mat ----------------------------------------------------------------------------------------


def _course(canvas: Canvas, scene: Scene) -> None:
    """How far the game is."""
    words = scene.say("round", number=scene.round + 1, rounds=scene.rounds)
    canvas.text(words, MAT[0] + 22, MAT[1] + 25, 12, PAPER)
    canvas.text(scene.say(f"phase {scene.phase}"), MAT[0] + MAT[2] - 22, MAT[1] + 25, 10, GOLD, 1)


def _row(canvas: Canvas, scene: Scene, number: int) -> None:
    """A round's cards and tokens; a round to come is only its number."""
    y = FIRST_ROW + number * ROW_PITCH
    begun, current = number <= scene.round, number == scene.round and scene.outcome is None
    if current:
        canvas.veil(MAT[0] + 8, y - 5, MAT[2] - 16, CARD_HEIGHT + 10, (255, 236, 190, 26), 10)
    colour = GOLD if current else shade(FELT, 0.55) if begun else shade(FELT, 0.24)
    paw(canvas, MAT[0] + 25, y + 26, 8, colour)
    canvas.text(str(number + 1), MAT[0] + 25, y + 50, 9, colour, 0.5)
    if not begun:
        return
    row = scene.rows[number]
    width = (CARDS[1] - (scene.row_length - 1) * GAP) / scene.row_length
    for place, card in enumerate(row.cards):
        _card(canvas, card, CARDS[0] + place * (width + GAP), y, width)
    if current:
        last = number == scene.rounds - 1
        for place in range(len(row.cards), scene.slots):
            next_one = scene.phase == "write" and place == len(row.cards)
            line = GOLD if next_one else RED if last else shade(FELT, 0.3)
            _put(canvas, slot(width, CARD_HEIGHT, line), CARDS[0] + place * (width + GAP), y)
    _tokens(canvas, row, y)


def _card(canvas: Canvas, card: Card, x: float, y: float, width: float) -> None:
    """A card with what stands on it, who wrote it, and what lies on it."""
    if card.kind is None:
        _put(canvas, card_back(width, CARD_HEIGHT), x, y)
    else:
        paper = trophy_card if card.kind == "trophy" else clue_card
        _put(canvas, paper(width, CARD_HEIGHT), x, y)
    if card.text is not None:
        canvas.paragraph(card.text, x + 7, y + 6, width - 14, CARD_HEIGHT - 28, 9, INK)
    person(canvas, card.seat - FIRST_SEEKER, x + 14, y + CARD_HEIGHT - 13, 7)
    if card.judged is not None and card.text is not None:
        judgement(canvas, card.judged, x + width - 14, y + CARD_HEIGHT - 13, 5.5)
    if card.joker:
        joker(canvas, x + width / 2, y + CARD_HEIGHT - 8, 12)


def _tokens(canvas: Canvas, row: Row, y: float) -> None:
    """The tokens at the row's end and their number; an empty ring for the one that is the joker."""
    if row.tokens is None:
        return
    lying = row.tokens - any(card.joker for card in row.cards)
    canvas.text(str(row.tokens), TOKENS + 40, y + CARD_HEIGHT / 2, 9, CREAM, 1)
    deep = (row.tokens + 1) // 2
    for k in range(row.tokens):
        wide = 1 if k == row.tokens - 1 and row.tokens % 2 else 2
        at = (
            TOKENS + 13 + (k % 2 - (wide - 1) / 2) * 18,
            y + CARD_HEIGHT / 2 + (k // 2 - (deep - 1) / 2) * 18,
        )
        if k < lying:
            token(canvas, *at, 8)
        else:
            ring(canvas, *at, 7, shade(GOLD, -0.3))


def _put(canvas: Canvas, card: pygame.Surface, x: float, y: float) -> None:
    """A card's surface, so that the card itself has its corner at this point."""
    canvas.put(card, x - SHADOW, y - SHADOW)


# --- the fox's side ---------------------------------------------------------------------------------


def _stand(canvas: Canvas, scene: Scene) -> None:
    """The card in its stand, which hides the answer from those who must not see it."""
    width, height, x, y = 152, 200, LEFT + 18, EDGE + 4
    half = height / 2
    _put(canvas, clue_card(width, height), x, y)
    canvas.text(scene.say("hint"), x + width / 2, y + 18, 7, shade(FOX, -0.1), 0.5)
    canvas.paragraph(scene.hint or "?", x + 12, y + 28, width - 24, half - 36, 12, INK)
    if scene.answer is None:
        stand(canvas, x - 14, y + half - 8, width + 28, half + 28)
        fox(canvas, x + width / 2, y + half + 62, 30, shade(WOOD, -0.22))
        return
    canvas.box(x + 4, y + half, width - 8, half - 4, FOX, 4)
    canvas.text(scene.say("answer"), x + width / 2, y + half + 15, 7, shade(FOX, 0.75), 0.5)
    canvas.paragraph(scene.answer, x + 12, y + half + 24, width - 24, half - 54, 12, PAPER)
    number = scene.say("card", number=scene.card)
    canvas.text(number, x + width / 2, y + height - 20, 6, shade(FOX, 0.6), 0.5)
    stand(canvas, x - 14, y + height - 10, width + 28, 38)


def _fox(canvas: Canvas, scene: Scene) -> None:
    """The fox, and the joker it still has."""
    y = 268
    moves = scene.to_move == FOX_SEAT
    canvas.veil(LEFT, y, SIDE, 34, GOLD if moves else SHADE, 17)
    fox(canvas, LEFT + 22, y + 16, 12)
    _name(canvas, scene, FOX_SEAT, y + 17)
    y += 62
    at = LEFT + 22
    if scene.joker:
        ring(canvas, at, y, 13, SAND)
    else:
        joker(canvas, at, y, 14)
    where = "joker unused" if scene.joker_row is None else "joker used"
    canvas.text(scene.say("joker"), LEFT + 46, y - 8, 9, CREAM)
    row = "" if scene.joker_row is None else scene.joker_row + 1
    canvas.text(scene.say(where, row=row), LEFT + 46, y + 9, 7, SAND)


def _name(canvas: Canvas, scene: Scene, seat: int, y: float) -> None:
    """A player's name on their plate, and whether it is you."""
    x = RIGHT if seat else LEFT
    moves = scene.to_move == seat
    canvas.text(scene.role(seat), x + 44, y, 9, INK if moves else CREAM)
    if seat == scene.seat:
        canvas.text(scene.say("you"), x + SIDE - 18, y, 8, INK if moves else GOLD, 1)


def _trophies(canvas: Canvas, scene: Scene) -> None:
    """The trophy cards that are left."""
    y = 368
    canvas.text(scene.say("trophies"), LEFT + 8, y, 8, CREAM)
    canvas.text(str(scene.trophies_left), LEFT + SIDE - 8, y, 10, PAPER, 1)
    for k in range(scene.trophies):
        x = LEFT + 4 + k * 62
        if k < scene.trophies_left:
            _put(canvas, trophy_card(56, 36), x, y + 16)
            paw(canvas, x + 28, y + 34, 7, shade(RED, 0.75))
        else:
            _put(canvas, slot(56, 36, shade(WOOD, 0.1)), x, y + 16)


def _likely(canvas: Canvas, scene: Scene) -> None:
    """The likeliest answers, each with a bar."""
    if scene.likely is None:
        return
    y, pitch = 446, 25
    rest = scene.possible - len(scene.likely)
    lines = len(scene.likely) or 1
    canvas.veil(LEFT, y, SIDE, 36 + lines * pitch + (22 if rest else 0), SHADE, 12)
    canvas.text(scene.say("likely"), LEFT + 14, y + 18, 8, GOLD)
    if not scene.likely:
        canvas.text(scene.say("none fits"), LEFT + 14, y + 44, 8, CREAM)
    for k, (words, chance) in enumerate(scene.likely):
        top = y + 32 + k * pitch
        canvas.paragraph(words, LEFT + 14, top, SIDE - 66, 18, 8, CREAM, 0)
        canvas.text(f"{chance:.0%}", LEFT + SIDE - 14, top + 9, 8, PAPER, 1)
        canvas.box(LEFT + 14, top + 19, SIDE - 28, 3, (70, 48, 34), 1.5)
        canvas.box(LEFT + 14, top + 19, max(3, (SIDE - 28) * chance), 3, FOX, 1.5)
    if rest:
        canvas.text(scene.say("more", count=rest), LEFT + 14, y + 40 + lines * pitch, 7, SAND)


# --- the seekers' side ------------------------------------------------------------------------------


def _seekers(canvas: Canvas, scene: Scene) -> None:
    """The seekers, and below each what they propose."""
    pitch = min(150, (SENTENCE[1] - EDGE) / (scene.players - 1))
    for seat in range(FIRST_SEEKER, scene.players):
        y = EDGE + (seat - FIRST_SEEKER) * pitch
        canvas.veil(RIGHT, y, SIDE, 30, GOLD if scene.to_move == seat else SHADE, 15)
        person(canvas, seat - FIRST_SEEKER, RIGHT + 22, y + 15, 10)
        _name(canvas, scene, seat, y + 15)
        made = [proposal for proposal in scene.proposals if proposal.seat == seat]
        if made:
            room = min(30, (pitch - 58) / len(made))
            bubble(canvas, RIGHT + 8, y + 42, SIDE - 16, 8 + room * len(made), RIGHT + 24)
            for k, proposal in enumerate(made):
                _proposal(canvas, scene, proposal, y + 46 + k * room, room)


def _proposal(canvas: Canvas, scene: Scene, proposal: Proposal, y: float, height: float) -> None:
    """What is proposed; an answer for a trophy in a red frame."""
    x, width = RIGHT + 16, SIDE - 32
    if proposal.text is None:
        canvas.paragraph(scene.say("pass"), x, y, width, height, 8, shade(SAND, -0.2), 0)
        return
    if proposal.kind == "trophy":
        canvas.box(x - 3, y + 2, width + 6, height - 4, RED, 4, 2)
        x, width = x + 4, width - 8
    canvas.paragraph(proposal.text, x, y + 1, width, height - 2, 8, INK, 0)


def _legend(canvas: Canvas, scene: Scene) -> None:
    """What the marks on the cards mean, where there are any."""
    if scene.answer is None:
        return
    x, y = RIGHT, SENTENCE[1]
    canvas.box(x, y, SIDE, SENTENCE[3], CREAM, 9)
    canvas.text(scene.say("judged"), x + SIDE / 2, y + 11, 6.5, shade(INK, 0.35), 0.5)
    for judged, left, width in (("yes", 12, 52), ("borderline", 58, 84), ("no", 144, 42)):
        judgement(canvas, judged, x + left + 6, y + 27, 5)
        canvas.paragraph(scene.say(f"judged {judged}"), x + left + 16, y + 18, width - 16, 18, 7, INK, 0)


def _sentence(canvas: Canvas, scene: Scene) -> None:
    """What happens now, or how it ended."""
    x, y, width, height = SENTENCE
    won, over = scene.outcome == "win", scene.outcome is not None
    canvas.veil(x, y, width, height, GOLD if won else (120, 34, 38) if over else SHADE, height / 2)
    room = width - 104 if won else width - 40
    canvas.paragraph(scene.sentence(), x + (width - room) / 2, y, room, height, 10, INK if won else PAPER)
    if won:
        for side in (x + 28, x + width - 28):
            fox(canvas, side, y + height / 2, 13)
