"""What a game has to offer so that every kind of environment can be made of it.

The environments in this folder (PettingZoo's two, the vector one, the solo one in ``policies``) know
games only through this description.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from .layout import Layout


class Ruleset(Protocol):
    """The options of a game: a frozen, validated dataclass."""

    @property
    def history(self) -> bool:
        """Whether observations hold what is remembered, or only what lies on the table."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """All options in plain Python."""
        ...


class Kernels(Protocol):
    """The loops that Python calls; see ``duet/kernels.py`` for what each does."""

    shuffle_game: Callable[..., None]
    begin_game: Callable[..., None]
    step_game: Callable[..., None]
    show_all: Callable[..., None]
    show_states: Callable[..., None]
    begin_all: Callable[..., None]
    advance_all: Callable[..., None]
    play_randomly: Callable[..., int]


@dataclass(frozen=True)
class Game:
    """A game, as the environments see it.

    Args:
        name: Short name, as in ``reynard/<name>-v0``.
        state: Record type of one game's state. It has the fields ``key``, ``game`` and ``episode``
            (the random stream), ``to_move`` (below 0 when over), ``outcome`` (0 while it goes on),
            ``moves`` and ``reward``.
        layout: The segments of an observation under a ruleset.
        views: What of records of that layout the kernels write to.
        outcomes: Name of each outcome by number, ``None`` for 0.
        presets: The rulesets that have a name.
        make_ruleset: ``(ruleset, **options)`` to a checked ruleset.
        compile_ruleset: A ruleset to what the rules read: a record, shape ``(1,)``, or a named tuple
            of such a record and tables.
        agents: The agents' names, by seat.
        action_names: The name of every action.
        read_chance: Checks ``reset`` options; see :meth:`chance_options` for their names. Returns what
            to write into which state field.
        chance_options: Names of the ``reset`` options that fix what chance decides.
        is_secret: Whether the choice that a state record waits for stays hidden from the other seats
            under its ruleset.
        statistics: State records of finished games to one number, or truth value, a game for each name.
        to_dict: A state record, with its ruleset, in plain Python.
        describe: A flat observation, with the ruleset, in names and values.
        symmetries: The ways to rename things under which a ruleset's game stays the same, the first of which
            renames nothing: index arrays for observations and actions, see ``duet/symmetry.py``.
        kernels: The module of compiled loops.
        renderer: The module that draws, imported when something is to be drawn.
    """

    name: str
    state: np.dtype
    layout: Callable[[Any], Layout]
    views: Callable[[np.ndarray], np.ndarray]
    outcomes: tuple[str | None, ...]
    presets: Mapping[str, Any]
    make_ruleset: Callable[..., Any]
    compile_ruleset: Callable[[Any], Any]
    agents: Callable[[Any], tuple[str, ...]]
    action_names: Callable[[Any], tuple[str, ...]]
    chance_options: tuple[str, ...]
    read_chance: Callable[[Mapping[str, Any], Any], dict[str, np.ndarray]]
    is_secret: Callable[[np.void, Any], bool]
    statistics: Callable[[np.ndarray], dict[str, np.ndarray]]
    to_dict: Callable[[np.void, Any], dict[str, Any]]
    describe: Callable[[np.ndarray, Any], dict[str, Any]]
    symmetries: Callable[[Any], tuple[np.ndarray, np.ndarray]]
    kernels: Kernels | ModuleType
    renderer: Callable[[], ModuleType]
