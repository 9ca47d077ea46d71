"""A capsule in which everything has happened that can, for the database of a release."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote

from sqlalchemy import delete, func, select

from capsule.accounts.model import NewsKind
from capsule.bots import turns as bot_turns
from capsule.db.schema.base import changes
from capsule.db.schema.games import analyses
from capsule.db.schema.social import messages
from capsule.gemini.types import Certificate
from capsule.moderation import actions as operator
from capsule.moderation.model import LineKind
from capsule.processes.housekeeping import sweep
from capsule.puzzles import daily
from capsule.tournaments import actions
from engine import VARIANTS
from engine.bots import analysis
from engine.bots.registry import levels_of
from engine.puzzles import puzzles_of
from tests.support import full_capsule
from tests.support.acting import operate
from tests.support.choices import choose, choose_zone
from tests.support.client import Client, certificate, context_of, find_stored, link, links
from tests.support.console import EVE
from tests.support.conversation import ended_game, name_in_list, say
from tests.support.linking import PHONE, TABLET, add, devices_action, make_code
from tests.support.mail import PAGE as MAIL
from tests.support.puzzles import address, answer, wrong_move
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
from tests.support.tournaments import DAVE, act, announce, begin, join

FRANK, GRACE, HEIDI, MALLORY, CLOCKWORK, NEWCOMER = map(
    certificate, ("frank", "grace", "heidi", "mallory", "clockwork", "newcomer")
)

PEOPLE: Mapping[str, Certificate] = {
    "alice": ALICE,
    "alice's phone": PHONE,
    "bob": BOB,
    "carol": CAROL,
    "dave": DAVE,
    "eve": EVE,
    "frank": FRANK,
    "grace": GRACE,
    "heidi": HEIDI,
    "mallory": MALLORY,
    "clockwork": CLOCKWORK,
    "newcomer": NEWCOMER,
}
"""The certificates of everybody who has been there; frank erases himself."""

BEGUN: Mapping[str, tuple[str, str]] = {
    "tinc": ("a1 b3+c3 a1+d2", "c1"),
    "ultimate": ("d7 c3 h8", "e4"),
    "numeric": ("a1=5 a2=8 c1=1", "b2=2"),
    "quantum": ("b1+a3 a2+b3 b1+b2 a1+a3 b1+b3 a3+b3", "a3"),
    "extreme": ("k8 o6 r9 i9", "r7"),
}
"""For each variant the first moves of a game that goes on, and a move that may follow them.

