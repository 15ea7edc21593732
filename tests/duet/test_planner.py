"""The planner and its scouts: what they find, what it costs, and what they may not know."""

from typing import Any

import numpy as np
import pytest
from games import share_won
from positions import MY_END, NO_LEADER, PARTNERS_END, deal, place, play, two_tricks

from reynard.envs import InvalidOption, duet_v0
from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.streams import key_of
from reynard.policies import Dice, make_policy
from reynard.policies.duet.planner import Planner
from reynard.policies.posterior import posterior_of
from reynard.training.evaluate import decisions, evaluate

ONE_ROUND: dict[str, Any] = {
    "rounds": 1,
    "board": {"gems": [0, 1, 0, 1, 0], "plus_marks": [1], "start": 2, "forest_tiles": 2},
}


def dice(batch: Batch, seed: int = 5) -> Dice:
    return Dice.at(key_of(seed), batch.records)


def choice(env: duet_v0.raw_env, deals: int = 32) -> str:
    """What the planner does in a game as it stands."""
    agent = env.agent_selection
    seen, seat = env.observe(agent), env.possible_agents.index(agent)
    rng = Dice(key_of(1), np.array([0]), np.array([7]))
    planner = Planner(env.ruleset, deals)
    action = planner.act(seen["observation"][None], seen["action_mask"][None], np.array([seat]), rng)[0]
    return env.action_name(int(action))


def test_d16_the_winner_goes_where_the_last_gem_is() -> None:
    for gem, expected in ((8, MY_END), (2, PARTNERS_END)):
        env = two_tricks("dove 1", "dove 2", rounds=1)
        place(env, gems={gem: 1})
        play(env, "dove 1", "dove 2")
        assert choice(env) == expected


def test_d17_the_winner_ignores_what_leads_past_the_last_gem() -> None:
    env = two_tricks("dove 5", "dove 10", rounds=1, steps="sum")
    place(env, gems={8: 1})
    play(env, "dove 5", "dove 10")
    assert choice(env) == MY_END + NO_LEADER


def test_the_follower_takes_the_last_gem() -> None:
    """D9: three steps with the 2, one with the 4, and dove 1 leaves the choice of the way to the winner."""
    for gem, expected in ((8, "dove 2"), (6, "dove 4")):
        env = deal("dove 1, star 8", "dove 2, dove 4", rounds=1, characters=[])
        place(env, gems={gem: 1})
        play(env, "dove 1")
        assert choice(env) == expected


def test_the_leader_takes_the_last_gem_whatever_the_partner_holds() -> None:
    """D8: the highest trump wins; it goes three steps."""
    env = deal("star 10, rose 4", "dove 6, dove 8", decree="star 8", rounds=1, characters=[])
    place(env, gems={2: 1})
    assert choice(env) == "star 10"


def test_d18_the_exchange_makes_the_card_on_the_table_a_trump() -> None:
    """The follower's Foxes lose to a dove unless rose is trump; then they go two steps to the gem."""
    env = deal("dove 8, dove 6", "rose 3, rose 4", rounds=1, characters=["foxes"])
    place(env, gems={7: 1})
    play(env, "dove 8", "rose 3")
    assert choice(env) == "rose 4"


def test_d19_the_gift_that_lets_the_partner_take_the_last_gem() -> None:
    """The Gift wins its trick, so its player leads next and needs three steps."""
    env = deal("dove 7, dove 4", "dove 6, rose 10", rounds=1, characters=["gift"])
    place(env, gems={2: 1})
    play(env, "dove 7", "dove 4")
    assert choice(env) == "rose 10"


@pytest.mark.parametrize("steps", ["winner", "sum"])
def test_it_plays_what_wins_most_of_the_games_that_are_possible(steps: str) -> None:
    """The engine plays every action on every consistent state, and scouts go on from there as policies."""
    ruleset = DUET.make_ruleset("tiny", **ONE_ROUND, steps=steps)
    planner, posterior = Planner(ruleset, 1024), posterior_of(DUET, ruleset)
    scout = make_policy("scout", DUET, ruleset)
    batch, rng, close = Batch(DUET, ruleset, 10), np.random.default_rng(0), 0
    batch.reset(seed=1)
    for _ in range(3):
        chosen = planner.act(batch.observations, batch.masks, batch.to_move, dice(batch))
        for row in range(batch.count):
            states, _ = posterior.enumerate(batch.observations[row], int(batch.to_move[row]))
            legal = map(int, np.flatnonzero(batch.masks[row]))
            values = {k: share_won(DUET, ruleset, states, k, scout) for k in legal}
            assert values[chosen[row]] >= max(values.values()) - 0.05  # 1024 samples, halved
            close += values[chosen[row]] == max(values.values()) > min(values.values())
        batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks])
    assert close > 10


