"""How well Lišák can be played at all with a literal fox (L10): what nobody can beat, and what the best do.

With a fox whose answers follow from the cards alone the seekers' talk is worth nothing: what one could
propose, all can reckon, and the fox may not react to it. They are one mind, and their best plan is a tree:
a row for everything that the fox may have said so far.

*The information bound* counts the branches. A row of *n* cards can be answered by *n* + 1 counts, and once a
game a joker is put on one of the cards there are. So before round *r* the fox can have said one of a certain
number of things, whatever the words mean, and along each branch there are no more trophies than there are: no
more answers than their product can have been found by then. What chance decides (the coins of a borderline
card) might as well be thrown in advance, so it helps nobody.

*The best questioning* (``lisak_questioning.py``), for worlds with few answers under a hint, is exact. There
the fox keeps its joker. One that uses it says no less, so the best seekers need no more rounds with it; and
the information bound, which reckons with a joker, holds for both.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from math import log2
from typing import Any, Final

import numpy as np
from rich.table import Table as Grid

from ..envs.lisak import Ruleset
from ..envs.lisak.compiled import compile_ruleset
from .lisak_questioning import Solver, TooLarge
from .reports import plain_grid

#: The best questioning is worked out if no hint has more answers than this.
MOST_ANSWERS: Final = 10


@dataclass(frozen=True)
class Exact:
    """The best questioning, with a fox that keeps its joker.

    Args:
        wins: The largest share of games that can be won.
        rounds: The least mean number of rounds with that.
        positions: How many positions were worked out.
    """

    wins: float
    rounds: float
    positions: int


@dataclass(frozen=True)
class LisakBound:
    """What nobody can beat.

    Args:
        answers: How many answers there are.
        bits: How many bits there are to find out, on average.
        row_bits: At most so many does a row's count tell.
        wins: No larger share of games can be won; with a joker, as all bounds on information.
        rounds: No smaller mean number of rounds is possible, a lost game counted as one played to the end.
        rounds_without_joker: The same with a fox that keeps its joker.
        exact: What the best seekers reach; ``None`` where it is too large to be worked out.
        configuration: The ruleset.
    """

    answers: int
    bits: float
    row_bits: float
    wins: float
    rounds: float
    rounds_without_joker: float
    exact: Exact | None
    configuration: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """In plain Python."""
        return asdict(self)


def bound_lisak(ruleset: Ruleset, exact: bool = True) -> LisakBound:
    """What nobody can beat under a ruleset, and where it can be worked out, what the best reach.

    Args:
        ruleset: The rules. The fox is taken to be literal, whatever they allow it.
        exact: Whether to work out the best questioning as well, if the world is small enough for that.
    """
    rules = compile_ruleset(ruleset)
    starts = rules.pool_start if ruleset.hint else np.array([0, len(rules.pool)])
    groups = [rules.pool[begin:end] for begin, end in pairwise(starts) if end > begin]
    shares = np.array([len(group) for group in groups]) / len(rules.pool)
    found = [_share_found(len(group), ruleset, joker=True) for group in groups]
    without = [_share_found(len(group), ruleset, joker=False) for group in groups]
    solved = None
    if exact and max(map(len, groups)) <= MOST_ANSWERS:
        solved = _solve(ruleset, rules.judgement, groups, shares)
    return LisakBound(
        answers=len(rules.pool),
        bits=float(sum(share * log2(len(group)) for share, group in zip(shares, groups, strict=True))),
        row_bits=log2(ruleset.row_length + 1),
        wins=float(shares @ [share[-1] for share in found]),
        rounds=float(shares @ [_mean_rounds(share) for share in found]),
        rounds_without_joker=float(shares @ [_mean_rounds(share) for share in without]),
        exact=solved,
        configuration=ruleset.to_dict(),
    )


def _share_found(answers: int, ruleset: Ruleset, joker: bool) -> list[float]:
    """The largest share of so many answers that can have been found by the end of each round."""
    size, shares = ruleset.row_length, []
    for number in range(ruleset.rounds):
        counts = (size + 1) ** number
        # it is still unused, or was put on any of the cards that lay there after one of the rounds
        jokers = 1 + (size * number * (number + 1) // 2 if joker else 0)
        shares.append(min(1.0, ruleset.trophies * counts * jokers / answers))
    return shares


def _mean_rounds(found: list[float]) -> float:
    """The mean number of rounds if so much is found by the end of each; the last round ends every game."""
    return 1.0 + sum(1.0 - share for share in found[:-1])


def _solve(
    ruleset: Ruleset, judgement: np.ndarray, groups: list[np.ndarray], shares: np.ndarray
) -> Exact | None:
    solver = Solver(ruleset, judgement)
    try:
        values = [solver.value(group) for group in groups]
    except TooLarge:
        return None
    lost, rounds = shares @ np.array(values)
    return Exact(wins=1.0 - float(lost), rounds=float(rounds), positions=solver.positions)


def bound_grid(bound: LisakBound) -> Grid:
    """A bound for people."""
    of = bound.configuration
    hint = "shown" if of["hint"] else "hidden"
    grid = plain_grid(f"lisak, {of['world']}, {of['players']} players, hint {hint}, literal fox")
    grid.show_header = False
    grid.add_row("answers", f"{bound.answers:,}")
    grid.add_row("bits to find out", f"{bound.bits:.2f}")
    grid.add_row("bits in a count, at most", f"{bound.row_bits:.2f}")
    grid.add_row("wins, at most", f"{bound.wins:.1%}")
    grid.add_row("mean rounds, at least", f"{bound.rounds:.2f}")
    grid.add_row("  if the fox keeps its joker", f"{bound.rounds_without_joker:.2f}")
    if bound.exact is not None:
        grid.add_row("best seekers, fox keeps its joker", "")
        grid.add_row("  wins", f"{bound.exact.wins:.2%}")
        grid.add_row("  mean rounds", f"{bound.exact.rounds:.4f}")
        grid.add_row("  positions worked out", f"{bound.exact.positions:,}")
    return grid
