"""Becoming a player, names, settings, and the address of the private feed."""

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from urllib.parse import urlsplit

from capsule.accounts import names, queries
from capsule.accounts.model import FormerName, Player, Settings
from capsule.context import AppContext, Transaction
from capsule.errors import Refused
from capsule.gemini.limits import RequestLimit
from capsule.gemini.types import Certificate
from capsule.languages.dates import in_words
from capsule.languages.model import active_language
from engine import Message, message

GENERATED_ATTEMPTS = 50

_PORT = re.compile(r":\d+\Z")

NAME_RESERVED = timedelta(days=365)
"""The time for which a former name redirects to its player and is unavailable to others.

The name of an erased player is unavailable for as long, and redirects to nobody.
"""

MAX_RENAMES = 3
"""The number of names that a player may give up within a month, each of which stays reserved."""

MONTH = timedelta(days=30)

ADDRESS_BYTES = 20
"""The random bytes in the address of a private feed, enough that nobody can guess it."""


@dataclass(frozen=True)
class Naming:
    """The name that a new certificate's player will get, None if one will be generated.

    If the certificate has a name that is not available, `reason` says why.
    """

    name: str | None
    reason: Message | None = None


def make_player(
    transaction: Transaction, certificate: Certificate, name: str | None = None
) -> Player:
    """Make a player for a certificate that has none yet, and return the player.

    The player's language is the active one. Without a `name`, the player gets that of the
    certificate, or a generated one. Raises `Refused` if the `name` is not available.
    """
    context, connection, now = transaction.context, transaction.connection, transaction.now
    if name is None:
        name = _free_name(transaction, _name_in(context, certificate))
    elif (reason := name_refusal(transaction, name)) is not None:
        raise Refused(reason)
    queries.drop_former_name(connection, name)
    player = queries.add_player(connection, name, now, active_language().key)
    queries.add_certificate(connection, player.id, certificate, now)
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
    reason = name_refusal(transaction, name)
    return Naming(name) if reason is None else Naming(None, reason)


def rename(transaction: Transaction, player: Player, name: str) -> None:
    """Rename the player; raises `Refused` if the name is not available."""
    reason = name_refusal(transaction, name, player)
    if reason is None:
        former = queries.former_names_of(transaction.connection, player.id, transaction.now)
        own_names = [player.name, *(each.name for each in former)]
        if names.skeleton(name) not in map(names.skeleton, own_names):
            reason = _renames_refusal(former, transaction.now)
    if reason is not None:
        raise Refused(reason)
    change_name(transaction, player, name)


def change_name(
    transaction: Transaction,
    player: Player,
    name: str,
    *,
    taken_away: bool = False,
    leads_on: bool = True,
) -> None:
    """Replace the player's name by an available one; the flags are those of `FormerName`."""
    connection, now = transaction.connection, transaction.now
    if names.skeleton(name) == names.skeleton(player.name):
        queries.change_player(connection, player.id, name=name)
        return
    former = FormerName(player.name, player.id, now + NAME_RESERVED, taken_away, leads_on)
    queries.save_former_name(connection, former, now)
    queries.drop_former_name(connection, name)
    queries.rename_player(connection, player.id, name)


def name_refusal(
    transaction: Transaction, name: str, player: Player | None = None
) -> Message | None:
    """Return why the player, or a new one, cannot have a name; None if they can."""
    reason = names.letters_problem(name)
    if reason is not None:
        return reason
    reason = names.impersonation(name)
    if player is not None and names.skeleton(name) == names.skeleton(player.name):
        # A player whose name already impersonates, from before such names were refused, may respell
        # it. No other name may begin to impersonate by a respelling, as by a hyphen before "bot".
        return None if names.impersonation(player.name) is not None else reason
    if reason is not None:
        return reason
    return next(_claims(transaction, name, None if player is None else player.id), None)


