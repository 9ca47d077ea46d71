"""The explorer: how often positions were reached in listed games here, and how moves scored.

The first `MAX_PLIES` moves of a game count, and positions that look alike when the board is rotated
or mirrored are one. A game is counted soon after its end, in a step of the sweep that may be
interrupted or repeated: one transaction stores the counts and marks the game as counted.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

import sqlalchemy as sa

from capsule.boards import model, queries
from capsule.context import AppContext, Transaction, reading, writing
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.model import StoredGame, StoredMove
from capsule.games.reading import all_moves, game_at
from engine import VARIANTS, InvalidMove, MoveError, Position, Side, Variant
from engine.boards.canonical import CanonicalPosition, canonical_positions
from engine.bots.analysis import exact_value

MAX_PLIES = 12
"""The number of first moves of a game that are counted."""

MAX_MOVES = 12
"""The number of next moves that a board shows, the most frequent ones."""

BATCH_SIZE = 50
"""The number of games counted in one transaction, for which a move may have to wait."""

_Steps = Sequence[tuple[model.Place, model.Tally]]
"""The contributions of a game, by place."""

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


def count_due(context: AppContext, limit: int = MAX_GAMES_A_SWEEP) -> int:
    """Count listed games that have ended, and subtract those that are no longer listed.

    About `limit` games at most are examined; return how many there were.
    """
    examined, last = 0, ""
    while examined < limit and (due := _due(context, last)):
        _count(context, due)
        examined, last = examined + len(due), due[-1][0].id
    return examined


def rebuild(context: AppContext, counted: Callable[[int], object]) -> None:
    """Count all games again; `counted` receives the number counted since the last call.

    While the table is emptied, moves wait; while it is filled, games may end, and are counted.
    """
    with context.writing() as transaction:
        queries.forget_all(transaction.connection)
    while number := count_due(context, BATCH_SIZE):
        counted(number)


@reading
def count_games(transaction: Transaction) -> int:
    """Return the number of games that a rebuild counts."""
    return queries.count_games(transaction.connection)


@reading
def _due(transaction: Transaction, last: str) -> Sequence[tuple[sa.Row[str, bool], _Steps]]:
    """Return the next games to count or to subtract, with the contributions of each."""
    connection = transaction.connection
    due = queries.games_due(connection, last, BATCH_SIZE)
    games = game_queries.games_with(connection, [game.id for game in due])
    first_moves = {game.id: (0, MAX_PLIES) for game in games}
    moves = game_queries.moves_of_games(connection, first_moves)
    reached = {game.id: [*_reached(game, moves[game.id])] for game in games}
    numbers = {number for each in reached.values() for _, number in each}
    known = queries.known_values(connection, numbers)

    def value_of(number: int, position: Position) -> float | None:
        if number not in known:
            known[number] = exact_value(position)
        return known[number]

    steps = {
        game.id: [*_steps_of(game, moves[game.id], reached[game.id], value_of)] for game in games
    }
    return [(game, steps.get(game.id, ())) for game in due]


@writing
def _count(transaction: Transaction, due: Sequence[tuple[sa.Row[str, bool], _Steps]]) -> None:
    """Count or subtract games, whichever is due, unless another process has done that."""
    total: defaultdict[model.Place, model.Tally] = defaultdict(model.Tally)
    for game, steps in due:
        if queries.mark(transaction.connection, game.id, is_listed=game.is_listed):
            for place, tally in steps:
                total[place] += tally if game.is_listed else -tally
    queries.add(transaction.connection, total)


def _reached(
    game: StoredGame, moves: Sequence[StoredMove]
) -> Sequence[tuple[CanonicalPosition, int]]:
    """Return the positions that moves lead to, with their numbers; none if one is illegal."""
    try:
        positions = canonical_positions(game.variant.start, [each.move for each in moves])
    except MoveError:
        # `oxonaut check` reports it. The games after it are counted all the same.
        return ()
    return [(each, number_of(game.variant, each)) for each in positions]


def _steps_of(
    game: StoredGame,
    moves: Sequence[StoredMove],
    reached: Sequence[tuple[CanonicalPosition, int]],
    value_of: Callable[[int, Position], float | None],
) -> Iterator[tuple[model.Place, model.Tally]]:
    """Yield the contributions of a game by place, from the position where it began.

    `value_of` returns X's value with best play in a position with a number.
    """
    x, o = game.points or (0.0, 0.0)
    share_of_x = (1 + x - o) / 2
    for ply in range(game.start_ply, len(reached)):
        (place, number), position = reached[ply], reached[ply][0].position
        score = share_of_x if position.turn is Side.X else 1 - share_of_x
        played = (
            model.Tally(bots=1, bots_points=score)
            if game.seat(position.turn).bot is not None
            else model.Tally(people=1, people_points=score)
        )
        yield (number, ""), replace(played, x_value=value_of(number, position))
        if ply < len(moves):
            following, its_number = reached[ply + 1]
            after = value_of(its_number, following.position)
            yield (number, place.image(moves[ply].move)), replace(played, x_value=after)


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
    game = game_at(transaction, board.game.game_id, board.game.ply)
    if game is None:
        raise NotFound
    return [*(each.move for each in all_moves(transaction, game)), *board.line]


def _board_of_game(transaction: Transaction, variant: str, game_id: str, ply: int) -> model.Board:
    """Return the board of a game, as anyone who has its address may see it."""
    game = game_at(transaction, game_id, ply)
    if game is None or game.variant.key != variant:
        raise NotFound
    return model.Board(
        game.variant, game.position, (), model.GameAtPly(game_id, ply, game.is_running)
    )
