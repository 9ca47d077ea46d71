"""Waiting for a bot: what has been stored is said to be, whatever happens meanwhile."""

from pathlib import Path

from capsule.bots.service import NoBots
from capsule.db.faults import DatabaseUnavailable
from capsule.gemini.types import Response
from tests.support.client import Client, link
from tests.support.stories import ALICE, record, start


class LostBots(NoBots):
    """Bots whose database goes away as soon as somebody waits for them."""

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        raise DatabaseUnavailable


def test_a_move_that_is_stored_is_accepted_though_the_database_goes_away(tmp_path: Path) -> None:
    client = Client(tmp_path, bots=lambda _: LostBots())
    url = start(client, "numeric", "bot-club")
    assert client.type(link(client.get(url, ALICE), "/move"), "b2=5", ALICE) == Response(30, url)
    assert record(client, url)["moves"] == ["b2=5"]
    client.database.close()
