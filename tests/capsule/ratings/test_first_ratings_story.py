"""With which ratings bots begin: those of the measured ladder, unless they have played before."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from capsule.bots import turns as bot_turns
from capsule.games import reading
from capsule.games.recomputation import recompute
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import INITIAL, Holder, Rating, format_change, updated
from engine import VARIANTS
from engine.bots.levels import LEVELS
from tests.support.client import Client, context_of, link
from tests.support.stored import player_id
from tests.support.stories import ALICE, play, start

if TYPE_CHECKING:
    from collections.abc import Mapping


def ratings_of_bots(client: Client, variant: str) -> Mapping[str, Rating]:
    with client.database.reading() as connection:
        return {
            level: rating_queries.rating_of(connection, Holder(variant, None, level))
            for level in LEVELS
        }


def beaten_by(client: Client, level: str) -> str:
    """Let the bot of a level win a rated game of numeric against Alice; return its URL."""
    client.type(link(client.get(start(client, "tinc", "solo"), ALICE), "/resign"), "resign", ALICE)
    url = start(client, "numeric", f"bot-{level}")
    for own, theirs in (("a1=5", "a2=8"), ("c1=1", "a3=2")):
        play(client, url, [own], ALICE)
        game = reading.find_game(client.context, url.removeprefix("/play/"))
        assert game is not None
        bot_turns.bot_move(context_of(client), game.id, game.stored.turn_counter, theirs)
    return url


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_level_begins_where_the_measured_ladder_has_it(client: Client, variant: str) -> None:
    ratings = ratings_of_bots(client, variant)
    assert ratings["club"].number == INITIAL.number
    for lower, upper in pairwise(LEVELS):
        lead = ratings[upper].number - ratings[lower].number
        assert 100 <= lead <= 700, "about seven games in ten, or more"
    assert {rating.uncertainty for rating in ratings.values()} == {200}
    assert {rating.games for rating in ratings.values()} == {0}


def test_the_first_rated_game_starts_from_there_and_its_page_says_so(client: Client) -> None:
    first = ratings_of_bots(client, "numeric")["master"]
    url = beaten_by(client, "master")
    alice, master = updated(INITIAL, first, (0, 1))
    assert ratings_of_bots(client, "numeric")["master"] == master
    with client.database.reading() as connection:
        holder = Holder("numeric", player_id(client, ALICE), None)
        assert rating_queries.rating_of(connection, holder) == alice
    assert (
        f"alice {alice.short} ({format_change(INITIAL, alice)}), "
        f"master bot {master.short} ({format_change(first, master)})." in client.get(url)
    )
    equal, _ = updated(INITIAL, INITIAL, (0, 1))
    assert alice.number > equal.number, "to lose to a master costs less than to an equal"


def test_ratings_recompute_to_the_same_from_there(client: Client) -> None:
    beaten_by(client, "master")
    assert recompute(client.database, check=True).differing == 0


def test_lists_show_what_a_bot_begins_with(client: Client) -> None:
    page = client.get("/play/new/ultimate?listed=yes", ALICE)
    (way,) = (line.split()[1] for line in page.splitlines() if "/bot-master" in line)
    client.get(way, ALICE)
    master = ratings_of_bots(client, "ultimate")["master"]
    assert f"master bot (O, {master.short})" in client.get("/games/ultimate")
