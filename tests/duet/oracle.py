"""A second implementation of Duet, as plain as possible, to test the compiled rules against.

It is written from the rule text alone and shares with the package only the options (``Ruleset``,
``Board``). Speed doesn't matter here. Numbers in parentheses are rulings.
"""

from typing import Any

from reynard.envs.duet.board import Board
from reynard.envs.duet.ruleset import Ruleset

#: D2: the steps of a card, by rank.
FOOTPRINTS = {1: 0, 2: 3, 3: 2, 4: 1, 5: 1, 6: 2, 7: 0, 8: 2, 9: 0, 10: 3}

#: D3: the character on a card, by rank.
CHARACTERS = {1: "musician", 3: "foxes", 5: "gazelle", 7: "gift", 9: "royal_heir"}

# Actions: 0 … 29 a card, then these.
DECLINE = 30
MOVE = 31  # + 4 * direction + ignored
OWN_END, PARTNERS_END = 0, 1
NONE_IGNORED, LEADERS_IGNORED, FOLLOWERS_IGNORED, BOTH_IGNORED = 0, 1, 2, 3
ANNOUNCE = 39  # + symbol


def suit_of(card: int) -> int:
    """0 dove, 1 rose, 2 star (D1)."""
    return card // 10


def rank_of(card: int) -> int:
    """1 … 10 (D1)."""
    return card % 10 + 1


