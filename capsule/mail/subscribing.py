"""Subscribing to e-mail, and stopping it."""

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from hashlib import sha256

import sqlalchemy as sa
from email_validator import EmailNotValidError, validate_email

from capsule.accounts import devices, identity, queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, writing
from capsule.errors import OutdatedAction, OverLimit, Refused
from capsule.games.clock import DAY, HOUR
from capsule.languages.time_zones import in_zone
from capsule.mail import model, queries
from capsule.moderation import queries as moderation_queries
from capsule.moderation.actions import OperatorRefused
from capsule.moderation.model import ActionKind
from capsule.ui.preferences import SWITCH
from capsule.ui.user_text import INVISIBLE, UNPRINTABLE
from engine import message, plural

MAX_BYTES, MAX_LOCAL_BYTES = 254, 64
"""Bytes of an address, and of its part before the @, by RFC 5321."""


class AddressRefused(Refused):
    """A text that is no address to which mail could be sent; `message` says why."""


def clean_address(typed: str) -> str:
    r"""Return an address in the one form in which it is stored; raises `AddressRefused`.

    Domains of other scripts are written in ASCII. Nobody is asked whether the address exists.

    >>> clean_address(" Alice@Example.ORG ")
    'Alice@example.org'
    >>> clean_address("zoe@b\u00fccher.example")
    'zoe@xn--bcher-kva.example'
    """
    text = typed.strip()
    if UNPRINTABLE.search(text) or INVISIBLE.search(text) or re.search(r"\s", text):
        raise AddressRefused(message("An e-mail address has no spaces or line breaks"))
    if text.startswith('"'):
        raise AddressRefused(message("An address in quotation marks cannot be used here"))
    useless = message(
        "That is not an e-mail address that can be used. One looks like {example}",
        example="alice@example.org",
    )
    too_long = message(
        "That address is too long: at most {count} bytes fit, and {local} before the @",
        count=MAX_BYTES,
        local=MAX_LOCAL_BYTES,
    )
    if len(text.encode()) > MAX_BYTES:
        raise AddressRefused(too_long)
    # In a header that would begin an encoded word (RFC 2047), which stands for another text.
    if "=?" in text:
        raise AddressRefused(useless)
    try:
        found = validate_email(text, check_deliverability=False)
    except EmailNotValidError as error:
        raise AddressRefused(useless) from error
    address = found.ascii_email or found.normalized
    if len(address.rpartition("@")[0].encode()) > MAX_LOCAL_BYTES:
        raise AddressRefused(too_long)
    return address


def address_key(secret: bytes, address: str) -> str:
    """Return a keyed hash of an address, the same in upper and lower case: 64 hexadecimal digits.

    It lets mail to an address be counted and stopped without keeping the address.
    """
    return hmac.digest(secret, b"mail address\n" + address.casefold().encode(), sha256).hex()


CODES_OF_PLAYER = 3
CODES_TO_ADDRESS = 3
"""Codes within a day: for which one player asks, and that go to one address."""

CODES_AN_HOUR = 30
"""Codes within an hour, of all players to all addresses."""

CODE_LENGTH = 8

KEPT_FOR = timedelta(days=40)
"""The time for which sent notifications are stored: longer than `letters.MAX_AGE`."""


def pending_of(transaction: Transaction, player: Player) -> model.PendingAddress | None:
    """Return the address that waits for its code, None if there is none."""
    pending = queries.pending_of(transaction.connection, player.id)
    return None if pending is None or pending.is_over(transaction.now) else pending


def code_for(context: AppContext, pending: model.PendingAddress) -> str:
    """Return the code of an address that waits for it."""
    texts = "mail code", str(pending.player_id), pending.address, pending.made_at.isoformat()
    return devices.derived(context.secret, *texts, length=CODE_LENGTH)


