"""What holds in every game of Duet, under any ruleset: random rulesets and random play, by Hypothesis."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULESETS, Played, boards, rulesets, scaled, seeds

from reynard.envs import jit
from reynard.envs.duet.actions import DECLINE, MOVE_FIRST, action_names
from reynard.envs.duet.board import MAX_SPACES, Board
from reynard.envs.duet.cards import CARD_NAMES, CHARACTERS, NUM_CARDS, NUM_RANKS, SUITS
from reynard.envs.duet.observation import LAYOUT, describe
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import (
    ANNOUNCE,
    EXCHANGE,
    GIFT_PHASE,
    LOST_PATH,
    LOST_TIME,
    MOVE,
    NONE,
    OUTCOMES,
    OVER,
    PHASES,
    PLAY,
    WIN,
    to_dict,
)
from reynard.envs.sets import items

#: The same examples in every run.
often = settings(max_examples=scaled(120), derandomize=True, database=None, deadline=None)


# ---------------------------------------------------------------------- what must hold in every state


def cards_of(state: np.void) -> dict[str, list[int]]:
    """Where the cards are, before the undealt rest."""
    places = {f"hand {seat}": items(state["hand"][seat]) for seat in range(2)}
    places |= {f"played {seat}": items(state["played"][seat]) for seat in range(2)}
    return {**places, "decree": [] if state["decree"] == NONE else [int(state["decree"])]}


def check_cards(state: np.void, ruleset: Ruleset) -> None:
    """D1, D5: every card in play is in exactly one place; those face down are the ones that were dealt so."""
    deck = state["decks"][state["round_number"]].tolist()
    size = len(ruleset.deck)
    assert sorted(deck[:size]) == list(ruleset.deck) and set(deck[size:]) <= {NONE}
    placed = [card for cards in cards_of(state).values() for card in cards]
    if state["decree"] == NONE:
        assert not placed and state["phase"] == ANNOUNCE
        return
    face_down = deck[2 * ruleset.hand_size + 1 : size]
    assert sorted(placed + face_down) == list(ruleset.deck)


def check_tricks(state: np.void, ruleset: Ruleset) -> None:
    """D6-D8, D18, D19: hands, the cards of the trick, and what is remembered of tricks fit each other."""
    if state["decree"] == NONE:
        return
    leader, trick = int(state["leader"]), int(state["trick"])
    on_table = {leader: int(state["led"]), 1 - leader: int(state["reply"])}
    over = state["phase"] == OVER
    for seat, card in on_table.items():
        played = items(state["played"][seat])
        assert len(items(state["hand"][seat])) == ruleset.hand_size - trick - (card != NONE)
        assert len(played) == trick + (card != NONE)
        assert card == NONE or card in played
        assert int(state["known"][seat]) & ~int(state["hand"][seat]) == 0
        numbers = sorted(int(state["played_trick"][card]) for card in played)
        assert numbers == list(range(1, len(played) + 1))
        gift = int(state["gift"][seat])
        assert gift == NONE or (gift in items(state["hand"][seat]) and state["phase"] == GIFT_PHASE)
        assert (0 if ruleset.agreement else NONE) <= state["signal"][seat] < ruleset.agreement
    assert np.count_nonzero(state["played_trick"]) == sum(len(items(cards)) for cards in state["played"])
    assert on_table[leader] != NONE or on_table[1 - leader] == NONE
    led, won, trump = (state[f"tricks_{what}"].tolist() for what in ("led", "won", "trump"))
    assert all(not one & other for sets in (led, won, trump) for one, other in combinations(sets, 2))
    decided = trick + (state["phase"] == MOVE or (over and on_table[1 - leader] != NONE))
    assert led[0] | led[1] == (1 << (trick + 1)) - 1 and led[leader] >> trick & 1
    assert won[0] | won[1] == trump[0] | trump[1] | trump[2] == (1 << decided) - 1
    for before in range(trick):  # the winner leads the next trick
        assert won[0] >> before & 1 == led[0] >> (before + 1) & 1
    for moved in state["trick_tracker"].tolist():
        assert all(space > 0 for space in moved[: trick + over]) and not any(moved[trick + over :])


def check_gems(state: np.void, ruleset: Ruleset) -> None:
    """D12-D14: no gem appears or vanishes but by the rules."""
    board = Board.of(ruleset.board)
    gems = state["gems"].tolist()
    assert min(gems) >= 0 and sum(gems) == state["gems_left"] >= 0
    put_out = [sum(board.gems) + len(board.plus_marks) * int(state["round_number"])]
    if (
        state["outcome"] == LOST_PATH
        and not state["hand"].any()
        and state["round_number"] + 1 < ruleset.rounds
    ):
        put_out.append(put_out[0] + len(board.plus_marks))  # lost between the rounds
    supply = ruleset.all_gems - put_out[0]
    assert state["gems_left"] + state["collected"] in put_out and supply >= 0
    assert (state["gems_left"] == 0) == (state["outcome"] == WIN)
    assert gems[board.start] == 0
    first, last = state["path"]
    assert not any(gems[:first]) and not any(gems[last + 1 :])


def check_forest(state: np.void, ruleset: Ruleset) -> None:
    """D4, D11: a path is left, with the start space and the tracker on it; tiles lie at its ends."""
    board = Board.of(ruleset.board)
    last = len(board.gems) - 1
    first_open, last_open = (int(space) for space in state["path"])
    assert 0 <= first_open <= board.start <= last_open <= last
    assert first_open <= state["tracker"] <= last_open
    assert first_open + (last - last_open) + state["forest_tiles"] == board.forest_tiles
    assert state["forest_tiles"] >= 0
    if ruleset.forest_loss == "empty" and board.forest_tiles > 0 and state["phase"] != OVER:
        assert state["forest_tiles"] > 0


def check_course(state: np.void, ruleset: Ruleset) -> None:
    """D6, D13, D15: the numbers that say where in the game we are."""
    assert 0 <= state["round_number"] < ruleset.rounds
    assert 0 <= state["trick"] < ruleset.hand_size
    over = state["phase"] == OVER
    assert over == (state["to_move"] == NONE) == (state["outcome"] != 0)
    assert over or state["to_move"] in (0, 1)
    assert state["first_player"] in ((0, 1) if ruleset.first_player is None else (ruleset.first_player,))
    if state["phase"] == ANNOUNCE:
        assert ruleset.agreement > 0 == state["trick"]
    if state["outcome"] == LOST_TIME:
        assert state["round_number"] + 1 == ruleset.rounds and not state["hand"].any()
    if state["phase"] in (PLAY, EXCHANGE, GIFT_PHASE):
        assert state["hand"][state["to_move"]] != 0
    if state["phase"] == MOVE:
        assert state["led"] != NONE != state["reply"]
    assert 0 <= state["moves"] <= longest(ruleset)


def longest(ruleset: Ruleset) -> int:
    """No episode has more actions: two cards a trick, and whatever else the characters bring.

    A Foxes adds one choice, a Gift two, a Musician or a Gazelle one to its trick.
    """
    active = {CHARACTERS[name] for name in ruleset.characters}
    ranks = Counter(card % NUM_RANKS + 1 for card in ruleset.deck if card % NUM_RANKS + 1 in active)
    per_round = 2 * ruleset.hand_size + ranks[3] + 2 * ranks[7] + min(ranks[1] + ranks[5], ruleset.hand_size)
    return ruleset.rounds * (per_round + (2 if ruleset.agreement else 0))


CHECKS = (check_cards, check_tricks, check_gems, check_forest, check_course)


def check_state(state: np.void, ruleset: Ruleset) -> None:
    """All of the above."""
    for check in CHECKS:
        check(state, ruleset)


def random_game(ruleset: Ruleset, seed: int) -> tuple[Played, np.random.Generator]:
    return Played(ruleset, seed), np.random.default_rng(seed)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_D1_to_D15_what_must_hold_in_every_state(check: Any) -> None:
    @often
    @given(ruleset=rulesets(), seed=seeds())
    def holds(ruleset: Ruleset, seed: int) -> None:
        game, rng = random_game(ruleset, seed)
        check(game.state, ruleset)
        for _ in game.steps(rng):
            check(game.state, ruleset)

    holds()


@pytest.mark.parametrize("name", RULESETS)
def test_D1_to_D15_hold_under_the_rulesets_that_have_a_name(name: str) -> None:
    for seed in range(scaled(30)):
        game, rng = random_game(RULESETS[name], seed)
        check_state(game.state, RULESETS[name])
        for _ in game.steps(rng):
            check_state(game.state, RULESETS[name])


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D6_D23_episodes_end_and_their_rewards_add_up(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    total = 0.0
    for actions, (before, after) in enumerate(game.steps(rng), 1):
        assert actions <= longest(ruleset)
        assert after["moves"] == actions == before["moves"] + 1
        collected = int(after["collected"]) - int(before["collected"])
        won = after["outcome"] == WIN
        assert collected in (0, 1)
        progress = collected / ruleset.all_gems if ruleset.reward == "progress" else 0
        assert after["reward"] == pytest.approx(progress + won, abs=1e-6)
        total += float(after["reward"])
    state = game.state
    progress = int(state["collected"]) / ruleset.all_gems if ruleset.reward == "progress" else 0
    assert total == pytest.approx(progress + (state["outcome"] == WIN), abs=1e-4)


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D12_D14_gems_and_tiles_only_go_one_way(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    marks = len(Board.of(ruleset.board).plus_marks)
    for before, after in game.steps(rng):
        next_round = int(after["round_number"]) - int(before["round_number"])
        assert next_round in (0, 1)
        laid = int(before["forest_tiles"]) - int(after["forest_tiles"])
        collected = int(after["collected"]) - int(before["collected"])
        between = next_round or (after["outcome"] == LOST_PATH and not after["hand"].any())
        assert laid in ((0, 1) if not between else (0, 1, 2) if after["outcome"] else (1, 2))
        assert before["path"][0] <= after["path"][0] and after["path"][1] <= before["path"][1]
        more = int(after["gems_left"]) - int(before["gems_left"]) + collected
        assert more in ((marks,) if next_round else (0, marks) if between else (0,))
        if laid and not between:
            assert not collected and after["tracker"] == Board.of(ruleset.board).start  # D11


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D21_masks_are_never_empty_and_zero_for_who_is_not_to_move(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    names = action_names(ruleset)

    def check() -> None:
        state, mover = game.state, game.to_move
        assert set(np.unique(game.masks)) <= {0, 1}
        assert not game.masks[:, len(names) :].any()
        for seat in range(2):
            assert game.masks[seat].any() == (seat == mover)
        if mover == NONE:
            return
        legal, hand = set(game.legal().tolist()), set(items(state["hand"][mover]))
        if state["phase"] == PLAY:
            assert legal <= hand
        elif state["phase"] == EXCHANGE:
            assert legal == hand | {DECLINE}
        elif state["phase"] == GIFT_PHASE:
            assert legal == hand
        elif state["phase"] == MOVE:
            assert MOVE_FIRST in legal and all(0 <= action - MOVE_FIRST < 8 for action in legal)
        else:
            assert legal == set(range(len(names) - ruleset.agreement, len(names)))

    check()
    for _ in game.steps(rng):
        check()


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D21_observations_lie_in_their_space(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    space = LAYOUT.space(ruleset.history)
    for observation in game.observations:
        assert space.contains(observation)
    for _ in game.steps(rng):
        for observation in game.observations:
            assert space.contains(observation)


# ---------------------------------------------------------------------- describe() against to_dict()


def from_end(space: int, seat: int, ruleset: Ruleset) -> int:
    return space if seat == 0 else len(Board.of(ruleset.board).gems) - 1 - space


def expected_description(state: np.void, seat: int, ruleset: Ruleset) -> dict[str, Any]:
    """What a seat should see, written down from the full state, without the history."""
    full = to_dict(state)
    board = Board.of(ruleset.board)
    spaces = len(board.gems)
    dealt = full["decree"] is not None
    on_table = dict(full["trick_cards"])
    leader = full["leader"]

    def card(number: int | None) -> str | None:
        return None if number is None else CARD_NAMES[number]

    def end(space: int) -> int:
        return from_end(space, seat, ruleset)

    gems = full["gems"][:spaces][:: 1 - 2 * seat]
    sizes = [len(hand) for hand in full["hands"]]
    signals = [None if symbol == NONE else int(symbol) for symbol in state["signal"]]
    gift = int(state["gift"][seat])
    return {
        "hand": [CARD_NAMES[number] for number in full["hands"][seat]],
        "decree": card(full["decree"]),
        "led": card(on_table.get(leader)),
        "reply": card(on_table.get(1 - leader)),
        "chosen_gift": card(None if gift == NONE else gift),
        "phase": full["phase"],
        "my_move": full["to_move"] == seat,
        "i_lead": leader == seat,
        "i_am_first": state["first_player"] == seat,
        "round_number": full["round"],
        "trick": full["trick"],
        "hand_sizes": {"mine": sizes[seat], "partner": sizes[1 - seat]}
        if dealt
        else {"mine": 0, "partner": 0},
        "tracker": end(full["tracker"]),
        "path": sorted(end(space) for space in range(full["path"][0], full["path"][1] + 1)),
        "start": end(board.start),
        "gems": gems + [0] * (MAX_SPACES - spaces),
        "plus_marks": sorted(end(space) for space in board.plus_marks),
        "forest_tiles": full["forest_tiles"],
        "gems_left": sum(full["gems"]),
        "collected": full["collected"],
        "signals": {"mine": signals[seat], "partner": signals[1 - seat]},
    }


class Memory:
    """What a seat should remember of a round, noted down action by action and not taken from the state."""

    def __init__(self) -> None:
        self.round = NONE

    def begin(self, state: np.void) -> None:
        if state["round_number"] == self.round:
            return
        self.round = int(state["round_number"])
        self.played: dict[int, tuple[int, int]] = {}  # card: seat and trick
        self.known: list[set[int]] = [set(), set()]  # by the seat that holds the cards
        self.void: list[set[int]] = [set(), set()]
        self.led: list[set[int]] = [set(), set()]
        self.won: list[set[int]] = [set(), set()]
        self.swapped: list[set[int]] = [set(), set()]
        self.trump: list[set[int]] = [set(), set(), set()]
        self.spaces: dict[int, int] = {}

    def note(self, before: np.void, action: int, after: np.void, ruleset: Ruleset) -> None:
        seat, trick, phase = int(before["to_move"]), int(before["trick"]), before["phase"]
        leader, led = int(before["leader"]), int(before["led"])
        heir = "royal_heir" in ruleset.characters and led % NUM_RANKS == 8
        if phase == PLAY:
            self.played[action] = (seat, trick)
            self.known[seat].discard(action)
            if seat == leader:
                self.led[seat].add(trick)
            elif action // NUM_RANKS != led // NUM_RANKS and not heir:
                self.void[seat].add(led // NUM_RANKS)
        elif phase == EXCHANGE and action != DECLINE:
            self.known[seat] = self.known[seat] - {action} | {int(before["decree"])}
            self.swapped[seat].add(trick)
        elif phase == GIFT_PHASE and before["gift"][1 - seat] != NONE:
            given = [action, int(before["gift"][1 - seat])]  # mine, the partner's
            self.known[seat] = self.known[seat] - {given[0]} | {given[1]}
            self.known[1 - seat] = self.known[1 - seat] - {given[1]} | {given[0]}
        cards = [card for card, (_, number) in self.played.items() if number == trick]
        if phase == MOVE or len(cards) < 2:
            pass
        elif (after["phase"] == MOVE or after["trick"] != trick or after["outcome"]) and after[
            "decree"
        ] != NONE:
            self.decide(before, cards, action, leader)
        if after["round_number"] == self.round and (after["trick"] != trick or after["outcome"]):
            self.spaces[trick] = int(after["tracker"])

    def decide(self, before: np.void, cards: list[int], action: int, leader: int) -> None:
        decree = action if before["phase"] == EXCHANGE and action != DECLINE else int(before["decree"])
        by_seat = {self.played[card][0]: card for card in cards}
        led, reply = by_seat[leader], by_seat[1 - leader]
        same_suit = led // NUM_RANKS == reply // NUM_RANKS
        reply_wins = reply > led if same_suit else reply // NUM_RANKS == decree // NUM_RANKS
        self.won[1 - leader if reply_wins else leader].add(int(before["trick"]))
        self.trump[decree // NUM_RANKS].add(int(before["trick"]))

    def description(self, state: np.void, seat: int, ruleset: Ruleset) -> dict[str, Any]:
        """The history, as ``describe`` names it."""
        partner = 1 - seat

        def named(cards: Any) -> list[str]:
            return [CARD_NAMES[card] for card in sorted(cards)]

        def by(player: int) -> list[str]:
            return named(card for card, (who, _) in self.played.items() if who == player)

        led = self.led[seat] | ({int(state["trick"])} if state["leader"] == seat and dealt(state) else set())
        elsewhere = {*items(state["hand"][seat]), *self.known[partner], *self.played, int(state["decree"])}
        tricks = [from_end(self.spaces[k], seat, ruleset) if k in self.spaces else None for k in range(11)]
        return {
            "known_to_me": named(self.known[partner]),
            "known_of_me": named(self.known[seat]),
            "unseen": named(set(ruleset.deck) - elsewhere),
            "void": {
                "mine": [SUITS[suit] for suit in sorted(self.void[seat])],
                "partner": [SUITS[suit] for suit in sorted(self.void[partner])],
            },
            "played_by_me": by(seat),
            "played_by_partner": by(partner),
            "played_trick": {CARD_NAMES[card]: self.played[card][1] for card in sorted(self.played)},
            "tricks_led": sorted(led),
            "tricks_won": sorted(self.won[seat]),
            "tricks_won_by_partner": sorted(self.won[partner]),
            "tricks_swapped": sorted(self.swapped[seat]),
            "tricks_swapped_by_partner": sorted(self.swapped[partner]),
            **{f"tricks_{suit}": sorted(tricks) for suit, tricks in zip(SUITS, self.trump, strict=True)},
            "trick_tracker": tricks,
        }


def dealt(state: np.void) -> bool:
    return state["decree"] != NONE


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D21_describe_agrees_with_the_full_state_field_by_field(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    memory = Memory()

    def check() -> None:
        memory.begin(game.state)
        for seat in range(2):
            expected = expected_description(game.state, seat, ruleset)
            if ruleset.history:
                expected |= memory.description(game.state, seat, ruleset)
            described = describe(game.observations[seat])
            assert described.keys() == expected.keys()
            for name, value in expected.items():
                assert described[name] == value, (name, described[name], value, game.story())

    check()
    for before, after in game.steps(rng):
        memory.note(before, game.actions[-1], after, ruleset)
        check()


# ---------------------------------------------------------------------- symmetries


def swapped_seats(deck: np.ndarray, size: int) -> np.ndarray:
    """The same deck with the two hands exchanged."""
    other = deck.copy()
    other[..., :size], other[..., size : 2 * size] = deck[..., size : 2 * size], deck[..., :size]
    return other


def mirrored(ruleset: Ruleset) -> Ruleset:
    """The same rules with the board turned round."""
    board = Board.of(ruleset.board)
    last = len(board.gems) - 1
    turned = Board(
        gems=board.gems[::-1],
        plus_marks=tuple(sorted(last - space for space in board.plus_marks)),
        start=last - board.start,
        forest_tiles=board.forest_tiles,
    )
    first = None if ruleset.first_player is None else 1 - ruleset.first_player
    return replace(ruleset, board=turned, first_player=first)


@often
@given(ruleset=rulesets(), seed=seeds())
def test_D4_the_mirrored_game_is_the_same_game_with_seats_swapped(ruleset: Ruleset, seed: int) -> None:
    game, rng = random_game(ruleset, seed)
    decks = swapped_seats(game.state["decks"], ruleset.hand_size)
    other = Played(mirrored(ruleset), seed, decks, 1 - int(game.state["first_player"]))

    def check() -> None:
        assert np.array_equal(game.observations, other.observations[::-1])
        assert np.array_equal(game.masks, other.masks[::-1])
        assert game.state["outcome"] == other.state["outcome"]
        assert game.state["reward"] == other.state["reward"]

    check()
    for _ in game.steps(rng):
        other.play(game.actions[-1])
        check()


def relabelled_observation(observation: np.ndarray, cards: np.ndarray, suits: np.ndarray) -> np.ndarray:
    """An observation in which every card has its new name. ``cards[old] = new``, ``suits[old] = new``."""
    parts = LAYOUT.split(observation)
    changed: dict[str, np.ndarray] = {}
    for segment in LAYOUT.segments:
        if segment.name not in parts:
            continue
        value = parts[segment.name]
        new = value.copy()
        if segment.shape == (32,):
            new[cards] = value[:NUM_CARDS]
        elif segment.name == "void":
            new[:, suits] = value
        changed[segment.name] = new
    if f"tricks_{SUITS[0]}" in parts:
        for old, suit in enumerate(suits):
            changed[f"tricks_{SUITS[suit]}"] = parts[f"tricks_{SUITS[old]}"]
    return np.concatenate([value.reshape(-1) for value in changed.values()])


@often
@given(ruleset=rulesets(), seed=seeds(), data=st.data())
def test_D1_the_names_of_the_suits_make_no_difference(
    ruleset: Ruleset, seed: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(ruleset.suits)))
    suits = np.array([*order, *range(ruleset.suits, 3)])
    cards = np.array([suits[card // NUM_RANKS] * NUM_RANKS + card % NUM_RANKS for card in range(NUM_CARDS)])
    game, rng = random_game(ruleset, seed)
    decks = game.state["decks"].copy()
    decks[decks != NONE] = cards[decks[decks != NONE]]
    other = Played(ruleset, seed, decks, int(game.state["first_player"]))

    def check() -> None:
        for seat in range(2):
            expected = relabelled_observation(game.observations[seat], cards, suits)
            assert np.array_equal(other.observations[seat], expected)
            mask = game.masks[seat].copy()
            mask[cards] = game.masks[seat, :NUM_CARDS]
            assert np.array_equal(other.masks[seat], mask)
        assert game.state["reward"] == other.state["reward"]
        assert game.state["outcome"] == other.state["outcome"]
        for field in ("gems", "path", "tracker", "forest_tiles", "leader", "to_move", "tricks_won"):
            assert np.array_equal(game.state[field], other.state[field])

    check()
    for _ in game.steps(rng):
        action = game.actions[-1]
        other.play(int(cards[action]) if action < NUM_CARDS else action)
        check()


# ---------------------------------------------------------------------- the strategies themselves


def test_the_random_rulesets_meet_everything() -> None:
    """Every phase, outcome and kind of option; else the properties above would say little."""
    met: Counter[tuple[str, Any]] = Counter()

    @settings(often, max_examples=scaled(300))
    @given(ruleset=rulesets(), seed=seeds())
    def collect(ruleset: Ruleset, seed: int) -> None:
        game, rng = random_game(ruleset, seed)
        met["spaces", len(Board.of(ruleset.board).gems)] += 1
        for name in ("steps", "lead", "forest_loss", "reward", "first_player", "history", "suits", "rounds"):
            met[name, getattr(ruleset, name)] += 1
        for _, after in game.steps(rng):
            met["phase", PHASES[after["phase"]]] += 1
            met["outcome", OUTCOMES[after["outcome"]]] += 1
            met["round", int(after["round_number"])] += 1
        met["full", len(ruleset.deck) == NUM_CARDS and ruleset.hand_size == 11] += 1

    collect()
    expected = {
        "spaces": range(3, 12),
        "steps": ("winner", "sum"),
        "lead": ("same", "alternate"),
        "forest_loss": ("needed", "empty"),
        "reward": ("progress", "outcome"),
        "first_player": (None, 0, 1),
        "history": (True, False),
        "suits": (1, 2, 3),
        "rounds": (1, 2, 3),
        "phase": PHASES,
        "outcome": OUTCOMES,
        "round": (0, 1, 2),
        "full": (True, False),
    }
    if jit.ENABLED:
        missing = {(name, value) for name, values in expected.items() for value in values} - set(met)
        assert not missing


@often
@given(board=boards())
def test_D4_random_boards_are_playable(board: Board) -> None:
    assert 3 <= len(board.gems) <= MAX_SPACES and sum(board.gems) > 0
    assert (
        Board.of({name: getattr(board, name) for name in ("gems", "plus_marks", "start", "forest_tiles")})
        == board
    )
    ruleset = replace(RULESETS["standard"], board=board)
    assert mirrored(mirrored(ruleset)) == ruleset
    assert Ruleset.of(**ruleset.to_dict()) == replace(ruleset, board=ruleset.to_dict()["board"])
