"""The table of links: it has every kind of page, and counts as a reader does."""

import pytest

from engine import VARIANTS
from tests.bench.links import Counted, counted, main

LINKS = "=> /a/move?e5 e5\n=> /a/move Type your move\n=> / Oxonaut\n"
PAGE = f"# Title\n\n{LINKS}\n```A block\n=> text\n```\n"


def test_links_that_play_a_move_are_counted_apart_and_blocks_have_none() -> None:
    assert Counted.of(PAGE) == Counted(links=3, moves=1, lines=9)


@pytest.mark.slow
def test_every_kind_of_page_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    found = counted()
    for variant in VARIANTS:
        assert f"own turn, with a bot: {variant}" in found
        assert f"waiting for a person: {variant}" in found
    assert all(page.lines > page.links > 0 for page in found.values())
    main()
    assert len(capsys.readouterr().out.splitlines()) == len(found) + 1
