"""Measuring while the capsule serves, for Prometheus, if the settings ask for it."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Protocol

from capsule.db.database import Database
from capsule.measurements import Measurements, NoMeasurements

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which prometheus_client finds the folder of its files."""


class CannotMeasure(Exception):
    """Metrics cannot be served; the message is a line for the operator."""


class Metrics(Protocol):
    """The metrics of a process and of those that it forks."""

    @property
    def measurements(self) -> Measurements:
        """The recorder of single events."""

    def check(self) -> None:
        """Check that they can be served; raises `CannotMeasure` if not."""

    def served(self, database: Database) -> AbstractContextManager[None]:
        """Serve the metrics of all these processes, from one of them.

        Raises `CannotMeasure`.
        """


class NoMetrics:
    """Nothing is taken note of or served."""

    measurements: Measurements = NoMeasurements()

    def check(self) -> None:
        """Do nothing."""

    def served(self, database: Database) -> AbstractContextManager[None]:  # noqa: ARG002
        """Do nothing."""
        return nullcontext()


@dataclass(frozen=True)
class PrometheusMetrics:
    """Served to Prometheus at a port of this machine."""

    port: int
    measurements: Measurements

    def check(self) -> None:
        """Check that nobody else listens at the port; raises `CannotMeasure` if so."""
        from capsule.operations import metrics  # noqa: PLC0415 - as below

        try:
            socket.create_server((metrics.ADDRESS, self.port)).close()
        except OSError as error:
            raise self._refused(metrics.ADDRESS, error) from error

    def _refused(self, address: str, error: OSError) -> CannotMeasure:
        reason = os.strerror(error.errno or 0)
        return CannotMeasure(f"Cannot serve metrics on {address}, port {self.port}: {reason}")

    @contextmanager
    def served(self, database: Database) -> Iterator[None]:
        """Serve the metrics; this starts a thread. Raises `CannotMeasure`."""
        from capsule.operations import metrics  # noqa: PLC0415 - as below

        with ExitStack() as stack:
            try:
                stack.enter_context(metrics.served(self.port, database))
            except OSError as error:
                raise self._refused(metrics.ADDRESS, error) from error
            yield


@contextmanager
def measuring(port: int) -> Iterator[Metrics]:
    """Yield metrics to be served at a port; 0: none.

    What this process and those that it forks take note of is summed up. Raises `CannotMeasure`.
    """
    if not port:
        yield NoMetrics()
        return
    with TemporaryDirectory(prefix="oxonaut-metrics-") as folder:
        # It is read when the library is imported, so that must not happen any earlier.
        os.environ[FOLDER_VARIABLE] = folder
        try:
            from capsule.operations import metrics  # noqa: PLC0415
        except ImportError as error:
            raise CannotMeasure(
                "Metrics need the extra metrics. In the checkout that Oxonaut was installed from: "
                f"{sys.executable} -m pip install -c .ci/constraints.txt '.[metrics]'"
            ) from error
        yield PrometheusMetrics(port, metrics.PrometheusMeasurements())
