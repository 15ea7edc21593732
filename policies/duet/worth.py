"""What a board is worth: the chance to win from it, as a logistic model of a few figures.

The tables were fitted to the outcomes of games between scouts, the prices by trying which ones let them win
most (``fitting.py``). They are told apart by how a trick's steps are counted (D9); the figures are such that
they carry over to other boards.
"""

from typing import Final

import numpy as np

from ...envs.duet.ruleset import Ruleset
from ...envs.duet.state import UNDECIDED, WIN
from ...envs.jit import jit

FIGURES: Final = (
    "one",  # always 1
    "gems",  # gems left
    "places",  # spaces with gems
    "spread",  # gems, times their distance from the start
    "away",  # gems, times their distance from the tracker
    "near",  # spaces with gems at most NEAR steps from the tracker
    "edge",  # spaces between the tracker and the nearer end
    "tiles",  # forest tiles left
    "last",  # 1: none left
    "here",  # gems beside the tracker's space
)
NEAR: Final = 3
WON, LOST = 30.0, -30.0  # the logits of what is certain

#: By rounds that are left after this one, then the figures' weights in the round's last trick, and what is
#: added to them at its beginning (in between, in proportion to the tricks that are left).
WEIGHTS: Final = {
    "winner": (
        (
            (-0.595, -0.613, -0.938, -0.103, -0.099, 0.386, 0.036, -0.079, -0.406, 0.899),
            (8.624, -0.053, 0.202, 0.048, 0.139, -0.113, -0.052, 0.487, 0.202, -0.886),
        ),
        (
            (1.849, -0.275, -0.265, -0.098, -0.035, 0.097, 0, 0.154, -5.064, 0.285),
            (3.282, 0.065, 0.06, 0.014, 0.038, -0.021, -0.021, 0.422, -4.725, -0.179),
        ),
        (
            (2.716, -0.166, -0.113, -0.056, -0.021, -0.005, -0.009, 0.276, 0, 0.149),
            (1.687, 0.008, 0.082, -0.001, 0.014, 0.019, -0.054, 0.353, 0, -0.144),
        ),
    ),
    "sum": (
        (
            (-0.314, -0.933, 0.114, -0.208, -0.066, -0.014, -0.007, -0.14, -0.854, -0.424),
            (9.79, -0.153, 0.296, 0.047, 0.056, 0.151, -0.056, 0.448, -0.157, 0.365),
        ),
        (
            (-0.024, -0.364, 0.004, -0.109, -0.046, -0.038, 0.038, 1.308, -1.547, -0.113),
            (3.14, 0.013, 0.22, 0.002, 0.036, 0.114, -0.069, 0.189, 1.781, -0.005),
        ),
        (
            (-0.662, -0.179, 0.041, -0.055, -0.025, -0.013, 0.014, 1.334, 0, 0.081),
            (0.89, 0.027, 0.106, 0.004, 0.016, 0.05, -0.088, 0.138, 0, -0.141),
        ),
    ),
}

PRICES: Final = {
    "winner": (0.13, 0.09, -0.07, -0.02, 0.09, 0.04, -0.15, -0.08, -0.15, -0.01, 0.01),
    "sum": (0.23, 0.12, -0.12, -0.07, 0.24, -0.03, -0.07, -0.06, -0.04, -0.14, 0.06),
}
# --- end of the tables


def weights_for(ruleset: Ruleset) -> np.ndarray:
    """The weights for a ruleset, float64, shape ``(rounds left, 2, figures)``."""
    return np.array(WEIGHTS[ruleset.steps], np.float64)


def prices_for(ruleset: Ruleset) -> np.ndarray:
    """The prices for a ruleset, float64, shape ``(ranks + 1,)``."""
    return np.array(PRICES[ruleset.steps], np.float64)


@jit
def write_figures(position, start, figures):
    """The figures of a board."""
    gems = places = spread = away = near = 0
    for space in range(position.path[0], position.path[1] + 1):
        there = int(position.gems[space])
        if there > 0:
            distance = abs(space - position.tracker)
            gems += there
            places += 1
            spread += there * abs(space - start)
            away += there * distance
            near += int(distance <= NEAR)
    figures[0] = 1.0
    figures[1] = gems
    figures[2] = places
    figures[3] = spread
    figures[4] = away
    figures[5] = near
    figures[6] = min(position.tracker - position.path[0], position.path[1] - position.tracker)
    figures[7] = position.forest_tiles
    figures[8] = position.forest_tiles == 0
    figures[9] = position.gems[position.tracker]


@jit
def worth(position, rules, weights, figures):
    """The logit of the chance to win.

    Args:
        position: Between two tricks, or after a round.
        rules: From :func:`~.position.rules_by_round`.
        weights: From :func:`weights_for`.
        figures: Room for the figures.
    """
    if position.outcome != UNDECIDED:
        return WON if position.outcome == WIN else LOST
    last = rules[len(rules) - 1]
    rounds_left = len(rules) - 1 - position.round_number
    tricks_left = last.hand_size - position.trick
    if tricks_left == 0:
        rounds_left -= 1
        tricks_left = last.hand_size
    share = tricks_left / last.hand_size
    mine = weights[min(rounds_left, len(weights) - 1)]
    write_figures(position, last.start, figures)
    total = 0.0
    for k in range(len(figures)):
        total += figures[k] * (mine[0, k] + share * mine[1, k])
    return total


@jit
def chance_of(logit):
    """A logit as a chance, from 0 to 1."""
    return 1.0 / (1.0 + np.exp(-logit))
