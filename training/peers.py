"""How fast other libraries' games run, measured here and now, for comparison with ours.

Every measurement plays a game at random and pays for what a learner pays for: the mover's observation,
its legal actions, a random choice among them, the step, and a new episode whenever one ends. Each library
is used the fastest way that its own interface offers, on the CPU. Only Pgx plays many games at a time and
uses all cores.

    python -m pip install -r benchmarks/requirements.txt
    reynard bench duet

A library is imported when it is measured; one that is missing or fails is skipped, with the reason.
"""

import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pettingzoo import AECEnv

SEED = 1
WARM_UP = 1000  # units played beforehand: some libraries, ours too, compile only after a few hundred moves
PGX_GAMES, PGX_STEPS = 4096, 100  # in one compiled call


@dataclass(frozen=True)
class Peer:
    """A game of another library, and how to measure it."""

    name: str
    unit: str
    distribution: str
    """The installed package that provides the game; its version is part of the result."""
    measure: Callable[[float], float]
    """Plays for so many seconds and returns the units per second."""
    note: str


@dataclass(frozen=True)
class Measurement:
    """What became of a peer: its rate per second, or no rate and a note that says why."""

    name: str
    rate: float | None
    unit: str
    version: str | None
    note: str


def rate(play: Callable[[], int], seconds: float) -> float:
    """Units per second of ``play``, which plays a while and returns how many units that was.

    A warm-up goes first, so that neither compiling nor the moves before it count.
    """
    warm = 0
    while warm < WARM_UP:
        warm += play()
    units, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        units += play()
    return units / elapsed


def aec_turns(env: "AECEnv[Any, Any, Any]", seconds: float, seed: int) -> float:
    """Turns per second of any PettingZoo AEC environment in PettingZoo's own loop, played at random.

    The legal actions are read from ``action_mask`` in the observation, or else in the info. A turn is
    a step with an action; the empty steps of agents whose game is over take time but do not count.
    """
    rng = random.Random(seed)
    env.reset(seed=seed)  # not in every episode: with a seed, some environments build their game anew

    def episode() -> int:
        turns = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                action = None
            else:
                observed = isinstance(observation, dict) and "action_mask" in observation
                holder: Any = observation if observed else info
                action = rng.choice(np.flatnonzero(holder["action_mask"]).tolist())
                turns += 1
            env.step(action)
        return turns

    return rate(episode, seconds)


# From here on the libraries are imported by name, as modules of unknown type: type checkers then say the
# same whether or not they are installed.


def pettingzoo_turns(module: str, maker: str, seconds: float) -> float:
    """One of PettingZoo's classic environments, made by its ``env`` or ``raw_env``."""
    classic: Any = import_module(f"pettingzoo.classic.{module}")
    return aec_turns(getattr(classic, maker)(), seconds, SEED)


def openspiel_decisions(game_name: str, seconds: float) -> float:
    """A game of OpenSpiel; chance nodes are played but only the players' decisions count."""
    pyspiel: Any = import_module("pyspiel")
    observers: Any = import_module("open_spiel.python.observation")

    rng = random.Random(SEED)
    game = pyspiel.load_game(game_name)
    # Writing into one array is about twice as fast as the list from `state.observation_tensor()`.
    observer = observers.make_observation(
        game,
        pyspiel.IIGObservationType(
            # Without an observation, a game has an information state: the one with perfect recall.
            perfect_recall=not game.get_type().provides_observation_tensor,
            public_info=True,
            private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
        ),
    )

    def sampled(outcomes: list[tuple[int, float]]) -> int:
        remaining = rng.random()
        for action, probability in outcomes:
            remaining -= probability
            if remaining < 0:
                return action
        return outcomes[-1][0]  # rounding: the probabilities add up to a little less than one

    def episode() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = sampled(state.chance_outcomes())
            else:
                observer.set_from(state, state.current_player())
                action = rng.choice(state.legal_actions())
                decisions += 1
            state.apply_action(action)
        return decisions

    return rate(episode, seconds)


