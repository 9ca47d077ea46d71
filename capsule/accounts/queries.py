"""Reading and writing players, their names, certificates, link codes and relations.

Also the record of the requests that were carried out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

import sqlalchemy as sa

from capsule.accounts import model
from capsule.accounts.names import loose_skeleton as loose_skeleton_of, skeleton as skeleton_of
from capsule.db.expressions import insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.base import Moment
from capsule.db.schema.players import (
    carried_out,
    certificates,
    device_codes,
    erased_names,
    former_names,
    players,
    private_feeds,
    relations,
)
from capsule.gemini.types import Certificate
from capsule.languages.model import DEFAULT

SANCTIONS = Mapper(
    model.Sanctions,
    players,
    notices=players.c.warning,
    muted_until=players.c.silenced_until,
    ban_reason=players.c.banned_for,
)
_SETTINGS = Mapper(model.Settings, players)
PLAYER = Mapper(model.Player, players, settings=_SETTINGS, sanctions=SANCTIONS)
_CERTIFICATE = Mapper(model.PlayerCertificate, certificates)
_LINK_CODE = Mapper(model.LinkCode, device_codes)
USER_COLUMNS = (*PLAYER.columns, *_CERTIFICATE.columns)

User: TypeAlias = tuple[model.Player, model.PlayerCertificate]

# Statements that many pages need are made once: making one costs more than running it.
_USER = (
    sa.select(*USER_COLUMNS)
    .join_from(players, certificates, certificates.c.player_id == players.c.id)
    .where(certificates.c.fingerprint == sa.bindparam("fingerprint"))
)
_PLAYER = PLAYER.select
_BY_SKELETON = _PLAYER.where(players.c.likeness == sa.bindparam("likeness"))
_BY_LOOSE_SKELETON = _PLAYER.where(players.c.look == sa.bindparam("look")).order_by(
    players.c.look_number
)
_BY_ID = _PLAYER.where(players.c.id == sa.bindparam("player_id"))
_BY_FEED = _PLAYER.join(private_feeds, private_feeds.c.player_id == players.c.id).where(
    private_feeds.c.address == sa.bindparam("address")
)
_NAMES = sa.select(players.c.id, players.c.name).where(
    players.c.id.in_(sa.bindparam("player_ids", expanding=True))
)


def user_of(connection: sa.Connection, fingerprint: str) -> User | None:
    """Return the player who uses a certificate, and the certificate; None if nobody does."""
    row = connection.execute(_USER, {"fingerprint": fingerprint}).first()
    return None if row is None else read_user(row)


def read_user(row: Sequence[Any]) -> User | None:
    """Return the user in a row that begins with the `USER_COLUMNS`, or None."""
    if row[0] is None:
        return None
    return PLAYER.read(row), _CERTIFICATE.read(row[len(PLAYER.columns) :])


def player_by_certificate(connection: sa.Connection, fingerprint: str) -> model.Player | None:
    """Return the player who uses the certificate with this fingerprint, or None."""
    user = user_of(connection, fingerprint)
    return None if user is None else user[0]


def player_by_id(
    connection: sa.Connection, player_id: int, *, to_change: bool = False
) -> model.Player | None:
    """Return the player with this number, or None.

    With `to_change`, nobody else changes them or holds them so until the transaction ends.
    """
    # With `key_share`, storing a game, a move or a message of the player's need not wait for this:
    # that transaction holds the game, which the holder of the player may want next.
    statement = _BY_ID.with_for_update(key_share=True) if to_change else _BY_ID
    return PLAYER.fetch_first(connection, statement, {"player_id": player_id})


def player_by_name(connection: sa.Connection, name: str) -> model.Player | None:
    """Return the player with this name, in upper or lower case, or None."""
    player = PLAYER.fetch_first(connection, _BY_SKELETON, {"likeness": skeleton_of(name)})
    return player if player is not None and player.name.lower() == name.lower() else None


def players_looking_like(connection: sa.Connection, name: str) -> Sequence[model.Player]:
    """Return the players whose names look like this one, one with this very name first."""
    found = PLAYER.fetch_all(connection, _BY_LOOSE_SKELETON, {"look": loose_skeleton_of(name)})
    return sorted(found, key=lambda each: each.name.lower() != name.lower())


def player_by_feed(connection: sa.Connection, address: str) -> model.Player | None:
    """Return the player whose private feed has this address, or None."""
    return PLAYER.fetch_first(connection, _BY_FEED, {"address": address})


def names_of(connection: sa.Connection, player_ids: Iterable[int]) -> Mapping[int, str]:
    """Return players' names by their numbers."""
    rows = connection.execute(_NAMES, {"player_ids": tuple(player_ids)})
    return {row.id: row.name for row in rows}


