"""What may be true of a game of Duet, for all that a seat knows (D18, D19, D21).

The partner's unknown cards have been in its hand since the deal, for whatever comes to a hand later is known
to the other player. So none of them is of a suit that it could not follow this round, and every choice of
them among the other unseen cards is as likely as the next. What it has chosen to give while the other still
chooses may be any card of its hand. Decks of rounds to come are in any order.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ...envs.duet.cards import NUM_CARDS, NUM_SUITS, suit_set
from ...envs.duet.observation import as_records
from ...envs.duet.reading import read_state, read_states
from ...envs.duet.ruleset import Ruleset, compile_ruleset
from ...envs.duet.state import GIFT_PHASE, NONE, PLAY, STATE
from ...envs.errors import InvalidOption, whole_number
from ...envs.games import records_for
from ...envs.jit import jit, parallel_kernel, prange
from ...envs.sets import count, item_at, items, marked, one
from ...envs.streams import SEARCH, below, random_words, shuffle
from ..policy import Dice

BLOCKS = 8  # blocks of four random words for a deck
DRAWS = 32  # blocks for a state: the hand, the gift and the decks of two rounds
MOST = 4096  # states that can be drawn for one decision


class Posterior:
    """Draws states that a seat cannot tell from the true one (``policies/posterior.py``).

    Args:
        ruleset: The rules; observations must hold the history.

    Raises:
        InvalidOption: They do not.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        if not ruleset.history:
            raise InvalidOption(
                "what may be true can be told only with history=True, which shows what was played"
            )
        self._ruleset = ruleset
        self._rules = records_for(compile_ruleset(ruleset), False)

    def sample(
        self, observations: np.ndarray, seats: np.ndarray, deals: int, rng: Dice
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw states, each as likely as the other; see the protocol."""
        whole_number(deals, "the number of states to draw for a decision", 1, MOST)
        states = np.zeros((len(observations), deals), STATE)
        views = records_for(as_records(observations), False)
        _draw_all(
            views,
            np.ascontiguousarray(seats, np.int64),
            self._rules,
            records_for(states, False),
            *rng.stream,
        )
        return states, np.full(states.shape, 1 / deals)

    def enumerate(
        self, observation: np.ndarray, seat: int, limit: int = 100_000
    ) -> tuple[np.ndarray, np.ndarray]:
        """All of them but for the decks to come, which stay empty; see the protocol."""
        known = records_for(read_states(observation[None], np.array([seat]), self._ruleset), True)[0]
        view = records_for(as_records(observation[None]), True)[0]
        hidden, pool = unknown_cards(view)
        partner, found = 1 - seat, []
        for drawn in combinations(items(pool), hidden):
            state = known.copy()
            state["hand"][partner] |= sum(map(one, drawn))
            gifts = items(state["hand"][partner]) if awaits_gift(state, seat) else [NONE]
            if len(found) + len(gifts) > limit:
                raise InvalidOption(f"more than {limit:,} states are possible; draw some of them with sample")
            for gift in gifts:
                state["gift"][partner] = gift
                found.append(state.copy())
        return np.array(found, STATE), np.full(len(found), 1 / len(found))

    def begin_as(
        self,
        deals: np.ndarray,
        actions: Sequence[Sequence[int]],
        seats: np.ndarray,
        states: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """How the round began if some states are true: what :func:`~..posterior.likelihoods` plays again.

        Cards that lie face down never move. So the partner was dealt what is neither there nor was in the
        seat's hand or the decree.

        Args:
            deals: The round before its first card, as the seat knows it or in full, shape ``(n,)``. Of the
                partner's hand and of the decks nothing is read. (Symbols are announced before the deal, and
                tell nothing of it.)
            actions: What was played since, by both seats, n lists. What stands in place of a gift that the
                partner has chosen and the seat has not seen is not read either.
            seats: Who asks, integers, shape ``(n,)``.
            states: What it takes for possible now, shape ``(n, hypotheses)``.

        Returns:
            State records, shape ``(n, hypotheses)``, without decks, and actions, int64, shape
            ``(n, hypotheses, moves)``, with -1 where a list has ended.

        Raises:
            InvalidOption: A deal is none, or its round is not the one of the states.
        """
        if (deals["phase"] != PLAY).any() or (deals["played"] != 0).any():
            raise InvalidOption("a round begins when its cards are dealt and none is played; these do not")
        rows, partners = np.arange(len(deals)), 1 - np.asarray(seats)
        mine = deals["hand"][rows, seats] | 1 << deals["decree"].astype(np.int32)
        placed = np.bitwise_or.reduce(states["hand"] | states["played"], axis=2)
        hands = (placed | 1 << states["decree"].astype(np.int32)) & ~mine[:, None]
        sizes = (hands[..., None] >> np.arange(NUM_CARDS) & 1).sum(axis=2)
        same = (states["round_number"] == deals["round_number"][:, None]) & (states["decree"] != NONE)
        if not (same & (sizes == self._ruleset.hand_size)).all():
            raise InvalidOption("the states must come from the rounds that began with these deals")
        begun = np.repeat(deals[:, None], states.shape[1], axis=1)
        begun["decks"] = NONE
        begun["hand"][rows, :, partners] = hands
        played = np.full((*states.shape, max(map(len, actions), default=0)), NONE, np.int64)
        for row, told in enumerate(actions):
            played[row, :, : len(told)] = told
            gifts = states["gift"][row, :, partners[row]]
            if (gifts != NONE).any():  # the partner chose first, so it is the last of all
                played[row, :, len(told) - 1] = gifts
        return begun, played


@parallel_kernel
def _draw_all(views, seats, rules, states, key, games, episodes, moves):
    for i in prange(len(views)):
        read_state(views[i], seats[i], rules[0], states[i, 0])
        states[i, 0].moves = moves[i]
        for k in range(1, states.shape[1]):
            states[i, k] = states[i, 0]
        hidden, pool = unknown_cards(views[i])
        for k in range(states.shape[1]):
            deal_hidden(
                states[i, k], seats[i], hidden, pool, rules[0], key, games[i], episodes[i], moves[i], k
            )


@jit
def unknown_cards(view):
    """How many of the partner's cards the observer does not know, and the set of those that they may be."""
    pool = marked(view.unseen)
    for suit in range(NUM_SUITS):
        if view.void[1, suit] == 1:
            pool &= ~suit_set(suit)
    return view.hand_sizes[1] - count(marked(view.known_to_me)), pool


