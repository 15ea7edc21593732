"""Every game, every preset: what the generic tests run over."""

from importlib import import_module
from types import ModuleType

from reynard.envs import GAMES

MODULES: dict[str, ModuleType] = {name: import_module(module) for name, module in GAMES.items()}
PRESETS = [(name, preset) for name, module in MODULES.items() for preset in module.GAME.presets]
