"""Sending letters through an SMTP relay, each over a new connection, and the relay's answers."""

import base64
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from enum import Enum, auto
from ipaddress import ip_address
from typing import NamedTuple, TypeAlias
from urllib.parse import SplitResult, unquote, urlsplit

from email_validator import EmailNotValidError, validate_email

from capsule.config import PREFIX, Config, SettingRefused
from capsule.ui.render import single_line


class Security(Enum):
    """The protection of a connection to the relay, with its default port."""

    TLS = 465
    """From the first byte, with a verified certificate."""

    STARTTLS = 587
    """After STARTTLS, which the relay must offer, with a verified certificate."""

    LOOPBACK = 25
    """Within the machine: STARTTLS is used if it is offered, without verifying the certificate."""


MAX_PASSWORD_BYTES = 1000

_HOST = re.compile(r"[A-Za-z0-9._:-]+")
_FORM = "it is like smtps://user@mail.example.org or smtp://user@mail.example.org:587"


@dataclass(frozen=True)
class RelaySettings:
    """The relay's host and port, the user who signs in ("" for none), and the sender's address."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)


def relay_settings(config: Config) -> RelaySettings:
    """Return the settings of the relay, with the password from its file.

    Raises `SettingRefused`, whose text has neither the password nor the URL.
    """
    if not config.mail:
        raise SettingRefused("No mail is set, so there is no relay to send by")
    url = _url(config.mail)
    host = url.hostname or ""
    plain = Security.LOOPBACK if _is_loopback(host) else Security.STARTTLS
    security = Security.TLS if url.scheme == "smtps" else plain
    user = unquote(url.username or "")
    if not (user.isascii() and user.isprintable()):
        raise SettingRefused("The user of mail may only have printable characters of ASCII")
    password = _password(config)
    if user and not password:
        raise SettingRefused(
            "mail names a user, who needs a password: set mail_password_file or "
            f"{PREFIX}MAIL_PASSWORD"
        )
    if password and not user:
        raise SettingRefused("There is a password for mail, but mail names no user")
    return RelaySettings(
        host, url.port or security.value, security, _sender(config.mail_from), user, password
    )


def _url(text: str) -> SplitResult:
    """Return the parts of the URL; raises `SettingRefused` if it has other parts than a relay's."""
    try:
        url = urlsplit(text)
        is_usable = url.port != 0
    except ValueError as error:
        raise SettingRefused(f"mail is no URL of a relay: {_FORM}") from error
    if url.password is not None:
        raise SettingRefused(
            "mail has a password, which may be seen there: move it to a file, and set "
            "mail_password_file"
        )
    has_more = url.path not in ("", "/") or url.query or url.fragment
    if (
        url.scheme not in ("smtp", "smtps")
        or not is_usable
        or has_more
        or not text.isprintable()
        or not _HOST.fullmatch(url.hostname or "")
    ):
        raise SettingRefused(f"mail is no URL of a relay: {_FORM}")
    return url


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _sender(mail_from: str) -> str:
    """Return the address in `mail_from`, which must be one that every relay accepts."""
    if not mail_from:
        raise SettingRefused(
            'mail needs a sender: set mail_from, like "Oxonaut <oxonaut@example.org>"'
        )
    try:
        found = validate_email(
            mail_from, allow_display_name=True, allow_smtputf8=False, check_deliverability=False
        )
    except EmailNotValidError as error:
        raise SettingRefused(f"mail_from cannot be {mail_from!r}: {error}") from error
    if not mail_from.isprintable() or not found.normalized.isascii():
        raise SettingRefused(
            f"mail_from cannot be {mail_from!r}: the address needs plain ASCII, such as "
            f"{found.ascii_email}"
        )
    return found.normalized


def _password(config: Config) -> str:
    """Return the password; "" if there is none."""
    password = config.mail_password
    if not password and config.mail_password_file:
        password = _first_line(config)
    if not (password.isascii() and password.isprintable()):
        raise SettingRefused("The password for mail may only have printable characters of ASCII")
    return password


