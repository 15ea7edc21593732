"""One training run: its folder, its checkpoints, its evaluations.

A run's folder holds ``config.yaml`` (resolved), ``checkpoint.pt`` and the one before, ``evaluations.csv``,
``policy.safetensors`` with its card ``policy.json``, TensorBoard's files in ``tensorboard``, and at the end
``curve.png``.

A checkpoint is taken between two updates and holds all that the next update depends on: weights, optimiser,
games, and the states of all random number generators. A run that goes on from one ends with the same weights,
bit for bit, as one that was never stopped.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.logger import configure
except ImportError as missing:
    raise ImportError('training needs PyTorch and sb3-contrib: pip install "reynard[train]"') from missing

from ..envs import find_game
from ..envs.game import Game
from ..policies import seat_policies
from ..policies.networks import Actor
from .config import ImitationConfig, TrainConfig
from .imitation import DEMONSTRATIONS, Lessons, collect, imitate
from .population import Population
from .run_folder import Progress, atomic, begin_folder, check_folder, record_evaluation, unreadable
from .selfplay import SelfPlay
from .shape import shape_of, take_weights
from .team_policy import TeamPolicy

# PyTorch would check every distribution's numbers, which costs a tenth of a run
torch.distributions.Distribution.set_default_validate_args(False)

CHECKPOINT = "checkpoint.pt"
PREVIOUS = "checkpoint-previous.pt"


class Run:
    """A training run in a folder.

    Args:
        config: What to train, and how.
        folder: Where its files are.
        resume: Go on with the run that the folder holds.

    Raises:
        InvalidOption: The folder holds a run and is not to be resumed, or the other way round, or the run in
            it has another configuration, or its checkpoint cannot be read. Nothing was written then.
    """

    def __init__(self, config: TrainConfig, folder: Path, resume: bool = False) -> None:
        self.config = config
        self.folder = folder
        self.game = find_game(config.game)
        saved = self._find(resume)
        torch.set_num_threads(config.threads or os.cpu_count() or 1)
        torch.use_deterministic_algorithms(True, warn_only=True)  # or sums would depend on the threads' haste
        self.envs = _make_envs(self.game, config)
        self.ppo = self._make_ppo()
        self._restored = saved
        self._seconds = 0.0 if saved is None else saved["seconds"]  # spent before this process went on
        self._began = time.perf_counter()
        if config.imitation:  # or a name that nobody has would end the run later
            seat_policies(self.game, self.envs.batch.ruleset, config.imitation.teacher)
        if saved is None:
            if config.start:
                take_weights(cast(Actor, self.ppo.policy.actor), config.start, config.game)
            begin_folder(folder, config)
        else:
            self._restore(saved)

    def _find(self, resume: bool) -> dict[str, Any] | None:
        """The folder's checkpoint, if there is one to go on from."""
        check_folder(self.folder, self.config, resume)
        file = self.folder / CHECKPOINT
        if not resume:
            return None
        if not file.exists():
            return None  # it was stopped before its first checkpoint
        try:
            return torch.load(file, weights_only=True)
        except Exception as error:  # whatever a broken file makes of itself
            raise unreadable(file, PREVIOUS, error) from None

    def _make_ppo(self) -> MaskablePPO:
        config, ppo, network = self.config, self.config.ppo, self.config.network
        return MaskablePPO(
            TeamPolicy,
            self.envs,
            learning_rate=lambda remaining: ppo.learning_rate.value(1 - remaining),
            n_steps=ppo.steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip,
            ent_coef=ppo.entropy.value(0.0),
            vf_coef=ppo.value_coef,
            max_grad_norm=ppo.max_grad_norm,
            policy_kwargs={
                "shape": shape_of(self.game, self.envs.batch.ruleset, network),
                "critic": network.critic,
            },
            stats_window_size=1000,
            seed=config.seed,
        )

    # --- the run --------------------------------------------------------------------------------------

    def train(self, report: Callable[[Progress], None] = lambda progress: None) -> None:
        """Train to the end; tells now and then how far it is."""
        self.ppo.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        if self.config.imitation and self._restored is None:
            self._imitate(self.config.imitation, report)
        left = self.config.decisions - self.ppo.num_timesteps
        if left > 0:
            self.ppo.learn(left, callback=_Keeper(self, report), reset_num_timesteps=self._restored is None)
        self._evaluate()
        self._checkpoint()

    def _imitate(self, imitation: ImitationConfig, report: Callable[[Progress], None]) -> None:
        """Learn from the teacher, whose games are played unless the folder has them."""
        config, ruleset = self.config, self.envs.batch.ruleset
        ppo, gamma = config.ppo, config.ppo.gamma
        shown = collect(self.game, ruleset, imitation, gamma, self.folder / DEMONSTRATIONS, report)
        lessons = Lessons(self.game, ruleset, shown, config.network.choices > 0, config.seed)
        policy = cast(TeamPolicy, self.ppo.policy)
        imitate(policy, lessons, imitation, ppo.value_coef, ppo.max_grad_norm)
        self._evaluate()

    def _evaluate(self) -> None:
        actor, ups = cast(Actor, self.ppo.policy.actor), ()
        if isinstance(self.envs, Population):
            ups = self.envs.line_ups
        record_evaluation(self.folder, self.config, actor, self.ppo.num_timesteps, self._spent(), ups)
        self.ppo.policy.train()

    def _spent(self) -> float:
        """Seconds that the run has taken up to now, evaluations included."""
        return self._seconds + time.perf_counter() - self._began

    # --- checkpoints ----------------------------------------------------------------------------------

    def _checkpoint(self) -> None:
        ppo = self.ppo
        kind, words, *rest = cast(tuple[Any, ...], np.random.get_state())
        state = {
            "weights": ppo.policy.state_dict(),
            "optimizer": ppo.policy.optimizer.state_dict(),
            "torch": torch.get_rng_state(),
            "numpy": {"kind": kind, "words": torch.from_numpy(words.astype(np.int64)), "rest": rest},
            "games": {
                name: torch.from_numpy(array.view(np.uint8) if array.dtype.names else array)
                for name, array in self.envs.get_state().items()
            },
            "starts": torch.from_numpy(ppo._last_episode_starts),
            "decisions": ppo.num_timesteps,
            "seconds": self._spent(),
            "updates": ppo._n_updates,
        }
        file = self.folder / CHECKPOINT
        with atomic(file) as unfinished:
            torch.save(state, unfinished)
            if file.exists():  # a second name for it, so that there is a checkpoint at every moment
                second = self.folder / f"{PREVIOUS}.unfinished"
                second.unlink(missing_ok=True)
                second.hardlink_to(file)
                second.replace(self.folder / PREVIOUS)

    def _restore(self, saved: dict[str, Any]) -> None:
        ppo = self.ppo
        ppo.policy.load_state_dict(saved["weights"])
        ppo.policy.optimizer.load_state_dict(saved["optimizer"])
        ppo.num_timesteps = saved["decisions"]
        ppo._n_updates = saved["updates"]
        games = {name: array.numpy() for name, array in saved["games"].items()}
        games["records"] = games["records"].view(self.envs.batch.records.dtype)
        ppo._last_obs = self.envs.set_state(games)
        ppo._last_episode_starts = saved["starts"].numpy()

    def restore_random_numbers(self) -> None:
        """Set the random number generators as the checkpoint has them: the last thing before going on."""
        if self._restored is None:
            return
        torch.set_rng_state(self._restored["torch"])
        numpy = self._restored["numpy"]
        np.random.set_state((numpy["kind"], numpy["words"].numpy().astype(np.uint32), *numpy["rest"]))


