"""Reading and writing everyone's games and the votes for their moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa

from capsule.db.expressions import save
from capsule.db.mapper import Mapper
from capsule.db.schema.games import everyones_games, everyones_votes, games
from capsule.everyone.model import Ballot, EveryonesGame, ResultTally, Vote, VotedMove
from capsule.games import queries as game_queries

_GAME = Mapper(EveryonesGame, everyones_games, stored=game_queries.STORED_GAME)
_SCORE = Mapper(ResultTally, everyones_games)
_CAST_VOTE = Mapper(Vote, everyones_votes)
_GAMES = game_queries.GAME.with_only_columns(*_GAME.columns).join_from(
    games, everyones_games, everyones_games.c.game_id == games.c.id
)
_OF_NUMBER = _GAMES.where(everyones_games.c.number == sa.bindparam("number"))
_OLDEST_VOTE = sa.func.min(everyones_votes.c.cast_at, type_=everyones_votes.c.cast_at.type)
_VOTES = sa.func.count()
_BALLOT = (
    sa.select(everyones_votes.c.move, _VOTES.label("votes"), _OLDEST_VOTE.label("since"))
    .where(
        everyones_votes.c.game_id == sa.bindparam("game_id"),
        everyones_votes.c.ply == sa.bindparam("ply"),
        everyones_votes.c.move != "",
    )
    .group_by(everyones_votes.c.move)
    .order_by(_VOTES.desc(), _OLDEST_VOTE, everyones_votes.c.move)
)
_VOTES_SINCE = sa.select(*_CAST_VOTE.columns, everyones_votes.c.ply).where(
    everyones_votes.c.game_id == sa.bindparam("game_id"),
    everyones_votes.c.ply >= sa.bindparam("ply"),
    everyones_votes.c.player_id == sa.bindparam("player_id"),
)


def newest_game(connection: sa.Connection, *, to_change: bool = False) -> EveryonesGame | None:
    """Return the game with the highest number; None if there is none.

    With `to_change`, nobody else can change it until the transaction ends.
    """
    newest = next(iter(newest_games(connection, 1)), None)
    if newest is None or not to_change:
        return newest
    stored = game_queries.game_by_id(connection, newest.stored.id, to_change=True)
    return None if stored is None else replace(newest, stored=stored)


def game_of_number(connection: sa.Connection, number: int) -> EveryonesGame | None:
    """Return the game with a number, None if there is none."""
    return _GAME.fetch_first(connection, _OF_NUMBER, {"number": number})


def newest_games(
    connection: sa.Connection, limit: int, *, before: int | None = None
) -> Sequence[EveryonesGame]:
    """Return up to `limit` games, the highest numbers first: all, or those `before` a number."""
    newest = _GAMES.order_by(everyones_games.c.number.desc()).limit(limit)
    if before is not None:
        newest = newest.where(everyones_games.c.number < before)
    return _GAME.fetch_all(connection, newest)


def add_game(connection: sa.Connection, number: int, game_id: str, before: ResultTally) -> None:
    """Store the number of a game; the transaction meets a `Conflict` if another has it."""
    values = {"number": number, "game_id": game_id, **_SCORE.values(before)}
    connection.execute(sa.insert(everyones_games), values)


def ballot_of(connection: sa.Connection, game_id: str, ply: int) -> Ballot:
    """Return the votes for a game's move with a number."""
    rows = connection.execute(_BALLOT, {"game_id": game_id, "ply": ply})
    return Ballot([VotedMove(*row) for row in rows])


def votes_since(
    connection: sa.Connection, game_id: str, ply: int, player_id: int
) -> Mapping[int, Vote]:
    """Return a player's last votes for a game's moves, from number `ply`, by their numbers."""
    rows = connection.execute(
        _VOTES_SINCE, {"game_id": game_id, "ply": ply, "player_id": player_id}
    )
    return {row.ply: _CAST_VOTE.read(row) for row in rows}


def vote_of(connection: sa.Connection, game_id: str, ply: int, player_id: int) -> Vote | None:
    """Return a player's last vote for a game's next move, `ply`; None if they never voted."""
    return votes_since(connection, game_id, ply, player_id).get(ply)


def save_vote(
    connection: sa.Connection, game_id: str, ply: int, player_id: int, vote: Vote
) -> None:
    """Store a player's vote in the place of their last one for the same move of the game."""
    key = {"game_id": game_id, "ply": ply, "player_id": player_id}
    save(connection, everyones_votes, {**key, **_CAST_VOTE.values(vote)})


def withdraw_votes(connection: sa.Connection, player_id: int) -> None:
    """Withdraw a player's votes that have not been counted."""
    counted = (
        sa.select(games.c.ply).where(games.c.id == everyones_votes.c.game_id).scalar_subquery()
    )
    connection.execute(
        sa.update(everyones_votes)
        .where(everyones_votes.c.player_id == player_id, everyones_votes.c.ply > counted)
        .values(move="")
    )
