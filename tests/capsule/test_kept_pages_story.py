"""Cached pages: nobody ever sees somebody else's page, or an outdated one."""

import gc
import tracemalloc
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from random import Random

import pytest

from capsule.gemini.types import Account, CachePolicy, CacheTag, PlayerGames, Request, Response
from capsule.ui.page_cache import BYTES_PER_PAGE, MAX_TAGS, PageCache
from tests.support.choices import choose
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, start_between

PEOPLE = (None, ALICE, BOB, CAROL)


@pytest.fixture
def other(client: Client) -> Iterator[Client]:
    """Another process that serves the same capsule."""
    made = Client(client.home, client.now)
    yield made
    made.database.close()


def assert_true(client: Client, *urls: str) -> None:
    """Compare a process's answers, for everybody, with those of a process without cached pages.

    On PostgreSQL, visitors who are not signed in may be given a page that is a second old.
    """
    client.now += timedelta(seconds=1.5)
    fresh = Client(client.home, client.now)
    for url in urls:
        for who in PEOPLE:
            assert client.ask(url, who) == fresh.ask(url, who), (url, who)
    fresh.database.close()


def test_a_move_in_another_process_is_seen_at_once(client: Client, other: Client) -> None:
    url = open_game(client)
    for who in PEOPLE:
        client.get(url, who)
    play(other, url, ["e5"], ALICE, BOB)
    assert "Your turn." in client.get(url, BOB)
    assert_true(client, url, "/", "/games/", "/play/")


def test_a_players_list_is_kept_while_others_play(client: Client) -> None:
    own, others = open_game(client), start_between(client, "tinc", BOB, CAROL)
    before = client.get("/play/", ALICE)
    play(client, others, ["a1"], BOB)
    with recorded_queries(client) as recorded:
        assert client.get("/play/", ALICE) == before
    assert not recorded
    play(client, own, ["e5", "d4"], ALICE, BOB)
    assert_true(client, "/play/")


def test_a_players_list_shows_a_new_game_at_once(client: Client, other: Client) -> None:
    start_between(client, "ultimate")
    pages = {who: client.get("/play/", who) for who in (ALICE, BOB)}
    ask = link(other.get("/play/new/tinc", BOB), "/challenge")
    url = other.type(ask, "alice", BOB).meta
    assert url in client.get("/play/", ALICE)
    assert all(client.get("/play/", who) != page for who, page in pages.items())
    client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    assert_true(client, "/play/")


def test_rules_are_kept_while_others_play_and_follow_their_readers_settings(client: Client) -> None:
    url = start_between(client, "ultimate")
    addresses = ["/rules/tinc", "/rules/", "/help/moves", "/rules/quantum/try/4"]
    before = [client.get(address, BOB) for address in addresses]
    play(client, url, ["e5"], ALICE)
    with recorded_queries(client) as recorded:
        assert [client.get(address, BOB) for address in addresses] == before
    assert not recorded
    choose(client, "boards/unicode", who=BOB)
    assert client.get("/rules/tinc", BOB) != before[0]
    assert_true(client, *addresses)


def test_no_page_is_shown_to_somebody_else(client: Client) -> None:
    url = start_between(client, "ultimate")
    pages = [client.get(url, who) for who in PEOPLE]
    assert [client.get(url, who) for who in PEOPLE] == pages
    assert len(set(pages)) == len(PEOPLE)
    assert link(pages[1], "/move"), "alice's keys are hers"
    assert all("/move" not in page for page in (pages[0], pages[2], pages[3]))


def test_who_has_chosen_nothing_sees_what_everybody_sees(client: Client) -> None:
    newcomer = certificate("newcomer")
    for path in ("/", "/rules/ultimate", "/help/", "/games/"):
        assert client.get(path, newcomer) == client.get(path)
    client.now += timedelta(hours=1)
    assert client.get("/rules/tinc", newcomer) == client.get("/rules/tinc")


def test_a_query_makes_another_page(client: Client) -> None:
    client.get("/", ALICE)
    url = start_between(client, "tinc")
    client.get(url, ALICE)
    assert client.get(f"/play/?{url.removeprefix('/play/')}", ALICE) == client.get(url, ALICE)
    assert client.ask("/play/", ALICE).status == 20


def test_a_certificate_that_expires_makes_its_holder_a_stranger(client: Client) -> None:
    brief = certificate("brief", not_after=BEGINNING + timedelta(seconds=5))
    url = start_between(client, "ultimate", x=brief)
    assert "Your turn." in client.get(url, brief)
    client.now += timedelta(seconds=6)
    assert "Your turn." not in client.get(url, brief)


