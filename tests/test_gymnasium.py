"""Gymnasium's own checks on the solo environment, and the vector environment's promises."""

import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from games import MODULES, PRESETS
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import reynard.envs  # noqa: F401 - registers
from reynard.envs import IllegalAction, InvalidOption
from reynard.policies import Uniform
from reynard.policies.seats import GOOD_TEAMS

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@every_preset
@pytest.mark.parametrize("seat", [0, 1, None])
def test_check_env(name: str, preset: str, seat: int | None) -> None:
    # the checker samples actions without a mask, so it needs the mode for those who cannot mask
    env = gymnasium.make(f"reynard/{name}-v0", ruleset=preset, seat=seat, illegal="replace")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def earnings(name: str, env: Any, won: bool) -> float:
    """What a finished episode has brought in all."""
    if name == "duet":
        return env.table.to_dict()["collected"] / env.ruleset.all_gems + won
    return float(won)


SEATS = [
    (name, seat) for name, module in MODULES.items() for seat in range(len(module.raw_env().possible_agents))
]


@pytest.mark.parametrize(("name", "seat"), SEATS)
def test_solo_plays_in_any_seat_with_partners(name: str, seat: int) -> None:
    env: Any = gymnasium.make(f"reynard/{name}-v0", partner=GOOD_TEAMS[name], seat=seat).unwrapped
    rng, wins = np.random.default_rng(0), 0
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        assert info == {"seat": seat}
        over, earned = False, 0.0
        while not over:
            assert seen["action_mask"].any()
            assert (env.action_masks() == seen["action_mask"]).all()
            action = int(random_legal(seen["action_mask"][None], rng)[0])
            seen, reward, over, cut, info = env.step(action)
            earned += reward
            assert not cut
        assert info["outcome"] in MODULES[name].GAME.outcomes[1:]
        won = info["outcome"] == "win"
        wins += won
        assert earned == pytest.approx(earnings(name, env, won), abs=1e-5)
    if (name, seat) == ("lisak", 0):
        assert wins >= 10  # seekers who reckon win even with a fox that counts at random within honesty


def test_X2_solo_refuses_what_is_not_legal() -> None:
    env: Any = gymnasium.make("reynard/duet-v0").unwrapped
    seen, _ = env.reset(seed=5)
    before = env.table.records.tobytes()
    for action in (int(np.flatnonzero(seen["action_mask"] == 0)[0]), -1, 39, None, 0.5):
        with pytest.raises(IllegalAction, match="player_0 may not play"):
            env.step(action)
    assert env.table.records.tobytes() == before


def test_solo_is_the_same_for_the_same_seed_and_the_seat_hangs_on_it() -> None:
    def seats() -> list[int]:
        env = gymnasium.make("reynard/duet-v0", seat=None)
        return [env.reset(seed=seed)[1]["seat"] for seed in range(30)]

    assert seats() == seats()
    assert set(seats()) == {0, 1}


def test_solo_takes_a_policy_object_and_refuses_an_unknown_one() -> None:
    gymnasium.make("reynard/duet-v0", partner=Uniform()).reset(seed=0)
    with pytest.raises(InvalidOption, match=r"unknown policy for duet 'gready'; did you mean 'greedy'\?"):
        gymnasium.make("reynard/duet-v0", partner="gready")
    with pytest.raises(InvalidOption, match="takes no argument, not 'x'"):
        gymnasium.make("reynard/duet-v0", partner="greedy:x")
    with pytest.raises(InvalidOption, match="seat .* from 0 to 1, not 2"):
        gymnasium.make("reynard/duet-v0", seat=2)
    with pytest.raises(InvalidOption, match="illegal"):
        gymnasium.make("reynard/duet-v0", illegal="forgive")
    with pytest.raises(InvalidOption, match="nobody plays seeker_1"):
        gymnasium.make("reynard/lisak-v0", seat=1, partner={"fox": "literal"})
    with pytest.raises(InvalidOption, match="the policy 'bayes' plays seeker, not fox"):
        gymnasium.make("reynard/lisak-v0", seat=None, partner="bayes")
    gymnasium.make("reynard/lisak-v0", seat=0, partner="bayes")  # nobody else is a fox


