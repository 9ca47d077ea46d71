"""A game as a text that fits anybody's gemlog as it is."""

import re

import pytest

from engine import VARIANTS
from tests.support.choices import choose
from tests.support.client import Client, certificate, links
from tests.support.gemtext import blocks
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, play_any, start
from tests.support.tournaments import resign

FENCE = "```"


def text_of(client: Client, url: str) -> str:
    """Return the text alone, which fits a gemlog."""
    response = client.ask(f"{url}/share.gmi")
    assert response.status == 20
    assert response.meta.startswith("text/gemini")
    lines = response.body.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith(FENCE) for line in lines) == 2, "the block is closed"
    assert lines[-1].startswith("=> gemini://")
    return response.body


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_finished_game_has_title_board_moves_result_and_address(
    client: Client, variant: str
) -> None:
    url = open_game(client, variant)
    moves = WON_GAMES[variant].split()
    play(client, url, moves, ALICE, BOB)
    text = text_of(client, url)
    name = VARIANTS[variant].name
    assert text.startswith(f"# {name}: alice (")
    fence = f"{FENCE}{name} board after {len(moves)} moves\n"
    above, board, below = re.split(f"\n{FENCE}.*\n", text)
    assert fence in text
    assert VARIANTS[variant].replay(moves).view().drawing.split("\n")[0].strip() in board
    assert "\nPlayed on Oxonaut, 20 November 2026." in above
    said = above.replace("\n", " ")
    assert said.index(" wins: ") < said.index(str(VARIANTS[variant].tagline))
    played, _, ways = below.partition("\n\n")
    assert f"1. {moves[0]}" in played
    assert f"{len(moves)}. {moves[-1]}" in played
    assert not re.search(r"[0-9]\.$", played, re.MULTILINE), "a number without its move"
    lines = [*above.splitlines(), *played.splitlines()]
    assert max(map(len, lines)) <= 54, "Amfora breaks no line again"
    assert ways == (
        f"=> gemini://localhost{url} This game, move by move\n"
        f"=> gemini://localhost/rules/{variant} The rules of {name}\n"
        f"=> gemini://localhost/try/{variant}/ Try it without a certificate\n"
    )


def test_the_address_leads_to_a_page_in_the_language_of_the_text(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5"], ALICE, BOB)
    assert f"=> gemini://localhost{url}/1 This game" in client.get(f"{url}/share.gmi")
    choose(client, "language/zh")
    for text in (client.get(f"{url}/share.gmi", ALICE), client.get(f"/zh{url}/share.gmi")):
        assert f"\n=> gemini://localhost/zh{url}/1 " in text
        assert "\n=> gemini://localhost/zh/try/ultimate/ " in text


def test_the_page_shows_the_text_in_a_block_and_leads_to_it(client: Client) -> None:
    url = open_game(client)
    play(client, url, WON_GAMES["ultimate"].split(), ALICE, BOB)
    for who in (None, ALICE, BOB):
        page = client.get(url if who else f"{url}/more", who)
        (way,) = [target for target in links(page).values() if target.endswith("/share")]
        assert way == f"{url}/share"
        page = client.get(way, who)
        assert links(page)["The text alone, to copy"] == f"{url}/share.gmi"
        (shown,) = blocks(page)
        rows = [row.removeprefix(" ") if row.startswith(" ```") else row for row in shown.rows]
        assert rows == [*text_of(client, url).rstrip("\n").split("\n"), ""]


def test_a_game_in_progress_shares_the_position_so_far(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    text = text_of(client, url)
    assert "\n1. e5 2. d4\n" in text
    assert "Move 3: alice (X) to play." in text.replace("\n", " ")
    assert f"\n=> gemini://localhost{url}/2 This game, move by move\n" in text
    assert f"{url}/share" in links(client.get(f"{url}/more")).values()


def test_what_nobody_has_joined_and_what_was_resigned(client: Client) -> None:
    waiting = start(client, "tinc", "invite")
    assert "A seat is open." in text_of(client, waiting)
    assert f"\n=> gemini://localhost{waiting} This game" in text_of(client, waiting)
    url = open_game(client)
    play(client, url, ["e5"], ALICE)
    resign(client, url, BOB)
    assert "bob (O) resigned: alice (X) wins." in text_of(client, url).replace("\n", " ")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_longest_names_and_the_largest_boards_fit(client: Client, variant: str) -> None:
    both = certificate("W" * 24), certificate("m" * 24)
    url = open_game(client, variant, *both)
    for _ in play_any(client, url, 60, seed=28, x=both[0], o=both[1]):
        pass
    heading, *below = text_of(client, url).splitlines()
    assert heading.startswith(f"# {VARIANTS[variant].name}: {'W' * 24} (")
    assert f" – {'m' * 24} (" in heading
    board_ends = below.index(FENCE)
    for line in below[board_ends + 1 : -3]:
        assert not line.startswith(("#", "*", ">", "=>", FENCE)), "a line of text"


def test_narrow_readers_have_a_narrow_text(client: Client) -> None:
    url = open_game(client, "extreme")
    play(client, url, WON_GAMES["extreme"].split(), ALICE, BOB)
    asked = "Is this text too wide for your screen? Keep it within 40 columns"
    narrow = client.get(links(client.get(f"{url}/share"))[asked])
    assert asked not in narrow
    assert links(narrow)["The text alone, to copy"] == f"{url}/share.gmi?narrow"
    *lines, _, _, _ = client.get(f"{url}/share.gmi?narrow").splitlines()
    assert max(map(len, lines)) <= 40


def test_what_is_not_there_cannot_be_shared(client: Client) -> None:
    assert client.ask("/play/k3x9m2pqrt/share").status == 51
    assert client.ask("/play/k3x9m2pqrt/share.gmi").status == 51
    assert client.ask(f"{open_game(client)}/share.txt").status == 51
