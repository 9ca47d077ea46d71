"""A line typed at a prompt, to be written under a game: a message or a comment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import action_keys
from capsule.accounts.action_keys import REMEMBERED
from capsule.accounts.pages import outdated
from capsule.errors import OutdatedAction
from capsule.ui import responses
from capsule.ui.user_text import ROOM_FOR_TEXT, TextOverLimit, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Response
    from capsule.social.model import StoredLine
    from engine import Message


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that a visitor has typed, "" if they are still to type it, with a key on a subject.

    `path` is the page to which it leads. `last_by` returns a player's last lines of the kind under
    a game, up to a number of them, the newest first.
    """

    context: AppContext
    visitor: Visitor
    game_id: str
    key: str
    typed: str
    subject: str
    path: str
    last_by: Callable[[AppContext, Player, str, int], Sequence[StoredLine]]

    def follows(self, last: int) -> bool:
        """Return whether the key lets it follow the visitor's line with this number."""
        fitting = self.visitor.key(self.context, self.subject, last)
        return action_keys.fits(self.key, fitting)

    def written(
        self, ask: Message, too_soon: Callable[[], Message | None], write: Callable[[str], None]
    ) -> Response:
        """Return the prompt that asks for the line; once it is typed, `write` it and go on.

        `too_soon` returns why it must wait.
        """
        if not self.typed:
            reason = too_soon()
            if reason is not None:
                return responses.prompt_again(reason, ask)
            return responses.prompt(ROOM_FOR_TEXT, ask)
        try:
            write(self.typed)
        except TextOverLimit as error:
            return self.came_late(error.message)
        except TextRefused as error:
            return responses.prompt_again(error.message, ask)
        except OutdatedAction:
            return self.came_late()
        return responses.redirect(self.path)

    def came_late(self, refusal: Message | None = None) -> Response:
        """Return the page to which it leads, which says that it was not sent, and perhaps why.

        It does not if this very link has sent that line, as the player's last.
        """
        player = self.visitor.player
        sent = (
            () if player is None else self.last_by(self.context, player, self.game_id, REMEMBERED)
        )
        late = outdated.late_text(self.context, self.visitor, self.subject, self.key, sent)
        undone = outdated.NOTHING_SENT
        if refusal is not None:
            undone = outdated.always(message("Nothing was sent. {reason}.", reason=refusal))
        return late.answer(self.path, undone, self.typed)
