"""Personal data: export and erasure of everything that is kept about a player.

Each feature does so for its own tables: its module `personal_data` ends with its `PERSONAL_DATA`,
and `capsule.app` joins them in `context.personal_data`. This one does so for the account.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from capsule.accounts import (
    device_queries,
    name_queries,
    names,
    player_queries,
    relation_queries,
)
from capsule.accounts.players import NAME_KEPT
from capsule.context import PersonalData

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import LinkCode, Player
    from capsule.context import AppContext, Transaction


def export_all(transaction: Transaction, player: Player) -> str:
    """Return all that is kept about a player, as JSON, in the order of `context.personal_data`."""
    exported: dict[str, object] = {}
    context, connection = transaction.context, transaction.connection
    for feature in context.personal_data:
        exported |= feature.export(context, connection, player)
    return json.dumps(exported, ensure_ascii=False, indent=2) + "\n"


def erase_player(transaction: Transaction, player: Player) -> None:
    """Erase a player and all that is theirs; their games stay, as those of "a former player".

    The features erase their parts in the reverse order of `context.personal_data`. The player must
    be held: whatever they are doing elsewhere is done before this, or fails.
    """
    context, connection = transaction.context, transaction.connection
    # The keys of their pages were made for somebody.
    player_queries.count_action(connection, player.id)
    for feature in reversed(context.personal_data):
        feature.erase(context, connection, player)
    transaction.erases_words()


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the parts of the account: names, certificates, feed, settings and relations."""
    code = device_queries.link_code_of(connection, player.id)
    return {
        "name": player.name,
        "created": player.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "certificates": [
            {
                "sha256_of_public_key": each.fingerprint,
                "label": each.label,
                "first_used": each.first_used_at.isoformat(),
                "last_used": each.last_used_at and each.last_used_at.isoformat(),
                "valid_until": each.valid_until and each.valid_until.isoformat(),
            }
            for each in device_queries.certificates_of(connection, player.id)
        ],
        "code_for_another_device": None if code is None else _exported_code(code),
        "private_feed": player_queries.feed_address_of(connection, player.id),
        "settings": asdict(player.settings),
        "active_on": player.active_on and player.active_on.isoformat(),
        "activity_shown_from": player.activity_shown_from
        and player.activity_shown_from.isoformat(),
        "program_since": player.program_since and player.program_since.isoformat(),
        "former_names": [
            {"name": each.name, "kept_until": each.kept_until.isoformat()}
            for each in name_queries.former_names_of(connection, player.id)
        ],
        "muted_and_blocked": [
            {"name": each.name, "kind": each.kind.value, "since": each.since.isoformat()}
            for each in relation_queries.relations_of(connection, player.id)
        ],
    }


def erase(context: AppContext, connection: Connection, player: Player) -> None:
    """Erase the account; the player's row stays, without a name, for their games to refer to.

    For a year nobody can have the player's name. Former names are kept for as long as before.
    """
    now = context.clock()
    former = name_queries.former_names_of(connection, player.id, now)
    kept = [(each.name, each.kept_until) for each in former]
    for name, until in [*kept, (player.name, now + NAME_KEPT)]:
        look_key = names.look_key(context.secret, name)
        name_queries.keep_erased_name(connection, look_key, until, now)
    name_queries.drop_former_names_of(connection, player.id)
    relation_queries.erase_relations(connection, player.id)
    player_queries.erase_player(connection, player.id)


def _exported_code(code: LinkCode) -> Mapping[str, object]:
    # The rest of the code is stored nowhere.
    return {
        "begins": code.selector,
        "made": code.made_at.isoformat(),
        "tries_left": code.tries_left,
    }


PERSONAL_DATA = PersonalData(export, erase)
