"""The account page, the settings, and names that players have given up."""

import re
from functools import partial

from capsule.accounts import devices, identity, personal_data, players, queries, settings
from capsule.accounts.model import Settings
from capsule.accounts.pages import action
from capsule.accounts.pages.action import Action, ActionsOf, Attempt, newcomer
from capsule.accounts.pages.devices import (
    SUBJECT as DEVICES,
    expiry,
    link_path,
    listed_certificates,
)
from capsule.context import AppContext, Transaction, reading
from capsule.gemini.types import Request, Response, Wait
from capsule.languages import model, time_zones
from capsule.ui import responses
from capsule.ui.boards import SAMPLE_BOARD, board
from capsule.ui.preferences import DEFAULT_PREFERENCES
from capsule.ui.routes import ANY, KEY, Routes, named, one_of
from capsule.ui.typed_words import ERASE
from engine import VARIANTS
from engine.game import message

SUBJECT = "account"
"""The subject of the keys of these actions."""

ACCOUNT_PAGE = "/play/me/"


@reading
def account(transaction: Transaction, request: Request) -> Response:
    """Return the account of the player, or of a certificate that has not acted yet."""
    visitor, context = identity.signed_in(transaction, request), transaction.context
    player = visitor.player
    certificate = identity.certificate_of(visitor)
    return responses.page(
        visitor.preferences,
        "accounts/account.gmi",
        player=player,
        naming=None if player else players.naming(transaction, certificate),
        certificate=certificate,
        certificates=player and listed_certificates(transaction, visitor, player),
        code=player and devices.code_of(transaction, player),
        limit=devices.MAX_CERTIFICATES,
        devices_key=visitor.account_key(context, DEVICES),
        link=link_path(context, visitor),
        ending=expiry(visitor, transaction.now),
        key=visitor.account_key(context, SUBJECT),
        feed=player and queries.feed_address_of(transaction.connection, player.id),
        origin=context.origin,
        sends_mail=bool(context.mail_from),
    )


@reading
def export(transaction: Transaction, request: Request) -> Response | Wait:
    """Return everything that is stored about the player, for that player only."""
    context = transaction.context
    if identity.signed_in(transaction, request).player is None:
        return responses.redirect(ACCOUNT_PAGE)
    return context.exclusive.wait(request, partial(reading(_exported), context, request))


def _exported(transaction: Transaction, request: Request) -> Response:
    player = identity.signed_in(transaction, request).player
    if player is None:
        return responses.redirect(ACCOUNT_PAGE)
    return responses.text(
        personal_data.export_all(transaction, player), "application/json; charset=utf-8"
    )


_action = partial(Action, counter=ActionsOf(SUBJECT), back=ACCOUNT_PAGE)

RENAME = _action(
    name="rename",
    asks=lambda *_: [message("Your name: 2 to 24 letters from a to z, digits, - or _")],
    asks_again=message("Your name"),
    does=lambda transaction, attempt: players.rename(transaction, attempt.player, attempt.typed),
    makes_player=lambda transaction, attempt: players.make_player(
        transaction, identity.certificate_of(attempt.visitor), attempt.typed
    ),
)

CHANGE_FEED_ADDRESS = _action(
    name="change_feed_address",
    does=lambda transaction, attempt: players.change_feed_address(transaction, attempt.player),
    notice=action.always(
        message("That link was out of date: the address of your feed was not changed.")
    ),
)


def _erase(transaction: Transaction, attempt: Attempt) -> Response:
    personal_data.erase_player(transaction, attempt.player)
    return responses.page(DEFAULT_PREFERENCES, "accounts/erased.gmi")


_ERASE = _action(
    name="erase",
    asks=lambda *_: [message("Type {word} to erase yourself for good")],
    word=ERASE,
    does=_erase,
)


def erase(context: AppContext, request: Request, key: str) -> Response | Wait:
    """Ask for the word; with it, erase the player and say that it is done."""
    with context.reading() as transaction:
        visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        # There is nobody to erase, such as after it has been done.
        return responses.redirect(ACCOUNT_PAGE)
    return _ERASE(context, request, key)


SETTINGS = "settings"
"""The subject of the keys of these actions."""

SETTINGS_PAGE = "/play/me/settings"
FEED = "/play/me/news"


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page that says how each setting is, with a link to every other choice."""
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    return responses.page(
        visitor.preferences,
        "accounts/settings.gmi",
        player=player,
        settings=Settings() if player is None else player.settings,
        languages=[each for each in model.OFFERED.values() if each is not model.spoken()],
        language=model.spoken(),
        now=transaction.now,
        position=VARIANTS["ultimate"].replay(SAMPLE_BOARD),
        board=board,
        key=visitor.account_key(transaction.context, SETTINGS),
    )


@reading
def feed(transaction: Transaction, request: Request) -> Response:
    """Return the page with the news in the private feed, with a link to change each kind."""
    visitor = identity.signed_in(transaction, request)
    chosen = Settings() if visitor.player is None else visitor.player.settings
    return responses.page(
        visitor.preferences,
        "accounts/feed_settings.gmi",
        enabled_news=chosen.enabled_news,
        disabled_news=chosen.disabled_news,
        key=visitor.account_key(transaction.context, SETTINGS),
    )


def _choose(transaction: Transaction, attempt: Attempt) -> None:
    name, _, value = attempt["choice"].partition("/")
    settings.choose(transaction, attempt.player, name, value)


_setting = partial(Action, counter=ActionsOf(SETTINGS), makes_player=newcomer)

CHOOSE = _setting(
    name="choose",
    back=lambda attempt: FEED if attempt["choice"].startswith("news-") else SETTINGS_PAGE,
    does=_choose,
)

CHOOSE_TIME_ZONE = _setting(
    name="choose_time_zone",
    back=SETTINGS_PAGE,
    asks=lambda *_: [message("Your time zone: a large city, or a name like Europe/Vienna")],
    does=lambda transaction, attempt: settings.choose_time_zone(
        transaction, attempt.player, time_zones.find(attempt.typed)
    ),
)

_CHOICES = [f"{name}/{value}" for name, values in settings.CHOICES.items() for value in values]


_OF_PLAYER = re.compile(
    "(?P<area>(?:/play)?/players/)(?P<name>[A-Za-z0-9_-]+)(?P<rest>(?:/[A-Za-z0-9._-]+)*/?)"
)


def redirect_for_former_name(context: AppContext, path: str) -> str | None:
    """Return where the path of a missing page leads by a former name in it, or None."""
    address = _OF_PLAYER.fullmatch(path)
    if address is None:
        return None
    name = players.current_name(context, address["name"])
    return None if name is None else f"{address['area']}{name}{address['rest']}"


ROUTES: Routes = (
    *(
        (ACCOUNT_PAGE, account),
        (r"/play/me/export\.json", export),
        (f"/play/me/{KEY}/name", RENAME, ANY),
        (f"/play/me/{KEY}/feed", CHANGE_FEED_ADDRESS),
        (f"/play/me/{KEY}/erase", erase, ANY),
    ),
    *named(
        "accounts.pages.settings",
        (
            (SETTINGS_PAGE, overview),
            (FEED, feed),
            (f"/play/me/{KEY}/set/{one_of('choice', _CHOICES)}", CHOOSE),
            (f"/play/me/{KEY}/set/zone", CHOOSE_TIME_ZONE, ANY),
        ),
    ),
)
