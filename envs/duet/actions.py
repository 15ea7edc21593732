"""The catalogue of actions, the same ``Discrete`` for both seats; the mask does the rest.

======================  ==================================================================
0 … 29                  a card; the phase says whether it is played, given or exchanged
30                      decline the exchange of a Foxes
31 + 4·direction + i    move the tracker: direction 0 towards the mover's own end, 1 towards
                        the partner's; i = 0 no card ignored, 1 the leader's, 2 the
                        follower's, 3 both
39 + symbol             announce a symbol (only with ``agreement``)
======================  ==================================================================
"""

from typing import Final

from .cards import CARD_NAMES, NUM_CARDS
from .ruleset import Ruleset

DECLINE: Final = NUM_CARDS
MOVE_FIRST: Final = DECLINE + 1
ANNOUNCE_FIRST: Final = MOVE_FIRST + 8

_DIRECTIONS = ("towards my end", "towards the partner's end")
_IGNORED = ("", ", the leader's card ignored", ", the follower's card ignored", ", both cards ignored")


def action_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The name of every action, by its number."""
    moves = tuple(f"move {direction}{ignored}" for direction in _DIRECTIONS for ignored in _IGNORED)
    symbols = tuple(f"announce {symbol}" for symbol in range(ruleset.agreement))
    return (*CARD_NAMES, "decline", *moves, *symbols)
