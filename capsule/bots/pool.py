"""Bots in separate processes: the pool that runs them, the analyst of games, and their client.

The database says which turns and analyses are due, so a restart loses none.
"""

import json
import logging
import select
import socket
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Condition, Event, Thread
from time import monotonic
from typing import Any, TypeAlias

from capsule.bots import queries as bot_queries, turns as bot_turns
from capsule.bots.service import BotService, Hint
from capsule.context import AppContext
from capsule.db.faults import DatabaseFault, log_failure, retry
from capsule.errors import OutdatedAction
from capsule.fair_queue import FairQueue, WaitingQueue
from capsule.games.model import StoredGame
from engine.bots.hosting.process import JsonLinesProcess, NoAnswer
from engine.bots.hosting.worker import from_parts, to_parts

JsonObject: TypeAlias = dict[str, Any]

_Question: TypeAlias = tuple[JsonObject, Callable[[JsonObject | None], None]]
"""A task for a process, and the function to call with its answer, or with None."""

Turn: TypeAlias = tuple[str, int]
"""The id of a game, and its turn counter."""

SWEEP_SECONDS = 2.0
"""Seconds between two searches of the database for bots' turns, and for games to analyse."""

MAX_TURNS = 100
"""The most turns of bots that one search reads from the database."""

TIMEOUT_SECONDS = 20.0
"""Seconds after which a silent process is considered dead; bots think for two at most."""

REPLY_WAIT_SECONDS = 2.5
"""Seconds that a request waits for the bot's reply to a move or an offer."""

HINT_WAIT_SECONDS = 6.0
"""Seconds that a request waits for a hint."""

HINT_SECONDS = 1.0
"""Seconds that a bot thinks about a hint."""

LEASE_SECONDS = 6.0
"""Seconds that a pool holds the lease of a turn, so that no other pool asks a bot for it.

Nearly every bot answers within the lease. If one does not, another pool may ask for the same turn,
and the database accepts one answer only. A short lease lets another pool soon replace a dead one.
"""

MAX_ATTEMPTS = 3
"""The attempts at one reply or analysis.

After the last, any legal move is played, the offer is declined, or the game is put aside.
"""


@dataclass(frozen=True)
class _Job:
    """A job in the queue; a free thread calls `question`, which returns None if the job is void."""

    question: Callable[[], _Question | None]
    asked_at: float = field(default_factory=monotonic)


