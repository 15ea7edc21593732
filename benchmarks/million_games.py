"""A million random games of Duet, and nothing that must hold is ever broken.

Half of the games are played by each of the two big rulesets, in batches, on all cores. Every few decisions,
and at the end of every game, the records of all games are checked at once: where the cards are, how many
gems and tiles there are, whether the path is whole, how long hands and games are, who may move.

    python benchmarks/million_games.py
    python benchmarks/million_games.py --games 50000 --every 1

The random actions are drawn from the games' own streams, so that every game can be played again alone:

    python benchmarks/million_games.py --seed 0 --replay boxed:1234
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from reynard.envs.batch import Batch
from reynard.envs.duet import DUET
from reynard.envs.duet.board import Board
from reynard.envs.duet.cards import NUM_CARDS
from reynard.envs.duet.ruleset import Ruleset
from reynard.envs.duet.state import (
    GIFT_PHASE,
    LOST_PATH,
    LOST_TIME,
    NONE,
    OVER,
    PHASES,
    PLAY,
    UNDECIDED,
    WIN,
    to_dict,
)
from reynard.envs.jit import parallel_kernel, prange
from reynard.envs.streams import POLICY, random_legal, random_words

PRESETS = ("standard", "boxed")
BATCH = 50_000
#: Two cards a trick; a Foxes adds one decision, a Gift two, a Musician or a Gazelle one to its trick.
LONGEST = 3 * (2 * 11 + 3 + 2 * 3 + 6)

Checks = Iterator[tuple[str, np.ndarray]]


@parallel_kernel
def choose(games, masks, actions):
    """A random legal action for every game, from its own stream."""
    for i in prange(len(games)):
        game = games[i]
        word = random_words(game.key, game.game, game.episode, POLICY, game.moves)[0]
        actions[i] = random_legal(masks[i], word)


# ---------------------------------------------------------------------- what must hold


def members(sets: np.ndarray) -> np.ndarray:
    """How many members each set has."""
    return np.bitwise_count(sets)


def cards(games: np.ndarray) -> Checks:
    """Every card in exactly one place, face down those that were dealt so (D1, D5)."""
    hand, played, known = (games[name].astype(np.int64) for name in ("hand", "played", "known"))
    decree = np.left_shift(np.int64(1), games["decree"].astype(np.int64))
    decks = games["decks"][np.arange(len(games)), games["round_number"]].astype(np.int64)
    face_down = np.left_shift(np.int64(1), decks[:, 23:]).sum(1)
    places = [hand[:, 0], hand[:, 1], played[:, 0], played[:, 1], decree, face_down]
    yield "the 30 cards are all somewhere", np.bitwise_or.reduce(places) == (1 << NUM_CARDS) - 1
    yield "no card is in two places", sum(members(place).astype(np.int64) for place in places) == NUM_CARDS
    yield "known cards are in the hand", (known & ~hand == 0).all(1)
    gift = games["gift"].astype(np.int64)
    in_hand = np.right_shift(hand, np.maximum(gift, 0)) & 1 == 1
    pending = (games["phase"] == GIFT_PHASE)[:, None]
    yield "a gift is a card of the hand", ((gift == NONE) | in_hand & pending).all(1)


def hands(games: np.ndarray) -> Checks:
    """Hands have as many cards as the number of the trick leaves (D6)."""
    leader = games["leader"].astype(np.int64)
    rows = np.arange(len(games))
    for card, seat in (("led", leader), ("reply", 1 - leader)):
        on_table = games[card] != NONE
        hand, played = games["hand"][rows, seat], games["played"][rows, seat]
        yield f"the hand of the seat of {card}", members(hand) == 11 - games["trick"] - on_table
        yield f"the played cards of the seat of {card}", members(played) == games["trick"] + on_table
        there = np.right_shift(played.astype(np.int64), np.maximum(games[card], 0)) & 1 == 1
        yield f"{card} has been played", there | ~on_table
    led, won = games["tricks_led"].astype(np.int64), games["tricks_won"].astype(np.int64)
    trick = games["trick"].astype(np.int64)
    yield "every trick was led by one seat", (led[:, 0] ^ led[:, 1]) == (2 << trick) - 1
    before = (1 << trick) - 1
    yield (
        "every trick was won by one seat",
        (won[:, 0] & won[:, 1] == 0) & ((won[:, 0] | won[:, 1]) & before == before),
    )
    yield "the winner leads the next trick", ((led[:, 0] >> 1 ^ won[:, 0]) & before) == 0


def board(games: np.ndarray, ruleset: Ruleset) -> Checks:
    """Gems, tiles and the path (D4, D11-D15)."""
    rules = Board.of(ruleset.board)
    gems = games["gems"].astype(np.int64)
    first, last = games["path"][:, 0].astype(np.int64), games["path"][:, 1].astype(np.int64)
    spaces = np.arange(gems.shape[1])
    covered = (spaces < first[:, None]) | (spaces > last[:, None])
    number = games["round_number"].astype(np.int64)
    put_out = sum(rules.gems) + len(rules.plus_marks) * number
    between = (games["outcome"] == LOST_PATH) & (games["hand"] == 0).all(1) & (number + 1 < ruleset.rounds)
    total = games["gems_left"].astype(np.int64) + games["collected"]
    yield "no gem is lost or made", (total == put_out) | between & (total == put_out + len(rules.plus_marks))
    yield "gems_left is the sum", (gems.sum(1) == games["gems_left"]) & (gems >= 0).all(1)
    yield (
        "no gem beside the start or a covered space",
        (gems[:, rules.start] == 0) & ~(covered & (gems > 0)).any(1),
    )
    yield (
        "the path holds the start space",
        (first >= 0) & (first <= rules.start) & (rules.start <= last) & (last <= 10),
    )
    yield "the tracker is on the path", (first <= games["tracker"]) & (games["tracker"] <= last)
    tiles = games["forest_tiles"].astype(np.int64)
    yield (
        "every tile is left or lies at an end",
        (first + 10 - last + tiles == rules.forest_tiles) & (tiles >= 0),
    )


def course(games: np.ndarray, ruleset: Ruleset) -> Checks:
    """Who may move, and how games end (D6, D13, D15)."""
    over, outcome = games["phase"] == OVER, games["outcome"]
    yield "a game is over or someone is to move", (games["to_move"] == NONE) == over
    yield "a game is over when it has an outcome", (outcome != UNDECIDED) == over
    yield "it is won when no gem is left", (outcome == WIN) == (games["gems_left"] == 0)
    last_round = games["round_number"] + 1 == ruleset.rounds
    yield (
        "time is over after the last trick",
        (outcome != LOST_TIME) | last_round & (games["hand"] == 0).all(1),
    )
    yield "there are three rounds of eleven tricks", (games["round_number"] < 3) & (games["trick"] < 11)
    yield "games have an end", (games["moves"] >= 0) & (games["moves"] <= LONGEST)
    first = (
        games["first_player"]
        if ruleset.lead == "same"
        else games["first_player"] ^ (games["round_number"] & 1)
    )
    led_first = np.where(games["tricks_led"][:, 1] & 1, 1, 0)
    yield "the right seat leads the first trick", led_first == first


def masks(games: np.ndarray, flags: np.ndarray) -> Checks:
    """Who is to move has a choice of their own cards, or of whatever the phase asks for (D7, D21)."""
    yield "someone to move has a legal action", flags.any(1) == (games["phase"] != OVER)
    yield "flags are 0 or 1", ((flags == 0) | (flags == 1)).all(1)
    mover = np.maximum(games["to_move"], 0).astype(np.int64)
    hand = games["hand"][np.arange(len(games)), mover]
    held = np.right_shift(hand[:, None], np.arange(NUM_CARDS)) & 1 == 1
    yield "only cards of the hand are legal", ~(flags[:, :NUM_CARDS].astype(bool) & ~held).any(1)
    playing = (games["phase"] == PLAY) | (games["phase"] == GIFT_PHASE)
    yield "only cards are played and given", ~playing | ~flags[:, NUM_CARDS:].any(1)


def rewards(games: np.ndarray, collected: np.ndarray, ruleset: Ruleset) -> Checks:
    """The rewards of a finished game add up (D23)."""
    expected = games["collected"] / ruleset.all_gems + (games["outcome"] == WIN)
    yield "rewards are the gems' share and 1 for the win", np.abs(collected - expected) < 1e-4
    yield "the game is over", games["phase"] == OVER


class BrokenInvariant(Exception):
    """Something that must hold does not.

    Args:
        name: What.
        game: The record of the first game in which it does not.
    """

    def __init__(self, name: str, game: np.void) -> None:
        self.game = int(game["game"])
        super().__init__(
            f"broken: {name}\n  game {self.game}, after {game['moves']} decisions, in phase "
            f"{PHASES[game['phase']]}:\n  {to_dict(game)}"
        )


def check(batch: Batch, ruleset: Ruleset) -> None:
    """Everything but the rewards, for all games.

    Raises:
        BrokenInvariant: One of them does not hold.
    """
    games = batch.records
    for checks in (
        cards(games),
        hands(games),
        board(games, ruleset),
        course(games, ruleset),
        masks(games, batch.masks),
    ):
        report(checks, games)


def report(checks: Checks, games: np.ndarray) -> None:
    """Look for the first game that breaks an invariant.

    Raises:
        BrokenInvariant: There is one.
    """
    for name, holds in checks:
        if not np.all(holds):
            raise BrokenInvariant(name, games[int(np.argmin(holds))])


# ---------------------------------------------------------------------- the games


def play_to_the_end(batch: Batch, ruleset: Ruleset, every: int) -> int:
    """Play all games to their end, checking after every so many steps. Returns the decisions."""
    actions = np.zeros(batch.count, np.int64)
    total = np.zeros(batch.count)
    step = 0
    check(batch, ruleset)
    while (batch.to_move != NONE).any():
        choose(batch.records, batch.masks, actions)
        batch.step(actions)
        total += batch.rewards
        step += 1
        if step % every == 0:
            check(batch, ruleset)
    check(batch, ruleset)
    report(rewards(batch.records, total, ruleset), batch.records)
    return int(batch.records["moves"].sum(dtype=np.int64))


def run(preset: str, games: int, seed: int, every: int) -> tuple[int, Counter[str], float]:
    """Play and check so many games under a preset. Returns decisions, outcomes and seconds.

    Raises:
        BrokenInvariant: Something that must hold does not.
    """
    ruleset = Ruleset.of(preset)
    outcomes: Counter[str] = Counter()
    decisions, start = 0, time.perf_counter()
    batch = Batch(DUET, ruleset, min(BATCH, games))
    for first_game in range(0, games, BATCH):
        if games - first_game < batch.count:
            batch = Batch(DUET, ruleset, games - first_game)
        batch.reset(seed, {"game": first_game})
        decisions += play_to_the_end(batch, ruleset, every)
        numbers = np.bincount(batch.records["outcome"], minlength=len(DUET.outcomes))
        outcomes.update(
            {str(name): int(count) for name, count in zip(DUET.outcomes, numbers, strict=True) if name}
        )
    return decisions, outcomes, time.perf_counter() - start


def replay(preset: str, game: int, seed: int) -> None:
    """Print every action of one game, checking after each.

    Raises:
        BrokenInvariant: Something that must hold does not.
    """
    batch = Batch(DUET, preset, 1, game, threads=1)
    batch.reset(seed)
    actions = np.zeros(1, np.int64)
    while batch.to_move[0] != NONE:
        choose(batch.records, batch.masks, actions)
        phase, seat = PHASES[batch.records["phase"][0]], batch.to_move[0]
        print(f"{batch.records['moves'][0]:4} seat {seat} {phase:8} {batch.action_names[actions[0]]}")
        batch.step(actions)
        check(batch, batch.ruleset)
    print(to_dict(batch.records[0]))


def main() -> int:
    """Read the options, play, print. Returns 1 if something was broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--games", type=int, default=1_000_000, help="how many games in all (default 1000000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of all games (default 0)")
    parser.add_argument(
        "--every", type=int, default=5, help="check after every so many decisions (default 5)"
    )
    parser.add_argument("--replay", metavar="PRESET:GAME", help="play one of the games again, alone")
    options = parser.parse_args()
    if options.games < 1 or options.every < 1 or options.seed < 0:
        parser.error("--games and --every must be at least 1, --seed at least 0")
    if options.replay:
        preset, _, game = options.replay.partition(":")
        if preset not in PRESETS or not game.isdecimal():
            parser.error(f"--replay needs a preset ({', '.join(PRESETS)}), a colon and a game's number")
        replay(preset, int(game), options.seed)
        return 0
    played, decided, took = 0, 0, 0.0
    halves = (options.games - options.games // 2, options.games // 2)
    for preset, games in zip(PRESETS, halves, strict=True):
        if not games:
            continue
        try:
            decisions, outcomes, seconds = run(preset, games, options.seed, options.every)
        except BrokenInvariant as broken:
            again = f"python {sys.argv[0]} --seed {options.seed} --replay {preset}:{broken.game}"
            print(f"{preset}: {broken}\n  to see it again: {again}")
            return 1
        shares = ", ".join(f"{name} {count / games:.3%}" for name, count in outcomes.items())
        print(f"{preset}: {games:,} games, {decisions / games:.1f} decisions each; {shares}", flush=True)
        played, decided, took = played + games, decided + decisions, took + seconds
    print(
        f"{played:,} games, {decided:,} decisions in {took:.0f} s, checks included "
        f"({decided / took:,.0f} decisions/s)"
    )
    print("no invariant broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
