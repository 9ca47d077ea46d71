"""Sending by a relay: a real SMTP server, and what is none."""

import base64
import socket
import threading
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from capsule.mail.relay import MAX_WORDS, Answer, RelaySettings, Security, SendOutcome, SmtpRelay
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.mail_relay import (
    PASSWORD,
    USER,
    MailRelay,
    certify,
    mail_relay,
    say,
    scripted_relay,
    server_tls,
)

SENDER = "oxonaut@example.org"
ALICE = "alice@example.org"

READY = b"220 relay\r\n", b"250 relay\r\n"
"""A greeting, and the answer to one."""


def letter(recipient: str = ALICE, text: str = "It is your turn.\n") -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"Oxonaut <{SENDER}>"
    message["To"] = recipient
    message["Subject"] = "Your turn in 2 games"
    message.set_content(text)
    return message


def settings(
    port: int,
    security: Security = Security.LOOPBACK,
    *,
    password: str = "",
    host: str = "localhost",
) -> RelaySettings:
    user = USER if password else ""
    return RelaySettings(host, port, security, SENDER, user, password)


def send(
    relay: MailRelay,
    security: Security = Security.LOOPBACK,
    *,
    recipient: str = ALICE,
    password: str = "",
    host: str = "localhost",
) -> Answer:
    sending = SmtpRelay(settings(relay.port, security, password=password, host=host))
    return sending.send(letter(), recipient)


def send_to(port: int, *, step: float = PATIENCE, whole: float = PATIENCE) -> Answer:
    return SmtpRelay(settings(port), step, whole).send(letter(), ALICE)


def test_a_letter_arrives_as_it_was_written() -> None:
    with mail_relay() as relay:
        text = ".\nfrom a board: ▲ ü\n.. " + "x" * 60 + "\n"
        answer = SmtpRelay(settings(relay.port)).send(letter(text=text), ALICE)
        assert answer == Answer(SendOutcome.ACCEPTED, "250 Queued")
        (received,) = relay.letters
    assert (received.sender, received.recipient) == (SENDER, ALICE)
    assert received.message["To"] == ALICE
    assert received.message.get_content().replace("\r\n", "\n") == text
    assert not received.is_encrypted


def test_letters_travel_with_seven_bits_where_the_relay_takes_no_eight() -> None:
    heard = b""

    def talk(connection: socket.socket) -> None:
        nonlocal heard
        with connection.makefile("rb") as file:
            for reply in (*READY, b"250 \r\n", b"250 \r\n", b"354 \r\n"):
                connection.sendall(reply)
                heard += file.readline()
            while (line := file.readline()) != b".\r\n":
                heard += line
            connection.sendall(b"250 taken\r\n")
            heard += file.readline()

    with scripted_relay(talk) as port:
        answer = SmtpRelay(settings(port)).send(letter(text="ü\n"), ALICE)
        assert answer == Answer(SendOutcome.ACCEPTED, "250 taken")
    assert heard.isascii()
    assert b"ehlo example.org\r\n" in heard
    assert b"MAIL FROM:<oxonaut@example.org>\r\nRCPT TO:<alice@example.org>\r\n" in heard
    assert heard.endswith(b"QUIT\r\n")


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_verified_relay_gets_the_password(certificate: Path, security: Security) -> None:
    at_once = security is Security.TLS
    with mail_relay(certificate=certificate, tls_at_once=at_once, user=USER) as relay:
        assert send(relay, security, password=PASSWORD).outcome is SendOutcome.ACCEPTED
        (received,) = relay.letters
        assert (received.user, received.is_encrypted) == (USER, True)


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_relay_that_nobody_vouches_for_gets_nothing(tmp_path: Path, security: Security) -> None:
    at_once = security is Security.TLS
    with mail_relay(certificate=certify(tmp_path), tls_at_once=at_once) as relay:
        answer = send(relay, security)
        assert answer.outcome is SendOutcome.DEFERRED
        assert answer.words == "The relay's certificate is not valid: self-signed certificate"
        assert not relay.letters


