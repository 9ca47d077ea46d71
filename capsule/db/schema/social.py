"""Tables of what people write and report, and of the operator's news."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, flag, reference, table, text, words
from capsule.db.schema.personal import detail, left_out, mention, owner

messages = table(
    "messages",
    sa.Column("id", sa.Integer, primary_key=True),
    reference("game_id", nullable=False, info=detail("game")),
    # The sender and the recipient.
    owner("messages", "sent_at", "id"),
    mention("recipient_id", stays="it is its writer's"),
    text("text", 280, info=detail("text")),
    sa.Column("sent_at", Moment, nullable=False, info=detail("sent")),
    # Set by the operator: the message stays without its text.
    flag("removed", info=left_out("then the text is empty")),
    sa.Index("ix_messages_game", "game_id", "id"),
    sa.Index("ix_messages_game_player", "game_id", "player_id"),
    sa.Index("ix_messages_player", "player_id", "sent_at"),
    sa.Index("ix_messages_recipient", "recipient_id", "sent_at"),
    # No number is given out twice: the operator removes messages by their numbers, and feeds
    # identify them by these.
    sqlite_autoincrement=True,
)

comments = table(
    "comments",
    sa.Column("id", sa.Integer, primary_key=True),
    reference("game_id", nullable=False, info=detail("game")),
    owner("comments", "sent_at", "id", where=lambda comment: comment.withdrawn == sa.false()),
    # The players of the game, who learn of it; None for its author, and once if one plays alone.
    mention("x_recipient_id", stays="it is its writer's", nullable=True),
    mention("o_recipient_id", stays="it is its writer's", nullable=True),
    text("text", 280, info=detail("text")),
    sa.Column("sent_at", Moment, nullable=False, info=detail("written")),
    # Set by the operator: the comment stays without its text.
    flag("removed", info=left_out("then the text is empty")),
    # Set by its author: nobody is shown it, but it counts for the author's limit and keys.
    flag("withdrawn", info=left_out("then the comment is not exported")),
    sa.Index("ix_comments_game", "game_id", "withdrawn", "id"),
    sa.Index("ix_comments_game_player", "game_id", "player_id", "id"),
    sa.Index("ix_comments_player", "player_id", "sent_at"),
    sa.Index("ix_comments_x_recipient", "x_recipient_id", "sent_at"),
    sa.Index("ix_comments_o_recipient", "o_recipient_id", "sent_at"),
    # No number is given out twice, as with messages.
    sqlite_autoincrement=True,
)
"""People's comments on games, for anyone to read."""

notes = table(
    "notes",
    sa.Column("id", sa.Integer, primary_key=True),
    reference("game_id", nullable=False, info=detail("game")),
    owner("notes", "game_id", "id", where=lambda note: note.text != ""),
    text("text", 280, info=detail("text")),
    sa.Column("written_at", Moment, nullable=False, info=detail("written")),
    # The move to which it belongs, None for the whole game.
    sa.Column("ply", sa.Integer, info=left_out("the page of the game shows it")),
    flag("published", info=detail("published")),
    sa.Index("ix_notes_player", "player_id", "game_id", "id"),
    sa.Index("ix_notes_written_at", "player_id", "written_at"),
)
"""Players' notes on games, which only their author can see until they are published."""

annotated_games = table(
    "annotated_games",
    sa.Column("number", sa.Integer, primary_key=True),
    reference("game_id", nullable=False, info=detail("game")),
    owner("annotated_games", "number"),
    # When the player first published notes on the game.
    sa.Column("published_at", Moment, nullable=False, info=detail("published")),
    # Whether the game is listed, and whether the notes are still published.
    sa.Column("listed", sa.Boolean, nullable=False, info=left_out("the game's page shows it")),
    sa.Column("shown", sa.Boolean, nullable=False, info=left_out("the notes have it")),
    sa.Index("ix_annotated_games_game", "game_id", "player_id", unique=True),
    sa.Index("ix_annotated_games_listed", "listed", "shown", "number"),
    sa.Index("ix_annotated_games_player", "player_id", "published_at"),
    # No number is given out twice: feeds identify annotated games by them.
    sqlite_autoincrement=True,
)
"""The games on which a player's notes are published."""

introductions = table(
    "introductions",
    owner("", is_single=True, primary_key=True),
    # Each is "" if the player has none; a player with neither has no row.
    words("line", 120, info=detail("line")),
    words("website", 200, info=detail("website")),
)
"""The lines and websites of players' pages, in which they say something about themselves."""

favourites = table(
    "favourites",
    owner("favourites", "since", "other_id", primary_key=True),
    mention("other_id", name="name", primary_key=True, index=True),
    sa.Column("since", Moment, nullable=False, info=detail("since")),
)
"""Players' favourites among the others, which only they themselves can see."""


reports = table(
    "reports",
    sa.Column("id", sa.Integer, primary_key=True),
    owner("reports", "id", column="reporter_id", index=True),
    mention("reported_id", name="about", index=True),
    # The game in which the two played, or the tournament whose title is reported. Neither: what the
    # player's page says.
    reference("game_id", info=detail("game")),
    reference("tournament_id", info=detail("tournament", is_optional=True)),
    # The comment under that game that is reported, if it is one. It may be gone.
    sa.Column("comment_id", sa.Integer, info=detail("comment", is_optional=True)),
    # The number of the annotated game whose notes are reported, if they are.
    sa.Column("annotation_number", sa.Integer, info=detail("notes", is_optional=True)),
    text("text", 280, info=detail("text")),
    sa.Column("made_at", Moment, nullable=False, info=detail("made")),
    sa.Column("closed_at", Moment, info=left_out("the operator's")),
    sa.Index("ix_reports_open", "closed_at", "id"),
    # No number is given out twice: the operator closes reports by their numbers.
    sqlite_autoincrement=True,
)
"""Players' reports to the operator about others."""

operator_actions = table(
    "operator_actions",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("taken_at", Moment, nullable=False, info=detail("at")),
    # A `capsule.moderation.model.ActionKind`.
    text("action", 24, info=detail("action")),
    owner(
        "operator.actions",
        "id",
        where=lambda action: action.action != "close",
        stays="that something was done: not to whom, nor why",
        index=True,
        nullable=True,
    ),
    # The player's name then; it goes when the player is erased, and the detail with it.
    sa.Column("player_name", sa.String(24), info=detail("name", is_erased=True)),
    # To what it was done and why, in the operator's words.
    sa.Column("detail", sa.Text, nullable=False, info=detail("detail", is_erased=True)),
)


news = table(
    "news",
    sa.Column("number", sa.Integer, primary_key=True),
    text("text", 280),
    sa.Column("published_at", Moment, nullable=False),
    # No number is given out twice: addresses have it.
    sqlite_autoincrement=True,
)
"""The operator's announcements; one that is withdrawn is deleted."""