@jit
def awaits_gift(game, seat):
    """Whether the partner has chosen a gift that the seat has not seen yet (D19).

    Whoever played the Gift chooses first.
    """
    giver = game.leader if game.reply == NONE else 1 - game.leader
    return game.phase == GIFT_PHASE and game.to_move == seat and giver != seat


@jit
def deal_hidden(game, seat, hidden, pool, rules, key, index, episode, move, number):
    """Fill in what a seat does not know of a game.

    Args:
        game: A state as :func:`~reynard.envs.duet.reading.read_state` leaves it.
        seat: Who knows no more.
        hidden: How many of the partner's cards it does not know.
        pool: The set of cards that they may be; see :func:`unknown_cards`.
        rules: The compiled ruleset.
        key: The random stream's key words.
        index: Its game.
        episode: Its episode.
        move: The number of the decision; decision and ``number`` have random words of their own.
        number: Which of the states drawn for the decision this is, below :data:`MOST`.
    """
    partner = 1 - seat
    position = (int(move) * MOST + number) * DRAWS
    words = (0, 0, 0, 0)
    for k in range(hidden):
        if k % 4 == 0:
            words = random_words(key, index, episode, SEARCH, position + k // 4)
        card = item_at(pool, below(words[k % 4], count(pool)))
        pool &= ~one(card)
        game.hand[partner] |= one(card)
    if awaits_gift(game, seat):
        words = random_words(key, index, episode, SEARCH, position + BLOCKS - 1)
        game.gift[partner] = item_at(game.hand[partner], below(words[0], count(game.hand[partner])))
    # what was dealt this round is of no consequence any more, nor can it be told once cards were exchanged
    for number_of_round in range(game.round_number + (game.decree != NONE), rules.rounds):
        deck = game.decks[number_of_round]
        for k in range(rules.deck_size):
            deck[k] = rules.deck[k]
        place = position + BLOCKS * (1 + number_of_round)
        shuffle(deck, rules.deck_size, key, index, episode, SEARCH, place)
