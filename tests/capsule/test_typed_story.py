"""Nothing typed is lost: what comes too late is shown again, above the page it belongs to."""

import json
import re
from datetime import timedelta
from urllib.parse import quote

import pytest

from capsule.accounts.identity import reader_of
from capsule.app import compiled_routes
from capsule.bots import turns as bot_turns
from capsule.gemini.types import Certificate, Request, Response
from capsule.gemini.url import authority_of, parse_url
from engine.bots.levels import LEVELS
from tests.support import everyone
from tests.support.client import Client, action, certificate, context_of, link, links
from tests.support.comments import comment, public_game
from tests.support.mail import Post
from tests.support.stored import everything, player_id
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    NOTHING_PLAYED,
    ROOM,
    play,
    record,
    start,
    start_between,
    undone,
)
from tests.support.tournaments import announce, join

OLD_PAGE = "that page was out of date."

TEXTS: dict[str, tuple[str, str]] = {
    "/play/{game}/{key}/move": ("game {game}", "Nothing was played: that page showed"),
    "/play/desk/{game}/{key}/move": ("game {game}", "Nothing was played: that page showed"),
    "/play/{game}/live/{key}/move": ("game {game}", "Nothing was played: that page showed"),
    "/play/{game}/{key}/plan": ("game {game}", "Nothing was planned: that page showed"),
    "/play/{game}/{key}/say": ("messages {game}", f"Nothing was sent: {OLD_PAGE}"),
    "/play/{ended}/{key}/comment": ("comments {ended}", f"Nothing was sent: {OLD_PAGE}"),
    "/play/{ended}/{key}/report-comment/1": ("people", f"Nothing was sent: {OLD_PAGE}"),
    "/play/{ended}/{key}/report-notes/1": ("people", f"Nothing was sent: {OLD_PAGE}"),
    "/play/{game}/{key}/note": ("notes {game}", f"Nothing was noted: {OLD_PAGE}"),
    "/play/{game}/{key}/report": ("people", f"Nothing was sent: {OLD_PAGE}"),
    "/play/tournaments/{tournament}/{key}/report": ("people", f"Nothing was sent: {OLD_PAGE}"),
    "/play/players/bob/{key}/report": ("people", f"Nothing was sent: {OLD_PAGE}"),
    "/play/tournaments/{key}/announce": ("tournaments", f"No tournament was announced: {OLD_PAGE}"),
    "/play/everyone/{key}/vote": ("vote {everyone} 1", f"You did not vote: {OLD_PAGE}"),
    "/play/new/tinc/{key}/challenge": ("new game", f"Nobody was challenged: {OLD_PAGE}"),
    "/play/me/{key}/name": ("account", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/line": ("account", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/website": ("account", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/label/1": ("devices", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/set/zone": ("settings", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/mail/address": ("mail", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/mail/hour": ("mail", f"Nothing was changed: {OLD_PAGE}"),
    "/play/me/{key}/vacation": ("vacation", f"Nothing was changed: {OLD_PAGE}"),
    **{
        f"/play/me/{{key}}/{verb}": ("people", f"Nothing was changed: {OLD_PAGE}")
        for verb in ("mute", "unmute", "block", "unblock")
    },
}
"""The prompts for a text: the subject of their key, and how the answer to an old page begins."""

WORDS_AND_LINKS: dict[str, str] = {
    **{
        f"/play/{{game}}/{{key}}/{verb}": "game {game}"
        for verb in (
            *("join", "resign", "abort", "hint", "draw", "takeback", "rematch", "accept"),
            *("decline", "claim", "forget"),
        )
    },
    **{f"/play/{{game}}/{{key}}/{verb}": "people" for verb in ("mute", "unmute", "block")},
    "/play/{game}/{key}/unblock": "people",
    "/play/{game}/{key}/show": "people",
    "/play/{game}/{key}/hide": "people",
    "/play/{game}/{key}/clear": "notes {game}",
    "/play/{ended}/{key}/publish": "published notes",
    "/play/{ended}/{key}/unpublish": "published notes",
    "/play/{ended}/{key}/close-comments": "people",
    "/play/{ended}/{key}/open-comments": "people",
    "/play/{ended}/{key}/remove-comment/1": "people",
    **{
        f"/play/tournaments/{{tournament}}/{{key}}/{verb}": "tournament {tournament}"
        for verb in ("join", "start", "leave", "cancel")
    },
    **{
        f"/play/new/tinc/{{key}}/{way}": "new game"
        for way in ("invite", "open", "solo", *(f"bot-{level}" for level in LEVELS))
    },
    **{f"/play/cups/{{key}}/{verb}": "cups" for verb in ("enter", "leave")},
    **{f"/play/me/{{key}}/favourite/bob/{verb}": "people" for verb in ("add", "remove")},
    "/play/me/{key}/feed": "account",
    "/play/me/{key}/erase": "account",
    "/play/me/{key}/code": "devices",
    "/play/me/{key}/withdraw": "devices",
    "/play/me/{key}/revoke/1": "devices",
    "/play/me/{key}/mail/set/turns/4": "mail",
    "/play/me/{key}/mail/stop": "mail",
    "/play/me/{key}/back": "vacation",
    "/play/me/{key}/heard": "notices",
    "/play/me/{key}/program/declare": "program",
    "/play/me/{key}/program/rated/take": "program",
    "/play/me/{key}/program/rated/decline": "program",
    "/play/me/{key}/set/rulers/off": "settings",
    "/play/puzzles/numeric/1/{key}/hint": "puzzle numeric 1",
    "/play/puzzles/numeric/1/{key}/solution": "puzzle numeric 1",
}
"""Prompts for a word that confirms, links without a prompt, and the subjects of their keys."""

CONSTANT_KEYS = {"/play/puzzles/numeric/1/{key}/answer", "/play/mistakes/{game}/1/{key}/answer"}
"""Prompts whose keys nothing outdates, apart from becoming somebody."""

BEGINNINGS = ("That link was o", "Nothing was revoked")
"""The first words above a page for who has followed an old link."""

SECRETS = {"/play/me/{key}/link", "/play/me/{key}/mail/code"}
"""The prompts for codes, which no page shows again."""


def key_of(client: Client, who: Certificate, subject: str, count: int) -> str:
    visitor = reader_of(client.context, Request("/", certificate=who))
    return visitor.key(client.context, subject, count)


def actions_of(client: Client, who: Certificate) -> int:
    player = reader_of(client.context, Request("/", certificate=who)).player
    assert player is not None
    return player.actions


class Place:
    """A capsule in which alice has done something everywhere, so that her old pages are old."""

    def __init__(self, client: Client) -> None:
        Post(client)
        self.client = client
        self.ended = public_game(client)
        comment(client, self.ended, "hello", ALICE)
        self.url = start_between(client, "ultimate")
        self.tournament = announce(client, who=CAROL, title="A cup")
        join(client, self.tournament, BOB)
        play(client, self.url, ["e5", "d4", "a1"], ALICE, BOB)
        for path, what in ((self.url, "say"), (f"{self.url}/more", "note")):
            client.type(link(client.get(path, ALICE), f"/{what}"), "hello", ALICE)
        for choice in ("off", "on"):
            client.ask(link(client.get("/play/me/settings", ALICE), f"/rulers/{choice}"), ALICE)
        everyone.advance(client)
        everyone.store_vote(client, player_id(client, ALICE), "a1")

    def address(self, template: str, subject: str, who: Certificate = ALICE) -> str:
        """Return an address with the key that a page of somebody had before the last action."""
        names = {
            "everyone": everyone.newest(self.client).stored.id,
            "game": self.url.removeprefix("/play/"),
            "ended": self.ended.removeprefix("/play/"),
            "tournament": self.tournament.rpartition("/")[2],
        }
        counts = {"game": 2, "tournament": 0, "puzzle": 1, "vote": 0}
        counts |= dict.fromkeys(("messages", "notes", "comments"), 0)
        count = counts.get(subject.partition(" {")[0].partition(" numeric")[0])
        if count is None:
            count = actions_of(self.client, ALICE) - 1
        key = key_of(self.client, who, subject.format(**names), count)
        return template.format(key=key, **names)


@pytest.fixture
def place(client: Client) -> Place:
    return Place(client)


def test_every_action_with_a_key_is_looked_at_here() -> None:
    templates = {*TEXTS, *WORDS_AND_LINKS, *CONSTANT_KEYS, *SECRETS}
    names = {"key": "a" * 26, "game": "a" * 10, "ended": "c" * 10, "tournament": "b" * 10}
    looked_at = [template.format(**names) for template in templates]
    for route in compiled_routes():
        if not route.is_action or route.pattern.pattern.endswith(r"\.json"):
            continue
        fitting = [each for each in looked_at if route.pattern.fullmatch(each)]
        assert fitting, route.pattern.pattern
        for group in {"verb", "way"} & route.pattern.groupindex.keys():
            choices = re.search(rf"\(\?P<{group}>([^)]*)\)", route.pattern.pattern)
            assert choices is not None
            found = {route.pattern.fullmatch(each)[group] for each in fitting}  # type: ignore[index]
            assert found == set(choices[1].split("|")), route.pattern.pattern


def test_a_text_typed_on_an_old_page_changes_nothing_and_is_shown_again(place: Place) -> None:
    client = place.client
    before = everything(client)
    for template, (subject, sentence) in TEXTS.items():
        address = place.address(template, subject)
        answer = client.ask(f"{address}?{quote('two words')}", ALICE)
        first, second, third, heading, *_ = answer.body.split("\n")
        assert answer.status == 20, template
        assert first.startswith(sentence), template
        assert first.endswith((" Your text was:", " Your move was:")), template
        assert (second, third, heading[:2]) == ("> two words", "", "# "), template
    assert everything(client) == before


def test_an_old_link_without_a_text_says_that_it_did_nothing(place: Place) -> None:
    client = place.client
    before = everything(client)
    others = {template: subject for template, (subject, _) in TEXTS.items()}
    for template, subject in (others | WORDS_AND_LINKS).items():
        answer = client.ask(place.address(template, subject), ALICE)
        first, second, heading, *_ = answer.body.split("\n")
        assert answer.status == 20, template
        assert first.startswith(BEGINNINGS), template
        assert (second, heading[:2]) == ("", "# "), template
        assert ">" not in first
    assert everything(client) == before


def test_a_link_to_what_another_has_never_been_given_plants_no_words(place: Place) -> None:
    client = place.client
    for template, (subject, sentence) in TEXTS.items():
        for address in (
            place.address(template, subject, BOB),
            place.address(template, "another subject"),
        ):
            answer = client.ask(f"{address}?{quote('a trap')}", ALICE)
            first, second, _ = answer.body.split("\n", 2)
            assert (answer.status, second) == (20, ""), template
            assert first.startswith(sentence.partition(":")[0]), template
            assert "a trap" not in answer.body, template


def test_a_code_is_never_shown_again(client: Client) -> None:
    Post(client)
    for key in ("a" * 26, key_of(client, BOB, "devices", 0)):
        said = undone(client, f"/play/me/{key}/link?ABCDEFGHJK", ALICE, "/play/me/")
        assert said == f"Nothing was changed: {OLD_PAGE}"
        said = undone(client, f"/play/me/{key}/mail/code?ABCDEFGHJK", ALICE, "/play/me/mail")
        assert said == f"Nothing was changed: {OLD_PAGE}"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\r\n=> gemini://example.org trap", "a => gemini://example.org trap"),
        ("# no heading\n```", "# no heading ```"),
        ("x" * 281, "x" * 279 + "…"),
        ("棋" * 280, "棋" * 280),
        ("soft\u00adly \u202ebackwards", "softly backwards"),
    ],
)
def test_a_text_is_shown_on_one_line_and_no_longer_than_may_be(
    client: Client, typed: str, shown: str
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/say")
    client.type(prompt, "first", ALICE)
    said = undone(client, f"{prompt}?{quote(typed)}", ALICE, url)
    assert said == f"Nothing was sent: {OLD_PAGE} Your text was:\n> {shown}"


@pytest.mark.parametrize("typed", ["%20", "%0A%0D", "%E2%80%8B"])
def test_of_a_text_that_nobody_can_see_nothing_is_shown(client: Client, typed: str) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/say")
    client.type(prompt, "first", ALICE)
    assert undone(client, f"{prompt}?{typed}", ALICE, url) == f"Nothing was sent: {OLD_PAGE}"


def test_what_was_not_done_is_kept_for_no_other_request(client: Client) -> None:
    url = start_between(client, "ultimate")
    old = link(client.get(url, ALICE), "/move")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    page = client.get(url, ALICE)
    for typed in ("a1", "b2"):
        said = undone(client, f"{old}?{typed}", ALICE, url)
        assert said.endswith(f"Your move was:\n> {typed}")
        assert client.get(url, ALICE) == page


def test_the_reason_is_said_where_it_is_another(client: Client) -> None:
    url = start_between(client, "ultimate")
    alices, bobs = (link(client.get(url, who), "/move") for who in (ALICE, ALICE))
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    said = undone(client, f"{alices}?e5", ALICE, url)
    assert said == "Nothing was played: the game is over. Your move was:\n> e5"
    other = start_between(client, "ultimate")
    early = link(client.get(other, BOB), "/say").replace("/say", "/move")
    key = key_of(client, BOB, f"game {other.removeprefix('/play/')}", 0)
    early = f"{other}/{key}/move?e5"
    said = undone(client, early, BOB, other)
    assert said == "Nothing was played: it is not your turn. Your move was:\n> e5"
    assert bobs == alices


# The same request once more


def test_a_move_is_repeated_in_silence_though_a_bot_has_replied(client: Client) -> None:
    url = start(client, "ultimate", "bot-club")
    move = link(client.get(url, ALICE), "/move")
    client.ask(f"{move}?e5", ALICE)
    bot_turns.reply(context_of(client), url.removeprefix("/play/"), 1, "d4")
    assert client.ask(f"{move}?e5", ALICE) == Response(30, url)
    assert undone(client, f"{move}?e4", ALICE, url).endswith("> e4")
    assert undone(client, move, ALICE, url) == NOTHING_PLAYED
    client.ask(f"{link(client.get(url, ALICE), '/move')}?a1", ALICE)
    assert client.ask(f"{move}?e5", ALICE) == Response(30, url), "though it is not her last"


def test_the_move_that_ended_a_game_is_repeated_in_silence(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, ["a1=5", "a2=8", "c1=1"], ALICE)
    last = f"{link(client.get(url, ALICE), '/move')}?a3=2"
    client.ask(last, ALICE)
    assert "wins" in client.get(url)
    assert client.ask(last, ALICE) == Response(30, url)


def test_a_move_that_was_taken_back_is_not_played_by_its_old_link(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    first = f"{link(client.get(url, ALICE), '/move')}?e5"
    client.ask(first, ALICE)
    takeback = link(client.get(url, ALICE), "/takeback")
    client.ask(takeback, ALICE)
    assert client.ask(takeback, ALICE) == Response(30, url)
    assert client.ask(first, ALICE) == Response(30, url)
    assert record(client, url)["moves"] == []


@pytest.mark.parametrize(
    ("page", "end", "typed"),
    [
        ("/play/me/", "/name", "ada"),
        ("/play/players/alice", "/line", " I play  slowly"),
        ("/play/players/alice", "/website", "HTTPS://example.org/ "),
        ("/play/me/", "/label/1", " My  phone "),
        ("/play/me/settings", "/set/zone", "vienna"),
        ("/play/me/settings", "/set/narrow/on", None),
        ("/play/me/people", "/mute", "Bob"),
        ("/play/me/people", "/block", "bob"),
        ("/play/me/code", "/code", None),
        ("/play/", "/vacation", "3"),
    ],
)
def test_an_action_outside_games_is_repeated_in_silence(
    client: Client, page: str, end: str, typed: str | None
) -> None:
    start_between(client, "tinc")
    prompt = link(client.get(page, ALICE), end)
    action = prompt if typed is None else f"{prompt}?{quote(typed)}"
    first = client.ask(action, ALICE)
    assert first.status == 30
    before = everything(client)
    assert client.ask(action, ALICE) == first
    assert everything(client) == before
    if typed is not None:
        assert undone(client, f"{prompt}?other", ALICE, first.meta).endswith("> other")


def test_what_starts_something_leads_there_if_it_is_repeated(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    for end in ("invite", "open", "solo", "bot-club", "challenge?bob", "announce?cup"):
        subject, base = ("new game", "/play/new/tinc")
        if end.startswith("announce"):
            subject, base = ("tournaments", "/play/tournaments")
        visitor = reader_of(client.context, Request("/", certificate=ALICE))
        action = f"{base}/{visitor.account_key(client.context, subject)}/{end}"
        client.now += timedelta(minutes=1)
        first = client.ask(action, ALICE)
        assert re.fullmatch("/play/(tournaments/)?[a-z2-7]{10}", first.meta), end
        assert client.ask(action, ALICE) == first, end


def test_a_report_is_repeated_in_silence(client: Client) -> None:
    url = start_between(client, "tinc")
    prompt = link(client.get(f"{url}/messages", ALICE), "/report")
    assert client.type(prompt, "rude", ALICE).body.startswith("# ")
    assert client.ask(f"{prompt}?rude", ALICE) == Response(30, url)
    assert undone(client, f"{prompt}?very%20rude", ALICE, url).endswith("> very rude")


# Terms


def test_terms_stay_as_they_were_on_the_old_page(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    start(client, "tinc", "solo", CAROL)
    page = client.get("/play/new/numeric?days=2&rated=no", ALICE)
    terms = "/play/new/numeric?days=2&rated=no"
    prompt = link(page, "/challenge")
    assert client.type(prompt, "bob", ALICE).status == 30
    said = undone(client, f"{prompt}?carol", ALICE, terms)
    assert said == f"Nobody was challenged: {OLD_PAGE} Your text was:\n> carol"
    said = undone(client, link(page, "/invite?days=2&listed=people&rated=no"), ALICE, terms)
    assert said == "That link was out of date: no game was started."
    bot = link(client.get("/play/new/numeric?side=o", ALICE), "bot-club?side=o&listed=no&rated=no")
    start(client, "tinc", "solo")
    said = undone(client, bot, ALICE, "/play/new/numeric?side=o&listed=no")
    assert said == "That link was out of date: no game was started."
    cup = "/play/tournaments/new?variant=tinc&seats=4"
    announcement = link(client.get(cup, ALICE), "/announce")
    client.type(announcement, "One", ALICE)
    assert undone(client, f"{announcement}?Two", ALICE, cup).endswith("> Two")


# Without a certificate


def test_a_text_without_a_certificate_leads_to_words_that_nothing_was_sent(place: Place) -> None:
    client = place.client
    for template, (subject, _) in TEXTS.items():
        address = place.address(template, subject)
        assert client.ask(f"{address}?hello") == Response(30, "/play/?unsent"), template
        assert client.ask(address) == Response(30, "/play/"), template
    asked = client.ask("/play/?unsent")
    assert asked.status == 60
    assert asked.meta.startswith("Nothing was sent, since your browser showed no certificate. ")
    for who in (ALICE, certificate("new")):
        said = undone(client, "/play/?unsent", who, "/play/")
        assert said.startswith("Nothing was sent, since your browser had shown no certificate. ")


def test_programs_are_led_to_the_plain_page(client: Client) -> None:
    url = start_between(client, "ultimate")
    move = link(client.get(url, ALICE), "/move")
    assert client.ask(f"{move}.json?e5") == Response(30, "/play/")
    client.ask(f"{move}.json?e5", ALICE)
    state = json.loads(client.ask(f"{move}.json?d4", ALICE).body)
    assert state["moves"] == ["e5"], "what they always got"


# Room


@pytest.mark.parametrize(("letter", "count"), [("e", 280), ("д", 150), ("λ", 150), ("棋", 100)])
def test_as_many_letters_as_the_prompt_promises_fit_an_address(
    client: Client, letter: str, count: int
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/say")
    assert client.ask(prompt, ALICE).meta.startswith(ROOM)
    host = "a-capsule-with-a-long-name.example.org"
    line = f"gemini://{host}:11965{prompt}?{quote(letter * count)}"
    target = parse_url(line.encode(), authority_of(host, 11965))
    assert client.ask_for(Request(target.path, target.query, ALICE)) == Response(30, url)
    assert f"alice, 20 November 2026 at 14:02 UTC: {letter * count}" in client.get(url, BOB)


def test_a_text_that_is_too_long_is_asked_for_again_with_its_number(client: Client) -> None:
    url = start_between(client, "ultimate")
    for path, end in ((url, "/say"), (f"{url}/more", "/note")):
        prompt = link(client.get(path, ALICE), end)
        again = client.type(prompt, "x" * 312, ALICE)
        assert again.status == 10
        assert again.meta.startswith("Your text has 312 characters, but only 280 fit. Your ")
    assert "Your text has 312" not in client.get(url, ALICE)
    assert links(client.get(url, ALICE))["Write a message to bob"]


# Signs that some browsers do not encode


def ask_raw(client: Client, address: str, who: Certificate | None = None) -> Response:
    """Return the answer to an address that a browser sends as it is."""
    target = parse_url(f"gemini://localhost{address}".encode(), authority_of("localhost", 1965))
    return client.ask_for(Request(target.path, target.query, who))


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("100%%20agreed", "100% agreed"),
        ("100%", "100%"),
        ('%zz%20"[a|b]"%20{c}%20^d`%20<e>\\', '%zz "[a|b]" {c} ^d` <e>\\'),
        ("%2520", "%20"),
    ],
)
def test_a_text_is_read_whatever_the_browser_leaves_as_it_was_typed(
    client: Client, sent: str, text: str
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/say")
    assert ask_raw(client, f"{prompt}?{sent}", ALICE) == Response(30, url)
    assert f"alice, 20 November 2026 at 14:02 UTC: {text}\n" in client.get(url, BOB)
    # The same text is the same request, however another browser encodes it.
    again = client.ask(f"{prompt}?{quote(text, safe='')}", ALICE)
    assert again == Response(30, url)
    other = client.ask(f"{prompt}?{quote(f'{text}!', safe='')}", ALICE)
    assert other.body.split("\n")[1] == f"> {text}!"


def test_a_move_between_signs_that_a_browser_does_not_encode_is_asked_for_again(
    client: Client,
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    again = ask_raw(client, f"{prompt}?[e5%", ALICE)
    assert again == Response(10, "Name one cell by its column and row, like e5. Your move, X")
    assert ask_raw(client, f"{prompt}?e5", ALICE) == Response(30, url)
