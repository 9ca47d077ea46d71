"""Boards of long games: nobody waits because somebody else looks at one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from capsule.bots.service import BotService, Hint
from capsule.gemini.types import Request
from tests.support.client import Client, answer_at_once, links
from tests.support.stored import change_row, long_game


class Silent(BotService):
    """Bots that nobody is to ask."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        raise AssertionError("a bot was asked")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client(tmp_path, bots=lambda _: Silent())
    yield made
    made.database.close()


def ended_game(client: Client, turns: int) -> str:
    """Store a game of tinc that has ended, and return the name of its last board."""
    url, _ = long_game(client, turns)
    game_id = url.removeprefix("/play/")
    with client.database.writing() as connection:
        change_row(connection, game_id, status="resigned", winner="X", ended_at=client.now)
    return f"~{game_id}.{turns}"


@pytest.mark.parametrize("turns", [42, 401])
def test_of_a_board_that_is_too_large_the_engine_has_no_opinion(client: Client, turns: int) -> None:
    url = f"/board/tinc/{ended_game(client, turns)}"
    page = client.get(f"{url}?engine")
    assert "The engine has no opinion of this board" in page
    assert "up to 400 moves, on grids of up to 41 cells a side" in page
    assert "```" in page
    assert links(page)["Back to the board"] == url


@pytest.mark.sqlite  # pages with data from PostgreSQL are never made on the reactor
def test_a_long_game_is_replayed_and_drawn_on_another_thread(client: Client) -> None:
    board = ended_game(client, 450)
    game = board[1:11]
    pages = (f"/play/{game}", f"/play/{game}/450", f"/play/{game}/430", f"/board/tinc/{board}")
    for path in pages:
        assert answer_at_once(client.application, Request(path)) is None
        assert client.ask(path).status == 20
        assert answer_at_once(client.application, Request(path)), "it has been kept"
    # What is near its beginning, or near a position that has been replayed, takes no time.
    for ply in (0, 60, 399):
        assert answer_at_once(client.application, Request(f"/play/{game}/{ply}"))


@pytest.mark.sqlite  # pages with data from PostgreSQL are never made on the reactor
def test_the_home_page_shows_no_game_that_takes_long_to_draw(client: Client) -> None:
    board = ended_game(client, 450)
    with client.database.writing() as connection:
        change_row(connection, board[1:11], listed=True, x_points=1.0, o_points=0.0)
    assert answer_at_once(client.application, Request("/"))
