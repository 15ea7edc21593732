"""Small runs on RLlib, for the tests."""

from typing import Any

from reynard.training.config import TrainConfig


def tiny(**changes: Any) -> TrainConfig:
    """A run of some seconds, with these values (``ppo.gamma``: in a section) instead."""
    plain: dict[str, Any] = {
        "backend": "rllib",
        "game": "duet",
        "ruleset": "tiny",
        "seed": 5,
        "decisions": 6144,
        "games": 16,
        "threads": 2,
        "ppo": {"steps": 64, "batch_size": 256, "epochs": 2, "learning_rate": 0.003, "entropy": 0.01},
        "network": {"trunk": [32], "choices": 8},
        "evaluation": {"every": 3000, "games": 50},
        "checkpoint": {"every": 2000},
    }
    for path, value in changes.items():
        *sections, key = path.split(".")
        inner = plain
        for section in sections:
            inner = inner[section]
        inner[key] = value
    return TrainConfig.model_validate(plain)
