"""Reading and writing ratings and their history."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from capsule.db.expressions import insertion, save
from capsule.db.mapper import Mapper
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.ratings import counters, first_ratings, former_bots, rating_changes, ratings
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import FormerBot, Holder, Rating, RatingChange
from engine import Side

COUNTER = "rated games"
"""The counter that numbers the games that changed ratings."""


_HOLDER = Mapper(Holder, ratings)
_VALUE = Mapper(Rating, ratings)
_RATING = sa.select(*_HOLDER.columns, *_VALUE.columns)
_AFTER = Mapper(Rating, rating_changes, games=None)
_CHANGE = Mapper(RatingChange, rating_changes, rating=_AFTER)
_FIRST = Mapper(Rating, first_ratings, games=None, opponents=None)
_FORMER_BOT = Mapper(
    FormerBot,
    former_bots,
    holder=Mapper(Holder, former_bots, player_id=sa.null()),
    first=Mapper(Rating, former_bots, games=None, opponents=None),
)

# Statements of the most popular pages are built once: building costs more than executing.
_OF_BOTS, _FIRST_OF_BOTS = (
    table.c.bot.in_(sa.bindparam("bots", expanding=True)) for table in (ratings, first_ratings)
)
# In this order, a bot's current rating overwrites its first rating in `_ratings`.
_RATINGS = (
    sa.select(
        first_ratings.c.variant,
        sa.null(),
        first_ratings.c.bot,
        first_ratings.c.mu,
        first_ratings.c.sigma,
        sa.literal(0).label("games"),
        sa.null(),
    )
    .where(_FIRST_OF_BOTS)
    .union_all(
        _RATING.where(_OF_BOTS),
        _RATING.where(ratings.c.player_id.in_(sa.bindparam("player_ids", expanding=True))),
    )
    .order_by("games")
)
_CHANGES = _AFTER.select.add_columns(rating_changes.c.game_id, rating_changes.c.side).where(
    rating_changes.c.game_id.in_(sa.bindparam("game_ids", expanding=True))
)
_BEFORE = (
    sa.select(rating_changes.c.mu, rating_changes.c.sigma)
    .where(
        rating_changes.c.variant == sa.bindparam("variant"),
        rating_changes.c.number < sa.bindparam("number", type_=sa.Integer),
    )
    .order_by(rating_changes.c.number.desc())
    .limit(1)
)
_BEFORE_OF_PLAYER = _BEFORE.where(
    rating_changes.c.player_id == sa.bindparam("player_id", type_=sa.Integer)
)
_REPLACED = (
    sa.select(sa.func.max(former_bots.c.last_number))
    .where(
        former_bots.c.variant == sa.bindparam("variant"),
        former_bots.c.bot == sa.bindparam("bot"),
        former_bots.c.last_number < sa.bindparam("number", type_=sa.Integer),
    )
    .scalar_subquery()
)
_BEFORE_OF_BOT = _BEFORE.where(
    rating_changes.c.bot == sa.bindparam("bot"),
    rating_changes.c.number > sa.func.coalesce(_REPLACED, 0),
)


def next_number(connection: sa.Connection) -> int:
    """Return the number of the next game that changes ratings.

    Another transaction that calls this waits until this one ends, and then sees its changes: so
    ratings change in the order of these numbers.
    """
    number: int = connection.execute(
        sa.update(counters)
        .where(counters.c.name == COUNTER)
        .values(value=counters.c.value + 1)
        .returning(counters.c.value)
    ).scalar_one()
    return number


def lock_ratings(connection: sa.Connection) -> None:
    """Lock all ratings until the transaction ends.

    Players, tournaments and games are locked first; see `Database.writing`.
    """
    counter = sa.select(counters.c.value).where(counters.c.name == COUNTER)
    connection.execute(counter.with_for_update()).scalar_one()


def have_met(connection: sa.Connection, holders: Mapping[Side, Holder]) -> bool:
    """Return whether two holders have played a game with each other that changed ratings.

    This module reads the table of games itself, since every update of ratings needs the answer.
    """
    x, o = holders[Side.X], holders[Side.O]
    met = [
        sa.select(games.c.id)
        .where(
            games.c.rating_number.is_not(None),
            games.c.variant == x.variant,
            games.c.x_player_id == first.player_id,
            games.c.x_bot == first.bot,
            games.c.o_player_id == second.player_id,
            games.c.o_bot == second.bot,
        )
        .exists()
        for first, second in ((x, o), (o, x))
    ]
    return connection.execute(sa.select(sa.or_(*met))).scalar_one()


def all_first_ratings(connection: sa.Connection) -> Mapping[Holder, Rating]:
    """Return the first ratings of bots whose first rating is not that of a new player."""
    statement = _FIRST.select.add_columns(first_ratings.c.variant, first_ratings.c.bot)
    rows = connection.execute(statement)
    stored = {Holder(row.variant, None, row.bot): _FIRST.read(row) for row in rows}
    return {**measured(), **stored}


def all_former_bots(connection: sa.Connection) -> Sequence[FormerBot]:
    """Return the bots that have been replaced, in the order of their replacement."""
    statement = _FORMER_BOT.select.order_by(former_bots.c.last_number)
    return _FORMER_BOT.fetch_all(connection, statement)


def ensure_first_rating(connection: sa.Connection, bot: Holder, rating: Rating) -> None:
    """Store a bot's first rating, unless one is stored already."""
    statement = insertion(connection, first_ratings).on_conflict_do_nothing()
    connection.execute(statement, _first_row(bot, rating))


