"""Many programs at once, in a process of their own: PORT FOLDER GAMES VARIANT...

Half of them offer games, and half take them. They print how often they were told to wait.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from capsule.client.connection import PINS_FILE, GeminiClient, GeminiResponse, ensure_identity
from capsule.client.playing import MatchmakingOptions, Program
from capsule.client.program_api import ProgramApi
from engine import VARIANTS

PROGRAMS = 8


class AnyMove:
    """Plays any legal move at once."""

    def __init__(self, variant: str, seed: int) -> None:
        self._variant, self._random = VARIANTS[variant], Random(seed)

    def choose(self, _game_id: str, moves: Sequence[str]) -> str:
        """Return one of them."""
        return self._variant.replay(moves).random_move(self._random)


class Counting(GeminiClient):
    """A server whose answers are counted by their status."""

    def __init__(self, address: str, folder: Path) -> None:
        now = datetime.now(UTC).replace(microsecond=0)
        super().__init__(address, ensure_identity(folder, "", now), None, folder / PINS_FILE)
        self.statuses: Counter[int] = Counter()

    def ask(self, path: str) -> GeminiResponse:
        """Return the answer."""
        reply = super().ask(path)
        self.statuses[reply.status] += 1
        return reply


def play(
    address: str, folder: Path, games: int, variants: Sequence[str], number: int
) -> Counter[int]:
    """Play as one of the programs, and return what statuses it was answered with."""
    server = Counting(address, folder / str(number))
    variant = variants[number // 2 % len(variants)]
    seeks = {"offers": [variant]} if number % 2 else {"joins": [variant]}
    options = MatchmakingOptions(at_once=2, games=games, **seeks)
    choosers = {variant: AnyMove(variant, number)}
    Program(ProgramApi(server, time.sleep, time.monotonic), choosers, options, time.sleep).play()
    return server.statuses


def main(port: str, folder: str, games: str, *variants: str) -> None:
    """Play until each program has ended as many games."""
    address = f"gemini://localhost:{port}/"
    with ThreadPoolExecutor(PROGRAMS) as threads:
        played = threads.map(
            lambda number: play(address, Path(folder), int(games), variants, number),
            range(PROGRAMS),
        )
        statuses = sum(played, Counter[int]())
    print(*(f"{status}:{count}" for status, count in sorted(statuses.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
