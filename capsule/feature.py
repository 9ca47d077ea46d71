"""The type of a feature, which each folder declares as `FEATURE`."""

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
"""A step of the sweep, and the message to log if it fails; later steps still run."""


_PlayerHook: TypeAlias = "Callable[[Transaction, Player], object]"
_PlayerEntries: TypeAlias = "Callable[[Transaction, Player], Iterable[Entry]]"


@dataclass(frozen=True)
class Feature:
    """The part of one feature in the jobs that features share; `capsule.app` orders them.

    `routes` lead to its pages. The columns of its `tables` declare which data of a player are
    exported and erased; rows of the last table are erased first. `export` returns further data, fit
    for JSON, by their place in the export, such as "puzzles.rating". `erase` runs before the rows
    are erased. `sweep` lists its steps of the periodic sweep. `on_ban` runs in the transaction of a
    ban, after the player's games have ended, and `on_unban` in the transaction that lifts it.

    `public_entries` returns its events for the feed of public games, of one variant or of all; it
    may leave out events before the given time. `private_entries` returns its events for a player's
    private feed and e-mail, and `letter_entries` events for e-mail alone. `home` returns the
    address and the text of its link on the home page, or None for no link.
    """

    routes: Routes = ()
    tables: Sequence[sa.Table] = ()
    export: "Callable[[Transaction, Player], Mapping[str, object]]" = lambda *_: {}
    erase: _PlayerHook = lambda *_: None
    sweep: Sequence[Step] = ()
    on_ban: _PlayerHook = lambda *_: None
    on_unban: _PlayerHook = lambda *_: None
    public_entries: Callable[[Transaction, str | None, datetime], Iterable[Entry]] = lambda *_: ()
    private_entries: _PlayerEntries = lambda *_: ()
    letter_entries: _PlayerEntries = lambda *_: ()
    home: Callable[[Transaction], tuple[str, Message] | None] = lambda _: None
