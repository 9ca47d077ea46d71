"""The feed of a tournament, and what of tournaments is in the feed for everybody.

Each event has an address of its own for ever: the announcement, the start and the end of a
tournament that of its page with a query, which the page ignores, and a game's result that of the
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.feed_entries import ending
from capsule.games.status import RUNNING
from capsule.tournaments.queries import FINISHED
from capsule.tournaments.standings import winners
from capsule.ui.atom import Entry, Feed, feed
from capsule.ui.numbers import score
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capsule.tournaments.model import Tournament
    from capsule.tournaments.queries import StoredTournament
    from engine import Message


def path_of(tournament: StoredTournament) -> str:
    """Return the address of a tournament's page."""
    return f"/play/tournaments/{tournament.id}"


def title_of(tournament: StoredTournament) -> str | Message:
    """Return what a tournament is called: by its announcer, as long as that is somebody."""
    if tournament.title:
        return tournament.title
    return message("a tournament of {variant}", variant=VARIANTS[tournament.variant].name)


def of_tournament(tournament: Tournament) -> Feed:
    """Return the feed of a tournament: its announcement, start and end, and each result."""
    title = message("Oxonaut: {title}", title=title_of(tournament.stored))
    results = [ending(game) for game in tournament.games if game.status not in RUNNING]
    entries = [*results, *_events(tournament)]
    return feed(f"{path_of(tournament.stored)}/feed", title, entries)


def announcement(tournament: StoredTournament) -> Entry:
    """Return the entry that tells that a tournament was announced."""
    title = message(
        "{title} is announced: {variant}, {seats} players at most",
        title=title_of(tournament),
        variant=VARIANTS[tournament.variant].name,
        seats=tournament.seats,
    )
    return Entry(f"{path_of(tournament)}?announced", tournament.created_at, title)


def _events(tournament: Tournament) -> Iterator[Entry]:
    stored, path = tournament.stored, path_of(tournament.stored)
    yield announcement(stored)
    if stored.started_at is not None:
        title = message(
            "{title} starts: {count} players, {games} games",
            title=title_of(stored),
            count=len(tournament.seats),
            games=len(tournament.games),
        )
        yield Entry(f"{path}?started", stored.started_at, title)
    if stored.ended_at is not None:
        is_finished = stored.status == FINISHED
        title = _how_it_ended(tournament) if is_finished else _cancelled(stored)
        yield Entry(f"{path}?{stored.status}", stored.ended_at, title)


def _cancelled(tournament: StoredTournament) -> Message:
    return message("{title} is cancelled", title=title_of(tournament))


def _how_it_ended(tournament: Tournament) -> Message:
    first = winners(tournament.standings)
    title = title_of(tournament.stored)
    if not first:
        return message("{title} is over; nobody stayed to win it", title=title)
    names = tuple(tournament.names[each.seat] for each in first)
    points = score(first[0].points)
    if len(first) == 1:
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
