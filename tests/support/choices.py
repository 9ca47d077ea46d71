"""Steps of stories about what players choose for their pages."""

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, link
from tests.support.stories import ALICE

HERE = "/play/me/settings"
FEED = "/play/me/news"


def choose(client: Client, *choices: str, who: Certificate = ALICE) -> None:
    """Follow links of the pages of settings one after the other, each of which acts."""
    for choice in choices:
        page = FEED if choice.startswith("news-") else HERE
        answer = client.ask(link(client.get(page, who), f"/set/{choice}"), who)
        assert answer == Response(30, page), choice


def choose_zone(client: Client, typed: str, who: Certificate = ALICE) -> Response:
    """Type a city or a time zone at the prompt, and return the answer."""
    return client.type(link(client.get(HERE, who), "/set/zone"), typed, who)
