"""`oxonaut admin mail-test`: send a letter, and see what the relay answers."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING

from capsule.config import SettingRefused
from capsule.mail.relay import Outcome, SmtpRelay
from capsule.mail.relay_settings import relay_settings
from capsule.moderation.actions import OperatorRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.config import Config
    from capsule.mail.relay_settings import RelaySettings

FAILURES = {
    Outcome.REFUSED: "The relay refuses this address for good",
    Outcome.REJECTED: "The relay does not take letters from here",
    Outcome.DEFERRED: "The letter could not be sent now",
}
"""What it means that a letter was not taken."""


def mail_test(config: Config, address: str) -> Iterator[str]:
    """Send a letter to an address, and yield the lines that report it."""
    try:
        settings = relay_settings(config)
    except SettingRefused as error:
        raise OperatorRefused(f"{error}.") from error
    yield f"Asking {settings.host}, port {settings.port}, to take a letter for {address}."
    answer = SmtpRelay(settings).send(_letter(config, settings, address), address)
    if answer.outcome is not Outcome.ACCEPTED:
        raise OperatorRefused(f"{FAILURES[answer.outcome]}: {answer.words.rstrip('.')}.")
    yield f"The relay has taken it, and says: {answer.words}"


def _letter(config: Config, settings: RelaySettings, address: str) -> EmailMessage:
    letter = EmailMessage()
    letter["From"] = config.mail_from
    # With anything else, the relay refuses the address before the header is written.
    letter["To"] = address if address.isprintable() else ""
    letter["Subject"] = "A test of e-mail from Oxonaut"
    letter["Date"] = format_datetime(datetime.now(UTC))
    letter["Message-ID"] = make_msgid(domain=settings.sender.rpartition("@")[2])
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(
        f"The capsule at {config.origin}/ can send e-mail.\n\n"
        "Its operator sent this letter as a test. It asks nothing of you.\n"
    )
    return letter
