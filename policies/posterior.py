"""What may be true, for all that a player knows: full states, and how likely they are.

States can be weighed further by how well they explain what the others did, if one knows how they play: see
:func:`likelihoods`.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, Protocol

import numpy as np

from ..envs.batch import Batch
from ..envs.errors import InvalidOption
from ..envs.game import Game
from ..envs.streams import key_of
from .policy import Dice, Policy, distinct

NOTHING: Final = -1  # what is played where no more is played
EPSILON: Final = 0.05  # how often a policy without odds is taken to do something else


class Posterior(Protocol):
    """Draws states of one ruleset that are consistent with everything that a seat may know."""

    def sample(
        self, observations: np.ndarray, seats: np.ndarray, deals: int, rng: Dice
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw states, exactly as likely as they are.

        Args:
            observations: What each observer sees, shape ``(n, size)``.
            seats: Who it is, integers, shape ``(n,)``.
            deals: How many states for each.
            rng: Random numbers of the n decisions; the draws depend on nothing else.

        Returns:
            State records, shape ``(n, deals)``, from which the games can be played on; and their weights,
            float64, likewise, of which a row's sum is 1.
        """
        ...

    def enumerate(
        self, observation: np.ndarray, seat: int, limit: int = 100_000
    ) -> tuple[np.ndarray, np.ndarray]:
        """All states that one observer must reckon with, but for what chance has still to bring.

        Args:
            observation: What it sees, shape ``(size,)``.
            seat: Who it is.
            limit: At most so many.

        Returns:
            State records and their chances, float64, both of shape ``(states,)``.

        Raises:
            InvalidOption: There are more than the limit.
        """
        ...


def posterior_of(game: Game, ruleset: Any) -> Posterior:
    """The one who draws a game's states.

    Args:
        game: The game.
        ruleset: What the observations come from.

    Raises:
        InvalidOption: Its observations do not tell enough.
    """
    return import_module(f".{game.name}.posterior", __package__).Posterior(ruleset)


def seen_by(game: Game, ruleset: Any, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """What seats observe in some states: from there one can sample and enumerate.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        states: State records, shape ``(n,)``.
        seats: Who observes, integers, shape ``(n,)``.

    Returns:
        Observations, shape ``(n, size)``.
    """
    batch = Batch.of(game, ruleset, states)
    players = len(batch.agents)
    # the mover's observation stands first
    turn = (np.asarray(seats) - np.maximum(states["to_move"], 0)) % players
    return batch.states().reshape(len(states), players, -1)[np.arange(len(states)), turn]


def odds(
    policy: Policy,
    observations: np.ndarray,
    masks: np.ndarray,
    seats: np.ndarray,
    rng: Dice,
    epsilon: float = EPSILON,
) -> np.ndarray:
    """How likely a policy plays each action.

    A policy that has a method ``odds(observations, masks, agents, rng)`` is asked. Any other one is taken to
    play what it answers. Now and then, as an error, one does something else: any legal action in place of
    what the odds say, any other one in place of an answer.

    Args:
        policy: Whoever plays.
        observations: What each mover observes, shape ``(n, size)``.
        masks: What it may do, flags, shape ``(n, actions)``.
        seats: Who it is, integers, shape ``(n,)``.
        rng: Random numbers of the n decisions.
        epsilon: How often the error happens, from 0 to below 1.

    Returns:
        Chances, float64, shape ``(n, actions)``; a row's sum is 1.

    Raises:
        InvalidOption: There is no such epsilon.
    """
    if not 0 <= epsilon < 1:
        raise InvalidOption(f"epsilon must be from 0 to below 1, not {epsilon!r}")
    legal = masks == 1
    told = getattr(policy, "odds", None)
    if told is not None:
        likely = np.asarray(told(observations, masks, seats, rng), np.float64)
        return (1 - epsilon) * likely + epsilon * legal / legal.sum(axis=1, keepdims=True)
    others = legal.sum(axis=1) - 1
    chances = legal * (epsilon / np.maximum(others, 1))[:, None]
    actions = policy.act(observations, masks, seats, rng)
    chances[np.arange(len(masks)), actions] = np.where(others > 0, 1 - epsilon, 1)
    return chances


def likelihoods(
    game: Game,
    ruleset: Any,
    begun: np.ndarray,
    actions: np.ndarray,
    seats: np.ndarray,
    policies: Sequence[Policy],
    seed: int = 0,
    epsilon: float = EPSILON,
    told: np.ndarray | None = None,
) -> np.ndarray:
    """How likely the others would have played as they did, had each of some hypotheses been true.

    Policies see nothing but observations, so every hypothesis is played again from its beginning. Times a
    posterior's weights, and divided by the sum of a row, it is the posterior of those who know the policies.

    Args:
        game: The game.
        ruleset: The rules it is played by.
        begun: What each hypothesis began with, state records, shape ``(n, hypotheses)``, as the game's
            posterior tells (``begin_as``).
        actions: What was played since, by all seats, integers, shape ``(n, hypotheses, moves)``; a row ends
            where :data:`NOTHING` stands. Also from ``begin_as``.
        seats: Who asks, integers, shape ``(n,)``; what it did itself tells it nothing.
        policies: Who plays, one for each seat. They must have no memory.
        seed: Whoever throws dice throws those of this seed's games.
        epsilon: See :func:`odds`.
        told: Bools, of the actions' shape: those that count. An action that another one might have been
            mistaken for tells nothing. ``None``: all.

    Returns:
        Chances, float64, shape ``(n, hypotheses)``; 0 where an action would not have been legal.
    """
    played = actions.reshape(begun.size, -1)
    counts = np.ones(played.shape, np.bool_) if told is None else told.reshape(played.shape)
    asking = np.repeat(seats, begun.shape[1])
    players, of_seat = distinct(policies)
    chances, key = np.ones(begun.size), key_of(seed)
    batch = Batch.of(game, ruleset, begun.ravel())
    rows = np.arange(begun.size)  # of the batch's games
    for move in range(played.shape[1]):
        chosen = played[rows, move]
        on = chosen != NOTHING
        legal = batch.masks[np.arange(len(rows)), np.where(on, chosen, 0)] == 1
        chances[rows[on & ~legal]] = 0
        if not (on & legal).all():
            still = np.flatnonzero(on & legal)
            if not len(still):
                break
            rows, chosen, batch = rows[still], chosen[still], batch.part(still)
        for number, player in enumerate(players):
            others = (batch.to_move != asking[rows]) & counts[rows, move]
            asked = np.flatnonzero((of_seat[batch.to_move] == number) & others)
            if len(asked):
                once, of = _different(batch.observations[asked], rows[asked] // begun.shape[1])
                first = asked[once]
                dice = Dice.at(key, batch.records, first)
                seen, masks = batch.observations[first], batch.masks[first]
                likely = odds(player, seen, masks, batch.to_move[first], dice, epsilon)
                chances[rows[asked]] *= likely[of, chosen[asked]]
        batch.step(chosen)
    return chances.reshape(begun.shape)


def _different(observations: np.ndarray, of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Those of some observations that differ, or are of different decisions; and which of them each one is.

    A hypothesis that shows a player nothing new need not be asked about again.
    """
    whole = np.concatenate([observations.view(np.int8), of.astype(np.int64)[:, None].view(np.int8)], axis=1)
    _, once, back = np.unique(
        whole.view(f"V{whole.shape[1]}").ravel(), return_index=True, return_inverse=True
    )
    return once, back
