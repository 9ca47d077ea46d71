"""Reading and writing letters and subscriptions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import chain

import sqlalchemy as sa

from capsule.db.expressions import exists, insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.mail import (
    mail_code_requests,
    mail_codes,
    mail_due,
    mail_letters,
    mail_looks,
    mail_schedule,
    mail_stops,
    mail_subscriptions,
    mail_told,
)
from capsule.db.schema.players import certificates
from capsule.mail import model

_LETTER = Mapper(model.Letter, mail_letters)
_MAX_CHANGES = 1_000
_WAITS = mail_letters.c.state != model.LetterState.DONE
_IS_CODE = mail_letters.c.kind == model.LetterKind.CODE


def changes_for(connection: sa.Connection, player_id: int) -> Sequence[int]:
    """Return the numbers of the changes in `mail_due` that concern a player.

    Of very many, as after a stop of the mailer, it returns the first.
    """
    statement = (
        sa.select(mail_due.c.number)
        .where(mail_due.c.player_id == player_id)
        .order_by(mail_due.c.number)
        .limit(_MAX_CHANGES)
    )
    return connection.execute(statement).scalars().all()


def players_due(connection: sa.Connection, now: datetime, limit: int) -> Sequence[int]:
    """Return the players for whom something has changed, then those whose schedule is due by now.

    There are up to `limit` of either, the most overdue first.
    """
    changed = sa.select(mail_due.c.player_id).group_by(mail_due.c.player_id)
    scheduled = sa.select(mail_schedule.c.player_id).where(mail_schedule.c.look_at <= now)
    statements = (
        changed.order_by(sa.func.min(mail_due.c.number)),
        scheduled.order_by(mail_schedule.c.look_at, mail_schedule.c.player_id),
    )
    found = (connection.execute(each.limit(limit)).scalars() for each in statements)
    return [*dict.fromkeys(chain.from_iterable(found))]


def drop_changes(connection: sa.Connection, numbers: Sequence[int] | None = None) -> None:
    """Delete these changes from `mail_due`, or all.

    Transactions may end in another order than that of their numbers, so all others stay.
    """
    if numbers is None:
        connection.execute(sa.delete(mail_due))
    elif numbers:
        connection.execute(sa.delete(mail_due).where(mail_due.c.number.in_(numbers)))


def last_summary_of(connection: sa.Connection, player_id: int) -> date | None:
    """Return a player's day of the last summary that was due, None without a subscription."""
    statement = sa.select(mail_schedule.c.summary_on).where(mail_schedule.c.player_id == player_id)
    return connection.execute(statement).scalar()


def save_schedule(
    connection: sa.Connection, player_id: int, check_at: datetime, last_summary: date
) -> None:
    """Store when to check a player, and the player's day of the last summary that was due."""
    row = {"player_id": player_id, "look_at": check_at, "summary_on": last_summary}
    save(connection, mail_schedule, row)


def check_from(connection: sa.Connection, player_id: int, at: datetime) -> None:
    """Have a player checked from a time on, such as now."""
    connection.execute(
        sa.update(mail_schedule).where(mail_schedule.c.player_id == player_id).values(look_at=at)
    )


def save_views(connection: sa.Connection, views: Iterable[tuple[str, str, datetime]]) -> None:
    """Store when subscribers viewed games: certificates' fingerprints, game ids and times.

    Others' views are not stored.
    """
    for fingerprint, game_id, viewed_at in views:
        view = (
            sa.select(
                certificates.c.player_id,
                sa.literal(game_id),
                sa.literal(viewed_at, mail_looks.c.looked_at.type),
            )
            .join(mail_subscriptions, mail_subscriptions.c.player_id == certificates.c.player_id)
            .where(certificates.c.fingerprint == fingerprint)
        )
        new = insertion(connection, mail_looks).from_select(
            ["player_id", "game_id", "looked_at"], view
        )
        connection.execute(
            new.on_conflict_do_update(
                index_elements=["player_id", "game_id"],
                set_={"looked_at": new.excluded.looked_at},
                where=mail_looks.c.looked_at < new.excluded.looked_at,
            )
        )


