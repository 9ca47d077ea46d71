"""Strangers watch: a game's page, every position, all moves; and reading changes nothing."""

import json
import re
from datetime import timedelta

import pytest

from capsule.gemini.types import Response
from engine import VARIANTS
from tests.support.boards import shown_after
from tests.support.client import Client, action, link, links
from tests.support.crawling import SMALL, Crawl
from tests.support.engine.golden import FOLDER, head_of
from tests.support.events import without_events
from tests.support.gemtext import blocks, prose
from tests.support.stored import everything, long_game
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, played, start, start_between

STILL_PLAYED = "The game is still being played.\n"


# What a stranger reads


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_stranger_reads_the_players_the_game_and_the_last_move(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    first, second = WON_GAMES[variant].split()[:2]
    play(client, url, [first, second], ALICE, BOB)

    page = client.get(url)

    name = VARIANTS[variant].name
    position = VARIANTS[variant].replay([first, second])
    shown = {"tinc": f"{second}, now d2,"}.get(variant, second)
    alice, bob = ("alice (Odd)", "bob (Even)") if variant == "numeric" else ("alice (X)", "bob (O)")
    assert page.startswith(f"# {name}: {alice} – {bob}\n")
    assert f"{bob} played {shown} on 20 November 2026 at 14:02 UTC." in page
    assert str(position.instruction()) in prose(page)
    assert links(page)[f"Rules of {name}"] == f"/rules/{variant}"
    assert links(page)["Replay from the start"] == f"{url}/0"
    assert f"The last moves: 1. {first}, 2. {second}." in prose(page)
    more = client.get(links(page)["More about this game"])
    assert links(more)["Record as text"] == f"{url}/record.txt"
    moves = client.get(links(more)["All moves, each with its position"])
    assert links(moves)[f"2. {bob}: {second}"] == f"{url}/2"
    assert links(moves)["The start"] == f"{url}/0"
    assert links(moves)["Record as text"] == f"{url}/record.txt"
    assert links(moves)["Feed of this game"] == f"{url}/feed"
    assert links(page)["Try it yourself, without a certificate"] == f"/try/{variant}/"
    assert [*links(page).items()][-1] == ("Oxonaut: five games for Gemini", "/")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_stranger_learns_what_a_finished_game_is_before_all_else(
    client: Client, variant: str
) -> None:
    url = played(client, variant)
    page, name = client.get(url), VARIANTS[variant].name
    assert f"\n=> /rules/{variant} Rules of {name}\n{VARIANTS[variant].tagline}\n" in page
    ways = [target.removeprefix(url) for target in links(page).values()]
    seat = f"/play/?{url.removeprefix('/play/')}"
    expected = [f"/rules/{variant}", "/0", "/analysis", f"/try/{variant}/", seat]
    assert [way for way in ways if way not in {"/comments", "/more", "/", "?narrow"}] == expected
    assert ways[-1] == "/"
    assert f"{url}/share" in links(client.get(f"{url}/more")).values()


def test_a_position_says_who_moved_and_leads_to_the_first_the_last_and_its_neighbours(
    client: Client,
) -> None:
    url = played(client, "numeric")
    page = client.get(f"{url}/2")
    assert page.startswith("# Move 2: Numeric: alice (Odd) – bob (Even)\n")
    assert "After move 2: bob (Even) played a2=8 on 20 November 2026 at 14:02 UTC." in page
    assert "Odd's turn. Place one of 1, 3, 7, 9 in an empty cell." in page
    found = links(page)
    assert found["First position: the start"] == f"{url}/0"
    assert found["Previous position"] == f"{url}/1"
    assert found["Next position"] == f"{url}/3"
    assert found["Last position: the game as it stands"] == url
    assert found["All moves, each with its position"] == f"{url}/history"
    assert found["Rules of Numeric"] == "/rules/numeric"
    assert found["Record as text"] == f"{url}/record.txt"
    assert found["Start a game of Numeric"] == "/play/new/numeric"
    assert found["How to play on Oxonaut"] == "/help/"


@pytest.mark.parametrize("ply", range(5))
def test_no_page_of_a_position_has_two_links_for_one_thing(client: Client, ply: int) -> None:
    url = played(client, "numeric")
    targets = [line.split()[1] for line in client.get(f"{url}/{ply}").splitlines() if "=> " in line]
    assert len(targets) == len(set(targets))


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_link_a_move_leads_from_the_start_to_the_end_and_back(
    client: Client, variant: str
) -> None:
    moves = WON_GAMES[variant].split()
    url = played(client, variant)
    page, ply = client.get(f"{url}/0"), 0
    while "Next position" in links(page):
        page, ply = client.get(links(page)["Next position"]), ply + 1
        assert shown_after(variant, moves[:ply]) in page
    assert ply == len(moves)
    while "Previous position" in links(page):
        page, ply = client.get(links(page)["Previous position"]), ply - 1
    assert ply == 0
    assert "The start of the game." in page


def test_a_position_of_a_running_game_says_so_and_leads_to_it(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    early, latest = client.get(f"{url}/1"), client.get(f"{url}/3")
    for page in (early, latest):
        assert STILL_PLAYED in page
        assert links(page)["Last position: the game as it stands"] == url
    assert "Next position" not in links(latest)
    assert STILL_PLAYED not in client.get(f"{played(client, 'numeric')}/1")


def test_a_player_whose_turn_it_is_moves_from_the_latest_position(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    page = client.get(f"{url}/3", BOB)
    assert "Your turn. Play in the top left board." in page
    first, *_ = links(page).values()
    assert first == link(client.get(url, BOB), "/move")
    for other, who in ((3, ALICE), (3, None), (3, CAROL), (2, BOB), (2, ALICE)):
        assert "/move" not in client.get(f"{url}/{other}", who), (other, who)

    assert client.type(first, "b2", BOB) == Response(30, url)
    assert "/move" not in client.get(f"{url}/3", BOB)


def test_quantum_counts_moves_the_same_way_on_every_page(client: Client) -> None:
    url = start_between(client, "quantum")
    moves = ["a1+b1", "a1+b1", "a1", "c1+c2"]
    play(client, url, moves, ALICE, BOB)
    page = client.get(url)
    assert "Move 5. bob (O) to play" in page
    assert "board after 4 moves" in page
    assert client.get(f"{url}/4").startswith("# Move 4: ")
    assert "After move 4: alice (X) played a1, which settled" in client.get(f"{url}/4")
    assert links(client.get(f"{url}/history"))["4. alice (X): c1+c2"] == f"{url}/4"
    assert "* 4. alice (X): c1+c2" in client.get(f"{url}/words")
    assert "2. a1+b1 3. a1 4. c1+c2" in client.get(f"{url}/record.txt")
    rules = prose(client.get("/rules/quantum"))
    assert "Moves are counted with the choices, marks without them" in rules


def test_the_moves_of_a_long_game_come_a_hundred_a_page(client: Client) -> None:
    url, moves = long_game(client, 250)
    seen: list[str] = []
    page = client.get(f"{url}/history")
    while True:
        seen += [target for target in links(page).values() if target.split("/")[-1].isdecimal()]
        onwards = [target for label, target in links(page).items() if "Moves " in label]
        if len(onwards) == 1 and len(seen) > 110:
            break
        page = client.get(onwards[-1])
    assert [target for target in seen if not target.endswith("/0")] == [
        f"{url}/{ply}" for ply in range(1, len(moves) + 1)
    ]
    assert links(client.get(f"{url}/150"))["All moves, each with its position"] == (
        f"{url}/history?101"
    )


# How it ended


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_finished_game_shows_and_tells_the_line_that_won(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    outcome = VARIANTS[variant].replay(moves).outcome
    assert outcome is not None
    url = played(client, variant)
    for page in (client.get(url), client.get(url, ALICE), client.get(f"{url}/{len(moves)}")):
        board = blocks(page)[0]
        ends = {mark for row in board.rows for mark in row if mark in "><^"}
        assert ends in ({">", "<"}, {"^"}), "the ends of a row or of columns"
        assert f": {outcome.reason}." in prose(page)
    before = client.get(f"{url}/{len(moves) - 1}")
    assert not {"<", "^"} & set("".join(blocks(before)[0].rows))


def test_a_game_that_was_given_up_has_no_line(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE, BOB)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    for page in (client.get(url), client.get(f"{url}/1")):
        assert "bob (O) resigned: alice (X) wins." in page
    assert "resigned" not in client.get(f"{url}/0")


# The last move


def boards_of_the_last_move(page: str) -> list[str]:
    found = [block for block in blocks(page) if "before and after the move" in block.title]
    assert len(found) == 1
    return list(found[0].rows)


@pytest.mark.parametrize("variant", ["ultimate", "numeric"])
def test_the_last_move_is_seen_as_before_and_after_side_by_side(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    play(client, url, WON_GAMES[variant].split()[:2], ALICE, BOB)
    rows = boards_of_the_last_move(client.get(f"{url}/2"))
    assert rows[0].count("a b c") == 2
    assert [row.count("->") for row in rows if "->" in row] == [1]
    assert max(map(len, rows)) <= 64
    assert len(blocks(client.get(url))) == 1, "the page of the game has the board once"


@pytest.mark.parametrize("variant", ["quantum", "extreme"])
def test_boards_too_wide_for_that_stand_one_below_the_other(client: Client, variant: str) -> None:
    first, second = WON_GAMES[variant].split()[:2]
    url = start_between(client, variant)
    play(client, url, [first, second], ALICE, BOB)
    rows = boards_of_the_last_move(client.get(f"{url}/2"))
    before, after = VARIANTS[variant].replay([first]), shown_after(variant, [first, second])
    assert "\n".join(rows) == f"{before.diagram()}\n\n  ->  {second}\n\n{after}"
    assert len(blocks(client.get(url))) == 1, "the page of the game has the board once"


def test_the_whole_of_the_last_turn_is_named_and_marked(client: Client) -> None:
    url = start_between(client, "extreme")
    moves = WON_GAMES["extreme"].split()
    play(client, url, moves, ALICE, BOB)
    client.restart()
    shown = 0
    for ply in range(1, len(moves) + 1):
        before = VARIANTS["extreme"].replay(moves[: ply - 1])
        page = client.get(f"{url}/{ply}")
        assert shown_after("extreme", moves[:ply]) in page, ply
        narration = str(before.narration(moves[ply - 1]))
        earlier = VARIANTS["extreme"].replay(moves[: max(ply - 2, 0)])
        if ply > 1 and earlier.turn is before.turn:
            shown += 1
            narration = f"{earlier.narration(moves[ply - 2])}, then {narration}"
            assert ", which won the " in narration
        assert f" played {narration}" in page, ply
    assert shown >= 2, "there were bonus moves"


def test_a_turn_is_told_whole_at_any_move_of_a_long_game(client: Client) -> None:
    heads = [head_of(path.read_text(encoding="utf-8")) for path in FOLDER.glob("quantum-*.txt")]
    for head in heads:
        url = start_between(client, "quantum")
        play(client, url, head.moves, ALICE, BOB)
        for ply in range(1, len(head.moves) + 1):
            assert shown_after("quantum", head.moves[:ply]) in client.get(f"{url}/{ply}"), ply


def test_the_last_move_of_tinc_is_named_in_the_grid_as_it_is_now(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "a1+a3"], ALICE, BOB)
    expected = "bob (O) played a1+a3, now b2 and b4"
    assert f". {expected}, on 20 November 2026 at 14:02 UTC." in client.get(url, ALICE)
    assert f"{expected}, on 20 November 2026 at 14:02 UTC." in client.get(f"{url}/2")
    assert "bob (O) has just played a1+a3, now b2 and b4." in client.get(f"{url}/words")
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    assert f"The last of 2 moves: {expected}, on 20 November 2026" in client.get(url)


def test_in_tinc_the_growth_is_seen_to_happen(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "c2+c3", "c2+c4"], ALICE, BOB)
    assert boards_of_the_last_move(client.get(f"{url}/2")) == [
        "       a b c               a b c                a b c d e",
        "   1   ~ ~ ~           1   ~ ~ ~            1   ~ ~ ~ ~ ~",
        "   2   ~ X ~   ->      2   ~ X[O]   ->      2   ~ ~ ~ ~ ~",
        "   3   ~ ~ ~           3   ~ ~[O]           3   ~ ~ X[O]~",
        "                                            4   ~ ~ ~[O]~",
        "                                            5   ~ ~ ~ ~ ~",
    ]
    quiet = boards_of_the_last_move(client.get(f"{url}/3"))
    assert quiet[0].count("a b c d e") == 2, "no symbol touched the edge: the grid stayed"


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_a_player_at_the_board_is_not_kept_from_the_move_link(client: Client, variant: str) -> None:
    url = start_between(client, variant)
    play(client, url, ["e5"], ALICE, BOB)
    page = client.get(url, BOB)
    assert len(blocks(page)) == 1
    screen = [line for line in page.splitlines() if not line.startswith("```")][:20]
    assert any(line.endswith("/move Type your move") for line in screen)
    watched = blocks(client.get(url))
    assert "[X]" in "".join(watched[0].rows)
    assert len(watched) == 1


# Pages that keep


def width_unasked(page: str) -> str:
    """Return a page without the link to narrow boards, which is not the same for players."""
    return re.sub(r"=> \S+ Too wide\? .*\n", "", page)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_of_a_position_changes_only_with_the_end_of_the_game_once_the_next_move_is_made(
    client: Client, variant: str
) -> None:
    moves = WON_GAMES[variant].split()
    url = start_between(client, variant)
    kept: dict[int, str] = {}
    for ply, move in enumerate(moves, start=1):
        play(client, url, [move], ALICE, BOB)
        kept[ply - 1] = client.get(f"{url}/{ply - 1}").replace(STILL_PLAYED, "")
        client.now += timedelta(hours=7)
    client.restart()
    for ply, page in kept.items():
        for who in (None, ALICE, BOB, CAROL):
            assert width_unasked(client.get(f"{url}/{ply}", who)) == width_unasked(page)


# Pages that do nothing


def targets(page: str) -> set[str]:
    return {target for target in links(page).values() if target.startswith("/")}


def crawled(client: Client, *starts: str) -> dict[str, Response]:
    """Return what a crawler without a certificate is answered, at each of these addresses, too."""
    crawl = Crawl(client, sample=SMALL)
    for start_ in ("/", *starts):
        crawl.run(start_)
    found = {visit.address: visit.answer for visit in crawl.visits}
    return found | {start_: client.ask(start_) for start_ in starts if start_ not in found}


FOR_ANYONE = ("/players/find", "/board/", "/try/", "/puzzles/", "/daily/", "/rules/")
"""Addresses that ask anyone a question whose answer changes nothing."""


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_crawler_changes_nothing_wherever_it_goes(client: Client) -> None:
    games = [played(client, "numeric"), start_between(client, "tinc")]
    games += [start(client, "quantum", way) for way in ("open", "invite", "solo")]
    play(client, games[1], ["a1", "c2+c3"], ALICE, BOB)
    client.get(link(client.get(games[1], ALICE), "/draw"), ALICE)
    wide, _ = long_game(client, 20)
    for who in (ALICE, BOB):
        games += [target for url in games[:5] for target in targets(client.get(url, who))]
        games += targets(client.get("/play/", who)) | targets(client.get("/play/me/", who))
        games += targets(client.get("/play/new/tinc", who))
    before = everything(client)

    found = crawled(client, wide, *games)

    assert everything(client) == before
    asked = {path for path, answer in found.items() if answer.status == 10}
    assert "/players/find" in asked
    assert all(path.startswith(FOR_ANYONE) for path in asked), "questions that anyone may be asked"
    assert {answer.status for answer in found.values()} <= {10, 20, 30, 60}
    assert any(path.endswith("/accept") for path in found), "also what only players see"
    assert any("?" in path for path in found if path.startswith(wide))


def test_an_unlisted_game_is_found_by_nobody_who_does_not_know_its_address(client: Client) -> None:
    hidden = [played(client, "numeric"), start_between(client, "ultimate")]
    hidden += [start(client, "extreme", "invite"), start(client, "tinc", "solo")]
    play(client, hidden[1], ["e5", "d4"], ALICE, BOB)
    listed = start(client, "ultimate", "open")
    client.get(link(client.get(listed, BOB), "/join"), BOB)
    waiting = start(client, "tinc", "open")

    feeds = ("/feed", "/feed.xml", "/games/numeric/feed", "/players/alice/feed")
    found = crawled(client, "/players/alice", "/players/bob", *feeds)

    assert {listed, waiting} <= found.keys()
    for url in hidden:
        for path, answer in found.items():
            assert url.removeprefix("/play/") not in path + answer.body, path
        assert url in targets(without_events(client.get("/play/", ALICE))), (
            "it is in its players' own lists"
        )
        assert url not in targets(client.get("/play/", CAROL))
        assert client.ask(url).status == 20


# Wide grids


def test_a_wide_grid_is_seen_through_a_window_that_links_move(client: Client) -> None:
    url, moves = long_game(client, 40)
    page = client.get(url)
    window, *_, overview = blocks(page)
    assert "\n".join(window.rows) == shown_after("tinc", moves)
    assert overview.title == "The whole grid in miniature"
    assert len(overview.rows) <= 20
    assert "The grid is 81 cells wide and 81 cells high." in page
    ways = {label: target for label, target in links(page).items() if "Further" in label}
    assert ways
    for label, target in ways.items():
        moved = client.get(target)
        shown = blocks(moved)[0].rows
        last = label.split()[-1]
        names = shown[0].split() if "columns" in label else [row.split()[0] for row in shown[1:]]
        assert names[-1] == last, label
        assert links(moved)["Back to the last move"] == url
    assert max(len(row) for block in blocks(page) for row in block.rows) <= 64


def test_a_player_who_looked_around_can_move_from_there(client: Client) -> None:
    url, _ = long_game(client, 40)
    moved = client.get(f"{url}?a1", ALICE)
    assert blocks(moved)[0].rows[0].split()[0] == "a"
    assert client.type(link(moved, "/move"), "a1+c1", ALICE).status == 30
    assert "X played a1+c1" in client.get(url)


def test_the_words_and_the_record_of_a_wide_game_leave_nothing_out(client: Client) -> None:
    url, moves = long_game(client, 40)
    words = client.get(f"{url}/words")
    for sentence in VARIANTS["tinc"].replay(moves).describe():
        assert f"\n{sentence}\n" in words
    for ply, move in enumerate(moves, start=1):
        assert f"* {ply}. " in words
        assert f": {move}\n" in words
    assert json.loads(client.get(f"{url}/record.json"))["moves"] == moves