def test_a_relay_with_the_certificate_of_another_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = certify(tmp_path, "relay.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(made))
    with mail_relay(certificate=made) as relay:
        answer = send(relay, Security.STARTTLS)
        assert answer.outcome is SendOutcome.DEFERRED
        assert "not valid for 'localhost'" in answer.words
        assert not relay.letters


def test_a_relay_elsewhere_must_offer_starttls() -> None:
    with mail_relay() as relay:
        answer = send(relay, Security.STARTTLS)
        assert answer == Answer(SendOutcome.DEFERRED, "The relay does not offer STARTTLS")
        assert not relay.letters


def test_a_relay_that_refuses_tls_it_has_offered_gets_nothing() -> None:
    offer = b"250-relay\r\n250 STARTTLS\r\n"
    with scripted_relay(say(READY[0], offer, b"454 not now\r\n")) as port:
        answer = SmtpRelay(settings(port, Security.STARTTLS)).send(letter(), ALICE)
    assert answer == Answer(SendOutcome.DEFERRED, "454 not now")


def test_what_was_said_before_tls_is_forgotten(certificate: Path) -> None:
    """An attacker on the way cannot put words into the relay's mouth."""

    def talk(connection: socket.socket) -> None:
        with connection.makefile("rb") as plain:
            for reply in (READY[0], b"250-relay\r\n250 STARTTLS\r\n"):
                connection.sendall(reply)
                plain.readline()
        connection.sendall(b"220 go on\r\n250-relay\r\n250 SMTPUTF8\r\n")
        with (
            server_tls(certificate).wrap_socket(connection, server_side=True) as secured,
            secured.makefile("rb") as encrypted,
        ):
            for reply in (READY[1], b"221 bye\r\n"):
                heard.append(encrypted.readline())
                secured.sendall(reply)

    heard: list[bytes] = []
    with scripted_relay(talk) as port:
        sending = SmtpRelay(settings(port, Security.STARTTLS))
        answer = sending.send(letter(), "jürgen@example.org")
    assert heard == [b"ehlo example.org\r\n", b"QUIT\r\n"]
    assert answer.outcome is SendOutcome.REFUSED


def test_a_relay_of_the_machine_needs_no_valid_certificate(tmp_path: Path) -> None:
    with mail_relay(certificate=certify(tmp_path, "debian.example"), user=USER) as relay:
        assert send(relay, password=PASSWORD).outcome is SendOutcome.ACCEPTED
        assert relay.letters[0].is_encrypted


def test_a_wrong_password_is_our_fault_and_never_repeated(certificate: Path) -> None:
    with mail_relay(certificate=certificate, user=USER) as relay:
        answer = send(relay, Security.STARTTLS, password="wrong horse")
        assert answer.outcome is SendOutcome.REJECTED
        assert answer.words.startswith("535 5.7.8")
        assert not relay.letters


@pytest.mark.parametrize("form", ["plain", "base64", "both"])
def test_a_relay_that_repeats_the_password_is_not_quoted(form: str) -> None:
    said = {
        "plain": PASSWORD,
        "base64": base64.b64encode(PASSWORD.encode()).decode(),
        "both": base64.b64encode(f"\0{USER}\0{PASSWORD}".encode()).decode(),
    }[form]
    offer = b"250-relay\r\n250 AUTH PLAIN\r\n"
    reply = f"535 no: {said} is wrong\r\n".encode()
    with scripted_relay(say(READY[0], offer, reply, b"221 bye\r\n")) as port:
        answer = SmtpRelay(settings(port, password=PASSWORD)).send(letter(), ALICE)
    assert answer == Answer(SendOutcome.REJECTED, "535 no: … is wrong")


def test_a_relay_where_nobody_can_sign_in_gets_no_letter() -> None:
    with mail_relay() as relay:
        answer = send(relay, password=PASSWORD)
        assert answer == Answer(SendOutcome.REJECTED, "The relay has no way to sign in")
        assert not relay.letters


def test_settings_never_show_the_password() -> None:
    assert PASSWORD not in repr(settings(25, password=PASSWORD))
    assert USER in repr(settings(25, password=PASSWORD))


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("550 5.1.1 No such user", SendOutcome.REFUSED),
        ("550 No such user", SendOutcome.REFUSED),
        ("552 5.2.2 Mailbox full", SendOutcome.REFUSED),
        ("556 5.1.10 Takes no mail", SendOutcome.REFUSED),
        ("554 5.7.1 Relay access denied", SendOutcome.REJECTED),
        ("550 5.7.1 We do not like you", SendOutcome.REJECTED),
        ("550 5.1.8 No such sender", SendOutcome.REJECTED),
        ("530 Sign in first", SendOutcome.REJECTED),
        ("450 4.2.1 Come back later", SendOutcome.DEFERRED),
        ("421 Too busy", SendOutcome.DEFERRED),
    ],
)
def test_a_recipient_is_refused_for_good_or_for_now_or_because_of_us(
    reply: str, outcome: SendOutcome
) -> None:
    with mail_relay() as relay:
        relay.refusals[ALICE] = reply
        assert send(relay) == Answer(outcome, reply)
        assert send(relay, recipient="bob@example.org").outcome is SendOutcome.ACCEPTED


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("554 5.7.1 Looks like spam", SendOutcome.REJECTED),
        ("550 Whoever it is for", SendOutcome.REJECTED),
        ("451 Disk full", SendOutcome.DEFERRED),
    ],
)
def test_the_text_or_the_sender_is_rejected_without_blame_for_the_recipient(
    reply: str, outcome: SendOutcome
) -> None:
    with mail_relay() as relay:
        relay.answer = reply
        assert send(relay) == Answer(outcome, reply)
    with mail_relay() as relay:
        relay.sender_answer = reply
        assert send(relay) == Answer(outcome, reply)


