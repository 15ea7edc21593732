"""``greedy``: after the gem that this trick can bring."""

from typing import Any

from ...envs.game import Game
from ..policy import Policy, no_argument, register
from .scripted import Scripted


@register("duet", "greedy", "plays for this trick's gem and trusts in a good reply")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("greedy", argument)
    return Scripted(ruleset, hope=0.5, thrift=0.0)
