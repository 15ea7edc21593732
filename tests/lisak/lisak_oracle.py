"""A second implementation of Lišák, as plain as possible, to test the compiled rules against.

It is written from the rule text alone and shares with the package only the world (L15), which is data.
Speed doesn't matter here. Numbers in parentheses are rulings.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any

from reynard.envs.lisak.world import World

#: L10: what the world says of an answer and a clue.
NO, BORDERLINE, YES = 0, 1, 2

FOX = 0  # the seat; the seekers are 1, 2 …

#: How many of the 35 joker actions belong to a row, and how many counts a fox can name: 0 … 5.
CARDS_IN_LONGEST_ROW = 5
TOKEN_COUNTS = 6

#: L16, by L13.
REWARD_OF_RATING = {"cunning_foxes": 1.0, "seasoned_hounds": 0.75, "sharp_falcons": 0.5}

#: Options that make no difference to the course of a game whose answer is known.
HARMLESS_OPTIONS = {"card_order", "hints", "cards", "knowledge", "rows", "history", "language"}


def plain(text: str) -> str:
    """A text without what L15 ignores: case, diacritics and outer spaces."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold().strip()


@dataclass(frozen=True)
class Card:
    """A card in a row, or a proposal to write one (L5, L6)."""

    seeker: str
    kind: str  # "clue", "trophy", "blank"; of a proposal also "pass"
    text: str | None = None
    column: int | None = None  # where the world judges it; a trophy like the answer named as a clue (L8)

    def to_dict(self) -> dict[str, Any]:
        return {"seeker": self.seeker, "kind": self.kind, "text": self.text}