def replace_first_rating(connection: sa.Connection, bot: Holder, rating: Rating) -> None:
    """Store a bot's first rating, replacing the stored one."""
    save(connection, first_ratings, _first_row(bot, rating))


def _first_row(bot: Holder, rating: Rating) -> Mapping[str, object]:
    return {"variant": bot.variant, "bot": bot.bot, **_FIRST.values(rating)}


def ratings_of(connection: sa.Connection, holders: Collection[Holder]) -> Mapping[Holder, Rating]:
    """Return the holders' current ratings, or first ratings while no game has counted."""
    player_ids = {holder.player_id for holder in holders if holder.player_id is not None}
    bots = {holder.bot for holder in holders if holder.bot is not None}
    if not holders:
        return {}
    values = {"player_ids": tuple(player_ids), "bots": tuple(bots)}
    found = _ratings(connection, _RATINGS, values)
    measured_ratings = measured() if bots else {}
    return {
        holder: found.get(holder) or measured_ratings.get(holder, holder.beginning)
        for holder in holders
    }


def save_rating(
    connection: sa.Connection, holder: Holder, rating: Rating, changed_at: datetime
) -> None:
    """Store a holder's rating, replacing the previous one."""
    values = {"changed_at": changed_at, **_VALUE.values(rating)}
    changed = connection.execute(
        sa.update(ratings).where(_held_by(holder, ratings)).values(**values)
    )
    if changed.rowcount == 0:
        connection.execute(sa.insert(ratings).values(**_HOLDER.values(holder), **values))


def delete_rating(connection: sa.Connection, holder: Holder) -> None:
    """Delete a holder's current rating."""
    connection.execute(sa.delete(ratings).where(_held_by(holder, ratings)))


def add_changes(connection: sa.Connection, changes: Sequence[RatingChange]) -> None:
    """Store new rating changes."""
    if changes:
        connection.execute(sa.insert(rating_changes), list(map(_CHANGE.values, changes)))


def delete_changes(connection: sa.Connection, sides: Sequence[tuple[str, Side]]) -> None:
    """Delete the rating changes of these sides, which are pairs of a game's id and a side."""
    if sides:
        connection.execute(
            sa.delete(rating_changes).where(
                rating_changes.c.game_id == sa.bindparam("of_game"),
                rating_changes.c.side == sa.bindparam("of_side"),
            ),
            [{"of_game": game_id, "of_side": side.value} for game_id, side in sides],
        )


