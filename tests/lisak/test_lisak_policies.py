"""The players of Lišák: what they choose, who can sit where, and that reckoning pays."""

import itertools
from typing import Any

import numpy as np
import pytest

from reynard.envs import InvalidOption
from reynard.envs.games import records_for
from reynard.envs.lisak import LISAK, World
from reynard.envs.lisak.inference import likelihood
from reynard.envs.lisak.reading import read_states
from reynard.envs.lisak.world import random_world
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, make_policy, policies_of
from reynard.policies.lisak.reckoning import information, tables_for, weigh
from reynard.policies.seats import name_seats, seat_policies, team_name
from reynard.training.evaluate import evaluate
from reynard.training.show import play_through

REASONERS = ["fox=literal", "seeker=bayes:ahead=1"]  # those who plan rows: test_lisak_search.py
WORLD = random_world(40, 60, 1)
SHAPES: list[dict[str, Any]] = [
    {},
    {"players": 3},
    {"players": 6, "consultation": 0},
    {"writing": "hidden", "consultation": 2},
    {"writing": "hidden", "consultation": 0, "players": 3},
    {"hint": False, "knowledge": "posterior"},
    {"rows": "flat", "history": False},
    {"fox": "free", "rounds": 3, "trophies": 2},
]


def act(policy: str, table: Table, move: int = 0) -> int:
    """What a policy does for whoever is to move."""
    seat = table.to_move
    dice = Dice(key_of(0), np.zeros(1), np.full(1, move))
    player = make_policy(policy, LISAK, table.ruleset)
    return int(
        player.act(table.observations[seat : seat + 1], table.masks[seat : seat + 1], np.array([seat]), dice)[
            0
        ]
    )


@pytest.mark.parametrize(
    "team", [REASONERS, ["naive"], ["random"], ["fox=canny", "seeker_0=naive", "seeker=bayes:ahead=1"]]
)
@pytest.mark.parametrize("options", SHAPES, ids=str)
def test_every_team_plays_every_kind_of_game(team: list[str], options: dict[str, Any]) -> None:
    if len(team) == 3 and options.get("players") == 3:
        team = [*team[:1], "seeker_1=naive", "seeker=bayes:ahead=1"]
    result = evaluate(LISAK, team, 40, seed=0, world=WORLD, **options)  # an illegal action would raise
    assert sum(result.outcomes.values()) == 40


@pytest.mark.parametrize("options", SHAPES[:6], ids=str)
def test_reckoning_beats_guessing_and_guessing_beats_chance(options: dict[str, Any]) -> None:
    rates = [
        evaluate(LISAK, team, 300, seed=1, world=WORLD, **options).win_rate
        for team in (REASONERS, ["naive"], ["random"])
    ]
    assert rates[0] > rates[1] + 0.1 and rates[0] > 0.8
    assert rates[1] > rates[2]


@pytest.mark.parametrize("team", [REASONERS, ["naive"]])
def test_X1_the_result_depends_on_the_seed_alone(team: list[str]) -> None:
    results = [
        evaluate(LISAK, team, 120, seed=5, batch_size=size, threads=threads, world=WORLD).to_dict()
        for size, threads in ((4096, None), (64, 1), (7, 2))
    ]
    for result in results:
        result.pop("seconds")
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("rows", ["compact", "flat"])
@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
def test_players_act_alike_whatever_the_observation_looks_like(rows: str, writing: str) -> None:
    seen = [
        evaluate(LISAK, REASONERS, 60, seed=2, world=WORLD, writing=writing, **options).outcomes
        for options in ({}, {"rows": rows}, {"rows": rows, "knowledge": "posterior", "history": False})
    ]
    assert seen[0] == seen[1] == seen[2]


def test_L16_ratings_and_losses_are_reported() -> None:
    result = evaluate(LISAK, ["naive"], 200, seed=0, world=WORLD)
    assert set(result.shares) == {"cunning_foxes", "seasoned_hounds", "sharp_falcons"}
    assert sum(result.shares.values()) == pytest.approx(result.win_rate)
    assert set(result.outcomes) == {"win", "lost_clue", "lost_trophies", "lost_rounds"}
    assert 1 <= result.means["rounds"] <= 7 and result.team == "naive"
    rounds, ratings = [], []
    for index in range(200):
        *_, (table, _, _) = play_through(LISAK, ["naive"], 0, index, world=WORLD)
        rounds.append(table.to_dict()["round"])
        ratings.append(table.to_dict()["rating"])
    assert result.means["rounds"] == pytest.approx(np.mean(rounds))
    for name, share in result.shares.items():
        assert share == pytest.approx(ratings.count(name) / 200)


