"""One switch for the whole engine: compiled by Numba, or plain Python with ``REYNARD_JIT=0``.

The rules are written once, as plain functions over NumPy records. Compiled they are fast; uncompiled
they can be stepped through in a debugger and measured by coverage. Which of the two a process uses is
decided when it starts.

Compiled code is kept on disk. Numba notices a change in the file that holds a function, but not one in
the functions and constants it was compiled with, so the cache folder's name holds a digest of all the
sources it can be made of: code from yesterday's rules can never be played.
"""

import getpass
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

#: Batches below this size are done without threads.
SMALL_BATCH = 256

# GNU OpenMP, which runs the threads, lets a thread that waits spin for a long time. On a machine with
# other work (a network that learns, say) that makes every loop wait for a time slice, and is ten times
# slower; on an idle machine it is some 15% faster. Whoever has one to themselves can set it higher.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

ENABLED = os.environ.get("REYNARD_JIT", "1") != "0"

Function = TypeVar("Function", bound=Callable[..., Any])

_ENVS = Path(__file__).parent


@lru_cache
def cache_folder(package: Path = _ENVS) -> Path:
    """The folder of compiled code that belongs to exactly these sources.

    Args:
        package: The folder whose functions are compiled: this one, or one beside it that uses it.
    """
    digest = hashlib.sha256()
    for folder in dict.fromkeys((_ENVS, package)):
        for source in sorted(folder.rglob("*.py")):
            text = source.read_bytes()
            # the name and the length too, so that moving text between files is a change as well
            digest.update(f"{source.relative_to(folder)} {len(text)} ".encode() + text)
    parent = os.environ.get("NUMBA_CACHE_DIR")
    if parent is None:
        beside = package / "__pycache__"
        writable = os.access(beside if beside.exists() else package, os.W_OK)
        parent = beside if writable else Path(tempfile.gettempdir()) / f"reynard-{getpass.getuser()}"
    return Path(parent) / f"{package.name}-{digest.hexdigest()[:16]}"


def _package_of(function: Callable[..., Any]) -> Path:
    """The folder beside this one that the function comes from; this one, if it comes from elsewhere."""
    source = Path(function.__code__.co_filename)
    beside = [folder for folder in source.parents if folder.parent == _ENVS.parent]
    return beside[0] if beside else _ENVS


@contextmanager
def _cached_in(folder: Path) -> Iterator[None]:
    """Numba takes the cache folder from its configuration at the moment a function is decorated."""
    from numba.core import config as numba_config

    config: Any = numba_config

    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


if ENABLED:
    from numba import njit, prange
    from numba.extending import register_jitable

    # numpy's error model: a division cannot raise, so nothing needs to be checked after each call
    _OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

    def jit(function: Function) -> Function:  # pyright: ignore[reportRedeclaration]
        """A building block: plain Python to Python, and compiled into the kernels that call it."""
        return register_jitable(**_OPTIONS)(function)

    def inlined(function: Function) -> Function:  # pyright: ignore[reportRedeclaration]
        """A building block that becomes part of whoever calls it.

        For functions that take arrays in an innermost loop: at a call, each array would be counted by
        Numba's memory management. They must have one ``return``, at the end.
        """
        return register_jitable(inline="always", **_OPTIONS)(function)

    def kernel(function: Function) -> Function:
        """Compile a function that Python calls, and keep the result on disk."""
        with _cached_in(cache_folder(_package_of(function))):
            return njit(cache=True, **_OPTIONS)(function)  # pyright: ignore[reportReturnType]

    def parallel_kernel(function: Function) -> Function:
        """The same, with its ``prange`` loops spread over the cores when there is enough to do.

        A small batch is done by a serial version: it would wait longer for the threads than it works,
        and a process that never starts them can still be forked.
        """
        folder = cache_folder(_package_of(function))
        with _cached_in(folder / "serial"):
            serial = njit(cache=True, **_OPTIONS)(function)
        with _cached_in(folder / "parallel"):
            parallel = njit(cache=True, parallel=True, **_OPTIONS)(function)

        @wraps(function)
        def run(*arguments: Any) -> Any:
            size = max(len(argument) for argument in arguments if isinstance(argument, np.ndarray))
            return (serial if size < SMALL_BATCH else parallel)(*arguments)

        run.py_func = function  # pyright: ignore[reportAttributeAccessIssue]
        return run  # pyright: ignore[reportReturnType]

else:
    prange = range

    def jit(function: Function) -> Function:
        """Nothing to compile."""
        return function

    inlined = kernel = parallel_kernel = jit


def plain(function: Function) -> Function:
    """The uncompiled form of a kernel. Its records must be NumPy ``recarray`` elements."""
    return getattr(function, "py_func", function)


__all__ = ["ENABLED", "cache_folder", "inlined", "jit", "kernel", "parallel_kernel", "plain", "prange"]
