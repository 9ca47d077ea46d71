"""Steps of stories about players with several certificates."""

import json
from urllib.parse import quote

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, certificate, link, links
from tests.support.gemtext import blocks
from tests.support.stories import ALICE

PHONE = certificate("phone")
TABLET = certificate("tablet")
ASK = "The code that the other device shows"
ALREADY = "I already play here: add this certificate to my name"


def account(client: Client, who: Certificate = ALICE) -> str:
    return client.get("/play/me/", who)


def make_code(client: Client, who: Certificate = ALICE) -> str:
    """Follow the link that makes a code, and return the code as the page shows it."""
    page = client.get(link(account(client, who), "/code"), who)
    (shown,) = blocks(page)
    return shown.rows[0]


def prompt_for(client: Client, who: Certificate = PHONE) -> str:
    return links(client.get("/play/", who))[ALREADY]


def type_code(client: Client, code: str, who: Certificate = PHONE) -> Response:
    prompt = prompt_for(client, who)
    assert client.ask(prompt, who) == Response(11, ASK)
    return client.ask(f"{prompt}?{quote(code)}", who)


def add(client: Client, who: Certificate = PHONE, to: Certificate = ALICE) -> None:
    """Make `who` one more certificate of the player who uses `to`."""
    assert type_code(client, make_code(client, to), who) == Response(30, "/play/")


def is_alice(client: Client, who: Certificate) -> bool:
    return "You are signed in as alice." in client.get("/play/", who)


def is_stranger(client: Client, who: Certificate) -> bool:
    return client.get("/play/", who).startswith("# Welcome to Oxonaut\n")


def wrong(code: str, number: int = 0) -> str:
    """Return a code that differs from the right one in its last letter."""
    others = [letter for letter in "ABCDEFGH" if letter != code[-1]]
    return code[:-1] + others[number]


def devices_action(client: Client, what: str, who: Certificate = ALICE) -> str:
    """Return the URL of an action with certificates, whether or not the page has a link for it."""
    url = link(account(client, who), "/label/1")
    return url.removesuffix("label/1") + what


def exported_data(client: Client) -> dict[str, object]:
    """Return all stored data about alice."""
    return json.loads(client.get("/play/me/export.json", ALICE))
