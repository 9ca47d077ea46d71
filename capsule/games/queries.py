"""Reading and writing games and their moves."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from capsule.accounts.player_queries import PLAYER_COLUMNS, player_from
from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games, moves
from capsule.db.schema.players import certificates, players
from capsule.games.absent_variant import require_loaded, variant_called
from capsule.games.model import Seat, StoredGame, StoredMove
from capsule.games.status import DECIDED, RUNNING, GameStatus
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Select

    from capsule.accounts.model import Player


_X = players.alias("x_players")
_O = players.alias("o_players")
GAME = (
    select(
        *games.c,
        _X.c.name.label("x_player_name"),
        _X.c.program_since.label("x_program_since"),
        _O.c.name.label("o_player_name"),
        _O.c.program_since.label("o_program_since"),
    )
    .outerjoin_from(games, _X, _X.c.id == games.c.x_player_id)
    .outerjoin(_O, _O.c.id == games.c.o_player_id)
)
"""The columns from which `StoredGame`s are made."""

# Statements that every page needs are built once: building one costs more than running it.
_BY_ID = GAME.where(games.c.id == bindparam("game_id"))
# With `key_share`, transactions that only store references to the game need not wait: they may hold
# locks that the holder of the game needs next. A second update of a row in one transaction checks
# its references again, so it profits, too.
_BY_ID_TO_CHANGE = _BY_ID.with_for_update(of=games, key_share=True)
_VISITOR = "visitor_"
_BY_ID_WITH_VISITOR = (
    GAME.add_columns(*(column.label(f"{_VISITOR}{column.name}") for column in PLAYER_COLUMNS))
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
"""The columns from which a `StoredMove` is made."""

_MOVES = (
    select(*MOVE_COLUMNS)
    .where(
        moves.c.game_id == bindparam("game_id"),
        moves.c.ply > bindparam("after"),
        moves.c.ply <= bindparam("up_to"),
    )
    .order_by(moves.c.ply)
)


_ADD_MOVE = insert(moves)
_SAVE = update(games).where(games.c.id == bindparam("saved_id"))


def game_by_id(
    connection: Connection, game_id: str, *, to_change: bool = False
) -> StoredGame | None:
    """Return the game with this id, or None; raises `NotAtPresent` if its variant is not loaded.

    With `to_change`, nobody else can change it until the transaction ends.
    """
    statement = _BY_ID_TO_CHANGE if to_change else _BY_ID
    row = connection.execute(statement, {"game_id": game_id}).first()
    return _shown_game(row) if row else None


def game_and_visitor(
    connection: Connection, game_id: str, fingerprint: str
) -> tuple[StoredGame | None, Player | None]:
    """Return the game with this id and the player with this certificate, each None if missing.

    One statement reads both, since every request for a game's page, the most popular one, needs
    them. Without the game, the player is not looked for. Raises `NotAtPresent` if the variant is
    not loaded.
    """
    keys = {"game_id": game_id, "fingerprint": fingerprint}
    row = connection.execute(_BY_ID_WITH_VISITOR, keys).first()
    if row is None:
        return None, None
    has_visitor = getattr(row, f"{_VISITOR}id") is not None
    return _shown_game(row), player_from(row, _VISITOR) if has_visitor else None


def turn_counters(connection: Connection, game_ids: Collection[str]) -> Mapping[str, int]:
    """Return the turn counters of the games with these ids, of those that there are."""
    statement = select(games.c.id, games.c.turn_counter).where(games.c.id.in_(game_ids))
    return {row.id: row.turn_counter for row in connection.execute(statement)}


def add_game(connection: Connection, game: StoredGame) -> None:
    """Store a new game; an open seat that is listed gets its place among those of its player."""
    if game.is_offered:
        game = replace(game, precedence=_next_precedence(connection, game))
    connection.execute(insert(games).values(**_columns(game)))


def save_changes(connection: Connection, before: StoredGame, after: StoredGame) -> None:
    """Store the columns in which a game differs from what was read.

    Where an open seat was listed and is no more, the player's last one moves up to its place.
    """
    if not after.is_offered:
        after = replace(after, precedence=None)
    old, new = _columns(before), _columns(after)
    changed = {name: value for name, value in new.items() if old[name] != value}
    if changed:
        connection.execute(_SAVE, changed | {"saved_id": before.id})
    if before.precedence is not None and after.precedence is None:
        _move_last_seat_up(connection, before)


def _next_precedence(connection: Connection, game: StoredGame) -> int:
    taken = {row.precedence for row in connection.execute(_seats_offered_with(game))}
    return next(-number for number in count() if -number not in taken)


def _move_last_seat_up(connection: Connection, before: StoredGame) -> None:
    # A seat that somebody is just taking is left out: nobody waits for a place in a list.
    statement = _seats_offered_with(before).with_for_update(skip_locked=True)
    rows = [row for row in connection.execute(statement) if row.precedence is not None]
    last = min(rows, key=lambda row: row.precedence, default=None)
    if last is not None and last.precedence < before.precedence:
        moved = update(games).where(games.c.id == last.id)
        connection.execute(moved.values(precedence=before.precedence))


def _seats_offered_with(game: StoredGame) -> Select[str, int | None]:
    """Return the statement of the listed open seats of the player who offers one in a game."""
    player_id = game.x.player_id or game.o.player_id
    return select(games.c.id, games.c.precedence).where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status == GameStatus.WAITING,
        games.c.listed,
    )


def seats_taken_by(player_id: int) -> Select[datetime]:
    """Return the statement of the times at which a player took open seats."""
    return select(games.c.started_at).where(games.c.seat_taken_by == player_id)


def clear_analysis_due(connection: Connection, game_id: str) -> None:
    """Note that the analysis of a game is no longer due."""
    connection.execute(update(games).where(games.c.id == game_id).values(analysis_due=False))


def add_move(connection: Connection, game_id: str, move: StoredMove) -> None:
    """Store a move of the game.

    The transaction meets a `Conflict` if the game already has a move of that number.
    """
    connection.execute(_ADD_MOVE, _move_columns(game_id, move))


def add_moves(connection: Connection, game_id: str, made: Sequence[StoredMove]) -> None:
    """Store several moves of the game."""
    if made:
        connection.execute(_ADD_MOVE, [_move_columns(game_id, move) for move in made])


def remove_moves(connection: Connection, game_id: str, *, after: int) -> None:
    """Delete the game's moves after the first `after`."""
    connection.execute(delete(moves).where(moves.c.game_id == game_id, moves.c.ply > after))


