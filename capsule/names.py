"""Players' names: which are fit, which are alike, and new ones for those who bring none."""

from __future__ import annotations

import re

SHORTEST, LONGEST = 2, 24

_FIT = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST},{LONGEST}}}")

RESERVED = frozenset({"me", "oxonaut", "admin", "operator", "capsule", "bot", "nobody", "x", "o"})
"""Names that would pass for the capsule's own."""

_LOOK_ALIKE = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"))

_FIRST = tuple(
    """
    amber brave bright calm clever coral crimson curious dapper eager emerald fabled
    gentle golden happy hidden humble indigo ivory jolly keen lively lucky lunar mellow
    merry misty nimble noble patient polar proud quick quiet rapid rustic sage scarlet
    silent silver sly solar steady sunny swift tidy velvet vivid wandering witty
    """.split()
)
_SECOND = tuple(
    """
    badger beaver bison bobcat condor cormorant crane curlew dolphin dormouse egret falcon
    ferret finch fox gecko gull hare heron ibex jackdaw kestrel koala lark lemur lynx
    magpie marten mole moth newt ocelot orca osprey otter owl panda petrel plover puffin
    raven robin seal shrew sparrow stoat swan tapir toad vole walrus weasel wombat wren
    yak
    """.split()
)


def is_fit(name: str) -> bool:
    """Tell whether a name has 2 to 24 letters, digits, - and _, one letter or digit at the front.

    >>> [is_fit(name) for name in ("alice", "x", "two words", "-dash", "Oxonaut")]
    [True, False, False, False, False]
    """
    return bool(_FIT.fullmatch(name)) and name[0] not in "-_" and likeness(name) not in _RESERVED


def likeness(name: str) -> str:
    """Return what two names share that a reader could take for each other.

    >>> likeness("Alice-1") == likeness("alicel")
    True
    """
    alike = re.sub("[-_]", "", name.lower())
    for letters, letter in _LOOK_ALIKE:
        alike = alike.replace(letters, letter)
    return alike


def from_common_name(common_name: str) -> str:
    """Return a name as near as can be to a certificate's common name; perhaps not a fit one.

    >>> from_common_name("Ada Lovelace <ada@example.org>")
    'Ada-Lovelace'
    """
    words = re.findall(r"[A-Za-z0-9_-]+", re.split("[<@]", common_name)[0])
    return "-".join(words).strip("-_")[:LONGEST].rstrip("-_")


def generated(chance: int) -> str:
    """Return a readable name picked by a large random number.

    >>> generated(1234567)
    'lucky-lemur-567'
    """
    chance, number = divmod(chance, 1000)
    chance, second = divmod(chance, len(_SECOND))
    first = chance % len(_FIRST)
    return f"{_FIRST[first]}-{_SECOND[second]}-{number}"


_RESERVED = frozenset(likeness(name) for name in RESERVED)
