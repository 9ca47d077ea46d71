"""The pages about a player's e-mail, the page that stops it, and the export of letters."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.accounts.pages import action
from capsule.context import AppContext, Transaction, reading
from capsule.db.schema import mail as schema
from capsule.errors import NotFound, Refused
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.mail import queries, subscribing
from capsule.mail.model import MailKind, TurnMail
from capsule.ui import preferences, responses
from capsule.ui.routes import ANY, KEY, Routes, named, one_of
from engine import message

SUBJECT = "mail"
"""The subject of the keys of these actions."""

HERE = "/play/me/mail"


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page with the player's address and what is sent there."""
    _require_relay(transaction.context)
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    return responses.page(
        visitor.preferences,
        "mail/own.gmi",
        subscription=player and queries.subscription_of(transaction.connection, player.id),
        pending=player and subscribing.pending_of(transaction, player),
        turns_of_mail=list(TurnMail),
        kinds_of_mail=list(MailKind),
        key=visitor.account_key(transaction.context, SUBJECT),
    )


def _require_relay(context: AppContext) -> None:
    """Raise `NotFound` if the capsule sends no mail: then no page speaks of it."""
    if not context.mail_from:
        raise NotFound


def _typed(
    use_case: Callable[[Transaction, Player, str], Refused | None],
) -> Callable[[Transaction, action.Attempt], Refused | None]:
    return lambda transaction, attempt: use_case(transaction, attempt.player, attempt.typed)


_action = partial(
    action.Action, counter=action.ActionsOf(SUBJECT), back=HERE, requires=_require_relay
)

GIVE_ADDRESS = _action(
    name="give_address",
    asks=lambda *_: [message("Your e-mail address. A code will be sent there")],
    is_secret=True,
    does=_typed(subscribing.request_code),
    makes_player=action.newcomer,
    notice=replace(action.NOTHING_CHANGED, refused=action.NOTHING_SENT.refused),
)

TYPE_CODE = _action(
    name="type_code",
    asks=lambda *_: [message("The code from the letter")],
    is_secret=True,
    does=_typed(subscribing.confirm),
    notice=action.always(message("Nothing was changed: that page was out of date.")),
    # No answer repeats the code.
    quotes=lambda _: False,
)

CHOOSE = _action(
    name="choose",
    does=lambda transaction, attempt: subscribing.choose(
        transaction, attempt.player, attempt["choice"]
    ),
)

CHOOSE_HOUR = _action(
    name="choose_hour",
    asks=lambda *_: [message("The hour of your daily summary, in your time zone: 0 to 23")],
    does=_typed(subscribing.choose_hour),
)

STOP = _action(
    name="stop",
    does=lambda transaction, attempt: subscribing.forget(transaction.connection, attempt.player.id),
)

_ACTION = f"/play/me/{KEY}/mail"


STOP_KEY = "(?P<stop_key>[a-z2-7]{32})"


@reading
def offer(transaction: Transaction, request: Request, stop_key: str) -> Response:
    """Return the page with the one link that stops all mail to an address."""
    del request
    _require_relay(transaction.context)
    return responses.page(
        preferences.DEFAULT_PREFERENCES,
        "mail/stop.gmi",
        key=stop_key if queries.address_with_key(transaction.connection, stop_key) else None,
    )


def stop(context: AppContext, request: Request, stop_key: str) -> Response:
    """Stop all mail to the address that has this key, and say so.

    Only letters have the key, so nobody else can follow this link or be made to.
    """
    del request
    _require_relay(context)
    with context.writing() as transaction:
        subscribing.stop(transaction, stop_key)
    return responses.page(preferences.DEFAULT_PREFERENCES, "mail/stopped.gmi")


ROUTES: Routes = (
    *named(
        "mail.pages.own",
        (
            (HERE, overview),
            (f"{_ACTION}/address", GIVE_ADDRESS, ANY),
            (f"{_ACTION}/code", TYPE_CODE, ANY),
            (f"{_ACTION}/set/{one_of('choice', subscribing.CHOICES)}", CHOOSE),
            (f"{_ACTION}/hour", CHOOSE_HOUR, ANY),
            (f"{_ACTION}/stop", STOP),
        ),
    ),
    *named(
        "mail.pages.stop", ((f"/mail/{STOP_KEY}/stop", offer), (f"/mail/{STOP_KEY}/stopped", stop))
    ),
)


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
    ROUTES,
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
