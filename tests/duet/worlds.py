"""Other worlds: states that a seat cannot tell from the one it is in (ruling X3).

The partner may hold other cards, the cards that nobody sees lie otherwise, another gift may have been
chosen, and all that chance has still to bring is different. Everything else in a record is public (D21).
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.random import Generator

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.cards import suit_of
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import NONE
from reynard.envs.sets import has, items, one
from reynard.envs.streams import key_of
from reynard.policies import Dice, make_policy
from reynard.policies.posterior import seen_by
from reynard.training.evaluate import decisions


def world(state: np.void, seat: int, ruleset: Ruleset, rng: Generator, own_future: bool = False) -> np.void:
    """Another state that is consistent with all that the seat has seen.

    Args:
        state: The state as it is.
        seat: The seat that must not notice.
        ruleset: The rules of the game.
        rng: Draws the world.
        own_future: In the rounds to come the seat gets the same hand and the same decree as in ``state``.
    """
    other = state.copy()
    partner = 1 - seat
    hidden, allowed = hidden_cards(state, seat, ruleset)
    hand = rng.permutation(np.array(hidden, np.int64))  # all of them anew, or a few
    kept = hand[: rng.integers(len(hidden) + 1) if rng.random() < 0.5 else 0].tolist()
    drawn = rng.permutation([card for card in allowed if card not in kept])[: len(hidden) - len(kept)]
    give(other, seat, ruleset, hidden, kept + drawn.tolist())
    if pending_gift(state, seat):
        other["gift"][partner] = pick(rng, items(other["hand"][partner]))
    for number in range(ruleset.rounds):
        deck = other["decks"][number, : len(ruleset.deck)]
        dealt = number < state["round_number"] or (
            number == state["round_number"] and state["decree"] != NONE
        )
        if dealt:
            shuffle_unnoticed(deck, ruleset, rng)
        elif own_future:
            shuffle_for_partner(deck, seat, ruleset, rng)
        else:
            rng.shuffle(deck)
    other["key"] = rng.integers(2**32, size=2)
    other["game"] = rng.integers(2**31)
    other["episode"] = rng.integers(100)
    return other


def every_world(state: np.void, seat: int, ruleset: Ruleset) -> Iterator[np.void]:
    """One world for each hand that the partner may hold, and each gift that they may have chosen."""
    partner = 1 - seat
    hidden, allowed = hidden_cards(state, seat, ruleset)
    for hand in itertools.combinations(allowed, len(hidden)):
        other = state.copy()
        give(other, seat, ruleset, hidden, list(hand))
        if not pending_gift(state, seat):
            yield other
            continue
        for gift in items(other["hand"][partner]):
            other["gift"][partner] = gift
            yield other.copy()


def hidden_cards(state: np.void, seat: int, ruleset: Ruleset) -> tuple[list[int], list[int]]:
    """The partner's cards that the seat does not know, and all the cards that they could be instead."""
    partner = 1 - seat
    if state["decree"] == NONE:
        return [], []
    hidden = items(int(state["hand"][partner]) & ~int(state["known"][partner]))
    face_down = state["decks"][state["round_number"]][2 * ruleset.hand_size + 1 : len(ruleset.deck)].tolist()
    void = state["void"][partner]
    return hidden, [card for card in hidden + face_down if not has(void, suit_of(card))]


def pending_gift(state: np.void, seat: int) -> bool:
    """Whether the partner has chosen a gift that the seat has not seen yet (D19)."""
    return state["gift"][1 - seat] != NONE


def give(other: np.void, seat: int, ruleset: Ruleset, old: list[int], new: list[int]) -> None:
    """Let the partner hold these unknown cards instead of those, and have been dealt them."""
    out, into = sorted(set(old) - set(new)), sorted(set(new) - set(old))
    deck = other["decks"][other["round_number"]]
    places = deck.tolist()
    for less, more in zip(out, into, strict=True):
        other["hand"][1 - seat] = int(other["hand"][1 - seat]) & ~one(less) | one(more)
        deck[places.index(less)], deck[places.index(more)] = more, less


def shuffle_unnoticed(deck: np.ndarray, ruleset: Ruleset, rng: Generator) -> None:
    """Another order of each hand and of the cards face down: the cards are the same."""
    size = ruleset.hand_size
    for places in (slice(size), slice(size, 2 * size), slice(2 * size + 1, None)):
        rng.shuffle(deck[places])


def shuffle_for_partner(deck: np.ndarray, seat: int, ruleset: Ruleset, rng: Generator) -> None:
    """Another hand for the partner; the seat's hand and the decree stay."""
    size = ruleset.hand_size
    partners = range(size, 2 * size) if seat == 0 else range(size)
    places = [*partners, *range(2 * size + 1, len(deck))]
    deck[places] = rng.permutation(deck[places])
    shuffle_unnoticed(deck, ruleset, rng)


def pick(rng: Generator, things: Any) -> Any:
    return things[int(rng.integers(len(things)))]


def positions(ruleset: Ruleset, games: int, seed: int = 0) -> Iterator[Batch]:
    """Games at every step, played by chance (who plays Foxes and gives gifts) and well (who comes far)."""
    batch = Batch(DUET, ruleset, games)
    for _ in decisions(
        batch, [make_policy("random", DUET, ruleset), make_policy("greedy", DUET, ruleset)], seed
    ):
        yield batch


def dice(batch: Batch, rows: Any = slice(None)) -> Dice:
    return Dice.at(key_of(11), batch.records, rows)


def looks(states: np.ndarray, seat: int, ruleset: Ruleset) -> np.ndarray:
    """What a seat observes in each of some states."""
    return seen_by(DUET, ruleset, states, np.full(len(states), seat))
