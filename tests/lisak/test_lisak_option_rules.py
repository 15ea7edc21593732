"""Options that describe no game are refused in one sentence, and nothing changes (ruling X2)."""

from typing import Any

import pytest
from lisak_positions import (
    WORLD,
    deal,
    now,
    play,
    play_rounds,
    snapshot,
)

import reynard.envs  # noqa: F401 - registers
from reynard.envs import lisak_v0
from reynard.envs.errors import InvalidOption
from reynard.envs.lisak import LISAK
from reynard.envs.table import Table


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "players must be a whole number from 3 to 6, not 2"),
        ({"players": 7}, "players must be a whole number from 3 to 6, not 7"),
        ({"players": 4.0}, "players must be a whole number from 3 to 6, not 4.0"),
        ({"players": True}, "from 3 to 6, not True"),
        ({"players": "4"}, "from 3 to 6, not '4'"),
        ({"consultation": 4}, "consultation must be a whole number from 0 to 3, not 4"),
        ({"consultation": -1}, "from 0 to 3, not -1"),
        ({"consultation": None}, "from 0 to 3, not None"),
        ({"rounds": 1}, "rounds must be a whole number from 2 to 7, not 1"),
        ({"rounds": 8}, "rounds must be a whole number from 2 to 7, not 8"),
        ({"trophies": 0}, "trophies must be a whole number from 1 to 3, not 0"),
        ({"trophies": 4}, "trophies must be a whole number from 1 to 3, not 4"),
        ({"fox": "litteral"}, "did you mean 'literal'? allowed: literal, free"),
        ({"fox": True}, "allowed: literal, free"),
        ({"writing": "hiden"}, "did you mean 'hidden'? allowed: in_turn, hidden"),
        ({"card_order": "random"}, "allowed: drawn, box"),
        ({"reward": "progress"}, "allowed: outcome, rated"),
        ({"rows": "Flat"}, "allowed: compact, flat"),
        ({"knowledge": "everything"}, "allowed: None, posterior"),
        ({"knowledge": True}, "allowed: None, posterior"),
        ({"hint": 1}, "hint must be True or False, not 1"),
        ({"hint": "Animals"}, "must be True or False"),
        ({"history": "yes"}, "must be True or False"),
        ({"language": "de"}, "allowed: en, cs"),
        ({"world": "boxx"}, "unknown world 'boxx'"),
        (
            {"world": "random(1, 5, 0)"},
            "of a random world must be a whole number from 2 to 5000, not 1",
        ),
        (
            {"world": "random(5, 0, 0)"},
            "of a random world must be a whole number from 1 to 5000, not 0",
        ),
        ({"world": "random(5, 5)"}, "unknown world 'random(5, 5)'"),
        ({"world": None}, "world must be a name, a folder or a World, not None"),
        ({"world": 7}, "world must be a name, a folder or a World, not 7"),
        ({"hints": ["Animal"]}, "unknown hint 'Animal'; did you mean 'Animals'? allowed: Animals, Trees"),
        ({"hints": [3]}, "unknown hint 3"),
        ({"hints": "Animals"}, "hints must be a list (or None for all), not 'Animals'"),
        ({"hints": []}, "must leave at least one card to play"),
        ({"cards": [4]}, "there is no card 4"),
        ({"cards": [1]}, "must be a whole number from 2 to 21, not 1"),
        ({"cards": [2, 22]}, "must be a whole number from 2 to 21, not 22"),
        ({"cards": 3}, "cards must be a list (or None for all), not 3"),
        ({"cards": ["3"]}, "must be a whole number from 2 to 21, not '3'"),
        ({"cards": [3.0]}, "must be a whole number from 2 to 21, not 3.0"),
        ({"cards": []}, "must leave at least one card to play"),
        ({"cards": [8], "hints": ["Animals"]}, "must leave at least one card to play"),
        ({"player": 4}, "unknown option 'player'; did you mean 'players'?"),
        ({"consultations": 1}, "did you mean 'consultation'?"),
        ({"colour": "red"}, "unknown option 'colour'; allowed: world, players, fox"),
        ({"ruleset": "standart"}, "did you mean 'standard'? allowed: standard, small, tiny"),
        ({"ruleset": {"reward": "rate"}}, "did you mean 'rated'?"),
        ({"ruleset": 3}, "a Ruleset or a mapping of options, not 3"),
    ],
    ids=repr,
)
def test_X2_a_wrong_option_is_refused_in_one_sentence(options: dict[str, Any], message: str) -> None:
    for make in (lisak_v0.raw_env, lisak_v0.parallel_env, lisak_v0.vector_env):
        with pytest.raises(InvalidOption) as caught:
            make(**{"world": WORLD, **options} if "ruleset" not in options else options)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("preset", LISAK.presets)
