"""A game against the novice bot without a certificate, whose whole state is its address."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from capsule.bots.service import BotService
from capsule.gemini.types import Request, Response, Wait
from engine import VARIANTS, Position
from tests.support.client import Client, link, links
from tests.support.query_log import recorded_queries
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE, WON_GAMES, record

pytestmark = pytest.mark.sqlite  # nothing of it comes from the database

KEEP = "Keep this game: go on with a certificate"
TAKE_BACK = "Take back your last move"
GROWN = "The address of this game can grow no longer"


def moves_of(address: str) -> list[str]:
    line = address.partition("?")[0].rsplit("/", 1)[1]
    return line.split(",") if line else []


def position_at(address: str) -> Position:
    return VARIANTS[address.split("/")[-2]].replay(moves_of(address))


def play_on(client: Client, address: str, rng: Random, most: int = 200) -> Iterator[str]:
    """Yield the addresses of a game in which the reader types any moves, to its end."""
    for _ in range(most):
        yield address
        if position_at(address).outcome is not None or GROWN in client.get(address):
            return
        answer = client.type(link(client.get(address), "/move"), any_move(address, rng))
        assert answer.status == 30
        address = answer.meta


def any_move(address: str, rng: Random) -> str:
    return position_at(address).random_move(rng)


def grown(variant: str = "tinc", length: int = 960) -> str:
    """Return the address of a game that is nearly too long, in which X is to move."""
    moves, position = ["a1"], VARIANTS[variant].start.play("a1")
    while len(f"gemini://localhost/try/{variant}/{'%2C'.join(moves)}") < length or len(moves) % 2:
        moves.append("a1+b1")
        position = position.play(moves[-1])
    return f"/try/{variant}/{','.join(moves)}"


def test_a_stranger_sees_the_bots_first_answer_after_three_links(client: Client) -> None:
    home = links(client.get("/"))
    games = links(client.get(home["Try it now, without a certificate"]))
    game = links(client.get(games["Try Ultimate"]))
    page = client.get(game["Begin with a1"])
    assert "Move 3 is yours. The bot played " in page
    assert "Your turn. " in page


def test_its_page_says_what_it_is_and_leads_to_all_games_ultimate_first(client: Client) -> None:
    page = client.get("/try/")
    assert "without a certificate" in page
    assert "Nothing is stored" in page
    tried = [url for url in links(page).values() if url.startswith("/try/")]
    assert tried[0] == "/try/ultimate/"
    assert sorted(tried) == sorted(f"/try/{variant}/" for variant in VARIANTS)
    with noughts_plugged_in():
        client.forget_pages()
        assert [*links(client.get("/try/")).values()][5] == "/try/noughts/"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_begins_with_the_board_the_turn_and_the_rules(client: Client, variant: str) -> None:
    page = client.get(f"/try/{variant}/")
    first, second = VARIANTS[variant].side_names.values()
    assert page.startswith(f"# {VARIANTS[variant].name}: you ({first}) – novice bot ({second})\n")
    assert "Move 1 is yours.\nYour turn. " in page
    assert links(page)["Type your move"] == f"/try/{variant}/move"
    rules = [str(rule) for rule in VARIANTS[variant].summary]
    assert all(f"\n* {rule}\n" in page for rule in rules)
    assert TAKE_BACK not in page
    later = client.get(client.ask(f"/try/{variant}/move?{example(variant)}").meta)
    assert not any(rule in later for rule in rules)


def example(variant: str) -> str:
    return VARIANTS[variant].start.example()


@pytest.mark.parametrize("variant", [each for each in VARIANTS if each != "tinc"])
def test_every_game_is_played_to_its_end(client: Client, variant: str) -> None:
    *_, address = play_on(client, f"/try/{variant}/", Random(variant))
    page = client.get(address)
    assert re.search("^You (won|lost|drew): ", page, re.MULTILINE)
    assert "Type your move" not in page
    assert KEEP not in page
    assert links(page)["Once more"] == f"/try/{variant}/"
    assert links(page)["A stronger bot, with a certificate"].startswith(f"/play/new/{variant}?")
    assert links(page)[f"Rules of {VARIANTS[variant].name}"] == f"/rules/{variant}"
    assert links(page)["Oxonaut"] == "/"
    assert client.ask(f"{address}/move").meta == address


def test_the_result_is_the_readers_own(client: Client) -> None:
    def end(variant: str) -> str:
        return client.get(f"/try/{variant}/{WON_GAMES[variant].replace(' ', ',')}")

    for variant, moves in WON_GAMES.items():
        outcome = VARIANTS[variant].replay(moves.split()).outcome
        assert outcome is not None
        has_won = outcome.winner is not None and outcome.winner.value == "X"
        assert ("\nYou won: " if has_won else "\nYou lost: ") in end(variant), variant
    assert "Points: X " in end("quantum")


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_moves_bring_the_same_answer_in_any_process(client: Client, variant: str) -> None:
    *_, address = islice(play_on(client, f"/try/{variant}/", Random(5)), 3)
    *_, latest = [url for url in links(client.get(address)).values() if url.endswith("/move")]
    typed = quote(any_move(address, Random(6)))
    after = client.ask(f"{latest}?{typed}").meta
    assert {client.ask(f"{latest}?{typed}").meta for _ in range(5)} == {after}
    for seed in ("1", "2"):
        assert replied_elsewhere(address, typed, seed) == after


def replied_elsewhere(address: str, typed: str, seed: str) -> str:
    """Return the address after a move as another process finds it, which hashes otherwise."""
    program = (
        "import sys\n"
        "from urllib.parse import unquote\n"
        "from capsule.bots.service import BotService\n"
        "from capsule.tryout.pages import tryout_of, with_replies\n"
        "from engine import VARIANTS\n"
        "_, variant, moves, typed = sys.argv\n"
        "moves = [*filter(None, moves.split(',')), unquote(typed)]\n"
        "game, _ = tryout_of(VARIANTS[variant], moves)\n"
        "print(with_replies(BotService(), game).address)\n"
    )
    variant, moves = address.split("/")[-2], ",".join(moves_of(address))
    found = subprocess.run(
        [sys.executable, "-c", program, variant, moves, typed],
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.strip()


def test_the_bot_moves_until_the_reader_is_to_move_again(client: Client) -> None:
    after = client.ask("/try/quantum/a1+b1,c1+c2/move?a1%2Bb1").meta
    assert len(moves_of(after)) == 5
    assert moves_of(after)[3] in ("a1", "b1"), "it measures first"
    page = client.get(after)
    assert f"The bot played {moves_of(after)[3]}, which settled" in page
    assert "Your turn. Put x5" in page
    assert links(page)[TAKE_BACK] == "/try/quantum/a1+b1,c1+c2"


def test_a_bonus_move_is_the_readers_own(client: Client) -> None:
    page = client.get("/try/extreme/a1,j1,b2,d4,c3")
    assert "Move 6 is yours again. You played c3, which won the" in page
    assert links(page)[TAKE_BACK] == "/try/extreme/a1,j1,b2,d4"
    assert client.ask("/try/extreme/a1,j1,b2,d4/move?c3").meta == "/try/extreme/a1,j1,b2,d4,c3"


def test_few_moves_have_links_that_say_what_they_do(client: Client) -> None:
    page = client.get("/try/ultimate/e5,d4")
    way = links(page)["b1: sends O to the top centre board"]
    assert way == "/try/ultimate/e5,d4/move?b1"
    assert client.ask(way).meta.startswith("/try/ultimate/e5,d4,b1,")
    assert len([url for url in links(page).values() if "/move?" in url]) == 9
    only = client.get("/try/tinc/")
    assert [*links(only)][:2] == ["a1", "Type your move"], "one legal move comes first"


def test_a_page_is_never_a_bots_work(client: Client) -> None:
    assert client.ask("/try/ultimate/e5").meta == "/board/ultimate/e5"
    assert client.ask("/try/ultimate/e5/words").meta == "/board/ultimate/e5"
    assert client.ask("/try/ultimate/e5/move").meta == "/board/ultimate/e5"
    assert client.ask("/try/ultimate/e5/move?e4").meta == "/board/ultimate/e5"
    assert "the board after 1 move" in client.get("/try/ultimate/e5")


def test_what_cannot_be_played_is_asked_again(client: Client) -> None:
    asked = client.ask("/try/ultimate/e5,e4/move")
    assert asked.status == 10
    assert "Play in the top centre board. For example d1. Your move, X" in asked.meta
    again = client.ask("/try/ultimate/e5,e4/move?e5")
    assert again.status == 10
    assert again.meta.endswith(". Your move, X")
    assert client.ask("/try/ultimate/e5,e4/move?hello%0d%0a").status == 10
    assert client.ask("/try/numeric/move").meta.endswith("Your move, Odd")


def test_an_illegal_game_leads_to_where_its_reader_was_last_to_move(client: Client) -> None:
    page = client.get("/try/ultimate/e5,d4,a1,e5,b2")
    assert "Move 4, e5, cannot be played: " in page
    assert links(page)["The last good board, after 2 moves"] == "/try/ultimate/e5,d4"
    asked = client.ask("/try/ultimate/e5,d4,e5/move?a1")
    assert (asked.status, asked.meta) == (30, "/try/ultimate/e5,d4,e5")


@pytest.mark.parametrize(
    "address",
    [
        "/try/ultimate/e5,zz",
        "/try/ultimate/e5,",
        "/try/ultimate/hello%20world",
        "/try/ultimate/hello/move?e5",
        "/try/noughts/",
        "/try/ultimate/~aaaaaaaaaa.1",
        "/try/ultimate/e5,d4/more",
        "/try/ultimate/%60%60%60",
    ],
)
def test_what_cannot_be_read_is_nowhere(client: Client, address: str) -> None:
    assert client.ask(address).status == 51


def test_a_move_is_taken_back_with_the_answer_to_it(client: Client) -> None:
    addresses = [*islice(play_on(client, "/try/numeric/", Random(3)), 4)]
    for before, after in pairwise(addresses):
        assert links(client.get(after))[TAKE_BACK] == before


def test_nothing_is_asked_of_the_database_and_nothing_is_stored(client: Client) -> None:
    pages = ["/try/", "/try/tinc/", "/try/ultimate/e5,e4", "/try/ultimate/e5,e4/words"]
    moves = ["/try/ultimate/move", "/try/ultimate/move?e5", "/try/ultimate/e5,e4/move?d1"]
    with recorded_queries(client) as queries:
        for address in (*pages, *moves):
            client.ask(address)
    assert not queries


def test_a_game_goes_on_with_a_certificate(client: Client) -> None:
    page = client.get("/try/tinc/a1,c2+c3")
    way = links(page)[KEEP]
    assert way == "/play/new/tinc?from=a1,c2+c3&side=x&level=novice"
    assert links(page)["How to make a certificate"] == "/help/certificates"
    signs_in = client.ask(way).meta
    assert signs_in == f"/play/?{way.removeprefix('/play/')}"
    assert client.ask(signs_in).status == 60
    first, *_ = links(client.get(signs_in, ALICE)).items()
    assert first[0].startswith("Novice bot, ")
    game = client.ask(first[1], ALICE).meta
    assert record(client, game)["moves"] == ["a1", "c2+c3"]
    assert record(client, game)["players"] == {"X": "alice", "O": "novice bot"}
    assert "Move 3 is yours." in client.get(game, ALICE)


def test_a_game_begins_with_a_certificate_too(client: Client) -> None:
    way = links(client.get("/try/tinc/"))["Play it with a certificate instead"]
    assert way == "/play/new/tinc?side=x&level=novice"
    first, *_ = links(client.get(client.ask(way).meta, ALICE))
    assert first.startswith("Novice bot, ")


def test_a_game_that_has_outgrown_its_address_says_what_still_works(client: Client) -> None:
    address = grown()
    page = client.get(address)
    assert "You can take back your last move." in page
    assert "Type your move" not in page
    assert KEEP not in page
    assert client.ask(f"{address}/move?a1").meta == address
    assert moves_of(links(page)[TAKE_BACK]) == moves_of(address)[:-2]
    page = client.get(grown(length=880))
    assert "This game has grown too long to go on with a certificate." in page
    assert "Type your move" in page
    assert KEEP not in page


@pytest.mark.parametrize("prefix", ["", "/pt", "/zh"])
def test_no_link_of_a_long_game_is_longer_than_an_address_may_be(
    client: Client, prefix: str
) -> None:
    """Amfora asks for the address of a link with `%2C`."""
    for length in range(820, 1000, 8):
        address = grown(length=length)
        for width in ("", "?narrow"):
            page = client.get(f"{prefix}{address}{width}")
            for url in links(page).values():
                browsers = f"gemini://localhost{url}".replace(",", "%2C")
                typed = "?aa10%2Bab12" if "/move" in url and "?" not in url else ""
                assert len(f"{browsers}{typed}") <= 1024, url


def test_a_narrow_game_stays_narrow(client: Client) -> None:
    page = client.get("/?narrow")
    page = client.get(links(page)["Try it now, without a certificate"])
    page = client.get(links(page)["Try Extreme"])
    way = links(page)["Type your move"]
    assert way == "/try/extreme/move/narrow"
    assert page.index("Type your move") < page.index("```")
    after = client.type(way, "o3").meta
    assert after.endswith("?narrow")
    page = client.get(after)
    chosen = [url for url in links(page).values() if "/move/narrow?" in url]
    assert 12 < len(chosen) <= 18
    assert client.ask(chosen[0]).meta.endswith("?narrow")
    rows = re.findall("^```.*?^```$", page, re.MULTILINE | re.DOTALL)[0].splitlines()[1:-1]
    assert max(map(len, rows)) <= 40
    below = [url for url in links(page).values() if url.startswith("/try/")]
    narrow = [url for url in below if "?narrow" in url or "/narrow" in url]
    assert [url for url in below if url not in narrow] == [f"{after.removesuffix('?narrow')}?wide"]
    assert client.ask("/try/extreme/o3/move/narrow?a1").meta == "/board/extreme/o3"


@pytest.mark.parametrize(("prefix", "tag"), [("/pt", "pt"), ("/zh", "zh-Hant")])
def test_a_game_stays_in_its_language(client: Client, prefix: str, tag: str) -> None:
    page = client.ask(f"{prefix}/try/ultimate/")
    assert page.meta.endswith(f"lang={tag}")
    assert f"=> {prefix}/try/ultimate/move " in page.body
    after = client.ask(f"{prefix}/try/ultimate/move?e5").meta
    assert after.startswith(f"{prefix}/try/ultimate/e5,")
    page = client.ask(after)
    assert page.meta.endswith(f"lang={tag}")
    (way,) = [url for url in links(page.body).values() if "level=novice" in url]
    assert way.startswith(f"/play/?{prefix[1:]}/new/ultimate?from=e5,")
    assert client.ask(way).status == 60
    first, *_ = links(client.get(way, ALICE)).values()
    assert "/bot-novice?from=e5," in first
    assert client.ask(f"{prefix}/try/ultimate/e5").meta == f"{prefix}/board/ultimate/e5"


def test_words_begin_with_the_way_to_move(client: Client) -> None:
    page = client.get(links(client.get("/try/ultimate/e5,e4"))["The position in words"])
    assert "```" not in page
    assert next(iter(links(page))) == "Type your move"
    assert "The bot played e4." in page
    assert "In the centre board X has e5 and O has e4." in page
    assert "\n1. e5 2. e4\n" in page
    assert links(page)["Back to the game"] == "/try/ultimate/e5,e4"
    assert links(client.get("/try/ultimate/words"))["Type your move"] == "/try/ultimate/move"


def test_a_wide_grid_is_looked_at_in_parts(client: Client) -> None:
    address = grown(length=900)
    ways = [
        url for url in links(client.get(address)).values() if re.search("[?][a-z]+[0-9]+$", url)
    ]
    assert ways
    assert len({client.get(url) for url in (address, *ways)}) > 1


@dataclass
class Plugged(BotService):
    """Bots of a plug-in, which note what they are asked."""

    reply: Callable[[Sequence[str]], str | None]
    asked: list[tuple[object, ...]] = field(default_factory=list)

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        self.asked.append((variant, tuple(moves), level, seed))
        return self.reply(moves)


@pytest.fixture
def bots() -> Plugged:
    def first_legal(moves: Sequence[str]) -> str:
        return next(iter(VARIANTS["noughts"].replay(moves).legal_moves()))

    return Plugged(first_legal)


@pytest.fixture
def plugged(tmp_path: Path, bots: Plugged) -> Iterator[Client]:
    with noughts_plugged_in():
        made = Client(tmp_path, bots=lambda _: bots)
        yield made
        made.database.close()


def test_the_bots_of_a_plug_in_are_waited_for(plugged: Client, bots: Plugged) -> None:
    first = plugged.answer(Request("/try/noughts/move", "b2", None, "address 1"))
    other = plugged.answer(Request("/try/noughts/move", "b2", None, "address 2"))
    assert isinstance(first, Wait)
    assert isinstance(other, Wait)
    assert first.owner != other.owner
    assert (first.fallback.status, first.fallback.meta.isdecimal()) == (44, True)
    assert first.finish().meta == other.finish().meta == "/try/noughts/b2,a1"
    assert len(set(bots.asked)) == 1, "the same seed for the same moves"
    assert bots.asked[0][:3] == ("noughts", ("b2",), "novice")


def test_bots_of_a_plug_in_that_have_no_time_are_asked_again_later(
    plugged: Client, bots: Plugged
) -> None:
    bots.reply = lambda _: None
    answer = plugged.ask("/try/noughts/move?b2")
    assert isinstance(answer, Response)
    assert (answer.status, answer.meta.isdecimal()) == (44, True)


def test_no_bot_is_asked_once_the_game_is_over(plugged: Client, bots: Plugged) -> None:
    after = plugged.ask("/try/noughts/a1,b1,a2,b2/move?a3").meta
    assert after == "/try/noughts/a1,b1,a2,b2,a3"
    assert "You won: " in plugged.get(after)
    assert not bots.asked
