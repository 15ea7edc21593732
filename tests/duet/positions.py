"""Hand-made positions of Duet in the words of the rules: cards are "rose 7", actions have their names.

Everything goes through the public interface, except :func:`place`, which says so.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from reynard.envs import duet_v0

SUITS = ("dove", "rose", "star")
FILLERS = (8, 6, 4, 2, 10)  # ranks of no character

MY_END = "move towards my end"
PARTNERS_END = "move towards the partner's end"
NO_LEADER = ", the leader's card ignored"
NO_FOLLOWER = ", the follower's card ignored"
NEITHER = ", both cards ignored"


def card(name: str) -> int:
    """A card's id (D1)."""
    suit, rank = name.split()
    return SUITS.index(suit) * 10 + int(rank) - 1


def cards(names: str) -> list[int]:
    """Ids of cards, given as ``"dove 3, rose 10"``."""
    return [card(name) for name in names.split(", ")] if names else []


def deck(hand_0: str, hand_1: str, decree: str) -> list[int]:
    """All 30 cards: these two hands, this decree, then the others in order."""
    dealt = [*cards(hand_0), *cards(hand_1), card(decree)]
    return dealt + [other for other in range(30) if other not in dealt]


def deal(
    hand_0: str,
    hand_1: str,
    decree: str = "star 10",
    *later: tuple[str, str, str],
    first_player: int = 0,
    **options: Any,
) -> duet_v0.raw_env:
    """A game with these hands in its first round, and in later ones if they are given.

    The hands tell the hand size, so that a round has as many tricks as ``hand_0`` has cards.
    """
    env = duet_v0.raw_env(hand_size=len(cards(hand_0)), **options)
    decks = [deck(*names) for names in ((hand_0, hand_1, decree), *later)]
    env.reset(seed=0, options={"decks": decks, "first_player": first_player})
    return env


def trick(led: str, reply: str, decree: str = "star 10", leader: int = 0, **options: Any) -> duet_v0.raw_env:
    """A game of two tricks a round whose first one is played with these two cards.

    The second cards are of the same suits as the first and of no character.
    """
    env = two_tricks(led, reply, decree, leader, **options)
    play(env, led, reply)
    return env


def two_tricks(
    led: str, reply: str, decree: str = "star 10", leader: int = 0, **options: Any
) -> duet_v0.raw_env:
    """The game of :func:`trick` before its first card, for a board that is still to be arranged."""
    used = {led, reply, decree}
    hands = []
    for name in (led, reply):
        spare = next(
            f"{name.split()[0]} {rank}" for rank in FILLERS if f"{name.split()[0]} {rank}" not in used
        )
        used.add(spare)
        hands.append(f"{name}, {spare}")
    return deal(hands[leader], hands[1 - leader], decree, first_player=leader, **options)


def place(
    env: duet_v0.raw_env,
    *,
    gems: Mapping[int, int] | None = None,
    **fields: Any,
) -> None:
    """Write a board straight into the state of a running game, which play would take long to reach.

    Args:
        env: The game.
        gems: Gems by space; the other spaces have none.
        fields: ``tracker``, ``path``, ``forest_tiles`` or ``round_number``.
    """
    records = env.table.records
    if gems is not None:
        records["gems"] = [gems.get(space, 0) for space in range(11)]
        records["gems_left"] = sum(gems.values())
    for name, value in fields.items():
        records[name] = value
    env.table.refresh()


def number_of(env: duet_v0.raw_env, action: str) -> int:
    """The number of an action."""
    count = int(env.action_space("player_0").n)
    return [env.action_name(number) for number in range(count)].index(action)


def play(env: duet_v0.raw_env, *actions: str) -> float:
    """Play actions by name, whoever's they are; returns what all of them brought to both."""
    total = 0.0
    for action in actions:
        env.step(number_of(env, action))
        total += env.rewards["player_0"]
    return total


def legal(env: duet_v0.raw_env, seat: int | None = None) -> list[str]:
    """Names of what a seat may do; by default the one that is to move."""
    agent = env.agent_selection if seat is None else f"player_{seat}"
    return [env.action_name(int(number)) for number in np.flatnonzero(env.observe(agent)["action_mask"])]


def seen(env: duet_v0.raw_env, seat: int) -> dict[str, Any]:
    """What a seat observes, in names and values."""
    return env.describe(f"player_{seat}")


def hand(env: duet_v0.raw_env, seat: int) -> list[str]:
    """The names of the cards that a seat really holds."""
    return named(env.to_dict()["hands"][seat])


def decree(env: duet_v0.raw_env) -> str:
    """The name of the decree."""
    return env.action_name(env.to_dict()["decree"])


def named(ids: Iterable[int]) -> list[str]:
    """Names of cards."""
    return [f"{SUITS[number // 10]} {number % 10 + 1}" for number in ids]


def snapshot(env: Any) -> tuple[Any, ...]:
    """All there is to a game: its state, its record, and what each seat observes and may do."""
    observations = [env.observe(agent) for agent in env.possible_agents]
    shown = [(view["observation"].tobytes(), view["action_mask"].tobytes()) for view in observations]
    return env.to_dict(), env.table.records.tobytes(), shown
