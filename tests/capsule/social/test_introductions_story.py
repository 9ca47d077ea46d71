"""A line about oneself and a website: written, shown, reported, removed, handed out and erased."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest
from sqlalchemy import select

from capsule.db.schema.social import introductions
from capsule.gemini.types import Certificate, Response
from capsule.social.pages.introductions import MAX_BYTES
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.conversation import name_in_list
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, ROOM, start, undone

LINE, WEBSITE = "I play on Sundays, slowly.", "gemini://example.org/~alice/"


@pytest.fixture(autouse=True)
def people(client: Client) -> None:
    """Let alice and bob have played here, out of sight."""
    for who in (ALICE, BOB):
        start(client, "tinc", "solo", who)


def own(who: Certificate) -> str:
    """Return the address of somebody's page as they see it."""
    return f"/play/players/{who.common_name}"


def introduce(client: Client, part: str, text: str, who: Certificate = ALICE) -> Response:
    """Type a line or a website at its prompt."""
    return client.type(link(client.get(own(who), who), f"/{part}"), text, who)


def stored(client: Client) -> list[tuple[str, str]]:
    """Return the lines and the websites of all players."""
    with client.database.reading() as connection:
        found = connection.execute(select(introductions.c.line, introductions.c.website))
        return [(row.line, row.website) for row in found]


# Writing and showing


def test_a_line_and_a_website_stand_on_the_page_of_their_player(client: Client) -> None:
    page = client.get("/play/me/", ALICE)
    path = links(page)["Your page: a line about you, your website, ratings, games"]
    assert path == own(ALICE)
    page = client.get(path, ALICE)
    asked = client.ask(links(page)["Write a line about yourself"], ALICE)
    assert asked == Response(
        10,
        "At most 120 characters (about 100 in Chinese). Everybody can read it. "
        "Type none to remove it. Your line about yourself",
    )
    assert introduce(client, "line", f"  {LINE} ") == Response(30, path)
    asked = client.ask(links(client.get(path, ALICE))["Add your website"], ALICE)
    assert asked == Response(
        10,
        "It begins with gemini://, gopher://, https:// or mailto: and has at most 200 bytes. "
        "Everybody can read it. Type none to remove it. The address of your website",
    )
    assert introduce(client, "website", WEBSITE) == Response(30, path)
    for url, who in (("/players/alice", None), (own(ALICE), BOB), (own(ALICE), ALICE)):
        page = client.get(url, who)
        assert f"\nalice writes: {LINE}\n=> {WEBSITE} {WEBSITE}\n" in page
    for url, who in (("/players/bob", None), (own(BOB), ALICE)):
        assert "writes:" not in client.get(url, who)


def test_each_can_be_changed_and_removed(client: Client) -> None:
    introduce(client, "line", LINE)
    introduce(client, "website", WEBSITE)
    introduce(client, "line", "On Mondays, too.")
    assert "alice writes: On Mondays, too.\n" in client.get("/players/alice")
    page = client.get(own(ALICE), ALICE)
    assert {"Change your line about yourself", "Change your website"} <= links(page).keys()
    assert client.ask(links(page)["Remove your line"], ALICE) == Response(30, own(ALICE))
    page = client.get(own(ALICE), ALICE)
    assert "writes:" not in page
    assert WEBSITE in page
    assert introduce(client, "website", " None ") == Response(30, own(ALICE))
    assert WEBSITE not in client.get("/players/alice")
    assert stored(client) == [], "nothing is left of it"
    for blank in ("%20", "%0D%0A"):
        introduce(client, "line", LINE)
        assert client.ask(f"{link(client.get(own(ALICE), ALICE), '/line')}?{blank}", ALICE)
        assert stored(client) == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\r\n=> gemini://example.org trap", "a => gemini://example.org trap"),
        ("# no heading", "# no heading"),
        ("```", "```"),
        ("{{ 7 * 7 }} %% raw", "{{ 7 * 7 }} %% raw"),
        ("棋" * 100, "棋" * 100),
        ("x" * 120, "x" * 120),
        ("spring\u200b cu\u00adp", "spring cup"),
    ],
)
def test_a_line_is_one_line_whatever_is_typed(client: Client, typed: str, shown: str) -> None:
    before = client.get("/players/alice").split("\n")
    assert introduce(client, "line", typed).status == 30
    after = client.get("/players/alice").split("\n")
    assert [line for line in after if line not in before] == [f"alice writes: {shown}"]
    assert len(after) == len(before) + 2


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("x" * 121, "Your text has 121 characters, but only 120 fit"),
        ("\u200b", "There is nothing to read in it"),
    ],
)
def test_a_line_that_does_not_fit_is_asked_for_again(
    client: Client, typed: str, reason: str
) -> None:
    answer = introduce(client, "line", typed)
    assert answer.status == 10
    assert answer.meta == f"{reason}. Your line about yourself"
    assert stored(client) == []


