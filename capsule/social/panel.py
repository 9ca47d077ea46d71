"""Two people at a game: who they are to each other, and what stands under it for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games.reading import load_game
from capsule.social import panel_queries
from capsule.social.panel_queries import SocialPanel

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.games.queries import StoredGame
    from capsule.gemini.types import Certificate


MESSAGES_SHOWN = 5
"""Messages on the page of a game: the last."""

NOBODY = 0
"""The number of no player."""


@dataclass(frozen=True)
class Person:
    """Somebody at a game, and their side; a former player's name is ""."""

    id: int
    name: str
    side: str


@dataclass(frozen=True)
class Visit:
    """A game as it stands, the player who looks at it, and what stands under it for them."""

    game: Game
    player: Player | None
    panel: SocialPanel


def is_between_people(game: StoredGame) -> bool:
    """Tell whether both seats of a game are taken, by two people."""
    seats = (game.x_player_id, game.o_player_id)
    return None not in seats and seats[0] != seats[1]


def opponent_of(game: Game, player: Player | None) -> Person | None:
    """Return the other person at the player's game, or at one where a seat could be the player's.

    None where that is nobody: it is somebody else's game, or one alone or with a bot.
    """
    stored_game = game.stored
    if player is None:
        return None
    if not (game.seats_of(player) or game.open_side or game.may_answer_challenge(player)):
        return None
    people = (
        (stored_game.x_player_id, stored_game.x_player_name, "X"),
        (stored_game.o_player_id, stored_game.o_player_name, "O"),
    )
    for player_id, name, side in people:
        if player_id not in (None, player.id):
            return Person(player_id or NOBODY, name or "", side)
    return None


def may_read_messages(game: Game, player: Player | None) -> bool:
    """Tell whether somebody may read the messages under a game: its two players, or all agreed."""
    if not is_between_people(game.stored):
        return False
    both_agree = game.stored.x_shows_messages and game.stored.o_shows_messages
    return both_agree or bool(game.seats_of(player))


def visit(context: AppContext, certificate: Certificate | None, game_id: str) -> Visit | None:
    """Return what a game's page needs, in one look at the database; None where there is no game."""
    with context.database.reading() as connection:
        found, player = game_queries.game_and_visitor(
            connection, game_id, certificate.fingerprint if certificate else ""
        )
        if found is None:
            return None
        game = load_game(context, connection, found, found.ply)
        # Who is shut out sees what strangers see.
        reader = None if player is None or player.is_banned(game.now) else player
        return Visit(game, player, panel_for(connection, game, reader))


def find_panel(context: AppContext, game: Game, player: Player | None) -> SocialPanel:
    """Return what stands under a game for a player, or for a stranger."""
    with context.database.reading() as connection:
        return panel_for(connection, game, player)


def panel_for(connection: Connection, game: Game, player: Player | None) -> SocialPanel:
    """Return what stands under a game for a player, or for a stranger, in a transaction.

    Nothing is asked for strangers, unless both players let them read.
    """
    if player is None and not may_read_messages(game, player):
        return SocialPanel()
    opponent = opponent_of(game, player)
    return panel_queries.read_panel(
        connection,
        game.stored.id,
        player.id if player else NOBODY,
        opponent.id if opponent else NOBODY,
        MESSAGES_SHOWN if may_read_messages(game, player) else 0,
    )