def moves_of(
    connection: Connection, game_id: str, *, after: int = 0, up_to: int
) -> Sequence[StoredMove]:
    """Return the game's moves in order: those numbered above `after`, up to `up_to`."""
    parameters = {"game_id": game_id, "after": after, "up_to": up_to}
    return [move_from(row) for row in connection.execute(_MOVES, parameters)]


def count_unfinished(connection: Connection, player_id: int, *, against_bots: bool = False) -> int:
    """Return the number of a player's unfinished games: all, or only those `against_bots`."""
    statement = select(func.count()).where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status.in_(RUNNING),
        is_present(games.c.variant),
    )
    if against_bots:
        statement = statement.where(or_(games.c.x_bot.is_not(None), games.c.o_bot.is_not(None)))
    return connection.execute(statement).scalar_one()


def has_decided_game(connection: Connection, player_id: int) -> bool:
    """Return whether some game of a player has ended with a result."""
    found = [
        select(games.c.id).where(seat == player_id, games.c.status.in_(DECIDED)).exists()
        for seat in (games.c.x_player_id, games.c.o_player_id)
    ]
    return connection.execute(select(or_(*found))).scalar_one()


def count_offered(connection: Connection, player_id: int) -> int:
    """Return the number of listed games in which a player waits for anyone to take a seat."""
    statement = select(func.count()).where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status == GameStatus.WAITING,
        games.c.listed,
        is_present(games.c.variant),
    )
    return connection.execute(statement).scalar_one()


def challenge_declined_since(
    connection: Connection, players_apart: tuple[int, int], since: datetime
) -> datetime | None:
    """Return when one of two players has last declined a challenge of the other's after `since`."""
    one, other = players_apart
    declined = [
        select(games.c.ended_at).where(
            games.c.declined,
            games.c.challenged_player_id == challenged,
            games.c.ended_at > since,
            or_(games.c.x_player_id == challenger, games.c.o_player_id == challenger),
        )
        for challenger, challenged in ((one, other), (other, one))
    ]
    times = union_all(*declined).subquery()
    last: datetime | None = connection.execute(select(func.max(times.c.ended_at))).scalar_one()
    return last


def count_rated_together(connection: Connection, game: StoredGame, since: datetime) -> int:
    """Return how many games of the two players of a game may count that began at `since` or later.

    They are rated, of the same variant, and nothing has kept them from counting yet.
    """
    x, o = game.x.player_id, game.o.player_id
    pairs = [
        (games.c.x_player_id == first) & (games.c.o_player_id == second)
        for first, second in ((x, o), (o, x))
    ]
    statement = select(func.count()).where(
        games.c.rated,
        or_(*pairs),
        games.c.variant == game.variant.key,
        games.c.started_at >= since,
        games.c.surplus.is_(False),
        games.c.start_ply == 0,
        games.c.takebacks == 0,
        games.c.status != GameStatus.ABORTED,
    )
    return connection.execute(statement).scalar_one()


def games_of_tournament(connection: Connection, tournament_id: str) -> Sequence[StoredGame]:
    """Return the games of a tournament."""
    return read_games(connection, GAME.where(games.c.tournament_id == tournament_id))