def _first_line(config: Config) -> str:
    path = config.home / config.mail_password_file
    try:
        with path.open("rb") as file:
            text = file.read(MAX_PASSWORD_BYTES).decode()
    except UnicodeDecodeError:
        # The error quotes the file's bytes, which may be the password, so it is not chained.
        raise SettingRefused(f"mail_password_file cannot be read: {path} is not UTF-8") from None
    except OSError as error:
        raise SettingRefused(f"mail_password_file cannot be read: {error}") from error
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0]:
        raise SettingRefused(f"mail_password_file must have one line, the password: {path}")
    return lines[0]


STEP_SECONDS = 15.0
"""Seconds that the relay has for each answer."""

LETTER_SECONDS = 60.0
"""Seconds that the relay has for a letter in all, even if it answers byte by byte."""

FAREWELL_SECONDS = 2.0
"""Seconds that the relay has to answer QUIT."""

MAX_WORDS = 200
"""The most characters of the relay's answer that are stored."""

LATE = "The relay does not answer in time"


class SendOutcome(Enum):
    """The outcome of sending a letter."""

    ACCEPTED = auto()
    """The relay has accepted the letter for delivery."""

    REFUSED = auto()
    """The relay refuses this recipient permanently."""

    REJECTED = auto()
    """The relay rejects this letter, or all of ours; the recipient's address may be right."""

    DEFERRED = auto()
    """A later attempt may succeed. If the connection broke, the relay may have the letter."""


class Answer(NamedTuple):
    """The outcome of sending a letter, and the relay's words about it, as one printable line."""

    outcome: SendOutcome
    words: str


Send: TypeAlias = Callable[[EmailMessage, str, Callable[[], None]], Answer]
"""Sends a letter to one recipient, and returns the outcome.

The last argument is called when the relay is ready for the text of the letter: from then on, the
relay may have the letter. No exceptions are raised but those of that call.
"""


class SmtpRelay:
    """A relay that speaks SMTP. `send` may be called on one thread at a time."""

    def __init__(
        self,
        settings: RelaySettings,
        step_seconds: float = STEP_SECONDS,
        letter_seconds: float = LETTER_SECONDS,
    ) -> None:
        self._settings = settings
        self._step_seconds = step_seconds
        self._letter_seconds = letter_seconds
        self._cutoff = _Cutoff()

    def renew(self, settings: RelaySettings) -> None:
        """Use these settings from the next letter on."""
        self._settings = settings

    def give_up(self) -> None:
        """Abort the letter that is being sent, and send no others; any thread may call this."""
        self._cutoff.close_for_good()

    def send(
        self, message: EmailMessage, recipient: str, before_data: Callable[[], None] = lambda: None
    ) -> Answer:
        """Send a letter, as `Send` describes."""
        settings = self._settings
        answer = self._attempt(settings, message, recipient, before_data)
        return Answer(answer.outcome, _clean(answer.words, settings))

    def _attempt(
        self,
        settings: RelaySettings,
        message: EmailMessage,
        recipient: str,
        before_data: Callable[[], None],
    ) -> Answer:
        try:
            found = validate_email(recipient, allow_quoted_local=True, check_deliverability=False)
        except EmailNotValidError as error:
            return Answer(SendOutcome.REFUSED, str(error))
        address = found.ascii_email or found.normalized
        try:
            with (
                self._cutoff.limited_to(self._letter_seconds),
                _connected(settings, self._cutoff, self._step_seconds) as smtp,
            ):
                return _hand_over(smtp, settings.sender, address, message, before_data)
        except _Ended as ended:
            return Answer(*ended.args)
        except ssl.SSLCertVerificationError as error:
            reason = f"The relay's certificate is not valid: {error.verify_message}"
        except (OSError, smtplib.SMTPException, ValueError) as error:
            # smtplib raises ValueError for a reply that is not SMTP, and wraps a timeout in another
            # error.
            is_late = self._cutoff.is_late or TimeoutError in (type(error), type(error.__context__))
            reason = LATE if is_late else f"The connection failed: {error}"
        return Answer(SendOutcome.DEFERRED, reason)


