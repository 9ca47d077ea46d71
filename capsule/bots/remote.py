"""Bots in another process of this machine: asking them for replies and hints from here.

All workers send their questions, each a message of JSON, through one end of a pair of sockets, and
the process with the bots receives them at the other. A question carries the socket for its answer.
So nothing is lost while the receiver is being replaced, and one that dies leaves a closed socket.
"""

from __future__ import annotations

import json
import select
import socket
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from capsule.bots.pool import HINT_WAIT_SECONDS, REPLY_WAIT_SECONDS
from capsule.bots.service import Hint
from capsule.db.faults import log_failure
from engine.bots.hosting.worker import from_parts, to_parts

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Sequence

    from capsule.bots.service import BotService


JsonObject: TypeAlias = dict[str, Any]

DELIVERY_SECONDS = 1.0
"""Seconds to wait for an answer beyond the longest time that a bot may take."""

MAX_BYTES = 128 * 1024
"""Bytes of a question, whose longest part is the moves of a game."""


def question_sockets() -> tuple[socket.socket, socket.socket]:
    """Return the ends at which questions are sent and received."""
    sending, receiving = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end, option in ((sending, socket.SO_SNDBUF), (receiving, socket.SO_RCVBUF)):
        end.setsockopt(socket.SOL_SOCKET, option, 2 * MAX_BYTES)
    # If nobody receives, a question is not asked.
    sending.settimeout(0)
    return sending, receiving


class RemoteBots:
    """The bots of the process that receives the questions sent through `sending`."""

    def __init__(self, sending: socket.socket) -> None:
        self._sending = sending

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move or answer in a game, and wait a little for it."""
        question = {"for": "reply", "game": game_id, "turn": turn_counter, "owner": owner}
        self._ask(question, REPLY_WAIT_SECONDS)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""
        question = {"for": "hint", "variant": variant, "moves": list(moves), "owner": owner}
        answer = self._ask(question, HINT_WAIT_SECONDS)
        if answer is None or answer["move"] is None:
            return None
        reason = from_parts(answer["reason"]) if answer["reason"] else None
        return Hint(answer["move"], reason, answer["win_probability"], answer["is_exact"])

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return the move of a level after moves in no stored game; None if no bot had time."""
        question = {"for": "move", "variant": variant, "moves": list(moves), "owner": owner}
        answer = self._ask(question | {"level": level, "seed": seed}, HINT_WAIT_SECONDS)
        move: str | None = None if answer is None else answer["move"]
        return move

    def _ask(self, question: JsonObject, seconds: float) -> JsonObject | None:
        """Return the answer to a question; None if there is none in time, or at all."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, suppress(OSError):
                socket.send_fds(self._sending, [json.dumps(question).encode()], [theirs.fileno()])
            return _received(ours, monotonic() + seconds + DELIVERY_SECONDS)


def _received(connection: socket.socket, until: float) -> JsonObject | None:
    received = bytearray()
    with suppress(OSError):
        while (left := until - monotonic()) > 0:
            connection.settimeout(left)
            chunk = connection.recv(MAX_BYTES)
            if not chunk:
                break
            received += chunk
    try:
        answer: JsonObject = json.loads(received)
    except ValueError:
        return None
    return answer


class Answering:
    """The thread that receives questions, and has each answered on a thread of its own."""

    def __init__(self, receiving: socket.socket, bots: BotService, log: logging.Logger) -> None:
        self._receiving = receiving
        self._bots = bots
        self._log = log

    def start(self) -> None:
        """Start the thread, which ends with the process."""
        Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        while True:
            content, descriptors, flags, _ = socket.recv_fds(self._receiving, MAX_BYTES, 1)
            for descriptor in descriptors:
                connection = socket.socket(fileno=descriptor)
                if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
                    connection.close()
                else:
                    Thread(target=self._answer, args=(connection, content), daemon=True).start()

    def _answer(self, connection: socket.socket, content: bytes) -> None:
        with connection:
            question = json.loads(content)
            if question["for"] != "reply" and _is_closed(connection):
                # It was asked while nobody received, and is not waited for any more.
                return
            try:
                answer = _ANSWERS[question["for"]](self._bots, question)
            except Exception as error:  # noqa: BLE001 - as if there had been no time for an answer
                log_failure(self._log, "A question to the bots could not be answered", error)
                return
            with suppress(OSError):
                connection.sendall(json.dumps(answer).encode())


def _is_closed(connection: socket.socket) -> bool:
    """Return whether the asking process has closed the other end."""
    poller = select.poll()
    poller.register(connection, 0)
    return bool(poller.poll(0))


def _reply(bots: BotService, question: JsonObject) -> JsonObject:
    bots.request_reply(question["game"], question["turn"], question["owner"])
    return {}


def _hint(bots: BotService, question: JsonObject) -> JsonObject:
    hint = bots.hint(question["variant"], question["moves"], question["owner"])
    if hint is None:
        return {"move": None}
    return {
        "move": hint.move,
        "reason": hint.reason and to_parts(hint.reason),
        "win_probability": hint.win_probability,
        "is_exact": hint.is_exact,
    }


def _move(bots: BotService, question: JsonObject) -> JsonObject:
    names = ("variant", "moves", "level", "seed", "owner")
    return {"move": bots.move(*(question[name] for name in names))}


_ANSWERS: dict[str, Callable[[BotService, JsonObject], JsonObject]] = {
    "reply": _reply,
    "hint": _hint,
    "move": _move,
}
