"""Reading and writing subscriptions, codes that wait for their players, and stops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, delete, func, insert, or_, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.mail import (
    mail_code_requests,
    mail_codes,
    mail_stops,
    mail_subscriptions,
)
from capsule.db.upserting import save
from capsule.mail.model import PendingAddress, Subscription

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Table

_PLAYER = bindparam("player_id", type_=Integer)
_SUBSCRIPTION = Mapper(Subscription, mail_subscriptions)
_PENDING = Mapper(PendingAddress, mail_codes)
_SUBSCRIPTION_OF = _SUBSCRIPTION.select.where(mail_subscriptions.c.player_id == _PLAYER)
_PENDING_OF = _PENDING.select.where(mail_codes.c.player_id == _PLAYER)


def subscription_of(connection: Connection, player_id: int) -> Subscription | None:
    """Return a player's subscription, None if they have none."""
    return _SUBSCRIPTION.fetch_first(connection, _SUBSCRIPTION_OF, {"player_id": player_id})


def save_subscription(connection: Connection, subscription: Subscription) -> None:
    """Store a subscription, in place of the player's former one."""
    save(connection, mail_subscriptions, _SUBSCRIPTION.values(subscription))


def note_refusal(connection: Connection, player_id: int, address: str, words: str) -> None:
    """Store with an address of a player, confirmed or not, that the relay has refused it."""
    for table in (mail_subscriptions, mail_codes):
        connection.execute(
            update(table)
            .where(table.c.player_id == player_id, table.c.address == address)
            .values(refusal=words)
        )


def drop_subscription(connection: Connection, player_id: int) -> None:
    """Delete a player's subscription."""
    connection.execute(
        delete(mail_subscriptions).where(mail_subscriptions.c.player_id == player_id)
    )


def pending_of(connection: Connection, player_id: int) -> PendingAddress | None:
    """Return the address that a player has typed and not confirmed, None if there is none."""
    return _PENDING.fetch_first(connection, _PENDING_OF, {"player_id": player_id})


def save_pending(connection: Connection, pending: PendingAddress) -> None:
    """Store an address that waits for its code, in place of the player's former one."""
    save(connection, mail_codes, _PENDING.values(pending))


def drop_pending(connection: Connection, player_id: int) -> None:
    """Delete the address of a player that waits for its code."""
    connection.execute(delete(mail_codes).where(mail_codes.c.player_id == player_id))


def address_with_key(connection: Connection, stop_key: str) -> tuple[str, bool] | None:
    """Return the address that a key stops, and whether it is a confirmed one; None if none is."""
    for table, is_confirmed in ((mail_subscriptions, True), (mail_codes, False)):
        address = connection.execute(
            select(table.c.address).where(table.c.stop_key == stop_key)
        ).scalar()
        if address is not None:
            return address, is_confirmed
    return None


def is_confirmed(connection: Connection, address: str) -> bool:
    """Return whether a player has confirmed an address; ASCII letters may be of the other case."""
    statement = select(mail_subscriptions.c.player_id).where(_has(mail_subscriptions, address))
    return connection.execute(statement).first() is not None


def players_with_address(connection: Connection, address: str) -> Sequence[int]:
    """Return the ids of the players who have confirmed or typed an address, in their order.

    ASCII letters may be of the other case there.
    """
    found = [
        player_id
        for table in (mail_subscriptions, mail_codes)
        for player_id in connection.execute(
            select(table.c.player_id).where(_has(table, address))
        ).scalars()
    ]
    return sorted(set(found))


def _has(table: Table, address: str) -> ColumnElement[bool]:
    return or_(table.c.address == address, func.lower(table.c.address) == func.lower(address))


def add_request(
    connection: Connection, player_id: int, address_key: str, made_at: datetime
) -> None:
    """Store that a player asked for a code; `address_key` is "" if none was sent."""
    connection.execute(
        insert(mail_code_requests).values(
            player_id=player_id, address_key=address_key, made_at=made_at
        )
    )


def count_requests_by(connection: Connection, player_id: int, since: datetime) -> int:
    """Return how often a player has asked for a code since a time."""
    return _count(connection, since, mail_code_requests.c.player_id == player_id)


def count_codes_to(connection: Connection, address_key: str, since: datetime) -> int:
    """Return how many codes were sent to an address since a time."""
    return _count(connection, since, mail_code_requests.c.address_key == address_key)


def count_codes(connection: Connection, since: datetime) -> int:
    """Return how many codes were sent since a time."""
    return _count(connection, since, mail_code_requests.c.address_key != "")


def _count(connection: Connection, since: datetime, condition: Any) -> int:  # noqa: ANN401
    statement = (
        select(func.count())
        .select_from(mail_code_requests)
        .where(mail_code_requests.c.made_at > since, condition)
    )
    return connection.execute(statement).scalar_one()


def is_stopped(connection: Connection, address_key: str, now: datetime) -> bool:
    """Return whether the owner of an address wants no codes at present."""
    statement = select(mail_stops.c.until).where(
        mail_stops.c.address_key == address_key, mail_stops.c.until > now
    )
    return connection.execute(statement).first() is not None


def save_stop(connection: Connection, address_key: str, until: datetime) -> None:
    """Store that no codes are sent to an address until a time."""
    save(connection, mail_stops, {"address_key": address_key, "until": until})


def drop_expired(connection: Connection, made_before: datetime, now: datetime) -> None:
    """Delete the addresses whose codes have expired, old requests, and stops that are over."""
    for table in (mail_codes, mail_code_requests):
        connection.execute(delete(table).where(table.c.made_at <= made_before))
    connection.execute(delete(mail_stops).where(mail_stops.c.until <= now))
