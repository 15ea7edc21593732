"""Whoever plays: one protocol, batch first, and one registry of names."""

from . import search  # noqa: F401
from .duet import cautious, greedy, planner  # noqa: F401 - they enter themselves in the registry
from .human import Human, Quit
from .lisak import bayes, canny, human, literal, naive  # noqa: F401
from .menagerie import zoo_names
from .policy import Dice, Policy, make_policy, policies_of, register
from .seats import seat_policies, team_name
from .uniform import Uniform

__all__ = [
    "Dice",
    "Human",
    "Policy",
    "Quit",
    "Uniform",
    "make_policy",
    "policies_of",
    "register",
    "seat_policies",
    "team_name",
    "zoo_names",
]
