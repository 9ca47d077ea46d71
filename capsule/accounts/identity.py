"""Visitors: the senders of requests, identified by their client certificates, and their keys."""

import base64
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

import sqlalchemy as sa

from capsule.accounts import activity, queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.errors import Refused
from capsule.gemini.types import Account, CachePolicy, CacheTag, Certificate, Request, Response
from capsule.languages.dates import in_words
from capsule.languages.model import activate_language
from capsule.languages.time_zones import local_time
from capsule.ui import responses
from capsule.ui.atom import Feed, feed_response
from capsule.ui.preferences import DEFAULT_PREFERENCES, Preferences
from engine import Message, message

KEY_BYTES = 16

REMEMBERED = 20
"""The number of past values of a counter for which an outdated key is still recognised."""

NONE_YET = 0
"""The count in the key for an author's first text; later keys have the count of the text before."""


def action_key(secret: bytes, identity: str, subject: str, count: int) -> str:
    """Return the key of an action: 26 characters of lower-case base32.

    `identity` names who may act, and `subject` what the action is on (a game, new games, the
    account). `count` is the subject's counter. Every action raises it, so that a key fits once and
    for one visitor only.

    >>> action_key(b"secret", "player 1", "game k3x9m2pqrt", 4)
    'aksscfo5xl3vnocfkntc4c2kqa'
    """
    text = f"{identity}\n{subject}\n{count}".encode()
    digest = hmac.digest(secret, text, sha256)[:KEY_BYTES]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def are_equal(typed: str, expected: str) -> bool:
    """Return whether a key or a code is the expected one, in constant time."""
    return hmac.compare_digest(typed.encode(), expected.encode())


_KEY = re.compile(r"/[a-z2-7]{26}(?![^/])")


def has_key(path: str) -> bool:
    """Return whether a path has a segment in the form of an action's key.

    >>> has_key("/play/k3x7m2pqrt/abcdefghijklmnopqrstuvwxyz/move"), has_key("/play/k3x7m2pqrt")
    (True, False)
    """
    return _KEY.search(path) is not None


def last_counts(newest: int) -> range:
    """Return the last values of a counter that rises by one, the newest first.

    >>> list(last_counts(2)), len(last_counts(300))
    ([2, 1, 0], 20)
    """
    return range(newest, max(newest - REMEMBERED, -1), -1)


GAME, DRAW, TAKEBACK = "game {}", "draw {}", "takeback {}"
"""The subjects of the keys to act in a game and to answer offers; the game's id completes them."""


class CertificateMissing(Exception):
    """A page or action needs a certificate, and the request has none."""


class CertificateRefused(Refused):
    """A certificate that has expired or is not valid yet; `message` says so, and what to do."""


class CertificateNotAuthorised(Refused):
    """The certificate's player is banned; `message` says why and until when."""


@dataclass(frozen=True)
class Visitor:
    """The sender of a request.

    `certificate` is None unless it is valid now; `player` is None until the first action with it.
    `is_narrow` says that the request asks for a narrow page.
    """

    certificate: Certificate | None = None
    player: Player | None = None
    is_narrow: bool = False

    @property
    def preferences(self) -> Preferences:
        """The visitor's preferences for pages."""
        chosen = self.player.settings if self.player is not None else DEFAULT_PREFERENCES
        return replace(chosen, narrow=True) if self.is_narrow else chosen

    @property
    def may_be_asked_for_width(self) -> bool:
        """Whether to offer narrow boards: to players until they choose a width, else always."""
        is_undecided = self.player is None or not self.player.settings.width_chosen
        return is_undecided and not self.preferences.narrow

    @property
    def identity(self) -> str | None:
        """The identity to which keys belong: the player, or a certificate without a player."""
        if self.player is not None:
            return f"player {self.player.id}"
        if self.certificate is not None:
            return f"certificate {self.certificate.fingerprint}"
        return None

    def key(self, context: AppContext, subject: str, count: int) -> str:
        """Return the visitor's key to act on a subject at this count, "" without a certificate."""
        if self.identity is None:
            return ""
        return action_key(context.secret, self.identity, subject, count)

    def game_key(self, context: AppContext, game_id: str, turn_counter: int) -> str:
        """Return the visitor's key to act in a game at this turn."""
        return self.key(context, GAME.format(game_id), turn_counter)

    def draw_key(self, context: AppContext, game_id: str, turn_counter: int) -> str:
        """Return the visitor's key to answer the draw that is offered to them at this turn."""
        return self.key(context, DRAW.format(game_id), turn_counter)

    def takeback_key(self, context: AppContext, game_id: str, turn_counter: int) -> str:
        """Return the visitor's key to answer the takeback that is asked of them at this turn."""
        return self.key(context, TAKEBACK.format(game_id), turn_counter)

    def account_key(self, context: AppContext, subject: str) -> str:
        """Return the visitor's key to act outside games, void after their next action."""
        return self.key(context, subject, self.player.actions if self.player else 0)

    def fits(self, context: AppContext, subject: str, key: str, count: int) -> bool:
        """Return whether a key is the visitor's to act on a subject at this count."""
        return self.identity is not None and are_equal(key, self.key(context, subject, count))

    def held(self, context: AppContext, subject: str, key: str, counts: Iterable[int]) -> bool:
        """Return whether a key was the visitor's own at one of these counts.

        A player's first keys were issued to their certificate, before they were a player.
        """
        holders = (self, replace(self, player=None))
        return any(
            are_equal(key, holder.key(context, subject, count))
            for count in counts
            for holder in holders
        )


