"""The figure that decides about the cache of pages: `python -m tests.bench.kept_pages`.

A hundred players have two hundred games between them, and read: of a hundred requests, 95 are for
pages of games and five for lists of games (`/play/`), the home page and rules, each in the
proportions of `tests.bench.mix`: five of six requests for games are signed in, mostly players' own.
Meanwhile ten moves a minute or a second are made. Three capsules with a database each answer in
this process, in turn for 0.2 s each: one drops what has the tags of a change, one drops everything
at any write, one keeps nothing.

Time is the processor's, which pages and moves share. Each capsule's clock shows the time that it
has had itself, so that other programs on the machine change little. The figures are medians of the
rounds.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random

from capsule.app import build_app, build_context
from capsule.config import Config
from capsule.db.changes import GameChanges
from capsule.gemini.types import Application, CacheTag, Request, Response
from capsule.timekeeping.trusted_clock import RunningTime
from capsule.ui.page_cache import Changes, PageCache
from tests.bench import load
from tests.bench.homes import Home, certificate_of
from tests.bench.mix import SHARES, Mix, identities
from tests.support.client import BEGINNING, response_of
from tests.support.quick_database import started_database

READERS, GAMES = 100, 200

REQUESTS = 40_000
"""Requests that are made up; a capsule hardly comes to the last one."""

SHARE_OF_GAMES = 0.95

MOVES = {"ten moves a minute": 6.0, "ten moves a second": 0.1}
"""Rates of moves, and the seconds between two of them."""

WAYS = ("tags", "everything", "nothing")

SLICE = 0.2
"""Seconds for which one capsule answers before the next one does."""


def shares(*, strangers: bool) -> Mapping[str, float]:
    """Return how often each kind of page is asked for, by strangers alone if that is so."""
    asked = {
        what: share
        for what, share in SHARES.items()
        if not strangers or what in ("visitor's game", "home", "rules")
    }
    games = sum(share for what, share in asked.items() if what.endswith(" game"))
    others = sum(asked.values()) - games
    return {
        what: share * SHARE_OF_GAMES / games
        if what.endswith(" game")
        else share * (1 - SHARE_OF_GAMES) / others
        for what, share in asked.items()
    }


@dataclass(frozen=True)
class Anything:
    """A source of changes for which any change is one of everything."""

    changes: Changes

    def changed(self) -> Collection[CacheTag] | None:
        """Return None if anything has changed."""
        return () if self.changes.changed() == () else None


class Nothing(PageCache):
    """A cache that stores nothing, and asks for no changes."""

    def get(self, request: Request, now: datetime, *, is_current: bool = True) -> None:
        """Return nothing."""

    def keep(self, request: Request, response: Response, now: datetime, since: int) -> None:
        """Keep nothing."""


@dataclass
class Capsule:
    """A capsule, and the seconds of the processor that it has had, by which its clocks run."""

    mix: Mix
    application: Application
    seconds: Callable[[], float]
    requests: Iterator[load.Request]
    next_move: float
    slice_began: float = 0
    spent: float = 0
    answered: int = 0

    def answer(self, asked: load.Request) -> None:
        """Answer a request as it should be."""
        path, _, query = asked.path.partition("?")
        who = certificate_of(asked.identity, "reader") if asked.identity else None
        response = response_of(self.application, Request(path, query or None, who))
        assert str(response.status) == asked.status, response

    def answer_for(self, seconds: float, interval: float) -> None:
        """Answer requests for a while, and make the moves that are due."""
        self.slice_began = time.process_time()
        for request in self.requests:
            spent = time.process_time() - self.slice_began
            if spent >= seconds:
                break
            if self.spent + spent >= self.next_move:
                self.next_move += interval
                self.answer(self.mix.moves(1)[0])
            self.answer(request)
            self.answered += 1
        self.spent, self.slice_began = self.seconds(), 0


@contextmanager
def opened(
    folder: Path, what: str, interval: float, asked: Mapping[str, float]
) -> Iterator[Capsule]:
    """Make a capsule with players and games, and have it open during the block."""

    def seconds() -> float:
        running = time.process_time() - made.slice_began if made and made.slice_began else 0
        return (made.spent if made else 0) + running

    made: Capsule | None = None
    config = Config(home=folder)
    with closing(started_database(config.database_url, os.urandom)) as database:
        context = build_context(
            config,
            database,
            lambda: BEGINNING + timedelta(seconds=seconds()),
            os.urandom,
            RunningTime("bench", seconds),
        )
        home = Home(folder, context, config.database_url)
        mix = Mix(home, identities(folder / "readers", READERS), GAMES, Random(1), asked)
        changes = GameChanges(database.engine)
        caches = {
            "tags": PageCache(changes),
            "everything": PageCache(Anything(changes)),
            "nothing": Nothing(changes),
        }
        application = build_app(context, caches[what])
        made = Capsule(mix, application, seconds, cycle(mix.looks(REQUESTS)), interval / 2)
        yield made


def measure(folder: Path, rate: str, interval: float, options: argparse.Namespace) -> None:
    """Measure at a rate of moves, and print a line for each way to keep pages."""
    with ExitStack() as stack:
        capsules = {}
        for what in WAYS:
            home = folder / f"{what}{interval}"
            home.mkdir()
            asked = shares(strangers=options.strangers)
            capsules[what] = stack.enter_context(opened(home, what, interval, asked))
        found: dict[str, list[float]] = {what: [] for what in WAYS}
        for length in (options.warm_up, *[options.seconds] * options.rounds):
            before = {what: (each.answered, each.spent) for what, each in capsules.items()}
            for _ in range(round(length / SLICE)):
                for each in capsules.values():
                    each.answer_for(SLICE, interval)
            for what, each in capsules.items():
                answered, spent = before[what]
                found[what].append((each.answered - answered) / (each.spent - spent))
            print(f"  {rate}:", {what: round(each[-1]) for what, each in found.items()}, flush=True)
        medians = {what: statistics.median(each[1:]) for what, each in found.items()}
        for what, figure in medians.items():
            times = [kept_page(capsules[what]) for _ in range(5)]
            print(
                f"{rate}, {what:<10} {figure:6.0f} requests a second,"
                f" {figure / medians['everything']:.2f} of 'everything';"
                f" a page again {statistics.median(times):.0f} us",
                flush=True,
            )


def kept_page(capsule: Capsule) -> float:
    """Return the microseconds of the processor that a game's page takes its player once more."""
    request, times = capsule.mix.game_of_a_player(), 500
    capsule.answer(request)
    begin = time.process_time()
    for _ in range(times):
        capsule.answer(request)
    return (time.process_time() - begin) / times * 1e6


def main() -> None:
    """Measure, and print a line for each rate of moves and each way to keep pages."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kept_pages", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6, help="a capsule and a round")
    parser.add_argument("--warm-up", type=float, default=6, help="seconds a capsule, before")
    parser.add_argument("--strangers", action="store_true", help="readers show no certificates")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for rate, interval in MOVES.items():
            measure(Path(name), rate, interval, options)


if __name__ == "__main__":
    main()
