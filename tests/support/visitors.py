"""Crawls of a capsule in which something of every kind has happened, by four kinds of visitors."""

import re
from collections.abc import Mapping
from pathlib import Path

from capsule.languages.model import ENGLISH, Language
from tests.support.choices import choose, choose_zone
from tests.support.client import Client, certificate
from tests.support.crawling import Crawl, Sample, Visit
from tests.support.full_capsule import OneHint, fill
from tests.support.gemtext_rules import NARROW, WIDE, faults
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

COMMANDS = {
    "/help/programs",
    "/help/certificates/amfora",
    "/help/certificates/openssl",
    "/play/me/certificates",
}
"""Pages with commands or a program to copy, whose lines nobody can break: 64 columns for all."""

KEYED = re.compile("/[a-z2-7]{26}[/;]")
"""The part of an address by which a link acts, once."""

_LATE = re.compile(r"\A[^\n#]+[.:。：]\n(> .+\n)?\n")
"""The lines above a page by which an action was too late."""

_CERTIFICATES = {"stranger": None, "newcomer": certificate("newcomer"), "alice": ALICE, "bob": BOB}


def crawls_in(folder: Path, size: str, language: Language = ENGLISH) -> Mapping[str, Crawl]:
    """Return what a stranger, a newcomer and two players find, bob on a narrow screen.

    The capsule is made in a folder; `size` is a key of `SAMPLES`. All of them read one language. In
    English, bob has changed all settings of what pages look like.
    """
    client = Client(folder, bots=lambda _: OneHint())
    stop = fill(client)
    choose(client, "narrow/on", who=BOB)
    if language is ENGLISH:
        choose(client, "boards/unicode", "rulers/off", "words/first", who=BOB)
        choose_zone(client, "India", BOB)
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


def faults_of(crawl: Crawl, visit: Visit, *, is_narrow: bool) -> list[str]:
    """Return what is wrong with a page that was made for a screen, apart from what must be so."""
    path = crawl.bare(visit.address).partition("?")[0]
    page = _LATE.sub("", visit.answer.body) if KEYED.search(visit.address) else visit.answer.body
    is_narrow &= path not in COMMANDS
    wrong = faults(page, NARROW if is_narrow else WIDE)
    if path.endswith("/share.gmi"):
        # It fits any gemlog: no line is wider than its board.
        wrong = [each for each in wrong if "a paragraph goes on on another line" not in each]
    if path.endswith("/share") and is_narrow:
        # An address cannot be broken.
        wrong = [each for each in wrong if ": '=> gemini://" not in each]
    return wrong
