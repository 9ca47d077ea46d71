"""The feed of everyone's games: their beginnings, the moves of the last ones and their ends."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.everyone import queries
from capsule.everyone.model import EveryonesGame
from capsule.games import queries as game_queries
from capsule.games.feed_entries import move_entry
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries
from engine import Message
from engine.game import message

HOME = "/everyone/"

MAX_GAMES = 5
"""The newest games whose events the feed has."""


def feed(connection: sa.Connection) -> Feed:
    """Return the feed of everyone's games."""
    games = queries.newest_games(connection, MAX_GAMES)
    entries = [entry for game in games for entry in _entries_of(connection, game)]
    return Feed(
        FeedKind.EVERYONE,
        path=f"{HOME}feed",
        home=HOME,
        title=message("Oxonaut: everyone's game"),
        entries=newest_entries(entries),
    )


def letter_entries(transaction: Transaction, _player: Player) -> Sequence[Entry]:
    """Return the entries of the beginnings and the ends of the two newest games."""
    games = queries.newest_games(transaction.connection, 2)
    return [entry for game in games for entry in (_beginning(game), *_endings(game))]


def _entries_of(connection: sa.Connection, game: EveryonesGame) -> Iterator[Entry]:
    stored = game.stored
    yield _beginning(game)
    after = max(stored.ply - MAX_ENTRIES, 0)
    for move in game_queries.moves_of(connection, stored.id, after=after, up_to=stored.ply):
        yield move_entry(stored, move)
    yield from _endings(game)


def _beginning(game: EveryonesGame) -> Entry:
    stored = game.stored
    title = message(
        "Game {number} begins: {variant}, everyone against the {opponent}",
        number=game.number,
        variant=stored.variant.name,
        opponent=_opponent(game),
    )
    return Entry(f"{game.path}?begun", stored.created_at, title)


def _endings(game: EveryonesGame) -> Iterator[Entry]:
    stored = game.stored
    if not stored.is_running:
        yield Entry(f"{game.path}?over", stored.ended_at or stored.moved_at, _ending(game))


def _ending(game: EveryonesGame) -> Message:
    stored, values = game.stored, {"number": game.number, "opponent": _opponent(game)}
    if stored.points is None:
        return message("Game {number} is over: nobody voted for a week", **values)
    if stored.winner is None:
        return message("Game {number} is over: everyone draws with the {opponent}", **values)
    if stored.winner is stored.everyones_side:
        return message("Game {number} is over: everyone beats the {opponent}", **values)
    return message("Game {number} is over: the {opponent} beats everyone", **values)


def _opponent(game: EveryonesGame) -> str:
    seats = (game.stored.x, game.stored.o)
    return next(seat.name or "" for seat in seats if not seat.is_everyones)
