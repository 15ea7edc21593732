"""Observations as one table of named segments; everything else about them is derived from it.

The table becomes a NumPy record type. The encoder writes named fields of that record, agents read the
same bytes as a flat vector (``int8`` where a game has no larger numbers), the decoder views them as the
record again, and the documentation prints the table. No offset is written down anywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import gymnasium
import numpy as np


def with_words(dtype: np.dtype, names: Sequence[str], unit: Any = np.int8) -> np.dtype:
    """A record type with further names for the same bytes, for code in a hurry.

    ``NAME_words`` is a named field as 64-bit words, ``whole`` the whole record as units (bytes).

    Raises:
        ValueError: A field's rows are no multiples of eight bytes.
    """
    fields = _fields_of(dtype)
    aliases = {}
    for name in names:
        kind, at = fields[name]
        if kind.base != np.int8 or kind.shape[-1] % 8:
            raise ValueError(f"the field {name!r} has no rows of whole words: {kind}")
        *rows, bytes_in_row = kind.shape
        aliases[f"{name}_words"] = np.dtype((np.int64, (*rows, bytes_in_row // 8))), at
    aliases["whole"] = np.dtype((unit, dtype.itemsize // np.dtype(unit).itemsize)), 0
    return _record(fields | aliases, dtype.itemsize)


def with_numbers(dtype: np.dtype, names: Sequence[str]) -> np.dtype:
    """A record type with further names: ``NAME_numbers`` are a field's numbers one after the other."""
    fields = _fields_of(dtype)
    aliases = {
        f"{name}_numbers": (np.dtype((fields[name][0].base, prod(fields[name][0].shape))), fields[name][1])
        for name in names
    }
    return _record(fields | aliases, dtype.itemsize)


def _fields_of(dtype: np.dtype) -> dict[str, tuple[np.dtype, int]]:
    return {name: (kind, at) for name, (kind, at, *_) in (dtype.fields or {}).items()}


def _record(fields: Mapping[str, tuple[np.dtype, int]], size: int) -> np.dtype:
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, _ in fields.values()],
            "offsets": [at for _, at in fields.values()],
            "itemsize": size,
        }
    )


@dataclass(frozen=True)
class Segment:
    """A named part of an observation.

    Args:
        name: Field name, also the attribute the encoder writes.
        shape: Shape of the part.
        high: The largest value (the smallest is 0).
        meaning: One sentence for the documentation.
        usual: What is much in an ordinary game, if far less than ``high``: for networks, which like small
            numbers.
        cards: If the last axis is a card, its kind and the number of what stands on it: how many kinds
            there are.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    usual: int | None = None
    cards: int = 0

    @property
    def size(self) -> int:
        """How many numbers the part holds."""
        return prod(self.shape)


class Layout:
    """The segments of a game's observation, in order.

    Args:
        segments: What every observation holds.
        history: What an observation holds besides unless the ruleset leaves the history out. These
            segments come last, so that an observation without them is a prefix of one with them.
        dtype: Of the flat vector.
    """

    def __init__(
        self, segments: Sequence[Segment], history: Sequence[Segment], dtype: type[np.integer] = np.int8
    ) -> None:
        self.segments = (*segments, *history)
        self.dtype = np.dtype(dtype)
        self._fields = np.dtype([(part.name, dtype, part.shape) for part in self.segments])
        self.size = sum(part.size for part in self.segments)
        self.size_without_history = sum(part.size for part in segments)

    def record(self) -> np.dtype:
        """The record that an encoder writes: the segments, those of whole words as words too."""
        in_words = [part.name for part in self.segments if part.shape[-1] % 8 == 0]
        return with_words(self._fields, in_words if self.dtype == np.int8 else [], self.dtype)

    def visible_size(self, history: bool) -> int:
        """Length of the flat vector."""
        return self.size if history else self.size_without_history

    def space(self, history: bool) -> gymnasium.spaces.Box:
        """The space of the flat vector."""
        high = np.concatenate([np.full(part.size, part.high, self.dtype) for part in self.segments])
        high = high[: self.visible_size(history)]
        return gymnasium.spaces.Box(np.zeros_like(high), high, dtype=self.dtype.type)

    def slices(self) -> dict[str, slice]:
        """Where each segment lies in the flat vector."""
        ends = np.cumsum([part.size for part in self.segments]).tolist()
        return {part.name: slice(end - part.size, end) for part, end in zip(self.segments, ends, strict=True)}

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The segments of one flat observation, in their shapes.

        Raises:
            ValueError: The vector has another length than this layout's, with or without history.
        """
        vector = np.asarray(observation)
        if vector.shape not in ((self.size,), (self.size_without_history,)):
            raise ValueError(
                f"an observation has shape ({self.size},), or ({self.size_without_history},) without "
                f"history, not {vector.shape}"
            )
        slices = self.slices()
        return {
            part.name: vector[slices[part.name]].reshape(part.shape)
            for part in self.segments
            if slices[part.name].stop <= len(vector)
        }
