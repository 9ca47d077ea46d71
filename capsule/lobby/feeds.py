"""What is new: the events of the games that a feed follows, read from what is stored.

Only listed games are in the feeds that are for anyone; a game that is not listed is in its own feed
and in the private ones of its players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.games import feed_entries, list_queries, listing
from capsule.games import queries as game_queries
from capsule.games.deadlines import apply_deadlines, vacations_in
from capsule.games.status import DECIDED, OVER, GameStatus
from capsule.lobby import feed_queries
from capsule.social import message_queries
from capsule.tournaments.feed import announcement
from capsule.tournaments.queries import newest_tournaments
from capsule.ui import atom
from capsule.ui.atom import MAX_ENTRIES
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.social.message_queries import IncomingMessage
    from capsule.ui.atom import Entry, Feed


MAX_GAMES = 100
"""Games of one player that a feed looks through, of those that go on and of those that ended."""


def public_feed(context: AppContext, variant: str | None = None) -> Feed:
    """Return the feed of the public games, of one variant or of all, that began and ended.

    Tournaments that were announced are in it too.
    """
    with context.database.reading() as connection:
        begun = list_queries.games_begun(connection, GameStatus.ABORTED, variant, MAX_ENTRIES)
        ended = list_queries.listed_games(connection, DECIDED, variant, MAX_ENTRIES)
        games = apply_deadlines(
            context, connection, list({game.id: game for game in (*begun, *ended)}.values())
        )
        announced = newest_tournaments(connection, variant, MAX_ENTRIES)
    entries = [*_beginnings_and_endings(games), *map(announcement, announced)]
    if variant is None:
        return atom.feed("/feed", message("Oxonaut: public games"), entries)
    title = message("Oxonaut: public games of {variant}", variant=VARIANTS[variant].name)
    return atom.feed(f"/games/{variant}/feed", title, entries)


def player_feed(context: AppContext, name: str) -> Feed | None:
    """Return the feed of a player's public games, or None where nobody has the name."""
    with context.database.reading() as connection:
        player = player_queries.player_by_name(connection, name)
        if player is None:
            return None
        games = listing.of_player(context, connection, player, MAX_GAMES, MAX_ENTRIES)
    title = message("Oxonaut: public games of {name}", name=player.name)
    return atom.feed(f"/players/{player.name}/feed", title, _beginnings_and_endings(games))


def game_feed(context: AppContext, game_id: str) -> Feed | None:
    """Return the feed of a game, or None where there is no such game."""
    with context.database.reading() as connection:
        found = game_queries.game_by_id(connection, game_id)
        if found is None:
            return None
        (game,) = apply_deadlines(context, connection, [found])
        after = game.ply - MAX_ENTRIES
        moves = game_queries.moves_of(connection, game_id, after=after, up_to=game.ply)
    return feed_entries.game_feed(game, moves)


def private_feed(context: AppContext, address: str) -> Feed | None:
    """Return the private feed at an address: the player's turns, and games that others ended.

    None where no feed has the address.
    """
    with context.database.reading() as connection:
        player = player_queries.player_by_feed(connection, address)
        if player is None:
            return None
        running = (
            *list_queries.challenges_to(connection, player.id, MAX_GAMES),
            *list_queries.games_of_player(connection, player.id, (GameStatus.PLAYING,), MAX_GAMES),
        )
        ended = list_queries.games_of_player(connection, player.id, OVER, MAX_GAMES)
        found = [game for game in running if feed_entries.has_turns(game)]
        found += [game for game in ended if feed_entries.has_turns(game)][:MAX_ENTRIES]
        games = apply_deadlines(context, connection, found)
        moves = feed_queries.last_moves(connection, [game.id for game in games], MAX_ENTRIES)
        vacations = vacations_in(connection, games)
        written = _written_to(connection, player)
    now = context.clock()
    entries = [
        entry
        for game in games
        for entry in feed_entries.private_entries(
            player.id, game, moves.get(game.id, ()), game.clock(vacations), now
        )
    ]
    entries += [feed_entries.message_written(each) for each in written]
    title = message("Oxonaut: news for {name}", name=player.name)
    return atom.feed(f"/feed/{address}", title, entries)


def _written_to(connection: Connection, player: Player) -> Sequence[IncomingMessage]:
    if not player.takes_messages:
        return ()
    return message_queries.incoming_messages(connection, player.id, atom.EPOCH, MAX_ENTRIES)


def _beginnings_and_endings(games: Iterable[StoredGame]) -> Iterator[Entry]:
    # Games that were called off are in no list either; those of a tournament begin all together.
    for game in games:
        if not game.was_called_off and game.tournament_id is None:
            yield feed_entries.beginning(game)
        if game.is_decided:
            yield feed_entries.ending(game)
