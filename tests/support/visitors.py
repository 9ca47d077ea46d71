"""Crawls of a capsule in which something of every kind has happened, by four kinds of visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.choices import choose
from tests.support.client import Client, certificate
from tests.support.crawling import Crawl, Sample
from tests.support.full_capsule import OneHint, fill
from tests.support.stories import ALICE, BOB

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SAMPLES = {
    "small": {
        "stranger": Sample(5, 3, 3, 3),
        "newcomer": Sample(5, 3, 3, 3),
        "alice": Sample(12, 3, 4, 4),
        "bob": Sample(8, 3, 3, 3),
    },
    "large": {
        "stranger": Sample(12),
        "newcomer": Sample(6),
        "alice": Sample(20),
        "bob": Sample(12),
    },
}

_CERTIFICATES = {
    "stranger": None,
    "newcomer": certificate("newcomer"),
    "alice": ALICE,
    "bob": BOB,
}


def crawls_in(folder: Path, size: str) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob on a narrow screen.

    The capsule is made in a folder; `size` is a key of `SAMPLES`.
    """
    client = Client(folder, bots=lambda _: OneHint())
    stop = fill(client)
    choose(client, "narrow/on", who=BOB)
    crawls = {
        visitor: Crawl(client, _CERTIFICATES[visitor], sample=sample).run()
        for visitor, sample in SAMPLES[size].items()
    }
    crawls["stranger"].run(stop)
    client.database.close()
    return crawls
