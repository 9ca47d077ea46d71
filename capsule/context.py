"""The application context, and the transactions through which pages and use cases get it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from capsule.db.faults import retry
from capsule.measurements import Measurements

if TYPE_CHECKING:
    from capsule.accounts.players import NewcomerLimit
    from capsule.bots.service import BotService, EvaluationCache
    from capsule.db.database import Database
    from capsule.db.health import DatabaseHealth
    from capsule.db.leases import Leases
    from capsule.feature import Feature
    from capsule.games.reading import ReplayCache
    from capsule.mail.game_views import GameViews
    from capsule.timekeeping.trusted_clock import Doubt, TrustedClock
    from capsule.ui.responses import ExclusiveAccess

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class AppContext:
    """The services and settings that pages and use cases share; built by `capsule.app`.

    `clock` returns the time in UTC, timezone-aware; deadlines are judged by it. `random_bytes(n)`
    returns n unpredictable bytes. `health` is the database's. `origin` is the capsule's address
    without a path, like "gemini://example.org". `secret` signs action keys. In feeds, events up to
    `upgraded_at` keep their addresses of release 0.1.0; it is None if there are no such events.

    `replays` caches positions, and `exclusive` admits one expensive request at a time. `bots`
    provides moves and hints, and `evaluations` caches the bots' evaluations of boards. `newcomers`
    limits the players made from each address. `leases` ensure that one process alone does a
    periodic job. `features` are the capsule's features, `measurements` its metrics. `mail_from` is
    the sender of e-mail, "" if the capsule sends none; for e-mail, `game_views` records who has
    viewed which game.
    """

    database: "Database"
    health: "DatabaseHealth"
    clock: "TrustedClock"
    random_bytes: Callable[[int], bytes]
    origin: str
    secret: bytes
    replays: "ReplayCache"
    exclusive: "ExclusiveAccess"
    bots: "BotService"
    evaluations: "EvaluationCache"
    newcomers: "NewcomerLimit"
    leases: "Leases"
    game_views: "GameViews"
    upgraded_at: datetime | None = None
    features: "Sequence[Feature]" = ()
    measurements: Measurements = field(default_factory=Measurements)
    mail_from: str = ""

    def read(
        self,
        query: Callable[Concatenate[sa.Connection, Arguments], Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Result:
        """Return what one query finds."""
        with self.database.reading() as connection:
            return query(connection, *arguments, **named)

    @contextmanager
    def reading(self) -> "Iterator[Transaction]":
        """Yield a transaction that sees one state of the database and stores nothing."""
        with self.database.reading() as connection:
            transaction = Transaction(self, connection, *self.clock.times())
            yield transaction
        for call in transaction.calls_after_commit:
            call()

    @contextmanager
    def writing(self) -> "Iterator[Transaction]":
        """Yield a transaction that is committed at the end, or rolled back on an error.

        It starts without locks; `Database.writing` says which rows to lock before reading them. Its
        time is read once other writers have been waited for: what a player has viewed meanwhile is
        earlier than what it stores.
        """
        with self.database.writing() as connection:
            transaction = Transaction(self, connection, *self.clock.times(), is_writing=True)
            yield transaction
        for call in transaction.calls_after_commit:
            call()


@dataclass(frozen=True)
class Transaction:
    """One database transaction, at one time, in which a page or a use case works.

    `now` is the time at which it began, in UTC and timezone-aware. Deadlines are judged by
    `deadline_time`, which does not advance while there is a `clock_doubt`. If it `is_writing`, rows
    that it reads to change them stay locked until it ends.
    """

    context: AppContext
    connection: sa.Connection
    now: datetime
    deadline_time: datetime
    clock_doubt: "Doubt | None" = None
    is_writing: bool = False
    calls_after_commit: list[Callable[[], object]] = field(default_factory=list, repr=False)

    def after_commit(self, call: Callable[[], object]) -> None:
        """Call a function after the transaction, unless it is rolled back.

        Effects outside the database belong here, since a transaction may be retried.
        """
        self.calls_after_commit.append(call)

    def erases_words(self) -> None:
        """Clear the text that this transaction erases from the disk, too, once it is committed."""
        self.after_commit(self.context.database.checkpoint)


def reading(
    page: Callable[Concatenate[Transaction, Arguments], Result],
) -> Callable[Concatenate[AppContext, Arguments], Result]:
    """Give a page a transaction that reads one state of the database.

    A function that the page returns for later, such as that of a `Wait`, opens its own.
    """

    @wraps(page)
    def in_transaction(
        context: AppContext, /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        with context.reading() as transaction:
            return page(transaction, *arguments, **named)

    return in_transaction


def writing(
    store: Callable[Concatenate[Transaction, Arguments], Result],
) -> Callable[Concatenate[AppContext, Arguments], Result]:
    """Give a function a transaction that writes, and call it again if it meets a `Conflict`.

    A step of the sweep reads what is due by a function that is `reading`, and stores each item by
    one that is `writing`. Since that may be called again, it reads all that it decides on itself.
    """

    @wraps(store)
    def in_transaction(
        context: AppContext, /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        def attempt() -> Result:
            with context.writing() as transaction:
                return store(transaction, *arguments, **named)

        return retry(attempt)

    return in_transaction
