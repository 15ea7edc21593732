"""A training run on Ray RLlib, from its first update to its last evaluation."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from .cluster import cluster  # first: it says in one sentence that Ray is missing

# isort: split
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from torch.utils.tensorboard import SummaryWriter

from ...envs import find_game
from ...envs.errors import InvalidOption
from ...policies.networks import Actor
from ..config import TrainConfig
from ..run_folder import Progress, begin_folder, record_evaluation, unreadable
from ..shape import shape_of
from .algorithm import TEAM, WON, make_config
from .folder import PREVIOUS, find_checkpoint, progress_of, save_checkpoint

Report = Callable[[Progress], None]


def train_with_rllib(
    config: TrainConfig, folder: Path, resume: bool = False, report: Report = lambda progress: None
) -> None:
    """Train a team on the Ray cluster that ``RAY_ADDRESS`` names, or else on one that ends with the run.

    The folder gets the files of :class:`reynard.training.trainer.Run`, with RLlib's checkpoints in
    ``checkpoint`` and ``checkpoint-previous``. A resumed run goes on from the last one with other games, so
    it does not end with the weights of a run that was never stopped.

    Args:
        config: What to train, and how; ``threads`` is the number of env runners.
        folder: Where the run's files are.
        resume: Go on with the run that the folder holds.
        report: Is told after every update how far the run is.

    Raises:
        InvalidOption: The folder, the configuration or the cluster does not allow it; one sentence says why.
    """
    if config.partners:
        raise InvalidOption("partners: only backend sb3 trains beside other policies, not rllib")
    if config.shaping:
        raise InvalidOption("shaping: only backend sb3 pays for progress, not rllib; leave it at 0")
    if config.imitation:
        raise InvalidOption("imitation: only backend sb3 learns from a teacher, not rllib")
    if config.start:
        raise InvalidOption("start: only backend sb3 begins with a saved network, not rllib")
    saved = find_checkpoint(folder, config, resume)
    with cluster(config.threads, config.games) as runners:
        Run(config, folder, saved, runners).train(report)


class Run:
    """A run that is connected to a cluster.

    Args:
        config: What to train, and how.
        folder: Where its files are.
        saved: The checkpoint to go on from.
        runners: Env runners.
    """

    def __init__(self, config: TrainConfig, folder: Path, saved: Path | None, runners: int) -> None:
        self.config, self.folder = config, folder
        self.decisions, self._seconds = progress_of(saved) if saved else (0, 0.0)
        self._began = time.perf_counter()
        self.algorithm: Algorithm = make_config(config, runners, self.decisions).build_algo()
        if saved:
            self._restore(saved)
        else:
            begin_folder(folder, config)

    def _restore(self, saved: Path) -> None:
        try:
            self.algorithm.restore_from_path(saved.absolute())
        except Exception as error:  # whatever a broken file makes of itself
            self.close()
            raise unreadable(saved, PREVIOUS, error) from None

    def train(self, report: Report = lambda progress: None) -> None:
        """Train to the end; tells after every update how far it is."""
        config, first = self.config, self.decisions
        distances = {"evaluation": config.evaluation.every, "checkpoint": config.checkpoint.every}
        ahead = {name: self._after(every) for name, every in distances.items()}
        try:
            with SummaryWriter(str(self.folder / "tensorboard")) as board:
                while self.decisions < config.decisions:
                    result = self.algorithm.train()
                    played = result.get("env_runners", {})
                    self.decisions = int(played.get("num_env_steps_sampled_lifetime", self.decisions))
                    speed = (self.decisions - first) / (time.perf_counter() - self._began)
                    win_rate = played.get(WON, 0) / max(1, played.get("num_episodes", 0))
                    report(Progress(self.decisions, config.decisions, speed, win_rate))
                    self._tell(board, result, speed, win_rate)
                    for name, do in (("evaluation", self._evaluate), ("checkpoint", self._checkpoint)):
                        if ahead[name] <= self.decisions < config.decisions:
                            ahead[name] = self._after(distances[name])
                            do()
            self._evaluate()
            self._checkpoint()
        finally:
            self.close()

    def close(self) -> None:
        """Stop the runners, and remove the folder that RLlib makes for logs and leaves empty."""
        self.algorithm.stop()
        if self.algorithm.logdir:
            with suppress(OSError):  # it is not empty after all
                Path(self.algorithm.logdir).rmdir()

    def _after(self, every: int) -> int:
        """The first multiple of a distance that is still to come."""
        return (self.decisions // every + 1) * every

    def _tell(self, board: SummaryWriter, result: dict[str, Any], speed: float, win_rate: float) -> None:
        """Add an update to TensorBoard's files."""
        learnt = result.get("learners", {}).get(TEAM, {})
        numbers = {"rollout/win_rate": win_rate, "time/decisions_per_second": speed}
        numbers |= {
            f"train/{name}": value for name, value in learnt.items() if isinstance(value, int | float)
        }
        for name, value in numbers.items():
            board.add_scalar(name, value, self.decisions)

    def _actor(self) -> Actor:
        """The actor that learns, as it is now."""
        learners = self.algorithm.learner_group
        assert learners is not None
        weights = next(iter(learners.foreach_learner(_actor_weights))).get()
        game = find_game(self.config.game)
        actor = Actor(shape_of(game, game.make_ruleset(self.config.ruleset), self.config.network))
        actor.load_state_dict(cast(dict[str, torch.Tensor], weights))
        return actor

    def _evaluate(self) -> None:
        record_evaluation(self.folder, self.config, self._actor(), self.decisions, self._spent())

    def _checkpoint(self) -> None:
        save_checkpoint(self.folder, self.algorithm, self.decisions, self._spent())

    def _spent(self) -> float:
        """Seconds that the run has taken up to now."""
        return self._seconds + time.perf_counter() - self._began


def _actor_weights(learner: Any, unused: Any = None) -> dict[str, torch.Tensor]:
    return {name: value.cpu() for name, value in learner.module[TEAM].actor.state_dict().items()}