def views_of(connection: sa.Connection, player_id: int) -> Mapping[str, datetime]:
    """Return when a player last viewed games, by their ids, and the list of waiting ones, as ""."""
    rows = connection.execute(
        sa.select(mail_looks.c.game_id, mail_looks.c.looked_at).where(
            mail_looks.c.player_id == player_id
        )
    )
    return {row.game_id: row.looked_at for row in rows}


def already_sent(
    connection: sa.Connection, player_id: int, keys: Collection[str]
) -> Collection[str]:
    """Return those of these notifications that are in some letter to a player."""
    statement = sa.select(mail_told.c.occasion).where(
        mail_told.c.player_id == player_id, mail_told.c.occasion.in_(keys)
    )
    return set(connection.execute(statement).scalars())


def contents(connection: sa.Connection, letter_id: int) -> Collection[str]:
    """Return the keys of the notifications in a letter."""
    statement = sa.select(mail_told.c.occasion).where(mail_told.c.letter_id == letter_id)
    return set(connection.execute(statement).scalars())


def has_waiting(connection: sa.Connection, player_id: int) -> bool:
    """Return whether a letter to a player waits, other than one with a code."""
    return exists(connection, mail_letters.c.player_id == player_id, _WAITS, ~_IS_CODE)


def count_of_day(connection: sa.Connection, player_id: int, day: date, since: datetime) -> int:
    """Return how many letters a player was written on their day, or since a time if more."""
    of_player = sa.and_(mail_letters.c.player_id == player_id, ~_IS_CODE)
    counts = sa.select(
        sa.func.count().filter(mail_letters.c.day == day),
        sa.func.count().filter(mail_letters.c.made_at > since),
    ).where(of_player)
    return int(max(connection.execute(counts).one()))


def add_letter(
    connection: sa.Connection,
    player_id: int,
    made_at: datetime,
    notifications: Collection[str] = (),
    **values: object,
) -> None:
    """Store a letter that waits, with these columns, and the keys of its notifications.

    The transaction meets a `Conflict` if another waits, or has some of them.
    """
    new = {"player_id": player_id, "made_at": made_at, "try_at": made_at, **values}
    letter = sa.insert(mail_letters).values(state=model.LetterState.WAITING, **new)
    letter_id = connection.execute(letter.returning(mail_letters.c.id)).scalar_one()
    contents = [
        {"player_id": player_id, "occasion": key, "letter_id": letter_id} for key in notifications
    ]
    if contents:
        connection.execute(sa.insert(mail_told), contents)


def letters_to_send(connection: sa.Connection, now: datetime, limit: int) -> Sequence[model.Letter]:
    """Return up to `limit` letters that wait to be sent by now, codes first."""
    statement = (
        _LETTER.select.where(
            mail_letters.c.state == model.LetterState.WAITING, mail_letters.c.try_at <= now
        )
        .order_by(sa.case((_IS_CODE, 0), else_=1), mail_letters.c.try_at, mail_letters.c.id)
        .limit(limit)
    )
    return _LETTER.fetch_all(connection, statement)


def hold(
    connection: sa.Connection, letter: model.Letter, holder: str, held_until: datetime
) -> bool:
    """Take a waiting letter to send it; return False if it does not wait any more."""
    taken = connection.execute(
        sa.update(mail_letters)
        .where(
            mail_letters.c.id == letter.id,
            mail_letters.c.state == model.LetterState.WAITING,
            mail_letters.c.tries == letter.tries,
        )
        .values(
            state=model.LetterState.SENDING,
            tries=letter.tries + 1,
            holder=holder,
            held_until=held_until,
        )
    )
    return taken.rowcount == 1


def abandoned(
    connection: sa.Connection, now: datetime, holder: str | None = None
) -> Sequence[model.Letter]:
    """Return the letters that a dead process was sending: `holder`, or one whose time is over."""
    has_died = mail_letters.c.held_until <= now
    if holder is not None:
        has_died = sa.or_(has_died, mail_letters.c.holder == holder)
    statement = _LETTER.select.where(mail_letters.c.state == model.LetterState.SENDING, has_died)
    return _LETTER.fetch_all(connection, statement.order_by(mail_letters.c.id))


