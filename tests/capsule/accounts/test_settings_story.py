"""Players' settings: what each choice changes, and for whom."""

import json
import re
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from capsule.accounts import queries as account_queries
from capsule.accounts.model import CHOICES, Settings
from capsule.db.schema.players import players
from capsule.gemini.types import Certificate, Response
from capsule.languages import time_zones
from engine import VARIANTS
from tests.support.choices import FEED, HERE, choose, choose_zone
from tests.support.client import BEGINNING, Client, certificate, link
from tests.support.gemtext import blocks, prose
from tests.support.linking import PHONE, add
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, play, start, start_between

ASK = "Your time zone: a large city, or a name like Europe/Vienna"


def kept(client: Client, who: Certificate = ALICE) -> dict[str, object]:
    exported: dict[str, object] = json.loads(client.get("/play/me/export.json", who))["settings"]
    return exported


def without_keys(client: Client) -> str:
    """Return the pages of settings without the keys, which every choice changes."""
    return re.sub("/[a-z2-7]{26}/", "/", client.get(HERE, ALICE) + client.get(FEED, ALICE))


def as_exported(settings: Settings) -> dict[str, object]:
    found: dict[str, object] = json.loads(json.dumps(asdict(settings)))
    return found


# The page and its links


def test_the_page_says_how_everything_is_set(client: Client) -> None:
    start(client, "tinc", "solo")
    page = client.get(HERE, ALICE)
    for sentence in (
        "Boards are drawn in ASCII.",
        "Rulers are on: letters and numbers beside the boards name columns and rows.",
        "Boards, plots and tables take up to 64 columns.",
        "The board of a game comes first. The position in words has its own page.",
        "Your time zone is UTC, and it is 20 November 2026 at 14:02 UTC.",
        "Other players can send you messages.",
    ):
        assert sentence in prose(page)


def test_each_choice_is_on_the_page_and_can_be_taken_back(client: Client) -> None:
    start(client, "tinc", "solo")
    chosen = Settings()
    for name, values in CHOICES.items():
        other, *_, usual = sorted(values, key=lambda word: values[word](chosen) == chosen)
        for word in (other, usual):
            before = without_keys(client)
            choose(client, f"{name}/{word}")
            chosen = values[word](chosen)
            assert kept(client) == as_exported(chosen)
            assert without_keys(client) != before, f"{name}/{word}"


def test_the_example_is_drawn_as_the_reader_has_it(client: Client) -> None:
    start(client, "tinc", "solo")
    (plain,) = blocks(client.get(HERE, ALICE))
    assert plain.rows[0] == "      a b c   d e f   g h i"
    choose(client, "boards/unicode", "rulers/off")
    (drawn,) = blocks(client.get(HERE, ALICE))
    assert drawn.rows[-1] == "  X · O   ╱   ╲   X ◦ ◦"


