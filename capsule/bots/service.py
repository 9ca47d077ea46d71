"""The service from which pages request replies and hints of bots."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock, Semaphore

from cachetools import LRUCache

from engine import Message, Position, variant_of


@dataclass(frozen=True)
class Hint:
    """A move that a bot would make, its reason if the bot has one, and the expected result.

    `win_probability` is that of the side to move, as `Outcome.value_for` counts; it is proven if
    the hint `is_exact`, else an estimate.
    """

    move: str
    reason: Message | None
    win_probability: float
    is_exact: bool


class BotService:
    """Thinks of moves for bots and players.

    This one has no bots: what they owe waits in the database until a service has some.
    """

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move in a game, or its answer to an offer, and wait a little for it.

        `owner` is the player for whom the bot thinks: owners' requests take turns. If the bot has
        not replied when this returns, it will later.
        """

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return the move of a level after moves in no stored game; None if no bot had time."""


MAX_CACHED = 1_000
"""Cached evaluations, of which those asked for least recently are dropped first."""

MAX_ASKING = 4
"""Visitors without an account for whom one process asks at a time: most bots are for players."""

STRANGERS = "strangers"
"""The owner of all questions by visitors without an account.

Together they get one turn between two of a player's.
"""


class TooManyAsk(Exception):
    """Too many visitors are waiting for an evaluation already."""


class EvaluationCache:
    """The latest evaluations by bots; safe to share between threads."""

    def __init__(self, max_cached: int = MAX_CACHED, max_asking: int = MAX_ASKING) -> None:
        self._places = Semaphore(max_asking)
        # By the digests of positions, since a large grid takes more memory than its evaluation.
        self._cached: LRUCache[bytes, Hint] = LRUCache(max_cached)
        self._lock = Lock()

    def find(self, position: Position) -> Hint | None:
        """Return the cached evaluation of a position, or None."""
        digest = _digest(position)
        with self._lock:
            return self._cached.get(digest)

    def ask(
        self,
        bots: BotService,
        position: Position,
        moves: Callable[[], Sequence[str]],
        player_id: int | None,
    ) -> Hint | None:
        """Return the evaluation of a position that is not over, or None if no bot had time.

        `moves` returns the moves to the position, and is called only if a bot is asked. A stranger
        has no `player_id`. Raises `TooManyAsk` if too many of them are waiting already.
        """
        cached = self.find(position)
        if cached is not None:
            return cached
        variant = variant_of(position).key
        owner: object = STRANGERS if player_id is None else player_id
        with self._place() if player_id is None else nullcontext():
            found = bots.hint(variant, moves(), owner)
        if found is not None:
            with self._lock:
                self._cached[_digest(position)] = found
        return found

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise TooManyAsk
        try:
            yield
        finally:
            self._places.release()


def _digest(position: Position) -> bytes:
    return sha256(f"{variant_of(position).key} {position.identity()}".encode()).digest()
