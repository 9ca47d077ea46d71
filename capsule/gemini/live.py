"""Live responses: they stay open and grow, on the thread of all visitors, as their subject changes.

Once a second, one other thread asks the application which subjects have changed, by whichever
process, and has it say what is new; no reader occupies a thread.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from twisted.python.threadpool import ThreadPool

from capsule.gemini.limits import WaitLimit
from capsule.gemini.transfer import Outbox
from capsule.gemini.types import Application, Live

LOOK_SECONDS = 1.0
"""Seconds between two looks at what has changed."""

LONGEST_SECONDS = 30 * 60
"""Seconds for which a live response stays open at most."""


class LiveServer(Protocol):
    """The part of a server that live responses use."""

    reactor: Any
    application: Application
    waiting_threads: ThreadPool


_Sent: TypeAlias = Sequence[tuple[Outbox, Live]]
"""Parts of live responses, and the outboxes by which they are sent."""


@dataclass
class _Reader:
    live: Live
    owners: Collection[Hashable]
    until: float


class LiveReaders:
    """The readers of a server's live responses; used on the reactor's thread alone.

    `describe` writes an error of the application into the log.
    """

    def __init__(
        self, server: LiveServer, limit: WaitLimit, describe: Callable[[BaseException], None]
    ) -> None:
        self._server = server
        self._limit = limit
        self._describe = describe
        self._readers: dict[Outbox, _Reader] = {}
        self._is_looking = False

    def __len__(self) -> int:
        return len(self._readers)

    def admit(self, outbox: Outbox, live: Live, owners: Collection[Hashable]) -> bool:
        """Add a reader, who is sent all that happens from now on; return whether there is room."""
        if not self._limit.begin(owners):
            return False
        until = self._server.reactor.seconds() + LONGEST_SECONDS
        self._readers[outbox] = _Reader(live, owners, until)
        self._look_later()
        return True

    @property
    def is_full(self) -> bool:
        """Whether all places for live readers are taken."""
        return self._limit.is_full

    def leave(self, outbox: Outbox) -> None:
        """Forget a reader whose response has ended, or who has gone, if it is one."""
        reader = self._readers.pop(outbox, None)
        if reader is not None:
            self._limit.end(reader.owners)

    def stop(self) -> None:
        """End all live responses."""
        for outbox, reader in tuple(self._readers.items()):
            self._end(outbox, reader.live.on_shutdown())

    def _end(self, outbox: Outbox, text: str) -> None:
        self.leave(outbox)
        outbox.end_live(text)

    def _look_later(self) -> None:
        if self._readers and not self._is_looking:
            self._is_looking = True
            self._server.reactor.callLater(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        now = self._server.reactor.seconds()
        for outbox, reader in tuple(self._readers.items()):
            if now >= reader.until:
                self._end(outbox, reader.live.on_expiry())
        sent = [(outbox, reader.live) for outbox, reader in self._readers.items()]
        self._server.waiting_threads.callInThread(self._find_news, sent)

    def _find_news(self, sent: _Sent) -> None:
        """Find news for readers, given what they were last sent; on a thread that no page needs."""
        news: _Sent = ()
        try:
            news = _news(sent, self._server.application)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next look may succeed
            self._describe(error)
        finally:
            self._server.reactor.callFromThread(self._deliver, news)

    def _deliver(self, news: _Sent) -> None:
        for outbox, live in news:
            reader = self._readers.get(outbox)
            if reader is None:
                continue
            if live.is_over:
                self._end(outbox, live.text)
            else:
                reader.live = live
                if live.text:
                    outbox.send_more(live.text)
        self._is_looking = False
        self._look_later()


def _news(sent: _Sent, application: Application) -> _Sent:
    """Return the news for readers; those of one audience share it."""
    versions = application.versions({live.subject for _, live in sent})
    made: dict[Hashable, Live] = {}
    news = []
    for outbox, live in sent:
        # A subject that is unknown, as while the database is away, counts as unchanged.
        if live.version == versions.get(live.subject, live.version):
            continue
        audience = outbox if live.audience is None else live.audience
        shared = live.subject, live.version, audience
        if shared not in made:
            made[shared] = live.more()
        news.append((outbox, made[shared]))
    return news
