"""Whole games through a real server: real TLS, real certificates, the capsule as it is served."""

import json
import re
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine import VARIANTS
from tests.support.client import link
from tests.support.stories import WON_GAMES
from tests.support.waiting import PATIENCE
from tests.support.wire.browser import Browser, start_between
from tests.support.wire.connection import Reply, read_reply, tls_context
from tests.support.wire.identities import Identity, make
from tests.support.wire.running import Running, running, serving

TLSv1_2, TLSv1_3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(serving(tmp_path_factory.mktemp("home"))) as started:
        yield started


@pytest.fixture(scope="module")
def identities(tmp_path_factory: pytest.TempPathFactory) -> tuple[Identity, Identity]:
    folder = tmp_path_factory.mktemp("identities")
    return make(folder, "alice", key="ed25519"), make(folder, "bob", key="rsa")


@pytest.mark.slow
def test_a_game_goes_on_where_the_server_was_stopped(
    tmp_path: Path, identities: tuple[Identity, Identity]
) -> None:
    moves = WON_GAMES["numeric"].split()
    with running(serving(tmp_path)) as server:
        x, o = (Browser(server, each) for each in identities)
        url = start_between(x, o, "numeric")
        x.move(url, moves[0])
        o.move(url, moves[1])
        port = server.address[1]
        certificate = ssl.get_server_certificate(server.address)
    with running(serving(tmp_path, port)) as server:
        assert ssl.get_server_certificate(server.address) == certificate
        x, o = (Browser(server, each) for each in identities)
        x.move(url, moves[2])
        o.move(url, moves[3])
        assert "You lost" in x.get(url)


def test_a_certificate_is_asked_for_and_used(
    server: Running, identities: tuple[Identity, Identity]
) -> None:
    stranger, alice = Browser(server, None), Browser(server, identities[0])
    assert stranger.ask("/play/").status == 60
    assert stranger.ask("/play/new/")[:2] == (30, "/play/")
    assert alice.ask("/play/").status == 20
    url = alice.ask(link(alice.get("/play/new/tinc"), "/invite")).meta
    sign_in = link(stranger.get(url), f"/play/?{url.removeprefix('/play/')}")
    assert stranger.ask(sign_in).status == 60
    shown = [re.sub(r"\?at-\d+", "", alice.get(address)) for address in (sign_in, url)]
    assert shown[0] == shown[1]


def test_certificates_without_a_name_are_players_too(server: Running, tmp_path: Path) -> None:
    nameless = Browser(server, make(tmp_path, "nameless", common_name=""))
    assert "You will get a name here" in nameless.get("/play/")
    url = nameless.ask(link(nameless.get("/play/new/tinc"), "/solo")).meta
    nameless.move(url, "a1")


def test_expired_certificates_are_refused_where_an_identity_is_needed(
    server: Running, tmp_path: Path, identities: tuple[Identity, Identity]
) -> None:
    now = identities[0].not_before
    expired = make(tmp_path, "late", not_before=now.replace(year=now.year - 2))
    browser = Browser(server, expired)
    reply = browser.ask("/play/")
    assert reply.status == 62
    assert reply.meta.startswith("Your certificate expired on ")
    assert browser.ask("/").status == 20
    early = make(tmp_path, "early", not_before=now.replace(year=now.year + 2))
    reply = Browser(server, early).ask("/play/")
    assert reply.status == 62
    assert reply.meta.startswith("Your certificate is not valid before ")


def test_a_renewed_certificate_on_the_same_key_keeps_its_games(
    server: Running, tmp_path: Path
) -> None:
    old = make(tmp_path, "dora")
    url = Browser(server, old).ask(link(Browser(server, old).get("/play/new/tinc"), "/solo")).meta
    renewed = make(tmp_path, "dora-renewed", same_key_as=old)
    Browser(server, renewed).move(url, "a1")