# --- who sits where ---------------------------------------------------------------------------------

AGENTS = ("fox", "seeker_0", "seeker_1", "seeker_2")


def test_policies_are_seated_by_number_role_or_name() -> None:
    assert name_seats(AGENTS, "naive") == ["naive"] * 4
    assert name_seats(AGENTS, ["a", "b", "c", "d"]) == ["a", "b", "c", "d"]
    assert name_seats(AGENTS, ["seeker=bayes", "fox=literal"]) == ["literal", "bayes", "bayes", "bayes"]
    assert name_seats(AGENTS, ["naive", "seeker_1=bayes", "fox=literal"]) == [
        "literal",
        "naive",
        "bayes",
        "naive",
    ]
    assert name_seats(AGENTS, {"fox": "x"}) == ["x", None, None, None]
    assert name_seats(AGENTS, ["human:timer=20"]) == ["human:timer=20"] * 4
    assert name_seats(("player_0", "player_1"), ["player_1=greedy", "cautious"]) == ["cautious", "greedy"]
    for team, sentence in (
        (["a", "b"], "name 1 policy or 4"),
        ([], "name 1 policy or 4"),
        (["foxy=a", "b"], "unknown seat or role 'foxy'; did you mean 'fox'?"),
    ):
        with pytest.raises(InvalidOption, match=sentence):
            name_seats(AGENTS, team)


def test_a_policy_in_the_wrong_seat_or_none_is_refused() -> None:
    ruleset = LISAK.make_ruleset(world=WORLD)
    for team, sentence in (
        ("bayes", "the policy 'bayes' plays seeker, not fox"),
        ("literal", "the policy 'literal' plays fox, not seeker"),
        (["fox=literal"], "nobody plays seeker_0: name a policy"),
        ("bays", "unknown policy for lisak 'bays'; did you mean 'bayes'"),
    ):
        with pytest.raises(InvalidOption, match=sentence):
            seat_policies(LISAK, ruleset, team)
    _, players = seat_policies(LISAK, ruleset, REASONERS)
    assert players[1] is players[2] is players[3] is not players[0]  # asked once for all of them


def test_a_team_has_a_short_name() -> None:
    assert team_name(AGENTS, ["naive"] * 4) == "naive"
    assert team_name(AGENTS, ["literal", "bayes", "bayes", "bayes"]) == "literal+bayes"
    assert team_name(AGENTS, ["literal", "bayes", "naive", "bayes"]) == "literal+bayes+naive+bayes"
    assert team_name(("player_0", "player_1"), ["greedy", "cautious"]) == "greedy+cautious"


def test_policies_have_a_name_and_a_sentence() -> None:
    assert {"random", "human", "naive", "bayes", "literal", "canny"} <= set(policies_of("lisak"))
    assert "greedy" not in policies_of("lisak") and all(policies_of("lisak").values())


# --- what they choose -------------------------------------------------------------------------------


def world_of(judged: list[list[int]]) -> World:
    """A world of one hint with exactly these judgements of its ideas; answers say nothing of each other."""
    ideas = np.array(judged, np.int8)
    template = random_world(len(ideas), ideas.shape[1], 0)
    judgement = np.hstack([ideas, 2 * np.eye(len(ideas), dtype=np.int8)])
    return World(
        "made",
        template.hints[:1],
        template.answers,
        template.ideas,
        template.cards,
        np.zeros(len(ideas), np.int16),
        judgement,
    )


#: Eight answers; idea 0 is true of all, idea k + 1 of those with bit k, idea 4 of the first only.
BITS = world_of([[2, *(2 * (answer >> k & 1) for k in range(3)), 2 * (answer == 0)] for answer in range(8)])


def test_bayes_asks_what_tells_most_given_what_is_in_the_row() -> None:
    table = Table(LISAK, world=BITS, consultation=0)
    table.begin(0, {"card": 6})
    first = act("bayes:ahead=1", table)
    assert first in (1, 2, 3)  # an even split, not what is true of all or of one
    table.play(first)
    second = act("bayes:ahead=1", table)
    assert second in {1, 2, 3} - {first}  # the same once more would add nothing


def test_bayes_uses_trophies_only_when_they_pay() -> None:
    table = Table(LISAK, world=BITS, consultation=0, players=3)
    numbers = len(BITS.clues)
    table.begin(0, {"card": 6})  # answer 5: bits 0 and 2
    for action in (1, 2, 3, 0):
        table.play(action)
    table.play(table.action_names.index("tokens: 3"))
    table.play(table.action_names.index("joker: row 1, card 1"))
    # two of three bits are set and bit 0 is: answers 3 and 5; the row has room for both
    assert act("bayes:ahead=1", table) in (numbers + 3, numbers + 5)
    table.play(numbers + 3)
    assert act("bayes:ahead=1", table) == numbers + 5