def test_a_certificate_of_the_same_key_with_other_dates_is_judged_by_its_own(
    client: Client,
) -> None:
    url = start_between(client, "ultimate")
    client.get(url, ALICE)
    expired = certificate("alice", not_after=BEGINNING - timedelta(seconds=1))
    assert "Your turn." not in client.get(url, expired)


def test_time_that_runs_out_is_seen_to_the_second(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    moved = client.now
    client.now = moved + timedelta(days=7) - timedelta(seconds=1)
    assert "has until" in client.get(url, BOB)
    client.now += timedelta(seconds=1)
    assert "Claim the game: you win on time" in links(client.get(url, BOB))


def test_a_clock_that_is_set_back_finds_no_page_of_the_future(client: Client) -> None:
    url = open_game(client)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    now = client.now
    client.now = now + timedelta(days=8)
    assert "ran out of time" in client.get(url, BOB)
    client.now = now
    assert "ran out of time" not in client.get(url, BOB)


def do_anything(client: Client, urls: list[str], random: Random) -> None:
    """Follow a random action link as a random player, with a plausible answer if one is needed."""
    who, url = random.choice(PEOPLE[1:]), random.choice([*urls, "/play/me/settings"])
    response = client.ask(url, who)
    acts = [found for found in links(response.body).values() if found.count("/") > 3]
    if not acts:
        return
    act = random.choice(acts)
    if client.ask(act, who).status in {10, 11}:
        typed = ["e5", "d4", "a1", "i9", "hello", "resign", "abort", "e5 d4", "Europe/Vienna"]
        client.ask(f"{act}?{random.choice(typed)}", who)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        (0, 10),
        *(pytest.param(seed, 25, marks=pytest.mark.deep) for seed in (0, 1)),
        *(pytest.param(seed, 25, marks=pytest.mark.deep) for seed in (2, 3)),
    ],
)
def test_whatever_happens_in_either_process_both_tell_the_truth(
    client: Client, other: Client, seed: int, steps: int
) -> None:
    random = Random(seed)
    urls = [
        open_game(client),
        start_between(other, "ultimate", CAROL, ALICE),
        open_game(client, "quantum", BOB, CAROL),
    ]
    watched = [*urls, f"{urls[0]}/0", "/", "/games/", "/play/", "/play/new/ultimate"]
    in_portuguese = ["/pt/", "/pt/games/", "/play/?pt/new/"]
    in_chinese = ["/zh/", "/zh/games/", "/play/?zh/new/"]
    for end in ("", "/notes", "/0", "/more"):
        in_portuguese += [f"/pt{urls[0]}{end}", f"{urls[0]}{end}?lang=pt", f"/pt{urls[1]}{end}"]
        in_chinese += [f"/zh{urls[0]}{end}", f"{urls[0]}{end}?lang=zh", f"/zh{urls[1]}{end}"]
    choose(client, "language/pt", who=BOB)
    choose(client, "language/zh", who=CAROL)
    for _ in range(steps):
        do_anything(random.choice((client, other)), urls, random)
        passed = random.choice([timedelta(), timedelta(seconds=2), timedelta(hours=9)])
        client.now = other.now = client.now + passed
        for process in (client, other):
            shown = [random.choice(each) for each in (in_portuguese, in_chinese)]
            assert_true(process, *random.sample(watched, 3), *shown)


def test_a_choice_of_a_language_is_seen_at_once(client: Client, other: Client) -> None:
    url = open_game(client)
    before = [process.get(url, ALICE) for process in (client, other)]
    choose(other, "language/pt")
    after = [process.get(url, ALICE) for process in (client, other)]
    assert after[0] == after[1] != before[0]
    assert_true(client, url, f"/pt{url}", "/play/", "/play/me/", "/", "/pt/")


@pytest.mark.parametrize("first", ["", "/pt", "/zh"])
def test_no_page_is_shown_in_the_language_of_somebody_else(client: Client, first: str) -> None:
    url = open_game(client)
    paths = ["/", "/rules/tinc", "/games/", "/feed.xml", "/help/", url, f"{url}/history"]
    for path in paths:
        client.ask(f"{first}{path}", ALICE)
        shown = {prefix: client.ask(f"{prefix}{path}", ALICE).body for prefix in ("", "/pt", "/zh")}
        assert len(set(shown.values())) == 3, path
    assert_true(client, *(f"{prefix}{path}" for prefix in ("", "/pt", "/zh") for path in paths))
    for query in ("pt/", "zh/", ""):
        assert client.ask(f"/play/?{query}").status == 60
    metas = {client.ask(f"/play/?{query}").meta for query in ("pt/", "zh/", "", "pt/", "zh/", "")}
    assert len(metas) == 3


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_a_game_for_everybody_and_its_readers_own_seat_are_two_pages(
    client: Client, other: Client, language: str
) -> None:
    url = open_game(client)
    play(client, url, ["e5"], ALICE, BOB)
    for end in ("", "/0", "/words", "/history", "/more", "/notes", "/comments", "/share"):
        for_all, own = f"/{language}{url}{end}", f"{url}{end}?lang={language}"
        # Each process keeps another of the two pages first.
        client.ask(for_all)
        other.ask(own)
        for address in (for_all, own):
            assert client.ask(address) == other.ask(address), address


