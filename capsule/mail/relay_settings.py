"""The settings of the relay that takes the capsule's e-mail."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from email_validator import EmailNotValidError, validate_email

from capsule.config import PREFIX, SettingRefused

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from capsule.config import Config


class Security(Enum):
    """The protection of a connection to the relay."""

    TLS = auto()
    """From the first byte, with a verified certificate."""

    STARTTLS = auto()
    """After STARTTLS, which the relay must offer, with a verified certificate."""

    LOOPBACK = auto()
    """The connection never leaves the machine. STARTTLS is used if it is offered, unverified."""


PORTS = {Security.TLS: 465, Security.STARTTLS: 587, Security.LOOPBACK: 25}
"""The port of a relay whose URL names none."""

MAX_PASSWORD_BYTES = 1000

_HOST = re.compile(r"[A-Za-z0-9._:-]+")
_FORM = "it is like smtps://user@mail.example.org or smtp://user@mail.example.org:587"


@dataclass(frozen=True)
class RelaySettings:
    """The relay's place, the user who signs in there ("": nobody), and the sender's address."""

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
    security = _security(url.scheme, host)
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
        host, url.port or PORTS[security], security, _sender(config.mail_from), user, password
    )


def _url(text: str) -> SplitResult:
    """Return the parts of the URL, which has no more of them than it needs."""
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
        not is_usable
        or has_more
        or not text.isprintable()
        or not _HOST.fullmatch(url.hostname or "")
    ):
        raise SettingRefused(f"mail is no URL of a relay: {_FORM}")
    return url


def _security(scheme: str, host: str) -> Security:
    if scheme == "smtps":
        return Security.TLS
    if scheme == "smtp":
        return Security.LOOPBACK if _is_loopback(host) else Security.STARTTLS
    raise SettingRefused(f"mail is no URL of a relay: {_FORM}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _sender(mail_from: str) -> str:
    """Return the one address of `mail_from`, which every relay understands."""
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
        # The error has the bytes, so it is not passed on.
        raise SettingRefused(f"mail_password_file cannot be read: {path} is not UTF-8") from None
    except OSError as error:
        raise SettingRefused(f"mail_password_file cannot be read: {error}") from error
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0]:
        raise SettingRefused(f"mail_password_file must have one line, the password: {path}")
    return lines[0]
