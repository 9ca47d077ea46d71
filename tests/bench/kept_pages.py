"""The figure that decides about the cache of pages: `python -m tests.bench.kept_pages`.

A hundred players have two hundred games between them, and read: of a hundred requests, 95 are for
pages of games and five for lists of games (`/play/`), the home page and rules, in the proportions
of `tests.bench.mix`, so that five of six requests for games are signed in, mostly players' own.
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
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random

from capsule.accounts.model import Player
from capsule.app import build_app, build_context
from capsule.config import Config
from capsule.db.changes import GameChanges
from capsule.gemini.types import Application, CacheTag, Certificate, Request, Response
from capsule.timekeeping.trusted_clock import RunningTime
from capsule.ui.page_cache import Changes, PageCache
from engine import VARIANTS, Side
from tests.bench.homes import Home, NewGame
from tests.bench.mix import _played
from tests.support.client import BEGINNING, certificate, response_of
from tests.support.people import become_player
from tests.support.quick_database import started_database

READERS, GAMES = 100, 200

GAME_PAGES = {"own": 40, "another's": 15, "visitor's": 10}
OTHER_PAGES = {"/play/": 16, "/": 9, "rules": 5}
SHARE_OF_GAMES = 0.95

MOVES = {"ten moves a minute": 6.0, "ten moves a second": 0.1}
"""Rates of moves, and the seconds between two of them."""

WAYS = ("tags", "everything", "nothing")

SLICE = 0.2
"""Seconds for which one capsule answers before the next one does."""


@dataclass(frozen=True)
class Anything:
    """A source of changes for which any change is one of everything."""

    changes: Changes

    def changed(self) -> Collection[CacheTag] | None:
        """Return None if anything has changed."""
        return () if self.changes.changed() == () else None


class Nothing(PageCache):
    """A cache that keeps nothing, and asks for no changes."""

    def get(self, request: Request, now: datetime, *, is_current: bool = True) -> None:
        """Return nothing."""

    def keep(self, request: Request, response: Response, now: datetime, since: int) -> None:
        """Keep nothing."""


@dataclass
class Game:
    """A game, the moves that are to be made in it, and who has its seats."""

    path: str
    moves: list[str]
    turns: list[Side]
    seats: dict[Side, int]
    ply: int


@dataclass
class Crowd:
    """Readers, their games, and what they ask for."""

    home: Home
    random: Random
    people: list[tuple[Certificate, Player]] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)

    def meet(self) -> None:
        """Make players, and games between them."""
        for number in range(READERS):
            who = certificate(f"reader{number}")
            self.people.append((who, become_player(self.home.context, who)))
        new = []
        for number in range(GAMES):
            variant = tuple(VARIANTS)[number % len(VARIANTS)]
            played, turns = _played(variant, self.random)
            x, o = self.random.sample(range(READERS), 2)
            seats = {VARIANTS[variant].start.turn: x, VARIANTS[variant].start.turn.other: o}
            ply = len(played) // 2
            self.games.append(Game("", list(played), list(turns), seats, ply))
            named = {side.value: self.people[who][1] for side, who in seats.items()}
            new.append(NewGame(variant, played[:ply], named["X"], named["O"]))
        for game, path in zip(self.games, self.home.store(new), strict=True):
            game.path = path

    def requests(self) -> Iterator[Request]:
        """Yield requests for pages, of which a capsule hardly comes to the last one."""
        owns = [
            [game for game in self.games if reader in game.seats.values()]
            for reader in range(READERS)
        ]
        for _ in range(40_000):
            is_game = self.random.random() < SHARE_OF_GAMES
            shares = GAME_PAGES if is_game else OTHER_PAGES
            what = self.random.choices(list(shares), list(shares.values()))[0]
            reader = self.random.randrange(READERS)
            who = self.people[reader][0]
            if what == "own":
                yield Request(self.random.choice(owns[reader] or self.games).path, certificate=who)
            elif what == "another's":
                yield Request(self.random.choice(self.games).path, certificate=who)
            elif what == "visitor's":
                yield Request(self.random.choice(self.games).path)
            elif what == "rules":
                yield Request(f"/rules/{self.random.choice(list(VARIANTS))}")
            else:
                yield Request(what, certificate=who if what == "/play/" else None)

    def move(self) -> Request:
        """Return the request that makes a move in one of the games."""
        game = self.random.choice([game for game in self.games if game.ply < len(game.moves)])
        who, player = self.people[game.seats[game.turns[game.ply]]]
        url = self.home.move(player, game.path, game.ply, game.moves[game.ply])
        game.ply += 1
        path, _, query = url.partition("?")
        return Request(path, query, who)


@dataclass
class Capsule:
    """A capsule, and the seconds of the processor that it has had, by which its clocks run."""

    crowd: Crowd
    application: Application
    seconds: Callable[[], float]
    requests: Iterator[Request]
    next_move: float
    slice_began: float = 0
    spent: float = 0
    answered: int = 0

    def answer_for(self, seconds: float, interval: float) -> None:
        """Answer requests for a while, and make the moves that are due."""
        self.slice_began = time.process_time()
        for request in self.requests:
            spent = time.process_time() - self.slice_began
            if spent >= seconds:
                break
            if self.spent + spent >= self.next_move:
                self.next_move += interval
                assert response_of(self.application, self.crowd.move()).status == 30
            response = response_of(self.application, request)
            assert response.status == 20, response
            self.answered += 1
        self.spent, self.slice_began = self.seconds(), 0


@contextmanager
def opened(folder: Path, what: str, interval: float) -> Iterator[Capsule]:
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
        crowd = Crowd(Home(folder, context, config.database_url), Random(1))
        crowd.meet()
        changes = GameChanges(database.engine)
        caches = {
            "tags": PageCache(changes),
            "everything": PageCache(Anything(changes)),
            "nothing": Nothing(changes),
        }
        application = build_app(context, caches[what])
        made = Capsule(crowd, application, seconds, cycle(crowd.requests()), interval / 2)
        yield made


def measure(folder: Path, rate: str, interval: float, options: argparse.Namespace) -> None:
    """Measure at a rate of moves, and print a line for each way to keep pages."""
    with ExitStack() as stack:
        capsules = {}
        for what in WAYS:
            home = folder / f"{what}{interval}"
            home.mkdir()
            capsules[what] = stack.enter_context(opened(home, what, interval))
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
    game = capsule.crowd.games[0]
    who = capsule.crowd.people[next(iter(game.seats.values()))][0]
    request, times = Request(game.path, certificate=who), 500
    response_of(capsule.application, request)
    begin = time.process_time()
    for _ in range(times):
        response_of(capsule.application, request)
    return (time.process_time() - begin) / times * 1e6


def main() -> None:
    """Measure, and print a line for each rate of moves and each way to keep pages."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kept_pages", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6, help="a capsule and a round")
    parser.add_argument("--warm-up", type=float, default=6, help="seconds a capsule, before")
    parser.add_argument("--strangers", action="store_true", help="readers show no certificates")
    options = parser.parse_args()
    if options.strangers:
        GAME_PAGES.update({"own": 0, "another's": 0})
        OTHER_PAGES["/play/"] = 0
    with tempfile.TemporaryDirectory() as name:
        for rate, interval in MOVES.items():
            measure(Path(name), rate, interval, options)


if __name__ == "__main__":
    main()
