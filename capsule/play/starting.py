"""What players do with games: look at them, start, join, move, resign and call them off.

Each use case is one transaction. An action names the turn counter that its page was made at: if the
game has gone on since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action, require_active
from capsule.accounts.relation_queries import are_apart, blocked_ids
from capsule.errors import OutdatedAction
from capsule.games import list_queries
from capsule.games import queries as game_queries
from capsule.games.creation import Seat, seats_for, set_up
from capsule.games.deadlines import apply_deadlines
from capsule.games.quota import require_room
from capsule.games.reading import load_for_action
from capsule.games.status import (
    PLAYING,
    WAITING,
)
from capsule.play.terms import Terms
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.queries import StoredGame
    from engine import Variant


DEFAULT_TERMS = Terms()

MAX_CANDIDATES = 50
"""Games looked at to find some that a player can join: some may be of those whom they blocked."""


def games_to_join(
    context: AppContext, player: Player | None, variant: str, most: int
) -> Sequence[StoredGame]:
    """Return listed games of a variant in which the player, or somebody new, can take a seat.

    Those of players who are kept apart from this one by a block are not among them.
    """
    with context.database.reading() as connection:
        apart = blocked_ids(connection, player.id) if player else frozenset()
        found = list_queries.listed_games(
            connection, (WAITING,), variant, MAX_CANDIDATES if apart else most
        )
        known = [
            game for game in apply_deadlines(context, connection, found) if game.status == WAITING
        ]
    return [game for game in known if not apart & {game.x_player_id, game.o_player_id}][:most]


def start(
    context: AppContext, player: Player, variant: Variant, way: str, terms: Terms = DEFAULT_TERMS
) -> str:
    """Start a game on these terms and return its id.

    `way` is "invite" (whoever opens its URL may join), "open" (the same, and listed), "solo" (the
    player has both seats) or "bot-" and a level. Without another person no clock runs. Raises
    `OutdatedAction` where the player has acted since `player` was read, `TooManyGames` where they
    have too many unfinished games.
    """
    bot = way.removeprefix("bot-") if way.startswith("bot-") else None
    is_between_people = way in ("invite", "open")
    with context.database.writing() as connection:
        consume_action(connection, player)
        require_room(connection, player, against_bots=bot is not None)
        other = Seat(player_id=player.id if way == "solo" else None, bot=bot)
        return set_up(
            context,
            connection,
            variant,
            seats_for(context, terms.side, player, other),
            status=WAITING if is_between_people else PLAYING,
            listed=way == "open" or (terms.listed and not is_between_people),
            lists_when_joined=way == "open" or terms.listed,
            days_a_move=terms.days if is_between_people else None,
            rated=terms.rated and way != "solo",
        )


def join(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the player the seat that is open; nothing happens to someone who has a seat.

    Raises `OutdatedAction` where no seat is open, or one of the two has blocked the other.
    """
    with context.database.writing() as connection:
        require_active(context, connection, player)
        game = load_for_action(context, connection, game_id, turn_counter)
        if game.open_side is None or game.seats_of(player):
            raise OutdatedAction
        holder = game.stored.x_player_id or game.stored.o_player_id
        if holder is not None and are_apart(connection, player.id, holder):
            raise OutdatedAction
        seat = "x_player_id" if game.open_side is Side.X else "o_player_id"
        # `moved_at` orders the lists of games: someone's arrival is news there.
        now = context.clock()
        values = {seat: player.id, "status": PLAYING, "moved_at": now, "started_at": now}
        values["listed"] = game.stored.listed or game.stored.lists_when_joined
        game_queries.change_game(connection, game_id, **values)
