"""Asking for e-mail: an address is typed, a code goes to it, and the code is typed.

The answers are the same whatever address is typed, so nobody learns from them who has one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import link_codes
from capsule.errors import OutdatedAction, OverLimit, Refused
from capsule.mail import letter_queries, subscription_queries
from capsule.mail.addresses import address_key, clean_address
from capsule.mail.model import (
    CODE_LIFETIME,
    MAX_TRIES,
    LetterKind,
    MailKind,
    NewLetter,
    PendingAddress,
    Schedule,
    Subscription,
    TurnMail,
    random_key,
)
from capsule.ui.time_zones import in_zone
from engine.game import message, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext, Transaction


CODES_OF_PLAYER = 3
CODES_TO_ADDRESS = 3
"""Codes within a day: for which one player asks, and that go to one address."""

CODES_AN_HOUR = 30
"""Codes within an hour, of all players to all addresses."""

CODE_LENGTH = 8

KEPT_FOR = timedelta(days=40)
"""The time for which it is known what a letter has told; longer than that for which it is told."""

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


class TooManyCodes(OverLimit):
    """A player has asked for too many codes; `message` says so."""


class CodeRefused(Refused):
    """A code that confirms no address; `message` says why."""


class HourRefused(Refused):
    """A text that is no hour; `message` says so."""


class NoMoreTries(OverLimit):
    """A code that confirms no address, which is forgotten; `message` says why."""


def subscription_of(transaction: Transaction, player: Player) -> Subscription | None:
    """Return a player's subscription, None if there is none."""
    return subscription_queries.subscription_of(transaction.connection, player.id)


def pending_of(transaction: Transaction, player: Player) -> PendingAddress | None:
    """Return the address that waits for its code, None if there is none."""
    pending = subscription_queries.pending_of(transaction.connection, player.id)
    return None if pending is None or pending.is_over(transaction.now) else pending


def code_for(context: AppContext, pending: PendingAddress) -> str:
    """Return the code of an address that waits for it."""
    texts = "mail code", str(pending.player_id), pending.address, pending.made_at.isoformat()
    return link_codes.derived(context.secret, *texts, length=CODE_LENGTH)


def request_code(transaction: Transaction, player: Player, typed: str) -> None:
    """Have a code sent to the address that a player typed.

    Nothing is sent, and nobody is told, if its owner wants no mail, or too many codes went to it or
    to everybody. Raises `AddressRefused` and `TooManyCodes`.
    """
    address, now = clean_address(typed), transaction.now
    context, connection = transaction.context, transaction.connection
    asked = subscription_queries.count_requests_by(connection, player.id, now - _DAY)
    if asked >= CODES_OF_PLAYER:
        raise TooManyCodes(
            plural(
                "You have asked for {count} code within a day. Try again tomorrow",
                "You have asked for {count} codes within a day. Try again tomorrow",
                count=CODES_OF_PLAYER,
            )
        )
    key = address_key(context.secret, address)
    may_send = _may_send(transaction, key)
    subscription_queries.add_request(connection, player.id, key if may_send else "", now)
    stop_key = _stop_key_of(connection, player, address) or random_key(context.random_bytes)
    subscription_queries.save_pending(
        connection, PendingAddress(player.id, address, now, MAX_TRIES, stop_key)
    )
    letter_queries.drop_codes_to(connection, player.id)
    if may_send:
        message_key = random_key(context.random_bytes)
        letter_queries.add_letter(
            connection, NewLetter(player.id, LetterKind.CODE, message_key, now.date(), now)
        )


def _stop_key_of(connection: Connection, player: Player, address: str) -> str | None:
    """Return the key in a player's former letters to an address, None if there are none.

    Whoever finds several of them may follow the link in any.
    """
    for former in (
        subscription_queries.pending_of(connection, player.id),
        subscription_queries.subscription_of(connection, player.id),
    ):
        if former is not None and former.address == address:
            return former.stop_key
    return None


def _may_send(transaction: Transaction, key: str) -> bool:
    connection, now = transaction.connection, transaction.now
    return (
        not subscription_queries.is_stopped(connection, key, now)
        and subscription_queries.count_codes_to(connection, key, now - _DAY) < CODES_TO_ADDRESS
        and subscription_queries.count_codes(connection, now - _HOUR) < CODES_AN_HOUR
    )


