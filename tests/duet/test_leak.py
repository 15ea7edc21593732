"""Ruling X3, non-interference: what a seat must not know makes no difference to what it is shown.

From any state, a *world* is made for one seat: another state, consistent with all that the seat has seen
so far. In it the partner may hold other cards, the cards that nobody sees lie otherwise, another gift may
have been chosen, and all that chance has still to bring is different. The seat must be shown the same
bytes. (Everything in a record that is not hidden here is public by D21.)
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from strategies import RULESETS, scaled
from worlds import every_world, pending_gift, pick, world

from reynard.envs import duet_v0, jit
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.actions import DECLINE
from reynard.envs.duet.cards import NUM_CARDS, suit_of
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import ANNOUNCE, GIFT_PHASE, NONE, OVER, PHASES, STATE
from reynard.envs.sets import has, items
from reynard.envs.table import Table

#: What a seat is shown, by name.
Shown = dict[str, bytes]
Show = Callable[[np.void, int], Shown]

#: The fields of a record, without the further names that some bytes have.
FIELDS = [name for name in STATE.names or () if name != "whole" and "words" not in name]
#: Those that name its random stream: nobody may know them.
STREAM = ("key", "game", "episode")


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


# ---------------------------------------------------------------------- the property


class Leak(AssertionError):
    """A seat was shown something else in a world that it cannot tell from the true state."""


def show_on(table: Table) -> Show:
    """What a table shows to a seat."""

    def show(state: np.void, seat: int) -> Shown:
        table.records[0] = state
        table.refresh()
        return {"observation": table.observations[seat].tobytes(), "mask": table.masks[seat].tobytes()}

    return show


def assert_blind(show: Show, state: np.void, other: np.void, seat: int, shown: Shown | None = None) -> None:
    """Ruling X3 for one state and one world.

    Raises:
        Leak: The seat is shown different things.
    """
    before = shown or show(state, seat)
    after = show(other, seat)
    for name, value in before.items():
        if value != after[name]:
            length = min(len(value), len(after[name]))
            at = next((k for k in range(length) if value[k] != after[name][k]), length)
            raise Leak(
                f"seat {seat} is shown another {name} (byte {at}) in phase {PHASES[state['phase']]}\n"
                f"state: {readable(state)}\nworld: {readable(other)}"
            )


def readable(state: np.void) -> dict[str, Any]:
    return {name: state[name].tolist() for name in FIELDS}


def random_action(table: Table, rng: Generator) -> int:
    """A legal action. Foxes are not declined half of the time, so that cards become known."""
    legal = np.flatnonzero(table.masks[table.to_move]).tolist()
    if DECLINE in legal and rng.random() < 0.5:
        legal.remove(DECLINE)
    return pick(rng, legal)


def random_states(table: Table, rng: Generator, games: int) -> Iterator[np.void]:
    """Every state of so many random games, the last one of each included."""
    for game in range(games):
        table.begin(int(rng.integers(2**32)), {"game": game})
        while True:
            state = table.records[0].copy()
            yield state
            if state["phase"] == OVER:
                break
            table.records[0] = state
            table.refresh()
            table.play(random_action(table, rng))


def check_random_games(
    ruleset: Ruleset, show_for: Callable[[Table], Show], games: int, worlds: int = 3
) -> Counter[tuple[str, str]]:
    """The property at every state of random games, for both seats. Returns what was met, and how often."""
    table = Table(DUET, ruleset)
    show = show_for(table)
    rng = np.random.default_rng(1)
    met: Counter[tuple[str, str]] = Counter()
    for state in random_states(table, rng, games):
        for seat in (0, 1):
            role = "mover" if seat == state["to_move"] else "other"
            met[PHASES[state["phase"]], role] += 1
            shown, partners = show(state, seat), show(state, 1 - seat)
            for _ in range(worlds):
                other = world(state, seat, ruleset, rng)
                assert_blind(show, state, other, seat, shown)
                gifts, hands = ((state[field] != other[field]).any() for field in ("gift", "hand"))
                assert (partners != show(other, 1 - seat)) == (gifts or hands)
                met["gift differs", role] += gifts
                met["hand differs", role] += hands
                met["worlds", ""] += 1
    return met


def phases_of(ruleset: Ruleset) -> set[str]:
    """The phases that can be met under a ruleset."""
    deck = {card % 10 + 1 for card in ruleset.deck}
    by_character = {
        "foxes": (3, "exchange"),
        "gift": (7, "gift"),
        "musician": (1, "move"),
        "gazelle": (5, "move"),
    }
    phases = {
        phase for name, (rank, phase) in by_character.items() if name in ruleset.characters and rank in deck
    }
    return phases | {"play", "over"} | ({"announce"} if ruleset.agreement else set())


@pytest.mark.parametrize("name", RULESETS)
def test_X3_what_a_seat_must_not_know_makes_no_difference_to_what_it_is_shown(name: str) -> None:
    ruleset = RULESETS[name]
    full = len(ruleset.deck) == NUM_CARDS and ruleset.hand_size == 11
    met = check_random_games(ruleset, show_on, games=scaled(12 if full else 60))
    for phase in phases_of(ruleset):
        roles = {"other"} if phase == "over" else {"mover", "other"}
        assert {role for role in ("mover", "other") if met[phase, role]} == roles, phase
    if "gift" in phases_of(ruleset):
        assert met["gift differs", "mover"] > 0 == met["gift differs", "other"]
    # the worlds are worth something: in many of them the partner sees other cards
    assert met["hand differs", "mover"] + met["hand differs", "other"] > met["worlds", ""] / 4


@pytest.mark.parametrize("name", ["tiny", "tiny_agreement", "one_suit"])
def test_X3_holds_in_every_world_of_tiny_games(name: str) -> None:
    ruleset = RULESETS[name]
    table = Table(DUET, ruleset)
    show = show_on(table)
    worlds = 0
    for state in random_states(table, np.random.default_rng(2), scaled(60)):
        for seat in (0, 1):
            shown = show(state, seat)
            for other in every_world(state, seat, ruleset):
                assert_blind(show, state, other, seat, shown)
                worlds += 1
    assert worlds > scaled(60) * 20


# ---------------------------------------------------------------------- the worlds themselves


@pytest.mark.parametrize("name", RULESETS)
def test_X3_worlds_are_reachable_and_were_never_to_be_told_apart(name: str) -> None:
    """Dealt from its own decks, a world is reached by the same actions, and looked the same all along."""
    ruleset = RULESETS[name]
    rng = np.random.default_rng(3)
    table, again = Table(DUET, ruleset), Table(DUET, ruleset)
    for game in range(scaled(50)):
        table.begin(int(rng.integers(2**32)))
        history, actions = [(table.observations.copy(), table.masks.copy())], []
        stop = rng.integers(1, 31)
        while table.to_move != NONE and (len(actions) < stop or game % 3 == 0):
            actions.append(random_action(table, rng))
            table.play(actions[-1])
            history.append((table.observations.copy(), table.masks.copy()))
        state = table.records[0].copy()
        for seat in (0, 1):
            other = world(state, seat, ruleset, rng)
            begin_from(again, other, ruleset)
            played = [*actions]
            if pending_gift(state, seat):
                played[-1] = int(other["gift"][1 - seat])
            for (observations, masks), action in zip(history, [*played, None], strict=True):
                assert np.array_equal(again.observations[seat], observations[seat])
                assert np.array_equal(again.masks[seat], masks[seat])
                if action is not None:
                    again.play(action)
            for field in STREAM:
                again.records[field] = other[field]
            assert again.records[0].tobytes() == other.tobytes(), (
                readable(again.records[0]),
                readable(other),
            )


def begin_from(table: Table, state: np.void, ruleset: Ruleset) -> None:
    """Begin the game whose chance is that of a state."""
    decks = [deck[: len(ruleset.deck)].tolist() for deck in state["decks"][: ruleset.rounds]]
    table.begin(0, {"decks": decks, "first_player": int(state["first_player"])})


def test_X3_every_world_is_drawn_now_and_then() -> None:
    ruleset = RULESETS["tiny"]
    table = Table(DUET, ruleset)
    rng = np.random.default_rng(4)
    states = [state for state in random_states(table, rng, 10) if state["phase"] == GIFT_PHASE][:6]
    assert states

    def essence(state: np.void) -> tuple[list[int], list[int]]:
        return state["hand"].tolist(), state["gift"].tolist()

    for state in states:
        for seat in (0, 1):
            all_of_them = {repr(essence(other)) for other in every_world(state, seat, ruleset)}
            drawn = {repr(essence(world(state, seat, ruleset, rng))) for _ in range(1000)}
            assert drawn == all_of_them


def test_X3_worlds_keep_what_the_seat_knows_and_change_all_that_it_does_not() -> None:
    ruleset = RULESETS["agreement"]
    table = Table(DUET, ruleset)
    rng = np.random.default_rng(5)
    changed: Counter[str] = Counter()
    for state in random_states(table, rng, scaled(30)):
        for seat in (0, 1):
            other = world(state, seat, ruleset, rng)
            partner = 1 - seat
            assert int(state["known"][partner]) & ~int(other["hand"][partner]) == 0
            assert not any(has(state["void"][partner], suit_of(card)) for card in unknown(other, partner))
            for field in FIELDS:
                changed[field] += state[field].tobytes() != other[field].tobytes()
    assert {field for field, count in changed.items() if count} == {"decks", "hand", "gift", *STREAM}


def unknown(state: np.void, seat: int) -> list[int]:
    return items(int(state["hand"][seat]) & ~int(state["known"][seat]))


# ---------------------------------------------------------------------- the test can fail


def hand_bit(state: np.void, seat: int) -> int:
    return has(state["hand"][1 - seat], 4)


def chosen_gift(state: np.void, seat: int) -> int:
    return state["gift"][1 - seat] + 1


def face_down_card(state: np.void, seat: int) -> int:
    return 0 if state["decree"] == NONE else state["decks"][state["round_number"]][-1] + 1


def next_decree(state: np.void, seat: int) -> int:
    return state["decks"][min(state["round_number"] + 1, 2)][22] + 1


def deck_before_the_deal(state: np.void, seat: int) -> int:
    return state["decks"][state["round_number"]][0] + 1 if state["phase"] == ANNOUNCE else 0


def order_of_the_own_hand(state: np.void, seat: int) -> int:
    return state["decks"][state["round_number"]][11 * seat] + 1


def partner_could_follow(state: np.void, seat: int) -> int:
    suit = 10 * suit_of(int(state["led"])) if state["led"] != NONE else 0
    return int(state["hand"][1 - seat]) >> suit & 1023 > 0


def random_stream(state: np.void, seat: int) -> int:
    return int(state["key"][0]) & 1


HIDDEN = (
    hand_bit,
    chosen_gift,
    face_down_card,
    next_decree,
    deck_before_the_deal,
    order_of_the_own_hand,
    partner_could_follow,
    random_stream,
)


@pytest.mark.parametrize("where", ["observation", "mask"])
@pytest.mark.parametrize("secret", HIDDEN)
def test_X3_a_single_hidden_value_is_found_out(secret: Callable[[np.void, int], int], where: str) -> None:
    def leaky(table: Table) -> Show:
        honest = show_on(table)

        def show(state: np.void, seat: int) -> Shown:
            shown = honest(state, seat)
            shown[where] = bytes([shown[where][0] ^ int(secret(state, seat)), *shown[where][1:]])
            return shown

        return show

    with pytest.raises(Leak, match=f"another {where}"):
        check_random_games(RULESETS["agreement"], leaky, games=10)


def test_X3_public_facts_are_no_leak() -> None:
    """The same frame around the observation, but with what everyone knows: nothing is reported."""

    def harmless(table: Table) -> Show:
        honest = show_on(table)

        def show(state: np.void, seat: int) -> Shown:
            public = (
                "decree",
                "known",
                "played",
                "void",
                "signal",
                "gems",
                "trick_tracker",
                "moves",
                "reward",
            )
            return {
                **honest(state, seat),
                **{name: state[name].tobytes() for name in public},
                "own": state["hand"][seat].tobytes() + state["gift"][seat].tobytes(),
            }

        return show

    check_random_games(RULESETS["agreement"], harmless, games=scaled(10))


# ---------------------------------------------------------------------- the environments


def everything(env: Any, agent: str) -> dict[str, Any]:
    """What PettingZoo's environments tell one agent, in bytes where it is an array."""
    observed = env.observe(agent)
    return {
        "observation": observed["observation"].tobytes(),
        "mask": observed["action_mask"].tobytes(),
        "description": repr(env.describe(agent)).encode(),
        "picture": env.render().encode(),
        "info": repr(env.infos[agent]).encode(),
        "reward": repr(env.rewards[agent]).encode(),
        "over": repr((env.terminations[agent], env.truncations[agent])).encode(),
    }


