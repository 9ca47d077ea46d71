"""Steps of stories about comments on games."""

import re
from datetime import timedelta

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, link
from tests.support.stories import ALICE, BOB, CAROL, open_game, play
from tests.support.tournaments import resign


def resigned_game(client: Client, x: Certificate = ALICE, o: Certificate = BOB) -> str:
    """Return the URL of a public game that `o` has resigned."""
    url = open_game(client, "ultimate", x, o)
    play(client, url, ["e5", "d4"], x, o)
    resign(client, url, o)
    return url


def public_game(client: Client) -> str:
    """Return the URL of a public game of alice and bob, on which they and carol may comment."""
    resigned_game(client, CAROL, BOB)
    url = resigned_game(client)
    client.now += timedelta(days=1)
    return url


def comment(client: Client, url: str, text: str, who: Certificate) -> Response:
    """Type a comment on a game, from a fresh page, and return the answer."""
    return client.type(link(client.get(f"{url}/comments", who), "/comment"), text, who)


def comments_on(client: Client, url: str, who: Certificate | None = None) -> list[str]:
    """Return the lines of a page of comments: the dates, and the comments with their authors."""
    page = client.get(url if "/comments" in url else f"{url}/comments", who)
    found = re.findall(r"^(?:## \d.*|\* [A-Za-z0-9_-]+: .*)$", page, re.MULTILINE)
    return [line.removeprefix("* ") for line in found]


def act_on_comment(client: Client, url: str, verb: str, number: int, who: Certificate) -> str:
    """Return the link to report a comment or to remove it, of the page where one chooses."""
    chosen = link(client.get(f"{url}/comments", who), f"/choose?{first_on(client, url, who)}")
    return link(client.get(chosen, who), f"/{verb}-comment/{number}")


def first_on(client: Client, url: str, who: Certificate) -> str:
    """Return the number of the first comment on the page of the last ones."""
    found = re.search(r"/comments/choose\?(\d+) ", client.get(f"{url}/comments", who))
    assert found is not None
    return found[1]
