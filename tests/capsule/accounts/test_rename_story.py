"""Changing names: for a year the old one leads on, and nobody else can have it."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from capsule.accounts import queries as account_queries
from capsule.accounts.queries import player_called
from capsule.db.database import connect
from capsule.db.migrating import migrate
from capsule.gemini.types import Certificate, Response
from tests.support.client import BEGINNING, Client, certificate, link
from tests.support.stories import ALICE, BOB, CAROL, start, start_between

YEAR = timedelta(days=365)


def rename(client: Client, name: str, who: Certificate = ALICE) -> Response:
    """Type another name at the prompt on the page of the account."""
    return client.type(link(client.get("/play/me/", who), "/name"), name, who)


def expect_renamed(client: Client, name: str, who: Certificate = ALICE) -> None:
    assert rename(client, name, who) == Response(30, "/play/me/")
    assert f"You are {name}, here since" in client.get("/play/me/", who)


@pytest.mark.parametrize("page", ["", "/feed", "/feed.xml"])
def test_the_old_link_leads_to_the_player(client: Client, page: str) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "ada")
    assert client.ask(f"/players/alice{page}") == Response(30, f"/players/ada{page}")
    assert client.ask(f"/players/ALICE{page}") == Response(30, f"/players/ada{page}")
    assert client.ask(f"/players/ada{page}").status == 20


def test_a_chain_of_names_leads_to_the_newest_at_once(client: Client) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "ada")
    expect_renamed(client, "grace")
    assert client.ask("/players/alice") == Response(30, "/players/grace")
    assert client.ask("/players/ada") == Response(30, "/players/grace")
    expect_renamed(client, "alice")
    assert client.ask("/players/alice").status == 20, "players can take back their own names"
    assert client.ask("/players/ada") == Response(30, "/players/alice")


@pytest.mark.parametrize(
    "path",
    [
        "/players/alice/nothing",
        "/players/al1ce",
        "/players/alice%0D%0A20 text/gemini",
        "/players/alice//feed",
        "/players/nobody-here",
    ],
)
def test_nothing_else_leads_anywhere(client: Client, path: str) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "ada")
    assert client.ask(path).status == 51


def test_after_a_year_the_old_link_leads_nowhere(client: Client) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "ada")
    client.now += YEAR - timedelta(seconds=1)
    assert client.ask("/players/alice").status == 30
    client.now += timedelta(seconds=1)
    assert client.ask("/players/alice").status == 51


@pytest.mark.parametrize("name", ["alice", "ALICE", "al1ce", "a-l-i-c-e"])
def test_for_a_year_nobody_else_can_have_it(client: Client, name: str) -> None:
    start_between(client, "tinc")
    expect_renamed(client, "ada")
    answer = rename(client, name, BOB)
    assert answer == Response(
        10,
        f"{name} was another player's until recently, and is kept for them until 20 November 2027. "
        "Your name",
    )
    client.now += YEAR
    expect_renamed(client, name, BOB)
    assert client.ask(f"/players/{name}").status == 20


def test_nor_can_a_new_certificate_with_that_name(client: Client) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "ada")
    second = certificate("second", common_name="alice")
    page = client.get("/play/", second)
    assert "You will get a name here" in page
    assert "alice was another player's until recently, and is kept for them until 20" in page
    client.now += YEAR
    assert "You will play as alice" in client.get("/play/", second)
    start(client, "tinc", "open", second)
    assert client.ask("/players/alice").status == 20


def test_three_names_a_month_are_given_up_and_no_more(client: Client) -> None:
    start(client, "tinc", "open")
    for day, name in enumerate(("ada", "grace", "hedy")):
        client.now += timedelta(days=day)
        expect_renamed(client, name)

    answer = rename(client, "emmy")

    assert answer.status == 10
    assert answer.meta == (
        "You have given up 3 names within a month, and they are kept for you. Take one of them "
        "again, or another name from 20 December 2026 on. Your name"
    )
    assert "You are hedy" in client.get("/play/me/", ALICE)
    expect_renamed(client, "Hedy")
    expect_renamed(client, "ada")
    client.now += timedelta(days=26)
    assert rename(client, "emmy").status == 10
    client.now += timedelta(days=1)
    expect_renamed(client, "emmy")


def test_nobody_comes_to_a_bots_name_by_writing_theirs_differently(client: Client) -> None:
    start(client, "tinc", "open")
    expect_renamed(client, "talbot")
    for name in ("tal-bot", "TalBot", "TAL_BOT"):
        assert rename(client, name).meta == f"{name} could be mistaken for a bot. Your name"
    expect_renamed(client, "TALBOT")


def test_a_challenge_to_an_old_name_finds_the_player(client: Client) -> None:
    start_between(client, "tinc")
    expect_renamed(client, "ada")
    challenge = link(client.get("/play/new/tinc", BOB), "/challenge")
    game = client.type(challenge, "alice", BOB)
    assert game.status == 30
    assert "with ada, who has not answered yet" in client.get("/play/", BOB)
    challenge = link(client.get("/play/new/tinc", ALICE), "/challenge")
    assert client.type(challenge, "alice", ALICE).meta.startswith("ada is you.")


def test_a_refused_name_makes_nobody_a_player(client: Client) -> None:
    start(client, "tinc", "open", BOB)
    prompt = link(client.get("/play/", CAROL), "/name")
    assert client.type(prompt, "bob", CAROL).meta.startswith("bob is taken.")
    assert client.get("/play/", CAROL).startswith("# Welcome to Oxonaut")
    assert client.type(prompt, "caro", CAROL) == Response(30, "/play/me/"), "the prompt still acts"
    assert "You are signed in as caro." in client.get("/play/", CAROL)
    assert client.ask("/players/carol").status == 51, "a name that was never used leads nowhere"


@pytest.mark.parametrize(
    ("common_name", "reason"),
    [
        ("bob", "bob is taken"),
        ("B0b", "B0b is too like bob, which is taken"),
        ("Expert Bot", "Expert-Bot could be mistaken for a bot"),
        ("日本", "Character 1 of this name is 日. "),
        ("\r\n=> gemini://a.example x\x1b[1m <", "gemini-a-example-x-1m"),
    ],
)
def test_a_certificate_whose_name_cannot_be_had_is_told_why(
    client: Client, common_name: str, reason: str
) -> None:
    start(client, "tinc", "open", BOB)
    other = certificate("other", common_name=common_name)
    for page in (client.get("/play/", other), client.get("/play/me/", other)):
        assert reason in page
        assert not [line for line in page.splitlines() if line.startswith("=> gemini")]
        assert "\x1b" not in page


@pytest.mark.parametrize("address", ["", "localhost", "LOCALHOST", "localhost:1965"])
def test_a_certificate_without_a_name_or_named_after_the_capsule_is_told_nothing(
    client: Client, address: str
) -> None:
    other = certificate("other", common_name=address)
    page = client.get("/play/", other)
    assert "You will get a name here" in page
    assert "The name in your certificate" not in page

    game = client.get(start(client, "tinc", "open", other))

    assert "localhost" not in game.partition("\n")[0]


# Names that look alike at a glance: nobody gets one of another's, and nobody loses theirs


@pytest.mark.parametrize(("taken", "alike"), [("domino", "clomino"), ("nnary", "Mary")])
def test_nobody_takes_a_name_that_looks_like_anothers(
    client: Client, taken: str, alike: str
) -> None:
    rename(client, taken, BOB)
    answer = rename(client, alike)
    assert answer.meta == f"{alike} is too like {taken}, which is taken. Your name"
    start(client, "tinc", "solo", certificate(alike))
    assert client.ask(f"/players/{alike}").status == 51, "a certificate gives no such name either"


def test_a_name_that_looks_like_a_former_one_is_kept_for_its_player(client: Client) -> None:
    rename(client, "domino", BOB)
    rename(client, "bobby", BOB)
    answer = rename(client, "clomino")
    assert answer.meta.startswith("clomino was another player's until recently")
    assert rename(client, "clomino", BOB).status == 30
    assert client.ask("/players/domino") == Response(30, "/players/clomino")


def test_a_player_may_take_a_name_that_looks_like_their_own(client: Client) -> None:
    rename(client, "domino")
    assert rename(client, "clomino").status == 30
    assert rename(client, "Clomino").status == 30
    assert client.ask("/players/Clomino").status == 20


@pytest.mark.sqlite
def test_owners_of_names_that_have_become_alike_keep_them(tmp_path: Path) -> None:
    database = connect(f"sqlite:///{tmp_path}/old.db")
    rows = (
        (3, "domino", "domlno"),
        (5, "clomino", "clomlno"),
        (7, "c1ornino", "clomlno7"),
        (8, "", "former 8"),
        (9, "", "former 9"),
    )
    with database.writing() as connection:
        migrate(connection, "0028")
        for row in rows:
            connection.execute(
                text(
                    "INSERT INTO players (id, name, likeness, actions, created_at)"
                    " VALUES (:id, :name, :likeness, 0, '2026-11-20 14:02:00.000000')"
                ),
                dict(zip(("id", "name", "likeness"), row, strict=True)),
            )
        migrate(connection)
        for player_id, name, _ in rows[:2]:
            for found in (
                account_queries.player_by_name(connection, name),
                player_called(connection, name.upper(), BEGINNING),
            ):
                assert found is not None
                assert (found.id, found.name) == (player_id, name)
        alike = account_queries.players_looking_like(connection, "Clomino")
        assert [each.name for each in alike] == ["clomino", "domino"]
        account_queries.rename_player(connection, 3, "otto")
        account_queries.rename_player(connection, 5, "Clomino2")
    database.close()