class BotPool(BotService):
    """Bot processes, and the threads that hand each its next task.

    The caller limits the number of waiting requests. Of the pools that share a database, only one
    asks a bot for a turn. The free process that worked last takes the next job: its caches are
    warm, and if one process is enough, the others stay small.
    """

    def __init__(self, context: AppContext, processes: int, log: logging.Logger) -> None:
        self._context = context
        self._log = log
        self._queue: WaitingQueue[_Job] = WaitingQueue()
        self._asked: set[Turn] = set()
        self._failures: dict[Turn, int] = {}
        self._moved = Condition()
        self._stopping = Event()
        self._processes = [_worker() for _ in range(processes)]
        self._analyst = Analyst(context, _worker(), log)
        self._threads = [Thread(target=self._sweep, daemon=True)] + [
            Thread(target=self._queue.serve, args=(partial(self._work, process),), daemon=True)
            for process in self._processes
        ]

    def start(self) -> None:
        """Start the threads; the first sweep finds the turns left when the capsule stopped."""
        for thread in self._threads:
            thread.start()
        self._analyst.start()

    def stop(self) -> None:
        """Stop at once; unanswered turns stay in the database for the next start."""
        self._stopping.set()
        self._queue.close()
        with self._moved:
            self._moved.notify_all()
        for process in self._processes:
            process.shut_down()
        self._analyst.stop()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.end()
        with suppress(DatabaseFault):
            self._context.leases.release_all()

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's reply in a game, and wait for it for up to `REPLY_WAIT_SECONDS`."""
        self._ask_for_reply((game_id, turn_counter), owner)
        with self._moved:
            self._moved.wait_for(
                lambda: self._stopping.is_set() or game_id not in dict(self._asked),
                REPLY_WAIT_SECONDS,
            )

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot answers in time."""
        task: JsonObject = {"task": "hint", "variant": variant, "moves": list(moves)}
        hint = self._answer_to(task | {"seconds": HINT_SECONDS, "seed": len(moves)}, owner)
        return _hint_in(hint) if "move" in hint else None

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return a level's move after these moves, for no stored game; None if no bot answers."""
        task: JsonObject = {"task": "move", "variant": variant, "moves": list(moves)}
        move: str | None = self._answer_to(task | {"level": level, "seed": seed}, owner).get("move")
        return move

    def _answer_to(self, task: JsonObject, owner: object) -> dict[str, Any]:
        """Return a bot's answer to a task, empty if none comes within `HINT_WAIT_SECONDS`."""
        answers, has_arrived = {}, Event()

        def on_answer(answer: dict[str, Any] | None) -> None:
            answers.update(answer or {})
            has_arrived.set()

        self._queue.put(owner, _Job(lambda: (task, on_answer)))
        has_arrived.wait(HINT_WAIT_SECONDS)
        return answers

    def _ask_for_reply(self, turn: Turn, owner: object) -> None:
        with self._moved:
            if turn in self._asked:
                return
            self._asked.add(turn)
        self._queue.put(owner, _Job(partial(self._question_of, turn, owner)))

    def _question_of(self, turn: Turn, owner: object) -> _Question | None:
        """Return the question of a turn; if the turn is void, forget it and return None.

        While the turn waited in the queue, the game may have changed, or another pool may have
        acquired the lease.
        """
        question = None
        try:
            stored, moves = bot_turns.game_with_moves(self._context, turn[0])
            is_pending = stored.turn_counter == turn[1] and stored.awaits_bot
            name = f"turn {turn[0]} {turn[1]}"
            if is_pending and self._context.leases.acquire(name, LEASE_SECONDS):
                task = _task(stored, moves)
                task["seed"] = int.from_bytes(self._context.random_bytes(6))
                question = task, partial(self._answered, stored, owner)
        finally:
            if question is None:
                self._forget(turn)
        return question

    def _answered(self, stored: StoredGame, owner: object, answer: JsonObject | None) -> None:
        """Store a bot's reply; without one, ask again, and at last decline or play any move."""
        turn, is_offer = (stored.id, stored.turn_counter), stored.answering_bot is not None
        found = answer or {}
        move, accepts_draw = found.get("move"), found.get("is_content")
        try:
            if (accepts_draw if is_offer else move) is None:
                what = "to an offer in" if is_offer else "in a game of"
                self._log.error("No bot's answer %s %s: %s", what, stored.variant.key, answer)
                if not self._is_last_failure(turn):
                    return
            accepts = bool(accepts_draw)
            reply = partial(bot_turns.reply, self._context, *turn, move, accepts_draw=accepts)
            after = retry(reply)
            self._failures.pop(turn, None)
            # After a bonus move or a quantum measurement, the bot may have to move again.
            if not is_offer and after.is_bots_turn:
                self._ask_for_reply((after.id, after.stored.turn_counter), owner)
        except OutdatedAction:
            # The game has changed since, or another process of the capsule was faster.
            return
        finally:
            self._forget(turn)

    def _forget(self, turn: Turn) -> None:
        with self._moved:
            self._asked.discard(turn)
            self._moved.notify_all()

    def _is_last_failure(self, turn: Turn) -> bool:
        """Count a failed attempt, and return whether it was the last."""
        self._failures[turn] = self._failures.get(turn, 0) + 1
        return self._failures[turn] >= MAX_ATTEMPTS

    def _work(self, process: JsonLinesProcess, job: _Job) -> None:
        try:
            question = job.question()
            if question is None:
                return
            task, on_answer = question
            answer = self._ask_and_measure(process, task, job.asked_at)
            if not self._stopping.is_set():
                on_answer(answer)
        except Exception as error:  # noqa: BLE001 - the thread must survive to serve other games
            log_failure(self._log, "A bot could not be asked, or its answer not be used", error)

    def _ask_and_measure(
        self, process: JsonLinesProcess, task: JsonObject, asked_at: float
    ) -> dict[str, Any] | None:
        """Return a process's answer to a task, and record how long it waited and took."""
        begun = monotonic()
        answer: JsonObject | None = None
        # The process may die, or time out.
        with suppress(NoAnswer):
            answer = process.ask(task, TIMEOUT_SECONDS)
        if not self._stopping.is_set():
            waited, took = begun - asked_at, monotonic() - begun
            has_answer = answer is not None and "error" not in answer
            self._context.measurements.thought(task["task"], waited, took, has_answer=has_answer)
        return answer

    def _sweep(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._context.database.reading() as connection:
                    waiting = bot_queries.games_awaiting_bots(connection, MAX_TURNS)
                for stored in waiting:
                    # Games between bots share None as their owner, so that in all they get one turn
                    # for each of a person's.
                    owner = stored.x.player_id or stored.o.player_id
                    self._ask_for_reply((stored.id, stored.turn_counter), owner)
            except Exception as error:  # noqa: BLE001 - the database may be back next time
                log_failure(self._log, "Bots' turns could not be read", error)
            self._stopping.wait(SWEEP_SECONDS)


def _worker() -> JsonLinesProcess:
    return JsonLinesProcess("engine.bots.hosting.worker")


def _task(stored: StoredGame, moves: Sequence[str]) -> JsonObject:
    """Return the task of finding the reply that is due from a bot in a game."""
    task: JsonObject = {"variant": stored.variant.key, "moves": list(moves)}
    side = stored.answering_bot
    if side is None:
        return task | {"task": "move", "level": stored.mover.bot}
    return task | {"task": "draw", "level": stored.seat(side).bot, "side": side.value}


def _hint_in(answer: Mapping[str, Any]) -> Hint:
    """Return the hint in an answer of a bot's process or of another pool."""
    reason = from_parts(answer["reason"]) if answer["reason"] else None
    return Hint(answer["move"], reason, answer["win_probability"], answer["is_exact"])


def _hint_in_parts(hint: Hint) -> JsonObject:
    """Return a hint as `_hint_in` reads it."""
    return vars(hint) | {"reason": hint.reason and to_parts(hint.reason)}


POSITION_SECONDS = 0.2
"""Seconds of thought for each position of a game."""

GAME_SECONDS = 20.0
"""Seconds of thought for a whole game: of a long one, each position gets less."""

GRACE_SECONDS = 20.0
"""Grace period: an analysis fails after twice its time plus this number of seconds."""

ANALYSIS_LEASE_SECONDS = 2 * GAME_SECONDS + GRACE_SECONDS
"""Seconds for which no other capsule with the same database analyses a game."""

MAX_DUE = 10_000
"""Games that are considered at a time, those that ended first: they are read for each turn."""


class Analyst:
    """The thread that gives games, one after the other, to a separate process for analysis.

    So no bot's answer waits for the analysis of a long game.
    """

    def __init__(self, context: AppContext, process: JsonLinesProcess, log: logging.Logger) -> None:
        self._context = context
        self._process = process
        self._log = log
        # Owners take turns by the positions that were analysed for them.
        self._queue: FairQueue[str] = FairQueue(0, lambda: self._positions)
        self._queued: set[str] = set()
        self._positions = 0
        self._attempts: Counter[str] = Counter()
        # Games that another capsule with the same database analyses.
        self._elsewhere: set[str] = set()
        self._stopping = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop at once; the game that is being analysed remains due."""
        self._stopping.set()
        self._process.shut_down()
        self._thread.join()
        self._process.end()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                while not self._stopping.is_set() and self._analyse_next():
                    pass
            except Exception as error:  # noqa: BLE001 - the database may be back next time
                log_failure(self._log, "Games to analyse could not be read", error)
            self._process.end()
            self._stopping.wait(SWEEP_SECONDS)

    def _analyse_next(self) -> bool:
        """Analyse the next game; return False if none is due."""
        with self._context.database.reading() as connection:
            found = bot_queries.analyses_due(connection, MAX_DUE)
        due = {game: found[game] for game in found if game not in self._elsewhere}
        if not due:
            self._attempts.clear()
            self._elsewhere.clear()
            return False
        for game_id, players in due.items():
            if game_id not in self._queued:
                # Games between bots have one owner together.
                self._queue.put(players or (None,), game_id)
        self._queued |= due.keys()
        with self._queue.turn() as game_id:
            self._queued.remove(game_id)
            # Another capsule may have analysed it meanwhile.
            if game_id in due:
                self._analyse(game_id)
        return True

    def _analyse(self, game_id: str) -> None:
        if not self._context.leases.acquire(f"analysis {game_id}", ANALYSIS_LEASE_SECONDS):
            self._elsewhere.add(game_id)
            return
        self._positions += 1
        try:
            game, moves = bot_turns.game_with_moves(self._context, game_id)
            self._positions += len(moves)
            answer = self._answer(game, moves)
            if self._stopping.is_set():
                return
            content = answer.get("analysis")
            if content is None:
                self._failed(game_id, str(answer.get("error")))
            else:
                bot_turns.save_analysis(self._context, game_id, content)
        except DatabaseFault:
            raise
        except Exception as error:  # noqa: BLE001 - all games that follow depend on this thread
            self._failed(game_id, repr(error))

    def _answer(self, game: StoredGame, moves: Sequence[str]) -> Mapping[str, Any]:
        seconds = min(POSITION_SECONDS, GAME_SECONDS / max(len(moves), 1))
        task = {
            "task": "analysis",
            "variant": game.variant.key,
            "moves": list(moves),
            "first": game.start_ply,
            "seconds": seconds,
            "seed": len(moves),
        }
        answer: Mapping[str, Any] = {"error": "no answer"}
        begun = monotonic()
        with suppress(NoAnswer):
            answer = self._process.ask(task, GRACE_SECONDS + 2 * seconds * len(moves))
        if not self._stopping.is_set():
            self._context.measurements.thought(
                "analysis", None, monotonic() - begun, has_answer="analysis" in answer
            )
        return answer

    def _failed(self, game_id: str, reason: str) -> None:
        self._attempts[game_id] += 1
        if self._attempts[game_id] >= MAX_ATTEMPTS:
            self._log.error("Game %s is put aside without an analysis: %s", game_id, reason)
            bot_turns.save_analysis(self._context, game_id, None)
            del self._attempts[game_id]


DELIVERY_SECONDS = 1.0
"""Seconds for the delivery of an answer, on top of the time that a bot may take."""

MAX_BYTES = 128 * 1024
"""The most bytes of a question, nearly all of which are a game's moves."""


def question_sockets() -> tuple[socket.socket, socket.socket]:
    """Return the sockets that send and receive questions."""
    sending, receiving = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end, option in ((sending, socket.SO_SNDBUF), (receiving, socket.SO_RCVBUF)):
        end.setsockopt(socket.SOL_SOCKET, option, 2 * MAX_BYTES)
    # Sending fails at once if no process receives, instead of blocking the asking thread.
    sending.settimeout(0)
    return sending, receiving


class RemoteBots(BotService):
    """The bots of another process, which receives the questions sent through `sending`."""

    def __init__(self, sending: socket.socket) -> None:
        self._sending = sending

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's reply in a game, and wait for it for up to `REPLY_WAIT_SECONDS`."""
        self._ask(REPLY_WAIT_SECONDS, "request_reply", game_id, turn_counter, owner)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot answers in time."""
        answer = self._ask(HINT_WAIT_SECONDS, "hint", variant, list(moves), owner)
        return None if answer is None else _hint_in(answer)

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return a level's move after these moves, for no stored game; None if no bot answers."""
        move: str | None = self._ask(
            HINT_WAIT_SECONDS, "move", variant, list(moves), level, seed, owner
        )
        return move

    def _ask(self, seconds: float, *question: object) -> Any:  # noqa: ANN401 - any JSON
        """Return the answer to a question, or None if none comes in time.

        A question is the name of a method, with its arguments.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, suppress(OSError):
                socket.send_fds(self._sending, [json.dumps(question).encode()], [theirs.fileno()])
            return _received(ours, monotonic() + seconds + DELIVERY_SECONDS)


def _received(connection: socket.socket, until: float) -> Any:  # noqa: ANN401 - any JSON
    received = bytearray()
    with suppress(OSError):
        while (left := until - monotonic()) > 0:
            connection.settimeout(left)
            chunk = connection.recv(MAX_BYTES)
            if not chunk:
                break
            received += chunk
    try:
        return json.loads(received)
    except ValueError:
        return None


class Answering:
    """The thread that receives questions, each of which another thread answers."""

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
            method, *arguments = json.loads(content)
            if method != "request_reply" and _is_closed(connection):
                # The question was sent before this process received any; the sender has given up.
                return
            try:
                answer = getattr(self._bots, method)(*arguments)
            except Exception as error:  # noqa: BLE001 - as if there had been no time for an answer
                log_failure(self._log, "A question to the bots could not be answered", error)
                return
            with suppress(OSError):
                connection.sendall(json.dumps(answer, default=_hint_in_parts).encode())


def _is_closed(connection: socket.socket) -> bool:
    """Return whether the asking process has closed the other end."""
    poller = select.poll()
    poller.register(connection, 0)
    return bool(poller.poll(0))
