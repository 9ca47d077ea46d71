"""Reports: making them, and what the operator reads of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import FormerName, Player
from capsule.context import Transaction
from capsule.games import player_queries
from capsule.moderation import model, queries
from capsule.moderation.actions import player_called
from capsule.social import line_queries, queries as social_queries
from capsule.social.model import NO_INTRODUCTION, Introduction, PublishedNotes
from capsule.social.rate_limit import RateLimit
from capsule.ui.user_text import clean_line
from engine.game import message

DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can make {count} reports a day. Try again on {when}")
)
"""Reports that a player may make."""


def report(
    transaction: Transaction,
    player: Player,
    reported_id: int,
    event: model.ReportedEvent,
    text: str,
) -> None:
    """Report another player to the operator, for something in a game, a tournament or a profile.

    Raises `TextRefused` if the text is unfit or the player has reported too often today.
    """
    line = clean_line(text)
    DAILY_LIMIT.require(transaction, player, queries.times_by(player.id))
    queries.add_report(
        transaction.connection,
        event,
        reporter_id=player.id,
        reported_id=reported_id,
        text=line,
        made_at=transaction.now,
    )


@dataclass(frozen=True)
class Case:
    """A report with the words that it is about.

    `lines` are the messages under the game, or a comment alone. `notes` are published notes, None
    if they are published no longer. `introduction` is the text of the player's page.
    """

    report: model.Report
    lines: Sequence[model.LoggedLine] = ()
    notes: PublishedNotes | None = None
    introduction: Introduction = NO_INTRODUCTION

    @property
    def kind(self) -> model.LineKind:
        """The kind of the lines."""
        is_comment = self.report.event.comment_id is not None
        return model.LineKind.COMMENT if is_comment else model.LineKind.MESSAGE


@dataclass(frozen=True)
class PlayerFile:
    """Everything that an operator needs to know about a player."""

    player: Player
    counts: model.PlayerCounts
    games_in_progress: int
    former_names: Sequence[FormerName]
    actions: Sequence[model.OperatorAction]


def cases(transaction: Transaction, *, also_closed: bool = False) -> Sequence[Case]:
    """Return the open reports, or all, each with the words that it is about."""
    found = queries.all_reports(transaction.connection, also_closed=also_closed)
    return [_case(transaction.connection, report) for report in found]


def _case(connection: sa.Connection, report: model.Report) -> Case:
    event = report.event
    if event.is_profile:
        said = social_queries.introduction_of(connection, report.reported_id)
        return Case(report, introduction=said)
    if event.game_id is None:
        return Case(report)
    if event.annotation_number is not None:
        found = line_queries.notes_with_number(connection, event.annotation_number)
        return Case(report, notes=found)
    if event.comment_id is None:
        return Case(report, queries.messages_of_game(connection, event.game_id))
    comment = queries.line_by_number(connection, model.LineKind.COMMENT, event.comment_id)
    return Case(report, () if comment is None else (comment,))


def player_file(transaction: Transaction, name: str) -> PlayerFile:
    """Return the file on the player with a name."""
    player, connection = player_called(transaction, name), transaction.connection
    return PlayerFile(
        player=player,
        counts=queries.counts_of(connection, player.id),
        games_in_progress=player_queries.count_unfinished(connection, player.id)[0],
        former_names=account_queries.former_names_of(connection, player.id, transaction.now),
        actions=queries.actions_taken(connection, player.id),
    )


def actions_taken(
    transaction: Transaction, name: str | None = None
) -> Sequence[model.OperatorAction]:
    """Return the operator's actions about the player with a name, or about all, in order."""
    player_id = None if name is None else player_called(transaction, name).id
    return queries.actions_taken(transaction.connection, player_id)
