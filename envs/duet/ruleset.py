"""Every option of Duet, checked, with its named presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from ..errors import InvalidOption, unknown, whole_number
from ..options import check_choices, choose, in_plain_python
from .board import MAX_SPACES, Board
from .cards import CHARACTERS, FOOTPRINTS, NUM_CARDS, NUM_RANKS, NUM_SUITS

MAX_HAND: Final = 11
TRICK_SLOTS: Final = 16  # a byte for every trick, rounded up to whole words of eight
MAX_ROUNDS: Final = 3
MAX_SYMBOLS: Final = 16


@dataclass(frozen=True)
class Ruleset:
    """The rules one episode is played by. Numbers in parentheses are rulings.

    Args:
        steps: ``"winner"``: the winning card's footprints count; ``"sum"``: both cards' do (D9).
        lead: ``"same"``: the game's first player leads every round; ``"alternate"`` (D14).
        board: ``"A"``, ``"B"``, a :class:`Board` or a mapping of its fields (D4).
        characters: The characters that are switched on (D3).
        forest_loss: ``"needed"``: lost when a tile is needed and none is left; ``"empty"``: placing
            the last tile loses at once (D15).
        reward: ``"progress"`` or ``"outcome"`` (D23).
        first_player: Seat 0 or 1, or ``None`` for the episode's seed to choose (D5).
        agreement: How many symbols can be announced before a deal; 0 for none, at most 16 (D22).
        history: Whether observations hold what was played earlier in the round. Without it a player
            sees the table as it lies and has to remember the rest.
        suits: How many suits are in the deck, from dove on (a variant for small, exhaustible games).
        ranks: The ranks in the deck (likewise).
        hand_size: Cards dealt to each player, and so tricks in a round (D5, D6).
        rounds: Rounds of a game (D6).

    Raises:
        InvalidOption: A value is not allowed; the message says what is.
    """

    steps: Literal["winner", "sum"] = "winner"
    lead: Literal["same", "alternate"] = "same"
    board: Board | str | Mapping[str, Any] = "A"
    characters: tuple[str, ...] = tuple(CHARACTERS)
    forest_loss: Literal["needed", "empty"] = "needed"
    reward: Literal["progress", "outcome"] = "progress"
    first_player: int | None = None
    agreement: int = 0
    history: bool = True
    suits: int = NUM_SUITS
    ranks: tuple[int, ...] = tuple(range(1, NUM_RANKS + 1))
    hand_size: int = MAX_HAND
    rounds: int = MAX_ROUNDS

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        Board.of(self.board)
        if not isinstance(self.characters, list | tuple):
            raise InvalidOption(f"characters must be a list of names, not {self.characters!r}")
        for name in self.characters:
            if not isinstance(name, str) or name not in CHARACTERS:
                raise InvalidOption(unknown("character", name, CHARACTERS))
        if self.first_player is not None:
            self._set("first_player", whole_number(self.first_player, "first_player (if not None)", 0, 1))
        self._set("characters", tuple(name for name in CHARACTERS if name in self.characters))
        self._set("agreement", whole_number(self.agreement, "agreement", 0, MAX_SYMBOLS))
        self._set("suits", whole_number(self.suits, "suits", 1, NUM_SUITS))
        self._set("rounds", whole_number(self.rounds, "rounds", 1, MAX_ROUNDS))
        if not isinstance(self.ranks, list | tuple) or not self.ranks:
            raise InvalidOption(f"ranks must be a list of ranks from 1 to {NUM_RANKS}, not {self.ranks!r}")
        self._set("ranks", tuple(sorted({whole_number(rank, "a rank", 1, NUM_RANKS) for rank in self.ranks})))
        whole_number(self.all_gems, "the number of all gems of an episode", 1, 127)
        room = min(MAX_HAND, (len(self.deck) - 1) // 2)
        if room < 1:
            raise InvalidOption(
                "suits and ranks must leave at least 3 cards: one for each hand and the decree"
            )
        self._set("hand_size", whole_number(self.hand_size, "hand_size (for this deck)", 1, room))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def deck(self) -> tuple[int, ...]:
        """The ids of the cards in play (D1)."""
        return tuple(suit * NUM_RANKS + rank - 1 for suit in range(self.suits) for rank in self.ranks)

    @property
    def all_gems(self) -> int:
        """All gems that an episode can bring: the board's, and the plus marks' between rounds."""
        board = Board.of(self.board)
        return sum(board.gems) + len(board.plus_marks) * (self.rounds - 1)

    def to_dict(self) -> dict[str, Any]:
        """All options in plain Python; ``Ruleset.of(**that)`` gives the same ruleset."""
        plain = in_plain_python(self)
        return (
            plain if isinstance(self.board, str) else plain | {"board": in_plain_python(Board.of(self.board))}
        )

    @classmethod
    def of(cls, ruleset: "Ruleset | str | Mapping[str, Any]" = "standard", **options: Any) -> "Ruleset":
        """A preset (or a ruleset, or a mapping of options), with single options replaced.

        Raises:
            InvalidOption: A name or a value is unknown.
        """
        return choose(cls, PRESETS, ruleset, options)


_CHOICES: Final = {
    "steps": ("winner", "sum"),
    "lead": ("same", "alternate"),
    "forest_loss": ("needed", "empty"),
    "reward": ("progress", "outcome"),
    "history": (True, False),
}

PRESETS: Final = {
    "standard": Ruleset(),
    "boxed": Ruleset(steps="sum", lead="alternate"),
    "tiny": Ruleset(
        board=Board((1, 1, 0, 1, 1), (1, 3), 2, 2),
        suits=2,
        ranks=(1, 2, 3, 5, 7),
        hand_size=3,
        rounds=2,
    ),
}

#: A ruleset as the compiled rules read it.
RULES: Final = np.dtype(
    [
        ("footprints", np.int8, NUM_RANKS),  # by rank - 1 (D2)
        ("character", np.int8, NUM_RANKS + 1),  # by rank: 1 where a character is switched on (D3)
        ("deck", np.int8, NUM_CARDS),  # ids in play, the first deck_size entries (D1)
        ("deck_set", np.int32),  # the same as a set
        ("deck_size", np.int8),
        ("hand_size", np.int8),
        ("rounds", np.int8),
        ("spaces", np.int8),
        ("start", np.int8),
        ("gems", np.int8, MAX_SPACES),
        ("plus_marks", np.int32, 2),  # the spaces with a plus mark as a set, counted from each seat's end
        ("forest_tiles", np.int8),
        ("all_gems", np.int16),
        ("sum_steps", np.int8),
        ("alternate_lead", np.int8),
        ("last_tile_loses", np.int8),
        ("progress_reward", np.int8),
        ("first_player", np.int8),  # -1: chosen by the episode's seed
        ("agreement", np.int8),
    ]
)


def compile_ruleset(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record, shape ``(1,)``, dtype :data:`RULES`."""
    rules = np.zeros(1, RULES)
    board = Board.of(ruleset.board)
    spaces = len(board.gems)
    rules["footprints"] = FOOTPRINTS
    for name in ruleset.characters:
        rules["character"][0, CHARACTERS[name]] = 1
    rules["deck"] = -1
    rules["deck"][0, : len(ruleset.deck)] = ruleset.deck
    rules["deck_set"] = sum(1 << card for card in ruleset.deck)
    rules["deck_size"] = len(ruleset.deck)
    rules["hand_size"] = ruleset.hand_size
    rules["rounds"] = ruleset.rounds
    rules["spaces"] = spaces
    rules["start"] = board.start
    rules["gems"][0, :spaces] = board.gems
    rules["plus_marks"][0, 0] = sum(1 << space for space in board.plus_marks)
    rules["plus_marks"][0, 1] = sum(1 << (spaces - 1 - space) for space in board.plus_marks)
    rules["forest_tiles"] = board.forest_tiles
    rules["all_gems"] = ruleset.all_gems
    rules["sum_steps"] = ruleset.steps == "sum"
    rules["alternate_lead"] = ruleset.lead == "alternate"
    rules["last_tile_loses"] = ruleset.forest_loss == "empty"
    rules["progress_reward"] = ruleset.reward == "progress"
    rules["first_player"] = -1 if ruleset.first_player is None else ruleset.first_player
    rules["agreement"] = ruleset.agreement
    return rules
