"""The releases of Oxonaut, and the revisions that their tables had."""

from __future__ import annotations

from importlib import metadata

REVISIONS = {
    "0.1.0": "0010",
    "0.2.0": "0030",
    "0.3.0": "0046",
    "0.3.1": "0047",
    "0.4.0": "0048",
}
"""The revision of each release's tables, the oldest release first."""


def version() -> str:
    """Return the version of the capsule; "unknown" if it was not installed."""
    try:
        return metadata.version("oxonaut")
    except metadata.PackageNotFoundError:
        return "unknown"


def name_of_copy(newest: str) -> str:
    """Return the name of a copy from before an upgrade to this version, whose tables are `newest`.

    It is the release, or the revision of a version that comes after its release.
    """
    return version() if _is_release(newest) else f"revision-{newest}"


def in_words(revision: str, newest: str) -> str:
    """Return the release that has tables of a revision, with the revision, for the operator.

    `newest` is the revision of this version. No revision is before that of the first release.

    >>> in_words("0046", "0048")
    'Oxonaut 0.3.0 (revision 0046)'
    >>> in_words("0035", "0048")
    'a version between Oxonaut 0.2.0 and 0.3.0 (revision 0035)'
    >>> in_words("9999", "0048")
    'a later version of Oxonaut (revision 9999)'
    """
    exact = [release for release, its in REVISIONS.items() if its == revision]
    earlier = [release for release, its in REVISIONS.items() if its < revision]
    later = [release for release, its in REVISIONS.items() if its > revision]
    if revision > newest:
        name = "a later version of Oxonaut"
    elif revision == newest:
        name = f"Oxonaut {version()}" if _is_release(newest) else _after(version())
    elif exact:
        name = f"Oxonaut {' or '.join(exact)}"
    elif later:
        name = f"a version between Oxonaut {earlier[-1]} and {later[0]}"
    else:
        name = _after(earlier[-1])
    return f"{name} (revision {revision})"


def _is_release(newest: str) -> bool:
    """Return whether no release that has the number of this version had other tables."""
    return REVISIONS.get(version(), newest) == newest


def _after(release: str) -> str:
    return f"a version after Oxonaut {release}"
