"""The capsule's surroundings: what every page and use case is given to work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.bots.service import BotService
    from capsule.db.database import Database
    from capsule.games.replay_cache import ReplayCache
    from capsule.ui.exclusive import ExclusiveAccess


@dataclass(frozen=True)
class PersonalData:
    """What one feature keeps about a player.

    `export` returns it, fit for JSON, under keys that no other feature uses; `erase` erases it.
    """

    export: Callable[[AppContext, Connection, Player], Mapping[str, object]]
    erase: Callable[[AppContext, Connection, Player], None]


@dataclass(frozen=True)
class AppContext:
    """The surroundings of the pages, which `capsule.app` puts together.

    `clock` returns the time, aware and in UTC; `random_bytes` returns as many unguessable bytes as
    asked for. `origin` is the capsule's address, as in "gemini://example.org". `secret` signs the
    keys of actions. `replays` holds positions replayed before, `exclusive` admits one expensive
    request at a time, and `bots` thinks. `personal_data` is what each feature keeps about a player.
    """

    database: Database
    clock: Callable[[], datetime]
    random_bytes: Callable[[int], bytes]
    origin: str
    secret: bytes
    replays: ReplayCache
    exclusive: ExclusiveAccess
    bots: BotService
    personal_data: Sequence[PersonalData] = ()
