"""Becoming a player, having a name, settings, and the address of the private feed."""

import base64
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from urllib.parse import urlsplit

from capsule.accounts import names, queries
from capsule.accounts.model import FormerName, Player, Settings
from capsule.context import AppContext, Transaction
from capsule.errors import Refused
from capsule.gemini.limits import RequestLimit
from capsule.gemini.types import Certificate
from capsule.languages.dates import in_words
from capsule.languages.model import spoken
from engine import Message
from engine.game import message

GENERATED_ATTEMPTS = 50

_PORT = re.compile(r":\d+\Z")

NAME_KEPT = timedelta(days=365)
"""The time for which a former name leads to its player and is unavailable to others.

The name of an erased player is unavailable for as long, and leads nowhere.
"""

MAX_RENAMES = 3
"""Names that a player may give up within a month: more would be keeping names from others."""

MONTH = timedelta(days=30)

ADDRESS_BYTES = 20
"""Random bytes in the address of a private feed, which must not be guessed."""


class NameRefused(Refused):
    """A name that nobody can have, or that this player cannot; `message` says why."""


@dataclass(frozen=True)
class Naming:
    """The name that a new certificate's player will get, None if one will be generated.

    In that case `reason` says why the name in the certificate cannot be had, if there is one.
    """

    name: str | None
    reason: Message | None = None


def make_player(
    transaction: Transaction, certificate: Certificate, name: str | None = None
) -> Player:
    """Return the player who is made now for a certificate that is nobody's yet.

    The player's language is the active one. Without a `name`, the player gets that of the
    certificate. Raises `NameRefused` if the name cannot be had.
    """
    context, connection, now = transaction.context, transaction.connection, transaction.now
    if name is None:
        name = _free_name(transaction, _name_in(context, certificate))
    else:
        require_free(transaction, name)
    queries.drop_former_name(connection, name)
    player = queries.add_player(connection, name, now, spoken().key)
    queries.add_certificate(
        connection, player.id, certificate.fingerprint, certificate.not_after, now
    )
    queries.save_feed_address(connection, player.id, _new_address(context))
    return player


def naming(transaction: Transaction, certificate: Certificate) -> Naming:
    """Return the name that a new certificate's player would get."""
    common_name = _name_in(transaction.context, certificate)
    if not common_name:
        return Naming(None)
    name = names.from_common_name(common_name)
    if not name:
        return Naming(None, names.letters_problem(common_name))
    try:
        require_free(transaction, name)
    except NameRefused as error:
        return Naming(None, error.message)
    return Naming(name)


def rename(transaction: Transaction, player: Player, name: str) -> None:
    """Rename the player; raises `NameRefused` if the name cannot be had."""
    former = require_free(transaction, name, player)
    if former is None and names.skeleton(name) != names.skeleton(player.name):
        _require_few_renames(transaction, player)
    change_name(transaction, player, name)


def change_name(
    transaction: Transaction,
    player: Player,
    name: str,
    *,
    taken_away: bool = False,
    leads_on: bool = True,
) -> None:
    """Replace the player's name by one that is free for them; the rest is as in `FormerName`."""
    connection, now = transaction.connection, transaction.now
    if names.skeleton(name) == names.skeleton(player.name):
        queries.change_player(connection, player.id, name=name)
        return
    former = FormerName(player.name, player.id, now + NAME_KEPT, taken_away, leads_on)
    queries.save_former_name(connection, former, now)
    queries.drop_former_name(connection, name)
    queries.rename_player(connection, player.id, name)


def require_free(
    transaction: Transaction, name: str, player: Player | None = None
) -> FormerName | None:
    """Raise `NameRefused` if the player, or a new one, cannot have a name.

    Return the player's former name that it is, if it is one.
    """
    reason = names.letters_problem(name)
    if reason is not None:
        raise NameRefused(reason)
    skeleton = names.skeleton(name)
    own_name = player.name if player and skeleton == names.skeleton(player.name) else None
    reason = names.impersonation(name)
    # Players with such a name from before it was refused may respell it. But no other name becomes
    # such a name by its spelling, such as with a hyphen before "bot".
    if reason is not None and (own_name is None or names.impersonation(own_name) is None):
        raise NameRefused(reason)
    if own_name is not None:
        return None
    for owner in queries.players_looking_like(transaction.connection, name):
        _require_self(owner, name, player)
    alike = queries.former_names_looking_like(transaction.connection, name, transaction.now)
    for former in alike:
        _require_own(former, name, player)
    _require_not_erased(transaction, name)
    return next((each for each in alike if names.skeleton(each.name) == skeleton), None)


