"""The little statistics that evaluation needs."""

from math import sqrt

Z95 = 1.959963984540054  # standard normal quantile at 0.975


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95% score interval of a share (E. B. Wilson, JASA 22, 1927).

    Raises:
        ValueError: There are no trials, or more successes than trials.
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} of {trials} is no share")
    share, z2 = successes / trials, Z95 * Z95
    centre = share + z2 / (2 * trials)
    spread = Z95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    # at the ends the formula gives 0 and 1 up to rounding
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high
