"""Training beside fixed partners: who sits where, who is asked, and what the learner is told."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, make_policy
from reynard.training.line_ups import evaluate_beside, line_ups
from reynard.training.population import Population


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


class Alone:
    """One game played beside the same partner by hand, for comparison."""

    def __init__(self, game: Any, index: int, envs: Population) -> None:
        self.table, self.index, self.envs = Table(game, "tiny"), index, envs
        self.table.begin(3, {"game": index})
        self.earned = 0.0

    def others(self) -> None:
        """Play the partner's moves up to the learner's next one, or the end."""
        table = self.table
        while table.to_move >= 0 and not self.mine[table.to_move]:
            seat = table.to_move
            dice = Dice.at(key_of(3), table.records)
            policy = self.envs.line_up(self.index).others[seat]
            action = policy.act(table.observations[[seat]], table.masks[[seat]], np.array([seat]), dice)
            self.earned += table.play(int(action[0]))

    @property
    def mine(self) -> np.ndarray:
        return np.array(self.envs.line_up(self.index).mine)


@pytest.mark.parametrize(
    ("game", "partners", "learner"),
    [
        (DUET, ["greedy", "random", "self"], None),
        (LISAK, [["fox=literal", "seeker=naive"], "self"], ["fox"]),
        (LISAK, [["fox=literal", "seeker=bayes"]], ["seeker_0", "seeker_2"]),
    ],
)
def test_every_game_is_the_game_played_by_hand(game: Any, partners: list[Any], learner: Any) -> None:
    """Observations, rewards summed until the learner's next move, ends; over several episodes."""
    envs = Population(game, "tiny", 6, seed=3, partners=partners, learner=learner)
    rng, seen = np.random.default_rng(0), envs.reset()
    alone = [Alone(game, index, envs) for index in range(6)]
    episodes = 0
    for one in alone:
        one.others()
    for _ in range(80):
        for index, one in enumerate(alone):
            seat = one.table.to_move
            assert one.mine[seat]
            assert seen[index].tobytes() == one.table.observations[seat].tobytes()
            assert (envs.action_masks()[index] == one.table.masks[seat]).all()
        actions = random_legal(envs.action_masks(), rng)
        before = envs._at.copy()
        seen, rewards, ended, infos = envs.step(actions)
        after, envs._at = envs._at, before  # by hand the old episode goes on with its old partner
        for index, one in enumerate(alone):
            one.earned = one.table.play(int(actions[index]))
            one.others()
            assert ended[index] == (one.table.to_move < 0)
            assert rewards[index] == pytest.approx(one.earned, abs=1e-6)
            if ended[index]:
                assert infos[index]["outcome"] == one.table.outcome()
                assert infos[index]["terminal_observation"].shape == seen[index].shape
        envs._at = after
        for index, one in enumerate(alone):
            while one.table.to_move < 0:  # an episode without a move of the learner's is passed over
                episodes += 1
                one.table.begin(None, {"game": index})
                one.others()
    assert episodes > 6


def test_partners_and_seats_are_drawn_for_every_episode() -> None:
    envs = Population(DUET, "tiny", 64, seed=1, partners=["greedy", "random", "self"])
    rng, counted = np.random.default_rng(0), Counter()
    envs.reset()
    for _ in range(120):
        *_, ended, _ = envs.step(random_legal(envs.action_masks(), rng))
        counted.update(envs._at[ended].tolist())
    total = sum(counted.values())
    assert total > 300
    names = [(up.name, up.mine) for ups in envs.line_ups for up in ups]
    assert names == [
        ("greedy", (True, False)),
        ("greedy", (False, True)),
        ("random", (True, False)),
        ("random", (False, True)),
        ("self", (True, True)),
    ]
    for at, share in enumerate((1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 3)):
        assert abs(counted[at] / total - share) < 4 * (share / total) ** 0.5
    again = Population(DUET, "tiny", 64, seed=1, partners=["greedy", "random", "self"])
    again.reset()
    first = Population(DUET, "tiny", 5, seed=1, partners=["greedy", "random", "self"])
    first.reset()
    assert (again._at[:5] == first._at).all()


def test_games_go_on_from_a_saved_state_with_the_same_partners() -> None:
    options: dict[str, Any] = {"partners": ["greedy", "random"], "prospects": True}
    envs, other = (Population(DUET, "tiny", 8, seed=seed, **options) for seed in (1, 1))
    rng = np.random.default_rng(0)
    seen = envs.reset()
    for _ in range(25):
        seen, *_ = envs.step(random_legal(envs.action_masks(), rng))
    assert (other.set_state(envs.get_state()) == seen).all()
    for _ in range(30):
        actions = random_legal(envs.action_masks(), rng)
        mine, theirs = envs.step(actions), other.step(actions)
        assert all((mine[k] == theirs[k]).all() for k in range(3))


def test_line_ups_that_cannot_be_are_refused() -> None:
    rules = DUET.make_ruleset("tiny")
    for partners, learner, sentence in (
        (["greedy"], ["player_0", "player_1"], "every seat is the learner's"),
        (["greedy"], ["player_7"], "learner: unknown seat or role 'player_7'"),
        (["gredy"], None, "unknown policy for duet 'gredy'; did you mean 'greedy'?"),
    ):
        with pytest.raises(InvalidOption, match=sentence.replace("?", r"\?")):
            line_ups(DUET, rules, partners, learner)
    with pytest.raises(InvalidOption, match="literal"):
        line_ups(LISAK, LISAK.make_ruleset("tiny"), ["literal"], ["fox"])  # it cannot seek


def test_an_evaluation_counts_each_partner_and_all_together() -> None:
    rules = DUET.make_ruleset("tiny")
    greedy = make_policy("greedy", DUET, rules)
    ups = line_ups(DUET, rules, ["greedy", "random"], None)
    result, shares = evaluate_beside(DUET, greedy, ups, 200, 0, rules)
    assert result.games == 400 and set(shares) == {"greedy", "random"}
    assert shares["greedy"] > shares["random"]
    assert result.win_rate == pytest.approx((shares["greedy"] + shares["random"]) / 2)
    assert sum(result.outcomes.values()) == 400
