"""Storage for N games of one ruleset, and what seeds and injected cards do to it."""

import difflib
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import jit
from .errors import MANY, IllegalAction, InvalidOption, whole_number
from .game import Game
from .streams import key_of


class Games:
    """N records of one game under one ruleset.

    Args:
        game: The game.
        ruleset: A preset's name, a ruleset, or a mapping of options.
        count: How many games.
        first_game: The first game's index; game *i* draws from the stream of index ``first_game + i``.
        **options: Single options that replace the ruleset's.

    Raises:
        InvalidOption: An option is unknown or not allowed.
    """

    def __init__(
        self, game: Game, ruleset: Any = "standard", count: int = 1, first_game: int = 0, **options: Any
    ) -> None:
        self.game = game
        self.ruleset = game.make_ruleset(ruleset, **options)
        self.agents = game.agents(self.ruleset)
        self.action_names = game.action_names(self.ruleset)
        self.count = whole_number(count, "the number of games", 1, 2**31)
        self.layout = game.layout(self.ruleset)
        self.observation_size = self.layout.visible_size(self.ruleset.history)
        self._mask_size = -(-len(self.action_names) // 8)  # in 64-bit words
        self.records = np.zeros(self.count, game.state)
        self.rules = game.compile_ruleset(self.ruleset)
        self.records["game"] = whole_number(first_game, "first_game", 0, 2**31) + np.arange(self.count)
        self.records["to_move"] = -1
        self._seeded = False

    def seed(self, seed: int | None) -> None:
        """Name the next episode's random stream: a new seed's first one, else the one after the last.

        Raises:
            ValueError: The seed is negative or no integer.
        """
        if seed is not None or not self._seeded:
            self.records["key"] = key_of(seed)
            self.records["episode"] = 0
            self._seeded = True
        else:
            self.records["episode"] += 1

    def read_options(self, options: Mapping[str, Any] | None) -> dict[str, np.ndarray]:
        """What ``reset(options=...)`` fixes, as values of state fields.

        Options that are none of ours belong to some wrapper and are passed over; but a near miss of
        one of ours is surely a slip of the pen.

        Raises:
            InvalidOption: A value is not allowed, or a name is nearly one of ours.
        """
        known = (*self.game.chance_options, "game")
        for name in options or {}:
            near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.7)
            if name not in known and near:
                raise InvalidOption(f"unknown reset option {name!r}; did you mean {near[0]!r}?")
        fields = self.game.read_chance(options or {}, self.ruleset)
        if options and "game" in options:
            index = whole_number(options["game"], "the reset option 'game'", 0, 2**31)
            fields["game"] = index + np.arange(self.count)
        return fields

    def write(self, fields: Mapping[str, np.ndarray]) -> None:
        """Write values into all records; a shorter array fills the beginning of a field."""
        for name, value in fields.items():
            field = self.records[name]
            if value.ndim and value.shape != field.shape:
                field[:, : len(value)] = value
            else:
                field[...] = value

    def refusal(self, index: int, seat: int, action: Any, legal: np.ndarray) -> IllegalAction:
        """Ruling X2: the error that names game, agent, action and what was legal."""
        names = self.action_names
        number = as_action(action)
        what = f"{number} ({names[number]})" if 0 <= number < len(names) else repr(action)
        allowed = ", ".join(in_short(np.flatnonzero(legal), names))
        game = int(self.records["game"][index])
        if seat < 0:
            return IllegalAction(f"{self.game.name} game {game} is over; reset it before playing {what}")
        return IllegalAction(
            f"{self.game.name} game {game}: {self.agents[seat]} may not play {what}; legal now: {allowed}"
        )

    def to_dict(self, index: int = 0) -> dict[str, Any]:
        """The full state of one game in plain Python."""
        return self.game.to_dict(self.records[index], self.ruleset)


def as_action(value: Any) -> int:
    """The number of an action; -1 for what is no whole number (a truth value is none)."""
    if isinstance(value, bool):
        return -1
    try:
        return operator.index(value)
    except TypeError:
        return -1


def in_short(actions: np.ndarray, names: Sequence[str], form: str = "{number} ({name})") -> Iterator[str]:
    """Actions (ascending) with their names; of a long run of neighbours only the first and the last."""
    for run in np.split(actions, np.flatnonzero(np.diff(actions) != 1) + 1):
        named = [form.format(number=k, name=names[k]) for k in run]
        yield from named if len(named) <= MANY else [f"{named[0]} … {named[-1]}"]


def records_for(array: Any, plain: bool) -> Any:
    """Arrays as the rules want them: uncompiled they read records by attribute.

    Args:
        array: An array, or a named tuple of arrays.
        plain: Whether the rules are to run uncompiled.
    """
    if isinstance(array, tuple):
        return type(array)(*(records_for(part, plain) for part in array))
    return array.view(np.recarray) if array.dtype.names and (plain or not jit.ENABLED) else array
