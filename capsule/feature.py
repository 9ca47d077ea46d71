"""The type of features, whose values are the `FEATURE` of each folder."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

import sqlalchemy as sa

from capsule.context import AppContext, Transaction
from capsule.ui.atom import Entry
from capsule.ui.routes import Routes
from engine import Message

if TYPE_CHECKING:
    from capsule.accounts.model import Player

Step: TypeAlias = tuple[Callable[[AppContext], object], str]
"""A step of the sweep, and the line for the log if it fails; the others go on."""


_OfPlayer: TypeAlias = "Callable[[AppContext, sa.Connection, Player], object]"
_EntriesOfPlayer: TypeAlias = "Callable[[AppContext, sa.Connection, Player], Iterable[Entry]]"


@dataclass(frozen=True)
class Feature:
    """The part of a feature in what all features have in common; `capsule.app` orders them.

    `routes` lead to its pages. The columns of its `tables` say what of a player's rows is exported
    and erased, the rows of the last table first. `export` returns what else is exported, fit for
    JSON, by places such as "puzzles.rating". `erase` does what must be done before the rows are
    erased. `sweep` has its steps of the periodic sweep. `on_ban` and `on_unban` do what a ban and
    its end bring about besides the end of games.

    `public_entries` returns its events for the feed of public games, of one variant or of all;
    those before a time may be left out. `private_entries` returns its events for a player's private
    feed and letters, `letter_entries` those for letters alone. `home` returns the address and the
    words of its line on the home page, None if there is nothing to say.
    """

    routes: Routes = ()
    tables: Sequence[sa.Table] = ()
    export: "Callable[[AppContext, sa.Connection, Player], Mapping[str, object]]" = lambda *_: {}
    erase: _OfPlayer = lambda *_: None
    sweep: Sequence[Step] = ()
    on_ban: _OfPlayer = lambda *_: None
    on_unban: _OfPlayer = lambda *_: None
    public_entries: Callable[[Transaction, str | None, datetime], Iterable[Entry]] = lambda *_: ()
    private_entries: _EntriesOfPlayer = lambda *_: ()
    letter_entries: _EntriesOfPlayer = lambda *_: ()
    home: Callable[[Transaction], tuple[str, Message] | None] = lambda _: None
