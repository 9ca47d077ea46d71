"""The rules pages: they can be read, their examples are played out, and what they claim holds."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from capsule.examples import WIDEST, after, before_after
from engine import VARIANTS, Side
from engine.game import MoveError
from engine.tinc import TincPosition
from tests.capsule.client import links
from tests.capsule.gemtext import blocks, prose
from tests.capsule.pseudo import pseudo_translated, untranslated

if TYPE_CHECKING:
    from tests.capsule.client import Client

RULES = [f"/rules/{key}" for key in VARIANTS]
PAGES = ["/rules/", *RULES]
NAMES = [name for variant in VARIANTS.values() for name in (variant.title, variant.name)]


@pytest.mark.parametrize("key", VARIANTS)
def test_every_game_has_its_rules_under_its_own_title(client: Client, key: str) -> None:
    assert client.get(f"/rules/{key}").startswith(f"# {VARIANTS[key].title}\n")


def test_the_list_of_rules_invites_to_every_game(client: Client) -> None:
    lines = client.get("/rules/").splitlines()
    for variant in VARIANTS.values():
        invitation = lines[lines.index(f"=> /rules/{variant.key} {variant.title}") - 1]
        assert invitation.endswith("."), variant.key


@pytest.mark.parametrize("url", PAGES)
def test_boards_fit_on_a_screen_and_say_what_they_are(client: Client, url: str) -> None:
    for block in blocks(client.get(url)):
        assert block.title.strip()
        assert max(map(len, block.rows)) <= WIDEST, block.title


@pytest.mark.parametrize("url", RULES)
def test_a_rules_page_shows_boards_before_and_after_a_move(client: Client, url: str) -> None:
    shown = blocks(client.get(url))
    assert len(shown) >= 4
    assert any("->" in row for block in shown for row in block.rows) or url == "/rules/quantum"


@pytest.mark.parametrize("url", PAGES)
def test_every_link_of_a_rules_page_leads_somewhere(client: Client, url: str) -> None:
    targets = links(client.get(url)).values()
    assert len(set(targets)) == len(targets), "one link, one meaning"
    for target in targets:
        response = client.ask(target)
        if target.startswith("/play/"):
            assert (response.status, response.meta) == (30, "/play/"), target
        else:
            assert response.status == 20, target


@pytest.mark.parametrize("key", VARIANTS)
def test_the_end_of_a_rules_page_leads_to_the_game_and_to_the_others(
    client: Client, key: str
) -> None:
    targets = set(links(client.get(f"/rules/{key}")).values())
    others = {f"/rules/{other}" for other in VARIANTS if other != key}
    assert {f"/play/new/{key}", f"/games/{key}", "/rules/", "/help/", "/", *others} <= targets


@pytest.mark.parametrize("url", PAGES)
def test_every_word_of_a_rules_page_can_be_translated(client: Client, url: str) -> None:
    with pseudo_translated():
        page = client.get(url)
    assert not untranslated(page, NAMES)


def test_a_page_is_in_english_again_after_another_language(client: Client) -> None:
    with pseudo_translated():
        assert "«" in client.get("/rules/tinc")
    assert "«" not in client.get("/rules/tinc")


@pytest.mark.parametrize("key", ["tinc", "ultimate", "numeric", "quantum", "extreme"])
def test_every_page_plays_a_game_to_its_end_and_says_what_decided_it(
    client: Client, key: str
) -> None:
    assert "The game is over: " in prose(client.get(f"/rules/{key}"))


def test_boards_too_wide_for_one_row_stand_one_above_the_other() -> None:
    narrow = before_after(after("ultimate"), "f1").splitlines()
    wide = before_after(after("extreme"), "a1").splitlines()
    assert max(map(len, narrow[1:])) <= WIDEST
    assert max(map(len, wide[1:])) <= WIDEST
    assert len(wide) == 2 * len(narrow)
    assert "  ->  a1" in wide


def test_an_example_with_an_illegal_move_is_an_error() -> None:
    with pytest.raises(MoveError):
        after("ultimate", "e5 a1")
    with pytest.raises(MoveError):
        before_after(after("ultimate", "e5"), "a1")


@pytest.mark.parametrize(
    ("key", "moves", "typed", "move"),
    [
        ("tinc", "a1 c2+c3", "d4 c3", None),
        ("tinc", "a1 c2+c3 c2+c4", "c3+d4", None),
        ("tinc", "a1 a1", "d4 c3", "c3+d4"),
        ("tinc", "a1 a1", "D4,C3", "c3+d4"),
        ("tinc", "a1 a1", "c3 and d4", "c3+d4"),
        ("tinc", "a1", "c3", "c3"),
        ("ultimate", "", "e5", "e5"),
        ("ultimate", "", "E5", "e5"),
        ("numeric", "", "B2 = 5", "b2=5"),
        ("numeric", "", "b2 5", "b2=5"),
        ("numeric", "", "b25", "b2=5"),
        ("numeric", "", "5 b2", "b2=5"),
        ("numeric", "", "5 in b2", "b2=5"),
        ("quantum", "", "C3 A1", "a1+c3"),
        ("quantum", "", "a1,c3", "a1+c3"),
        ("quantum", "", "a1 and c3", "a1+c3"),
        ("quantum", "a1+b2 a1+b2", "b2", "b2"),
        ("extreme", "", "e5", "e5"),
        ("extreme", "", "n5", "n5"),
    ],
)
def test_what_a_page_says_of_typing_is_so(
    client: Client, key: str, moves: str, typed: str, move: str | None
) -> None:
    assert typed in prose(client.get(f"/rules/{key}"))
    position = after(key, moves)
    if move is None:
        with pytest.raises(MoveError):
            position.parse(typed)
    else:
        assert position.parse(typed) == move


def grids(rows: tuple[str, ...]) -> list[int]:
    """Return how many columns each board has whose rulers stand in the first row of a block."""
    return [len(ruler.split()) for ruler in re.findall("[a-z](?: [a-z])*", rows[0])]


def test_the_tinc_page_shows_the_grid_grow_stay_and_be_won(client: Client) -> None:
    page = client.get("/rules/tinc")
    moves = {block.title.rpartition(" ")[2]: grids(block.rows) for block in blocks(page)}
    assert moves["a1"] == [1, 3]
    assert moves["c2+c3"] == [3, 5]
    assert moves["c2+c4"] == [5, 5]
    assert moves["c1+c5"] == [5, 5]
    assert moves["b1+a2"] == [3, 5], "a short diagonal does not end the game"
    assert moves["e1+d2"] == [5, 7]
    assert "X fills column c, from c1 to c5" in prose(page)


def quiet(before: TincPosition, after_it: TincPosition) -> bool:
    return before.size == after_it.size


@pytest.mark.parametrize("seed", range(40))
def test_a_win_at_tinc_takes_two_quiet_turns_before_it(seed: int) -> None:
    random = Random(seed)
    positions = [VARIANTS["tinc"].start]
    while positions[-1].outcome is None and len(positions) < 40:
        position = positions[-1]
        assert isinstance(position, TincPosition)
        inner = [
            move
            for move in position.legal_moves()
            if position.size < 5
            or random.random() < 0.01
            or quiet(position, played(position, move))
            or played(position, move).outcome is not None
        ]
        wins = [move for move in inner if position.play(move).outcome is not None]
        positions.append(position.play(random.choice(wins or inner)))
    last = positions[-1]
    if last.outcome is not None:
        sizes = [position.size for position in positions if isinstance(position, TincPosition)]
        assert len(positions) - 1 >= 5
        assert len(set(sizes[-4:])) == 1


def played(position: TincPosition, move: str) -> TincPosition:
    following = position.play(move)
    assert isinstance(following, TincPosition)
    return following
