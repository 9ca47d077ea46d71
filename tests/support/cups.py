"""Steps of stories about the monthly cup."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from capsule.cups import course
from capsule.cups.model import new_cup
from capsule.db import schema
from capsule.games import deadlines
from capsule.gemini.types import Certificate, Response
from capsule.languages.dates import Month
from capsule.tournaments import actions
from tests.support.client import Client, certificate, context_of, link, links
from tests.support.people import become_player
from tests.support.seasons import store_bot_game
from tests.support.stories import ALICE, BOB, CAROL
from tests.support.tournaments import games, resign

OWN = "/play/cups/"


def at(text: str) -> datetime:
    """Return a time of a story, like "2026-12-20 00:01"."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def sweep(client: Client) -> None:
    """Sweep as the capsule does every 20 seconds; the entrants of each cup are counted right."""
    context = context_of(client)
    deadlines.end_overdue(context)
    actions.start_and_end_due(context)
    course.advance_cups(context)
    entries, cups = schema.tournaments.cup_entries, schema.tournaments.cups
    number = select(func.count()).where(entries.c.month == cups.c.month).scalar_subquery()
    with client.database.reading() as connection:
        counted = connection.execute(select(cups.c.entrants, number)).all()
    assert all(count == entered for count, entered in counted)


def travel(client: Client, until: str, step: timedelta = timedelta(days=1)) -> None:
    """Let time pass, with a sweep on each day and one at the end."""
    goal = at(until)
    while client.now < goal:
        client.now = min(client.now + step, goal)
        sweep(client)


def people(count: int) -> Sequence[Certificate]:
    """Return that many people, the first of whom are alice, bob and carol."""
    others = (certificate(f"friend{number:02}") for number in range(count - 3))
    return [ALICE, BOB, CAROL, *others][:count]


def make_count(client: Client, who: Sequence[Certificate]) -> None:
    """Make people players who count: each has finished three games against a bot."""
    for each in who:
        become_player(client.context, each)
        for _ in range(3):
            store_bot_game(client, each, "novice", due=False)


def act(client: Client, verb: str, who: Certificate) -> Response:
    """Follow the link of one's own page that ends with a verb."""
    return client.ask(link(client.get(OWN, who), f"/{verb}"), who)


def enter(client: Client, *who: Certificate) -> None:
    """Enter people into the cup that is open."""
    for each in who:
        assert act(client, "enter", each).meta == OWN


def parts(client: Client, month: str) -> dict[str, str]:
    """Return the addresses of the groups and the final of a cup by their titles."""
    found = links(client.get(f"/cups/{month}"))
    return {
        label.partition(":")[0]: url
        for label, url in found.items()
        if url.startswith("/play/tournaments/") and url != "/play/tournaments/"
    }


def open_entry(client: Client, count: int, month: str = "2027-01") -> None:
    """Let people count, and open entry to the cup of a month, the first one."""
    cup = new_cup(Month.parse(month))
    client.now = cup.begins_at - timedelta(days=37, hours=12)
    make_count(client, people(count))
    sweep(client)
    client.now = cup.opens_at + timedelta(hours=12)
    sweep(client)


def begin_cup(client: Client, count: int, month: str = "2027-01") -> None:
    """Have people enter the cup of a month, the first one, and begin it."""
    open_entry(client, count, month)
    enter(client, *people(count))
    client.now = Month.parse(month).begins_at + timedelta(minutes=1)
    sweep(client)


def names_in(client: Client, url: str) -> set[str]:
    """Return the names of the players of a group."""
    return {x for x, _ in games(client, url)}


def lose(client: Client, url: str, winner: str) -> None:
    """Have everybody resign their games of a group against one player, who so wins it."""
    by_name = {each.common_name: each for each in people(30)}
    for (x, o), game in games(client, url).items():
        loser = o if x == winner else x
        resign(client, game, by_name[loser])
