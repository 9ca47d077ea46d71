"""Fill a capsule with a crowd: `python -m tests.bench.crowd HOME --games 1000000 --players 20000`.

The database is `oxonaut.db` in HOME, as `oxonaut serve --home HOME` opens it. Every game has all of
its moves, which are legal, so that every page of it can be asked for; there are no analyses. All
statuses, public games and others, all variants and terms occur. A thousand games are those of a
quiet month, with enough that go on to fill the first page of every list; a million are those of
three years, and more than a thousand begin and as many end each day.

Half of the games that are not played alone are rated. What they are said to have done to ratings is
made up, and every player and bot has a made-up rating in every variant; so is what they added to
the explored positions.

Half of the players have answered puzzles, and solved the position of the day on every other day of
the last month; what that did to ratings is made up, too.

A comment a day is written for each thousand games, and everybody has points in the season's table.

One player, the regular, has the same games in every crowd, except for the opponents.
"""

import argparse
import base64
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import event, insert
from tqdm import tqdm

from capsule.accounts.names import loose_skeleton, skeleton
from capsule.config import Config
from capsule.db import schema
from capsule.games.clock import DAYS_PER_MOVE, OFFER_LIFETIME
from capsule.games.model import GameStatus
from capsule.ratings.model import INITIAL
from engine import VARIANTS, Outcome
from engine.bots.levels import LEVELS
from tests.bench.company import fill_company
from tests.bench.explored import fill_explored
from tests.support.client import certificate
from tests.support.quick_database import started_database
from tests.support.stories import WON_GAMES

FEWEST = 1_000
"""Games of the smallest crowd."""

FEWEST_PLAYERS = 250
"""Players of the smallest crowd: they fill the first page of every ladder."""

REGULAR = "regular"
"""The name of the player who has the same games in every crowd."""

REGULAR_ID = 1

BUSIEST = "player2"
"""The name of the player who plays most in a large crowd: in one game of a hundred."""

BUSIEST_ID = 2

_SHARES = {
    GameStatus.PLAYING: (0.04, 200),
    GameStatus.WAITING: (0.01, 200),
    GameStatus.CHALLENGED: (0.005, 40),
}
"""Of the games that go on, the share of each status and the fewest there are."""

_OF_THE_REGULAR = {
    GameStatus.PLAYING: 30,
    GameStatus.WAITING: 5,
    GameStatus.CHALLENGED: 10,
    GameStatus.FINISHED: 60,
}

_JUST_NOW = 1
"""The place of the regular's game that was moved in just now: the home page shows it."""

_AT_A_TIME = 20_000

_ANSWERS = 50
"""Puzzles that each of those has answered who answers any."""


@dataclass(frozen=True)
class _Course:
    """The moves of a game that is played to its end: whose turn it is before each and after all."""

    moves: Sequence[str]
    turns: Sequence[str]
    outcome: Outcome


def _course(variant: str) -> _Course:
    positions = [VARIANTS[variant].start]
    moves = WON_GAMES[variant].split()
    for move in moves:
        positions.append(positions[-1].play(move))
    outcome = positions[-1].outcome
    assert outcome is not None
    return _Course(moves, [position.turn.value for position in positions], outcome)


_COURSES = {variant: _course(variant) for variant in VARIANTS}


@dataclass(frozen=True, slots=True)
class _Draft:
    """A game to be stored: its place among those of its status, and its times as ages in days."""

    status: str
    place: int
    created: float
    moved: float
    days_a_move: int | None
    luck: float


def fill(home: Path, games: int, players: int, now: datetime, fingerprint: str) -> None:
    """Make the database of a crowd in `home`, as things stand at `now`.

    `fingerprint` is that of the regular's certificate. There must be no database yet.
    """
    rng = Random(5)
    home.mkdir(parents=True, exist_ok=True)
    database = started_database(Config(home=home).database_url, rng.randbytes)
    # A half-made crowd is thrown away: what keeps a database safe from power cuts costs hours here.
    database.engine.dispose()
    event.listen(database.engine, "connect", _hasten)
    with database.writing() as connection:
        for table, rows in _people(players, fingerprint, now, rng):
            connection.execute(insert(table), rows)
        # In the order in which the games would have begun, and the moves in that of their making.
        drafts = sorted(_drafts(games, Random(6)), key=lambda draft: -draft.created)
        counted = 0
        with tqdm(total=games, unit=" games", disable=games < _AT_A_TIME) as progress:
            for first in range(0, games, _AT_A_TIME):
                stored, made, changed = [], [], []
                for draft in drafts[first : first + _AT_A_TIME]:
                    game = _game(draft, players, now, rng)
                    if game["rated"] and game["x_points"] is not None:
                        counted += 1
                        game["rating_number"] = counted
                        changed.extend(_changes(game))
                    stored.append(game)
                    made.extend(_moves(game))
                made.sort(key=lambda move: move["played_at"])
                connection.execute(insert(schema.games.games), stored)
                connection.execute(insert(schema.games.moves), made)
                connection.execute(insert(schema.ratings.rating_changes), changed)
                progress.update(len(stored))
        connection.execute(insert(schema.ratings.ratings), [*_ratings(players, now)])
        for table, rows in _solvers(players, now):
            connection.execute(insert(table), rows)
        fill_explored(connection, games)
        fill_company(connection, players, games, now)
    database.close()


