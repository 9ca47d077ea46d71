"""What stands under a game besides its moves, for one reader, in one look at the database.

It is on the page that is asked for most: one statement, made once, whatever there is to be shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, String, bindparam, false, func, literal_column, select, union_all

from capsule.db.schema.players import players, relations
from capsule.db.schema.social import messages, notes
from capsule.social.message_queries import IS_SHOWN, READER, TEXT, StoredMessage
from capsule.social.note_queries import StoredNote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection


@dataclass(frozen=True)
class SocialPanel:
    """What stands under a game for one reader.

    `messages` are the last of the game that the reader is shown, the oldest first; `sent` is how
    many the reader has written there, shown or not. `notes` are the reader's own, also the empty
    one that stands for cleared notes. `has_muted`, `has_blocked` and `is_blocked` are what the
    reader and the other player are to each other, and `takes_messages` is the other's wish.
    """

    messages: Sequence[StoredMessage] = ()
    sent: int = 0
    notes: Sequence[StoredNote] = ()
    has_muted: bool = False
    has_blocked: bool = False
    is_blocked: bool = False
    takes_messages: bool = True


_GAME = bindparam("game_id", type_=String)
_OTHER = bindparam("other_id", type_=Integer)
_MOST = bindparam("most", type_=Integer)


def _kind(name: str) -> ColumnElement[str]:
    return literal_column(f"'{name}'", String)


_NO_TEXT = literal_column("''", String)
_LAST = (
    select(messages.c.sent_at, messages.c.id, messages.c.player_id, TEXT.label("text"))
    .where(messages.c.game_id == _GAME, IS_SHOWN)
    .order_by(messages.c.id.desc())
    .limit(_MOST)
    .subquery()
)
_BESIDE = union_all(
    # The moment comes first, since the first of the parts says what kind of value each column has.
    select(_LAST.c.sent_at, _kind("message"), _LAST.c.id, _LAST.c.player_id, _LAST.c.text),
    select(
        func.max(messages.c.sent_at),
        _kind("sent"),
        func.count(),
        func.max(messages.c.player_id),
        _NO_TEXT,
    ).where(messages.c.game_id == _GAME, messages.c.player_id == READER),
    select(notes.c.written_at, _kind("note"), notes.c.id, notes.c.player_id, notes.c.text).where(
        notes.c.player_id == READER, notes.c.game_id == _GAME
    ),
    select(
        relations.c.since,
        relations.c.kind,
        relations.c.other_id,
        relations.c.player_id,
        _NO_TEXT,
    ).where(relations.c.player_id == READER, relations.c.other_id == _OTHER),
    select(
        relations.c.since,
        relations.c.kind,
        relations.c.other_id,
        relations.c.player_id,
        _NO_TEXT,
    ).where(relations.c.player_id == _OTHER, relations.c.other_id == READER),
    select(players.c.created_at, _kind("quiet"), players.c.id, players.c.id, _NO_TEXT).where(
        players.c.id == _OTHER, players.c.takes_messages == false()
    ),
)


def read_panel(
    connection: Connection, game_id: str, player_id: int, other_id: int, most: int
) -> SocialPanel:
    """Return what stands under a game for a player, 0 for a stranger, with `most` messages.

    `other_id` is the opponent, or who has a seat that the reader could sit opposite; 0 for nobody.
    """
    which = {"game_id": game_id, "player_id": player_id, "other_id": other_id, "most": most}
    rows: Sequence[Sequence[Any]] = connection.execute(_BESIDE, which).all()
    found: dict[str, list[Any]] = {}
    for at, kind, number, author, text in rows:
        found.setdefault(kind, []).append((at, number, author, text))
    return SocialPanel(
        messages=[
            StoredMessage(number, author, text, at)
            for at, number, author, text in sorted(found.get("message", ()), key=_by_number)
        ],
        sent=found["sent"][0][1],
        notes=[
            StoredNote(number, text, at)
            for at, number, _, text in sorted(found.get("note", ()), key=_by_number)
        ],
        has_muted=any(author == player_id for _, _, author, _ in found.get("mute", ())),
        has_blocked=any(author == player_id for _, _, author, _ in found.get("block", ())),
        is_blocked=any(author == other_id for _, _, author, _ in found.get("block", ())),
        takes_messages="quiet" not in found,
    )


def _by_number(row: Sequence[Any]) -> int:
    number: int = row[1]
    return number
