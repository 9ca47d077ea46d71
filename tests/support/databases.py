"""A plugin for `--database=postgresql`, which runs the tests of the capsule there."""

import re

import pytest

from tests.support import postgresql, quick_database


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--database",
        choices=("sqlite", "postgresql"),
        default="sqlite",
        help="where the tests of the capsule keep their games",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the kind of database by the command line."""
    quick_database.use_postgresql(use=config.getoption("--database") == "postgresql")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, on PostgreSQL, what SQLite alone does and what has no database at all.

    Of the cases of a feature's test, which differ in words and rules and hardly in SQL, the first
    is chosen.
    """
    if config.getoption("--database") == "postgresql":
        chosen: dict[str, pytest.Item] = {}
        for item in items:
            if (
                isinstance(item, pytest.Function)
                and "tmp_path" in item.fixturenames
                and item.get_closest_marker("sqlite") is None
            ):
                is_of_feature = re.match(r"tests/capsule/(?!db/)\w+/", item.nodeid)
                test = item.nodeid.partition("[")[0] if is_of_feature else item.nodeid
                chosen.setdefault(test, item)
        kept = set(chosen.values())
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen.values()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip everything where there is no PostgreSQL to run on, though it was asked for."""
    if item.config.getoption("--database") == "postgresql":
        try:
            postgresql.server()
        except postgresql.NoPostgresql as error:
            pytest.skip(str(error))


def pytest_runtest_teardown() -> None:
    """Take back the databases of PostgreSQL that a test was lent."""
    quick_database.take_databases_back()
