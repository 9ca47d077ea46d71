"""Steps of stories about tournaments."""

import re
from collections.abc import Iterable
from urllib.parse import quote

from capsule.gemini.types import Certificate, Response
from capsule.tournaments import actions
from tests.support.client import Client, certificate, context_of, link, links
from tests.support.stories import ALICE, BOB, CAROL, action_in

DAVE = certificate("dave")
HERE = "/play/tournaments/"

BEGUN = "It is being played"
OVER = "It is over"


def announce(client: Client, terms: str = "", who: Certificate = ALICE, title: str = "") -> str:
    """Announce a tournament the way a person does and return its URL."""
    page = client.get(f"{HERE}new?{terms}", who)
    prompt = link(page, "/announce")
    answer = client.type(prompt, title, who) if title else client.ask(usual(page), who)
    assert answer.status == 30, answer
    assert re.fullmatch(f"{HERE}[a-z2-7]{{10}}", answer.meta), answer
    return answer.meta


def usual(page: str) -> str:
    """Return the link that announces a tournament under the name that the page proposes."""
    return next(url for url in links(page).values() if "/announce?" in url)


def act(client: Client, url: str, verb: str, who: Certificate, typed: str = "") -> Response:
    """Follow the link of a tournament's page whose URL ends with a verb, and type what it asks."""
    prompt = link(client.get(url, who), f"/{verb}")
    return client.type(prompt, typed, who) if typed else client.ask(prompt, who)


def join(client: Client, url: str, *people: Certificate) -> None:
    """Enter people into a tournament."""
    for who in people:
        assert act(client, url, "join", who).meta == url


def begin(client: Client, terms: str = "seats=3", *others: Certificate) -> str:
    """Announce a tournament of alice, let others fill it, and return its URL."""
    url = announce(client, terms)
    join(client, url, *(others or (BOB, CAROL)))
    assert BEGUN in client.get(url)
    return url


def games(client: Client, url: str) -> dict[tuple[str, str], str]:
    """Return the URLs of a tournament's games by the names of X and O."""
    found = {}
    for label, address in links(client.get(url)).items():
        named = re.match(r"(.+) \((?:X|Odd)\) – (.+) \((?:O|Even)\):", label)
        if named:
            # The line gives a capital to what no player is called: no name has a space.
            x = named[1][0].lower() + named[1][1:] if " " in named[1] else named[1]
            found[x, named[2]] = address.partition("?")[0]
    return found


def resign(client: Client, url: str, who: Certificate) -> None:
    """Give up a game, without reading its page."""
    answer = client.ask(f"{action_in(client, url, who, 'resign')}?resign", who)
    assert (answer.status, answer.meta) == (30, url), answer


def agree_on_draw(client: Client, url: str, one: Certificate, other: Certificate) -> None:
    """Let a player of a game offer a draw, and the other accept it."""
    client.ask(link(client.get(url, one), "/draw"), one)
    client.ask(link(client.get(url, other), "/accept"), other)


def keep_time(client: Client) -> int:
    """Run the sweep."""
    return actions.start_and_end_due(context_of(client))


def lines(page: str, wanted: Iterable[str]) -> list[str]:
    """Return the lines of a page that begin so."""
    return [line for line in page.splitlines() if line.startswith(tuple(wanted))]


def typed(text: str) -> str:
    """Return text as a browser puts it into a query."""
    return quote(text, safe="")
