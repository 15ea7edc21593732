"""Every game, every preset: what the generic tests run over."""

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from reynard.envs import GAMES
from reynard.envs.batch import Batch
from reynard.envs.game import Game
from reynard.envs.streams import key_of
from reynard.policies import Policy
from reynard.policies.policy import ask

MODULES: dict[str, ModuleType] = {name: import_module(module) for name, module in GAMES.items()}
PRESETS = [(name, preset) for name, module in MODULES.items() for preset in module.GAME.presets]


def share_won(game: Game, ruleset: Any, records: np.ndarray, action: int, policy: Policy) -> float:
    """How many of some states are won by an action if all go on as a policy says."""
    batch = Batch.of(game, ruleset, records)
    actions = np.full(len(records), action)
    while True:
        batch.step(actions)
        if (batch.to_move < 0).all():
            return float((batch.records["outcome"] == 1).mean())
        actions = ask([policy], np.where(batch.to_move < 0, -1, 0), batch, key_of(5))
