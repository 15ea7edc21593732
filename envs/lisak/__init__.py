"""Lišák (Mazaný lišák, Master Word): one fox knows a secret word and may answer only with counts."""

import numpy as np

from ..game import Game
from . import kernels
from .actions import action_names
from .chance import CHANCE_OPTIONS, read_chance
from .compiled import compile_ruleset
from .observation import describe, layout
from .ruleset import PRESETS, Ruleset
from .state import OUTCOMES, STATE, WRITE, agents, statistics, to_dict
from .world import World
from .worlds import load_world, named_worlds


def _renderer():
    from . import render

    return render


def _is_secret(game, ruleset: Ruleset) -> bool:
    """L6: what is written is hidden before the reveal; in the last round it is judged at once."""
    return (
        ruleset.writing == "hidden" and game["phase"] == WRITE and game["round_number"] < ruleset.rounds - 1
    )


def _symmetries(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """None but the one that renames nothing: every word means something else."""
    size = layout(ruleset).visible_size(ruleset.history)
    return np.arange(size)[None], np.arange(len(action_names(ruleset)))[None]


LISAK = Game(
    name="lisak",
    state=STATE,
    layout=layout,
    views=lambda records: records["whole"],
    outcomes=OUTCOMES,
    presets=PRESETS,
    make_ruleset=Ruleset.of,
    compile_ruleset=compile_ruleset,
    agents=agents,
    action_names=action_names,
    chance_options=CHANCE_OPTIONS,
    read_chance=read_chance,
    is_secret=_is_secret,
    statistics=statistics,
    to_dict=to_dict,
    describe=describe,
    symmetries=_symmetries,
    kernels=kernels,
    renderer=_renderer,
)

__all__ = ["LISAK", "PRESETS", "Ruleset", "World", "describe", "load_world", "named_worlds"]
