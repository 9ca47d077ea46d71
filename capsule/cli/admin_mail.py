"""`oxonaut admin mail-test` and `mail-stop`: try the relay, and stop mail to an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.names import shown_name
from capsule.config import SettingRefused
from capsule.mail import stopping
from capsule.mail.addresses import AddressRefused, clean_address
from capsule.mail.letters import test_letter
from capsule.mail.model import random_key
from capsule.mail.relay import Outcome, SmtpRelay
from capsule.mail.relay_settings import relay_settings
from capsule.moderation.operator_steps import OperatorRefused
from capsule.ui.render import translate

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from capsule.config import Config
    from capsule.context import AppContext

FAILURES = {
    Outcome.REFUSED: "The relay refuses this address for good",
    Outcome.REJECTED: "The relay does not take letters from here",
    Outcome.DEFERRED: "The letter could not be sent now",
}
"""The meaning of each answer by which the relay has not taken a letter."""


def mail_test(config: Config, context: AppContext, typed: str) -> Iterator[str]:
    """Send a letter to an address, and yield the lines that report it."""
    try:
        settings = relay_settings(config)
        address = clean_address(typed)
    except SettingRefused as error:
        raise OperatorRefused(f"{error}.") from error
    except AddressRefused as error:
        raise OperatorRefused(f"{translate(error.message)}.") from error
    letter = test_letter(context, address, random_key(context.random_bytes), context.clock())
    yield f"Asking {settings.host}, port {settings.port}, to take a letter for {address}."
    answer = SmtpRelay(settings).send(letter, address)
    if answer.outcome is not Outcome.ACCEPTED:
        raise OperatorRefused(f"{FAILURES[answer.outcome]}: {answer.words.rstrip('.')}.")
    yield f"The relay has taken it, and says: {answer.words}"


def mail_stop(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Stop all mail to an address, and yield the lines that report it."""
    players = stopping.stop_for_owner(context, arguments.key_or_address)
    for player in players:
        yield f"Nothing more is sent to the address that {shown_name(player.name)} had given."
    if not players:
        days = stopping.NO_CODES_FOR.days
        yield f"No player has given that address. No code goes there for {days} days."
