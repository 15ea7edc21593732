"""What may be true for all that a seat knows: states read back, counted up, and drawn."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare
from strategies import RULESETS, scaled
from worlds import every_world, pending_gift

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.reading import read_states
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import PHASES
from reynard.envs.errors import InvalidOption
from reynard.envs.streams import key_of
from reynard.policies import Dice, make_policy
from reynard.policies.duet.posterior import Posterior
from reynard.policies.posterior import posterior_of
from reynard.training.evaluate import decisions

REMEMBERED = {name: ruleset for name, ruleset in RULESETS.items() if ruleset.history}


def positions(ruleset: Ruleset, games: int, seed: int = 0) -> Iterator[Batch]:
    """Games at every step, played by chance (who plays Foxes and gives gifts) and well (who comes far)."""
    batch = Batch(DUET, ruleset, games)
    for _ in decisions(
        batch, [make_policy("random", DUET, ruleset), make_policy("greedy", DUET, ruleset)], seed
    ):
        yield batch


def dice(batch: Batch, rows: Any = slice(None)) -> Dice:
    return Dice(key_of(11), *(batch.records[name][rows] for name in ("game", "moves", "episode")))


def seen_by(states: np.ndarray, seat: int, ruleset: Ruleset) -> np.ndarray:
    """What a seat observes in each of some states."""
    batch = Batch(DUET, ruleset, len(states))
    batch.records[:] = states
    movers = np.maximum(states["to_move"], 0)
    return batch.states().reshape(len(states), 2, -1)[np.arange(len(states)), (seat - movers) % 2]


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
            seen = seen_by(batch.records, seat, ruleset)
            states = read_states(seen, np.full(len(seen), seat), ruleset)
            hidden = batch.records["hand"][:, 1 - seat] & ~batch.records["known"][:, 1 - seat]
            whole = states.copy()
            whole["hand"][:, 1 - seat] |= hidden
            assert (seen_by(whole, seat, ruleset) == seen).all()
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
            assert (seen_by(states, seat, ruleset) == batch.observations[row]).all()
            met[PHASES[true["phase"]]] += 1
            met["pending gift"] += pending_gift(true, seat)
            met["void"] += true["void"][1 - seat] != 0
    assert met["play"] and met["void"]
    if 7 in ruleset.ranks:
        assert met["gift"] and met["pending gift"]


def test_no_other_deal_would_have_looked_the_same() -> None:
    """All deals of a tiny game, played with the same actions: those that look the same are counted up."""
    ruleset = Ruleset.of("tiny", ranks=(1, 3, 5, 7, 9), rounds=1)
    posterior, rng, checked = Posterior(ruleset), np.random.default_rng(3), 0
    for game in range(4):
        true = Batch(DUET, ruleset, 1, game)
        true.reset(seed=6)
        alike = [(seat, table) for seat in range(2) for table in deals_like(true, seat, ruleset)]
        while true.to_move[0] >= 0:
            seat = int(true.to_move[0])
            states, _ = posterior.enumerate(true.observations[0], seat)
            same = {
                holding(table.records[0], seat)
                for of, table in alike
                if of == seat == table.to_move[0] and (table.observations == true.observations).all()
            }
            told = {holding(state, seat) for state in states}
            # all deals are played with the gift that was chosen, so of other gifts they cannot tell
            assert same == told if not pending_gift(true.records[0], seat) else same <= told
            checked += len(told) > 1
            action = int(rng.choice(np.flatnonzero(true.masks[0])))
            alike = [
                (of, table) for of, table in alike if table.to_move[0] == seat and table.masks[0, action]
            ]
            for table in (true, *(table for _, table in alike)):
                table.step([action])
    assert checked > 10


def deals_like(true: Batch, seat: int, ruleset: Ruleset) -> Iterator[Batch]:
    """A game that has just begun, dealt in all ways that leave a seat its hand and the decree what it is."""
    size = ruleset.hand_size
    deck = true.records["decks"][0, 0, : len(ruleset.deck)].tolist()
    mine, decree = deck[size * seat : size * (seat + 1)], deck[2 * size]
    rest = [card for card in deck if card not in (*mine, decree)]
    for hand in combinations(rest, size):
        dealt = [*mine, *hand] if seat == 0 else [*hand, *mine]
        table = Batch(DUET, ruleset, 1)
        first = int(true.records["first_player"][0])
        others = [card for card in rest if card not in hand]
        table.reset(seed=6, options={"decks": [[*dealt, decree, *others]], "first_player": first})
        yield table


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
    other = Batch(DUET, ruleset, states.size)
    other.records[:] = states.ravel()
    other.refresh()
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
    with pytest.raises(InvalidOption, match="more than 1,000 states are possible; draw some"):
        Posterior(ruleset).enumerate(batch.observations[0], int(batch.to_move[0]), limit=1000)