@pytest.mark.parametrize("reply", [b"554 nobody\r\n", b"421 later\r\n"])
def test_a_relay_may_turn_us_away_at_once(reply: bytes) -> None:
    with scripted_relay(say(reply, b"221 bye\r\n")) as port:
        outcome = send_to(port).outcome
    assert outcome is (SendOutcome.REJECTED if reply.startswith(b"5") else SendOutcome.DEFERRED)


def test_the_words_are_one_clean_line() -> None:
    reply = b"550-no \x1b[31msuch\x07\tuser\r\n550 \xff\xe2\x80\xaeevil " + b"x" * 400 + b"\r\n"
    with scripted_relay(say(*READY, b"250 ok\r\n", reply, b"221 bye\r\n")) as port:
        answer = send_to(port)
    assert answer.outcome is SendOutcome.REFUSED
    assert answer.words.startswith("550 no [31msuch user � evil xxx")
    assert answer.words.isprintable()
    assert len(answer.words) == MAX_WORDS
    assert answer.words.endswith("…")


@pytest.mark.parametrize(
    "recipient", ["", "alice", "a@b\r\nRCPT TO:<eve@example.org>", "a@b>c", "a b@example.org"]
)
def test_what_is_no_address_never_reaches_the_relay(recipient: str) -> None:
    with mail_relay() as relay:
        assert send(relay, recipient=recipient).outcome is SendOutcome.REFUSED
        assert relay.connections == 0


@pytest.mark.parametrize(
    ("recipient", "sent"),
    [
        ("alice@bücher.example.org", "alice@xn--bcher-kva.example.org"),
        ('"a b"@example.org', '"a b"@example.org'),
    ],
)
def test_unusual_addresses_are_sent_as_smtp_writes_them(recipient: str, sent: str) -> None:
    with mail_relay(allows_utf8=False) as relay:
        assert send(relay, recipient=recipient).outcome is SendOutcome.ACCEPTED
        assert relay.letters[0].recipient == sent


def test_letters_beyond_ascii_before_the_at_need_a_relay_that_takes_them() -> None:
    recipient = "jürgen@example.org"
    with mail_relay() as relay:
        sending = SmtpRelay(settings(relay.port))
        assert sending.send(letter(recipient), recipient).outcome is SendOutcome.ACCEPTED
        (received,) = relay.letters
        assert received.recipient == recipient
        assert received.message["To"] == recipient
    with mail_relay(allows_utf8=False) as relay:
        answer = send(relay, recipient=recipient)
        assert answer.outcome is SendOutcome.REFUSED
        assert answer.words == "The relay takes only addresses with plain ASCII before the @"


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    answer = send_to(port)
    assert answer.outcome is SendOutcome.DEFERRED
    assert answer.words.startswith("The connection failed: ")
    assert "Connection refused" in answer.words


def test_a_host_that_is_nowhere_or_without_tls() -> None:
    nowhere = RelaySettings("relay.invalid", 587, Security.STARTTLS, SENDER)
    with mail_relay() as relay:
        answers = SmtpRelay(nowhere).send(letter(), ALICE), send(relay, Security.TLS)
    for answer in answers:
        assert answer.outcome is SendOutcome.DEFERRED
        assert answer.words.startswith("The connection failed: ")


