"""Shapes for the pictures of Duet: suits, gems, trees. They know nothing of the game.

Needs pygame at import, as ``drawing`` does.
"""

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import Final

from ..drawing import INK, PAPER, Canvas, Colour, curve, placed, shade, star

# told apart by lightness as well as by hue, for eyes that see fewer colours
DOVE: Final = (38, 104, 168)
ROSE: Final = (168, 26, 60)
STAR: Final = (214, 146, 0)
SUIT_COLOURS: Final = (DOVE, ROSE, STAR)
MIST: Final = (214, 226, 206)  # text on the table
MOSS: Final = (132, 160, 128)  # quiet text on the table
SHADE: Final = (9, 27, 18, 215)  # behind text on the table
GEM: Final = (150, 92, 214)


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


SUIT_SHAPES: Final[Sequence[Callable[..., None]]] = (dove, rose, star)


def suit(canvas: Canvas, number: int, x: float, y: float, size: float, colour: Colour | None = None) -> None:
    """A suit's symbol, in its own colour if no other is given."""
    SUIT_SHAPES[number](canvas, x, y, size, colour or SUIT_COLOURS[number])


# --- things -----------------------------------------------------------------------------------------


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


def eye(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """An open eye on a disc of the colour."""
    canvas.circle(x, y, size * 1.5, colour)
    almond = curve((-1, 0), ((-0.5, -0.85), (0.5, -0.85), (1, 0)), ((0.5, 0.85), (-0.5, 0.85), (-1, 0)))
    canvas.polygon(placed(almond, x, y, size), PAPER)
    canvas.circle(x, y, size * 0.42, INK)
