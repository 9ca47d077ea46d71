"""The account page, certificates and the code that adds one, the settings, and former names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from capsule.accounts import devices, identity, personal_data, players, queries
from capsule.accounts.model import CHOICES, Player, PlayerCertificate, Settings
from capsule.accounts.pages import action
from capsule.accounts.pages.action import Action, ActionsOf, Attempt, newcomer
from capsule.context import AppContext, Transaction, reading
from capsule.db.schema import players as tables
from capsule.errors import OutdatedAction
from capsule.feature import Feature
from capsule.gemini.types import Request, Response, Wait
from capsule.languages import model, time_zones
from capsule.ui import boards, preferences, render, responses, typed_words, user_text
from capsule.ui.routes import ANY, GAME, KEY, NUMBER, Routes, named, one_of
from engine import VARIANTS, Message, in_context, message

SUBJECT, DEVICES, SETTINGS = "account", "devices", "settings"
"""The subjects of the keys of actions on the account, its certificates and its settings."""

ACCOUNT_PAGE = "/play/me/"
CODE_PAGE = "/play/me/code"
SETTINGS_PAGE = "/play/me/settings"
FEED_PAGE = "/play/me/news"


@reading
def account(transaction: Transaction, request: Request) -> Response:
    """Return the account of the player, or of a certificate that has not acted yet."""
    visitor, context = identity.signed_in(transaction, request), transaction.context
    player = visitor.player
    certificate = identity.certificate_of(visitor)
    linking = None if player is None else devices.code_of(transaction, player)
    return responses.page(
        visitor.preferences,
        "accounts/account.gmi",
        player=player,
        naming=None if player else players.naming(transaction, certificate),
        certificate=certificate,
        certificates=player and listed_certificates(transaction, visitor, player),
        code=linking,
        minutes_left=devices.minutes_left(linking, transaction.now),
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
    return responses.page(preferences.DEFAULT_PREFERENCES, "accounts/erased.gmi")


_ERASE = _action(
    name="erase",
    asks=lambda *_: [message("Type {word} to erase yourself for good")],
    word=typed_words.ERASE,
    does=_erase,
)


def erase(context: AppContext, request: Request, key: str) -> Response | Wait:
    """Ask for the word; with it, erase the player and say that it is done."""
    visitor = reading(identity.signed_in)(context, request)
    if visitor.player is None:
        # There is nobody to erase, such as after it has been done.
        return responses.redirect(ACCOUNT_PAGE)
    return _ERASE(context, request, key)


@dataclass(frozen=True)
class ListedCertificate:
    """A certificate in its player's list: `is_in_use` says that the page was asked for with it.

    `name` is its label or, of the one in use, the name in it; "" if it has neither. The player's
    only certificate cannot be revoked.
    """

    number: int
    name: str
    certificate: PlayerCertificate
    is_in_use: bool
    is_only: bool
    expiry: devices.Expiry | None


def link_path(
    context: AppContext, visitor: identity.Visitor, game_id: str | None = None
) -> str | None:
    """Return the path where a certificate that is new here is added to a player.

    The player's games follow, or the game that is named. None for visitors
    with no certificate or with a player's.
    """
    if visitor.certificate is None or visitor.player is not None:
        return None
    path = f"/play/me/{visitor.account_key(context, DEVICES)}/link"
    return f"{path}/{game_id}" if game_id else path


def expiry(visitor: identity.Visitor, now: datetime) -> devices.Expiry | None:
    """Return the end of the visitor's certificate if it is near, else None."""
    if visitor.certificate is None:
        return None
    return devices.expiry_of(visitor.certificate.not_after, now)


@reading
def all_certificates(transaction: Transaction, request: Request) -> Response:
    """Return the page with the whole fingerprint of each certificate of the player."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT_PAGE)
    listed = listed_certificates(transaction, visitor, visitor.player)
    return responses.page(visitor.preferences, "accounts/certificates.gmi", certificates=listed)


@reading
def code(transaction: Transaction, request: Request) -> Response:
    """Return the page that shows the code that the player has made."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(ACCOUNT_PAGE)
    context, made = transaction.context, devices.code_of(transaction, visitor.player)
    return responses.page(
        visitor.preferences,
        "accounts/code.gmi",
        player=visitor.player,
        code=made,
        groups=devices.groups_of(context.secret, made),
        minutes_left=devices.minutes_left(made, transaction.now),
        max_tries=devices.MAX_TRIES,
        key=visitor.account_key(context, DEVICES),
        origin=context.origin,
    )


