"""The events of a game as entries of feeds, each with a permanent address of its own.

- The start of a game has the address of the position from which it is played, in most games
  `/play/<game>/0`. Its time is that at which both seats were taken.
- An open seat and a challenge have that address with a query, which pages ignore. They are dated as
  they were made, and are no news once the seat is taken or the game is over.
- A move has the address of the position after it, `/play/<game>/<n>`, with a query, which pages
  ignore, if it replaced a move that was taken back.
- The end of a game has the address of the game, `/play/<game>`, and leads to `/play/<game>?end`,
  which its players have not been to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.end_reasons import reason_in_words
from capsule.games.event_addresses import end_address
from capsule.games.status import GameStatus
from capsule.ui.atom import Entry, Feed, FeedKind, newest_entries
from engine import Message, Side
from engine.game import in_context, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capsule.games.model import StoredGame, StoredMove


_WITHOUT_WINNER = {
    GameStatus.ABORTED: message("Aborted: {variant}, {x} – {o}"),
    GameStatus.AGREED: message("{x} and {o} agree on a draw in {variant}"),
    GameStatus.FINISHED: message("{x} and {o} draw in {variant}"),
}
_VICTORIES = {
    GameStatus.RESIGNED: message("{winner} beats {loser} at {variant} by resignation"),
    GameStatus.TIMED_OUT: message("{winner} beats {loser} at {variant} on time"),
    GameStatus.FINISHED: message("{winner} beats {loser} at {variant}"),
}


def beginning(game: StoredGame) -> Iterator[Entry]:
    """Yield the entry of a game that has begun or waits for a player, none if it never began."""
    place, offered_by = address(game.id, game.start_ply), game.open_side or game.reserved_side
    if offered_by is not None:
        host, variant = _name(game, offered_by.other), game.variant.name
        title = (
            message("{host} is looking for an opponent in {variant}", host=host, variant=variant)
            if game.open_side
            else message(
                "{host} challenges {challenged} to a game of {variant}",
                host=host,
                challenged=game.challenged.name,
                variant=variant,
            )
        )
        yield Entry(f"{place}?seat", game.created_at, title)
        return
    if game.x.is_empty or game.o.is_empty:
        return
    title = message(
        "{variant} begins: {x} – {o}",
        variant=game.variant.name,
        x=_name(game, Side.X),
        o=_name(game, Side.O),
    )
    yield Entry(place, game.started_at or game.created_at, title)


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
    return Entry(
        f"/play/{game.id}",
        game.ended_at or game.moved_at,
        _ending_title(game),
        end_address(game),
    )


def game_feed(game: StoredGame, moves: Iterable[StoredMove]) -> Feed:
    """Return the feed of a game: its beginning, its last moves and its end."""
    title = message(
        "{variant}: {x} – {o}",
        variant=game.variant.name,
        x=_player(game, Side.X),
        o=_player(game, Side.O),
    )
    entries = [*beginning(game), *(move_entry(game, move) for move in moves)]
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
        "x": _name(game, Side.X),
        "o": _name(game, Side.O),
    }
    reason = reason_in_words(game)
    if reason is not None:
        return message("Aborted: {variant}, {x} – {o}: {reason}", **names, reason=reason)
    if game.winner is None:
        return _WITHOUT_WINNER[game.status].filled(**names)
    names |= {"winner": _name(game, game.winner), "loser": _name(game, game.winner.other)}
    return _VICTORIES[game.status].filled(**names)


def _name(game: StoredGame, side: Side) -> Message | str:
    # Readers of feeds cut titles off, so these do without the sides.
    return game.holder(side).name or in_context("in the place of a player", "open seat")


def _player(game: StoredGame, side: Side) -> Message:
    name, side_name = _name(game, side), game.variant.side_name(side)
    return message("{name} ({side})", name=name, side=side_name)
