"""The events of a game as entries of feeds, each with a permanent address of its own.

- The start of a game has the address of its first position, `/play/<game>/0`.
- A move has the address of the position after it, `/play/<game>/<n>`, with a query, which pages
  ignore, if it replaced a move that was taken back.
- The end of a game has the address of the game, `/play/<game>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.status import GameStatus
from capsule.ui.atom import Entry, Feed, FeedKind, newest_entries
from engine import Side
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from capsule.games.clock import Clock
    from capsule.games.model import StoredGame, StoredMove
    from engine import Message


def beginning(game: StoredGame) -> Entry:
    """Return the entry of a new game."""
    title = message(
        "New game of {variant}: {x} – {o}",
        variant=game.variant.name,
        x=_player(game, Side.X),
        o=_player(game, Side.O),
    )
    return Entry(_address(game.id, 0), game.created_at, title)


def move_entry(game: StoredGame, move: StoredMove) -> Entry:
    """Return the entry of a move."""
    title = message(
        "Move {number}: {player} plays {move}",
        number=move.ply,
        player=_player(game, move.side),
        move=move.move,
    )
    return Entry(_address(game.id, move.ply, move.takebacks), move.played_at, title)


def ending(game: StoredGame) -> Entry:
    """Return the entry of a game's end."""
    return Entry(f"/play/{game.id}", game.ended_at or game.moved_at, _ending_title(game))


def game_feed(game: StoredGame, moves: Iterable[StoredMove]) -> Feed:
    """Return the feed of a game: its beginning, its last moves and its end."""
    title = message(
        "{variant}: {x} – {o}",
        variant=game.variant.name,
        x=_player(game, Side.X),
        o=_player(game, Side.O),
    )
    entries = [beginning(game), *(move_entry(game, move) for move in moves)]
    if not game.is_running:
        entries.append(ending(game))
    home = f"/play/{game.id}"
    return Feed(FeedKind.GAME, f"{home}/feed", home, title, newest_entries(entries))


def announces_turns(game: StoredGame) -> bool:
    """Tell whether private feeds announce the turns of a game.

    In a solo game or one against a bot, the player is never kept waiting, and needs no announcement
    unless it is a tournament game, whose clock runs against bots, too.
    """
    if game.tournament_id is not None:
        return True
    return not (game.is_solo or game.bot_level)


def private_entries(
    player_id: int,
    game: StoredGame,
    moves: Sequence[StoredMove],
    clock: Clock | None,
    now: datetime,
) -> Iterator[Entry]:
    """Yield a game's entries in the private feed of one of its players.

    They announce a challenge, each turn that the player was given, a clock that has nearly run
    down, and the end, unless the player brought it about.

    Args:
        player_id: The player, who has a seat or is challenged to take one.
        game: The game as it is now.
        moves: The last moves of the game, in order.
        clock: The clock of the side to move, None if none runs.
        now: The time, which decides whether a reminder is due.
    """
    if game.challenged_player_id == player_id:
        yield _challenge(game, player_id)
    side = game.side_of(player_id)
    if side is None:
        return
    is_turn = game.is_playing and game.turn is side
    yield from _turns(player_id, game, moves, side)
    if is_turn and _takebacks(game) != (moves[-1].takebacks if moves else 0):
        title = message(
            "Your turn at {variant} with {opponent} again: move {number}, after a takeback",
            variant=game.variant.name,
            opponent=_opponent(game, side),
            number=game.ply + 1,
        )
        yield Entry(_address(game.id, game.ply, _takebacks(game)), game.moved_at, title)
    if is_turn and clock is not None and now >= clock.reminder:
        yield _reminder(game, side, clock)
    if not game.is_running and not _was_ended_by(game, side, moves):
        yield ending(game)


def _address(game_id: str, ply: int, takebacks: int = 0) -> str:
    place = f"/play/{game_id}/{ply}"
    return f"{place}?{takebacks}" if takebacks else place


def _takebacks(game: StoredGame) -> int:
    # The number with which a move made now would be stored.
    return game.turn_counter - game.ply


def _was_ended_by(game: StoredGame, side: Side, moves: Sequence[StoredMove]) -> bool:
    if game.status is GameStatus.FINISHED:
        return bool(moves) and moves[-1].side is side
    return game.was_resigned and game.winner is not side


def _turns(
    player_id: int, game: StoredGame, moves: Sequence[StoredMove], side: Side
) -> Iterator[Entry]:
    # A player who has just accepted a challenge knows whose turn it is; and X may have moved before
    # anyone took the other seat.
    accepted = game.challenged_player_id == player_id
    if side is Side.X and not accepted and _began_with_first_turn(game, moves):
        title = message(
            "Your turn at {variant} with {opponent}: move 1",
            variant=game.variant.name,
            opponent=_opponent(game, side),
        )
        yield Entry(_address(game.id, 0), game.started_at or game.created_at, title)
    # The side that is to move after each move: none if the reply had been planned, or if the move
    # ended the game.
    movers = [None if move.planned else move.side for move in moves[1:]]
    movers.append(None if game.status is GameStatus.FINISHED else game.turn)
    # `movers` has one item too many if there are no moves.
    for move, next_mover in zip(moves, movers, strict=False):
        if move.side is not side and next_mover is side:
            title = message(
                "Your turn at {variant} with {opponent}: move {number}, after {move}",
                variant=game.variant.name,
                opponent=_opponent(game, side),
                number=move.ply + 1,
                move=move.move,
            )
            yield Entry(_address(game.id, move.ply, move.takebacks), move.played_at, title)


def _began_with_first_turn(game: StoredGame, moves: Sequence[StoredMove]) -> bool:
    if game.started_at is None:
        return False
    return not moves or (moves[0].ply == 1 and moves[0].played_at >= game.started_at)


def _reminder(game: StoredGame, side: Side, clock: Clock) -> Entry:
    title = message(
        "Still your turn at {variant} with {opponent}: play by {date}, {time} UTC",
        variant=game.variant.name,
        opponent=_opponent(game, side),
        date=clock.deadline.date(),
        time=f"{clock.deadline:%H:%M}",
    )
    path = f"{_address(game.id, game.ply)}?reminder-{game.turn_counter}"
    return Entry(path, clock.reminder, title)


def _challenge(game: StoredGame, player_id: int) -> Entry:
    challenger = (game.o if game.x.player_id in (None, player_id) else game.x).name
    title = message(
        "{opponent} challenges you at {variant}", opponent=challenger, variant=game.variant.name
    )
    return Entry(_address(game.id, 0), game.created_at, title)


def _opponent(game: StoredGame, side: Side) -> str | None:
    return game.seat(side.other).name


def _ending_title(game: StoredGame) -> Message:
    names = {
        "variant": game.variant.name,
        "x": _player(game, Side.X),
        "o": _player(game, Side.O),
    }
    if game.was_called_off:
        return message("Called off: {variant}, {x} – {o}", **names)
    if game.winner is None:
        if game.was_drawn_by_agreement:
            return message("{x} and {o} agree on a draw at {variant}", **names)
        return message("{x} and {o} draw at {variant}", **names)
    names |= {"winner": _player(game, game.winner), "loser": _player(game, game.winner.other)}
    if game.was_resigned:
        return message("{winner} beats {loser} at {variant} by resignation", **names)
    if game.was_lost_on_time:
        return message("{winner} beats {loser} at {variant} on time", **names)
    return message("{winner} beats {loser} at {variant}", **names)


def _player(game: StoredGame, side: Side) -> Message:
    name = game.seat(side).name
    if name is None:
        return message("open seat ({side})", side=side)
    return message("{name} ({side})", name=name, side=side)