@pytest.mark.parametrize("name", ["standard", "agreement", "tiny"])
def test_X3_the_aec_environment_tells_an_agent_nothing_else(name: str) -> None:
    ruleset = RULESETS[name]
    rng = np.random.default_rng(6)
    for perspective in (0, 1):
        env = duet_v0.raw_env(ruleset, render_mode="ansi", perspective=perspective)
        phases = set()

        def show(state: np.void, seat: int, env: Any = env) -> Shown:
            env.table.records[0] = state
            env.table.refresh()
            return everything(env, env.possible_agents[seat])

        for game in range(scaled(4)):
            env.reset(seed=game)
            while True:
                state = env.table.records[0].copy()
                phases.add(PHASES[state["phase"]])
                for _ in range(2):
                    assert_blind(show, state, world(state, perspective, ruleset, rng), perspective)
                env.table.records[0] = state
                env.table.refresh()
                if state["phase"] == OVER:
                    break
                env.step(random_action(env.table, rng))
        assert phases == phases_of(ruleset)


def test_X3_every_row_of_a_batch_is_blind() -> None:
    """The rows of a batch are the movers' views; so is what a step brings, the last observation included."""
    ruleset = RULESETS["agreement"]
    true, false = (Batch(DUET, ruleset, scaled(200), threads=1) for _ in range(2))
    true.reset(seed=7)
    rng = np.random.default_rng(7)
    ended = 0
    for _ in range(70):
        for index, seat in enumerate(true.to_move.tolist()):
            false.records[index] = world(true.records[index], seat, ruleset, rng)
        assert not np.array_equal(false.records["decks"], true.records["decks"])
        false.refresh()
        assert np.array_equal(false.observations, true.observations)
        assert np.array_equal(false.masks, true.masks)
        assert np.array_equal(false.to_move, true.to_move)
        gift = true.records["phase"] == GIFT_PHASE  # the mover may get another card
        actions = (true.masks * rng.random(true.masks.shape)).argmax(1)
        for batch in (true, false):
            batch.step(actions, restart=True)
        assert np.array_equal(false.rewards, true.rewards)
        assert np.array_equal(false.outcomes, true.outcomes)
        shown = (true.outcomes != 0) & ~gift
        assert np.array_equal(false.final_observations[shown], true.final_observations[shown])
        ended += int(shown.sum())
    assert ended > 0


