"""What holds in every state of Lišák, written out once more in plain Python."""

from typing import Any

import numpy as np

from reynard.envs.lisak import LISAK, Ruleset
from reynard.envs.lisak.actions import catalogue
from reynard.envs.lisak.world import BORDERLINE, NO, YES


def facts_of(record: np.void, ruleset: Ruleset) -> dict[str, Any]:
    """The state in plain Python, with a verdict for every written card."""
    state = LISAK.to_dict(record, ruleset)
    world = ruleset.words
    column = {text.en: clue for clue, text in enumerate(world.clues)}
    answer = world.cards.index(state["card"])
    for row in state["rows"]:
        for card in row:
            text = card["text"]
            card["verdict"] = None if text is None else int(world.judgement[answer, column[text]])
    return state


def bounds(row: list[dict[str, Any]], ruleset: Ruleset) -> range:
    """L9, L10: the counts that the fox may give."""
    verdicts = [card["verdict"] for card in row if card["verdict"] is not None]
    if ruleset.fox == "free":
        return range(len(verdicts) + 1)
    least = verdicts.count(YES)
    return range(least, least + verdicts.count(BORDERLINE) + 1)


def joker_cards(state: dict[str, Any], ruleset: Ruleset) -> set[int]:
    """L11: the cards that the joker may lie on, ``5 * row + place``."""
    return {
        5 * number + place
        for number, tokens in enumerate(state["tokens"])
        for place, card in enumerate(state["rows"][number])
        if tokens > 0 and card["verdict"] is not None and (ruleset.fox == "free" or card["verdict"] != NO)
    }


def legal(state: dict[str, Any], ruleset: Ruleset) -> set[int]:
    """All that the mover may do."""
    numbers = catalogue(ruleset.words)
    last_round = state["round"] == ruleset.rounds
    clues, trophies = set(range(numbers.trophy)), set(range(numbers.trophy, numbers.blank))
    if state["trophies_left"] == 0:
        trophies = set()
    match state["phase"]:
        case "consult":
            return clues | trophies | {numbers.silence}
        case "write":
            return trophies if last_round else clues | trophies | {numbers.blank}
        case "tokens":
            return {numbers.token + count for count in bounds(state["rows"][-1], ruleset)}
        case "joker":
            return {numbers.joker + card for card in joker_cards(state, ruleset)} | {numbers.silence}
    return set()


def mover_of(record: np.void, state: dict[str, Any], ruleset: Ruleset) -> str | None:
    """Whose turn it is."""
    match state["phase"]:
        case "consult":
            said = state["proposals"][-1]
            if not said:
                return "seeker_0"
            last = [proposal for proposal in said if proposal["seeker"] == said[-1]["seeker"]]
            done = last[-1]["kind"] == "pass" or len(last) == ruleset.consultation
            return f"seeker_{int(said[-1]['seeker'][-1]) + done}"
        case "write":
            return f"seeker_{record['place'] % ruleset.seekers}"
        case "over":
            return None
    return "fox"


def check(record: np.void, mask: np.ndarray, ruleset: Ruleset) -> None:
    """Everything that must hold in a state; ``mask`` is its mover's."""
    state = facts_of(record, ruleset)
    rows, tokens, number = state["rows"], state["tokens"], state["round"]
    assert 1 <= number <= ruleset.rounds <= 7
    assert state["to_move"] == mover_of(record, state, ruleset)
    assert set(np.flatnonzero(mask).tolist()) == legal(state, ruleset)
    # the rows: whole ones up to now, one that is being written, none to come
    written = [int(np.count_nonzero(row[:, 0])) for row in record["cards"]]
    assert written[: number - 1] == [ruleset.row_length] * (number - 1)
    assert written[number - 1] == record["place"] <= ruleset.row_length
    assert not any(written[number:])
    assert state["phase"] not in ("tokens", "joker") or record["place"] == ruleset.row_length
    # trophies
    kinds = [card["kind"] for row in rows for card in row]
    assert kinds.count("trophy") + state["trophies_left"] == ruleset.trophies
    assert state["trophies_left"] > 0 or state["phase"] in ("over", "write")
    if number == ruleset.rounds and len(rows) == number:
        assert {card["kind"] for card in rows[-1]} == {"trophy"}
    # tokens
    assert len(tokens) == number - (state["phase"] != "joker")
    assert all(count in bounds(rows[k], ruleset) for k, count in enumerate(tokens))
    # the joker: at most one, and on a card that it may lie on
    assert record["joker"] == -1 or int(record["joker"]) in joker_cards(state, ruleset)
    assert state["phase"] != "joker" or (record["joker"] == -1 and max(tokens) > 0)
    # the proposals of this round and those before
    assert len(state["proposals"]) == number
    for proposals in state["proposals"][:-1]:
        assert (len(proposals) == 0) == (ruleset.consultation == 0)
        assert len({proposal["seeker"] for proposal in proposals}) in (0, ruleset.seekers)
    check_end(record, state, ruleset)


def check_end(record: np.void, state: dict[str, Any], ruleset: Ruleset) -> None:
    """How the game ended, if it did."""
    over = state["outcome"] is not None
    assert over == (state["phase"] == "over") == (record["to_move"] < 0)
    named = {
        kind: any(card["kind"] == kind and card["text"] == state["answer"] for card in state["rows"][-1])
        for kind in ("trophy", "clue")
        if state["rows"] and len(state["rows"]) == state["round"]
    }
    earlier = state["rows"][: state["round"] - 1]
    assert not any(card["text"] == state["answer"] for row in earlier for card in row)
    if not over:
        assert state["rating"] is None and record["reward"] == 0
        return
    last_round = state["round"] == ruleset.rounds
    if named["trophy"]:
        outcome = "win"
    elif named["clue"]:
        outcome = "lost_clue"
    else:
        assert state["trophies_left"] == 0
        outcome = "lost_rounds" if last_round else "lost_trophies"
    assert state["outcome"] == outcome
    ratings = {7: ("sharp_falcons", 0.5), 6: ("seasoned_hounds", 0.75), 5: ("seasoned_hounds", 0.75)}
    rating, worth = ratings.get(state["round"], ("cunning_foxes", 1.0))
    won = outcome == "win"
    assert state["rating"] == (rating if won else None)
    assert record["reward"] == won * (worth if ruleset.reward == "rated" else 1.0)