def reader_of(context: AppContext, request: Request) -> Visitor:
    """Return the visitor of a page that reads nothing else from the database.

    Without a valid certificate, no transaction is opened.
    """
    if not has_valid_certificate(request, context.clock()):
        return Visitor(is_narrow=request.is_narrow)
    with context.reading() as transaction:
        return visitor_of(transaction, request)


def visitor_of(transaction: Transaction, request: Request) -> Visitor:
    """Return the visitor of a public page; an invalid certificate counts as none."""
    certificate = valid_certificate(transaction, request)
    if certificate is None:
        return Visitor(is_narrow=request.is_narrow)
    player = queries.player_by_certificate(transaction.connection, certificate.fingerprint)
    return visitor_with(transaction, request, certificate, player)


def visitor_with(
    transaction: Transaction,
    request: Request,
    certificate: Certificate | None,
    player: Player | None,
) -> Visitor:
    """Return the visitor of a public page, given a valid certificate and its player.

    A banned player sees the page as a stranger does, but in the player's own language.
    """
    _activate_language_of(player, request)
    if player is not None and player.is_banned(transaction.now):
        return Visitor(is_narrow=request.is_narrow)
    return Visitor(certificate, player, is_narrow=request.is_narrow)


def _activate_language_of(player: Player | None, request: Request) -> None:
    """Activate a player's language where the address names none."""
    if player is not None and request.is_readers_own:
        activate_language(player.settings.language)


def activate_language_of_reader(context: AppContext, request: Request) -> None:
    """Activate the language of a visitor about whom the page needs to know nothing else."""
    if request.is_readers_own:
        reader_of(context, request)


def preferences_of(context: AppContext, request: Request) -> Preferences:
    """Return the visitor's preferences for a page without data; see `reader_of`."""
    return reader_of(context, request).preferences


def valid_certificate(transaction: Transaction, request: Request) -> Certificate | None:
    """Return the certificate of a request if it is valid now, else None."""
    return request.certificate if has_valid_certificate(request, transaction.now) else None


def has_valid_certificate(request: Request, now: datetime) -> bool:
    """Return whether a request has a certificate that is valid at this time."""
    certificate = request.certificate
    return certificate is not None and date_problem(certificate, now) is None


def signed_in(
    transaction: Transaction, request: Request, user: queries.User | None = None
) -> Visitor:
    """Return the visitor of a page or action that needs an identity; `user` is one read already.

    The use of the certificate is recorded afterwards. Raises `CertificateMissing`,
    `CertificateRefused` or `CertificateNotAuthorised`.
    """
    certificate = request.certificate
    if certificate is None:
        raise CertificateMissing
    problem = date_problem(certificate, transaction.now)
    if problem is not None:
        _activate_language_of(
            queries.player_by_certificate(transaction.connection, certificate.fingerprint), request
        )
        raise CertificateRefused(problem)
    player = sign_in(transaction, certificate, user)
    _activate_language_of(player, request)
    if player is not None and player.is_banned(transaction.now):
        raise CertificateNotAuthorised(_ban_message(player))
    return Visitor(certificate, player)


def sign_in(
    transaction: Transaction, certificate: Certificate, user: queries.User | None = None
) -> Player | None:
    """Return the player who uses a certificate, or None, and record its use afterwards.

    `user` is the certificate's, if it has been read already. The use is stored once a day, and when
    the certificate has been renewed, with the day of the visit if the player shows it to others. A
    busy database is not waited for: then the next use is stored instead.
    """
    user = user or queries.user_of(transaction.connection, certificate.fingerprint)
    if user is None:
        return None
    player, known = user
    now = transaction.now
    is_recorded = known.last_used_at is not None and known.last_used_at.date() >= now.date()
    is_renewed = known.valid_until is None or known.valid_until < certificate.not_after
    if is_renewed or _should_record_visit(player, now) or not is_recorded:
        record = partial(_record_use, player=player, certificate=certificate, now=now)
        activity.store_when_free(transaction, record)
    return player


def _record_use(
    connection: sa.Connection, player: Player, certificate: Certificate, now: datetime
) -> None:
    # The player is locked before the certificate, as in an erasure, so that no deadlock arises.
    if _should_record_visit(player, now):
        queries.save_day(connection, player.id, now.date())
    queries.change_certificate(
        connection, certificate.fingerprint, last_used_at=now, valid_until=certificate.not_after
    )