Quantum's is the choice of a measurement.
"""


@dataclass(frozen=True)
class Filled:
    """Addresses of a full capsule: running games, by variant, and others without a link."""

    running: Mapping[str, str]
    unlinked: Sequence[str]


def fill(client: Client) -> Filled:
    """Fill a new capsule."""
    stop_mail = full_capsule.fill(client)
    client.now += timedelta(days=1)
    _games_of_people(client)
    client.now += timedelta(days=1)
    _games_with_bots(client)
    _games_of_a_program(client)
    _tournaments(client)
    _names_and_devices(client)
    _puzzles(client)
    put_right = _put_a_mistake_right(client)
    client.now += timedelta(days=1)
    sweep(context_of(client), logging.getLogger("oxonaut.release"))
    running = {variant: _running(client, variant) for variant in VARIANTS}
    _offered(client)
    _measures(client)
    _settings(client)
    client.type(link(client.get("/play/me/", FRANK), "/erase"), "erase", FRANK)
    client.type(link(client.get("/play/", BOB), "/vacation"), "3", BOB)
    make_code(client, BOB)
    client.ask(f"{link(client.get(MAIL, BOB), '/address')}?bob@example.net", BOB)
    for who in PEOPLE.values():
        client.ask("/play/me/", who)  # which makes the private feed
    _forget_old_changes(client)
    states = [f"{url}/state.json" for url in running.values()]
    return Filled(running, [put_right, stop_mail, *states])


def _running(client: Client, variant: str) -> str:
    url = start_between(client, variant, CAROL, DAVE)
    play(client, url, BEGUN[variant][0].split(), CAROL, DAVE)
    return url


def _offered(client: Client) -> None:
    """Store what waits for others: open seats, a challenge, and tournaments."""
    for who in (ALICE, CAROL, CAROL):
        start(client, "tinc", "open", who)
    client.type(link(client.get("/play/new/quantum", ALICE), "/challenge"), "carol", ALICE)
    client.type(link(client.get("/play/new/numeric", CAROL), "/challenge"), "alice", CAROL)
    announce(client, "variant=tinc&seats=4", title="An evening of tinc")
    announce(client, "variant=extreme&seats=3&starts=full", BOB)


def _games_of_people(client: Client) -> None:
    """Store what people do in games: offers, plans that come true, rematches, and casual games."""
    taken_back = start_between(client, "ultimate", CAROL, DAVE)
    play(client, taken_back, ["e5", "d4"], CAROL, DAVE)
    client.ask(link(client.get(taken_back, CAROL), "/takeback"), CAROL)
    client.ask(link(client.get(taken_back, DAVE), "/accept"), DAVE)
    play(client, taken_back, ["e4", "e1"], CAROL, DAVE)
    client.ask(link(client.get(taken_back, DAVE), "/takeback"), DAVE)
    refused = start_between(client, "tinc", CAROL, DAVE)
    play(client, refused, ["a1", "c1"], CAROL, DAVE)
    client.ask(link(client.get(refused, DAVE), "/draw"), DAVE)
    client.ask(link(client.get(refused, CAROL), "/decline"), CAROL)
    planned = start_between(client, "numeric", CAROL, DAVE)
    client.type(link(client.get(planned, DAVE), "/plan"), "if a1=5 then a2=8", DAVE)
    play(client, planned, ["a1=5"], CAROL)
    over = ended_game(client)
    client.ask(link(client.get(over, ALICE), "/rematch"), ALICE)
    client.ask(link(client.get(over, BOB), "/accept"), BOB)
    offered = open_game(client, "quantum", DAVE, CAROL)
    play(client, offered, WON_GAMES["quantum"].split(), DAVE, CAROL)
    client.ask(link(client.get(offered, DAVE), "/rematch"), DAVE)
    for terms in ("days=none&listed=no&rated=no", "side=o&days=1&listed=yes&rated=yes"):
        page = client.get(f"/play/new/tinc?{terms}", HEIDI)
        client.ask(link(page, f"/invite?{terms}"), HEIDI)
    board = client.get("/play/new/ultimate?from=e5,e4,d1", CAROL)
    invite = next(url for url in links(board).values() if "/invite?" in url)
    played_on = client.ask(invite, CAROL).meta
    client.ask(link(client.get(played_on, DAVE), "/join"), DAVE)
    play(client, played_on, ["a1", "a2"], CAROL, DAVE)
    declined = client.type(link(client.get("/play/new/tinc", CAROL), "/challenge"), "dave", CAROL)
    client.ask(link(client.get(declined.meta, DAVE), "/decline"), DAVE)
    for variant, moves in WON_GAMES.items():
        with_many = open_game(client, variant, HEIDI, FRANK)
        play(client, with_many, moves.split(), HEIDI, FRANK)


def _games_with_bots(client: Client) -> None:
    """Store rated games with the bots of all levels, one with a hint, and some in progress."""
    choose(client, "rated-bots/on", who=CAROL)
    for variant, moves in WON_GAMES.items():
        for level in levels_of(variant):
            url = start(client, variant, f"bot-{level}", CAROL)
            _play_against_bot(client, url, moves.split(), CAROL)
    terms = "side=o&listed=yes&rated=no"
    page = client.get(f"/play/new/numeric?{terms}", CAROL)
    listed = client.ask(link(page, f"/bot-club?{terms}"), CAROL).meta
    _play_against_bot(client, listed, WON_GAMES["numeric"].split(), CAROL)
    hinted = start(client, "numeric", "solo", CAROL)
    play(client, hinted, ["a1=5"], CAROL)
    client.ask(link(client.get(hinted, CAROL), "/hint"), CAROL)
    waiting = start(client, "extreme", "bot-club", CAROL)
    play(client, waiting, ["e5"], CAROL)
    running = start(client, "quantum", "bot-master", DAVE)
    _play_against_bot(client, running, ["a1+b2", "a1+c3"], DAVE)


def _play_against_bot(client: Client, url: str, moves: Iterable[str], who: Certificate) -> None:
    """Play moves of a game with a bot, the bot's as its process does."""
    for move in moves:
        game = find_stored(client.context, url.removeprefix("/play/"))
        assert game is not None, url
        if game.mover.bot is None:
            play(client, url, [move], who)
        else:
            bot_turns.reply(context_of(client), game.id, game.turn_counter, move)


def _games_of_a_program(client: Client) -> None:
    """Let a program say that it is one, choose its challenges, and play."""
    start(client, "tinc", "solo", CLOCKWORK)
    client.type(link(client.get("/play/me/program", CLOCKWORK), "/declare"), "program", CLOCKWORK)
    for word in ("tinc", "casual", "1"):
        page = client.get("/play/me/program", CLOCKWORK)
        client.ask(link(page, f"/{word}/decline"), CLOCKWORK)
    url = open_game(client, "numeric", CLOCKWORK, DAVE)
    play(client, url, WON_GAMES["numeric"].split(), CLOCKWORK, DAVE)