@pytest.mark.parametrize(
    "address",
    [
        "gemini://example.org",
        "gemini://example.org:1966/~bob/?log#top",
        "gopher://example.org:70/1/phlog",
        "https://example.org/a%20b?c=d&e=(f)",
        "https://192.0.2.7/",
        "gemini://[200:db8::1]/",
        "mailto:bob.smith+games@mail.example.org",
        "gemini://xn--caf-dma.example/",
        f"https://example.org/{'x' * (MAX_BYTES - 20)}",
    ],
)
def test_addresses_that_are_websites(client: Client, address: str) -> None:
    assert introduce(client, "website", address) == Response(30, own(ALICE))
    assert f"\n=> {address} {address}\n" in client.get("/players/alice")
    assert client.ask("/players/alice", BOB).status == 20


UNFIT = "That is not an address that every browser understands"
SCHEME = "It must begin with gemini, gopher, https or mailto, as in gemini://example.org"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("example.org", SCHEME),
        ("//example.org/", SCHEME),
        ("/play/me/", SCHEME),
        ("http://example.org/", SCHEME),
        ("javascript:alert(1)", SCHEME),
        ("file:///etc/passwd", SCHEME),
        ("data:text/html,hello", SCHEME),
        ("spartan://example.org/", SCHEME),
        ("=> gemini://example.org/", SCHEME),
        ("gemini:example.org", UNFIT),
        ("gemini://", UNFIT),
        ("gemini:///path", UNFIT),
        ("gemini://localhost/", UNFIT),
        ("gemini://example.org /trap", UNFIT),
        ("gemini://example.org/a b", UNFIT),
        ("gemini://example.org/\r\n=> gemini://trap.example/", UNFIT),
        ("gemini://example.org/\tx", UNFIT),
        ("gemini://example.org/\u202e", UNFIT),
        ("gemini://éxample.org/", UNFIT),
        ("gemini://example.org/é", UNFIT),
        ("gemini://bank.example@trap.example/", UNFIT),
        ("https://user:word@example.org/", UNFIT),
        ("https://example.org:0/", UNFIT),
        ("https://example.org:/", UNFIT),
        ("https://-example.org/", UNFIT),
        ("https://example..org/", UNFIT),
        ("https://example.org/%zz", UNFIT),
        ("https://example.org/%", UNFIT),
        ("https://[::g]/", UNFIT),
        ('https://example.org/"', UNFIT),
        ("https://example.org/#a#b", UNFIT),
        ("mailto:bob", UNFIT),
        ("mailto:bob@example.org?body=hello", UNFIT),
        ("mailto:bob@example.org,carol@example.org", UNFIT),
        ("mailto://bob@example.org", UNFIT),
        ("https://example.org:65536/", "A port has a number up to 65535"),
        (
            f"https://example.org/{'x' * (MAX_BYTES - 19)}",
            "Your address has 201 bytes, but only 200 fit",
        ),
        (f"https://example.org/{'é' * 100}", "Your address has 220 bytes, but only 200 fit"),
    ],
)
def test_addresses_that_are_none(client: Client, address: str, reason: str) -> None:
    answer = introduce(client, "website", address)
    assert answer == Response(10, f"{reason}. The address of your website", reason=f"{reason}."), (
        address
    )
    assert stored(client) == []


# Keys


def test_the_page_for_its_reader_needs_a_certificate_and_finds_former_names(client: Client) -> None:
    assert client.ask(own(BOB)) == Response(30, "/play/?players/bob")
    assert client.ask("/play/?players/bob").status == 60
    assert client.ask("/play/?players/bob", ALICE).body == client.get(own(BOB), ALICE)
    assert client.ask("/play/players/BOB", ALICE) == Response(30, own(BOB))
    assert client.ask("/play/players/nobody", ALICE).status == 51
    client.type(link(client.get("/play/me/", BOB), "/name"), "robert", BOB)
    assert client.ask(own(BOB), ALICE) == Response(30, "/play/players/robert")
    new = certificate("new")
    page = client.get("/play/players/robert", new)
    assert "/report" not in page
    assert "You have not done anything here yet." in client.get("/play/me/", new)


# Moderation


