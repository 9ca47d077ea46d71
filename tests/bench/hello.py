"""jetforce's bare hello-world, to measure against: `python -m tests.bench.hello CERT KEY PORT`."""

from __future__ import annotations

import sys

from jetforce import GeminiServer, JetforceApplication, Response, Status

app = JetforceApplication()


@app.route()
def hello(request: object) -> Response:
    return Response(Status.SUCCESS, "text/gemini", "Hello, world!")


class QuietServer(GeminiServer):
    """The server as it comes, with its access log thrown away."""

    def log_access(self, message: str) -> None:
        """Say nothing."""


if __name__ == "__main__":
    certificate, key, port = sys.argv[1:]
    server = QuietServer(
        app,
        certfile=certificate,
        keyfile=key,
        port=int(port),
        host="127.0.0.1",
        hostname="localhost",
    )
    server.run()
