"""What the operator of the capsule does, at its console only.

Each use case is one transaction and leaves a trace, which `trace` returns. What cannot be done is
refused with a sentence for the console: these words are not for players, and in English only. The
reasons are for players: they are shown to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import device_queries, name_queries, personal_data, player_queries, players
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.moderation import notices
from capsule.moderation import queries as moderation_queries
from capsule.moderation.notices import Notice
from capsule.tournaments import withdrawal
from capsule.ui.user_text import TextRefused, clean_line
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import FormerName, Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.moderation.queries import Action, Counts, Report, Said


MAX_DAYS = 3650
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


def reports(
    context: AppContext, *, also_closed: bool = False
) -> Sequence[tuple[Report, Sequence[Said]]]:
    """Return the reports that are open, or all, and with each the messages of the game it is on."""
    with context.database.reading() as connection:
        return [
            (
                report,
                moderation_queries.said_in(connection, report.game_id) if report.game_id else (),
            )
            for report in moderation_queries.reports_made(connection, also_closed=also_closed)
        ]


def known(context: AppContext, name: str) -> Known:
    """Return what is to be known of the player of a name."""
    with context.database.reading() as connection:
        player = _player(context, connection, name)
        return Known(
            player,
            moderation_queries.counts_of(connection, player.id),
            game_queries.count_unfinished(connection, player.id),
            name_queries.former_names_of(connection, player.id, context.clock()),
            moderation_queries.actions_taken(connection, player.id),
        )


def trace(context: AppContext, name: str | None = None) -> Sequence[Action]:
    """Return what the operator did, to the player of a name or to all, in order."""
    with context.database.reading() as connection:
        if name is None:
            return moderation_queries.actions_taken(connection)
        return moderation_queries.actions_taken(connection, _player(context, connection, name).id)


def close_report(context: AppContext, number: int) -> Report:
    """Close a report, which needs no more doing, and return it."""
    with context.database.writing() as connection:
        report = moderation_queries.report_of_number(connection, number)
        if report is None:
            raise OperatorRefused(f"There is no report {number}.")
        if report.closed_at is not None:
            raise OperatorRefused(f"Report {number} is closed already.")
        moderation_queries.close_report(connection, number, context.clock())
        reported = player_queries.player_by_id(connection, report.reported_id)
        if reported is not None:
            _note(context, connection, "close", reported, f"report {number}")
    return report


def warn(context: AppContext, name: str, reason: str) -> Player:
    """Tell a player something until they acknowledge it, and return them."""
    reason = _reason(reason)
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        _tell(connection, player, Notice(notices.WARNED, reason))
        _note(context, connection, "warn", player, reason)
    return player


def silence(context: AppContext, name: str, days: int, reason: str) -> tuple[Player, datetime]:
    """Let a player send no messages for some days; return them, and until when."""
    reason = _reason(reason)
    until = context.clock() + _days(days)
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        notice = Notice(notices.SILENCED, reason, until=until.isoformat())
        _tell(connection, player, notice, silenced_until=until)
        _note(context, connection, "mute", player, f"for {_count(days)}: {reason}")
    return player, until


def let_speak(context: AppContext, name: str) -> Player:
    """Let a player send messages again, and return them."""
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        if not player.is_silenced(context.clock()):
            raise OperatorRefused(f"{player.name} is not muted.")
        moderation_queries.change_player(
            connection,
            player.id,
            silenced_until=None,
            warning=notices.without(player, notices.SILENCED),
        )
        _note(context, connection, "unmute", player, "")
    return player


def ban(context: AppContext, name: str, reason: str, days: int | None) -> Banned:
    """Shut a player out, for some days or for good: their games end, and they leave tournaments."""
    reason = _reason(reason)
    until = None if days is None else context.clock() + _days(days)
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        moderation_queries.change_player(
            connection, player.id, banned_for=reason, banned_until=until
        )
        device_queries.drop_code_of(connection, player.id)
        games = withdrawal.end_games(context, connection, player)
        how_long = "for good" if days is None else f"for {_count(days)}"
        _note(context, connection, "ban", player, f"{how_long}: {reason}")
    return Banned(player, until, games)


def unban(context: AppContext, name: str) -> Player:
    """Let a player in again, and return them."""
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        if not player.is_banned(context.clock()):
            raise OperatorRefused(f"{player.name} is not banned.")
        moderation_queries.change_player(connection, player.id, banned_for=None, banned_until=None)
        _note(context, connection, "unban", player, "")
    return player


def rename(context: AppContext, name: str, new_name: str, reason: str, *, leads_on: bool) -> Player:
    """Take a player's name away and give them another; return them as they were.

    For a year nobody can have the old name, and its addresses lead to the player where it
    `leads_on`.
    """
    reason = _reason(reason)
    with context.database.writing() as connection:
        player = _to_change(context, connection, name)
        if new_name == player.name:
            raise OperatorRefused(f"{player.name} has that name already.")
        try:
            players.require_free(context, connection, new_name, player)
        except players.NameRefused as error:
            raise OperatorRefused(f"{error}.") from error
        former = players.given_up(context, player, taken_away=True, leads_on=leads_on)
        players.change_name(context, connection, former, new_name)
        notice = Notice(notices.RENAMED, reason, old=player.name, new=new_name)
        _tell(connection, player, notice)
        _note(context, connection, "rename", player, f"to {new_name}: {reason}")
    return player


def remove_message(context: AppContext, number: int, reason: str) -> Said:
    """Empty a message, and return it as it was."""
    reason = _reason(reason)
    with context.database.writing() as connection:
        said = moderation_queries.message_of_number(connection, number)
        if said is None:
            raise OperatorRefused(f"There is no message {number}.")
        if said.removed:
            raise OperatorRefused(f"Message {number} is removed already.")
        # Before the message, as when the author is erased.
        device_queries.hold_player(connection, said.author_id)
        moderation_queries.remove_message(connection, number)
        author = player_queries.player_by_id(connection, said.author_id)
        if author is not None and author.name:
            _tell(connection, author, Notice(notices.REMOVED, reason, game_id=said.game_id))
            detail = f"message {number} under /play/{said.game_id}: {reason}"
            _note(context, connection, "remove-message", author, detail)
    return said


def erase(context: AppContext, name: str) -> Player:
    """Erase a player who asks for it and cannot do it, and return them as they were."""
    while True:
        with context.database.reading() as connection:
            player = _player(context, connection, name)
        try:
            personal_data.erase_player(context, player)
        except OutdatedAction:
            # The player has acted just now.
            continue
        break
    with context.database.writing() as connection:
        erased = player_queries.player_by_id(connection, player.id)
        if erased is not None:
            _note(context, connection, "erase", erased, "")
    return player


def _player(context: AppContext, connection: Connection, name: str) -> Player:
    """Return the player who has a name, in whichever case, or had it and is found by it."""
    found = player_queries.player_by_name(connection, name)
    if found is None:
        found = name_queries.player_once_called(connection, name, context.clock())
    if found is not None:
        return found
    if name.lower().replace("-", " ").removesuffix(" bot") in LEVELS:
        raise OperatorRefused(f"{name} is a bot, and nobody's name.")
    raise OperatorRefused(f"Nobody here is called {name}.")


def _to_change(context: AppContext, connection: Connection, name: str) -> Player:
    """Return the player of a name, whom nobody else changes until the transaction ends."""
    player = _player(context, connection, name)
    device_queries.hold_player(connection, player.id)
    # Read again, since it may have taken a while to get hold of them.
    return player_queries.player_by_id(connection, player.id) or player


def _tell(connection: Connection, player: Player, notice: Notice, **values: object) -> None:
    warning = notices.with_notice(player, notice)
    moderation_queries.change_player(connection, player.id, warning=warning, **values)


def _note(
    context: AppContext, connection: Connection, action: str, player: Player, detail: str
) -> None:
    moderation_queries.record_action(connection, context.clock(), action, player, detail)


def _reason(text: str) -> str:
    try:
        return clean_line(text)
    except TextRefused as error:
        raise OperatorRefused(f"The reason cannot be that. {error}.") from error


def _days(days: int) -> timedelta:
    if not 1 <= days <= MAX_DAYS:
        raise OperatorRefused(f"Days are from 1 to {MAX_DAYS}; without an end is a ban alone.")
    return timedelta(days=days)


def _count(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"
