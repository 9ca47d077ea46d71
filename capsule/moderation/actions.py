"""Actions of the operator: warnings, bans, removals and their reversal; and notices to players."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from capsule.accounts import names, personal_data, players, queries as account_queries
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.errors import Refused
from capsule.games.model import EndReason, StoredGame
from capsule.moderation import queries
from capsule.moderation.model import ActionKind, LineKind, LoggedLine, Notice, NoticeKind
from capsule.social import line_queries, queries as social_queries
from capsule.social.model import NO_INTRODUCTION, PublishedNotes
from capsule.tournaments import actions, queries as tournament_queries
from capsule.tournaments.model import StoredTournament, TournamentStatus
from capsule.ui.user_text import TextRefused, clean_line

MAX_DAYS = 3650
"""The longest mute or temporary ban, in days."""


def notices_for(player: Player) -> Sequence[Notice]:
    """Return the notices that a player has not acknowledged, the oldest first."""
    stored: Sequence[dict[str, Any]] = json.loads(player.sanctions.notices or "[]")
    for each in stored:
        each["kind"] = NoticeKind(each["kind"])
        each["until"] = datetime.fromisoformat(each["until"]) if "until" in each else None
    return [Notice(**each) for each in stored]


def _written(notices: Iterable[Notice]) -> str | None:
    """Return notices as they are stored, None if there are none; empty values are left out."""
    filled = [{key: value for key, value in vars(each).items() if value} for each in notices]
    return json.dumps(filled, ensure_ascii=False, default=datetime.isoformat) if filled else None


class OperatorRefused(ValueError):
    """Something that the operator cannot do; the text is a sentence that says why."""


def fit(text: str, use: str = "reason", clean: Callable[[str], str] = clean_line) -> str:
    """Return a text for a use as it is stored and shown; refuse one that is unfit."""
    try:
        return clean(text)
    except TextRefused as error:
        raise OperatorRefused(f"That cannot be the {use}. {error}.") from error


def player_called(transaction: Transaction, name: str) -> Player:
    """Return the player who has a name, in upper or lower case, or is still found by it."""
    connection = transaction.connection
    found = account_queries.player_by_name(connection, name)
    if found is None:
        found = account_queries.player_once_called(connection, name, transaction.now)
    if found is not None:
        return found
    if names.is_name_of_our_bot(name):
        raise OperatorRefused(f"{name} is a bot, not a player.")
    raise OperatorRefused(f"Nobody here is called {name}.")


def _player_to_change(transaction: Transaction, name: str) -> Player:
    """Return the player with a name, whom nobody else changes until the transaction ends."""
    player = player_called(transaction, name)
    # Read again, since others may have changed them while this waited to hold them.
    held = account_queries.player_by_id(transaction.connection, player.id, to_change=True)
    return held or player


def _record(
    transaction: Transaction,
    kind: ActionKind,
    player: Player | None,
    detail: str = "",
    notice: Notice | None = None,
    **sanctions: Any,  # noqa: ANN401 - of any field
) -> None:
    """Record an action that concerns a player or nobody; notify and sanction the player.

    `sanctions` are the fields of `Sanctions` that change. Those of an erased player are not stored.
    """
    if notice is not None and player is not None:
        sanctions = {"notices": _written([*notices_for(player), notice]), **sanctions}
    if player is not None and player.name and sanctions:
        changed = replace(player.sanctions, **sanctions)
        queries.save_sanctions(transaction.connection, player.id, changed)
    queries.record_action(transaction.connection, transaction.now, kind, player, detail)


def close_report(transaction: Transaction, number: int) -> None:
    """Close a report that is settled."""
    connection = transaction.connection
    report = queries.report_by_id(connection, number)
    if report is None:
        raise OperatorRefused(f"There is no report {number}.")
    if report.closed_at is not None:
        raise OperatorRefused(f"Report {number} is closed already.")
    queries.close_report(connection, number, transaction.now)
    reported = account_queries.player_by_id(connection, report.reported_id)
    if reported is not None:
        _record(transaction, ActionKind.CLOSE, reported, f"report {number}")


def warn(transaction: Transaction, name: str, reason: str) -> Player:
    """Give a player a warning, which they must acknowledge, and return them."""
    notice = Notice(NoticeKind.WARNING, fit(reason))
    player = _player_to_change(transaction, name)
    _record(transaction, ActionKind.WARN, player, notice.reason, notice)
    return player


def mute(transaction: Transaction, name: str, days: int, reason: str) -> tuple[Player, datetime]:
    """Forbid a player to send messages for some days; return them, and until when."""
    reason = fit(reason)
    until = transaction.now + _duration(days)
    player = _player_to_change(transaction, name)
    notice = Notice(NoticeKind.MUTE, reason, until=until)
    detail = f"for {_in_words(days)}: {reason}"
    _record(transaction, ActionKind.MUTE, player, detail, notice, muted_until=until)
    return player, until


def lift_mute(transaction: Transaction, name: str) -> Player:
    """Let a player send messages again, and return them; the notice of the mute is void."""
    player = _player_to_change(transaction, name)
    if not player.is_muted(transaction.now):
        raise OperatorRefused(f"{player.name} is not muted.")
    others = _written(each for each in notices_for(player) if each.kind is not NoticeKind.MUTE)
    _record(transaction, ActionKind.UNMUTE, player, notices=others, muted_until=None)
    return player


def ban(
    transaction: Transaction, name: str, reason: str, days: int | None
) -> tuple[Player, datetime | None, Sequence[StoredGame]]:
    """Ban a player for some days or for good; return them, until when, and the games ended.

    Their games end, and they leave their tournaments. Each feature does the rest in its `on_ban`.
    """
    reason = fit(reason)
    until = None if days is None else transaction.now + _duration(days)
    detail = f"{'for good' if days is None else f'for {_in_words(days)}'}: {reason}"
    player = _player_to_change(transaction, name)
    _record(transaction, ActionKind.BAN, player, detail, ban_reason=reason, banned_until=until)
    games = actions.end_games(transaction, player, EndReason.BANNED)
    for feature in transaction.context.features:
        feature.on_ban(transaction, player)
    return player, until, games


def lift_ban(transaction: Transaction, name: str) -> Player:
    """End a player's ban, with what it took from the table of the season; return the player."""
    player = _player_to_change(transaction, name)
    if not player.is_banned(transaction.now):
        raise OperatorRefused(f"{player.name} is not banned.")
    _record(transaction, ActionKind.UNBAN, player, ban_reason=None, banned_until=None)
    for feature in transaction.context.features:
        feature.on_unban(transaction, player)
    return player


