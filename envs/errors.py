"""What the environments say when they refuse something: one sentence, and nothing has changed."""

import difflib
from collections.abc import Iterable
from typing import Any

#: More names than this are not listed in full.
MANY = 40


class IllegalAction(ValueError):
    """An action outside the mask (ruling X2). The state is as it was before the call."""


class InvalidOption(ValueError):
    """An option, ruleset, board or deck that describes no playable game."""


def unknown(kind: str, given: object, allowed: Iterable[str]) -> str:
    """One sentence for a name that nobody knows: the nearest one that exists, and all of them.

    Of very many names the first ones and their number have to do.
    """
    names = [str(name) for name in allowed]
    near = difflib.get_close_matches(str(given), names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    listed = names if len(names) <= MANY else [*names[:MANY], f"… ({len(names)} in all)"]
    return f"unknown {kind} {given!r}; {hint}allowed: {', '.join(listed)}"


def whole_number(value: Any, what: str, low: int, high: int) -> int:
    """The value as an ``int`` from ``low`` to ``high``.

    Raises:
        InvalidOption: It is no whole number (a truth value is none) or out of range.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value.__index__() <= high:
        raise InvalidOption(f"{what} must be a whole number from {low} to {high}, not {value!r}")
    return value.__index__()
