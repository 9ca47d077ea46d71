"""The rows of games and moves, and the values that they hold."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from capsule.db.mapper import Mapper, Stored, converted
from capsule.db.schema.games import games, moves
from capsule.db.schema.players import players
from capsule.games.absent_variant import variant_called
from capsule.games.model import Seat, StoredGame, StoredMove
from engine import Side

if TYPE_CHECKING:
    from sqlalchemy import Column, FromClause


_X = players.alias("x_players")
_O = players.alias("o_players")
_CHALLENGED = players.alias("challenged_players")


def variant_stored(column: Column[str]) -> Stored:
    """Return how a variant is stored: by its key, as one that is not loaded may be read, too."""
    return converted(column, variant_called, attrgetter("key"))


def _seat(side: Side, player: FromClause) -> Mapper[Seat]:
    letter = side.value.lower()
    return Mapper(
        Seat,
        games,
        player_id=games.c[f"{letter}_player_id"],
        player_name=player.c.name,
        bot=games.c[f"{letter}_bot"],
        draw_offered_at_turn=games.c[f"{letter}_offered_at_turn"],
        takeback_asked_at_turn=games.c[f"{letter}_takeback_asked_at_turn"],
        shows_messages=games.c[f"{letter}_shows_messages"],
        is_program=player.c.program_since.is_not(None),
        is_everyones=Stored((games.c.everyones_side,), lambda stored: stored == side.value),
        is_struck_out=None,
    )


def _challenged(player_id: int | None, name: str | None, is_program: bool) -> Seat:  # noqa: FBT001
    return Seat(player_id, name, is_program=is_program)


def _points(x: float | None, o: float | None) -> tuple[float, float] | None:
    return None if x is None or o is None else (x, o)


STORED_GAME = Mapper(
    StoredGame,
    games,
    variant=variant_stored(games.c.variant),
    x=_seat(Side.X, _X),
    o=_seat(Side.O, _O),
    points=Stored(
        (games.c.x_points, games.c.o_points), _points, lambda points: points or (None, None)
    ),
    days_per_move=games.c.days_a_move,
    challenged=Stored(
        (
            games.c.challenged_player_id,
            _CHALLENGED.c.name,
            _CHALLENGED.c.program_since.is_not(None),
        ),
        _challenged,
        lambda seat: (seat.player_id, None, None),
    ),
)
GAME = (
    STORED_GAME.select.outerjoin_from(games, _X, _X.c.id == games.c.x_player_id)
    .outerjoin(_O, _O.c.id == games.c.o_player_id)
    .outerjoin(_CHALLENGED, _CHALLENGED.c.id == games.c.challenged_player_id)
)
"""The statement that selects `STORED_GAME`s; other columns may follow."""

STORED_MOVE = Mapper(StoredMove, moves)
