"""What the pictures of all games are drawn with: a canvas, text that fits, and the fox.

Needs pygame at import, so only a game's ``picture`` imports it, when the first one is drawn. Coordinates
are pixels of the finished picture; everything is drawn ``SCALE`` times as large and made smaller at the
end, which smooths the edges.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

import pygame

SCALE: Final = 2
LINE: Final = 1.7  # from one line of text to the next, by the height of a capital letter

Colour = tuple[int, ...]
Point = tuple[float, float]

INK: Final = (44, 40, 36)
PAPER: Final = (250, 245, 231)
GOLD: Final = (245, 200, 92)
FOX: Final = (226, 112, 38)


class Canvas:
    """A surface with pygame's drawing functions in pixels of the finished picture.

    Args:
        width, height: Its size.
        clear: It is see-through where nothing was drawn.
    """

    def __init__(self, width: float, height: float, clear: bool = False) -> None:
        size = (round(width * SCALE), round(height * SCALE))
        self.surface = pygame.Surface(size, pygame.SRCALPHA if clear else 0, 32)

    def polygon(self, points: Iterable[Point], colour: Colour) -> None:
        """A filled polygon."""
        pygame.draw.polygon(self.surface, colour, [(x * SCALE, y * SCALE) for x, y in points])

    def line(self, points: Iterable[Point], colour: Colour, width: float = 1) -> None:
        """A line with round joints."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        pygame.draw.lines(self.surface, colour, False, scaled, round(width * SCALE))
        for point in scaled:
            pygame.draw.circle(self.surface, colour, point, width * SCALE / 2)

    def circle(self, x: float, y: float, radius: float, colour: Colour, width: float = 0) -> None:
        """A disc, or with a width a ring."""
        pygame.draw.circle(self.surface, colour, (x * SCALE, y * SCALE), radius * SCALE, round(width * SCALE))

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, colour: Colour) -> None:
        """A filled ellipse around a middle."""
        box = (x - half_width, y - half_height, 2 * half_width, 2 * half_height)
        pygame.draw.ellipse(self.surface, colour, [value * SCALE for value in box])

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: Colour,
        radius: float = 0,
        border: float = 0,
    ) -> None:
        """A rectangle with round corners, or with a border just its outline."""
        box = [value * SCALE for value in (x, y, width, height)]
        pygame.draw.rect(
            self.surface, colour, box, round(border * SCALE), border_radius=round(radius * SCALE)
        )

    def veil(
        self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0
    ) -> None:
        """A rectangle with round corners; the fourth component of its colour makes it see-through."""
        self.put(_veil(width, height, colour, radius), x, y)

    def put(self, surface: pygame.Surface, x: float, y: float) -> None:
        """Another canvas' surface, its upper left corner at this point."""
        self.surface.blit(surface, (round(x * SCALE), round(y * SCALE)))

    def text(self, words: str, x: float, y: float, size: float, colour: Colour, align: float = 0) -> float:
        """A line of text.

        Args:
            words: The text.
            x: Its left end (``align=0``), its middle (``0.5``) or its right end (``1``).
            y: The middle of its capital letters.
            size: Height of a capital letter, about.
            colour: Its colour.
            align: See ``x``.

        Returns:
            Its width.
        """
        rendered = rendered_text(words, size, colour)
        width = rendered.get_width() / SCALE
        self.put(rendered, x - align * width, y - rendered.get_height() / SCALE * 0.51)
        return width

    def paragraph(
        self,
        words: str,
        x: float,
        y: float,
        width: float,
        height: float,
        size: float,
        colour: Colour,
        align: float = 0.5,
    ) -> None:
        """Text in the middle of a box, on as many lines and as small as it needs to fit.

        Args:
            words: The text.
            x: The box's left end.
            y: Its upper end.
            width: Its width.
            height: Its height.
            size: Height of a capital letter, at most.
            colour: Its colour.
            align: Whether lines are to the left (0), in the middle (0.5) or to the right (1).
        """
        lines, size = fitted(words, width, height, size)
        pitch = size * LINE
        for k, line in enumerate(lines):
            middle = y + height / 2 + (k - (len(lines) - 1) / 2) * pitch
            self.text(line, x + align * width, middle, size, colour, align)


@lru_cache(maxsize=1024)
def fitted(words: str, width: float, height: float, size: float) -> tuple[tuple[str, ...], float]:
    """The lines of a text and the size of its letters, so that all of it fits into a box."""
    font = _font(size)
    lines = _lines(words, width, font)
    while size > 1 and (_width(lines, font) > width or len(lines) * size * LINE > height):
        size *= 0.94
        font = _font(size)
        lines = _lines(words, width, font)
    for narrower in range(int(width), 0, -2):  # lines of about the same length look better
        even = _lines(words, narrower, font)
        if len(even) > len(lines) or _width(even, font) > narrower:
            break
        lines = even
    return tuple(lines), size


def _font(size: float) -> pygame.font.Font:
    """The font of pygame itself, on every machine the same; large, as small letters stand unevenly."""
    pygame.font.init()
    return pygame.font.Font(None, round(size * 4 * SCALE))


