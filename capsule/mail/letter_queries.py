"""Reading and writing letters, what they tell, and when subscribers are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, case, delete, func, insert, or_, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.mail import (
    mail_due,
    mail_letters,
    mail_looks,
    mail_schedule,
    mail_subscriptions,
    mail_told,
)
from capsule.db.schema.players import certificates
from capsule.db.upserting import insertion, save
from capsule.mail.model import Letter, LetterKind, LetterState, NewLetter, Schedule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection

_LETTER = Mapper(Letter, mail_letters)
_NEW_LETTER = Mapper(NewLetter, mail_letters, occasions=None)
_SCHEDULE = Mapper(Schedule, mail_schedule)
_MAX_NOTES = 1_000
_WAITS = mail_letters.c.state != LetterState.DONE
_IS_CODE = mail_letters.c.kind == LetterKind.CODE


def notes_for(connection: Connection, player_id: int) -> Sequence[int]:
    """Return the numbers of the notes in `mail_due` of what has changed for a player.

    Of very many, after a stop, it returns the first ones.
    """
    statement = (
        select(mail_due.c.number)
        .where(mail_due.c.player_id == player_id)
        .order_by(mail_due.c.number)
        .limit(_MAX_NOTES)
    )
    return connection.execute(statement).scalars().all()


def noted_players(connection: Connection, limit: int) -> Sequence[int]:
    """Return up to `limit` players for whom something has changed, in the order of changes."""
    number = func.min(mail_due.c.number)
    statement = (
        select(mail_due.c.player_id).group_by(mail_due.c.player_id).order_by(number).limit(limit)
    )
    return connection.execute(statement).scalars().all()


def scheduled_players(connection: Connection, now: datetime, limit: int) -> Sequence[int]:
    """Return up to `limit` players who are to be looked at by now, the most overdue first."""
    statement = (
        select(mail_schedule.c.player_id)
        .where(mail_schedule.c.look_at <= now)
        .order_by(mail_schedule.c.look_at, mail_schedule.c.player_id)
        .limit(limit)
    )
    return connection.execute(statement).scalars().all()


def drop_notes(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete these notes of changes.

    Transactions may end in another order than that of their notes, so all others stay.
    """
    if numbers:
        connection.execute(delete(mail_due).where(mail_due.c.number.in_(numbers)))


def drop_all_notes(connection: Connection) -> None:
    """Delete the notes of changes for all players."""
    connection.execute(delete(mail_due))


def schedule_of(connection: Connection, player_id: int) -> Schedule | None:
    """Return when a player is to be looked at, None for who has no subscription."""
    statement = _SCHEDULE.select.where(mail_schedule.c.player_id == player_id)
    return _SCHEDULE.fetch_first(connection, statement)


def save_schedule(connection: Connection, player_id: int, schedule: Schedule) -> None:
    """Store when to look at a player."""
    save(connection, mail_schedule, {"player_id": player_id, **_SCHEDULE.values(schedule)})


def look_from(connection: Connection, player_id: int, at: datetime) -> None:
    """Have a player looked at from a time on, such as now."""
    connection.execute(
        update(mail_schedule).where(mail_schedule.c.player_id == player_id).values(look_at=at)
    )


def save_looks(connection: Connection, looks: Iterable[tuple[str, str, datetime]]) -> None:
    """Store when subscribers looked at games: certificates' fingerprints, game ids and times.

    Others' looks are not stored.
    """
    for fingerprint, game_id, looked_at in looks:
        player_id = connection.execute(
            select(certificates.c.player_id)
            .join(
                mail_subscriptions,
                mail_subscriptions.c.player_id == certificates.c.player_id,
            )
            .where(certificates.c.fingerprint == fingerprint)
        ).scalar()
        if player_id is None:
            continue
        new = insertion(connection, mail_looks).values(
            player_id=player_id, game_id=game_id, looked_at=looked_at
        )
        connection.execute(
            new.on_conflict_do_update(
                index_elements=["player_id", "game_id"],
                set_={"looked_at": new.excluded.looked_at},
                where=mail_looks.c.looked_at < new.excluded.looked_at,
            )
        )


def looks_of(connection: Connection, player_id: int) -> Mapping[str, datetime]:
    """Return when a player last looked at games, by their ids, and at all that wait, as ""."""
    rows = connection.execute(
        select(mail_looks.c.game_id, mail_looks.c.looked_at).where(
            mail_looks.c.player_id == player_id
        )
    )
    return {row.game_id: row.looked_at for row in rows}


def told_to(connection: Connection, player_id: int, keys: Collection[str]) -> Collection[str]:
    """Return those of these occasions that some letter to a player tells."""
    statement = select(mail_told.c.occasion).where(
        mail_told.c.player_id == player_id, mail_told.c.occasion.in_(keys)
    )
    return set(connection.execute(statement).scalars())


def told_by(connection: Connection, letter_id: int) -> Collection[str]:
    """Return the occasions that a letter tells."""
    statement = select(mail_told.c.occasion).where(mail_told.c.letter_id == letter_id)
    return set(connection.execute(statement).scalars())


def has_waiting(connection: Connection, player_id: int) -> bool:
    """Return whether a letter to a player waits, other than one with a code."""
    statement = select(mail_letters.c.id).where(
        mail_letters.c.player_id == player_id, _WAITS, ~_IS_CODE
    )
    return connection.execute(statement).first() is not None


def count_of_day(connection: Connection, player_id: int, day: date, since: datetime) -> int:
    """Return how many letters a player was written on their day, or since a time if more."""
    of_player = and_(mail_letters.c.player_id == player_id, ~_IS_CODE)
    counts = select(
        func.coalesce(func.sum(case((mail_letters.c.day == day, 1), else_=0)), 0),
        func.coalesce(func.sum(case((mail_letters.c.made_at > since, 1), else_=0)), 0),
    ).where(of_player)
    return int(max(connection.execute(counts).one()))