@pytest.mark.parametrize(("verb", "done"), [("mute", "muted"), ("block", "blocked")])
def test_whoever_mutes_or_blocks_a_player_does_not_see_what_they_say(
    client: Client, verb: str, done: str
) -> None:
    introduce(client, "line", LINE)
    introduce(client, "website", WEBSITE)
    before = {who: client.get(own(ALICE), who) for who in (ALICE, BOB)}
    assert LINE in before[BOB]
    name_in_list(client, verb, "alice", BOB)
    page = client.get(own(ALICE), BOB)
    assert f"You have {done} alice, and do not see what alice writes.\n" in page
    assert LINE not in page
    assert WEBSITE not in page
    start(client, "tinc", "solo", CAROL)
    assert LINE in client.get(own(ALICE), CAROL), "others see it still"
    assert client.get(own(ALICE), ALICE) == before[ALICE], "and nobody tells alice"
    client.ask(link(client.get("/play/me/people", BOB), f"un{verb}?alice"), BOB)
    assert LINE in client.get(own(ALICE), BOB)


def test_a_page_is_reported_to_the_operator_who_clears_it(client: Client, console: Console) -> None:
    introduce(client, "line", "bob cheats")
    introduce(client, "website", "https://trap.example/")
    assert "/report" not in client.get(own(ALICE), ALICE), "nobody reports themselves"
    prompt = links(client.get(own(ALICE), BOB))["Report alice to the operator"]
    assert client.ask(prompt, BOB) == Response(
        10, f"{ROOM} What should the operator know about alice?"
    )
    answer = client.type(prompt, "I do not cheat", BOB)
    assert "The operator has your report. alice does not learn of it." in answer.body
    assert links(answer.body)["Back to the page of alice"] == own(ALICE)
    assert client.ask(f"{prompt}?{quote('I do not cheat')}", BOB) == Response(30, own(ALICE))
    assert undone(client, f"{prompt}?again", BOB, own(ALICE)).endswith("> again")
    elsewhere = prompt.replace("alice", "bob")
    assert undone(client, f"{elsewhere}?rude", ALICE, own(BOB)), "another's key"
    assert console.admin("reports").splitlines() == [
        "Report 1, 2026-11-20 at 14:02 UTC",
        "  bob about alice: I do not cheat",
        "  gemini://localhost/players/alice",
        "    their line: bob cheats",
        "    their website: https://trap.example/",
        "",
    ]
    (exported,) = json.loads(client.get("/play/me/export.json", BOB))["reports"]
    assert (exported["about"], exported["game"]) == ("alice", None)

    old = link(client.get(own(ALICE), ALICE), "/line")
    assert console.admin("clear-profile alice no insults") == (
        "The page of alice has no line and no website now, and they are told so.\n"
    )
    assert console.refusal("clear-profile alice again") == (
        "The page of alice has neither a line nor a website."
    )
    assert console.refusal("clear-profile nobody why") == "Nobody here is called nobody."
    assert "writes:" not in client.get("/players/alice")
    assert "trap.example" not in client.get("/players/alice")
    page = client.get("/play/", ALICE)
    assert "The line and the website on your page have been removed: no insults" in page
    assert "their line: (none)" in console.admin("reports")
    assert "clear-profile, alice: no insults" in console.admin("log")
    assert b"bob cheats" not in on_disk(client)
    assert undone(client, f"{old}?again", ALICE, own(ALICE))


def test_a_muted_player_removes_things_and_writes_none(client: Client, console: Console) -> None:
    introduce(client, "line", LINE)
    console.admin("mute alice 3 mind your words")
    reason = "The operator has muted you until 23 November 2026 at 14:02 UTC."
    for part, text in (("line", "Ha!"), ("website", WEBSITE)):
        prompt = link(client.get(own(ALICE), ALICE), f"/{part}")
        assert client.ask(prompt, ALICE).body.startswith(f"Nothing was changed. {reason}\n\n# ")
        said = undone(client, f"{prompt}?{quote(text)}", ALICE, "/play/players/alice")
        assert said == f"Nothing was changed. {reason} Your text was:\n> {text}"
    assert stored(client) == [(LINE, "")]
    assert client.ask(links(client.get(own(ALICE), ALICE))["Remove your line"], ALICE).status == 30
    assert stored(client) == []
    client.now += timedelta(days=3)
    assert introduce(client, "website", WEBSITE).status == 30


def test_a_ban_removes_what_a_player_says_about_themselves(
    client: Client, console: Console
) -> None:
    introduce(client, "line", LINE)
    console.admin("ban alice spam")
    assert LINE not in client.get("/players/alice")
    assert stored(client) == []