def changes_of_game(
    connection: sa.Connection, game_id: str, number: int, holders: Mapping[Side, Holder]
) -> Mapping[Side, tuple[Rating, Rating]]:
    """Return the ratings before and after a game that counted, by side.

    `number` is the game's number among the games that changed ratings. The side of an erased player
    is missing.
    """
    after = ratings_after(connection, [game_id])
    return {
        side: (_rating_before(connection, holder, number), after[game_id, side])
        for side, holder in holders.items()
        if (game_id, side) in after
    }


def ratings_after(
    connection: sa.Connection, game_ids: Collection[str]
) -> Mapping[tuple[str, Side], Rating]:
    """Return the ratings after these games by game and side, without the numbers of games."""
    rows = connection.execute(_CHANGES, {"game_ids": tuple(game_ids)})
    return {(row.game_id, Side(row.side)): _AFTER.read(row) for row in rows}


def all_ratings(connection: sa.Connection) -> Mapping[Holder, Rating]:
    """Return every current rating, by holder."""
    return _ratings(connection, _RATING)


def erased_players(connection: sa.Connection) -> Collection[int]:
    """Return the ids of erased players: their games count for their opponents, not for them."""
    return set(connection.execute(sa.select(players.c.id).where(players.c.name == "")).scalars())


def ratings_of_player(connection: sa.Connection, player_id: int) -> list[dict[str, Any]]:
    """Return a player's ratings with their history, fit for JSON."""
    current = sa.select(ratings).where(ratings.c.player_id == player_id).order_by(ratings.c.variant)
    past = (
        sa.select(rating_changes)
        .where(rating_changes.c.player_id == player_id)
        .order_by(rating_changes.c.number)
    )
    changes = connection.execute(past).all()
    return [
        {
            "variant": row.variant,
            **Rating(row.mu, row.sigma, row.games, row.opponents).exported(),
            "games": row.games,
            "history": [
                {
                    "game": change.game_id,
                    **Rating(change.mu, change.sigma, opponents=change.opponents).exported(),
                }
                for change in changes
                if change.variant == row.variant
            ],
        }
        for row in connection.execute(current)
    ]


def _ratings(
    connection: sa.Connection,
    statement: sa.Select[Any] | sa.CompoundSelect[Any],
    values: Mapping[str, object] | None = None,
) -> Mapping[Holder, Rating]:
    """Return the ratings that a statement derived from `_RATING` selects, by holder."""
    return {
        _HOLDER.read(row): _VALUE.read(row[len(_HOLDER.columns) :])
        for row in connection.execute(statement, values or {})
    }


def _rating_before(connection: sa.Connection, holder: Holder, number: int) -> Rating:
    """Return a holder's rating before a game; a bot does not inherit that of a former bot."""
    statement = _BEFORE_OF_PLAYER if holder.bot is None else _BEFORE_OF_BOT
    values = {**_HOLDER.values(holder), "number": number}
    row = connection.execute(statement, values).first()
    return _first_rating_at(connection, holder, number) if row is None else Rating(*row)


def _first_rating_at(connection: sa.Connection, holder: Holder, number: int) -> Rating:
    """Return the first rating of a holder, as it was for the game with this number.

    A bot that has since been replaced had another first rating.
    """
    if holder.bot is None:
        return holder.beginning
    former = (
        each.first
        for each in all_former_bots(connection)
        if each.holder == holder and each.last_number >= number
    )
    current = all_first_ratings(connection).get(holder, holder.beginning)
    return next(former, current)


def _held_by(holder: Holder, table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that selects a holder's rows of a table."""
    is_holder = table.c.bot == holder.bot if holder.bot else table.c.player_id == holder.player_id
    return (table.c.variant == holder.variant) & is_holder