def link(context: AppContext, request: Request, key: str, game_id: str | None) -> Response:
    """Ask for a code; with the right one, add the certificate to its player.

    No answer repeats the code.
    """
    visitor = reading(identity.signed_in)(context, request)
    if visitor.player is not None:
        return responses.page(
            visitor.preferences, "accounts/linked_already.gmi", player=visitor.player
        )
    if not visitor.fits(context, DEVICES, key, count=0):
        return action.with_notice(ACCOUNT_PAGE, action.NOTHING_CHANGED, request.typed)
    ask = message("The code that the other device shows")
    if not request.typed:
        return responses.sensitive_prompt(responses.prompt(ask))
    refusal: Message | None = devices.NO_CODE
    if (parts := devices.read(request.typed)) is not None:
        with context.writing() as transaction:
            refusal = devices.link(transaction, identity.certificate_of(visitor), *parts)
    if refusal is not None:
        return responses.sensitive_prompt(responses.prompt_again(refusal, ask))
    return responses.redirect(f"/play/{game_id or ''}")


def _make_code(transaction: Transaction, attempt: Attempt) -> str:
    devices.make_code(transaction, attempt.player)
    return CODE_PAGE


def _ask_to_revoke(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    found = _certificate_to_revoke(transaction, attempt)
    warning = message("This certificate will no longer sign you in.")
    if found.is_in_use:
        warning = message(
            "You are using this certificate now. It will no longer sign you in. You can come back "
            "with another certificate of yours."
        )
    ask = message(
        "Type {word} to revoke certificate {number} ({label})",
        number=found.number,
        label=found.name or in_context("a certificate", "unnamed"),
    )
    return warning, ask


def _revoke(transaction: Transaction, attempt: Attempt) -> str:
    """Revoke a certificate; without the one in use, the visitor is a stranger from then on."""
    found = _certificate_to_revoke(transaction, attempt)
    queries.drop_certificate(transaction.connection, found.certificate.fingerprint)
    return "/" if found.is_in_use else ACCOUNT_PAGE


def _label(transaction: Transaction, attempt: Attempt) -> None:
    found = _certificate_to_change(transaction, attempt).certificate
    line = user_text.clean_line(attempt.text, devices.MAX_LABEL_LENGTH)
    queries.change_certificate(transaction.connection, found.fingerprint, label=line)


def _certificate_to_revoke(transaction: Transaction, attempt: Attempt) -> ListedCertificate:
    found = _certificate_to_change(transaction, attempt)
    if found.is_only:
        raise OutdatedAction
    return found


def _certificate_to_change(transaction: Transaction, attempt: Attempt) -> ListedCertificate:
    """Return the player's certificate with the number in the address, or raise `OutdatedAction`."""
    listed = listed_certificates(transaction, attempt.visitor, attempt.player)
    found = next((each for each in listed if each.number == int(attempt["number"])), None)
    if found is None:
        raise OutdatedAction
    return found


def listed_certificates(
    transaction: Transaction, visitor: identity.Visitor, player: Player
) -> Sequence[ListedCertificate]:
    """Return the certificates of the player who visits, as the player's pages list them."""
    now = transaction.now
    shown = identity.certificate_of(visitor)
    known = [
        # Its use may be recorded after this page only.
        replace(each, last_used_at=now, valid_until=shown.not_after)
        if each.fingerprint == shown.fingerprint
        else each
        for each in queries.certificates_of(transaction.connection, player.id)
    ]
    # The names in the others are not stored.
    names = {shown.fingerprint: render.single_line(shown.common_name)[: devices.MAX_LABEL_LENGTH]}
    return [
        ListedCertificate(
            number=number,
            name=certificate.label or names.get(certificate.fingerprint, ""),
            certificate=certificate,
            is_in_use=certificate.fingerprint == shown.fingerprint,
            is_only=len(known) == 1,
            expiry=devices.expiry_of(certificate.valid_until, now),
        )
        for number, certificate in enumerate(known, start=1)
    ]


_on_devices = partial(Action, counter=ActionsOf(DEVICES), back=ACCOUNT_PAGE)

MAKE_CODE = _on_devices(name="make_code", does=_make_code)

WITHDRAW_CODE = _on_devices(
    name="withdraw_code",
    does=lambda transaction, attempt: queries.drop_link_code_of(
        transaction.connection, attempt.player.id
    ),
)

LABEL = _on_devices(
    name="label",
    asks=lambda transaction, attempt: [
        message(
            "A label for certificate {number}, such as the name of its device. At most {limit} "
            "characters",
            number=_certificate_to_change(transaction, attempt).number,
            limit=devices.MAX_LABEL_LENGTH,
        )
    ],
    does=_label,
)

REVOKE_CERTIFICATE = _on_devices(
    name="revoke",
    asks=_ask_to_revoke,
    word=typed_words.REVOKE,
    does=_revoke,
    notice=action.always(message("Nothing was revoked this time: that page was out of date.")),
)


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
        languages=[each for each in model.OFFERED.values() if each is not model.active_language()],
        language=model.active_language(),
        now=transaction.now,
        position=VARIANTS["ultimate"].replay(boards.SAMPLE_BOARD),
        board=boards.board,
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
    chosen = CHOICES[name][value](attempt.player.settings)
    players.save_settings(transaction, attempt.player, chosen)


def _choose_time_zone(transaction: Transaction, attempt: Attempt) -> None:
    chosen = replace(attempt.player.settings, time_zone=time_zones.find(attempt.typed))
    players.save_settings(transaction, attempt.player, chosen)


_setting = partial(Action, counter=ActionsOf(SETTINGS), makes_player=newcomer)

CHOOSE = _setting(
    name="choose",
    back=lambda attempt: FEED_PAGE if attempt["choice"].startswith("news-") else SETTINGS_PAGE,
    does=_choose,
)

CHOOSE_TIME_ZONE = _setting(
    name="choose_time_zone",
    back=SETTINGS_PAGE,
    asks=lambda *_: [message("Your time zone: a large city, or a name like Europe/Vienna")],
    does=_choose_time_zone,
)

_CHOICES = [f"{name}/{value}" for name, values in CHOICES.items() for value in values]

_OF_PLAYER = re.compile(
    "(?P<area>(?:/play)?/players/)(?P<name>[A-Za-z0-9_-]+)(?P<rest>(?:/[A-Za-z0-9._-]+)*/?)"
)


def redirect_for_former_name(context: AppContext, path: str) -> str | None:
    """Return where the path of a missing page leads by a former name in it, or None."""
    address = _OF_PLAYER.fullmatch(path)
    player = address and _player_once_called(context, address["name"])
    if address is None or player is None:
        return None
    return f"{address['area']}{player.name}{address['rest']}"


@reading
def _player_once_called(transaction: Transaction, name: str) -> Player | None:
    return queries.player_once_called(transaction.connection, name, transaction.now)


ROUTES: Routes = (
    *(
        (ACCOUNT_PAGE, account),
        (r"/play/me/export\.json", export),
        (f"/play/me/{KEY}/name", RENAME, ANY),
        (f"/play/me/{KEY}/feed", CHANGE_FEED_ADDRESS),
        (f"/play/me/{KEY}/erase", erase, ANY),
    ),
    *named(
        "accounts.pages.devices",
        (
            (CODE_PAGE, code),
            ("/play/me/certificates", all_certificates),
            (f"/play/me/{KEY}/code", MAKE_CODE),
            (f"/play/me/{KEY}/withdraw", WITHDRAW_CODE),
            (f"/play/me/{KEY}/link(?:/{GAME})?", link, ANY),
            (f"/play/me/{KEY}/label/{NUMBER}", LABEL, ANY),
            (f"/play/me/{KEY}/revoke/{NUMBER}", REVOKE_CERTIFICATE, ANY),
        ),
    ),
    *named(
        "accounts.pages.settings",
        (
            (SETTINGS_PAGE, overview),
            (FEED_PAGE, feed),
            (f"/play/me/{KEY}/set/{one_of('choice', _CHOICES)}", CHOOSE),
            (f"/play/me/{KEY}/set/zone", CHOOSE_TIME_ZONE, ANY),
        ),
    ),
)


def delete_old_requests(context: AppContext) -> None:
    """Delete the record of old requests."""
    with context.writing() as transaction:
        queries.delete_old_requests(transaction.connection, transaction.now.date())


FEATURE = Feature(
    ROUTES,
    (
        tables.players,
        tables.certificates,
        tables.device_codes,
        tables.private_feeds,
        tables.former_names,
        tables.relations,
        tables.carried_out,
    ),
    erase=personal_data.erase,
    sweep=((delete_old_requests, "Old requests could not be deleted"),),
    on_ban=lambda transaction, player: queries.drop_link_code_of(transaction.connection, player.id),
)
