"""What a picture of Duet shows, as plain values: the whole table, or what one seat sees of it.

A seat's scene is built from that seat's observation and from nothing else, so no picture of it can
show a card that the seat does not know (ruling D21).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .board import Board
from .cards import CARD_NAMES, CHARACTERS, GAZELLE, MUSICIAN, NUM_RANKS, SUITS
from .ruleset import Ruleset

_CARD_IDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_CHARACTER_NAMES: Final = {rank: name.replace("_", " ").title() for name, rank in CHARACTERS.items()}

#: By outcome; ``"lost"`` is what a seat can tell from the board alone.
_ENDINGS: Final = {
    "win": "won: the last gem is collected",
    "lost_path": "lost: the forest tiles have run out",
    "lost_time": "lost: the last round is over and gems are left",
    "lost": "lost: gems are left on the board",
}


@dataclass(frozen=True)
class Space:
    """A space of the path.

    Args:
        number: Its index from seat 0's end (D4).
        gems: Gems beside it.
        plus: It has a plus mark.
        covered: A forest tile lies on it.
        start: The tracker began here; it has no gem space.
    """

    number: int
    gems: int
    plus: bool
    covered: bool
    start: bool


@dataclass(frozen=True)
class HandCard:
    """A card in a hand.

    Args:
        card: Its id, or ``None`` for a card seen from behind.
        known: The other player knows it (Foxes, Gift).
        chosen: It has been chosen as a gift and not yet changed hands.
    """

    card: int | None
    known: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class Player:
    """One of the two at the table.

    Args:
        seat: 0 or 1.
        name: ``"you"``, ``"partner"``, or ``"seat 0"`` and ``"seat 1"`` where nobody looks on.
        hand: Their cards.
        leads: They lead the current trick.
        to_move: They decide now.
        signal: The symbol they announced for this round, or ``None`` (D22).
    """

    seat: int
    name: str
    hand: tuple[HandCard, ...]
    leads: bool
    to_move: bool
    signal: int | None

    @property
    def title(self) -> str:
        """The name, with the seat if that is not the same."""
        seat = f"seat {self.seat}"
        return seat if self.name == seat else f"{self.name} ({seat})"

    @property
    def end(self) -> str:
        """Their end of the path in words."""
        return "your end" if self.name == "you" else f"{self.name}'s end"

    def does(self, verb: str, what: str) -> str:
        """``"you play a card"``, ``"seat 1 plays a card"``."""
        return f"{self.name} {verb}{'' if self.name == 'you' else 's'} {what}"


@dataclass(frozen=True)
class Played:
    """A card on the table: whose (0 near, 1 far) and which."""

    player: int
    card: int


@dataclass(frozen=True)
class Scene:
    """All that a picture shows. Near is the player at the bottom, far the one at the top.

    Args:
        players: Near and far.
        spaces: The path, from the near player's end.
        tracker: The tracker's position in ``spaces``.
        trick_cards: The current trick, the leader's card first.
        last_trick: The trick before it in this round, as far as it is remembered; else empty.
        decree: Card id, ``None`` before the deal.
        phase: One of ``state.PHASES``.
        round, trick: From 0; ``rounds`` and ``tricks`` say how many there are.
        forest_tiles: Tiles left.
        collected: Gems collected; ``all_gems`` is how many the whole game can bring.
        outcome: ``None`` while the game goes on, else one of ``state.OUTCOMES``, or ``"lost"``.
        characters: The ranks whose characters are switched on (D3).
    """

    players: tuple[Player, Player]
    spaces: tuple[Space, ...]
    tracker: int
    trick_cards: tuple[Played, ...]
    last_trick: tuple[Played, ...]
    decree: int | None
    phase: str
    round: int
    rounds: int
    trick: int
    tricks: int
    forest_tiles: int
    collected: int
    all_gems: int
    outcome: str | None
    characters: frozenset[int]

    @classmethod
    def of_state(cls, state: Mapping[str, Any], ruleset: Ruleset) -> "Scene":
        """The whole table with both hands open. Seat 0 sits near.

        Args:
            state: What ``state.to_dict`` gives. Four facts are shown only if it holds them too:
                ``known`` (by seat the cards the partner knows), ``gift`` and ``signals`` (by seat, or
                ``None``) and ``last_trick`` (like ``trick_cards``).
            ruleset: The rules of that game.
        """
        known = state.get("known", ((), ()))
        gift = state.get("gift", (None, None))
        signals = state.get("signals", (None, None))

        def player(seat: int) -> Player:
            return Player(
                seat=seat,
                name=f"seat {seat}",
                hand=tuple(
                    HandCard(card, card in known[seat], card == gift[seat]) for card in state["hands"][seat]
                ),
                leads=state["leader"] == seat,
                to_move=state["to_move"] == seat,
                signal=signals[seat],
            )

        board = Board.of(ruleset.board)
        first, last = state["path"]
        return cls(
            players=(player(0), player(1)),
            spaces=tuple(
                Space(
                    number=space,
                    gems=state["gems"][space],
                    plus=space in board.plus_marks,
                    covered=not first <= space <= last,
                    start=space == board.start,
                )
                for space in range(len(board.gems))
            ),
            tracker=state["tracker"],
            trick_cards=tuple(Played(seat, card) for seat, card in state["trick_cards"]),
            last_trick=tuple(Played(seat, card) for seat, card in state.get("last_trick", ())),
            decree=state["decree"],
            phase=state["phase"],
            round=state["round"],
            trick=state["trick"],
            forest_tiles=state["forest_tiles"],
            collected=state["collected"],
            outcome=state["outcome"],
            **_fixed(ruleset),
        )

    @classmethod
    def of_observation(
        cls, described: Mapping[str, Any], ruleset: Ruleset, seat: int, outcome: str | None = None
    ) -> "Scene":
        """What one seat sees; it sits near.

        Args:
            described: What ``observation.describe`` gives for the seat's vector, with or without history.
            ruleset: The rules of that game.
            seat: 0 or 1; the observation itself does not say.
            outcome: How the game ended, which no observation tells; without it the scene says what
                the board does.

        Raises:
            ValueError: There is no such seat.
        """
        if seat not in (0, 1):
            raise ValueError(f"seat must be 0 or 1, not {seat!r}")
        over = described["phase"] == "over"
        if over and outcome is None:
            outcome = "lost" if described["gems_left"] else "win"
        mine = [
            HandCard(
                _CARD_IDS[name], name in described.get("known_of_me", ()), name == described["chosen_gift"]
            )
            for name in described["hand"]
        ]
        theirs = [HandCard(_CARD_IDS[name], known=True) for name in described.get("known_to_me", ())]
        theirs += [HandCard(None)] * (described["hand_sizes"]["partner"] - len(theirs))
        leader = 0 if described["i_lead"] else 1
        trick = ((leader, described["led"]), (1 - leader, described["reply"]))
        last = len(Board.of(ruleset.board).gems) - 1
        return cls(
            players=(
                Player(
                    seat=seat,
                    name="you",
                    hand=tuple(mine),
                    leads=leader == 0,
                    to_move=described["my_move"],
                    signal=described["signals"]["mine"],
                ),
                Player(
                    seat=1 - seat,
                    name="partner",
                    hand=tuple(theirs),
                    leads=leader == 1,
                    to_move=not described["my_move"] and not over,
                    signal=described["signals"]["partner"],
                ),
            ),
            spaces=tuple(
                Space(
                    number=space if seat == 0 else last - space,
                    gems=described["gems"][space],
                    plus=space in described["plus_marks"],
                    covered=space not in described["path"],
                    start=space == described["start"],
                )
                for space in range(last + 1)
            ),
            tracker=described["tracker"],
            trick_cards=tuple(Played(player, _CARD_IDS[name]) for player, name in trick if name),
            last_trick=_remembered_trick(described),
            decree=None if described["decree"] is None else _CARD_IDS[described["decree"]],
            phase=described["phase"],
            round=described["round_number"],
            trick=described["trick"],
            forest_tiles=described["forest_tiles"],
            collected=described["collected"],
            outcome=outcome,
            **_fixed(ruleset),
        )

    @property
    def gems_left(self) -> int:
        """Gems on the board."""
        return sum(space.gems for space in self.spaces)

    @property
    def trump(self) -> str | None:
        """The decree's suit by name."""
        return None if self.decree is None else SUITS[self.decree // NUM_RANKS]

    def character(self, card: int) -> str | None:
        """The name of a card's character, ``None`` if it has none or it is switched off."""
        rank = card % NUM_RANKS + 1
        return _CHARACTER_NAMES[rank] if rank in self.characters else None

    def sentence(self) -> str:
        """What happens now, in one sentence."""
        if self.outcome is not None:
            return _ENDINGS[self.outcome]
        mover = self.players[0] if self.players[0].to_move else self.players[1]
        if self.phase == "announce":
            return mover.does("announce", "a symbol before the deal")
        if self.phase == "exchange":
            return f"{mover.name} may exchange the decree"
        if self.phase == "gift":
            return mover.does("choose", "a card to give")
        if self.phase == "move":
            return f"{mover.name} won the trick and {self._choice(mover)}"
        return mover.does("follow" if self.trick_cards else "lead", f"in trick {self.trick + 1}")

    def _choice(self, winner: Player) -> str:
        """What the trick's characters leave to its winner (D16, D17)."""
        ranks = {played.card % NUM_RANKS + 1 for played in self.trick_cards} & self.characters
        choices = []
        if MUSICIAN in ranks:
            choices.append("choose the direction" if winner.name == "you" else "chooses the direction")
        if GAZELLE in ranks:
            choices.append("may ignore steps")
        return " and ".join(choices)


def _fixed(ruleset: Ruleset) -> dict[str, Any]:
    """The fields that stay the same all game."""
    return {
        "rounds": ruleset.rounds,
        "tricks": ruleset.hand_size,
        "all_gems": ruleset.all_gems,
        "characters": frozenset(CHARACTERS[name] for name in ruleset.characters),
    }


def _remembered_trick(described: Mapping[str, Any]) -> tuple[Played, ...]:
    """The trick before the current one, if the observation has a history and the round such a trick."""
    before = described["trick"] - 1
    cards = [name for name, trick in described.get("played_trick", {}).items() if trick == before]
    played = [Played(0 if name in described["played_by_me"] else 1, _CARD_IDS[name]) for name in cards]
    leader = 0 if before in described.get("tricks_led", ()) else 1
    return tuple(sorted(played, key=lambda item: item.player != leader))