def _tournaments(client: Client) -> None:
    """Store tournaments of all kinds: called off, filled by bots, left by players, reported."""
    called_off = announce(client, "variant=extreme&seats=3", DAVE, "Extreme evenings")
    act(client, called_off, "cancel", DAVE, "cancel")
    against_rules = announce(client, "variant=tinc&seats=3", HEIDI, "Buy our paint")
    tournament_id = against_rules.rsplit("/", 1)[1]
    operate(operator.cancel_tournament, context_of(client), tournament_id, "it advertises")
    act(client, begin(client, "variant=quantum&seats=3", CAROL, DAVE), "leave", CAROL, "leave")
    announce(client, "variant=numeric&seats=12", CAROL, "Twelve times fifteen")
    insulting = announce(client, "variant=ultimate&seats=3", EVE, "alice is slow")
    client.type(link(client.get(insulting, ALICE), "/report"), "it insults me", ALICE)
    announce(client, "variant=numeric&starts=1&seats=4&days=1&rated=no&bots=casual", DAVE)
    too_few = announce(client, "variant=tinc&starts=1", DAVE)
    join(client, too_few, HEIDI)
    client.now += timedelta(days=1, hours=1)
    actions.start_and_end_due(context_of(client))


def _names_and_devices(client: Client) -> None:
    """Change names, by players and by the operator, and add, name and revoke certificates."""
    client.type(link(client.get("/play/me/", HEIDI), "/name"), "heidrun", HEIDI)
    operate(operator.rename, context_of(client), "dave", "david", "it is a mark", leads_on=False)
    add(client, TABLET)
    client.type(devices_action(client, "label/1"), "my desk", ALICE)
    client.type(devices_action(client, "label/2"), "my phone", ALICE)
    client.type(devices_action(client, "revoke/3"), "revoke", ALICE)


def _puzzles(client: Client) -> None:
    """Answer puzzles in each of the ways, and the positions of several days."""
    for variant in VARIANTS:
        first, second, third, fourth, *_ = puzzles_of(variant)
        answer(client, first, first.solutions[0], CAROL)
        for move in (wrong_move(second), second.solutions[0]):
            answer(client, second, move, CAROL)
        client.get(link(client.get(f"/play{address(third)}", CAROL), "/hint"), CAROL)
        answer(client, third, third.solutions[0], CAROL)
        page = answer(client, fourth, wrong_move(fourth), CAROL)
        client.get(link(page, "/solution"), CAROL)
        answer(client, first, wrong_move(first), DAVE)
    for day in range(3):
        client.now += timedelta(days=1)
        for who in (ALICE, CAROL)[day % 2 :]:
            position = daily.position_today(client.now)
            assert position is not None
            answer(client, position.puzzle, position.puzzle.solutions[0], who)


def _put_a_mistake_right(client: Client) -> str:
    """Find a better move for a mistake of alice's, and return the address of its judgement."""
    page = client.get("/play/mistakes/", ALICE)
    mistake = next(url for url in links(page).values() if url.startswith("/play/mistakes/"))
    _, _, game_id, number = mistake.rsplit("/", 3)
    with client.database.reading() as connection:
        content = connection.execute(
            select(analyses.c.content).where(analyses.c.game_id == game_id)
        ).scalar_one()
    asked = next(url for url in links(client.get(mistake, ALICE)).values() if "/answer" in url)
    better = next(
        each.best for each in analysis.from_json(content).findings if each.number == int(number)
    )
    return client.ask(f"{asked.partition('?')[0]}?{quote(better or '')}", ALICE).meta


def _measures(client: Client) -> None:
    """Let the operator act against messages and players, and players mute and block each other."""
    context = context_of(client)
    start(client, "tinc", "solo", MALLORY)
    said = start_between(client, "tinc", EVE, GRACE)
    say(client, said, "You never win", GRACE)
    say(client, said, "You are slow", EVE)
    with client.database.reading() as connection:
        numbers = connection.execute(select(messages.c.id).order_by(messages.c.id)).scalars().all()
    operate(operator.remove_line, context, LineKind.MESSAGE, numbers[-1], "it is unkind")
    operate(operator.close_report, context, 1)
    operate(operator.mute, context, "grace", 10, "she insults others")
    operate(operator.ban, context, "eve", "she cheats", 30)
    operate(operator.ban, context, "mallory", "he cheats more", None)
    name_in_list(client, "mute", "bob", CAROL)
    name_in_list(client, "block", "grace", CAROL)
    client.ask(link(client.get(f"{said}/messages", GRACE), "/show"), GRACE)
    noted = link(client.get(f"{said}/more", GRACE), "/note")
    client.type(noted, "she plays the edge, always", GRACE)


def _settings(client: Client) -> None:
    """Change all settings of a player, and some of another one's."""
    off = ("rulers/off", "messages/off", *(f"news-{kind}/off" for kind in NewsKind))
    choose(client, "boards/unicode", "words/first", "narrow/on", *off, who=HEIDI)
    choose_zone(client, "India", HEIDI)
    choose(client, "language/pt", who=HEIDI)
    choose(client, "narrow/off", "news-turns/off", who=CAROL)


def _forget_old_changes(client: Client) -> None:
    """Delete most notes of changes, as a sweep does when there are many more."""
    with client.database.writing() as connection:
        newest = connection.execute(select(func.max(changes.c.number))).scalar_one()
        connection.execute(delete(changes).where(changes.c.number <= newest - 100))
