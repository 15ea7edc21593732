"""What a picture of Lišák shows, as plain values: the whole table, or what one seat sees of it.

A seat's scene is built from that seat's observation and from nothing else, so no picture of it can show
the answer to a seeker, nor a card that is still to be revealed (ruling L14).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from .phrases import say, say_of
from .ruleset import Ruleset
from .state import FIRST_SEEKER, FOX, agents, rating_of
from .world import JUDGEMENTS, World

#: So many of the likeliest answers are listed.
LISTED: Final = 6


@dataclass(frozen=True)
class Card:
    """A card on the table.

    Args:
        kind: ``"clue"``, ``"trophy"`` or ``"blank"``; ``None`` for a card not to be seen.
        text: What stands on it, ``None`` if nothing does or it is not to be seen.
        seat: Who wrote it.
        judged: One of ``world.JUDGEMENTS``, if it is to be shown.
        joker: The joker lies on it.
    """

    kind: str | None
    text: str | None
    seat: int
    judged: str | None = None
    joker: bool = False


@dataclass(frozen=True)
class Row:
    """The cards of a round.

    Args:
        cards: In the order in which they were written.
        tokens: At its end, the joker's included; ``None`` before there are any.
    """

    cards: tuple[Card, ...]
    tokens: int | None


@dataclass(frozen=True)
class Proposal:
    """What somebody proposed: ``kind`` is ``"clue"``, ``"trophy"`` or ``"pass"``."""

    seat: int
    kind: str
    text: str | None


@dataclass(frozen=True)
class Scene:
    """All that a picture shows. Texts are in the ruleset's language.

    Args:
        language: ``"en"`` or ``"cs"``.
        seat: Whose view it is, ``None`` for the whole table.
        players: How many play.
        hint: ``None`` where it is not told.
        answer: ``None`` where it is not to be seen.
        card: The number of the played card, likewise.
        rows: One for each round so far, the current one last.
        row_length: Cards in a full row; the last round's has as many as there are trophies.
        round: From 0; ``rounds`` says how many there are.
        phase: One of ``state.PHASES``.
        to_move: The seat that decides, ``None`` when the game is over.
        proposals: This round's.
        joker: Whether the joker has been used.
        trophies_left: Trophies nobody has written on; ``trophies`` says how many there are.
        likely: The likeliest answers with their chances, the likeliest first; ``None`` if they are not
            told, empty if nothing fits. ``possible`` is how many answers there may still be.
        outcome: ``None`` while the game goes on, else one of ``state.OUTCOMES``, or ``"over"`` where
            nobody says how it ended.
    """

    language: str
    seat: int | None
    players: int
    hint: str | None
    answer: str | None
    card: int | None
    rows: tuple[Row, ...]
    row_length: int
    round: int
    rounds: int
    phase: str
    to_move: int | None
    proposals: tuple[Proposal, ...]
    joker: bool
    trophies_left: int
    trophies: int
    likely: tuple[tuple[str, float], ...] | None
    possible: int
    outcome: str | None

    @classmethod
    def of_state(cls, state: Mapping[str, Any], ruleset: Ruleset) -> "Scene":
        """The whole table, the answer included.

        Args:
            state: What ``state.to_dict`` gives. The likeliest answers are listed only if it holds them
                as ``posterior`` too, as a described observation does.
            ruleset: The rules of that game.
        """
        words, names = _words(ruleset.words, ruleset.language), agents(ruleset)
        joker = None if state["joker"] is None else tuple(state["joker"])

        def row(number: int) -> Row:
            cards = state["rows"][number] if number < len(state["rows"]) else ()
            return Row(
                cards=tuple(
                    Card(
                        kind=card["kind"],
                        text=words.say(card),
                        seat=names.index(card["seeker"]),
                        judged=words.judge(state["answer"], card),
                        joker=joker == (number + 1, place),
                    )
                    for place, card in enumerate(cards, 1)
                ),
                tokens=state["tokens"][number] if number < len(state["tokens"]) else None,
            )

        return cls(
            seat=None,
            hint=words.texts[state["hint"]],
            answer=words.texts[state["answer"]],
            card=state["card"],
            rows=tuple(map(row, range(state["round"]))),
            round=state["round"] - 1,
            phase=state["phase"],
            to_move=None if state["to_move"] is None else names.index(state["to_move"]),
            proposals=tuple(
                Proposal(names.index(made["seeker"]), made["kind"], words.say(made))
                for made in state["proposals"][-1]
            ),
            joker=joker is not None,
            trophies_left=state["trophies_left"],
            outcome=state["outcome"],
            **words.likely(state.get("posterior")),
            **_fixed(ruleset),
        )

    @classmethod
    def of_observation(
        cls, described: Mapping[str, Any], ruleset: Ruleset, seat: int, outcome: str | None = None
    ) -> "Scene":
        """What one seat sees.

        Args:
            described: What ``observation.describe`` gives for the seat's vector, with or without history.
            ruleset: The rules of that game.
            seat: 0 for the fox, then the seekers.
            outcome: How the game ended, which no observation tells; without it the scene says no more
                than that it is over.

        Raises:
            ValueError: There is no such seat, or the observation is another's.
        """
        if seat not in range(ruleset.players):
            raise ValueError(f"seat must be from 0 to {ruleset.players - 1}, not {seat!r}")
        if described["seat"] != seat:
            raise ValueError(f"this is what seat {described['seat']} observes, not seat {seat}")
        words, number = _words(ruleset.words, ruleset.language), described["round_number"]
        joker = None if described["joker"] is None else tuple(described["joker"])
        writers = [(seat + after) % ruleset.players for after in described["writers"]]

        def row(index: int) -> Row:
            seen = described["rows"][index]
            written = described["place"] if index == number else len([card for card in seen if card])
            return Row(
                cards=tuple(
                    Card(
                        kind=card["kind"] if card else None,
                        text=words.say(card) if card else None,
                        seat=writers[place],
                        judged=described["judged"][index][place],
                        joker=joker == (index, place),
                    )
                    for place, card in enumerate(seen[:written])
                ),
                tokens=described["tokens"][index],
            )

        over = described["phase"] == "over"
        return cls(
            seat=seat,
            hint=words.texts.get(described["hint"]),
            answer=words.texts.get(described["answer"]),
            card=words.number(described["answer"]),
            rows=tuple(map(row, range(number + 1))),
            round=number,
            phase=described["phase"],
            to_move=None if over else (seat + described["mover"]) % ruleset.players,
            proposals=tuple(
                Proposal(FIRST_SEEKER + turn // ruleset.consultation, made["kind"], words.say(made))
                for turn, made in enumerate(described.get("proposals", ()))
                if made
            ),
            joker=joker is not None,
            trophies_left=described["trophies_left"],
            outcome=(outcome or "over") if over else None,
            **words.likely(described.get("posterior")),
            **_fixed(ruleset),
        )

    @property
    def slots(self) -> int:
        """How many cards the current row gets: in the last round one for each trophy (L7)."""
        last = self.round == self.rounds - 1
        return len(self.rows[-1].cards) + self.trophies_left if last else self.row_length

    @property
    def joker_row(self) -> int | None:
        """The row that the joker lies in, from 0."""
        return next((k for k, row in enumerate(self.rows) if any(card.joker for card in row.cards)), None)

    @property
    def rating(self) -> str | None:
        """L13: the rating in words, of a game that was won."""
        return self.say(rating_of(self.round)) if self.outcome == "win" else None

    def say(self, phrase: str, **values: object) -> str:
        """A phrase in the scene's language."""
        return say(self.language, phrase, **values)

    def name(self, seat: int) -> str:
        """``"fox"``, ``"seeker 0"``, or ``"you"`` for the one whose view it is."""
        return self.say("you") if seat == self.seat else self.role(seat)

    def role(self, seat: int) -> str:
        """The name that a seat has for everybody."""
        return self.say("fox") if seat == FOX else self.say("seeker", number=seat - FIRST_SEEKER)

    def sentence(self) -> str:
        """What happens now, in one sentence."""
        if self.outcome is not None:
            ending = self.say(self.outcome)
            return ending if self.rating is None else f"{ending} · {self.rating}"
        assert self.to_move is not None
        last = self.phase == "write" and self.round == self.rounds - 1
        name = self.name(self.to_move)
        if self.language == "en" and name == self.say("fox"):
            name = f"the {name}"
        return say_of(self.language, f"to {self.phase}{' last' if last else ''}", name)


