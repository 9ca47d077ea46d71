"""Games with a seat that is kept for somebody: challenges by name, and rematches.

A rematch is a challenge too, made from a game that has ended: the sides are changed, the
terms stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.relation_queries import are_apart
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.creation import NOBODY, Seat, seats_for, set_up
from capsule.games.deadlines import apply_deadlines
from capsule.games.finish import end, store_change
from capsule.games.quota import require_room
from capsule.games.reading import load_game
from capsule.games.status import ABORTED, CHALLENGED, PLAYING
from capsule.play.challenges import accept_seat, has_seat
from engine import Side

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.games.queries import StoredGame


def rematch_of(context: AppContext, game: Game) -> StoredGame | None:
    """Return the rematch that was offered last in a game that has ended."""
    if game.is_running or game.stored.next_id is None:
        return None
    with context.database.reading() as connection:
        return _rematch(context, connection, game)


def may_offer_rematch(game: Game, rematch: StoredGame | None, player: Player | None) -> bool:
    """Tell whether the player may offer a rematch, where `rematch` was offered last.

    Who has been turned down, or not been answered, does not offer again: the other may. A game of a
    tournament has no rematch: both its players' next games are there already.
    """
    if game.stored.tournament_id is not None:
        return False
    if player is None or game.is_running or game.is_solo or len(game.seats_of(player)) != 1:
        return False
    if _opponent(game, player) == NOBODY:
        return False
    return rematch is None or (rematch.status == ABORTED and not has_seat(rematch, player))


def may_answer_rematch(rematch: StoredGame | None, player: Player | None) -> bool:
    """Tell whether the rematch that was offered waits for the player's answer."""
    return (
        rematch is not None
        and player is not None
        and rematch.status == CHALLENGED
        and rematch.challenged_player_id == player.id
    )


def is_on(rematch: StoredGame | None) -> bool:
    """Tell whether the rematch that was offered last has been taken up."""
    return rematch is not None and rematch.status != CHALLENGED and not _has_empty_seat(rematch)


def offer_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> str:
    """Offer a rematch after a game's end, and return the id of the game to look at next.

    A bot plays it at once; it is agreed where the opponent has offered one. Raises `TooManyGames`.
    """
    with context.database.writing() as connection:
        game, rematch = _load_ended(context, connection, game_id, turn_counter)
        if rematch is not None and may_answer_rematch(rematch, player):
            accept_seat(connection, load_game(context, connection, rematch, rematch.ply), player)
            return rematch.id
        if not may_offer_rematch(game, rematch, player):
            raise OutdatedAction
        opponent = _opponent(game, player)
        if opponent.player_id and (
            are_apart(connection, player.id, opponent.player_id)
            or _is_banned(context, connection, opponent.player_id)
        ):
            raise OutdatedAction
        require_room(connection, player, against_bots=opponent.bot is not None)
        other = opponent if opponent.bot else NOBODY
        own_side = "o" if Side.X in game.seats_of(player) else "x"
        new_id = set_up(
            context,
            connection,
            game.variant,
            seats_for(context, own_side, player, other),
            status=PLAYING if opponent.bot else CHALLENGED,
            listed=game.stored.listed and opponent.bot is not None,
            lists_when_joined=game.stored.listed,
            days_a_move=game.stored.days_a_move,
            rated=game.stored.rated,
            challenged_player_id=opponent.player_id,
            previous_id=game_id,
        )
        # Where an earlier offer came to nothing, no page that still shows it may answer this one.
        again = 0 if rematch is None else 1
        after = replace(game.stored, next_id=new_id, turn_counter=turn_counter + again)
        store_change(connection, game.stored, after)
        return new_id if opponent.bot else game_id


def accept_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> str:
    """Play the rematch that was offered after this game, and return its id."""
    with context.database.writing() as connection:
        _, rematch = _load_ended(context, connection, game_id, turn_counter)
        if rematch is None or not may_answer_rematch(rematch, player):
            raise OutdatedAction
        accept_seat(connection, load_game(context, connection, rematch, rematch.ply), player)
        return rematch.id


def decline_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the rematch that was offered after this game."""
    with context.database.writing() as connection:
        _, rematch = _load_ended(context, connection, game_id, turn_counter)
        if rematch is None or not may_answer_rematch(rematch, player):
            raise OutdatedAction
        game = load_game(context, connection, rematch, rematch.ply)
        end(connection, game, {"status": ABORTED})


def _is_banned(context: AppContext, connection: Connection, player_id: int) -> bool:
    player = player_queries.player_by_id(connection, player_id)
    return player is not None and player.is_banned(context.clock())


def _load_ended(
    context: AppContext, connection: Connection, game_id: str, turn_counter: int
) -> tuple[Game, StoredGame | None]:
    found = game_queries.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = load_game(context, connection, found, found.ply)
    if game.is_running or game.stored.turn_counter != turn_counter:
        raise OutdatedAction
    store_change(connection, found, game.stored)
    return game, _rematch(context, connection, game, to_change=True)


def _rematch(
    context: AppContext, connection: Connection, game: Game, *, to_change: bool = False
) -> StoredGame | None:
    if game.stored.next_id is None:
        return None
    found = game_queries.game_by_id(connection, game.stored.next_id, to_change=to_change)
    return apply_deadlines(context, connection, [found])[0] if found else None


def _opponent(game: Game, player: Player) -> Seat:
    x = Seat(game.stored.x_player_id, game.stored.x_bot)
    o = Seat(game.stored.o_player_id, game.stored.o_bot)
    return o if x.player_id == player.id else x


def _has_empty_seat(game: StoredGame) -> bool:
    return game.challenged_player_id not in (game.x_player_id, game.o_player_id)
