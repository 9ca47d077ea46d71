"""The cost of a crowd: pages of a busy capsule against a quiet one: `python -m tests.bench.busy`.

One has a million games and 20,000 players, the other a thousand games and 250 players, made by
`tests.bench.crowd` (minutes, and some gigabytes). The player who asks has the same games in both,
and both fill the lists of every page. The two are asked for a page in turn. The figures are
the medians, in milliseconds, and their ratio, which is to be 1.2 at most; and the lines of the page
in each, since pages of different length would be no fair comparison.

The capsules answer in this process, without TLS; with `--tls` they are then served, and asked as
`tests.bench.pages` does it. Those figures are only reported: handshakes are most of them, and two
servers and their visitors share the cores, so that a ratio of one run may be a fifth off.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from sqlalchemy import func, or_, select, update

from capsule.accounts import queries as account_queries
from capsule.app import build_app, build_context
from capsule.config import Config
from capsule.db.changes import GameChanges
from capsule.db.database import Database
from capsule.db.schema.games import games
from capsule.db.schema.players import certificates
from capsule.db.schema.ratings import ratings
from capsule.games.list_queries import ListPlace
from capsule.games.model import GameStatus
from capsule.games.reading import ReplayCache
from capsule.gemini.certificates import ensure_server_certificate
from capsule.gemini.types import Application, Certificate, Request, Response
from capsule.lobby.pages.public_games import GameListKind, query_of
from capsule.ratings.ladders import LadderPlace, LadderSection
from capsule.ratings.model import INITIAL
from capsule.ratings.pages import query_of as ladder_query
from capsule.ui.boards import board_address
from capsule.ui.page_cache import PageCache
from tests.bench.crowd import BUSIEST, BUSIEST_ID, FEWEST, FEWEST_PLAYERS, REGULAR, REGULAR_ID, fill
from tests.bench.load import Load, Request as Asked, Side, compare as compare_under_load
from tests.bench.servers import Server, capsule, free_port, serving
from tests.support.client import response_of
from tests.support.quick_database import started_database
from tests.support.stories import WON_GAMES
from tests.support.wire.identities import Identity, make

MOST = 1.2
"""The ratio that no page is to exceed."""

WIDTH = 42

BOARDS = (
    ("ultimate", 0),
    ("ultimate", 6),
    ("extreme", 12),
    ("tinc", 4),
    ("numeric", 2),
    ("quantum", 3),
)
"""The boards to ask for, with the explorer on them: a variant and a number of moves."""


@dataclass(frozen=True)
class Page:
    """A page to ask for, by the player or by a visitor."""

    url: str
    by_player: bool = False


@dataclass(frozen=True)
class Capsule:
    """A capsule in this process, the player's certificate, and what to ask for.

    `pages` are by what they are; `finished` are the URLs of public games of ultimate, of as many
    moves each, and `forgetful` answers as if nobody had looked at any of them before.
    """

    answer: Application
    forgetful: Application
    certificate: Certificate
    pages: dict[str, Page]
    finished: Sequence[str]

    def lines(self, page: Page) -> int:
        """Return how long a page is."""
        return self._ask(self.answer, page).count("\n")

    def milliseconds(self, page: Page) -> float:
        """Return what a page took."""
        begin = time.perf_counter()
        self._ask(self.answer, page)
        return (time.perf_counter() - begin) * 1000

    def milliseconds_of_finished(self, number: int) -> float:
        """Return what the page of a finished game took that may not have been asked for before."""
        page = Page(self.finished[number % len(self.finished)])
        begin = time.perf_counter()
        self._ask(self.forgetful, page)
        return (time.perf_counter() - begin) * 1000

    def _ask(self, application: Application, page: Page) -> str:
        path, mark, query = page.url.partition("?")
        who = self.certificate if page.by_player else None
        response = response_of(application, Request(path, query if mark else None, who))
        assert isinstance(response, Response), page
        assert response.status == 20, (page, response)
        return response.body


def opened(home: Path, database: Database, identity: Identity) -> Capsule:
    """Return the capsule of a crowd, at the time at which the crowd was made."""
    with database.writing() as connection:
        # The crowd may have been kept from another time.
        connection.execute(
            update(certificates)
            .where(certificates.c.player_id == REGULAR_ID)
            .values(fingerprint=identity.fingerprint)
        )
        now = connection.execute(select(func.max(games.c.moved_at))).scalar_one()
    context = build_context(Config(home=home), database, lambda: now, os.urandom)
    day = timedelta(days=1)
    # Without room for any, every page is made each time.
    none = PageCache(GameChanges(database.engine), max_bytes=0)
    return Capsule(
        build_app(context, none),
        build_app(replace(context, replays=ReplayCache(0)), none),
        Certificate(identity.fingerprint, REGULAR, now - day, now + day),
        pages_of(database, now),
        finished_games(database),
    )


def pages_of(database: Database, now: datetime) -> dict[str, Page]:
    """Return the pages to ask for, by what they are."""
    game_of_the_regular = (
        select(games.c.id)
        .where(
            games.c.x_player_id == REGULAR_ID,
            games.c.o_player_id != REGULAR_ID,
            games.c.status == GameStatus.PLAYING,
            games.c.ply >= 9,
        )
        .order_by(games.c.moved_at.desc())
        .limit(1)
    )
    talked_about = select(games.c.id).order_by(games.c.comments.desc(), games.c.id).limit(1)
    with database.reading() as connection:
        address = account_queries.feed_address_of(connection, REGULAR_ID)
        game = connection.execute(game_of_the_regular).scalar_one()
        commented = connection.execute(talked_about).scalar_one()
        oldest = connection.execute(
            select(func.min(games.c.moved_at)).where(games.c.status == GameStatus.FINISHED)
        ).scalar_one()
    past = query_of(
        GameListKind.ENDED, ListPlace(oldest + (now - oldest) / 2, "a" * 10, newer=False)
    )
    return {
        "the player's /play/": Page("/play/", by_player=True),
        "/games/": Page("/games/"),
        "/games/ultimate": Page("/games/ultimate"),
        "/games/, half of all ended later": Page(f"/games/?{past}"),
        "/games/ultimate, half of its ended later": Page(f"/games/ultimate?{past}"),
        "a game, for its player": Page(f"/play/{game}", by_player=True),
        "a game, for a visitor": Page(f"/play/{game}"),
        "the first position of a game": Page(f"/play/{game}/0"),
        "/": Page("/"),
        "feed of all public games": Page("/feed"),
        "feed of public games of ultimate": Page("/games/ultimate/feed"),
        "the position of the day": Page("/daily/"),
        "the position of the day, for a player": Page("/play/daily/", by_player=True),
        "a puzzle": Page("/puzzles/ultimate/50"),
        "a puzzle, for a player": Page("/play/puzzles/ultimate/50", by_player=True),
        "all puzzles, for a player": Page("/play/puzzles/", by_player=True),
        "a player's mistakes": Page("/play/mistakes/", by_player=True),
        "a player": Page(f"/players/{REGULAR}"),
        "/players/": Page("/players/"),
        "a ladder, for a player": Page("/players/ladder/ultimate", by_player=True),
        "the season's table": Page("/season/"),
        "the season's table, a player's place": Page("/play/season/", by_player=True),
        "a game with comments": Page(f"/play/{commented}"),
        "the comments on a game": Page(f"/play/{commented}/comments"),
        "the comments on a game, for a player": Page(f"/play/{commented}/comments", by_player=True),
        "feed of a player": Page(f"/players/{REGULAR}/feed"),
        "private feed of a player": Page(f"/feed/{address}"),
        "feed of a game": Page(f"/play/{game}/feed"),
        **{
            f"board of {variant} after {plies} moves": Page(board_of(variant, plies))
            for variant, plies in BOARDS
        },
    }


def board_of(variant: str, plies: int) -> str:
    """Return the address of a board whose explored moves are in every crowd."""
    return board_address(variant, WON_GAMES[variant].split()[:plies])


def tell_of_large_ones(many: Capsule, database: Database, requests: int) -> None:
    """Measure and print what grows with what it is about: an own life's work, a ladder's length."""
    with database.reading() as connection:
        own = connection.execute(
            select(func.count()).where(
                or_(games.c.x_player_id == BUSIEST_ID, games.c.o_player_id == BUSIEST_ID)
            )
        ).scalar_one()
        rated = connection.execute(
            select(func.count()).where(
                ratings.c.variant == "ultimate", ratings.c.player_id.is_not(None)
            )
        ).scalar_one()
    halfway = ladder_query(LadderSection.RANKED, LadderPlace(INITIAL.mu, 0, upwards=False))
    pages = {
        f"a player with {own:,} games": Page(f"/players/{BUSIEST}"),
        f"half of a ladder of {rated:,} down": Page(f"/players/ladder/ultimate?{halfway}"),
        f"a ladder of {rated:,} as CSV": Page("/players/ladder/ultimate.csv"),
    }
    for what, page in pages.items():
        lines = many.lines(page)
        times = [many.milliseconds(page) for _ in range(min(requests, 20))]
        print(f"{what:<{WIDTH}}         {statistics.median(times):6.2f}          {lines:5}")


def finished_games(database: Database) -> Sequence[str]:
    """Return the URLs of finished games of ultimate, shuffled."""
    which = select(games.c.id).where(
        games.c.listed, games.c.variant == "ultimate", games.c.status == GameStatus.FINISHED
    )
    with database.reading() as connection:
        found = [f"/play/{game_id}" for game_id in connection.execute(which).scalars()]
    Random(1).shuffle(found)
    return found


def compare(few: Capsule, many: Capsule, requests: int) -> bool:
    """Measure in this process, print a line a page, and return whether each ratio is low enough."""

    def lowest(what: str, one: Callable[[], float], other: Callable[[], float], *rest: int) -> bool:
        one(), other()
        pairs = [(one(), other()) for _ in range(requests)]
        quiet, busy = (statistics.median(each) for each in zip(*pairs, strict=True))
        tell(what, quiet, busy, busy / quiet, "  ".join(f"{number:5}" for number in rest))
        return busy / quiet <= MOST

    print(f"{'in this process, ms':<{WIDTH}}    few    many   ratio  lines of both")
    verdicts = [
        lowest(
            what,
            lambda page=page: few.milliseconds(page),
            lambda page=many.pages[what]: many.milliseconds(page),
            few.lines(page),
            many.lines(many.pages[what]),
        )
        for what, page in few.pages.items()
    ]
    numbers = iter(range(requests + 1)), iter(range(requests + 1))
    verdicts.append(
        lowest(
            "a finished game, another one each time",
            lambda: few.milliseconds_of_finished(next(numbers[0])),
            lambda: many.milliseconds_of_finished(next(numbers[1])),
        )
    )
    return all(verdicts)


def compare_served(
    homes: tuple[Path, Path],
    pages: tuple[dict[str, Page], dict[str, Page]],
    identity: Identity,
    requests: int,
    rounds: int,
) -> None:
    """Measure over TLS, and print a line a page."""
    ports = free_port(), free_port()
    for home in homes:
        ensure_server_certificate(home / "certs", "localhost", datetime.now(UTC))
    with (
        serving("few", ports[0], capsule(homes[0], ports[0])) as few,
        serving("many", ports[1], capsule(homes[1], ports[1])) as many,
        Load() as load,
    ):

        def asked(server: Server, page: Page) -> Side:
            request = Asked(page.url, identity if page.by_player else None)
            return Side(server, lambda: [request] * requests)

        print(f"{'over TLS, pages a second':<{WIDTH}}    few    many   ratio")
        for what, page in pages[0].items():
            figure = compare_under_load(load, rounds, asked(few, page), asked(many, pages[1][what]))
            tell(what, figure.rate, figure.of, figure.ratio)
        for server in (few, many):
            print(f"{'memory of ' + server.name:<{WIDTH}} {server.memory():6.1f} MB")


def tell(what: str, few: float, many: float, ratio: float, rest: str = "") -> None:
    """Print a line of the table."""
    high = "  high" if ratio > MOST else ""
    print(f"{what:<{WIDTH}} {few:6.2f}  {many:6.2f}  {ratio:6.2f}  {rest}{high}", flush=True)


def main() -> None:
    """Make the crowds that are not there yet, measure, and exit with 1 where a ratio is high."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.busy", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=100, help="requests for a page, or a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds over TLS")
    parser.add_argument("--tls", action="store_true", help="measure served capsules too")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="where the crowds are kept for another time"
    )
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        identity = make(Path(name), REGULAR)
        homes = folder / "few", folder / "many"
        crowds = (FEWEST, FEWEST_PLAYERS), (options.games, options.players)
        now = datetime.now(UTC)
        for home, (number, players) in zip(homes, crowds, strict=True):
            if not (home / "oxonaut.db").exists():
                fill(home, number, players, now, identity.fingerprint)
        urls = [Config(home=home).database_url for home in homes]
        with (
            closing(started_database(urls[0], os.urandom)) as store_of_few,
            closing(started_database(urls[1], os.urandom)) as store_of_many,
        ):
            few = opened(homes[0], store_of_few, identity)
            many = opened(homes[1], store_of_many, identity)
            fine = compare(few, many, options.requests)
            tell_of_large_ones(many, store_of_many, options.requests)
        if options.tls:
            pages = few.pages, many.pages
            compare_served(homes, pages, identity, options.requests, options.rounds)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
