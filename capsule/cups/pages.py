"""The pages of the cups, their actions, and their events in feeds, public and private.

Each event has the address of its cup's page with a query that names it, which the page ignores.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.context import Transaction, reading
from capsule.cups import course, model, queries
from capsule.db.schema.tournaments import cup_entries, cup_winners
from capsule.errors import NotFound
from capsule.feature import Feature
from capsule.games.clock import DAY
from capsule.gemini.types import Request, Response
from capsule.languages.dates import MONTH, Month
from capsule.tournaments import queries as tournament_queries
from capsule.ui import responses
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries
from capsule.ui.routes import FEED, KEY, Routes, cacheable, named
from engine import Message, message

SUBJECT = "cups"
"""The subject of the keys to enter and to leave."""

PATH = "/cups/"
OWN_PATH = "/play/cups/"


MAX_PRESENT = 4
"""The cups ahead, or being played, that a page shows."""

MAX_SHOWN_ENTRANTS = 100
"""The entrants, and the winners of groups, whose names a page shows."""

MAX_PARTS = 40
"""The groups of a cup that its page shows."""

PAST_CUPS = 24
"""The cups that are over on one page."""

MAX_CUPS = 12
"""The number of the last cups whose events feeds have."""

MAX_WINNERS = 100
"""The number of winners of these cups, and of those over on one page, that are read."""

REMINDED_BEFORE = 2 * DAY
"""The time before a cup begins at which its entrants are reminded."""


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return the page of all cups; the query is a month, before which it lists those past."""
    connection = transaction.connection
    before = None if request.query is None else Month.parse(request.query)
    past = queries.last_cups(connection, before, PAST_CUPS + 1)
    shown = past[:PAST_CUPS]
    months = [cup.month for cup in shown]
    winners = queries.winners_of(connection, months, transaction.now, MAX_WINNERS)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "cups/cups.gmi",
        past=[(cup, [each for each in winners if each.month == cup.month]) for cup in shown],
        older=shown[-1].month if len(past) > PAST_CUPS else None,
        is_first=before is None,
        **(_present(transaction) if before is None else {}),
    )


def _present(transaction: Transaction) -> Mapping[str, object]:
    """Return the cup ahead, and those being played with their parts and how far these are."""
    connection = transaction.connection
    ahead = queries.cups_with(connection, model.AHEAD, MAX_PRESENT)
    played = queries.cups_with(connection, model.PLAYED, MAX_PRESENT)
    parts = {
        cup.month: tournament_queries.parts_of_cup(connection, cup.month, MAX_PARTS)
        for cup in played[:2]
    }
    ids = [part.id for found in parts.values() for part in found]
    return {
        # The one that is open, or else the next.
        "ahead": ahead[0] if ahead else model.new_cup(model.first_month(transaction.now)),
        "playing": [(cup, parts.get(cup.month, ())) for cup in played],
        "progress": queries.progress_of(connection, ids),
    }


@cacheable
@reading
def show_cup(transaction: Transaction, request: Request, month: str) -> Response:
    """Return the page of a month's cup."""
    connection, now = transaction.connection, transaction.now
    preferences = identity.visitor_of(transaction, request).preferences
    cup = queries.cup_of(connection, Month.parse(month))
    if cup is None:
        raise NotFound
    parts = tournament_queries.parts_of_cup(connection, cup.month, MAX_PARTS)
    return responses.page(
        preferences,
        "cups/cup.gmi",
        cup=cup,
        entrants=queries.entrants_of(connection, cup.month, now, MAX_SHOWN_ENTRANTS),
        parts=parts,
        progress=queries.progress_of(connection, [part.id for part in parts]),
        winners=queries.winners_of(
            connection, [cup.month], now, MAX_SHOWN_ENTRANTS, with_groups=True
        ),
        is_due=cup.is_ahead and now >= cup.begins_at,
        ends_at=next((part.ends_at for part in parts if part.is_playing), None),
    )


