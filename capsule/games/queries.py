"""Queries for games, their moves, the players' plans, and absent variants."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count, islice
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from capsule.accounts.queries import USER_COLUMNS, User, read_user
from capsule.db.mapper import Mapper, Stored
from capsule.db.schema.games import absent_variants, games, moves, plans
from capsule.db.schema.players import certificates, players
from capsule.db.schema.tournaments import tournaments
from capsule.games import model
from capsule.games.model import StoredGame, StoredMove
from engine import Side, Variant

_X = players.alias("x_players")
_O = players.alias("o_players")
_CHALLENGED = players.alias("challenged_players")


def variant_stored(column: sa.Column[str]) -> Stored:
    """Return the storage of a variant: its key, which can be read even if it is not loaded."""
    return Stored((column,), model.variant_called, attrgetter("key"))


def _seat(side: Side, player: sa.FromClause) -> Mapper[model.Seat]:
    letter = side.value.lower()
    return Mapper(
        model.Seat,
        games,
        player_id=games.c[f"{letter}_player_id"],
        player_name=player.c.name,
        bot=games.c[f"{letter}_bot"],
        draw_offered_at_turn=games.c[f"{letter}_offered_at_turn"],
        takeback_asked_at_turn=games.c[f"{letter}_takeback_asked_at_turn"],
        shows_messages=games.c[f"{letter}_shows_messages"],
        is_program=player.c.program_since.is_not(None),
        is_everyones=games.c.everyones_side.is_not_distinct_from(side.value),
        is_struck_out=None,
    )


_UNSTORED_FOR_CHALLENGED = (
    "bot",
    "draw_offered_at_turn",
    "takeback_asked_at_turn",
    "shows_messages",
    "is_everyones",
    "is_struck_out",
)


STORED_GAME = Mapper(
    StoredGame,
    games,
    variant=variant_stored(games.c.variant),
    x=_seat(Side.X, _X),
    o=_seat(Side.O, _O),
    points=Stored((games.c.x_points, games.c.o_points), model.points_of, tuple),
    days_per_move=games.c.days_a_move,
    challenged=Mapper(
        model.Seat,
        games,
        player_id=games.c.challenged_player_id,
        player_name=_CHALLENGED.c.name,
        is_program=_CHALLENGED.c.program_since.is_not(None),
        **dict.fromkeys(_UNSTORED_FOR_CHALLENGED),
    ),
)
GAME = (
    STORED_GAME.select.outerjoin_from(games, _X, _X.c.id == games.c.x_player_id)
    .outerjoin(_O, _O.c.id == games.c.o_player_id)
    .outerjoin(_CHALLENGED, _CHALLENGED.c.id == games.c.challenged_player_id)
)
"""The statement that selects stored games; callers may add columns at the end."""

STORED_MOVE = Mapper(StoredMove, moves)


def next_precedence(connection: sa.Connection, game: StoredGame) -> int:
    """Return the precedence of a player's new open seat: the first of 0, −1 … that is free."""
    taken = {row.precedence for row in connection.execute(_seats_offered_with(game))}
    return next(-number for number in count() if -number not in taken)


def move_last_seat_up(connection: sa.Connection, before: StoredGame) -> None:
    """Give the precedence of a seat that is no longer listed to the player's last listed seat."""
    # A locked seat is being taken: it is skipped, since its precedence is not worth a wait.
    statement = _seats_offered_with(before).with_for_update(skip_locked=True)
    rows = [row for row in connection.execute(statement) if row.precedence is not None]
    last = min(rows, key=lambda row: row.precedence, default=None)
    if last is not None and last.precedence < before.precedence:
        moved = sa.update(games).where(games.c.id == last.id)
        connection.execute(moved.values(precedence=before.precedence))


def _seats_offered_with(game: StoredGame) -> sa.Select[str, int | None]:
    """Return the statement that selects all listed open seats of a game's player."""
    player_id = game.x.player_id or game.o.player_id
    return sa.select(games.c.id, games.c.precedence).where(
        sa.or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id),
        games.c.status == model.GameStatus.WAITING,
        games.c.listed,
    )


# Statements that every page needs are built once: building one costs more than running it.
_BY_ID = GAME.where(games.c.id == sa.bindparam("game_id"))
# `key_share` does not block transactions that only store references to the game: they may hold
# locks that this transaction needs next. A second update of a row in one transaction checks its
# foreign keys again, and is not blocked either.
_BY_ID_TO_CHANGE = _BY_ID.with_for_update(of=games, key_share=True)
_BY_ID_WITH_USER = (
    GAME.add_columns(*USER_COLUMNS)
    .outerjoin(certificates, certificates.c.fingerprint == sa.bindparam("fingerprint"))
    .outerjoin(players, players.c.id == certificates.c.player_id)
    .where(games.c.id == sa.bindparam("game_id"))
)
MAX_LATEST = 50
"""The number of a player's latest games that are searched, for each status and side."""