def _fixed(ruleset: Ruleset) -> dict[str, Any]:
    """The fields that stay the same all game."""
    return {
        "language": ruleset.language,
        "players": ruleset.players,
        "row_length": ruleset.row_length,
        "rounds": ruleset.rounds,
        "trophies": ruleset.trophies,
    }


class _Words:
    """A world's texts, found by the English ones that states and observations name them by."""

    def __init__(self, world: World, language: str) -> None:
        every = (*world.hints, *world.clues)
        self.texts = {text.en: text.in_language(language) for text in every}
        self._world = world
        self._clues = {text.en: clue for clue, text in enumerate(world.clues)}
        self._answers = {text.en: answer for answer, text in enumerate(world.answers)}

    def say(self, card: Mapping[str, Any]) -> str | None:
        """What stands on a card or in a proposal."""
        return self.texts.get(card["text"])

    def number(self, answer: str | None) -> int | None:
        """The number of an answer's card."""
        return None if answer is None else self._world.cards[self._answers[answer]]

    def judge(self, answer: str, card: Mapping[str, Any]) -> str:
        """What the world says of a card."""
        if card["text"] is None:
            return JUDGEMENTS[0]
        return JUDGEMENTS[self._world.judgement[self._answers[answer], self._clues[card["text"]]]]

    def likely(self, posterior: Mapping[str, float] | None) -> dict[str, Any]:
        """The scene's fields about the likeliest answers."""
        if posterior is None:
            return {"likely": None, "possible": 0}
        ranked = sorted(posterior.items(), key=lambda item: -item[1])
        listed = tuple((self.texts[answer], chance) for answer, chance in ranked)[:LISTED]
        return {"likely": listed, "possible": len(posterior)}


@lru_cache(maxsize=16)
def _words(world: World, language: str) -> _Words:
    return _Words(world, language)
