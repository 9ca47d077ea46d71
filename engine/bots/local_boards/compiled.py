"""Compilation of the bots' inner functions, if numba is installed (the extra `fast`).

The functions give the same results compiled or not. This is the only module of the engine that
imports packages from outside the standard library, and they are optional.
"""

import importlib
import os
from array import array
from collections.abc import Callable, Iterable
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def _installed(package: str) -> Any:  # noqa: ANN401 - what is installed brings no types
    try:
        return importlib.import_module(package)
    except ImportError:
        return None


# Importing numba takes a hundred megabytes, in vain if its compiler is switched off.
_NUMBA: Any = None if os.environ.get("NUMBA_DISABLE_JIT") == "1" else _installed("numba")

IS_COMPILED: bool = _NUMBA is not None and not _NUMBA.config.DISABLE_JIT
"""Whether the inner functions run compiled; numba's variable NUMBA_DISABLE_JIT=1 prevents it."""

_NUMPY: Any = _installed("numpy") if IS_COMPILED else None


def compiled(signature: str, *, keep: bool = True) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function when it is defined, if numba is installed.

    The signature is in numba's notation: "i8" for an integer, "i4[::1]" or "f8[::1]" for a flat
    array. Without it, numba would compile a function once for each literal argument, and mix up the
    cached files of recursive functions.

    If `keep`, the compiled code is cached beside the source or in NUMBA_CACHE_DIR; if neither can
    be written to, each process compiles again, which takes some ten seconds. The cache is valid
    while nothing in the function's folder changes, so do not keep functions that call functions of
    another folder. Compiled functions release the GIL.
    """

    def decorate(function: Function) -> Function:
        if not IS_COMPILED:
            return function
        compile_as = partial(_NUMBA.njit, signature, nogil=True)
        # numba's cache goes by the function's name and its own file: the hash covers the folder.
        folder = Path(function.__code__.co_filename).parent
        function.__qualname__ = f"{_digest(folder)}.{function.__qualname__}"
        try:
            made: Function = compile_as(cache=keep)(function)
        except RuntimeError:  # no folder can be written to
            made = compile_as()(function)
        return made

    return decorate


@cache
def _digest(folder: Path) -> str:
    """Return a hash of the Python files of a folder."""
    content = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return blake2b(content, digest_size=8).hexdigest()


def flat(values: Iterable[float], type_code: str) -> Any:  # noqa: ANN401 - a list, or numpy's array
    """Return numbers in the form that the functions take: a numpy array or, without numba, a list.

    `type_code` is the letter of the standard library's `array`: "i" for i4, "q" for i8, "d" for f8.
    """
    if not IS_COMPILED:
        return values if isinstance(values, list) else list(values)
    content = array(type_code, values)
    return _NUMPY.frombuffer(content, dtype=type_code)


def zeros(size: int, type_code: str) -> Any:  # noqa: ANN401 - a list, or numpy's array
    """Return `size` zeros in the form of `flat`; an array takes memory once it is written to."""
    if not IS_COMPILED:
        return [0.0 if type_code == "d" else 0] * size
    return _NUMPY.zeros(size, dtype=type_code)


def compact_zeros(size: int, type_code: str) -> Any:  # noqa: ANN401 - the standard library's array, or numpy's
    """Return `size` zeros in an array, even without numba.

    In plain Python that is slower to read than a list, and takes at most a quarter of the memory.
    """
    if not IS_COMPILED:
        return array(type_code, [0]) * size
    return _NUMPY.zeros(size, dtype=type_code)
