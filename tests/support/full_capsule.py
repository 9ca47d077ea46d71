"""A capsule in which something of every kind has happened, mostly to alice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from capsule.boards import explorer
from capsule.bots import queries as bot_queries
from capsule.bots.service import BotService, Hint
from capsule.cups import course, queries as cup_entry_queries
from capsule.cups.model import CupStatus, new_cup
from capsule.featured import choosing
from capsule.games import deadlines
from capsule.languages.dates import Month
from capsule.moderation.actions import remove_line, remove_notes, warn
from capsule.moderation.model import LineKind
from capsule.news import publishing
from capsule.seasons import scoring
from engine import VARIANTS, message
from engine.bots import analysis
from engine.bots.evaluators import Finding
from tests.support import everyone
from tests.support.acting import operate
from tests.support.client import Client, context_of, link
from tests.support.comments import act_on_comment, comment, resigned_game
from tests.support.console import EVE, quarrel
from tests.support.conversation import block_in, ended_game, say
from tests.support.cups import enter
from tests.support.linking import add, make_code
from tests.support.mail import Post, stop_link
from tests.support.stored import long_game, player_id
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
from tests.support.tournaments import DAVE, agree_on_draw, announce, begin, games, resign

WEBSITE = "https://example.org/~alice?a=b#c"
"""The website of alice."""


@dataclass(frozen=True)
class OneHint(BotService):
    """A bot service that thinks of the first legal move, at once, and never replies."""

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return the first legal move as a hint."""
        position = VARIANTS[variant].replay(moves)
        move = next(iter(position.legal_moves()))
        reason = message("is the first of the legal moves")
        return Hint(move, reason, 0.5, is_exact=variant in ("numeric", "quantum"))


def fill(client: Client) -> str:
    """Fill a capsule with games of all variants in all states, tournaments, messages and notes.

    Returns the path of the page that stops alice's mail.
    """
    # Nobody votes in the first of everyone's games, so it is left.
    everyone.advance(client)
    _games_without_time(client)
    # Days go by in these, so that what is running or due by then must come later.
    start(client, "tinc", "solo", CAROL)
    _cups(client)
    everyone.fill(client)
    for number, (variant, moves) in enumerate(WON_GAMES.items(), 1):
        _games_of(client, variant, moves.split())
        if number % 2 == 0:
            # Nobody takes more than ten seats a day.
            client.now += timedelta(days=1)
    _games_with_bots(client)
    start(client, "tinc", "open", CAROL)
    long_game(client, 30)
    client.type(link(client.get("/play/new/numeric", CAROL), "/challenge"), "alice", CAROL)
    client.type(link(client.get("/play/new/quantum", ALICE), "/challenge"), "carol", ALICE)
    _talk(client)
    _tournaments(client)
    client.type(link(client.get("/play/", BOB), "/vacation"), "3", BOB)
    operate(choosing.pick, context_of(client), _a_public_end(client), "=> It turns ``` twice")
    operate(publishing.publish, context_of(client), "=> The capsule serves ``` since today")
    add(client)
    make_code(client, BOB)
    explorer.count_due(client.context, limit=1_000)
    scoring.score_due(context_of(client))
    everyone.advance_to_a_vote(client)
    return _mail(client)


def _mail(client: Client) -> str:
    """Let alice have mail, and bob await his code; return the path where hers is stopped."""
    post = Post(client)
    post.subscribe(ALICE, "alice@example.net")
    letters = post.pass_time(timedelta(days=1), timedelta(hours=6))
    post.type_address(BOB, "bob@example.net")
    return stop_link(letters[-1])


def _games_without_time(client: Client) -> None:
    """Let the time of a game of each variant run out, and make another claimable."""
    for variant, moves in WON_GAMES.items():
        play(client, open_game(client, variant), moves.split()[:2], ALICE, BOB)
    client.now += timedelta(days=30)
    deadlines.end_overdue(context_of(client), limit=100)
    for x, o in ((ALICE, BOB), (BOB, ALICE)):
        play(client, open_game(client, "quantum", x, o), ["a1+b2", "a1+c3"], ALICE, BOB)
    client.now += timedelta(days=8)


def _games_of(client: Client, variant: str, moves: Sequence[str]) -> None:
    """Store games of a variant: offered, running, won, drawn, resigned, timed out, aborted."""
    won = open_game(client, variant)
    play(client, won, moves, ALICE, BOB)
    _analyse(client, won, variant, moves)
    running = open_game(client, variant)
    play(client, running, moves[:2], ALICE, BOB)
    start(client, variant, "invite")
    start(client, variant, "open", DAVE)
    solo = start(client, variant, "solo")
    play(client, solo, moves[:3], ALICE)
    drawn = open_game(client, variant, BOB, ALICE)
    play(client, drawn, moves[:2], ALICE, BOB)
    agree_on_draw(client, drawn, BOB, ALICE)
    resigned = start_between(client, variant)
    play(client, resigned, moves[:3], ALICE, BOB)
    resign(client, resigned, BOB)
    aborted = start_between(client, variant)
    client.type(link(client.get(aborted, ALICE), "/abort"), "abort", ALICE)


def _analyse(client: Client, url: str, variant: str, moves: Sequence[str]) -> None:
    """Store an analysis of a game in which every third move is a mistake."""
    chances, findings = [0.5], []
    position = VARIANTS[variant].start
    for number, move in enumerate(moves, start=1):
        lost = 0.5 if number % 3 == 0 else 0.0
        after = chances[-1] - lost if position.turn.value == "X" else chances[-1] + lost
        after = min(max(after, 0.0), 1.0)
        if after != chances[-1]:
            best = next(each for each in islice(position.legal_moves(), 2) if each != move)
            findings.append(Finding(number, move, position.turn, chances[-1], after, best))
        chances.append(after)
        position = position.play(move)
    is_exact = variant in ("numeric", "quantum")
    made = analysis.Analysis(variant, is_exact, 0, tuple(chances), tuple(findings))
    with client.database.writing() as connection:
        bot_queries.save_analysis(connection, url.removeprefix("/play/"), analysis.to_json(made))