# ---------------------------------------------------------------------- and it stays so


class Twin:
    """Two tables that one seat cannot tell apart, played on side by side."""

    def __init__(self, true: Any, false: Any, seat: int, rng: Generator) -> None:
        self.both = (true, false)
        self.seat, self.rng = seat, rng

    def actions(self) -> tuple[int, int] | None:
        """What is done on both tables: the seat acts alike; the partner as alike as it can be seen.

        ``None`` if there is nothing that the partner can do in both.
        """
        legal = [set(np.flatnonzero(table.masks[table.to_move]).tolist()) for table in self.both]
        shared = sorted(legal[0] & legal[1])
        state = self.both[0].records[0]
        if state["to_move"] == self.seat:
            assert legal[0] == legal[1]
            action = pick(self.rng, shared)
            return action, action
        gift = state["phase"] == GIFT_PHASE
        hidden_choice = gift and state["gift"][self.seat] == NONE
        if hidden_choice and self.rng.random() < 0.5:
            return pick(self.rng, sorted(legal[0])), pick(self.rng, sorted(legal[1]))
        if not shared:
            return None
        action = pick(self.rng, shared)
        return action, action

    def events(self, before: Any, after: Any) -> list[tuple[Any, ...]]:
        """What only the seat gets to see of the last action: a hand that was dealt, a gift that came."""
        seen = []
        for one_before, one_after in zip(before, after, strict=True):
            dealt = one_after["decree"] != NONE and (
                one_before["decree"] == NONE or one_before["round_number"] != one_after["round_number"]
            )
            given = one_before["phase"] == GIFT_PHASE and one_after["phase"] != GIFT_PHASE
            seen.append(
                (
                    (int(one_after["hand"][self.seat]), int(one_after["decree"])) if dealt else None,
                    int(one_after["hand"][self.seat]) if given else None,
                )
            )
        return seen


