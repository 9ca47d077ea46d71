"""A game page, to other servers' static page of the same size."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.bench.homes import opened
from tests.bench.one_worker import alone
from tests.bench.peers import PAGE, PEERS, Missing, Peer, Site
from tests.bench.run import Run
from tests.bench.servers import CannotStart, Server, free_port, serving
from tests.bench.visitor import ask, tls
from tests.support.wire.identities import Identity


def static_pages(run: Run) -> None:
    """Compare with each of the peers, without client certificates and with them."""
    with opened(run.folder / "peers") as home:
        path = alone(run, home, 1)[0]
        with run.capsule("capsule", home) as server:
            run.report.heading(
                "A game page, to a static page of the same size; each server on one core"
            )
            for peer in PEERS:
                try:
                    program = peer.found(run.peers)
                except (Missing, subprocess.SubprocessError, OSError) as error:
                    run.report.note(peer.name, str(error))
                    continue
                for identity in (None, run.identity):
                    _against(run, peer, program, _Game(server, path), identity)


class _Game(NamedTuple):
    """The page of a game, and the capsule that serves it."""

    server: Server
    path: str


def _against(run: Run, peer: Peer, program: Path, game: _Game, identity: Identity | None) -> None:
    what = f"{peer.name}, {'with' if identity else 'without'} certificates"
    files = (identity.certificate, identity.key) if identity else None
    page = ask(game.server.port, game.path, tls(files)).partition(b"\r\n")[2]
    folder = run.folder / what.replace(" ", "-")
    folder.mkdir()
    certificates = run.folder / "peers" / "certs"
    port = free_port()
    site = Site(
        folder,
        page,
        certificates / "cert.pem",
        certificates / "key.pem",
        port,
        demands_certificates=identity is not None,
    )
    command = peer.configured(program, site)
    try:
        with serving(peer.name, port, command, run.cores.server) as theirs:
            answer = ask(port, f"/{PAGE}", tls(files)).partition(b"\r\n")[2]
            if answer != page:
                run.report.note(what, f"it serves {answer[:100]!r} instead of the page")
                return
            run.compare(
                what,
                run.always(game.server, game.path, identity),
                run.always(theirs, f"/{PAGE}", identity),
                peer.aim,
            )
    except CannotStart as error:
        run.report.note(what, str(error))