def put_back(connection: sa.Connection, letter_id: int, try_at: datetime) -> None:
    """Have a letter that was being sent wait until a time."""
    connection.execute(
        sa.update(mail_letters)
        .where(mail_letters.c.id == letter_id, mail_letters.c.state == model.LetterState.SENDING)
        .values(state=model.LetterState.WAITING, try_at=try_at, holder=None, held_until=None)
    )


def change_letter(connection: sa.Connection, letter_id: int, **values: object) -> None:
    """Change columns of a letter.

    Crashes are counted before the relay may have it, since a process that dies counts nothing.
    """
    connection.execute(sa.update(mail_letters).where(mail_letters.c.id == letter_id).values(values))


def record_sent(connection: sa.Connection, letter_id: int) -> None:
    """Store that a letter was sent."""
    change_letter(connection, letter_id, state=model.LetterState.DONE, holder=None, held_until=None)


def drop_letter(connection: sa.Connection, letter_id: int) -> None:
    """Delete a letter that was not sent; another may have its notifications."""
    connection.execute(sa.delete(mail_told).where(mail_told.c.letter_id == letter_id))
    connection.execute(sa.delete(mail_letters).where(mail_letters.c.id == letter_id))


def count_waiting(connection: sa.Connection) -> int:
    """Return the number of letters that wait or are being sent."""
    return connection.execute(sa.select(sa.func.count()).where(_WAITS)).scalar_one()


def oldest_waiting(connection: sa.Connection, limit: int) -> Sequence[int]:
    """Return the ids of up to `limit` waiting letters: the oldest summaries, then other news."""
    statement = (
        sa.select(mail_letters.c.id)
        .where(mail_letters.c.state == model.LetterState.WAITING, ~_IS_CODE)
        .order_by(
            sa.case((mail_letters.c.kind == model.LetterKind.SUMMARY, 0), else_=1),
            mail_letters.c.id,
        )
        .limit(limit)
    )
    return connection.execute(statement).scalars().all()


def drop_codes_to(connection: sa.Connection, player_id: int) -> None:
    """Delete the letters with codes to a player."""
    connection.execute(
        sa.delete(mail_letters).where(mail_letters.c.player_id == player_id, _IS_CODE)
    )


def letters_of(connection: sa.Connection, player_id: int) -> Sequence[model.Letter]:
    """Return the stored letters to a player, in order."""
    statement = _LETTER.select.where(mail_letters.c.player_id == player_id)
    return _LETTER.fetch_all(connection, statement.order_by(mail_letters.c.id))


_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_SUBSCRIPTION = Mapper(model.Subscription, mail_subscriptions)
_PENDING = Mapper(model.PendingAddress, mail_codes)
_SUBSCRIPTION_OF = _SUBSCRIPTION.select.where(mail_subscriptions.c.player_id == _PLAYER)
_PENDING_OF = _PENDING.select.where(mail_codes.c.player_id == _PLAYER)


def subscription_of(connection: sa.Connection, player_id: int) -> model.Subscription | None:
    """Return a player's subscription, None if they have none."""
    return _SUBSCRIPTION.fetch_first(connection, _SUBSCRIPTION_OF, {"player_id": player_id})


def save_subscription(connection: sa.Connection, subscription: model.Subscription) -> None:
    """Store a subscription, in place of the player's former one."""
    save(connection, mail_subscriptions, _SUBSCRIPTION.values(subscription))


def record_refusal(connection: sa.Connection, player_id: int, address: str, words: str) -> None:
    """Store with an address of a player, confirmed or not, that the relay has refused it."""
    for table in (mail_subscriptions, mail_codes):
        connection.execute(
            sa.update(table)
            .where(table.c.player_id == player_id, table.c.address == address)
            .values(refusal=words)
        )


