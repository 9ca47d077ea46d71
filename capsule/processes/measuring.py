"""Metrics of a serving capsule, for Prometheus, if the settings ask for them."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory

from capsule.db.database import Database
from capsule.measurements import CannotMeasure, Measurements

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which prometheus_client finds the folder of its files."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a process and of those that it forks; by default nothing is recorded.

    `measurements` records single events. `served` returns a block during which the metrics are
    served at a port of this machine, by a thread; it may raise `CannotMeasure`.
    """

    measurements: Measurements = field(default_factory=Measurements)
    served: Callable[[Database], AbstractContextManager[None]] = lambda _: nullcontext()


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
        metrics.require_free(port)
        yield Metrics(metrics.PrometheusMeasurements(), partial(metrics.served, port))
