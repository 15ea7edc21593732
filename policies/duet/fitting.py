"""The tables of ``worth.py``, fitted: ``python -m reynard.policies.duet.fitting winner`` (or ``sum``).

Two steps, again and again. Games between scouts tell how often each board was won, and a logistic model is
fitted to that. And prices are drawn, and those that let the scouts win most are drawn around (the
cross-entropy method: R. Rubinstein, Methodology and Computing in Applied Probability 1, 1999).
"""

import sys
from typing import Any, Final

import numpy as np

from ...envs.duet.actions import ANNOUNCE_FIRST
from ...envs.duet.rules import begin, begin_round, play, shuffle_decks
from ...envs.duet.ruleset import Ruleset
from ...envs.duet.state import ANNOUNCE, NONE, PLAY, STATE, UNDECIDED, WIN
from ...envs.games import records_for
from ...envs.jit import parallel_kernel, prange
from ...envs.streams import key_of
from .position import play_in_round, positions, round_is_over, rules_by_round, take_over, take_over_board
from .scout import desk_for, scout
from .worth import FIGURES, write_figures

#: Where the fitting begins, for every round and trick: gems are bad, tiles are good.
BEGINNING: Final = {"gems": -1.0, "places": -0.1, "spread": -0.05, "away": -0.02, "tiles": 0.5, "last": -0.5}
RANKS: Final = 10
FIT_GAMES, TRIAL_GAMES = 20_000, 2_000
FIRST_FITS, GENERATIONS, FITS_EVERY = 5, 18, 3
DRAWN, KEPT = 20, 6  # prices in a generation, and those it is judged by
RIDGE: Final = 1e-3


@parallel_kernel
def _play_all(games, rules, weights, prices, room, boards, moments, outcomes):
    """Games between scouts, and the boards that they met at every trick's beginning."""
    for i in prange(len(games)):
        game, position, last = games[i], room[i, 0], rules[len(rules) - 1]
        desk = desk_for(rules, weights, prices, room[i, 1:2])
        shuffle_decks(game, last)
        begin(game, last)
        met = 0
        while outcomes[i] == UNDECIDED:
            while game.phase == ANNOUNCE:
                play(game, ANNOUNCE_FIRST, last)
            take_over(position, game)
            while not round_is_over(position):
                if met < boards.shape[1] and position.phase == PLAY and position.led == NONE:
                    write_figures(position, last.start, boards[i, met])
                    moments[i, met, 0] = len(rules) - 1 - position.round_number
                    moments[i, met, 1] = last.hand_size - position.trick
                    met += 1
                play_in_round(position, scout(position, desk), rules)
            outcomes[i] = position.outcome
            if position.outcome == UNDECIDED:
                take_over_board(game, position)
                begin_round(game, position.round_number + 1, last)


def play_scouts(
    ruleset: Ruleset, weights: np.ndarray, prices: np.ndarray, first: int, count: int, watch: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games ``first`` … of seed 0 between scouts.

    Returns:
        Whether each was won, shape ``(count,)``; the figures of its boards, float64, shape ``(count, tricks,
        figures)``; and the rounds and tricks that were left, likewise, of which 0 tricks means no board.
        Without ``watch`` there are no boards.
    """
    games = np.zeros(count, STATE)
    games["key"], games["game"] = key_of(0), first + np.arange(count)
    tricks = ruleset.rounds * ruleset.hand_size if watch else 0
    boards, moments = np.zeros((count, tricks, len(FIGURES))), np.zeros((count, tricks, 2), np.int64)
    outcomes = np.zeros(count, np.int64)
    told = boards, moments, outcomes
    _play_all(records_for(games, False), rules_by_round(ruleset), weights, prices, positions(count, 2), *told)
    return outcomes == WIN, boards, moments


def fit(won: np.ndarray, boards: np.ndarray, moments: np.ndarray, tricks: int) -> np.ndarray:
    """Weights that tell best which boards were won, by rounds left, from what :func:`play_scouts` returns."""
    met = moments[:, :, 1] > 0
    figures, truth = boards[met], np.repeat(won[:, None], met.shape[1], axis=1)[met]
    left, share = moments[met][:, 0], moments[met][:, 1:] / tricks
    inputs = np.concatenate([figures, figures * share], axis=1)
    rounds = [logistic(inputs[left == number], truth[left == number]) for number in range(left.max() + 1)]
    return np.array(rounds).reshape(len(rounds), 2, -1)


def logistic(inputs: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method, with a ridge that keeps weights of what hardly varies small."""
    ridge = RIDGE * len(inputs) * np.diag(inputs.var(axis=0) + 1e-6)
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (truth - chances) - ridge @ weights
        bend = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + ridge
        weights += (step := np.linalg.solve(bend, slope))
        if np.abs(step).max() < 1e-5:
            break
    return weights


def fit_tables(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Weights and prices for a ruleset; prints how many games the scouts win on the way."""
    weights = np.zeros((ruleset.rounds, 2, len(FIGURES)))
    for name, value in BEGINNING.items():
        weights[:, 0, FIGURES.index(name)] = value
    prices, spread = np.zeros(RANKS + 1), np.full(RANKS + 1, 0.3)
    rng, first = np.random.default_rng(1), 0
    for generation in range(-FIRST_FITS * FITS_EVERY, GENERATIONS):
        if generation % FITS_EVERY == 0:
            won, boards, moments = play_scouts(ruleset, weights, prices, first, FIT_GAMES, True)
            weights, first = fit(won, boards, moments, ruleset.hand_size), first + FIT_GAMES
            print(f"{won.mean():.1%} of {FIT_GAMES:,} games", flush=True)
        if generation >= 0:
            drawn = prices + spread * rng.standard_normal((DRAWN, RANKS + 1))
            wins = [play_scouts(ruleset, weights, one, first, TRIAL_GAMES, False)[0].mean() for one in drawn]
            best, first = drawn[np.argsort(wins)[-KEPT:]], first + TRIAL_GAMES
            prices, spread = best.mean(axis=0), 0.7 * best.std(axis=0) + 0.3 * spread
    return weights, prices


def main() -> None:
    """Fit the tables for one way to count steps, on board A, and print them."""
    steps: Any = sys.argv[1]
    ruleset = Ruleset.of({"winner": "standard", "sum": "boxed"}[steps])
    np.set_printoptions(precision=3, suppress=True, linewidth=100)
    for table in fit_tables(ruleset):
        print(np.array2string(table, separator=", "))


if __name__ == "__main__":
    main()
