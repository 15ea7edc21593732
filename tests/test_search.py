"""One step of look-ahead over a blueprint: what it finds, what it costs, and what it may not know."""

from typing import Any

import numpy as np
import pytest
from games import share_won

from reynard.envs import InvalidOption
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.game import Game
from reynard.envs.lisak import LISAK
from reynard.envs.streams import key_of
from reynard.policies import Dice, make_policy
from reynard.policies.posterior import posterior_of
from reynard.policies.search import Search
from reynard.training.evaluate import decisions, evaluate

#: A board with two gems, on which every other game is won.
EASY = {"board": {"gems": [0, 1, 0, 1, 0], "plus_marks": [1], "start": 2, "forest_tiles": 2}}


def searcher(game: Game, ruleset: Any, **options: Any) -> Search:
    blueprint = [make_policy("greedy", game, ruleset)] * len(game.agents(ruleset))
    return Search(game, ruleset, blueprint, **options)


def dice(batch: Batch, seed: int = 5) -> Dice:
    return Dice.at(key_of(seed), batch.records)


@pytest.mark.parametrize("steps", ["winner", "sum"])
def test_it_plays_what_wins_most_of_the_games_that_are_possible(steps: str) -> None:
    """Every consistent state of a small game, played out by hand for every action."""
    ruleset = DUET.make_ruleset("tiny", **EASY, rounds=1, steps=steps)
    search = searcher(DUET, ruleset, deals=256, margin=0.0)
    posterior, greedy = posterior_of(DUET, ruleset), make_policy("greedy", DUET, ruleset)
    batch, rng = Batch(DUET, ruleset, 40), np.random.default_rng(0)
    gained, departures = 0.0, 0
    batch.reset(seed=1)
    for _ in range(2):
        seen, masks, seats = batch.observations.copy(), batch.masks.copy(), batch.to_move.copy()
        chosen = search.act(seen, masks, seats, dice(batch))
        usual = greedy.act(seen, masks, seats, dice(batch))
        for row in range(40):
            states, weights = posterior.enumerate(seen[row], int(seats[row]))
            assert np.allclose(weights, weights[0])
            value = {
                action: share_won(DUET, ruleset, states, action, greedy)
                for action in np.flatnonzero(masks[row])
            }
            assert value[chosen[row]] >= max(value.values()) - 0.12  # 256 samples of it
            gained += value[chosen[row]] - value[usual[row]]
            departures += chosen[row] != usual[row]
        batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in masks])
    assert departures == search.departures > 5
    assert gained > 0.1 * departures


def test_it_is_better_than_its_blueprint() -> None:
    """On the same deals."""
    alone = evaluate(DUET, "greedy", 200, 3, "tiny", **EASY)
    searching = evaluate(DUET, "search:blueprint=greedy,deals=32", 200, 3, "tiny", **EASY)
    assert searching.wins > alone.wins + 20


@pytest.mark.parametrize(
    ("game", "team", "ruleset"),
    [
        (DUET, "search:blueprint=greedy,deals=8,error=0.05", {"ruleset": "tiny", "agreement": 2}),
        (DUET, ["random", "search:blueprint=greedy+random,deals=4"], {"ruleset": "boxed", "rounds": 1}),
        (LISAK, "search:blueprint=naive,deals=4,width=3,error=0.1", {"ruleset": "tiny", "writing": "hidden"}),
        (
            LISAK,
            ["fox=literal", "seeker=search:blueprint=fox=literal+seeker=bayes,deals=4,width=3"],
            {"ruleset": "tiny"},
        ),
        (
            LISAK,
            ["fox=search:blueprint=fox=literal+seeker=bayes,deals=8", "seeker=bayes"],
            {"ruleset": "tiny"},
        ),
    ],
)
def test_same_seed_same_play_in_any_batch(game: Game, team: Any, ruleset: dict[str, Any]) -> None:
    whole, parts = (evaluate(game, team, 6, 7, batch_size=size, **ruleset) for size in (6, 4))
    assert (whole.outcomes, whole.moves_mean, whole.means) == (parts.outcomes, parts.moves_mean, parts.means)


def test_budgets_are_kept() -> None:
    ruleset = DUET.make_ruleset("tiny")
    search = searcher(DUET, ruleset, deals=16, width=3)
    batch, before = Batch(DUET, ruleset, 20), 0
    for _ in decisions(batch, [search] * 2, seed=2):
        choices = int(((batch.masks == 1).sum(axis=1) > 1).sum())
        assert search.rollouts - before <= choices * 16 * 3
        before = search.rollouts
    assert before > 0


def test_nothing_hidden_counts() -> None:
    """X3: in any state that the seat cannot tell from the true one it does the same."""
    ruleset = DUET.make_ruleset("tiny")
    search, posterior = searcher(DUET, ruleset, deals=8), posterior_of(DUET, ruleset)
    batch = Batch(DUET, ruleset, 30)
    for actions in decisions(batch, [search] * 2, seed=4):
        running = np.flatnonzero(batch.to_move >= 0)
        others, _ = posterior.sample(
            batch.observations[running], batch.to_move[running], 1, dice(batch, 9).of(running)
        )
        other = Batch.of(DUET, ruleset, others[:, 0])
        again = search.act(other.observations, other.masks, other.to_move, dice(batch, 4).of(running))
        assert (again == actions[running]).all()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("search", "search needs a blueprint to roll out, as in search:blueprint=greedy"),
        ("search:blueprint=greddy", "unknown policy for duet 'greddy'; did you mean 'greedy'"),
        ("search:blueprint=greedy,deal=3", "unknown option of search 'deal'; did you mean 'deals'"),
        ("search:blueprint=greedy,deals=many", "search: deals must be a whole number, not 'many'"),
        ("search:blueprint=greedy,deals=1", "search: deals must be from 2 to 4096, not 1"),
        ("search:blueprint=greedy,width=1.5", "search: width must be a whole number, not '1.5'"),
    ],
)
def test_what_is_wrong_is_said(name: str, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        make_policy(name, DUET, DUET.make_ruleset("standard"))
