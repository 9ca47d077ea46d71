"""A server with a tiny application, to look at the wire.

    python -m tests.support.wire.echo FOLDER name=value…

The folder holds its certificate; the rest are settings of the server, and, in capital
letters, the constants by which its connections are timed.
"""

import json
import logging
import sys
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from capsule.errors import WouldBlock
from capsule.gemini import limits, protocol
from capsule.gemini.certificates import CertificateError, ensure_server_certificate
from capsule.gemini.listening import CannotListen, ServerSettings, open_socket
from capsule.gemini.server import serve
from capsule.gemini.types import Answer, Request, Response, Wait
from capsule.measurements import Measurements
from tests.support.wire.gates import Gate


class Echo:
    """The application: it answers with what arrived; some paths misbehave."""

    def handle(self, request: Request) -> Answer:
        """Answer at once below this path, elsewhere on a thread."""
        if request.path.startswith("/at-once/"):
            may_block = request.may_block
            return answer(request) if not may_block else Response(20, "text/plain", "by a thread")
        if not request.may_block:
            raise WouldBlock
        return answer_or_wait(request)

    def health(self) -> Response:
        """Feel fine."""
        return Response(20, "text/plain", "fine")

    def versions(self, subjects: Collection[str]) -> Mapping[str, int]:
        """Nothing here is live."""
        assert not subjects
        return {}

    def blocks(self, path: str) -> bool:
        """Say below this path that a thread alone can answer."""
        return path.startswith("/at-once/blocked/")


def answer_or_wait(request: Request) -> Answer:
    """Answer, or wait as for a bot, where a gate is named until it is open."""
    match request.path.strip("/").split("/"):
        case ["wait", owner, *_]:
            return Wait(owner, partial(waited, request.query), Response(44, "1"))
        case _:
            return answer(request)


def waited(gate: str | None) -> Response:
    """Answer once the gate is open, if there is one."""
    if gate is not None:
        Gate(gate).pass_through()
    return Response(20, "text/plain", "waited")


def answer(request: Request) -> Response:
    """Answer with what arrived; some paths misbehave."""
    match request.path.removeprefix("/at-once").strip("/").split("/"):
        case ["gate"]:
            Gate(request.query or "").pass_through()
        case ["fault", *_]:
            raise RuntimeError(f"secret fault: {request.query}")
        case ["exit"]:
            sys.exit(f"{request.query}")
        case ["nothing"]:
            return None  # type: ignore[return-value]  # an application at fault
        case ["large", size]:
            return Response(20, "text/plain", "0123456789abcdef" * (int(size) // 16))
        case ["status"]:
            return Response(200, "OK")
        case ["meta"]:
            return Response(10, request.query or "")
        case ["surrogates"]:
            return Response(20, "text/plain; \udcff", "\udcff")
        case _:
            pass
    certificate = request.certificate
    echo = {
        "path": request.path,
        "query": request.query,
        "certificate": certificate
        and {
            "fingerprint": certificate.fingerprint,
            "common_name": certificate.common_name,
            "not_before": certificate.not_before.isoformat(),
            "not_after": certificate.not_after.isoformat(),
        },
    }
    return Response(20, "application/json", json.dumps(echo))


def main(folder: str, *settings: str) -> None:
    """Serve until a signal stops it."""
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO, stream=sys.stdout)
    named: dict[str, Any] = {"hostname": "localhost", "port": 0, "host": "127.0.0.1"}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.isupper():
            (module,) = (each for each in (limits, protocol) if hasattr(each, name))
            setattr(module, name, number(value))
        else:
            named[name] = number(value)
    try:
        certificate, key = ensure_server_certificate(
            Path(folder), named["hostname"], datetime.now(UTC)
        )
        served = ServerSettings(certificate=certificate, key=key, **named)
        with open_socket(served) as listening:
            port = listening.getsockname()[1]
            serve(
                served,
                Echo(),
                logging.getLogger("capsule"),
                listening,
                on_listening=lambda: print(f"Listening on port {port}", flush=True),
                measurements=Measurements(),
                renewed=lambda: (served, Echo()),
            )
    except (CannotListen, CertificateError) as error:
        sys.exit(str(error))
    print("Finished")


def number(text: str) -> str | float:
    """Return what a setting says: a number, if it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


if __name__ == "__main__":
    main(*sys.argv[1:])
