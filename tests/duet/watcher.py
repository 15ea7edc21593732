"""Somebody at the table who writes down everything public, and what Foxes and Gift made known (D21)."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from positions import SUITS, named

from reynard.envs import duet_v0
from reynard.envs.duet import Board

ROYAL_HEIR = 9


def suit_of(card: int) -> int:
    return card // 10


@dataclass
class Notes:
    """One round as written down; tricks and rounds count from 0."""

    first_player: int
    signals: list[int | None] = field(default_factory=lambda: [None, None])
    played: list[dict[int, int]] = field(default_factory=lambda: [{}, {}])  # card to trick, by seat
    void: list[set[int]] = field(default_factory=lambda: [set(), set()])
    known: list[set[int]] = field(default_factory=lambda: [set(), set()])  # in a seat's hand, to its partner
    gift: list[int | None] = field(default_factory=lambda: [None, None])
    led: list[list[int]] = field(default_factory=lambda: [[], []])
    won: list[list[int]] = field(default_factory=lambda: [[], []])
    swapped: list[list[int]] = field(default_factory=lambda: [[], []])
    trump: list[list[int]] = field(default_factory=lambda: [[], [], []])
    tracker: list[int] = field(default_factory=list)


class Watcher:
    """Plays a game at random and can tell what each seat ought to observe of it."""

    def __init__(self, env: duet_v0.raw_env, seed: int) -> None:
        self.env = env
        self.random = np.random.default_rng(seed)
        env.reset(seed=seed)
        self.notes = Notes(first_player=env.to_dict()["to_move"])
        self._note_lead(env.to_dict())

    def play(self) -> None:
        """One random legal action, written down."""
        before = self.env.to_dict()
        seat = before["to_move"]
        mask = self.env.observe(f"player_{seat}")["action_mask"]
        action = int(self.random.choice(np.flatnonzero(mask)))
        self.env.step(action)
        after = self.env.to_dict()
        getattr(self, f"_{before['phase']}")(before, seat, action)
        ended = after["outcome"] is not None or before["trick"] != after["trick"]
        if before["round"] != after["round"]:
            self.notes = Notes(self.notes.first_player)
        elif after["phase"] == "move" or (ended and before["phase"] != "move"):
            self._note_winner(before, after["decree"])
        if before["round"] == after["round"] and ended:
            self.notes.tracker.append(after["tracker"])
        self._note_lead(after)

    def _announce(self, before: dict[str, Any], seat: int, action: int) -> None:
        self.notes.signals[seat] = action - 39

    def _play(self, before: dict[str, Any], seat: int, card: int) -> None:
        self.notes.played[seat][card] = before["trick"]
        self.notes.known[seat].discard(card)
        if seat != before["leader"]:
            led = before["trick_cards"][0][1]
            if suit_of(led) != suit_of(card) and led % 10 + 1 != ROYAL_HEIR:
                self.notes.void[seat].add(suit_of(led))

    def _exchange(self, before: dict[str, Any], seat: int, action: int) -> None:
        if action < 30:
            self.notes.known[seat] -= {action}
            self.notes.known[seat].add(before["decree"])
            self.notes.swapped[seat].append(before["trick"])

    def _gift(self, before: dict[str, Any], seat: int, card: int) -> None:
        self.notes.gift[seat] = card
        if None not in self.notes.gift:
            first, second = self.notes.gift
            self.notes.known[0] = self.notes.known[0] - {first} | {second}
            self.notes.known[1] = self.notes.known[1] - {second} | {first}
            self.notes.gift = [None, None]

    def _move(self, before: dict[str, Any], seat: int, action: int) -> None:
        """Seen on the board."""

    def _note_lead(self, state: dict[str, Any]) -> None:
        leader = state["leader"]
        if state["phase"] != "announce" and state["trick"] not in self.notes.led[leader]:
            self.notes.led[leader].append(state["trick"])

    def _note_winner(self, before: dict[str, Any], decree: int) -> None:
        """Both cards lie there, and what they do at once is done."""
        trick, leader = before["trick"], before["leader"]
        table = {
            card: player for player in (0, 1) for card, at in self.notes.played[player].items() if at == trick
        }
        led, reply = sorted(table, key=lambda card: table[card] != leader)
        trump = suit_of(decree)
        follower_wins = reply > led if suit_of(led) == suit_of(reply) else suit_of(reply) == trump
        self.notes.won[1 - leader if follower_wins else leader].append(trick)
        self.notes.trump[trump].append(trick)

    def expected(self, seat: int) -> dict[str, Any]:
        """What the seat ought to observe now: from the notes, its own hand and the table as it lies."""
        state, notes, partner = self.env.to_dict(), self.notes, 1 - seat
        ruleset = self.env.ruleset
        board = Board.of(ruleset.board)
        last = len(board.gems) - 1
        table = [card for _, card in state["trick_cards"]]
        own_hand = state["hands"][seat]
        placed = {*own_hand, *notes.known[partner], *notes.played[0], *notes.played[1], state["decree"]}
        gems = state["gems"][: last + 1]

        def mine(space: int) -> int:
            return space if seat == 0 else last - space

        def both(values: list[Any]) -> dict[str, Any]:
            return {"mine": values[seat], "partner": values[partner]}

        return {
            "led": named(table[:1])[0] if table else None,
            "reply": named(table[1:])[0] if len(table) == 2 else None,
            "chosen_gift": None if notes.gift[seat] is None else named([notes.gift[seat]])[0],
            "phase": state["phase"],
            "my_move": state["to_move"] == seat,
            "i_lead": state["leader"] == seat,
            "i_am_first": notes.first_player == seat,
            "round_number": state["round"],
            "trick": state["trick"],
            "hand_sizes": both([len(held) for held in state["hands"]]),
            "tracker": mine(state["tracker"]),
            "path": sorted(mine(space) for space in range(state["path"][0], state["path"][1] + 1)),
            "start": mine(board.start),
            "gems": (gems if seat == 0 else gems[::-1]) + [0] * (10 - last),
            "plus_marks": sorted(mine(space) for space in board.plus_marks),
            "forest_tiles": state["forest_tiles"],
            "gems_left": sum(state["gems"]),
            "collected": state["collected"],
            "signals": both(notes.signals),
            "decree": None if state["decree"] is None else named([state["decree"]])[0],
            "hand": named(own_hand),
            "known_to_me": named(sorted(notes.known[partner])),
            "unseen": named(card for card in ruleset.deck if card not in placed),
            "played_by_me": named(sorted(notes.played[seat])),
            "played_by_partner": named(sorted(notes.played[partner])),
            "played_trick": {named([card])[0]: at for player in notes.played for card, at in player.items()},
            "known_of_me": named(sorted(notes.known[seat])),
            "void": both([[SUITS[suit] for suit in sorted(suits)] for suits in notes.void]),
            "tricks_led": notes.led[seat],
            "tricks_won": notes.won[seat],
            "tricks_won_by_partner": notes.won[partner],
            "tricks_swapped": notes.swapped[seat],
            "tricks_swapped_by_partner": notes.swapped[partner],
            **{f"tricks_{suit}": notes.trump[number] for number, suit in enumerate(SUITS)},
            "trick_tracker": [mine(space) for space in notes.tracker] + [None] * (11 - len(notes.tracker)),
        }
