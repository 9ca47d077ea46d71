"""Visits of games' pages: the first ones, and following a game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import sqlalchemy as sa

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.db.faults import DatabaseFault
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.game import Game
from capsule.games.model import GameVersion, version_of
from capsule.games.player_queries import has_met_a_person
from capsule.games.point_of_view import PointOfView, Spectator, view_of
from capsule.games.queries import has_decided_game
from capsule.games.rated import foreseen
from capsule.games.reading import load_game
from capsule.gemini.types import Request
from capsule.social import line_queries
from capsule.social.messages import may_read_messages
from capsule.social.model import number_of
from capsule.ui.boards import effect_of
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
        is_narrow = self.visitor.preferences.narrow
        return effect_of(self.game.position, move, is_narrow=is_narrow)


def visit_of(transaction: Transaction, request: Request, game_id: str) -> Visit:
    """Return the visitor of a game's page, and the game as of now; raises `NotFound`."""
    context, connection = transaction.context, transaction.connection
    certificate = identity.valid_certificate(transaction, request)
    stored, user = game_queries.game_and_user(
        connection, game_id, certificate.fingerprint if certificate else ""
    )
    if stored is None:
        raise NotFound
    game = load_game(context, connection, stored)
    visitor = identity.visitor_with(transaction, request, certificate, user[0] if user else None)
    key = visitor.game_key(context, game.id, game.stored.turn_counter)
    return Visit(game, visitor, view_of(game, visitor.player), key)


def with_terms_foreseen(transaction: Transaction, visit: Visit) -> Visit:
    """Return a visit to a game that, if it waits for a player, is rated as it will be."""
    game = visit.game
    (as_it_will_be,) = foreseen(
        transaction.connection, [game.stored], visit.visitor.player, game.now
    )
    return replace(visit, game=replace(game, stored=as_it_will_be))


FIRST_MOVES = 3
"""The moves that a player makes before they know the rules of their first game."""


def is_first_game(connection: sa.Connection, visit: Visit) -> bool:
    """Return whether the visitor is to make one of the first moves of their first game.

    Later moves cost no query.
    """
    player, view, game = visit.visitor.player, visit.view, visit.game
    if player is None or not view.is_turn:
        return False
    made = sum(move.side is view.own_side or game.stored.is_solo for move in game.recent)
    is_past_first_moves = made >= FIRST_MOVES or len(game.recent) < game.stored.plies_played
    return not (is_past_first_moves or has_decided_game(connection, player.id, game.variant))


def is_first_against_a_person(transaction: Transaction, visit: Visit) -> bool:
    """Return whether the visitor waits in their first game against a person, and mail is sent.

    Then they may want to be told when it is their turn.
    """
    player, view, stored = visit.visitor.player, visit.view, visit.game.stored
    if not transaction.context.mail_from or player is None or not stored.is_between_people:
        return False
    if not stored.is_playing or not view.is_seated or view.is_turn:
        return False
    return not has_met_a_person(transaction.connection, player.id, visit.game.now)


MAX_NEW_MESSAGES = 20
"""The number of new messages whose authors are looked for."""


class FollowedVersion(NamedTuple):
    """The version of a game that somebody follows, and the id of its newest message, 0 if none."""

    game: GameVersion
    newest_message: int


def followed_versions(
    context: AppContext, game_ids: Collection[str]
) -> Mapping[str, FollowedVersion]:
    """Return the versions of games, without missing ones; none while the database is away."""
    try:
        with context.database.reading() as connection:
            versions = game_queries.versions(connection, game_ids)
            newest = line_queries.newest_messages(connection, game_ids)
    except DatabaseFault:
        return {}
    return {
        game_id: FollowedVersion(version, newest.get(game_id, 0))
        for game_id, version in versions.items()
    }


def followed_version(connection: sa.Connection, game: Game) -> FollowedVersion:
    """Return the version of a game that has been read in this transaction."""
    newest = line_queries.newest_messages(connection, [game.id])
    return FollowedVersion(version_of(game.stored), newest.get(game.id, 0))


def authors_since(
    connection: sa.Connection, game: Game, player: Player | None, message_id: int
) -> Sequence[str]:
    """Return the names of those who have written since a message, other than the reader.

    Only messages that the reader may read count, and nobody whom the reader has muted.
    """
    if not may_read_messages(game, player):
        return ()
    # Spectators are all told the same.
    reader = player if player is not None and game.stored.has_player(player.id) else None
    found = line_queries.MESSAGES.from_number(
        connection, game.id, reader, message_id + 1, MAX_NEW_MESSAGES
    )
    authors = {message.author_id for message in found} - {number_of(reader)}
    return [
        seat.name or ""
        for seat in game.stored.seats.values()
        if seat.player_id is not None and seat.player_id in authors
    ]
