"""What every page and use case is given: the database, the time, chance and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capsule.costly import Costly
from capsule.mind import Nobody
from capsule.replays import ReplayCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.mind import Mind
    from capsule.store.store import Store


@dataclass(frozen=True)
class Site:
    """The capsule's surroundings.

    `clock` returns the time, aware and in UTC; `random_bytes` as many unguessable bytes as asked.
    `origin` is the capsule's own address, as in "gemini://example.org". `secret` signs the keys.
    """

    store: Store
    clock: Callable[[], datetime]
    random_bytes: Callable[[int], bytes]
    origin: str
    secret: bytes
    replays: ReplayCache = field(default_factory=ReplayCache)
    costly: Costly = field(default_factory=Costly)
    mind: Mind = field(default_factory=Nobody)
