"""A plugin that spares the tests most of the collection of garbage."""

import gc
from collections.abc import Generator

import pytest


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