@pytest.mark.slow
def test_behind_a_balancer_pages_name_the_port_that_visitors_use(tmp_path: Path) -> None:
    command = [*serving(tmp_path), "--public-port", "1965", "--proxy-protocol"]
    with running(command) as server:

        def ask_over_the_balancer(url: str, visitor: str = "192.0.2.7") -> Reply:
            with socket.create_connection(server.address, timeout=PATIENCE) as plain:
                plain.sendall(f"PROXY TCP4 {visitor} 192.0.2.1 5000 1965\r\n".encode())
                with tls_context().wrap_socket(plain, suppress_ragged_eofs=False) as connection:
                    connection.sendall(f"{url}\r\n".encode())
                    return read_reply(connection)

        assert ask_over_the_balancer("gemini://localhost/").status == 20
        assert ask_over_the_balancer(f"{server.home}/").status == 53
        assert "gemini://localhost/" in ask_over_the_balancer("gemini://localhost/feed.xml").body
        assert "192.0.2.7" not in server.printed


@pytest.mark.slow
def test_who_asks_for_many_hints_at_once_waits_for_one(
    tmp_path: Path, identities: tuple[Identity, Identity]
) -> None:
    with running(serving(tmp_path)) as server, ThreadPoolExecutor(12) as connections:
        alice = Browser(server, identities[0])
        url = alice.ask(link(alice.get("/play/new/ultimate"), "/solo")).meta
        hint = link(alice.get(url), "/hint")
        asked = [connections.submit(alice.ask, hint) for _ in range(12)]
        assert Browser(server, None).get("/").startswith("# Oxonaut")
        statuses = [each.result().status for each in asked]
    # On a slow machine one hint may have come before the last is asked for.
    assert set(statuses) == {20, 44}
    assert statuses.count(44) > 6


@pytest.mark.slow
def test_a_log_for_programs_is_an_object_a_line_without_query_key_or_address(
    tmp_path: Path, identities: tuple[Identity, Identity]
) -> None:
    with running([*serving(tmp_path), "--log", "json"]) as server:
        alice = Browser(server, identities[0])
        url = alice.ask(link(alice.get("/play/new/tinc"), "/solo")).meta
        prompt = link(alice.get(url), "/move")
        alice.ask(f"{prompt}?secret-query")
        alice.ask("/nowhere")
        server.stop()
        printed = server.printed.split("Press Ctrl-C to stop.\n", 1)[1]
    asked = [line for line in map(json.loads, printed.splitlines()) if line["event"] == "request"]
    assert [(line["status"], line["page"]) for line in asked] == [
        (20, "play.pages.new_game.choose_way"),
        (30, "play.pages.new_game.start"),
        (20, "play.pages.game.show"),
        (10, "play.pages.actions.act"),
        (51, ""),
    ]
    assert set(asked[2]) == {
        "time", "level", "event", "status", "page", "path", "bytes", "milliseconds",
    }  # fmt: skip
    for secret in (prompt.split("/")[-2], "secret-query", "127.0.0.1", identities[0].fingerprint):
        assert secret not in printed, secret


# The server of these tests analyses the games that have ended, for as long as it runs.


@pytest.mark.parametrize(
    ("variant", "tls"),
    [
        *(
            pytest.param(
                variant,
                TLSv1_3,
                id=f"{variant}-tls13",
                marks=pytest.mark.slow if variant in ("ultimate", "extreme") else (),
            )
            for variant in VARIANTS
        ),
        pytest.param("numeric", TLSv1_2, id="numeric-tls12"),
    ],
)
def test_two_certificates_play_a_whole_game(
    server: Running, identities: tuple[Identity, Identity], variant: str, tls: ssl.TLSVersion
) -> None:
    moves = WON_GAMES[variant].split()
    players = dict(zip("XO", (Browser(server, each, tls) for each in identities), strict=True))
    url = start_between(players["X"], players["O"], variant)

    position = VARIANTS[variant].start
    for move in moves:
        players[str(position.turn)].move(url, move)
        position = position.play(move)

    assert position.outcome is not None
    page = Browser(server, None, tls).get(url)
    assert f"wins: {position.outcome.reason}." in page
    values = json.loads(Browser(server, None, tls).get(f"{url}/record.json"))
    assert values["moves"] == moves
    assert values["winner"] == str(position.outcome.winner)
    assert values["points"] == list(position.outcome.points)
