"""Steps of stories about what players say, note, and think of each other."""

import re
from collections.abc import Sequence
from itertools import takewhile

from sqlalchemy import Column, select, update

from capsule.db.schema.players import players
from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, link, links
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, play, start_between
from tests.support.tournaments import resign


def ended_game(client: Client) -> str:
    """Return the URL of a game between alice and bob that bob has resigned."""
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    resign(client, url, BOB)
    return url


def say(client: Client, url: str, text: str, who: Certificate) -> Response:
    """Type a message under a game, from a fresh page, and return the answer."""
    return client.type(link(client.get(url, who), "/say"), text, who)


def section(page: str, heading: str) -> list[str]:
    """Return the lines under a heading of a page that are not empty."""
    lines = page.partition(f"## {heading}\n")[2].splitlines()
    return [line for line in takewhile(lambda line: not line.startswith("#"), lines) if line]


def said(client: Client, url: str, who: Certificate | None = None) -> list[str]:
    """Return the messages that a reader sees on a game's page, each with its author."""
    lines = section(client.get(url, who), "Messages")
    found = (re.fullmatch(r"([A-Za-z0-9_-]+), [^:]+ at \S+ [A-Z]+: (.*)", line) for line in lines)
    return [f"{line[1]}: {line[2]}" for line in found if line]


def act(client: Client, url: str, verb: str, who: Certificate) -> Response:
    """Follow the link whose URL ends with a verb, of a game's page or that of its messages."""
    pages = f"{client.get(url, who)}\n{client.get(f'{url}/messages', who)}"
    return client.ask(link(pages, f"/{verb}"), who)


def block_in(client: Client, url: str, who: Certificate) -> None:
    """Have a player block their opponent in a game, and check that the page says so."""
    client.type(link(client.get(f"{url}/messages", who), "/block"), "block", who)
    assert any(label.startswith("Unblock ") for label in links(client.get(f"{url}/messages", who)))


def name_in_list(client: Client, verb: str, name: str, who: Certificate) -> Response:
    """Type a name at a prompt of the list of muted and blocked players."""
    return client.type(link(client.get("/play/me/people", who), f"/{verb}"), name, who)


def set_player(client: Client, who: Certificate, **columns: object) -> None:
    """Set columns of a player, as the settings and the operator do."""
    with client.database.writing() as connection:
        mine = players.c.id == player_id(client, who)
        connection.execute(update(players).where(mine).values(**columns))


def the_lines_of(
    client: Client, column: Column[str], pages: Sequence[tuple[str, Certificate | None]]
) -> list[str]:
    """Return the line of each page on which the only text of a column stands.

    It is the only line that is another one when the text is: so the text makes no line, and unmakes
    none.
    """
    found = []
    before = [client.get(url, who) for url, who in pages]
    for (url, who), page in zip(pages, before, strict=True):
        with client.database.writing() as connection:
            text = connection.execute(select(column)).scalar_one()
            connection.execute(update(column.table).values({column: "another text"}))
        other = client.get(url, who)
        with client.database.writing() as connection:
            connection.execute(update(column.table).values({column: text}))
        pairs = zip(page.split("\n"), other.split("\n"), strict=True)
        (changed,) = [(line, another) for line, another in pairs if line != another]
        assert changed[1].endswith(": another text")
        assert len(changed[0].splitlines()) == 1
        found.append(changed[0])
    return found