def rlcard_decisions(game_name: str, seconds: float) -> float:
    """A game of RLCard, whose states hold the observation and the legal actions."""
    rlcard: Any = import_module("rlcard")

    rng = random.Random(SEED)
    env = rlcard.make(game_name, config={"seed": SEED})

    def episode() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return rate(episode, seconds)


def pgx_decisions(game_name: str, seconds: float) -> float:
    """A game of Pgx, vectorised and compiled: many steps of a whole batch in each call."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset

    # The others run on the CPU. Asking for it also keeps JAX from looking for an accelerator.
    jax.config.update("jax_platforms", "cpu")
    env = pgx.make(game_name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def decide(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        # The state holds the mover's observation; as it is carried on, every step computes it.
        state, key = carry
        key, for_choice, for_step = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype("float32"))
        action = jax.random.categorical(for_choice, logits, axis=-1)
        return (step(state, action, jax.random.split(for_step, PGX_GAMES)), key), None

    play = jax.jit(lambda carry: jax.lax.scan(decide, carry, None, length=PGX_STEPS)[0])
    for_games, key = jax.random.split(jax.random.PRNGKey(SEED))
    carry = (jax.vmap(env.init)(jax.random.split(for_games, PGX_GAMES)), key)

    def call() -> int:
        nonlocal carry
        carry = jax.block_until_ready(play(carry))
        return PGX_GAMES * PGX_STEPS

    return rate(call, seconds)


def _openspiel(game: str, note: str) -> Peer:
    return Peer(f"openspiel_{game}", "decisions", "open_spiel", partial(openspiel_decisions, game), note)


def _pettingzoo(game: str, module: str, maker: str, note: str) -> Peer:
    measured = partial(pettingzoo_turns, module, maker)
    return Peer(f"pettingzoo_{game}_{maker}", "turns", "pettingzoo", measured, note)


# JAX comes last: the threads that it starts could take time from whatever is measured after it.
PEERS = (
    _openspiel("hanabi", "2 players, observation tensor"),
    _openspiel("euchre", "4 players, information state tensor"),
    _pettingzoo("hanabi", "hanabi_v5", "env", "OpenSpiel's game through Shimmy"),
    _pettingzoo("hanabi", "hanabi_v5", "raw_env", "the same without PettingZoo's checks"),
    _pettingzoo("leduc", "leduc_holdem_v4", "env", "RLCard's game"),
    _pettingzoo("tictactoe", "tictactoe_v3", "env", "next to no rules: the interface's own cost"),
    Peer("rlcard_gin_rummy", "decisions", "rlcard", partial(rlcard_decisions, "gin-rummy"), "2 players"),
    Peer(
        "pgx_leduc",
        "decisions",
        "pgx",
        partial(pgx_decisions, "leduc_holdem"),
        f"{PGX_GAMES} games at a time",
    ),
)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep the peers' banners, logs and warnings out of the table.

    Some come from C++, which only a redirection of the file descriptors reaches. The Python streams stay
    the same objects: a log handler made in here may go on using them afterwards.
    """

    def flush() -> None:
        sys.stdout.flush()
        sys.stderr.flush()

    flush()
    saved = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    try:
        with Path(os.devnull).open("w") as sink, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for descriptor in saved:
                os.dup2(sink.fileno(), descriptor)
            yield
    finally:
        flush()
        for descriptor, copy in saved.items():
            os.dup2(copy, descriptor)
            os.close(copy)


def measure(peer: Peer, seconds: float) -> Measurement:
    """Measure one peer. Whatever goes wrong in it becomes a one-line note; nothing is raised."""
    found, speed, note = None, None, peer.note
    try:
        found = version(peer.distribution)
        with _silence():
            speed = peer.measure(seconds)
    except PackageNotFoundError:
        note = f"skipped: {peer.distribution} is not installed"
    except Exception as error:  # other people's code: one broken library must not stop the others
        reason = next(iter(str(error).splitlines()), "no message")
        note = f"skipped: {type(error).__name__}: {reason}"
    return Measurement(peer.name, speed, peer.unit, found and f"{peer.distribution} {found}", note)
