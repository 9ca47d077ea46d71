"""Bots by name, levels and bots from outside, each in its own process.

A bot that hangs, crashes or prints costs no more than its own game. A bot from outside is named
`module:Class`. The class has `choose`, as `engine.bots.bot.Bot` says, or, for extreme, `move`, as
`engine.bots.hosting.course` says. The module is looked for in the working directory too.

The process is `python -m engine.bots.hosting.outside VARIANT NAME CLOCK MEMORY [PLUGIN...]`. It
says what it has found, and then answers each line of JSON with another.

A bot's seconds are counted by the clock of its process, that of the wall or of the processor. Those
from outside that have `with_means`, as `engine.bots.means` says, are given it as levels are, with
the megabytes of MEMORY, "" if that is left to the bot.
"""

import importlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any, Protocol, Self, TextIO, TypeAlias

from engine import plugins
from engine.bots.bot import Bot, Choice
from engine.bots.hosting import course
from engine.bots.hosting.course import CourseGame, Forfeit
from engine.bots.hosting.host import leave_with_host, write_answer
from engine.bots.hosting.process import JsonLinesProcess, NoAnswer
from engine.bots.means import Means, Timepiece, equipped
from engine.bots.registry import levels_of
from engine.game import MoveError, Variant
from engine.variants import VARIANTS

LIMIT = 24.0
"""Seconds that a bot of the course has for a move; others have them beyond what they were given."""

ASLEEP = 10
"""The multiple of the limit that may pass on the wall clock if processor time counts: a loaded
machine may well need that, and a bot that sleeps uses up no time of the processor.
"""

PATIENCE = 120.0
"""Seconds in which a process must be ready; compiling takes some of them, once."""


class NoSuchBot(ValueError):
    """There is no bot of that name, or it cannot be loaded; the text says why in one line."""


@dataclass(frozen=True)
class TimedChoice:
    """A bot's choice, and the seconds that it took by the bot's clock."""

    choice: Choice
    seconds: float


class HostedBot:
    """A bot in a separate process, which is restarted if a game has ended it.

    It must be closed, as a context manager does. One thread may use it; `kill` is for any.
    """

    def __init__(
        self,
        variant: str,
        name: str,
        limit: float = LIMIT,
        clock: Timepiece = Timepiece.WALL,
        memory: float | None = None,
    ) -> None:
        """Start the process of a level or of `module:Class`, with the means that are named last.

        Raises `NoSuchBot`.
        """
        self._process = JsonLinesProcess(
            "engine.bots.hosting.outside",
            variant,
            name,
            clock.value,
            "" if memory is None else str(memory),
        )
        self._name, self._limit, self._clock = name, limit, clock
        self._seed: str | None = None
        self.seconds: float | None = None
        """The seconds that a level takes of its own; None for a bot from outside."""
        self._knows_seconds = False
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def new_game(self, seed: str) -> None:
        """Begin a game; all of the bot's randomness comes from the seed."""
        self._seed = seed
        if not self._process.is_running:
            self._start()

    def choose(self, moves: Sequence[str], seconds: float) -> TimedChoice:
        """Return the bot's move after the moves of its game so far.

        Raises `Forfeit` if it crashes, makes an illegal move or takes too long.
        """
        if not self._process.is_running:
            raise Forfeit("no longer has a process")
        limit = self._limit + (seconds if self._knows_seconds else 0.0)
        task = {"moves": list(moves), "seconds": seconds, "seed": self._seed, "limit": limit}
        self._seed = None
        reply = self._answer(task, limit)
        if "forfeit" in reply:
            raise Forfeit(reply["forfeit"])
        choice = Choice(
            reply["move"],
            reply["win_probability"],
            reply["is_exact"],
            simulations=reply["simulations"],
        )
        return TimedChoice(choice, reply["seconds"])

    def kill(self) -> None:
        """End the process at once and for good; a `choose` under way raises `Forfeit`."""
        self._process.shut_down()

    def close(self) -> None:
        """End the process, also while it is thinking."""
        self._process.end()

    def _start(self) -> None:
        try:
            reply = self._ask(None, PATIENCE)
        except Forfeit as forfeit:
            raise NoSuchBot(f"{self._name} {forfeit}") from None
        if "error" in reply:
            self.close()
            raise NoSuchBot(reply["error"])
        self.seconds, self._knows_seconds = reply["seconds"], reply["knows_seconds"]

    def _answer(self, task: dict[str, Any], limit: float) -> dict[str, Any]:
        """Return the answer to a task that may take `limit` seconds by the bot's clock."""
        if self._clock is Timepiece.WALL:
            return self._ask(task, limit)
        try:
            return self._process.ask(task, ASLEEP * limit)
        except NoAnswer as silence:
            if silence.is_late:
                raise Forfeit(
                    f"took more than {ASLEEP * limit:g} seconds, most of them asleep"
                ) from None
            if silence.status == -signal.SIGPROF:
                raise Forfeit(f"took more than {limit:g} seconds of the processor") from None
            raise _dead(silence) from None

    def _ask(self, task: dict[str, Any] | None, limit: float) -> dict[str, Any]:
        try:
            return self._process.ask(task, limit)
        except NoAnswer as silence:
            if silence.is_late:
                raise Forfeit(f"took more than {limit:g} seconds") from None
            raise _dead(silence) from None


