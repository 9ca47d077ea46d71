"""The sentences of a crawl, counted: how long they are, and which are repeated.

A sentence ends with `.`, `!`, `?` or `…`, or with the `:` at the end of its line. It stands in a
paragraph, in an item of a list or in a prompt, whose last sentence needs no full stop. Headings,
labels of links, boards, lines of moves and figures in lists, and quoted lines are not sentences.
A word is what stands between spaces and has a letter or a digit.

For the mean and for the share of long sentences, each different sentence counts once, however
many pages say it. Pages after an action are left out, since the same page is read without it.

A sentence is repeated if it has five words or more and stands in four places or more. A place is
the address of a page of rules and lessons, help, or about the capsule, or else a file of pages: all
games are one place, and all puzzles another. A sentence that names X or O, a cell, a mark or a
small board, or lists numbers, describes a position, and is never counted as repeated.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from capsule.ui.routes import page_name
from tests.support.crawling import Visit
from tests.support.gemtext_rules import lines_of

LONG = 25
"""Words of the longest sentence that is not long."""

MANY_PLACES, FEW_WORDS = 4, 5
"""Places in which a sentence is repeated, and words from which on it is counted."""

_GAPS = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][”\")])\s+")
_ENDS = re.compile(r"[.!?…:][”\")]*$")
_NUMBERING = re.compile(r"[0-9]+\.")
_WORD = re.compile(r"\w")
_POSITION = re.compile(
    r"\b([XO]|[xo][0-9]|[a-r][0-9]+|[0-9], [0-9]"
    r"|(top|middle|bottom) (left|centre|right)|centre board)\b"
)
_TEXTS = re.compile("/(rules|help|about)(/|$)")
_ANSWER = re.compile("/answer$")


def words_of(sentence: str) -> int:
    """Return the number of words of a sentence.

    >>> words_of("X wins – with b2, 3 : 1.")
    6
    """
    return sum(bool(_WORD.search(word)) for word in sentence.split())


def sentences_of(page: str) -> Iterator[str]:
    r"""Yield the sentences of a page.

    >>> [*sentences_of("# Rules. Yes.\n\nRead. “Play!” Then:\n\n* a1\n* Win.\n=> / Home.\n")]
    ['Read.', '“Play!”', 'Then:', 'Win.']
    """
    for line in lines_of(page):
        if line.kind in ("text", "item"):
            yield from (text for text in _parts(line.text) if _ENDS.search(text))


def _parts(text: str) -> Iterator[str]:
    """Yield the sentences of a line, of which the last may lack its end."""
    parts = _GAPS.split(text.removeprefix("* "))
    return (part for part in parts if part and not _NUMBERING.fullmatch(part))


@dataclass(repr=False)
class Counted:
    """Sentences by the addresses and the places where they stand."""

    addresses: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, visits: Iterable[Visit]) -> "Counted":
        """Count what was read in visits."""
        counted = cls()
        seen = set()
        for visit in visits:
            if visit.address not in seen and visit.route is not None:
                seen.add(visit.address)
                counted._add(visit)
        return counted

    def _add(self, visit: Visit) -> None:
        for sentence in _said_in(visit):
            self.addresses[sentence].append(visit.address)
            self.places[sentence].add(place_of(visit))

    def beneath(self, prefix: str) -> "Counted":
        """Return the sentences of the addresses that begin with a prefix; places stay."""
        kept = {
            sentence: [address for address in addresses if address.startswith(prefix)]
            for sentence, addresses in self.addresses.items()
        }
        return Counted({sentence: found for sentence, found in kept.items() if found}, self.places)

    @property
    def mean(self) -> float:
        """Words of a sentence on average."""
        return sum(map(words_of, self.addresses)) / max(len(self.addresses), 1)

    @property
    def share_of_long(self) -> float:
        """The share of sentences that are long, from 0 to 1."""
        return len(self.long()) / max(len(self.addresses), 1)

    def long(self) -> list[str]:
        """Return the long sentences, the longest first."""
        found = [sentence for sentence in self.addresses if words_of(sentence) > LONG]
        return sorted(found, key=words_of, reverse=True)

    def repeated(self) -> list[str]:
        """Return the repeated sentences, those in most places first."""
        found = [
            sentence
            for sentence in self.addresses
            if len(self.places[sentence]) >= MANY_PLACES
            and words_of(sentence) >= FEW_WORDS
            and not _POSITION.search(sentence)
        ]
        return sorted(found, key=lambda sentence: len(self.places[sentence]), reverse=True)


def place_of(visit: Visit) -> str:
    """Return the place of an address: its own page, or the file of the pages like it."""
    assert visit.route is not None
    path = _ANSWER.sub("", visit.address.partition("?")[0])
    return path if _TEXTS.match(path) else page_name(visit.route.page).rpartition(".")[0]


def _said_in(visit: Visit) -> Iterable[str]:
    assert visit.route is not None
    if visit.answer.status in (20, 30):
        is_read = visit.is_gemtext and not visit.route.is_action
        return dict.fromkeys(sentences_of(visit.answer.body)) if is_read else ()
    return dict.fromkeys(_parts(visit.answer.meta))
