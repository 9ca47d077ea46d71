"""Actions of the operator: warnings, bans, removals, and their reversal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts import personal_data, players, queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.errors import NotAtPresent
from capsule.games.model import EndReason, StoredGame
from capsule.moderation import queries as moderation_queries
from capsule.moderation.model import ActionKind, LineKind, LoggedLine, Notice, NoticeKind, Report
from capsule.moderation.notices import (
    OperatorRefused,
    fit_reason,
    notify,
    player_called,
    player_to_change,
    record,
    with_notice,
    without_notices,
)
from capsule.social import queries as social_queries
from capsule.social.model import NO_INTRODUCTION, PublishedNotes
from capsule.tournaments import actions, queries as tournament_queries
from capsule.tournaments.actions import clean_title
from capsule.tournaments.model import StoredTournament
from capsule.tournaments.reading import load_tournament
from capsule.ui.user_text import TextRefused

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
        report = moderation_queries.report_by_id(connection, number)
        if report is None:
            raise OperatorRefused(f"There is no report {number}.")
        if report.closed_at is not None:
            raise OperatorRefused(f"Report {number} is closed already.")
        moderation_queries.close_report(connection, number, context.clock())
        reported = account_queries.player_by_id(connection, report.reported_id)
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

    Their games end, and they leave their tournaments. Each feature does the rest in its `on_ban`.
    """
    reason = fit_reason(reason)
    until = None if days is None else context.clock() + _duration(days)
    with context.database.writing() as connection:
        player = player_to_change(context, connection, name)
        sanctions = replace(player.sanctions, ban_reason=reason, banned_until=until)
        moderation_queries.save_sanctions(connection, player.id, sanctions)
        games = actions.end_games(context, connection, player, EndReason.BANNED)
        for feature in context.features:
            feature.on_ban(context, connection, player)
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
        for feature in context.features:
            feature.on_unban(context, connection, player)
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
        notice = Notice(NoticeKind.RENAME, reason, old=player.name, new=new_name)
        notify(connection, player, notice)
        record(context, connection, ActionKind.RENAME, player, f"to {new_name}: {reason}")
    return player


def erase(context: AppContext, name: str) -> Player:
    """Erase a player who asks for it and cannot do it themselves; return them as they were."""
    with context.writing() as transaction:
        connection = transaction.connection
        player = player_called(context, connection, name)
        account_queries.lock_player(connection, player.id)
        personal_data.erase_player(transaction, player)
        erased = account_queries.player_by_id(connection, player.id)
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


def remove_message(context: AppContext, number: int, reason: str) -> LoggedLine:
    """Empty a message, notify its author, and return it as it was."""
    return _remove_line(context, LineKind.MESSAGE, number, reason)


def remove_comment(context: AppContext, number: int, reason: str) -> LoggedLine:
    """Empty a comment, notify its author, and return it as it was."""
    return _remove_line(context, LineKind.COMMENT, number, reason)


def _remove_line(context: AppContext, kind: LineKind, number: int, reason: str) -> LoggedLine:
    reason = fit_reason(reason)
    action, notice_kind = _REMOVALS[kind]
    with context.database.erasing() as connection:
        line = _line_to_remove(connection, kind, number)
        # The author is held before the line, as when the author is erased.
        account_queries.lock_player(connection, line.author_id)
        line = _line_to_remove(connection, kind, number)
        moderation_queries.remove_line(connection, kind, line)
        author = account_queries.player_by_id(connection, line.author_id)
        if author is not None and author.name:
            notice = Notice(notice_kind, reason, game_id=line.game_id)
            notify(connection, author, notice)
            detail = f"{kind} {number} under /play/{line.game_id}: {reason}"
            record(context, connection, action, author, detail)
    return line


def _line_to_remove(connection: sa.Connection, kind: LineKind, number: int) -> LoggedLine:
    line = moderation_queries.line_by_number(connection, kind, number)
    if line is None:
        raise OperatorRefused(f"There is no {kind} {number}.")
    if line.is_removed:
        raise OperatorRefused(f"{kind.capitalize()} {number} is removed already.")
    return line


_REMOVALS = {
    LineKind.MESSAGE: (ActionKind.REMOVE_MESSAGE, NoticeKind.REMOVAL),
    LineKind.COMMENT: (ActionKind.REMOVE_COMMENT, NoticeKind.COMMENT_REMOVAL),
}
"""The record of the removal of a line, and the notice to its author."""