_LATEST = [
    sa.select(games.c.variant)
    .where(seat == sa.bindparam("player_id"), games.c.status == status)
    .order_by(games.c.moved_at.desc())
    .limit(MAX_LATEST)
    .subquery()
    for status in sorted(model.DECIDED)
    for seat in (games.c.x_player_id, games.c.o_player_id)
]
_HAS_DECIDED_GAME = sa.union_all(*map(sa.select, _LATEST)).limit(1)
# Only the latest games are searched, to bound the cost: a variant that the player has not played
# for that long may be explained again.
_HAS_DECIDED_GAME_OF_VARIANT = sa.union_all(
    *(sa.select(each).where(each.c.variant == sa.bindparam("variant")) for each in _LATEST)
).limit(1)
_MOVES = STORED_MOVE.select.where(
    moves.c.game_id == sa.bindparam("game_id"),
    moves.c.ply > sa.bindparam("after"),
    moves.c.ply <= sa.bindparam("up_to"),
).order_by(moves.c.ply)
_GAMES_AT_ONCE = 250
"""The number of games whose moves one statement reads."""

_ADD_MOVE = sa.insert(moves)
_SAVE = sa.update(games).where(games.c.id == sa.bindparam("saved_id"))


def game_by_id(
    connection: sa.Connection, game_id: str, *, to_change: bool = False
) -> StoredGame | None:
    """Return the game with this id, or None; raises `NotAtPresent` if its variant is not loaded.

    With `to_change`, nobody else can change it until the transaction ends.
    """
    statement = _BY_ID_TO_CHANGE if to_change else _BY_ID
    row = connection.execute(statement, {"game_id": game_id}).first()
    return _shown_game(row) if row else None


def game_and_user(
    connection: sa.Connection, game_id: str, fingerprint: str
) -> tuple[StoredGame | None, User | None]:
    """Return the game with this id and the user of this certificate, each None if missing.

    One statement reads both, since every game's page and every move needs them. If the game is
    missing, so is the user. Raises `NotAtPresent` if the variant is not loaded.
    """
    keys = {"game_id": game_id, "fingerprint": fingerprint}
    row = connection.execute(_BY_ID_WITH_USER, keys).first()
    if row is None:
        return None, None
    return _shown_game(row), read_user(row[len(STORED_GAME.columns) :])


def versions(connection: sa.Connection, game_ids: Collection[str]) -> Mapping[str, model.Version]:
    """Return the versions of the games with these ids; missing games are left out."""
    columns = (
        games.c.turn_counter,
        games.c.status,
        games.c.draw_offered_by,
        games.c.takeback_asked_by,
    )
    statement = sa.select(games.c.id, *columns).where(games.c.id.in_(game_ids))
    return {game_id: (*version,) for game_id, *version in connection.execute(statement)}


def add_game(connection: sa.Connection, game: StoredGame) -> None:
    """Store a new game, and give a listed open seat its precedence."""
    if game.is_offered:
        game = replace(game, precedence=next_precedence(connection, game))
    side = game.everyones_side
    values = STORED_GAME.values(game) | {"everyones_side": side and side.value}
    connection.execute(sa.insert(games), values)


def save_changes(connection: sa.Connection, before: StoredGame, after: StoredGame) -> None:
    """Store the columns of a game that have changed since it was read.

    If its open seat is no longer listed, the player's last listed seat takes its precedence.
    """
    if after.precedence is not None and not after.is_offered:
        after = replace(after, precedence=None)
    if changed := STORED_GAME.changed(before, after):
        connection.execute(_SAVE, changed | {"saved_id": before.id})
    if before.precedence is not None and after.precedence is None:
        move_last_seat_up(connection, before)


def clear_analysis_due(connection: sa.Connection, game_id: str) -> None:
    """Record that the analysis of a game is no longer due."""
    connection.execute(sa.update(games).where(games.c.id == game_id).values(analysis_due=False))


def add_moves(connection: sa.Connection, game_id: str, made: Sequence[StoredMove]) -> None:
    """Store moves of the game.

    The transaction raises `Conflict` if the game already has a move with one of these numbers.
    """
    if made:
        rows = [{"game_id": game_id, **STORED_MOVE.values(move)} for move in made]
        connection.execute(_ADD_MOVE, rows)


def remove_moves(connection: sa.Connection, game_id: str, *, after: int) -> None:
    """Delete the game's moves after the first `after`."""
    connection.execute(sa.delete(moves).where(moves.c.game_id == game_id, moves.c.ply > after))


