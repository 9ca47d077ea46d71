"""The page of all games that wait for a player, each with its board and the link to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.devices import expiry
from capsule.context import reading
from capsule.games.reading import load_games
from capsule.play.desk import running_slice
from capsule.play.game_entries import PLACE_PATTERN
from capsule.ui import responses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.games.game import Game
    from capsule.gemini.types import Request, Response
    from capsule.play.game_entries import GameEntry
    from capsule.ui.routes import Routes


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A game that waits for the player, with what they need to move: the board and a key.

    `board` is drawn as the player likes it.
    """

    entry: GameEntry
    game: Game
    board: str
    key: str


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the games that wait for a player, the most urgent first.

    `count` is how many there are on all pages. `earlier` and `later` are the queries of the pages
    on which the list continues, None if it does not.
    """

    games: Sequence[WaitingGame]
    count: int
    earlier: str | None
    later: str | None


@reading
def desk(transaction: Transaction, request: Request) -> Response:
    """Return the page of the games that wait for the player; the query is a place in their list."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect("/play/")
    return responses.page(
        visitor.preferences,
        "play/desk.gmi",
        page=_read_page(transaction, visitor, visitor.player, request.query or ""),
        ending=expiry(visitor, transaction.now),
    )


def _read_page(transaction: Transaction, visitor: Visitor, player: Player, query: str) -> DeskPage:
    context, style = transaction.context, visitor.preferences.style
    found = running_slice(transaction, player, query, waiting_only=True)
    games = load_games(transaction, [entry.stored for entry in found.entries])
    return DeskPage(
        games=[
            WaitingGame(
                entry=entry,
                game=game,
                board=game.position.view(style=style, latest=game.latest).drawing,
                key=visitor.game_key(context, game.id, game.stored.turn_counter),
            )
            for entry, game in zip(found.entries, games, strict=True)
        ],
        count=found.count,
        earlier=found.earlier,
        later=found.later,
    )


ROUTES: Routes = (("/play/desk", desk, PLACE_PATTERN),)
