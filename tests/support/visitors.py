"""Crawls of a capsule in which something of every kind has happened, by four kinds of visitors."""

from collections.abc import Mapping
from pathlib import Path

from capsule.languages.model import ENGLISH, Language
from tests.support.choices import choose
from tests.support.client import Client, certificate
from tests.support.crawling import Crawl, Sample
from tests.support.full_capsule import OneHint, fill
from tests.support.stories import ALICE, BOB

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

_CERTIFICATES = {"stranger": None, "newcomer": certificate("newcomer"), "alice": ALICE, "bob": BOB}


def crawls_in(folder: Path, size: str, language: Language = ENGLISH) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob on a narrow screen.

    The capsule is made in a folder; `size` is a key of `SAMPLES`. All of them read one language.
    """
    client = Client(folder, bots=lambda _: OneHint())
    stop = fill(client)
    choose(client, "narrow/on", who=BOB)
    for player in () if language is ENGLISH else (ALICE, BOB):
        choose(client, f"language/{language.key}", who=player)
    crawls = {
        visitor: _crawl(client, visitor, sample, language)
        for visitor, sample in SAMPLES[size].items()
    }
    crawls["stranger"].run(stop)
    client.database.close()
    return crawls


def _crawl(client: Client, visitor: str, sample: Sample, language: Language) -> Crawl:
    """Return what a visitor finds; who is no player is led by addresses that say the language."""
    who, prefix = _CERTIFICATES[visitor], language.prefix
    if not prefix or visitor in ("alice", "bob"):
        return Crawl(client, who, sample=sample, language=language).run(f"{prefix}/")

    def keeps_language(address: str) -> bool:
        return address.startswith((f"{prefix}/", f"/play/?{language.key}/")) or (
            f"lang={language.key}" in address
        )

    beginnings = {"stranger": f"{prefix}/", "newcomer": f"/play/?{language.key}/"}
    return Crawl(client, who, keeps_language, sample, language).run(beginnings[visitor])
