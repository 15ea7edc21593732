"""Reading worlds: by name, from a folder of one's own, or ``random(answers, ideas, seed)``.

A world's folder holds

===============  =====================================================================================
``hints.tsv``    ``id  en  cs``: a hint is also the kind of all its answers
``kinds.tsv``    ``kind  within  about``: groups of answers; what is said of a kind is said of all in it
``answers.tsv``  ``card  hint  en  cs  kinds``
``ideas/*.toml`` a table for each idea, named by its English text: ``cs``, and ``yes``, ``borderline``,
                 ``no`` with the kinds and answers they hold for, separated by commas; ``otherwise``
                 at the top of a file says what holds for all that an idea does not mention
===============  =====================================================================================

Of two things said about an answer the nearer one counts: one that names the answer itself before one
that names a kind, and one about a kind before one about a kind that contains it. Two kinds that
contradict each other about an answer are an error, and so is an answer of which nothing is said.

A part of a world is a file ``NAME.toml`` with ``within`` (the world), ``answers`` and ``ideas``.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..errors import InvalidOption, unknown, whole_number
from .world import JUDGEMENTS, MAX_SIZE, Text, World, fold, random_world, with_answers_as_clues

FOLDER: Final = Path(__file__).parent / "words"
VERDICTS: Final = {name: verdict for verdict, name in enumerate(JUDGEMENTS)}
_RANDOM: Final = re.compile(r"random\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")


@lru_cache
def named_worlds() -> tuple[str, ...]:
    """The worlds that come with the package."""
    whole = [path.parent.name for path in FOLDER.glob("*/answers.tsv")]
    return (*sorted(whole), *sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_world(name: str) -> World:
    """The world of a name (``"box"``), a folder's path, or ``"random(answers, ideas, seed)"``.

    Raises:
        InvalidOption: There is none of that name, or its files are faulty; the message says file, line
            and reason.
    """
    if name in named_worlds() or _RANDOM.fullmatch(name.strip()):
        return _known_world(name)
    if Path(name).is_dir():
        return read_world(Path(name), name)
    if Path(name).is_file():
        return read_part(Path(name), name)
    raise InvalidOption(
        unknown("world", name, named_worlds())
        + '; a folder of your own and "random(answers, ideas, seed)" are allowed too'
    )


@lru_cache(maxsize=16)
def _known_world(name: str) -> World:
    """A world that stays as it is; those in folders of one's own may be worked on."""
    found = _RANDOM.fullmatch(name.strip())
    if found:
        answers, ideas, seed = map(int, found.groups())
        whole_number(answers, "the number of answers of a random world", 2, MAX_SIZE)
        whole_number(ideas, "the number of ideas of a random world", 1, MAX_SIZE)
        return random_world(answers, ideas, seed)
    if (FOLDER / name).is_dir():
        return read_world(FOLDER / name, name)
    return read_part(FOLDER / f"{name}.toml", name)


class Fault(InvalidOption):
    """Something in a world's file is off.

    Args:
        path: The file.
        line: Its line, from 1.
        reason: What is wrong, and what is allowed.
    """

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path.parent.name}/{path.name}, line {line}: {reason}")


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a TSV file with their line numbers; the first line names the columns."""
    lines = _read(path).split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.rstrip("\r").split("\t")]
        cells += [""] * (len(columns) - len(cells))
        if number == 1:
            if tuple(cells) != columns:
                raise Fault(path, 1, f"the columns must be {', '.join(columns)}, not {', '.join(cells)}")
            continue
        if len(cells) != len(columns):
            raise Fault(path, number, f"{len(cells)} cells, but there are {len(columns)} columns")
        yield number, dict(zip(columns, cells, strict=True))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidOption(f"a world needs the file {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidOption(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None


class Texts:
    """Keeps texts apart: no two of one sort may read the same in English, nor in Czech (L15)."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], str] = {}

    def add(self, path: Path, line: int, sort: str, text: Text) -> Text:
        """The text, if it is new."""
        for language in ("en", "cs"):
            words = text.in_language(language)
            if not words:
                raise Fault(path, line, f"the text in {language!r} is missing")
            key = language, fold(words)
            if key in self._seen:
                raise Fault(path, line, f"{words!r} is already taken by the {self._seen[key]}")
            self._seen[key] = f"{sort} {words!r}"
        return text