def players_by_ids(
    connection: sa.Connection, player_ids: Iterable[int]
) -> Mapping[int, model.Player]:
    """Return players by their numbers."""
    found = PLAYER.fetch_all(connection, _PLAYER.where(players.c.id.in_(player_ids)))
    return {player.id: player for player in found}


def add_player(
    connection: sa.Connection, name: str, now: datetime, language: str = DEFAULT
) -> model.Player:
    """Store a new player; a `Conflict` if a name like this one is taken."""
    today = now.date()
    added = sa.insert(players).values(
        **_name_columns(name),
        created_at=now,
        language=language,
        active_on=today,
        activity_shown_from=today,
    )
    return PLAYER.read(connection.execute(added.returning(*PLAYER.columns)).one())


def change_player(
    connection: sa.Connection, player_id: int, *conditions: sa.ColumnElement[bool], **values: object
) -> None:
    """Change the columns of a player, if the row fulfils the conditions."""
    changed = sa.update(players).where(players.c.id == player_id, *conditions)
    connection.execute(changed.values(values))


def rename_player(connection: sa.Connection, player_id: int, name: str) -> None:
    """Give a player another name; a `Conflict` if one like it is taken."""
    change_player(connection, player_id, look_number=0, **_name_columns(name))


def count_action(connection: sa.Connection, player_id: int) -> None:
    """Raise the player's count of actions by one."""
    change_player(connection, player_id, actions=players.c.actions + 1)


def save_settings(connection: sa.Connection, player_id: int, settings: model.Settings) -> None:
    """Store a player's settings."""
    change_player(connection, player_id, **_SETTINGS.values(settings))


def feed_address_of(connection: sa.Connection, player_id: int) -> str | None:
    """Return the address of the player's private feed, None if there is no such player."""
    return connection.execute(
        sa.select(private_feeds.c.address).where(private_feeds.c.player_id == player_id)
    ).scalar_one_or_none()


def save_feed_address(connection: sa.Connection, player_id: int, address: str) -> None:
    """Give a player's private feed an address; an older one leads nowhere from then on."""
    save(connection, private_feeds, {"player_id": player_id, "address": address})


def erase_name(connection: sa.Connection, player_id: int) -> None:
    """Erase a player's name."""
    # No name has a space in it, so nobody's can be like this one.
    skeleton = f"former {player_id}"
    change_player(connection, player_id, name="", likeness=skeleton, look=None, look_number=0)


def _name_columns(name: str) -> Mapping[str, str]:
    return {"name": name, "likeness": skeleton_of(name), "look": loose_skeleton_of(name)}


_NOW = sa.bindparam("now", type_=Moment)


def is_banned(player: sa.FromClause = players) -> sa.ColumnElement[bool]:
    """Return the condition that a player is banned at the time `now`."""
    is_for_good_or_goes_on = sa.or_(player.c.banned_until.is_(None), player.c.banned_until > _NOW)
    return sa.and_(player.c.banned_for.is_not(None), is_for_good_or_goes_on)


def is_present(player: sa.FromClause = players) -> sa.ColumnElement[bool]:
    """Return the condition that a player has a name and is not banned at the time `now`."""
    return sa.and_(player.c.name != "", ~is_banned(player))


BANNED = sa.select(players.c.id).where(is_banned())
"""The ids of players who are banned at the time `now`, from an index of these alone."""


