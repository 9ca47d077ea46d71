"""The pages to read about each game: played by the engine, linked, and found."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from capsule.learning.reading import EXAMPLES, ILLUSTRATIONS, GameReading, annotated_game
from engine import ASCII, VARIANTS
from engine.facts.sources import SOURCES
from tests.support.client import Client, links
from tests.support.gemtext import blocks, prose
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE

KINDS = ("example", "strategy", "history", "facts")
PAGES = [f"/rules/{variant}/{kind}" for variant in EXAMPLES for kind in KINDS]
NAMES = [name for variant in VARIANTS.values() for name in (variant.title, variant.name)]
NAMES += ["oxonaut facts"]

_BOARD = re.compile(r"/board/([a-z]+)/(\S*)")


def boards_linked(page: str) -> list[tuple[str, list[str]]]:
    """Return the boards that a page links to: their variants and moves."""
    found = [_BOARD.fullmatch(target) for target in links(page).values()]
    return [(each[1], unquote(each[2]).split(",") if each[2] else []) for each in found if each]


def test_each_of_the_five_is_read_about() -> None:
    assert set(EXAMPLES) == set(ILLUSTRATIONS) == set(SOURCES)


@pytest.mark.parametrize("variant", EXAMPLES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_leaves_the_definition_of_the_game_to_the_rules(
    client: Client, variant: str, kind: str
) -> None:
    page = client.get(f"/rules/{variant}/{kind}")
    lines = page.splitlines()
    assert lines[0].startswith("# ")
    assert VARIANTS[variant].title in lines[0]
    assert lines[2].endswith((".", ":"))
    assert str(VARIANTS[variant].about) not in page
    assert f"/rules/{variant}" in links(page).values()


@pytest.mark.parametrize("variant", EXAMPLES)
def test_the_rules_lead_to_what_there_is_to_read(client: Client, variant: str) -> None:
    targets = list(links(client.get(f"/rules/{variant}")).values())
    wanted = [f"/rules/{variant}/{kind}" for kind in KINDS]
    assert [target for target in targets if target in wanted] == wanted


@pytest.mark.parametrize("url", PAGES)
def test_every_link_leads_somewhere(client: Client, url: str) -> None:
    page = client.get(url)
    targets = re.findall(r"^=> (\S+)", page, re.MULTILINE)
    assert len(set(targets)) == len(targets), "one link, one meaning"
    assert len(links(page)) == len(targets), "labels differ"
    for target in targets:
        assert client.ask(target).status == (30 if target.startswith("/play/") else 20), target
    others = {f"{url.rpartition('/')[0]}/{kind}" for kind in KINDS} - {url}
    variant = url.split("/")[2]
    assert {f"/rules/{variant}", f"/play/new/{variant}", "/", *others} <= set(targets)


@pytest.mark.parametrize("url", PAGES)
def test_every_board_that_is_linked_can_be_played(client: Client, url: str) -> None:
    for variant, moves in boards_linked(client.get(url)):
        assert VARIANTS[variant].replay(moves)


@pytest.mark.parametrize("url", [url for url in PAGES if url.endswith(("example", "strategy"))])
def test_every_board_that_is_drawn_is_drawn_by_the_engine(client: Client, url: str) -> None:
    page = client.get(url)
    drawn = [block for block in blocks(page) if block.title.startswith("The board")]
    assert drawn
    possible = set()
    for variant, moves in boards_linked(page):
        game = annotated_game(variant, " ".join(moves), ASCII)
        possible |= {str(game.board(number)) for number in range(1, game.line.ply + 1)}
    for block in drawn:
        assert "\n".join([f"```{block.title}", *block.rows, "```"]) in possible, block.title


@pytest.mark.parametrize("url", PAGES)
def test_headings_have_room_above_them(client: Client, url: str) -> None:
    assert not re.search(r"[^\n]\n## ", client.get(url))


def moves_told(game: GameReading, page: str) -> list[int]:
    """Return the numbers of the moves on a page: each with its effect, or several in a line."""
    numbers: list[int] = []
    for line in page.splitlines():
        if alone := re.match(r"\* ([0-9]+)\. ", line):
            number = int(alone[1])
            assert line == f"* {game.move(number)}"
            numbers.append(number)
        elif several := re.match(r"\* Moves ([0-9]+) to ([0-9]+): ", line):
            first, last = int(several[1]), int(several[2])
            assert line == f"* {game.in_brief(first, last)}"
            numbers += range(first, last + 1)
    return numbers


@pytest.mark.parametrize("variant", EXAMPLES)
def test_an_example_shows_every_move_once_to_the_end(client: Client, variant: str) -> None:
    page = client.get(f"/rules/{variant}/example")
    game = annotated_game(variant, EXAMPLES[variant], ASCII)
    assert moves_told(game, page) == list(range(1, game.line.ply + 1))
    outcome = game.line.position.outcome
    assert outcome is not None
    assert f"The game is over: {outcome.reason}." in prose(page)
    moments = [moves for _, moves in boards_linked(page)]
    assert len(moments) >= 4
    assert moments[-1] == list(game.line.moves)
    for moves in moments:
        assert list(game.line.moves[: len(moves)]) == moves


@pytest.mark.parametrize("variant", EXAMPLES)
def test_every_illustration_is_shown(client: Client, variant: str) -> None:
    shown = boards_linked(client.get(f"/rules/{variant}/strategy"))
    for name, moves in ILLUSTRATIONS[variant].items():
        assert (variant, moves.split()) in shown, name
    assert len(ILLUSTRATIONS[variant]) >= 3


def test_a_variant_that_is_plugged_in_has_none_of_it(tmp_path: Path) -> None:
    with noughts_plugged_in():
        client = Client(tmp_path)
        for kind in KINDS:
            assert client.ask(f"/rules/noughts/{kind}").status == 51
        for page in ("/rules/noughts", "/rules/"):
            assert "/rules/noughts/" not in client.get(page)
        client.database.close()


def test_it_is_the_same_page_for_everybody_and_kept(client: Client) -> None:
    for url in PAGES:
        response = client.ask(url)
        assert response.cache_policy is not None
        assert response.cache_policy.tags == frozenset()
        assert client.get(url, ALICE) == client.get(url)