def test_it_is_better_than_its_scouts_and_they_than_greedy() -> None:
    """On the same deals, where two rounds have to do."""
    greedy, scout, planner = (
        evaluate(DUET, name, 50, 3, rounds=2).wins for name in ("greedy", "scout", "planner:deals=12")
    )
    assert planner > scout + 3 and scout > greedy + 10


@pytest.mark.parametrize(
    ("team", "options"),
    [
        ("planner:deals=4", {"ruleset": "tiny", "agreement": 2}),
        ("planner:deals=3,width=2", {"ruleset": "boxed", "board": "B", "rounds": 1}),
        ("planner:deals=4", {"characters": [], "rounds": 1, "hand_size": 4}),
        (["scout", "planner:deals=5"], {"ruleset": "tiny", "forest_loss": "empty"}),
        (["planner:deals=2", "random"], {"ruleset": "tiny", "first_player": 1}),
    ],
)
def test_same_seed_same_play_in_any_batch(team: Any, options: dict[str, Any]) -> None:
    whole, parts = (evaluate(DUET, team, 9, 7, batch_size=size, **options) for size in (9, 4))
    assert (whole.outcomes, whole.moves_mean, whole.means) == (parts.outcomes, parts.moves_mean, parts.means)


def test_by_the_clock_it_plays_legally_to_the_end() -> None:
    assert sum(evaluate(DUET, "planner:seconds=0.001", 3, 1, "tiny").outcomes.values()) == 3


def test_budgets_are_kept() -> None:
    """A quarter of the deals for all that are tried, then half of them each time, down to two."""
    ruleset = DUET.make_ruleset("standard", rounds=1)
    planner, batch = Planner(ruleset, deals=16, width=6), Batch(DUET, ruleset, 1)
    spent = 0
    for _ in decisions(batch, [planner] * 2, seed=2):
        tried, expected = min(6, int((batch.masks == 1).sum())), 0
        for _ in range(4 if tried > 1 else 0):
            expected += 4 * tried
            tried = min(tried, max(2, (tried + 1) // 2))
        assert planner.rollouts - spent == expected
        spent = planner.rollouts
    assert spent > 0


def test_x3_nothing_hidden_counts() -> None:
    """In any state that the seat cannot tell from the true one, future decks included, it does the same."""
    ruleset = DUET.make_ruleset("tiny")
    planner, posterior = Planner(ruleset, deals=6), posterior_of(DUET, ruleset)
    batch = Batch(DUET, ruleset, 20)
    for actions in decisions(batch, [planner] * 2, seed=4):
        running = np.flatnonzero(batch.to_move >= 0)
        seats = batch.to_move[running]
        others, _ = posterior.sample(batch.observations[running], seats, 1, dice(batch, 9).of(running))
        other = Batch.of(DUET, ruleset, others[:, 0])
        again = planner.act(other.observations, other.masks, other.to_move, dice(batch, 4).of(running))
        assert (again == actions[running]).all()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("planner:deal=3", {}, "unknown option of planner 'deal'; did you mean 'deals'"),
        ("planner:deals=many", {}, "planner: deals must be a whole number, not 'many'"),
        ("planner:deals=0", {}, "planner: deals must be from 1 to 4096, not 0"),
        ("planner:width=1", {}, "planner: width must be from 2 to 40, not 1"),
        ("planner:seconds=nan", {}, "planner: seconds must be from 0.001 to 3600.0, not nan"),
        ("planner:seconds=1,deals=2", {}, "planner: give deals or seconds, not both"),
        ("scout:3", {}, "the policy 'scout' takes no argument, not '3'"),
        (
            "planner",
            {"history": False},
            "planner and scout need to see what was played: they play with history=True",
        ),
    ],
)
def test_what_is_wrong_is_said(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        make_policy(name, DUET, DUET.make_ruleset("standard", **options))