def play_side_by_side(
    twin: Twin, step: Callable[[tuple[int, int]], None], shown: Callable[[], tuple[Shown, Shown]]
) -> tuple[str, int]:
    """Play on as long as the seat sees the same happen; returns why it ended, and after how many actions."""
    for count in itertools.count():
        true, false = shown()
        assert true == false, readable(twin.both[0].records[0])
        before = [table.records[0].copy() for table in twin.both]
        if before[0]["phase"] == OVER:
            return "over", count
        actions = twin.actions()
        if actions is None:
            return "the partner cannot do the same", count
        step(actions)
        events = twin.events(before, [table.records[0] for table in twin.both])
        if events[0] != events[1]:
            true, false = shown()
            assert true["observation"] != false["observation"]
            return "the seat got other cards", count
    raise AssertionError


def reach(table: Table, rng: Generator, seed: int) -> None:
    """Play to somewhere in a random game, the end included."""
    table.begin(seed)
    for _ in range(pick(rng, (0, 1, 2, 3, rng.integers(15), rng.integers(60)))):
        if table.to_move == NONE:
            break
        table.play(random_action(table, rng))


@pytest.mark.parametrize("name", RULESETS)
def test_X3_a_seat_cannot_tell_two_worlds_apart_until_it_sees_a_difference_happen(name: str) -> None:
    ruleset = RULESETS[name]
    rng = np.random.default_rng(8)
    true, false = Table(DUET, ruleset), Table(DUET, ruleset)
    ends: Counter[str] = Counter()
    together = 0
    games = scaled(400)
    for game in range(games):
        seat = game % 2
        reach(true, rng, game)
        false.records[0] = world(true.records[0], seat, ruleset, rng, own_future=game % 3 > 0)
        false.refresh()

        def step(actions: tuple[int, int]) -> None:
            rewards = [table.play(action) for table, action in zip((true, false), actions, strict=True)]
            assert rewards[0] == rewards[1]

        def shown(seat: int = seat) -> tuple[Shown, Shown]:
            first, second = (
                {"observation": table.observations[seat].tobytes(), "mask": table.masks[seat].tobytes()}
                for table in (true, false)
            )
            return first, second

        end, count = play_side_by_side(Twin(true, false, seat, rng), step, shown)
        ends[end] += 1
        together += count
    if jit.ENABLED:  # enough games to say so
        assert together > 2 * games
        assert {"over", "the seat got other cards"} <= set(ends), ends


