"""Personal data: export and erasure of everything that is stored about a player.

The columns of the tables say what is personal in them: see `capsule.db.schema.personal`. Each
feature names its tables in its `FEATURE`, and does the rest there.
"""

import json

from capsule.accounts import names, players, queries
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.personal import erase_rows, export_rows, nested


def export_all(transaction: Transaction, player: Player) -> str:
    """Return all that is stored about a player as JSON, the last feature's first."""
    exported: list[tuple[str, object]] = []
    for feature in reversed(transaction.context.features):
        for table in feature.tables:
            exported += export_rows(transaction.connection, table, player.id).items()
        exported += feature.export(transaction, player).items()
    return json.dumps(nested(exported), ensure_ascii=False, indent=2) + "\n"


def erase_player(transaction: Transaction, player: Player) -> None:
    """Erase a player and all that is theirs; their games stay, as those of "a former player".

    The features erase their parts in the order of `context.features`. The player must be held,
    so that what they do in other requests is done before this, or fails.
    """
    connection = transaction.connection
    # The keys on the player's pages do not fit any more.
    queries.count_action(connection, player.id)
    for feature in transaction.context.features:
        feature.erase(transaction, player)
        for table in reversed(feature.tables):
            erase_rows(connection, table, player.id)
    transaction.erases_words()


def erase(transaction: Transaction, player: Player) -> None:
    """Erase the name; the player's row stays for their games to refer to.

    For a year nobody can have the player's name. Former names stay reserved for as long as before.
    """
    connection = transaction.connection
    now = transaction.now
    former = queries.former_names_of(connection, player.id, now)
    reserved = [(each.name, each.kept_until) for each in former]
    for name, until in [*reserved, (player.name, now + players.NAME_RESERVED)]:
        look_key = names.skeleton_key(transaction.context.secret, name)
        queries.reserve_erased_name(connection, look_key, until, now)
    queries.erase_name(connection, player.id)
