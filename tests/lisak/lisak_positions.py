"""Hand-made positions of Lišák in the words of the rules: actions have their names, clues their texts.

Everything goes through the public interface.
"""

from typing import Any

import numpy as np

from reynard.envs import lisak_v0
from reynard.envs.lisak import World
from reynard.envs.lisak.world import BORDERLINE, NO, YES, Text

_VERDICTS = {"y": YES, "b": BORDERLINE, "n": NO}

_ANSWERS = {"cat": "kočka", "dog": "pes", "cow": "kráva", "oak": "dub", "elm": "jilm", "fir": "jedle"}

#: Every idea with its Czech text, and what the world says of it and each of the answers above.
_IDEAS = {
    "furry": ("chlupatá", "yyynnn"),
    "tame": ("krotká", "byynnn"),
    "quick": ("rychlá", "bynnnn"),
    "small": ("malá", "bbnnnb"),
    "tall": ("vysoká", "nnbyyy"),
    "green": ("zelená", "nnnyyb"),
}
#: Likewise of the answers as clues.
_ALIKE = {
    "cat": "yybnnn",
    "dog": "yybnnn",
    "cow": "bbynnn",
    "oak": "nnnyyb",
    "elm": "nnnyyy",
    "fir": "nnnbyy",
}

#: Six answers under two hints, judged by hand. For the cat *furry* is right, *tall* and *green* are wrong,
#: the other ideas are borderline; so is the cow, and the dog is right.
WORLD = World(
    name="by hand",
    hints=(Text("Animals", "Zvířata"), Text("Trees", "Stromy")),
    answers=tuple(Text(*texts) for texts in _ANSWERS.items()),
    ideas=tuple(Text(idea, czech) for idea, (czech, _) in _IDEAS.items()),
    cards=(2, 3, 5, 8, 13, 21),
    hint_of=np.array([0, 0, 0, 1, 1, 1], np.int16),
    judgement=np.array(
        [
            [_VERDICTS[row[k]] for row in [*(of for _, of in _IDEAS.values()), *_ALIKE.values()]]
            for k in range(6)
        ],
        np.int8,
    ),
)
CARDS = dict(zip(_ANSWERS, WORLD.cards, strict=True))

ANSWERS = tuple(_ANSWERS)
IDEAS = tuple(_IDEAS)
CLUES = [f"clue: {text}" for text in (*IDEAS, *ANSWERS)]
TROPHIES = [f"trophy: {answer}" for answer in ANSWERS]
BLANK = "blank card"
PASS = "pass"


def deal(answer: str = "cat", **options: Any) -> lisak_v0.raw_env:
    """A game of this answer, without a consultation unless the options say otherwise."""
    env = lisak_v0.raw_env(**{"world": WORLD, "consultation": 0, **options})
    env.reset(seed=0, options={"card": CARDS[answer]})
    return env


def full_name(action: str) -> str:
    """An idea's text stands for the clue card with it."""
    return f"clue: {action}" if action in IDEAS else action


def number_of(env: lisak_v0.raw_env, action: str) -> int:
    """The number of an action."""
    return env.table.action_names.index(full_name(action))


def play(env: lisak_v0.raw_env, *actions: str) -> float:
    """Play actions by name, whoever's they are; returns what all of them brought to everyone."""
    total = 0.0
    for action in actions:
        env.step(number_of(env, action))
        total += env.rewards["fox"]
    return total


def play_round(env: lisak_v0.raw_env, *cards: str, tokens: int | None = None, joker: str = PASS) -> float:
    """A row, the fox's tokens (the fewest, if no number is given) and the joker, if it is asked for."""
    total = play(env, *cards)
    if env.to_dict()["phase"] == "tokens":
        total += play(env, legal(env)[0] if tokens is None else f"tokens: {tokens}")
    if env.to_dict()["phase"] == "joker":
        total += play(env, joker)
    return total


def play_rounds(env: lisak_v0.raw_env, count: int) -> None:
    """So many rounds of blank cards."""
    for _ in range(count):
        play_round(env, *[BLANK] * env.ruleset.row_length)


def legal(env: lisak_v0.raw_env, agent: str | None = None) -> list[str]:
    """Names of what an agent may do; by default the one that is to move."""
    mask = env.observe(agent or env.agent_selection)["action_mask"]
    return [env.action_name(int(number)) for number in np.flatnonzero(mask)]


def seen(env: lisak_v0.raw_env, agent: str) -> dict[str, Any]:
    """What an agent observes, in names and values."""
    return env.describe(agent)


def now(env: lisak_v0.raw_env, *keys: str) -> Any:
    """The state's value, or values, of these keys."""
    state = env.to_dict()
    return state[keys[0]] if len(keys) == 1 else tuple(state[key] for key in keys)


def texts(env: lisak_v0.raw_env, row: int = -1) -> list[str | None]:
    """What stands on the cards of a row; ``None`` for a blank one."""
    return [card["text"] for card in now(env, "rows")[row]]


def snapshot(env: Any) -> tuple[Any, ...]:
    """All there is to a game: its state, its record, and what each seat observes and may do."""
    observations = [env.observe(agent) for agent in env.possible_agents]
    shown = [(view["observation"].tobytes(), view["action_mask"].tobytes()) for view in observations]
    return env.to_dict(), env.table.records.tobytes(), shown
