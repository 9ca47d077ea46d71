"""The machine's clock is set back while people play: nobody loses anything by it."""

from datetime import timedelta

import pytest

from capsule.__main__ import main
from capsule.games import deadlines
from tests.support.client import Client, context_of, link
from tests.support.crawling import SMALL
from tests.support.stories import ALICE, BOB, play, record, start_between
from tests.support.walking import walk

pytestmark = pytest.mark.slow


@pytest.mark.sqlite
def test_a_game_goes_on_though_the_clock_was_set_back(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5"], ALICE, BOB)
    client.now -= timedelta(hours=20)
    client.restart()
    deadlines.end_overdue(context_of(client))
    assert record(client, url)["status"] == "playing"
    for _ in walk(client, ALICE, SMALL):
        pass
    play(client, url, ["a2=8", "c1=1", "a3=2"], ALICE, BOB)
    assert record(client, url)["moves"] == ["a1=5", "a2=8", "c1=1", "a3=2"]
    assert record(client, url)["status"] == "finished"
    client.now += timedelta(hours=20)
    assert main(["check", "--home", str(client.home)]) == 0, capsys.readouterr().out


def test_an_answered_move_is_there_when_the_clock_is_right_again(client: Client) -> None:
    url = start_between(client, "ultimate")
    client.now -= timedelta(hours=20)
    assert client.type(link(client.get(url, ALICE), "/move"), "e5", ALICE).status == 30
    client.now += timedelta(hours=20)
    deadlines.end_overdue(context_of(client))
    assert record(client, url)["moves"] == ["e5"]
    assert record(client, url)["status"] == "playing"
    play(client, url, ["d4"], ALICE, BOB)
