"""Private notes on a game: adding one, and clearing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.pages.action import Action
from capsule.accounts.pages.outdated import StaleNotice
from capsule.social import note_queries, notes
from capsule.social.pages.panel import game_path, note_subject
from capsule.social.texts import TextsUnderGame
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.typed_words import CLEAR
from capsule.ui.user_text import ROOM_FOR_TEXT
from engine.game import message

if TYPE_CHECKING:
    from capsule.ui.routes import Routes


_NOTES = TextsUnderGame(note_subject, note_queries.last_by)

_NOTHING_NOTED = StaleNotice(
    message("Nothing was noted: that page was out of date."),
    message("That link was out of date: your notes have not been changed."),
    refused=message("Nothing was noted. {reason}."),
)

ADD = Action(
    name="add",
    counter=_NOTES,
    back=game_path,
    asks=lambda *_: (
        ROOM_FOR_TEXT,
        message(
            "Your note, private until you publish it. Begin with a number for a move: “12: a "
            "mistake”"
        ),
    ),
    does=lambda transaction, attempt: notes.add(
        transaction, attempt.player, attempt["game_id"], attempt.text
    ),
    notice=_NOTHING_NOTED,
)

CLEAR_ALL = Action(
    name="clear",
    counter=_NOTES,
    back=game_path,
    asks=lambda *_: [message("Type {word} to clear your notes on this game")],
    word=CLEAR,
    does=lambda transaction, attempt: notes.clear(transaction, attempt.player, attempt["game_id"]),
    notice=_NOTHING_NOTED,
)


ROUTES: Routes = (
    (f"/play/{GAME}/{KEY}/note", ADD, ANY),
    (f"/play/{GAME}/{KEY}/clear", CLEAR_ALL, ANY),
)
