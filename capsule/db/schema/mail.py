"""The tables of e-mail: who wants it, what letters told them, and the letters that wait."""

from sqlalchemy import BigInteger, Column, Date, ForeignKey, Index, Integer, String, Table

from capsule.db.schema.base import Moment, Words, metadata, partial_index, words
from capsule.db.schema.personal import Owner, detail, left_out, owner

_IS_WAITING = "state <> 'done' AND kind <> 'code'"

mail_subscriptions = Table(
    "mail_subscriptions",
    metadata,
    owner("mail", is_single=True, primary_key=True),
    # An address that its player has confirmed.
    Column("address", String(254), nullable=False, info=detail("address")),
    Column("confirmed_at", Moment, nullable=False, info=detail("since")),
    # Whoever knows it can stop all mail to the address.
    Column("stop_key", String(32), nullable=False, unique=True, info=left_out("letters have it")),
    # A `capsule.mail.model.TurnMail`, the hour of the summary in the player's time zone, and each a
    # `capsule.mail.model.MailKind`.
    Column("turns", String(8), nullable=False, info=detail("turns")),
    Column("hour", Integer, nullable=False, info=detail("hour")),
    Column("kinds", Words(80), nullable=False, info=detail("kinds")),
    # The relay's words, once it has refused the address for good; "" before.
    words("refusal", 200, info=detail("refused_by_relay")),
    Index("ix_mail_subscriptions_address", "address"),
)
"""The players who want e-mail."""

mail_codes = Table(
    "mail_codes",
    metadata,
    owner("mail_address_to_confirm", is_single=True, primary_key=True),
    Column("address", String(254), nullable=False, info=detail("address")),
    # The code itself is computed from these whenever it is needed, and stored nowhere.
    Column("made_at", Moment, nullable=False, info=detail("typed")),
    Column("tries_left", Integer, nullable=False, info=detail("tries_left")),
    Column("stop_key", String(32), nullable=False, unique=True, info=left_out("letters have it")),
    words("refusal", 200, info=left_out("a copy of what the relay has said")),
    Index("ix_mail_codes_address", "address"),
    Index("ix_mail_codes_made_at", "made_at"),
)
"""The addresses that players have typed and not confirmed, for a day."""

mail_code_requests = Table(
    "mail_code_requests",
    metadata,
    Column("id", Integer, primary_key=True),
    owner("mail_codes_requested", "made_at"),
    # A keyed hash of the address.
    Column(
        "address_key", String(64), nullable=False, info=left_out("a hash, which nobody can read")
    ),
    Column("made_at", Moment, nullable=False, info=detail("")),
    Index("ix_mail_code_requests_player", "player_id", "made_at"),
    Index("ix_mail_code_requests_address", "address_key", "made_at"),
    Index("ix_mail_code_requests_made_at", "made_at"),
)
"""The codes that were sent within a day, which limit further ones."""

mail_stops = Table(
    "mail_stops",
    metadata,
    # A keyed hash of the address.
    Column("address_key", String(64), primary_key=True),
    Column("until", Moment, nullable=False),
)
"""The addresses to which no code is sent for a while, since their owners want no mail."""

mail_due = Table(
    "mail_due",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("player_id", Integer, nullable=False, info=Owner(None).info),
    sqlite_autoincrement=True,
)
"""The subscribers for whom something has changed, written in the transaction that changed it.

A trigger on `changes` writes it; the mailer deletes what it has looked at.
"""

mail_schedule = Table(
    "mail_schedule",
    metadata,
    owner("mail", primary_key=True),
    # When to look at what there is to tell the player, if nothing changes before.
    Column("look_at", Moment, nullable=False, index=True),
    # The player's day on which the last summary was due.
    Column("summary_on", Date, nullable=False),
)
"""The times at which subscribers are looked at next."""

mail_looks = Table(
    "mail_looks",
    metadata,
    owner("looked_at_games", primary_key=True),
    # "" is the page of all games that wait.
    Column("game_id", String(10), primary_key=True),
    Column("looked_at", Moment, nullable=False, index=True),
)
"""The times at which subscribers last looked at the pages of their games."""

mail_letters = Table(
    "mail_letters",
    metadata,
    Column("id", Integer, primary_key=True),
    owner("letters"),
    # A `capsule.mail.model.LetterKind` and a `capsule.mail.model.LetterState`.
    Column("kind", String(8), nullable=False),
    Column("state", String(8), nullable=False),
    # The first part of the Message-ID, the same at each attempt.
    Column(
        "message_key", String(32), nullable=False, unique=True, info=left_out("letters have it")
    ),
    # The player's day on which it was written, by which letters are limited.
    Column("day", Date, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("try_at", Moment, nullable=False),
    Column("tries", Integer, nullable=False, default=0),
    # The process that is sending it, and until when it may be.
    Column("holder", String(32), info=left_out("a process of the capsule")),
    Column("held_until", Moment),
    # How often a process died while the relay may have been accepting it.
    Column("crashes", Integer, nullable=False, default=0),
    # Of each player, one letter waits at a time, and a day has one summary.
    partial_index("ix_mail_letters_waiting", "player_id", where=_IS_WAITING, unique=True),
    partial_index(
        "ix_mail_letters_summaries", "player_id", "day", where="kind = 'summary'", unique=True
    ),
    Index("ix_mail_letters_state", "state", "try_at"),
    Index("ix_mail_letters_player", "player_id", "made_at"),
    # No number is given out twice.
    sqlite_autoincrement=True,
)
"""Letters that wait, are being sent, or were sent within the last days."""

mail_told = Table(
    "mail_told",
    metadata,
    owner("letters", primary_key=True),
    # What it is about, such as the turn of a game: nobody is told the same twice.
    Column("occasion", String(80), primary_key=True, info=left_out("the letter has it")),
    Column("letter_id", ForeignKey("mail_letters.id"), nullable=False, index=True),
)
"""The occasions of which letters have told players."""
