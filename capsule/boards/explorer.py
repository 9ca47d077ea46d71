"""The explorer: how often positions were reached in listed games here, and how moves scored.

The first `MAX_PLIES` moves of a game count, and positions that look alike when the board is rotated
or mirrored are one. A game is counted soon after its end, in a step of the sweep that may be
interrupted or repeated: one transaction stores the counts and marks the game as counted.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import sqlalchemy as sa

from capsule.boards import model, queries
from capsule.context import Transaction
from capsule.db.database import Database
from capsule.errors import NotFound
from capsule.games import queries as game_queries, reading
from capsule.games.model import StoredGame, StoredMove
from engine import VARIANTS, InvalidMove, MoveError, Position, Side, Variant
from engine.boards.canonical import CanonicalPosition, canonical_positions
from engine.bots.analysis import exact_value

MAX_PLIES = 12
"""The number of first moves of a game that are counted."""

MAX_MOVES = 12
"""The number of next moves that a board shows, the most frequent ones."""

BATCH_SIZE = 50
"""The number of games counted in one transaction, for which a move may have to wait."""

MAX_GAMES_A_SWEEP = 200
"""The number of games that one sweep counts, so that it hardly slows page requests."""


def explored(transaction: Transaction, board: model.Board, moves: Sequence[str]) -> model.Explored:
    """Return the statistics of the position after these moves, at most `MAX_PLIES` of them."""
    position = canonical_positions(board.variant.start, moves)[-1]
    number = number_of(board.variant, position)
    found = queries.tallies_of(transaction.connection, number, MAX_MOVES)
    reached = found.pop("", model.Tally())
    moves_made = position.originals([*found])
    return reached, dict(zip(moves_made, found.values(), strict=True))


def number_of(variant: Variant, position: CanonicalPosition) -> int:
    """Return the number that stands for a position, and for all that look like it."""
    digest = sha256(f"{variant.key} {position.identity}".encode()).digest()
    return int.from_bytes(digest[:8], signed=True)


def count_due(database: Database, limit: int = MAX_GAMES_A_SWEEP) -> int:
    """Count listed games that have ended, and subtract those that are no longer listed.

    About `limit` games at most are examined; return how many there were.
    """
    examined, last = 0, ""
    while examined < limit:
        with database.reading() as connection:
            due = queries.games_due(connection, last, BATCH_SIZE)
        if due:
            _count(database, due)
            examined, last = examined + len(due), due[-1].id
        if len(due) < BATCH_SIZE:
            break
    return examined


def rebuild(database: Database, counted: Callable[[int], object]) -> None:
    """Count all games again; `counted` receives the number counted since the last call.

    While the table is emptied, moves wait; while it is filled, games may end, and are counted.
    """
    with database.writing() as connection:
        queries.forget_all(connection)
    while number := count_due(database, BATCH_SIZE):
        counted(number)


def count_games(database: Database) -> int:
    """Return the number of games that a rebuild counts."""
    with database.reading() as connection:
        return queries.count_games(connection)


def _count(database: Database, due: Sequence[sa.Row[str, bool]]) -> None:
    """Count or subtract games, whichever is due, unless another process has done that."""
    with database.reading() as connection:
        steps = _steps(connection, due)
    with database.writing() as connection:
        total: defaultdict[model.Place, model.Tally] = defaultdict(model.Tally)
        for game in due:
            if not queries.mark(connection, game.id, is_listed=game.is_listed):
                continue
            for place, tally in steps.get(game.id, ()):
                total[place] += tally if game.is_listed else -tally
        queries.add(connection, total)


@dataclass(frozen=True, slots=True)
class _Opening:
    """The first moves of a game, the positions between them, and these positions' numbers."""

    game: StoredGame
    moves: Sequence[StoredMove]
    positions: Sequence[CanonicalPosition]
    numbers: Sequence[int]


def _steps(
    connection: sa.Connection, due: Sequence[sa.Row[str, bool]]
) -> Mapping[str, Sequence[tuple[model.Place, model.Tally]]]:
    """Return the contributions of each game that can be replayed, by place."""
    games = game_queries.games_with(connection, [game.id for game in due])
    first_moves = {game.id: (0, MAX_PLIES) for game in games}
    moves = game_queries.moves_of_games(connection, first_moves)
    openings = [opening for game in games if (opening := _opening(game, moves[game.id]))]
    numbers = {number for opening in openings for number in opening.numbers}
    known = queries.known_values(connection, numbers)

    def value_of(number: int, position: Position) -> float | None:
        if number not in known:
            known[number] = exact_value(position)
        return known[number]

    return {opening.game.id: [*_steps_of(opening, value_of)] for opening in openings}


def _opening(game: StoredGame, moves: Sequence[StoredMove]) -> _Opening | None:
    try:
        positions = canonical_positions(game.variant.start, [each.move for each in moves])
    except MoveError:
        # `oxonaut check` reports it. The games after it are counted all the same.
        return None
    return _Opening(game, moves, positions, [number_of(game.variant, each) for each in positions])


def _steps_of(
    opening: _Opening, value_of: Callable[[int, Position], float | None]
) -> Iterator[tuple[model.Place, model.Tally]]:
    """Yield the contributions of a game by place, from the position where it began.

    `value_of` returns X's value with best play in a position with a number.
    """
    game, moves, numbers = opening.game, opening.moves, opening.numbers
    positions = opening.positions
    x, o = game.points or (0.0, 0.0)
    share_of_x = (1 + x - o) / 2
    for ply in range(game.start_ply, len(positions)):
        position = positions[ply].position
        score = share_of_x if position.turn is Side.X else 1 - share_of_x
        played = (
            model.Tally(bots=1, bots_points=score)
            if game.seat(position.turn).bot is not None
            else model.Tally(people=1, people_points=score)
        )
        yield (numbers[ply], ""), replace(played, x_value=value_of(numbers[ply], position))
        if ply < len(moves):
            after = value_of(numbers[ply + 1], positions[ply + 1].position)
            image = positions[ply].image(moves[ply].move)
            yield (numbers[ply], image), replace(played, x_value=after)


_BEGINNING = re.compile(r"~([a-z2-7]{10})\.(0|[1-9][0-9]{0,6})")


def read_board(transaction: Transaction, variant: str, line: str) -> model.Board | model.BrokenLine:
    """Return the board of a variant at the address that ends in `line`, or where its moves fail.

    Raises `NotFound` if a move cannot be read, or there is no such game or position.
    """
    texts = line.split(",") if line else []
    game = _BEGINNING.fullmatch(texts[0]) if texts else None
    if game is None:
        board = model.Board(VARIANTS[variant], VARIANTS[variant].start)
    else:
        board = _board_of_game(transaction, variant, game[1], int(game[2]))
        del texts[0]
    try:
        return model.follow(board, texts)
    except InvalidMove:
        raise NotFound from None


def moves_to(transaction: Transaction, board: model.Board) -> Sequence[str]:
    """Return all moves that lead to a board from the start."""
    if board.game is None:
        return board.line
    game = reading.game_at(transaction, board.game.game_id, board.game.ply)
    if game is None:
        raise NotFound
    return [*(each.move for each in reading.all_moves(transaction, game)), *board.line]


def _board_of_game(transaction: Transaction, variant: str, game_id: str, ply: int) -> model.Board:
    """Return the board of a game, as anyone who has its address may see it."""
    game = reading.game_at(transaction, game_id, ply)
    if game is None or game.variant.key != variant:
        raise NotFound
    return model.Board(
        game.variant, game.position, (), model.GameAtPly(game_id, ply, game.is_running)
    )
