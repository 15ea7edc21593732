"""Boards as data (ruling D4), and every option, board and deck that is refused."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from positions import deal, play, seen, snapshot

from reynard.envs import duet_v0
from reynard.envs.duet import BOARDS, DUET, Board, Ruleset
from reynard.envs.errors import InvalidOption
from reynard.training.evaluate import evaluate

BOARD_A = {
    "gems": [2, 0, 1, 2, 1, 0, 1, 2, 1, 0, 2],
    "plus_marks": [1, 3, 4, 6, 8],
    "start": 5,
    "forest_tiles": 4,
}
SMALL = {"gems": [1, 0, 2], "plus_marks": [0], "start": 1, "forest_tiles": 1}


def fresh(**options: Any) -> duet_v0.raw_env:
    env = duet_v0.raw_env(**options)
    env.reset(seed=0)
    return env


def refused(**options: Any) -> str:
    """The one sentence with which options are refused."""
    with pytest.raises(InvalidOption) as caught:
        duet_v0.raw_env(**options)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    return message


# --- D4: boards -------------------------------------------------------------------------------------


def test_D4_board_A_is_the_default() -> None:
    env = fresh()
    state = env.to_dict()
    assert state["gems"] == BOARD_A["gems"]
    assert (state["tracker"], state["path"], state["forest_tiles"]) == (5, [0, 10], 4)
    assert seen(env, 0)["plus_marks"] == BOARD_A["plus_marks"]
    assert seen(env, 0)["start"] == 5


def test_D4_seat_0_sits_at_space_0_and_seat_1_at_space_10() -> None:
    env = fresh(board={**BOARD_A, "gems": [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]})
    assert [seen(env, seat)["gems"][0] for seat in (0, 1)] == [9, 3]


@pytest.mark.parametrize("name", ["A", "B"])
def test_D4_both_sides_have_twelve_gems_five_plus_marks_and_no_gem_space_at_the_start(name: str) -> None:
    board = BOARDS[name]
    assert (len(board.gems), sum(board.gems), len(board.plus_marks)) == (11, 12, 5)
    assert (board.start, board.gems[5]) == (5, 0)
    assert 5 not in board.plus_marks
    assert fresh(board=name).to_dict()["gems"] == list(board.gems)


def test_D4_side_B_is_pushed_towards_the_ends() -> None:
    far = {
        name: (
            sum(count * abs(space - 5) for space, count in enumerate(board.gems)),
            sum(abs(space - 5) for space in board.plus_marks),
        )
        for name, board in BOARDS.items()
    }
    assert far["B"] > far["A"] and far["B"][1] > far["A"][1]


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_D4_side_B_is_harder_for_the_same_policy(policy: str) -> None:
    gems = {side: evaluate(DUET, [policy], 1000, board=side).means["gems"] for side in ("A", "B")}
    assert gems["B"] < gems["A"] - 0.5


@pytest.mark.parametrize("board", [BOARD_A, Board(**BOARD_A)], ids=["mapping", "Board"])
def test_D4_a_board_can_be_brought_along(board: Any) -> None:
    assert snapshot(fresh(board=board)) == snapshot(fresh(board="A"))


def test_D4_a_board_of_three_spaces_can_be_played() -> None:
    env = deal("dove 8, dove 4", "dove 2, dove 6", board=SMALL, characters=(), rounds=1)
    assert env.to_dict()["path"] == [0, 2]
    play(env, "dove 8", "dove 2")
    assert env.to_dict()["path"] == [1, 2]
    assert env.to_dict()["gems"][:3] == [0, 0, 3]
    play(env, "dove 4", "dove 6")
    assert env.to_dict()["outcome"] == "lost_path"


def test_D4_a_ruleset_with_a_board_survives_JSON() -> None:
    ruleset = Ruleset(board=Board(**SMALL), hand_size=3, steps="sum")
    plain = json.loads(json.dumps(ruleset.to_dict()))
    assert Ruleset.of(plain).to_dict() == ruleset.to_dict()
    assert plain["board"] == SMALL


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": None}, "needs a start space; allowed: 1 to 1"),
        ({"start": 0}, "start space must be a whole number from 1 to 1, not 0"),
        ({"start": 2}, "start space must be a whole number from 1 to 1, not 2"),
        ({"start": True}, "from 1 to 1, not True"),
        ({"start": "1"}, "from 1 to 1, not '1'"),
        ({"start": 1.0}, "from 1 to 1, not 1.0"),
        ({"gems": [-1, 0, 2]}, "gems beside space 0 of a board must be a whole number from 0 to 100, not -1"),
        (
            {"gems": [1, 0, 101]},
            "gems beside space 2 of a board must be a whole number from 0 to 100, not 101",
        ),
        ({"gems": [1, 0, 1.5]}, "from 0 to 100, not 1.5"),
        ({"gems": [1, 0, None]}, "from 0 to 100, not None"),
        ({"gems": [1, 1, 2]}, "start space (1) has no gem space, so it holds 0 gems"),
        ({"gems": [0, 0, 0]}, "at least one gem"),
        ({"gems": [1, 0]}, "must list 3 to 11 spaces"),
        ({"gems": [1, 0, *[1] * 10]}, "must list 3 to 11 spaces"),
        ({"gems": 3}, "must list 3 to 11 spaces, not 3"),
        ({"gems": "101"}, "must list 3 to 11 spaces, not '101'"),
        ({"plus_marks": [1]}, "start space (1) has no gem space, so no plus mark either"),
        ({"plus_marks": [0, 0]}, "at most one plus mark on a space"),
        ({"plus_marks": [3]}, "plus mark's space must be a whole number from 0 to 2, not 3"),
        ({"plus_marks": [-1]}, "plus mark's space must be a whole number from 0 to 2, not -1"),
        ({"plus_marks": 0}, "plus_marks must be a list of spaces, not 0"),
        ({"forest_tiles": 2}, "forest_tiles must be a whole number from 0 to 1, not 2"),
        ({"forest_tiles": -1}, "forest_tiles must be a whole number from 0 to 1, not -1"),
        ({"forest_tiles": None}, "forest_tiles must be a whole number from 0 to 1, not None"),
        ({"gem": [1]}, "did you mean 'gems'? allowed: gems, plus_marks, start, forest_tiles"),
        ({"colour": "green"}, "allowed: gems, plus_marks, start, forest_tiles"),
    ],
)
def test_D4_an_impossible_board_is_refused(changes: Mapping[str, Any], message: str) -> None:
    assert message in refused(board={**SMALL, **changes})


@pytest.mark.parametrize("field", ["gems", "plus_marks", "start", "forest_tiles"])
def test_D4_a_board_without_one_of_its_fields_is_refused(field: str) -> None:
    board = {name: value for name, value in SMALL.items() if name != field}
    assert f"needs the field '{field}'; its fields: gems, plus_marks, start, forest_tiles" in refused(
        board=board
    )


@pytest.mark.parametrize("board", [7, None, ["A"], 1.5])
def test_D4_what_is_no_board_at_all_is_refused(board: Any) -> None:
    assert f"must be a name (A, B), a Board or a mapping of its fields, not {board!r}" in refused(board=board)


def test_D4_a_board_of_no_known_name_is_refused() -> None:
    assert refused(board="C") == "unknown board 'C'; allowed: A, B"


# --- other options ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": "winer"}, "did you mean 'winner'? allowed: winner, sum"),
        ({"steps": None}, "allowed: winner, sum"),
        ({"lead": "loser"}, "allowed: same, alternate"),
        ({"forest_loss": True}, "allowed: needed, empty"),
        ({"reward": "dense"}, "allowed: progress, outcome"),
        ({"characters": ["fox"]}, "allowed: musician, foxes, gazelle, gift, royal_heir"),
        ({"characters": [["foxes"]]}, "allowed: musician, foxes, gazelle, gift, royal_heir"),
        ({"characters": "foxes"}, "characters must be a list of names, not 'foxes'"),
        ({"characters": None}, "characters must be a list of names, not None"),
        ({"first_player": 2}, "first_player (if not None) must be a whole number from 0 to 1, not 2"),
        ({"first_player": "player_0"}, "from 0 to 1, not 'player_0'"),
        ({"first_player": True}, "from 0 to 1, not True"),
        ({"agreement": 17}, "agreement must be a whole number from 0 to 16, not 17"),
        ({"agreement": -1}, "agreement must be a whole number from 0 to 16, not -1"),
        ({"agreement": True}, "from 0 to 16, not True"),
        ({"history": 1}, "history must be True or False, not 1"),
        ({"suits": 0}, "suits must be a whole number from 1 to 3, not 0"),
        ({"suits": 4}, "suits must be a whole number from 1 to 3, not 4"),
        ({"ranks": []}, "ranks must be a list of ranks from 1 to 10"),
        ({"ranks": 5}, "ranks must be a list of ranks from 1 to 10, not 5"),
        ({"ranks": [0, 1, 2]}, "a rank must be a whole number from 1 to 10, not 0"),
        ({"ranks": [9, 10, 11]}, "a rank must be a whole number from 1 to 10, not 11"),
        ({"suits": 1, "ranks": [1, 2]}, "at least 3 cards"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 3, not 0"),
        ({"rounds": 4}, "rounds must be a whole number from 1 to 3, not 4"),
        ({"hand_size": 0}, "from 1 to 11, not 0"),
        ({"hand_size": 12}, "from 1 to 11, not 12"),
        ({"hand_size": 3, "suits": 1, "ranks": [1, 2, 3, 4, 5, 6]}, "from 1 to 2, not 3"),
        (
            {"board": {**SMALL, "gems": [64, 0, 64]}},
            "all gems of an episode must be a whole number from 1 to 127",
        ),
        ({"colour": "green"}, "allowed: steps, lead, board, characters"),
        ({"agreements": 3}, "did you mean 'agreement'?"),
        ({"ruleset": "standart"}, "did you mean 'standard'? allowed: standard, boxed, tiny"),
        (
            {"ruleset": 3},
            "ruleset must be a name (standard, boxed, tiny), a Ruleset or a mapping of options, not 3",
        ),
        ({"ruleset": {"step": "sum"}}, "did you mean 'steps'?"),
    ],
)
def test_a_wrong_option_is_refused_in_one_sentence(options: dict[str, Any], message: str) -> None:
    assert message in refused(**options)


def test_options_replace_those_of_a_ruleset() -> None:
    boxed = fresh(ruleset="boxed", agreement=2).ruleset
    assert (boxed.steps, boxed.lead, boxed.agreement) == ("sum", "alternate", 2)
    assert fresh(ruleset={"steps": "sum"}).ruleset == Ruleset(steps="sum")
    assert fresh(ruleset=replace(boxed, rounds=1)).ruleset.rounds == 1


# --- decks ------------------------------------------------------------------------------------------

IN_ORDER = list(range(30))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decks": [IN_ORDER] * 4}, "holds 4 decks, but a game has 3 rounds"),
        ({"decks": IN_ORDER}, "but a game has 3 rounds"),
        ({"decks": 5}, "decks"),
        (
            {"decks": [IN_ORDER, IN_ORDER[:-1]]},
            "deck 1 is no permutation of the 30 card ids in play (0 … 29)",
        ),
        ({"decks": [[*IN_ORDER, 0]]}, "deck 0 is no permutation"),
        ({"decks": [[0, *IN_ORDER[:-1]]]}, "deck 0 is no permutation"),
        ({"decks": [[*IN_ORDER[1:], 30]]}, "deck 0 is no permutation"),
        ({"decks": [[*IN_ORDER[1:], -1]]}, "deck 0 is no permutation"),
        ({"decks": [[]]}, "deck 0 is no permutation"),
        ({"decks": [None]}, "deck 0 is no permutation"),
        ({"decks": [7]}, "deck 0 is no permutation"),
        ({"decks": [["dove 1", *IN_ORDER[1:]]]}, "deck 0 is no permutation"),
        ({"decks": [[0.9, *IN_ORDER[1:]]]}, "deck 0 is no permutation"),
        ({"deck": [IN_ORDER]}, "did you mean 'decks'?"),
        ({"first_player": 2}, "'first_player' must be a whole number from 0 to 1, not 2"),
        ({"first_player": "player_1"}, "from 0 to 1, not 'player_1'"),
        ({"firstplayer": 1}, "did you mean 'first_player'?"),
        ({"decks": [IN_ORDER], "first_player": -1}, "from 0 to 1, not -1"),
    ],
)
def test_D5_a_wrong_deck_or_first_player_is_refused_and_nothing_changes(
    options: dict[str, Any], message: str
) -> None:
    env = fresh()
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    before = snapshot(env)
    with pytest.raises(InvalidOption) as caught:
        env.reset(seed=99, options=options)
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert snapshot(env) == before
    untroubled = fresh()
    env.reset()
    untroubled.reset()
    assert snapshot(env) == snapshot(untroubled)


def test_D5_a_deck_of_a_smaller_game_holds_just_its_cards() -> None:
    env = duet_v0.raw_env(suits=1, ranks=(2, 4, 10), hand_size=1)
    env.reset(seed=0, options={"decks": [[9, 1, 3]]})
    assert env.to_dict()["hands"] == [[9], [1]]
    assert env.to_dict()["decree"] == 3
    with pytest.raises(InvalidOption, match=r"the 3 card ids in play \(1, 3, 9\)"):
        env.reset(options={"decks": [IN_ORDER]})


def test_D5_reset_options_of_other_packages_are_passed_over() -> None:
    env = fresh()
    before = snapshot(env)
    env.reset(seed=0, options={"wrapper": "anything"})
    assert snapshot(env) == before
