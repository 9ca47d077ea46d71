"""A visit to a game's page: the visitor, the game, and what the visitor may do in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.point_of_view import view_of
from capsule.games.rated import foreseen
from capsule.games.reading import load_game

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import Transaction
    from capsule.games.game import Game
    from capsule.games.point_of_view import PointOfView, Spectator
    from capsule.gemini.types import Request
    from engine import Message
    from engine.style import Style


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor and a game, with the visitor's point of view and action key for this turn."""

    game: Game
    visitor: Visitor
    view: PointOfView | Spectator
    key: str

    @property
    def style(self) -> Style:
        """The style in which the visitor is shown the board."""
        style = self.visitor.preferences.style
        # A finished game has no cells to play in, so free ones look like the other empty ones.
        return style if self.game.is_running else replace(style, free=style.empty)

    def effect(self, move: str) -> Message | None:
        """Return the effect of a move, in as many words as the visitor's screen has room for."""
        position, is_narrow = self.game.position, self.visitor.preferences.narrow
        return position.brief_effect(move) if is_narrow else position.effect(move)


def visit_of(transaction: Transaction, request: Request, game_id: str) -> Visit:
    """Return the visitor of a game's page, and the game as of now; raises `NotFound`."""
    context, connection = transaction.context, transaction.connection
    certificate = identity.valid_certificate(transaction, request)
    stored, player = game_queries.game_and_visitor(
        connection, game_id, certificate.fingerprint if certificate else ""
    )
    if stored is None:
        raise NotFound
    game = load_game(context, connection, stored)
    visitor = identity.visitor_with(transaction, request, certificate, player)
    key = visitor.game_key(context, game.id, game.stored.turn_counter)
    return Visit(game, visitor, view_of(game, visitor.player), key)


def with_terms_foreseen(transaction: Transaction, visit: Visit) -> Visit:
    """Return a visit to a game that, if it waits for a player, is rated as it will be."""
    game = visit.game
    (as_it_will_be,) = foreseen(
        transaction.connection, [game.stored], visit.visitor.player, game.now
    )
    return replace(visit, game=replace(game, stored=as_it_will_be))
