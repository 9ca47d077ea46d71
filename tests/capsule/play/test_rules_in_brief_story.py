"""A first game of a variant, which brings the rules along; later they are one link away."""

from itertools import dropwhile, takewhile

import pytest

from capsule.gemini.types import Certificate
from engine import VARIANTS
from tests.support.client import Client, links
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between
from tests.support.tournaments import resign


def rules_on(client: Client, url: str, who: Certificate | None) -> list[str]:
    """Return the rules that stand on a game's page, under the links to move and to the width."""
    rows = client.get(url, who).splitlines()
    begin = next((n for n, row in enumerate(rows) if row.endswith(" Type your move")), len(rows))
    below = list(dropwhile(lambda row: row.startswith("=> "), rows[begin:]))
    assert not [row for row in rows if row.startswith("* ") and row not in below]
    return [row[2:] for row in takewhile(lambda row: row.startswith("* "), below)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_stand_in_five_lines_until_three_moves_are_made(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    rules = [str(rule) for rule in VARIANTS[variant].summary]
    assert len(rules) == 5
    made = {ALICE: 0, BOB: 0}
    for move in WON_GAMES[variant].split():
        page = client.get(url, ALICE)
        mover, waiting = (ALICE, BOB) if "Your turn." in page else (BOB, ALICE)
        assert rules_on(client, url, mover) == (rules if made[mover] < 3 else [])
        for who in (waiting, CAROL, None):
            assert rules_on(client, url, who) == []
        play(client, url, [move], ALICE, BOB)
        made[mover] += 1
    assert rules == [row[2:] for row in client.get(f"/rules/{variant}").splitlines()[4:9]]


def test_who_has_finished_a_game_of_the_variant_knows_the_rules(client: Client) -> None:
    url = start_between(client, "tinc")
    other = start(client, "numeric", "bot-club")
    resign(client, url, ALICE)
    again = start(client, "tinc", "bot-club")
    assert rules_on(client, again, ALICE) == []
    assert rules_on(client, other, ALICE) == [str(rule) for rule in VARIANTS["numeric"].summary]


def test_a_first_game_alone_has_them_for_three_moves_of_whichever_side(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    for move in ("e5", "d4", "a1"):
        assert rules_on(client, url, ALICE)
        play(client, url, [move], ALICE)
    assert not rules_on(client, url, ALICE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_are_among_the_first_four_links(client: Client, variant: str) -> None:
    moves = WON_GAMES[variant].split()
    url = start_between(client, variant)
    for move in moves[:4]:
        for who in (ALICE, BOB, CAROL, None):
            assert f"/rules/{variant}" in list(links(client.get(url, who)).values())[:4]
        play(client, url, [move], ALICE, BOB)