def active_since(
    connection: sa.Connection, day: date, now: datetime, limit: int
) -> Sequence[model.Player]:
    """Return up to `limit` players who show that they were here since a day, the last ones first.

    Only present players are among them.
    """
    is_active = players.c.active_on >= day, players.c.shows_activity, is_present()
    newest = players.c.active_on.desc(), players.c.id.desc()
    statement = _PLAYER.where(*is_active).order_by(*newest).limit(limit)
    return PLAYER.fetch_all(connection, statement, {"now": now})


def save_day(connection: sa.Connection, player_id: int, day: date) -> None:
    """Store that a player was here on a day, unless they have just turned that off."""
    change_player(connection, player_id, players.c.shows_activity, active_on=day)


def save_shown_from(connection: sa.Connection, player_id: int, day: date) -> None:
    """Store the day from which others see when a player was here, unless it is set already."""
    is_unset = players.c.activity_shown_from.is_(None)
    change_player(connection, player_id, is_unset, activity_shown_from=day)


_FORMER_NAME = Mapper(model.FormerName, former_names)


def _former_names(
    connection: sa.Connection, now: datetime, condition: sa.ColumnElement[bool]
) -> Sequence[model.FormerName]:
    """Return the former names that fulfil a condition and are still reserved, by their ends."""
    statement = _FORMER_NAME.select.where(condition, former_names.c.kept_until > now)
    ordered = statement.order_by(former_names.c.kept_until, former_names.c.likeness)
    return _FORMER_NAME.fetch_all(connection, ordered)


def _former_name(
    connection: sa.Connection, skeleton: str, now: datetime
) -> model.FormerName | None:
    """Return the former name with this skeleton that is still reserved, or None."""
    return next(iter(_former_names(connection, now, former_names.c.likeness == skeleton)), None)


def former_names_looking_like(
    connection: sa.Connection, name: str, now: datetime
) -> Sequence[model.FormerName]:
    """Return the former names that look like this name and are still reserved."""
    return _former_names(connection, now, former_names.c.look == loose_skeleton_of(name))


def former_names_of(
    connection: sa.Connection, player_id: int, now: datetime
) -> Sequence[model.FormerName]:
    """Return the names that a player has given up and that are still reserved, by their ends."""
    return _former_names(connection, now, former_names.c.player_id == player_id)


def player_called(connection: sa.Connection, name: str, now: datetime) -> model.Player | None:
    """Return the player who has a name like this one, or is still found by a former name like it.

    A text that cannot be a name finds nobody, and neither does the placeholder for an erased
    player's name.
    """
    skeleton = skeleton_of(name)
    if not (skeleton.isascii() and skeleton.isalnum()):
        return None
    player = PLAYER.fetch_first(connection, _BY_SKELETON, {"likeness": skeleton})
    if player is not None:
        return player
    former = _former_name(connection, skeleton, now)
    return player_by_id(connection, former.player_id) if former and former.leads_on else None


def player_once_called(connection: sa.Connection, name: str, now: datetime) -> model.Player | None:
    """Return the player to whom addresses with this former name lead, in upper or lower case."""
    former = _former_name(connection, skeleton_of(name), now)
    if former is None or not former.leads_on or former.name.lower() != name.lower():
        return None
    return player_by_id(connection, former.player_id)


def save_former_name(connection: sa.Connection, former: model.FormerName, now: datetime) -> None:
    """Store a name that its player has just given up, and delete expired reservations."""
    connection.execute(sa.delete(former_names).where(former_names.c.kept_until <= now))
    drop_former_name(connection, former.name)
    keys = {"likeness": skeleton_of(former.name), "look": loose_skeleton_of(former.name)}
    connection.execute(sa.insert(former_names), {**keys, **_FORMER_NAME.values(former)})


def reserve_erased_name(
    connection: sa.Connection, look_key: str, until: datetime, now: datetime
) -> None:
    """Reserve an erased player's name until a time, and delete expired reservations.

    `look_key` is as `names.skeleton_key` makes it. A name that is reserved for longer stays so.
    """
    connection.execute(sa.delete(erased_names).where(erased_names.c.kept_until <= now))
    added = insertion(connection, erased_names).values(look_key=look_key, kept_until=until)
    connection.execute(
        added.on_conflict_do_update(
            index_elements=[erased_names.c.look_key],
            set_={"kept_until": until},
            where=erased_names.c.kept_until < until,
        )
    )


