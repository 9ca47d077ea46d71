"""The interface of `/help/programs/json` as methods, whose answers are values."""

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from capsule.client.connection import GeminiClient, GeminiResponse, NotReached
from capsule.gemini.types import Status

Read = TypeVar("Read")

TEMPORARY_STATUSES, CERTIFICATE_STATUSES = range(40, 50), range(60, 70)

DEFAULT_WAIT = 10.0
"""Seconds that the program waits if a server demands it without saying how long."""

FIRST_LEAST_WAIT, LAST_LEAST_WAIT = 1.0, 60.0
"""Seconds that the program waits at least, however few a server demands: the first time, and at
most. Each time there are twice as many, until the server answers."""

LONGEST_WAIT = 3600.0
"""Seconds that the program waits at most, even if a server demands more; then it asks again."""

MAX_PAGES = 10
"""Pages of the list of open seats that the program reads at most."""

VERSION = 1
"""The version of the answers that are understood."""

log = logging.getLogger(__name__)


class CapsuleRefused(Exception):
    """The capsule refuses a request, or its answer is not understood; the text says why."""


class NotAdmitted(Exception):
    """The capsule rejects the certificate, or bans its player: the program must stop."""


@dataclass(frozen=True)
class GameState:
    """A game as the capsule describes it, with the addresses of the possible actions.

    `opponent` is the name of the other player, None while that seat is open.
    """

    id: str
    variant: str
    moves: Sequence[str]
    status: str
    winner: str | None
    seat: str | None
    opponent: str | None
    move: str | None
    resign: str | None
    accept: str | None
    decline: str | None
    join: str | None
    offers: "Sequence[ReceivedOffer]"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status not in {"waiting", "challenged", "playing"}

    @property
    def result(self) -> str:
        """The program's result in a word."""
        if self.winner is None:
            return "aborted" if self.status == "aborted" else "drawn"
        return "won" if self.winner == self.seat else "lost"


@dataclass(frozen=True)
class ReceivedOffer:
    """An offer of the opponent, a draw or a takeback, and the addresses that answer it."""

    kind: str
    accept: str
    decline: str


@dataclass(frozen=True)
class DeskState:
    """The games in which the program can act, and the challenges to it.

    `open` are its games with an open seat. `declare` is the address that declares it a program;
    None for one that is declared or cannot be.
    """

    player: str | None
    declare: str | None
    games: Sequence[GameState]
    challenges: Sequence[GameState]
    open: Sequence[GameState]


PACE = 0.25
"""Seconds between the beginnings of two requests: a person asks for no more, and waits for none."""


class ProgramApi:
    """A capsule's interface for programs, with one request at a time, and not too fast.

    `sleep` waits for as many seconds as the capsule demands, within limits, or as `pace` does: the
    least time between the beginnings of two requests. `monotonic` returns seconds that never go
    back.
    """

    def __init__(
        self,
        client: GeminiClient,
        sleep: Callable[[float], None],
        monotonic: Callable[[], float],
        pace: float = PACE,
    ) -> None:
        self._client, self._sleep, self._monotonic, self._pace = client, sleep, monotonic, pace
        self._last = -pace

    def desk(self) -> DeskState:
        """Return what waits for the program; like all of these, it raises the errors of `ask`."""
        return self._read("/play/desk.json", _desk)

    def declare(self, address: str) -> None:
        """Say that this is a program, at the address that the desk has for it."""
        self.ask(f"{address}?program")

    def state(self, game_id: str) -> GameState:
        """Return the current state of a game."""
        return self._read(f"/play/{game_id}/state.json", _game)

    def act(self, address: str, text: str | None = None) -> GameState:
        """Follow the address of an action, with a text such as a move, and return the game."""
        return self._read(address if text is None else f"{address}?{quote(text, safe='')}", _game)

    def open_seats(self) -> Iterator[GameState]:
        """Yield the games in which a seat can be taken, from the first `MAX_PAGES` of the list.

        A page is asked for once the seats on those before it have been yielded.
        """
        following: str | None = "/games/open.json"
        for _ in range(MAX_PAGES):
            if following is None:
                return
            seats, following = self._read(following, _open_seats)
            yield from seats

    def start(self, variant: str, way: str, terms: str = "") -> GameState:
        """Start a game in a way of `keys.json`, or of its bots, by the bot's level."""
        keys = f"/play/new/{variant}/keys.json{terms and '?'}{terms}"
        return self.act(
            self._read(keys, lambda content: _address(content["bots"].get(way) or content[way]))
        )

    def join_tournaments(self, variants: Sequence[str]) -> Sequence[str]:
        """Take a seat in each open tournament of these variants, and return their titles."""
        addresses = self._read(
            "/play/tournaments/open.json",
            lambda content: [
                _address(each["join"])
                for each in content["tournaments"]
                if each["variant"] in variants and each.get("join")
            ],
        )
        return [self._read(each, lambda content: _text(content["title"])) for each in addresses]

    def ask(self, path: str) -> Mapping[str, Any]:
        """Return what an address answers, once the capsule has time for it.

        Raises `CapsuleRefused`, `NotAdmitted` and the errors of `GeminiClient.ask`.
        """
        least = FIRST_LEAST_WAIT
        while (reply := self._asked(path)).status == Status.SLOW_DOWN:
            seconds = max(_seconds(reply), least)
            least = min(2 * least, LAST_LEAST_WAIT)
            log.info("told to slow down: waits %.0f s", seconds)
            self._sleep(seconds)
        if reply.status in CERTIFICATE_STATUSES:
            raise NotAdmitted(reply.meta)
        if reply.status in TEMPORARY_STATUSES:
            raise NotReached(f"{reply.status} {reply.meta}")
        if reply.status != Status.SUCCESS:
            raise CapsuleRefused(f"{reply.status} {reply.meta}")
        content = _content(path, reply)
        if "error" in content:
            raise CapsuleRefused(str(content["error"]))
        return content

    def _read(self, path: str, read: Callable[[Mapping[str, Any]], Read]) -> Read:
        """Return what `read` makes of an answer.

        Raises `CapsuleRefused` if a part is missing, or is not what it should be.
        """
        content = self.ask(path)
        try:
            return read(content)
        except (AttributeError, KeyError, TypeError) as error:
            raise CapsuleRefused(
                f"{_page(path)} answers what no program understands: {error!r}"
            ) from error

    def _asked(self, path: str) -> GeminiResponse:
        early = self._last + self._pace - self._monotonic()
        if early > 0:
            self._sleep(early)
        self._last = self._monotonic()
        return self._client.ask(path)


