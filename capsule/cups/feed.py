"""The events of the cups as entries of feeds, public and private.

Each has the address of the cup's page with a query that names the event, which the page ignores.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.cups import queries
from capsule.cups.model import Cup, CupStatus, CupWinner, Entrant
from capsule.games.clock import DAY
from capsule.languages.dates import Month
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries
from engine import Message
from engine.game import message

MAX_CUPS = 12
"""The number of the last cups whose events feeds have."""

MAX_WINNERS = 100
"""The number of winners of these cups that are read."""

REMINDED_BEFORE = 2 * DAY
"""The time before a cup begins at which its entrants are reminded."""


def feed_of_cups(transaction: Transaction, month: Month | None) -> Feed | None:
    """Return the feed of all cups, or of one; None if there is none of that month."""
    connection = transaction.connection
    home, title = "/cups/", message("Oxonaut: the monthly cup")
    cups: Sequence[Cup] = ()
    if month is None:
        cups = queries.newest_cups(connection, MAX_CUPS)
    elif (found := queries.cup_of(connection, month)) is not None:
        home, cups = found.path, [found]
        title = message("Oxonaut: the cup of {month}", month=month.words)
    else:
        return None
    path = f"{home.rstrip('/')}/feed"
    return Feed(FeedKind.CUPS, path, home, title, newest_entries(_events_of(transaction, cups)))


def public_entries(
    transaction: Transaction, variant: str | None, _since: datetime
) -> Sequence[Entry]:
    """Return the entries of the beginnings and the ends of cups, for the feed of public games."""
    newest = queries.newest_cups(transaction.connection, MAX_CUPS)
    cups = [cup for cup in newest if variant in (None, cup.variant.key)]
    winners = _winners_of(transaction.connection, cups, transaction.now)
    found = [entry for cup in cups for entry in _beginning_and_end(cup, winners)]
    return newest_entries(found)[:MAX_ENTRIES]


def private_entries(transaction: Transaction, player: Player) -> Sequence[Entry]:
    """Return the entries of a player's cups in their private feed.

    They say that the capsule has entered the player, that a cup is about to begin, that it is not
    played, and who has won it. The beginnings of groups are those of tournaments.
    """
    connection = transaction.connection
    now = transaction.now
    entered = queries.entries_of(connection, player.id, now, MAX_CUPS)
    if not entered:
        return ()
    known = [cup for cup in queries.newest_cups(connection, MAX_CUPS + 1) if cup.month in entered]
    winners = _winners_of(connection, known, now)
    return [
        entry for cup in known for entry in _private_events(cup, entered[cup.month], winners, now)
    ]


def _winners_of(
    connection: sa.Connection, cups: Sequence[Cup], now: datetime
) -> Sequence[CupWinner]:
    return queries.winners_of(connection, [cup.month for cup in cups], now, MAX_WINNERS)


def _events_of(transaction: Transaction, cups: Sequence[Cup]) -> Iterator[Entry]:
    winners = _winners_of(transaction.connection, cups, transaction.now)
    for cup in cups:
        if cup.status is CupStatus.ENTERING:
            title = message(
                "Entry to the cup of {month} is open: {variant}",
                month=cup.month.words,
                variant=cup.variant.name,
            )
            yield Entry(f"{cup.path}?open", cup.opens_at, title)
        if cup.final_at is not None:
            title = message("The final of the cup of {month} begins", month=cup.month.words)
            yield Entry(f"{cup.path}?final", cup.final_at, title)
        yield from _beginning_and_end(cup, winners)


def _beginning_and_end(cup: Cup, winners: Sequence[CupWinner]) -> Iterator[Entry]:
    if cup.begun_at is not None:
        title = message(
            "The cup of {month} begins: {variant}", month=cup.month.words, variant=cup.variant.name
        )
        yield Entry(f"{cup.path}?begun", cup.begun_at, title)
    if cup.ended_at is not None:
        yield Entry(f"{cup.path}?over", cup.ended_at, _ending_title(cup, winners))


def _ending_title(cup: Cup, winners: Sequence[CupWinner]) -> Message:
    month = cup.month.words
    if cup.status is CupStatus.NOT_PLAYED:
        return message("The cup of {month} is not played: too few had entered", month=month)
    names = tuple(each.shown_name for each in winners if each.month == cup.month)
    if not names:
        return message("The cup of {month} is over: nobody stayed to win it", month=month)
    if len(names) == 1:
        return message("{name} wins the cup of {month}", name=names[0], month=month)
    return message("{names} share the cup of {month}", names=names, month=month)


def _private_events(
    cup: Cup, entrant: Entrant, winners: Sequence[CupWinner], now: datetime
) -> Iterator[Entry]:
    names = {"month": cup.month.words, "variant": cup.variant.name}
    is_ahead = cup.begun_at is None and cup.status is not CupStatus.NOT_PLAYED
    if is_ahead and entrant.is_carried:
        title = message(
            "You are entered in the cup of {month}, {variant}, and may leave it", **names
        )
        yield Entry(f"{cup.path}?entered", entrant.entered_at, title, "/play/cups/")
    reminded_at = max(cup.begins_at - REMINDED_BEFORE, entrant.entered_at)
    if is_ahead and reminded_at <= now and reminded_at < cup.begins_at:
        title = message("The cup of {month} is about to begin: {variant}", **names)
        yield Entry(f"{cup.path}?soon", reminded_at, title, "/play/cups/?soon")
    if cup.status is CupStatus.NOT_PLAYED:
        title = message("The cup of {month} is not played. You stay entered for the next", **names)
        yield Entry(f"{cup.path}?over", cup.begins_at, title)
    elif cup.ended_at is not None:
        yield Entry(f"{cup.path}?over", cup.ended_at, _ending_title(cup, winners))