def _a_public_end(client: Client) -> str:
    """Return the id of a public game of alice and bob that is over."""
    # Bob has taken as many open seats that day as anybody may.
    url = open_game(client, "quantum", BOB, ALICE)
    play(client, url, WON_GAMES["quantum"].split(), BOB, ALICE)
    return url.removeprefix("/play/")


def _games_with_bots(client: Client) -> None:
    start(client, "numeric", "bot-novice")
    beaten = start(client, "ultimate", "bot-casual", BOB)
    resign(client, beaten, BOB)


def _talk(client: Client) -> None:
    """Store messages, comments, notes, plans, offers, a report and a block."""
    _comment(client)
    _annotate(client)
    talked = ended_game(client)
    say(client, talked, "Well played; thank you!", ALICE)
    say(client, talked, "=> gemini://example.org and ``` are text, too", BOB)
    asked = start_between(client, "ultimate")
    play(client, asked, ["e5", "d4"], ALICE, BOB)
    client.ask(link(client.get(asked, ALICE), "/draw"), ALICE)
    undone = start_between(client, "ultimate")
    play(client, undone, ["e5"], ALICE, BOB)
    client.ask(link(client.get(undone, ALICE), "/takeback"), ALICE)
    planned = start_between(client, "numeric", BOB, ALICE)
    client.type(link(client.get(planned, ALICE), "/plan"), "if b2=5 then a1=2", ALICE)
    own = re.findall(r"^=> (/play/[a-z2-7]{10}) ", client.get("/play/", ALICE), re.MULTILINE)
    for url in dict.fromkeys([talked, asked, undone, planned, *own[:12]]):
        client.type(link(client.get(f"{url}/more", ALICE), "/note"), "beware of the corners", ALICE)
    quarrel(client)
    for part, text in (("line", "=> I play slowly, on ``` Sundays"), ("website", WEBSITE)):
        client.type(link(client.get("/play/players/alice", ALICE), f"/{part}"), text, ALICE)
    for name in ("bob", "dave"):
        client.get(link(client.get(f"/play/players/{name}", ALICE), "/add"), ALICE)
    operate(warn, context_of(client), "alice", "be kind to eve")
    operate(warn, context_of(client), "bob", "be kind to carol")
    block_in(client, start_between(client, "tinc", ALICE, EVE), ALICE)


def _comment(client: Client) -> None:
    """Store comments on two games, of which one is removed and one reported, and close some."""
    commented, closed = resigned_game(client), resigned_game(client, BOB, ALICE)
    for text, who in (
        ("A fine game!", ALICE),
        ("=> gemini://example.org and ``` are text, too", BOB),
        ("This will be removed", BOB),
    ):
        comment(client, commented, text, who)
    client.type(act_on_comment(client, commented, "report", 2, ALICE), "a link", ALICE)
    operate(remove_line, context_of(client), LineKind.COMMENT, 3, "be kind")
    comment(client, closed, "And another", ALICE)
    client.get(link(client.get(f"{closed}/comments", BOB), "/close-comments"), BOB)


def _annotate(client: Client) -> None:
    """Publish notes on a game and on its first move; write private ones, and some that go."""
    annotated = resigned_game(client)
    for text in ("=> gemini://example.org and ``` in a note", "1: the best way to begin"):
        client.type(link(client.get(f"{annotated}/more", ALICE), "/note"), text, ALICE)
    client.ask(link(client.get(f"{annotated}/more", ALICE), "/publish"), ALICE)
    client.type(link(client.get(f"{annotated}/more", BOB), "/note"), "rude words", BOB)
    client.ask(link(client.get(f"{annotated}/more", BOB), "/publish"), BOB)
    report = link(client.get(f"{annotated}/notes", ALICE), "/report-notes/2")
    client.type(report, "=> he is rude", ALICE)
    operate(remove_notes, context_of(client), 2, "be kind")
    client.type(link(client.get(f"{annotated}/more", ALICE), "/note"), "a later thought", ALICE)


def _tournaments(client: Client) -> None:
    announce(client, "variant=tinc&seats=4&bots=club", title="An evening of tinc")
    announce(client, "variant=quantum&seats=3&bots=club", BOB)
    begin(client, "variant=numeric&seats=3")
    over = begin(client, "variant=ultimate&seats=3")
    players = {"alice": ALICE, "bob": BOB, "carol": CAROL}
    for (x, _), url in games(client, over).items():
        resign(client, url, players[x])


def _cups(client: Client) -> None:
    """Store a cup that is over and one that may be entered."""
    while client.now.day != 21:
        client.now += timedelta(days=1)
    month = Month.of(client.now).after
    with client.database.writing() as connection:
        cup_entry_queries.add_cup(connection, new_cup(month.before))
        ended = replace(
            new_cup(month.before), status=CupStatus.FINISHED, group_count=1, ended_at=client.now
        )
        cup_entry_queries.save_cup(connection, ended)
        cup_entry_queries.add_entries(
            connection,
            month.before,
            [player_id(client, who) for who in (ALICE, BOB, CAROL)],
            client.now,
            is_carried=True,
        )
        cup_entry_queries.add_winners(connection, month.before, 0, [player_id(client, ALICE)])
        cup_entry_queries.add_cup(connection, replace(new_cup(month), status=CupStatus.ENTERING))
    course.advance_cups(context_of(client))
    enter(client, BOB)
