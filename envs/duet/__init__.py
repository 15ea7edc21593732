"""Duet (The Fox in the Forest Duet): two players take tricks together and may not say a word."""

from ..game import Game
from . import kernels
from .actions import action_names
from .board import BOARDS, Board
from .chance import CHANCE_OPTIONS, read_chance
from .observation import LAYOUT, describe
from .ruleset import PRESETS, Ruleset, compile_ruleset
from .state import GIFT_PHASE, OUTCOMES, STATE, to_dict
from .symmetry import symmetries

AGENTS = ("player_0", "player_1")


def _renderer():
    from . import render

    return render


DUET = Game(
    name="duet",
    state=STATE,
    layout=lambda ruleset: LAYOUT,
    views=lambda records: records,
    outcomes=OUTCOMES,
    presets=PRESETS,
    make_ruleset=Ruleset.of,
    compile_ruleset=compile_ruleset,
    agents=lambda ruleset: AGENTS,
    action_names=action_names,
    chance_options=CHANCE_OPTIONS,
    read_chance=read_chance,
    is_secret=lambda game, ruleset: game["phase"] == GIFT_PHASE,
    statistics=lambda games: {"gems": games["collected"], "rounds": games["round_number"] + 1},
    to_dict=lambda game, ruleset: to_dict(game),
    describe=lambda observation, ruleset: describe(observation),
    symmetries=symmetries,
    kernels=kernels,
    renderer=_renderer,
)

__all__ = ["BOARDS", "DUET", "PRESETS", "Board", "Ruleset", "describe"]