def test_the_settings_hold_for_every_certificate_of_the_player(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    add(client)
    choose(client, "boards/unicode", "rulers/off", "words/first")
    choose_zone(client, "Vienna")
    assert client.get(url, PHONE) == client.get(url, ALICE)
    assert "~" not in client.get(url, PHONE)

    choose(client, "boards/ascii", who=PHONE)

    assert "~" in client.get(url, ALICE)


def test_others_see_pages_as_they_want_them_themselves(client: Client) -> None:
    url = start_between(client, "ultimate")
    page, anyones = client.get(url, BOB), client.get(url)
    choose(client, "boards/unicode", "rulers/off", "words/first")
    choose_zone(client, "Vienna")
    assert client.get(url, BOB) == page
    assert client.get(url) == anyones


# Who may change them, and when nothing changes


def test_a_newcomer_becomes_a_player_with_the_first_choice(client: Client) -> None:
    page = client.get(HERE, ALICE)
    assert "Your first choice makes you a player." in prose(page)
    assert count_players(client) == 0, "looking makes nobody a player"

    choose(client, "rulers/off")

    assert "You are alice" in client.get("/play/me/", ALICE)
    assert kept(client)["rulers"] is False


def test_nobody_becomes_a_player_by_a_city_that_is_not_found(client: Client) -> None:
    assert choose_zone(client, "Nowhere").status == 10
    assert count_players(client) == 0
    assert choose_zone(client, "Vienna") == Response(30, HERE)
    assert kept(client)["time_zone"] == "Europe/Vienna"


def count_players(client: Client) -> int:
    with client.database.reading() as connection:
        return len(connection.execute(select(players.c.id)).all())


def test_without_a_certificate_there_is_nothing_to_set(client: Client) -> None:
    start(client, "tinc", "solo")
    choice = link(client.get(HERE, ALICE), "/set/rulers/off")
    zone = link(client.get(HERE, ALICE), "/set/zone")
    assert client.ask(HERE) == Response(30, "/play/?me/settings")
    for url in (choice, zone):
        assert client.ask(url) == Response(30, "/play/"), url
    assert client.ask(f"{zone}?Vienna") == Response(30, "/play/?unsent")
    assert kept(client)["rulers"] is True


@pytest.mark.parametrize(
    "choice",
    ["rulers", "rulers/", "rulers/maybe", "colour/red", "boards/on", "zone/UTC", "Rulers/off"],
)
def test_a_choice_that_does_not_exist_is_not_found(client: Client, choice: str) -> None:
    start(client, "tinc", "solo")
    before = kept(client)
    key = link(client.get(HERE, ALICE), "/set/rulers/off").split("/")[3]
    assert client.ask(f"/play/me/{key}/set/{choice}", ALICE).status == 51
    assert kept(client) == before


# Words before the board


def test_the_words_come_before_the_board(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, ["b2=5", "a1=4"], ALICE)
    choose(client, "words/first")
    position = VARIANTS["numeric"].replay(["b2=5", "a1=4"])
    *words, instruction = map(str, position.describe())
    for path in (url, f"{url}/2", link(client.get(url, ALICE), "/hint")):
        before, _, after = client.get(path, ALICE).partition("```")
        assert before.strip().splitlines()[2:] == words, path
        assert after.count(instruction) == 1
    assert words[0] not in prose(client.get(url)), "nobody else asked for them"


def test_the_front_page_tells_its_position_first_too(client: Client) -> None:
    start(client, "tinc", "solo")
    choose(client, "words/first")
    before, _, _ = client.get("/", ALICE).partition("```")
    assert "\nThe game is over: X has three small boards in a row: " in before


# Time


@pytest.mark.parametrize(
    ("typed", "zone", "shown"),
    [
        ("Vienna", "Europe/Vienna", "20 November 2026 at 15:02 CET"),
        ("  new york ", "America/New_York", "20 November 2026 at 09:02 EST"),
        ("são paulo", "America/Sao_Paulo", "20 November 2026 at 11:02 UTC-03"),
        ("St. John's", "America/St_Johns", "20 November 2026 at 10:32 NST"),
        ("Port au Prince", "America/Port-au-Prince", "20 November 2026 at 09:02 EST"),
        ("kathmandu", "Asia/Kathmandu", "20 November 2026 at 19:47 UTC+05:45"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires", "20 November 2026 at 11:02 UTC-03"),
        ("AUCKLAND", "Pacific/Auckland", "21 November 2026 at 03:02 NZDT"),
        ("Asia/Tokyo", "Asia/Tokyo", "20 November 2026 at 23:02 JST"),
        ("europe / london", "Europe/London", "20 November 2026 at 14:02 GMT"),
        ("etc/gmt-2", "Etc/GMT-2", "20 November 2026 at 16:02 UTC+02"),
        ("India", "Asia/Kolkata", "20 November 2026 at 19:32 IST"),
        ("utc", "UTC", "20 November 2026 at 14:02 UTC"),
        ("GMT+2", "UTC+02:00", "20 November 2026 at 16:02 UTC+02"),
        ("gmt-2", "UTC-02:00", "20 November 2026 at 12:02 UTC-02"),
        ("UTC+2", "UTC+02:00", "20 November 2026 at 16:02 UTC+02"),
        ("utc − 3", "UTC-03:00", "20 November 2026 at 11:02 UTC-03"),
        ("+02:00", "UTC+02:00", "20 November 2026 at 16:02 UTC+02"),
        ("+0530", "UTC+05:30", "20 November 2026 at 19:32 UTC+05:30"),
        ("+14", "UTC+14:00", "21 November 2026 at 04:02 UTC+14"),
        ("GMT+0", "UTC", "20 November 2026 at 14:02 UTC"),
    ],
)
def test_a_city_says_which_time_zone_is_meant(
    client: Client, typed: str, zone: str, shown: str
) -> None:
    start(client, "tinc", "solo")
    assert choose_zone(client, typed) == Response(30, HERE)
    assert kept(client)["time_zone"] == zone
    assert f"Your time zone is {zone}, and it is {shown}." in client.get(HERE, ALICE)


@pytest.mark.parametrize(
    ("language", "typed", "zone"),
    [
        ("pt", "Lisboa", "Europe/Lisbon"),
        ("pt", "açores", "Atlantic/Azores"),
        ("pt", "Moçambique", "Africa/Maputo"),
        ("pt", "Vienna", "Europe/Vienna"),
        ("zh", "台北", "Asia/Taipei"),
        ("zh", "日本", "Asia/Tokyo"),
    ],
)
def test_cities_and_countries_may_be_typed_in_the_players_language(
    client: Client, language: str, typed: str, zone: str
) -> None:
    start(client, "tinc", "solo")
    choose(client, f"language/{language}")
    assert choose_zone(client, typed) == Response(30, HERE)
    assert kept(client)["time_zone"] == zone


def test_a_city_of_another_language_is_not_understood(client: Client) -> None:
    start(client, "tinc", "solo")
    choose(client, "language/zh")
    assert choose_zone(client, "Lisboa").status == 10


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("Viena", "No time zone is called Viena. Perhaps you mean Europe/Vienna,"),
        ("York", "No time zone is called York. Perhaps you mean America/New_York."),
        (
            "Istanbul",
            (
                "Istanbul has more than one time zone. "
                "Choose one, such as Asia/Istanbul, Europe/Istanbul"
            ),
        ),
        ("Spain", "Spain has more than one time zone. Choose one, such as Europe/Madrid,"),
        ("xyzzy", "No time zone is called xyzzy. Name a large city that has your time."),
        ("GMT+15", "GMT+15 is no time on Earth. Clocks show UTC-12 to UTC+14."),
        ("-12:30", "-12:30 is no time on Earth."),
        ("GMT+", "No time zone is called GMT+. "),
        ("+2 Vienna", "No time zone is called +2 Vienna. "),
        ("GMT-2-3", "No time zone is called GMT-2-3. "),
        ("a" * 65, "That is too long for a city."),
        ("../../../etc/passwd", "No time zone is called ../../../etc/passwd. "),
        ("Factory", "No time zone is called Factory. "),
        ("{place}%s", "No time zone is called {place}%s. "),
    ],
)
def test_an_unknown_or_ambiguous_zone_is_asked_for_again(
    client: Client, typed: str, reason: str
) -> None:
    start(client, "tinc", "solo")
    answer = choose_zone(client, typed)
    assert answer.status == 10
    assert answer.meta.startswith(reason)
    assert answer.meta.endswith(ASK)
    assert answer.meta.count("/") <= time_zones.MAX_SUGGESTIONS * 2 + 7
    assert kept(client)["time_zone"] == "UTC"


