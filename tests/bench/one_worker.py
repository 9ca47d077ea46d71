"""Figures of a capsule with one worker, most of them to jetforce's bare hello."""

import math
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random

from capsule.games.eligibility import MAX_UNFINISHED_GAMES
from capsule.ui.boards import board_address
from engine import VARIANTS
from tests.bench.explored import fill_explored
from tests.bench.homes import Home, NewGame, growing_tinc, opened
from tests.bench.load import Request
from tests.bench.mix import Mix, bare, identities
from tests.bench.run import Run
from tests.support.stories import WON_GAMES

OPENING = WON_GAMES["ultimate"].split()[:9]
NEXT_MOVE = WON_GAMES["ultimate"].split()[9]

IN_TURN = 1_000
"""Games that are asked for in turn."""

SHARE_OF_HIGHEST_LOAD = 0.2

CALLS = 1_000
"""Requests of the mix that are made up at a time."""

LONGEST_SECONDS = 30
"""The longest time that this load lasts."""


def alone(run: Run, home: Home, games: int) -> Sequence[str]:
    """Store games of ultimate that the player who asks plays alone, and return their paths."""
    player = home.player(run.identity, "bench")
    return home.store([NewGame("ultimate", OPENING, player, player)] * games)


def crowded(run: Run, home: Home) -> Sequence[Request]:
    """Store games of ultimate, as many as a player may have for each; return requests for them."""
    number = math.ceil(run.sizes.games / MAX_UNFINISHED_GAMES)
    requests: list[Request] = []
    for each, who in enumerate(identities(run.folder / "crowd", number)):
        player = home.player(who, f"crowd{each}")
        games = min(MAX_UNFINISHED_GAMES, run.sizes.games - len(requests))
        paths = home.store([NewGame("ultimate", OPENING, player, player)] * games)
        requests += [Request(path, who) for path in paths]
    return requests


def unseen_boards(number: int, rng: Random) -> Iterator[str]:
    """Yield the addresses of boards of ultimate after six random moves."""
    for _ in range(number):
        position, moves = VARIANTS["ultimate"].start, []
        while len(moves) < 6:
            moves.append(position.random_move(rng))
            position = position.play(moves[-1])
        yield board_address("ultimate", moves)


def pages(run: Run) -> None:
    """Compare single pages, and moves."""
    with opened(run.folder / "few") as few, opened(run.folder / "many") as many:
        player = few.player(run.identity, "bench")
        page = alone(run, few, 11)[0]
        crowd = crowded(run, many)
        with few.context.database.writing() as connection:
            fill_explored(connection, IN_TURN)
        early, late = few.store(
            [NewGame("tinc", growing_tinc(turns), player, player) for turns in (5, 200)]
        )
        in_turn = cycle(crowd[:IN_TURN])
        rest = crowd[IN_TURN:] or crowd
        unseen = iter(rest)
        unseen_requests = min(run.sizes.requests, len(rest) // (2 * (run.sizes.rounds + 1)))

        def moves() -> Sequence[Request]:
            return [
                Request(few.move(player, path, len(OPENING), NEXT_MOVE), run.identity, "30")
                for path in alone(run, few, run.sizes.requests)
            ]

        with (
            run.hello(few) as hello,
            run.capsule("capsule of few", few) as small,
            run.capsule("capsule of many", many) as large,
        ):
            signed_in, anyone = run.always(hello, "/", run.identity), run.always(hello, "/")
            run.report.heading("One worker, to jetforce's bare hello with the same certificates")
            own = run.always(small, page, run.identity)
            run.compare("signed-in game page", own, signed_in, 1.0)
            run.compare("visitor's game page", run.always(small, page), anyone, 1.0)
            # What is kept of a page is kept from the first time that it is asked for.
            run.load.put(large, crowd[:IN_TURN], cores=run.cores.visitors)
            another = run.side(large, lambda: list(islice(in_turn, run.sizes.requests)))
            run.compare("another of 1,000 games each time", another, signed_in, 0.8)
            made = run.side(large, lambda: list(islice(unseen, unseen_requests)))
            run.compare("signed-in game page, each made anew", made, signed_in, 0.55)
            for_anyone = run.side(
                large, lambda: [Request(each.path) for each in islice(unseen, unseen_requests)]
            )
            run.compare("visitor's game page, each made anew", for_anyone, anyone, 0.65)
            run.compare("rules page", run.always(small, "/rules/quantum"), anyone, 1.0)
            puzzle = run.always(small, "/play/puzzles/ultimate/50", run.identity)
            run.compare("puzzle, signed in", puzzle, signed_in, 1.0)
            run.compare("position of the day", run.always(small, "/daily/"), anyone, 1.0)
            opening = board_address("ultimate", OPENING[:2])
            run.compare("board with its explorer", run.always(small, opening), anyone, 1.0)
            boards = iter(unseen_boards(run.sizes.requests * (run.sizes.rounds + 1), Random(4)))
            another_board = run.side(
                small, lambda: [Request(path) for path in islice(boards, run.sizes.requests)]
            )
            run.compare("a board not asked for before each time", another_board, anyone)
            run.compare("home", run.always(small, "/"), anyone, 1.0)
            run.compare("page that does nothing", run.always(small, "/favicon.txt"), anyone)
            # The last of these, since it stores games where few shall be.
            moved = run.side(small, moves)
            own_turns = (
                run.always(small, late, run.identity),
                run.always(small, early, run.identity),
            )
            of_many = run.always(large, crowd[0].path, crowd[0].identity)
            run.report.heading("One worker, to itself")
            run.compare(f"game page with {run.sizes.games:,} games stored, to 11", of_many, own)
            run.compare("tinc page at turn 200, to turn 5", *own_turns)
            run.report.heading("One worker, to jetforce's bare hello again")
            run.compare("durable move", moved, signed_in, 0.45)
            print()
            for server in (hello, small, large):
                run.report.quantity(f"memory of {server.name}", server.memory(), "MB")


def mix(run: Run) -> None:
    """Compare a busy evening, and print how long requests take at a fifth of the highest load."""
    with opened(run.folder / "mix") as home:
        players = identities(run.folder / "players", run.sizes.players)
        evening = Mix(home, players, run.sizes.mix_games, Random(5))
        with run.hello(home) as hello, run.capsule("capsule", home) as server:
            run.report.heading(
                f"A mix: {run.sizes.players} players with a certificate each, "
                f"{run.sizes.mix_games:,} games, 95 % looking, 5 % moving"
            )
            # An evening has begun long before anybody measures it: most pages have been seen.
            for begun in range(0, run.sizes.evening, CALLS):
                number = min(CALLS, run.sizes.evening - begun)
                run.load.put(server, evening.requests(number), cores=run.cores.visitors)
            figure = run.compare(
                "mix",
                run.side(server, lambda: evening.requests(run.sizes.requests)),
                run.side(hello, lambda: bare(evening.latest)),
                0.65,
            )
            a_second = SHARE_OF_HIGHEST_LOAD * figure.rate
            number = min(5 * run.sizes.requests, math.ceil(LONGEST_SECONDS * a_second))
            outcome = run.load.put(
                server, evening.requests(number), cores=run.cores.visitors, a_second=a_second
            )
            print(
                f"\nThe mix at 20 % of the highest load, {a_second:.0f} a second evenly, "
                f"{outcome.requests} requests, each from when it should begin"
            )
            run.report.quantity("latency, median", outcome.percentile(0.5), "ms", 5)
            run.report.quantity("latency, 99 %", outcome.percentile(0.99), "ms", 20)
            run.report.quantity("latency, longest", outcome.percentile(1), "ms", 100)
