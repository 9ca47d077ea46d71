"""Compilation of the bots' inner functions, if numba is installed (the extra `fast`).

The functions are written so that they give the same answers either way. This is the only place
where the engine looks for a package outside the standard library, and it works without.
"""

from __future__ import annotations

import importlib
import os
from array import array
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


Function = TypeVar("Function", bound="Callable[..., Any]")


def _installed(package: str) -> Any:  # noqa: ANN401 - what is installed brings no types
    try:
        return importlib.import_module(package)
    except ImportError:
        return None


# numba takes a hundred megabytes, which are wasted if it is switched off.
_NUMBA: Any = None if os.environ.get("NUMBA_DISABLE_JIT") == "1" else _installed("numba")

IS_COMPILED: bool = _NUMBA is not None and not _NUMBA.config.DISABLE_JIT
"""Whether the inner functions run compiled. NUMBA_DISABLE_JIT=1, numba's own, makes them plain."""

_NUMPY: Any = _installed("numpy") if IS_COMPILED else None


def compiled(signature: str, *, keep: bool = True) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function as it is defined, if numba is installed.

    The signature is numba's: "i8" a number, "i4[::1]" or "f8[::1]" a flat array of such numbers. It
    is written out because numba would otherwise compile a function many times over for literal
    arguments, and mixes up its cached files of functions that call themselves.

    The compiled code is kept beside the source, or where numba's NUMBA_CACHE_DIR says; if neither
    can be written to, each process compiles again, which takes some ten seconds. It is reused
    while nothing in the function's folder has changed, so do not keep functions that call those of
    another folder. Compiled functions let other threads run.
    """

    def decorate(function: Function) -> Function:
        if not IS_COMPILED:
            return function
        compile_as = partial(_NUMBA.njit, signature, nogil=True)
        # numba looks for what it kept by the function's name, and then at its own file alone.
        folder = Path(function.__code__.co_filename).parent
        function.__qualname__ = f"{_digest(folder)}.{function.__qualname__}"
        try:
            made: Function = compile_as(cache=keep)(function)
        except RuntimeError:  # nowhere to keep it
            made = compile_as()(function)
        return made

    return decorate


@cache
def _digest(folder: Path) -> str:
    """Return a hash of the Python files of a folder."""
    content = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return blake2b(content, digest_size=8).hexdigest()


def flat(values: Iterable[float], sort: str) -> Any:  # noqa: ANN401 - a list, or numpy's array
    """Return numbers as compiled functions take them; in plain Python, a list.

    `sort` is the letter of the standard library's `array`: "i" for i4, "q" for i8, "d" for f8.
    """
    if not IS_COMPILED:
        return values if isinstance(values, list) else list(values)
    content = array(sort, values)
    return _NUMPY.frombuffer(content, dtype=sort)


def zeros(size: int, sort: str) -> Any:  # noqa: ANN401 - a list, or numpy's array
    """Return `size` zeros as `flat` would; an array takes no memory until it is used."""
    if not IS_COMPILED:
        return [0.0 if sort == "d" else 0] * size
    return _NUMPY.zeros(size, dtype=sort)


def numbers(size: int, sort: str) -> Any:  # noqa: ANN401 - the standard library's array, or numpy's
    """Return `size` zeros as compiled functions take them, but in plain Python, too, in an array.

    That is slower to read than a list, and takes a quarter of the memory or less.
    """
    if not IS_COMPILED:
        return array(sort, [0]) * size
    return _NUMPY.zeros(size, dtype=sort)
