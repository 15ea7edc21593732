"""How fast the environments are here and now, and how much memory they take."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..envs import GAMES
from ..envs.batch import Batch
from ..envs.game import Game
from ..envs.streams import key_of
from ..envs.vector import GameVectorEnv
from ..policies import Dice, Uniform
from ..policies.seats import GOOD_TEAMS
from . import peers
from .evaluate import evaluate

GAMES_AT_ONCE = 4096
LOOP_STEPS = 100  # decisions of each game in one call of the compiled loop
MEMORY_GAMES = 16_384
SEED = 1

#: Options of a game that cost time, each measured by itself.
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "lisak": ({"rows": "flat"}, {"knowledge": "posterior"}, {"knowledge": "posterior", "hint": False}),
}

#: Runs in a new process with an empty compile cache.
FIRST_GAME = """
import time
began = time.perf_counter()
import reynard.envs
imported = time.perf_counter()
import numpy as np
from importlib import import_module
env = import_module({module!r}).env()
env.reset(seed=0)
rng = np.random.default_rng(0)
for agent in env.agent_iter():
    seen, _, terminated, truncated, _ = env.last()
    over = terminated or truncated
    env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
print(imported - began, time.perf_counter() - imported)
"""


@dataclass(frozen=True)
class Figure:
    """One measurement.

    Args:
        name: What was measured.
        value: The figure; ``None`` if it could not be measured.
        unit: Its unit.
        note: A remark, or why there is no figure.
        is_peer: Another library's game.
        comparable: A speed of ours that is compared with the peers'.
    """

    name: str
    value: float | None
    unit: str
    note: str = ""
    is_peer: bool = False
    comparable: bool = False

    def shown(self) -> str:
        """The figure for people."""
        if self.value is None:
            return self.note
        digits = 0 if self.value >= 1000 else 2
        return f"{self.value:,.{digits}f} {self.unit}" + (f" ({self.note})" if self.note else "")


def measure(game: Game, seconds: float) -> Iterator[Figure]:
    """All figures, one after another, each measured for at least so many seconds.

    The peers come last: JAX keeps threads of its own.
    """
    module = GAMES[game.name]
    environments = import_module(module)
    yield engine(game, seconds)
    for options in VARIANTS.get(game.name, ()):
        yield engine(game, seconds, **options)
    yield team(game, seconds)
    yield vector(game, seconds, copy=True)
    yield vector(game, seconds, copy=False)
    for name in ("env", "raw_env"):
        speed = peers.aec_turns(getattr(environments, name)(), seconds, SEED)
        yield Figure(f"reynard {name}", speed, "turns/s", comparable=True)
    yield memory(game)
    yield from first_game(module)
    for peer in peers.PEERS:
        found = peers.measure(peer, seconds)
        note = ", ".join(filter(None, (found.version, found.note)))
        yield Figure(found.name, found.rate, f"{found.unit}/s", note, is_peer=True)


def engine(game: Game, seconds: float, **options: Any) -> Figure:
    """Random legal play in the compiled loop, observation and mask included."""
    batch = Batch(game, "standard", GAMES_AT_ONCE, **options)
    batch.reset(SEED)

    def play() -> int:
        batch.play_randomly(LOOP_STEPS)
        return GAMES_AT_ONCE * LOOP_STEPS

    name = " ".join(["reynard engine", *(f"{key}={value}" for key, value in options.items())])
    note = f"{GAMES_AT_ONCE} games, {LOOP_STEPS} decisions of each in a row"
    return Figure(name, peers.rate(play, seconds), "decisions/s", note, comparable=not options)


def team(game: Game, seconds: float) -> Figure:
    """Whole games of a good team, as ``evaluate`` plays them."""
    players = GOOD_TEAMS[game.name]

    def play() -> int:
        return evaluate(game, players, GAMES_AT_ONCE, SEED).games

    return Figure("reynard team", peers.rate(play, seconds), "games/s", " ".join(players))


def vector(game: Game, seconds: float, copy: bool) -> Figure:
    """The vector environment through Python's ``step``, with the policy ``random``."""
    envs = GameVectorEnv(game, GAMES_AT_ONCE, copy=copy)
    seen, infos = envs.reset(seed=SEED)
    policy, key = Uniform(), key_of(SEED)
    games, moves = np.arange(GAMES_AT_ONCE), np.zeros(GAMES_AT_ONCE, np.int64)

    def play() -> int:
        nonlocal seen, infos
        actions = policy.act(
            seen["observation"], seen["action_mask"], infos["to_move"], Dice(key, games, moves)
        )
        moves[:] += 1
        seen, _, _, _, infos = envs.step(actions)
        return GAMES_AT_ONCE

    name = "reynard vector" + ("" if copy else " (copy=False)")
    note = f"{GAMES_AT_ONCE} games, random"
    return Figure(name, peers.rate(play, seconds), "decisions/s", note, comparable=True)


def memory(game: Game) -> Figure:
    """Bytes of all buffers of a batch: states, observations, masks and final observations."""
    batch = Batch(game, "standard", MEMORY_GAMES)
    note = f"{MEMORY_GAMES} games: states, observations, masks, last observations"
    return Figure("memory", batch.nbytes / 1e6, "MB", note)


def first_game(module: str) -> Iterator[Figure]:
    """A new process with nothing compiled: importing, and the first game played one by one."""
    with tempfile.TemporaryDirectory() as empty:
        run = subprocess.run(
            [sys.executable, "-c", FIRST_GAME.format(module=module)],
            env={**os.environ, "NUMBA_CACHE_DIR": empty},
            capture_output=True,
            text=True,
            check=True,
        )
    imported, played = map(float, run.stdout.split())
    yield Figure("import reynard.envs", imported, "s", "new process")
    yield Figure("first AEC game", played, "s", "after the import, compile cache empty")