def _should_record_visit(player: Player, now: datetime) -> bool:
    """Return whether to store that a player is here today: others may see it, and do not yet."""
    today, shown_from, stored = now.date(), player.activity_shown_from, player.active_on
    if (stored is not None and stored >= today) or shown_from is None or shown_from > today:
        return False
    return player.settings.shows_activity and player.is_present(now)


def date_problem(certificate: Certificate, now: datetime) -> Message | None:
    """Return why the certificate is not valid at this time, None for a valid one."""
    if now > certificate.not_after:
        return message(
            "Your certificate expired on {date}. Renew it, or make a new one",
            date=in_words(certificate.not_after),
        )
    if now < certificate.not_before:
        return message(
            "Your certificate is not valid before {date}. Check your clock, or make a new one",
            date=in_words(certificate.not_before),
        )
    return None


def _ban_message(player: Player) -> Message:
    sanctions = player.sanctions
    if sanctions.banned_until is None:
        return message(
            "The operator of this capsule has banned you: {reason}", reason=sanctions.ban_reason
        )
    return message(
        "The operator of this capsule has banned you until {when}: {reason}",
        when=local_time(sanctions.banned_until, player.settings.time_zone),
        reason=sanctions.ban_reason,
    )


def certificate_of(visitor: Visitor) -> Certificate:
    """Return a visitor's certificate; raises `CertificateMissing` if there is none."""
    if visitor.certificate is None:
        raise CertificateMissing
    return visitor.certificate


MAX_AGE = timedelta(minutes=10)
"""The maximum age of a cached page whose changes at known times are covered by `until`."""


def cache_policy(
    player: Player | None, now: datetime, *tags: CacheTag, until: Iterable[datetime | None] = ()
) -> CachePolicy:
    """Return the cache policy of a page that depends on a player's account and on these tags.

    The page is fresh until the earliest of these times after `now`.
    """
    own = () if player is None else (Account(player.id),)
    times = (now + MAX_AGE, *until)
    return CachePolicy(
        min(time for time in times if time is not None and time > now), frozenset({*own, *tags})
    )


def static_page(context: AppContext, visitor: Visitor, template: str, **values: object) -> Response:
    """Return a page that depends only on the visitor's preferences."""
    page = responses.page(visitor.preferences, template, **values)
    return replace(page, cache_policy=cache_policy(visitor.player, context.clock()))


def feed_page(
    transaction: Transaction,
    request: Request,
    feed: Feed,
    form: str | None,
    upgraded_at: datetime | None = None,
) -> Response:
    """Return a feed in a form, as `feed_response` does, for the visitor who asks for it."""
    preferences = visitor_of(transaction, request).preferences
    return feed_response(preferences, feed, form, transaction.context.origin, upgraded_at)


AREA = "/play/"
"""The address that asks for a certificate, and the prefix of all that need one."""

NEW_GAMES = "new/"
"""The end of the address of the page with the games that can be started."""

UNSENT_QUERY = "unsent"
UNSENT = f"{AREA}?{UNSENT_QUERY}"
"""The address that asks for a certificate and explains that a text was not sent without one."""

# Shorter than any action key, so that signing in never leads to an action.
_SEGMENT = r"(?:[a-z0-9]{1,12}(?:\.[a-z]{2,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2})"
# Names of players are also shorter than action keys.
_PROFILE = "players/[A-Za-z0-9_-]{2,24}"
_AREAS = "new|me|tournaments|cups|puzzles|daily|everyone|season|mistakes"
_CHOICES = re.compile(r"[A-Za-z0-9_=&,+.~-]{1,900}")
GOAL_PATTERN = (
    rf"(?:{_PROFILE}|(?:{_AREAS}|next|desk(?:\.json)?|[a-z2-7]{{10}})(?:/{_SEGMENT})*/?)"
    rf"(?:\?{_CHOICES.pattern})?"
)
"""The regular expression of a query of `/play/` that names a page below."""

_GOAL = re.compile(GOAL_PATTERN)


def way_to(path: str, query: str | None) -> str:
    """Return the address that asks for a certificate and then shows a page.

    >>> way_to("/play/new/ultimate", "side=o")
    '/play/?new/ultimate?side=o'
    >>> way_to("/play/k3x7m2pqrt/abcdefghijklmnopqrstuvwxyz/move", "e5")
    '/play/'
    >>> way_to("/play/new/", None)
    '/play/'
    """
    page = path.removeprefix(AREA)
    if page == NEW_GAMES and not query:
        # A new visitor sees the same games at `AREA`. Some browsers use a certificate only at the
        # address that asked for it, query included, so an address without a query is better.
        return AREA
    goal = f"{page}?{query}" if query and _CHOICES.fullmatch(query) else page
    return AREA if goal_of(goal) is None else f"{AREA}?{goal}"


def goal_of(query: str | None) -> str | None:
    """Return the address of the page that a query of `/play/` names, or None.

    >>> goal_of("new/ultimate?side=o"), goal_of("//example.org")
    ('/play/new/ultimate?side=o', None)
    """
    if query is None or _GOAL.fullmatch(query) is None:
        return None
    return f"{AREA}{query}"
