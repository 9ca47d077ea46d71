"""Long and repeated sentences: `python -m tests.bench.sentences [--large] [ADDRESS]`.

A small capsule is filled and read as `tests/capsule/test_gemtext.py` does, and its sentences are
counted as `tests/support/sentences.py` says. The report has figures of all pages and of each folder
of templates, then the long and the repeated sentences, each with an address. With the beginning of
an address, only pages beneath it count. `--large` reads more pages of each kind.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from capsule.ui.routes import page_name
from tests.support.crawling import Visit
from tests.support.sentences import Counted, words_of
from tests.support.visitors import crawls_in


def main() -> None:
    """Print the figures and the sentences to be mended."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("address", nargs="?", default="/")
    parser.add_argument("--large", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crawls = crawls_in(Path(folder), "large" if chosen.large else "small")
    visits = [visit for crawl in crawls.values() for visit in crawl.visits]
    print("\n".join(report(visits, chosen.address)))


def report(visits: Sequence[Visit], prefix: str = "/") -> Iterator[str]:
    """Yield the lines of a report on the addresses that begin with a prefix."""
    visits = [visit for visit in visits if visit.route is not None]
    counted = Counted.of(visits).beneath(prefix)
    yield f"{'':16} sentences   mean    long   repeated"
    yield _figures("all", counted)
    for folder in sorted({_folder(visit) for visit in visits}):
        of_folder = Counted.of(visit for visit in visits if _folder(visit) == folder)
        beneath = of_folder.beneath(prefix)
        if beneath.addresses:
            yield _figures(folder, Counted(beneath.addresses, counted.places))
    yield "\nLong sentences, by their words"
    for sentence in counted.long():
        yield f"{words_of(sentence):3} {counted.addresses[sentence][0]}\n    {sentence}"
    yield "\nRepeated sentences, by the places where they stand"
    for sentence in counted.repeated():
        places = counted.places[sentence]
        yield f"{len(places):3} {' '.join(sorted(places))}\n    {sentence}"


def _figures(name: str, counted: Counted) -> str:
    return (
        f"{name:16} {len(counted.addresses):9} {counted.mean:6.1f} {counted.share_of_long:6.1%}"
        f" {len(counted.repeated()):10}"
    )


def _folder(visit: Visit) -> str:
    """Return the folder of a page's templates, which is its feature's."""
    assert visit.route is not None
    return page_name(visit.route.page).partition(".pages")[0]


if __name__ == "__main__":
    main()
