"""The folders that plug-ins bring: their own templates and catalogues of translations."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import plugins

if TYPE_CHECKING:
    from pathlib import Path


def plugin_folders(attribute: str) -> tuple[Path, ...]:
    """Return the folders that plug-ins name as an `attribute` of their modules.

    `TEMPLATES` has templates, of which a variant's rules page is `lobby/rules/<key>.gmi`. `LOCALE`
    has catalogues, each at `<language>/LC_MESSAGES/oxonaut.po`.
    """
    return _folders(attribute, plugins.loaded())


@lru_cache(maxsize=8)
def _folders(attribute: str, names: tuple[str, ...]) -> tuple[Path, ...]:
    modules = (sys.modules[name] for name in names)
    return tuple(getattr(module, attribute) for module in modules if hasattr(module, attribute))