def add_letter(connection: Connection, new: NewLetter) -> None:
    """Store a letter that waits, and what it tells.

    The transaction meets a `Conflict` if another waits, or tells some of it.
    """
    values = {"state": LetterState.WAITING, "try_at": new.made_at, **_NEW_LETTER.values(new)}
    added = insert(mail_letters).values(values).returning(mail_letters.c.id)
    letter_id = connection.execute(added).scalar_one()
    told = [
        {"player_id": new.player_id, "occasion": key, "letter_id": letter_id}
        for key in new.occasions
    ]
    if told:
        connection.execute(insert(mail_told), told)


def letters_to_send(connection: Connection, now: datetime, limit: int) -> Sequence[Letter]:
    """Return up to `limit` letters that wait to be sent by now, codes first."""
    statement = (
        _LETTER.select.where(
            mail_letters.c.state == LetterState.WAITING, mail_letters.c.try_at <= now
        )
        .order_by(case((_IS_CODE, 0), else_=1), mail_letters.c.try_at, mail_letters.c.id)
        .limit(limit)
    )
    return _LETTER.fetch_all(connection, statement)


def hold(connection: Connection, letter: Letter, holder: str, held_until: datetime) -> bool:
    """Take a waiting letter to send it; return False if it does not wait any more."""
    taken = connection.execute(
        update(mail_letters)
        .where(
            mail_letters.c.id == letter.id,
            mail_letters.c.state == LetterState.WAITING,
            mail_letters.c.tries == letter.tries,
        )
        .values(
            state=LetterState.SENDING,
            tries=letter.tries + 1,
            holder=holder,
            held_until=held_until,
        )
    )
    return taken.rowcount == 1


def abandoned(connection: Connection, now: datetime, holder: str | None = None) -> Sequence[Letter]:
    """Return the letters whose senders have died: their time is over, or `holder` had them."""
    has_died = mail_letters.c.held_until <= now
    if holder is not None:
        has_died = or_(has_died, mail_letters.c.holder == holder)
    statement = _LETTER.select.where(mail_letters.c.state == LetterState.SENDING, has_died)
    return _LETTER.fetch_all(connection, statement.order_by(mail_letters.c.id))


def put_back(connection: Connection, letter_id: int, try_at: datetime) -> None:
    """Have a letter that was being sent wait until a time."""
    connection.execute(
        update(mail_letters)
        .where(mail_letters.c.id == letter_id, mail_letters.c.state == LetterState.SENDING)
        .values(state=LetterState.WAITING, try_at=try_at, holder=None, held_until=None)
    )


def count_crash(connection: Connection, letter_id: int, crashes: int) -> None:
    """Store how often a process will have died while the relay may have had a letter.

    It is counted before, since a process that dies counts nothing.
    """
    connection.execute(
        update(mail_letters).where(mail_letters.c.id == letter_id).values(crashes=crashes)
    )


def note_done(connection: Connection, letter_id: int) -> None:
    """Store that a letter was sent."""
    connection.execute(
        update(mail_letters)
        .where(mail_letters.c.id == letter_id)
        .values(state=LetterState.DONE, holder=None, held_until=None)
    )


def drop_letter(connection: Connection, letter_id: int) -> None:
    """Delete a letter that was not sent; what it tells may be told by another."""
    connection.execute(delete(mail_told).where(mail_told.c.letter_id == letter_id))
    connection.execute(delete(mail_letters).where(mail_letters.c.id == letter_id))


def count_waiting(connection: Connection) -> int:
    """Return the number of letters that wait or are being sent."""
    return connection.execute(
        select(func.count()).select_from(mail_letters).where(_WAITS)
    ).scalar_one()


def oldest_waiting(connection: Connection, limit: int) -> Sequence[int]:
    """Return the ids of up to `limit` waiting letters: the oldest summaries, then other news."""
    statement = (
        select(mail_letters.c.id)
        .where(mail_letters.c.state == LetterState.WAITING, ~_IS_CODE)
        .order_by(case((mail_letters.c.kind == LetterKind.SUMMARY, 0), else_=1), mail_letters.c.id)
        .limit(limit)
    )
    return connection.execute(statement).scalars().all()


def drop_codes_to(connection: Connection, player_id: int) -> None:
    """Delete the letters with codes to a player."""
    connection.execute(delete(mail_letters).where(mail_letters.c.player_id == player_id, _IS_CODE))


def drop_news_to(connection: Connection, player_id: int) -> None:
    """Delete the letters to a player, apart from codes, and all that led to them."""
    for table in (mail_told, mail_schedule, mail_looks, mail_due):
        connection.execute(delete(table).where(table.c.player_id == player_id))
    connection.execute(delete(mail_letters).where(mail_letters.c.player_id == player_id, ~_IS_CODE))


def drop_old(connection: Connection, made_before: datetime) -> None:
    """Delete letters that were sent before a time, with what they told, and looks of then."""
    old = select(mail_letters.c.id).where(
        mail_letters.c.state == LetterState.DONE, mail_letters.c.made_at <= made_before
    )
    connection.execute(delete(mail_told).where(mail_told.c.letter_id.in_(old)))
    connection.execute(delete(mail_letters).where(mail_letters.c.id.in_(old)))
    connection.execute(delete(mail_looks).where(mail_looks.c.looked_at <= made_before))


def letters_of(connection: Connection, player_id: int) -> Sequence[Letter]:
    """Return the letters to a player that are kept, in order."""
    statement = _LETTER.select.where(mail_letters.c.player_id == player_id)
    return _LETTER.fetch_all(connection, statement.order_by(mail_letters.c.id))
