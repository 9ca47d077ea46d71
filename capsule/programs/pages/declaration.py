"""The page on which a player declares itself a program, and chooses the challenges it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf, newcomer
from capsule.context import reading
from capsule.programs import declaring
from capsule.programs.model import PACES, RATINGS
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY, one_of
from capsule.ui.typed_words import PROGRAM
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Message

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


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page that says what a program is, and which challenges the player takes."""
    visitor = identity.signed_in(transaction, request)
    may_declare = declaring.may_declare(transaction.connection, visitor.player)
    key = visitor.account_key(transaction.context, SUBJECT)
    return responses.page(
        visitor.preferences,
        "programs/program.gmi",
        page=ProgramPage(visitor.player, may_declare, key),
        other_kinds=(*PACES, *RATINGS),
    )


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    declaring.require_may_declare(transaction.connection, attempt.visitor.player)
    return [message("Type {word} to become one for good")]


DECLARE = Action(
    name="declare",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=_ask,
    word=PROGRAM,
    does=lambda transaction, attempt: declaring.declare(transaction, attempt.player),
    makes_player=newcomer,
)

CHOOSE = Action(
    name="choose",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    does=lambda transaction, attempt: declaring.take_challenges(
        transaction, attempt.player, attempt["word"], takes=attempt["choice"] == "take"
    ),
)

ROUTES: Routes = (
    (HERE, overview),
    (f"/play/me/{KEY}/program/declare", DECLARE, ANY),
    (f"/play/me/{KEY}/program/(?P<word>[a-z0-9]+)/{one_of('choice', ('take', 'decline'))}", CHOOSE),
)
