"""The events of a game as entries of feeds, each with a permanent address of its own.

- The start of a game has the address of the position from which it is played, in most games
  `/play/<game>/0`.
- A move has the address of the position after it, `/play/<game>/<n>`, with a query, which pages
  ignore, if it replaced a move that was taken back.
- The end of a game has the address of the game, `/play/<game>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.status import GameStatus
from capsule.ui.atom import Entry, Feed, FeedKind, newest_entries
from engine import Message, Side
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capsule.games.model import StoredGame, StoredMove


_WITHOUT_WINNER = {
    GameStatus.ABORTED: message("Called off: {variant}, {x} – {o}"),
    GameStatus.AGREED: message("{x} and {o} agree on a draw at {variant}"),
    GameStatus.FINISHED: message("{x} and {o} draw at {variant}"),
}
_VICTORIES = {
    GameStatus.RESIGNED: message("{winner} beats {loser} at {variant} by resignation"),
    GameStatus.TIMED_OUT: message("{winner} beats {loser} at {variant} on time"),
    GameStatus.FINISHED: message("{winner} beats {loser} at {variant}"),
}


def beginning(game: StoredGame) -> Entry:
    """Return the entry of a new game."""
    title = message(
        "New game of {variant}: {x} – {o}",
        variant=game.variant.name,
        x=_player(game, Side.X),
        o=_player(game, Side.O),
    )
    return Entry(address(game.id, game.start_ply), game.created_at, title)


def move_entry(game: StoredGame, move: StoredMove) -> Entry:
    """Return the entry of a move."""
    title = message(
        "Move {number}: {player} plays {move}",
        number=move.ply,
        player=_player(game, move.side),
        move=move.move,
    )
    return Entry(address(game.id, move.ply, move.takebacks), move.played_at, title)


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


def address(game_id: str, ply: int, takebacks: int = 0) -> str:
    """Return the address of the position after `ply` moves, set apart from those taken back."""
    place = f"/play/{game_id}/{ply}"
    return f"{place}?{takebacks}" if takebacks else place


def _ending_title(game: StoredGame) -> Message:
    names = {
        "variant": game.variant.name,
        "x": _player(game, Side.X),
        "o": _player(game, Side.O),
    }
    if game.winner is None:
        return Message(_WITHOUT_WINNER[game.status].text, names)
    names |= {"winner": _player(game, game.winner), "loser": _player(game, game.winner.other)}
    return Message(_VICTORIES[game.status].text, names)


def _player(game: StoredGame, side: Side) -> Message:
    name = game.seat(side).name
    if name is None:
        return message("open seat ({side})", side=side)
    return message("{name} ({side})", name=name, side=side)