def erased_name_reserved_until(
    connection: sa.Connection, look_key: str, now: datetime
) -> datetime | None:
    """Return the end of the reservation of an erased player's name, None without one."""
    statement = sa.select(erased_names.c.kept_until).where(
        erased_names.c.look_key == look_key, erased_names.c.kept_until > now
    )
    return connection.execute(statement).scalar_one_or_none()


def drop_former_name(connection: sa.Connection, name: str) -> None:
    """Delete the former name with this name's skeleton, since a player has taken it."""
    connection.execute(sa.delete(former_names).where(former_names.c.likeness == skeleton_of(name)))


REMEMBERED = timedelta(days=7)
"""The time for which a request that was carried out leads where it led, if it is repeated."""

_GOAL = sa.select(carried_out.c.goal).where(
    carried_out.c.player_id == sa.bindparam("of"),
    carried_out.c.request == sa.bindparam("repeated"),
    carried_out.c.day >= sa.bindparam("since", type_=sa.Date),
)


def record(
    connection: sa.Connection, player_id: int, request: bytes, goal: str, today: date
) -> None:
    """Record that a player's request was carried out, and the address that it led to."""
    # A key may fit a second time where a count can fall, as that of texts that can be taken away.
    values = {"player_id": player_id, "request": request, "goal": goal, "day": today}
    save(connection, carried_out, values)


def goal_of(connection: sa.Connection, player_id: int, request: bytes, today: date) -> str | None:
    """Return the address to which a player's request led, None for one not carried out lately."""
    which = {"of": player_id, "repeated": request, "since": today - REMEMBERED}
    goal: str | None = connection.scalar(_GOAL, which)
    return goal


def delete_old_requests(connection: sa.Connection, today: date) -> None:
    """Delete the requests of more than a week ago."""
    connection.execute(sa.delete(carried_out).where(carried_out.c.day < today - REMEMBERED))


_RELATION_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_RELATION = Mapper(model.Relation, relations, name=players.c.name)
_IS_BLOCK = relations.c.kind == model.RelationKind.BLOCK.value

BLOCKED = sa.union(
    sa.select(relations.c.other_id).where(relations.c.player_id == _RELATION_PLAYER, _IS_BLOCK),
    sa.select(relations.c.player_id).where(relations.c.other_id == _RELATION_PLAYER, _IS_BLOCK),
)
"""The ids of those whom the player `player_id` has blocked, or who have blocked that player."""

_WELCOME = sa.select(players.c.id).where(
    players.c.id.in_(sa.bindparam("player_ids", expanding=True)),
    is_present(),
    players.c.id.not_in(BLOCKED),
)


def is_blocked_between(connection: sa.Connection, player_id: int, other_id: int) -> bool:
    """Return whether one of two players has blocked the other."""
    return other_id in blocked_ids(connection, player_id)


def kind_of_relation(
    connection: sa.Connection, player_id: int, other_id: int
) -> model.RelationKind | None:
    """Return a player's measure against another, or None."""
    statement = sa.select(relations.c.kind).where(*_is_relation(player_id, other_id))
    kind = connection.execute(statement).scalar_one_or_none()
    return None if kind is None else model.RelationKind(kind)


def blocked_ids(connection: sa.Connection, player_id: int) -> frozenset[int]:
    """Return the players with a block between them and this one."""
    return frozenset(connection.execute(BLOCKED, {"player_id": player_id}).scalars())


def welcome_among(
    connection: sa.Connection, player_id: int, player_ids: Collection[int], now: datetime
) -> frozenset[int]:
    """Return which of some players are present, with no block between them and this one."""
    which = {"player_id": player_id, "player_ids": tuple(player_ids), "now": now}
    return frozenset(connection.execute(_WELCOME, which).scalars())


def relations_of(connection: sa.Connection, player_id: int) -> Sequence[model.Relation]:
    """Return whom a player has muted and blocked, the latest first."""
    statement = (
        _RELATION.select.join_from(relations, players, players.c.id == relations.c.other_id)
        .where(relations.c.player_id == player_id)
        .order_by(relations.c.since.desc(), relations.c.other_id)
    )
    return _RELATION.fetch_all(connection, statement)


