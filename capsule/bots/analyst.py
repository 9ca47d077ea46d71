"""Analysing finished games in the background; the people who played them take turns.

The database says which games are due, so a restart loses none. Only this process knows whose turn
it is.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any

from capsule.bots import queries as bot_queries, turns as bot_turns
from capsule.context import AppContext
from capsule.db.faults import DatabaseFault, log_failure
from capsule.fair_queue import FairQueue
from capsule.games.model import StoredGame
from engine.bots.hosting.process import JsonLinesProcess, NoAnswer

SWEEP_SECONDS = 2.0
"""Seconds between two searches of the database for games to analyse."""

MOVE_SECONDS = 0.2
"""Seconds of thought for each position of a game."""

GAME_SECONDS = 20.0
"""Seconds of thought for a whole game: of a long one, each position gets less."""

GRACE_SECONDS = 20.0
"""Grace period: an analysis fails after twice its time plus this number of seconds."""

CLAIM_SECONDS = 2 * GAME_SECONDS + GRACE_SECONDS
"""Seconds for which no other capsule with the same database analyses a game."""

MAX_DUE = 10_000
"""Games that are considered at a time, those that ended first: they are read for each turn."""

MAX_ATTEMPTS = 3
"""Attempts at an analysis, after which the game is put aside."""


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
        if not self._context.leases.acquire(f"analysis {game_id}", CLAIM_SECONDS):
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
        seconds = min(MOVE_SECONDS, GAME_SECONDS / max(len(moves), 1))
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
