"""Two people at a game: who they are to each other, and what stands under it for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.social import panel_queries
from capsule.social.panel_queries import SocialPanel

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from engine import Side


MESSAGES_SHOWN = 5
"""Messages on the page of a game: the last."""

NOBODY = 0
"""The number of no player."""


@dataclass(frozen=True)
class Person:
    """Somebody at a game, and their side; a former player's name is ""."""

    id: int
    name: str
    side: Side


def opponent_of(game: Game, player: Player | None) -> Person | None:
    """Return the other person at the player's game, or at one where a seat could be the player's.

    None where that is nobody: it is somebody else's game, or one alone or with a bot.
    """
    if player is None:
        return None
    if not (game.view_of(player) or game.stored.open_side or game.may_answer_challenge(player)):
        return None
    for side, seat in game.stored.seats.items():
        if seat.player_id is not None and seat.player_id != player.id:
            return Person(seat.player_id, seat.player_name or "", side)
    return None


def may_read_messages(game: Game, player: Player | None) -> bool:
    """Tell whether somebody may read the messages under a game: its two players, or all agreed."""
    if not game.stored.is_between_people:
        return False
    both_agree = game.stored.x.shows_messages and game.stored.o.shows_messages
    return both_agree or game.view_of(player) is not None


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
