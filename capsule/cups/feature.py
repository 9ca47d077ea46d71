"""The monthly cup as a feature."""

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.cups import course, feed, pages, queries
from capsule.cups.entering import MAX_AHEAD
from capsule.cups.model import PLAYED, CupStatus
from capsule.db.schema.tournaments import cup_entries, cup_winners
from capsule.feature import Feature
from engine import Message
from engine.game import message


def withdraw(transaction: Transaction, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay."""
    connection = transaction.connection
    for cup in queries.cups_entered_ahead(connection, player.id, MAX_AHEAD):
        queries.remove_entries(connection, cup.month, [player.id])


def home(transaction: Transaction) -> tuple[str, Message] | None:
    """Return the line about a cup that is open, or else about one being played."""
    statuses = (CupStatus.ENTERING, *PLAYED)
    found = queries.cups_with(transaction.connection, statuses, pages.MAX_PRESENT)
    if not found:
        return None
    cup = next((cup for cup in found if cup.may_be_entered(transaction.now)), found[0])
    words = (
        message("Cup of {month}: {variant}, enter now")
        if cup.status is CupStatus.ENTERING
        else message("Cup of {month}, {variant}: being played")
    )
    return "/cups/", words.filled(month=cup.month.words, variant=cup.variant.name)


FEATURE = Feature(
    pages.ROUTES,
    (cup_entries, cup_winners),
    erase=withdraw,
    sweep=((course.advance_cups, "Steps of the cups could not be taken"),),
    on_ban=withdraw,
    public_entries=feed.public_entries,
    private_entries=feed.private_entries,
    home=home,
)
