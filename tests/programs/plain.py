"""A program that plays a game against a bot, with nothing but Python: HOST PORT CERT KEY VARIANT.

It knows what /help/programs and /rules/ tell, and nothing of how the capsule is made.
"""

import itertools
import json
import random
import socket
import ssl
import sys
import time
from typing import Any
from urllib.parse import quote

HOST, PORT, CERTIFICATE, KEY, VARIANT = sys.argv[1:]
TLS = ssl.create_default_context()
TLS.check_hostname, TLS.verify_mode = False, ssl.CERT_NONE
TLS.load_cert_chain(CERTIFICATE, KEY)


def ask(path: str) -> dict[str, Any]:
    """Return what an address answers, once the capsule has time for it."""
    while True:
        with (
            socket.create_connection((HOST, int(PORT))) as plain,
            TLS.wrap_socket(plain, server_hostname="localhost") as connection,
        ):
            connection.sendall(f"gemini://localhost:{PORT}{path}\r\n".encode())
            reply = b"".join(iter(lambda: connection.recv(4096), b""))
        head, _, body = reply.partition(b"\r\n")
        if head.startswith(b"20"):
            return json.loads(body)
        if not head.startswith(b"44"):
            raise OSError(head.decode())
        time.sleep(int(head[3:]))


def moves_of(game: dict[str, Any]) -> list[str]:
    """Return moves to try: all legal ones, or pairs of cells where there are too many to tell."""
    if game["legal_moves"] is not None:
        return random.sample(game["legal_moves"], k=len(game["legal_moves"]))
    cells = [f"{column}{row}" for column in "abcdefg" for row in range(1, 8)]
    pairs = ["+".join(pair) for pair in itertools.combinations(cells, 2)]
    return random.sample(pairs, k=len(pairs))


game = ask(ask(f"/play/new/{VARIANT}/keys.json")["bots"]["novice"])
deadline = time.monotonic() + 120
while game["status"] == "playing" and time.monotonic() < deadline:
    if "move" in game and game["ply"] < 60:
        tries = (ask(f"{game['move']}?{quote(move)}") for move in moves_of(game))
        game = next(answer for answer in tries if "error" not in answer)
    elif "move" in game:
        game = ask(f"{game['resign']}?resign")
    else:
        time.sleep(0.2)
        game = ask(f"{game['page']}/state.json")
print(game["status"], game["winner"], *game["moves"])
