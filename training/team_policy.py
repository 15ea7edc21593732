"""The network that learns: an actor, which is what plays later, and a critic."""

from typing import Any

import gymnasium
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule

from ..policies.networks import Actor, Critic, Shape


class TeamPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy, with our own actor and one of three critics.

    Args:
        observation_space: The flat observation's space, or a mapping of ``observation`` and ``state``.
        action_space: The catalogue of actions.
        lr_schedule: The learning rate by the progress that remains.
        shape: What the actor is made of.
        critic: ``"shared"``, ``"own"`` or ``"full"``; see :class:`~reynard.policies.networks.Critic`.
    """

    def __init__(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.spaces.Discrete,
        lr_schedule: Schedule,
        shape: Shape,
        critic: str = "shared",
        **unused: Any,
    ) -> None:
        self._full = critic == "full"
        self._shape = shape
        self._critic = critic
        super().__init__(observation_space, action_space, lr_schedule)

    def _build(self, lr_schedule: Schedule) -> None:
        shape = self._shape
        self.actor = Actor(shape)
        states = self.observation_space["state"].shape[0] if self._full else 0  # type: ignore[index]
        self.critic = Critic(shape, self._critic, states)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5)

    def _judge(self, obs: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits, shape ``(n, actions)``, and values, shape ``(n, 1)``."""
        seen, states = (obs["observation"], obs["state"]) if self._full else (obs, None)
        found = self.actor.body(seen)
        return self.actor.judge(*found), self.critic(found, seen, states)

    def weigh(self, obs: Any, masks: Any) -> tuple[torch.Tensor, MaskableDistribution]:
        """Values, shape ``(n, 1)``, and the odds of the actions."""
        logits, values = self._judge(obs)
        odds = self.action_dist.proba_distribution(action_logits=logits)
        if masks is not None:
            odds.apply_masking(masks)
        return values, odds

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        """Actions, values and log probabilities."""
        values, odds = self.weigh(obs, action_masks)
        actions = odds.get_actions(deterministic=deterministic)
        return actions, values, odds.log_prob(actions)

    def evaluate_actions(self, obs: Any, actions: torch.Tensor, action_masks: Any = None) -> Any:
        """Values, log probabilities and entropies of decisions that were made."""
        values, odds = self.weigh(obs, action_masks)
        return values, odds.log_prob(actions), odds.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The odds of the actions."""
        return self.weigh(obs, action_masks)[1]

    def predict_values(self, obs: Any) -> torch.Tensor:
        """What is to be expected, shape ``(n, 1)``."""
        return self._judge(obs)[1]
