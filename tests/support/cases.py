"""A plugin that leaves one case of each story in the default run."""

from collections import defaultdict
from zlib import crc32

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark one further case of a story `slow`, and all others `deep`.

    Which one that is differs from test to test, so that every game and every language has its turn.
    Cases that are marked where they are listed stay as they are.
    """
    cases = defaultdict[str, list[pytest.Function]](list)
    for item in items:
        if isinstance(item, pytest.Function) and "tmp_path" in item.fixturenames:
            cases[item.nodeid.partition("[")[0]].append(item)
    for test, (_, *further) in cases.items():
        for number, item in enumerate(further):
            if not is_marked(item):
                is_slow = number == crc32(test.encode()) % len(further)
                item.add_marker(pytest.mark.slow if is_slow else pytest.mark.deep)


def is_marked(item: pytest.Function) -> bool:
    """Return whether a case is slow or deep, apart from the other cases of its test."""
    marks = item.callspec.marks if hasattr(item, "callspec") else ()
    return any(mark.name in ("slow", "deep") for mark in marks)
