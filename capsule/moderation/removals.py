"""Removal of messages, comments, notes, profiles and tournaments by the operator.

Like the operator's other actions, each is one transaction, is recorded, and is refused with a
sentence if it cannot be taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.errors import NotAtPresent
from capsule.moderation import queries as moderation_queries
from capsule.moderation.model import ActionKind, LineKind, Notice, NoticeKind
from capsule.moderation.operator_steps import (
    OperatorRefused,
    fit_reason,
    notify,
    player_to_change,
    record,
)
from capsule.social import annotation_queries, introduction_queries
from capsule.social.model import NO_INTRODUCTION
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments import withdrawal
from capsule.tournaments.actions import clean_title
from capsule.tournaments.reading import load_tournament
from capsule.ui.user_text import TextRefused

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.moderation.model import LoggedLine
    from capsule.social.model import PublishedNotes
    from capsule.tournaments.model import StoredTournament


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
        player_queries.lock_player(connection, line.author_id)
        line = _line_to_remove(connection, kind, number)
        moderation_queries.remove_line(connection, kind, line)
        author = player_queries.player_by_id(connection, line.author_id)
        if author is not None and author.name:
            notice = Notice(notice_kind, reason, game_id=line.game_id)
            notify(connection, author, notice)
            detail = f"{kind} {number} under /play/{line.game_id}: {reason}"
            record(context, connection, action, author, detail)
    return line


def _line_to_remove(connection: Connection, kind: LineKind, number: int) -> LoggedLine:
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
        player_queries.lock_player(connection, found.author.id)
        found = _notes_to_remove(connection, number)
        annotation_queries.remove(connection, found.game_id, found.author.id)
        author = player_queries.player_by_id(connection, found.author.id)
        if author is not None:
            notice = Notice(NoticeKind.NOTES_REMOVAL, reason, game_id=found.game_id)
            notify(connection, author, notice)
            detail = f"notes {number} on /play/{found.game_id}: {reason}"
            record(context, connection, ActionKind.REMOVE_NOTES, author, detail)
    return found


def _notes_to_remove(connection: Connection, number: int) -> PublishedNotes:
    found = annotation_queries.notes_with_number(connection, number)
    if found is None:
        raise OperatorRefused(f"There are no published notes with the number {number}.")
    return found


def clear_profile(context: AppContext, name: str, reason: str) -> Player:
    """Remove what a player says about themselves on their page, notify and return them."""
    reason = fit_reason(reason)
    with context.database.erasing() as connection:
        player = player_to_change(context, connection, name)
        if introduction_queries.introduction_of(connection, player.id) == NO_INTRODUCTION:
            raise OperatorRefused(f"The page of {player.name} has neither a line nor a website.")
        introduction_queries.erase_introduction(connection, player.id)
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
            withdrawal.call_off_games(context, connection, loaded)
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
        notice = Notice(NoticeKind.NEW_TITLE, reason, new_name=title, tournament_id=tournament_id)
        notify(connection, announcer, notice)
        detail = f"{tournament.path}, to {title}: {reason}"
        record(context, connection, ActionKind.RETITLE_TOURNAMENT, announcer, detail)
    return tournament


def _tournament_to_change(
    connection: Connection, tournament_id: str
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
            player_queries.lock_player(connection, found.announced_by)
            announcer = player_queries.player_by_id(connection, found.announced_by)
            found = tournament_queries.tournament_by_id(connection, tournament_id, to_change=True)
            if found is not None and announcer is not None:
                return found, announcer
    except NotAtPresent as error:
        raise OperatorRefused(f"{error}.") from error
    raise OperatorRefused(f"There is no tournament {tournament_id}.")
