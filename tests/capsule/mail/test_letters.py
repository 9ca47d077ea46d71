"""Letters as they are received: headers that nobody can forge, 72 columns, and boards."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from itertools import pairwise

import pytest
from sqlalchemy import update

from capsule.db.schema.tournaments import tournaments
from capsule.mail import delivery, letters as composing, queries as mail_queries
from capsule.mail.letters import COLUMNS
from capsule.mail.relay import SendOutcome
from capsule.ui.columns import width
from engine import VARIANTS
from tests.support import everyone
from tests.support.choices import choose
from tests.support.client import Client
from tests.support.conversation import set_player
from tests.support.mail import DAY, FROM, HOUR, MINUTE, Post, stop_link, text_of
from tests.support.stories import ALICE, BOB, challenge, open_game, play, start_between
from tests.support.tournaments import begin

pytestmark = pytest.mark.sqlite

ADDRESS = "alice@example.net"

HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "List-Unsubscribe",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
]

FORGED = "Bcc: eve@example.com"

HOSTILE = (
    f"x\r\n{FORGED}",
    f"x\n{FORGED}",
    f"x\r{FORGED}",
    f"x\r\n\r\n{FORGED}",
    f"x\u2028{FORGED}",
    f"x\x85{FORGED}\x0b{FORGED}\x0c{FORGED}",
    "x\x07\x1b[31m\u202e\u2066",
    f"=?utf-8?q?x=0D=0A{FORGED.replace(' ', '_')}?=",
    "\u56f2" * 60,
    "x" * 60,
    ("\U0001f3b2" * 20 + " ") * 3,
)


def received(message: EmailMessage) -> EmailMessage:
    """Return a letter as a mail reader sees it, after a relay without 8BITMIME."""
    wire = message.as_bytes(policy=SMTP.clone(cte_type="7bit"))
    assert wire.isascii()
    assert b"\n" not in wire.replace(b"\r\n", b"")
    found = message_from_bytes(wire, policy=default)
    assert not found.defects
    return found  # type: ignore[return-value]


def check(message: EmailMessage) -> str:
    """Check what is true of any letter, and return its text."""
    read = received(message)
    assert sorted(read.keys()) == sorted(HEADERS), read.items()
    assert not any(each.startswith(FORGED) for each in str(read).splitlines())
    assert read["From"] == FROM
    assert read["Auto-Submitted"] == "auto-generated"
    assert read["Message-ID"].endswith("@example.org>")
    assert read.get_content_charset() == "utf-8"
    assert "\n" not in read["Subject"]
    assert "\r" not in read["Subject"]
    text: str = read.get_content().replace("\r\n", "\n")
    assert text.replace("\n", "").isprintable()
    for line in text.splitlines():
        assert width(line) <= COLUMNS or line.startswith("gemini://"), line
    stop = re.fullmatch("gemini://localhost(?:/zh)?/mail/([a-z2-7]+)/stop", text.splitlines()[-1])
    assert stop is not None
    asked = f"<mailto:oxonaut@example.org?subject=stop%20{stop[1]}>"
    assert read["List-Unsubscribe"] == asked
    return text


@pytest.fixture(autouse=True)
def alice_wants_mail(client: Client, post: Post) -> None:
    post.subscribe(ALICE, ADDRESS)
    set_player(client, ALICE, name="alice")


def composed(client: Client) -> EmailMessage:
    """Return the letter that waits as it would be sent now."""
    with client.context.reading() as transaction:
        (letter,) = mail_queries.letters_to_send(transaction.connection, client.now + DAY, 9)
    prepared = delivery._prepared(client.context, letter)
    assert prepared is not None
    message, address = prepared
    assert address == ADDRESS
    return message


def test_a_title_forges_no_header(client: Client, post: Post) -> None:
    post.choose(ALICE, "events/on")
    post.relay.outcome = SendOutcome.DEFERRED
    begin(client, "seats=3")
    post.deliver()
    for title in HOSTILE:
        with client.database.writing() as connection:
            connection.execute(update(tournaments).values(title=title))
        letter = composed(client)
        assert "Begins: " in check(letter)
        assert letter["Subject"].startswith("Begins: ")


def test_a_name_forges_no_header(client: Client, post: Post) -> None:
    post.choose(ALICE, "offers/on")
    post.relay.outcome = SendOutcome.DEFERRED
    challenge(client, "alice", "quantum", BOB)
    post.deliver()
    for name in HOSTILE:
        set_player(client, ALICE, name=name[::-1])
        set_player(client, BOB, name=name)
        letter = composed(client)
        assert "challenges you: Quantum" in " ".join(check(letter).split())
        assert "challenges you: Quantum" in letter["Subject"]


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_the_board_is_in_ascii_and_fits(client: Client, post: Post, variant: str) -> None:
    choose(client, "boards/unicode")
    url = start_between(client, variant, BOB, ALICE)
    first = next(iter(VARIANTS[variant].start.legal_moves()))
    play(client, url, [first], BOB)
    (letter,) = post.pass_time(DAY, HOUR)
    text = check(letter)
    title = VARIANTS[variant].name
    begun = text.index(f"Your turn against bob: {title}")
    board = text[begun : text.index("All your games:")]
    assert board.isascii()
    assert f"gemini://localhost{url}?turn-" in board
    assert len(board.splitlines()) > 5, "there is a board"


def test_the_board_is_drawn_as_the_player_draws_it(client: Client, post: Post) -> None:
    url = start_between(client, "tinc", BOB, ALICE)
    play(client, url, ["a1"], BOB)
    with_rulers = text_of(post.pass_time(DAY, HOUR)[0])
    play(client, url, ["c1"], ALICE)
    play(client, url, ["b3+d3"], BOB)
    choose(client, "rulers/off")
    without = text_of(post.pass_time(DAY, HOUR)[0])
    ruler = "a b c"
    assert ruler in with_rulers
    assert ruler not in without


@pytest.mark.parametrize(
    ("sender", "asked"),
    [
        ("a@example.org", "a@example.org"),
        ("o+x/o=%?&@example.org", "o%2Bx%2Fo%3D%25%3F%26@example.org"),
        (f"{'o' * 64}@{'capsule.' * 20}example", f"{'o' * 64}@{'capsule.' * 20}example"),
    ],
)
def test_a_mail_program_finds_the_address_that_stops_mail(
    client: Client, post: Post, sender: str, asked: str
) -> None:
    client.config = replace(client.config, mail_from=f"Oxonaut <{sender}>")
    client.restart()
    post.type_address(BOB, "bob@example.net")
    (letter,) = post.deliver()
    key = stop_link(letter).split("/")[-2]
    line = f"\r\nList-Unsubscribe: <mailto:{asked}?subject=stop%20{key}>\r\n".encode()
    for policy in (SMTP, SMTP.clone(utf8=True), SMTP.clone(cte_type="7bit")):
        assert line in letter.as_bytes(policy=policy)


@pytest.mark.parametrize("local", ["noreply", "no-reply", "do-not-reply", "DoNotReply"])
def test_where_nobody_reads_answers_none_is_asked_for(
    client: Client, post: Post, local: str
) -> None:
    client.config = replace(client.config, mail_from=f"Oxonaut <{local}@example.org>")
    client.restart()
    post.type_address(BOB, "bob@example.net")
    (letter,) = post.deliver()
    assert letter["List-Unsubscribe"] is None
    assert letter["Message-ID"].endswith("@example.org>")


def test_a_game_is_named_once_with_the_least_time(client: Client, post: Post) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    play(client, url, ["e5"], BOB)
    client.now += timedelta(days=6, hours=22)
    (letter,) = post.deliver()
    text = check(letter)
    assert letter["Subject"] == "Your turn in 1 game at Oxonaut"
    assert text.count(f"gemini://localhost{url}") == 1
    assert text.startswith("Hello alice!\n\nThree hours are left for your move against bob:")
    assert not post.pass_time(2 * HOUR, HOUR), "she was told all of it"


def test_of_very_many_games_it_counts_the_last_ones(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composing, "MAX_NOTIFICATIONS", 3)
    monkeypatch.setattr(composing, "MAX_BOARDS", 1)
    for _ in range(5):
        play(client, start_between(client, "numeric", BOB, ALICE), ["b2=5"], BOB)
        client.now += MINUTE
    (letter,) = post.pass_time(DAY, HOUR)
    text = check(letter)
    assert letter["Subject"] == "Your turn in 5 games at Oxonaut"
    assert text.count("Your turn against bob") == 3
    assert text.count("a b c\n") == 1
    assert "2 more things wait for you." in text


def test_addresses_in_a_letter_lead_to_pages_in_its_language(client: Client, post: Post) -> None:
    start_between(client, "tinc")
    set_player(client, ALICE, language="zh")
    post.choose(ALICE, "events/on")
    everyone.advance(client)
    (letter,) = post.deliver()
    addresses = re.findall(r"^gemini://localhost(\S+)", check(letter), re.MULTILINE)
    assert addresses[0] == "/zh/everyone/1?begun"
    answers = [client.ask(each, ALICE) for each in addresses]
    assert {answer.meta.rpartition("lang=")[2] for answer in answers} == {"zh-Hant"}


def test_a_chinese_letter_is_broken_where_chinese_may_be(client: Client, post: Post) -> None:
    open_game(client, "tinc", BOB, ALICE)
    set_player(client, BOB, language="zh")
    post.type_address(BOB, "bob@example.net")
    (letter,) = post.deliver()
    text = check(letter)
    broken = [line for line in text.splitlines() if width(line) > COLUMNS - 6]
    assert broken, "a sentence is longer than a line"
    assert not any(line.startswith(tuple("，。：」）")) for line in text.splitlines())
    assert all(width(above) > COLUMNS // 2 for above in sentences_above(text))


def sentences_above(text: str) -> Sequence[str]:
    """Return the lines after which a sentence goes on."""
    lines = text.splitlines()
    return [above for above, below in pairwise(lines) if above and below]
