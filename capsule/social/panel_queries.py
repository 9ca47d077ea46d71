"""One statement that reads one reader's messages, notes and relations under a game.

The page of a game is the one asked for most: so it is one statement, made once, for everybody.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Integer,
    String,
    bindparam,
    false,
    func,
    literal_column,
    null,
    select,
    union_all,
)

from capsule.accounts import presence_queries
from capsule.accounts.action_keys import NONE_YET
from capsule.accounts.model import RelationKind
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import messages, notes
from capsule.social.line_queries import READER, is_shown, text_of
from capsule.social.model import SocialPanel, StoredLine, StoredNote

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select

    from capsule.games.game import Game


class _Part(StrEnum):
    """The kind of a row; the row of a relation has its `RelationKind` instead."""

    MESSAGE = "message"
    LAST_SENT = "last sent"
    NOTE = "note"
    TAKES_NO_MESSAGES = "takes no messages"
    BANNED = "banned"


_GAME = bindparam("game_id", type_=String)
_OTHER = bindparam("other_id", type_=Integer)
_LIMIT = bindparam("limit", type_=Integer)
_NO_TEXT = literal_column("''", String)


def _is(part: _Part) -> ColumnElement[str]:
    return literal_column(f"'{part}'", String)


def _relation(player: ColumnElement[int], other: ColumnElement[int]) -> Select[*tuple[Any, ...]]:
    return select(
        relations.c.since,
        relations.c.kind,
        relations.c.other_id,
        relations.c.player_id,
        _NO_TEXT,
    ).where(relations.c.player_id == player, relations.c.other_id == other)


_LAST_MESSAGES = (
    select(messages.c.sent_at, messages.c.id, messages.c.player_id, text_of(messages).label("text"))
    .where(messages.c.game_id == _GAME, is_shown(messages))
    .order_by(messages.c.id.desc())
    .limit(_LIMIT)
    .subquery()
)
_PANEL: CompoundSelect[*tuple[Any, ...]] = union_all(
    # The first part names the columns and gives them their types.
    select(
        _LAST_MESSAGES.c.sent_at.label("moment"),
        _is(_Part.MESSAGE).label("part"),
        _LAST_MESSAGES.c.id.label("number"),
        _LAST_MESSAGES.c.player_id.label("player_id"),
        _LAST_MESSAGES.c.text.label("text"),
    ),
    # The end of an index: a count would read all of them.
    select(null(), _is(_Part.LAST_SENT), func.max(messages.c.id), null(), _NO_TEXT).where(
        messages.c.game_id == _GAME, messages.c.player_id == READER
    ),
    select(notes.c.written_at, _is(_Part.NOTE), notes.c.id, notes.c.player_id, notes.c.text).where(
        notes.c.player_id == READER, notes.c.game_id == _GAME
    ),
    _relation(READER, _OTHER),
    _relation(_OTHER, READER),
    select(
        players.c.created_at, _is(_Part.TAKES_NO_MESSAGES), players.c.id, players.c.id, _NO_TEXT
    ).where(players.c.id == _OTHER, players.c.takes_messages == false()),
    select(players.c.banned_until, _is(_Part.BANNED), players.c.id, players.c.id, _NO_TEXT).where(
        players.c.id == _OTHER, presence_queries.is_banned()
    ),
)


def read_panel(
    connection: Connection, game: Game, player_id: int, other_id: int, limit: int
) -> SocialPanel:
    """Return a player's panel under a game, or a stranger's (0), with up to `limit` messages.

    `other_id` is the opponent, or somebody opposite whom the reader could sit; 0 for nobody.
    """
    which = {
        "game_id": game.stored.id,
        "player_id": player_id,
        "other_id": other_id,
        "now": game.now,
        "limit": limit,
    }
    found_messages: list[StoredLine] = []
    found_notes: list[StoredNote] = []
    done: set[tuple[int, str]] = set()
    last_sent, takes_messages = NONE_YET, True
    is_banned, banned_until = False, None
    for row in connection.execute(_PANEL, which):
        if row.part == _Part.MESSAGE:
            found_messages.append(StoredLine(row.number, row.player_id, row.text, row.moment))
        elif row.part == _Part.NOTE:
            found_notes.append(StoredNote(row.number, row.text, row.moment))
        elif row.part == _Part.LAST_SENT:
            last_sent = row.number or NONE_YET
        elif row.part == _Part.TAKES_NO_MESSAGES:
            takes_messages = False
        elif row.part == _Part.BANNED:
            is_banned, banned_until = True, row.moment
        else:
            done.add((row.player_id, row.part))
    return SocialPanel(
        messages=sorted(found_messages, key=lambda each: each.id),
        last_sent=last_sent,
        notes=sorted(found_notes, key=lambda each: each.id),
        has_muted=(player_id, RelationKind.MUTE) in done,
        has_blocked=(player_id, RelationKind.BLOCK) in done,
        is_blocked=(other_id, RelationKind.BLOCK) in done,
        takes_messages=takes_messages,
        is_opponent_banned=is_banned,
        opponent_banned_until=banned_until,
    )
