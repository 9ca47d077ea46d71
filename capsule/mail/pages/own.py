"""The player's page of e-mail: the address and its code, and what is told when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.mail import subscribing
from capsule.mail.addresses import AddressRefused, clean_address
from capsule.mail.model import MailKind, TurnMail
from capsule.mail.subscribing import CodeRefused, TooManyCodes
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY, one_of
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.mail.model import PendingAddress, Subscription
    from capsule.ui.routes import Routes


SUBJECT = "mail"
"""The subject of the keys of these actions."""

HERE = "/play/me/mail"

_NOT_CHANGED = outdated.always(message("Nothing was changed: that page was out of date."))


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


def overview(context: AppContext, request: Request) -> Response:
    """Return the page with the player's address and what is sent there."""
    _require_relay(context)
    visitor = identity.signed_in(context, request)
    player = visitor.player
    page = MailPage(
        None if player is None else subscribing.subscription_of(context, player),
        None if player is None else subscribing.pending_of(context, player),
        visitor.account_key(context, SUBJECT),
    )
    return responses.page(
        visitor.preferences, "mail/own.gmi", page=page, player=player, now=context.clock()
    )


def give_address(context: AppContext, request: Request, key: str) -> Response:
    """Ask for an address; with one, have a code sent there, and go to the page."""
    _require_relay(context)
    visitor = identity.signed_in(context, request)
    typed = request.typed or ""
    ask = message("Your e-mail address. A code will be sent there")
    try:
        visitor.require_key(context, SUBJECT, key)
        if not typed:
            return responses.sensitive_prompt(responses.prompt(ask))
        # Nobody becomes a player by a text that is no address.
        clean_address(typed)
        subscribing.request_code(context, identity.player_of(context, visitor), typed)
    except AddressRefused as error:
        return responses.sensitive_prompt(responses.prompt_again(error.message, ask))
    except TooManyCodes as error:
        refused = outdated.always(message("Nothing was sent. {reason}.", reason=error.message))
        return outdated.page_below(HERE, refused, typed, is_own=True)
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(
            HERE, typed=typed, is_done=lambda each: _is_pending(context, each, typed)
        )
    return responses.redirect(HERE)


def _is_pending(context: AppContext, player: Player, typed: str) -> bool:
    pending = subscribing.pending_of(context, player)
    try:
        return bool(typed) and pending is not None and pending.address == clean_address(typed)
    except AddressRefused:
        return False


def type_code(context: AppContext, request: Request, key: str) -> Response:
    """Ask for the code; with the right one, confirm the address and go to the page.

    No answer repeats the code.
    """
    _require_relay(context)
    ask = message("The code from the letter")
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if not request.typed:
            return responses.sensitive_prompt(responses.prompt(ask))
        subscribing.confirm(context, player, request.typed)
    except CodeRefused as error:
        if subscribing.pending_of(context, player) is None:
            over = outdated.always(message("Nothing was changed. {reason}.", reason=error.message))
            return outdated.page_below(HERE, over)
        return responses.sensitive_prompt(responses.prompt_again(error.message, ask))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            _NOT_CHANGED,
            is_done=lambda player: (
                subscribing.subscription_of(context, player) is not None
                and subscribing.pending_of(context, player) is None
            ),
        )
    return responses.redirect(HERE)


def choose(context: AppContext, request: Request, key: str, choice: str) -> Response:
    """Give a setting a value, `choice` being its name/value, and go to the page."""
    _require_relay(context)
    name, _, value = choice.partition("/")
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        subscribing.choose(context, player, name, value)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            is_done=lambda player: subscribing.is_chosen(context, player, name, value),
        )
    return responses.redirect(HERE)


def choose_hour(context: AppContext, request: Request, key: str) -> Response:
    """Ask for the hour of the summary; with one, set it and go to the page."""
    _require_relay(context)
    ask = message("The hour of your daily summary, in your time zone: 0 to 23")
    typed = (request.typed or "").strip()
    hour = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= 2 else None
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if not typed:
            return responses.prompt(ask)
        if hour is None or hour >= 24:
            return responses.prompt_again(message("That is no hour from 0 to 23"), ask)
        subscribing.choose_hour(context, player, hour)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            typed=typed,
            is_done=lambda player: subscribing.has_hour(context, player, hour),
        )
    return responses.redirect(HERE)


def stop(context: AppContext, request: Request, key: str) -> Response:
    """Stop all mail to the player, forget the address, and go to the page."""
    _require_relay(context)
    try:
        subscribing.unsubscribe(context, identity.acting_player(context, request, SUBJECT, key))
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            is_done=lambda player: subscribing.subscription_of(context, player) is None,
        )
    return responses.redirect(HERE)


def _require_relay(context: AppContext) -> None:
    """Raise `NotFound` if the capsule sends no mail: then no page speaks of it."""
    if not context.mail_from:
        raise NotFound


_CHOICES = [f"{name}/{value}" for name, values in subscribing.CHOICES.items() for value in values]

_ACTION = f"/play/me/{KEY}/mail"

ROUTES: Routes = (
    (HERE, overview),
    (f"{_ACTION}/address", give_address, ANY),
    (f"{_ACTION}/code", type_code, ANY),
    (f"{_ACTION}/set/{one_of('choice', _CHOICES)}", choose),
    (f"{_ACTION}/hour", choose_hour, ANY),
    (f"{_ACTION}/stop", stop),
)