class Nothing:
    """Nothing ever changes."""

    def changed(self) -> Collection[CacheTag]:
        return ()


def asked(number: int) -> Request:
    return Request(f"/{number}")


def test_pages_asked_for_long_ago_make_room() -> None:
    cache = PageCache(Nothing(), max_bytes=3 * (BYTES_PER_PAGE + 1000) + 1000)
    fresh = CachePolicy(BEGINNING + timedelta(seconds=9))
    for number in range(3):
        cache.keep(asked(number), Response(20, "", "x" * 1000, cache_policy=fresh), BEGINNING, 0)
    assert cache.get(asked(0), BEGINNING)
    cache.keep(asked(3), Response(20, "", "x" * 1000, cache_policy=fresh), BEGINNING, 0)
    kept = [bool(cache.get(asked(number), BEGINNING)) for number in range(4)]
    assert kept == [True, False, True, True]


class Found:
    """Changes that a test finds."""

    def __init__(self) -> None:
        self.tags: Collection[CacheTag] | None = ()

    def changed(self) -> Collection[CacheTag] | None:
        found, self.tags = self.tags, ()
        return found


@pytest.mark.parametrize(
    ("tags", "kept"),
    [
        ({"first"}, [False, True, False, True]),
        ({"another"}, [True, True, False, True]),
        ({f"{number}" for number in range(MAX_TAGS + 1)}, [False] * 4),
        (None, [False] * 4),
    ],
)
def test_a_change_ends_the_pages_with_its_tags_and_those_of_any(
    tags: set[CacheTag] | None, kept: list[bool]
) -> None:
    changes = Found()
    cache = PageCache(changes)
    until = BEGINNING + timedelta(seconds=9)
    for number, own in enumerate((frozenset({"first"}), frozenset({"second"}), None, frozenset())):
        cache.get(asked(number), BEGINNING)
        since = cache.position
        cache.keep(
            asked(number), Response(20, "", cache_policy=CachePolicy(until, own)), BEGINNING, since
        )
    changes.tags = tags
    found = [bool(cache.get(asked(number), BEGINNING)) for number in range(4)]
    assert found == kept
    changes.tags = {"third"}
    assert [bool(cache.get(asked(number), BEGINNING)) for number in range(4)] == kept


@pytest.mark.parametrize("tags", [{"first"}, None, {f"{each}" for each in range(MAX_TAGS + 1)}])
def test_a_page_is_not_kept_if_its_tag_may_have_changed_while_it_was_being_made(
    tags: set[CacheTag] | None,
) -> None:
    changes = Found()
    cache = PageCache(changes)
    policy = CachePolicy(BEGINNING + timedelta(seconds=9), frozenset({"first"}))
    since = cache.position
    changes.tags = tags
    cache.get(asked(1), BEGINNING)
    cache.keep(asked(0), Response(20, "", cache_policy=policy), BEGINNING, since)
    assert cache.get(asked(0), BEGINNING) is None


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 3_000, 30_000])
@pytest.mark.parametrize("who", ["visitors", "one player", "players"])
def test_what_is_counted_is_what_is_held(size: int, who: str) -> None:
    def kept(number: int) -> tuple[Request, Response, datetime]:
        now = BEGINNING + timedelta(microseconds=number)
        own: set[CacheTag] = set()
        if who != "visitors":
            player = number if who == "players" else 0
            own = {PlayerGames(10_000 + player), Account(10_000 + player)}
        holder = certificate(f"{number}", common_name=f"player {number}") if own else None
        tags = frozenset({f"k3x7m{number:05}", *own})
        fresh = CachePolicy(now + timedelta(seconds=9), tags)
        request = Request(f"/play/k3x7m{number:05}", f"{number}", holder)
        return request, Response(20, "", "x" * size, cache_policy=fresh), now

    gc.collect()
    tracemalloc.start()
    cache = PageCache(Nothing(), max_bytes=10**9)
    for number in range(500):
        cache.keep(*kept(number), 0)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.8 < cache.size / held < 1.2
    cache.keep(*kept(0), 0)
    for number in range(500):
        fresh = CachePolicy(BEGINNING - timedelta(seconds=1))
        cache.keep(kept(number)[0], Response(20, "", cache_policy=fresh), BEGINNING, 0)
        assert cache.get(kept(number)[0], BEGINNING) is None
    assert cache.size == 0
