"""Boards say how often they were reached in listed games here, and how each next move scored."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from sqlalchemy import select

from capsule.__main__ import main
from capsule.boards import explorer
from capsule.bots import turns as bot_turns
from capsule.db.schema.games import explored_positions
from capsule.processes.housekeeping import sweep
from engine import VARIANTS
from tests.support.client import Client, action, context_of, link, links
from tests.support.console import Console, where
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, start_between

SPIRAL = WON_GAMES["numeric"].split()  # a1=5 a2=8 c1=1 a3=2: Even wins
MIRRORED = ["c1=5", "c2=8", "a1=1", "c3=2"]
"""The same game with the board mirrored."""


def finished(client: Client, moves: Sequence[str] = SPIRAL, variant: str = "numeric") -> str:
    """Play a listed game to its end and return its URL."""
    url = open_game(client, variant)
    play(client, url, moves, ALICE, BOB)
    return url


def counted(client: Client) -> None:
    explorer.count_due(client.context)
    client.forget_pages()


def rows(client: Client) -> Mapping[tuple[int, str], tuple[float | None, ...]]:
    with client.database.reading() as connection:
        found = connection.execute(select(explored_positions)).all()
    return {(row.position, row.move): tuple(row[2:]) for row in found}


def test_a_board_counts_games_and_scores_their_moves(client: Client) -> None:
    finished(client)
    finished(client, ["a1=5", "a2=8", "c1=1", "b1=4", "c2=9", "a3=2"])
    counted(client)
    page = client.get("/board/numeric/a1=5")
    assert "2 public games. " in page
    assert "Even, to move, scored 100 % (people 2, bots 0)." in page
    told = links(page)
    label = "a2=8: played 2 times, scored 100 % (people 2, bots 0); with best play a draw"
    assert told[label] == "/board/numeric/a1=5,a2=8"
    assert "With best play from here: a draw." in page
    page = client.get("/board/numeric/a1=5,a2=8,c1=1")
    assert "a3=2: played 1 time, scored 100 %" in page
    assert "b1=4: played 1 time, scored 100 %" in page
    assert "1 public game ended here." in client.get(f"/board/numeric/{','.join(SPIRAL)}")


def test_games_that_look_alike_are_one(client: Client) -> None:
    finished(client)
    finished(client, MIRRORED)
    counted(client)
    for first, second in (("a1=5", "a2=8"), ("c1=5", "c2=8"), ("a3=5", "a2=8")):
        page = client.get(f"/board/numeric/{first}")
        assert "2 public games. " in page
        (label,) = (label for label in links(page) if ": played" in label)
        move = label.partition(":")[0]
        assert client.ask(f"/board/numeric/{first},{move}").status == 20
        after = client.get(f"/board/numeric/{first},{second}")
        assert "2 public games. " in after


def test_a_position_is_one_whichever_way_it_was_reached(client: Client) -> None:
    finished(client, ["a1=5", "a2=8", "c1=1", "a3=2"])
    finished(client, ["c1=1", "a2=8", "a1=5", "a3=2"])
    counted(client)
    page = client.get("/board/numeric/a1=5,a2=8,c1=1")
    assert "2 public games. " in page
    assert "a3=2: played 2 times" in page


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(key, marks=pytest.mark.slow if key in ("ultimate", "extreme") else ())
        for key in VARIANTS
    ],
)
def test_each_game_is_found_from_every_side(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    url = open_game(client, variant)
    play(client, url, moves, ALICE, BOB)
    counted(client)
    position = VARIANTS[variant].start
    ways: list[list[str]] = []
    for move in moves[:12]:
        images = position.images(move)
        ways = ways or [[] for _ in images]
        for way, image in zip(ways, images, strict=True):
            page = client.get(f"/board/{variant}/{','.join(way)}")
            assert "1 public game. " in page
            (next_move,) = (label.partition(":")[0] for label in links(page) if ": played" in label)
            assert VARIANTS[variant].replay([*way, next_move])
            way.append(image)
        position = position.play(move)
    assert "games played here" not in client.get(f"/board/{variant}/{','.join(moves[:13])}") or (
        len(moves) < 13
    )


def test_bots_are_counted_apart(client: Client) -> None:
    page = client.get("/play/new/numeric?listed=yes", ALICE)
    url = client.ask(link(page, "/bot-club?listed=yes&rated=no"), ALICE).meta
    client.type(link(client.get(url, ALICE), "/move"), "a1=5", ALICE)
    game_id = url.rsplit("/", 1)[1]
    bot_turns.reply(client.context, game_id, 1, "a2=8")
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    counted(client)
    page = client.get("/board/numeric/a1=5")
    assert "Even, to move, scored 100 % (people 0, bots 1)." in page
    assert "a2=8: played 1 time, scored 100 % (people 0, bots 1)" in page
    assert "Odd, to move, scored 0 % (people 1, bots 0)." in client.get("/board/numeric/")


def test_only_listed_games_with_a_result_count(client: Client) -> None:
    unlisted = start_between(client, "numeric")
    play(client, unlisted, SPIRAL, ALICE, BOB)
    running = open_game(client, "numeric")
    play(client, running, SPIRAL[:2], ALICE, BOB)
    aborted = open_game(client, "numeric")
    client.type(link(client.get(aborted, ALICE), "/abort"), "abort", ALICE)
    counted(client)
    assert not rows(client)
    page = client.get("/board/numeric/")
    assert "This position has not occurred in a finished public game." in page


def test_a_game_that_is_listed_no_more_is_taken_back(client: Client) -> None:
    staying, leaving = finished(client), finished(client, ["a1=5", "b1=2", "c2=3", "a3=4"])
    client.type(action(client.get(leaving, ALICE), "resign"), "resign", ALICE)
    counted(client)
    assert "2 public games" in client.get("/board/numeric/a1=5")
    with client.database.writing() as connection:
        connection.exec_driver_sql(
            f"UPDATE games SET listed = false WHERE id = '{leaving.rsplit('/', 1)[1]}'"
        )
    counted(client)
    page = client.get("/board/numeric/a1=5")
    assert "1 public game. " in page
    assert "b1=2" not in page
    again = rows(client)
    with client.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET listed = false")
    counted(client)
    assert again
    assert not rows(client)
    assert staying


@pytest.mark.parametrize(
    ("damage", "looked_at"),
    # A game whose rules are unknown is counted once they are known again.
    [("moves SET move = 'zz'", 2), ("games SET variant = 'chess'", 1)],
)
def test_a_game_that_cannot_be_read_holds_up_no_other(
    client: Client, damage: str, looked_at: int
) -> None:
    broken = finished(client).rsplit("/", 1)[1]
    column = "game_id" if damage.startswith("moves") else "id"
    with client.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE {damage} WHERE {column} = '{broken}'")
    finished(client, MIRRORED)
    assert explorer.count_due(client.context) == looked_at
    client.forget_pages()
    assert "Reached in 1 public game" in client.get("/board/numeric/a1=5")
    assert explorer.count_due(client.context) == 0


def test_a_game_counts_from_where_it_was_played(client: Client) -> None:
    page = client.get("/play/new/numeric?from=a1=5,a2=8&listed=yes", ALICE)
    url = client.ask(link(page, "/solo?from=a1=5,a2=8&listed=yes&rated=no"), ALICE).meta
    play(client, url, ["c1=1", "a3=2"], ALICE)
    counted(client)
    assert "This position has not occurred" in client.get("/board/numeric/a1=5")
    assert "1 public game. " in client.get("/board/numeric/a1=5,a2=8")
    assert "1 public game. " in client.get("/board/numeric/a1=5,a2=8,c1=1")


def test_the_first_twelve_moves_count(client: Client) -> None:
    finished(client, WON_GAMES["ultimate"].split(), "ultimate")
    counted(client)
    places = Counter(move == "" for _, move in rows(client))
    assert places == {True: explorer.MAX_PLIES + 1, False: explorer.MAX_PLIES}


def test_the_housekeeping_counts(client: Client) -> None:
    finished(client)
    sweep(context_of(client), logging.getLogger("oxonaut.test"))
    assert rows(client)


def test_the_operator_has_everything_counted_again(client: Client, console: Console) -> None:
    finished(client)
    finished(client, MIRRORED)
    counted(client)
    before = rows(client)
    with client.database.writing() as connection:
        connection.exec_driver_sql("UPDATE explored_positions SET people = 7")
    assert main(["explorer", *where(client), "rebuild"]) == 0
    assert console.capsys.readouterr().out == "Games counted: 2.\n"
    assert rows(client) == before
