"""Every page is as its reader wants it: a walk along all links, with all settings changed."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import pytest

from capsule.bots import queries as bot_queries
from capsule.gemini.types import Certificate
from capsule.ui import render
from engine.bots import analysis
from tests.support.choices import choose, choose_zone
from tests.support.client import BEGINNING, Client, certificate, link
from tests.support.crawling import LARGE, Sample
from tests.support.gemtext import blocks, prose
from tests.support.linking import PHONE, add
from tests.support.stored import long_game
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.walking import walk

pytestmark = pytest.mark.usefixtures("tmp_path")  # they have a database

EVENING = BEGINNING.replace(hour=20)
"""The time of the story: 20 November in UTC, the 21st in India."""

_RULER = re.compile(r" *[a-z]+( +[a-z]+)*| *[0-9]+  +\S.*")

BOARDS = {
    "play/game.gmi",
    "play/position.gmi",
    "bots/hint.gmi",
    "lobby/home.gmi",
    "accounts/settings.gmi",
    *(f"lobby/rules/{variant}.gmi" for variant in WON_GAMES),
}
"""The templates that show boards."""

TIMES = {
    "play/game.gmi",
    "play/position.gmi",
    "lobby/home.gmi",
    "lobby/public_games.gmi",
    "play/your_games.gmi",
    "lobby/player.gmi",
}
"""The templates that show times in the world that the walk is through."""


@dataclass(frozen=True)
class Walked:
    """The pages that somebody came to by links, and the templates that were rendered meanwhile."""

    pages: Mapping[str, str]
    rendered: Collection[str]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(Sample(10, 3, 4), id="small"),
        pytest.param(LARGE, id="large", marks=pytest.mark.deep),
    ],
)
def walks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[Certificate, Walked]:
    """Return what alice's two certificates come to, with all settings changed."""
    client = Client(tmp_path_factory.mktemp("walked"))
    fill(client)
    found = {who: walked(client, who, request.param) for who in (ALICE, PHONE)}
    client.database.close()
    return found


def walked(client: Client, who: Certificate, sample: Sample) -> Walked:
    """Walk along all links, as somebody for whom no page has been kept."""
    client.forget_pages()
    names: set[str] = set()
    made = render.render

    def noted(template: str, context: Mapping[str, object]) -> str:
        names.add(template)
        return made(template, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "render", noted)
        return Walked(dict(walk(client, who, sample)), names)


def fill(client: Client) -> None:
    """Fill a capsule with games of every kind that alice has part in, and change her settings."""
    client.now = EVENING
    for variant, moves in WON_GAMES.items():
        url = start(client, variant, "open")
        client.get(link(client.get(url, BOB), "/join"), BOB)
        play(client, url, moves.split(), ALICE, BOB)
        chances = (0.5,) * (len(moves.split()) + 1)
        made = analysis.Analysis(
            variant, is_exact=False, first=0, win_probabilities=chances, findings=()
        )
        with client.database.writing() as connection:
            game_id = url.removeprefix("/play/")
            bot_queries.save_analysis(connection, game_id, analysis.to_json(made))
        play(client, start_between(client, variant, BOB, ALICE), moves.split()[:2], ALICE, BOB)
        start(client, variant, "solo")
    listed = start(client, "ultimate", "open")
    client.get(link(client.get(listed, BOB), "/join"), BOB)
    play(client, listed, ["e5"], ALICE, BOB)
    start(client, "tinc", "open", CAROL)
    long_game(client, 30)
    client.type(link(client.get("/play/new/numeric", CAROL), "/challenge"), "alice", CAROL)
    client.type(link(client.get("/play/", BOB), "/vacation"), "3", BOB)
    add(client)
    choose(client, "boards/unicode", "rulers/off", "words/first", "narrow/on", "messages/off")
    choose_zone(client, "India")