def moves_of(
    connection: sa.Connection, game_id: str, *, after: int = 0, up_to: int
) -> Sequence[StoredMove]:
    """Return the game's moves in order: those numbered above `after`, up to `up_to`."""
    parameters = {"game_id": game_id, "after": after, "up_to": up_to}
    return STORED_MOVE.fetch_all(connection, _MOVES, parameters)


def moves_of_games(
    connection: sa.Connection, plies: Mapping[str, tuple[int, int]]
) -> Mapping[str, Sequence[StoredMove]]:
    """Return moves of games in order, by game id.

    `plies` has two numbers for each game: its moves after the first are read, up to the second.
    """
    found: dict[str, list[StoredMove]] = {game_id: [] for game_id in plies}
    wanted = iter((game_id, *span) for game_id, span in plies.items() if span[0] < span[1])
    while batch := [*islice(wanted, _GAMES_AT_ONCE)]:
        spans = (
            sa.and_(moves.c.game_id == game_id, moves.c.ply > after, moves.c.ply <= up_to)
            for game_id, after, up_to in batch
        )
        statement = sa.select(moves.c.game_id, *STORED_MOVE.columns).where(sa.or_(*spans))
        for row in connection.execute(statement.order_by(moves.c.game_id, moves.c.ply)):
            found[row.game_id].append(STORED_MOVE.read(row[1:]))
    return found


def has_decided_game(
    connection: sa.Connection, player_id: int, variant: Variant | None = None
) -> bool:
    """Return whether a game of a player has ended with a result.

    With `variant`, the game must be of that variant and among the player's latest.
    """
    statement = _HAS_DECIDED_GAME if variant is None else _HAS_DECIDED_GAME_OF_VARIANT
    values = {"player_id": player_id, "variant": variant and variant.key}
    return connection.execute(statement, values).first() is not None


def challenge_declined_since(
    connection: sa.Connection, pair: tuple[int, int], since: datetime
) -> datetime | None:
    """Return when either player last declined the other's challenge, if that was after `since`."""
    # The player who declined has no seat, so a seat held by either of them is the challenger's.
    statement = sa.select(sa.func.max(games.c.ended_at)).where(
        games.c.declined,
        games.c.challenged_player_id.in_(pair),
        games.c.ended_at > since,
        sa.or_(games.c.x_player_id.in_(pair), games.c.o_player_id.in_(pair)),
    )
    last: datetime | None = connection.execute(statement).scalar_one()
    return last


def games_of_tournament(connection: sa.Connection, tournament_id: str) -> Sequence[StoredGame]:
    """Return the games of a tournament."""
    return STORED_GAME.fetch_all(connection, GAME.where(games.c.tournament_id == tournament_id))


def games_with(
    connection: sa.Connection, ids: Collection[str], *, to_change: bool = False
) -> Sequence[StoredGame]:
    """Return the games with these ids, ordered by id, including games of absent variants.

    With `to_change`, nobody else can change them until the transaction ends. Raises `ValueError` if
    a stored status or side is unknown.
    """
    statement = GAME.where(games.c.id.in_(ids)).order_by(games.c.id)
    if to_change:
        statement = statement.with_for_update(of=games, key_share=True)
    return STORED_GAME.fetch_all(connection, statement)


def all_games_of_player(connection: sa.Connection, player_id: int) -> Sequence[StoredGame]:
    """Return every game of a player, latest move first.

    Games of absent variants are included, for callers that must not miss any.
    """
    statement = GAME.where(
        sa.or_(games.c.x_player_id == player_id, games.c.o_player_id == player_id)
    )
    return STORED_GAME.fetch_all(
        connection, statement.order_by(games.c.moved_at.desc(), games.c.id.desc())
    )


def all_unfinished_ids(connection: sa.Connection, player_id: int) -> Collection[str]:
    """Return the ids of all running games of a player and of all challenges to the player.

    Games of absent variants are included.
    """
    is_challenge = games.c.status == model.GameStatus.CHALLENGED
    statement = sa.select(games.c.id).where(
        sa.or_(
            games.c.x_player_id == player_id,
            games.c.o_player_id == player_id,
            is_challenge & (games.c.challenged_player_id == player_id),
        ),
        games.c.status.in_(model.RUNNING),
    )
    return connection.execute(statement).scalars().all()


def _shown_game(row: sa.Row[*tuple[Any, ...]]) -> StoredGame:
    game = STORED_GAME.read(row)
    model.require_loaded(game.variant)
    return game


Lines = Sequence[Sequence[str]]


# Built once, since every page of a waiting player and every move needs it.
_PLANS = sa.select(plans.c.side, plans.c.content).where(plans.c.game_id == sa.bindparam("game_id"))


