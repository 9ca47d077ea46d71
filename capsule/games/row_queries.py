"""The rows of games and moves: their columns, and the values that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from capsule.db.schema.games import games, moves
from capsule.db.schema.players import players
from capsule.games.absent_variant import variant_called
from capsule.games.model import Seat, StoredGame, StoredMove
from capsule.games.status import EndReason, GameStatus
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row, Select

_X = players.alias("x_players")
_O = players.alias("o_players")
_CHALLENGED = players.alias("challenged_players")
GAME = (
    select(
        *games.c,
        _X.c.name.label("x_player_name"),
        _X.c.program_since.label("x_program_since"),
        _O.c.name.label("o_player_name"),
        _O.c.program_since.label("o_program_since"),
        _CHALLENGED.c.name.label("challenged_name"),
        _CHALLENGED.c.program_since.label("challenged_program_since"),
    )
    .outerjoin_from(games, _X, _X.c.id == games.c.x_player_id)
    .outerjoin(_O, _O.c.id == games.c.o_player_id)
    .outerjoin(_CHALLENGED, _CHALLENGED.c.id == games.c.challenged_player_id)
)
"""The columns from which `StoredGame`s are made; others may follow."""

_NAMES = tuple(GAME.selected_columns.keys())

MOVE_COLUMNS = (
    moves.c.ply,
    moves.c.side,
    moves.c.move,
    moves.c.played_at,
    moves.c.takebacks,
    moves.c.planned,
)
"""The columns from which a `StoredMove` is made."""


def read_games(
    connection: Connection, statement: Select[Any], values: Mapping[str, object] | None = None
) -> Sequence[StoredGame]:
    """Return the games that a statement derived from `GAME` selects, given its parameters."""
    return [game_from(row) for row in connection.execute(statement, values or {})]


def game_from(row: Row[*tuple[Any, ...]]) -> StoredGame:
    """Return the game that a row of `GAME` holds; `game_columns` is the inverse."""
    # A dictionary finds names much faster than a row, and lists have many games.
    column = dict(zip(_NAMES, row, strict=False))
    return StoredGame(
        id=column["id"],
        variant=variant_called(column["variant"]),
        x=Seat(
            player_id=column["x_player_id"],
            player_name=column["x_player_name"],
            bot=column["x_bot"],
            draw_offered_at_turn=column["x_offered_at_turn"],
            takeback_asked_at_turn=column["x_takeback_asked_at_turn"],
            shows_messages=column["x_shows_messages"],
            is_program=column["x_program_since"] is not None,
            is_everyones=column["everyones_side"] == Side.X.value,
        ),
        o=Seat(
            player_id=column["o_player_id"],
            player_name=column["o_player_name"],
            bot=column["o_bot"],
            draw_offered_at_turn=column["o_offered_at_turn"],
            takeback_asked_at_turn=column["o_takeback_asked_at_turn"],
            shows_messages=column["o_shows_messages"],
            is_program=column["o_program_since"] is not None,
            is_everyones=column["everyones_side"] == Side.O.value,
        ),
        status=GameStatus(column["status"]),
        turn=Side(column["turn"]),
        created_at=column["created_at"],
        moved_at=column["moved_at"],
        ply=column["ply"],
        turn_counter=column["turn_counter"],
        winner=side_from(column["winner"]),
        points=None if column["x_points"] is None else (column["x_points"], column["o_points"]),
        draw_offered_by=side_from(column["draw_offered_by"]),
        takeback_asked_by=side_from(column["takeback_asked_by"]),
        draw_offered_at=column["draw_offered_at"],
        takeback_asked_at=column["takeback_asked_at"],
        started_at=column["started_at"],
        ended_at=column["ended_at"],
        bot_to_move=column["bot_to_move"],
        hints=column["hints"],
        takebacks=column["takebacks"],
        analysis_due=column["analysis_due"],
        season_due=column["season_due"],
        listed=column["listed"],
        lists_when_joined=column["lists_when_joined"],
        lists_with_bots=column["lists_with_bots"],
        days_per_move=column["days_a_move"],
        rated=column["rated"],
        surplus=column["surplus"],
        rating_number=column["rating_number"],
        precedence=column["precedence"],
        seat_taken_by=column["seat_taken_by"],
        challenged=Seat(
            player_id=column["challenged_player_id"],
            player_name=column["challenged_name"],
            is_program=column["challenged_program_since"] is not None,
        ),
        declined=column["declined"],
        end_reason=None if column["end_reason"] is None else EndReason(column["end_reason"]),
        ended_by=side_from(column["ended_by"]),
        previous_id=column["previous_id"],
        next_id=column["next_id"],
        tournament_id=column["tournament_id"],
        ends_by=column["ends_by"],
        start_ply=column["start_ply"],
        comments=column["comments"],
        comments_closed=column["comments_closed"],
    )


def game_columns(game: StoredGame) -> dict[str, object]:
    """Return a game's values by column name; `game_from` is the inverse."""
    x_points, o_points = game.points or (None, None)
    return {
        "id": game.id,
        "variant": game.variant.key,
        "x_player_id": game.x.player_id,
        "x_bot": game.x.bot,
        "x_offered_at_turn": game.x.draw_offered_at_turn,
        "x_takeback_asked_at_turn": game.x.takeback_asked_at_turn,
        "x_shows_messages": game.x.shows_messages,
        "x_points": x_points,
        "o_player_id": game.o.player_id,
        "o_bot": game.o.bot,
        "o_offered_at_turn": game.o.draw_offered_at_turn,
        "o_takeback_asked_at_turn": game.o.takeback_asked_at_turn,
        "o_shows_messages": game.o.shows_messages,
        "o_points": o_points,
        "status": game.status,
        "turn": game.turn.value,
        "created_at": game.created_at,
        "moved_at": game.moved_at,
        "ply": game.ply,
        "turn_counter": game.turn_counter,
        "winner": game.winner and game.winner.value,
        "draw_offered_by": game.draw_offered_by and game.draw_offered_by.value,
        "takeback_asked_by": game.takeback_asked_by and game.takeback_asked_by.value,
        "draw_offered_at": game.draw_offered_at,
        "takeback_asked_at": game.takeback_asked_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
        "bot_to_move": game.bot_to_move,
        "hints": game.hints,
        "takebacks": game.takebacks,
        "analysis_due": game.analysis_due,
        "season_due": game.season_due,
        "listed": game.listed,
        "lists_when_joined": game.lists_when_joined,
        "lists_with_bots": game.lists_with_bots,
        "days_a_move": game.days_per_move,
        "rated": game.rated,
        "surplus": game.surplus,
        "rating_number": game.rating_number,
        "precedence": game.precedence,
        "seat_taken_by": game.seat_taken_by,
        "challenged_player_id": game.challenged_player_id,
        "declined": game.declined,
        "end_reason": game.end_reason,
        "ended_by": game.ended_by and game.ended_by.value,
        "previous_id": game.previous_id,
        "next_id": game.next_id,
        "tournament_id": game.tournament_id,
        "ends_by": game.ends_by,
        "start_ply": game.start_ply,
        "everyones_side": game.everyones_side and game.everyones_side.value,
        "comments": game.comments,
        "comments_closed": game.comments_closed,
    }


def move_from(row: Row[*tuple[Any, ...]]) -> StoredMove:
    """Return the move that a row with `MOVE_COLUMNS` holds."""
    return StoredMove(
        ply=row.ply,
        side=Side(row.side),
        move=row.move,
        played_at=row.played_at,
        takebacks=row.takebacks,
        planned=row.planned,
    )


def move_columns(game_id: str, move: StoredMove) -> dict[str, object]:
    """Return a move's values by column name; `move_from` is the inverse."""
    return {
        "game_id": game_id,
        "ply": move.ply,
        "side": move.side.value,
        "move": move.move,
        "played_at": move.played_at,
        "takebacks": move.takebacks,
        "planned": move.planned,
    }


def side_from(letter: str | None) -> Side | None:
    """Return the side that a column names, None if it names none."""
    return None if letter is None else Side(letter)
