"""From our configuration to RLlib's: PPO on its new API stack."""

import time
from dataclasses import asdict
from typing import Any, cast

import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from ...envs import find_game
from ..config import Schedule, TrainConfig
from ..shape import shape_of
from .env import TeamEnv, row_of
from .module import TeamModule

TEAM = "team"  # the module of all seats
ENV = "reynard"
WON = "games_won"
_PIECES = 32  # of half a cosine


def points(schedule: Schedule, total: int) -> float | list[list[float]]:
    """A schedule as RLlib reads it: a number that stays, or ``[decision, value]`` points joined by lines."""
    if schedule.start == schedule.end:
        return schedule.start
    last = max(2, round(schedule.until * total))
    places = {
        "linear": [0, last],
        "cosine": [last * piece // _PIECES for piece in range(_PIECES + 1)],
        "constant": [0, last - 1, last],
    }[schedule.shape]
    return [
        [place, schedule.end if place == last else schedule.value(place / total)]
        for place in sorted(set(places))
    ]


def number_games(env_runner: Any, env: Any, env_context: Any, **unused: Any) -> None:
    """Let no two games of a run be the same: of no two runners, nor before and after a stop or a crash."""
    reborn = ray.is_initialized() and ray.get_runtime_context().get_actor_id() is not None
    reborn = reborn and ray.get_runtime_context().was_current_actor_reconstructed
    moment = time.time_ns() if reborn else 0  # whatever it played before it died is over
    words = [env_context["seed"], env_context["begun"], env_context.worker_index, moment]
    seed = int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0])
    for number, game in enumerate(env.envs):
        game.unwrapped.number(seed, number)


def count_wins(episode: Any, env: Any, env_index: int, metrics_logger: Any, **unused: Any) -> None:
    """Tell whether a game that ended was won."""
    won = env.envs[env_index].unwrapped.table.records["outcome"][0] == 1
    metrics_logger.log_value(WON, int(won), reduce="sum")


def one_for_all(agent_id: Any, episode: Any, **unused: Any) -> str:
    """Every seat is played by the same module."""
    return TEAM


def make_config(config: TrainConfig, runners: int, begun: int = 0) -> PPOConfig:
    """RLlib's configuration of a run.

    Args:
        config: Ours.
        runners: Env runners, each a process.
        begun: Decisions that were made before, by the run that goes on.
    """
    register_env(ENV, TeamEnv)
    game, ppo, network = find_game(config.game), config.ppo, config.network
    ruleset = game.make_ruleset(config.ruleset)
    shown = {"prospects": network.choices > 0, "full_state": network.critic == "full"}
    spec = RLModuleSpec(
        module_class=TeamModule,
        model_config={
            "shape": shape_of(game, ruleset, network).to_dict(),
            "critic": network.critic,
            "row": asdict(row_of(game, ruleset, **shown)),
        },
    )
    return (
        PPOConfig()
        .framework("torch")
        .environment(
            ENV,
            env_config={
                "game": config.game,
                "ruleset": config.ruleset,
                "other_play": config.other_play,
                "seed": config.seed,
                "begun": begun,
                **shown,
            },
            disable_env_checking=True,
        )
        .multi_agent(policies={TEAM}, policy_mapping_fn=one_for_all)
        .rl_module(rl_module_spec=spec)
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=-(-config.games // runners),
            rollout_fragment_length="auto",
            sample_timeout_s=600.0,  # a fresh machine compiles the game first
        )
        .learners(num_learners=0)
        .training(
            lr=points(ppo.learning_rate, config.decisions),
            gamma=ppo.gamma,
            lambda_=ppo.gae_lambda,
            clip_param=ppo.clip,
            vf_clip_param=float("inf"),
            vf_loss_coeff=ppo.value_coef,
            entropy_coeff=cast(Any, points(ppo.entropy, config.decisions)),  # its type forgets schedules
            use_kl_loss=False,
            grad_clip=ppo.max_grad_norm,
            grad_clip_by="global_norm",
            num_epochs=ppo.epochs,
            minibatch_size=ppo.batch_size,
            train_batch_size_per_learner=config.games * ppo.steps,
        )
        .callbacks(on_environment_created=number_games, on_episode_end=count_wins)
        .fault_tolerance(
            restart_failed_env_runners=True,
            max_num_env_runner_restarts=1000,
            delay_between_env_runner_restarts_s=1.0,
        )
        .reporting(min_time_s_per_iteration=0)
        .debugging(seed=config.seed, log_level="ERROR")
    )
