"""Variants, bots and puzzles from outside the engine, by the module that brings them.

A plug-in is a module with two functions. `register` hands what it brings to
`engine.variants.register` and, if it has its own bots or puzzles, to `engine.bots.register` and
`engine.puzzles.register`; `unregister` takes that back. Bots think in separate processes, and
each of these loads what is loaded here.
"""

import importlib

_loaded: list[str] = []


def load(name: str) -> None:
    """Import a plug-in, by its module's name, and let it register what it brings, once.

    Raises `ImportError` if there is no such module, and any error of the module.
    """
    if name not in _loaded:
        importlib.import_module(name).register()
        _loaded.append(name)


def unload(name: str) -> None:
    """Take back what a plug-in that was loaded has registered."""
    _loaded.remove(name)
    importlib.import_module(name).unregister()


def loaded() -> tuple[str, ...]:
    """Return the names of the plug-ins that are loaded, in the order in which they were."""
    return tuple(_loaded)
