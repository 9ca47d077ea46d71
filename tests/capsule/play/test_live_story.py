"""A game's live page: its beginning, and each part as the game goes on."""

from collections.abc import Hashable

import pytest

from capsule.gemini.types import Certificate, Live, Request, Response
from tests.support.client import Client, link, links
from tests.support.conversation import say
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.tournaments import resign


def live(client: Client, url: str, who: Certificate | None = None) -> Live:
    """Return a live page, as the server is handed it."""
    answer = client.answer(Request(f"{url}/live", None, who))
    assert isinstance(answer, Live)
    return answer


def version(client: Client, url: str) -> Hashable:
    """Return the version that the server would find now."""
    game_id = url.removeprefix("/play/")
    return client.versions([game_id])[game_id]


def test_it_begins_with_the_position_and_what_to_do(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    mine, others = live(client, game, BOB), live(client, game)
    assert mine.text.startswith("# Live: Ultimate: alice (X) – bob (O)\n\n```")
    assert "Your turn. Play in the centre board" in mine.text
    key = link(client.get(game, BOB), "/move").split("/")[-2]
    assert link(mine.text, "/move") == f"{game}/live/{key}/move"
    assert "bob (O) to play." in others.text
    assert "/move" not in others.text
    assert mine.version == others.version == version(client, game)


def test_the_page_of_a_game_leads_there_until_it_is_over(client: Client, game: str) -> None:
    assert f"{game}/live" in links(client.get(game)).values()
    assert client.get(f"{game}/live", ALICE).startswith("# Live")
    resign(client, game, ALICE)
    assert f"{game}/live" not in links(client.get(game)).values()


def test_each_move_is_shown_to_the_player_who_is_to_answer_it(client: Client, game: str) -> None:
    begun = live(client, game, BOB)
    play(client, game, ["e5"], ALICE)
    assert version(client, game) != begun.version
    shown = begun.more()
    assert shown.text.startswith("\n## Move 1: alice (X) played e5\n\n```")
    assert "# Live" not in shown.text
    assert client.ask(f"{link(shown.text, '/move')}?d4", BOB) == Response(30, f"{game}/live")
    assert "## Move 2: you played d4" in shown.more().text
    assert shown.version != shown.more().version == version(client, game)


def test_takebacks_are_sent(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    begun = live(client, game)
    client.get(link(client.get(game, ALICE), "/takeback"), ALICE)
    client.get(link(client.get(game, BOB), "/accept"), BOB)
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
    assert ended.text.startswith("\n## ")
    assert " won: " in ended.text.split("\n")[1]
    assert f"{url}?end" in links(ended.text).values()
    assert live(client, url).is_over, "there is nothing to wait for"


def test_the_last_board_has_no_open_cells(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    assert "~" in live(client, game).text
    resign(client, game, BOB)
    text = live(client, game).text
    assert "## bob resigned: alice won" in text
    assert "~" not in text
    assert "Play in" not in text


def test_an_end_without_a_move_comes_first_and_shows_no_board_again(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    readers = {who: live(client, url, who) for who in (ALICE, BOB, None)}
    resign(client, url, BOB)
    ends = {who: begun.more().text for who, begun in readers.items()}
    assert ends[ALICE].startswith("\n## bob resigned: you won\n")
    assert ends[BOB].startswith("\n## You resigned: alice won\n")
    assert ends[None].startswith("\n## bob resigned: alice won\n")
    for text in ends.values():
        assert "```" not in text
        assert list(links(text).values()) == [f"{url}?end"]


# What happens between moves


def test_a_seat_that_is_taken_begins_the_game(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    url = start(client, "numeric", "invite", ALICE)
    begun = live(client, url, ALICE)
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert version(client, url) != begun.version
    text = begun.more().text
    assert text.startswith("\n## bob has taken the seat of Even: the game begins\n")
    assert "Your turn. " in text
    assert link(text, "/move")
    assert "```" not in text, "the board is as it was"


@pytest.mark.parametrize(
    ("verb", "offer", "refusal"),
    [("draw", "{} a draw", "{} the draw"), ("takeback", "{} for a takeback", "{} the takeback")],
)
def test_offers_and_their_refusals_are_told_with_the_way_to_answer(
    client: Client, verb: str, offer: str, refusal: str
) -> None:
    word = "offers" if verb == "draw" else "asks"
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    hers, his, others = (live(client, url, who) for who in (ALICE, BOB, None))
    client.get(link(client.get(url, BOB), f"/{verb}"), BOB)
    assert version(client, url) != hers.version
    hers, his, others = hers.more(), his.more(), others.more()
    assert f"## bob {offer.format(word)}\n" in hers.text
    assert f"## bob {offer.format(word)}\n" in others.text
    assert f"## You {offer.format(word.removesuffix('s'))}\n" in his.text
    address = links(hers.text)["Answer on the page of the game"]
    decline = link(client.get(address, ALICE), "/decline")
    client.get(decline, ALICE)
    assert f"## alice {refusal.format('declines')}\n" in his.more().text
    assert f"## You {refusal.format('decline')}\n" in hers.more().text
    assert "```" not in his.more().text


def test_a_message_is_told_to_the_player_for_whom_it_is(client: Client) -> None:
    url = start_between(client, "ultimate")
    hers, his, others = (live(client, url, who) for who in (ALICE, BOB, None))
    say(client, url, "good luck", BOB)
    assert version(client, url) != hers.version
    assert hers.more().text == (
        f"\n## bob has written a message\n\n=> {url}?turn-1 The page of the game\n"
    )
    assert his.more().text == others.more().text == ""


def test_who_has_been_muted_writes_in_vain(client: Client, game: str) -> None:
    client.get(link(client.get(f"{game}/messages", ALICE), "/mute"), ALICE)
    begun = live(client, game, ALICE)
    say(client, game, "hello", BOB)
    assert begun.more().text == ""


def test_each_step_ends_with_the_way_to_the_game(client: Client) -> None:
    url = start_between(client, "ultimate")
    begun = live(client, url, ALICE)
    assert begun.text.count("Press End to see the newest.") == 1
    play(client, url, ["e5", "d4"], ALICE, BOB)
    step = begun.more().text
    assert step.rstrip().splitlines()[-1] == f"=> {url}?turn-3 The page of the game"
    assert "Press End" not in step


def test_there_is_no_live_page_of_no_game(client: Client) -> None:
    assert client.ask("/play/aaaaaaaaaa/live").status == 51


def test_who_gets_no_live_page_is_told_the_true_reason(client: Client) -> None:
    refused = live(client, start_between(client, "numeric"))
    assert refused.fallback.meta.startswith("You or your network have two live pages open")
    assert refused.on_full.meta.startswith("This capsule has as many live pages open as it can")