def test_X3_environments_tell_two_worlds_apart_no_sooner() -> None:
    """The same through PettingZoo: what step() returns, infos and rewards included."""
    ruleset = RULESETS["agreement"]
    rng = np.random.default_rng(9)
    ends: Counter[str] = Counter()
    together = 0
    aec = [duet_v0.raw_env(ruleset) for _ in range(2)]
    parallel = [duet_v0.parallel_env(ruleset) for _ in range(2)]
    for game in range(scaled(200)):
        seat, agent = game % 2, f"player_{game % 2}"
        returned: list[Any] = [None, None]
        for env in (*aec, *parallel):
            env.reset(seed=game)
        for _ in range(rng.integers(60)):
            if not parallel[0].agents:
                break
            action = random_action(aec[0].table, rng)
            for env in aec:
                env.step(action)
            for k in range(2):
                returned[k] = parallel[k].step(dict.fromkeys(parallel[k].agents, action))
        other = world(aec[0].table.records[0], seat, ruleset, rng, own_future=True)
        for env in (aec[1], parallel[1]):
            env.table.records[0] = other
            env.table.refresh()

        def step(actions: tuple[int, int], returned: list[Any] = returned) -> None:
            for k, action in enumerate(actions):
                aec[k].step(action)
                returned[k] = parallel[k].step(dict.fromkeys(parallel[k].agents, action))

        def shown(agent: str = agent, returned: list[Any] = returned) -> Any:
            both = []
            for k in range(2):
                own = [part[agent] for part in returned[k]] if returned[k] else []
                observed = aec[k].observe(agent)
                both.append(
                    {
                        "observation": observed["observation"].tobytes(),
                        "mask": observed["action_mask"].tobytes(),
                        "told": repr(
                            [aec[k].infos[agent], aec[k].rewards[agent], aec[k].terminations[agent], *own[1:]]
                        ),
                        "returned": [array.tobytes() for array in own[0].values()] if own else [],
                        "selected": aec[k].agent_selection,
                    }
                )
            return tuple(both)

        twin = Twin(aec[0].table, aec[1].table, seat, rng)
        end, count = play_side_by_side(twin, step, shown)
        ends[end] += 1
        together += count
    if jit.ENABLED:
        assert together > 1000
        assert len(ends) == 3, ends
