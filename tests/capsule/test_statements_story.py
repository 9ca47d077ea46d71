"""Pages ask the database little: each reads in one transaction, and asks for all rows at once."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

import pytest

from capsule.games.reading import ReplayCache
from capsule.gemini.types import Answer, Certificate, Live, Request, Response, Wait
from tests.support.client import Client
from tests.support.crawling import Crawl, Sample
from tests.support.full_capsule import OneHint, fill
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE
from tests.support.walking import changes_nothing

pytestmark = pytest.mark.slow

MOST_TIMES = 3
"""How often a page may run one statement, whatever is stored."""

GAME, OF_TOURNAMENT = 5, 1
"""The most statements of the page of a running game, and one more for its tournament."""

YOUR_GAMES, DESK, NEW_GAME = 8, 6, 6
"""The most statements of a player's games, of the desk, and of the page of a new game."""

FOR_PROGRAMS = (
    *("/play/desk.json", "/games/open.json", "/play/tournaments/open.json"),
    *("/play/me/export.json", "/play/me/records.txt", "/play/new/ultimate/keys.json"),
)
"""Addresses to which no page leads."""


@dataclass
class Asked:
    """A capsule that keeps no positions, and the statements of each answer.

    A page is made by a worker at once, and what it waits for is waited for. `running` are games in
    which alice is to move.
    """

    client: Client
    statements: dict[tuple[str, Certificate | None], Sequence[str]] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)

    def ask(self, url: str, who: Certificate | None = None) -> Response:
        """Return the answer to a request, as `Client.ask` does."""
        path, mark, query = url.partition("?")
        request = Request(unquote(path), unquote(query) if mark else None, who, may_block=True)
        with recorded_queries(self.client) as recorded:
            answer = _waited_for(self.client.application.handle(request))
        self.statements[url, who] = [query.sql for query in recorded]
        return answer


def _waited_for(answer: Answer) -> Response:
    if isinstance(answer, Wait):
        return answer.finish()
    return Response(20, answer.meta, answer.text) if isinstance(answer, Live) else answer


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """What alice and a stranger come to in a capsule in which everything has happened."""
    client = Client(tmp_path_factory.mktemp("asked"), bots=lambda _: OneHint())
    fill(client)
    # The use of her certificate is stored once a day, and what she is told of on one day alone.
    client.get("/play/", ALICE)
    client.context = replace(client.context, replays=ReplayCache(max_turns=1))
    client.forget_pages()
    made = Asked(client)
    for who in (ALICE, None):
        # It needs of the client what `Asked` has.
        Crawl(made, who, changes_nothing, Sample(6, 2, 3, 3)).run()  # type: ignore[arg-type]
    for address in FOR_PROGRAMS:
        assert made.ask(address, ALICE).status == 20
    made.running = [
        f"/play/{each['id']}"
        for each in json.loads(made.ask("/play/desk.json", ALICE).body)["games"]
    ]
    for url in made.running:
        if (url, ALICE) not in made.statements:
            made.ask(url, ALICE)
    client.database.close()
    return made


def test_no_page_asks_again_for_each_row(asked: Asked) -> None:
    repeated = {
        (url, who and who.common_name): most
        for (url, who), statements in asked.statements.items()
        for most in Counter(each for each in statements if each != "BEGIN").most_common(1)
        if most[1] > MOST_TIMES
    }
    assert not repeated


def test_every_page_reads_in_one_transaction(asked: Asked) -> None:
    begun = {key: each.count("BEGIN") for key, each in asked.statements.items()}
    # What a browser waits for is made by the next free worker, in a transaction of its own.
    several = {url for (url, _), times in begun.items() if times > 1}
    assert several <= {"/play/me/export.json", "/play/me/records.txt"}
    assert sum(times == 1 for times in begun.values()) > 100


def test_the_pages_that_players_see_most(asked: Asked) -> None:
    def count(url: str) -> int:
        """Count without the moves, since positions are kept as a rule."""
        asks = (each for each in asked.statements[url, ALICE] if each != "BEGIN")
        return sum("FROM moves" not in each for each in asks)

    assert count("/play/") <= YOUR_GAMES
    assert count("/play/desk") <= DESK
    assert count("/play/new/ultimate") <= NEW_GAME
    for url in asked.running:
        of_tournament = any("tournaments.id = " in each for each in asked.statements[url, ALICE])
        assert count(url) <= GAME + of_tournament * OF_TOURNAMENT, url
    assert len(asked.running) > 5
