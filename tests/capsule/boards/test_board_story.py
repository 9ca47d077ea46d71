"""A board's whole state is its address: anyone follows moves, goes back, and passes it around."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from capsule.bots.service import MAX_ASKING, EvaluationCache, Hint, TooManyAsk
from capsule.bots.turns import save_analysis
from capsule.gemini.types import Request, Response, Wait
from capsule.gemini.url import authority_of, parse_url
from engine import VARIANTS, message
from engine.bots.analysis import analyse, to_json
from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_can_be_followed_move_by_move_to_its_end(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    address = f"/board/{variant}/"
    for move in moves:
        answer = client.type(f"{address.rstrip('/')}/move", move)
        assert answer.status == 30
        address = answer.meta
    assert address == f"/board/{variant}/{','.join(moves)}"
    page = client.get(address)
    assert "Type a move" not in page
    assert "wins" in page
    for move in reversed(moves):
        assert address.endswith(move)
        address = links(client.get(address))["Back one move"]
    assert address == f"/board/{variant}/"


def test_a_board_shows_position_turn_words_record_and_links(client: Client) -> None:
    page = client.get("/board/ultimate/e5")
    assert page.startswith("# Ultimate: the board after 1 move\n\n```Ultimate Tic-Tac-Toe board")
    assert "Move 2. O to play. Play in the centre board." in page
    assert "\n1. e5\n" in page
    assert "In the centre board X has e5." in page
    assert links(page)["d4: sends X to the top left board"] == "/board/ultimate/e5,d4"
    assert page.index("Play in the centre board.") < page.index("/board/ultimate/e5,d4")


def test_moves_are_links_where_twelve_or_fewer_are_legal(client: Client) -> None:
    def following(address: str) -> list[str]:
        urls = links(client.get(address)).values()
        return [url for url in urls if url.startswith(f"{address.rstrip('/')},")]

    assert not following("/board/ultimate/")
    assert len(following("/board/ultimate/e5")) == 8
    assert not following("/board/tinc/a1,c2+c3")


@pytest.mark.parametrize("address", ["/board/tinc/a1,c2+c3", "/board/numeric/b2=5"])
def test_the_signs_of_moves_stand_in_addresses_as_they_are(client: Client, address: str) -> None:
    assert client.ask(address).status == 20
    line = f"gemini://localhost{address}".encode()
    assert parse_url(line, authority_of("localhost", 1965)).path == address


def test_moves_may_be_typed_otherwise_and_lead_to_the_usual_address(client: Client) -> None:
    for typed, usual in {
        "/board/tinc/move?a1": "/board/tinc/a1",
        "/board/tinc/a1?c3%2bc2": "/board/tinc/a1,c2+c3",
        "/board/numeric/?5%20b2": "/board/numeric/b2=5",
        f"/board/numeric/move?{quote('ａ１＝５')}": "/board/numeric/a1=5",
        "/board/ultimate/E5,4d": "/board/ultimate/e5,d4",
        "/board/quantum/b1+a1": "/board/quantum/a1+b1",
    }.items():
        assert client.ask(typed).meta == usual


def test_a_prompt_asks_again_and_says_why(client: Client) -> None:
    prompt = client.ask("/board/ultimate/e5/move")
    assert (prompt.status, "Play in the centre board." in prompt.meta) == (10, True)
    again = client.ask("/board/ultimate/e5/move?e5")
    assert (again.status, again.meta) == (10, "e5 is taken. O to move")
    unreadable = client.ask("/board/ultimate/e5/move?%0d%0ahello")
    assert unreadable.status == 10
    assert "\r" not in unreadable.meta
    assert "\n" not in unreadable.meta


def test_an_illegal_game_tells_its_move_and_the_last_good_board(client: Client) -> None:
    page = client.get("/board/ultimate/e5,d4,a1,e5,b2")
    assert "Move 4, e5, cannot be played: " in page
    assert links(page)["The last good board, after 3 moves"] == "/board/ultimate/e5,d4,a1"
    over = f"/board/numeric/{WON_GAMES['numeric'].replace(' ', ',')}"
    page = client.get(f"{over},b2=3")
    assert "Move 5, b2=3, cannot be played: The game is over." in page
    assert links(page)["The last good board, after 4 moves"] == over


@pytest.mark.parametrize(
    "address",
    [
        "/board/ultimate/e5,zz",
        "/board/ultimate/e5,",
        "/board/ultimate/,e5",
        "/board/ultimate/hello%20world",
        "/board/chess/e4",
        "/board/ultimate/~aaaaaaaaaa.1",
        "/board/ultimate/e5/d4",
        "/board/ultimate/%60%60%60",
    ],
)
def test_what_cannot_be_read_is_nowhere(client: Client, address: str) -> None:
    assert client.ask(address).status == 51


def test_a_long_game_has_a_short_address(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    play(client, url, ["e5", "e4", "d1"], ALICE)
    game = url.rsplit("/", 1)[-1]
    page = client.get(f"/board/ultimate/~{game}.2")
    assert "# Ultimate: the board after 2 moves" in page
    assert links(page)["Back one move"] == f"/board/ultimate/~{game}.1"
    after = client.type(f"/board/ultimate/~{game}.2/move", "d1").meta
    assert after == f"/board/ultimate/~{game}.2,d1"
    page = client.get(after)
    assert "# Ultimate: the board after 3 moves" in page
    assert "\n3. d1\n" in page
    assert links(page)["The position in that game"] == f"/play/{game}/2"
    assert links(page)["Back one move"] == f"/board/ultimate/~{game}.2"
    assert links(client.get(f"/board/ultimate/~{game}.1"))["Back one move"].endswith(".0")
    assert "Back one move" not in client.get(f"/board/ultimate/~{game}.0")


def test_a_game_is_found_in_its_own_variant_and_up_to_its_last_move(client: Client) -> None:
    game = start(client, "ultimate", "solo").rsplit("/", 1)[-1]
    assert client.ask(f"/board/ultimate/~{game}.0").status == 20
    assert client.ask(f"/board/ultimate/~{game}.1").status == 51
    assert client.ask(f"/board/extreme/~{game}.0").status == 51


def test_an_address_that_can_grow_no_longer_says_so(client: Client) -> None:
    moves, position = [], VARIANTS["tinc"].start
    while len(f"gemini://localhost/board/tinc/{','.join(moves)}") < 960:
        moves.append("a1" if not moves else "a1+b1")
        position = position.play(moves[-1])
    page = client.get(f"/board/tinc/{','.join(moves)}")
    assert "can grow no longer" in page
    assert "Type a move" not in page
    assert "Back one move" in page


@dataclass
class Sage:
    """Bots that know one thing."""

    asked: list[tuple[object, ...]] = field(default_factory=list)
    has_time: bool = True
    is_exact: bool = False
    meanwhile: Callable[[], object] = lambda: None

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Owe every reply."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        self.asked.append((variant, *moves, owner))
        self.meanwhile()
        if not self.has_time:
            return None
        return Hint("e4", message("blocks a row"), 0.625, is_exact=self.is_exact)


@pytest.fixture
def sage() -> Sage:
    return Sage()


@pytest.fixture
def wise(tmp_path: Path, sage: Sage) -> Iterator[Client]:
    made = Client(tmp_path, bots=lambda _: sage)
    yield made
    made.database.close()


def test_exact_values_are_told_as_such(wise: Client, sage: Sage) -> None:
    sage.is_exact = True
    page = wise.get("/board/ultimate/e5?engine")
    assert "With best play from here: O wins. This is proven." in page


def test_busy_bots_may_be_asked_again(wise: Client, sage: Sage) -> None:
    sage.has_time = False
    assert "busy" in wise.get("/board/ultimate/e5?engine")
    sage.has_time = True
    assert "The engine would play e4" in wise.get("/board/ultimate/e5?engine")


def test_one_who_waits_for_the_engine_is_told_to_slow_down(wise: Client) -> None:
    first = wise.answer(Request("/board/ultimate/e5", "engine", None, "address 1"))
    other = wise.answer(Request("/board/ultimate/e5", "engine", None, "address 2"))
    assert isinstance(first, Wait)
    assert isinstance(other, Wait)
    assert first.owner != other.owner
    assert (first.fallback.status, first.fallback.meta.isdecimal()) == (44, True)


def test_strangers_ask_for_one_bot_together_and_few_at_a_time(sage: Sage) -> None:
    evaluations = EvaluationCache()
    moves = WON_GAMES["ultimate"].split()[:MAX_ASKING]
    boards = [VARIANTS["ultimate"].replay(moves[:ply]) for ply in range(MAX_ASKING + 1)]

    class Busy(Sage):
        def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
            if len(moves) < MAX_ASKING:
                evaluations.ask(self, boards[len(moves) + 1], lambda: [*moves, "e5"], None)
            return super().hint(variant, moves, owner)

    with pytest.raises(TooManyAsk):
        evaluations.ask(Busy(), boards[0], list, None)
    assert evaluations.ask(sage, boards[1], lambda: ["e5"], None) is not None
    assert evaluations.ask(sage, boards[2], lambda: ["e4"], 7) is not None
    assert [owner for *_, owner in sage.asked] == ["strangers", 7]


def test_a_game_that_is_being_played_gets_no_advice(wise: Client, sage: Sage) -> None:
    url = start_between(wise, "ultimate")
    play(wise, url, ["e5"], ALICE, BOB)
    page = wise.get(f"/board/ultimate/~{url.rsplit('/', 1)[-1]}.1?engine", CAROL)
    assert "The game is still being played." in page
    assert not sage.asked


def test_a_board_that_is_over_needs_no_opinion(wise: Client, sage: Sage) -> None:
    over = f"/board/ultimate/{WON_GAMES['ultimate'].replace(' ', ',')}"
    assert "engine" not in wise.get(over)
    assert wise.ask(f"{over}?engine") == Response(30, over)
    assert wise.ask(f"{over}/move") == Response(30, over)
    assert not sage.asked


def test_a_wide_board_can_be_looked_at_elsewhere(client: Client) -> None:
    moves = ["a1", *["a1+b1"] * 14]
    address = f"/board/tinc/{','.join(moves)}"
    page = client.get(address)
    ways = [url for url in links(page).values() if url.startswith(f"{address}?around=")]
    assert ways
    moved = client.get(ways[-1])
    assert links(moved)["Back to the last move"] == address
    assert link(page, "/move") == f"{address}/move"


def test_a_replay_leads_to_its_board_and_back(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "e4"], ALICE, BOB)
    label = "Try moves on this board, or play on from it"
    board = links(client.get(f"{url}/1", CAROL))[label]
    page = client.get(board)
    assert "# Ultimate: the board after 1 move" in page
    assert links(page)["The position in that game"] == f"{url}/1"


def test_an_analysis_leads_to_boards_move_by_move(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    game_id = url.rsplit("/", 1)[1]
    content = to_json(analyse("numeric", WON_GAMES["numeric"].split(), 0.1, Random(1)))
    save_analysis(client.context, game_id, content)
    told = links(client.get(f"{url}/analysis"))
    mistake = next(label for label in told if label.startswith("Move 3, c1=1, gave away the draw"))
    assert told[mistake] == f"/board/numeric/~{game_id}.2"
    assert told["2. bob (Even): a2=8, a draw"] == f"/board/numeric/~{game_id}.2"
    assert "a1 holds 5" in client.get(told[mistake])
