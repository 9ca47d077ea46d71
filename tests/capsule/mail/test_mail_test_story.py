"""`oxonaut admin mail-test` and `oxonaut check`: the operator tries the relay."""

from pathlib import Path

import pytest

from capsule.__main__ import main
from tests.support.client import Client
from tests.support.console import Console, where
from tests.support.wire.mail_relay import PASSWORD, USER, certify, mail_relay

pytestmark = pytest.mark.sqlite

FROM = "Oxonaut <oxonaut@example.org>"
ALICE = "alice@example.org"


@pytest.fixture
def console(
    client: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Console:
    """The console of an operator who has named a sender."""
    monkeypatch.setenv("OXONAUT_MAIL_FROM", FROM)
    return Console(client, capsys, monkeypatch)


def test_a_letter_is_sent_and_the_answer_is_printed(console: Console) -> None:
    with mail_relay() as relay:
        console.patch.setenv("OXONAUT_MAIL", f"smtp://127.0.0.1:{relay.port}")
        assert console.admin(f"mail-test {ALICE}").splitlines() == [
            f"Asking 127.0.0.1, port {relay.port}, to take a letter for {ALICE}.",
            "The relay has taken it, and says: 250 Queued",
        ]
        (received,) = relay.letters
    message = received.message
    assert (message["From"], message["To"]) == (FROM, ALICE)
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@example.org>")
    assert message["Date"].datetime == console.client.now
    assert "gemini://localhost/" in message.get_content()


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ("550 5.1.1 Unknown", "The relay refuses this address for good: 550 5.1.1 Unknown."),
        ("554 5.7.1 Not you.", "The relay does not take letters from here: 554 5.7.1 Not you."),
        ("450 Later", "The letter could not be sent now: 450 Later."),
    ],
)
def test_what_the_relay_has_against_it_is_printed(
    console: Console, reply: str, sentence: str
) -> None:
    with mail_relay() as relay:
        relay.refusals[ALICE] = reply
        console.patch.setenv("OXONAUT_MAIL", f"smtp://localhost:{relay.port}")
        status, _, errors = console.try_admin(f"mail-test {ALICE}")
    assert (status, errors) == (1, f"oxonaut: {sentence}\n")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("alice", "That is not an e-mail address that can be used. One looks like "),
        ("'a\nBcc: eve@example.org'", "An e-mail address has no spaces or line breaks."),
        ("'a b@c'", "An e-mail address has no spaces or line breaks."),
    ],
)
def test_what_is_no_address_is_refused(console: Console, wrong: str, sentence: str) -> None:
    console.patch.setenv("OXONAUT_MAIL", "smtp://localhost:1")
    assert console.refusal(f"mail-test {wrong}").startswith(sentence)


def test_without_mail_a_sentence_says_so(console: Console) -> None:
    sentence = "No mail is set, so there is no relay to send by."
    assert console.refusal(f"mail-test {ALICE}") == sentence


def test_a_wrong_password_is_never_printed(tmp_path: Path, console: Console) -> None:
    certificate = certify(tmp_path / "relay")
    console.patch.setenv("SSL_CERT_FILE", str(certificate))
    console.patch.setenv("OXONAUT_MAIL_PASSWORD", "wrong-horse")
    with mail_relay(certificate=certificate, tls_at_once=True, user=USER) as relay:
        console.patch.setenv("OXONAUT_MAIL", f"smtps://{USER}@localhost:{relay.port}")
        status, printed, errors = console.try_admin(f"mail-test {ALICE}")
        assert status == 1
        assert "The relay does not take letters from here: 535 5.7.8" in errors
        assert "horse" not in printed + errors
        console.patch.setenv("OXONAUT_MAIL_PASSWORD", PASSWORD)
        assert "has taken it" in console.admin(f"mail-test {ALICE}")


def test_check_looks_at_the_settings_and_asks_no_relay(console: Console) -> None:
    def checked() -> tuple[int, str]:
        console.capsys.readouterr()
        status = main(["check", *where(console.client)])
        printed, errors = console.capsys.readouterr()
        assert errors == ""
        return status, printed

    with mail_relay() as relay:
        console.patch.setenv("OXONAUT_MAIL", f"smtp://localhost:{relay.port}")
        assert checked() == (0, "0 games, their ratings and everything else fit together.\n")
        assert relay.connections == 0
    console.patch.setenv("OXONAUT_MAIL", f"smtp://{USER}:{PASSWORD}@localhost")
    status, printed = checked()
    assert status == 1
    assert printed.startswith("mail has a password, which may be seen there: move it to a file")
    assert printed.endswith(".\n1 fault found.\n")
    assert PASSWORD not in printed


def test_a_capsule_with_unusable_mail_does_not_serve(tmp_path: Path, console: Console) -> None:
    console.patch.setenv("OXONAUT_MAIL", "smtp://localhost")
    console.patch.setenv("OXONAUT_MAIL_FROM", "")
    assert main(["serve", "--home", str(tmp_path), "--port", "0"]) == 1
    said = console.capsys.readouterr().err
    assert said.startswith("oxonaut: mail needs a sender: set mail_from, like ")
