"""What three languages cost: `python -m tests.bench.languages`, in a minute.

A small capsule is filled, and the public pages that a stranger finds are made again and again in
each language, in turn. The report has the time of a page against English, the time that loading all
languages takes, and the memory of a process that has read these pages in English or in all
languages: 8 MB more is the limit, 0.3 seconds later and 1.05 of English.
"""

import gc
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from time import thread_time
from typing import NamedTuple

import pytest

from capsule.gemini.types import Request
from capsule.languages import catalogues, model
from capsule.languages.model import ENGLISH, LANGUAGES, Language
from tests.support.client import Client
from tests.support.crawling import SMALL, Crawl
from tests.support.full_capsule import OneHint, fill

TIMES = 7
"""How often each page is made in each language; the quickest time counts."""


class Figures(NamedTuple):
    """What was measured; times in seconds, memory in megabytes, `kept` in bytes."""

    pages: int
    seconds: Mapping[str, float]
    loading: float
    memory: Mapping[str, float]
    kept: Mapping[str, float]


def main() -> None:
    """Print the figures; a name of languages as the argument is for a process of its own."""
    catalogues.compile_all()
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1:]:
            print(*_one_process(Path(folder), CHOICES[sys.argv[1]]))
        else:
            print("\n".join(report(measured(Path(folder)))))


LOADING = """
import time
import engine
began = time.perf_counter()
from capsule.languages import dates, model as languages
languages.OFFERED = languages.LANGUAGES
languages.load()
print(time.perf_counter() - began)
"""
"""Prints the seconds by which a capsule starts later."""

CHOICES: Mapping[str, Mapping[str, Language]] = {
    "English alone": {ENGLISH.key: ENGLISH},
    "all languages": LANGUAGES,
}


def measured(folder: Path, times: int = TIMES) -> Figures:
    """Measure a filled capsule in a folder."""
    client = _filled(folder)
    addresses = _public_addresses(client)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "OFFERED", LANGUAGES)
        # Nothing is kept.
        patch.setattr(client.application._cache, "_max_bytes", 0)
        seconds = _seconds(client, addresses, times)
    client.database.close()
    memory, kept = {}, {}
    loading = float(_output("-c", LOADING))
    for name in CHOICES:
        output = _output("-m", "tests.bench.languages", name)
        memory[name], kept[name] = map(float, output.split())
    return Figures(len(addresses), seconds, loading, memory, kept)


def _output(*arguments: str) -> str:
    """Return what another process of Python prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _one_process(folder: Path, offered: Mapping[str, Language]) -> tuple[float, int]:
    """Return the memory of this process, and the size of the pages that it has kept."""
    client = _filled(folder)
    addresses = _public_addresses(client)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "OFFERED", offered)
        model.load()
        for language, address in product(offered.values(), addresses):
            client.ask(f"{language.prefix}{address}")
        gc.collect()
        kept = client.application._cache.size
    client.database.close()
    return _megabytes(), kept


def _filled(folder: Path) -> Client:
    client = Client(folder, bots=lambda _: OneHint())
    fill(client)
    return client


def _public_addresses(client: Client) -> Sequence[str]:
    """Return the addresses of gemtext without a query that a stranger finds in every language."""
    found = [visit.address for visit in Crawl(client, sample=SMALL).run().pages()]
    return [
        address
        for address in dict.fromkeys(found)
        if not address.startswith("/play/") and "?" not in address
    ]


def _seconds(client: Client, addresses: Sequence[str], times: int) -> Mapping[str, float]:
    """Return the sum of the quickest times of all pages by language."""
    quickest: dict[tuple[str, str], float] = {}
    for _, address in product(range(times), addresses):
        for key, language in LANGUAGES.items():
            request = Request(f"{language.prefix}{address}")
            began = thread_time()
            answer = client.ask_for(request)
            took = thread_time() - began
            assert answer.status == 20, request
            quickest[key, address] = min(took, quickest.get((key, address), took))
    return {key: sum(quickest[key, address] for address in addresses) for key in LANGUAGES}


def _megabytes() -> float:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def report(figures: Figures) -> Iterator[str]:
    """Yield the lines of the report."""
    english = figures.seconds[ENGLISH.key]
    yield f"{figures.pages} public pages, each at the quickest of {TIMES} times"
    for key, seconds in figures.seconds.items():
        page = 1000 * seconds / figures.pages
        yield f"{key:14} {page:6.3f} ms a page  {seconds / english:5.3f} of English"
    yield f"all languages are loaded in {figures.loading:.3f} s"
    for name, memory in figures.memory.items():
        yield f"{name:14} {memory:6.1f} MB, {figures.kept[name] / 1e6:4.2f} MB of them kept pages"


if __name__ == "__main__":
    main()