def _dead(silence: NoAnswer) -> Forfeit:
    return Forfeit(f"died, with exit status {silence.status}")


class _Player(Protocol):
    """A bot in one game."""

    def choose(self, moves: Sequence[str], seconds: float, rng: Random) -> Choice: ...


class _BotGame:
    """A game of a bot of our own protocol."""

    def __init__(self, variant: Variant, bot: Bot) -> None:
        self._variant, self._bot = variant, bot

    def choose(self, moves: Sequence[str], seconds: float, rng: Random) -> Choice:
        position = self._variant.replay(moves)
        choice = self._bot.choose(position, seconds, rng)
        if not isinstance(choice, Choice):
            raise Forfeit(f"returned no Choice: {choice!r}")
        try:
            position.play(choice.move)
        except MoveError as error:
            raise Forfeit(f"made an illegal move: {error}") from None
        return choice


@dataclass(frozen=True)
class _Found:
    """A way to begin games, the seconds of a level, and whether the bot is given its seconds."""

    begin: Callable[[], _Player]
    seconds: float | None = None
    knows_seconds: bool = True


def _found(variant: Variant, name: str, means: Means) -> _Found:
    """Return the bot of a name.

    Raises `NoSuchBot`.
    """
    if ":" in name:
        return _from_outside(variant, name, means)
    levels = levels_of(variant.key)
    if name not in levels:
        raise NoSuchBot(
            f"There is no level {name}: name one of {', '.join(levels)}, "
            "or a bot from outside as module:Class"
        )
    chosen = levels[name]
    bot = equipped(chosen.bot, means)
    # What is loaded and compiled at the first move is not part of anybody's thinking. A bot that
    # knows how to begin does not think at the start; the one that judges for it does.
    for each in (bot, equipped(chosen.judge, means)):
        each.choose(variant.start, 0.01, Random(0))
    return _Found(lambda: _BotGame(variant, bot), chosen.seconds)


def _from_outside(variant: Variant, name: str, means: Means) -> _Found:
    make = _class(name)
    try:
        bot = make()
    except (Exception, SystemExit) as error:
        raise NoSuchBot(f"{name} cannot be made: {_described(error)}") from error
    if hasattr(bot, "choose"):
        return _Found(lambda: _BotGame(variant, equipped(make(), means)))
    if not hasattr(bot, "move"):
        raise NoSuchBot(f"{name} is no bot: it has neither choose nor, for extreme, move")
    if variant.key != course.VARIANT:
        raise NoSuchBot(
            f"{name} has move but not choose: a bot of that convention plays {course.VARIANT} alone"
        )
    return _Found(lambda: CourseGame(make()), knows_seconds=False)


_Maker: TypeAlias = Callable[[], Any]


def _class(name: str) -> _Maker:
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise NoSuchBot(f"{name} cannot be loaded: {_described(error)}") from error
    make = getattr(module, class_name, None)
    if not callable(make):
        raise NoSuchBot(f"{name} cannot be loaded: {module_name} has no class {class_name!r}")
    found: _Maker = make
    return found


def _described(error: BaseException) -> str:
    """Return what an error says, in one line that is not too long."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= 200 else text[:197] + "..."


@contextmanager
def _processor_limited(seconds: float) -> Iterator[None]:
    """End this process by a signal after this many more seconds of processor time.

    A thread in Python could not: a bot may never release the interpreter.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _serve(found: _Found, clock: Timepiece, tasks: TextIO, answers: TextIO) -> None:
    limited = _processor_limited if clock is Timepiece.PROCESSOR else nullcontext
    player, rng = found.begin(), Random()
    for line in tasks:
        task = json.loads(line)
        begin = clock()
        try:
            if task["seed"] is not None:
                player, rng = found.begin(), Random(task["seed"])
            with limited(task["limit"]):
                choice = player.choose(task["moves"], task["seconds"], rng)
            reply = {
                "move": choice.move,
                # Bots may well count in numbers of numpy, which JSON does not know.
                "win_probability": float(choice.win_probability),
                "is_exact": bool(choice.is_exact),
                "simulations": int(choice.simulations),
                "seconds": clock() - begin,
            }
        except Forfeit as forfeit:
            reply = {"forfeit": str(forfeit)}
        except BaseException as error:  # noqa: BLE001 - whatever a bot does costs only its game
            reply = {"forfeit": f"crashed: {_described(error)}"}
        write_answer(answers, reply)


def _own_pipes() -> tuple[TextIO, TextIO]:
    """Return standard input and output, which bots that print or read find empty from now on."""
    tasks, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return tasks, answers


def main(variant: str, name: str, clock_name: str, memory: str, *plugged_in: str) -> None:
    """Be the process of a bot."""
    tasks, answers = _own_pipes()
    leave_with_host(answers)
    clock = Timepiece(clock_name)
    means = Means(clock, float(memory) if memory else None)
    for plugin in plugged_in:
        plugins.load(plugin)
    try:
        found = _found(VARIANTS[variant], name, means)
    except NoSuchBot as error:
        write_answer(answers, {"error": str(error)})
        return
    write_answer(answers, {"seconds": found.seconds, "knows_seconds": found.knows_seconds})
    _serve(found, clock, tasks, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
