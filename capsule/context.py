"""What every page and use case is given: the database, the time, chance and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capsule.bots.service import NoBots
from capsule.games.replay_cache import ReplayCache
from capsule.ui.exclusive import ExclusiveAccess

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.bots.service import BotService
    from capsule.db.database import Database


@dataclass(frozen=True)
class AppContext:
    """The capsule's surroundings.

    `clock` returns the time, aware and in UTC; `random_bytes` as many unguessable bytes as asked.
    `origin` is the capsule's own address, as in "gemini://example.org". `secret` signs the keys.
    """

    database: Database
    clock: Callable[[], datetime]
    random_bytes: Callable[[int], bytes]
    origin: str
    secret: bytes
    replays: ReplayCache = field(default_factory=ReplayCache)
    costly: ExclusiveAccess = field(default_factory=ExclusiveAccess)
    bots: BotService = field(default_factory=NoBots)
