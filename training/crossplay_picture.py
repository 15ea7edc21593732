"""Cross-play as a heat map. Needs Matplotlib at import, so it is imported when a picture is to be drawn."""

from collections.abc import Iterator
from math import ceil, cos, radians, sin
from pathlib import Path
from textwrap import wrap
from typing import Any

try:
    from matplotlib.colors import LinearSegmentedColormap, to_rgb
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch
except ImportError as missing:
    raise ImportError('a picture of cross-play needs Matplotlib: pip install "reynard[train]"') from missing

from .crossplay import WINS, Cell, Crossplay

PAPER, INK, SOFT = "#fffdf8", "#2c2824", "#7d7268"
#: From never won to always won; ever darker, so that it reads in grey too.
HEAT = LinearSegmentedColormap.from_list(
    "reynard", ["#f5eddb", "#f7d78c", "#f0a83f", "#de6a2a", "#a83a22", "#5f1a1f"]
)
TITLES = {"duet": "Duet", "lisak": "Lišák"}

# lengths are inches, y grows downwards; the size of letters is in points, 72 to the inch
EDGE = 0.4
GAP = 0.08  # between tiles
FRAME = 0.055  # from the frame of an own team to its tile
NAME, PLAIN = 10.5, 10.0  # sizes of names and of sentences
LETTER = 0.55 / 72  # a letter's width, for each point of its size
LINE = 1.45 / 72  # from one line to the next, likewise
LONGEST = 30  # letters of a policy's name that are shown
TILT = 38  # degrees, of names above columns that are too narrow for them
MEAN_WIDTH, MEAN_HEIGHT = 1.15, 0.55  # of the column and the row of means
NARROWEST = 7.4
DPI = 160


def write_picture(result: Crossplay, path: Path) -> None:
    """Draw how often every pair won, as a PNG, SVG or PDF, which the path's ending says.

    Raises:
        OSError, ValueError: The file cannot be written, or not in that format.
    """
    _Drawing(result).figure.savefig(path, dpi=DPI, facecolor=PAPER)


