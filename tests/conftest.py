"""What holds for all tests; `tests/support/` has the plugins that choose and distribute them."""

import signal

from hypothesis import settings

pytest_plugins = (
    "tests.support.doctests",
    "tests.support.cases",
    "tests.support.databases",
    "tests.support.distribution",
    "tests.support.garbage",
)

settings.register_profile("brief", max_examples=10)
settings.load_profile("brief")


def pytest_configure() -> None:
    """Let processes be interrupted.

    Tests that a shell runs in the background ignore SIGINT, and so would all that they start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
