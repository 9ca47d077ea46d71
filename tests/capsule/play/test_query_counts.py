"""The number of queries of the most frequent requests: one query more is seen here first."""

from collections.abc import Callable

import pytest

from capsule.bots import turns as bot_turns
from capsule.gemini.types import Certificate
from tests.support.client import Client, context_of, link
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, start


def count(client: Client, act: Callable[[], object]) -> int:
    """Return how many statements an act runs while no page is kept, transactions' own apart."""
    client.forget_pages()
    with recorded_queries(client) as recorded:
        act()
    return sum(not query.sql.startswith("BEGIN") for query in recorded)


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game with a clock in which alice is to move."""
    made = open_game(client)
    play(client, made, ["e5", "d4"], ALICE, BOB)
    client.get(made, ALICE)
    return made


@pytest.mark.parametrize(
    ("who", "queries"),
    [
        # The game with the visitor, the vacations that its clock needs, the panel of messages.
        # And whether this is a first game of the variant, as long as three moves are not made.
        pytest.param(ALICE, 4, id="the player to move"),
        # And what the waiting player has planned.
        pytest.param(BOB, 4, id="the waiting player"),
        pytest.param(CAROL, 2, id="somebody new"),
        pytest.param(None, 2, id="a stranger"),
    ],
)
def test_the_page_of_a_game(
    client: Client, url: str, who: Certificate | None, queries: int
) -> None:
    assert count(client, lambda: client.ask(url, who)) == queries


def test_the_page_of_a_game_whose_first_moves_are_made(client: Client, url: str) -> None:
    play(client, url, ["a1", "b2", "d5", "b5"], ALICE, BOB)
    assert count(client, lambda: client.ask(url, ALICE)) == 3


@pytest.mark.parametrize("who", [None, BOB], ids=["a stranger", "a player"])
def test_the_page_of_a_game_is_read_from_one_state_of_the_database(
    client: Client, url: str, who: Certificate | None
) -> None:
    with recorded_queries(client) as recorded:
        client.ask(url, who)
    assert sum(query.sql.startswith("BEGIN") for query in recorded) == 1


def test_the_way_to_the_next_game(client: Client, url: str) -> None:
    # The visitor, and the games that wait.
    assert count(client, lambda: client.ask("/play/next", ALICE)) == 2


def test_a_move(client: Client, url: str) -> None:
    address = link(client.get(url, ALICE), "/move")
    # Who acts, and in which game; the game, held for the move; the move and the game written; the
    # plans; the record of the request.
    assert count(client, lambda: client.ask(f"{address}?a1", ALICE)) == 6


def test_a_bots_reply(client: Client) -> None:
    url = start(client, "numeric", "bot-club")
    play(client, url, ["b2=5"], ALICE)
    context = context_of(client)
    client.get(url, ALICE)

    def reply() -> None:
        bot_turns.reply(context, url.removeprefix("/play/"), 1, "a1=2")

    reply_queries = count(client, reply)
    # The game, and its one move, since this process has not seen the position yet; the move and
    # the game written.
    assert reply_queries == 4


def test_your_games(client: Client, url: str) -> None:
    assert url in client.get("/play/", ALICE)
    client.forget_pages()
    with recorded_queries(client) as recorded:
        client.ask("/play/", ALICE)
    assert sum(not query.sql.startswith("BEGIN") for query in recorded) == 6
    assert sum(query.sql.startswith("BEGIN") for query in recorded) == 1
