"""A plugin that leaves one case of each story in the default run."""

from collections import defaultdict
from zlib import crc32

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark one further case of a story `slow`, and all others `deep`.

    Which one that is differs from test to test, so that every game and every language has its turn.
    """
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if isinstance(item, pytest.Function) and "tmp_path" in item.fixturenames:
            cases[item.nodeid.partition("[")[0]].append(item)
    for test, (_, *further) in cases.items():
        for number, item in enumerate(further):
            is_slow = number == crc32(test.encode()) % len(further)
            item.add_marker(pytest.mark.slow if is_slow else pytest.mark.deep)