def games_with(
    connection: Connection, ids: Collection[str], *, to_change: bool = False
) -> Sequence[StoredGame]:
    """Return the games with these ids in the order of their ids, those of absent variants too.

    With `to_change`, nobody else can change them until the transaction ends. Raises `ValueError` if
    a game's status or a side is none that there is.
    """
    statement = GAME.where(games.c.id.in_(ids)).order_by(games.c.id)
    if to_change:
        statement = statement.with_for_update(of=games, key_share=True)
    return read_games(connection, statement)


def all_games_of_player(
    connection: Connection, player_id: int, statuses: Collection[GameStatus]
) -> Sequence[StoredGame]:
    """Return every game of a player with one of these statuses, latest move first.

    Those of absent variants are among them: this is for what must leave out none.
    """
    statement = GAME.where(
        or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status.in_(statuses),
    )
    return read_games(connection, statement.order_by(games.c.moved_at.desc(), games.c.id.desc()))


def all_unfinished_ids(connection: Connection, player_id: int) -> Collection[str]:
    """Return the ids of all running games of a player and of all challenges to them.

    Those of absent variants are among them.
    """
    is_challenge = games.c.status == GameStatus.CHALLENGED
    statement = select(games.c.id).where(
        or_(
            games.c.x_player_id == player_id,
            games.c.o_player_id == player_id,
            is_challenge & (games.c.challenged_player_id == player_id),
        ),
        games.c.status.in_(RUNNING),
    )
    return connection.execute(statement).scalars().all()


def rated_games(connection: Connection, after: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games that changed ratings, in order, with numbers above `after`."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return read_games(connection, statement.limit(limit))


def read_games(
    connection: Connection, statement: Select[Any], values: Mapping[str, object] | None = None
) -> Sequence[StoredGame]:
    """Return the games that a statement derived from `GAME` selects, given its parameters."""
    return [game_from(row) for row in connection.execute(statement, values or {})]


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


def _shown_game(row: Row[*tuple[Any, ...]]) -> StoredGame:
    game = game_from(row)
    require_loaded(game.variant)
    return game


def game_from(row: Row[*tuple[Any, ...]]) -> StoredGame:
    """Return the game that a row of `GAME` holds; `_columns` is the inverse."""
    return StoredGame(
        id=row.id,
        variant=variant_called(row.variant),
        x=Seat(
            player_id=row.x_player_id,
            player_name=row.x_player_name,
            bot=row.x_bot,
            draw_offered_at_turn=row.x_offered_at_turn,
            takeback_asked_at_turn=row.x_takeback_asked_at_turn,
            shows_messages=row.x_shows_messages,
            is_program=row.x_program_since is not None,
        ),
        o=Seat(
            player_id=row.o_player_id,
            player_name=row.o_player_name,
            bot=row.o_bot,
            draw_offered_at_turn=row.o_offered_at_turn,
            takeback_asked_at_turn=row.o_takeback_asked_at_turn,
            shows_messages=row.o_shows_messages,
            is_program=row.o_program_since is not None,
        ),
        status=GameStatus(row.status),
        turn=Side(row.turn),
        created_at=row.created_at,
        moved_at=row.moved_at,
        ply=row.ply,
        turn_counter=row.turn_counter,
        winner=_side(row.winner),
        points=None if row.x_points is None else (row.x_points, row.o_points),
        draw_offered_by=_side(row.draw_offered_by),
        takeback_asked_by=_side(row.takeback_asked_by),
        draw_offered_at=row.draw_offered_at,
        takeback_asked_at=row.takeback_asked_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        bot_to_move=row.bot_to_move,
        hints=row.hints,
        takebacks=row.takebacks,
        analysis_due=row.analysis_due,
        listed=row.listed,
        lists_when_joined=row.lists_when_joined,
        days_per_move=row.days_a_move,
        rated=row.rated,
        surplus=row.surplus,
        rating_number=row.rating_number,
        precedence=row.precedence,
        seat_taken_by=row.seat_taken_by,
        challenged_player_id=row.challenged_player_id,
        declined=row.declined,
        previous_id=row.previous_id,
        next_id=row.next_id,
        tournament_id=row.tournament_id,
        start_ply=row.start_ply,
    )


def _move_columns(game_id: str, move: StoredMove) -> dict[str, object]:
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


def _columns(game: StoredGame) -> dict[str, object]:
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
        "listed": game.listed,
        "lists_when_joined": game.lists_when_joined,
        "days_a_move": game.days_per_move,
        "rated": game.rated,
        "surplus": game.surplus,
        "rating_number": game.rating_number,
        "precedence": game.precedence,
        "seat_taken_by": game.seat_taken_by,
        "challenged_player_id": game.challenged_player_id,
        "declined": game.declined,
        "previous_id": game.previous_id,
        "next_id": game.next_id,
        "tournament_id": game.tournament_id,
        "start_ply": game.start_ply,
    }


def _side(letter: str | None) -> Side | None:
    return None if letter is None else Side(letter)
