"""Ratings and results put straight into the database, for stories that need many of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import insert, select

from capsule.db.schema import games, players, ratings
from capsule.ratings.model import INITIAL, POINTS_PER_MU
from tests.support.client import Client
from tests.support.stored import numbered_id, player_row, store_row, won_row

ROUND = {(1.0, 0.0): "X", (0.0, 1.0): "O", (1.0, 0.5): "X", (0.5, 1.0): "O"}
"""The winner by points; a draw is not here."""


def mean_of(number: float) -> float:
    """Return openskill's mean that is shown as this number."""
    return INITIAL.mu + (number - INITIAL.number) / POINTS_PER_MU


def player_called(client: Client, name: str) -> int:
    """Return the number of the player of a name, who is made where there is none."""
    with client.database.writing() as connection:
        found = connection.execute(
            select(players.players.c.id).where(players.players.c.name == name)
        ).scalar_one_or_none()
        if found is not None:
            return found
        row = insert(players.players).values(player_row(name, client.now))
        return connection.execute(row.returning(players.players.c.id)).scalar_one()


def rate(
    client: Client,
    variant: str,
    name: str,
    number: float,
    *,
    uncertainty: int = 90,
    games: int = 40,
    changed_at: datetime | None = None,
) -> None:
    """Store the rating of a player, or of a bot where the name is one, as in "expert bot"."""
    is_bot = name.endswith(" bot")
    with_ratings = {
        "variant": variant,
        "player_id": None if is_bot else player_called(client, name),
        "bot": name.removesuffix(" bot") if is_bot else None,
        "mu": mean_of(number),
        "sigma": uncertainty / (2 * POINTS_PER_MU),
        "games": games,
        "changed_at": changed_at or client.now,
    }
    with client.database.writing() as connection:
        connection.execute(insert(ratings.ratings).values(with_ratings))


def rate_many(client: Client, variant: str, numbers: Mapping[str, float]) -> None:
    """Store ratings that are certain of new players, in the order in which they are given."""
    with client.database.writing() as connection:
        made = connection.execute(
            insert(players.players).returning(players.players.c.id, players.players.c.name),
            [player_row(name, client.now) for name in numbers],
        ).all()
        ids = {name: player_id for player_id, name in made}
        connection.execute(
            insert(ratings.ratings),
            [
                {
                    "variant": variant,
                    "player_id": ids[name],
                    "mu": mean_of(number),
                    "sigma": 1.5,
                    "games": 40,
                    "changed_at": client.now,
                }
                for name, number in numbers.items()
            ],
        )


def result(
    client: Client,
    x: str,
    o: str,
    points: tuple[float, float] | None,
    variant: str = "ultimate",
    *,
    listed: bool = True,
    rated: bool = False,
) -> str:
    """Store a game that has just ended between players or bots, and return its URL.

    No points make it one that was aborted.
    """
    with client.database.reading() as connection:
        number = len(connection.execute(select(games.games.c.id)).all())
    game_id = numbered_id(number)
    seats = {
        column: value
        for side, name in (("x", x), ("o", o))
        for column, value in (
            (f"{side}_bot", name.removesuffix(" bot") if name.endswith(" bot") else None),
            (f"{side}_player_id", None if name.endswith(" bot") else player_called(client, name)),
        )
    }
    x_points, o_points = points or (None, None)
    row = won_row(
        game_id,
        client.now,
        variant=variant,
        listed=listed,
        rated=rated,
        status="finished" if points else "aborted",
        winner=ROUND.get(points) if points else None,
        x_points=x_points,
        o_points=o_points,
        **seats,
    )
    with client.database.writing() as connection:
        store_row(connection, **row)
    return f"/play/{game_id}"


def course(client: Client, name: str, variant: str, numbers: Sequence[float]) -> None:
    """Store a history of a player's rating, through these numbers, from provisional to certain."""
    player = player_called(client, name)
    games = [
        result(client, name, "someone", (1.0, 0.0), variant, rated=True).removeprefix("/play/")
        for _ in numbers
    ]
    with client.database.writing() as connection:
        connection.execute(
            insert(ratings.rating_changes),
            [
                {
                    "game_id": game_id,
                    "side": "X",
                    "variant": variant,
                    "player_id": player,
                    "number": place,
                    "mu": mean_of(number),
                    "sigma": max(1.5, INITIAL.sigma - place / 4),
                }
                for place, (game_id, number) in enumerate(zip(games, numbers, strict=True), start=1)
            ],
        )
