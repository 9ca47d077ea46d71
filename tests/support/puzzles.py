"""Puzzles as tests try them: found by number, answered right or wrong."""

import re
from urllib.parse import quote

from engine import VARIANTS
from engine.puzzles import Puzzle, puzzle as puzzle_of, puzzles_of
from tests.support.client import Client, links
from tests.support.stories import ALICE

PUBLISHED = [variant for variant in VARIANTS if puzzles_of(variant)]
FIRST = "/puzzles/numeric/1"


def puzzle(variant: str = "numeric", number: int = 1) -> Puzzle:
    found = puzzle_of(variant, number)
    assert found is not None
    return found


def wrong_move(of: Puzzle) -> str:
    return next(move for move in of.position().legal_moves() if move not in of.solutions)


def address(of: Puzzle, move: str | None = None) -> str:
    return f"/puzzles/{of.variant}/{of.number}" + (
        f"/answered?{quote(move, safe='=')}" if move else ""
    )


def answer(client: Client, of: Puzzle, move: str, who: object = ALICE) -> str:
    """Answer a puzzle as a signed-in player does, and return the resulting page."""
    page = client.get(f"/play{address(of)}", who)
    asked = next(url for url in links(page).values() if url.partition("?")[0].endswith("/answer"))
    return client.get(f"{asked.partition('?')[0]}?{quote(move)}", who)


def rating_shown(client: Client) -> str:
    found = re.search(r"Your puzzle rating is (\d+\??)", client.get("/play/puzzles/", ALICE))
    assert found is not None
    return found[1]


def gain(page: str) -> int:
    found = re.search(r"\(\+(\d+)\)", page)
    assert found is not None, page
    return int(found[1])
