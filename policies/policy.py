"""What a policy is, how one is built from a string, and where its random numbers come from."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ..envs.batch import Batch
from ..envs.errors import InvalidOption, unknown
from ..envs.game import Game
from ..envs.jit import parallel_kernel, prange
from ..envs.streams import POLICY, random_words

WORDS = 4  # random words for each decision


class Policy(Protocol):
    """Whoever plays, many games at a time."""

    def reset(self, games: np.ndarray) -> None:
        """The games of these indices begin anew; a policy with a memory of its own forgets them."""
        ...

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: "Dice") -> np.ndarray:
        """Choose an action in each of n games.

        Args:
            observations: What each mover observes, int8, shape ``(n, size)``.
            masks: What it may do, int8 flags, shape ``(n, actions)``.
            agents: Its seat, integers, shape ``(n,)``.
            rng: Random numbers, :data:`WORDS` for each of the n decisions.

        Returns:
            Actions, int64, shape ``(n,)``, each allowed by its mask.
        """
        ...


@parallel_kernel
def _fill(words, key, games, episodes, moves):
    for i in prange(len(games)):
        four = random_words(key, games[i], episodes[i], POLICY, moves[i])
        for k in range(WORDS):
            words[i, k] = four[k]


class Dice:
    """Random numbers for n decisions that depend on nothing but *(seed, game, episode, move)*.

    So a policy plays a game the same way in a batch of any size and in any order.

    Args:
        key: The seed's key words, from ``key_of(seed)``.
        games: Index of each game, integers, shape ``(n,)``.
        moves: How many actions were played in each game before, shape ``(n,)``.
        episodes: Number of each game's episode, shape ``(n,)``; zeros by default.

    Attributes:
        games: As given; a policy with a memory tells its games apart by them.
    """

    def __init__(
        self, key: tuple[int, int], games: np.ndarray, moves: np.ndarray, episodes: np.ndarray | None = None
    ) -> None:
        self.games = np.ascontiguousarray(games, np.int64)
        self._key = np.array(key, np.int64)
        self._moves = np.ascontiguousarray(moves, np.int64)
        self._episodes = (
            np.zeros_like(self.games) if episodes is None else np.ascontiguousarray(episodes, np.int64)
        )

    @classmethod
    def at(cls, key: tuple[int, int], records: np.ndarray, rows: Any = slice(None)) -> "Dice":
        """The numbers of the decisions that some games have come to.

        Args:
            key: The seed's key words.
            records: The games' states.
            rows: Which of them; all by default.
        """
        return cls(key, *(records[name][rows] for name in ("game", "moves", "episode")))

    def of(self, rows: np.ndarray) -> "Dice":
        """The numbers of some of the decisions.

        Args:
            rows: Which, as truth values or indices.
        """
        first, second = self._key
        key = int(first), int(second)
        return Dice(key, self.games[rows], self._moves[rows], self._episodes[rows])

    @property
    def stream(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Key, games, episodes and moves: for compiled policies that call ``random_words`` themselves."""
        return self._key, self.games, self._episodes, self._moves

    def words(self) -> np.ndarray:
        """Integers from 0 to 2**32 - 1, int64, shape ``(n, 4)``; the same ones at every call."""
        words = np.empty((len(self.games), WORDS), np.int64)
        _fill(words, *self.stream)
        return words

    def random(self) -> np.ndarray:
        """The same as numbers in [0, 1), float64, shape ``(n, 4)``."""
        return self.words() / 2**32


def distinct(policies: Sequence[Policy]) -> tuple[list[Policy], np.ndarray]:
    """The policies of some seats, each once, and which of them sits in each seat.

    One policy object may sit in several seats; it is asked once for all of them.
    """
    different = list({id(policy): policy for policy in policies}.values())
    numbers = {id(policy): number for number, policy in enumerate(different)}
    return different, np.array([numbers[id(policy)] for policy in policies])


def ask(policies: Sequence[Policy], who: np.ndarray, batch: Batch, key: tuple[int, int]) -> np.ndarray:
    """What the movers of a batch's games do; each policy is asked once for all of its own.

    Args:
        policies: Who plays.
        who: Which of them decides in each game, integers, shape ``(games,)``; below 0: none.
        batch: The games.
        key: The seed's key words, from ``key_of(seed)``.

    Returns:
        Actions, int64, shape ``(games,)``; 0 where nobody decides.
    """
    actions = np.zeros(len(who), np.int64)
    for number, policy in enumerate(policies):
        rows = np.flatnonzero(who == number)
        if len(rows):
            dice = Dice.at(key, batch.records, rows)
            seen, masks = batch.observations[rows], batch.masks[rows]
            actions[rows] = policy.act(seen, masks, batch.to_move[rows], dice)
    return actions


#: Builds a policy for a game and a ruleset from what stands behind the colon of its name.
Builder = Callable[[Game, Any, str], Policy]

_BUILDERS: dict[tuple[str, str], Builder] = {}
_SUMMARIES: dict[tuple[str, str], str] = {}
_ROLES: dict[tuple[str, str], tuple[str, ...]] = {}
ANY_GAME = "*"


def register(game: str, name: str, summary: str, roles: tuple[str, ...] = ()) -> Callable[[Builder], Builder]:
    """Give a policy a name in a game, or in every game (:data:`ANY_GAME`).

    Args:
        game: The game's name.
        name: The policy's.
        summary: A sentence about it.
        roles: The roles it can play; none means all.
    """

    def keep(builder: Builder) -> Builder:
        _BUILDERS[game, name] = builder
        _SUMMARIES[game, name] = summary
        _ROLES[game, name] = roles
        return builder

    return keep


def policies_of(game: str) -> dict[str, str]:
    """The names of a game's policies, each with a sentence about it."""
    return {name: text for (of, name), text in sorted(_SUMMARIES.items()) if of in (game, ANY_GAME)}


def _entry(spec: str, game: Game) -> tuple[str, str]:
    name = spec.partition(":")[0]
    for entry in ((game.name, name), (ANY_GAME, name)):
        if entry in _BUILDERS:
            return entry
    raise InvalidOption(unknown(f"policy for {game.name}", name, policies_of(game.name)))


def roles_of_policy(spec: str, game: Game) -> tuple[str, ...]:
    """The roles that a policy can play; none means all.

    Raises:
        InvalidOption: No policy of this game has the name.
    """
    return _ROLES[_entry(spec, game)]


def make_policy(spec: str, game: Game, ruleset: Any) -> Policy:
    """Build a policy from a string: its name, or its name, a colon and its argument.

    Raises:
        InvalidOption: No policy of this game has the name, or it does not take the argument.
    """
    return _BUILDERS[_entry(spec, game)](game, ruleset, spec.partition(":")[2])


def no_argument(name: str, argument: str) -> None:
    """Refuse an argument to a policy that takes none."""
    if argument:
        raise InvalidOption(f"the policy {name!r} takes no argument, not {argument!r}")
