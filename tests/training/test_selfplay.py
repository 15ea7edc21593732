"""N games as one environment of Stable-Baselines3, and the advantages of a team that shares its reward."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from games import MODULES
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback

from reynard.envs import InvalidOption
from reynard.envs.duet import DUET
from reynard.envs.lisak import LISAK
from reynard.envs.table import Table
from reynard.policies.prospects import progress_of, prospects_of
from reynard.training.config import NetworkConfig
from reynard.training.selfplay import SelfPlay
from reynard.training.shape import shape_of
from reynard.training.team_policy import TeamPolicy


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("name", MODULES)
def test_X1_every_game_is_the_game_played_alone(name: str) -> None:
    """Masks, observations, rewards, ends and terminal observations, over several episodes of each game."""
    game = MODULES[name].GAME
    envs, rng = SelfPlay(game, "tiny", 5, seed=3), np.random.default_rng(0)
    tables = [Table(game, "tiny") for _ in range(5)]
    for index, table in enumerate(tables):
        table.begin(3, {"game": index})
    seen, episodes, earned, lengths = envs.reset(), 0, np.zeros(5), np.zeros(5)
    assert is_masking_supported(envs)
    for _ in range(150):
        masks = np.stack(envs.env_method("action_masks"))
        assert (masks == get_action_masks(envs)).all()
        for index, table in enumerate(tables):
            assert seen[index].tobytes() == table.observations[table.to_move].tobytes()
            assert (masks[index] == table.masks[table.to_move]).all()
        actions = random_legal(masks, rng)
        seen, rewards, ended, infos = envs.step(actions)
        for index, table in enumerate(tables):
            mover = table.to_move
            assert rewards[index] == np.float32(table.play(int(actions[index])))
            earned[index] += rewards[index]
            lengths[index] += 1
            assert ended[index] == (table.to_move < 0)
            if ended[index]:
                info = infos[index]
                assert info["terminal_observation"].tobytes() == table.observations[mover].tobytes()
                assert info["outcome"] == table.outcome()
                assert info["episode"]["l"] == lengths[index]
                assert info["episode"]["r"] == pytest.approx(earned[index])
                earned[index] = lengths[index] = 0
                episodes += 1
                table.begin(None, {"game": index})
            else:
                assert infos[index] == {}
    assert episodes > 10


def test_other_play_shows_each_seat_names_of_its_own_and_understands_them() -> None:
    envs, plain = SelfPlay(DUET, "tiny", 6, seed=2, other_play=True), SelfPlay(DUET, "tiny", 6, seed=2)
    seen_as, meant = DUET.symmetries(envs.batch.ruleset)
    rng, seen, real = np.random.default_rng(0), envs.reset(), plain.reset()
    used: dict[tuple[int, int, int], set[int]] = {}
    for _ in range(200):
        of = envs.batch.records
        for index in range(6):
            fitting = [
                way
                for way in range(len(meant))
                if (real[index][seen_as[way]] == seen[index]).all()
                and (plain.action_masks()[index][meant[way]] == envs.action_masks()[index]).all()
            ]
            place = int(of["game"][index]), int(of["episode"][index]), int(of["to_move"][index])
            used[place] = used.get(place, set(fitting)) & set(fitting)
            assert used[place], "one seat's names stay the same throughout an episode"
        actions = random_legal(envs.action_masks(), rng)
        names = envs._names.copy()
        seen, rewards, ended, infos = envs.step(actions)
        real, real_rewards, real_ended, real_infos = plain.step(meant[names, actions])
        assert (rewards == real_rewards).all() and (ended == real_ended).all()
        for index in np.flatnonzero(ended):
            last = real_infos[index]["terminal_observation"][seen_as[names[index]]]
            assert (infos[index]["terminal_observation"] == last).all()
    assert len({min(ways) for ways in used.values()}) > 1  # not always the same names


@pytest.mark.parametrize("name", MODULES)
def test_the_full_state_is_what_every_seat_observes_from_the_mover_on(name: str) -> None:
    game = MODULES[name].GAME
    envs, rng = SelfPlay(game, "tiny", 3, full_state=True), np.random.default_rng(0)
    table = Table(game, "tiny")
    table.begin(0, {"game": 1})
    seen = envs.reset()
    assert envs.observation_space.contains({key: value[0] for key, value in seen.items()})
    while table.to_move >= 0:
        seats = len(table.agents)
        order = [(table.to_move + k) % seats for k in range(seats)]
        assert seen["observation"][1].tobytes() == table.observations[order[0]].tobytes()
        assert seen["state"][1].tobytes() == table.observations[order].tobytes()
        actions = random_legal(envs.action_masks(), rng)
        table.play(int(actions[1]))
        seen, *_ = envs.step(actions)


def test_what_was_handed_out_stays_as_it_is() -> None:
    envs, rng = SelfPlay(DUET, "tiny", 4), np.random.default_rng(0)
    seen = envs.reset()
    before = seen.copy()
    step = envs.step(random_legal(envs.action_masks(), rng))
    kept = step[0].copy(), step[1].copy()
    envs.step(random_legal(envs.action_masks(), rng))
    assert (seen == before).all() and (step[0] == kept[0]).all() and (step[1] == kept[1]).all()


def test_games_go_on_from_a_saved_state() -> None:
    envs, other = SelfPlay(DUET, "tiny", 6, seed=1), SelfPlay(DUET, "tiny", 6, seed=9)
    rng = np.random.default_rng(0)
    envs.reset()
    other.reset()
    for _ in range(25):
        seen, *_ = envs.step(random_legal(envs.action_masks(), rng))
    assert (other.set_state(envs.get_state()) == seen).all()
    for _ in range(40):
        actions = random_legal(envs.action_masks(), rng)
        mine, theirs = envs.step(actions), other.step(actions)
        assert (mine[0] == theirs[0]).all() and (mine[1] == theirs[1]).all() and (mine[2] == theirs[2]).all()
        assert [info.get("episode") for info in mine[3]] == [info.get("episode") for info in theirs[3]]


class Kept(BaseCallback):
    """Keeps what a rollout was made of."""

    def _on_training_start(self) -> None:
        self.rewards: list[np.ndarray] = []
        self.ended: list[np.ndarray] = []

    def _on_step(self) -> bool:
        self.rewards.append(self.locals["rewards"].copy())
        self.ended.append(self.locals["dones"].copy())
        return True

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer
        self.values, self.advantages = buffer.values.copy(), buffer.advantages.copy()
        self.returns = buffer.returns.copy()
        with torch.no_grad():
            following = self.model.policy.predict_values(torch.from_numpy(self.locals["new_obs"]))
        self.last = following.numpy().flatten()


@pytest.mark.parametrize(("game", "preset"), [(DUET, "tiny"), (LISAK, "tiny")])
def test_advantages_are_those_of_one_trajectory_of_the_team(game: Any, preset: str) -> None:
    """Generalised advantages over the shared reward, by hand: whoever moves next judges the position next."""
    torch.manual_seed(0)
    gamma, lam, steps, count = 0.9, 0.8, 48, 4
    envs = SelfPlay(game, preset, count)
    ppo = MaskablePPO(
        TeamPolicy,
        envs,
        n_steps=steps,
        batch_size=steps * count,
        gamma=gamma,
        gae_lambda=lam,
        policy_kwargs={"shape": shape_of(game, envs.batch.ruleset, NetworkConfig())},
        seed=0,
    )
    kept = Kept()
    ppo.learn(steps * count, callback=kept)
    assert sum(ended.sum() for ended in kept.ended) > 2
    for index in range(count):
        following, advantage = kept.last[index], 0.0
        for step in reversed(range(steps)):
            going_on = 1.0 - kept.ended[step][index]
            value = kept.values[step, index]
            error = kept.rewards[step][index] + gamma * following * going_on - value
            advantage = error + gamma * lam * going_on * advantage
            assert kept.advantages[step, index] == pytest.approx(advantage, abs=1e-5)
            assert kept.returns[step, index] == pytest.approx(advantage + value, abs=1e-5)
            following = value


@pytest.mark.parametrize("critic", ["shared", "own", "full"])
def test_the_actor_sees_its_observation_only_and_the_critic_what_it_is_for(critic: str) -> None:
    envs = SelfPlay(DUET, "tiny", 8, full_state=critic == "full")
    kwargs = {"critic": critic, "shape": shape_of(DUET, envs.batch.ruleset, NetworkConfig())}
    ppo = MaskablePPO(TeamPolicy, envs, n_steps=4, batch_size=32, policy_kwargs=kwargs, seed=0)
    seen = {key: torch.from_numpy(value) for key, value in envs.reset().items()} if critic == "full" else None
    if seen is None:
        assert ppo.policy.predict_values(torch.from_numpy(envs.reset())).shape == (8, 1)
        return
    other = {"observation": seen["observation"], "state": torch.zeros_like(seen["state"])}
    odds, blind = (ppo.policy.get_distribution(each).distribution.logits for each in (seen, other))
    assert torch.equal(odds, blind)
    assert not torch.equal(ppo.policy.predict_values(seen), ppo.policy.predict_values(other))


def test_prospects_stand_behind_the_observation() -> None:
    for game in (DUET, LISAK):
        envs, plain = SelfPlay(game, "tiny", 5, prospects=True), SelfPlay(game, "tiny", 5)
        prospects, rng = prospects_of(game, envs.batch.ruleset), np.random.default_rng(0)
        seen, bare = envs.reset(), plain.reset()
        for _ in range(60):
            table = prospects(bare, plain.action_masks())
            assert (seen == np.concatenate([bare, table.reshape(5, -1)], axis=1)).all()
            assert envs.observation_space.contains(seen[0])
            actions = random_legal(plain.action_masks(), rng)
            (bare, *_), (seen, _, ended, infos) = plain.step(actions), envs.step(actions)
            for index in np.flatnonzero(ended):
                assert infos[index]["terminal_observation"].shape == seen[index].shape


def test_other_play_renames_prospects_with_everything_else() -> None:
    envs = SelfPlay(DUET, "standard", 12, seed=4, other_play=True, prospects=True)
    prospects, rng = prospects_of(DUET, envs.batch.ruleset), np.random.default_rng(0)
    size, seen = envs.batch.observation_size, envs.reset()
    for _ in range(40):
        told = prospects(np.ascontiguousarray(seen[:, :size]), envs.action_masks())
        assert (seen[:, size:] == told.reshape(12, -1)).all()
        real = prospects(envs.batch.observations, envs.batch.masks)
        meant = envs._meant[envs._names]
        assert (told == np.take_along_axis(real, meant[:, :, None], axis=1)).all()
        seen, *_ = envs.step(random_legal(envs.action_masks(), rng))


def test_progress_is_paid_back() -> None:
    """Potential-based shaping: by an episode's end, what it brought is what it brings without."""
    gamma, weight = 0.9, 2.0
    envs, plain = (
        SelfPlay(LISAK, "tiny", 6, seed=1, **more) for more in ({"shaping": weight, "gamma": gamma}, {})
    )
    progress, rng = progress_of(LISAK, envs.batch.ruleset), np.random.default_rng(0)
    envs.reset(), plain.reset()
    before, discounted, steps, episodes = progress(envs.batch.records), np.zeros(6), np.zeros(6), 0
    for _ in range(150):
        actions = random_legal(envs.action_masks(), rng)
        (_, rewards, ended, infos), (_, bare, _, others) = envs.step(actions), plain.step(actions)
        after = progress(envs.batch.records)
        assert rewards == pytest.approx(
            bare + weight * (gamma * np.where(ended, 0, after) - before), abs=1e-5
        )
        discounted += gamma**steps * (rewards - bare)
        steps += 1
        before = after
        for index in np.flatnonzero(ended):
            assert discounted[index] == pytest.approx(0, abs=1e-5)  # a game begins without any progress
            assert infos[index]["episode"]["r"] == others[index]["episode"]["r"]
            discounted[index] = steps[index] = 0
            episodes += 1
    assert episodes > 6
    with pytest.raises(InvalidOption, match="duet knows no progress but its rewards"):
        SelfPlay(DUET, "tiny", 2, shaping=1.0)