def rename(
    transaction: Transaction, name: str, new_name: str, reason: str, *, leads_on: bool
) -> Player:
    """Take a player's name away and give them another; return them as they were.

    Nobody can have the old name for a year. If it `leads_on`, its addresses lead to the player.
    """
    reason = fit(reason)
    player = _player_to_change(transaction, name)
    if new_name == player.name:
        raise OperatorRefused(f"{player.name} has that name already.")
    refusal = players.name_refusal(transaction, new_name, player)
    if refusal is not None:
        raise Refused(refusal)
    players.change_name(transaction, player, new_name, taken_away=True, leads_on=leads_on)
    notice = Notice(NoticeKind.RENAME, reason, old=player.name, new=new_name)
    _record(transaction, ActionKind.RENAME, player, f"to {new_name}: {reason}", notice)
    return player


def erase(transaction: Transaction, name: str) -> Player:
    """Erase a player who asks for it and cannot do it themselves; return them as they were."""
    player = _player_to_change(transaction, name)
    personal_data.erase_player(transaction, player)
    erased = account_queries.player_by_id(transaction.connection, player.id)
    _record(transaction, ActionKind.ERASE, erased)
    return player


def _duration(days: int) -> timedelta:
    if not 1 <= days <= MAX_DAYS:
        raise OperatorRefused(
            f"The number of days is from 1 to {MAX_DAYS}. Only a ban can be without an end."
        )
    return timedelta(days=days)


