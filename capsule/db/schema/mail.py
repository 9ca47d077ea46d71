"""The tables of e-mail: subscriptions, the letters that wait, and what letters have contained."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, WordList, partial_index, table, text, words
from capsule.db.schema.personal import Owner, detail, left_out, owner

_IN_LETTERS = left_out("letters have it")

_IS_WAITING = "state <> 'done' AND kind <> 'code'"

mail_subscriptions = table(
    "mail_subscriptions",
    owner("mail", is_single=True, primary_key=True),
    # An address that its player has confirmed.
    text("address", 254, info=detail("address")),
    sa.Column("confirmed_at", Moment, nullable=False, info=detail("since")),
    # It is the key of the link that stops all mail to the address.
    text("stop_key", 32, unique=True, info=_IN_LETTERS),
    # A `capsule.mail.model.TurnMail`, the hour of the summary in the player's time zone, and each a
    # `capsule.mail.model.MailKind`.
    text("turns", 8, info=detail("turns")),
    sa.Column("hour", sa.Integer, nullable=False, info=detail("hour")),
    sa.Column("kinds", WordList(80), nullable=False, info=detail("kinds")),
    # The relay's words, once it has refused the address for good; "" before.
    words("refusal", 200, info=detail("refused_by_relay")),
    sa.Index("ix_mail_subscriptions_address", "address"),
)

mail_codes = table(
    "mail_codes",
    owner("mail_address_to_confirm", is_single=True, primary_key=True),
    text("address", 254, info=detail("address")),
    # The code itself is computed from these whenever it is needed, and stored nowhere.
    sa.Column("made_at", Moment, nullable=False, info=detail("typed")),
    sa.Column("tries_left", sa.Integer, nullable=False, info=detail("tries_left")),
    text("stop_key", 32, unique=True, info=_IN_LETTERS),
    words("refusal", 200, info=left_out("a copy of what the relay has said")),
    sa.Index("ix_mail_codes_address", "address"),
    sa.Index("ix_mail_codes_made_at", "made_at"),
)
"""The addresses that players have typed and not confirmed, for a day."""

mail_code_requests = table(
    "mail_code_requests",
    sa.Column("id", sa.Integer, primary_key=True),
    owner("mail_codes_requested", "made_at"),
    # A keyed hash of the address.
    text("address_key", 64, info=left_out("a keyed hash")),
    sa.Column("made_at", Moment, nullable=False, info=detail("")),
    sa.Index("ix_mail_code_requests_player", "player_id", "made_at"),
    sa.Index("ix_mail_code_requests_address", "address_key", "made_at"),
    sa.Index("ix_mail_code_requests_made_at", "made_at"),
)
"""The codes that were sent within a day, which limit further ones."""

mail_stops = table(
    "mail_stops",
    # A keyed hash of the address.
    sa.Column("address_key", sa.String(64), primary_key=True),
    sa.Column("until", Moment, nullable=False),
)
"""The addresses to which no code is sent for a while, since their owners want no mail."""

mail_due = table(
    "mail_due",
    sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("player_id", sa.Integer, nullable=False, info=Owner(None).info),
    sqlite_autoincrement=True,
)
"""The subscribers for whom something has changed, written in the transaction that changed it.

A trigger on `changes` writes it; the mailer deletes what it has looked at.
"""

mail_schedule = table(
    "mail_schedule",
    owner("mail", primary_key=True),
    # When to look for notifications, if nothing changes before.
    sa.Column("look_at", Moment, nullable=False, index=True),
    # The player's day on which the last summary was due.
    sa.Column("summary_on", sa.Date, nullable=False),
)
"""When the mailer next looks for notifications of each subscriber."""

mail_looks = table(
    "mail_looks",
    owner("looked_at_games", primary_key=True),
    # "" is the page of all games that wait.
    sa.Column("game_id", sa.String(10), primary_key=True),
    sa.Column("looked_at", Moment, nullable=False, index=True),
)
"""The times at which subscribers last looked at the pages of their games."""

mail_letters = table(
    "mail_letters",
    sa.Column("id", sa.Integer, primary_key=True),
    owner("letters"),
    # A `capsule.mail.model.LetterKind` and a `capsule.mail.model.LetterState`.
    text("kind", 8),
    text("state", 8),
    # The first part of the Message-ID, the same at each attempt.
    text("message_key", 32, unique=True, info=_IN_LETTERS),
    # The player's day on which it was written, by which letters are limited.
    sa.Column("day", sa.Date, nullable=False),
    sa.Column("made_at", Moment, nullable=False),
    sa.Column("try_at", Moment, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False, default=0),
    # The process that is sending it, and until when it may be.
    sa.Column("holder", sa.String(32), info=left_out("a process of the capsule")),
    sa.Column("held_until", Moment),
    # How often a process died while the relay may have been accepting it.
    sa.Column("crashes", sa.Integer, nullable=False, default=0),
    # Of each player, one letter waits at a time, and a day has one summary.
    partial_index("ix_mail_letters_waiting", "player_id", where=_IS_WAITING, unique=True),
    partial_index(
        "ix_mail_letters_summaries", "player_id day", where="kind = 'summary'", unique=True
    ),
    sa.Index("ix_mail_letters_state", "state", "try_at"),
    sa.Index("ix_mail_letters_player", "player_id", "made_at"),
    # No number is given out twice.
    sqlite_autoincrement=True,
)
"""Letters that wait, are being sent, or were sent within the last days."""

mail_told = table(
    "mail_told",
    owner("letters", primary_key=True),
    # The key of the notification, such as the turn of a game, which is sent once.
    sa.Column("occasion", sa.String(80), primary_key=True, info=left_out("the letter has it")),
    sa.Column("letter_id", sa.ForeignKey("mail_letters.id"), nullable=False, index=True),
)
"""The notifications that letters to players have had."""
