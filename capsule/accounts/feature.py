"""Players and their certificates as a feature."""

from capsule.accounts import queries
from capsule.accounts.pages import account
from capsule.accounts.personal_data import erase
from capsule.context import AppContext
from capsule.db.schema import players as tables
from capsule.feature import Feature


def delete_old_requests(context: AppContext) -> None:
    """Delete the record of old requests."""
    with context.writing() as transaction:
        queries.delete_old_requests(transaction.connection, transaction.now.date())


FEATURE = Feature(
    account.ROUTES,
    (
        tables.players,
        tables.certificates,
        tables.device_codes,
        tables.private_feeds,
        tables.former_names,
        tables.relations,
        tables.carried_out,
    ),
    erase=erase,
    sweep=((delete_old_requests, "Old requests could not be deleted"),),
    on_ban=lambda transaction, player: queries.drop_link_code_of(transaction.connection, player.id),
)
