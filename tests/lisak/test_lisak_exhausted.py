"""Every node of tiny games: what is counted there agrees with a count of rows, tokens and jokers by hand."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from lisak_checks import check

from reynard.envs import jit
from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.world import BORDERLINE, NO, YES, random_world
from reynard.envs.table import Table

#: Two answers, and an idea that is yes for the one and borderline for the other.
WORLD = random_world(2, 1, 33)

#: What can stand on a card: kind, and the clue that it is judged as (0: the idea, 1 and 2: the answers).
CARDS = [*(("clue", clue) for clue in range(3)), *(("trophy", clue) for clue in (1, 2)), ("blank", None)]


def endings(answer: int, row_length: int, ruleset: Ruleset) -> Counter[str]:
    """How many games of two rounds end in which way, for one answer."""
    count: Counter[str] = Counter()
    right = 1 + answer
    for row in product(CARDS, repeat=row_length):
        left = ruleset.trophies - sum(kind == "trophy" for kind, _ in row)
        if left < 0:
            continue
        if ("trophy", right) in row:
            count["win"] += 1
        elif ("clue", right) in row:
            count["lost_clue"] += 1
        elif left == 0:
            count["lost_trophies"] += 1
        else:
            # each way to put tokens and joker leads to the same last round: right at once, or after one
            # wrong trophy, …, or never
            ways = fox_says(row, answer, ruleset)
            count["win"] += ways * left
            count["lost_rounds"] += ways
    return count


def fox_says(row: tuple[tuple[str, int | None], ...], answer: int, ruleset: Ruleset) -> int:
    """In how many ways the fox can put its tokens, and then the joker or not."""
    verdicts = [int(WORLD.judgement[answer, clue]) for _, clue in row if clue is not None]
    if ruleset.fox == "literal":
        least, most = verdicts.count(YES), verdicts.count(YES) + verdicts.count(BORDERLINE)
        cards = len(verdicts) - verdicts.count(NO)
    else:
        least, most, cards = 0, len(verdicts), len(verdicts)
    return sum(1 + (cards if tokens else 0) for tokens in range(least, most + 1))


def exhaust(table: Table, seen: Counter[str]) -> Counter[str]:
    """How many games end in which way from here on."""
    seat = table.to_move
    seen["nodes"] += 1
    check(table.records[0], table.masks[max(seat, 0)], table.ruleset)
    if seat < 0:
        return Counter({str(table.outcome()): 1})
    record, count = table.records.copy(), Counter()
    for action in np.flatnonzero(table.masks[seat]).tolist():
        table.records[...] = record
        table.refresh()
        table.play(action)
        count += exhaust(table, seen)
    return count


#: Numbers of players and trophies; uncompiled, thousands of nodes take too long.
TABLES = [(4, 1), (4, 3), (3, 1)] if jit.ENABLED else [(4, 1)]


@pytest.mark.parametrize("fox", ["literal", "free"])
@pytest.mark.parametrize(("players", "trophies"), TABLES)
def test_L6_to_L12_every_node_of_a_tiny_game(
    players: int, trophies: int, fox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reynard.envs.table.MOVES_BEFORE_COMPILING", 0)
    ruleset = Ruleset(world=WORLD, players=players, fox=fox, trophies=trophies, rounds=2, consultation=0)
    table = Table(LISAK, ruleset)
    everything: Counter[str] = Counter()
    for answer in range(2):
        table.begin(0, {"card": answer + 1})
        seen: Counter[str] = Counter()
        count = exhaust(table, seen)
        assert count == endings(answer, ruleset.row_length, ruleset)
        assert seen["nodes"] > sum(count.values())
        everything += count
    assert set(everything) == {"win", "lost_clue", "lost_trophies", "lost_rounds"}


def test_the_tiny_world_has_every_verdict() -> None:
    assert {*np.unique(WORLD.judgement).tolist()} == {NO, BORDERLINE, YES}
    assert sorted(WORLD.judgement[:, 0].tolist()) == [BORDERLINE, YES]
