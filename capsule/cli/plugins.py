"""Loading plug-ins before a command runs: the installed ones and those that settings name."""

from collections.abc import Iterable
from importlib.metadata import entry_points

from capsule.ui.render import single_line
from engine import plugins

GROUP = "oxonaut.variants"
"""The group of entry points by which an installed package names the module of its plug-in."""


class CannotLoadPlugin(Exception):
    """A plug-in cannot be loaded; the message is a line for the operator."""


def load(modules: Iterable[str]) -> None:
    """Load the plug-ins that are installed, and those of these modules.

    Raises `CannotLoadPlugin`.
    """
    installed = sorted(each.module for each in entry_points(group=GROUP))
    for module in (*installed, *modules):
        try:
            plugins.load(module)
        except Exception as error:
            reason = single_line(f"{type(error).__name__}: {error}")
            raise CannotLoadPlugin(f"The plug-in {module} cannot be loaded: {reason}") from error
