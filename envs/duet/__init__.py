"""Duet (The Fox in the Forest Duet): two players take tricks together and may not say a word."""

from ..game import Game
from . import kernels
from .actions import action_names
from .board import BOARDS, Board
from .chance import CHANCE_OPTIONS, read_chance
from .observation import LAYOUT, describe
from .ruleset import PRESETS, Ruleset, compile_ruleset
from .state import GIFT_PHASE, OUTCOMES, STATE, to_dict

AGENTS = ("player_0", "player_1")
MASK_WORDS = 7  # 39 actions and up to 16 symbols


def _renderer():
    from . import render

    return render


DUET = Game(
    name="duet",
    state=STATE,
    layout=LAYOUT,
    mask_words=MASK_WORDS,
    outcomes=OUTCOMES,
    presets=PRESETS,
    make_ruleset=Ruleset.of,
    compile_ruleset=compile_ruleset,
    agents=lambda ruleset: AGENTS,
    action_names=action_names,
    chance_options=CHANCE_OPTIONS,
    read_chance=read_chance,
    is_secret=lambda game: game["phase"] == GIFT_PHASE,
    statistics=lambda games: {"gems": games["collected"], "rounds": games["round_number"] + 1},
    to_dict=to_dict,
    describe=describe,
    kernels=kernels,
    renderer=_renderer,
)

__all__ = ["BOARDS", "DUET", "PRESETS", "Board", "Ruleset", "describe"]