def _in_words(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"


def remove_line(transaction: Transaction, kind: LineKind, number: int, reason: str) -> LoggedLine:
    """Empty a message or a comment, notify its author, and return it as it was."""
    reason = fit(reason)
    connection = transaction.connection
    author_id = _line_to_remove(connection, kind, number).author_id
    # The author is held before the line, as when the author is erased.
    author = account_queries.player_by_id(connection, author_id, to_change=True)
    line = _line_to_remove(connection, kind, number)
    queries.remove_line(connection, kind, line)
    if author is not None and author.name:
        action, notice_kind = _REMOVALS[kind]
        notice = Notice(notice_kind, reason, game_id=line.game_id)
        detail = f"{kind} {number} under /play/{line.game_id}: {reason}"
        _record(transaction, action, author, detail, notice)
    transaction.erases_words()
    return line


def _line_to_remove(connection: sa.Connection, kind: LineKind, number: int) -> LoggedLine:
    line = queries.line_by_number(connection, kind, number)
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


def remove_notes(transaction: Transaction, number: int, reason: str) -> PublishedNotes:
    """Empty the published notes of a player on a game, notify and return them as they were.

    `number` is that of the annotated game. Notes that are not published stay.
    """
    reason = fit(reason)
    connection = transaction.connection
    author_id = _notes_to_remove(connection, number).author.id
    # The author is held before the notes, as when the author is erased.
    author = account_queries.player_by_id(connection, author_id, to_change=True)
    found = _notes_to_remove(connection, number)
    line_queries.remove_notes(connection, found.game_id, author_id)
    if author is not None:
        notice = Notice(NoticeKind.NOTES_REMOVAL, reason, game_id=found.game_id)
        detail = f"notes {number} on /play/{found.game_id}: {reason}"
        _record(transaction, ActionKind.REMOVE_NOTES, author, detail, notice)
    transaction.erases_words()
    return found


def _notes_to_remove(connection: sa.Connection, number: int) -> PublishedNotes:
    found = line_queries.notes_with_number(connection, number)
    if found is None:
        raise OperatorRefused(f"There are no published notes with the number {number}.")
    return found


def clear_profile(transaction: Transaction, name: str, reason: str) -> Player:
    """Remove a player's introduction from their page, notify and return them."""
    notice = Notice(NoticeKind.CLEARED_PROFILE, fit(reason))
    player, connection = _player_to_change(transaction, name), transaction.connection
    if social_queries.introduction_of(connection, player.id) == NO_INTRODUCTION:
        raise OperatorRefused(f"The page of {player.name} has neither a line nor a website.")
    social_queries.erase_introduction(connection, player.id)
    _record(transaction, ActionKind.CLEAR_PROFILE, player, notice.reason, notice)
    transaction.erases_words()
    return player


def cancel_tournament(
    transaction: Transaction, tournament_id: str, reason: str
) -> StoredTournament:
    """Call off a tournament that has not started, or a part of a cup; return it as it was.

    The announcer is notified. The running games of a part of a cup are aborted, and nobody wins it.
    """
    reason = fit(reason)
    found, announcer = _tournament_to_change(transaction.connection, tournament_id)
    loaded = tournament_queries.load_tournament(transaction, found)
    tournament = loaded.stored
    if tournament.cup is not None and tournament.is_playing:
        actions.call_off_games(transaction, loaded)
    elif tournament.has_started:
        raise OperatorRefused(
            f"Tournament {tournament_id} has started: give it another title instead."
        )
    if tournament.is_over:
        raise OperatorRefused(f"Tournament {tournament_id} is cancelled already.")
    tournament_queries.change_tournament(
        transaction.connection,
        tournament_id,
        status=TournamentStatus.CANCELLED,
        ended_at=transaction.now,
        called_off_for=reason,
    )
    notice = Notice(NoticeKind.CANCELLATION, reason, tournament_id=tournament_id)
    detail = f"{tournament.path}: {reason}"
    _record(transaction, ActionKind.CANCEL_TOURNAMENT, announcer, detail, notice)
    return found


def retitle_tournament(
    transaction: Transaction, tournament_id: str, title: str, reason: str
) -> StoredTournament:
    """Give a tournament another title, notify its announcer, and return it as it was."""
    reason = fit(reason)
    title = fit(title, "title", actions.clean_title)
    tournament, announcer = _tournament_to_change(transaction.connection, tournament_id)
    if announcer is None:
        raise OperatorRefused("A part of a cup has no title of its own.")
    tournament_queries.change_tournament(transaction.connection, tournament_id, title=title)
    notice = Notice(NoticeKind.NEW_TITLE, reason, new=title, tournament_id=tournament_id)
    detail = f"{tournament.path}, to {title}: {reason}"
    _record(transaction, ActionKind.RETITLE_TOURNAMENT, announcer, detail, notice)
    transaction.erases_words()
    return tournament


def _tournament_to_change(
    connection: sa.Connection, tournament_id: str
) -> tuple[StoredTournament, Player | None]:
    """Return a tournament and its announcer, whom nobody else changes in this transaction.

    Nobody has announced a part of a cup.
    """
    announcer = None
    found = tournament_queries.tournament_by_id(connection, tournament_id)
    if found is not None and found.announced_by is not None:
        # The announcer is held before the tournament, as when the announcer is banned.
        announcer = account_queries.player_by_id(connection, found.announced_by, to_change=True)
    found = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
    if found is None:
        raise OperatorRefused(f"There is no tournament {tournament_id}.")
    return found, announcer