def test_no_name_of_the_opposite_sign_is_ever_suggested(client: Client) -> None:
    start(client, "tinc", "solo")
    for typed in ("GMT+", "GMT+2 or so", "gmt-x", "etc", "UTC+3 Moscow"):
        answer = choose_zone(client, typed)
        assert answer.status == 10
        assert "Etc/" not in answer.meta


def test_a_distance_from_utc_knows_no_summer_time_and_the_page_says_so(client: Client) -> None:
    start(client, "tinc", "solo")
    choose_zone(client, "UTC+2")
    assert "It has no summer time. Choose a city if you want that." in prose(
        client.get(HERE, ALICE)
    )
    assert link(client.get(HERE, ALICE), "/set/zone?UTC")
    choose_zone(client, "Vienna")
    assert "summer time" not in client.get(HERE, ALICE)


@pytest.mark.parametrize("typed", ["", " ", "\t"])
def test_nothing_typed_asks_again(client: Client, typed: str) -> None:
    start(client, "tinc", "solo")
    assert choose_zone(client, typed).meta.endswith(ASK)


def test_summer_time_is_kept(client: Client) -> None:
    url = start(client, "numeric", "solo")
    choose_zone(client, "Vienna")
    client.now = datetime(2027, 6, 30, 23, 30, tzinfo=UTC)
    play(client, url, ["b2=5"], ALICE)
    assert "played b2=5 on 1 July 2027 at 01:30 CEST" in client.get(url, ALICE)
    assert "played b2=5 on 30 June 2027 at 23:30 UTC" in client.get(url)