class _Drawing:
    """The picture, and where things lie in it. Tiles stay readable: the more, the larger the picture."""

    def __init__(self, result: Crossplay) -> None:
        self.result = result
        self.rows, self.columns = (
            [_shortened(name) for name in side] for side in (result.rows, result.columns)
        )
        many = max(len(self.rows), len(self.columns))
        self.width, self.height, self.size, self.small = (
            (1.65, 1.08, 19, 10)
            if many <= 4
            else (1.45, 0.92, 15.5, 8.5)
            if many <= 8
            else (1.0, 0.7, 12.5, 8)
        )
        self.has_means = many <= 8
        self.others = "with others" if result.seats_are_alike else "mean"
        # the colours reach from 0 to the best team, or they would hide what differs among weak ones
        self.best = max(0.1, ceil(10 * max(cell.win_rate for cell in result.cells)) / 10)

        longest = max(map(len, self.columns)) * LETTER * NAME
        self.tilt = 0 if longest < self.width - GAP else TILT
        angle = radians(self.tilt)
        rise = max(0.2, longest * sin(angle) + 0.1)  # of the names above the columns
        self.left = EDGE + 0.3 + max(map(len, [*self.rows, self.others])) * LETTER * NAME + 0.12
        self.right = self.left + len(self.columns) * self.width
        reach = longest * cos(angle) - self.width / 2 if self.tilt else 0  # of the last name
        across = max(NARROWEST, self.right + max(MEAN_WIDTH, reach) + EDGE)
        told = result.configuration
        about = f"ruleset {told['ruleset_name']} · {told['games']:,} games for each pair, on the same deals"
        letters = int((across - 2 * EDGE) / (PLAIN * LETTER))
        heading = wrap(f"{about} · seed {told['seed']}", letters)
        notes = [line for note in self._notes() for line in wrap(note, letters)]
        self.top = EDGE + 0.5 + len(heading) * PLAIN * LINE + 0.45 + rise
        self.bottom = self.top + len(self.rows) * self.height
        legend = self.bottom + MEAN_HEIGHT + 0.35
        down = legend + 0.42 + len(notes) * PLAIN * LINE + EDGE - 0.15

        self.figure = Figure(figsize=(across, down), facecolor=PAPER)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.axis("off")
        title = f"{TITLES.get(told['game'], told['game'])}: who plays well with whom"
        self._text(EDGE, EDGE + 0.1, title, 17, INK, ha="left", weight="bold")
        self._lines(EDGE + 0.48, heading)
        self._names(self.top - rise - 0.24)
        for number, cell in enumerate(result.cells):
            self._cell(*self._middle(*divmod(number, len(self.columns))), cell)
        self._means()
        self._legend(legend)
        self._lines(legend + 0.45, notes)
        self.axes.set(xlim=(0, across), ylim=(down, 0))

    def _notes(self) -> Iterator[str]:
        """What the picture does not show by itself."""
        framed = any(cell.is_own_team for cell in self.result.cells)
        own = " Framed: a policy with itself." if framed else ""
        yield f"In each field: games won and the 95% interval, in percent.{own}"
        if self.result.seats_are_alike:
            gap = self.result.gaps[WINS]
            low, high = (100 * bound for bound in gap.interval)
            yield (
                f"Self-play {gap.self_play:.1%}, cross-play {gap.cross_play:.1%}, difference "
                f"{100 * gap.difference:.1f} points ({low:.1f} to {high:.1f}), deal by deal."
            )

    def _text(self, x: float, y: float, words: str, size: float, colour: str, **style: Any) -> None:
        style = {"ha": "center", "va": "center", **style}
        self.axes.text(x, y, words, fontsize=size, color=colour, **style)

    def _lines(self, y: float, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            self._text(EDGE, y + number * PLAIN * LINE, line, PLAIN, SOFT, ha="left")

    def _middle(self, row: float, column: float) -> tuple[float, float]:
        return self.left + (column + 0.5) * self.width, self.top + (row + 0.5) * self.height

    def _names(self, sides_at: float) -> None:
        down, across = (side.replace("player_", "seat ") for side in self.result.sides)
        x, y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        self._text(x, sides_at, across, NAME, SOFT, style="italic")
        self._text(EDGE + 0.08, y, down, NAME, SOFT, style="italic", rotation=90)
        for number, name in enumerate(self.columns):
            x, _ = self._middle(0, number)
            tilted = {"ha": "left", "rotation": self.tilt, "rotation_mode": "anchor"} if self.tilt else {}
            self._text(x, self.top - 0.12, name, NAME, INK, va="baseline", **tilted)
        for number, name in enumerate(self.rows):
            self._text(self.left - 0.12, self._middle(number, 0)[1], name, NAME, INK, ha="right")

    def _cell(self, x: float, y: float, cell: Cell) -> None:
        colour = to_rgb(HEAT(cell.win_rate / self.best))
        if cell.is_own_team:
            self._tile(x, y, GAP - 0.02, facecolor="none", edgecolor=INK, linewidth=1.8)
            self._tile(x, y, GAP + 2 * FRAME, facecolor=colour, edgecolor="none")
        else:
            self._tile(x, y, GAP, facecolor=colour, edgecolor="none")
        ink = _ink_on(colour)
        interval = "–".join(f"{100 * bound:.1f}" for bound in cell.interval)
        middle = y + (0.07 if self.has_means else 0.11) * self.height
        lift = (self.size + self.small) * LINE / 2
        self._text(x, middle - 0.86 * lift, f"{cell.win_rate:.1%}", self.size, ink, weight="bold")
        self._text(x, middle + (0.02 if self.has_means else 0.14) * lift, interval, self.small, ink)
        if self.has_means:
            means = " · ".join(f"{value:.1f} {name}" for name, value in cell.means.items())
            room = self.width - GAP - 2 * FRAME - 0.1
            size = min(self.small - 1, room / (len(means) * LETTER))
            self._text(x, middle + 0.72 * lift, means, size, ink)

    def _tile(self, x: float, y: float, less: float, **style: Any) -> None:
        width, height = self.width - less, self.height - less
        corner, shape = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.08"
        self.axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=shape, **style))

    def _means(self) -> None:
        """How each policy does on each side, beside its row and below its column."""
        down, across = (self.result.side_means()[side] for side in self.result.sides)
        x, y = self.right + MEAN_WIDTH / 2, self.bottom + MEAN_HEIGHT / 2
        self._text(x, self.top - 0.12, self.others, NAME, SOFT, va="baseline")
        self._text(self.left - 0.12, y, self.others, NAME, SOFT, ha="right")
        for number, name in enumerate(self.result.rows):
            self._text(x, self._middle(number, 0)[1], f"{down[name][WINS]:.1%}", self.size * 0.7, SOFT)
        for number, name in enumerate(self.result.columns):
            self._text(self._middle(0, number)[0], y, f"{across[name][WINS]:.1%}", self.size * 0.7, SOFT)

    def _legend(self, y: float) -> None:
        """The colours and what they stand for."""
        begin, end, half = EDGE + 0.3, EDGE + 2.7, 0.065
        scale = [[step / 255 for step in range(256)]]
        self.axes.imshow(scale, cmap=HEAT, extent=(begin, end, y + half, y - half), aspect="auto")
        self._text(begin - 0.08, y, "0%", 8.5, SOFT, ha="right")
        self._text(end + 0.08, y, f"{self.best:.0%} of games won", 8.5, SOFT, ha="left")


def _shortened(name: str) -> str:
    """A long name's end: it is what tells learned policies apart."""
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]


def _ink_on(colour: tuple[float, float, float]) -> str:
    """Dark or light letters, whichever stand out more (by the relative luminance of WCAG 2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    luminance = sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return INK if luminance > 0.22 else PAPER