def confirm(transaction: Transaction, player: Player, typed: str) -> Refused | None:
    """Confirm the player's address by the code that was typed; return why not, if it is not done.

    A refusal may have cost a try. Raises `OutdatedAction` if there is no address.
    """
    connection, now = transaction.connection, transaction.now
    pending = subscription_queries.pending_of(connection, player.id)
    if pending is None:
        raise OutdatedAction
    if pending.is_over(now):
        subscription_queries.drop_pending(connection, player.id)
        return NoMoreTries(message("That code has expired. Type your address again to get another"))
    plain = "".join(character for character in typed if character.isalnum()).upper()
    if not link_codes.are_equal(plain, code_for(transaction.context, pending)):
        return _count_mistake(connection, pending)
    former = subscription_queries.subscription_of(connection, player.id)
    chosen = former or Subscription(player.id, "", now, "")
    # Where letters could go before, what they were to tell goes to the new address.
    is_gapless = former is not None and not former.refusal
    confirmed = replace(
        chosen,
        address=pending.address,
        confirmed_at=chosen.confirmed_at if is_gapless else now,
        stop_key=pending.stop_key,
        refusal="",
    )
    subscription_queries.drop_pending(connection, player.id)
    subscription_queries.save_subscription(connection, confirmed)
    if former is None:
        local = in_zone(now, player.time_zone)
        last_summary = local.date() - _DAY if local.hour < confirmed.hour else local.date()
        letter_queries.save_schedule(connection, player.id, Schedule(now, last_summary))
    letter_queries.look_from(connection, player.id, now)
    return None


def _count_mistake(connection: Connection, pending: PendingAddress) -> Refused:
    left = pending.tries_left - 1
    if left <= 0:
        subscription_queries.drop_pending(connection, pending.player_id)
        return NoMoreTries(
            message("That is not the code, and it was the last try. Type your address again")
        )
    subscription_queries.save_pending(connection, replace(pending, tries_left=left))
    return CodeRefused(
        plural(
            "That is not the code. {count} try is left",
            "That is not the code. {count} tries are left",
            count=left,
        )
    )


def _with_kind(kind: MailKind, subscription: Subscription) -> Subscription:
    chosen = {*subscription.kinds, kind}
    return replace(subscription, kinds=tuple(each for each in MailKind if each in chosen))


def _without_kind(kind: MailKind, subscription: Subscription) -> Subscription:
    return replace(
        subscription, kinds=tuple(each for each in subscription.kinds if each is not kind)
    )


def _with_turns(turns: TurnMail, subscription: Subscription) -> Subscription:
    return replace(subscription, turns=turns)


CHOICES: Mapping[str, Mapping[str, Callable[[Subscription], Subscription]]] = {
    "turns": {turns.value: partial(_with_turns, turns) for turns in TurnMail},
    **{
        kind.value: {"on": partial(_with_kind, kind), "off": partial(_without_kind, kind)}
        for kind in MailKind
    },
}
"""The change to a subscription for each value of each setting, by their names in addresses."""


def choose(transaction: Transaction, player: Player, name: str, value: str) -> None:
    """Give a setting a value, a name and a value of `CHOICES`.

    Raises `OutdatedAction` if the player has no subscription.
    """
    _change(transaction, player, CHOICES[name][value])


def choose_hour(transaction: Transaction, player: Player, typed: str) -> None:
    """Set the hour of the daily summary, in the player's time zone.

    Raises `HourRefused`, and `OutdatedAction` if the player has no subscription.
    """
    hour = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= 2 else 24
    if hour >= 24:
        raise HourRefused(message("That is no hour from 0 to 23"))
    _change(transaction, player, lambda subscription: replace(subscription, hour=hour))


def _change(
    transaction: Transaction, player: Player, changed: Callable[[Subscription], Subscription]
) -> None:
    subscription = subscription_of(transaction, player)
    if subscription is None:
        raise OutdatedAction
    subscription_queries.save_subscription(transaction.connection, changed(subscription))
    letter_queries.look_from(transaction.connection, player.id, transaction.now)


def forget(connection: Connection, player_id: int) -> None:
    """Delete a player's address, confirmed or not, with the letters and what led to them.

    How often they asked for codes is kept for its day.
    """
    subscription_queries.drop_subscription(connection, player_id)
    subscription_queries.drop_pending(connection, player_id)
    letter_queries.drop_news_to(connection, player_id)
    letter_queries.drop_codes_to(connection, player_id)


def delete_old(context: AppContext) -> None:
    """Delete addresses that nobody confirmed within a day, and letters of which enough is known.

    Where no mail is sent any more, nobody reads what changes for subscribers: it goes, too.
    """
    with context.writing() as transaction:
        connection, now = transaction.connection, transaction.now
        subscription_queries.drop_expired(connection, now - CODE_LIFETIME, now)
        letter_queries.drop_old(connection, now - KEPT_FOR)
        if not context.mail_from:
            letter_queries.drop_all_notes(connection)
