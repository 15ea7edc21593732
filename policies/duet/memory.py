"""What a player of Duet remembers of a round: its deal, and what was played since.

An observation tells where things are, not always how they came there. A player who looks at every decision
of its own can tell: it knows what it did itself, and between two of its decisions the partner can have done
only what leads from one to the other. That is found by the rules themselves, from any deal that fits.
"""

from dataclasses import dataclass, field

import numpy as np

from ...envs.batch import Batch
from ...envs.duet import DUET
from ...envs.duet.reading import read_states
from ...envs.duet.rules import begin_round, deal
from ...envs.duet.ruleset import Ruleset, compile_ruleset
from ...envs.duet.state import ANNOUNCE, NONE, PLAY, STATE
from ...envs.games import records_for
from ...envs.jit import jit, kernel
from ...envs.sets import items
from ..memory import Past, keys_of
from ..policy import Dice
from .posterior import Posterior, awaits_gift


@dataclass
class Round:
    """What a seat remembers of the round it is in.

    Args:
        number: Which round.
        deal: The state after its deal; of the partner's hand and the decks nothing in there is known.
        actions: What was played since; NONE in place of a gift that the seat has not seen yet.
        told: Of each action whether no other one would have looked the same.
        move: The number of the seat's last decision.
        action: What it decided; not yet among the actions.
    """

    number: int
    deal: np.void
    actions: list[int] = field(default_factory=list)
    told: list[bool] = field(default_factory=list)
    move: int = NONE
    action: int = NONE


