"""``human`` in Lišák: a person as the fox or as a seeker, who writes what comes to mind.

What is typed is matched with the world's ideas and answers, in English or Czech, ignoring case and
diacritics. Close matches are offered; nothing is guessed silently.
"""

import difflib
import time
from typing import Any, Final

import numpy as np

from ...envs.errors import InvalidOption
from ...envs.game import Game
from ...envs.lisak.actions import catalogue
from ...envs.lisak.ruleset import MAX_ROW, Ruleset
from ...envs.lisak.state import CONSULT, JOKER, PHASES, TOKENS
from ...envs.lisak.world import fold
from ..human import Human, TimeOut, ask
from ..policy import Policy, register

SECONDS: Final = 90.0  # L5
OFFERED: Final = 8  # close matches

#: Everything that is said to the person.
SPOKEN: Final = {
    "en": {
        "propose": "Propose what to write (Enter: nothing, ?: help): ",
        "write": "Write one idea (Enter: a blank card, ?: help): ",
        "last": "The last round: write the answer on a trophy (?: help): ",
        "tokens": "How many cards lead in the right direction? ({}): ",
        "joker": "The joker: row and card, as in 2 3 (Enter: keep it): ",
        "which": "Is {!r} a clue or a guess? c: a clue card, t: a trophy: ",
        "unknown": "{!r} is no idea or answer of this world.",
        "near": "Close to it: {}. Type a number, or something else.",
        "no trophy": "No trophy card is left.",
        "not now": "{!r} is not possible now.",
        "late": "Time is up.",
        "left": "{:.0f} seconds left. ",
        "help": "Type an idea, or as much of it as you remember. An answer on a trophy: !answer. "
        "All ideas: ?? (or ??word for those with a word). To stop: quit.",
    },
    "cs": {
        "propose": "Navrhni, co napsat (Enter: nic, ?: nápověda): ",
        "write": "Napiš jednu myšlenku (Enter: prázdná karta, ?: nápověda): ",
        "last": "Poslední kolo: napiš odpověď na trofej (?: nápověda): ",
        "tokens": "Kolik karet vede správným směrem? ({}): ",
        "joker": "Žolík: řada a karta, třeba 2 3 (Enter: nechat si ho): ",
        "which": "Je {!r} stopa, nebo tip? c: karta stopy, t: trofej: ",
        "unknown": "{!r} není myšlenka ani odpověď tohoto světa.",
        "near": "Podobné: {}. Napiš číslo, nebo něco jiného.",
        "no trophy": "Žádná karta trofeje už nezbývá.",
        "not now": "{!r} teď není možné.",
        "late": "Čas vypršel.",
        "left": "Zbývá {:.0f} sekund. ",
        "help": "Napiš myšlenku, nebo kolik si z ní pamatuješ. Odpověď na trofej: !odpověď. "
        "Všechny myšlenky: ?? (nebo ??slovo). Konec: quit.",
    },
}


