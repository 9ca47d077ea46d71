"""Gemtext read by its specification, as indexes, narrow screens and screen readers need it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from capsule.ui.columns import width as columns_of

WIDE, NARROW = 64, 40
"""Columns of a preformatted line: for everybody, and with the setting "narrow"."""

MAX_LABEL = 150
"""Columns of a link's label: two rows of a terminal, with room for what a move does."""

MAX_TITLE = 60
"""Columns of a tournament's title, which somebody typed, and which its label adds to that."""

MAX_TARGET_BYTES = 1024
"""Bytes of a URL, by the specification."""

_LINK = re.compile(r"=> (?P<target>\S+) (?P<label>\S.*)")
_HEADING = re.compile(r"(?P<marks>#{1,3}) (?P<text>[^#\s].*)")
_TARGET = re.compile(r"[!$%&'()*+,./0-9:;=?@A-Z_a-z~\[\]-]+(#[^#\s]*)?")
_TOURNAMENT = re.compile("/play/tournaments/[a-z2-7]{10}$")
_SENTENCE_ENDS = re.compile(r"[.:!?…”\")。：！？」）]$")


@dataclass(frozen=True)
class Line:
    """A line of gemtext and its number: `kind` is what a client makes of it.

    A line that would end a block or begin one has the kind "fence", one inside a block "row".
    """

    number: int
    kind: str
    text: str


def lines_of(page: str) -> Iterator[Line]:
    """Yield the lines of a page as the specification has a client read them."""
    in_block = False
    for number, text in enumerate(page.split("\n")[:-1], start=1):
        if text.startswith("```"):
            in_block = not in_block
            yield Line(number, "fence", text)
        else:
            yield Line(number, "row" if in_block else _kind(text), text)


def _kind(text: str) -> str:
    if not text:
        return "blank"
    beginnings = {"=>": "link", "#": "heading", "* ": "item", ">": "quote"}
    return next((kind for mark, kind in beginnings.items() if text.startswith(mark)), "text")


def faults(page: str, width: int = WIDE) -> list[str]:
    """Return what is wrong with a page, each with its line; `width` is that of its blocks."""
    lines = [*lines_of(page)]
    found = [f"line {number}: {what}" for number, what in _faults_of_lines(lines, width)]
    found += _faults_of_headings(lines)
    found += _faults_of_labels(lines)
    if not page.endswith("\n") or page.endswith("\n\n"):
        found.append("the page does not end with the end of its last line")
    return found


def _faults_of_lines(lines: Sequence[Line], width: int) -> Iterator[tuple[int, str]]:
    in_block = False
    before = Line(0, "blank", "")
    for line in lines:
        checks = {"row": _faults_of_row, "link": _faults_of_link}
        if line.kind == "fence":
            in_block = not in_block
            yield from ((line.number, what) for what in _faults_of_fence(line, in_block, before))
        elif line.kind == "row":
            yield from ((line.number, what) for what in _faults_of_row(line.text, width))
        else:
            check = checks["link"] if line.kind == "link" else _faults_of_prose
            yield from ((line.number, what) for what in check(line.text))
            if line.kind == before.kind == "blank":
                yield line.number, "two blank lines in a row, or one at the top"
            if line.kind == before.kind == "text" and not _SENTENCE_ENDS.search(before.text):
                yield line.number, f"a paragraph goes on on another line: {before.text!r}"
        for what in _faults_of_characters(line.text):
            yield line.number, what
        before = line
    if in_block:
        yield len(lines), "a block has no end"


def _faults_of_characters(text: str) -> Iterator[str]:
    if text != text.rstrip():
        yield f"spaces at the end: {text!r}"
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            yield f"a control character: {text!r}"


def _faults_of_fence(line: Line, is_start: bool, before: Line) -> Iterator[str]:  # noqa: FBT001
    title = line.text[3:]
    if is_start and not re.fullmatch(r"[^\s`](.*\S)?", title):
        yield f"a block without alt text: {line.text!r}"
    if not is_start and title:
        yield f"something after the end of a block: {line.text!r}"
    if not is_start and before.kind == "fence":
        yield "an empty block"


def _faults_of_row(text: str, width: int) -> Iterator[str]:
    # Of a link in a text to be pasted, browsers show the label alone.
    link = _LINK.fullmatch(text)
    columns = columns_of(link["label"] if link else text)
    if columns > width:
        yield f"{columns} columns of at most {width}: {text!r}"


def _faults_of_link(text: str) -> Iterator[str]:
    read = _LINK.fullmatch(text)
    if read is None:
        yield f"a link without label, or with spaces of its own: {text!r}"
        return
    columns = columns_of(read["label"])
    if columns > MAX_LABEL + MAX_TITLE * bool(_TOURNAMENT.match(read["target"])):
        yield f"a label of {columns} columns: {text!r}"
    if "  " in read["label"]:
        yield f"two spaces in a row: {text!r}"
    if not _TARGET.fullmatch(read["target"]) or len(read["target"]) > MAX_TARGET_BYTES:
        yield f"no address: {text!r}"
    if not urlsplit(read["target"]).scheme and not read["target"].startswith("/"):
        yield f"an address that depends on where it stands: {text!r}"


def _faults_of_prose(text: str) -> Iterator[str]:
    if text.startswith((" ", "*", "#", ">")) and not re.match(r"(\*|>|#{1,3}) [^\s]", text):
        yield f"a line whose kind is not what it looks like: {text!r}"
    if "  " in text:
        yield f"two spaces in a row: {text!r}"


def _faults_of_headings(lines: Sequence[Line]) -> Iterator[str]:
    level = 0
    for line in lines:
        if line.kind != "heading":
            continue
        read = _HEADING.fullmatch(line.text)
        if read is None:
            yield f"line {line.number}: a heading that cannot be read: {line.text!r}"
            continue
        new = len(read["marks"])
        if new > level + 1 or (new == 1 and level):
            yield f"line {line.number}: a heading of level {new} after one of level {level}"
        level = new
    if not lines or not lines[0].text.startswith("# "):
        yield "the page does not begin with its title"


def _faults_of_labels(lines: Sequence[Line]) -> Iterator[str]:
    targets = defaultdict(set)
    for line in lines:
        read = _LINK.fullmatch(line.text) if line.kind == "link" else None
        if read is not None:
            targets[read["label"]].add(read["target"])
    for label, different in targets.items():
        if len(different) > 1:
            yield f"one label for several targets: {label!r}: {sorted(different)}"