def is_board(title: str) -> bool:
    """Return whether the title of a block is that of a board, not of a plot, table or commands."""
    return re.search("board|grid", title, re.IGNORECASE) is not None


def ascii_left(rows: Sequence[str]) -> list[str]:
    """Return the rows of a board with anything in them that ASCII draws and Unicode does not."""
    return [row for row in rows if set(row) & set("~.'()|\\/<>^") or "--" in row or "->" in row]


def rulers_left(rows: Sequence[str]) -> list[str]:
    """Return the rows of a board that are, or begin with, a ruler."""
    return [row for row in rows if _RULER.fullmatch(row)]


def is_in_utc(path: str) -> bool:
    """Return whether a page keeps to UTC: feeds do, the positions of the days, and days of cups."""
    return re.search(r"/feed\b|^(/play)?/(daily|cups)/", path) is not None


@pytest.mark.slow
@pytest.mark.parametrize("who", [ALICE, PHONE], ids=["first certificate", "second certificate"])
def test_every_page_is_as_its_reader_wants_it(
    walks: Mapping[Certificate, Walked], who: Certificate
) -> None:
    shown = walks[who].pages
    boards = 0
    for path, page in shown.items():
        for block in blocks(page):
            # Commands to be copied have lines of their own, and an address cannot be broken.
            rows = [row for row in block.rows if not row.startswith("=> gemini://")]
            if not path.startswith(("/help", "/play/me/certificates")):
                assert max(map(len, rows)) <= 40, (path, block)
            if is_board(block.title):
                boards += 1
                assert not ascii_left(block.rows), (path, block)
                assert not rulers_left(block.rows), (path, block)
        if not is_in_utc(path):
            words = re.sub(r"^=> \S+", "", prose(page), flags=re.MULTILINE)
            assert "20 November 2026" not in words, path
            assert not re.search("~(?!/)", words), path
            if path not in ("/play/me/settings", "/help/"):
                assert not re.search(r"\bUTC\b", words), path
    assert (BOARDS | TIMES).issubset(walks[who].rendered)
    assert boards > 100
    assert sum("21 November 2026 at 01:32 IST" in page for page in shown.values()) > 30


@pytest.mark.slow
def test_both_certificates_get_the_same_pages(walks: Mapping[Certificate, Walked]) -> None:
    one, other = (
        {path: page for path, page in walks[who].pages.items() if not path.startswith("/play/me/")}
        for who in (ALICE, PHONE)
    )
    # Practice leads each of them to another puzzle.
    both = one.keys() & other.keys()
    assert {path for path in both if one[path] != other[path]} == set()
    assert len(both) > 0.9 * max(len(one), len(other))


@pytest.mark.slow
def test_the_words_come_first_on_every_page_of_a_game(walks: Mapping[Certificate, Walked]) -> None:
    for path, page in walks[ALICE].pages.items():
        if re.fullmatch("/play/[a-z2-7]{10}(/[0-9]+)?", path):
            before, _, _ = page.partition("```")
            last = before.strip().splitlines()[-1]
            assert last.endswith(".")
            assert not last.startswith(("# ", "=> ", "Your turn."))


def test_templates_leave_times_to_the_two_filters() -> None:
    made_by_hand = re.compile(r"\.date\(|strftime|isoformat|\.time\(|UTC(?! \w)")
    for template in sorted(render.templates_folder().rglob("*.gmi")):
        if template.name not in ("feed.gmi", "settings.gmi"):
            found = made_by_hand.findall(template.read_text(encoding="utf-8"))
            assert not found, template.name


def test_who_has_chosen_nothing_sees_what_everybody_sees(client: Client) -> None:
    newcomer = certificate("newcomer")
    for path in ("/", "/rules/ultimate", "/help/", "/games/"):
        assert client.get(path, newcomer) == client.get(path)
    client.now += timedelta(hours=1)
    assert client.get("/rules/tinc", newcomer) == client.get("/rules/tinc")
