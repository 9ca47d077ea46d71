"""The rows of the database, and games stored directly in it: many, or long ones."""

import base64
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from capsule.accounts import queries as account_queries
from capsule.accounts.names import loose_skeleton, skeleton
from capsule.db.schema import metadata
from capsule.db.schema.games import games
from capsule.games import queries as game_queries
from capsule.games.model import StoredMove
from capsule.gemini.types import Certificate
from engine import VARIANTS
from engine.cells import cell_name
from tests.support.client import Client
from tests.support.stories import ALICE, start


def player_id(client: Client, who: Certificate) -> int:
    """Return the id of a player."""
    with client.database.reading() as connection:
        player = account_queries.player_by_certificate(connection, who.fingerprint)
    assert player is not None
    return player.id


def everything(client: Client) -> dict[str, set[tuple[object, ...]]]:
    """Return the rows of every table as the database has them, which is quicker than our types."""
    with client.database.reading() as connection:
        return {
            table: {tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")}
            for table in metadata.tables
        }


def on_disk(client: Client) -> bytes:
    """Stop the capsule, and return all that its database has left on the disk.

    PostgreSQL hides its files; of its database, all rows are returned.
    """
    if client.database.engine.dialect.name == "postgresql":
        with client.database.reading() as connection:
            rows = [connection.execute(select(table)).all() for table in metadata.sorted_tables]
        return repr(rows).encode()
    client.database.close()
    return b"".join(path.read_bytes() for path in client.home.glob("oxonaut.db*"))


def long_game(client: Client, turns: int) -> tuple[str, list[str]]:
    """Store a game of tinc that alice plays alone, and return its URL and its moves.

    Every turn grows the grid at its left side.
    """
    url = start(client, "tinc", "solo")
    moves = growing(turns)
    position = VARIANTS["tinc"].start
    with client.database.writing() as connection:
        for ply, move in enumerate(moves, start=1):
            made = StoredMove(ply, position.turn, move, client.now)
            game_queries.add_moves(connection, url.removeprefix("/play/"), [made])
            position = position.play(move)
        change_row(
            connection,
            url.removeprefix("/play/"),
            ply=turns,
            turn=position.turn.value,
            turn_counter=turns,
        )
    return url, moves


def growing(turns: int) -> list[str]:
    """Return moves of tinc, of which each grows the grid at its left side."""
    return ["a1", *(cell_name(0, turn * 7 % (2 * turn + 1)) for turn in range(1, turns))]


def game_row(game_id: str, at: datetime, **columns: object) -> dict[str, object]:
    """Return the row of a game of tinc that began at a time, unless the columns differ."""
    begun = {"variant": "tinc", "listed": False, "status": "playing", "turn": "X"}
    return {"id": game_id, **begun, "created_at": at, "moved_at": at, **columns}


def won_row(game_id: str, at: datetime, **columns: object) -> dict[str, object]:
    """Return the row of a game that O has resigned, unless the columns differ."""
    won = {"status": "resigned", "winner": "X", "x_points": 1, "o_points": 0, "ended_at": at}
    return game_row(game_id, at, **{**won, **columns})


def player_row(name: str, at: datetime) -> dict[str, object]:
    """Return the row of a player."""
    return {
        "name": name,
        "likeness": skeleton(name),
        "look": loose_skeleton(name),
        "created_at": at,
    }


def store_row(connection: Connection, **columns: object) -> None:
    """Store a game by the values of its columns."""
    connection.execute(insert(games).values(**columns))


def store_solo_games(client: Client, who: Certificate, count: int) -> None:
    """Store this many more games that a player plays alone."""
    seats = dict.fromkeys(("x_player_id", "o_player_id"), player_id(client, who))
    with client.database.writing() as connection:
        for number in range(count):
            store_row(connection, **game_row(numbered_id(1000 + number), client.now, **seats))


def change_row(connection: Connection, game_id: str, **columns: object) -> None:
    """Set columns of a game."""
    connection.execute(update(games).where(games.c.id == game_id).values(**columns))


def numbered_id(number: int) -> str:
    """Return a game's id that is made of a number."""
    return base64.b32encode((number << 6).to_bytes(7)).decode().lower()[:10]


def listed_game(
    client: Client, number: int, status: str, moved_at: datetime, variant: str = "ultimate"
) -> str:
    """Store a public game of alice, who has played here, and return its URL, made of a number."""
    game_id = numbered_id(number)
    over = status not in ("waiting", "playing")
    seats: dict[str, object] = dict.fromkeys(
        ("x_player_id", "o_player_id"), player_id(client, ALICE)
    )
    if status == "waiting":
        seats |= {"o_player_id": None, "precedence": 0}
    row = (won_row if over else game_row)(game_id, moved_at, variant=variant, listed=True)
    with client.database.writing() as connection:
        store_row(connection, **{**row, **seats, "status": status})
    return f"/play/{game_id}"
