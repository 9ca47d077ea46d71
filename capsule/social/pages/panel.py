"""What a game's page shows under the game: messages, notes, and what its players can do about it.

All of it is for one reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import errors
from capsule.accounts import identity
from capsule.games import reading
from capsule.social import messages, notes
from capsule.social import panel as social_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.gemini.types import Request
    from capsule.social.message_queries import StoredMessage
    from capsule.social.panel_queries import SocialPanel


SUBJECT = "people"
"""What the keys are for with which players mute, block and report others, and share messages."""


def message_key(visitor: Visitor, context: AppContext, game_id: str, sent: int) -> str:
    """Return the visitor's key to send a message under a game, where they have sent so many."""
    return visitor.key(context, f"messages {game_id}", sent)


def note_key(visitor: Visitor, context: AppContext, game_id: str, newest: int) -> str:
    """Return the visitor's key to change their notes on a game, of which that is the newest."""
    return visitor.key(context, f"notes {game_id}", newest)


def acting(context: AppContext, request: Request, game_id: str) -> tuple[Visitor, Game]:
    """Return who acts on a page under a game, and the game; raises `NotFound`."""
    visitor = identity.signed_in(context, request)
    game = reading.find_game(context, game_id)
    if game is None:
        raise errors.NotFound
    return visitor, game


def with_authors(
    game: Game, found: Sequence[StoredMessage]
) -> Sequence[tuple[str | None, StoredMessage]]:
    """Return messages of a game, each with the name of who wrote it."""
    stored = game.stored
    names = {stored.x.player_id: stored.x.player_name, stored.o.player_id: stored.o.player_name}
    return [(names.get(each.player_id), each) for each in found]


def agreement(game: Game, visitor: Visitor) -> str | None:
    """Return who lets visitors read the messages: both, you, other or neither.

    None for those who are not asked.
    """
    view = game.view_of(visitor.player)
    if view is None or not game.stored.is_between_people:
        return None
    own, others = view.seat.shows_messages, view.opponent.shows_messages
    if own and others:
        return "both"
    if own:
        return "you"
    return "other" if others else "neither"


def panel_context(
    context: AppContext, game: Game, visitor: Visitor, known: SocialPanel
) -> dict[str, object]:
    """Return what the templates show under a game to this visitor."""
    player = visitor.player
    opponent = social_panel.opponent_of(game, player)
    agreed = agreement(game, visitor)
    reason = None
    if player is not None and opponent is not None and agreed is not None:
        reason = messages.why_none(game, player, opponent, known)
    is_apart = known.has_blocked or known.is_blocked
    game_id = game.stored.id
    newest = notes.newest_of(known.notes)
    return {
        "opponent": opponent and opponent.name,
        "messages": with_authors(game, known.messages)
        if player is None or player.takes_messages
        else (),
        "may_be_more": len(known.messages) == social_panel.MESSAGES_SHOWN,
        "may_write": agreed is not None and reason is None,
        "why_no_messages": reason,
        "agreed": agreed,
        "message_key": message_key(visitor, context, game_id, known.sent) if agreed else "",
        "notes": notes.readable_ones(known.notes),
        "note_key": note_key(visitor, context, game_id, newest) if player else "",
        "people_key": visitor.account_key(context, SUBJECT) if opponent else "",
        "has_muted": known.has_muted,
        "has_blocked": known.has_blocked,
        "is_apart": is_apart,
        "is_seat_shut": is_apart and game.stored.open_side is not None,
        "may_report": bool(opponent and opponent.name)
        and (game.view_of(player) is not None or game.may_answer_challenge(player)),
    }
