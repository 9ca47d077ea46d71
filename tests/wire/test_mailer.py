"""The process that sends e-mail: it dies, the relay is silent, and the capsule goes on."""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from capsule.processes.several import GRACE_SECONDS
from tests.support.client import link
from tests.support.waiting import wait_until
from tests.support.wire.browser import Browser, start_between
from tests.support.wire.identities import make
from tests.support.wire.mail_relay import MailRelay, mail_relay
from tests.support.wire.mortal import free_address
from tests.support.wire.processes import children
from tests.support.wire.running import Running, run_to_end, running, serving
from tests.wire.test_metrics import scrape

pytestmark = pytest.mark.slow

ALICE = "alice@example.org"


@contextmanager
def capsule_with_mail(
    home: Path, relay: MailRelay, *options: str, workers: int = 1
) -> Iterator[Running]:
    """Serve a capsule that sends by a relay: workers, the mailer and the housekeeper."""
    env = {
        "OXONAUT_MAIL": f"smtp://127.0.0.1:{relay.port}",
        "OXONAUT_MAIL_FROM": "Oxonaut <oxonaut@example.org>",
    }
    command = [*serving(home), "--workers", str(workers), *options]
    with running(command, env=env) as server:
        assert len(children(server.process.pid)) == workers + 2
        yield server
        assert "Traceback" not in server.printed
        assert ALICE not in server.printed


def ask_for_code(server: Running, folder: Path, name: str = "alice") -> str:
    """Ask for a letter, as a new player, and return the address to which it goes."""
    player, address = Browser(server, make(folder, name)), f"{name}@example.org"
    asked = link(player.get("/play/me/mail"), "/address")
    assert player.ask(f"{asked}?{address}").status == 30
    return address


def replace_mailer(server: Running) -> None:
    """Kill the mailer, whose successor looks for letters at once."""
    _, mailer, _ = children(server.process.pid)
    os.kill(mailer, signal.SIGKILL)
    wait_until(lambda: "The mailer ended with status -9 and is replaced" in server.printed)


def test_the_mailer_is_replaced_and_sends_what_waits(tmp_path: Path) -> None:
    port = free_address()[1]
    with (
        mail_relay() as relay,
        capsule_with_mail(tmp_path / "home", relay, "--metrics-port", str(port)) as server,
    ):
        ask_for_code(server, tmp_path)
        assert scrape(port)["oxonaut_letters_waiting"] == 1
        replace_mailer(server)
        wait_until(lambda: relay.letters)
        assert relay.letters[0].recipient == ALICE
        accepted = 'oxonaut_letters_total{outcome="accepted"}'
        wait_until(lambda: scrape(port).get(accepted) == 1)
        # Its successor, the newest process, finds nothing to send twice.
        os.kill(children(server.process.pid)[-1], signal.SIGKILL)
        wait_until(lambda: server.printed.count("The mailer ended with status -9") == 2)
        wait_until(lambda: len(children(server.process.pid)) == 3)
    assert len(relay.letters) == 1


@pytest.mark.deep
def test_two_workers_send_each_letter_once_and_write_down_all_looks(tmp_path: Path) -> None:
    home = tmp_path / "home"
    people = {name: make(tmp_path, name) for name in ("alice", "bob", "carol", "dave")}
    with mail_relay() as relay, capsule_with_mail(home, relay, workers=2) as server:
        browsers = {name: Browser(server, who) for name, who in people.items()}
        for name, browser in browsers.items():
            asked = link(browser.get("/play/me/mail"), "/address")
            assert browser.ask(f"{asked}?{name}@example.org").status == 30
        wait_until(lambda: len(relay.letters) == len(people))
        assert {each.recipient for each in relay.letters} == {
            f"{name}@example.org" for name in people
        }
        alice, bob = browsers["alice"], browsers["bob"]
        (letter,) = [each for each in relay.letters if each.recipient == ALICE]
        code = re.findall(r"^    ([A-Z0-9]{8})\r?$", letter.message.get_content(), re.MULTILINE)[0]
        assert alice.ask(f"{link(alice.get('/play/me/mail'), '/code')}?{code}").status == 30
        games = [start_between(bob, alice, "ultimate") for _ in range(6)]
        for game in games:
            alice.get(game)
    with mail_relay() as relay, capsule_with_mail(home, relay, workers=2) as server:
        exported = json.loads(Browser(server, people["alice"]).get("/play/me/export.json"))
    assert exported["looked_at_games"].keys() == {game.removeprefix("/play/") for game in games}
    assert not relay.letters


@pytest.mark.deep
def test_the_capsule_stops_soon_while_the_relay_is_silent(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with mail_relay() as relay:
        relay.gate.clear()
        with capsule_with_mail(home, relay) as server:
            ask_for_code(server, tmp_path)
            replace_mailer(server)
            wait_until(lambda: relay.connections)
            assert Browser(server, make(tmp_path, "bob")).ask("/").status == 20
            before = time.monotonic()
            assert server.stop() == 0
            # Nothing had to be killed.
            assert time.monotonic() - before < GRACE_SECONDS
        assert not relay.letters
    asked = [sys.executable, "-m", "capsule", "status", "--home", str(home), "--json"]
    assert json.loads(run_to_end(asked).stdout)["letters_waiting"] == 1


@pytest.mark.slow
def test_no_letter_is_lost_or_comes_a_third_time_however_often_the_mailer_is_killed(
    tmp_path: Path,
) -> None:
    """Kill it nine times: before the relay can have a letter, and before and after its yes."""
    moments = ("recipient", "letter", "farewell")
    killed: dict[str, str] = {}

    def kill(moment: str, address: str) -> None:
        number = int(address[1:].partition("@")[0])
        if moment == moments[number % 3] and address not in killed:
            killed[address] = moment
            (mailer,) = set(children(server.process.pid)) - others
            os.kill(mailer, signal.SIGKILL)

    with mail_relay() as relay, capsule_with_mail(tmp_path / "home", relay) as server:
        worker, first, housekeeper = children(server.process.pid)
        others = {worker, housekeeper}
        relay.watch = kill
        asked = {ask_for_code(server, tmp_path, f"p{number}") for number in range(9)}
        if first in children(server.process.pid):
            os.kill(first, signal.SIGKILL)
        wait_until(lambda: killed.keys() == asked)
        status = [sys.executable, "-m", "capsule", "status", "--home", str(tmp_path / "home")]
        wait_until(lambda: "Letters in the queue" not in run_to_end(status).stdout)
    keys: dict[str, list[str]] = {address: [] for address in asked}
    for received in relay.letters:
        keys[received.recipient].append(received.message["Message-ID"])
    for address, moment in killed.items():
        expected = 1 if moment == "recipient" else 2
        assert len(keys[address]) == expected, (address, moment)
        assert len(set(keys[address])) == 1
