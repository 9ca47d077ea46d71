"""The time that a page takes while every bot process thinks: `python -m tests.bench.thinking`.

The capsule has as many bot processes as cores, and more masters' turns waiting than they can play
while this measures. Each request is a connection of its own with a full TLS handshake.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from capsule.bots import queries as bot_queries
from tests.bench.homes import NewGame, opened
from tests.bench.servers import capsule, free_port, serving
from tests.bench.visitor import ask, tls
from tests.support.stored import change_row
from tests.support.stories import PAST_OPENINGS
from tests.support.wire.identities import make

MOVES = [*PAST_OPENINGS, "i7"]
"""A game of ultimate in which O's master has to think."""

WAITING = 60
"""Masters' turns that wait: each takes two seconds of a core."""


def milliseconds(requests: int) -> tuple[list[float], list[float]]:
    """Return what each request took without bots thinking, and with all of them thinking."""
    with tempfile.TemporaryDirectory() as name, opened(Path(name) / "home") as home:
        player = home.player(make(Path(name), "bench"), "bench")
        context = tls(None)
        port = free_port()
        with serving("capsule", port, capsule(home.folder, port)) as server:

            def measured() -> list[float]:
                taken = []
                for _ in range(requests):
                    begin = time.perf_counter()
                    assert ask(server.port, "/rules/quantum", context).startswith(b"20")
                    taken.append((time.perf_counter() - begin) * 1000)
                return taken

            measured()
            idle = measured()
            waiting = home.store([NewGame("ultimate", MOVES, player, player)] * WAITING)
            with home.context.database.writing() as connection:
                for path in waiting:
                    game_id = path.removeprefix("/play/")
                    change_row(
                        connection, game_id, o_player_id=None, o_bot="master", bot_to_move=True
                    )

            def still_waiting() -> int:
                with home.context.database.reading() as connection:
                    return len(bot_queries.games_awaiting_bots(connection, WAITING))

            while still_waiting() == WAITING:
                time.sleep(0.05)
            busy = measured()
            assert still_waiting() > 0, "the bots had finished: ask for fewer requests"
    return idle, busy


def main() -> None:
    """Measure and print the medians."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.thinking", description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    requests = parser.parse_args().requests
    for name, taken in zip(
        ("no bot thinks", "all bots think"), milliseconds(requests), strict=True
    ):
        slowest = sorted(taken)[int(len(taken) * 0.99)]
        print(f"{name:<16} median {statistics.median(taken):6.1f} ms   99 % {slowest:6.1f} ms")


if __name__ == "__main__":
    main()
