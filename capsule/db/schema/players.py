"""The tables of players: their names, certificates, relations and feeds; and the secrets."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    column,
    false,
    true,
)

from capsule.db.schema.base import Moment, Words, metadata

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""The capsule's secrets, which every process that serves it shares."""

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    # The name without case and look-alike letters: two names with the same likeness are the same.
    Column("likeness", String(24), nullable=False, unique=True),
    # The name without letters that look alike at a glance; None for former players. Nobody gets a
    # name of somebody else's look. Of those who had one look before that was asked, the later have
    # numbers of their own, their ids; all others have 0.
    Column("look", String(24)),
    Column("look_number", Integer, nullable=False, default=0, server_default="0"),
    # Raised by every action outside games, so that the link that was followed cannot act twice.
    Column("actions", Integer, nullable=False, default=0),
    Column("created_at", Moment, nullable=False),
    # The settings: see `capsule.accounts.model.Settings`.
    Column("unicode_boards", Boolean, nullable=False, default=False, server_default=false()),
    Column("rulers", Boolean, nullable=False, default=True, server_default=true()),
    Column("words_first", Boolean, nullable=False, default=False, server_default=false()),
    Column("narrow", Boolean, nullable=False, default=False, server_default=false()),
    Column("width_chosen", Boolean, nullable=False, default=False, server_default=false()),
    Column("time_zone", String(64), nullable=False, default="UTC", server_default="UTC"),
    # The key of a language: see `capsule.ui.languages`.
    Column("language", String(8), nullable=False, default="en", server_default="en"),
    Column("takes_messages", Boolean, nullable=False, default=True, server_default=true()),
    Column("rated_against_bots", Boolean, nullable=False, default=False, server_default=false()),
    Column("shows_activity", Boolean, nullable=False, default=True, server_default=true()),
    Column("lists_games", Boolean, nullable=False, default=True, server_default=true()),
    Column("lists_bot_games", Boolean, nullable=False, default=False, server_default=false()),
    Column("may_be_featured", Boolean, nullable=False, default=True, server_default=true()),
    # Each a `capsule.accounts.model.NewsKind`.
    Column("disabled_news", Words(120), nullable=False, default=(), server_default=""),
    # When the player declared themselves a program; None for people.
    Column("program_since", Moment),
    # Words of `capsule.accounts.model.DECLINABLE`: challenges that a program does not take.
    Column("declines", Words(120), nullable=False, default=(), server_default=""),
    # The operator's notices, until they are acknowledged: see `capsule.moderation.notices`.
    Column("warning", Text),
    # Until when the operator keeps the player from sending messages.
    Column("silenced_until", Moment),
    # Why the operator has banned the player, and until when: None is for good.
    Column("banned_for", String(280)),
    Column("banned_until", Moment),
    # The last day, in UTC, on which they were here, for others to see. It is kept from another day
    # on: from the first for new players, else from the day after they were told, None until then.
    Column("active_on", Date),
    Column("activity_shown_from", Date),
    Index(
        "ix_players_active",
        "active_on",
        "id",
        sqlite_where=column("active_on").is_not(None),
        postgresql_where=column("active_on").is_not(None),
    ),
    Index("ix_players_look", "look", "look_number", unique=True),
    Index(
        "ix_players_programs",
        "id",
        sqlite_where=column("program_since").is_not(None),
        postgresql_where=column("program_since").is_not(None),
    ),
    Index(
        "ix_players_banned",
        "id",
        sqlite_where=column("banned_for").is_not(None),
        postgresql_where=column("banned_for").is_not(None),
    ),
)

certificates = Table(
    "certificates",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("first_used_at", Moment, nullable=False),
    # What the player calls it, such as the device it is on; "" until it has a name.
    Column("label", String(40), nullable=False, default="", server_default=""),
    # When it was last used to sign in or to act, written once a day at most.
    Column("last_used_at", Moment),
    # When it expires, as it said when it was last used.
    Column("valid_until", Moment),
)

device_codes = Table(
    "device_codes",
    metadata,
    # The first part of the code, which identifies its player; the rest is stored nowhere.
    Column("selector", String(8), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    Column("tries_left", Integer, nullable=False),
)
"""One-time codes that add a certificate to a player."""

former_names = Table(
    "former_names",
    metadata,
    Column("likeness", String(24), primary_key=True),
    # As for the players; here several may have the same.
    Column("look", String(24), index=True),
    Column("name", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    # Until then the name leads to the player, and nobody else can have it.
    Column("kept_until", Moment, nullable=False, index=True),
    # Whether the operator took it away, so that the player cannot have it again either, and
    # whether it leads to the player.
    Column("taken_away", Boolean, nullable=False, default=False, server_default=false()),
    Column("leads_on", Boolean, nullable=False, default=True, server_default=true()),
)
"""Names that players have given up."""

erased_names = Table(
    "erased_names",
    metadata,
    # A keyed hash of the name's look: what the name was cannot be read, nor whose it was.
    Column("look_key", String(64), primary_key=True),
    # Until then nobody can have a name of that look.
    Column("kept_until", Moment, nullable=False, index=True),
)
"""The names that erased players had, so that nobody passes for one of them."""

relations = Table(
    "relations",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("other_id", ForeignKey("players.id"), primary_key=True, index=True),
    # A `capsule.accounts.model.RelationKind`.
    Column("kind", String(8), nullable=False),
    Column("since", Moment, nullable=False),
)
"""Mutes and blocks of players by players."""

private_feeds = Table(
    "private_feeds",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    # Anybody who knows it can read the feed.
    Column("address", String(32), nullable=False, unique=True),
)

carried_out = Table(
    "carried_out",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    # A keyed hash of the whole request: see `capsule.accounts.pages.action`.
    Column("request", LargeBinary(32), primary_key=True),
    # The address that it led to, without what anybody wrote.
    Column("goal", Text, nullable=False),
    Column("day", Date, nullable=False, index=True),
)
"""The requests that players' actions have carried out in the last days."""
