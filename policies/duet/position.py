"""A state of Duet without its decks and its story: small enough to be copied millions of times in a search.

The rules of ``envs/duet/rules.py`` play it like any state, because it has all the fields that they touch.
What they only write, and no player can use in a search, shares one place and is never read.
"""

from typing import Any, Final

import numpy as np

from ...envs.duet.rules import between_rounds, play
from ...envs.duet.ruleset import Ruleset, compile_ruleset
from ...envs.duet.state import LOST_TIME, NONE, STATE, UNDECIDED
from ...envs.games import records_for
from ...envs.jit import jit

#: What tells two positions apart if all cards are seen: their cards, their trick, their board.
_PLACE: Final = (
    *("hand", "decree", "led", "reply", "gift", "gems", "gems_left", "path", "tracker", "forest_tiles"),
    *("round_number", "trick", "phase", "first_player", "leader", "to_move", "outcome"),
)
#: What a seat knows of its partner's cards besides, and what is counted.
_KNOWLEDGE: Final = ("known", "played", "void", "collected")
#: What the rules write and nobody here reads; the decks, which they read only at a deal, as well.
_ASIDE: Final = (
    *("played_trick", "signal", "tricks_led", "tricks_won", "tricks_swapped", "tricks_trump"),
    *("trick_tracker", "moves", "reward"),
)


def _position() -> np.dtype:
    kinds = {name: kind for name, (kind, *_) in (STATE.fields or {}).items()}
    fields: dict[str, tuple[np.dtype, int]] = {}
    ends, at = [], 0
    for group in (_PLACE, _KNOWLEDGE):
        for name in group:
            fields[name] = kinds[name], at
            at += kinds[name].itemsize
        at = -(-at // 8) * 8
        ends.append(at // 8)
    fields |= {name: (kinds[name], at) for name in _ASIDE}
    fields["decks"] = np.dtype((np.int8, (1, 32))), at
    fields["place_words"] = np.dtype((np.int64, ends[0])), 0
    fields["all_words"] = np.dtype((np.int64, ends[1])), 0
    kinds_and_places = list(fields.values())
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, _ in kinds_and_places],
            "offsets": [offset for _, offset in kinds_and_places],
            "itemsize": at + 32,
        }
    )


#: The record type of a position.
POSITION: Final = _position()


def positions(*shape: int) -> Any:
    """Room for positions, for kernels to work in."""
    return records_for(np.zeros(shape, POSITION), False)


def rules_by_round(ruleset: Ruleset) -> Any:
    """The compiled ruleset as it is told in each round: that this one is the last, shape ``(rounds,)``.

    So the rules stop where the cards that can be known end. The last one is the ruleset as it is.
    """
    rules = np.repeat(compile_ruleset(ruleset), ruleset.rounds)
    rules["rounds"] = np.arange(1, ruleset.rounds + 1)
    return records_for(rules, False)


@jit
def take_over(position, game):
    """Make a position of a state."""
    position.hand[:] = game.hand
    position.known[:] = game.known
    position.played[:] = game.played
    position.void[:] = game.void
    position.decree = game.decree
    position.led = game.led
    position.reply = game.reply
    position.gift[:] = game.gift
    position.round_number = game.round_number
    position.trick = game.trick
    position.phase = game.phase
    position.first_player = game.first_player
    position.leader = game.leader
    position.to_move = game.to_move
    position.outcome = game.outcome
    take_over_board(position, game)


@jit
def take_over_board(position, game):
    """What lasts from round to round."""
    position.gems[:] = game.gems
    position.gems_left = game.gems_left
    position.path[:] = game.path
    position.tracker = game.tracker
    position.forest_tiles = game.forest_tiles
    position.collected = game.collected


@jit
def copy_position(position, other):
    """Make a position equal to another one."""
    for k in range(len(position.all_words)):
        position.all_words[k] = other.all_words[k]


@jit
def same_place(position, other):
    """Whether all that can follow is the same, for whoever sees all cards."""
    same = True
    for k in range(len(position.place_words)):
        same = same and position.place_words[k] == other.place_words[k]
    return same


@jit
def play_in_round(position, action, rules):
    """One action; after a round that is not the last, the table is made ready, and no trick is left.

    Args:
        position: The position.
        action: What is played.
        rules: From :func:`rules_by_round`.
    """
    number = position.round_number
    play(position, action, rules[number])
    if position.outcome == LOST_TIME and number + 1 < len(rules):
        end_round(position, rules)


@jit
def end_round(position, rules):
    """D14: what happens between two rounds, up to the deal."""
    position.outcome = UNDECIDED
    between_rounds(position, rules[len(rules) - 1])
    position.trick += 1
    position.to_move = NONE


@jit
def round_is_over(position):
    """Whether nothing can be played in this round any more."""
    return position.to_move == NONE
