"""The application context, and the transactions that pages and use cases receive with it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from capsule.measurements import NoMeasurements

if TYPE_CHECKING:
    from capsule.accounts.players import NewcomerLimit
    from capsule.bots.service import BotService, EvaluationCache
    from capsule.db.database import Database
    from capsule.db.health import DatabaseHealth
    from capsule.db.leases import Leases
    from capsule.feature import Feature
    from capsule.games.reading import ReplayCache
    from capsule.mail.game_views import GameViews
    from capsule.measurements import Measurements
    from capsule.timekeeping.trusted_clock import TrustedClock
    from capsule.ui.responses import ExclusiveAccess

Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class AppContext:
    """The services and settings that pages and use cases share; built by `capsule.app`.

    `clock` returns the time, aware and in UTC, and that by which deadlines are judged;
    `random_bytes` returns that many unguessable bytes. `health` is the database's. `origin` is the
    capsule's address without a path, like "gemini://example.org". `secret` signs action keys.
    In feeds, events up to `upgraded_at` keep the addresses that they had in release 0.1.0; None
    says that nothing happened then.
    `replays` caches positions, `exclusive` admits one expensive request at a time, and `bots`
    provides moves and hints, and `evaluations` has what they thought of boards. `newcomers` counts
    the players made from each address, and `leases` shares out what is done once. `features` are
    all that the capsule has, and `measurements` counts what happens. `mail_from` is the sender of
    e-mail, "" if the capsule sends none, and `game_views` records for it who has viewed which game.
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
    measurements: "Measurements" = field(default_factory=NoMeasurements)
    mail_from: str = ""

    @contextmanager
    def reading(self) -> "Iterator[Transaction]":
        """Yield a transaction that sees one state of the database and stores nothing."""
        with self.database.reading() as connection:
            transaction = Transaction(self, connection, self.clock())
            yield transaction
        transaction.run_afterwards()

    @contextmanager
    def writing(self) -> "Iterator[Transaction]":
        """Yield a transaction that is committed at the end, or rolled back on an error.

        It holds nothing yet; `Database.writing` says what must be held before it is read.
        """
        with self.database.writing() as connection:
            transaction = Transaction(self, connection, self.clock(), is_writing=True)
            yield transaction
        transaction.run_afterwards()


@dataclass(frozen=True)
class Transaction:
    """One transaction of the database, at one time: what a page or a use case works in.

    `now` is the time at which it began, aware and in UTC. If it `is_writing`, what it reads to
    change is held until it ends.
    """

    context: AppContext
    connection: sa.Connection
    now: datetime
    is_writing: bool = False
    _afterwards: list[Callable[[], object]] = field(default_factory=list, repr=False)

    def after_commit(self, call: Callable[[], object]) -> None:
        """Have a function called once the transaction is over, unless it is rolled back.

        It is for what happens outside the database, since a transaction may be tried again.
        """
        self._afterwards.append(call)

    def erases_words(self) -> None:
        """Have the words that this transaction erases cleared from the disk, too."""
        self.after_commit(self.context.database.checkpoint)

    def run_afterwards(self) -> None:
        """Call what `after_commit` was given, in that order."""
        for call in self._afterwards:
            call()


def reading(
    page: Callable[Concatenate[Transaction, Arguments], Answer],
) -> Callable[Concatenate[AppContext, Arguments], Answer]:
    """Declare that a page reads one state of the database, and is given a transaction for that.

    What it returns for later, such as the function of a `Wait`, opens others.
    """

    @wraps(page)
    def in_transaction(
        context: AppContext, /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        with context.reading() as transaction:
            return page(transaction, *arguments, **named)

    return in_transaction
