"""Observations read back into states: what a seat knows, in the form that the rules understand.

So whoever reckons (search, inference) uses the very functions that the game is played by. What the seat does
not know is missing: the partner's hand holds only the cards that are known in it, and nobody knows the decks,
the partner's choice of a gift before both have chosen, or how a lost game was lost.
"""

import numpy as np

from ..errors import InvalidOption
from ..games import records_for
from ..jit import jit, parallel_kernel, prange
from ..sets import count, marked
from .observation import LAYOUT, as_records, from_my_end
from .ruleset import Ruleset, compile_ruleset
from .state import NONE, OVER, STATE, UNDECIDED, WIN


@jit
def index_of(flags):
    """Where a one-hot points; NONE if nowhere."""
    for k in range(len(flags)):
        if flags[k] == 1:
            return k
    return NONE


@jit
def read_state(view, seat, rules, game):
    """Write into ``game`` what a seat knows of it. Seats and spaces are the true ones, not the observer's."""
    read_cards(view, seat, game)
    read_course(view, seat, game)
    read_board(view, seat, rules, game)
    read_tricks(view, seat, rules, game)


@jit
def read_cards(view, seat, game):
    """Where the cards are."""
    partner = 1 - seat
    game.decks[:] = NONE
    game.hand[seat] = marked(view.hand)
    game.known[seat] = marked(view.known_of_me)
    game.hand[partner] = game.known[partner] = marked(view.known_to_me)
    game.played[seat] = marked(view.played_by_me)
    game.played[partner] = marked(view.played_by_partner)
    for k in range(len(view.played_trick_words)):
        game.played_trick_words[k] = view.played_trick_words[k]
    game.decree = index_of(view.decree)
    game.led = index_of(view.led)
    game.reply = index_of(view.reply)
    game.gift[seat] = index_of(view.chosen_gift)
    game.gift[partner] = NONE


@jit
def read_course(view, seat, game):
    """How far the game is, and who does what."""
    partner = 1 - seat
    game.phase = index_of(view.phase)
    game.leader = seat if view.i_lead[0] == 1 else partner
    game.first_player = seat if view.i_am_first[0] == 1 else partner
    game.to_move = NONE if game.phase == OVER else seat if view.my_move[0] == 1 else partner
    game.round_number = index_of(view.round_number)
    game.trick = index_of(view.trick)
    game.signal[seat] = index_of(view.signals[0])
    game.signal[partner] = index_of(view.signals[1])
    game.outcome = WIN if view.gems_left[0] == 0 else UNDECIDED
    game.moves = 0
    game.reward = 0


@jit
def read_board(view, seat, rules, game):
    """Path, gems, tiles and tracker."""
    for space in range(len(game.gems)):
        index = from_my_end(space, seat, rules)
        game.gems[space] = view.gems[max(index, 0)] * (index >= 0)
    first_open = index_of(view.path)
    last_open = first_open + count(marked(view.path)) - 1
    game.path[0] = first_open if seat == 0 else from_my_end(last_open, seat, rules)
    game.path[1] = last_open if seat == 0 else from_my_end(first_open, seat, rules)
    game.tracker = from_my_end(index_of(view.tracker), seat, rules)
    game.forest_tiles = view.forest_tiles[0]
    game.gems_left = view.gems_left[0]
    game.collected = view.collected[0]


@jit
def read_tricks(view, seat, rules, game):
    """What the tricks of this round have shown."""
    partner = 1 - seat
    game.void[seat] = marked(view.void[0])
    game.void[partner] = marked(view.void[1])
    # of every trick that has begun, one of the two is the leader
    begun = (1 << (game.trick + 1)) - 1 if game.decree != NONE else 0
    game.tricks_led[seat] = marked(view.tricks_led)
    game.tricks_led[partner] = begun & ~marked(view.tricks_led)
    game.tricks_won[seat] = marked(view.tricks_won)
    game.tricks_won[partner] = marked(view.tricks_won_by_partner)
    game.tricks_swapped[seat] = marked(view.tricks_swapped)
    game.tricks_swapped[partner] = marked(view.tricks_swapped_by_partner)
    game.tricks_trump[0] = marked(view.tricks_dove)
    game.tricks_trump[1] = marked(view.tricks_rose)
    game.tricks_trump[2] = marked(view.tricks_star)
    for k in range(len(view.trick_tracker)):
        told = view.trick_tracker[k]
        game.trick_tracker[seat, k] = told
        game.trick_tracker[partner, k] = (rules.spaces + 1 - told) * (told > 0)


@parallel_kernel
def _read_all(views, seats, rules, games):
    for i in prange(len(views)):
        read_state(views[i], seats[i], rules[0], games[i])


def read_states(observations: np.ndarray, seats: np.ndarray, ruleset: Ruleset) -> np.ndarray:
    """Flat observations as states, as far as their observers know them.

    Args:
        observations: int8, shape ``(n, size)``, with history.
        seats: Whose they are, integers, shape ``(n,)``.
        ruleset: The rules they come from.

    Returns:
        Records of :data:`STATE`, shape ``(n,)``; their random streams mean nothing.

    Raises:
        InvalidOption: They are without history, so that what was played is missing.
    """
    if observations.shape[1] != LAYOUT.size:
        raise InvalidOption(
            f"only observations with history ({LAYOUT.size} numbers) can be read back into states, "
            f"not these with {observations.shape[1]}: play with history=True"
        )
    states = np.zeros(len(observations), STATE)
    views, rules = (
        records_for(array, False) for array in (as_records(observations), compile_ruleset(ruleset))
    )
    _read_all(views, np.ascontiguousarray(seats, np.int64), rules, records_for(states, False))
    return states
