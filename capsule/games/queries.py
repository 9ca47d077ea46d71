"""Reading and writing games and their moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from capsule.accounts.model import Player
from capsule.accounts.player_queries import PLAYER_COLUMNS
from capsule.db.schema.games import games, moves
from capsule.db.schema.players import certificates, players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select


@dataclass(frozen=True)
class StoredGame:
    """A game as stored, with its players' names; None for a seat that nobody has taken.

    `status` is one of waiting, challenged, playing, finished, resigned, agreed, timed out, aborted.
    """

    id: str
    variant: str
    listed: bool
    x_player_id: int | None
    o_player_id: int | None
    status: str
    winner: str | None
    x_points: float | None
    o_points: float | None
    ply: int
    turn: str
    turn_counter: int
    draw_offered_by: str | None
    x_offered_at_turn: int | None
    o_offered_at_turn: int | None
    created_at: datetime
    moved_at: datetime
    ended_at: datetime | None
    x_bot: str | None
    o_bot: str | None
    bot_to_move: bool
    hints: int
    analysis_due: bool
    started_at: datetime | None
    days_a_move: int | None
    lists_when_joined: bool
    takeback_asked_by: str | None
    challenged_player_id: int | None
    previous_id: str | None
    next_id: str | None
    rated: bool
    takebacks: int
    rating_number: int | None
    tournament_id: str | None
    x_shows_messages: bool
    o_shows_messages: bool
    x_player_name: str | None
    o_player_name: str | None

    @property
    def x_name(self) -> str | None:
        """Who plays X; no player's name has a space, so none can pass for a bot."""
        return f"{self.x_bot} bot" if self.x_bot else _known(self.x_player_name)

    @property
    def o_name(self) -> str | None:
        """Who plays O."""
        return f"{self.o_bot} bot" if self.o_bot else _known(self.o_player_name)


def _known(name: str | None) -> str | None:
    # A player who was erased has no name any more.
    return "a former player" if name == "" else name


@dataclass(frozen=True)
class StoredMove:
    """The move that made a game `ply` moves long, and whose it was.

    `takebacks` tells it from moves of that number that were taken back before; a `planned` move was
    typed in advance.
    """

    ply: int
    side: str
    move: str
    played_at: datetime
    takebacks: int = 0
    planned: bool = False


_X = players.alias("x_players")
_O = players.alias("o_players")
GAME = (
    select(*games.c, _X.c.name.label("x_player_name"), _O.c.name.label("o_player_name"))
    .outerjoin_from(games, _X, _X.c.id == games.c.x_player_id)
    .outerjoin(_O, _O.c.id == games.c.o_player_id)
)
"""What `StoredGame`s are made of."""

# Statements of every page are made once: making one costs more than running it.
_BY_ID = GAME.where(games.c.id == bindparam("game_id"))
# With `key_share` nobody waits who stores what only refers to the game: they may hold what whoever
# holds the game wants next. A row that is changed twice in a transaction is stored so, too.
_BY_ID_TO_CHANGE = _BY_ID.with_for_update(of=games, key_share=True)
_BY_ID_WITH_VISITOR = (
    GAME.add_columns(*PLAYER_COLUMNS)
    .outerjoin(certificates, certificates.c.fingerprint == bindparam("fingerprint"))
    .outerjoin(players, players.c.id == certificates.c.player_id)
    .where(games.c.id == bindparam("game_id"))
)
MOVE_COLUMNS = (
    moves.c.ply,
    moves.c.side,
    moves.c.move,
    moves.c.played_at,
    moves.c.takebacks,
    moves.c.planned,
)
"""What a `StoredMove` is made of."""

_MOVES = (
    select(*MOVE_COLUMNS)
    .where(
        moves.c.game_id == bindparam("game_id"),
        moves.c.ply > bindparam("after"),
        moves.c.ply <= bindparam("up_to"),
    )
    .order_by(moves.c.ply)
)


def game_by_id(
    connection: Connection, game_id: str, *, to_change: bool = False
) -> StoredGame | None:
    """Return the game, or None where there is none of this id.

    `to_change` keeps others from changing it until the transaction ends.
    """
    statement = _BY_ID_TO_CHANGE if to_change else _BY_ID
    row: Sequence[Any] | None = connection.execute(statement, {"game_id": game_id}).first()
    return StoredGame(*row) if row else None


def game_and_visitor(
    connection: Connection, game_id: str, fingerprint: str
) -> tuple[StoredGame | None, Player | None]:
    """Return the game and the player with this certificate, None where there is no such.

    One statement for what the page of a game always needs: it is the page that is asked for most.
    The player is found with the game only.
    """
    which = {"game_id": game_id, "fingerprint": fingerprint}
    row: Sequence[Any] | None = connection.execute(_BY_ID_WITH_VISITOR, which).first()
    if row is None:
        return None, None
    game, player = row[: -len(PLAYER_COLUMNS)], row[-len(PLAYER_COLUMNS) :]
    return StoredGame(*game), None if player[0] is None else Player(*player)


def add_game(connection: Connection, **values: Any) -> None:  # noqa: ANN401 - columns vary
    """Store a new game; `values` are columns of the table."""
    connection.execute(insert(games).values(**values))


def change_game(connection: Connection, game_id: str, **values: Any) -> None:  # noqa: ANN401
    """Set columns of a game."""
    connection.execute(update(games).where(games.c.id == game_id).values(**values))


def add_move(connection: Connection, game_id: str, move: StoredMove) -> None:
    """Store a move of the game.

    Raises sqlalchemy's IntegrityError where that move has been made.
    """
    connection.execute(
        insert(moves).values(
            game_id=game_id,
            ply=move.ply,
            side=move.side,
            move=move.move,
            played_at=move.played_at,
            takebacks=move.takebacks,
            planned=move.planned,
        )
    )


def remove_moves(connection: Connection, game_id: str, *, after: int) -> None:
    """Remove the moves that came after `after` plies."""
    connection.execute(delete(moves).where(moves.c.game_id == game_id, moves.c.ply > after))


def moves_of(
    connection: Connection, game_id: str, *, after: int = 0, up_to: int
) -> Sequence[StoredMove]:
    """Return the game's moves in order, from the one after `after` plies to that of `up_to`."""
    which = {"game_id": game_id, "after": after, "up_to": up_to}
    rows: Sequence[Sequence[Any]] = connection.execute(_MOVES, which).all()
    return [StoredMove(*row) for row in rows]


def count_unfinished(connection: Connection, player_id: int, *, against_bots: bool = False) -> int:
    """Return how many games the player has a seat in that have not ended."""
    statement = select(func.count()).where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status.in_(("waiting", "challenged", "playing")),
    )
    if against_bots:
        statement = statement.where(or_(games.c.x_bot.is_not(None), games.c.o_bot.is_not(None)))
    return connection.execute(statement).scalar_one()


def games_of_tournament(connection: Connection, tournament_id: str) -> Sequence[StoredGame]:
    """Return the games of a tournament."""
    statement = GAME.where(games.c.tournament_id == tournament_id)
    return read_games(connection, statement)


def rated_games(connection: Connection, after: int, most: int) -> Sequence[StoredGame]:
    """Return games that changed ratings, in the order of their numbers, from the one `after` on."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return read_games(connection, statement.limit(most))


def read_games(connection: Connection, statement: Select[Any]) -> Sequence[StoredGame]:
    """Return the games that a statement made of `GAME` finds."""
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [StoredGame(*row) for row in rows]
