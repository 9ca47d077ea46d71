"""Company in a crowd: comments of a month, and a season's table with everybody in it."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, insert, select, update

from capsule.db import schema
from capsule.games.model import DECIDED, GameStatus
from capsule.seasons.model import Standing, month_of

DAYS = 30
"""The days on which comments were written."""

MOST_ON_A_GAME = 1_000
"""The comments on the game that is talked about most."""


def fill_company(connection: Connection, players: int, games: int, now: datetime) -> None:
    """Store company as of `now`: a comment a day for each thousand games, and a season's table.

    Half of the comments, and a thousand at most, are on one game, which is alike in every crowd:
    the last public one of ultimate that was won on the board and changed two people's ratings.
    Every player has points this month and was here today.
    """
    numbers = range(1, players + 1)
    connection.execute(
        insert(schema.social.comments), [*_comments(connection, players, games // 1_000, now)]
    )
    counts = (
        select(func.count())
        .where(schema.social.comments.c.game_id == schema.games.games.c.id)
        .scalar_subquery()
    )
    commented = select(schema.social.comments.c.game_id)
    connection.execute(
        update(schema.games.games)
        .where(schema.games.games.c.id.in_(commented))
        .values(comments=counts)
    )
    standings = [
        Standing(points=number % 40 + 1, games=number % 20, reached_at=now) for number in numbers
    ]
    connection.execute(
        insert(schema.ratings.season_standings),
        [
            {
                "month": month_of(now),
                "player_id": number,
                "points": standing.points,
                "games": standing.games,
                "reached_at": standing.reached_at,
                "sort_key": standing.sort_key,
            }
            for number, standing in zip(numbers, standings, strict=True)
        ],
    )
    connection.execute(update(schema.players.players).values(active_on=now.date()))


def _comments(
    connection: Connection, players: int, a_day: int, now: datetime
) -> Iterator[dict[str, object]]:
    table = schema.games.games
    ended = (
        select(table.c.id, table.c.x_player_id, table.c.o_player_id)
        .where(table.c.listed, table.c.status.in_(DECIDED))
        .order_by(table.c.moved_at.desc(), table.c.id.desc())
        .limit(5_000)
    )
    alike = ended.where(
        table.c.variant == "ultimate",
        table.c.status == GameStatus.FINISHED,
        table.c.winner.is_not(None),
        table.c.rating_number.is_not(None),
        table.c.x_bot.is_(None),
        table.c.o_bot.is_(None),
    )
    talked_about = connection.execute(alike.limit(1)).one()
    others = [game for game in connection.execute(ended) if game.id != talked_about.id]
    count = DAYS * a_day
    on_one = min(count // 2, MOST_ON_A_GAME)
    for number in range(count):
        game = talked_about if number < on_one else others[number % len(others)]
        yield {
            "game_id": game.id,
            "player_id": number % players + 1,
            "x_recipient_id": game.x_player_id,
            "o_recipient_id": game.o_player_id,
            "text": "What a game!",
            "sent_at": now - timedelta(days=DAYS * (1 - number / count)),
        }