class LisakHuman(Human):
    """Asks a person for ideas, answers, counts and the joker.

    Args:
        game: The game.
        ruleset: The rules it is played by; its language is spoken.
        seconds: Time for each round's consultation and writing; ``None``: as long as one likes. What is
            not written by then is a blank card (L5), but in the last round, which knows no blank cards.
    """

    def __init__(self, game: Game, ruleset: Ruleset, seconds: float | None = None) -> None:
        super().__init__(game, ruleset)
        self._world = ruleset.words
        self._numbers = catalogue(ruleset.words)
        self._say = SPOKEN[ruleset.language]
        self._seconds = seconds
        self._clock = (-1, 0.0)  # the round that is timed, and when its time is up

    def _choose(self, seen: np.ndarray, mask: np.ndarray, seat: int) -> int:
        self._show(seen, seat)
        described = self._game.describe(seen, self._ruleset)
        phase = PHASES.index(described["phase"])
        if phase == TOKENS:
            return self._count(mask)
        if phase == JOKER:
            return self._joker(mask)
        number = described["round_number"]
        if number != self._clock[0]:
            self._clock = number, time.monotonic() + (self._seconds or 0.0)
        may_be_silent = self._numbers.silence if phase == CONSULT else self._numbers.blank
        if not mask[may_be_silent]:
            return self._idea("last", mask, None)
        try:
            return self._idea("propose" if phase == CONSULT else "write", mask, may_be_silent)
        except TimeOut:
            print(self._say["late"])
            return may_be_silent

    def _count(self, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask) - self._numbers.token
        while True:
            answer = ask(self._say["tokens"].format(", ".join(map(str, legal))))
            if answer.isdecimal() and int(answer) in legal:
                return self._numbers.token + int(answer)
            print(self._say["not now"].format(answer))

    def _joker(self, mask: np.ndarray) -> int:
        while True:
            answer = ask(self._say["joker"])
            if not answer:
                return self._numbers.silence
            words = answer.replace(",", " ").split()
            if len(words) == 2 and all(word.isdecimal() and int(word) > 0 for word in words):
                row, card = (int(word) - 1 for word in words)
                action = self._numbers.joker + row * MAX_ROW + card
                if card < MAX_ROW and action < len(mask) and mask[action]:
                    return action
            print(self._say["not now"].format(answer))

    def _idea(self, question: str, mask: np.ndarray, silence: int | None) -> int:
        """What the person writes or proposes; ``silence`` is what an empty line stands for."""
        offered: list[int] = []
        while True:
            answer = self._ask(question, silence)
            if not answer and silence is not None:
                return silence
            if answer.startswith("?"):
                self._help(answer)
                continue
            if answer.isdecimal() and 1 <= int(answer) <= len(offered):
                answer = self._text(offered[int(answer) - 1])
            on_trophy = answer.startswith("!") or silence is None
            clue = self._world.by_text.get(fold(answer.lstrip("!")))
            is_answer = clue is not None and clue >= len(self._world.ideas)
            if clue is None or (on_trophy and not is_answer):
                offered = self._near(answer.lstrip("!"), on_trophy)
                print(self._say["unknown"].format(answer))
                if offered:
                    named = (f"{k} {self._text(near)}" for k, near in enumerate(offered, 1))
                    print(self._say["near"].format(", ".join(named)))
                continue
            if is_answer and not on_trophy:
                on_trophy = self._wants_trophy(answer)
            action = clue + len(self._world.answers) if on_trophy else clue
            if mask[action]:
                return action
            print(self._say["no trophy"] if on_trophy else self._say["not now"].format(answer))

    def _ask(self, question: str, silence: int | None) -> str:
        if self._seconds is None or silence is None:
            return ask(self._say[question])
        left = self._clock[1] - time.monotonic()
        if left <= 0:
            raise TimeOut
        return ask(self._say["left"].format(left) + self._say[question], left)

    def _wants_trophy(self, answer: str) -> bool:
        while True:
            choice = ask(self._say["which"].format(answer)).casefold()
            if choice in ("c", "t"):
                return choice == "t"

    def _help(self, answer: str) -> None:
        if not answer.startswith("??"):
            print(self._say["help"])
            return
        word = fold(answer[2:])
        texts = [text.in_language(self._ruleset.language) for text in self._world.ideas]
        print(", ".join(text for text in texts if word in fold(text)))

    def _text(self, clue: int) -> str:
        return self._world.clues[clue].in_language(self._ruleset.language)

    def _near(self, answer: str, on_trophy: bool) -> list[int]:
        """The clues (for a trophy: the answers) whose texts are close to what was typed."""
        known = {
            text: clue
            for text, clue in self._world.by_text.items()
            if not on_trophy or clue >= len(self._world.ideas)
        }
        typed = fold(answer)
        containing = [text for text in known if typed and typed in text]
        words = set(typed.split())
        sharing = sorted(known, key=lambda text: -len(words & set(text.split())))
        sharing = [text for text in sharing if words & set(text.split())]
        alike = difflib.get_close_matches(typed, known, n=OFFERED, cutoff=0.6)
        clues = dict.fromkeys(known[text] for text in (*alike, *containing, *sharing))
        return list(clues)[:OFFERED]


@register("lisak", "human", "a person at this terminal; human:timer counts the 90 seconds")
def _build(game: Game, ruleset: Any, argument: str) -> Policy:
    name, equals, value = argument.partition("=")
    if not argument:
        return LisakHuman(game, ruleset)
    try:
        seconds = float(value) if equals else SECONDS
    except ValueError:
        seconds = -1.0
    if name != "timer" or not seconds > 0:
        raise InvalidOption(f"human takes timer or timer=SECONDS, not {argument!r}")
    return LisakHuman(game, ruleset, seconds)
