"""Metrics of a serving capsule, for Prometheus, if the settings ask for them."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

from capsule.db.database import Database
from capsule.measurements import Measurements, NoMeasurements

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which prometheus_client finds the folder of its files."""


class CannotMeasure(Exception):
    """Metrics cannot be served; the message is a line for the operator."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a process and of those that it forks, served at a port of this machine.

    `measurements` records single events. Without a port, nothing is served or recorded.
    """

    port: int = 0
    measurements: Measurements = field(default_factory=NoMeasurements)

    @contextmanager
    def served(self, database: Database) -> Iterator[None]:
        """Serve the metrics of these processes; this starts a thread. Raises `CannotMeasure`."""
        if not self.port:
            yield
            return
        from capsule.operations import metrics  # noqa: PLC0415 - as below

        with ExitStack() as stack:
            try:
                stack.enter_context(metrics.served(self.port, database))
            except OSError as error:
                raise _refused(metrics.ADDRESS, self.port, error) from error
            yield


@contextmanager
def measuring(port: int) -> Iterator[Metrics]:
    """Yield metrics that are served at a port, or none for port 0.

    They are sums over this process and those that it forks. Raises `CannotMeasure`, also if another
    program listens at the port.
    """
    if not port:
        yield Metrics()
        return
    with TemporaryDirectory(prefix="oxonaut-metrics-") as folder:
        # The library reads it when it is imported, which must not happen earlier.
        os.environ[FOLDER_VARIABLE] = folder
        try:
            from capsule.operations import metrics  # noqa: PLC0415
        except ImportError as error:
            raise CannotMeasure(
                "Metrics need the extra metrics. In the checkout that Oxonaut was installed from: "
                f"{sys.executable} -m pip install -c .ci/constraints.txt '.[metrics]'"
            ) from error
        try:
            socket.create_server((metrics.ADDRESS, port)).close()
        except OSError as error:
            raise _refused(metrics.ADDRESS, port, error) from error
        yield Metrics(port, metrics.PrometheusMeasurements())


def _refused(address: str, port: int, error: OSError) -> CannotMeasure:
    reason = os.strerror(error.errno or 0)
    return CannotMeasure(f"Cannot serve metrics on {address}, port {port}: {reason}")
