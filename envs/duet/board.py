"""Boards as data (ruling D4): a path of spaces, some gems, some plus marks, a start, forest tiles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import InvalidOption, unknown, whole_number

MAX_SPACES: Final = 11
MAX_GEMS: Final = 100


@dataclass(frozen=True)
class Board:
    """A path through the forest. Space 0 is seat 0's end, the last space seat 1's.

    Args:
        gems: Gems beside each space at the beginning; 3 to 11 spaces. The start space holds 0.
        plus_marks: Spaces that get one gem between two rounds (D14).
        start: The tracker's first space. It has no gem space; every other space has one.
        forest_tiles: How many tiles there are. No more than there are spaces on the shorter side of
            the start, so that the path can never vanish.

    Raises:
        InvalidOption: The numbers describe no playable board.
    """

    gems: tuple[int, ...]
    plus_marks: tuple[int, ...]
    start: int
    forest_tiles: int

    def __post_init__(self) -> None:
        if not isinstance(self.gems, list | tuple) or not 3 <= len(self.gems) <= MAX_SPACES:
            raise InvalidOption(f"a board's gems must list 3 to {MAX_SPACES} spaces, not {self.gems!r}")
        last = len(self.gems) - 1
        gems = tuple(
            whole_number(count, f"the gems beside space {space} of a board", 0, MAX_GEMS)
            for space, count in enumerate(self.gems)
        )
        if self.start is None:
            raise InvalidOption(f"a board needs a start space; allowed: 1 to {last - 1}")
        start = whole_number(self.start, "a board's start space", 1, last - 1)
        if not isinstance(self.plus_marks, list | tuple):
            raise InvalidOption(f"a board's plus_marks must be a list of spaces, not {self.plus_marks!r}")
        marks = tuple(whole_number(space, "a plus mark's space", 0, last) for space in self.plus_marks)
        if len(set(marks)) < len(marks):
            raise InvalidOption(f"a board has at most one plus mark on a space, not {list(marks)}")
        if start in marks:
            raise InvalidOption(f"a board's start space ({start}) has no gem space, so no plus mark either")
        if gems[start]:
            raise InvalidOption(f"a board's start space ({start}) has no gem space, so it holds 0 gems")
        if not sum(gems):
            raise InvalidOption("a board needs at least one gem")
        tiles = whole_number(self.forest_tiles, "a board's forest_tiles", 0, min(start, last - start))
        for name, value in (("gems", gems), ("plus_marks", marks), ("start", start), ("forest_tiles", tiles)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, value: "Board | str | Mapping[str, Any]") -> "Board":
        """A board from its name, from a mapping of its four fields, or as it is."""
        if isinstance(value, Board):
            return value
        if isinstance(value, str):
            if value not in BOARDS:
                raise InvalidOption(unknown("board", value, BOARDS))
            return BOARDS[value]
        if isinstance(value, Mapping):
            fields = ("gems", "plus_marks", "start", "forest_tiles")
            for key in value:
                if key not in fields:
                    raise InvalidOption(unknown("board field", key, fields))
            for key in fields:
                if key not in value:
                    raise InvalidOption(f"a board needs the field {key!r}; its fields: {', '.join(fields)}")
            return cls(*(value[key] for key in fields))
        raise InvalidOption(
            f"board must be a name ({', '.join(BOARDS)}), a Board or a mapping of its fields, not {value!r}"
        )


BOARDS: Final = {
    "A": Board((2, 0, 1, 2, 1, 0, 1, 2, 1, 0, 2), (1, 3, 4, 6, 8), 5, 4),
    "B": Board((3, 2, 1, 0, 0, 0, 0, 0, 1, 2, 3), (0, 1, 2, 9, 10), 5, 4),
}
