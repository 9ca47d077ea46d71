"""Reports, players and past actions, read for the operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts import name_queries
from capsule.games import quota_queries
from capsule.moderation import queries as moderation_queries
from capsule.moderation import report_queries
from capsule.moderation.model import LineKind
from capsule.moderation.operator_steps import player_called
from capsule.social import annotation_queries, introduction_queries
from capsule.social.model import NO_INTRODUCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import FormerName, Player
    from capsule.context import AppContext
    from capsule.moderation.model import LoggedLine, OperatorAction, PlayerCounts, Report
    from capsule.social.model import Introduction, PublishedNotes


@dataclass(frozen=True)
class Case:
    """A report, the lines under the game that it is about, and what the reported player says.

    The only line is the comment, if it is about one. There are none if it is not about a game or
    about notes: then `notes` are those, as far as they are still published. `introduction` is empty
    unless it is about the player's page.
    """

    report: Report
    lines: Sequence[LoggedLine] = ()
    notes: PublishedNotes | None = None
    introduction: Introduction = NO_INTRODUCTION

    @property
    def kind(self) -> LineKind:
        """The kind of the lines."""
        return LineKind.MESSAGE if self.report.event.comment_id is None else LineKind.COMMENT


@dataclass(frozen=True)
class PlayerFile:
    """Everything that an operator needs to know about a player."""

    player: Player
    counts: PlayerCounts
    games_in_progress: int
    former_names: Sequence[FormerName]
    actions: Sequence[OperatorAction]


def cases(context: AppContext, *, also_closed: bool = False) -> Sequence[Case]:
    """Return the open reports, or all, each with the words that it is about."""
    with context.database.reading() as connection:
        return [
            _case(connection, report)
            for report in report_queries.all_reports(connection, also_closed=also_closed)
        ]


def _case(connection: Connection, report: Report) -> Case:
    event = report.event
    if event.is_profile:
        said = introduction_queries.introduction_of(connection, report.reported_id)
        return Case(report, introduction=said)
    if event.game_id is None:
        return Case(report)
    if event.annotation_number is not None:
        found = annotation_queries.notes_with_number(connection, event.annotation_number)
        return Case(report, notes=found)
    if event.comment_id is None:
        return Case(report, moderation_queries.messages_of_game(connection, event.game_id))
    comment = moderation_queries.line_by_number(connection, LineKind.COMMENT, event.comment_id)
    return Case(report, () if comment is None else (comment,))


def player_file(context: AppContext, name: str) -> PlayerFile:
    """Return the file on the player with a name."""
    with context.database.reading() as connection:
        player = player_called(context, connection, name)
        return PlayerFile(
            player=player,
            counts=moderation_queries.counts_of(connection, player.id),
            games_in_progress=quota_queries.count_unfinished(connection, player.id),
            former_names=name_queries.former_names_of(connection, player.id, context.clock()),
            actions=moderation_queries.actions_taken(connection, player.id),
        )


def actions_taken(context: AppContext, name: str | None = None) -> Sequence[OperatorAction]:
    """Return the operator's actions about the player with a name, or about all, in order."""
    with context.database.reading() as connection:
        if name is None:
            return moderation_queries.actions_taken(connection)
        player = player_called(context, connection, name)
        return moderation_queries.actions_taken(connection, player.id)
