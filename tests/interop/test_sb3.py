"""Stable-Baselines3's own checks on the solo environments, in every seat."""

import gymnasium
import pytest
from games import MODULES

import reynard.envs  # noqa: F401 - registers

checker = pytest.importorskip("stable_baselines3.common.env_checker")

pytestmark = pytest.mark.interop

SEATS = [
    (name, seat)
    for name, module in MODULES.items()
    for seat in (*range(len(module.raw_env().possible_agents)), None)
]


@pytest.mark.parametrize(("name", "seat"), SEATS)
def test_check_env(name: str, seat: int | None) -> None:
    # the checker samples actions without a mask, so it needs the mode for those who cannot mask
    env = gymnasium.make(f"reynard/{name}-v0", seat=seat, illegal="replace")
    checker.check_env(env)  # its warnings are errors here
    checker.check_env(env.unwrapped)
