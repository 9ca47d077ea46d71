"""Private notes on a game: adding one, and clearing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import action_keys
from capsule.accounts.pages import outdated
from capsule.accounts.pages.outdated import Undone
from capsule.errors import OutdatedAction
from capsule.social import notes
from capsule.social import panel as social_panel
from capsule.social.pages.panel import note_key, note_subject, visitor_and_game
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY
from capsule.ui.typed_words import CLEAR, is_typed, naming
from capsule.ui.user_text import ROOM_FOR_TEXT, TextOverLimit, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.social.model import StoredNote
    from capsule.ui.routes import Routes


def add(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a note; with one, store it and go to the game."""
    writer = _writer(context, request, game_id)
    ask = message(
        "Your note, private until you publish it. Begin with a number for a move: “12: a mistake”"
    )
    try:
        player = writer.holding(key)
        if not request.query:
            return responses.prompt(ROOM_FOR_TEXT, ask)
        notes.add(context, player, game_id, writer.newest, request.query)
    except TextOverLimit as error:
        refused = outdated.always(message("Nothing was noted. {reason}.", reason=error.message))
        return outdated.page_below(f"/play/{game_id}", refused, request.query, is_own=True)
    except TextRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return _writer(context, request, game_id).came_late(key, request.query)
    return responses.redirect(f"/play/{game_id}")


def clear(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for the word; with it, clear the player's notes on the game and go there."""
    writer = _writer(context, request, game_id)
    try:
        player = writer.holding(key)
        if not is_typed(request.query, CLEAR):
            ask = message("Type {word} to clear your notes on this game")
            return responses.prompt(naming(ask, CLEAR))
        notes.clear(context, player, game_id, writer.newest)
    except OutdatedAction:
        writer = _writer(context, request, game_id)
        if notes.written_notes(writer.notes):
            return writer.came_late(key)
    return responses.redirect(f"/play/{game_id}")


@dataclass(frozen=True, slots=True)
class _Writer:
    """A visitor who may write notes on a game, and has written these."""

    context: AppContext
    visitor: Visitor
    game_id: str
    notes: Sequence[StoredNote]

    @property
    def newest(self) -> int:
        """The number of their newest note."""
        return notes.newest_of(self.notes)

    def holding(self, key: str) -> Player:
        """Return the player; raises `OutdatedAction` if there is none, or the key does not fit."""
        fitting = note_key(self.visitor, self.context, self.game_id, self.newest)
        if self.visitor.player is None or not action_keys.fits(key, fitting):
            raise OutdatedAction
        return self.visitor.player

    def came_late(self, key: str, typed: str | None = None) -> Response:
        """Return the page of the game, which says that their notes are as before.

        It does not if this very link has added the note that was typed, as the last.
        """
        subject, written = note_subject(self.game_id), self.notes[::-1]
        late = outdated.late_text(self.context, self.visitor, subject, key, written)
        return late.answer(f"/play/{self.game_id}", _NOTHING_NOTED, typed)


def _writer(context: AppContext, request: Request, game_id: str) -> _Writer:
    visitor, game = visitor_and_game(context, request, game_id)
    panel = social_panel.find_panel(context, game, visitor.player)
    return _Writer(context, visitor, game_id, panel.notes)


_NOTHING_NOTED = Undone(
    message("Nothing was noted: that page was out of date."),
    message("That link was out of date: your notes have not been changed."),
)


ROUTES: Routes = (
    (f"/play/{GAME}/{KEY}/note", add, ANY),
    (f"/play/{GAME}/{KEY}/clear", clear, ANY),
)
