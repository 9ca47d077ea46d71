"""Mail as a feature: its pages, and the export of letters and of views of games."""

from collections.abc import Mapping

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.schema import mail as schema
from capsule.feature import Feature
from capsule.mail import pages, queries, subscribing


def export(transaction: Transaction, player: Player) -> Mapping[str, object]:
    """Return the letters of the last weeks to a player, and when the player viewed games."""
    connection = transaction.connection
    return {
        "letters": [
            {
                "kind": each.kind.value,
                "state": each.state.value,
                "written": each.made_at.isoformat(),
                "told": sorted(queries.contents(connection, each.id)),
            }
            for each in queries.letters_of(connection, player.id)
        ],
        "looked_at_games": {
            game_id or "all that wait": looked_at.isoformat()
            for game_id, looked_at in queries.views_of(connection, player.id).items()
        },
    }


FEATURE = Feature(
    pages.ROUTES,
    (
        schema.mail_subscriptions,
        schema.mail_codes,
        schema.mail_code_requests,
        schema.mail_schedule,
        schema.mail_looks,
        schema.mail_letters,
        schema.mail_told,
        schema.mail_due,
    ),
    export,
    sweep=((subscribing.delete_old, "Old mail could not be deleted"),),
)