def read_world(folder: Path, name: str) -> World:
    """A world from its folder.

    Raises:
        Fault: A file is faulty.
        InvalidOption: A file is missing or no text.
    """
    texts, hints = Texts(), {}
    members: dict[str, set[int]] = {}  # kind -> indices of the answers in it
    for line, row in read_table(folder / "hints.tsv", ("id", "en", "cs")):
        hints[row["id"]] = texts.add(folder / "hints.tsv", line, "hint", Text(row["en"], row["cs"]))
    above = read_kinds(folder / "kinds.tsv", hints)
    rows = sorted(read_answers(folder / "answers.tsv", hints, above), key=lambda row: row[1])
    answers: list[Text] = []
    for index, (line, _, hint, text, kinds) in enumerate(rows):
        answers.append(texts.add(folder / "answers.tsv", line, "answer", text))
        for kind in {hint, *kinds}.union(*(above[kind] for kind in (hint, *kinds))):
            members.setdefault(kind, set()).add(index)
    judge = Judge([text.en for text in answers], members, above)
    ideas, columns = [], []
    files = sorted((folder / "ideas").glob("*.toml"))
    if not files:
        raise InvalidOption(f"a world needs ideas, but {folder / 'ideas'} holds no .toml file")
    for path in files:
        for line, text, column in read_ideas(path, judge):
            ideas.append(texts.add(path, line, "idea", text))
            columns.append(column)
    order = list(hints)
    return World(
        name=name,
        hints=tuple(hints.values()),
        answers=tuple(answers),
        ideas=tuple(ideas),
        cards=tuple(card for _, card, *_ in rows),
        hint_of=np.array([order.index(hint) for _, _, hint, *_ in rows], np.int16),
        judgement=with_answers_as_clues(np.stack(columns, axis=1)),
    )


def read_kinds(path: Path, hints: Mapping[str, Text]) -> dict[str, set[str]]:
    """Every kind, the hints included, with all kinds that contain it."""
    within: dict[str, list[str]] = {hint: [] for hint in hints}
    lines = {}
    for line, row in read_table(path, ("kind", "within", "about")):
        if row["kind"] in within:
            raise Fault(path, line, f"the kind {row['kind']!r} is already there")
        within[row["kind"]] = row["within"].split()
        lines[row["kind"]] = line
    above: dict[str, set[str]] = {}
    for kind, line in lines.items():
        for parent in within[kind]:
            if parent not in within:
                raise Fault(path, line, unknown("kind", parent, within))
        seen, open_kinds = set(), list(within[kind])
        while open_kinds:
            parent = open_kinds.pop()
            if parent == kind:
                raise Fault(path, line, f"the kind {kind!r} lies within itself")
            if parent not in seen:
                seen.add(parent)
                open_kinds += within.get(parent, [])
        above[kind] = seen
    return {hint: set() for hint in hints} | above


def read_answers(
    path: Path, hints: Mapping[str, Text], kinds: Mapping[str, set[str]]
) -> Iterator[tuple[int, int, str, Text, list[str]]]:
    """Line, card number, hint, text and kinds of every answer."""
    numbers: dict[int, str] = {}
    for line, row in read_table(path, ("card", "hint", "en", "cs", "kinds")):
        if not row["card"].isdecimal() or int(row["card"]) == 0:
            raise Fault(path, line, f"a card's number must be 1 or more, not {row['card']!r}")
        card = int(row["card"])
        if numbers.setdefault(card, row["en"]) != row["en"]:
            raise Fault(path, line, f"card {card} is already taken by {numbers[card]!r}")
        if row["hint"] not in hints:
            raise Fault(path, line, unknown("hint", row["hint"], hints))
        for kind in row["kinds"].split():
            if kind not in kinds:
                raise Fault(path, line, unknown("kind", kind, kinds))
        if row["en"] in kinds:
            raise Fault(path, line, f"{row['en']!r} is also the name of a kind")
        yield line, card, row["hint"], Text(row["en"], row["cs"]), row["kinds"].split()


