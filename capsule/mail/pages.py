"""The pages about a player's e-mail, and the one that stops it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from capsule.accounts import identity
from capsule.accounts.pages.action import (
    NOTHING_CHANGED,
    NOTHING_SENT,
    Action,
    ActionsOf,
    Attempt,
    always,
    newcomer,
)
from capsule.context import AppContext, Transaction, reading
from capsule.errors import NotFound
from capsule.gemini.types import Request, Response
from capsule.mail import subscribing
from capsule.mail.model import MailKind, PendingAddress, Subscription, TurnMail
from capsule.ui import responses
from capsule.ui.preferences import DEFAULT_PREFERENCES
from capsule.ui.routes import ANY, KEY, Routes, named, one_of
from engine.game import message

SUBJECT = "mail"
"""The subject of the keys of these actions."""

HERE = "/play/me/mail"

_NOT_CHANGED = always(message("Nothing was changed: that page was out of date."))


@dataclass(frozen=True, slots=True)
class MailPage:
    """The subscription on the page, and the address that waits for its code, if any.

    `name` is the player's, None for who has not done anything yet.
    """

    subscription: Subscription | None
    pending: PendingAddress | None
    key: str

    @property
    def other_turns(self) -> Sequence[TurnMail]:
        """The other choices when to be told of turns."""
        chosen = None if self.subscription is None else self.subscription.turns
        return [each for each in TurnMail if each is not chosen]

    @property
    def kinds(self) -> Sequence[tuple[MailKind, bool]]:
        """The kinds of other news, each with whether it is wanted."""
        wanted = () if self.subscription is None else self.subscription.kinds
        return [(kind, kind in wanted) for kind in MailKind]


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page with the player's address and what is sent there."""
    _require_relay(transaction.context)
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    page = MailPage(
        None if player is None else subscribing.subscription_of(transaction, player),
        None if player is None else subscribing.pending_of(transaction, player),
        visitor.account_key(transaction.context, SUBJECT),
    )
    return responses.page(
        visitor.preferences, "mail/own.gmi", page=page, player=player, now=transaction.now
    )


def _require_relay(context: AppContext) -> None:
    """Raise `NotFound` if the capsule sends no mail: then no page speaks of it."""
    if not context.mail_from:
        raise NotFound


def _choose(transaction: Transaction, attempt: Attempt) -> None:
    name, _, value = attempt["choice"].partition("/")
    subscribing.choose(transaction, attempt.player, name, value)


GIVE_ADDRESS = Action(
    name="give_address",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("Your e-mail address. A code will be sent there")],
    is_secret=True,
    does=lambda transaction, attempt: subscribing.request_code(
        transaction, attempt.player, attempt.typed
    ),
    makes_player=newcomer,
    requires=_require_relay,
    notice=replace(NOTHING_CHANGED, refused=NOTHING_SENT.refused),
)

TYPE_CODE = Action(
    name="type_code",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("The code from the letter")],
    is_secret=True,
    does=lambda transaction, attempt: subscribing.confirm(
        transaction, attempt.player, attempt.typed
    ),
    requires=_require_relay,
    notice=_NOT_CHANGED,
    # No answer repeats the code.
    quotes=lambda _: False,
)

CHOOSE = Action(
    name="choose", counter=ActionsOf(SUBJECT), back=HERE, does=_choose, requires=_require_relay
)

CHOOSE_HOUR = Action(
    name="choose_hour",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("The hour of your daily summary, in your time zone: 0 to 23")],
    does=lambda transaction, attempt: subscribing.choose_hour(
        transaction, attempt.player, attempt.typed
    ),
    requires=_require_relay,
)

STOP = Action(
    name="stop",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    does=lambda transaction, attempt: subscribing.forget(transaction.connection, attempt.player.id),
    requires=_require_relay,
)

_CHOICES = [f"{name}/{value}" for name, values in subscribing.CHOICES.items() for value in values]

_ACTION = f"/play/me/{KEY}/mail"


STOP_KEY = "(?P<stop_key>[a-z2-7]{32})"


@reading
def offer(transaction: Transaction, request: Request, stop_key: str) -> Response:
    """Return the page with the one link that stops all mail to an address."""
    del request
    if not transaction.context.mail_from:
        raise NotFound
    return responses.page(
        DEFAULT_PREFERENCES,
        "mail/stop.gmi",
        key=stop_key if subscribing.can_be_stopped(transaction, stop_key) else None,
    )


def stop(context: AppContext, request: Request, stop_key: str) -> Response:
    """Stop all mail to the address that has this key, and say so.

    Only letters have the key, so nobody else can follow this link or be made to.
    """
    del request
    if not context.mail_from:
        raise NotFound
    subscribing.stop(context, stop_key)
    return responses.page(DEFAULT_PREFERENCES, "mail/stopped.gmi")


ROUTES: Routes = (
    *named(
        "mail.pages.own",
        (
            (HERE, overview),
            (f"{_ACTION}/address", GIVE_ADDRESS, ANY),
            (f"{_ACTION}/code", TYPE_CODE, ANY),
            (f"{_ACTION}/set/{one_of('choice', _CHOICES)}", CHOOSE),
            (f"{_ACTION}/hour", CHOOSE_HOUR, ANY),
            (f"{_ACTION}/stop", STOP),
        ),
    ),
    *named(
        "mail.pages.stop", ((f"/mail/{STOP_KEY}/stop", offer), (f"/mail/{STOP_KEY}/stopped", stop))
    ),
)
