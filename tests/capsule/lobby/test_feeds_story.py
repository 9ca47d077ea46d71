"""Public and private feeds, as pages to subscribe to and as Atom."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import feedparser
import pytest
from sqlalchemy import create_engine, text

from capsule.accounts import personal_data, players
from capsule.db.database import migrate
from capsule.games import conditional_moves, offers, reading
from capsule.gemini.types import Response
from capsule.play import challenges, starting
from capsule.play.terms import GameTerms
from capsule.ui import render
from capsule.ui.atom import Entry, Feed, FeedKind, to_atom
from engine import VARIANTS
from engine.game import message
from tests.support.client import BEGINNING, Client, context_of, link, links
from tests.support.pseudo_translation import pseudo_translated, untranslated
from tests.support.query_log import recorded_queries
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
)

if TYPE_CHECKING:
    from pathlib import Path

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Certificate

NOWHERE = Response(51, "There is nothing at this address")
ORIGIN = "gemini://localhost"
HOUR = timedelta(hours=1)
ATOM = "{http://www.w3.org/2005/Atom}"


def private_feed(client: Client, who: Certificate) -> str:
    """Return the path of a player's private feed, as the account gives it."""
    address = links(client.get("/play/me/", who))["Your private feed"]
    assert address.startswith(f"{ORIGIN}/feed/")
    return address.removeprefix(ORIGIN)


def entries(client: Client, path: str) -> list[str]:
    """Return the titles of a feed's entries, newest first, as its page has them without dates."""
    found = re.findall(r"^=> \S+ \d{4}-\d\d-\d\d - (.+)$", client.get(path), re.MULTILINE)
    assert len(atom_entries(client, f"{path}.xml")) == len(found), "both forms tell the same"
    return found


def addresses(client: Client, path: str) -> list[str]:
    """Return the addresses of a feed's entries, newest first, as its page has them."""
    return re.findall(r"^=> (\S+) \d{4}-\d\d-\d\d ", client.get(path), re.MULTILINE)


def atom_entries(client: Client, path: str) -> list[ET.Element]:
    """Return the entries of an Atom feed."""
    return ET.fromstring(client.get(path)).findall(f"{ATOM}entry")


