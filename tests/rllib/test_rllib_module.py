"""The module: what it may do, what each critic sees, and schedules as RLlib reads them."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.utils.schedules.scheduler import Scheduler
from rllib_runs import tiny

from reynard.policies.learned import Learned
from reynard.training.config import Schedule
from reynard.training.rllib.algorithm import points
from reynard.training.rllib.env import TeamEnv
from reynard.training.rllib.module import TeamModule

pytestmark = pytest.mark.rllib


def module_and_rows(critic: str, choices: int = 8) -> tuple[TeamModule, TeamEnv, np.ndarray]:
    """A module with random weights, and what is seen in some dozens of positions."""
    from reynard.training.rllib.algorithm import make_config

    config = make_config(tiny(**{"network.critic": critic, "network.choices": choices}), runners=1)
    env = TeamEnv(config.env_config)
    torch.manual_seed(0)
    (spec,) = config.get_multi_rl_module_spec(env=env).rl_module_specs.values()
    spec.observation_space = env.observation_spaces["player_0"]
    spec.action_space = env.action_spaces["player_0"]
    rng, rows = np.random.default_rng(0), []
    shown, _ = env.reset()
    while len(rows) < 40:
        ((agent, row),) = shown.items()
        rows.append(row)
        shown, _, over, *_ = env.step({agent: int(rng.choice(np.flatnonzero(row[env.row.mask])))})
        if over["__all__"]:
            shown, _ = env.reset()
    return spec.build(), env, np.stack(rows)


@pytest.mark.parametrize("choices", [0, 8])
def test_what_is_not_allowed_is_never_drawn(choices: int) -> None:
    module, env, rows = module_and_rows("shared", choices)
    masks = rows[:, env.row.mask]
    for forward in (module.forward_exploration, module.forward_inference, module.forward_train):
        logits = forward({Columns.OBS: torch.from_numpy(rows)})[Columns.ACTION_DIST_INPUTS]
        odds = logits.softmax(dim=1).detach().numpy()
        assert (odds[masks == 0] == 0).all() and (odds[masks == 1] > 0).all()
    draws = module.get_exploration_action_dist_cls().from_logits(logits)
    for _ in range(20):
        assert (np.take_along_axis(masks, draws.sample().numpy()[:, None], axis=1) == 1).all()
    allowed = torch.from_numpy(np.where(masks == 1, 0.0, -np.inf))
    by_hand = torch.distributions.Categorical(logits=logits + allowed)
    chosen = draws.sample()
    assert torch.allclose(draws.logp(chosen), by_hand.log_prob(chosen).float(), atol=1e-5)
    p = torch.from_numpy(odds)
    assert torch.allclose(draws.entropy(), -(p * p.clamp_min(1e-30).log()).sum(dim=1), atol=1e-5)


@pytest.mark.parametrize("critic", ["shared", "own", "full"])
def test_only_the_full_critic_sees_the_state_and_the_actor_never(critic: str) -> None:
    module, env, rows = module_and_rows(critic)
    assert (env.row.state > 0) == (critic == "full")
    batch = {Columns.OBS: torch.from_numpy(rows)}
    blind = {Columns.OBS: batch[Columns.OBS].clone()}
    blind[Columns.OBS][:, env.row.mask.stop :] = 0
    odds, without = (module.forward_train(each)[Columns.ACTION_DIST_INPUTS] for each in (batch, blind))
    assert torch.equal(odds, without)
    values, without = module.compute_values(batch), module.compute_values(blind)
    assert values.shape == (len(rows),)
    assert torch.equal(values, without) == (critic != "full")
    # the values are the same when the critic may sit on what the actor has found already
    found = module.forward_train(batch).get(Columns.EMBEDDINGS)
    assert torch.allclose(module.compute_values(batch, embeddings=found), values, atol=1e-6)
    # and the two parts learn from the values as they should: the actor only through a shared trunk
    module.zero_grad()
    module.compute_values(batch, embeddings=module.forward_train(batch)[Columns.EMBEDDINGS]).sum().backward()
    touched = any(weight.grad is not None for weight in module.actor.body.parameters())
    assert touched == (critic == "shared")


def test_it_plays_as_the_saved_policy_does() -> None:
    module, env, rows = module_and_rows("full")
    game, ruleset = env.table.game, env.table.ruleset
    size = game.layout(ruleset).visible_size(ruleset.history)
    favourites = module.forward_inference({Columns.OBS: torch.from_numpy(rows)})[Columns.ACTION_DIST_INPUTS]
    policy: Any = Learned(module.actor.eval(), game, ruleset)
    seats, nothing = np.zeros(len(rows), np.int8), None
    chosen = policy.act(rows[:, :size], rows[:, env.row.mask].astype(np.int8), seats, nothing)
    assert (favourites.argmax(dim=1).numpy() == chosen).all()


@pytest.mark.parametrize(
    "schedule",
    [
        {"start": 1e-3, "end": 1e-4},
        {"start": 1e-3, "end": 1e-4, "until": 0.5},
        {"start": 0.0, "end": 1e-3, "shape": "cosine", "until": 0.8},
        {"start": 1e-3, "end": 1e-4, "shape": "constant", "until": 0.3},
        2e-4,
    ],
)
def test_a_schedule_is_the_same_in_rllib(schedule: Any) -> None:
    ours, total = Schedule.model_validate(schedule), 10_000
    theirs = points(ours, total)
    Scheduler.validate(fixed_value_or_schedule=theirs, setting_name="lr", description="learning rate")
    reads = Scheduler(theirs, framework="torch")
    for decision in (0, 1, 500, 2500, 2990, 3000, 4999, 5000, 6000, 8000, 9000, 10_000, 12_000):
        reads.update(decision)
        expected = ours.value(min(1.0, decision / total))
        assert float(reads.get_current_value()) == pytest.approx(expected, abs=2e-6)
