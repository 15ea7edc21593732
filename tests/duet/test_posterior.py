"""What may be true for all that a seat knows: states read back, counted up, and drawn."""

from collections import Counter
from itertools import combinations, islice

import numpy as np
import pytest
from scipy.stats import chisquare
from strategies import RULESETS, scaled
from worlds import dice, every_world, looks, pending_gift, positions

from reynard.envs import jit
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.reading import read_states
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import GIFT_PHASE, NONE, PHASES, PLAY
from reynard.envs.errors import InvalidOption
from reynard.envs.streams import key_of
from reynard.policies import Dice, Policy, make_policy
from reynard.policies.duet.posterior import Posterior
from reynard.policies.posterior import likelihoods, posterior_of

REMEMBERED = {name: ruleset for name, ruleset in RULESETS.items() if ruleset.history}


def holding(state: np.void, seat: int) -> tuple[int, int]:
    """What is hidden of a state: the partner's hand, and the gift it has chosen."""
    return int(state["hand"][1 - seat]), int(state["gift"][1 - seat])


@pytest.mark.parametrize("name", REMEMBERED)
def test_a_state_that_was_read_looks_the_same(name: str) -> None:
    """Byte for byte, from the same seat, at every step and at the end; and it is the public truth (D21)."""
    ruleset = REMEMBERED[name]
    public = (
        "decree",
        "led",
        "reply",
        "gems",
        "path",
        "tracker",
        "leader",
        "phase",
        "to_move",
        "first_player",
    )
    public += (
        "played",
        "void",
        "known",
        "tricks_led",
        "tricks_won",
        "trick_tracker",
        "round_number",
        "trick",
    )
    for batch in positions(ruleset, scaled(100)):
        for seat in range(2):
            seen = looks(batch.records, seat, ruleset)
            states = read_states(seen, np.full(len(seen), seat), ruleset)
            hidden = batch.records["hand"][:, 1 - seat] & ~batch.records["known"][:, 1 - seat]
            whole = states.copy()
            whole["hand"][:, 1 - seat] |= hidden
            assert (looks(whole, seat, ruleset) == seen).all()
            for field in public:
                assert (states[field] == batch.records[field]).all(), field
            assert (states["hand"][:, seat] == batch.records["hand"][:, seat]).all()


def test_without_history_nothing_can_be_told() -> None:
    ruleset = Ruleset.of("tiny", history=False)
    with pytest.raises(InvalidOption, match="only observations with history .* history=True"):
        read_states(Batch(DUET, ruleset, 1).observations, np.zeros(1, int), ruleset)
    with pytest.raises(InvalidOption, match="can be told only with history=True"):
        posterior_of(DUET, ruleset)


@pytest.mark.parametrize("name", ["tiny", "plain", "tiny_agreement"])
def test_it_counts_up_what_cannot_be_told_apart(name: str) -> None:
    """Every hand and gift that leaves the observation as it is, and no other (D7, D18, D19, D20)."""
    ruleset, met = REMEMBERED[name], Counter()
    posterior = Posterior(ruleset)
    for step, batch in enumerate(positions(ruleset, scaled(30 if name != "plain" else 4))):
        for row in np.flatnonzero(batch.to_move >= 0)[step % 3 :: 3]:
            true, seat = batch.records[row], int(batch.to_move[row])
            states, chances = posterior.enumerate(batch.observations[row], seat)
            told = Counter(holding(state, seat) for state in states)
            expected = Counter(holding(state, seat) for state in every_world(true, seat, ruleset))
            assert told == expected and max(told.values()) == 1
            assert holding(true, seat) in told
            assert np.allclose(chances, 1 / len(states))
            assert (looks(states, seat, ruleset) == batch.observations[row]).all()
            met[PHASES[true["phase"]]] += 1
            met["pending gift"] += pending_gift(true, seat)
            met["void"] += true["void"][1 - seat] != 0
    assert met["play"] and met["void"]
    if 7 in ruleset.ranks:
        assert met["gift"] and met["pending gift"]


