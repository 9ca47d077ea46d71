"""The pages of the cups, for anyone and for visitors who have signed in, and their actions."""

from collections.abc import Mapping

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.context import Transaction, reading
from capsule.cups import course, entering, feed, queries
from capsule.cups.model import AHEAD, PLAYED, CupStatus, first_month, new_cup
from capsule.db.schema.tournaments import cup_entries, cup_winners
from capsule.errors import NotFound
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.languages.dates import MONTH, Month
from capsule.tournaments import queries as tournament_queries
from capsule.ui import responses
from capsule.ui.routes import FEED, KEY, Routes, cacheable, named
from engine import Message
from engine.game import message

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

MAX_PAST_WINNERS = 100
"""The winners of these whose names the page shows."""


@cacheable
@reading
def show(transaction: Transaction, request: Request) -> Response:
    """Return the page of all cups; the query is a month, before which it lists those past."""
    connection = transaction.connection
    before = None if request.query is None else Month.parse(request.query)
    past = queries.last_cups(connection, before, PAST_CUPS + 1)
    shown = past[:PAST_CUPS]
    months = [cup.month for cup in shown]
    winners = queries.winners_of(connection, months, transaction.now, MAX_PAST_WINNERS)
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
    ahead = queries.cups_with(connection, AHEAD, MAX_PRESENT)
    played = queries.cups_with(connection, PLAYED, MAX_PRESENT)
    parts = {
        cup.month: tournament_queries.parts_of_cup(connection, cup.month, MAX_PARTS)
        for cup in played[:2]
    }
    ids = [part.id for found in parts.values() for part in found]
    return {
        # The one that is open, or else the next.
        "ahead": ahead[0] if ahead else new_cup(first_month(transaction.now)),
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
    entered, is_carried = entering.cup_entered(connection, player, now), False
    if entered is not None:
        entries = queries.entries_of(connection, player.id, now, entering.MAX_AHEAD)
        is_carried = entries[entered.month].is_carried
    cup = entering.open_cup(connection, now)
    may_enter, obstacle = False, None
    if cup is not None and (entered is None or entered.month != cup.month):
        obstacle = entering.obstacle(connection, player, cup, now)
        may_enter = obstacle is None
    playing = tournament_queries.tournaments_of_player(connection, player.id)
    return {
        "entered": entered,
        "is_carried": is_carried,
        "may_enter": may_enter,
        "obstacle": obstacle,
        "must_play": obstacle is entering.NOT_ELIGIBLE,
        "your_parts": [each for each in playing if each.cup is not None],
    }


@reading
def show_feed(
    transaction: Transaction, request: Request, form: str | None, month: str | None = None
) -> Response:
    """Return the feed of all cups, or of the cup of a month."""
    found = feed.feed_of_cups(transaction, None if month is None else Month.parse(month))
    if found is None:
        raise NotFound
    return identity.feed_page(transaction, request, found, form)


ENTER = Action(
    name="enter",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: entering.enter(transaction, attempt.player),
)

LEAVE = Action(
    name="leave",
    counter=ActionsOf(SUBJECT),
    back=OWN_PATH,
    does=lambda transaction, attempt: entering.leave(transaction, attempt.player),
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
    for cup in queries.cups_entered_ahead(connection, player.id, entering.MAX_AHEAD):
        queries.remove_entries(connection, cup.month, [player.id])


def home(transaction: Transaction) -> tuple[str, Message] | None:
    """Return the line about a cup that is open, or else about one being played."""
    statuses = (CupStatus.ENTERING, *PLAYED)
    found = queries.cups_with(transaction.connection, statuses, MAX_PRESENT)
    if not found:
        return None
    cup = next((cup for cup in found if cup.may_be_entered(transaction.now)), found[0])
    words = (
        message("Cup of {month}: {variant}, enter now")
        if cup.status is CupStatus.ENTERING
        else message("Cup of {month}, {variant}: being played")
    )
    return PATH, words.filled(month=cup.month.words, variant=cup.variant.name)


FEATURE = Feature(
    ROUTES,
    (cup_entries, cup_winners),
    erase=withdraw,
    sweep=((course.advance_cups, "Steps of the cups could not be taken"),),
    on_ban=withdraw,
    public_entries=feed.public_entries,
    private_entries=feed.private_entries,
    home=home,
)
