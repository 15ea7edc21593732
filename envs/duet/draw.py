"""Shapes for the pictures of Duet: suits, gems, paws, trees, the fox. They know nothing of the game.

Needs pygame at import, so only ``render`` imports it, when the first picture is drawn. Coordinates are
pixels of the finished picture; everything is drawn ``SCALE`` times as large and made smaller at the
end, which smooths the edges.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

import pygame

SCALE: Final = 2

Colour = tuple[int, ...]
Point = tuple[float, float]

# told apart by lightness as well as by hue, for eyes that see fewer colours
DOVE: Final = (38, 104, 168)
ROSE: Final = (168, 26, 60)
STAR: Final = (214, 146, 0)
SUIT_COLOURS: Final = (DOVE, ROSE, STAR)
INK: Final = (44, 40, 36)
PAPER: Final = (250, 245, 231)
GOLD: Final = (245, 200, 92)
MIST: Final = (214, 226, 206)  # text on the table
MOSS: Final = (132, 160, 128)  # quiet text on the table
SHADE: Final = (9, 27, 18, 215)  # behind text on the table
FOX: Final = (226, 112, 38)
GEM: Final = (150, 92, 214)


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


@lru_cache(maxsize=256)
def _veil(width: float, height: float, colour: Colour, radius: float) -> pygame.Surface:
    canvas = Canvas(width, height, clear=True)
    canvas.box(0, 0, width, height, colour, radius)
    return canvas.surface


@lru_cache(maxsize=1024)
def rendered_text(words: str, size: float, colour: Colour) -> pygame.Surface:
    """A line of text. It outlives ``pygame.quit``, which a font does not."""
    pygame.font.init()
    # pygame's own font, on every machine the same; twice as large, as small letters stand unevenly
    large = pygame.font.Font(None, round(size * 4 * SCALE)).render(words, True, colour)
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


# --- the suits: each fits into a circle of radius `size` --------------------------------------------

_DOVE_BODY: Final = curve(
    (0.98, -0.2),
    ((0.86, -0.44), (0.56, -0.5), (0.42, -0.26)),
    ((0.3, -0.08), (0.1, 0.0), (-0.1, 0.06)),
    ((-0.4, 0.12), (-0.7, 0.1), (-1.0, 0.2)),
    ((-0.9, 0.3), (-0.9, 0.3), (-0.82, 0.36)),
    ((-0.86, 0.44), (-0.86, 0.46), (-0.86, 0.56)),
    ((-0.6, 0.5), (-0.5, 0.46), (-0.36, 0.44)),
    ((0.0, 0.72), (0.66, 0.5), (0.72, -0.06)),
    ((0.78, -0.12), (0.86, -0.16), (0.98, -0.2)),
)
_DOVE_WING: Final = curve(
    (0.4, 0.14),
    ((0.42, -0.3), (0.1, -0.72), (-0.42, -0.98)),
    ((-0.4, -0.84), (-0.42, -0.76), (-0.46, -0.66)),
    ((-0.56, -0.7), (-0.58, -0.72), (-0.66, -0.72)),
    ((-0.6, -0.58), (-0.58, -0.5), (-0.58, -0.4)),
    ((-0.66, -0.42), (-0.7, -0.42), (-0.76, -0.42)),
    ((-0.6, 0.06), (-0.2, 0.34), (0.4, 0.14)),
)


def dove(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A dove in flight."""
    canvas.polygon(placed(_DOVE_BODY, x, y, size), colour)
    canvas.polygon(placed(_DOVE_WING, x, y, size), colour)
    canvas.line(placed(_DOVE_WING[50:], x, y, size), shade(colour, 0.75), max(0.5, size * 0.07))
    canvas.circle(x + 0.68 * size, y - 0.24 * size, max(0.5, size * 0.07), shade(colour, 0.85))


