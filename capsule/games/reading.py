"""Reading games: one game at its latest or an earlier move, and lists of games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

import sqlalchemy as sa
from cachetools import LRUCache

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.errors import OutdatedAction, require_worker
from capsule.games import list_queries, queries as game_queries
from capsule.games.clock import Clock, ClockState, Vacations
from capsule.games.deadlines import apply_deadlines, vacations_in, with_deadlines_applied
from capsule.games.game import MAX_RECENT_MOVES, Game
from capsule.games.model import OVER, StoredGame, StoredMove
from engine import Position
from engine.record import Record

MAX_TURNS = 2_000
"""Positions kept at most; the least recently used goes first."""


MAX_MOVES_A_TURN = 2
"""The most moves one side makes in a row: in extreme with a bonus, in quantum after a choice."""

CHECKPOINT_INTERVAL = 32
"""On the way to a later position, every position after a multiple of this many moves is kept."""

MAX_REPLAYED = 100
"""The most moves that are replayed while others wait."""

MAX_PLY = 400
"""The most moves to a position that is shown while others wait: large grids take time to draw."""


@dataclass(frozen=True)
class Replayed:
    """The position to which a game's moves lead, and the last few of them, the oldest first.

    `before_turn` is the position before the first of the last moves that one side made in a row;
    None if that is unknown.
    """

    position: Position
    recent: Sequence[StoredMove]
    before_turn: Position | None = None


def require_short(ply: int, replayed: int = 0) -> None:
    """Raise `WouldBlock` where others wait, if a position is too far on or takes too many moves.

    It is the position after `ply` moves, of which `replayed` have to be replayed.
    """
    if ply > MAX_PLY or replayed > MAX_REPLAYED:
        require_worker()


class ReplayCache:
    """Positions of games by turn counter; safe to share between threads.

    Every change of a game's moves raises its turn counter, so cached positions never become stale.
    """

    def __init__(self, max_turns: int = MAX_TURNS) -> None:
        self._kept: LRUCache[tuple[str, int], Replayed] = LRUCache(max_turns)
        self._lock = Lock()

    def get(self, game_id: str, turn_counter: int, replay: Callable[[], Replayed]) -> Replayed:
        """Return the game's position at that turn, from `replay` if it is not cached."""
        cached = self.find(game_id, turn_counter)
        if cached is None:
            cached = replay()
            self.put(game_id, turn_counter, cached)
        return cached

    def find(self, game_id: str, turn_counter: int) -> Replayed | None:
        """Return the game's position at that turn, None unless it is cached."""
        with self._lock:
            return self._kept.get((game_id, turn_counter))

    def put(self, game_id: str, turn_counter: int, replayed: Replayed) -> None:
        """Cache the game's position at that turn."""
        with self._lock:
            self._kept[(game_id, turn_counter)] = replayed


@dataclass(frozen=True, slots=True)
class _Replay:
    """The way to the position after `ply` moves of a game, from an earlier `position` on.

    The last `recent` moves are wanted, too.
    """

    game: StoredGame
    ply: int
    recent: int
    start: int
    position: Position

    @property
    def moves_after(self) -> int:
        """The number of the move after which moves have to be read."""
        return min(self.start, max(self.ply - self.recent, 0))

    def go(self, cache: ReplayCache, moves: Sequence[StoredMove]) -> Replayed:
        """Return where these moves lead, and cache some positions on the way."""
        position, game = self.position, self.game
        before_turn, mover = None, None
        for move in moves:
            if move.ply <= self.start:
                continue
            if move.side is not mover or move.ply == game.start_ply + 1:
                before_turn, mover = position, move.side
            position = position.play(move.move)
            if move.ply % CHECKPOINT_INTERVAL == 0 and move.ply < self.ply:
                cache.put(_history(game), move.ply, Replayed(position, ()))
        played = [move for move in moves[-self.recent :] if move.ply > game.start_ply]
        return Replayed(position, played, before_turn if played else None)


