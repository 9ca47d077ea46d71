"""What a feature says of itself, in the `FEATURE` that its folder declares in `feature.py`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import Connection, Table

from capsule.context import AppContext
from capsule.ui.routes import Routes

if TYPE_CHECKING:
    from capsule.accounts.model import Player

Step: TypeAlias = tuple[Callable[[AppContext], object], str]
"""A step of the sweep, and the line for the log if it fails; the others go on."""


@dataclass(frozen=True)
class Feature:
    """The part of a feature in what all features have in common; `capsule.app` orders them.

    `routes` lead to its pages. The columns of its `tables` say what of a player's rows is exported
    and erased, the rows of the last table first. `export` returns what else is exported, fit for
    JSON, by places such as "puzzles.rating". `erase` does what must be done before the rows are
    erased. `sweep` has its steps of the periodic sweep. `on_ban` and `on_unban` do what a ban and
    its end bring about besides the end of games.
    """

    routes: Routes = ()
    tables: Sequence[Table] = ()
    export: "Callable[[AppContext, Connection, Player], Mapping[str, object]]" = lambda *_: {}
    erase: "Callable[[AppContext, Connection, Player], object]" = lambda *_: None
    sweep: Sequence[Step] = ()
    on_ban: "Callable[[AppContext, Connection, Player], object]" = lambda *_: None
    on_unban: "Callable[[AppContext, Connection, Player], object]" = lambda *_: None
