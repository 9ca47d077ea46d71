"""What is new: the events of the games that a feed follows, read from what is stored.

Only listed games are in the feeds that are for anyone; a game that is not listed is in its own feed
and in the private ones of its players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import feeds, lists
from capsule.feeds import MOST_ENTRIES
from capsule.game import ABORTED, ENDED, PLAYING, clock_of, current, vacations_in
from capsule.store import feeds as stored_feeds
from capsule.store import games as stored
from capsule.store import lists as stored_lists
from capsule.store import messages as stored_messages
from capsule.store import players as stored_players
from capsule.store.tournaments import newest_tournaments
from capsule.tournament_feed import announcement
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from capsule.feeds import Entry, Feed
    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.messages import News
    from capsule.store.players import Player

MOST_GAMES = 100
"""Games of one player that a feed looks through, of those that go on and of those that ended."""


def of_everybody(site: Site, variant: str | None = None) -> Feed:
    """Return the feed of the public games, of one variant or of all, that began and ended.

    Tournaments that were announced are in it too.
    """
    with site.store.reading() as connection:
        begun = stored_lists.games_begun(connection, ABORTED, variant, MOST_ENTRIES)
        ended = stored_lists.listed_games(connection, ENDED, variant, MOST_ENTRIES)
        games = current(
            site, connection, list({game.id: game for game in (*begun, *ended)}.values())
        )
        announced = newest_tournaments(connection, variant, MOST_ENTRIES)
    entries = [*_beginnings_and_endings(games), *map(announcement, announced)]
    if variant is None:
        return feeds.feed("/feed", message("Oxonaut: public games"), entries)
    title = message("Oxonaut: public games of {variant}", variant=VARIANTS[variant].name)
    return feeds.feed(f"/games/{variant}/feed", title, entries)


def of_player(site: Site, name: str) -> Feed | None:
    """Return the feed of a player's public games, or None where nobody has the name."""
    with site.store.reading() as connection:
        player = stored_players.player_by_name(connection, name)
        if player is None:
            return None
        games = lists.of_player(site, connection, player, MOST_GAMES, MOST_ENTRIES)
    title = message("Oxonaut: public games of {name}", name=player.name)
    return feeds.feed(f"/players/{player.name}/feed", title, _beginnings_and_endings(games))


def of_game(site: Site, game_id: str) -> Feed | None:
    """Return the feed of a game, or None where there is no such game."""
    with site.store.reading() as connection:
        found = stored.game_by_id(connection, game_id)
        if found is None:
            return None
        (game,) = current(site, connection, [found])
        after = game.ply - MOST_ENTRIES
        moves = stored.moves_of(connection, game_id, after=after, up_to=game.ply)
    return feeds.of_game(game, moves)


def for_player(site: Site, address: str) -> Feed | None:
    """Return the private feed at an address: the player's turns, and games that others ended.

    None where no feed has the address.
    """
    with site.store.reading() as connection:
        player = stored_feeds.player_by_feed(connection, address)
        if player is None:
            return None
        running = (
            *stored_lists.challenges_to(connection, player.id, MOST_GAMES),
            *stored_lists.games_of_player(connection, player.id, (PLAYING,), MOST_GAMES),
        )
        ended = stored_lists.games_of_player(connection, player.id, (*ENDED, ABORTED), MOST_GAMES)
        found = [game for game in running if feeds.has_turns(game)]
        found += [game for game in ended if feeds.has_turns(game)][:MOST_ENTRIES]
        games = current(site, connection, found)
        moves = stored_feeds.last_moves(connection, [game.id for game in games], MOST_ENTRIES)
        vacations = vacations_in(connection, games)
        written = _written_to(connection, player)
    now = site.clock()
    entries = [
        entry
        for game in games
        for entry in feeds.for_player(
            player.id, game, moves.get(game.id, ()), clock_of(game, vacations), now
        )
    ]
    entries += [feeds.message_written(each) for each in written]
    title = message("Oxonaut: news for {name}", name=player.name)
    return feeds.feed(f"/feed/{address}", title, entries)


def _written_to(connection: Connection, player: Player) -> Sequence[News]:
    if not player.takes_messages:
        return ()
    return stored_messages.news_for(connection, player.id, feeds.BEFORE_ANYTHING, MOST_ENTRIES)


def _beginnings_and_endings(games: Iterable[StoredGame]) -> Iterator[Entry]:
    # Games that were called off are in no list either; those of a tournament begin all together.
    for game in games:
        if game.status != ABORTED and game.tournament_id is None:
            yield feeds.beginning(game)
        if game.status in ENDED:
            yield feeds.ending(game)
