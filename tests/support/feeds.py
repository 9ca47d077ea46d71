"""Steps of stories about feeds, and what stands in them."""

import re
from xml.etree import ElementTree as ET

from capsule.gemini.types import Certificate
from tests.support.client import Client, links
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play

ORIGIN = "gemini://localhost"
ATOM = "{http://www.w3.org/2005/Atom}"


def private_feed(client: Client, who: Certificate) -> str:
    """Return the path of a player's private feed, as the account gives it."""
    address = links(client.get("/play/me/", who))["Your private feed"]
    assert address.startswith(f"{ORIGIN}/feed/")
    return address.removeprefix(ORIGIN)


def entries(client: Client, path: str) -> list[str]:
    """Return the titles of a feed's entries, newest first, as its page has them without dates."""
    found = re.findall(r"^=> \S+ \d{4}-\d\d-\d\d - (.+)$", client.get(path), re.MULTILINE)
    assert len(atom_entries(client, f"{path}.xml")) == len(found), "both forms tell the same"
    return found


def addresses(client: Client, path: str) -> list[str]:
    """Return the addresses of a feed's entries, newest first, as its page has them."""
    return re.findall(r"^=> (\S+) \d{4}-\d\d-\d\d ", client.get(path), re.MULTILINE)


def ids(client: Client, path: str) -> list[str]:
    """Return what feed readers know a feed's entries by, newest first, as paths."""
    found = [entry.findtext(f"{ATOM}id", "") for entry in atom_entries(client, f"{path}.xml")]
    return [each.removeprefix(ORIGIN) for each in found]


def atom_entries(client: Client, path: str) -> list[ET.Element]:
    """Return the entries of an Atom feed."""
    return ET.fromstring(client.get(path)).findall(f"{ATOM}entry")


def every_feed(client: Client) -> list[str]:
    """Return the paths of feeds of every kind, none of them empty."""
    url = open_game(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    public = ["/feed", "/games/numeric/feed", "/players/alice/feed", f"{url}/feed"]
    return [*public, private_feed(client, ALICE)]