def _require_self(owner: Player, name: str, player: Player | None) -> None:
    if player is not None and owner.id == player.id:
        return
    if owner.name.lower() == name.lower():
        raise NameRefused(message("{name} is taken", name=owner.name))
    raise NameRefused(
        message("{name} is too like {other}, which is taken", name=name, other=owner.name)
    )


def _require_own(former: FormerName, name: str, player: Player | None) -> None:
    until = in_words(former.kept_until)
    if former.taken_away:
        raise NameRefused(
            message(
                "The operator has taken {name} away. Nobody can have it before {date}",
                name=name,
                date=until,
            )
        )
    if player is None or former.player_id != player.id:
        raise NameRefused(
            message(
                "{name} was another player's until recently, and is kept for them until {date}",
                name=name,
                date=until,
            )
        )


def _require_not_erased(transaction: Transaction, name: str) -> None:
    look_key = names.skeleton_key(transaction.context.secret, name)
    until = queries.erased_name_kept_until(transaction.connection, look_key, transaction.now)
    if until is not None:
        raise NameRefused(
            message(
                "{name} was a former player's until recently. Nobody can have it before {date}",
                name=name,
                date=in_words(until),
            )
        )


def _require_few_renames(transaction: Transaction, player: Player) -> None:
    now = transaction.now
    given_up = [
        former.kept_until - NAME_KEPT
        for former in queries.former_names_of(transaction.connection, player.id, now)
        if not former.taken_away
    ]
    recently = [moment for moment in given_up if moment > now - MONTH]
    if len(recently) >= MAX_RENAMES:
        raise NameRefused(
            message(
                "You have given up {count} names within a month, and they are kept for you. Take "
                "one of them again, or another name from {date} on",
                count=len(recently),
                date=in_words(recently[-MAX_RENAMES] + MONTH),
            )
        )


def change_feed_address(transaction: Transaction, player: Player) -> None:
    """Move the player's private feed to a new address, and end the old one."""
    address = _new_address(transaction.context)
    queries.save_feed_address(transaction.connection, player.id, address)


def save_settings(transaction: Transaction, player: Player, settings: Settings) -> None:
    """Give a player other settings; who no longer shows when they are here has no such day."""
    queries.save_settings(transaction.connection, player.id, settings)
    if not settings.shows_activity:
        queries.change_player(transaction.connection, player.id, active_on=None)


def rates_bots(player: Player | None) -> bool:
    """Return whether a player lets games against bots count for ratings; None is a visitor."""
    return player is not None and player.settings.rated_against_bots


def _new_address(context: AppContext) -> str:
    return base64.b32encode(context.random_bytes(ADDRESS_BYTES)).decode().lower()


def _is_free(transaction: Transaction, name: str) -> bool:
    try:
        require_free(transaction, name)
    except NameRefused:
        return False
    return True


def _name_in(context: AppContext, certificate: Certificate) -> str:
    # Astronomo names its certificates after the host that asks for one: that is no player's name.
    common_name = certificate.common_name.strip()
    host = urlsplit(context.origin).hostname
    return "" if _PORT.sub("", common_name).lower() == host else common_name


def _free_name(transaction: Transaction, common_name: str) -> str:
    proposal = names.from_common_name(common_name)
    if _is_free(transaction, proposal):
        return proposal
    for _ in range(GENERATED_ATTEMPTS):
        name = names.generated(int.from_bytes(transaction.context.random_bytes(8)))
        if _is_free(transaction, name):
            return name
    raise RuntimeError("no free name was found")


HOUR_SECONDS = 3600.0


class TooManyNewcomers(Exception):
    """Too many players come from the address; the next may follow in this many `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the next in {seconds} seconds")
        self.seconds = seconds


class NewcomerLimit:
    """A limit on the players made by this process: `per_hour` at once, and as many in an hour.

    A `per_hour` of 0 sets no limit. `monotonic` returns seconds that never go back.
    """

    def __init__(self, per_hour: int, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = Lock()
        self._per_hour = -1
        self.allow(per_hour)

    def allow(self, per_hour: int) -> None:
        """Allow this many from now on."""
        with self._lock:
            if per_hour != self._per_hour:
                self._per_hour = per_hour
                self._limit = RequestLimit(per_hour / HOUR_SECONDS, per_hour)

    @contextmanager
    def counted(self, address_key: str | None) -> Iterator[None]:
        """Count a player who is made in the block, and not if it raises an error.

        Nothing is counted without an address. Raises `TooManyNewcomers`.
        """
        if address_key is None:
            yield
            return
        with self._lock:
            seconds = self._limit.seconds_to_wait(address_key, self._monotonic())
        if seconds:
            raise TooManyNewcomers(seconds)
        try:
            yield
        except BaseException:
            with self._lock:
                self._limit.give_back(address_key)
            raise
