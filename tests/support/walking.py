"""A walk along the links of the capsule that changes nothing."""

import re
from collections.abc import Iterator

from capsule.gemini.types import Certificate
from tests.support.client import Client
from tests.support.crawling import LARGE, Crawl, Sample

_KEY = re.compile("/[a-z2-7]{26}/")


def changes_nothing(address: str) -> bool:
    """Return whether an address has no key, or is that of a hint in a game, which no page mentions.

    >>> changes_nothing("/puzzles/tinc/1"), changes_nothing(f"/play/me/{26 * 'a'}/erase")
    (True, False)
    """
    is_hint = address.endswith("/hint") and "/puzzles/" not in address
    return is_hint or not _KEY.search(address)


def walk(client: Client, who: Certificate, sample: Sample = LARGE) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each page that a reader reaches by links."""
    for visit in Crawl(client, who, changes_nothing, sample).visiting():
        if visit.is_gemtext:
            yield visit.address, visit.answer.body