def _seconds(reply: GeminiResponse) -> float:
    is_number = reply.meta.isascii() and reply.meta.isdecimal()
    return min(float(reply.meta), LONGEST_WAIT) if is_number else DEFAULT_WAIT


def _content(path: str, reply: GeminiResponse) -> Mapping[str, Any]:
    """Return an answer's content; raises `NotReached` if it is not whole, or `CapsuleRefused`."""
    if not reply.meta.startswith("application/json"):
        raise CapsuleRefused(
            f"{_page(path)} answers no JSON: this capsule has no interface for programs"
        )
    try:
        content = json.loads(reply.body)
    except ValueError as error:
        raise NotReached(f"{_page(path)}: an answer that is not whole: {error}") from error
    except RecursionError as error:
        raise CapsuleRefused(f"{_page(path)} answers what no program understands") from error
    version = content.get("version") if isinstance(content, dict) else None
    if version != VERSION:
        raise CapsuleRefused(
            f"{_page(path)} answers in version {version}; only {VERSION} is understood"
        )
    return {str(name): value for name, value in content.items()}


def _page(path: str) -> str:
    return path.partition("?")[0]


def _text(found: object) -> str:
    """Return a string of an answer; raises `TypeError` if it is something else."""
    if not isinstance(found, str):
        raise TypeError(f"{type(found).__name__} instead of a string")
    return found


def _matching(pattern: re.Pattern[str], found: object) -> str:
    """Return a string of an answer that a pattern matches; raises `TypeError` if it does not."""
    text = _text(found)
    if not pattern.fullmatch(text):
        raise TypeError("a string of another form")
    return text


_address = partial(_matching, re.compile(r"/[!-~]{0,900}"))
_game_id = partial(_matching, re.compile(r"[a-z0-9]{1,40}"))


def _if_any(read: Callable[[object], str], found: object) -> str | None:
    return None if found is None else read(found)


def _desk(content: Mapping[str, Any]) -> DeskState:
    return DeskState(
        _if_any(_text, content["player"]),
        _if_any(_address, content.get("declare")),
        _games(content["games"]),
        _games(content["challenges"]),
        # Capsules have listed these only since programs asked for them.
        _games(content.get("open", ())),
    )


def _open_seats(content: Mapping[str, Any]) -> tuple[Sequence[GameState], str | None]:
    """Return the seats of a page, and the address of the next page, None after the last."""
    return _games(content["games"]), _if_any(_address, content.get("next"))


def _games(content: Sequence[Mapping[str, Any]]) -> Sequence[GameState]:
    return [_game(each) for each in content]


_ACTIONS = ("move", "resign", "accept", "decline", "join")
"""The fields of a game with the addresses of its actions."""


def _game(content: Mapping[str, Any]) -> GameState:
    seat = _if_any(_text, content.get("seat"))
    others = [holder for side, holder in content["players"].items() if holder and side != seat]
    return GameState(
        id=_game_id(content["id"]),
        variant=_text(content["variant"]),
        moves=[_text(move) for move in content["moves"]],
        status=_text(content["status"]),
        winner=_if_any(_text, content["winner"]),
        seat=seat,
        opponent=_text(others[0]["name"]) if others else None,
        **{name: _if_any(_address, content.get(name)) for name in _ACTIONS},
        offers=[
            ReceivedOffer(_text(each["kind"]), _address(each["accept"]), _address(each["decline"]))
            for each in content.get("offers", ())
        ],
    )
