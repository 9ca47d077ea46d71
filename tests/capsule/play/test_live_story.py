"""A game's live page: its beginning, and each part as the game goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capsule.gemini.types import Live, Request
from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start_between

if TYPE_CHECKING:
    from capsule.gemini.types import Certificate


def live(client: Client, url: str, who: Certificate | None = None) -> Live:
    """Return a live page, as the server is handed it."""
    answer = client.answer(Request(f"{url}/live", None, who))
    assert isinstance(answer, Live)
    return answer


def version(client: Client, url: str) -> int:
    """Return the version that the server would find now."""
    game_id = url.removeprefix("/play/")
    return client.versions([game_id])[game_id]


def test_it_begins_with_the_position_and_what_to_do(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    mine, others = live(client, url, BOB), live(client, url)
    assert mine.text.startswith("# Live: Ultimate: alice (X) – bob (O)\n\n```")
    assert "Your turn. Play in the centre board" in mine.text
    assert link(mine.text, "/move") == link(client.get(url, BOB), "/move")
    assert "bob (O) to play." in others.text
    assert "/move" not in others.text
    assert mine.version == others.version == version(client, url)


def test_the_page_of_a_game_leads_there_until_it_is_over(client: Client) -> None:
    url = start_between(client, "ultimate")
    assert f"{url}/live" in links(client.get(url)).values()
    assert client.get(f"{url}/live", ALICE).startswith("# Live")
    client.type(link(client.get(url, ALICE), "/resign"), "resign", ALICE)
    assert f"{url}/live" not in links(client.get(url)).values()


def test_each_move_is_shown_to_the_player_who_is_to_answer_it(client: Client) -> None:
    url = start_between(client, "ultimate")
    begun = live(client, url, BOB)
    play(client, url, ["e5"], ALICE)
    assert version(client, url) != begun.version
    shown = begun.more()
    assert shown.text.startswith("\n## Move 1: alice (X) played e5\n\n```")
    assert "# Live" not in shown.text
    client.ask(f"{link(shown.text, '/move')}?d4", BOB)
    assert "## Move 2: bob (O) played d4" in shown.more().text
    assert shown.version == shown.more().version - 1


def test_moves_that_came_together_are_all_sent(client: Client) -> None:
    url = start_between(client, "ultimate")
    begun = live(client, url)
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    text = begun.more().text
    assert [f"## Move {number}" in text for number in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert text.count("```") == 2, "one board, as it is now"


def test_takebacks_are_sent(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    begun = live(client, url)
    client.get(link(client.get(url, ALICE), "/takeback"), ALICE)
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    text = begun.more().text
    assert text.startswith("\n## Taken back: 0 moves left\n")
    assert "## Move" not in text


@pytest.mark.parametrize("variant", WON_GAMES)
def test_it_is_over_when_the_game_is(client: Client, variant: str) -> None:
    url = start_between(client, variant)
    *moves, last = WON_GAMES[variant].split()
    play(client, url, moves, ALICE, BOB)
    shown = live(client, url, CAROL).more()
    assert not shown.is_over
    play(client, url, [last], ALICE, BOB)
    ended = shown.more()
    assert ended.is_over
    assert "wins" in ended.text
    assert url in links(ended.text).values()
    assert live(client, url).is_over, "there is nothing to wait for"


def test_the_last_board_has_no_open_cells(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    begun = live(client, url)
    assert "~" in begun.text
    client.type(link(client.get(url, BOB), "/resign"), "resign", BOB)
    text = begun.more().text
    assert "bob (O) resigned" in text
    assert "~" not in text
    assert "Play in" not in text


def test_spectators_share_their_text_and_players_do_not(client: Client) -> None:
    url = start_between(client, "ultimate")
    assert live(client, url).audience == live(client, url, CAROL).audience
    assert live(client, url).audience is not None
    assert live(client, url, ALICE).audience is None
    assert "alice" not in str(live(client, url, ALICE).owner)


def test_there_is_no_live_page_of_no_game(client: Client) -> None:
    assert client.ask("/play/aaaaaaaaaa/live").status == 51


def test_who_gets_no_live_page_is_told_the_true_reason(client: Client) -> None:
    refused = live(client, start_between(client, "numeric"))
    assert refused.otherwise.meta.startswith("You or your network have two live pages open")
    assert refused.when_full.meta.startswith("This capsule has as many live pages open as it can")