@every_preset
def test_make_vec(name: str, preset: str) -> None:
    envs: Any = gymnasium.make_vec(f"reynard/{name}-v0", num_envs=16, ruleset=preset)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    rng = np.random.default_rng(0)
    seen, infos = envs.reset(seed=1)
    episodes = 0
    for _ in range(300):
        assert envs.observation_space.contains(seen)
        assert infos["to_move"].shape == (16,) and (infos["to_move"] >= 0).all()
        actions = random_legal(seen["action_mask"], rng)
        assert envs.action_space.contains(actions)
        seen, rewards, ended, cut, infos = envs.step(actions)
        assert rewards.dtype == np.float32 and ended.dtype == np.bool_ and not cut.any()
        if not ended.any():
            assert "final_obs" not in infos
            continue
        episodes += ended.sum()
        assert (infos["_final_obs"] == ended).all() and (infos["_final_info"] == ended).all()
        for row in range(16):
            outcome, last = infos["final_info"]["outcome"][row], infos["final_obs"][row]
            assert (outcome is not None) == (last is not None) == bool(ended[row])
            if ended[row]:
                assert envs.single_observation_space.contains(last)
                assert envs.batch.game.describe(last["observation"], envs.ruleset)["phase"] == "over"
                assert envs.batch.game.describe(seen["observation"][row], envs.ruleset)["phase"] != "over"
    assert episodes > 16


def test_vector_rows_are_seen_from_the_movers_seat() -> None:
    envs: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=8)
    single = MODULES["duet"].raw_env()
    rng = np.random.default_rng(0)
    seen, infos = envs.reset(seed=9)
    single.reset(seed=9, options={"game": 3})
    while single.agents and not any(single.terminations.values()):
        mover = single.agent_selection
        assert single.possible_agents[infos["to_move"][3]] == mover
        assert seen["observation"][3].tobytes() == single.observe(mover)["observation"].tobytes()
        assert seen["action_mask"][3].tobytes() == single.observe(mover)["action_mask"].tobytes()
        actions = random_legal(seen["action_mask"], rng)
        seen, rewards, _ended, _cut, infos = envs.step(actions)
        single.step(int(actions[3]))
        assert rewards[3] == np.float32(single.rewards[mover])


def test_vector_copies_unless_told_otherwise() -> None:
    rng = np.random.default_rng(0)
    for copy in (True, False):
        envs: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=4, copy=copy)
        seen, _ = envs.reset(seed=0)
        kept = seen["observation"].copy()
        envs.step(random_legal(seen["action_mask"], rng))
        assert (seen["observation"] == kept).all() == copy


def test_X2_one_illegal_action_stops_the_whole_step() -> None:
    envs: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=5)
    seen, _ = envs.reset(seed=0)
    before = envs.batch.records.tobytes()
    good = random_legal(seen["action_mask"], np.random.default_rng(0))
    for wrong in (-1, 39, int(seen["action_mask"][2].argmin())):
        actions = good.copy()
        actions[2] = wrong
        with pytest.raises(IllegalAction, match="duet game 2: player_. may not play"):
            envs.step(actions)
    for shape in (good[:4], good.astype(float), good.reshape(5, 1)):
        with pytest.raises(ValueError, match="integers of shape"):
            envs.step(shape)
    assert envs.batch.records.tobytes() == before


def test_get_state_and_set_state_go_on_as_if_nothing_had_happened() -> None:
    envs: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=32, ruleset="tiny")

    def play(seen: Any, steps: int) -> list[bytes]:
        rng, trace = np.random.default_rng(7), []
        for _ in range(steps):
            seen, rewards, ended, _cut, _infos = envs.step(random_legal(seen["action_mask"], rng))
            trace.append(seen["observation"].tobytes() + rewards.tobytes() + ended.tobytes())
        return trace

    seen, _ = envs.reset(seed=0)
    play(seen, 25)
    kept = pickle.loads(pickle.dumps(envs.get_state()))
    seen, _ = envs.set_state(kept)
    first = play(seen, 60)  # through several episodes, so the random streams count
    seen, infos = envs.set_state(kept)
    assert "to_move" in infos
    assert play(seen, 60) == first


def test_state_of_something_else_is_refused() -> None:
    tiny: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=4, ruleset="tiny")
    boxed: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=4, ruleset="boxed")
    more: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=5, ruleset="tiny")
    for envs in (tiny, boxed, more):
        envs.reset(seed=0)
    before = tiny.batch.records.tobytes()
    with pytest.raises(InvalidOption, match="another ruleset"):
        tiny.set_state(boxed.get_state())
    with pytest.raises(InvalidOption, match="the state of 5 games"):
        tiny.set_state(more.get_state())
    assert tiny.batch.records.tobytes() == before


def test_decks_can_be_given_to_all_games_of_a_vector() -> None:
    envs: Any = gymnasium.make_vec("reynard/duet-v0", num_envs=3)
    deck = [*range(29, -1, -1)]
    envs.reset(seed=0, options={"decks": [deck], "first_player": 1})
    for index in range(3):
        state = envs.batch.to_dict(index)
        assert state["hands"] == [sorted(deck[:11]), sorted(deck[11:22])]
        assert state["decree"] == deck[22] and state["to_move"] == 1


def test_a_vector_environment_has_no_picture() -> None:
    with pytest.raises(InvalidOption, match="render_mode must be None"):
        gymnasium.make_vec("reynard/duet-v0", num_envs=2, render_mode="ansi")