def request_code(transaction: Transaction, player: Player, typed: str) -> None:
    """Have a code sent to the address that a player typed.

    Nothing is sent, without a notice, if its owner wants no mail, or too many codes went to it or
    to everybody. Raises `AddressRefused` and `OverLimit`.
    """
    address, now = clean_address(typed), transaction.now
    context, connection = transaction.context, transaction.connection
    asked = queries.count_codes(connection, now - DAY, player_id=player.id)
    if asked >= CODES_OF_PLAYER:
        raise OverLimit(
            plural(
                "You have asked for {count} code within a day. Try again tomorrow",
                "You have asked for {count} codes within a day. Try again tomorrow",
                count=CODES_OF_PLAYER,
            )
        )
    key = address_key(context.secret, address)
    may_send = _may_send(transaction, key)
    queries.add_request(connection, player.id, key if may_send else "", now)
    # A reader of several letters may follow the link in any.
    former = (queries.pending_of, queries.subscription_of)
    known = (each for query in former if (each := query(connection, player.id)))
    keys = (each.stop_key for each in known if each.address == address)
    stop_key = next(keys, None) or model.random_key(context.random_bytes)
    queries.save_pending(
        connection, model.PendingAddress(player.id, address, now, model.MAX_TRIES, stop_key)
    )
    queries.drop_codes_to(connection, player.id)
    if may_send:
        key, kind = model.random_key(context.random_bytes), model.LetterKind.CODE
        queries.add_letter(connection, player.id, now, kind=kind, message_key=key, day=now.date())


def _may_send(transaction: Transaction, key: str) -> bool:
    connection, now = transaction.connection, transaction.now
    return (
        not queries.is_stopped(connection, key, now)
        and queries.count_codes(connection, now - DAY, address_key=key) < CODES_TO_ADDRESS
        and queries.count_codes(connection, now - HOUR) < CODES_AN_HOUR
    )


def confirm(transaction: Transaction, player: Player, typed: str) -> Refused | None:
    """Confirm the player's address by the code that was typed; return why not, if it is not done.

    A refusal may have cost a try. Raises `OutdatedAction` if there is no address.
    """
    connection, now = transaction.connection, transaction.now
    pending = queries.pending_of(connection, player.id)
    if pending is None:
        raise OutdatedAction
    if pending.is_over(now):
        queries.drop_pending(connection, player.id)
        return OverLimit(message("That code has expired. Type your address again to get another"))
    plain = "".join(character for character in typed if character.isalnum()).upper()
    if not identity.are_equal(plain, code_for(transaction.context, pending)):
        return _count_mistake(connection, pending)
    former = queries.subscription_of(connection, player.id)
    chosen = former or model.Subscription(player.id, "", now, "")
    # If letters could be sent before, their notifications go to the new address.
    is_gapless = former is not None and not former.refusal
    confirmed = replace(
        chosen,
        address=pending.address,
        confirmed_at=chosen.confirmed_at if is_gapless else now,
        stop_key=pending.stop_key,
        refusal="",
    )
    queries.drop_pending(connection, player.id)
    queries.save_subscription(connection, confirmed)
    if former is None:
        local = in_zone(now, player.settings.time_zone)
        last_summary = local.date() - DAY if local.hour < confirmed.hour else local.date()
        queries.save_schedule(connection, player.id, now, last_summary)
    queries.check_from(connection, player.id, now)
    return None


def _count_mistake(connection: sa.Connection, pending: model.PendingAddress) -> Refused:
    left = pending.tries_left - 1
    if left <= 0:
        queries.drop_pending(connection, pending.player_id)
        return OverLimit(
            message("That is not the code, and it was the last try. Type your address again")
        )
    queries.save_pending(connection, replace(pending, tries_left=left))
    return Refused(
        plural(
            "That is not the code. {count} try is left",
            "That is not the code. {count} tries are left",
            count=left,
        )
    )


def _with_kind(
    kind: model.MailKind, subscription: model.Subscription, *, is_wanted: bool
) -> model.Subscription:
    kinds = [*subscription.kinds, kind] if is_wanted else {*subscription.kinds} - {kind}
    return replace(subscription, kinds=tuple(each for each in model.MailKind if each in kinds))


CHOICES: Mapping[str, Callable[[model.Subscription], model.Subscription]] = {
    **{f"turns/{turns}": partial(replace, turns=turns) for turns in model.TurnMail},
    **{
        f"{kind}/{word}": partial(_with_kind, kind, is_wanted=is_wanted)
        for kind in model.MailKind
        for word, is_wanted in SWITCH.items()
    },
}
"""The change to a subscription for each setting and value, by their names in addresses."""