def test_hidden_writers_divide_the_questions_as_those_who_see_each_others_cards() -> None:
    rows = []
    for writing, consultation in (("in_turn", 0), ("hidden", 0), ("hidden", 1)):
        table = Table(LISAK, world=BITS, writing=writing, consultation=consultation)
        table.begin(0, {"card": 6})
        said = []
        while table.to_dict()["phase"] in ("consult", "write"):
            said.append(act("bayes:ahead=1", table))
            table.play(said[-1])
        assert said[-3:] == said[:3]  # what was proposed is written
        rows.append(said[-3:])
    assert rows[0] == rows[1] == rows[2] and len(set(rows[0])) > 1
    # and if somebody proposes something else, the next ones reckon with that
    table.begin(0, {"card": 6})
    table.play(rows[0][1])
    assert act("bayes:ahead=1", table) != rows[0][1]


def test_literal_is_honest_and_flips_a_coin_for_each_borderline_card() -> None:
    world = world_of([[2, 1, 1, 0], [0, 0, 0, 2]])
    table = Table(LISAK, world=world, consultation=0)
    counts = []
    table.begin(0, {"card": 1})
    for action in (0, 1, 2):
        table.play(action)
    for move in range(400):
        counts.append(table.action_names[act("literal", table, move)])
    shares = [counts.count(f"tokens: {count}") / 400 for count in range(4)]
    assert shares[0] == 0 and abs(shares[1] - 0.25) < 0.1 and abs(shares[2] - 0.5) < 0.1


def test_literals_joker_lies_where_it_tells_most_and_naive_has_none() -> None:
    # idea 0 is true of the answer alone, idea 1 of all: the joker belongs on idea 0
    world = world_of([[2, 2, 0, 2], *[[0, 2, 2 * (k % 2), 2] for k in range(7)]])
    table = Table(LISAK, world=world, consultation=0)
    table.begin(0, {"card": 1})
    for action in (0, 1, 3):
        table.play(action)
    table.play(table.action_names.index("tokens: 3"))
    assert act("naive", table) == table.action_names.index("pass")
    # with three tokens for three cards everything is known already, and a joker would be wasted
    assert act("literal", table) == table.action_names.index("pass")
    table.begin(0, {"card": 1})
    for action in (0, 2, 3):
        table.play(action)
    table.play(table.action_names.index("tokens: 2"))
    assert act("literal", table) == table.action_names.index("joker: row 1, card 1")


# --- what they reckon with --------------------------------------------------------------------------


def positions(count: int, **options: Any) -> list[Table]:
    """Tables in the middle of random games, a seeker to write."""
    rng, found = np.random.default_rng(3), []
    for index in itertools.count():
        table = Table(LISAK, world=WORLD, **options)
        table.begin(index)
        for _ in range(int(rng.integers(6, 40))):
            if table.to_move < 0:
                break
            legal = np.flatnonzero(table.masks[table.to_move])
            table.play(int(rng.choice(legal[: len(WORLD.ideas)])))  # ideas rather than trophies
        if table.to_move > 0 and table.to_dict()["phase"] == "write":
            found.append(table)
        if len(found) == count:
            return found
    raise AssertionError


def test_information_is_the_mutual_information_of_count_and_answer() -> None:
    for table in positions(4):
        rules, tables = tables_for(table.ruleset)
        game = records_for(read_states(table.observations[1:2], table.ruleset, rules), True)[0]
        plain = records_for(rules, True)
        weights = np.empty(len(plain.pool))
        begin = weigh(game, plain, weights)
        start, end = (
            int(k) for k in plain.pool_start[[plain.hint_of[game.answer], plain.hint_of[game.answer] + 1]]
        )
        weights = weights[: end - start]
        chances = [likelihood(game, plain.pool[k], plain) for k in range(start, end)]
        assert begin == start and weights == pytest.approx(np.array(chances) / sum(chances))
        none = np.zeros(len(weights), np.int64)
        for idea in range(0, len(WORLD.ideas), 7):
            joint = np.zeros((len(weights), 2))
            for k, weight in enumerate(weights):
                yes = (0.0, 0.5, 1.0)[WORLD.judgement[plain.pool[start + k], idea]]
                joint[k] = weight * (1 - yes), weight * yes
            outer = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
            terms = joint[joint > 0] * np.log2(joint[joint > 0] / outer[joint > 0])
            told = information(idea, tables, begin, weights, np.flatnonzero(weights), none, none, np.empty(6))
            assert told == pytest.approx(terms.sum(), abs=1e-9)