@cacheable
@reading
def show_own(transaction: Transaction, request: Request) -> Response:
    """Return the page with the reader's own part in the cups."""
    visitor = identity.signed_in(transaction, request)
    return responses.page(
        visitor.preferences,
        "cups/own.gmi",
        is_player=visitor.player is not None,
        key=visitor.account_key(transaction.context, SUBJECT),
        **_present(transaction),
        **(_own(transaction, visitor.player) if visitor.player is not None else {}),
    )


def _own(transaction: Transaction, player: Player) -> Mapping[str, object]:
    """Return a player's part in the cups: what they have entered or may enter, and play in."""
    connection, now = transaction.connection, transaction.now
    entered, is_carried = course.cup_entered(transaction, player), False
    if entered is not None:
        entries = queries.entries_of(connection, player.id, now, course.MAX_AHEAD)
        is_carried = entries[entered.month].is_carried
    cup = course.open_cup(transaction)
    is_other = cup is not None and (entered is None or entered.month != cup.month)
    obstacle = course.obstacle(transaction, player, cup) if cup and is_other else None
    playing = tournament_queries.tournaments_of_player(connection, player.id)
    return {
        "entered": entered,
        "is_carried": is_carried,
        "may_enter": is_other and obstacle is None,
        "obstacle": obstacle,
        "must_play": obstacle is course.NOT_ELIGIBLE,
        "your_parts": [each for each in playing if each.cup is not None],
    }


@reading
def show_feed(
    transaction: Transaction, request: Request, form: str | None, month: str | None = None
) -> Response:
    """Return the feed of all cups, or of the cup of a month."""
    connection = transaction.connection
    home, title = PATH, message("Oxonaut: the monthly cup")
    cups = queries.newest_cups(connection, MAX_CUPS)
    if month is not None:
        cup = queries.cup_of(connection, Month.parse(month))
        if cup is None:
            raise NotFound
        home, cups = cup.path, [cup]
        title = message("Oxonaut: the cup of {month}", month=cup.month.words)
    entries = newest_entries(_events_of(transaction, cups))
    found = Feed(FeedKind.CUPS, f"{home.rstrip('/')}/feed", home, title, entries)
    return identity.feed_page(transaction, request, found, form)


def public_entries(
    transaction: Transaction, variant: str | None, _since: datetime
) -> Sequence[Entry]:
    """Return the entries of the beginnings and the ends of cups, for the feed of public games."""
    newest = queries.newest_cups(transaction.connection, MAX_CUPS)
    cups = [cup for cup in newest if variant in (None, cup.variant.key)]
    winners = _winners_of(transaction, cups)
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
    winners = _winners_of(transaction, known)
    return [
        entry for cup in known for entry in _private_events(cup, entered[cup.month], winners, now)
    ]


def _winners_of(transaction: Transaction, cups: Sequence[model.Cup]) -> Sequence[model.CupWinner]:
    months = [cup.month for cup in cups]
    return queries.winners_of(transaction.connection, months, transaction.now, MAX_WINNERS)


def _events_of(transaction: Transaction, cups: Sequence[model.Cup]) -> Iterator[Entry]:
    winners = _winners_of(transaction, cups)
    for cup in cups:
        if cup.status is model.CupStatus.ENTERING:
            words = message("Entry to the cup of {month} is open: {variant}")
            yield _entry(cup, "open", cup.opens_at, words)
        if cup.final_at is not None:
            words = message("The final of the cup of {month} begins")
            yield _entry(cup, "final", cup.final_at, words)
        yield from _beginning_and_end(cup, winners)


def _beginning_and_end(cup: model.Cup, winners: Sequence[model.CupWinner]) -> Iterator[Entry]:
    if cup.begun_at is not None:
        yield _entry(cup, "begun", cup.begun_at, message("The cup of {month} begins: {variant}"))
    if cup.ended_at is not None:
        yield _ending(cup, cup.ended_at, winners)


