"""The loops over games that Python calls: nothing here but the order in which rules are applied."""

import numpy as np

from ..jit import inlined, jit, kernel, parallel_kernel, prange
from ..sets import count, item_at
from ..streams import POLICY, below, random_words
from .compiled import ready_mask
from .observation import observe
from .rules import begin, draw_answer, legal_actions, play
from .state import OVER, UNDECIDED


@kernel
def begin_game(rules, games, index):
    """Begin one game with the answer that is set."""
    begin(games[index], rules.options[0])


@kernel
def shuffle_game(rules, games, index):
    """Draw one game's answer."""
    draw_answer(games[index], rules.options[0], rules.deck)


@kernel
def step_game(rules, games, index, action, views, masks):
    """Play one action (below 0: none) of one game and show it to all seats; the mask to its mover."""
    game = games[index]
    if action >= 0:
        play(game, action, rules.options[0])
    for seat in range(len(views)):
        observe(game, seat, rules, views[seat])
        masks[seat, :] = 0
        if seat == game.to_move:
            show_mask(game, rules, masks[seat])


@inlined
def show_mask(game, rules, mask):
    """Write the flags of the legal actions; ``mask`` are the same bytes, eight at a time."""
    options = rules.options[0]
    first, end, others = legal_actions(game, options, rules.judgement)
    ready = ready_mask(first, end, options)
    for k in range(len(mask)):
        mask[k] = rules.masks[ready, k]
    rest = int(others)
    while rest:
        action = int(options.blank) + item_at(rest, 0)
        mask[action // 8] |= 1 << (8 * (action % 8))
        rest &= rest - 1
    return first, end, others


@inlined
def show(game, rules, view, mask):
    """A game as its mover sees it. Returns the legal actions."""
    observe(game, max(game.to_move, 0), rules, view)
    return show_mask(game, rules, mask)


@jit
def begin_anew(game, rules):
    """The episode that the game's counter stands on."""
    draw_answer(game, rules.options[0], rules.deck)
    begin(game, rules.options[0])


@inlined
def advance(game, action, restart, rules, final_view):
    """Play one action; returns its reward and the outcome it led to.

    A game that has ended is shown once more, to whoever moved last, and begins its next episode if
    ``restart`` says so. A game that had ended before stays as it is.
    """
    reward, outcome = np.float32(0), game.outcome
    if game.phase != OVER:
        mover = game.to_move
        play(game, action, rules.options[0])
        reward, outcome = game.reward, game.outcome
        if outcome != UNDECIDED and restart:
            observe(game, mover, rules, final_view)
            game.episode += 1
            begin_anew(game, rules)
    return reward, outcome


@parallel_kernel
def show_all(rules, games, views, masks, to_move):
    """Every game as its mover sees it, and who that is."""
    for i in prange(len(games)):
        show(games[i], rules, views[i], masks[i])
        to_move[i] = games[i].to_move


@parallel_kernel
def show_states(rules, games, views):
    """What every seat observes, game after game, the mover's first and then going round."""
    seats = rules.options[0].seekers + 1
    for i in prange(len(games)):
        for k in range(seats):
            seat = (max(games[i].to_move, 0) + k) % seats
            observe(games[i], seat, rules, views[seats * i + k])


@parallel_kernel
def begin_all(rules, games, views, masks, to_move):
    """Begin the episode that each game's counter stands on."""
    for i in prange(len(games)):
        begin_anew(games[i], rules)
        show(games[i], rules, views[i], masks[i])
        to_move[i] = games[i].to_move


@parallel_kernel
def advance_all(rules, games, actions, restart, views, masks, to_move, final_views, rewards, outcomes):
    """One action in every game; everything that is told of it is written for each."""
    for i in prange(len(games)):
        reward, outcome = advance(games[i], actions[i], restart, rules, final_views[i])
        rewards[i] = reward
        outcomes[i] = outcome
        show(games[i], rules, views[i], masks[i])
        to_move[i] = games[i].to_move


@jit
def random_choice(first, end, others, word, options):
    """One of the legal actions, each as likely as the other."""
    neighbours = end - first
    chosen = below(word, neighbours + count(others))
    if chosen < neighbours:
        return first + chosen
    return options.blank + item_at(others, chosen - neighbours)


@parallel_kernel
def play_randomly(rules, games, steps, views, masks, final_views):
    """Random legal play, everything included: every game makes ``steps`` decisions in a row.

    Returns how many episodes ended.
    """
    ended = 0
    for i in prange(len(games)):
        game, view, mask, final_view = games[i], views[i], masks[i], final_views[i]
        words = (0, 0, 0, 0)
        first, end, others = show(game, rules, view, mask)
        for step in range(steps):
            if step % 4 == 0:
                words = random_words(game.key, game.game, game.episode, POLICY, game.moves)
            action = random_choice(first, end, others, words[step % 4], rules.options[0])
            _reward, outcome = advance(game, action, True, rules, final_view)
            ended += outcome != UNDECIDED
            first, end, others = show(game, rules, view, mask)
    return ended