def choose(transaction: Transaction, player: Player, choice: str) -> None:
    """Make one of the `CHOICES`; raises `OutdatedAction` if the player has no subscription."""
    _change(transaction, player, CHOICES[choice])


def choose_hour(transaction: Transaction, player: Player, typed: str) -> None:
    """Set the hour of the daily summary, in the player's time zone.

    Raises `Refused`, and `OutdatedAction` if the player has no subscription.
    """
    hour = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= 2 else 24
    if hour >= 24:
        raise Refused(message("That is no hour from 0 to 23"))
    _change(transaction, player, lambda subscription: replace(subscription, hour=hour))


def _change(
    transaction: Transaction,
    player: Player,
    changed: Callable[[model.Subscription], model.Subscription],
) -> None:
    subscription = queries.subscription_of(transaction.connection, player.id)
    if subscription is None:
        raise OutdatedAction
    queries.save_subscription(transaction.connection, changed(subscription))
    queries.check_from(transaction.connection, player.id, transaction.now)


def forget(connection: sa.Connection, player_id: int) -> None:
    """Delete a player's address, confirmed or not, with the letters and what led to them.

    The count of codes stays stored for its day.
    """
    queries.drop_subscription(connection, player_id)
    _forget_pending(connection, player_id)


def _forget_pending(connection: sa.Connection, player_id: int) -> None:
    queries.drop_pending(connection, player_id)
    queries.drop_codes_to(connection, player_id)


@writing
def delete_old(transaction: Transaction) -> None:
    """Delete addresses that were not confirmed within a day, and letters older than `KEPT_FOR`.

    If the capsule sends no mail any more, recorded changes go, too: the mailer does not read them.
    """
    connection, now = transaction.connection, transaction.now
    queries.delete_old(
        connection, now, codes_before=now - model.CODE_LIFETIME, letters_before=now - KEPT_FOR
    )
    if not transaction.context.mail_from:
        queries.drop_changes(connection)


NO_CODES_FOR = timedelta(days=30)
"""The time for which no code goes to an address whose owner did not ask for any."""


def stop(transaction: Transaction, key: str) -> None:
    """Stop all mail to the address that a key belongs to, and delete it for all who gave it.

    If its owner had not confirmed it, no code goes there for `NO_CODES_FOR`.
    """
    found = queries.address_with_key(transaction.connection, key)
    if found is not None:
        address, is_confirmed = found
        _forget(transaction, address, is_confirmed=is_confirmed)


def stop_for_owner(transaction: Transaction, key_or_address: str) -> Sequence[Player]:
    """Stop all mail to an address as `stop` does, for the operator, and record it.

    Return the players who had given the address, if any. Raises `OperatorRefused` for a text that
    is neither an address nor the key of one.
    """
    connection = transaction.connection
    address, is_confirmed = _address_meant(connection, key_or_address)
    player_ids = _forget(transaction, address, is_confirmed=is_confirmed)
    found = account_queries.players_by_ids(connection, player_ids)
    players = [found[player_id] for player_id in player_ids]
    for concerned in players or (None,):
        moderation_queries.record_action(
            connection, transaction.now, ActionKind.MAIL_STOP, concerned, ""
        )
    return players


def _address_meant(connection: sa.Connection, key_or_address: str) -> tuple[str, bool]:
    """Return the address that the operator means, and whether it is a confirmed one."""
    if "@" not in key_or_address:
        found = queries.address_with_key(connection, key_or_address)
        if found is None:
            raise OperatorRefused("No mail goes out with this key. It may be stopped already.")
        return found
    address = clean_address(key_or_address)
    confirmed, _ = queries.players_with_address(connection, address)
    return address, bool(confirmed)


def _forget(transaction: Transaction, address: str, *, is_confirmed: bool) -> Sequence[int]:
    """Delete an address, and return the ids of the players who had given it.

    Unless it `is_confirmed`, no code goes there for `NO_CODES_FOR`.
    """
    connection = transaction.connection
    confirmed, typed = queries.players_with_address(connection, address)
    for player_id in confirmed:
        queries.drop_subscription(connection, player_id)
    for player_id in typed:
        _forget_pending(connection, player_id)
    if not is_confirmed:
        until = transaction.now + NO_CODES_FOR
        queries.save_stop(connection, address_key(transaction.context.secret, address), until)
    return sorted({*confirmed, *typed})