class Judge:
    """Turns what is said of kinds and answers into a judgement of every answer.

    Args:
        answers: The answers' English texts.
        members: The answers in each kind.
        above: The kinds that contain each kind.
    """

    def __init__(
        self, answers: list[str], members: Mapping[str, set[int]], above: Mapping[str, set[str]]
    ) -> None:
        self.answers = answers
        self._index = {answer: index for index, answer in enumerate(answers)}
        self._above = above
        self._members = {
            kind: np.isin(np.arange(len(answers)), list(members.get(kind, ()))) for kind in above
        }

    def column(self, said: Mapping[str, int], otherwise: int | None) -> np.ndarray:
        """What an idea says of every answer, int8.

        Args:
            said: The verdict for each kind or answer that is mentioned.
            otherwise: The verdict for all that is not.

        Raises:
            ValueError: A name is unknown, or an answer has no verdict, or two that differ.
        """
        column = np.full(len(self.answers), -1, np.int8)
        contradicted: dict[int, tuple[str, str]] = {}
        by: dict[int, str] = {}
        kinds = [name for name in said if name in self._members]
        for kind in kinds:
            reach = self._members[kind].copy()
            for other in kinds:
                if kind in self._above[other]:
                    reach &= ~self._members[other]
            for answer in np.flatnonzero(reach & (column >= 0) & (column != said[kind])):
                contradicted[int(answer)] = (by[int(answer)], kind)
            column[reach] = said[kind]
            by.update(dict.fromkeys(np.flatnonzero(reach).tolist(), kind))
        for name, verdict in said.items():
            if name in self._index:
                column[self._index[name]] = verdict
                contradicted.pop(self._index[name], None)
            elif name not in self._members:
                raise ValueError(unknown("kind or answer", name, [*self._members, *self._index]))
        for answer, (first, second) in contradicted.items():
            raise ValueError(
                f"the kinds {first!r} and {second!r} disagree about {self.answers[answer]!r}: name it itself"
            )
        if otherwise is not None:
            column[column < 0] = otherwise
        if (column < 0).any():
            raise ValueError(f"nothing is said of {self.answers[int((column < 0).argmax())]!r}")
        return column


def read_ideas(path: Path, judge: Judge) -> Iterator[tuple[int, Text, np.ndarray]]:
    """Line, text and column of judgements of every idea in a file."""
    source = _read(path)
    try:
        tables = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(f"{path.parent.name}/{path.name} is no TOML: {error}") from None
    otherwise = tables.pop("otherwise", None)
    if otherwise is not None and otherwise not in VERDICTS:
        raise Fault(path, 1, unknown("value of otherwise:", otherwise, VERDICTS))
    lines = source.split("\n")
    for idea, table in tables.items():
        line = next(
            (k for k, text in enumerate(lines, 1) if text.startswith((f'["{idea}"]', f"[{idea}]"))), 1
        )
        if not isinstance(table, dict):
            raise Fault(path, line, f"{idea!r} must be a table of an idea, or 'otherwise'")
        said: dict[str, int] = {}
        for key, value in table.items():
            if key not in ("cs", *VERDICTS) or not isinstance(value, str):
                raise Fault(
                    path, line, f"{idea!r}: cs, yes, borderline and no are texts, not {key} = {value!r}"
                )
            if key == "cs":
                continue
            for name in filter(None, map(str.strip, value.split(","))):
                if said.setdefault(name, VERDICTS[key]) != VERDICTS[key]:
                    raise Fault(path, line, f"{idea!r} says {JUDGEMENTS[said[name]]} and {key} of {name!r}")
        try:
            column = judge.column(said, None if otherwise is None else VERDICTS[otherwise])
        except ValueError as error:
            raise Fault(path, line, f"{idea!r}: {error}") from None
        yield line, Text(idea, table.get("cs", "")), column


def read_part(path: Path, name: str) -> World:
    """A part of a world from its file.

    Raises:
        InvalidOption: The file is faulty.
    """
    try:
        table: dict[str, Any] = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(f"{path.name} is no TOML: {error}") from None
    if sorted(table) != ["answers", "ideas", "within"]:
        raise InvalidOption(f"{path.name} must say within, answers and ideas, not {', '.join(sorted(table))}")
    whole = load_world(table["within"])
    chosen = []
    for sort, texts in (("answers", whole.answers), ("ideas", whole.ideas)):
        known = {text.en: index for index, text in enumerate(texts)}
        for text in table[sort]:
            if text not in known:
                raise InvalidOption(f"{path.name}: {unknown(f'one of the {sort}', text, known)}")
        chosen.append(sorted({known[text] for text in table[sort]}))
    return whole.part(name, *chosen)
