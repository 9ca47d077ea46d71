"""The tables, as they are after the newest migration.

Times are aware and in UTC; a side is "X" or "O". A game's moves are its truth: what is kept beside
them (`ply`, `turn` and `moved_at` of a game, `side` of a move) spares a list of them the replay.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
    true,
)

from capsule.db.schema.base import Moment, metadata

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""What only the capsule knows, shared by every process that serves it."""

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    # The name without case and look-alike letters: what makes two names the same.
    Column("likeness", String(24), nullable=False, unique=True),
    # Raised by every action outside a game, so that the page it was taken from cannot act twice.
    Column("actions", Integer, nullable=False, default=0),
    Column("created_at", Moment, nullable=False),
    # How the player wants pages: see `capsule.ui.preferences`.
    Column("unicode_boards", Boolean, nullable=False, default=False, server_default=false()),
    Column("rulers", Boolean, nullable=False, default=True, server_default=true()),
    Column("words_first", Boolean, nullable=False, default=False, server_default=false()),
    Column("time_zone", String(64), nullable=False, default="UTC", server_default="UTC"),
    # Whether others may send the player messages.
    Column("takes_messages", Boolean, nullable=False, default=True, server_default=true()),
    # What the operator has to say to the player, until it is acknowledged: see `capsule.moderation.notices`.
    Column("warning", Text),
    # Until when the operator lets the player send no messages.
    Column("silenced_until", Moment),
    # Why the operator has shut the player out, and until when: None is for good.
    Column("banned_for", String(280)),
    Column("banned_until", Moment),
)

certificates = Table(
    "certificates",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("first_used_at", Moment, nullable=False),
    # What the player calls it, such as the device it is on; "" until it has a name.
    Column("label", String(40), nullable=False, default="", server_default=""),
    # When it was last used to sign in or to act, written once a day at the most.
    Column("last_used_at", Moment),
    # When it ends, as it said when it was last used.
    Column("valid_until", Moment),
)

device_codes = Table(
    "device_codes",
    metadata,
    # The first part of the code, which tells whose it is; the rest is kept nowhere.
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
    Column("name", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    # Until then the old name leads to the player, and is nobody else's.
    Column("kept_until", Moment, nullable=False, index=True),
    # Set where the operator took it away, so that the player may not have it again either, and
    # whether it leads to the player all the same.
    Column("taken_away", Boolean, nullable=False, default=False, server_default=false()),
    Column("leads_on", Boolean, nullable=False, default=True, server_default=true()),
)
"""Names that players had."""

relations = Table(
    "relations",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("other_id", ForeignKey("players.id"), primary_key=True, index=True),
    # "mute": the other's messages are not shown; "block": nothing is shared with the other.
    Column("kind", String(8), nullable=False),
    Column("since", Moment, nullable=False),
)
"""Whom players want to hear less of."""

private_feeds = Table(
    "private_feeds",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    # Whoever knows it can read the feed.
    Column("address", String(32), nullable=False, unique=True),
)
