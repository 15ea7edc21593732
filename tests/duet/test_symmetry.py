"""The game under other names for its suits is the same game."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from reynard.envs.duet import DUET
from reynard.envs.table import Table

NUM_RANKS = 10


@pytest.mark.parametrize(
    "options", [{}, {"ruleset": "boxed"}, {"ruleset": "tiny"}, {"agreement": 3, "history": False}]
)
def test_D1_renamed_suits_are_played_alike(options: dict[str, Any]) -> None:
    """Two tables, the cards of one renamed: what each seat sees and may do is the same, renamed."""
    real, renamed = Table(DUET, **options), Table(DUET, **options)
    seen_as, meant = DUET.symmetries(real.ruleset)
    suits = list(permutations(range(real.ruleset.suits)))
    assert len(seen_as) == len(meant) == len(suits)
    rng = np.random.default_rng(0)
    for way, names in enumerate(suits):

        def rename(card: int, names: tuple[int, ...] = names) -> int:
            return names[card // NUM_RANKS] * NUM_RANKS + card % NUM_RANKS

        for seed in range(3):
            deck = rng.permutation(real.ruleset.deck).tolist()
            decks = [deck] * real.ruleset.rounds
            real.begin(seed, {"decks": decks, "first_player": 0})
            renamed.begin(
                seed, {"decks": [[rename(card) for card in each] for each in decks], "first_player": 0}
            )
            while True:
                for seat in range(2):
                    assert (real.observations[seat][seen_as[way]] == renamed.observations[seat]).all()
                    assert (real.masks[seat][meant[way]] == renamed.masks[seat]).all()
                mover = real.to_move
                assert mover == renamed.to_move
                if mover < 0:
                    break
                action = int(rng.choice(np.flatnonzero(renamed.masks[mover])))
                assert real.play(int(meant[way, action])) == renamed.play(action)


def test_D1_the_ways_to_rename_are_all_different_and_the_first_renames_nothing() -> None:
    seen_as, meant = DUET.symmetries(DUET.make_ruleset())
    assert seen_as.shape[0] == meant.shape[0] == 6
    assert (seen_as[0] == np.arange(seen_as.shape[1])).all() and (meant[0] == np.arange(39)).all()
    assert len({way.tobytes() for way in seen_as}) == len({way.tobytes() for way in meant}) == 6
    for arrays in (seen_as, meant):
        assert (np.sort(arrays, axis=1) == np.arange(arrays.shape[1])).all()
