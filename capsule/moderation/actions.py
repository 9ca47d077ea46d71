"""The operator's actions on players and their reports, which are taken at the console only.

Each is one transaction and is recorded; `actions_taken` in `reading` returns the records. An action
that cannot be taken is refused with a sentence for the console, which is in English only. The
reasons are shown to the players.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import device_queries, personal_data, player_queries, players
from capsule.cups import entry_queries as cup_entry_queries
from capsule.everyone import queries as vote_queries
from capsule.games.status import EndReason
from capsule.moderation import queries as moderation_queries
from capsule.moderation import report_queries
from capsule.moderation.model import ActionKind, Notice, NoticeKind
from capsule.moderation.notices import with_notice, without_notices
from capsule.moderation.operator_steps import (
    OperatorRefused,
    fit_reason,
    notify,
    player_called,
    player_to_change,
    record,
)
from capsule.seasons import departures as season_departures
from capsule.social import annotation_queries, introduction_queries
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments import withdrawal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.moderation.model import Report


MAX_DAYS = 3650
"""The longest mute or temporary ban, in days."""


@dataclass(frozen=True)
class Ban:
    """A banned player, when the ban ends, if it does, and the games that it has ended."""

    player: Player
    until: datetime | None
    games: Sequence[StoredGame]


def close_report(context: AppContext, number: int) -> Report:
    """Close a report that is settled, and return it."""
    with context.database.writing() as connection:
        report = report_queries.report_by_id(connection, number)
        if report is None:
            raise OperatorRefused(f"There is no report {number}.")
        if report.closed_at is not None:
            raise OperatorRefused(f"Report {number} is closed already.")
        report_queries.close_report(connection, number, context.clock())
        reported = player_queries.player_by_id(connection, report.reported_id)
        if reported is not None:
            record(context, connection, ActionKind.CLOSE, reported, f"report {number}")
    return report


def warn(context: AppContext, name: str, reason: str) -> Player:
    """Give a player a warning, which they must acknowledge, and return them."""
    reason = fit_reason(reason)
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        notice = Notice(NoticeKind.WARNING, reason)
        notify(connection, player, notice)
        record(context, connection, ActionKind.WARN, player, reason)
    return player


def mute(context: AppContext, name: str, days: int, reason: str) -> tuple[Player, datetime]:
    """Keep a player from sending messages for some days; return them, and until when."""
    reason = fit_reason(reason)
    until = context.clock() + _duration(days)
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        noticed = with_notice(player.sanctions, Notice(NoticeKind.MUTE, reason, until=until))
        sanctions = replace(noticed, muted_until=until)
        moderation_queries.save_sanctions(connection, player.id, sanctions)
        record(context, connection, ActionKind.MUTE, player, f"for {_in_words(days)}: {reason}")
    return player, until


def lift_mute(context: AppContext, name: str) -> Player:
    """Let a player send messages again, and return them."""
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        if not player.is_muted(context.clock()):
            raise OperatorRefused(f"{player.name} is not muted.")
        without_notice = without_notices(player.sanctions, NoticeKind.MUTE)
        sanctions = replace(without_notice, muted_until=None)
        moderation_queries.save_sanctions(connection, player.id, sanctions)
        record(context, connection, ActionKind.UNMUTE, player, "")
    return player


def ban(context: AppContext, name: str, reason: str, days: int | None) -> Ban:
    """Ban a player for some days or for good.

    Their games end, and they leave their tournaments. The titles that they gave to any are erased,
    and so is what they say about themselves. Their notes on games are private again. Their votes in
    everyone's game are not counted. They are off the table of the season.
    """
    reason = fit_reason(reason)
    until = None if days is None else context.clock() + _duration(days)
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        sanctions = replace(player.sanctions, ban_reason=reason, banned_until=until)
        moderation_queries.save_sanctions(connection, player.id, sanctions)
        device_queries.drop_link_code_of(connection, player.id)
        games = withdrawal.end_games(context, connection, player, EndReason.BANNED)
        tournament_queries.erase_titles(connection, player.id)
        introduction_queries.erase_introduction(connection, player.id)
        annotation_queries.hide_all(connection, player.id)
        vote_queries.withdraw_votes(connection, player.id)
        season_departures.take_off(connection, player.id, context.clock())
        cup_entry_queries.remove_entries_ahead(connection, player.id)
        how_long = "for good" if days is None else f"for {_in_words(days)}"
        record(context, connection, ActionKind.BAN, player, f"{how_long}: {reason}")
    return Ban(player, until, games)


def lift_ban(context: AppContext, name: str) -> Player:
    """End a player's ban, with what it took from the table of the season; return the player."""
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        if not player.is_banned(context.clock()):
            raise OperatorRefused(f"{player.name} is not banned.")
        sanctions = replace(player.sanctions, ban_reason=None, banned_until=None)
        moderation_queries.save_sanctions(connection, player.id, sanctions)
        season_departures.put_back(connection, player.id, context.clock())
        record(context, connection, ActionKind.UNBAN, player, "")
    return player


def rename(context: AppContext, name: str, new_name: str, reason: str, *, leads_on: bool) -> Player:
    """Take a player's name away and give them another; return them as they were.

    Nobody can have the old name for a year. If it `leads_on`, its addresses lead to the player.
    """
    reason = fit_reason(reason)
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        if new_name == player.name:
            raise OperatorRefused(f"{player.name} has that name already.")
        try:
            players.require_free(context, connection, new_name, player)
        except players.NameRefused as error:
            raise OperatorRefused(f"{error}.") from error
        former = players.given_up_name(context, player, taken_away=True, leads_on=leads_on)
        players.change_name(context, connection, former, new_name)
        notice = Notice(NoticeKind.RENAME, reason, old_name=player.name, new_name=new_name)
        notify(connection, player, notice)
        record(context, connection, ActionKind.RENAME, player, f"to {new_name}: {reason}")
    return player


def erase(context: AppContext, name: str) -> Player:
    """Erase a player who asks for it and cannot do it themselves; return them as they were."""
    with context.writing() as transaction:
        connection = transaction.connection
        player = player_called(context, connection, name)
        player_queries.lock_player(connection, player.id)
        personal_data.erase_player(transaction, player)
        erased = player_queries.player_by_id(connection, player.id)
        if erased is not None:
            record(context, connection, ActionKind.ERASE, erased, "")
    return player


def _duration(days: int) -> timedelta:
    if not 1 <= days <= MAX_DAYS:
        raise OperatorRefused(
            f"The number of days is from 1 to {MAX_DAYS}. Only a ban can be without an end."
        )
    return timedelta(days=days)


def _in_words(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"