def test_X2_cards_beside_the_box_are_refused(preset: str) -> None:
    count = len(LISAK.presets[preset].words.cards)
    table = Table(LISAK, preset)
    for number in (0, count + 1, -1, None, "1"):
        with pytest.raises(InvalidOption, match=f"a whole number from 1 to {count}, not {number!r}"):
            Table(LISAK, preset, cards=[1, number])
        if number is not None:
            with pytest.raises(InvalidOption, match=f"'card' must be a whole number from 1 to {count}"):
                table.begin(0, {"card": number})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"card": 0}, "the reset option 'card' must be a whole number from 2 to 21, not 0"),
        ({"card": 301}, "the reset option 'card' must be a whole number from 2 to 21, not 301"),
        ({"card": 4}, "the reset option 'card' must be the number of a card, but there is no card 4"),
        ({"card": 8}, "card 8 is not among the 3 cards this game plays with"),
        ({"card": "cat"}, "from 2 to 21, not 'cat'"),
        ({"card": True}, "from 2 to 21, not True"),
        ({"card": 2.0}, "from 2 to 21, not 2.0"),
        ({"cards": [2]}, "unknown reset option 'cards'; did you mean 'card'?"),
        ({"game": -1}, "the reset option 'game' must be a whole number from 0"),
    ],
    ids=repr,
)
def test_X2_a_wrong_reset_option_is_refused_and_nothing_changes(
    options: dict[str, Any], message: str
) -> None:
    env, untroubled = (lisak_v0.raw_env(world=WORLD, hints=["Animals"], consultation=0) for _ in range(2))
    for each in (env, untroubled):
        each.reset(seed=3)
        play(each, "furry")
    before = snapshot(env)
    for seed in (99, None):
        with pytest.raises(InvalidOption) as caught:
            env.reset(seed=seed, options=options)
        assert message in str(caught.value) and "\n" not in str(caught.value)
        assert snapshot(env) == before
    for seed in (-1, 1.5, "3", True):
        with pytest.raises(ValueError, match="seed must be a non-negative integer or None"):
            env.reset(seed=seed)  # type: ignore[arg-type]
        assert snapshot(env) == before
    for each in (env, untroubled):
        each.reset()
    assert snapshot(env) == snapshot(untroubled)


def test_X2_options_of_other_packages_and_no_card_are_passed_over() -> None:
    env, other = deal(), lisak_v0.raw_env(world=WORLD, consultation=0)
    env.reset(seed=5, options={"wrapper": 1, "card": None})
    other.reset(seed=5)
    assert snapshot(env) == snapshot(other)


def test_X2_options_replace_those_of_a_ruleset() -> None:
    ruleset = lisak_v0.raw_env("small", players=6, fox="free").ruleset
    assert (ruleset.players, ruleset.fox, len(ruleset.words.answers)) == (6, "free", 60)
    assert lisak_v0.raw_env(ruleset, players=3).ruleset.fox == "free"
    assert lisak_v0.raw_env({"rounds": 3}).ruleset.rounds == 3
    assert LISAK.make_ruleset(**ruleset.to_dict()) == ruleset
    env = deal(rounds=2)
    play_rounds(env, 1)
    assert now(env, "round") == 2
