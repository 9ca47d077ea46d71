"""The tables of messages, comments, notes, favourites and introductions."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, false

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import detail, mention, owner

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, info=detail("game")),
    # Who wrote it, and to whom.
    owner("messages", "sent_at", "id"),
    mention("recipient_id", stays="it is its writer's"),
    Column("text", String(280), nullable=False, info=detail("text")),
    Column("sent_at", Moment, nullable=False, info=detail("sent")),
    # Set by the operator: the message keeps its place and loses its text.
    Column("removed", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_messages_game", "game_id", "id"),
    Index("ix_messages_game_player", "game_id", "player_id"),
    Index("ix_messages_player", "player_id", "sent_at"),
    Index("ix_messages_recipient", "recipient_id", "sent_at"),
    # No number is given out twice: the operator removes messages by their numbers, and feeds
    # identify them by these.
    sqlite_autoincrement=True,
)
"""Players' messages to each other under a game."""

comments = Table(
    "comments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, info=detail("game")),
    owner("comments", "sent_at", "id", where=lambda comment: comment.withdrawn == false()),
    # The players of the game, who learn of it; None for its author, and once if one plays alone.
    mention("x_recipient_id", stays="it is its writer's", nullable=True),
    mention("o_recipient_id", stays="it is its writer's", nullable=True),
    Column("text", String(280), nullable=False, info=detail("text")),
    Column("sent_at", Moment, nullable=False, info=detail("written")),
    # Set by the operator: the comment keeps its place and loses its text.
    Column("removed", Boolean, nullable=False, default=False, server_default=false()),
    # Set by its author: nobody is shown it, but it counts for the author's limit and keys.
    Column("withdrawn", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_comments_game", "game_id", "withdrawn", "id"),
    Index("ix_comments_game_player", "game_id", "player_id", "id"),
    Index("ix_comments_player", "player_id", "sent_at"),
    Index("ix_comments_x_recipient", "x_recipient_id", "sent_at"),
    Index("ix_comments_o_recipient", "o_recipient_id", "sent_at"),
    # No number is given out twice, as with messages.
    sqlite_autoincrement=True,
)
"""People's comments on games, for anyone to read."""

notes = Table(
    "notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, info=detail("game")),
    owner("notes", "game_id", "id", where=lambda note: note.text != ""),
    Column("text", String(280), nullable=False, info=detail("text")),
    Column("written_at", Moment, nullable=False, info=detail("written")),
    # The move to which it belongs, None for the whole game.
    Column("ply", Integer),
    Column(
        "published",
        Boolean,
        nullable=False,
        default=False,
        server_default=false(),
        info=detail("published"),
    ),
    Index("ix_notes_player", "player_id", "game_id", "id"),
    Index("ix_notes_written_at", "player_id", "written_at"),
)
"""Players' notes on games, which only their author can see until they are published."""

annotated_games = Table(
    "annotated_games",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, info=detail("game")),
    owner("annotated_games", "number"),
    # When the player first published notes on the game.
    Column("published_at", Moment, nullable=False, info=detail("published")),
    # Whether the game is listed, and whether the notes are still published.
    Column("listed", Boolean, nullable=False),
    Column("shown", Boolean, nullable=False),
    Index("ix_annotated_games_game", "game_id", "player_id", unique=True),
    Index("ix_annotated_games_listed", "listed", "shown", "number"),
    Index("ix_annotated_games_player", "player_id", "published_at"),
    # No number is given out twice: feeds identify annotated games by them.
    sqlite_autoincrement=True,
)
"""The games on which a player's notes are published."""

introductions = Table(
    "introductions",
    metadata,
    owner("", is_single=True, primary_key=True),
    # Each is "" if the player has none; a player with neither has no row.
    Column("line", String(120), nullable=False, default="", server_default="", info=detail("line")),
    Column(
        "website",
        String(200),
        nullable=False,
        default="",
        server_default="",
        info=detail("website"),
    ),
)
"""The lines and websites of players' pages, in which they say something about themselves."""

favourites = Table(
    "favourites",
    metadata,
    owner("favourites", "since", "other_id", primary_key=True),
    mention("other_id", name="name", primary_key=True, index=True),
    Column("since", Moment, nullable=False, info=detail("since")),
)
"""Players' favourites among the others, which only they themselves can see."""
