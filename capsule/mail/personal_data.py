"""Export and erasure of e-mail addresses, of what is sent there, and of looks at games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.mail import letter_queries, subscription_queries
from capsule.mail.subscribing import forget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return a player's addresses, their choices, the letters of the last weeks and looks."""
    subscription = subscription_queries.subscription_of(connection, player.id)
    pending = subscription_queries.pending_of(connection, player.id)
    return {
        "mail": None
        if subscription is None
        else {
            "address": subscription.address,
            "since": subscription.confirmed_at.isoformat(),
            "turns": subscription.turns.value,
            "hour": subscription.hour,
            "kinds": [each.value for each in subscription.kinds],
            "refused_by_relay": subscription.refusal,
        },
        "mail_address_to_confirm": None
        if pending is None
        else {
            "address": pending.address,
            "typed": pending.made_at.isoformat(),
            "tries_left": pending.tries_left,
        },
        "mail_codes_requested": [
            made_at.isoformat()
            for made_at in subscription_queries.requests_of(connection, player.id)
        ],
        "letters": [
            {
                "kind": each.kind.value,
                "state": each.state.value,
                "written": each.made_at.isoformat(),
                "told": sorted(letter_queries.told_by(connection, each.id)),
            }
            for each in letter_queries.letters_of(connection, player.id)
        ],
        "looked_at_games": {
            game_id or "all that wait": looked_at.isoformat()
            for game_id, looked_at in letter_queries.looks_of(connection, player.id).items()
        },
    }


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase all of it."""
    forget(connection, player.id)
    subscription_queries.drop_requests_of(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