@pytest.mark.parametrize(
    "replies",
    [
        READY[:1],
        READY,
        (*READY, b"250 ok\r\n"),
        (*READY, b"250 ok\r\n", b"250 ok\r\n"),
        (*READY, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"),
        (*READY, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n", b"25"),
    ],
)
def test_a_cut_at_any_moment_defers(replies: tuple[bytes, ...]) -> None:
    with scripted_relay(say(*replies, hangs_up=True)) as port:
        assert send_to(port).outcome is SendOutcome.DEFERRED


def test_a_cut_before_the_greeting_defers() -> None:
    with scripted_relay(lambda _connection: None) as port:
        assert send_to(port).outcome is SendOutcome.DEFERRED


def test_a_cut_before_the_answer_defers_though_the_relay_has_the_letter() -> None:
    with mail_relay() as relay:
        relay.cuts = True
        assert send(relay).outcome is SendOutcome.DEFERRED
        assert len(relay.letters) == 1


def test_a_relay_that_hangs_up_after_its_yes_has_the_letter() -> None:
    replies = (*READY, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n")

    def talk(connection: socket.socket) -> None:
        with connection.makefile("rb") as file:
            for reply in replies:
                connection.sendall(reply)
                file.readline()
            while file.readline() != b".\r\n":
                pass
            connection.sendall(b"250 taken\r\n")

    with scripted_relay(talk) as port:
        assert send_to(port) == Answer(SendOutcome.ACCEPTED, "250 taken")


@pytest.mark.parametrize(
    "junk",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\xff" * 10 + b"\r\n",
        b"220\xff\x00\r\n999 what\r\n",
        b"200" + b"0" * 100_000,
        b"20 text/gemini\r\n",
    ],
)
def test_what_is_no_relay_defers(junk: bytes) -> None:
    with scripted_relay(say(junk, junk, hangs_up=True)) as port:
        answer = send_to(port)
    assert answer.outcome is SendOutcome.DEFERRED
    assert answer.words.isprintable()


@pytest.mark.parametrize(
    "replies",
    [
        (b"",),
        READY[:1],
        (*READY, b"250 ok\r\n"),
        (*READY, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"),
    ],
)
def test_a_silent_relay_is_waited_for_step_by_step(replies: tuple[bytes, ...]) -> None:
    with scripted_relay(say(*replies)) as port:
        answer = send_to(port, step=0.2)
    assert answer == Answer(SendOutcome.DEFERRED, "The relay does not answer in time")


def test_a_relay_that_answers_byte_by_byte_is_left_in_the_end() -> None:
    def trickle(connection: socket.socket) -> None:
        while True:
            connection.sendall(b"2")
            time.sleep(0.01)

    with scripted_relay(trickle) as port:
        answer = send_to(port, whole=0.5)
    assert answer == Answer(SendOutcome.DEFERRED, "The relay does not answer in time")


def test_a_slow_relay_is_waited_for() -> None:
    with mail_relay() as relay:
        relay.gate.clear()
        threading.Timer(0.3, relay.gate.set).start()
        assert send(relay).outcome is SendOutcome.ACCEPTED


def test_whoever_stops_waits_for_no_relay() -> None:
    with mail_relay() as relay:
        relay.gate.clear()
        sending = SmtpRelay(settings(relay.port))
        answers: list[Answer] = []
        thread = threading.Thread(target=lambda: answers.append(sending.send(letter(), ALICE)))
        thread.start()
        wait_until(lambda: relay.connections)
        sending.give_up()
        thread.join(PATIENCE)
        assert answers[0].outcome is SendOutcome.DEFERRED
        relay.gate.set()
        assert sending.send(letter(), ALICE).outcome is SendOutcome.DEFERRED
        assert relay.connections == 1


def test_one_letter_after_the_other_by_settings_that_change() -> None:
    with mail_relay() as first, mail_relay() as second:
        sending = SmtpRelay(settings(first.port))
        for _ in range(3):
            assert sending.send(letter(), ALICE).outcome is SendOutcome.ACCEPTED
        sending.renew(settings(second.port))
        assert sending.send(letter(), ALICE).outcome is SendOutcome.ACCEPTED
        assert (len(first.letters), len(second.letters)) == (3, 1)


def test_the_sender_learns_when_the_relay_can_have_the_letter() -> None:
    with mail_relay() as relay:
        relay.refusals["bob@example.org"] = "550 5.1.1 Unknown"
        sending = SmtpRelay(settings(relay.port))
        noted: list[int] = []

        def note() -> None:
            noted.append(len(relay.letters))

        assert sending.send(letter(), "bob@example.org", note).outcome is SendOutcome.REFUSED
        assert noted == []
        assert sending.send(letter(), ALICE, note).outcome is SendOutcome.ACCEPTED
        assert noted == [0]

        def fail() -> None:
            raise LookupError

        with pytest.raises(LookupError):
            sending.send(letter(), ALICE, fail)
        assert len(relay.letters) == 1
        assert sending.send(letter(), ALICE).outcome is SendOutcome.ACCEPTED
