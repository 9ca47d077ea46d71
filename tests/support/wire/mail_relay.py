"""Relays for e-mail: a real SMTP server on a thread, and ones that follow a script."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTPUTF8 as PARSED
from functools import partial
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from capsule.gemini.certificates import KEY_FILE, ensure_server_certificate
from tests.support.waiting import PATIENCE

USER = "oxonaut@example.org"
PASSWORD = "open sesame 1001"


@dataclass(frozen=True)
class Received:
    """A letter that a relay has taken; `content` is as it came, `user` who signed in."""

    sender: str
    recipient: str
    content: bytes
    user: str | None
    is_encrypted: bool

    @property
    def message(self) -> EmailMessage:
        """The letter as a mail reader sees it."""
        message = message_from_bytes(self.content, policy=PARSED)
        assert isinstance(message, EmailMessage)
        return message


@dataclass
class MailRelay:
    """What a relay has received, and how it answers.

    `refusals` are its answers to recipients, by their address, and `answer` is that to a letter.
    With `cuts` it hangs up once it has a letter, in place of its answer, and stores the letter.
    While `gate` is closed, it does not answer. `watch` is called with "recipient" when it hears a
    recipient, with "letter" before it answers a letter, and with "farewell" at the visitor's QUIT,
    and each time with the address.
    """

    port: int = 0
    letters: list[Received] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    sender_answer: str = "250 OK"
    answer: str = "250 Queued"
    cuts: bool = False
    user: str | None = None
    connections: int = 0
    gate: threading.Event = field(default_factory=threading.Event)
    watch: Callable[[str, str], None] = lambda _moment, _address: None

    def __post_init__(self) -> None:
        self.gate.set()

    # The names of these methods are aiosmtpd's.

    async def handle_EHLO(  # noqa: N802
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.user is not None and not session.authenticated:
            return "530 5.7.0 Sign in first"
        if self.sender_answer.startswith("250"):
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return self.sender_answer

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refusals:
            return self.refusals[address]
        self.watch("recipient", address)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        await asyncio.to_thread(self.gate.wait)
        assert isinstance(envelope.content, bytes)
        if self.answer.startswith("250"):
            self.letters.append(
                Received(
                    envelope.mail_from or "",
                    envelope.rcpt_tos[0],
                    envelope.content,
                    self.user if session.authenticated else None,
                    session.ssl is not None
                    or server.transport.get_extra_info("cipher") is not None,
                )
            )
            session.recipient = envelope.rcpt_tos[0]
            self.watch("letter", session.recipient)
        if self.cuts:
            server.transport.abort()
        return self.answer

    async def handle_QUIT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.watch("farewell", getattr(session, "recipient", ""))
        return "221 Bye"


@contextmanager
def mail_relay(
    *,
    certificate: Path | None = None,
    tls_at_once: bool = False,
    user: str | None = None,
    password: str = PASSWORD,
    allows_utf8: bool = True,
    port: int = 0,
) -> Iterator[MailRelay]:
    """Run a relay on the loopback interface.

    With a `certificate` (of `certify`), it offers STARTTLS, or speaks TLS at once. With a `user`,
    it takes letters from this user alone.
    """
    relay = MailRelay(user=user)
    context = server_tls(certificate) if certificate else None

    def authenticated(
        server: SMTP, session: Session, envelope: Envelope, mechanism: str, auth_data: object
    ) -> AuthResult:
        assert isinstance(auth_data, LoginPassword)
        is_right = auth_data == LoginPassword((user or "").encode(), password.encode())
        return AuthResult(success=is_right, handled=False)

    serve = partial(
        SMTP,
        relay,
        hostname="relay.example.org",
        enable_SMTPUTF8=allows_utf8,
        tls_context=None if tls_at_once else context,
        authenticator=authenticated if user else None,
        # Over TLS from the start, aiosmtpd does not know that there is any.
        auth_require_tls=not tls_at_once,
        auth_exclude_mechanism=None if user else ("LOGIN", "PLAIN"),
    )
    loop = asyncio.SelectorEventLoop()
    server = loop.run_until_complete(
        loop.create_server(
            partial(serve, loop=loop), "127.0.0.1", port, ssl=context if tls_at_once else None
        )
    )
    relay.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield relay
    finally:
        # Answers that wait at the gate would never end.
        relay.gate.set()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(_end(loop, server))
        loop.close()


async def _end(loop: asyncio.SelectorEventLoop, server: asyncio.Server) -> None:
    """Close all connections, and wait until nothing is left that waits for a visitor."""
    # A server that is closed fails on a connection that it has just accepted, and leaves it open.
    loop.remove_reader(server.sockets[0])
    await _settle()
    server.close()
    # The server does not know those of which TLS is not done with its greeting or its farewell.
    for transport in list(loop._transports.values()):  # type: ignore[attr-defined]
        transport.abort()
    await _settle()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await loop.shutdown_default_executor()


async def _settle() -> None:
    """Let connections that are new or at their end take the few rounds that they need for it."""
    for _ in range(5):
        await asyncio.sleep(0)


@contextmanager
def scripted_relay(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a relay that talks to one visitor as a script says, and hangs up; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)

        def serve() -> None:
            # The visitor may hang up first.
            with suppress(OSError):
                connection, _ = listening.accept()
                with connection:
                    connection.settimeout(PATIENCE)
                    talk(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join()


def say(*replies: bytes, hangs_up: bool = False) -> Callable[[socket.socket], None]:
    """Return a script that greets with the first reply, and answers each command with the next.

    What comes after the last one is not answered. The relay reads it until the visitor hangs up,
    or `hangs_up` itself after a line of it.
    """

    def talk(connection: socket.socket) -> None:
        connection.sendall(replies[0])
        with connection.makefile("rb") as file:
            for reply in replies[1:]:
                file.readline()
                connection.sendall(reply)
            file.readline() if hangs_up else file.read()

    return talk


def certify(folder: Path, hostname: str = "localhost") -> Path:
    """Make a certificate and its key; trusted by those for whom SSL_CERT_FILE names it."""
    return ensure_server_certificate(folder, hostname, datetime.now(UTC))[0]


def server_tls(certificate: Path) -> ssl.SSLContext:
    """Return the TLS of a relay with a certificate of `certify`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name(KEY_FILE))
    return context
