"""The loops over games that Python calls: nothing here but the order in which rules are applied."""

import numpy as np

from ..jit import jit, kernel, parallel_kernel, prange
from ..sets import count, item_at, spread
from ..streams import POLICY, below, random_words
from .observation import observe
from .rules import begin, legal_actions, play, shuffle_decks
from .state import OVER, UNDECIDED


@kernel
def begin_game(rules, games, index):
    """Begin one game with the decks and the first player that are set."""
    begin(games[index], rules[0])


@kernel
def shuffle_game(rules, games, index):
    """Draw one game's decks and first player."""
    shuffle_decks(games[index], rules[0])


@kernel
def step_game(rules, games, index, action, views, masks):
    """Play one action (below 0: none) of one game and show it to both seats; the mask to its mover."""
    game = games[index]
    if action >= 0:
        play(game, action, rules[0])
    for seat in range(2):
        observe(game, seat, rules[0], views[seat])
        spread(legal_actions(game, rules[0]) if seat == game.to_move else 0, masks[seat])


@jit
def show(game, rules, view, mask):
    """A game as its mover sees it. Returns the legal actions, as a set."""
    observe(game, max(game.to_move, 0), rules, view)
    legal = legal_actions(game, rules)
    spread(legal, mask)
    return legal


@jit
def begin_anew(game, rules):
    """The episode that the game's counter stands on."""
    shuffle_decks(game, rules)
    begin(game, rules)


@jit
def advance(game, action, restart, rules, final_view):
    """Play one action; returns its reward and the outcome it led to.

    A game that has ended is shown once more, to whoever moved last, and begins its next episode if
    ``restart`` says so. A game that had ended before stays as it is.
    """
    if game.phase == OVER:
        return np.float32(0), game.outcome
    mover = game.to_move
    play(game, action, rules)
    reward = game.reward
    outcome = game.outcome
    if outcome != UNDECIDED and restart:
        observe(game, mover, rules, final_view)
        game.episode += 1
        begin_anew(game, rules)
    return reward, outcome


@parallel_kernel
def show_all(rules, games, views, masks, to_move):
    """Every game as its mover sees it, and who that is."""
    for i in prange(len(games)):
        show(games[i], rules[0], views[i], masks[i])
        to_move[i] = games[i].to_move


@parallel_kernel
def show_states(rules, games, views):
    """What every seat observes, game after game, the mover's first."""
    for i in prange(len(games)):
        for k in range(2):
            observe(games[i], (max(games[i].to_move, 0) + k) % 2, rules[0], views[2 * i + k])


@parallel_kernel
def begin_all(rules, games, views, masks, to_move):
    """Begin the episode that each game's counter stands on."""
    for i in prange(len(games)):
        begin_anew(games[i], rules[0])
        show(games[i], rules[0], views[i], masks[i])
        to_move[i] = games[i].to_move


@parallel_kernel
def advance_all(rules, games, actions, restart, views, masks, to_move, final_views, rewards, outcomes):
    """One action in every game; everything that is told of it is written for each."""
    for i in prange(len(games)):
        reward, outcome = advance(games[i], actions[i], restart, rules[0], final_views[i])
        rewards[i] = reward
        outcomes[i] = outcome
        show(games[i], rules[0], views[i], masks[i])
        to_move[i] = games[i].to_move


@parallel_kernel
def play_randomly(rules, games, steps, views, masks, final_views):
    """Random legal play, everything included: every game makes ``steps`` decisions in a row.

    Returns how many episodes ended.
    """
    ended = 0
    for i in prange(len(games)):
        game = games[i]
        words = (0, 0, 0, 0)
        legal = show(game, rules[0], views[i], masks[i])
        for step in range(steps):
            if step % 4 == 0:
                words = random_words(game.key, game.game, game.episode, POLICY, game.moves)
            action = item_at(legal, below(words[step % 4], count(legal)))
            _reward, outcome = advance(game, action, True, rules[0], final_views[i])
            ended += outcome != UNDECIDED
            legal = show(game, rules[0], views[i], masks[i])
    return ended
