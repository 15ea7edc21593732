"""Every option of Lišák, checked, with its named presets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from ..errors import InvalidOption, unknown, whole_number
from ..options import check_choices, choose, in_plain_python
from .world import World, fold
from .worlds import load_world, named_worlds

MAX_ROUNDS: Final = 7
MAX_TROPHIES: Final = 3
MIN_PLAYERS, MAX_PLAYERS = 3, 6
MAX_SEEKERS: Final = MAX_PLAYERS - 1
MAX_ROW: Final = 5  # cards in a row, at most
MAX_CONSULTATION: Final = 3
MAX_PROPOSALS: Final = MAX_SEEKERS * MAX_CONSULTATION  # of one round


@dataclass(frozen=True)
class Ruleset:
    """The rules one episode is played by. Numbers in parentheses are rulings.

    Args:
        world: A world's name (``"box"``, ``"small"``, ``"tiny"``), a folder of one's own,
            ``"random(answers, ideas, seed)"``, or a :class:`World` (L15).
        players: From 3 to 6, the fox included (L1).
        fox: ``"literal"``: the legal counts are the honest ones; ``"free"``: any count (L10).
        writing: ``"in_turn"``: each sees what was written before; ``"hidden"``: nobody does (L6).
        consultation: How many proposals each seeker may make in a round, 0 to 3 (L5).
        hint: Whether the seekers are told the hint. Without it every answer is possible.
        hints: Play only the cards of these hints, by their English or Czech text (L3).
        cards: Play only the cards of these numbers (L3).
        card_order: ``"drawn"``: the episode's seed draws the card; ``"box"``: in order, game *i* of a
            batch beginning *i* cards further on (L3).
        reward: ``"outcome"`` or ``"rated"`` (L16).
        rows: ``"compact"``: an observation gives kind and number of every card; ``"flat"``: one flag for
            every card that there could be, for networks without embeddings.
        knowledge: ``"posterior"`` adds what a well-read person would infer: how likely every answer is.
        history: Whether observations hold the proposals of earlier rounds.
        language: ``"en"`` or ``"cs"``, of pictures, of the names of actions and of what people are asked.
            (``to_dict`` and ``describe`` are always English.)
        rounds: Rounds of a game (L4); fewer than 7 is a variant for small, exhaustible games.
        trophies: Trophy cards (L2), likewise.

    Raises:
        InvalidOption: A value is not allowed; the message says what is.
    """

    world: str | World = "box"
    players: int = 4
    fox: Literal["literal", "free"] = "literal"
    writing: Literal["in_turn", "hidden"] = "in_turn"
    consultation: int = 1
    hint: bool = True
    hints: tuple[str, ...] | None = None
    cards: tuple[int, ...] | None = None
    card_order: Literal["drawn", "box"] = "drawn"
    reward: Literal["outcome", "rated"] = "outcome"
    rows: Literal["compact", "flat"] = "compact"
    knowledge: Literal["posterior"] | None = None
    history: bool = True
    language: Literal["en", "cs"] = "en"
    rounds: int = MAX_ROUNDS
    trophies: int = MAX_TROPHIES

    def __post_init__(self) -> None:
        if not isinstance(self.world, str | World):
            raise InvalidOption(f"world must be a name, a folder or a World, not {self.world!r}")
        check_choices(self, _CHOICES)
        self._set("players", whole_number(self.players, "players", MIN_PLAYERS, MAX_PLAYERS))
        self._set("consultation", whole_number(self.consultation, "consultation", 0, MAX_CONSULTATION))
        self._set("rounds", whole_number(self.rounds, "rounds", 2, MAX_ROUNDS))
        self._set("trophies", whole_number(self.trophies, "trophies", 1, MAX_TROPHIES))
        for name in ("hints", "cards"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, str) or not isinstance(value, Iterable)):
                raise InvalidOption(f"{name} must be a list (or None for all), not {value!r}")
            self._set(name, None if value is None else tuple(value))
        # a whole world of the package need not be read to know that it has cards
        whole = self.hints is None and self.cards is None and self.world in named_worlds()
        if not whole and not self.deck:
            raise InvalidOption("hints and cards must leave at least one card to play")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @cached_property
    def words(self) -> World:
        """The world itself."""
        return self.world if isinstance(self.world, World) else load_world(self.world)

    @property
    def seekers(self) -> int:
        """How many players seek."""
        return self.players - 1

    @property
    def row_length(self) -> int:
        """Cards in a row: one from each seeker, two in a three-player game (L6)."""
        return 2 * self.seekers if self.players == MIN_PLAYERS else self.seekers

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The answers that can be drawn, as indices into the world's, in the order of their cards (L3)."""
        world = self.words
        answers = range(len(world.answers))
        if self.hints is not None:
            wanted = {self._hint(text) for text in self.hints}
            answers = [answer for answer in answers if world.hint_of[answer] in wanted]
        if self.cards is not None:
            numbers = {card_number(card, world, "a number in cards") for card in self.cards}
            answers = [answer for answer in answers if world.cards[answer] in numbers]
        return tuple(answers)

    def _hint(self, text: Any) -> int:
        for index, hint in enumerate(self.words.hints):
            if fold(str(text)) in (fold(hint.en), fold(hint.cs)):
                return index
        raise InvalidOption(unknown("hint", text, [hint.en for hint in self.words.hints]))

    def to_dict(self) -> dict[str, Any]:
        """All options in plain Python; ``Ruleset.of(**that)`` gives the same ruleset.

        (A :class:`World` of one's own making is named only.)
        """
        return in_plain_python(self) | {
            "world": self.words.name if isinstance(self.world, World) else self.world
        }

    @classmethod
    def of(cls, ruleset: "Ruleset | str | Mapping[str, Any]" = "standard", **options: Any) -> "Ruleset":
        """A preset (or a ruleset, or a mapping of options), with single options replaced.

        Raises:
            InvalidOption: A name or a value is unknown.
        """
        return choose(cls, PRESETS, ruleset, options)


def card_number(value: Any, world: World, what: str) -> int:
    """The number of one of the world's cards.

    Raises:
        InvalidOption: There is no such card.
    """
    number = whole_number(value, what, world.cards[0], world.cards[-1])
    if number not in world.cards:
        raise InvalidOption(f"{what} must be the number of a card, but there is no card {number}")
    return number


_CHOICES: Final = {
    "fox": ("literal", "free"),
    "writing": ("in_turn", "hidden"),
    "card_order": ("drawn", "box"),
    "reward": ("outcome", "rated"),
    "rows": ("compact", "flat"),
    "knowledge": (None, "posterior"),
    "hint": (True, False),
    "history": (True, False),
    "language": ("en", "cs"),
}

PRESETS: Final = {
    "standard": Ruleset(),
    "small": Ruleset(world="small"),
    "tiny": Ruleset(world="tiny"),
}