class Memory:
    """Remembers the rounds of many games, each seat for itself.

    Args:
        ruleset: The rules they are played by.
        posterior: Draws what may be true there.
    """

    def __init__(self, ruleset: Ruleset, posterior: Posterior) -> None:
        self._ruleset, self._posterior = ruleset, posterior
        self._rules = records_for(compile_ruleset(ruleset), False)
        self._rounds: dict[tuple[int, int], Round] = {}

    def reset(self, games: np.ndarray) -> None:
        """Forget these games."""
        forgotten = set(games.tolist())
        self._rounds = {key: seen for key, seen in self._rounds.items() if key[0] not in forgotten}

    def see(self, observations: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Look at some decisions; to be called before each of them."""
        known = read_states(observations, seats, self._ruleset)
        drawn = self._posterior.sample(observations, seats, 1, rng)[0][:, 0]
        drawn["gift"] = NONE  # what the partner chose to give has yet to be found
        moves, rows = rng.stream[3], []
        for row, key in enumerate(keys_of(seats, rng)):
            state, seat = known[row], key[1]
            before = self._rounds.get(key)
            if before is not None and (before.number, before.move) == (state["round_number"], moves[row]):
                continue  # it was seen already
            if before is None or before.number != state["round_number"] or before.move > moves[row]:
                self._rounds.pop(key, None)
                if state["phase"] == ANNOUNCE or state["played"][seat] or state["known"][seat]:
                    continue  # it begins later, or earlier: then too much is missing
                before = Round(int(state["round_number"]), self._dealt(state, drawn[row], seat))
                self._rounds[key] = before
            if before.action != NONE:
                before.actions.append(before.action)
                before.told.append(True)
            before.move, before.action = int(moves[row]), NONE
            rows.append(row)
        if rows:
            chosen = np.array(rows)
            self._catch_up(observations[chosen], known[chosen], drawn[chosen], seats[chosen], rng.of(chosen))

    def did(self, actions: np.ndarray, seats: np.ndarray, rng: Dice) -> None:
        """Remember what was decided."""
        for key, move, action in zip(keys_of(seats, rng), rng.stream[3], actions, strict=True):
            now = self._rounds.get(key)
            if now is not None and now.move == move:
                now.action = int(action)

    def past(self, states: np.ndarray, seats: np.ndarray, rng: Dice) -> Past:
        """How the rounds began if some states are true; see the protocol (``policies/memory.py``)."""
        keys = enumerate(keys_of(seats, rng))
        remembered = {row: self._rounds[key] for row, key in keys if key in self._rounds}
        rows, rounds = np.array(list(remembered), np.int64), list(remembered.values())
        deals = np.array([one.deal for one in rounds], STATE)
        begun, actions = self._posterior.begin_as(
            deals, [one.actions for one in rounds], seats[rows], states[rows]
        )
        told = np.zeros(actions.shape, np.bool_)
        for row, one in enumerate(rounds):
            told[row, :, : len(one.told)] = one.told
        return Past(rows, begun, actions, told, np.ones(begun.shape))

    def _dealt(self, state: np.void, drawn: np.void, seat: int) -> np.void:
        """The deal of a round in which the seat has done nothing yet, as it may have been."""
        decree = int(state["decree"])
        if state["tricks_swapped"][1 - seat]:
            (decree,) = items(state["known"][1 - seat])  # their Foxes took it up
        mine = int(state["hand"][seat])
        placed = int(np.bitwise_or.reduce(drawn["hand"] | drawn["played"])) | 1 << int(state["decree"])
        hands = [items(mine), items(placed & ~(mine | 1 << decree))]
        dealt = drawn.copy().reshape(1)
        cards = [*hands[seat], *hands[1 - seat], decree]
        dealt["decks"][0, dealt["round_number"][0], : len(cards)] = cards
        _deal_again(records_for(dealt, False), self._rules)
        return dealt[0]

    def _catch_up(
        self, observations: np.ndarray, known: np.ndarray, drawn: np.ndarray, seats: np.ndarray, rng: Dice
    ) -> None:
        """Note what the partner did since."""
        keys = keys_of(seats, rng)
        rounds, views = [self._rounds[key] for key in keys], records_for(known, True)
        deals = np.array([one.deal for one in rounds], STATE)
        begun, _ = self._posterior.begin_as(deals, [[]] * len(rounds), seats, drawn[:, None])
        found = self._ways(begun[:, 0], rounds, observations, known, seats)
        for key, one, ways, view in zip(keys, rounds, found, views, strict=True):
            if not ways:  # something else was played than was decided here
                del self._rounds[key]
                continue
            new = range(len(one.actions), len(ways[0]))
            one.told += [len({way[k] for way in ways}) == 1 for k in new]
            one.actions = ways[0]
            if awaits_gift(view, key[1]):
                one.actions[-1], one.told[-1] = NONE, True  # whatever it is, the partner meant it

    def _ways(
        self,
        begun: np.ndarray,
        rounds: list[Round],
        observations: np.ndarray,
        known: np.ndarray,
        seats: np.ndarray,
    ) -> list[list[list[int]]]:
        """All that may have been played in each round: it leads from its beginning to what is seen now."""
        found: list[list[list[int]]] = [[] for _ in rounds]
        batch, rows = Batch.of(DUET, self._ruleset, begun), np.arange(len(rounds))
        paths: list[list[int]] = [[] for _ in rounds]
        while len(rows):
            steps: list[tuple[int, int]] = []
            for place, row in enumerate(rows):
                actions, path = rounds[row].actions, paths[place]
                legal = np.flatnonzero(batch.masks[place]).tolist()
                if len(path) < len(actions):
                    action = actions[len(path)]
                    legal = [one for one in legal if action in (one, NONE)]
                elif batch.to_move[place] == seats[row]:  # of its own decisions the seat has missed none
                    legal = []
                    if (batch.observations[place] == observations[row]).all():
                        found[row].append(path)
                steps += [(place, one) for one in legal]
            if not steps:
                break
            places = np.array([place for place, _ in steps])
            batch, rows = batch.part(places), rows[places]
            batch.step(np.array([action for _, action in steps]))
            kept = np.flatnonzero(_may_lead_to(known[rows], batch.records))
            paths = [[*paths[steps[place][0]], steps[place][1]] for place in kept]
            batch, rows = batch.part(kept), rows[kept]
        return found


def _may_lead_to(then: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Whether some states may become what is known later in their round, as far as cards were played."""
    on = (now["to_move"] != NONE) & (now["round_number"] == then["round_number"])
    on &= ((now["played"] & ~then["played"]) == 0).all(axis=1)
    return on & ((now["played_trick"] == 0) | (now["played_trick"] == then["played_trick"])).all(axis=1)


@jit
def deal_again(game, rules):
    """Begin the round again with the deck that lies there; the symbols stay as announced (D22)."""
    first, second = game.signal[0], game.signal[1]
    begin_round(game, game.round_number, rules)
    if game.phase != PLAY:
        deal(game, rules)
    game.signal[0], game.signal[1] = first, second


@kernel
def _deal_again(games, rules):
    for i in range(len(games)):
        deal_again(games[i], rules[0])
