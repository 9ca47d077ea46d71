"""The selection of tests, their distribution to processes, and their databases."""

import gc
import re
import signal
from collections import defaultdict
from collections.abc import Generator
from zlib import crc32

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.support import doctests, postgresql, quick_database

settings.register_profile("brief", max_examples=20)
settings.load_profile("brief")

IN_ONE_PROCESS = {
    "tests/wire/test_[a-k]": "wire",
    "tests/wire/": "more of the wire",
    r"tests/browsers/.*\[Amfora": "browsers",
    "tests/browsers/": "more browsers",
    "tests/bench/test_": "benchmarks",
    "tests/programs/test_(many|oxonaut_play.*outlive)": "more of the wire",
}
"""Tests that start servers, browsers or benchmarks and wait for them, by turns."""

TOGETHER = (
    "tests/capsule/test_company_addresses_story.py",
    "tests/capsule/test_every_page_story.py",
    "tests/capsule/test_gemtext.py",
    "tests/capsule/test_languages_pages.py",
    "tests/capsule/test_translation_story.py",
    "tests/capsule/ui/test_translation.py",
    "tests/programs/test_programs.py",
)
"""Files whose tests share something that takes long to make."""


class Scheduling(LoadScopeScheduling):
    """Gives each process one test after the other, and those that wait for servers by turns.

    pytest-xdist 3.8 has marks for this, `xdist_group`, which it does not heed under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        scopes = (scope for begin, scope in IN_ONE_PROCESS.items() if re.match(begin, nodeid))
        alone = nodeid.partition("::")[0] if nodeid.startswith(TOGETHER) else nodeid
        return next(scopes, alone)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs the tests of the capsule on PostgreSQL."""
    parser.addoption(
        "--database",
        choices=("sqlite", "postgresql"),
        default="sqlite",
        help="where the tests of the capsule keep their games",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the kind of database by the command line, and let processes be interrupted.

    Tests that a shell runs in the background ignore SIGINT, and so would all that they start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    quick_database.use_postgresql(use=config.getoption("--database") == "postgresql")
    # A conftest has no say about the files of other folders; a plugin has.
    config.pluginmanager.register(doctests)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the further cases of stories `slow`, and choose the tests for PostgreSQL."""
    mark_further_cases(items)
    choose_for_database(config, items)


def mark_further_cases(items: list[pytest.Item]) -> None:
    """Leave the first case of a story in the default run and one more; mark the others `slow`.

    Which one that is differs from test to test, so that every game and every language has its turn.
    """
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if isinstance(item, pytest.Function) and "tmp_path" in item.fixturenames:
            cases[item.nodeid.partition("[")[0]].append(item)
    for test, (_, *further) in cases.items():
        for number, item in enumerate(further):
            if number != crc32(test.encode()) % len(further):
                item.add_marker(pytest.mark.slow)


def choose_for_database(config: pytest.Config, items: list[pytest.Item]) -> None:
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


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Return two processes more than the machine has processors: two wait for servers mostly."""
    return (yield) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Return what shares the tests out, whatever `--dist` says."""
    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collected tests out of every garbage collection, those while they are collected too.

    There are so many that a full collection takes a quarter of a second, which a test that counts
    processor time would take for the time of a bot.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        # Stories make many objects that refer to none of their kind: looking for cycles among them
        # as often as Python does takes a tenth of their time.
        gc.set_threshold(50_000, 20, 20)
        gc.enable()
