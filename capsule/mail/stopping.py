"""Stopping all mail to an address: by the key in its letters, or for its owner by the operator."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.mail import letter_queries, subscription_queries
from capsule.mail.addresses import AddressRefused, address_key, clean_address, is_same_address
from capsule.moderation.model import ActionKind
from capsule.moderation.operator_steps import OperatorRefused, record
from capsule.ui.render import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext, Transaction

NO_CODES_FOR = timedelta(days=30)
"""The time for which no code goes to an address whose owner did not ask for any."""


def can_be_stopped(transaction: Transaction, key: str) -> bool:
    """Return whether a key stops mail to some address."""
    return subscription_queries.address_with_key(transaction.connection, key) is not None


def stop(context: AppContext, key: str) -> None:
    """Stop all mail to the address that a key belongs to, whoever has given it, and forget it.

    If its owner had not confirmed it, no code goes there for `NO_CODES_FOR`.
    """
    with context.database.writing() as connection:
        found = subscription_queries.address_with_key(connection, key)
        if found is not None:
            address, is_confirmed = found
            _forget(context, connection, address, is_confirmed=is_confirmed)


def stop_for_owner(context: AppContext, key_or_address: str) -> Sequence[Player]:
    """Stop all mail to an address as `stop` does, for the operator, and record it.

    Return the players who had given the address, if any. Raises `OperatorRefused` for a text that
    is neither an address nor the key of one.
    """
    with context.database.writing() as connection:
        address, is_confirmed = _address_meant(connection, key_or_address)
        player_ids = _forget(context, connection, address, is_confirmed=is_confirmed)
        found = [player_queries.player_by_id(connection, player_id) for player_id in player_ids]
        players = [player for player in found if player is not None]
        for concerned in players or (None,):
            record(context, connection, ActionKind.MAIL_STOP, concerned, "")
    return players


def _address_meant(connection: Connection, key_or_address: str) -> tuple[str, bool]:
    """Return the address that the operator means, and whether it is a confirmed one."""
    if "@" not in key_or_address:
        found = subscription_queries.address_with_key(connection, key_or_address)
        if found is None:
            raise OperatorRefused("No mail goes out with this key. It may be stopped already.")
        return found
    try:
        address = clean_address(key_or_address)
    except AddressRefused as error:
        raise OperatorRefused(f"{translate(error.message)}.") from error
    return address, subscription_queries.is_confirmed(connection, address)


def _forget(
    context: AppContext, connection: Connection, address: str, *, is_confirmed: bool
) -> Sequence[int]:
    """Delete an address, and return the ids of the players who had given it.

    Unless it `is_confirmed`, no code goes there for `NO_CODES_FOR`.
    """
    player_ids = subscription_queries.players_with_address(connection, address)
    for player_id in player_ids:
        _forget_of(connection, player_id, address)
    if not is_confirmed:
        until = context.clock() + NO_CODES_FOR
        subscription_queries.save_stop(connection, address_key(context.secret, address), until)
    return player_ids


def _forget_of(connection: Connection, player_id: int, address: str) -> None:
    """Delete an address where a player has confirmed or typed it; leave any other of theirs."""
    subscription = subscription_queries.subscription_of(connection, player_id)
    if subscription is not None and is_same_address(subscription.address, address):
        subscription_queries.drop_subscription(connection, player_id)
        letter_queries.drop_news_to(connection, player_id)
    pending = subscription_queries.pending_of(connection, player_id)
    if pending is not None and is_same_address(pending.address, address):
        subscription_queries.drop_pending(connection, player_id)
        letter_queries.drop_codes_to(connection, player_id)
