"""jetforce's bare hello-world, to measure against: `python -m tests.bench.hello CERT KEY PORT`."""

import sys

from jetforce import GeminiServer, JetforceApplication, Response, Status

app = JetforceApplication()


@app.route()
def hello(request: object) -> Response:
    return Response(Status.SUCCESS, "text/gemini", "Hello, world!")


if __name__ == "__main__":
    certificate, key, port = sys.argv[1:]
    server = GeminiServer(
        app,
        certfile=certificate,
        keyfile=key,
        port=int(port),
        host="127.0.0.1",
        hostname="localhost",
    )
    server.run()
