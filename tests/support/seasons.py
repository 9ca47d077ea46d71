"""Games that end for a season, and what its table shows."""

import re
from datetime import datetime, timedelta
from itertools import count

from capsule.gemini.types import Certificate
from capsule.seasons import scoring
from tests.support.client import Client, context_of
from tests.support.stored import numbered_id, player_id, store_row, won_row
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

_NUMBERS = count(500_000)


def settle(client: Client, *people: Certificate) -> None:
    """Let people count: each has lost three games to bots, and two days pass."""
    for who in people:
        start(client, "tinc", "solo", who)
        for _ in range(3):
            store_bot_game(client, who, "master", is_won=False, due=False)
    client.now += timedelta(days=2)


def win(
    client: Client, winner: Certificate = ALICE, loser: Certificate = BOB, variant: str = "tinc"
) -> str:
    """Play a game to its end on the board, and return its URL."""
    sides = (loser, winner) if variant == "numeric" else (winner, loser)
    url = start_between(client, variant, *sides)
    play(client, url, WON_GAMES[variant].split(), winner, loser)
    return url


def store_game(
    client: Client,
    x: Certificate,
    o: Certificate | None,
    ended_at: datetime | None = None,
    **columns: object,
) -> str:
    """Store a whole game that has ended, which X won unless the columns differ; return its id."""
    game_id = numbered_id(next(_NUMBERS))
    ids = {"x_player_id": player_id(client, x), "o_player_id": o and player_id(client, o)}
    whole = {**ids, "ply": 8, "turn": "O", "season_due": True}
    with client.database.writing() as connection:
        store_row(connection, **won_row(game_id, ended_at or client.now, **{**whole, **columns}))
    return game_id


def store_bot_game(
    client: Client, who: Certificate, level: str, *, is_won: bool = True, due: bool = True
) -> str:
    """Store a whole game against a bot that has ended, and return its id."""
    return store_game(
        client,
        who,
        None,
        o_bot=level,
        winner="X" if is_won else "O",
        x_points=int(is_won),
        o_points=int(not is_won),
        season_due=due,
    )


def score(client: Client) -> int:
    """Give the points that are due, as the sweep does."""
    return scoring.score_due(context_of(client))


def table(client: Client, path: str = "/season/") -> dict[str, tuple[int, int]]:
    """Return the points and games by name that a page shows, in its order."""
    score(client)
    # On PostgreSQL, visitors are given pages of up to a second ago, and here no time passes.
    client.forget_pages()
    page = client.get(path).partition("## Earlier months")[0]
    found = re.findall(
        r"^(?:=> /players/\S+|\*) (\d+)\. (.+): (\d+) points?, (\d+) games?$", page, re.MULTILINE
    )
    assert [int(rank) for rank, *_ in found] == list(range(1, len(found) + 1))
    return {name: (int(points), int(number)) for _, name, points, number in found}
