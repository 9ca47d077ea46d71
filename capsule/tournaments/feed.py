"""The feed of a tournament, and its announcement in the feed for everybody.

The addresses of its events: the announcement, start and end have that of its page, with a query
that the page ignores, and a game's result has that of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.feed_entries import ending
from capsule.tournaments.standings import winners
from capsule.ui.atom import Entry, Feed, FeedKind, newest_entries
from capsule.ui.numbers import score
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.tournaments.model import StoredTournament, Tournament
    from engine import Message


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


def announcement_entry(tournament: StoredTournament) -> Entry:
    """Return the entry of a tournament's announcement."""
    title = message(
        "{title} is announced: {variant}, {seats} players at most",
        title=_title(tournament),
        variant=tournament.variant.name,
        seats=tournament.seat_count,
    )
    return Entry(f"{tournament.path}?announced", tournament.created_at, title)


def _title(tournament: StoredTournament) -> str | Message:
    if tournament.title:
        return tournament.title
    return message("a tournament of {variant}", variant=tournament.variant.name)


def _events(tournament: Tournament) -> Iterator[Entry]:
    stored = tournament.stored
    yield announcement_entry(stored)
    if stored.started_at is not None:
        title = message(
            "{title} starts: {count} players, {games} games",
            title=_title(stored),
            count=len(tournament.seats),
            games=len(tournament.games),
        )
        yield Entry(f"{stored.path}?started", stored.started_at, title)
    if stored.ended_at is not None:
        # The address ends in the stored status, "finished" or "cancelled".
        yield Entry(f"{stored.path}?{stored.status}", stored.ended_at, _ending_of(tournament))


def _ending_of(tournament: Tournament) -> Message:
    title = _title(tournament.stored)
    if tournament.stored.is_cancelled:
        return message("{title} is cancelled", title=title)
    first = winners(tournament.standings)
    if not first:
        return message("{title} is over; nobody stayed to win it", title=title)
    names = tuple(tournament.names[standing.seat] for standing in first)
    points = score(first[0].points)
    if len(names) == 1:
        return message(
            "{title} is over: {name} wins, points: {points}",
            title=title,
            name=names[0],
            points=points,
        )
    return message(
        "{title} is over: {names} share the first place, points: {points}",
        title=title,
        names=names,
        points=points,
    )
