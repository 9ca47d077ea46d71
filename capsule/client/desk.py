"""What a capsule tells a program, as values: the door of `/help/programs`, asked with patience."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from capsule.client.connection import NotReached

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capsule.client.connection import Reply, Server

SUCCESS, REDIRECT, SLOW_DOWN = 20, 30, 44
TEMPORARY_STATUSES, CERTIFICATE_STATUSES = range(40, 50), range(60, 70)


class Refused(Exception):
    """The capsule does not do what it was asked; the text is its own sentence."""


class NotAdmitted(Exception):
    """The capsule does not take the certificate, or bans its player: it is no use to go on."""


@dataclass(frozen=True)
class GameState:
    """A game as the capsule tells it, with the addresses of what can be done there, if anything.

    `opponent` is the name of who has the other seat, None while nobody has it.
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
    offers: Sequence[Offer]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status not in {"waiting", "challenged", "playing"}

    @property
    def result(self) -> str:
        """How the game ended for the program, in a word."""
        if self.winner is None:
            return "called off" if self.status == "aborted" else "drawn"
        return "won" if self.winner == self.seat else "lost"


@dataclass(frozen=True)
class Offer:
    """What the opponent offers: a draw or a takeback, and where it is answered."""

    kind: str
    accept: str
    decline: str


@dataclass(frozen=True)
class Desk:
    """What waits for the program: games in which it can act, and challenges to it.

    `declare` is the address at which it says that it is a program, None once it has or cannot.
    """

    player: str | None
    declare: str | None
    games: Sequence[GameState]
    challenges: Sequence[GameState]


PACE = 0.25
"""Seconds between the beginnings of two requests: a person asks for no more, and waits for none."""


class Door:
    """A capsule's door for programs, asked for one thing at a time, and not too fast.

    `sleep` waits for as many seconds as the capsule demands, or as `pace` does: the least time
    between the beginnings of two requests. `monotonic` returns seconds that never go back.
    """

    def __init__(
        self,
        server: Server,
        sleep: Callable[[float], None],
        monotonic: Callable[[], float],
        pace: float = PACE,
    ) -> None:
        self._server, self._sleep, self._monotonic, self._pace = server, sleep, monotonic, pace
        self._last = -pace

    def desk(self) -> Desk:
        """Return what waits for the program; like all of these, it raises what `ask` raises."""
        told = self.ask("/play/desk.json")
        return Desk(
            told["player"],
            told.get("declare"),
            [_game(each) for each in told["games"]],
            [_game(each) for each in told["challenges"]],
        )

    def declare(self, address: str) -> None:
        """Say that this is a program, at the address that the desk has for it."""
        self.ask(f"{address}?program")

    def state(self, game_id: str) -> GameState:
        """Return a game as it stands."""
        return _game(self.ask(f"/play/{game_id}/state.json"))

    def act(self, address: str, text: str | None = None) -> GameState:
        """Follow the address of an action, with a text such as a move, and return the game."""
        return _game(self.ask(address if text is None else f"{address}?{quote(text, safe='')}"))

    def open_seats(self) -> Sequence[GameState]:
        """Return the games in which a seat can be taken."""
        return [_game(each) for each in self.ask("/games/open.json")["games"]]

    def start(self, variant: str, way: str, terms: str = "") -> GameState:
        """Start a game in a way of `keys.json`, or of its bots, by the bot's level."""
        keys = self.ask(f"/play/new/{variant}/keys.json{terms and '?'}{terms}")
        return self.act(keys["bots"].get(way) or keys[way])

    def join_tournaments(self, variants: Sequence[str]) -> Sequence[str]:
        """Take a seat in each open tournament of these variants, and return their titles."""
        found = self.ask("/play/tournaments/open.json")["tournaments"]
        to_join = [each for each in found if each["variant"] in variants and each.get("join")]
        return [self.ask(each["join"])["title"] for each in to_join]

    def ask(self, path: str) -> Mapping[str, Any]:
        """Return what an address answers, once the capsule has time for it.

        Raises `Refused` or `NotAdmitted`, and what `Server.ask` raises.
        """
        while (reply := self._asked(path)).status == SLOW_DOWN:
            self._sleep(_seconds(reply))
        if reply.status in CERTIFICATE_STATUSES:
            raise NotAdmitted(reply.meta)
        if reply.status in TEMPORARY_STATUSES:
            raise NotReached(f"{reply.status} {reply.meta}")
        if reply.status != SUCCESS:
            raise Refused(f"{reply.status} {reply.meta}")
        told: Mapping[str, Any] = json.loads(reply.body)
        if "error" in told:
            raise Refused(told["error"])
        return told

    def _asked(self, path: str) -> Reply:
        early = self._last + self._pace - self._monotonic()
        if early > 0:
            self._sleep(early)
        self._last = self._monotonic()
        return self._server.ask(path)


def _seconds(reply: Reply) -> float:
    return float(reply.meta) if reply.meta.isdigit() else 10.0


def _game(told: Mapping[str, Any]) -> GameState:
    seat = told.get("seat")
    others = [holder for side, holder in told["players"].items() if holder and side != seat]
    return GameState(
        id=told["id"],
        variant=told["variant"],
        moves=told["moves"],
        status=told["status"],
        winner=told["winner"],
        seat=seat,
        opponent=others[0]["name"] if others else None,
        move=told.get("move"),
        resign=told.get("resign"),
        accept=told.get("accept"),
        decline=told.get("decline"),
        join=told.get("join"),
        offers=[
            Offer(each["kind"], each["accept"], each["decline"]) for each in told.get("offers", ())
        ],
    )