def test_a_zone_that_nobody_knows_any_more_is_utc(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, ["b2=5"], ALICE)
    for name in ("Mars/Olympus", "", "America", "../secret", "/etc/passwd"):
        with client.database.writing() as connection:
            settings = Settings(time_zone=name)
            account_queries.save_settings(connection, player_id(client, ALICE), settings)
        assert "on 20 November 2026 at 14:02 UTC" in client.get(url, ALICE), name
        assert "it is 20 November 2026 at 14:02 UTC." in client.get(HERE, ALICE), name


@pytest.mark.parametrize("city", ["Auckland", "New York", "Vienna"])
def test_a_certificate_without_an_end_leaves_the_calendar_whole(client: Client, city: str) -> None:
    endless = certificate(
        "dora",
        not_before=datetime(1, 1, 1, tzinfo=UTC),
        not_after=datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    )
    start(client, "tinc", "solo", endless)
    assert choose_zone(client, city, endless) == Response(30, HERE)
    assert "Your account" in client.get("/play/me/", endless)
    assert "9999" in client.get("/play/me/", endless)


def test_feeds_and_records_always_use_utc(client: Client) -> None:
    client.now = BEGINNING.replace(hour=23)
    url = start_between(client, "numeric")
    play(client, url, ["b2=5"], ALICE, BOB)
    paths = [f"{url}/{end}" for end in ("record.txt", "record.json", "feed", "feed.xml")]
    before = [client.ask(path, ALICE) for path in paths]
    choose_zone(client, "Auckland")
    assert [client.ask(path, ALICE) for path in paths] == before
    assert any("2026-11-20" in answer.body for answer in before)


# Kept, handed out and erased


def test_every_setting_is_stored_and_handed_out_and_an_erased_player_leaves_none(
    client: Client,
) -> None:
    start_between(client, "numeric")
    for name, values in CHOICES.items():
        changing = (word for word, changed in values.items() if changed(Settings()) != Settings())
        choose(client, f"{name}/{next(changing)}")
    choose_zone(client, "Vienna")
    alice = player_id(client, ALICE)

    def stored() -> Settings:
        with client.database.reading() as connection:
            player = account_queries.player_by_id(connection, alice)
        assert player is not None
        return player.settings

    # What a program declines is on a page of its own.
    with client.database.writing() as connection:
        declining = replace(stored(), declines=("tinc",))
        account_queries.save_settings(connection, alice, declining)
    defaults, chosen = as_exported(Settings()), kept(client)
    assert not [name for name in defaults if chosen[name] == defaults[name]]
    assert as_exported(stored()) == chosen

    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)

    assert stored() == Settings()
