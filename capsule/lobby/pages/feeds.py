"""The public feeds, the feed of a game, and the private feed of a player.

Public feeds contain listed games only. An unlisted game is in its own feed, and in the private
feeds of its players.
"""

from collections.abc import Iterable, Iterator

from capsule.accounts import identity, queries as account_queries
from capsule.accounts.model import NewsKind, Player
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.games import feed_entries, list_queries, public_lists, queries as game_queries
from capsule.games.deadlines import apply_deadlines, vacations_in
from capsule.games.model import OVER, GameStatus, StoredGame
from capsule.games.reading import running_clock
from capsule.gemini.types import Request, Response
from capsule.languages.model import activate_language
from capsule.lobby import queries
from capsule.social import line_queries
from capsule.ui import atom
from capsule.ui.routes import FEED, GAME, PLAYER, VARIANT, Routes, named
from engine import VARIANTS, message

MAX_GAMES = 100
"""The most running games, and the most ended games, that a feed of a player considers."""


@reading
def public_feed(
    transaction: Transaction, request: Request, form: str | None, variant: str | None = None
) -> Response:
    """Return the feed of the public games, of one variant or of all: their beginnings and ends.

    It also contains the public events of features, such as tournaments and cups, but not the games
    of these.
    """
    games = apply_deadlines(
        transaction, list_queries.games_for_feed(transaction.connection, variant, atom.MAX_ENTRIES)
    )
    entries = [*_beginnings_and_endings(games)]
    since = atom.oldest_of(entries)
    # Of entries at one time, the feed takes the last for the newest. Reversed, so that the final
    # of a cup is newer than the end of the cup.
    for feature in reversed(transaction.context.features):
        entries += feature.public_entries(transaction, variant, since)
    title = (
        message("Oxonaut: public games")
        if variant is None
        else message("Oxonaut: public games of {variant}", variant=VARIANTS[variant].name)
    )
    feed = atom.Feed(
        atom.FeedKind.PUBLIC_GAMES,
        path="/feed" if variant is None else f"/games/{variant}/feed",
        home=f"/games/{variant or ''}",
        title=title,
        entries=atom.newest_entries(entries),
    )
    return identity.feed_page(transaction, request, feed, form, transaction.context.upgraded_at)


@reading
def player_feed(
    transaction: Transaction, request: Request, form: str | None, name: str
) -> Response:
    """Return the feed of a player's public games."""
    player = account_queries.player_by_name(transaction.connection, name)
    if player is None:
        raise NotFound
    games = public_lists.games_of_player(transaction, player, MAX_GAMES, atom.MAX_ENTRIES)
    feed = atom.Feed(
        atom.FeedKind.PUBLIC_GAMES,
        path=f"/players/{player.name}/feed",
        home="/games/",
        title=message("Oxonaut: public games of {name}", name=player.name),
        entries=atom.newest_entries(_beginnings_and_endings(games)),
    )
    return identity.feed_page(transaction, request, feed, form, transaction.context.upgraded_at)


@reading
def game_feed(
    transaction: Transaction, request: Request, form: str | None, game_id: str
) -> Response:
    """Return the feed of a game, listed or not, for anyone who knows its address."""
    connection = transaction.connection
    found = game_queries.game_by_id(connection, game_id)
    if found is None:
        raise NotFound
    (game,) = apply_deadlines(transaction, [found])
    after = max(game.ply - atom.MAX_ENTRIES, game.start_ply)
    moves = game_queries.moves_of(connection, game_id, after=after, up_to=game.ply)
    feed = feed_entries.game_feed(game, moves)
    return identity.feed_page(transaction, request, feed, form, transaction.context.upgraded_at)


@reading
def private_feed(
    transaction: Transaction, request: Request, form: str | None, address: str
) -> Response:
    """Return a player's private feed, which its secret address opens: feed readers do not sign in.

    It contains the kinds of events that the player has chosen, in the player's language: turns,
    challenges, offers, messages, reminders, games that others ended, and tournaments.
    """
    connection = transaction.connection
    player = account_queries.player_by_feed(connection, address)
    if player is None:
        raise NotFound
    activate_language(player.settings.language)
    running = (
        *list_queries.challenges_to(connection, player.id, MAX_GAMES),
        *list_queries.games_of_player(connection, player.id, (GameStatus.PLAYING,), MAX_GAMES),
    )
    ended = list_queries.games_of_player(connection, player.id, OVER, MAX_GAMES)
    found = [game for game in running if feed_entries.has_entries(game)]
    found += [game for game in ended if feed_entries.has_entries(game)][: atom.MAX_ENTRIES]
    games = apply_deadlines(transaction, found)
    moves = queries.last_moves(connection, [game.id for game in games], atom.MAX_ENTRIES)
    vacations = vacations_in(connection, games)
    kinds = player.settings.enabled_news
    entries: list[atom.Entry] = []
    for game in games:
        clock = running_clock(transaction, game, vacations)
        last = moves.get(game.id, ())
        followed = feed_entries.FollowedGame(player.id, game, last, clock, transaction.now)
        entries += feed_entries.private_entries(followed, kinds)
    entries += _line_entries(transaction, player)
    if NewsKind.TOURNAMENTS in kinds:
        for feature in transaction.context.features:
            entries += feature.private_entries(transaction, player)
    feed = atom.Feed(
        atom.FeedKind.PRIVATE,
        path=f"/feed/{address}",
        home="/play/",
        title=message("Oxonaut: {name}", name=player.name),
        entries=atom.newest_entries(entries),
    )
    return identity.feed_page(transaction, request, feed, form, transaction.context.upgraded_at)


def _line_entries(transaction: Transaction, player: Player) -> Iterator[atom.Entry]:
    """Yield the entries of the last messages to a player, and of comments on their games.

    The entries omit the text: a feed is read without a certificate, and a text that a feed reader
    has fetched cannot be withdrawn.
    """
    if not player.settings.takes_messages or NewsKind.MESSAGES not in player.settings.enabled_news:
        return
    for kind, title, incoming in (
        ("messages", message("Message: {author}, {variant}"), line_queries.INCOMING_MESSAGES),
        ("comments", message("Comment: {author}, {variant}"), line_queries.INCOMING_COMMENTS),
    ):
        lines = line_queries.incoming(
            transaction.connection, incoming, player.id, atom.EPOCH, atom.MAX_ENTRIES
        )
        for line in lines:
            words = title.filled(author=line.author, variant=line.variant.name)
            yield atom.Entry(f"/play/{line.game_id}/{kind}?{line.id}", line.sent_at, words)


def _beginnings_and_endings(games: Iterable[StoredGame]) -> Iterator[atom.Entry]:
    # Lists show no aborted games. Tournaments have their own entries, and their games would flood
    # the feed.
    for game in games:
        if game.tournament_id is not None:
            continue
        if not game.was_aborted:
            yield from feed_entries.beginning(game)
        if game.is_decided:
            yield feed_entries.ending(game)


ROUTES: Routes = named(
    "lobby.pages.feeds",
    (
        (f"/{FEED}", public_feed),
        (f"/games/{VARIANT}/{FEED}", public_feed),
        (f"/players/{PLAYER}/{FEED}", player_feed),
        (f"/play/{GAME}/{FEED}", game_feed),
        (r"/feed/(?P<address>[a-z2-7]{32})(?P<form>\.xml)?", private_feed),
    ),
)
