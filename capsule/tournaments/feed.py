"""The feed of a tournament, and its entries in the public and the private feeds.

The addresses of its events: the announcement, start and end have that of its page, with a query
that the page ignores, and a game's result has the address that it has in other feeds.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.games.feed_entries import ending
from capsule.languages.numbers import score
from capsule.tournaments import queries
from capsule.tournaments.model import CancellationReason, StoredTournament, Tournament
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries, oldest_of
from engine import Message
from engine.game import in_context, message

MAX_TOURNAMENTS = 10
"""The number of a player's tournaments that are searched for their private feed."""


def tournament_feed(tournament: Tournament) -> Feed:
    """Return the feed of a tournament: its announcement, its start, each result and its end."""
    stored = tournament.stored
    results = [ending(game) for game in tournament.games if not game.is_running]
    return Feed(
        FeedKind.TOURNAMENT,
        path=f"{stored.path}/feed",
        home=stored.path,
        title=message("Oxonaut: {title}", title=_title(stored)),
        entries=newest_entries([*results, *_events(tournament)]),
    )


def public_entries(
    transaction: Transaction, variant: str | None, since: datetime
) -> Sequence[Entry]:
    """Return the entries of public feeds: the newest beginnings, and the ends since then."""
    connection = transaction.connection
    announced = queries.newest_tournaments(connection, variant, MAX_ENTRIES)
    begun = [entry for each in announced for entry in _beginning(each)]
    # Each tournament of an entry is read with all its games.
    ended = queries.tournaments_finished_since(
        connection, variant, max(since, oldest_of(begun)), MAX_ENTRIES
    )
    return [*begun, *(_ending(queries.load_tournament(transaction, each)) for each in ended)]


def _beginning(tournament: StoredTournament) -> Iterator[Entry]:
    """Yield the one entry that public feeds have of a tournament's beginning.

    It is the announcement until the tournament starts, and then the start, at its own time and
    address. One that was cancelled before has none: nobody can join it.
    """
    if tournament.has_started:
        yield _start(tournament, message("{title} begins: {variant}"))
    elif tournament.is_announced:
        yield _announcement(tournament)


def _announcement(tournament: StoredTournament) -> Entry:
    words = message("{title} is announced: {variant}, {seats} players at most")
    return _entry(tournament, "announced", tournament.created_at, words)


def _start(tournament: StoredTournament, words: Message, **values: object) -> Entry:
    started_at = tournament.started_at or tournament.created_at
    return _entry(tournament, "started", started_at, words, **values)


def _entry(
    tournament: StoredTournament, event: str, at: datetime, words: Message, **values: object
) -> Entry:
    values |= {"variant": tournament.variant.name, "seats": tournament.seat_count}
    title = words.filled(title=_title(tournament), **values)
    return Entry(f"{tournament.path}?{event}", at, title)


def _title(tournament: StoredTournament) -> str | Message:
    if tournament.cup is not None:
        return tournament.cup.title
    return tournament.title or in_context(
        "within a sentence", "a tournament of {variant}", variant=tournament.variant.name
    )


_PUBLIC_ENDINGS = (
    message("{title} is cancelled"),
    message("{title} is over: nobody stayed to win it"),
    message("{title} is over: {name} wins, points: {points}"),
    message("{title} is over: {names} share first place, points: {points}"),
)
_PRIVATE_ENDINGS = (
    message("Cancelled: {title}"),
    message("Over: {title}, nobody stayed to win it"),
    message("Over: {title}, {name} wins"),
    message("Over: {title}, {names} share first place"),
)


def _ending(tournament: Tournament, words: Sequence[Message] = _PUBLIC_ENDINGS) -> Entry:
    """Return the entry of the end of a tournament that is over.

    `words` are those of one that was cancelled, of one without a winner, with one, and with more.
    """
    stored, names = tournament.stored, tuple(seat.name for seat in tournament.winners)
    return _entry(
        stored,
        # The stored status, "finished" or "cancelled".
        stored.status,
        stored.ended_at or stored.created_at,
        words[0 if tournament.cancellation else 1 + min(len(names), 2)],
        name=next(iter(names), ""),
        names=names,
        points=score(tournament.winning_points),
    )


def private_entries(transaction: Transaction, player: Player) -> Sequence[Entry]:
    """Return the entries of a player's tournaments in their private feed: beginnings and ends."""
    connection = transaction.connection
    found = queries.tournaments_of_player(connection, player.id, MAX_TOURNAMENTS, with_over=True)
    if not found:
        return ()
    players = queries.count_seats(connection, [each.id for each in found])
    begins = message("Begins: {title}, {variant}, {count} players")
    over = (queries.load_tournament(transaction, each) for each in found if each.is_over)
    return [
        *(_start(each, begins, count=players[each.id]) for each in found if each.has_started),
        *(_ending(each, _PRIVATE_ENDINGS) for each in over if not _has_cancelled(player, each)),
    ]


def _has_cancelled(player: Player, tournament: Tournament) -> bool:
    is_by_announcer = tournament.cancellation is CancellationReason.BY_ANNOUNCER
    return is_by_announcer and tournament.stored.announced_by == player.id


def _events(tournament: Tournament) -> Iterator[Entry]:
    stored = tournament.stored
    if stored.cup is None:
        yield _announcement(stored)
    if stored.started_at is not None:
        words = message("{title} starts: {count} players, {games} games")
        yield _start(stored, words, count=len(tournament.seats), games=len(tournament.games))
    if stored.ended_at is not None:
        yield _ending(tournament)