def drop_subscription(connection: sa.Connection, player_id: int) -> None:
    """Delete a player's subscription, the letters apart from codes, and all that led to them."""
    for table in (mail_subscriptions, mail_told, mail_schedule, mail_looks, mail_due):
        connection.execute(sa.delete(table).where(table.c.player_id == player_id))
    connection.execute(
        sa.delete(mail_letters).where(mail_letters.c.player_id == player_id, ~_IS_CODE)
    )


def pending_of(connection: sa.Connection, player_id: int) -> model.PendingAddress | None:
    """Return the address that a player has typed and not confirmed, None if there is none."""
    return _PENDING.fetch_first(connection, _PENDING_OF, {"player_id": player_id})


def save_pending(connection: sa.Connection, pending: model.PendingAddress) -> None:
    """Store an address that waits for its code, in place of the player's former one."""
    save(connection, mail_codes, _PENDING.values(pending))


def drop_pending(connection: sa.Connection, player_id: int) -> None:
    """Delete the address of a player that waits for its code."""
    connection.execute(sa.delete(mail_codes).where(mail_codes.c.player_id == player_id))


def address_with_key(connection: sa.Connection, stop_key: str) -> tuple[str, bool] | None:
    """Return the address that a key stops, and whether it is a confirmed one; None if none is."""
    for table, is_confirmed in ((mail_subscriptions, True), (mail_codes, False)):
        address = connection.execute(
            sa.select(table.c.address).where(table.c.stop_key == stop_key)
        ).scalar()
        if address is not None:
            return address, is_confirmed
    return None


def players_with_address(
    connection: sa.Connection, address: str
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the ids of players who have confirmed an address, and of players who have typed it.

    ASCII letters may be of the other case there.
    """
    confirmed, typed = (
        sa.select(table.c.player_id).where(
            (table.c.address == address)
            | (sa.func.lower(table.c.address) == sa.func.lower(address))
        )
        for table in (mail_subscriptions, mail_codes)
    )
    return connection.scalars(confirmed).all(), connection.scalars(typed).all()


def add_request(
    connection: sa.Connection, player_id: int, address_key: str, made_at: datetime
) -> None:
    """Store that a player asked for a code; `address_key` is "" if none was sent."""
    connection.execute(
        sa.insert(mail_code_requests).values(
            player_id=player_id, address_key=address_key, made_at=made_at
        )
    )


def count_codes(connection: sa.Connection, since: datetime, **where: object) -> int:
    """Return how many codes were sent since a time, or asked for if `where` names the player.

    Those whose columns have other values than `where` do not count.
    """
    asked = mail_code_requests.c
    conditions = [asked[name] == value for name, value in where.items()] or [
        asked.address_key != ""
    ]
    statement = sa.select(sa.func.count()).where(asked.made_at > since, *conditions)
    return connection.execute(statement).scalar_one()


def is_stopped(connection: sa.Connection, address_key: str, now: datetime) -> bool:
    """Return whether the owner of an address wants no codes at present."""
    return exists(connection, mail_stops.c.address_key == address_key, mail_stops.c.until > now)


def save_stop(connection: sa.Connection, address_key: str, until: datetime) -> None:
    """Store that no codes are sent to an address until a time."""
    save(connection, mail_stops, {"address_key": address_key, "until": until})


def delete_old(
    connection: sa.Connection, now: datetime, *, codes_before: datetime, letters_before: datetime
) -> None:
    """Delete what was typed and asked for before a time, and stops that are over.

    Letters that were sent before another go with their notifications, and views of then, too.
    """
    for table in (mail_codes, mail_code_requests):
        connection.execute(sa.delete(table).where(table.c.made_at <= codes_before))
    connection.execute(sa.delete(mail_stops).where(mail_stops.c.until <= now))
    old = sa.select(mail_letters.c.id).where(
        mail_letters.c.state == model.LetterState.DONE, mail_letters.c.made_at <= letters_before
    )
    connection.execute(sa.delete(mail_told).where(mail_told.c.letter_id.in_(old)))
    connection.execute(sa.delete(mail_letters).where(mail_letters.c.id.in_(old)))
    connection.execute(sa.delete(mail_looks).where(mail_looks.c.looked_at <= letters_before))