class Oracle:
    """One game of Duet.

    Args:
        ruleset: The options.
        decks: The shuffled deck of each round: seat 0's hand, then seat 1's, then the decree, then the
            cards that nobody sees.
        first_player: The first player of the game.
    """

    def __init__(self, ruleset: Ruleset, decks: list[list[int]], first_player: int) -> None:
        self.ruleset = ruleset
        self.board = Board.of(ruleset.board)
        self.decks = decks
        self.first_player = first_player
        # the forest (D4)
        self.gems = list(self.board.gems)
        self.path = [0, len(self.board.gems) - 1]  # the first and the last uncovered space
        self.tracker = self.board.start
        self.forest_tiles = self.board.forest_tiles
        self.collected = 0
        # the cards
        self.hands: list[set[int]] = [set(), set()]
        self.played: set[int] = set()  # in this round
        self.decree: int | None = None
        self.table: list[tuple[int, int]] = []  # (seat, card) of the current trick, the leader's first
        self.last_trick: list[tuple[int, int]] = []  # likewise the trick before, in this round
        self.gifts: dict[int, int] = {}  # the card that a seat has chosen to give
        self.known: list[set[int]] = [set(), set()]  # those in a seat's hand that the partner knows
        self.signals: dict[int, int] = {}  # the symbol that a seat has announced for this round
        # whose turn it is to do what
        self.phase = ""
        self.to_move: int | None = None
        self.leader = first_player
        self.round = 0
        self.trick = 0
        self.outcome: str | None = None
        self._begin_round()

    # ------------------------------------------------------------------ what a test may ask

    def legal(self) -> list[int]:
        """The actions of the player to move, sorted; none when the game is over."""
        if self.to_move is None:
            return []
        hand = sorted(self.hands[self.to_move])
        if self.phase == "announce":
            return [ANNOUNCE + symbol for symbol in range(self.ruleset.agreement)]
        if self.phase == "play":
            return self._playable(hand)
        if self.phase == "exchange":
            return [*hand, DECLINE]
        if self.phase == "gift":
            return hand
        return [
            MOVE + 4 * direction + ignored
            for direction in self._directions()
            for ignored in self._ignorable()
        ]

    def play(self, action: int) -> float:
        """The player to move does this; returns what it brings to both (D23)."""
        if action not in self.legal():
            raise ValueError(f"{action} is none of {self.legal()}")
        collected_before = self.collected
        if self.phase == "announce":
            self._announce(action - ANNOUNCE)
        elif self.phase == "play":
            self._play_card(action)
        elif self.phase == "exchange":
            self._exchange(action)
        elif self.phase == "gift":
            self._give(action)
        else:
            self._move(direction=(action - MOVE) // 4, ignored=(action - MOVE) % 4)
        reward = 0.0
        if self.ruleset.reward == "progress":
            reward += (self.collected - collected_before) / self.ruleset.all_gems
        if self.outcome == "win":
            reward += 1.0
        return reward

    def to_dict(self) -> dict[str, Any]:
        """The full state, in the form of ``reynard.envs.duet.state.to_dict``."""
        return {
            "round": self.round,
            "trick": self.trick,
            "phase": self.phase,
            "leader": self.leader,
            "to_move": self.to_move,
            "hands": [sorted(hand) for hand in self.hands],
            "trick_cards": [[seat, card] for seat, card in self.table],
            "played": sorted(self.played),
            "decree": self.decree,
            "tracker": self.tracker,
            "path": list(self.path),
            "gems": self.gems + [0] * (11 - len(self.gems)),
            "forest_tiles": self.forest_tiles,
            "collected": self.collected,
            "outcome": self.outcome,
            "known": [sorted(known) for known in self.known],
            "gift": [self.gifts.get(seat) for seat in (0, 1)],
            "signals": [self.signals.get(seat) for seat in (0, 1)],
            "last_trick": [[seat, card] for seat, card in self.last_trick],
        }

    def clone(self) -> "Oracle":
        """The same game, to be played on independently."""
        other = object.__new__(Oracle)
        other.__dict__.update(self.__dict__)
        other.gems = list(self.gems)
        other.path = list(self.path)
        other.hands = [set(hand) for hand in self.hands]
        other.played = set(self.played)
        other.table = list(self.table)
        other.last_trick = list(self.last_trick)
        other.gifts = dict(self.gifts)
        other.known = [set(known) for known in self.known]
        other.signals = dict(self.signals)
        return other

    # ------------------------------------------------------------------ rounds

    def _begin_round(self) -> None:
        """The leader of the round (D5, D14), then the announcements (D22), then the deal."""
        self.leader = self._leader_of(self.round)
        self.trick = 0
        self.table = []
        self.last_trick = []
        self.played = set()
        self.hands = [set(), set()]
        self.known = [set(), set()]
        self.signals = {}
        self.decree = None
        if self.ruleset.agreement > 0:
            self.phase = "announce"
            self.to_move = self.leader
        else:
            self._deal()

    def _leader_of(self, number: int) -> int:
        """Who leads the round of this number (D14): always the first player, or the lead alternates."""
        if self.ruleset.lead == "alternate":
            return (self.first_player + number) % 2
        return self.first_player

    def _announce(self, symbol: int) -> None:
        """D22: first the leader of the round, then the other. A symbol has no effect on the rules."""
        self.signals[self._mover()] = symbol
        if self.to_move == self.leader:
            self.to_move = 1 - self.leader
        else:
            self._deal()

    def _deal(self) -> None:
        """D5."""
        deck = self.decks[self.round]
        size = self.ruleset.hand_size
        self.hands = [set(deck[:size]), set(deck[size : 2 * size])]
        self.decree = deck[2 * size]
        self.phase = "play"
        self.to_move = self.leader

    def _end_round(self) -> None:
        """D14, D15b: all tricks of the round are played and there are gems left."""
        if self.round == self.ruleset.rounds - 1:
            self._end_game("lost_time")
            return
        for space in self.board.plus_marks:
            self._add_gems(space, 1)
        to_first = self.tracker - self.path[0]
        to_last = self.path[1] - self.tracker
        if to_first > to_last:
            end = 0
        elif to_last > to_first:
            end = 1
        else:
            end = 1 - self._leader_of(self.round + 1)
        self._place_forest_tile(end)
        if self.outcome is None:
            self.round += 1
            self._begin_round()

    def _end_game(self, outcome: str) -> None:
        self.outcome = outcome
        self.phase = "over"
        self.to_move = None

    # ------------------------------------------------------------------ cards

    def _is(self, card: int, character: str) -> bool:
        """Whether the card is this character and the character is switched on (D3)."""
        return CHARACTERS.get(rank_of(card)) == character and character in self.ruleset.characters

    def _count(self, character: str) -> int:
        """How many of this character were played to the trick."""
        return sum(self._is(card, character) for _, card in self.table)

    def _playable(self, hand: list[int]) -> list[int]:
        """D7, D20."""
        if not self.table:
            return hand
        _, led = self.table[0]
        if self._is(led, "royal_heir"):
            return hand
        following = [card for card in hand if suit_of(card) == suit_of(led)]
        return following or hand

    def _play_card(self, card: int) -> None:
        player = self._mover()
        self._take_from(player, card)
        self.played.add(card)
        self.table.append((player, card))
        if self._is(card, "foxes") and self.hands[player]:
            self.phase = "exchange"
        elif self._is(card, "gift") and self.hands[0] and self.hands[1]:
            self.phase = "gift"
        else:
            self._continue_trick()

    def _take_from(self, seat: int, card: int) -> None:
        """A card leaves a hand; that the partner knew of it means nothing any more."""
        self.hands[seat].remove(card)
        self.known[seat].discard(card)

    def _exchange(self, action: int) -> None:
        """D18: the card taken is publicly known to be in that hand."""
        if action != DECLINE:
            player = self._mover()
            assert self.decree is not None
            self._take_from(player, action)
            self.hands[player].add(self.decree)
            self.known[player].add(self.decree)
            self.decree = action
        self._continue_trick()

    def _give(self, card: int) -> None:
        """D19: whoever played the Gift chooses first, then the partner; then both cards change hands.

        Whoever gave a card knows that the other one holds it.
        """
        player = self._mover()
        self.gifts[player] = card
        if len(self.gifts) == 1:
            self.to_move = 1 - player
            return
        for seat, gift in self.gifts.items():
            self._take_from(seat, gift)
            self.hands[1 - seat].add(gift)
            self.known[1 - seat].add(gift)
        self.gifts = {}
        self._continue_trick()

    def _continue_trick(self) -> None:
        """A card is played and whatever its character does at once is done."""
        if len(self.table) == 1:
            self.phase = "play"
            self.to_move = 1 - self.leader
        elif self._count("musician") or self._count("gazelle"):
            self.phase = "move"
            self.to_move = self._winner()
        else:
            self._move(OWN_END, NONE_IGNORED)

    def _winner(self) -> int:
        """The seat that wins the trick (D8), with the decree as it is now (D18)."""
        (leader, led), (follower, reply) = self.table
        assert self.decree is not None
        if suit_of(led) == suit_of(reply):
            return leader if rank_of(led) > rank_of(reply) else follower
        return follower if suit_of(reply) == suit_of(self.decree) else leader

    def _mover(self) -> int:
        assert self.to_move is not None
        return self.to_move

    # ------------------------------------------------------------------ the tracker

    def _directions(self) -> list[int]:
        """D10, D16: the directions that the winner of the trick may choose."""
        return [OWN_END, PARTNERS_END] if self._count("musician") else [OWN_END]

    def _ignorable(self) -> list[int]:
        """D17: what the winner of the trick may ignore."""
        gazelles = self._count("gazelle")
        if gazelles == 0:
            return [NONE_IGNORED]
        if self.ruleset.steps == "winner":  # the other card doesn't count anyway
            return [NONE_IGNORED, LEADERS_IGNORED if self._winner() == self.leader else FOLLOWERS_IGNORED]
        if gazelles == 1:
            return [NONE_IGNORED, LEADERS_IGNORED, FOLLOWERS_IGNORED]
        return [NONE_IGNORED, LEADERS_IGNORED, FOLLOWERS_IGNORED, BOTH_IGNORED]

    def _steps(self, ignored: int) -> int:
        """D9, D17."""
        steps = 0
        for seat, card in self.table:
            counts = self.ruleset.steps == "sum" or seat == self._winner()
            if seat == self.leader:
                is_ignored = ignored in (LEADERS_IGNORED, BOTH_IGNORED)
            else:
                is_ignored = ignored in (FOLLOWERS_IGNORED, BOTH_IGNORED)
            if counts and not is_ignored:
                steps += FOOTPRINTS[rank_of(card)]
        return steps

    def _move(self, direction: int, ignored: int) -> None:
        """The tracker moves (D9-D13), and the trick is over."""
        winner = self._winner()
        end = winner if direction == OWN_END else 1 - winner
        steps = self._steps(ignored)
        target = self.tracker - steps if end == 0 else self.tracker + steps
        if target < self.path[0] or target > self.path[1]:
            self.tracker = self.board.start
            self._place_forest_tile(end)
        else:
            self.tracker = target
            self._collect()
        if self.outcome is None:
            self._end_trick(winner)

    def _collect(self) -> None:
        """D12, D13."""
        if self.gems[self.tracker] > 0:
            self.gems[self.tracker] -= 1
            self.collected += 1
        if sum(self.gems) == 0:
            self._end_game("win")

    def _end_trick(self, winner: int) -> None:
        """D6, D8: the winner leads the next trick, if there is one in this round."""
        if self.trick == self.ruleset.hand_size - 1:
            self._end_round()
            return
        self.trick += 1
        self.last_trick = self.table
        self.table = []
        self.leader = winner
        self.phase = "play"
        self.to_move = winner

    # ------------------------------------------------------------------ the forest

    def _place_forest_tile(self, end: int) -> None:
        """A tile covers the last uncovered space at the end of this seat (D11, D14, D15)."""
        if self.forest_tiles == 0:
            self._end_game("lost_path")
            return
        self.forest_tiles -= 1
        covered = self.path[end]
        self.path[end] += 1 if end == 0 else -1
        homeless = self.gems[covered]
        self.gems[covered] = 0
        self._add_gems(covered, homeless)
        if self.forest_tiles == 0 and self.ruleset.forest_loss == "empty":
            self._end_game("lost_path")

    def _add_gems(self, space: int, count: int) -> None:
        """Puts gems beside a space; if it is covered, beside the nearest one inwards that can take them."""
        inwards = 1 if space < self.path[0] else -1
        while self._is_covered(space) or space == self.board.start:
            space += inwards
        self.gems[space] += count

    def _is_covered(self, space: int) -> bool:
        return space < self.path[0] or space > self.path[1]
