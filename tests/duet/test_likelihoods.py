"""How likely a partner has played as it did: what that tells of its hand (``policies/posterior.py``)."""

import numpy as np
import pytest
from strategies import RULESETS, scaled
from worlds import dice, looks, positions

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import NONE, PLAY
from reynard.envs.errors import InvalidOption
from reynard.envs.streams import key_of
from reynard.policies import Dice, Policy, make_policy
from reynard.policies.duet.posterior import Posterior
from reynard.policies.posterior import likelihoods, odds, seen_by
from reynard.training.evaluate import decisions


class Lowest:
    """Plays the lowest legal card."""

    def reset(self, games: np.ndarray) -> None:
        pass

    def act(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        return masks.argmax(axis=1)


class Even(Lowest):
    """Says that it plays every legal action alike."""

    def odds(self, observations: np.ndarray, masks: np.ndarray, agents: np.ndarray, rng: Dice) -> np.ndarray:
        return masks / masks.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("partner", "dealt", "reply", "expected"),
    [
        # it replied dove 4 and holds the 5 or the 6: it would hardly have played anything else
        (Lowest(), [3, 5], 3, {4: 0.95, 5: 0.95}),
        # it replied dove 6: the 4 or the 5 would have been lower
        (Lowest(), [3, 5], 5, {3: 0.05, 4: 0.05}),
        # it replied dove 5: by mistake with the 4, on purpose with the 6
        (Lowest(), [4, 5], 4, {3: 0.05, 5: 0.95}),
        (Even(), [4, 5], 4, {3: 0.5, 5: 0.5}),
    ],
)
def test_a_partner_is_as_likely_to_hold_a_card_as_to_keep_it(
    partner: Policy, dealt: list[int], reply: int, expected: dict[int, float]
) -> None:
    """One suit of six cards, reckoned by hand (D7): doves 1 and 2 are mine, dove 3 is the decree."""
    ruleset = Ruleset.of("tiny", characters=(), suits=1, ranks=(1, 2, 3, 4, 5, 6), hand_size=2, rounds=1)
    (face_down,) = {3, 4, 5} - set(dealt)
    batch, seats = Batch(DUET, ruleset, 1), np.zeros(1, int)
    batch.reset(seed=0, options={"decks": [[0, 1, *dealt, 2, face_down]], "first_player": 0})
    deal = batch.records.copy()
    for action in (1, reply):
        batch.step([action])
    posterior = Posterior(ruleset)
    states, _ = posterior.enumerate(looks(batch.records, 0, ruleset)[0], 0)
    begun, actions = posterior.begin_as(deal, [[1, reply]], seats, states[None])
    chances = likelihoods(DUET, ruleset, begun, actions, seats, [Even(), partner])[0]
    told = {
        int(state["hand"][1]).bit_length() - 1: chance for state, chance in zip(states, chances, strict=True)
    }
    assert told == pytest.approx(expected)


@pytest.mark.parametrize("name", ["boxed", "tiny", "agreement"])
def test_hypotheses_are_played_to_where_they_are_now(name: str) -> None:
    """Many games at once, from both seats; the truth among them explains what its players did."""
    ruleset = RULESETS[name]
    posterior, games, checked = Posterior(ruleset), scaled(30), 0
    greedy = make_policy("greedy", DUET, ruleset)
    batch, actions = Batch(DUET, ruleset, games), [[] for _ in range(games)]
    deals = batch.records.copy()
    for step, chosen in enumerate(decisions(batch, [greedy] * 2, seed=5)):
        fresh = (batch.records["phase"] == PLAY) & ~batch.records["played"].any(axis=1)
        deals[fresh] = batch.records[fresh]
        for row in np.flatnonzero(fresh):
            actions[row] = []
        rows = np.flatnonzero((batch.to_move >= 0) & (batch.records["decree"] != NONE))
        if step % 7 == 6 and len(rows):
            seats = (np.arange(len(rows)) + step) % 2
            now, since = batch.records[rows], [actions[row] for row in rows]
            drawn, _ = posterior.sample(seen_by(DUET, ruleset, now, seats), seats, 5, dice(batch, rows))
            states = np.concatenate([now[:, None], drawn], axis=1)
            begun, played = posterior.begin_as(deals[rows], since, seats, states)
            lengths = (played != NONE).sum(axis=2).ravel()
            assert (lengths == np.repeat([len(one) for one in since], 6)).all()
            for one, moves, state in zip(
                begun.ravel(), played.reshape(lengths.size, -1), states.ravel(), strict=True
            ):
                table = Batch.of(DUET, ruleset, one[None])
                for action in moves[moves != NONE]:
                    if not table.masks[0, action]:
                        break
                    table.step([action])
                else:
                    for field in ("hand", "known", "void", "played", "gift", "decree", "tracker", "to_move"):
                        assert (table.records[field][0] == state[field]).all(), field
                    checked += 1
            told = likelihoods(DUET, ruleset, begun, played, seats, [greedy] * 2, epsilon=0.0)
            assert (told[:, 0] == 1).all() and set(np.unique(told)) <= {0.0, 1.0}
            alone = likelihoods(DUET, ruleset, begun[-1:], played[-1:], seats[-1:], [greedy] * 2, epsilon=0.0)
            assert (alone == told[-1:]).all()
        for row, action in enumerate(chosen):
            actions[row].append(int(action))
    assert checked > games


def test_what_is_no_round_is_refused() -> None:
    ruleset = RULESETS["tiny"]
    posterior, batch, seats = Posterior(ruleset), next(positions(ruleset, 2)), np.array([0, 1])
    deals = batch.records.copy()
    batch.step(batch.masks.argmax(axis=1))
    states = batch.records[:, None].copy()
    with pytest.raises(InvalidOption, match="a round begins when its cards are dealt and none is played"):
        posterior.begin_as(batch.records, [[], []], seats, states)
    with pytest.raises(InvalidOption, match="must come from the rounds that began with these deals"):
        posterior.begin_as(deals[::-1], [[], []], seats, states)


def test_odds_are_those_of_the_policy_or_of_its_habit() -> None:
    masks = np.array([[1, 0, 1, 1], [0, 0, 1, 0]], np.int8)
    seen, seats, rng = np.zeros((2, 3), np.int8), np.zeros(2, int), Dice(key_of(0), *np.zeros((3, 2), int))
    told = odds(Lowest(), seen, masks, seats, rng, epsilon=0.1)
    assert np.allclose(told, [[0.9, 0, 0.05, 0.05], [0, 0, 1, 0]])
    assert np.allclose(odds(Even(), seen, masks, seats, rng), [[1 / 3, 0, 1 / 3, 1 / 3], [0, 0, 1, 0]])
    with pytest.raises(InvalidOption, match="epsilon must be from 0 to below 1, not 1"):
        odds(Lowest(), seen, masks, seats, rng, epsilon=1)