def _hasten(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3's, untyped
    for setting in (
        "journal_mode=OFF",
        "synchronous=OFF",
        "foreign_keys=OFF",
        "cache_size=-2000000",
    ):
        connection.execute(f"PRAGMA {setting}").close()


def _people(
    players: int, fingerprint: str, now: datetime, rng: Random
) -> Iterator[tuple[Any, list[dict[str, object]]]]:
    """Yield the rows about players, table by table; one in twenty has been on vacation lately."""
    numbers = range(REGULAR_ID, REGULAR_ID + players)
    names = {number: REGULAR if number == REGULAR_ID else f"player{number}" for number in numbers}
    since = now - timedelta(days=1_000)
    yield (
        schema.players.players,
        [
            {
                "id": number,
                "name": name,
                "likeness": skeleton(name),
                "look": loose_skeleton(name),
                "created_at": since,
            }
            for number, name in names.items()
        ],
    )
    yield (
        schema.players.certificates,
        [
            {
                "fingerprint": fingerprint
                if number == REGULAR_ID
                else sha256(name.encode()).hexdigest(),
                "player_id": number,
                "first_used_at": since,
            }
            for number, name in names.items()
        ],
    )
    yield (
        schema.players.private_feeds,
        [
            {"player_id": number, "address": base64.b32encode(rng.randbytes(20)).decode().lower()}
            for number in numbers
        ],
    )
    yield (
        schema.games.vacations,
        [
            {
                "player_id": number,
                "begins_at": now - timedelta(days=age),
                "ends_at": now - timedelta(days=age - 5),
            }
            for number in numbers
            if number % 20 == 0
            for age in [3 + 60 * rng.random()]
        ],
    )


def _ratings(players: int, now: datetime) -> Iterator[dict[str, object]]:
    """Yield the columns of ratings: half are not provisional, and most have changed lately."""
    people = ((number, None) for number in range(REGULAR_ID, REGULAR_ID + players))
    rng = Random(7)
    for player_id, bot in (*people, *((None, level) for level in LEVELS)):
        for variant in VARIANTS:
            yield {
                "variant": variant,
                "player_id": player_id,
                "bot": bot,
                "mu": rng.gauss(INITIAL.mu, 6),
                "sigma": rng.uniform(1.5, INITIAL.sigma),
                "games": rng.randrange(1, 200),
                "changed_at": now - timedelta(days=400 * rng.random() ** 2),
            }


def _solvers(players: int, now: datetime) -> Iterator[tuple[Any, list[dict[str, object]]]]:
    """Yield the rows about puzzles, table by table; the regular is one of those who solve them."""
    solvers = range(REGULAR_ID, REGULAR_ID + players, 2)
    rng = Random(8)
    of_rating = {"sigma": 3.0, "answers": _ANSWERS, "changed_at": now}
    yield (
        schema.puzzles.puzzle_answers,
        [
            {
                "player_id": player,
                "variant": variant,
                "number": number,
                "move": "e5",
                "is_right": True,
                "answered_at": now,
                "solved_at": now,
            }
            for player in solvers
            for variant in VARIANTS
            for number in range(1, _ANSWERS // len(VARIANTS) + 1)
        ],
    )
    yield (
        schema.puzzles.daily_solutions,
        [
            {"player_id": player, "day": now.date() - timedelta(days=age), "solved_at": now}
            for player in solvers
            for age in range(0, 30, 2)
        ],
    )
    yield (
        schema.puzzles.solver_ratings,
        [{"player_id": player, "mu": rng.gauss(INITIAL.mu, 6), **of_rating} for player in solvers],
    )
    yield (
        schema.puzzles.puzzle_ratings,
        [
            {"variant": variant, "number": number, "mu": rng.gauss(INITIAL.mu, 6), **of_rating}
            for variant in VARIANTS
            for number in range(1, _ANSWERS // len(VARIANTS) + 1)
        ],
    )


def _changes(game: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield what a rated game is said to have done to ratings."""
    made_up = Random(game["id"])
    for side in ("x", "o"):
        yield {
            "game_id": game["id"],
            "side": side.upper(),
            "variant": game["variant"],
            "player_id": game[f"{side}_player_id"],
            "bot": game[f"{side}_bot"],
            "number": game["rating_number"],
            "mu": made_up.gauss(INITIAL.mu, 2),
            "sigma": made_up.uniform(1.5, 6),
        }


def _drafts(games: int, rng: Random) -> Iterator[_Draft]:
    """Yield the games that are to be, in no order of time; those of the regular come first."""
    counts, days = _counts(games), _days(games)
    for status, own in _OF_THE_REGULAR.items():
        for place in range(own):
            yield _draft(status, place, _days(FEWEST), rng)
    for status, count in counts.items():
        for place in range(_OF_THE_REGULAR[status], count):
            yield _draft(status, place, days, rng)


def _counts(games: int) -> dict[str, int]:
    """Return how many games there are of each status, all that have ended taken as finished."""
    counts = {status: max(int(games * share), least) for status, (share, least) in _SHARES.items()}
    return counts | {GameStatus.FINISHED: games - sum(counts.values())}


def _days(games: int) -> float:
    """Return since how many days people play, if as many games end a day as are offered."""
    counts = _counts(games)
    return counts[GameStatus.FINISHED] / counts[GameStatus.WAITING] * OFFER_LIFETIME.days


def _draft(status: str, place: int, days: float, rng: Random) -> _Draft:
    days_a_move = rng.choice(DAYS_PER_MOVE) if rng.random() < 0.6 else None
    long_ago = days * rng.random()
    if status == GameStatus.PLAYING and days_a_move is not None:
        # Some have run out of time, and their opponents go on waiting.
        moved = 1.1 * days_a_move * rng.random()
        created = moved + 60 * rng.random()
    elif status == GameStatus.PLAYING:
        created = long_ago
        moved = created * rng.random() ** 3
    elif status == GameStatus.CHALLENGED or (
        status == GameStatus.WAITING and _is_listed(status, place)
    ):
        created = moved = 0.99 * OFFER_LIFETIME.days * rng.random()
    elif status == GameStatus.WAITING:
        created = moved = long_ago
    else:
        created = long_ago
        moved = created - min(created, 20.0) * rng.random() ** 2
    if status == GameStatus.PLAYING and place == _JUST_NOW:
        moved = 0.0
    return _Draft(status, place, created, moved, days_a_move, rng.random())


def _is_listed(status: str, place: int) -> bool:
    return status != GameStatus.CHALLENGED and place // len(VARIANTS) % 10 < 7


def _game(draft: _Draft, players: int, now: datetime, rng: Random) -> dict[str, Any]:
    """Return the columns of a game."""
    variant = tuple(VARIANTS)[draft.place % len(VARIANTS)]
    course = _COURSES[variant]
    # Those who play much meet each other in most games.
    first, second = (2 + int((players - 1) * rng.random() ** 2) for _ in range(2))
    if draft.place < _OF_THE_REGULAR[draft.status]:
        first = REGULAR_ID
    elif second == first:
        second = 2 + (first - 1) % (players - 1)
    # What is drawn for the regular's games must not depend on how many others there are.
    fate = Random(int(draft.luck * 2**53))
    kind = fate.choices(("people", "solo", "bot"), (70, 10, 20))[0]
    if draft.status in (GameStatus.WAITING, GameStatus.CHALLENGED):
        kind = "people"
    status = draft.status if draft.status != GameStatus.FINISHED else _ending(kind, fate)
    ply = _length(status, course, fate)
    turn = course.turns[ply]
    created_at = now - timedelta(days=draft.created)
    moved_at = now - timedelta(days=draft.moved)
    is_over = status not in _SHARES
    row: dict[str, Any] = {
        "id": base64.b32encode(rng.randbytes(7)).decode().lower()[:10],
        "variant": variant,
        "listed": _is_listed(draft.status, draft.place),
        "rated": kind != "solo" and fate.random() < 0.5,
        "rating_number": None,
        "status": status,
        "ply": ply,
        "turn": turn,
        "turn_counter": ply + (is_over and status != GameStatus.FINISHED),
        "created_at": created_at,
        "moved_at": moved_at,
        "ended_at": moved_at if is_over else None,
        "started_at": None,
        "days_a_move": draft.days_a_move if kind == "people" else None,
        "lists_when_joined": _is_listed(draft.status, draft.place),
        "precedence": None,
        "challenged_player_id": None,
        "x_player_id": first,
        "o_player_id": first,
        "x_bot": None,
        "o_bot": None,
        "winner": None,
        "x_points": None,
        "o_points": None,
    }
    side = fate.choice("xo")
    other = "o" if side == "x" else "x"
    if kind == "bot":
        bot_side = ("o" if turn == "X" else "x") if not is_over else other
        row |= {f"{bot_side}_player_id": None, f"{bot_side}_bot": fate.choice(LEVELS)}
    elif kind == "people":
        row[f"{other}_player_id"] = second
        row["started_at"] = created_at
    if status in (GameStatus.WAITING, GameStatus.CHALLENGED):
        row |= {f"{other}_player_id": None, "started_at": None}
    if status == GameStatus.WAITING and row["listed"]:
        row["precedence"] = 0
    if status == GameStatus.CHALLENGED:
        row["challenged_player_id"] = second
        if draft.place < _OF_THE_REGULAR[GameStatus.CHALLENGED] // 2:
            row |= {f"{side}_player_id": second, "challenged_player_id": first}
    row |= _result(status, course, turn)
    return row | {"explored": row["listed"] and row["x_points"] is not None}


def _ending(kind: str, fate: Random) -> str:
    """Return how a game ended."""
    among_people = kind == "people"
    weights = (62, 18, 3, 10, 7) if among_people else (80, 13, 0, 0, 7)
    return fate.choices(
        (
            GameStatus.FINISHED,
            GameStatus.RESIGNED,
            GameStatus.AGREED,
            GameStatus.TIMED_OUT,
            GameStatus.ABORTED,
        ),
        weights,
    )[0]


def _length(status: str, course: _Course, fate: Random) -> int:
    """Return how many moves a game of that status has."""
    if status in (GameStatus.WAITING, GameStatus.CHALLENGED):
        return 0
    if status == GameStatus.ABORTED:
        return fate.randrange(2)
    return (
        len(course.moves) if status == GameStatus.FINISHED else fate.randrange(2, len(course.moves))
    )


def _result(status: str, course: _Course, turn: str) -> dict[str, object]:
    """Return the columns that say who won: the side to move resigns or runs out of time."""
    if status == GameStatus.FINISHED:
        winner = course.outcome.winner
        points = course.outcome.points
        return {"winner": winner and winner.value, "x_points": points[0], "o_points": points[1]}
    if status == GameStatus.AGREED:
        return {"x_points": 0.5, "o_points": 0.5}
    if status in (GameStatus.RESIGNED, GameStatus.TIMED_OUT):
        x_wins = turn == "O"
        return {"winner": "X" if x_wins else "O", "x_points": x_wins, "o_points": not x_wins}
    return {}


def _moves(game: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the columns of a game's moves, made in even steps."""
    course = _COURSES[game["variant"]]
    step = (game["moved_at"] - game["created_at"]) / max(game["ply"], 1)
    for ply in range(1, game["ply"] + 1):
        yield {
            "game_id": game["id"],
            "ply": ply,
            "side": course.turns[ply - 1],
            "move": course.moves[ply - 1],
            "played_at": game["created_at"] + ply * step,
        }


def main() -> None:
    """Make a crowd, and say how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.crowd", description=__doc__)
    parser.add_argument("home", type=Path, metavar="HOME")
    parser.add_argument("--games", type=int, default=1_000_000, help=f"{FEWEST} or more")
    parser.add_argument("--players", type=int, default=20_000, help="3 or more")
    parser.add_argument(
        "--certificate", default=certificate(REGULAR).fingerprint, help="the regular's fingerprint"
    )
    options = parser.parse_args()
    if options.games < FEWEST or options.players < 3:
        parser.error(f"there must be {FEWEST} games and 3 players at least")
    begin = time.perf_counter()
    fill(options.home, options.games, options.players, datetime.now(UTC), options.certificate)
    size = (options.home / "oxonaut.db").stat().st_size
    print(f"{time.perf_counter() - begin:.0f} s, {size / 1e6:,.0f} MB")


if __name__ == "__main__":
    main()
