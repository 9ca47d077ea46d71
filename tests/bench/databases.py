"""A capsule on PostgreSQL, compared with one on SQLite.

PostgreSQL runs on any core, as if it had a machine of its own; `CPU ms` is the capsules' alone.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack

from tests.bench.homes import Home, opened
from tests.bench.load import Request, Side
from tests.bench.one_worker import NEXT_MOVE, OPENING, alone
from tests.bench.run import Run
from tests.bench.servers import Server, capsule, free_port, serving
from tests.support import postgresql
from tests.support.wire.identities import Identity

WHAT = "a capsule on PostgreSQL, to one on SQLite"

AIM = 0.6


def databases(run: Run) -> None:
    """Compare pages that are kept, and durable moves."""
    try:
        server = postgresql.new_server(postgresql.DURABLE)
    except postgresql.NoPostgresql as error:
        run.report.note(WHAT, str(error))
        return
    with ExitStack() as stack:
        stack.callback(server.end)
        server.make_bare("bench")
        shared = stack.enter_context(opened(run.folder / "shared", server.url("bench")))
        own = stack.enter_context(opened(run.folder / "own"))
        pair = [
            (home, stack.enter_context(_served(run, name, home)))
            for name, home in (("on PostgreSQL", shared), ("on SQLite", own))
        ]
        pages = [alone(run, home, 1)[0] for home, _ in pair]

        def compare(what: str, paths: Sequence[str], identity: Identity | None = None) -> None:
            one, other = (
                run.always(served, path, identity)
                for (_, served), path in zip(pair, paths, strict=True)
            )
            run.compare(what, one, other, AIM)

        run.report.heading(f"One worker: {WHAT}")
        compare("kept game page, signed in", pages, run.identity)
        compare("kept game page, visitor", pages)
        compare("kept rules page", ["/rules/quantum"] * 2)
        one, other = (_moves(run, *each) for each in pair)
        run.compare("move on PostgreSQL", one, other, AIM)


def _served(run: Run, name: str, home: Home) -> AbstractContextManager[Server]:
    port = free_port()
    command = [*capsule(home.folder, port), "--database", home.database_url]
    return serving(name, port, command, run.cores.server)


def _moves(run: Run, home: Home, served: Server) -> Side:
    player = home.player(run.identity, "bench")

    def asked() -> Sequence[Request]:
        return [
            Request(home.move(player, path, len(OPENING), NEXT_MOVE), run.identity, "30")
            for path in alone(run, home, run.sizes.requests)
        ]

    return run.side(served, asked)
