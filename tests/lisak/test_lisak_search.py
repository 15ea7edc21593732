"""Lišák's players who think further: seekers who plan whole rows, and a fox that thinks of its seekers."""

from typing import Any

import numpy as np
import pytest
from lisak_games import RULESETS, random_states, scaled
from lisak_worlds import world as other_world

from reynard.envs import InvalidOption, jit
from reynard.envs.lisak import LISAK, World
from reynard.envs.lisak.state import FOX, TOKENS, WRITE
from reynard.envs.lisak.world import random_world
from reynard.envs.streams import key_of
from reynard.envs.table import Table
from reynard.policies import Dice, Policy, make_policy
from reynard.policies.lisak import ahead
from reynard.policies.lisak.foresight import after_row
from reynard.policies.lisak.posterior import Posterior
from reynard.training.evaluate import Evaluation, evaluate

TEAM = ["fox=canny", "seeker=bayes"]
WORLD = random_world(40, 60, 1)

#: Uncompiled, a single plan in a world of this size takes minutes.
needs_compiler = pytest.mark.skipif(not jit.ENABLED, reason="too slow with REYNARD_JIT=0")


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table plays its first moves uncompiled; here that would take most of the time."""
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)


def ask(policy: Policy, observation: np.ndarray, mask: np.ndarray, seat: int, seed: int = 0) -> int:
    dice = Dice(key_of(seed), np.full(1, seed), np.full(1, seed))
    return int(policy.act(observation[None], mask[None], np.array([seat]), dice)[0])


def act(policy: str, table: Table) -> int:
    """What a policy does for whoever is to move."""
    seat, player = table.to_move, make_policy(policy, LISAK, table.ruleset)
    return ask(player, table.observations[seat], table.masks[seat], seat)


def world_of(judged: list[list[int]]) -> World:
    """A world of one hint with exactly these judgements of its ideas; answers say nothing of each other."""
    ideas = np.array(judged, np.int8)
    template = random_world(len(ideas), ideas.shape[1], 0)
    judgement = np.hstack([ideas, 2 * np.eye(len(ideas), dtype=np.int8)])
    texts = (template.hints[:1], template.answers, template.ideas, template.cards)
    return World("made", *texts, np.zeros(len(ideas), np.int16), judgement)


# --- all kinds of games -----------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("name", RULESETS)
def test_they_play_every_kind_of_game(name: str) -> None:
    ruleset = RULESETS[name]
    last = f"seeker_{ruleset.seekers - 1}"
    for team in (TEAM, ["fox=literal", f"{last}=random", "seeker=bayes"], ["random", "seeker_0=bayes"]):
        result = evaluate(LISAK, team, 5, seed=1, ruleset=ruleset)  # an illegal action would raise
        assert sum(result.outcomes.values()) == 5


def without_time(result: Evaluation) -> dict[str, Any]:
    return {name: value for name, value in result.to_dict().items() if name != "seconds"}


@needs_compiler
def test_X1_the_result_depends_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for options in ({}, {"writing": "hidden", "players": 3}):

        def played(size: int, threads: int | None, options: dict[str, Any] = options) -> dict[str, Any]:
            return without_time(
                evaluate(LISAK, TEAM, 270, 5, batch_size=size, threads=threads, world=WORLD, **options)
            )

        whole = played(4096, None)
        assert played(7, 2) == whole
        with monkeypatch.context() as patch:
            patch.setattr(ahead, "PLANS_KEPT", 3)  # what is remembered changes nothing either
            assert played(64, 1) == whole


@needs_compiler
@pytest.mark.parametrize("writing", ["in_turn", "hidden"])
def test_they_act_alike_whatever_the_observation_looks_like(writing: str) -> None:
    seen = [
        evaluate(LISAK, TEAM, 40, seed=2, world=WORLD, writing=writing, **options).outcomes
        for options in ({}, {"rows": "flat"}, {"rows": "flat", "knowledge": "posterior", "history": False})
    ]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("name", ["flat", "three", "known"])
def test_X3_what_a_seat_must_not_know_makes_no_difference_to_what_it_does(name: str) -> None:
    ruleset, rng = RULESETS[name], np.random.default_rng(1)
    table, compared = Table(LISAK, ruleset), 0
    players = [make_policy("canny" if seat == FOX else "bayes", LISAK, ruleset) for seat in range(2)]
    for state, _ in random_states(table, rng, scaled(6)):
        seat = int(state["to_move"])
        if seat < 0 or (not jit.ENABLED and seat != FOX):
            continue
        player = players[min(seat, 1)]
        chosen = ask(player, table.observations[seat].copy(), table.masks[seat].copy(), seat)
        table.records[0] = other_world(state, seat, ruleset, rng)
        table.refresh()
        assert ask(player, table.observations[seat], table.masks[seat], seat, seed=1) == chosen
        compared += table.records["answer"][0] != state["answer"]
    assert compared > 5 or not jit.ENABLED


def test_bad_arguments_are_refused_in_one_sentence() -> None:
    for spec in ("bayes:ahead=0", "bayes:ahead=5", "bayes:ahead", "bayes:deep", "bayes:ahead=two"):
        with pytest.raises(
            InvalidOption, match="bayes takes ahead=N, N from 1 to 4, as in bayes:ahead=2, not"
        ):
            make_policy(spec, LISAK, LISAK.presets["tiny"])
    with pytest.raises(InvalidOption, match="takes no argument"):
        make_policy("canny:x", LISAK, LISAK.presets["tiny"])


@needs_compiler
def test_the_compiled_search_has_one_version() -> None:
    """Of a function that calls itself Numba can only reload one version from its cache."""
    evaluate(LISAK, TEAM, 2, world=WORLD)
    assert len(after_row.signatures) <= 1  # type: ignore[attr-defined]


# --- seekers who look ahead -------------------------------------------------------------------------

#: Four answers. Idea 0 halves them, as no other pair of ideas does that goes with it: together with idea 1
#: it leaves two answers alike whatever comes third. Ideas 1, 2 and 3 together tell all of them apart.
TRAP = world_of([[2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 2, 2], [2, 2, 2, 2]])


def written_row(policy: str, card: int, **options: Any) -> tuple[Table, list[int]]:
    table = Table(LISAK, world=TRAP, consultation=0, **options)
    table.begin(0, {"card": card})
    row = []
    while table.to_dict()["phase"] == "write" and table.to_dict()["round"] == 1:
        row.append(act(policy, table))
        table.play(row[-1])
    return table, row


def test_two_ahead_finds_the_row_that_one_ahead_misses() -> None:
    counts: dict[str, list[tuple[int, ...]]] = {}
    for policy in ("bayes:ahead=1", "bayes:ahead=2"):
        _, row = written_row(policy, 1, trophies=1)
        told = (TRAP.judgement[:, row] == 2).sum(axis=1)
        counts[policy] = sorted(told.tolist())
    assert len(set(counts["bayes:ahead=1"])) < 4
    assert counts["bayes:ahead=2"] == [0, 1, 2, 3]


def test_they_win_as_soon_as_the_row_has_told_all() -> None:
    for card in (1, 2, 3, 4):
        table, row = written_row("bayes", card, trophies=1)
        table.play(table.action_names.index(f"tokens: {(TRAP.judgement[card - 1, row] == 2).sum()}"))
        while table.to_dict()["phase"] not in ("write", "over"):
            table.play(table.action_names.index("pass"))
        assert act("bayes", table) == len(TRAP.clues) + card - 1
        table.play(act("bayes", table))
        while table.to_move >= 0:
            table.play(act("bayes", table))
        assert table.outcome() == "win" and table.to_dict()["round"] == 2


def test_hidden_writers_follow_one_plan_with_and_without_a_word() -> None:
    rows = [written_row("bayes", 1, trophies=1)[1]]
    rows.append(written_row("bayes", 1, trophies=1, writing="hidden")[1])
    table = Table(LISAK, world=TRAP, writing="hidden", trophies=1)
    table.begin(0, {"card": 1})
    said = []
    while table.to_dict()["phase"] in ("consult", "write") and table.to_dict()["round"] == 1:
        said.append(act("bayes", table))
        table.play(said[-1])
    assert said[:3] == said[3:]  # what was proposed is written
    assert rows[0] == rows[1] == said[:3]


def test_the_rest_of_a_row_is_planned_anew_if_somebody_writes_something_else() -> None:
    planned = written_row("bayes", 1, trophies=1)[1]
    table = Table(LISAK, world=TRAP, consultation=0, trophies=1)
    table.begin(0, {"card": 1})
    table.play(table.action_names.index("blank card"))
    rest = []
    for _ in range(2):
        rest.append(act("bayes", table))
        table.play(rest[-1])
    # two cards tell three answers apart at best
    assert len(set((TRAP.judgement[:, rest] == 2).sum(axis=1).tolist())) == 3 and rest != planned[1:]


def test_in_the_last_round_the_likeliest_answers_are_tried_one_by_one() -> None:
    table = Table(LISAK, world=TRAP, consultation=0, rounds=2, trophies=3)
    table.begin(0, {"card": 4})
    for _ in range(3):
        table.play(table.action_names.index("blank card"))
    table.play(table.action_names.index("tokens: 0"))
    tried = []
    while table.to_move >= 0:
        tried.append(act("bayes", table))
        table.play(tried[-1])
    assert len(set(tried)) == len(tried) <= 3 and min(tried) >= len(TRAP.clues)


@needs_compiler
def test_looking_ahead_saves_rounds() -> None:
    """By a clear margin: about three standard errors of the difference more than asked for here."""
    for options, margin in (({}, 0.15), ({"hint": False}, 0.05)):
        rounds = {}
        for policy in ("bayes:ahead=1", "bayes"):
            result = evaluate(LISAK, ["fox=literal", f"seeker={policy}"], 200, seed=1, **options)
            assert result.win_rate > 0.98
            rounds[policy] = result.means["rounds"]
        assert rounds["bayes"] < rounds["bayes:ahead=1"] - margin, rounds


# --- a fox that thinks of its seekers ---------------------------------------------------------------


def said_by(judged: list[list[int]]) -> int:
    """How many tokens canny puts to idea 0 and two blank cards, if the answer is the first one."""
    table = Table(LISAK, world=world_of(judged), consultation=0)
    table.begin(0, {"card": 1})
    for action in (0, len(judged[0]) + 2 * len(judged), len(judged[0]) + 2 * len(judged)):
        table.play(action)
    return int(table.action_names[act("canny", table)].removeprefix("tokens: "))


def test_canny_counts_by_what_the_seekers_will_infer() -> None:
    # borderline for the answer; one that is right for most others tells less of it than none
    assert said_by([[1], [2], [2], [0]]) == 0
    assert said_by([[1], [0], [0], [2]]) == 1
    # within its bounds only
    assert said_by([[2], [0], [0], [0]]) == 1
    assert said_by([[0], [2], [2], [2]]) == 0


def test_canny_gives_the_count_that_leaves_most_belief_in_the_answer() -> None:
    ruleset = RULESETS["tiny"]
    table, posterior, compared = Table(LISAK, ruleset), Posterior(ruleset), 0
    for state, _ in random_states(table, np.random.default_rng(7), scaled(40)):
        legal = np.flatnonzero(table.masks[FOX])
        if state["phase"] != TOKENS or len(legal) < 2:
            continue
        chosen, beliefs = act("canny", table), {}
        for action in legal:
            table.records[0] = state
            table.refresh()
            table.play(int(action))
            states, weights = posterior.enumerate(table.observations[1], 1)
            beliefs[int(action)] = float(weights[states["answer"] == state["answer"]].sum())
        assert beliefs[chosen] == pytest.approx(max(beliefs.values()))
        compared += len(set(beliefs.values())) > 1
    assert compared > 5 or not jit.ENABLED


@needs_compiler
def test_a_canny_fox_saves_its_seekers_rounds() -> None:
    """Where there is much to find out; with a hint there are too few borderline cards to tell."""
    rounds = [
        evaluate(LISAK, [f"fox={fox}", "seeker=bayes:ahead=1"], 1000, seed=0, hint=False).means["rounds"]
        for fox in ("literal", "canny")
    ]
    assert rounds[1] < rounds[0] - 0.02, rounds


def test_canny_needs_no_dice() -> None:
    table = Table(LISAK, world=WORLD, consultation=0)
    for seed in range(3):
        table.begin(seed)
        for _ in range(3):
            table.play(int(np.flatnonzero(table.masks[table.to_move])[seed]))
        if table.to_move != FOX:
            continue
        player = make_policy("canny", LISAK, table.ruleset)
        said = {ask(player, table.observations[0], table.masks[0], 0, seed=number) for number in range(5)}
        assert len(said) == 1 and table.records["phase"][0] != WRITE