def _make_envs(game: Game, config: TrainConfig) -> SelfPlay:
    """The games that a configuration trains on."""
    options: dict[str, Any] = {
        "threads": config.threads,
        "full_state": config.network.critic == "full",
        "other_play": config.other_play,
        "prospects": config.network.choices > 0,
        "shaping": config.shaping,
        "gamma": config.ppo.gamma,
    }
    if not config.partners:
        return SelfPlay(game, config.ruleset, config.games, config.seed, **options)
    beside = {"partners": config.partners, "learner": config.learner}
    return Population(game, config.ruleset, config.games, config.seed, **beside, **options)


class _Keeper(BaseCallback):
    """Looks after a run between its updates."""

    def __init__(self, run: Run, report: Callable[[Progress], None]) -> None:
        super().__init__()
        self._run, self._report = run, report
        self._began, self._first = time.perf_counter(), run.ppo.num_timesteps
        self._ended = self._won = 0
        self._next = {
            "evaluation": self._after(run.config.evaluation.every),
            "checkpoint": self._after(run.config.checkpoint.every),
        }

    def _after(self, every: int) -> int:
        """The first multiple of a distance that is still to come."""
        return (self._run.ppo.num_timesteps // every + 1) * every

    def _on_training_start(self) -> None:
        self._run.restore_random_numbers()

    def _on_rollout_start(self) -> None:
        run, ppo = self._run, self._run.ppo
        if ppo.num_timesteps >= self._next["evaluation"]:
            self._next["evaluation"] = self._after(run.config.evaluation.every)
            run._evaluate()
        if ppo.num_timesteps >= self._next["checkpoint"]:
            self._next["checkpoint"] = self._after(run.config.checkpoint.every)
            run._checkpoint()
        progress = ppo.num_timesteps / run.config.decisions
        ppo.ent_coef = run.config.ppo.entropy.value(progress)

    def _on_step(self) -> bool:
        outcomes = self._run.envs.outcomes
        self._ended += int((outcomes != 0).sum())
        self._won += int((outcomes == 1).sum())
        return True

    def _on_rollout_end(self) -> None:
        seconds = time.perf_counter() - self._began
        done = self.num_timesteps
        win_rate = self._won / max(1, self._ended)
        speed = (done - self._first) / seconds
        self.logger.record("rollout/win_rate", win_rate)
        self.logger.record("time/decisions_per_second", speed)
        self._report(Progress(done, self._run.config.decisions, speed, win_rate))
        self._ended = self._won = 0
