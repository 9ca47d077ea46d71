"""Changes of a PostgreSQL database, which processes on several machines share.

Transactions number their notes as they write them and commit in any order, some of them never. So
the news are not the notes with higher numbers, but those that are visible now and were not at the
last question, for which PostgreSQL compares their transactions with the snapshot of that question.
No note is missed, however late its transaction commits. Those of a server from which the database
was brought here may name transactions that are yet to come, and are left out.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from capsule.db.changes import MAX_NOTES, tags_of
from capsule.db.faults import DatabaseAway, DatabaseFault, named_faults

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Engine

    from capsule.gemini.types import CacheTag

RECENT = timedelta(seconds=1)
"""Time for which visitors who are not signed in may be given what was known at a question."""

NOW = """
SELECT pg_current_snapshot()::text, pg_postmaster_start_time(), (SELECT min(number) FROM changes)
"""

SINCE = f"""
SELECT pg_current_snapshot()::text, pg_postmaster_start_time(), (SELECT min(number) FROM changes),
    noted.*
FROM (SELECT %(snapshot)s::pg_snapshot AS snapshot) AS last LEFT JOIN LATERAL (
    SELECT true, game_id, player_id, x_player_id, o_player_id, challenged_player_id FROM changes
    WHERE transaction_id >= pg_snapshot_xmin(last.snapshot)::text::bigint
    AND transaction_id < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND NOT pg_visible_in_snapshot(transaction_id::text::xid8, last.snapshot)
    LIMIT {MAX_NOTES + 1}
) AS noted ON true
"""  # noqa: S608 - a constant


class SharedChanges:
    """The changes in a PostgreSQL database, as of the last question; used on several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._asking = Lock()
        self._begun = self._answered = 0
        self._asked_at: datetime | None = None
        # The last question's snapshot, and what differs if notes were deleted or lost since.
        self._snapshot = ""
        self._origin: tuple[object, ...] = ()
        self._news: deque[Collection[CacheTag] | None] = deque()
        # What this process itself has stored is on everybody's next page.
        event.listen(engine, "commit", self._outdate)

    def is_recent(self, now: datetime) -> bool:
        """Return whether the last question was asked within the last second."""
        asked_at = self._asked_at
        return asked_at is not None and timedelta(0) <= now - asked_at <= RECENT

    def ask(self, now: datetime) -> None:
        """Ask what has changed, so that `changed` returns all that was stored by now.

        Raises a `DatabaseFault`.
        """
        begun = self._begun
        with self._asking:
            if self._answered > begun:
                # Somebody has asked since this was called.
                return
            self._begun += 1
            try:
                self._read()
            except DatabaseFault:
                self._snapshot = ""
                raise
            self._answered, self._asked_at = self._begun, now

    def changed(self) -> Collection[CacheTag] | None:
        """Return what has changed since the last call, as far as has been asked.

        None means that something else changed, or that it is not known what did.
        """
        news = [self._news.popleft() for _ in range(len(self._news))]
        changed: set[CacheTag] = set()
        for each in news:
            if each is None:
                return None
            changed.update(each)
        return changed

    def _outdate(self, _connection: object) -> None:
        self._asked_at = None

    def _read(self) -> None:
        known = self._snapshot
        rows = self._rows(SINCE, {"snapshot": known}) if known else self._rows(NOW)
        self._snapshot, *origin = rows[0][:3]
        notes = [note for _, _, _, is_note, *note in rows if is_note] if known else []
        before, self._origin = self._origin, tuple(origin)
        if (
            not known
            or before != self._origin
            or len(notes) > MAX_NOTES
            or any(game is None for game, *_ in notes)
        ):
            self._news.append(None)
        elif notes:
            self._news.append({tag for note in notes for tag in tags_of(*note)})

    def _rows(self, query: str, values: dict[str, str] | None = None) -> Sequence[Any]:
        """Return the rows of a query in a transaction of its own, without a word more."""
        driver_error: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        try:
            with named_faults():
                pooled = self._engine.raw_connection()
            connection: Any = pooled.driver_connection
            try:
                connection.autocommit = True
                rows: Sequence[Any] = connection.execute(query, values, prepare=True).fetchall()
                connection.autocommit = False
            except BaseException:
                pooled.invalidate()
                raise
            pooled.close()
        except driver_error as error:
            raise DatabaseAway("The database cannot be asked what has changed") from error
        return rows
