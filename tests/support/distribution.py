"""A plugin that distributes the tests to processes."""

import re
from collections.abc import Generator
from importlib import import_module

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

IN_ONE_PROCESS = {
    "tests/wire/test_[a-k]": "wire",
    "tests/wire/": "more of the wire",
    r"tests/browsers/.*\[Amfora": "browsers",
    "tests/browsers/": "more browsers",
    "tests/programs/test_(many|oxonaut_play.*outlive)": "more of the wire",
}
"""Tests that start servers or browsers and wait for them, by turns."""

TOGETHER = (
    "tests/capsule/test_gemtext.py",
    "tests/capsule/test_languages_pages.py",
    "tests/capsule/test_statements_story.py",
    "tests/capsule/test_translation_story.py",
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


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Return two processes more than the machine has processors: two wait for servers mostly."""
    return (yield) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Return the scheduler that distributes the tests, regardless of `--dist`."""
    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import a part of all tests first, so that the processes share what compiling them takes.

    They collect in one order, and in a new checkout each would compile what all others compile.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is not None and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        files = sorted(session.config.rootpath.glob("tests/**/test_*.py"))
        for file in files[number::count]:
            path = file.relative_to(session.config.rootpath).with_suffix("")
            import_module(".".join(path.parts))
