"""Reading and writing ratings and what games did to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from capsule.db.schema.players import players
from capsule.db.schema.ratings import counters, rating_changes, ratings
from capsule.ratings.model import INITIAL, Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Table

    from capsule.games.queries import StoredGame


COUNTER = "rated games"
"""The counter that numbers the games that changed ratings."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose a rating is: a player's, or that of the bot of a level, in one variant."""

    variant: str
    player_id: int | None
    bot: str | None

    def of(self, table: Table) -> ColumnElement[bool]:
        """Return what the holder's rows of a table are found by."""
        who = table.c.bot == self.bot if self.bot else table.c.player_id == self.player_id
        return (table.c.variant == self.variant) & who

    @property
    def columns(self) -> dict[str, Any]:
        """What the holder's rows say of whose they are."""
        return {"variant": self.variant, "player_id": self.player_id, "bot": self.bot}


@dataclass(frozen=True, slots=True)
class Change:
    """What a game made of the rating of one side; `number` is the game's among those that count."""

    game_id: str
    side: str
    number: int
    holder: Holder
    rating: Rating


def holders_of(game: StoredGame) -> dict[str, Holder]:
    """Return whose ratings a game may change, by the side."""
    return {
        "X": Holder(game.variant, game.x_player_id, game.x_bot),
        "O": Holder(game.variant, game.o_player_id, game.o_bot),
    }


def next_number(connection: Connection) -> int:
    """Return the number of the next game that changes ratings.

    Whoever else asks for one waits until this transaction ends, and reads then what it has written:
    so ratings change in the order of these numbers.
    """
    number: int = connection.execute(
        update(counters)
        .where(counters.c.name == COUNTER)
        .values(value=counters.c.value + 1)
        .returning(counters.c.value)
    ).scalar_one()
    return number


def hold_numbers(connection: Connection) -> None:
    """Let nobody change ratings until this transaction ends."""
    counter = select(counters.c.value).where(counters.c.name == COUNTER)
    connection.execute(counter.with_for_update()).scalar_one()


def rating_of(connection: Connection, holder: Holder) -> Rating:
    """Return a rating as it is now: a new player's, where no game has counted for it yet."""
    statement = select(ratings.c.mu, ratings.c.sigma, ratings.c.games).where(holder.of(ratings))
    row = connection.execute(statement).first()
    return INITIAL if row is None else Rating(*row)


def keep_rating(
    connection: Connection, holder: Holder, rating: Rating, changed_at: datetime
) -> None:
    """Store a rating in the place of what it was."""
    values = {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "changed_at": changed_at,
    }
    changed = connection.execute(update(ratings).where(holder.of(ratings)).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(ratings).values(**holder.columns, **values))


def drop_rating(connection: Connection, holder: Holder) -> None:
    """Forget a rating as it is now."""
    connection.execute(delete(ratings).where(holder.of(ratings)))


def add_changes(connection: Connection, changes: Sequence[Change]) -> None:
    """Store what games made of ratings, of which nothing is stored yet."""
    if changes:
        connection.execute(
            insert(rating_changes),
            [
                {
                    "game_id": change.game_id,
                    "side": change.side,
                    "number": change.number,
                    "mu": change.rating.mu,
                    "sigma": change.rating.sigma,
                    **change.holder.columns,
                }
                for change in changes
            ],
        )


def drop_changes(connection: Connection, sides: Sequence[tuple[str, str]]) -> None:
    """Forget what games made of the ratings of sides."""
    if sides:
        connection.execute(
            delete(rating_changes).where(
                rating_changes.c.game_id == bindparam("of_game"),
                rating_changes.c.side == bindparam("of_side"),
            ),
            [{"of_game": game_id, "of_side": side} for game_id, side in sides],
        )


def changes_of_game(
    connection: Connection, game: StoredGame
) -> Mapping[str, tuple[Rating, Rating]]:
    """Return the ratings before and after a game that counted, by side.

    The side of somebody who was erased is not there.
    """
    found = ratings_after(connection, [game.id])
    return {
        side: (_before(connection, holder, game.rating_number or 0), Rating(*found[game.id, side]))
        for side, holder in holders_of(game).items()
        if (game.id, side) in found
    }


def ratings_after(
    connection: Connection, game_ids: Collection[str]
) -> Mapping[tuple[str, str], tuple[float, float]]:
    """Return mean and deviation of the ratings after games, by game and side."""
    rows = connection.execute(
        select(
            rating_changes.c.game_id,
            rating_changes.c.side,
            rating_changes.c.mu,
            rating_changes.c.sigma,
        ).where(rating_changes.c.game_id.in_(game_ids))
    )
    return {(row.game_id, row.side): (row.mu, row.sigma) for row in rows}


def all_ratings(connection: Connection) -> Mapping[Holder, Rating]:
    """Return every rating as it is now."""
    rows = connection.execute(
        select(
            ratings.c.variant,
            ratings.c.player_id,
            ratings.c.bot,
            ratings.c.mu,
            ratings.c.sigma,
            ratings.c.games,
        )
    )
    return {Holder(*row[:3]): Rating(*row[3:]) for row in rows}


def erased_players(connection: Connection) -> Collection[int]:
    """Return who was erased: their games still count for those they played, but not for them."""
    return set(connection.execute(select(players.c.id).where(players.c.name == "")).scalars())


def ratings_of_player(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """Return what is kept of a player's ratings, fit for JSON."""
    now = select(ratings).where(ratings.c.player_id == player_id).order_by(ratings.c.variant)
    past = (
        select(rating_changes)
        .where(rating_changes.c.player_id == player_id)
        .order_by(rating_changes.c.number)
    )
    changes = connection.execute(past).all()
    return [
        {
            "variant": row.variant,
            **_told(Rating(row.mu, row.sigma, row.games)),
            "games": row.games,
            "history": [
                {"game": change.game_id, **_told(Rating(change.mu, change.sigma))}
                for change in changes
                if change.variant == row.variant
            ],
        }
        for row in connection.execute(now)
    ]


def erase_ratings(connection: Connection, player_id: int) -> None:
    """Erase the ratings of a player and their history."""
    for table in (ratings, rating_changes):
        connection.execute(delete(table).where(table.c.player_id == player_id))


def _before(connection: Connection, holder: Holder, number: int) -> Rating:
    row = connection.execute(
        select(rating_changes.c.mu, rating_changes.c.sigma)
        .where(holder.of(rating_changes), rating_changes.c.number < number)
        .order_by(rating_changes.c.number.desc())
        .limit(1)
    ).first()
    return INITIAL if row is None else Rating(*row)


def _told(rating: Rating) -> dict[str, Any]:
    return {
        "rating": rating.number,
        "uncertainty": rating.uncertainty,
        "provisional": rating.is_provisional,
        "mu": rating.mu,
        "sigma": rating.sigma,
    }