class _Ended(Exception):
    """The relay ended the delivery: with this outcome, and these words."""


class _Cutoff:
    """The means to shut a letter's connection down: by any thread, or by a time limit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self._is_closed_for_good = False
        self.is_late = False

    @contextmanager
    def limited_to(self, seconds: float) -> Iterator[None]:
        """Shut down a connection made in this block after so many seconds."""
        self.is_late = False
        timer = threading.Timer(seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                if self._handle is not None:
                    self._handle.close()
                    self._handle = None

    def take(self, connection: socket.socket) -> None:
        """Adopt a new socket, which TLS may wrap later."""
        with self._lock:
            if self.is_late or self._is_closed_for_good:
                raise ConnectionAbortedError("it is given up")
            # A duplicate, since wrapping the socket in TLS takes over its descriptor.
            self._handle = connection.dup()

    def close_for_good(self) -> None:
        """Shut the connection down, and adopt no others."""
        with self._lock:
            self._is_closed_for_good = True
            self._shut_down()

    def _end_late(self) -> None:
        with self._lock:
            self.is_late = True
            self._shut_down()

    def _shut_down(self) -> None:
        if self._handle is not None:
            with suppress(OSError):
                self._handle.shutdown(socket.SHUT_RDWR)


@contextmanager
def _connected(
    settings: RelaySettings, cutoff: _Cutoff, step_seconds: float
) -> Iterator[smtplib.SMTP]:
    """Connect, sign in, and finally quit; raises `_Ended` if the relay refuses us."""
    # EHLO names the sender's domain, since looking up the machine's own name may fail or be slow.
    name = settings.sender.rpartition("@")[2]
    smtp = smtplib.SMTP(local_hostname=name, timeout=step_seconds)
    try:
        _connect(smtp, settings, cutoff, step_seconds)
        try:
            _sign_in(smtp, settings)
            yield smtp
        except _Ended:
            _quit(smtp)
            raise
        _quit(smtp)
    finally:
        smtp.close()


def _connect(
    smtp: smtplib.SMTP, settings: RelaySettings, cutoff: _Cutoff, step_seconds: float
) -> None:
    """Connect with the security of the settings, and greet the relay."""
    connection = socket.create_connection((settings.host, settings.port), step_seconds)
    smtp.sock = connection
    cutoff.take(connection)
    if settings.security is Security.TLS:
        smtp.sock = _secured(connection, settings)
    _expect(smtp.getreply())
    _expect(smtp.ehlo())
    if settings.security is Security.TLS:
        return
    if smtp.has_extn("starttls"):
        _expect(smtp.docmd("STARTTLS"))
        smtp.sock = _secured(connection, settings)
        # The answers before TLS were not authenticated, so they are discarded.
        smtp.file = None
        smtp.esmtp_features.clear()
        _expect(smtp.ehlo())
    elif settings.security is Security.STARTTLS:
        raise _Ended(SendOutcome.DEFERRED, "The relay does not offer STARTTLS")


def _secured(connection: socket.socket, settings: RelaySettings) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    if settings.security is Security.LOOPBACK:
        # Verification adds no protection within a machine, where certificates rarely name it.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(connection, server_hostname=settings.host)


def _sign_in(smtp: smtplib.SMTP, settings: RelaySettings) -> None:
    if not settings.user:
        return
    try:
        smtp.login(settings.user, settings.password)
    except smtplib.SMTPResponseException as error:
        _expect((error.smtp_code, error.smtp_error))
    except smtplib.SMTPNotSupportedError as error:
        raise _Ended(SendOutcome.REJECTED, "The relay has no way to sign in") from error


def _hand_over(
    smtp: smtplib.SMTP,
    sender: str,
    address: str,
    message: EmailMessage,
    before_data: Callable[[], None],
) -> Answer:
    """Name the sender and the recipient, and send the text of the letter.

    Raises `_Ended` if the relay refuses the letter.
    """
    is_international = not address.isascii()
    if is_international and not smtp.has_extn("smtputf8"):
        raise _Ended(
            SendOutcome.REFUSED, "The relay takes only addresses with plain ASCII before the @"
        )
    takes_8_bits = is_international or smtp.has_extn("8bitmime")
    options = " BODY=8BITMIME" if takes_8_bits else ""
    if is_international:
        options += " SMTPUTF8"
        smtp.command_encoding = "utf-8"
    _expect(smtp.docmd("MAIL", f"FROM:<{sender}>{options}"))
    reply = smtp.docmd("RCPT", f"TO:<{address}>")
    _expect(reply, SendOutcome.REFUSED if _is_about_recipient(reply) else SendOutcome.REJECTED)
    before_data()
    policy = SMTP.clone(utf8=is_international, cte_type="8bit" if takes_8_bits else "7bit")
    try:
        words = _expect(smtp.data(message.as_bytes(policy=policy)))
    except smtplib.SMTPDataError as error:
        words = _expect((error.smtp_code, error.smtp_error))
    return Answer(SendOutcome.ACCEPTED, words)


def _quit(smtp: smtplib.SMTP) -> None:
    """Send QUIT, and ignore whether the relay still answers: the outcome is known."""
    with suppress(OSError, smtplib.SMTPException, ValueError):
        if smtp.sock is not None:
            smtp.sock.settimeout(FAREWELL_SECONDS)
        smtp.docmd("QUIT")


def _expect(reply: tuple[int, bytes | str], refusal: SendOutcome = SendOutcome.REJECTED) -> str:
    """Return the words of a 2xx reply; raises `_Ended`, with the outcome `refusal` for a 5xx."""
    code, text = reply
    words = f"{code} {text if isinstance(text, str) else text.decode(errors='replace')}"
    if 200 <= code < 300:
        return words
    if 500 <= code < 600:
        raise _Ended(refusal, words)
    if 400 <= code < 500:
        raise _Ended(SendOutcome.DEFERRED, words)
    raise _Ended(SendOutcome.DEFERRED, "What answers is no relay, or not one that is understood")


_CODES_ABOUT_RECIPIENTS = (521, 550, 551, 553, 556)
"""Codes that refuse a recipient, without an enhanced code that is more precise (RFC 5321, 7504)."""

_ABOUT_RECIPIENTS = re.compile(rb"5\.(?:1\.(?![78]\b)|2\.|4\.4\b)")
"""Enhanced codes about the recipient, as opposed to the sender or the relay's policy (RFC 3463)."""


def _is_about_recipient(reply: tuple[int, bytes]) -> bool:
    """Return whether a recipient was refused because of their address, and not because of us.

    A relay that does not forward mail for us refuses recipients too, whose addresses may be right.

    >>> [_is_about_recipient((550, text)) for text in (b"5.1.1 Unknown", b"Unknown", b"5.7.1 No")]
    [True, True, False]
    """
    code, text = reply
    if re.match(rb"[245]\.\d+\.\d+\b", text) and not text.startswith(b"5.0.0"):
        return _ABOUT_RECIPIENTS.match(text) is not None
    return code in _CODES_ABOUT_RECIPIENTS


def _clean(words: str, settings: RelaySettings) -> str:
    """Return the words as one line, without the password, which a relay may echo."""
    if settings.password:
        plain = f"\0{settings.user}\0{settings.password}"
        for secret in (plain, settings.password):
            words = words.replace(base64.b64encode(secret.encode()).decode(), "…")
        words = words.replace(settings.password, "…")
    line = " ".join(single_line(words).split())
    return line if len(line) <= MAX_WORDS else f"{line[: MAX_WORDS - 1]}…"