def _width(lines: list[str], font: pygame.font.Font) -> float:
    return max(font.size(line)[0] for line in lines) / 2 / SCALE


def _lines(words: str, width: float, font: pygame.font.Font) -> list[str]:
    """As much on every line as there is room for, broken at spaces and hyphens only."""
    lines = [""]
    for word in words.split():
        for k, part in enumerate(re.split(r"(?<=\w-)(?=\w)", word)):
            space = " " if k == 0 and lines[-1] else ""
            longer = f"{lines[-1]}{space}{part}"
            if not lines[-1] or _width([longer], font) <= width:
                lines[-1] = longer
            else:
                lines.append(part)
    return lines


@lru_cache(maxsize=256)
def _veil(width: float, height: float, colour: Colour, radius: float) -> pygame.Surface:
    canvas = Canvas(width, height, clear=True)
    canvas.box(0, 0, width, height, colour, radius)
    return canvas.surface


@lru_cache(maxsize=1024)
def rendered_text(words: str, size: float, colour: Colour) -> pygame.Surface:
    """A line of text. It outlives ``pygame.quit``, which a font does not."""
    large = _font(size).render(words, True, colour)
    return pygame.transform.smoothscale(large, (large.get_width() // 2, large.get_height() // 2))


def shade(colour: Colour, amount: float) -> Colour:
    """Lighter (up to 1) or darker (down to -1)."""
    target = 255 if amount > 0 else 0
    return tuple(round(part + (target - part) * abs(amount)) for part in colour[:3])


def curve(start: Point, *pieces: tuple[Point, Point, Point], steps: int = 10) -> list[Point]:
    """Cubic Bézier curves, one after the other, as points. A piece is two handles and its end."""
    points = [start]
    for first, second, end in pieces:
        x0, y0 = points[-1]
        for step in range(1, steps + 1):
            t = step / steps
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            points.append(
                (
                    a * x0 + b * first[0] + c * second[0] + d * end[0],
                    a * y0 + b * first[1] + c * second[1] + d * end[1],
                )
            )
    return points


def placed(points: Iterable[Point], x: float, y: float, size: float) -> list[Point]:
    """Points of the square from -1 to 1, around a middle and with half that square's side."""
    return [(x + px * size, y + py * size) for px, py in points]


# --- shapes: each fits into a circle of radius `size` -----------------------------------------------


def star(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A star with five points, each with a light and a dark side."""
    radii = [(1.0 if k % 2 == 0 else 0.43) * size for k in range(10)]
    rim = [(x + r * sin(k * pi / 5), y - r * cos(k * pi / 5)) for k, r in enumerate(radii)]
    canvas.polygon(rim, colour)
    for k in range(0, 10, 2):
        canvas.polygon([(x, y), rim[k], rim[k + 1]], shade(colour, -0.15))


def paw(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A paw print."""
    canvas.ellipse(x, y + 0.36 * size, 0.56 * size, 0.46 * size, colour)
    for dx, dy in ((-0.72, -0.06), (-0.28, -0.52), (0.28, -0.52), (0.72, -0.06)):
        canvas.ellipse(x + dx * size, y + dy * size, 0.22 * size, 0.3 * size, colour)


_FACE: Final = curve(
    (0, 1),
    ((-0.2, 0.9), (-0.3, 0.7), (-0.95, 0.3)),
    ((-0.8, 0.1), (-0.78, -0.1), (-0.78, -0.3)),
    ((-0.78, -0.6), (-0.8, -0.8), (-0.72, -1.0)),
    ((-0.5, -0.9), (-0.36, -0.72), (-0.24, -0.52)),
    ((-0.1, -0.56), (0.1, -0.56), (0.24, -0.52)),
    ((0.36, -0.72), (0.5, -0.9), (0.72, -1.0)),
    ((0.8, -0.8), (0.78, -0.6), (0.78, -0.3)),
    ((0.78, -0.1), (0.8, 0.1), (0.95, 0.3)),
    ((0.3, 0.7), (0.2, 0.9), (0, 1)),
)
_CHEEK: Final = curve(
    (0, 1),
    ((-0.2, 0.9), (-0.3, 0.7), (-0.95, 0.3)),
    ((-0.6, 0.12), (-0.3, 0.14), (-0.16, 0.5)),
    ((-0.1, 0.64), (-0.06, 0.7), (0, 0.74)),
)
_EAR: Final = ((-0.66, -0.86), (-0.36, -0.56), (-0.62, -0.36))


def fox(canvas: Canvas, x: float, y: float, size: float, colour: Colour = FOX) -> None:
    """A fox's face."""
    canvas.polygon(placed(_FACE, x, y, size), colour)
    for side in (1, -1):
        for part, shaded in ((_CHEEK, shade(colour, 0.88)), (_EAR, shade(colour, -0.65))):
            canvas.polygon(placed([(px * side, py) for px, py in part], x, y, size), shaded)
        canvas.circle(x + side * 0.36 * size, y + 0.08 * size, 0.1 * size, INK)
    canvas.ellipse(x, y + 0.86 * size, 0.17 * size, 0.13 * size, INK)