def remove_notes(context: AppContext, number: int, reason: str) -> PublishedNotes:
    """Empty the published notes of a player on a game, notify and return them as they were.

    `number` is that of the annotated game. Notes that are not published stay.
    """
    reason = fit_reason(reason)
    with context.database.erasing() as connection:
        found = _notes_to_remove(connection, number)
        # The author is held before the notes, as when the author is erased.
        account_queries.lock_player(connection, found.author.id)
        found = _notes_to_remove(connection, number)
        social_queries.remove(connection, found.game_id, found.author.id)
        author = account_queries.player_by_id(connection, found.author.id)
        if author is not None:
            notice = Notice(NoticeKind.NOTES_REMOVAL, reason, game_id=found.game_id)
            notify(connection, author, notice)
            detail = f"notes {number} on /play/{found.game_id}: {reason}"
            record(context, connection, ActionKind.REMOVE_NOTES, author, detail)
    return found


def _notes_to_remove(connection: sa.Connection, number: int) -> PublishedNotes:
    found = social_queries.notes_with_number(connection, number)
    if found is None:
        raise OperatorRefused(f"There are no published notes with the number {number}.")
    return found


def clear_profile(context: AppContext, name: str, reason: str) -> Player:
    """Remove what a player says about themselves on their page, notify and return them."""
    reason = fit_reason(reason)
    with context.database.erasing() as connection:
        player = player_to_change(context, connection, name)
        if social_queries.introduction_of(connection, player.id) == NO_INTRODUCTION:
            raise OperatorRefused(f"The page of {player.name} has neither a line nor a website.")
        social_queries.erase_introduction(connection, player.id)
        notice = Notice(NoticeKind.CLEARED_PROFILE, reason)
        notify(connection, player, notice)
        record(context, connection, ActionKind.CLEAR_PROFILE, player, reason)
    return player


def cancel_tournament(context: AppContext, tournament_id: str, reason: str) -> StoredTournament:
    """Call off a tournament that has not started, or a part of a cup; return it as it was.

    The announcer is notified. The running games of a part of a cup are aborted, and nobody wins it.
    """
    reason = fit_reason(reason)
    with context.database.writing() as connection:
        found, announcer = _tournament_to_change(connection, tournament_id)
        loaded = load_tournament(context, connection, found)
        tournament = loaded.stored
        if tournament.cup is not None and tournament.is_playing:
            actions.call_off_games(context, connection, loaded)
        elif tournament.has_started:
            raise OperatorRefused(
                f"Tournament {tournament_id} has started: give it another title instead."
            )
        if tournament.is_over:
            raise OperatorRefused(f"Tournament {tournament_id} is cancelled already.")
        tournament_queries.call_off_tournament(connection, tournament_id, reason, context.clock())
        if announcer is not None:
            notice = Notice(NoticeKind.CANCELLATION, reason, tournament_id=tournament_id)
            notify(connection, announcer, notice)
        detail = f"{tournament.path}: {reason}"
        record(context, connection, ActionKind.CANCEL_TOURNAMENT, announcer, detail)
    return found


def retitle_tournament(
    context: AppContext, tournament_id: str, title: str, reason: str
) -> StoredTournament:
    """Give a tournament another title, notify its announcer, and return it as it was."""
    reason = fit_reason(reason)
    try:
        title = clean_title(title)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the title. {error}.") from error
    with context.database.erasing() as connection:
        tournament, announcer = _tournament_to_change(connection, tournament_id)
        if announcer is None:
            raise OperatorRefused("A part of a cup has no title of its own.")
        tournament_queries.rename_tournament(connection, tournament_id, title)
        notice = Notice(NoticeKind.NEW_TITLE, reason, new=title, tournament_id=tournament_id)
        notify(connection, announcer, notice)
        detail = f"{tournament.path}, to {title}: {reason}"
        record(context, connection, ActionKind.RETITLE_TOURNAMENT, announcer, detail)
    return tournament


def _tournament_to_change(
    connection: sa.Connection, tournament_id: str
) -> tuple[StoredTournament, Player | None]:
    """Return a tournament and its announcer, whom nobody else changes in this transaction.

    Nobody has announced a part of a cup.
    """
    try:
        found = tournament_queries.tournament_by_id(connection, tournament_id)
        if found is not None and found.announced_by is None:
            part = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
            if part is not None:
                return part, None
        elif found is not None and found.announced_by is not None:
            # The announcer is held before the tournament, as when the announcer is banned.
            account_queries.lock_player(connection, found.announced_by)
            announcer = account_queries.player_by_id(connection, found.announced_by)
            found = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
            if found is not None and announcer is not None:
                return found, announcer
    except NotAtPresent as error:
        raise OperatorRefused(f"{error}.") from error
    raise OperatorRefused(f"There is no tournament {tournament_id}.")
