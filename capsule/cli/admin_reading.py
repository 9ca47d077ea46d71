"""`oxonaut admin reports`, `show` and `log`: print what the operator can know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.names import shown_name
from capsule.cli.admin_times import in_figures, until_in_words
from capsule.moderation import reading
from capsule.moderation.notices import notices_for

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from capsule.context import AppContext
    from capsule.moderation.model import OperatorAction
    from capsule.moderation.reading import Case
    from capsule.social.model import PublishedNotes


def reports(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the open reports, or all, each with the words that it is about."""
    cases = reading.cases(context, also_closed=arguments.all)
    for case in cases:
        yield from _case(context, case)
        yield ""
    if not cases:
        yield "There are no reports." if arguments.all else "There are no open reports."


def _case(context: AppContext, case: Case) -> Iterator[str]:
    report = case.report
    yield f"Report {report.id}, {in_figures(report.made_at)}"
    reporter, reported = shown_name(report.reporter_name), shown_name(report.reported_name)
    yield f"  {reporter} about {reported}: {report.text}"
    if report.closed_at is not None:
        yield f"  Closed {in_figures(report.closed_at)}"
    event = report.event
    if event.tournament_id is not None:
        yield f"  {context.origin}/play/tournaments/{event.tournament_id}"
        yield f"    its title: {report.title or '(removed)'}"
    if event.is_profile and report.reported_name:
        yield f"  {context.origin}/players/{report.reported_name}"
        yield f"    their line: {case.introduction.line or '(none)'}"
        yield f"    their website: {case.introduction.website or '(none)'}"
    if event.game_id is None:
        return
    yield f"  {context.origin}/play/{event.game_id}"
    for line in case.lines:
        text = "(removed)" if line.is_removed else line.text
        number = f"{case.kind} {line.id}, {in_figures(line.sent_at)}"
        yield f"    {number}, {shown_name(line.author_name)}: {text}"
    if event.annotation_number is not None:
        yield from _notes(event.annotation_number, case.notes)


def _notes(number: int, found: PublishedNotes | None) -> Iterator[str]:
    if found is None:
        yield f"    notes {number}: (no longer published)"
        return
    yield f"    notes {number}, {found.author.name}:"
    for note in found.notes:
        about = "on the game" if note.ply is None else f"on move {note.ply}"
        yield f"      {about}: {note.text}"


def show(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the file on a player."""
    file = reading.player_file(context, arguments.player)
    player, counts, moment = file.player, file.counts, context.clock()
    yield f"{player.name}, here since {in_figures(player.created_at)}"
    yield f"  {context.origin}/players/{player.name}"
    yield f"  Certificates: {counts.certificates}. Games in progress: {file.games_in_progress}."
    yield (
        f"  Reports about them: {counts.reports_about}, {counts.open_reports_about} of them open. "
        f"Reports by them: {counts.reports_by}."
    )
    if player.is_banned(moment):
        how_long = until_in_words(player.sanctions.banned_until)
        yield f"  Banned {how_long}: {player.sanctions.ban_reason}"
    if player.is_muted(moment):
        yield f"  Muted {until_in_words(player.sanctions.muted_until)}"
    for notice in notices_for(player):
        yield f"  Not read yet ({notice.kind}): {notice.reason}"
    for former in file.former_names:
        fate = "leads to them" if former.leads_on else "leads nowhere"
        taken = "taken away" if former.taken_away else "given up"
        yield f"  Former name {former.name}: {taken}, {fate} until {former.kept_until.date()}"
    for action in file.actions:
        yield f"  {_action(action)}"


def log(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the operator's actions about a player, or about all, the newest last."""
    actions = reading.actions_taken(context, arguments.player)
    yield from map(_action, actions)
    if not actions:
        yield "No action was taken."


def _action(action: OperatorAction) -> str:
    who = shown_name(action.name_then or "")
    if action.name_then and action.name_now != action.name_then:
        who = f"{who} (now {shown_name(action.name_now or '')})"
    about = [] if action.player_id is None else [who]
    line = ", ".join([in_figures(action.taken_at), action.kind, *about])
    return f"{line}: {action.detail}" if action.detail else line