def _entry(
    cup: model.Cup, event: str, at: datetime, words: Message, page: str | None = None
) -> Entry:
    title = words.filled(month=cup.month.words, variant=cup.variant.name)
    return Entry(f"{cup.path}?{event}", at, title, page)


def _ending(cup: model.Cup, at: datetime, winners: Sequence[model.CupWinner]) -> Entry:
    names = tuple(each.name for each in winners if each.month == cup.month)
    if cup.status is model.CupStatus.NOT_PLAYED:
        words = message("The cup of {month} is not played: too few had entered")
    elif not names:
        words = message("The cup of {month} is over: nobody stayed to win it")
    elif len(names) == 1:
        words = message("{name} wins the cup of {month}", name=names[0])
    else:
        words = message("{names} share the cup of {month}", names=names)
    return _entry(cup, "over", at, words)


def _private_events(
    cup: model.Cup, entrant: model.Entrant, winners: Sequence[model.CupWinner], now: datetime
) -> Iterator[Entry]:
    is_ahead = cup.begun_at is None and cup.status is not model.CupStatus.NOT_PLAYED
    if is_ahead and entrant.is_carried:
        words = message("You are entered in the cup of {month}, {variant}, and may leave it")
        yield _entry(cup, "entered", entrant.entered_at, words, OWN_PATH)
    reminded_at = max(cup.begins_at - REMINDED_BEFORE, entrant.entered_at)
    if is_ahead and reminded_at <= now and reminded_at < cup.begins_at:
        words = message("The cup of {month} is about to begin: {variant}")
        yield _entry(cup, "soon", reminded_at, words, f"{OWN_PATH}?soon")
    if cup.status is model.CupStatus.NOT_PLAYED:
        words = message("The cup of {month} is not played. You stay entered for the next")
        yield _entry(cup, "over", cup.begins_at, words)
    elif cup.ended_at is not None:
        yield _ending(cup, cup.ended_at, winners)


ENTER = Action(
    name="enter",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: course.enter(transaction, attempt.player),
)

LEAVE = Action(
    name="leave",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: course.leave(transaction, attempt.player),
)


ROUTES: Routes = (
    *named(
        "cups.pages.cups",
        (
            (PATH, show, MONTH.replace("?P<month>", "?:")),
            (f"{PATH}{MONTH}", show_cup),
            (f"{PATH}{FEED}", show_feed),
            (f"{PATH}{MONTH}/{FEED}", show_feed),
            (OWN_PATH, show_own),
            (f"{OWN_PATH}{KEY}/enter", ENTER),
            (f"{OWN_PATH}{KEY}/leave", LEAVE),
        ),
    ),
)


def withdraw(transaction: Transaction, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay."""
    connection = transaction.connection
    for cup in queries.cups_entered_ahead(connection, player.id, course.MAX_AHEAD):
        queries.remove_entries(connection, cup.month, [player.id])


def home(transaction: Transaction) -> tuple[str, Message] | None:
    """Return the line about a cup that is open, or else about one being played."""
    statuses = (model.CupStatus.ENTERING, *model.PLAYED)
    found = queries.cups_with(transaction.connection, statuses, MAX_PRESENT)
    if not found:
        return None
    cup = next((cup for cup in found if cup.may_be_entered(transaction.now)), found[0])
    words = (
        message("Cup of {month}: {variant}, enter now")
        if cup.status is model.CupStatus.ENTERING
        else message("Cup of {month}, {variant}: being played")
    )
    return PATH, words.filled(month=cup.month.words, variant=cup.variant.name)


FEATURE = Feature(
    ROUTES,
    (cup_entries, cup_winners),
    erase=withdraw,
    sweep=((course.advance_cups, "Steps of the cups could not be taken"),),
    on_ban=withdraw,
    public_entries=public_entries,
    private_entries=private_entries,
    home=home,
)
