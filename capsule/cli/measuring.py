"""Measuring while the capsule serves, for Prometheus, if the settings ask for it."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from capsule.measurements import NoMeasurements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.db.database import Database
    from capsule.measurements import Measurements

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which prometheus_client finds the folder of its files."""


class CannotMeasure(Exception):
    """Metrics cannot be served; the message is a line for the operator."""


@contextmanager
def measuring(port: int, database: Database) -> Iterator[Measurements]:
    """Yield what takes note of what happens, served to Prometheus at a port; 0: nothing does.

    What this process and those that it forks take note of is summed up. Raises `CannotMeasure`.
    """
    if not port:
        yield NoMeasurements()
        return
    with TemporaryDirectory(prefix="oxonaut-metrics-") as folder:
        # It is read when the library is imported, so that must not happen any earlier.
        os.environ[FOLDER_VARIABLE] = folder
        try:
            from capsule.operations import metrics  # noqa: PLC0415
        except ImportError as error:
            raise CannotMeasure(
                "Metrics need the extra metrics: pip install 'oxonaut[metrics]'"
            ) from error
        with ExitStack() as stack:
            try:
                stack.enter_context(metrics.served(port, database))
            except OSError as error:
                raise CannotMeasure(
                    f"Cannot serve metrics on {metrics.ADDRESS}, port {port}: {error.strerror}"
                ) from error
            yield metrics.PrometheusMeasurements()