class Oracle:
    """One game of Lišák.

    Args:
        world: The world (L15).
        answer: Which of the world's answers is the secret one.
        players: 3 … 6, the fox among them (L1).
        fox: "literal" or "free" (L10).
        writing: "in_turn" or "hidden" (L6).
        consultation: How many proposals a seeker makes at most in a round (L5).
        rounds: How many rounds there are; the last one is played as L7 has it.
        trophies: How many trophy cards the seekers share (L2).
        reward: "outcome" or "rated" (L16).
        hint: Whether the seekers are told the hint.
        **others: :data:`HARMLESS_OPTIONS`.
    """

    def __init__(
        self,
        world: World,
        answer: int,
        *,
        players: int = 4,
        fox: str = "literal",
        writing: str = "in_turn",
        consultation: int = 1,
        rounds: int = 7,
        trophies: int = 3,
        reward: str = "outcome",
        hint: bool = True,
        **others: Any,
    ) -> None:
        assert set(others) <= HARMLESS_OPTIONS, others
        assert fox in ("literal", "free") and writing in ("in_turn", "hidden"), (fox, writing)
        assert reward in ("outcome", "rated"), reward
        self.world = world
        self.answer = answer
        self.fox = fox
        self.writing = writing
        self.consultation = consultation
        self.rounds = rounds
        self.reward_option = reward
        self.hint_is_shown = hint
        self.seekers = [f"seeker_{number}" for number in range(players - 1)]
        self.row_length = 4 if players == 3 else players - 1
        # the catalogue of actions
        self.clues = [*world.ideas, *world.answers]
        self.first_trophy = len(self.clues)  # clues come before it
        self.blank = self.first_trophy + len(world.answers)
        self.pass_ = self.blank + 1
        self.first_tokens = self.pass_ + 1
        self.first_joker = self.first_tokens + TOKEN_COUNTS
        # the table
        self.trophies_left = trophies
        self.rows: list[list[Card]] = []  # one per round
        self.tokens: list[int] = []  # at the ends of the rows
        self.proposals: list[list[Card]] = []  # one list per round
        self.joker: tuple[int, int] | None = None  # row and place, both from 0
        # whose turn it is to do what
        self.phase = ""
        self.consulting = 0  # the number of the seeker whose turn it is in the consultation
        self.round = 0
        self.outcome: str | None = None
        self.reward = 0.0
        self._begin_round()

    # ------------------------------------------------------------------ what a test may ask

    @property
    def to_move(self) -> int | None:
        """The seat that is to move; none when the game is over."""
        if self.phase == "over":
            return None
        if self.phase == "consult":
            return 1 + self.consulting
        if self.phase == "write":
            return 1 + self._seeker_of(len(self.rows[-1]))
        return FOX

    def legal(self) -> set[int]:
        """The actions of the seat to move; none when the game is over."""
        clues = set(range(self.first_trophy))
        trophies = set(range(self.first_trophy, self.blank)) if self.trophies_left > 0 else set()
        if self.phase == "consult":
            return clues | trophies | {self.pass_}
        if self.phase == "write":
            return trophies if self._is_last_round() else clues | trophies | {self.blank}
        if self.phase == "tokens":
            return {self.first_tokens + count for count in self._legal_counts()}
        if self.phase == "joker":
            placings = {CARDS_IN_LONGEST_ROW * row + place for row, place in self._joker_cards()}
            return {self.first_joker + placing for placing in placings} | {self.pass_}
        return set()

    def play(self, action: int) -> float:
        """The seat to move does this; returns what it brings to all (L16)."""
        if action not in self.legal():
            raise ValueError(f"{action} is none of {sorted(self.legal())}")
        if self.phase == "consult":
            self._propose(action)
        elif self.phase == "write":
            self._write(action)
        elif self.phase == "tokens":
            self._place_tokens(action - self.first_tokens)
        else:
            self._use_joker(action)
        self.reward = 0.0
        if self.outcome == "win":
            rating = self.rating()
            assert rating is not None
            self.reward = REWARD_OF_RATING[rating] if self.reward_option == "rated" else 1.0
        return self.reward

    def rating(self) -> str | None:
        """L13; none unless the game is won."""
        if self.outcome != "win":
            return None
        if self.round == 7:
            return "sharp_falcons"
        return "seasoned_hounds" if self.round >= 5 else "cunning_foxes"

    def to_dict(self) -> dict[str, Any]:
        """The full state, in the form of the package's ``Table.to_dict``."""
        mover = self.to_move
        return {
            "round": self.round,
            "phase": self.phase,
            "to_move": None if mover is None else self._name(mover),
            "hint": self.world.hints[int(self.world.hint_of[self.answer])].en,
            "card": self.world.cards[self.answer],
            "answer": self.world.answers[self.answer].en,
            "rows": [[card.to_dict() for card in row] for row in self.rows if row],
            "tokens": list(self.tokens),
            "proposals": [[proposal.to_dict() for proposal in proposals] for proposals in self.proposals],
            "joker": None if self.joker is None else [self.joker[0] + 1, self.joker[1] + 1],
            "trophies_left": self.trophies_left,
            "outcome": self.outcome,
            "rating": self.rating(),
        }

    def visible(self, seat: int) -> dict[str, Any]:
        """What a seat may know (L6, L14): all but the secret answer and the cards that are still hidden.

        A hidden card lies on the table, with its back up: all see whose it is.
        """
        seen = self.to_dict()
        seen["cards_written"] = len(self.rows[-1])
        if seat != FOX:
            del seen["answer"], seen["card"]
            if not self.hint_is_shown:
                del seen["hint"]
        if self.writing == "hidden" and self.phase == "write" and not self._is_last_round() and self.rows[-1]:
            seen["rows"][-1] = [
                card
                if card["seeker"] == self._name(seat)
                else {"seeker": card["seeker"], "kind": None, "text": None}
                for card in seen["rows"][-1]
            ]
        return seen

    def clone(self) -> "Oracle":
        """The same game, to be played on independently."""
        other = object.__new__(Oracle)
        other.__dict__.update(self.__dict__)
        other.rows = [list(row) for row in self.rows]
        other.tokens = list(self.tokens)
        other.proposals = [list(proposals) for proposals in self.proposals]
        return other

    # ------------------------------------------------------------------ rounds

    def _begin_round(self) -> None:
        """L4: a round begins with the consultation, the last one too."""
        self.round += 1
        self.rows.append([])
        self.proposals.append([])
        self.consulting = 0
        self.phase = "consult" if self.consultation > 0 else "write"

    def _is_last_round(self) -> bool:
        return self.round == self.rounds

    def _end_game(self, outcome: str) -> None:
        self.outcome = outcome
        self.phase = "over"

    def _seeker_of(self, place: int) -> int:
        """The number of the seeker who writes the card at this place of a row.

        All write one card in seat order. Where a row is longer than that, they go round again: three
        players (L6) and the last round (L7).
        """
        return place % len(self.seekers)

    def _name(self, seat: int) -> str:
        return "fox" if seat == FOX else self.seekers[seat - 1]

    # ------------------------------------------------------------------ the seekers

    def _card(self, seeker: str, action: int) -> Card:
        """What a seeker's action says, be it written or proposed."""
        if action < self.first_trophy:
            return Card(seeker, "clue", self.clues[action].en, action)
        if action < self.blank:
            answer = action - self.first_trophy
            return Card(seeker, "trophy", self.world.answers[answer].en, len(self.world.ideas) + answer)
        return Card(seeker, "blank" if action == self.blank else "pass")

    def _propose(self, action: int) -> None:
        """L5: up to k proposals of a seeker, then those of the next one; whoever passes has no more."""
        seeker = self.seekers[self.consulting]
        proposals = self.proposals[-1]
        proposals.append(self._card(seeker, action))
        made = sum(proposal.seeker == seeker for proposal in proposals)
        if action == self.pass_ or made == self.consultation:
            self.consulting += 1
            if self.consulting == len(self.seekers):
                self.phase = "write"

    def _write(self, action: int) -> None:
        """L6 and, in the last round, L7."""
        row = self.rows[-1]
        card = self._card(self.seekers[self._seeker_of(len(row))], action)
        row.append(card)
        if card.kind == "trophy":
            self.trophies_left -= 1
        if self._is_last_round():
            if self._names_the_answer(card):
                self._end_game("win")
            elif self.trophies_left == 0:
                self._end_game("lost_rounds")
        elif len(row) == self.row_length:
            self._reveal(row)

    def _reveal(self, row: list[Card]) -> None:
        """L8, L12: trophies come first, then clue cards, then whether there are trophies left."""
        if any(card.kind == "trophy" and self._names_the_answer(card) for card in row):
            self._end_game("win")
        elif any(card.kind == "clue" and self._names_the_answer(card) for card in row):
            self._end_game("lost_clue")
        elif self.trophies_left == 0:
            self._end_game("lost_trophies")
        else:
            self.phase = "tokens"

    def _names_the_answer(self, card: Card) -> bool:
        """L15: it is the text that counts."""
        return card.text is not None and plain(card.text) == plain(self.world.answers[self.answer].en)

    # ------------------------------------------------------------------ the fox

    def _judgement(self, card: Card) -> int | None:
        """L10; none for a blank card."""
        return None if card.column is None else int(self.world.judgement[self.answer, card.column])

    def _legal_counts(self) -> list[int]:
        """L9, L10."""
        judgements = [self._judgement(card) for card in self.rows[-1] if card.kind != "blank"]
        if self.fox == "free":
            return list(range(len(judgements) + 1))
        yes = judgements.count(YES)
        return list(range(yes, yes + judgements.count(BORDERLINE) + 1))

    def _place_tokens(self, count: int) -> None:
        """L9; then the joker, if there is one and a token to take (L11)."""
        self.tokens.append(count)
        if self.joker is None and sum(self.tokens) > 0:
            self.phase = "joker"
        else:
            self._begin_round()

    def _use_joker(self, action: int) -> None:
        """L11, or not. The count of tokens that the row got remains known, and with it ``tokens``."""
        if action != self.pass_:
            self.joker = divmod(action - self.first_joker, CARDS_IN_LONGEST_ROW)
        self._begin_round()

    def _joker_cards(self) -> list[tuple[int, int]]:
        """L11: the cards, as row and place, that may get a token of their row."""
        cards = []
        for row, tokens in enumerate(self.tokens):
            for place, card in enumerate(self.rows[row]):
                judgement = self._judgement(card)
                fits = judgement is not None and (self.fox == "free" or judgement != NO)
                if tokens > 0 and fits:
                    cards.append((row, place))
        return cards
