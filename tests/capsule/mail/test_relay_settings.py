"""The settings of the relay: what they mean, and sentences for those that mean nothing."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from capsule.config import Config, SettingRefused, load
from capsule.gemini.certificates import ensure_server_certificate
from capsule.gemini.listening import CannotRenew
from capsule.mail.relay import RelaySettings, Security, relay_settings
from capsule.processes.capsule import Capsule
from tests.support.client import BEGINNING

FROM = "Oxonaut <oxonaut@example.org>"
SENDER = "oxonaut@example.org"
SECRET = "correct-horse"


def config(mail: str, **settings: str) -> Config:
    given = {"mail": mail, "mail_from": FROM, **settings}
    return load({}, {f"OXONAUT_{name.upper()}": value for name, value in given.items()})


def refusal(mail: str, **settings: str) -> str:
    with pytest.raises(SettingRefused) as refused:
        relay_settings(config(mail, **settings))
    return str(refused.value)


@pytest.mark.parametrize(
    ("mail", "host", "port", "security"),
    [
        ("smtps://mail.example.org", "mail.example.org", 465, Security.TLS),
        ("smtps://mail.example.org:4650/", "mail.example.org", 4650, Security.TLS),
        ("smtp://mail.example.org", "mail.example.org", 587, Security.STARTTLS),
        ("smtp://mail.example.org:25", "mail.example.org", 25, Security.STARTTLS),
        ("smtp://192.0.2.7", "192.0.2.7", 587, Security.STARTTLS),
        ("smtp://localhost", "localhost", 25, Security.LOOPBACK),
        ("smtp://127.0.0.53:2525", "127.0.0.53", 2525, Security.LOOPBACK),
        ("smtp://[::1]", "::1", 25, Security.LOOPBACK),
        ("smtps://localhost", "localhost", 465, Security.TLS),
        ("smtp://localhost.example.org", "localhost.example.org", 587, Security.STARTTLS),
        ("smtp://127.0.0.1.example.org", "127.0.0.1.example.org", 587, Security.STARTTLS),
    ],
)
def test_only_a_relay_of_the_machine_may_hear_plain_text(
    mail: str, host: str, port: int, security: Security
) -> None:
    assert relay_settings(config(mail)) == RelaySettings(host, port, security, SENDER)


@pytest.mark.parametrize(
    ("mail", "user"),
    [
        ("smtps://alice@mail.example.org", "alice"),
        ("smtps://alice@example.org@mail.example.org", "alice@example.org"),
        ("smtps://alice%40example.org@mail.example.org", "alice@example.org"),
    ],
)
def test_a_user_may_be_an_address(mail: str, user: str) -> None:
    found = relay_settings(config(mail, mail_password=SECRET))
    assert (found.user, found.password, found.host) == (user, SECRET, "mail.example.org")


def test_the_password_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(f"{SECRET}\n")
    mail = "smtps://alice@mail.example.org"
    absolute = config(mail, mail_password_file=str(tmp_path / "password"))
    assert relay_settings(absolute).password == SECRET
    relative = config(mail, mail_password_file="password", home=str(tmp_path))
    assert relay_settings(relative).password == SECRET
    given_twice = replace(relative, mail_password="another")
    assert relay_settings(given_twice).password == "another"


def test_nothing_is_sent_without_mail() -> None:
    assert refusal("") == "No mail is set, so there is no relay to send by"


@pytest.mark.parametrize(
    "mail",
    [
        "mail.example.org",
        "https://mail.example.org",
        "smtp://",
        "smtps://:465",
        "smtps://mail.example.org:0",
        "smtps://mail.example.org:66000",
        "smtps://mail.example.org:many",
        "smtps://mail.example.org/inbox",
        "smtps://mail.example.org?tls=no",
        "smtps://mail.example.org#relay",
        "smtps://two words",
        "smtps://mail.example.org\r\n",
        "smtps://[::1",
        "smtps://bücher.example",
    ],
)
def test_what_is_no_relay_is_refused(mail: str) -> None:
    assert refusal(mail).startswith("mail is no URL of a relay: it is like smtps://user@mail.")


@pytest.mark.parametrize(
    ("mail", "settings", "why"),
    [
        ("smtps://alice:correct-horse@mail.example.org", {}, "mail has a password, which may be"),
        ("smtps://:correct-horse@mail.example.org", {}, "mail has a password, which may be seen"),
        ("smtps://alice@mail.example.org", {}, "mail names a user, who needs a password"),
        ("smtps://mail.example.org", {"mail_password": SECRET}, "but mail names no user"),
        ("smtps://%0aalice@mail.example.org", {"mail_password": SECRET}, "The user of mail may"),
        ("smtps://a@example.org", {"mail_password": f"{SECRET}\n"}, "The password for mail may"),
        ("smtps://a@example.org", {"mail_password": f"{SECRET}ü"}, "The password for mail may"),
    ],
)
def test_the_password_is_refused_without_being_shown(
    mail: str, settings: dict[str, str], why: str
) -> None:
    said = refusal(mail, **settings)
    assert why in said
    assert SECRET not in said
    assert SECRET not in repr(config(mail, **settings))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "must have one line"),
        (b"\n", "must have one line"),
        (b"correct-horse\nbattery\n", "must have one line"),
        (b"correct-horse\xff\n", "is not UTF-8"),
        (b"correct-\x00horse\n", "printable characters of ASCII"),
        (None, "No such file"),
    ],
)
def test_a_useless_file_of_the_password_is_refused(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    path = tmp_path / "password"
    if content is not None:
        path.write_bytes(content)
    said = refusal("smtps://alice@mail.example.org", mail_password_file=str(path))
    assert why in said
    assert "horse" not in said


@pytest.mark.parametrize(
    ("mail_from", "why"),
    [
        ("", 'mail needs a sender: set mail_from, like "Oxonaut <oxonaut@example.org>"'),
        ("Oxonaut", "An email address must have an @-sign"),
        ("Oxonaut <oxonaut@localhost>", "mail_from cannot be 'Oxonaut <oxonaut@localhost>': "),
        ("a@example.org, b@example.org", "mail_from cannot be "),
        ("Oxonaut <a@example.org> <b@example.org>", "mail_from cannot be "),
        ("Oxonaut\r\nBcc: eve <a@example.org>", "mail_from cannot be "),
        ("Oxo\x07naut <a@example.org>", "mail_from cannot be "),
        ("a@example.org\n", "mail_from cannot be "),
        ("ö@example.org", "mail_from cannot be "),
        ("a@bücher.example.org", "such as a@xn--bcher-kva.example.org"),
    ],
)
def test_the_sender_is_one_plain_address(mail_from: str, why: str) -> None:
    said = refusal("smtp://localhost", mail_from=mail_from)
    assert why in said
    assert said.isprintable()


@pytest.mark.parametrize(
    "mail_from", [FROM, SENDER, f'"Oxonaut, näughts" <{SENDER}>', f"<{SENDER}>"]
)
def test_the_sender_may_have_a_name(mail_from: str) -> None:
    assert relay_settings(config("smtp://localhost", mail_from=mail_from)).sender == SENDER


def test_a_new_password_is_renewed_and_a_new_relay_waits_for_the_next_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ensure_server_certificate(tmp_path / "certs", "localhost", BEGINNING)
    caplog.clear()
    (tmp_path / "password").write_text("first")
    started = config(
        "smtps://alice@mail.example.org", home=str(tmp_path), mail_password_file="password"
    )
    changed = replace(started, mail="smtps://alice@other.example.org", mail_from=SENDER)
    capsule = Capsule(started, started, lambda: changed, *4 * [Mock()])
    (tmp_path / "password").write_text("second")
    renewed = relay_settings(capsule.renew())
    assert (renewed.password, renewed.host) == ("second", "mail.example.org")
    assert [line for line in caplog.messages if "mail" in line] == [
        "The setting mail changes at the next start",
        "The setting mail_from changes at the next start",
    ]
    (tmp_path / "password").unlink()
    with pytest.raises(CannotRenew, match="mail_password_file cannot be read"):
        capsule.renew()