def _claims(transaction: Transaction, name: str, player_id: int | None) -> Iterator[Message]:
    """Yield the reasons why a name is not available: other players have it, or had it."""
    connection, now = transaction.connection, transaction.now
    for owner in queries.players_looking_like(connection, name):
        if owner.id == player_id:
            continue
        if owner.name.lower() == name.lower():
            yield message("{name} is taken", name=owner.name)
        yield message("{name} is too like {other}, which is taken", name=name, other=owner.name)
    for former in queries.former_names_looking_like(connection, name, now):
        if former.taken_away:
            yield message(
                "The operator has taken {name} away. Nobody can have it before {date}",
                name=name,
                date=in_words(former.kept_until),
            )
        elif former.player_id != player_id:
            yield message(
                "{name} was another player's until recently, and is kept for them until {date}",
                name=name,
                date=in_words(former.kept_until),
            )
    skeleton_key = names.skeleton_key(transaction.context.secret, name)
    until = queries.erased_name_reserved_until(
        transaction.connection, skeleton_key, transaction.now
    )
    if until is not None:
        yield message(
            "{name} was a former player's until recently. Nobody can have it before {date}",
            name=name,
            date=in_words(until),
        )


def _renames_refusal(former: Sequence[FormerName], now: datetime) -> Message | None:
    """Return why a player with these former names cannot give up another name now, or None."""
    given_up = [each.kept_until - NAME_RESERVED for each in former if not each.taken_away]
    recently = [moment for moment in given_up if moment > now - MONTH]
    if len(recently) < MAX_RENAMES:
        return None
    return message(
        "You have given up {count} names within a month, and they are kept for you. Take one of "
        "them again, or another name from {date} on",
        count=len(recently),
        date=in_words(recently[-MAX_RENAMES] + MONTH),
    )


def change_feed_address(transaction: Transaction, player: Player) -> None:
    """Give the player's private feed a new address; the old address stops working."""
    address = _new_address(transaction.context)
    queries.save_feed_address(transaction.connection, player.id, address)


def save_settings(transaction: Transaction, player: Player, settings: Settings) -> None:
    """Save a player's settings; if they hide activity, delete the last day of it."""
    queries.save_settings(transaction.connection, player.id, settings)
    if not settings.shows_activity:
        queries.change_player(transaction.connection, player.id, active_on=None)


def rates_bots(player: Player | None) -> bool:
    """Return whether a player's games against bots are rated; None is a mere visitor."""
    return player is not None and player.settings.rated_against_bots


def _new_address(context: AppContext) -> str:
    return base64.b32encode(context.random_bytes(ADDRESS_BYTES)).decode().lower()


def _name_in(context: AppContext, certificate: Certificate) -> str:
    # Astronomo names certificates after the host that asks for them, which is no name of a player.
    common_name = certificate.common_name.strip()
    host = urlsplit(context.origin).hostname
    return "" if _PORT.sub("", common_name).lower() == host else common_name


def _free_name(transaction: Transaction, common_name: str) -> str:
    proposal = names.from_common_name(common_name)
    if name_refusal(transaction, proposal) is None:
        return proposal
    for _ in range(GENERATED_ATTEMPTS):
        name = names.generated(int.from_bytes(transaction.context.random_bytes(8)))
        if name_refusal(transaction, name) is None:
            return name
    raise RuntimeError("no free name was found")


HOUR_SECONDS = 3600.0


class TooManyNewcomers(Exception):
    """Too many players were made from one address; the next may be made in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the next in {seconds} seconds")
        self.seconds = seconds


class NewcomerLimit:
    """A limit on new players per address: bursts of `per_hour`, then `per_hour` in an hour.

    Each process counts separately. A `per_hour` of 0 sets no limit. `monotonic` is a clock in
    seconds that never goes back.
    """

    def __init__(self, per_hour: int, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = Lock()
        self._per_hour = -1
        self.allow(per_hour)

    def allow(self, per_hour: int) -> None:
        """Allow this many players per hour from now on."""
        with self._lock:
            if per_hour != self._per_hour:
                self._per_hour = per_hour
                self._limit = RequestLimit(per_hour / HOUR_SECONDS, per_hour)

    @contextmanager
    def counted(self, address_key: str | None) -> Iterator[None]:
        """Count the player made in the block, unless the block raises an error.

        Without an `address_key`, nothing is counted. Raises `TooManyNewcomers`.
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