def save_relation(
    connection: sa.Connection,
    player_id: int,
    other_id: int,
    kind: model.RelationKind,
    now: datetime,
) -> None:
    """Store that a player has muted or blocked another, in place of an earlier measure."""
    row = {"player_id": player_id, "other_id": other_id, "kind": kind.value, "since": now}
    save(connection, relations, row)


def drop_relation(connection: sa.Connection, player_id: int, other_id: int) -> None:
    """Delete a player's measure against another."""
    connection.execute(sa.delete(relations).where(*_is_relation(player_id, other_id)))


def _is_relation(player_id: int, other_id: int) -> Sequence[sa.ColumnElement[bool]]:
    return relations.c.player_id == player_id, relations.c.other_id == other_id


def certificates_of(connection: sa.Connection, player_id: int) -> Sequence[model.PlayerCertificate]:
    """Return a player's certificates in the order of their first use."""
    statement = _CERTIFICATE.select.where(certificates.c.player_id == player_id).order_by(
        certificates.c.first_used_at, certificates.c.fingerprint
    )
    return _CERTIFICATE.fetch_all(connection, statement)


def add_certificate(
    connection: sa.Connection, player_id: int, certificate: Certificate, now: datetime
) -> None:
    """Give a player one more certificate; a `Conflict` if it has a player already."""
    added = model.PlayerCertificate(certificate.fingerprint, "", now, now, certificate.not_after)
    values = {"player_id": player_id, **_CERTIFICATE.values(added)}
    connection.execute(sa.insert(certificates), values)


def change_certificate(connection: sa.Connection, fingerprint: str, **values: object) -> None:
    """Change what is stored of a certificate, such as its last use or its label, by column."""
    changed = sa.update(certificates).where(certificates.c.fingerprint == fingerprint)
    connection.execute(changed.values(values))


def drop_certificate(connection: sa.Connection, fingerprint: str) -> None:
    """Take a certificate from its player."""
    connection.execute(sa.delete(certificates).where(certificates.c.fingerprint == fingerprint))


def link_code_of(connection: sa.Connection, player_id: int) -> model.LinkCode | None:
    """Return the code that a player has made, or None."""
    statement = _LINK_CODE.select.where(device_codes.c.player_id == player_id)
    return _LINK_CODE.fetch_first(connection, statement)


def link_code_by_selector(connection: sa.Connection, selector: str) -> model.LinkCode | None:
    """Return the code with this selector, or None."""
    statement = _LINK_CODE.select.where(device_codes.c.selector == selector)
    return _LINK_CODE.fetch_first(connection, statement)


def add_link_code(connection: sa.Connection, code: model.LinkCode) -> None:
    """Store a new code, and delete its player's older one and all that have expired."""
    # So the table never holds more than those of a few minutes, and needs no index for this.
    has_expired = device_codes.c.made_at <= code.made_at - model.CODE_LIFETIME
    is_replaced = device_codes.c.player_id == code.player_id
    connection.execute(sa.delete(device_codes).where(sa.or_(has_expired, is_replaced)))
    connection.execute(sa.insert(device_codes), _LINK_CODE.values(code))


def use_up_try(connection: sa.Connection, selector: str) -> None:
    """Count one try at a code."""
    connection.execute(
        sa.update(device_codes)
        .where(device_codes.c.selector == selector)
        .values(tries_left=device_codes.c.tries_left - 1)
    )


def drop_link_code_of(connection: sa.Connection, player_id: int) -> None:
    """Delete a player's code."""
    connection.execute(sa.delete(device_codes).where(device_codes.c.player_id == player_id))


def players_without_certificates(connection: sa.Connection) -> Sequence[int]:
    """Return the numbers of players without a certificate, as whom nobody can sign in.

    Erased players, who have no name either, are not among them.
    """
    statement = (
        sa.select(players.c.id)
        .outerjoin_from(players, certificates)
        .where(certificates.c.player_id.is_(None), players.c.name != "")
        .order_by(players.c.id)
    )
    return connection.execute(statement).scalars().all()
