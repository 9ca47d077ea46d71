"""Compiles the bots' inner functions where numba is installed (the extra `fast`).

The functions are written so that they give the same answers either way. This is the only place
where the engine looks for a package outside the standard library, and it does well without.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")


def _numba() -> Any:  # noqa: ANN401 - numba, where it is installed, brings no types
    try:
        return importlib.import_module("numba")
    except ImportError:
        return None


_NUMBA = _numba()

IS_COMPILED: bool = _NUMBA is not None and not _NUMBA.config.DISABLE_JIT
"""Whether the inner functions run compiled. numba's own NUMBA_DISABLE_JIT=1 makes them run plain."""


def compiled(function: Function) -> Function:
    """Return the function, compiled on its first call where numba is installed.

    What was compiled is kept on disk beside the source, or where numba's NUMBA_CACHE_DIR says; an
    installation where neither can be written compiles anew in each process. Compiled functions let
    other threads run.
    """
    if not IS_COMPILED:
        return function
    try:
        return _NUMBA.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return _NUMBA.njit(nogil=True)(function)
