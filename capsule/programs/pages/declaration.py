"""The page on which a player declares itself a program, and chooses the challenges it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import OutdatedAction
from capsule.programs import declaring
from capsule.programs.declaring import DeclarationRefused
from capsule.programs.model import PACES, RATINGS, declinable
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY, one_of
from capsule.ui.typed_words import PROGRAM, is_typed, naming
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes

SUBJECT = "program"
"""The subject of the keys of these actions."""

HERE = "/play/me/program"


@dataclass(frozen=True, slots=True)
class ProgramPage:
    """The page: a player, None for a newcomer, and what they can still change."""

    player: Player | None
    may_declare: bool
    key: str

    @property
    def is_program(self) -> bool:
        """Whether the player is a program."""
        return self.player is not None and self.player.is_program

    def takes(self, word: str) -> bool:
        """Return whether the program takes challenges of a kind."""
        return self.player is not None and word not in self.player.settings.declines

    def address(self, word: str) -> str:
        """Return the address at which a kind of challenges is declined, or taken again."""
        return f"/play/me/{self.key}/program/{word}/{'decline' if self.takes(word) else 'take'}"


def overview(context: AppContext, request: Request) -> Response:
    """Return the page that says what a program is, and which challenges the player takes."""
    visitor = identity.signed_in(context, request)
    with context.database.reading() as connection:
        may_declare = declaring.may_declare(connection, visitor.player)
    key = visitor.account_key(context, SUBJECT)
    return responses.page(
        visitor.preferences,
        "programs/program.gmi",
        page=ProgramPage(visitor.player, may_declare, key),
        other_kinds=(*PACES, *RATINGS),
    )


def declare(context: AppContext, request: Request, key: str) -> Response:
    """Make the player a program, once the word has been typed, and go to the page."""
    visitor = identity.signed_in(context, request)
    ask = naming(message("Type {word} to become one for good"), PROGRAM)
    try:
        visitor.require_key(context, SUBJECT, key)
        if not is_typed(request.query, PROGRAM):
            return responses.prompt(ask)
        declaring.declare(context, identity.player_of(context, visitor))
    except DeclarationRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE, is_done=lambda player: player.is_program
        )
    return responses.redirect(HERE)


def choose(context: AppContext, request: Request, key: str, word: str, choice: str) -> Response:
    """Take or decline challenges of a kind, and go to the page."""
    takes = choice == "take"
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if player.is_program and word in declinable():
            declaring.take_challenges(context, player, word, takes=takes)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            is_done=lambda player: (word not in player.settings.declines) is takes,
        )
    return responses.redirect(HERE)


ROUTES: Routes = (
    (HERE, overview),
    (f"/play/me/{KEY}/program/declare", declare, ANY),
    (f"/play/me/{KEY}/program/(?P<word>[a-z0-9]+)/{one_of('choice', ('take', 'decline'))}", choose),
)