def replay(
    cache: ReplayCache, connection: sa.Connection, game: StoredGame, ply: int, recent: int
) -> Replayed:
    """Return the position after the first `ply` moves of a game, with the last `recent` of them.

    Moves that led to the position from which the game was played are not among these. Raises
    `WouldBlock` where that takes too long.

    Some positions on the way are cached, so that stepping through a long game, as readers and
    crawlers do, does not trigger a full replay for each page.
    """
    way = _way(cache, game, ply, recent)
    return way.go(
        cache, game_queries.moves_of(connection, game.id, after=way.moves_after, up_to=ply)
    )


def replay_all(
    cache: ReplayCache, connection: sa.Connection, games: Sequence[StoredGame], recent: int
) -> Sequence[Replayed]:
    """Return the positions of games after all their moves, from the cache if they are there.

    The moves of the others are read at once. Raises `WouldBlock` as `replay` does.
    """
    ways = {
        game.id: _way(cache, game, game.ply, recent)
        for game in games
        if cache.find(game.id, game.turn_counter) is None
    }
    moves = game_queries.moves_of_games(
        connection, {game_id: (way.moves_after, way.ply) for game_id, way in ways.items()}
    )

    def replay_one(game: StoredGame) -> Replayed:
        if game.id in ways:
            return ways[game.id].go(cache, moves[game.id])
        # It has left the cache meanwhile.
        return replay(cache, connection, game, game.ply, recent)

    return [cache.get(game.id, game.turn_counter, partial(replay_one, game)) for game in games]


def _way(cache: ReplayCache, game: StoredGame, ply: int, recent: int) -> _Replay:
    """Return the shortest way to a position; raises `WouldBlock` where it is too long."""
    start, position = 0, game.variant.start
    last_checkpoint = (ply - MAX_MOVES_A_TURN) // CHECKPOINT_INTERVAL * CHECKPOINT_INTERVAL
    for checkpoint in range(last_checkpoint, 0, -CHECKPOINT_INTERVAL):
        cached = cache.find(_history(game), checkpoint)
        if cached is not None:
            start, position = checkpoint, cached.position
            break
    require_short(ply, ply - start)
    return _Replay(game, ply, recent, start, position)


def _history(game: StoredGame) -> str:
    # This difference changes only when moves are taken back: then later moves follow another
    # history.
    return f"{game.id}/{game.turn_counter - game.ply}"


MAX_ENDED = 20
"""The number of ended games that a player is shown."""


def game_at(transaction: Transaction, game_id: str, ply: int | None = None) -> Game | None:
    """Return the game as it is now or after its first `ply` moves; None if there is none."""
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None or (ply is not None and ply > game.ply):
        return None
    return load_game(transaction, game, ply)


def all_moves(transaction: Transaction, game: Game) -> Sequence[StoredMove]:
    """Return every move of the game up to `game.ply`."""
    return game_queries.moves_of(transaction.connection, game.stored.id, up_to=game.ply)


def moves_between(
    transaction: Transaction, game: Game, first: int, last: int
) -> Sequence[StoredMove]:
    """Return the game's moves from number `first` to number `last`, both included."""
    return game_queries.moves_of(
        transaction.connection, game.stored.id, after=first - 1, up_to=last
    )


def ended_games_of(connection: sa.Connection, player: Player) -> Sequence[StoredGame]:
    """Return the games of a player that ended last, up to `MAX_ENDED`."""
    return list_queries.games_of_player(connection, player.id, OVER, MAX_ENDED)


def load_game(transaction: Transaction, stored: StoredGame, ply: int | None = None) -> Game:
    """Return a stored game as it is now, after all of its moves or the first `ply` of them.

    Raises `WouldBlock` where others wait, if it takes too long to replay or to show.
    """
    connection = transaction.connection
    last = stored.ply if ply is None else ply
    require_short(last)
    vacations = vacations_in(connection, [stored])
    stored = with_deadlines_applied(stored, vacations, transaction.deadline_time)
    replayed = (
        _latest(transaction, stored)
        if last == stored.ply
        else replay(transaction.context.replays, connection, stored, last, MAX_RECENT_MOVES)
    )
    return _game(transaction, stored, last, replayed, vacations)