def plans_of(connection: sa.Connection, game_id: str) -> Mapping[Side, Lines]:
    """Return the plans of both sides, by side; a side without a plan is missing."""
    rows = connection.execute(_PLANS, {"game_id": game_id})
    return {Side(row.side): _lines(row.content) for row in rows}


def plans_of_player(connection: sa.Connection, player_id: int) -> Mapping[str, Lines]:
    """Return all lines that a player has planned, by game id."""
    rows = connection.execute(
        sa.select(plans.c.game_id, plans.c.content)
        .join(games, games.c.id == plans.c.game_id)
        .where(
            sa.or_(
                sa.and_(games.c.x_player_id == player_id, plans.c.side == Side.X.value),
                sa.and_(games.c.o_player_id == player_id, plans.c.side == Side.O.value),
            )
        )
        .order_by(plans.c.game_id, plans.c.side.desc())
    )
    found: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        found.setdefault(row.game_id, []).extend(_lines(row.content))
    return found


def save_plan(connection: sa.Connection, game_id: str, side: Side, lines: Lines) -> None:
    """Store a side's plan, replacing any that it had; a plan without lines is deleted."""
    connection.execute(
        sa.delete(plans).where(plans.c.game_id == game_id, plans.c.side == side.value)
    )
    if lines:
        content = "\n".join(" ".join(line) for line in lines)
        connection.execute(
            sa.insert(plans).values(game_id=game_id, side=side.value, content=content)
        )


def delete_plans(connection: sa.Connection, game_id: str) -> None:
    """Delete the plans of both sides."""
    connection.execute(sa.delete(plans).where(plans.c.game_id == game_id))


def _lines(content: str) -> Lines:
    return [tuple(line.split(" ")) for line in content.split("\n")]


def variants_in_use(connection: sa.Connection) -> set[str]:
    """Return the keys of all variants that have games or tournaments."""
    statement = sa.union(sa.select(games.c.variant), sa.select(tournaments.c.variant))
    return set(connection.execute(statement).scalars())


def absent_keys(connection: sa.Connection) -> set[str]:
    """Return the keys of the variants that are recorded as absent."""
    return set(connection.execute(sa.select(absent_variants.c.variant)).scalars())


def add_absence(connection: sa.Connection, variant: str, since: datetime) -> None:
    """Record that a variant is absent."""
    connection.execute(sa.insert(absent_variants).values(variant=variant, since=since))


def end_absence(connection: sa.Connection, variant: str) -> datetime | None:
    """Delete the record of an absence; return when it began, None if another process was faster."""
    statement = sa.delete(absent_variants).where(absent_variants.c.variant == variant)
    return connection.execute(statement.returning(absent_variants.c.since)).scalar_one_or_none()


def running_games_of_variant(connection: sa.Connection, variant: str) -> Sequence[StoredGame]:
    """Return the running games of a variant, locked until the transaction ends."""
    statement = GAME.where(games.c.variant == variant, games.c.status.in_(model.RUNNING))
    locked = statement.order_by(games.c.id).with_for_update(of=games, key_share=True)
    return STORED_GAME.fetch_all(connection, locked)


def delay_tournaments(
    connection: sa.Connection, variant: str, since: datetime, now: datetime
) -> None:
    """Extend the deadlines of a variant's announced tournaments by the length of its absence.

    A start that fell within the absence is postponed by as much; other starts do not change.
    """
    announced = sa.select(
        tournaments.c.id, tournaments.c.created_at, tournaments.c.starts_at
    ).where(tournaments.c.variant == variant, tournaments.c.status == "announced")
    for row in connection.execute(announced).all():
        starts_at = row.starts_at
        if starts_at is not None and since <= starts_at <= now:
            starts_at += now - since
        connection.execute(
            sa.update(tournaments)
            .where(tournaments.c.id == row.id)
            .values(created_at=row.created_at + (now - since), starts_at=starts_at)
        )


def count_by_variant(connection: sa.Connection) -> Mapping[str, int]:
    """Return the number of games of each variant that has any."""
    number = sa.func.count().label("number")
    rows = connection.execute(sa.select(games.c.variant, number).group_by(games.c.variant))
    return {row.variant: row.number for row in rows}


def ids_after(connection: sa.Connection, game_id: str, limit: int) -> Sequence[str]:
    """Return up to `limit` ids of games, in ascending order, after `game_id`."""
    statement = sa.select(games.c.id).where(games.c.id > game_id).order_by(games.c.id).limit(limit)
    return connection.execute(statement).scalars().all()


def rated_games(connection: sa.Connection, after: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games that changed ratings, in order, with numbers above `after`."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return STORED_GAME.fetch_all(connection, statement.limit(limit))
