"""Learning from a teacher: games of a policy that searches, and a network that learns to play as it does.

The teacher plays once, the network learns from it what to do and what to expect; then it plays without any
search (policy distillation: A. Rusu et al., ICLR 2016), and a run may go on by playing with itself.

The games are kept in the run's folder, ``demonstrations``, in blocks: a run that is stopped while the teacher
plays goes on with the next block.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from ..envs.batch import Batch
from ..envs.game import Game
from ..policies import seat_policies
from ..policies.prospects import Prospects, prospects_of, with_prospects
from .config import ImitationConfig
from .evaluate import decisions
from .run_folder import Progress, atomic
from .team_policy import TeamPolicy

DEMONSTRATIONS = "demonstrations"
BLOCK = 256  # games that are written together
SEED = 2_000_003  # games that are neither those of the training nor of the evaluations


class Demonstrations(NamedTuple):
    """Decisions of a teacher.

    Args:
        observations: What it saw, shape ``(n, size)``.
        masks: What it might do, int8 flags, shape ``(n, actions)``.
        actions: What it did, int16, shape ``(n,)``.
        returns: What came of it, the sum of the discounted rewards from there on, float32, shape ``(n,)``.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray


def demonstrate(
    game: Game, ruleset: Any, teacher: str, first: int, games: int, seed: int, gamma: float
) -> Demonstrations:
    """Let a teacher play some games, in every seat.

    Args:
        game: The game.
        ruleset: The rules.
        teacher: A policy.
        first: Index of the first game.
        games: How many.
        seed: Decides cards and dice.
        gamma: Discount of a later reward, per decision.

    Returns:
        Its decisions where there was something to decide.
    """
    batch = Batch(game, ruleset, games, first)
    _, players = seat_policies(game, batch.ruleset, teacher)
    steps: list[tuple[np.ndarray, ...]] = []
    earned: list[np.ndarray] = []
    for actions in decisions(batch, players, seed):
        earned.append(batch.rewards.copy())  # by the decisions before
        steps.append((batch.observations.copy(), batch.masks.copy(), actions, batch.to_move >= 0))
    earned = [*earned[1:], batch.rewards]
    returns, to_come = [], np.zeros(games, np.float32)
    for (*_, running), rewards in zip(reversed(steps), reversed(earned), strict=True):
        to_come = np.where(running, rewards + np.float32(gamma) * to_come, to_come)
        returns.append(to_come)
    chosen = [running & (masks.sum(axis=1) > 1) for _, masks, _, running in steps]

    def gather(parts: Any, kind: Any) -> np.ndarray:
        return np.concatenate([part[rows] for part, rows in zip(parts, chosen, strict=True)]).astype(kind)

    return Demonstrations(
        gather([step[0] for step in steps], batch.observations.dtype),
        gather([step[1] for step in steps], np.int8),
        gather([step[2] for step in steps], np.int16),
        gather(reversed(returns), np.float32),
    )


def collect(
    game: Game,
    ruleset: Any,
    config: ImitationConfig,
    gamma: float,
    folder: Path,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Demonstrations:
    """All of the teacher's games: those that the folder holds, and the rest of them, played now.

    Raises:
        InvalidOption: The teacher's name is not allowed, or the games cannot be written.
    """
    folder.mkdir(exist_ok=True)
    blocks, began, played = [], time.perf_counter(), 0
    for first in range(0, config.games, BLOCK):
        games, file = min(BLOCK, config.games - first), folder / f"{first:06}.npz"
        if not file.exists():
            block = demonstrate(game, ruleset, config.teacher, first, games, SEED, gamma)
            with atomic(file) as unfinished, unfinished.open("wb") as out:
                np.savez_compressed(out, **block._asdict())
            played += games
            speed = played / (time.perf_counter() - began)
            report(Progress(first + games, config.games, speed, float((block.returns > 0).mean()), "games"))
        with np.load(file) as arrays:
            blocks.append(Demonstrations(**arrays))
    return Demonstrations(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


class Lessons:
    """Minibatches of demonstrations, each decision under names drawn anew from the game's symmetries.

    Args:
        game: The game.
        ruleset: The rules.
        shown: The demonstrations.
        prospects: Whether the network sees the actions' prospects.
        seed: Decides order and names.
    """

    def __init__(self, game: Game, ruleset: Any, shown: Demonstrations, prospects: bool, seed: int) -> None:
        self._seen_as, self._meant = game.symmetries(ruleset)
        self._prospects: Prospects | None = prospects_of(game, ruleset) if prospects else None
        self._shown, self._rng = shown, np.random.default_rng(seed)

    def epoch(self, size: int) -> Iterator[tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor]]:
        """Every decision once: what the network sees, masks, actions and returns."""
        shown = self._shown
        order = self._rng.permutation(len(shown.actions))
        for begin in range(0, len(order), size):
            rows = order[begin : begin + size]
            names = self._rng.integers(len(self._meant), size=len(rows))
            seen = np.take_along_axis(shown.observations[rows], self._seen_as[names], axis=1)
            meant = self._meant[names]
            masks = np.take_along_axis(shown.masks[rows], meant, axis=1)
            actions = (meant == shown.actions[rows][:, None]).argmax(axis=1)
            yield (
                torch.from_numpy(with_prospects(seen, masks, self._prospects)),
                masks,
                torch.from_numpy(actions),
                torch.from_numpy(shown.returns[rows]),
            )


def imitate(
    policy: TeamPolicy,
    lessons: Lessons,
    config: ImitationConfig,
    value_coef: float,
    max_grad_norm: float,
    report: Callable[[int, float], None] = lambda epoch, agreement: None,
) -> None:
    """Let a policy learn what the teacher does, and what comes of it.

    Args:
        policy: Learns; its critic as well.
        lessons: What the teacher did.
        config: How.
        value_coef: Weight of the critic's loss.
        max_grad_norm: Longer gradients are shortened to this norm.
        report: Is told after every epoch how often the network's favourite was what the teacher did.
    """
    optimizer = torch.optim.Adam(policy.parameters(), lr=config.learning_rate)
    policy.train()
    for epoch in range(config.epochs):
        agreed, total = 0, 0
        for group in optimizer.param_groups:  # evenly down to a tenth
            group["lr"] = config.learning_rate * (1 - 0.9 * epoch / max(1, config.epochs - 1))
        for seen, masks, actions, returns in lessons.epoch(config.batch_size):
            values, odds = policy.weigh(seen, masks)
            loss = -odds.log_prob(actions).mean()
            loss = loss + value_coef * torch.nn.functional.mse_loss(values[:, 0], returns)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), max_grad_norm)
            optimizer.step()
            agreed += int((odds.mode() == actions).sum())
            total += len(actions)
        report(epoch + 1, agreed / max(1, total))
