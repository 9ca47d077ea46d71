"""What the operator of the capsule does, at its console only.

Each use case is one transaction and leaves a trace, which `trace` returns. What cannot be done is
refused with a sentence for the console: these words are not for players, and in English only. The
reasons are for players: they are shown to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule import farewell, notices, players
from capsule.game import OutdatedAction
from capsule.notices import Notice
from capsule.store import devices as stored_devices
from capsule.store import games as stored_games
from capsule.store import names as stored_names
from capsule.store import operator as stored
from capsule.store import players as stored_players
from capsule.typed import TextRefused, readable
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.names import FormerName
    from capsule.store.operator import Action, Counts, Report, Said
    from capsule.store.players import Player

MOST_DAYS = 3650
"""The longest ban or silence that has an end, in days."""


class OperatorRefused(ValueError):
    """Something that the operator cannot do; the text is a sentence that says why."""


@dataclass(frozen=True)
class Known:
    """What an operator needs to know of a player."""

    player: Player
    counts: Counts
    running: int
    former_names: Sequence[FormerName]
    actions: Sequence[Action]


@dataclass(frozen=True)
class Banned:
    """A player who was shut out, until when, and the games that ended by it, as they are now."""

    player: Player
    until: datetime | None
    games: Sequence[StoredGame]


def reports(site: Site, *, also_closed: bool = False) -> Sequence[tuple[Report, Sequence[Said]]]:
    """Return the reports that are open, or all, and with each the messages of the game it is on."""
    with site.store.reading() as connection:
        return [
            (report, stored.said_in(connection, report.game_id) if report.game_id else ())
            for report in stored.reports_made(connection, also_closed=also_closed)
        ]


def known(site: Site, name: str) -> Known:
    """Return what is to be known of the player of a name."""
    with site.store.reading() as connection:
        player = _player(site, connection, name)
        return Known(
            player,
            stored.counts_of(connection, player.id),
            stored_games.count_unfinished(connection, player.id),
            stored_names.former_names_of(connection, player.id, site.clock()),
            stored.actions_taken(connection, player.id),
        )


def trace(site: Site, name: str | None = None) -> Sequence[Action]:
    """Return what the operator did, to the player of a name or to all, in order."""
    with site.store.reading() as connection:
        if name is None:
            return stored.actions_taken(connection)
        return stored.actions_taken(connection, _player(site, connection, name).id)


def close_report(site: Site, number: int) -> Report:
    """Close a report, which needs no more doing, and return it."""
    with site.store.writing() as connection:
        report = stored.report_of_number(connection, number)
        if report is None:
            raise OperatorRefused(f"There is no report {number}.")
        if report.closed_at is not None:
            raise OperatorRefused(f"Report {number} is closed already.")
        stored.close_report(connection, number, site.clock())
        reported = stored_players.player_by_id(connection, report.reported_id)
        if reported is not None:
            _note(site, connection, "close", reported, f"report {number}")
    return report


def warn(site: Site, name: str, reason: str) -> Player:
    """Tell a player something until they acknowledge it, and return them."""
    reason = _reason(reason)
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        _tell(connection, player, Notice(notices.WARNED, reason))
        _note(site, connection, "warn", player, reason)
    return player


def silence(site: Site, name: str, days: int, reason: str) -> tuple[Player, datetime]:
    """Let a player send no messages for some days; return them, and until when."""
    reason = _reason(reason)
    until = site.clock() + _days(days)
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        notice = Notice(notices.SILENCED, reason, until=until.isoformat())
        _tell(connection, player, notice, silenced_until=until)
        _note(site, connection, "mute", player, f"for {_count(days)}: {reason}")
    return player, until


def let_speak(site: Site, name: str) -> Player:
    """Let a player send messages again, and return them."""
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        if not player.is_silenced(site.clock()):
            raise OperatorRefused(f"{player.name} is not muted.")
        stored.change_player(
            connection,
            player.id,
            silenced_until=None,
            warning=notices.without(player, notices.SILENCED),
        )
        _note(site, connection, "unmute", player, "")
    return player


def ban(site: Site, name: str, reason: str, days: int | None) -> Banned:
    """Shut a player out, for some days or for good: their games end, and they leave tournaments."""
    reason = _reason(reason)
    until = None if days is None else site.clock() + _days(days)
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        stored.change_player(connection, player.id, banned_for=reason, banned_until=until)
        stored_devices.drop_code_of(connection, player.id)
        games = farewell.end_games(site, connection, player)
        how_long = "for good" if days is None else f"for {_count(days)}"
        _note(site, connection, "ban", player, f"{how_long}: {reason}")
    return Banned(player, until, games)


def unban(site: Site, name: str) -> Player:
    """Let a player in again, and return them."""
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        if not player.is_banned(site.clock()):
            raise OperatorRefused(f"{player.name} is not banned.")
        stored.change_player(connection, player.id, banned_for=None, banned_until=None)
        _note(site, connection, "unban", player, "")
    return player


def rename(site: Site, name: str, new_name: str, reason: str, *, leads_on: bool) -> Player:
    """Take a player's name away and give them another; return them as they were.

    For a year nobody can have the old name, and its addresses lead to the player where it
    `leads_on`.
    """
    reason = _reason(reason)
    with site.store.writing() as connection:
        player = _to_change(site, connection, name)
        if new_name == player.name:
            raise OperatorRefused(f"{player.name} has that name already.")
        try:
            players.expect_free(site, connection, new_name, player)
        except players.NameRefused as error:
            raise OperatorRefused(f"{error}.") from error
        former = players.given_up(site, player, taken_away=True, leads_on=leads_on)
        players.change_name(site, connection, former, new_name)
        notice = Notice(notices.RENAMED, reason, old=player.name, new=new_name)
        _tell(connection, player, notice)
        _note(site, connection, "rename", player, f"to {new_name}: {reason}")
    return player


def remove_message(site: Site, number: int, reason: str) -> Said:
    """Empty a message, and return it as it was."""
    reason = _reason(reason)
    with site.store.writing() as connection:
        said = stored.message_of_number(connection, number)
        if said is None:
            raise OperatorRefused(f"There is no message {number}.")
        if said.removed:
            raise OperatorRefused(f"Message {number} is removed already.")
        # Before the message, as when the author is erased.
        stored_devices.hold_player(connection, said.author_id)
        stored.remove_message(connection, number)
        author = stored_players.player_by_id(connection, said.author_id)
        if author is not None and author.name:
            _tell(connection, author, Notice(notices.REMOVED, reason, game_id=said.game_id))
            detail = f"message {number} under /play/{said.game_id}: {reason}"
            _note(site, connection, "remove-message", author, detail)
    return said


def erase(site: Site, name: str) -> Player:
    """Erase a player who asks for it and cannot do it, and return them as they were."""
    while True:
        with site.store.reading() as connection:
            player = _player(site, connection, name)
        try:
            farewell.erase(site, player)
        except OutdatedAction:
            # The player has acted just now.
            continue
        break
    with site.store.writing() as connection:
        erased = stored_players.player_by_id(connection, player.id)
        if erased is not None:
            _note(site, connection, "erase", erased, "")
    return player


def _player(site: Site, connection: Connection, name: str) -> Player:
    """Return the player who has a name, in whichever case, or had it and is found by it."""
    found = stored_players.player_by_name(connection, name)
    if found is None:
        found = stored_names.player_once_called(connection, name, site.clock())
    if found is not None:
        return found
    if name.lower().replace("-", " ").removesuffix(" bot") in LEVELS:
        raise OperatorRefused(f"{name} is a bot, and nobody's name.")
    raise OperatorRefused(f"Nobody here is called {name}.")


def _to_change(site: Site, connection: Connection, name: str) -> Player:
    """Return the player of a name, whom nobody else changes until the transaction ends."""
    player = _player(site, connection, name)
    stored_devices.hold_player(connection, player.id)
    # Read again, since it may have taken a while to get hold of them.
    return stored_players.player_by_id(connection, player.id) or player


def _tell(connection: Connection, player: Player, notice: Notice, **values: object) -> None:
    warning = notices.with_notice(player, notice)
    stored.change_player(connection, player.id, warning=warning, **values)


def _note(site: Site, connection: Connection, action: str, player: Player, detail: str) -> None:
    stored.note_action(connection, site.clock(), action, player, detail)


def _reason(text: str) -> str:
    try:
        return readable(text)
    except TextRefused as error:
        raise OperatorRefused(f"The reason cannot be that. {error}.") from error


def _days(days: int) -> timedelta:
    if not 1 <= days <= MOST_DAYS:
        raise OperatorRefused(f"Days are from 1 to {MOST_DAYS}; without an end is a ban alone.")
    return timedelta(days=days)


def _count(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"
