"""``cautious``: another convention. It reckons with the worst reply and keeps its high cards for later."""

from typing import Any

from ...envs.game import Game
from ..policy import Policy, no_argument, register
from .scripted import Scripted


@register("duet", "cautious", "reckons with the worst reply and saves its high cards")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    no_argument("cautious", argument)
    return Scripted(ruleset, hope=-0.5, thrift=0.02)
