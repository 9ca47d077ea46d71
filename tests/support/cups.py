"""Steps of stories about the monthly cup."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, insert, select

from capsule.cups import course
from capsule.db import schema
from capsule.games import deadlines
from capsule.gemini.types import Certificate, Response
from capsule.languages.dates import Month
from capsule.tournaments import actions
from tests.support.client import Client, certificate, context_of, link, links
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
        page = client.get("/play/me/", each)
        if "/name" in page:
            client.type(link(page, "/name"), each.common_name, each)
    with client.database.writing() as connection:
        for each in who:
            row = connection.execute(
                schema.players.certificates.select().where(
                    schema.players.certificates.c.fingerprint == each.fingerprint
                )
            ).one()
            for number in range(3):
                connection.execute(
                    insert(schema.games.games).values(
                        id=f"{row.player_id:07}".translate(DIGITS) + "abc"[number] * 3,
                        variant="numeric",
                        listed=False,
                        x_player_id=row.player_id,
                        o_bot="novice",
                        status="finished",
                        winner="X",
                        x_points=1.0,
                        o_points=0.0,
                        ply=5,
                        turn="O",
                        created_at=client.now,
                        moved_at=client.now,
                        ended_at=client.now,
                    )
                )


DIGITS = str.maketrans("0123456789", "abcdefghij")
"""Letters for digits, since ids of games have few of these."""


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


def begin_cup(client: Client, count: int, month: str = "2027-01") -> None:
    """Have people enter the cup of a month, the first one, and begin it."""
    begins_at = Month.parse(month).begins_at
    client.now = begins_at - timedelta(days=37, hours=12)
    who = people(count)
    make_count(client, who)
    sweep(client)
    travel(client, f"{begins_at - timedelta(days=11):%Y-%m-%d} 12:00")
    enter(client, *who)
    travel(client, f"{begins_at:%Y-%m-%d} 00:01")


def open_entry(client: Client, count: int) -> None:
    """Let people count, and open entry to the cup of January."""
    client.now = at("2026-11-24 12:00")
    make_count(client, people(count))
    sweep(client)
    travel(client, "2026-12-20 12:00")


def names_in(client: Client, url: str) -> set[str]:
    """Return the names of the players of a group."""
    return {x for x, _ in games(client, url)}


def lose(client: Client, url: str, winner: str) -> None:
    """Have everybody resign their games of a group against one player, who so wins it."""
    by_name = {each.common_name: each for each in people(30)}
    for (x, o), game in games(client, url).items():
        loser = o if x == winner else x
        resign(client, game, by_name[loser])
