"""The ways in which Gemini's crawlers in use read robots.txt."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias
from urllib.robotparser import RobotFileParser

Reading: TypeAlias = Callable[[str, str], bool]
"""A function from a policy and a path to whether a crawler may request the path."""


@cache
def lines(policy: str, name: str) -> Sequence[str]:
    """Return the values of the lines with a name, in order; all lines are for all crawlers."""
    first, *rest = [line for line in policy.splitlines() if not line.startswith("# ")]
    assert first == "User-agent: *"
    assert all(re.fullmatch(r"(Disallow|Allow): /\S*", line) for line in rest)
    return [line.partition(": ")[2] for line in rest if line.startswith(f"{name}: ")]


def by_the_convention(policy: str, path: str) -> bool:
    """Return whether no disallowed line is a prefix of the path."""
    return not path.startswith(tuple(lines(policy, "Disallow")))


def without_stars_inside(policy: str, path: str) -> bool:
    """Return the same as Kennedy: a line may end in a star; one with another star is ignored."""
    ends = (line.removesuffix("*") for line in lines(policy, "Disallow"))
    return not path.startswith(tuple(line for line in ends if "*" not in line))


def by_whole_names(policy: str, path: str) -> bool:
    """Return the same as TLGS: a line without a star disallows whole names, up to a slash."""
    return not any(_is_within(line, path) for line in lines(policy, "Disallow"))


def _is_within(line: str, path: str) -> bool:
    if "*" in line:
        return _matches(line, path)
    return path == line or path.startswith(f"{line.removesuffix('/')}/")


def by_rfc_9309(policy: str, path: str) -> bool:
    """Return the same as RFC 9309: the longest matching line decides, stars included."""
    longest = {
        name: max((len(line) for line in lines(policy, name) if _matches(line, path)), default=-1)
        for name in ("Allow", "Disallow")
    }
    return longest["Allow"] >= longest["Disallow"]


def _matches(line: str, path: str) -> bool:
    return _pattern(line).match(path) is not None


@cache
def _pattern(line: str) -> re.Pattern[str]:
    """Return the pattern of a line, cached since compiling it takes longer than matching."""
    return re.compile(".*".join(map(re.escape, line.split("*"))))


def by_the_standard_library(policy: str, path: str) -> bool:
    """Return the same as crawlers in Python."""
    return _parser(policy).can_fetch("indexer", f"gemini://localhost{path}")


@cache
def _parser(policy: str) -> RobotFileParser:
    parser = RobotFileParser()
    parser.parse(policy.splitlines())
    return parser


READINGS: Sequence[Reading] = (
    by_the_convention,
    without_stars_inside,
    by_whole_names,
    by_rfc_9309,
    by_the_standard_library,
)

WITH_STARS = (by_whole_names, by_rfc_9309)
"""The readings that know a star in the middle of a line."""
