"""The tables of players: their names, certificates, relations and feeds; and the secrets."""

import json
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.db.schema.base import Moment, WordList, flag, partial_index, table, text, words
from capsule.db.schema.personal import Owner, detail, left_out, mention, owner


def _seconds(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _notices(stored: str | None) -> object:
    return json.loads(stored or "[]")


def _setting(name: str, kind: Any, *, default: Any) -> sa.Column[Any]:  # noqa: ANN401 - of any type
    stored: Any = {True: sa.true(), False: sa.false(), (): ""}.get(default, default)
    info = detail(f"settings.{name}", is_erased=True)
    return sa.Column(name, kind, nullable=False, default=default, server_default=stored, info=info)


_BY_NAME = left_out("it follows from the name")

secrets = table(
    "secrets",
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
"""The capsule's secrets, which every process that serves it shares."""

players = table(
    "players",
    sa.Column(
        "id",
        sa.Integer,
        primary_key=True,
        info=Owner("", is_single=True, stays="their games refer to it").info,
    ),
    text("name", 24, info=detail("name")),
    # The skeleton of the name, without case and confusable letters: each is taken once.
    text("likeness", 24, unique=True, info=_BY_NAME),
    # The loose skeleton of the name, without letters that look alike at a glance; None for former
    # players. New names must differ in it. Players who shared one before that was required have
    # their ids as numbers, but for the first; all others have 0.
    sa.Column("look", sa.String(24), info=_BY_NAME),
    sa.Column(
        "look_number", sa.Integer, nullable=False, default=0, server_default="0", info=_BY_NAME
    ),
    # Raised by every action outside games, so that the link that was followed cannot act twice.
    sa.Column("actions", sa.Integer, nullable=False, default=0, info=left_out("a count")),
    sa.Column("created_at", Moment, nullable=False, info=detail("created", _seconds)),
    # The settings: see `capsule.accounts.model.Settings`.
    _setting("unicode_boards", sa.Boolean, default=False),
    _setting("rulers", sa.Boolean, default=True),
    _setting("words_first", sa.Boolean, default=False),
    _setting("narrow", sa.Boolean, default=False),
    _setting("width_chosen", sa.Boolean, default=False),
    _setting("time_zone", sa.String(64), default="UTC"),
    # The key of a language: see `capsule.languages.model`.
    _setting("language", sa.String(8), default="en"),
    _setting("takes_messages", sa.Boolean, default=True),
    _setting("rated_against_bots", sa.Boolean, default=False),
    _setting("shows_activity", sa.Boolean, default=True),
    _setting("lists_games", sa.Boolean, default=True),
    _setting("lists_bot_games", sa.Boolean, default=False),
    _setting("may_be_featured", sa.Boolean, default=True),
    # Each a `capsule.accounts.model.NewsKind`.
    _setting("disabled_news", WordList(120), default=()),
    # When the player declared themselves a program; None for people.
    sa.Column("program_since", Moment, info=detail("program_since", is_erased=True)),
    # Words of `capsule.accounts.model.DECLINABLE`: challenges that a program does not take.
    _setting("declines", WordList(120), default=()),
    # The operator's notices, until they are acknowledged: see `capsule.moderation.actions`.
    sa.Column("warning", sa.Text, info=detail("operator.unread", _notices, is_erased=True)),
    # Until when the player cannot send messages, by the operator's order.
    sa.Column("silenced_until", Moment, info=detail("operator.no_messages_until", is_erased=True)),
    # Why the operator has banned the player, and until when: None is for good.
    sa.Column("banned_for", sa.String(280), info=detail("operator.banned_for", is_erased=True)),
    sa.Column("banned_until", Moment, info=detail("operator.banned_until", is_erased=True)),
    # The last day, in UTC, on which they were here, for others to see, and the day from which it is
    # recorded: the first of new players, else the day after their page announced it; None before.
    sa.Column("active_on", sa.Date, info=detail("active_on", is_erased=True)),
    sa.Column("activity_shown_from", sa.Date, info=detail("activity_shown_from", is_erased=True)),
    partial_index("ix_players_active", "active_on id", where="active_on IS NOT NULL"),
    sa.Index("ix_players_look", "look", "look_number", unique=True),
    partial_index("ix_players_programs", "id", where="program_since IS NOT NULL"),
    partial_index("ix_players_banned", "id", where="banned_for IS NOT NULL"),
)

certificates = table(
    "certificates",
    sa.Column("fingerprint", sa.String(64), primary_key=True, info=detail("sha256_of_public_key")),
    owner("certificates", "first_used_at", "fingerprint", index=True),
    sa.Column("first_used_at", Moment, nullable=False, info=detail("first_used")),
    # What the player calls it, such as the device it is on; "" until it has a name.
    words("label", 40, info=detail("label")),
    # When it was last used to sign in or to act, written once a day at most.
    sa.Column("last_used_at", Moment, info=detail("last_used")),
    # When it expires, by its last use.
    sa.Column("valid_until", Moment, info=detail("valid_until")),
)

device_codes = table(
    "device_codes",
    # The first part of the code, which identifies its player; the rest is stored nowhere.
    sa.Column("selector", sa.String(8), primary_key=True, info=detail("begins")),
    owner("code_for_another_device", is_single=True, unique=True),
    sa.Column("made_at", Moment, nullable=False, info=detail("made")),
    sa.Column("tries_left", sa.Integer, nullable=False, info=detail("tries_left")),
)

former_names = table(
    "former_names",
    sa.Column("likeness", sa.String(24), primary_key=True, info=_BY_NAME),
    # As for the players; here several may have the same.
    sa.Column("look", sa.String(24), index=True, info=_BY_NAME),
    text("name", 24, info=detail("name")),
    owner("former_names", "kept_until", "likeness", index=True),
    # Until then the name leads to the player, and nobody else can have it.
    sa.Column("kept_until", Moment, nullable=False, index=True, info=detail("kept_until")),
    # Whether the operator took it away, so that the player cannot have it again either, and
    # whether it leads to the player.
    flag("taken_away", info=left_out("among the operator's actions")),
    flag("leads_on", default=True, info=left_out("the address shows it")),
)
"""Names that players have given up."""

erased_names = table(
    "erased_names",
    # A keyed hash of the name's look: what the name was cannot be read, nor whose it was.
    sa.Column("look_key", sa.String(64), primary_key=True),
    # Until then nobody can have a name of that look.
    sa.Column("kept_until", Moment, nullable=False, index=True),
)
"""The names that erased players had, so that nobody passes for one of them."""

relations = table(
    "relations",
    owner("muted_and_blocked", "-since", "other_id", primary_key=True),
    mention("other_id", name="name", primary_key=True, index=True),
    # A `capsule.accounts.model.RelationKind`.
    text("kind", 8, info=detail("kind")),
    sa.Column("since", Moment, nullable=False, info=detail("since")),
)
"""Mutes and blocks of players by players."""

private_feeds = table(
    "private_feeds",
    owner("private_feed", is_single=True, primary_key=True),
    # Everyone who knows it can read the feed.
    text("address", 32, unique=True, info=detail("")),
)

carried_out = table(
    "carried_out",
    owner(None, primary_key=True),
    # A keyed hash of the whole request: see `capsule.accounts.pages.action`.
    sa.Column("request", sa.LargeBinary(32), primary_key=True, info=left_out("a keyed hash")),
    # The address that it led to, without typed words.
    sa.Column("goal", sa.Text, nullable=False, info=left_out("an address, for a week")),
    sa.Column("day", sa.Date, nullable=False, index=True, info=left_out("a day of that week")),
)
"""The requests that players' actions have carried out in the last days."""
