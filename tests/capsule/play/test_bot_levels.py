"""The bot that is suggested next: the lowest not beaten twice, one lower after two losses."""

from datetime import UTC, datetime, timedelta

import pytest

from capsule.bots import turns as bot_turns
from capsule.games.player_queries import BotResult
from capsule.games.results import suggested_level
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from engine.bots.levels import LEVELS, MAIN_LEVELS, level_label
from engine.bots.registry import levels_of
from tests.support.client import Client, context_of, find_game, link, links
from tests.support.results import rate
from tests.support.stories import ALICE, play, record, start
from tests.support.tournaments import resign

BEGINNING = datetime(2026, 11, 1, tzinfo=UTC)


def results(written: str) -> list[BotResult]:
    """Return results in order, each written as a level and + (won), - (lost) or = (drawn)."""
    return [
        BotResult(
            "tinc",
            each[:-1],
            BEGINNING + timedelta(days=day),
            {"+": True, "-": False}.get(each[-1]),
        )
        for day, each in enumerate(written.split())
    ]


@pytest.mark.parametrize(
    ("played", "suggested"),
    [
        ("", "novice"),
        ("novice+", "novice"),
        ("novice+ novice+", "casual"),
        ("novice+ novice- novice+", "casual"),
        ("novice= novice= novice=", "novice"),
        ("novice+ novice+ casual-", "casual"),
        ("novice+ novice+ casual- casual-", "novice"),
        ("novice+ novice+ casual- casual- novice+", "casual"),
        ("novice+ novice+ casual- casual=", "casual"),
        ("novice- novice-", "novice"),
        ("club+ club+", "novice"),
        ("novice+ novice+ club+ club+ casual+ casual+", "expert"),
        ("novice+ novice+ casual+ casual+ club+ club+ expert+ expert+ master+ master+", "master"),
    ],
)
def test_the_level_follows_from_the_results(played: str, suggested: str) -> None:
    assert suggested_level(MAIN_LEVELS, results(played)) == suggested


def lose(client: Client, level: str) -> None:
    url = start(client, "numeric", f"bot-{level}")
    resign(client, url, ALICE)


def win(client: Client, level: str) -> None:
    """Let Alice win as Even."""
    url = start(client, "numeric", f"bot-{level}?side=o")
    for move, reply in (("a1=5", "a2=8"), ("c1=1", "a3=2")):
        game = find_game(context_of(client), url.removeprefix("/play/"))
        bot_turns.reply(context_of(client), game.stored.id, game.stored.turn_counter, move)
        play(client, url, [reply], ALICE)


def suggested(client: Client, variant: str = "Numeric") -> str:
    """Return the level that the page of new games suggests."""
    label = next(label for label in links(client.get("/play/new/", ALICE)) if variant in label)
    return label.removeprefix(f"{variant} with the ").partition(" ")[0]


def test_the_page_of_new_games_suggests_it_for_each_variant(client: Client) -> None:
    assert suggested(client) == "novice"
    for _ in range(2):
        client.now += timedelta(minutes=1)
        win(client, "novice")
    assert suggested(client) == "casual"
    assert suggested(client, "Tinc") == "novice"
    for _ in range(2):
        client.now += timedelta(minutes=1)
        lose(client, "casual")
    assert suggested(client) == "novice"


# The levels that are shown


def shown(client: Client, path: str) -> list[str]:
    """Return the levels with which the links of a page of a new game begin."""
    found = links(client.get(path, ALICE))
    return [label.split(" bot, ")[0].lower() for label in found if " bot, " in label]


def test_a_newcomer_sees_the_lowest_levels_first_and_all_behind_a_link(client: Client) -> None:
    page = client.get("/play/new/ultimate?side=o", ALICE)
    assert shown(client, "/play/new/ultimate?side=o") == ["novice", "novice+", "casual"]
    every = links(page)["All levels of the bots"]
    assert shown(client, every) == [level_label(name) for name in levels_of("ultimate")]
    url = client.ask(
        link(client.get(every, ALICE), "/bot-club-plus?side=o&listed=no&rated=no"), ALICE
    ).meta
    assert record(client, url)["players"] == {"X": "club+ bot", "O": "alice"}


def test_the_three_levels_nearest_to_ones_rating_are_shown_first(client: Client) -> None:
    start(client, "tinc", "solo")
    ratings = [measured()[Holder("ultimate", None, name)].number for name in LEVELS]
    rate(client, "ultimate", "alice", ratings[6] + 1)
    assert shown(client, "/play/new/ultimate") == ["club+", "expert", "expert+"]


def test_a_level_that_a_variant_does_not_have_starts_no_game(client: Client) -> None:
    way = link(client.get("/play/new/tinc", ALICE), "/bot-novice")
    page = client.get(way.replace("novice", "club-plus"), ALICE)
    assert "That link was out of date: no game was started." in page
    assert client.ask(way.replace("novice", "grandmaster"), ALICE).status == 51