#: Games so small that all deals can be played: with every character, two suits, a symbol before the deal.
EXHAUSTED = {
    "one suit": {"suits": 1, "ranks": (1, 3, 5, 6, 7, 9, 10), "hand_size": 2},
    "two suits": {"suits": 2, "ranks": (2, 3, 7, 9, 10), "hand_size": 3},
    "three suits": {"suits": 3, "ranks": (3, 7, 10), "hand_size": 3, "agreement": 2},
    "four tricks": {"suits": 2, "ranks": (1, 3, 5, 6, 7, 9), "hand_size": 4, "steps": "sum"},
}


@pytest.mark.parametrize("name", EXHAUSTED)
def test_no_other_deal_would_have_looked_the_same(name: str) -> None:
    """All deals and hidden gifts, played with the same actions: those that look the same are counted up.

    They are as likely as it takes the other player to do what it did, which is reckoned up along the way.
    """
    ruleset = Ruleset.of("tiny", rounds=1, **EXHAUSTED[name])
    posterior, rng, met = Posterior(ruleset), np.random.default_rng(3), Counter()
    greedy = make_policy("greedy", DUET, ruleset)
    for game in range(scaled(12) // 2 + 1):
        true = Batch(DUET, ruleset, 1, game)
        true.reset(seed=6)
        alike = [all_deals(true, seat, ruleset) for seat in range(2)]
        deal, actions = [true.records] * 2, []
        while true.to_move[0] >= 0:
            state = true.records[0]
            if state["phase"] == PLAY and not state["played"].any():
                deal = [
                    read_states(looks(true.records, seat, ruleset), np.array([seat]), ruleset)
                    for seat in range(2)
                ]
                actions = []
            for seat, (table, chances) in enumerate(alike):
                states, _ = posterior.enumerate(looks(true.records, seat, ruleset)[0], seat)
                told = [holding(one, seat) for one in states]
                expected = {
                    holding(one, seat): chance for one, chance in zip(table.records, chances, strict=True)
                }
                assert sorted(told) == sorted(expected)
                if state["decree"] == NONE:
                    continue
                assert len(expected) == table.count
                met["many"] += len(told) > 1
                met["void"] += state["void"][1 - seat] != 0
                met["swapped"] += state["tricks_swapped"][1 - seat] != 0
                met["pending gift"] += pending_gift(state, seat)
                # what the seat has not seen is not read
                known = [*actions[:-1], NONE] if pending_gift(state, seat) else actions
                begun, played = posterior.begin_as(deal[seat], [known], np.array([seat]), states[None])
                reckoned = likelihoods(DUET, ruleset, begun, played, np.array([seat]), [greedy] * 2)[0]
                assert np.allclose(reckoned, [expected[one] for one in told], rtol=1e-9)
                met["unlike"] += len(set(reckoned)) > 1
            action = int(rng.choice(np.flatnonzero(true.masks[0])))
            mover, phase = int(true.to_move[0]), int(state["phase"])
            true.step([action])
            actions.append(action)
            for seat in range(2):
                hidden = phase == GIFT_PHASE and mover != seat
                table, chances = followed(*alike[seat], seat, action, hidden, greedy)
                same = (looks(table.records, seat, ruleset) == looks(true.records, seat, ruleset)).all(axis=1)
                alike[seat] = table.part(np.flatnonzero(same)), chances[same]
    if jit.ENABLED:
        assert met["many"] > 40 and met["unlike"] and met["swapped"] and met["pending gift"]
        assert met["void"] or ruleset.suits == 1


def all_deals(true: Batch, seat: int, ruleset: Ruleset) -> tuple[Batch, np.ndarray]:
    """Games that have just begun, one for each deal that leaves a seat its hand and the decree what it is."""
    size = ruleset.hand_size
    deck = true.records["decks"][0, 0, : len(ruleset.deck)].tolist()
    mine, decree = deck[size * seat : size * (seat + 1)], deck[2 * size]
    rest = [card for card in deck if card not in (*mine, decree)]
    first, records = int(true.records["first_player"][0]), []
    table = Batch(DUET, ruleset, 1)
    for hand in combinations(rest, size):
        dealt = [*mine, *hand] if seat == 0 else [*hand, *mine]
        others = [card for card in rest if card not in hand]
        table.reset(seed=6, options={"decks": [[*dealt, decree, *others]], "first_player": first})
        records.append(table.records.copy())
    return Batch.of(DUET, ruleset, np.concatenate(records)), np.ones(len(records))


def followed(
    table: Batch, chances: np.ndarray, seat: int, action: int, hidden: bool, policy: Policy
) -> tuple[Batch, np.ndarray]:
    """What becomes of the games after an action, or after every action if the seat does not see it."""
    ways = [
        (row, choice)
        for row in range(table.count)
        for choice in (np.flatnonzero(table.masks[row]) if hidden else [action])
        if table.masks[row, choice]
    ]
    rows, choices = (np.array(part, np.int64) for part in zip(*ways, strict=True))
    dealer = Dice.at(key_of(0), table.records)
    habit = policy.act(table.observations, table.masks, table.to_move, dealer)[rows]
    others = table.masks[rows].sum(axis=1, dtype=int) - 1
    chance = np.where(others == 0, 1.0, np.where(choices == habit, 0.95, 0.05 / np.maximum(others, 1)))
    # before the deal nothing is done that depends on it
    told = (table.to_move[rows] != seat) & (table.records["decree"][rows] != NONE)
    after = table.part(rows)
    after.step(choices)
    return after, chances[rows] * np.where(told, chance, 1.0)


def test_it_draws_them_all_alike() -> None:
    """Chi-square against the enumeration, the pending gift included, at 60 decisions of a small game."""
    ruleset = RULESETS["tiny"]
    posterior, values, pending = Posterior(ruleset), [], 0
    for batch in positions(ruleset, 20, seed=2):
        rows = np.flatnonzero(batch.to_move >= 0)
        drawn, weights = posterior.sample(
            batch.observations[rows], batch.to_move[rows], 2000, dice(batch, rows)
        )
        assert np.allclose(weights, 1 / 2000)
        for row, states in zip(rows, drawn, strict=True):
            seat = int(batch.to_move[row])
            possible = [holding(one, seat) for one in posterior.enumerate(batch.observations[row], seat)[0]]
            told = Counter(holding(one, seat) for one in states)
            assert set(told) <= set(possible)
            if len(possible) > 1:
                values.append(chisquare([told[one] for one in possible]).pvalue)
                pending += pending_gift(batch.records[row], seat)
    assert len(values) > 60 and pending
    assert min(values) > 0.05 / len(values) / 10
    assert 0.35 < float(np.mean(values)) < 0.65


def test_decks_to_come_are_in_any_order_and_games_go_on() -> None:
    ruleset = RULESETS["standard"]
    posterior, batch = Posterior(ruleset), next(positions(ruleset, 4))
    states, _ = posterior.sample(batch.observations, batch.to_move, 500, dice(batch))
    assert (np.sort(states["decks"][:, :, 1:], axis=-1) == np.arange(30)).all()
    # the first card of the second deck, over all of them: 2,000 draws of 30 cards
    first = np.bincount(states["decks"][:, :, 1, 0].ravel(), minlength=30)
    assert chisquare(first).pvalue > 1e-3
    other = Batch.of(DUET, ruleset, states.ravel())
    rng = np.random.default_rng(0)
    while (other.to_move >= 0).any():
        odds = rng.random(other.masks.shape) * other.masks
        other.step(odds.argmax(axis=1))
    assert (other.records["outcome"] > 0).all()


def test_draws_depend_on_nothing_but_the_dice() -> None:
    ruleset = RULESETS["boxed"]
    posterior = Posterior(ruleset)
    batch = next(islice(positions(ruleset, 40), 9, None))
    rows = np.array([30, 4, 17])
    whole, _ = posterior.sample(batch.observations, batch.to_move, 8, dice(batch))
    part, _ = posterior.sample(batch.observations[rows], batch.to_move[rows], 5, dice(batch, rows))
    assert (part == whole[rows][:, :5]).all()
    assert len({holding(state, int(batch.to_move[4])) for state in whole[4]}) > 1


def test_too_many_are_refused() -> None:
    ruleset = RULESETS["standard"]
    batch = next(positions(ruleset, 1))
    with pytest.raises(InvalidOption, match="states to draw for a decision must be .* from 1 to 4096, not 0"):
        Posterior(ruleset).sample(batch.observations, batch.to_move, 0, dice(batch))
    with pytest.raises(InvalidOption, match="more than 1,000 states are possible; draw some"):
        Posterior(ruleset).enumerate(batch.observations[0], int(batch.to_move[0]), limit=1000)
