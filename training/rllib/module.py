"""Our networks as RLlib's module: the actor, a critic, and the mask between logits and odds."""

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule

from ...policies.learned import IMPOSSIBLE
from ...policies.networks import Actor, Critic, Shape
from .env import Row


class TeamModule(TorchRLModule, ValueFunctionAPI):
    """The policy of every seat, with its critic.

    ``model_config`` holds ``shape`` (:meth:`~reynard.policies.networks.Shape.to_dict`), ``critic``
    (``shared``, ``own`` or ``full``) and ``row``, what stands where in a row (:class:`~.env.Row`'s fields).
    """

    def setup(self) -> None:
        """Build the networks."""
        shape = Shape.of(self.model_config["shape"])
        self.row = Row(**self.model_config["row"])
        self.actor = Actor(shape)
        self.critic = Critic(shape, self.model_config["critic"], self.row.state)

    def _decide(self, rows: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """Logits without what is not allowed, float32 ``(n, actions)``, and what the actor's body found."""
        found = self.actor.body(rows[:, : self.row.whole])
        allowed = rows[:, self.row.mask] == 1
        return torch.where(allowed, self.actor.judge(*found), IMPOSSIBLE), found

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """What is needed to act."""
        return {Columns.ACTION_DIST_INPUTS: self._decide(batch[Columns.OBS])[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """What is needed to learn; the critic may sit on what the actor's body found."""
        logits, found = self._decide(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: found}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """What is to be expected, float32 ``(n,)``."""
        rows = batch[Columns.OBS]
        seen, states = rows[:, : self.row.whole], None
        found = embeddings if embeddings is not None else self.actor.body(seen)
        if self.critic.full:
            states = rows[:, self.row.mask.stop :]
        return self.critic(found, seen, states)[:, 0]
