"""The interface for measurements of a serving capsule.

Nothing here names a visitor: neither an address, nor a query, nor a key, nor a certificate.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that has been answered.

    `page` is the name of the page that answered, "" if none did; `path` is the requested path as
    it may be logged, without keys, and "-" if the request could not be read. `size` is in bytes,
    and `seconds` is the time from the end of the request line to the response.
    """

    status: int
    page: str
    path: str
    size: int
    seconds: float

    def __str__(self) -> str:
        """Return the line of the log.

        >>> print(Answered(20, "lobby.pages.home.front", "/", 1234, 0.0021))
        20 / 1234 bytes 2 ms
        """
        return f"{self.status} {self.path} {self.size} bytes {self.seconds * 1000:.0f} ms"


class Measurements:
    """Records what happens; called on any thread, and never raises.

    This one records nothing.
    """

    def answered(self, answered: Answered) -> None:
        """Record a request that has been answered."""

    def thought(self, task: str, waited: float | None, seconds: float, *, has_answer: bool) -> None:
        """Record a bot's task: the seconds it waited for a process, and those it took.

        `task` is "move", "draw", "hint" or "analysis". `waited` is None if that is not known, and
        `has_answer` says whether it was answered, other than with an error.
        """

    def mailed(self, outcome: str) -> None:
        """Record a letter that was offered to the relay, and what became of it.

        `outcome` is "accepted", "refused", "rejected" or "deferred".
        """


class CannotMeasure(Exception):
    """Metrics cannot be served; the message is a line for the operator."""
