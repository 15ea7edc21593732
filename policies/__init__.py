"""Whoever plays: one protocol, batch first, and one registry of names."""

from .duet import cautious, greedy  # noqa: F401 - they enter themselves in the registry
from .human import Human, Quit
from .policy import Dice, Policy, make_policy, policies_of, register
from .uniform import Uniform

__all__ = ["Dice", "Human", "Policy", "Quit", "Uniform", "make_policy", "policies_of", "register"]