def rose(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A blossom with five petals, as in a coat of arms."""
    around = [(sin(k * 2 * pi / 5), -cos(k * 2 * pi / 5)) for k in range(5)]
    between = [(sin((k + 0.5) * 2 * pi / 5), -cos((k + 0.5) * 2 * pi / 5)) for k in range(5)]
    for dx, dy in between:
        tip = (x + dx * size * 0.98, y + dy * size * 0.98)
        side = (dy * size * 0.2, -dx * size * 0.2)
        root = (x + dx * size * 0.4, y + dy * size * 0.4)
        canvas.polygon(
            [tip, (root[0] + side[0], root[1] + side[1]), (root[0] - side[0], root[1] - side[1])],
            shade(colour, -0.35),
        )
    for dx, dy in around:
        canvas.circle(x + dx * size * 0.56, y + dy * size * 0.56, size * 0.4, colour)
    for dx, dy in between:
        start = (x + dx * size * 0.3, y + dy * size * 0.3)
        canvas.line([start, (x + dx * size * 0.6, y + dy * size * 0.6)], shade(colour, 0.6), size * 0.07)
    canvas.circle(x, y, size * 0.34, shade(colour, 0.75))
    canvas.circle(x, y, size * 0.2, colour)


def star(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A star with five points, each with a light and a dark side."""
    radii = [(1.0 if k % 2 == 0 else 0.43) * size for k in range(10)]
    rim = [(x + r * sin(k * pi / 5), y - r * cos(k * pi / 5)) for k, r in enumerate(radii)]
    canvas.polygon(rim, colour)
    for k in range(0, 10, 2):
        canvas.polygon([(x, y), rim[k], rim[k + 1]], shade(colour, -0.15))


SUIT_SHAPES: Final[Sequence[Callable[..., None]]] = (dove, rose, star)


def suit(canvas: Canvas, number: int, x: float, y: float, size: float, colour: Colour | None = None) -> None:
    """A suit's symbol, in its own colour if no other is given."""
    SUIT_SHAPES[number](canvas, x, y, size, colour or SUIT_COLOURS[number])


# --- things -----------------------------------------------------------------------------------------


def paw(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A paw print."""
    canvas.ellipse(x, y + 0.36 * size, 0.56 * size, 0.46 * size, colour)
    for dx, dy in ((-0.72, -0.06), (-0.28, -0.52), (0.28, -0.52), (0.72, -0.06)):
        canvas.ellipse(x + dx * size, y + dy * size, 0.22 * size, 0.3 * size, colour)


def gem(canvas: Canvas, x: float, y: float, size: float, colour: Colour = GEM) -> None:
    """A cut stone."""
    a, b, c, d = (-1.0, -0.2), (-0.5, -0.78), (0.5, -0.78), (1.0, -0.2)
    left, right, tip = (-0.42, -0.2), (0.42, -0.2), (0.0, 0.95)
    canvas.polygon(
        placed([(-1.1, -0.2), (-0.56, -0.9), (0.56, -0.9), (1.1, -0.2), (0, 1.1)], x, y, size),
        shade(colour, -0.6),
    )
    facets = (
        ((a, b, left), 0.25),
        ((b, c, right, left), 0.7),
        ((c, d, right), 0.4),
        ((a, left, tip), 0.05),
        ((left, right, tip), 0.35),
        ((right, d, tip), -0.2),
    )
    for points, amount in facets:
        canvas.polygon(placed(points, x, y, size), shade(colour, amount))


def tree(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A fir; its foot is ``size`` below the middle."""
    canvas.polygon(placed([(-0.09, 0.6), (0.09, 0.6), (0.09, 1), (-0.09, 1)], x, y, size), (84, 58, 38))
    for top, bottom, half in ((-0.05, 0.72, 0.62), (-0.5, 0.32, 0.5), (-1.0, -0.1, 0.36)):
        canvas.polygon(placed([(0, top), (half, bottom), (-half, bottom)], x, y, size), colour)
        canvas.polygon(placed([(0, top), (half, bottom), (0, bottom)], x, y, size), shade(colour, -0.25))


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


def eye(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """An open eye on a disc of the colour."""
    canvas.circle(x, y, size * 1.5, colour)
    almond = curve((-1, 0), ((-0.5, -0.85), (0.5, -0.85), (1, 0)), ((0.5, 0.85), (-0.5, 0.85), (-1, 0)))
    canvas.polygon(placed(almond, x, y, size), PAPER)
    canvas.circle(x, y, size * 0.42, INK)
