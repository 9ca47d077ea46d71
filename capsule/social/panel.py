"""The messages, notes and relations that one reader has under a game, and who may read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.point_of_view import view_of
from capsule.social import panel_queries
from capsule.social.model import MessagesAgreement, Person, SocialPanel

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.games.game import Game


MESSAGES_SHOWN = 5
"""The number of latest messages that the page of a game shows."""

NOBODY = 0
"""A number that no player has."""


def opponent_of(game: Game, player: Player | None) -> Person | None:
    """Return the other person at a game where the player has a seat or could take one.

    None if there is no such person: the game is others', or the player plays alone or with a bot.
    """
    if player is None:
        return None
    view = view_of(game, player)
    if not (view.is_seated or view.may_answer_challenge or game.stored.open_side):
        return None
    for seat in game.stored.seats.values():
        if seat.player_id is not None and seat.player_id != player.id:
            return Person(seat.player_id, seat.player_name or "")
    return None


def agreement_of(game: Game, player: Player | None) -> MessagesAgreement | None:
    """Return whether a player and the opponent let visitors read the messages under their game.

    None for somebody who does not play it, and for a game that is not between two people.
    """
    view = view_of(game, player)
    if not view.is_seated or not game.stored.is_between_people:
        return None
    return MessagesAgreement(view.seat.shows_messages, view.opponent.shows_messages)


def may_read_messages(game: Game, player: Player | None) -> bool:
    """Return whether a reader may see the messages: both players may, others if both agree."""
    if not game.stored.is_between_people:
        return False
    both_agree = all(seat.shows_messages for seat in game.stored.seats.values())
    return both_agree or view_of(game, player).is_seated


def panel_for(connection: Connection, game: Game, player: Player | None) -> SocialPanel:
    """Return the messages, notes and relations of a player, or of a stranger, under a game.

    For strangers nothing is read unless both players let them read the messages.
    """
    may_read = may_read_messages(game, player)
    if player is None and not may_read:
        return SocialPanel()
    opponent = opponent_of(game, player)
    return panel_queries.read_panel(
        connection,
        game,
        player.id if player else NOBODY,
        opponent.id if opponent else NOBODY,
        MESSAGES_SHOWN if may_read else 0,
    )