def every_feed(client: Client) -> list[str]:
    """Return the paths of feeds of every kind, none of them empty."""
    url = open_game(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    public = ["/feed", "/games/numeric/feed", "/players/alice/feed", f"{url}/feed"]
    return [*public, private_feed(client, ALICE)]


# Public games


def test_the_feed_of_public_games_tells_of_new_ones_and_of_how_they_ended(client: Client) -> None:
    url = open_game(client, "numeric")
    client.now += HOUR
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    for path in ("/feed", "/games/numeric/feed", "/players/alice/feed", "/players/BOB/feed"):
        assert entries(client, path) == [
            "bob (O) beats alice (X) at Numeric",
            "New game of Numeric: alice (X) – bob (O)",
        ], path
        assert addresses(client, path) == [url, f"{url}/0"]
    for path in ("/games/tinc/feed", "/players/carol/feed"):
        answer = client.ask(path)
        assert "beats" not in answer.body, path


def test_games_that_are_not_listed_are_in_their_own_feed_alone(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    for path in ("/feed", "/games/numeric/feed", "/players/alice/feed"):
        assert url not in client.get(path) + client.get(f"{path}.xml"), path
    assert url in client.get(f"{url}/feed")
    assert url in client.get(private_feed(client, ALICE))


def test_a_game_that_was_called_off_is_no_news(client: Client) -> None:
    url = start(client, "tinc", "open")
    assert entries(client, "/feed") == ["New game of Tinc: alice (X) – open seat (O)"]
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert not entries(client, "/feed")
    assert entries(client, f"{url}/feed")[0] == "Called off: Tinc, alice (X) – open seat (O)"


@pytest.mark.parametrize(
    ("verb", "typed", "told"),
    [
        ("/resign", "resign", "bob (O) beats alice (X) at Tinc by resignation"),
        ("/draw", None, "alice (X) and bob (O) agree on a draw at Tinc"),
    ],
)
def test_a_feed_says_how_a_game_ended_early(
    client: Client, verb: str, typed: str | None, told: str
) -> None:
    url = open_game(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    action = link(client.get(url, ALICE), verb)
    client.type(action, typed, ALICE) if typed else client.get(action, ALICE)
    if verb == "/draw":
        client.get(link(client.get(url, BOB), "/accept"), BOB)
    for path in ("/feed", f"{url}/feed"):
        assert entries(client, path)[0] == told


# One game


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_feed_of_a_game_has_its_moves_and_each_leads_to_its_position(
    client: Client, variant: str
) -> None:
    url = start_between(client, variant)
    moves = WON_GAMES[variant].split()
    play(client, url, moves, ALICE, BOB)
    told = entries(client, f"{url}/feed")
    assert told[0].startswith(("alice (X) beats bob (O)", "bob (O) beats alice (X)"))
    assert told[1].startswith(f"Move {len(moves)}: ")
    assert told[1].endswith(f" plays {moves[-1]}")
    assert told[-1].startswith("New game of ")
    assert addresses(client, f"{url}/feed") == [
        url,
        *(f"{url}/{ply}" for ply in range(len(moves), -1, -1)),
    ]
    for address in addresses(client, f"{url}/feed"):
        assert client.ask(address).status == 20, address


def test_a_feed_has_the_thirty_newest_entries(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    position = VARIANTS["ultimate"].start
    for _ in range(33):
        move = next(iter(position.legal_moves()))
        play(client, url, [move], ALICE)
        position = position.play(move)
    assert addresses(client, f"{url}/feed") == [f"{url}/{ply}" for ply in range(33, 3, -1)]


def test_pages_lead_to_their_feeds(client: Client) -> None:
    url = open_game(client, "tinc")
    assert links(client.get(url))["Feed of this game"] == f"{url}/feed"
    assert links(client.get("/games/"))["Feed of public games"] == "/feed"
    assert links(client.get("/games/tinc"))["Feed of public games of Tinc"] == "/games/tinc/feed"
    assert links(client.get(f"{url}/feed"))["To the game"] == url


@pytest.mark.parametrize(
    "path", ["/games/chess/feed", "/players/nobody/feed", "/play/aaaaaaaaaa/feed", "/feed/short"]
)
def test_a_feed_of_nothing_is_not_found(client: Client, path: str) -> None:
    assert client.ask(path) == NOWHERE
    assert client.ask(f"{path}.xml") == NOWHERE


# Private feeds


def test_the_opponents_move_makes_exactly_one_your_turn(client: Client) -> None:
    url = start_between(client, "tinc")
    mine, theirs = private_feed(client, ALICE), private_feed(client, BOB)
    assert entries(client, mine) == ["Your turn at Tinc with bob: move 1"]
    assert not entries(client, theirs)

    play(client, url, ["a1"], ALICE, BOB)

    assert len(entries(client, mine)) == 1, "a move of my own is no news to me"
    assert entries(client, theirs) == ["Your turn at Tinc with alice: move 2, after a1"]
    assert addresses(client, theirs) == [f"{url}/1"]
    for _ in range(3):
        client.now += HOUR
        assert entries(client, theirs) == ["Your turn at Tinc with alice: move 2, after a1"]


def test_a_private_feed_needs_no_certificate_and_leads_back_to_the_game(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1"], ALICE, BOB)
    (address,) = addresses(client, private_feed(client, BOB))
    assert links(client.get(address))["Last position: the game as it stands"] == url
    assert "Your turn." in client.get(url, BOB)


def test_a_bonus_move_gives_the_turn_once(client: Client) -> None:
    url = start_between(client, "extreme")
    moves = WON_GAMES["extreme"].split()
    play(client, url, moves, ALICE, BOB)
    start_position = VARIANTS["extreme"].start
    turns = [start_position.turn]
    position = start_position
    for move in moves:
        position = position.play(move)
        turns.append(position.turn)
    for who, side in ((ALICE, "X"), (BOB, "O")):
        given = [
            ply
            for ply, turn in enumerate(turns[:-1])
            if turn.value == side and (not ply or turns[ply - 1].value != side)
        ]
        found = addresses(client, private_feed(client, who))
        assert [each for each in found if each != url] == [f"{url}/{ply}" for ply in given[::-1]]


def test_players_hear_of_an_end_that_the_opponent_made(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert entries(client, private_feed(client, ALICE))[0] == "bob (O) beats alice (X) at Numeric"
    assert not [each for each in entries(client, private_feed(client, BOB)) if "beats" in each]


def test_games_alone_are_no_news_to_their_player(client: Client) -> None:
    for way in ("solo", "bot-expert"):
        url = start(client, "tinc", way)
        client.type(link(client.get(url, ALICE), "/move"), "a1", ALICE)
    assert not entries(client, private_feed(client, ALICE))


def test_x_may_move_before_anyone_has_come(client: Client) -> None:
    url = start(client, "tinc", "invite")
    play(client, url, ["a1"], ALICE)
    client.now += HOUR
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert not entries(client, private_feed(client, ALICE))
    assert entries(client, private_feed(client, BOB)) == [
        "Your turn at Tinc with alice: move 2, after a1"
    ]


def test_a_new_address_ends_the_old_one(client: Client) -> None:
    start_between(client, "tinc")
    old = private_feed(client, ALICE)
    change = link(client.get("/play/me/", ALICE), "/feed")

    assert client.ask(change, ALICE) == Response(30, "/play/me/")

    new = private_feed(client, ALICE)
    assert new != old
    assert client.ask(old) == client.ask(f"{old}.xml") == NOWHERE
    assert entries(client, new) == ["Your turn at Tinc with bob: move 1"]


def test_a_key_changes_the_address_once_and_only_its_owners(client: Client) -> None:
    start_between(client, "tinc")
    change = link(client.get("/play/me/", ALICE), "/feed")
    hers, his = private_feed(client, ALICE), private_feed(client, BOB)
    for who in (BOB, CAROL):
        assert client.ask(change, who) == Response(30, "/play/me/")
    assert client.ask(change) == Response(30, "/play/")
    assert (private_feed(client, ALICE), private_feed(client, BOB)) == (hers, his)
    client.ask(change, ALICE)
    once = private_feed(client, ALICE)
    client.ask(change, ALICE)
    assert private_feed(client, ALICE) == once


def test_nobody_is_led_to_a_private_feed(client: Client) -> None:
    url = open_game(client, "tinc")
    mine = private_feed(client, ALICE)
    assert re.fullmatch("/feed/[a-z2-7]{32}", mine)
    for path in ("/", "/robots.txt", "/feed", "/games/", "/players/alice/feed", url, "/help/"):
        assert mine not in client.get(path), path
    assert mine not in client.get("/play/me/", BOB)


def test_a_newcomer_has_no_feed_yet(client: Client) -> None:
    assert "/feed/" not in client.get("/play/me/", ALICE)


def test_players_from_before_have_a_feed_of_their_own(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/old.db")
    migrate(engine, "0003")
    with engine.begin() as connection:
        for name in ("alice", "bob"):
            player = {"name": name, "at": "2026-11-20 14:02:00"}
            columns = "name, likeness, actions, created_at"
            connection.execute(
                text(f"INSERT INTO players ({columns}) VALUES (:name, :name, 0, :at)"), player
            )
    migrate(engine)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT address FROM private_feeds")).scalars().all()
    engine.dispose()
    assert len(set(found)) == 2
    assert all(re.fullmatch("[a-z2-7]{32}", address) for address in found)


# What players do with each other


@pytest.fixture
def context(client: Client) -> AppContext:
    """Return the context of pages, for steps that other stories take page by page."""
    return context_of(client)


def player(context: AppContext, who: Certificate) -> Player:
    """Return the player with a certificate."""
    return players.become_player(context, who)


def game_id(url: str) -> str:
    """Return a game's id."""
    return url.removeprefix("/play/")


def turn_counter(context: AppContext, url: str) -> int:
    """Return the turn counter of a game as it stands."""
    game = reading.find_game(context, game_id(url))
    assert game is not None
    return game.stored.turn_counter


def test_a_move_made_anew_is_another_event(client: Client, context: AppContext) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE, BOB)
    hers, his = private_feed(client, ALICE), private_feed(client, BOB)
    (told,) = addresses(client, his)
    assert told == f"{url}/1"
    game_feed = set(addresses(client, f"{url}/feed"))

    client.now += HOUR
    offers.take_back(context, player(context, ALICE), game_id(url), turn_counter(context, url))
    offers.accept_takeback(context, player(context, BOB), game_id(url), turn_counter(context, url))

    assert not entries(client, his)
    assert (
        entries(client, hers)[0] == "Your turn at Ultimate with bob again: move 1, after a takeback"
    )
    again = addresses(client, hers)[0]

    client.now += HOUR
    play(client, url, ["d4"], ALICE, BOB)

    assert entries(client, his) == ["Your turn at Ultimate with alice: move 2, after d4"]
    (anew,) = addresses(client, his)
    assert len({anew, told, again, url, *game_feed}) == 3 + len(game_feed)
    assert addresses(client, f"{url}/feed")[0] == anew
    assert client.ask(anew).body == client.ask(f"{url}/1").body


def test_somebody_who_is_challenged_hears_of_it_and_of_the_first_turn(
    client: Client, context: AppContext
) -> None:
    start_between(client, "tinc", x=BOB, o=CAROL)
    start(client, "tinc", "solo", ALICE)
    his = private_feed(client, BOB)
    before = len(entries(client, his))
    client.now += HOUR
    challenge_id = challenges.challenge(
        context, player(context, ALICE), VARIANTS["numeric"], "bob", GameTerms()
    )
    assert entries(client, his)[0] == "alice challenges you at Numeric"
    assert addresses(client, his)[0] == f"/play/{challenge_id}/0"
    assert not entries(client, private_feed(client, ALICE))

    client.now += HOUR
    challenges.accept(context, player(context, BOB), challenge_id, 0)

    assert entries(client, private_feed(client, ALICE)) == ["Your turn at Numeric with bob: move 1"]
    assert len(entries(client, his)) == before + 1, "what he did himself is no news to him"


def test_a_declined_challenge_is_news_to_the_challenger(
    client: Client, context: AppContext
) -> None:
    start_between(client, "tinc", x=BOB, o=CAROL)
    start(client, "tinc", "solo", ALICE)
    challenge_id = challenges.challenge(
        context, player(context, ALICE), VARIANTS["numeric"], "bob", GameTerms()
    )
    challenges.decline(context, player(context, BOB), challenge_id, 0)
    assert entries(client, private_feed(client, ALICE)) == [
        "Called off: Numeric, alice (X) – open seat (O)"
    ]
    assert "Numeric" not in client.get(private_feed(client, BOB))


def game_with_days(client: Client, context: AppContext, days: int) -> str:
    """Start a game between alice and bob with this many days a move, and return its URL."""
    start(client, "tinc", "solo", ALICE)
    made = starting.start(
        context, player(context, ALICE), VARIANTS["ultimate"], "invite", GameTerms(days=days)
    )
    client.get(link(client.get(f"/play/{made}", BOB), "/join"), BOB)
    return f"/play/{made}"


def test_the_feed_reminds_at_four_fifths_of_the_time(client: Client, context: AppContext) -> None:
    url = game_with_days(client, context, 5)
    play(client, url, ["e5"], ALICE, BOB)
    his = private_feed(client, BOB)
    told = entries(client, his)

    client.now += timedelta(days=4) - timedelta(seconds=1)
    assert entries(client, his) == told
    client.now += timedelta(seconds=1)
    assert entries(client, his) == [
        "Still your turn at Ultimate with alice: play by 2026-11-25, 14:02 UTC",
        *told,
    ]
    assert client.ask(addresses(client, his)[0]).body == client.ask(f"{url}/1").body
    assert len(set(addresses(client, his))) == 2
    reminded = client.get(f"{his}.xml")
    client.now += HOUR
    assert client.get(f"{his}.xml") == reminded, "one reminder is enough"

    play(client, url, ["d4"], ALICE, BOB)
    assert entries(client, his) == told
    assert entries(client, private_feed(client, ALICE))[0].endswith("move 3, after d4")


def test_nobody_is_reminded_where_time_does_not_run(client: Client) -> None:
    url = start(client, "tinc", "solo")
    play(client, url, ["a1"], ALICE)
    mine = private_feed(client, ALICE)
    client.now += timedelta(days=60)
    assert not entries(client, mine)


def test_time_that_has_run_out_is_news_to_both(client: Client, context: AppContext) -> None:
    url = game_with_days(client, context, 1)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now += timedelta(days=2, seconds=1)
    for path in (private_feed(client, ALICE), private_feed(client, BOB), f"{url}/feed"):
        assert entries(client, path)[0] == "bob (O) beats alice (X) at Ultimate on time"


def test_an_answer_that_was_planned_needs_no_call(client: Client, context: AppContext) -> None:
    url = start_between(client, "ultimate")
    conditional_moves.add_line(context, player(context, BOB), game_id(url), 0, "if e5 then d4")
    play(client, url, ["e5"], ALICE, BOB)
    assert not entries(client, private_feed(client, BOB))
    assert entries(client, private_feed(client, ALICE))[0].endswith("move 3, after d4")


def test_an_erased_player_leaves_no_name_in_a_feed(client: Client, context: AppContext) -> None:
    url = open_game(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    mine = private_feed(client, ALICE)
    personal_data.erase_player(context, player(context, ALICE))
    assert client.ask(mine) == NOWHERE
    assert client.ask("/players/alice/feed") == NOWHERE
    assert entries(client, "/feed")[0] == "bob (O) beats a former player (X) at Numeric"


# What a feed is made of


def test_gemsub_pages_keep_its_rules(client: Client) -> None:
    for path in every_feed(client):
        answer = client.ask(path)
        assert (answer.status, answer.meta) == (20, "text/gemini; charset=utf-8; lang=en")
        assert re.fullmatch("# .+", answer.body.splitlines()[0]), "the title of the feed"
        assert len(re.findall("^#", answer.body, re.MULTILINE)) == 1
        dated = [label for label in links(answer.body) if re.match(r"\d{4}-\d\d-\d\d", label)]
        assert dated, path
        assert all(label.startswith("2026-11-20 - ") for label in dated)
        assert [url for label, url in links(answer.body).items() if label in dated] == addresses(
            client, path
        )


def test_atom_feeds_have_what_the_specification_asks_for(client: Client) -> None:
    for path in every_feed(client):
        answer = client.ask(f"{path}.xml")
        assert (answer.status, answer.meta) == (20, "application/atom+xml; charset=utf-8")
        root = ET.fromstring(answer.body)
        assert root.tag == f"{ATOM}feed"
        assert one(root, "id") == f"{ORIGIN}{path}.xml"
        assert one(root, "title")
        assert one(root.find(f"{ATOM}author"), "name") == "Oxonaut"
        assert link_of(root, "self") == f"{ORIGIN}{path}.xml"
        assert link_of(root, "alternate") == f"{ORIGIN}{path}"
        found = root.findall(f"{ATOM}entry")
        times = [date(one(entry, "updated")) for entry in found]
        assert date(one(root, "updated")) == max(times)
        assert times == sorted(times, reverse=True)
        for entry in found:
            assert one(entry, "title")
            assert one(entry, "id") == link_of(entry, "alternate")
            assert link_of(entry, "alternate").startswith(f"{ORIGIN}/play/")
        assert len({one(entry, "id") for entry in found}) == len(found) > 0


def one(element: ET.Element | None, name: str) -> str:
    """Return the text of an element's only child of that name."""
    assert element is not None
    (child,) = element.findall(f"{ATOM}{name}")
    assert child.text
    return child.text


def link_of(element: ET.Element, relation: str) -> str:
    """Return the absolute address of an element's only link of a relation."""
    (found,) = (each for each in element.findall(f"{ATOM}link") if each.get("rel") == relation)
    address = found.get("href", "")
    assert urlsplit(address).scheme == "gemini"
    assert urlsplit(address).netloc == "localhost"
    return address


def date(written: str) -> datetime:
    """Return a date as RFC 3339 has it: with seconds and a zone."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", written)
    return datetime.fromisoformat(written)


def test_a_feed_reader_reads_the_atom_feeds(client: Client) -> None:
    for path in every_feed(client):
        read: Any = feedparser.parse(client.get(f"{path}.xml"))
        assert not read.bozo, read.bozo_exception
        assert read.version == "atom10"
        assert read.feed.id == f"{ORIGIN}{path}.xml"
        assert [entry.link for entry in read.entries] == [
            f"{ORIGIN}{address}" for address in addresses(client, path)
        ]
        assert all(entry.updated_parsed[:3] == (2026, 11, 20) for entry in read.entries)


def test_an_event_keeps_its_address_and_shares_it_with_none(client: Client) -> None:
    url = open_game(client, "tinc")
    paths = ["/feed", f"{url}/feed", private_feed(client, ALICE), private_feed(client, BOB)]
    known: dict[str, dict[str, str]] = {path: {} for path in paths}
    for move in WON_GAMES["tinc"].split():
        client.now += HOUR
        play(client, url, [move], ALICE, BOB)
        for path in paths:
            found = list(zip(addresses(client, path), entries(client, path), strict=True))
            assert len({address for address, _ in found}) == len(found)
            assert known[path].items() <= dict(found).items(), "what was told stays as it was"
            known[path] = dict(found)


def test_a_feed_changes_only_when_something_happens(client: Client) -> None:
    before = {path: client.get(f"{path}.xml") for path in every_feed(client)}
    client.now += 30 * HOUR
    client.restart()
    for path, feed in before.items():
        assert client.get(f"{path}.xml") == feed, path


def test_an_empty_feed_has_never_changed(client: Client) -> None:
    first = client.get("/feed.xml")
    client.now += HOUR
    assert client.get("/feed.xml") == first
    assert not atom_entries(client, "/feed.xml")
    assert "Nothing has happened yet." in client.get("/feed")


@pytest.mark.parametrize(
    "name", ["<b>&amp;</b>", "]]>", "\"'", "\x00\x1b\r\n=> x", "a\u2028b", "日本"]
)
def test_no_text_can_break_an_atom_feed(name: str) -> None:
    entry = Entry("/play/aaaaaaaaaa/0", BEGINNING, message("{name}", name=name))
    title = message("{name} plays", name=name)
    feed = Feed(FeedKind.PUBLIC_GAMES, "/feed", "/games/", title, [entry])
    root = ET.fromstring(to_atom(feed, ORIGIN))
    said = render.single_line(name)
    assert one(root, "title") == f"{said} plays"
    assert one(root.find(f"{ATOM}entry"), "title") == said


def test_every_word_can_be_translated(client: Client) -> None:
    names = ["Oxonaut", "Atom", "alice", "bob", "Numeric"]
    for path in every_feed(client):
        with pseudo_translated():
            page = re.sub(r"\d{4}-\d\d-\d\d - ", "", client.get(path))
        assert not untranslated(page, names), path


def test_no_feed_reads_whole_tables(client: Client) -> None:
    paths = every_feed(client)
    with recorded_queries(client) as asked:
        for path in paths:
            client.get(path)
    statements = [each for each in asked if each[0].startswith("SELECT")]
    assert len(statements) >= len(paths)
    with client.database.reading() as connection:
        for statement, parameters in statements:
            explained = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plan = [row[3] for row in explained]
            assert not [step for step in plan if re.match("SCAN (games|moves|players)", step)], plan
            if "ORDER BY games.created_at" in statement:
                assert not [step for step in plan if "TEMP B-TREE" in step], plan