def _latest(transaction: Transaction, game: StoredGame) -> Replayed:
    cache = transaction.context.replays
    again = partial(replay, cache, transaction.connection, game, game.ply, MAX_RECENT_MOVES)
    return cache.get(game.id, game.turn_counter, again)


def load_games(transaction: Transaction, stored: Sequence[StoredGame]) -> Sequence[Game]:
    """Return stored games as they are now, as `load_game` does, with as few statements as one.

    Raises `WouldBlock` as `load_game` does.
    """
    connection = transaction.connection
    for game in stored:
        require_short(game.ply)
    vacations, now = vacations_in(connection, stored), transaction.deadline_time
    current = [with_deadlines_applied(game, vacations, now) for game in stored]
    replayed = replay_all(transaction.context.replays, connection, current, MAX_RECENT_MOVES)
    return [
        _game(transaction, game, game.ply, known, vacations)
        for game, known in zip(current, replayed, strict=True)
    ]


def running_clock(transaction: Transaction, game: StoredGame, vacations: Vacations) -> Clock | None:
    """Return the clock of the side to move; None if none runs. `vacations` are by player.

    No clock runs while the machine's clock is in doubt.
    """
    return None if transaction.clock_doubt else game.clock(vacations)


def _game(
    transaction: Transaction, stored: StoredGame, ply: int, replayed: Replayed, vacations: Vacations
) -> Game:
    return Game(
        stored=stored,
        position=replayed.position,
        ply=ply,
        recent=replayed.recent,
        now=transaction.now,
        clock=running_clock(transaction, stored, vacations),
        vacations=vacations,
        before_turn=replayed.before_turn,
    )


def hold_at_turn(transaction: Transaction, game_id: str, turn_counter: int) -> Game:
    """Return a running game, which nobody else can change until the transaction ends.

    Raises `OutdatedAction` if it has ended, or if its turn counter is not `turn_counter` any more.
    """
    stored = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if stored is None or stored.turn_counter != turn_counter:
        raise OutdatedAction
    (current,) = apply_deadlines(transaction, [stored])
    return load_running(transaction, current)


def load_running(transaction: Transaction, stored: StoredGame) -> Game:
    """Return a game, with deadlines applied, to act in it; raises `OutdatedAction` if it is over.

    Vacations are only read, and known, where the time for a move would be up without them.
    """
    if stored.status in OVER:
        raise OutdatedAction
    require_short(stored.ply)
    game = _game(transaction, stored, stored.ply, _latest(transaction, stored), {})
    if game.clock is None or game.clock.state(game.now) is ClockState.IN_TIME:
        return game
    vacations = vacations_in(transaction.connection, [stored])
    return replace(game, vacations=vacations, clock=running_clock(transaction, stored, vacations))


def records_of(connection: sa.Connection, games: Sequence[StoredGame]) -> Sequence[Record]:
    """Return the records of games in their order, with all moves and times in whole seconds."""
    moves = game_queries.moves_of_games(connection, {game.id: (0, game.ply) for game in games})
    return [_record(game, moves[game.id]) for game in games]


def _record(stored: StoredGame, moves: Sequence[StoredMove]) -> Record:
    return Record(
        variant=stored.variant.key,
        id=stored.id,
        x=stored.x.recorded_name,
        o=stored.o.recorded_name,
        moves=tuple(each.move for each in moves),
        status=stored.status,
        winner=stored.winner,
        points=stored.points,
        created=stored.created_at.replace(microsecond=0),
        ended=stored.ended_at and stored.ended_at.replace(microsecond=0),
        start=stored.start_ply,
        reason=stored.end_reason,
        ended_by=stored.ended_by,
        challenged=stored.challenged.recorded_name if stored.end_reason else None,
    )
