"""The capsule without sockets: requests in, responses out, and a clock to set."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from urllib.parse import quote, unquote

from capsule.app import build_app, build_context
from capsule.bots.service import BotService
from capsule.config import Config
from capsule.context import AppContext
from capsule.db.database import Database, connect
from capsule.errors import WouldBlock
from capsule.games.game import Game
from capsule.games.model import StoredGame
from capsule.games.queries import game_by_id
from capsule.games.reading import game_at
from capsule.gemini.types import Answer, Application, Certificate, Live, Request, Response, Wait
from capsule.languages.model import ENGLISH
from capsule.timekeeping.trusted_clock import RunningTime
from tests.support.quick_database import (
    CompiledStatements,
    database_for,
    leave_writing_to_the_system,
    started_database,
)

BEGINNING = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)

_COMPILED = CompiledStatements()


def certificate(
    name: str,
    *,
    common_name: str | None = None,
    not_before: datetime = BEGINNING - timedelta(days=1),
    not_after: datetime = BEGINNING + timedelta(days=3650),
) -> Certificate:
    """Return the certificate of a visitor called `name`, who is known by it."""
    fingerprint = sha256(name.encode()).hexdigest()
    return Certificate(
        fingerprint, name if common_name is None else common_name, not_before, not_after
    )


@dataclass
class Client:
    """A capsule, and the requests that anyone makes to it.

    Where `home` has no database, it gets one that the migrations made and nobody has used, unless
    the URL of another is given.
    """

    home: Path
    now: datetime = BEGINNING
    jumped: timedelta = timedelta(0)
    boots: int = 0
    bots: Callable[[AppContext], BotService] = lambda _: BotService()
    database_url: str = ""
    database: Database = field(init=False)
    context: AppContext = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(8)
        is_new = False
        if not self.database_url:
            self.database_url, is_new = database_for(self.home)
        self.config = Config(home=self.home, database=self.database_url)
        if is_new:
            self._start_on(connect(self.database_url))
        else:
            self.start()

    def start(self) -> None:
        """Start the capsule, on the database that is there."""
        self._start_on(started_database(self.config.database_url, self.random.randbytes))

    def _start_on(self, database: Database) -> None:
        self.database = database
        leave_writing_to_the_system(self.database.engine)
        self.database.engine.update_execution_options(compiled_cache=_COMPILED)
        self.configure()

    def configure(self, **settings: object) -> None:
        """Change settings, without opening the database again as a restart does."""
        self.config = replace(self.config, **settings)
        context = build_context(
            self.config, self.database, lambda: self.now, self.random.randbytes, self.running
        )
        self.context = replace(context, bots=self.bots(context))
        self.forget_pages()

    def forget_pages(self) -> None:
        """Empty the cache of pages."""
        self.application = build_app(self.context)
        self._translations = ENGLISH.translations

    @property
    def running(self) -> RunningTime:
        """The running time of the machine, which nobody sets."""
        return RunningTime(
            f"boot {self.boots}",
            lambda: (self.now - BEGINNING).total_seconds() - self.jumped.total_seconds(),
        )

    def jump(self, time: timedelta) -> None:
        """Set the clock of the machine to another time, without any time passing."""
        self.now += time
        self.jumped += time

    def restart(self) -> None:
        """Stop the capsule and start it again."""
        self.database.close()
        self.start()

    def reboot(self, off: timedelta = timedelta(0)) -> None:
        """Switch the machine off, and on again after a while."""
        self.database.close()
        self.boots += 1
        self.jump(off)
        self.start()

    def ask(self, url: str, who: Certificate | None = None) -> Response:
        """Return the answer to a request for a path with or without a query, percent-encoded."""
        path, mark, query = url.partition("?")
        return self.ask_for(Request(unquote(path), unquote(query) if mark else None, who))

    def ask_for(self, request: Request) -> Response:
        """Return the answer to a request as the wire hands it over."""
        if ENGLISH.translations is not self._translations:
            # Pages may be kept from before a pseudo-language took the place of English.
            self.forget_pages()
        return response_of(self.application, request)

    def answer(self, request: Request) -> Answer:
        """Return what the server is handed for a request."""
        return answer_of(self.application, request)

    def versions(self, subjects: Collection[str]) -> Mapping[str, int]:
        """Return the versions of live pages' subjects."""
        return self.application.versions(subjects)

    def get(self, url: str, who: Certificate | None = None) -> str:
        """Return the page that a browser shows, at most one redirect away."""
        response = self.ask(url, who)
        if response.status == 30:
            response = self.ask(response.meta, who)
        assert response.status == 20, response
        return response.body

    def type(self, url: str, text: str, who: Certificate | None = None) -> Response:
        """Return the answer to text typed at the prompt of `url`."""
        assert self.ask(url, who).status == 10
        return self.ask(f"{url}?{quote(text, safe='')}", who)


def answer_of(application: Application, request: Request) -> Answer:
    """Return what the server is handed for a request, by whichever thread."""
    found = answer_at_once(application, request)
    return application.handle(request._replace(may_block=True)) if found is None else found


def answer_at_once(application: Application, request: Request) -> "Answer | None":
    """Return the answer of the reactor's thread, or None if it leaves the request to a worker."""
    if application.blocks(request.path):
        return None
    try:
        return application.handle(request)
    except WouldBlock:
        return None


def response_of(application: Application, request: Request) -> Response:
    """Return the response, once it has been waited for; of a live one, how it begins."""
    answer = answer_of(application, request)
    if isinstance(answer, Wait):
        return answer.finish()
    if isinstance(answer, Live):
        return Response(20, answer.meta, answer.text, answer.page)
    return answer


def context_of(client: Client) -> AppContext:
    """Return the context of another process, for use cases that no page offers."""
    clock, random_bytes = (lambda: client.now), client.random.randbytes
    return build_context(client.config, client.database, clock, random_bytes, client.running)


def find_stored(context: AppContext, game_id: str) -> StoredGame | None:
    """Return the game as it is stored, whatever its clock says; None if there is none."""
    with context.database.reading() as connection:
        return game_by_id(connection, game_id)


def find_game(context: AppContext, game_id: str) -> Game | None:
    """Return the game as it is now, or None."""
    with context.reading() as transaction:
        return game_at(transaction, game_id)


def links(page: str) -> dict[str, str]:
    """Return the links of a page by their labels."""
    found = re.findall(r"^=> (\S+) (.+)$", page, re.MULTILINE)
    return {label: url for url, label in found}


def link(page: str, *ends: str) -> str:
    """Return the only link of a page whose URL ends with one of `ends`, before its query if not.

    Of links that differ only in whether the game will be listed, it is the first.
    """
    urls = [
        *{
            re.sub("listed=(yes|no)(?=$|&lang=)", "", url): url
            for url in reversed(links(page).values())
        }.values()
    ]
    found = {url for url in urls if url.endswith(ends)} or {
        url for url in urls if url.partition("?")[0].endswith(ends)
    }
    assert len(found) == 1, (ends, sorted(found))
    return found.pop()


def action(page: str, verb: str) -> str:
    """Return the address of an action in a game, of whose page any action shows the key.

    A game that can be aborted is not offered to be resigned, for instance, and may be all the same.
    """
    return f"{link(page, '/abort', '/resign').rpartition('/')[0]}/{verb}"
