"""The operator's command line: `oxonaut admin`, and what it prints.

Players' words reach the terminal through `single_line` only: no control character of theirs does.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from capsule.app import build_context
from capsule.cli.arguments import add_database_arguments
from capsule.db.database import CannotMigrate, open_database
from capsule.games.status import GameStatus
from capsule.moderation import actions as moderation_actions
from capsule.moderation import notices
from capsule.moderation.actions import OperatorRefused
from capsule.ui.render import date_and_time, single_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TextIO

    from capsule.config import Config
    from capsule.context import AppContext
    from capsule.moderation.queries import Action, Report, Said

    Arguments = argparse.Namespace
    Command = Callable[[AppContext, Arguments], Iterator[str]]


FATES = {GameStatus.RESIGNED: "Given to the opponent", GameStatus.ABORTED: "Called off"}
"""What became of the games of a banned player."""

DESCRIPTION = (
    "See what players report, and act upon it, while the capsule serves or not. A player is named "
    "in any case. A reason is shown to the player whom it is about. Each action leaves a trace, "
    "which `log` prints."
)
"""What the help of the command says."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a parser the arguments of the command: `name` says which of its commands is meant."""
    add_database_arguments(parser)
    commands = parser.add_subparsers(dest="name", required=True, metavar="ACTION")

    def command(name: str, help_text: str, *positional: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help_text, description=f"{help_text.capitalize()}.")
        # After the action, too: there it must not undo what stands before.
        add_database_arguments(added, default=argparse.SUPPRESS)
        for argument in positional:
            _add_positional(added, argument)
        return added

    command("reports", "print the reports that are open").add_argument(
        "--all", action="store_true", help="those that are closed, too"
    )
    command("close", "close a report, which needs no more doing", "number")
    command("show", "print what there is to know of a player", "player")
    command("warn", "warn a player, who must acknowledge it", "player", "reason")
    command("mute", "let a player send no messages for some days", "player", "days", "reason")
    command("unmute", "let a player send messages again", "player")
    command("ban", "shut a player out and end their games", "player", "reason").add_argument(
        "--days", type=int, metavar="N", help="for so many days (default: for good)"
    )
    command("unban", "let a player in again", "player")
    command("rename", "give a player another name", "player", "new_name", "reason").add_argument(
        "--no-redirect",
        dest="leads_on",
        action="store_false",
        help="the addresses with the old name do not lead to the player",
    )
    command("remove-message", "remove a message under a game", "number", "reason")
    command("erase", "erase a player who asks for it", "player").add_argument(
        "--yes", action="store_true", help="needed, since it is for good"
    )
    command("log", "print what was done, the newest last").add_argument(
        "--player", metavar="PLAYER", help="to one player only"
    )


def _add_positional(parser: argparse.ArgumentParser, name: str) -> None:
    if name in ("number", "days"):
        parser.add_argument(name, type=int, metavar=name.upper())
    elif name == "reason":
        parser.add_argument(name, nargs="+", metavar="REASON", help="in one word or more")
    else:
        parser.add_argument(name, metavar=name.upper().replace("_", "-"))


def run(config: Config, arguments: Arguments) -> int:
    """Do what the arguments name, print what came of it and return the exit status."""
    try:
        _expect_database(config)
        with closing(open_database(config.database_url, secrets.token_bytes)) as database:
            context = build_context(config, database, now, secrets.token_bytes)
            for line in COMMANDS[arguments.name](context, arguments):
                _write(line, sys.stdout)
    except (OperatorRefused, SQLAlchemyError, CannotMigrate) as error:
        _write(f"oxonaut: {error}", sys.stderr)
        return 1
    return 0


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def _expect_database(config: Config) -> None:
    # Else one would be made by a slip in the name of the folder, and nobody would be found in it.
    if not config.has_database:
        name = make_url(config.database_url).database
        raise OperatorRefused(
            f"There is no database {name}: name the capsule's folder with --home."
        )


def _write(line: str, stream: TextIO) -> None:
    encoding = stream.encoding or "utf-8"
    # A terminal may be set to show less than players can write.
    shown = single_line(line).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(f"{shown}\n")


def _reports(context: AppContext, arguments: Arguments) -> Iterator[str]:
    found = moderation_actions.reports(context, also_closed=arguments.all)
    for report, said in found:
        yield from _report(context, report, said)
        yield ""
    if not found:
        yield "There are no reports." if arguments.all else "No report is open."


def _report(context: AppContext, report: Report, said: Sequence[Said]) -> Iterator[str]:
    yield f"Report {report.id}, {date_and_time(report.made_at)}"
    yield f"  {_name(report.reporter)} about {_name(report.reported)}: {report.text}"
    if report.closed_at is not None:
        yield f"  Closed {date_and_time(report.closed_at)}"
    if report.game_id is None:
        return
    yield f"  {context.origin}/play/{report.game_id}"
    for each in said:
        text = "(removed)" if each.removed else each.text
        number = f"message {each.id}, {date_and_time(each.sent_at)}"
        yield f"    {number}, {_name(each.author)}: {text}"


def _close(context: AppContext, arguments: Arguments) -> Iterator[str]:
    report = moderation_actions.close_report(context, arguments.number)
    yield f"Report {report.id} is closed."


def _show(context: AppContext, arguments: Arguments) -> Iterator[str]:
    known = moderation_actions.known(context, arguments.player)
    player, counts, moment = known.player, known.counts, context.clock()
    yield f"{player.name}, here since {date_and_time(player.created_at)}"
    yield f"  {context.origin}/players/{player.name}"
    yield f"  Certificates: {counts.certificates}. Games going on: {known.running}."
    yield (
        f"  Reports about them: {counts.reports_about}, {counts.open_reports_about} of them open. "
        f"Reports by them: {counts.reports_by}."
    )
    if player.is_banned(moment):
        yield f"  Banned {_until(player.banned_until)}: {player.banned_for}"
    if player.is_silenced(moment):
        yield f"  Muted {_until(player.silenced_until)}"
    for notice in notices.notices_for(player):
        yield f"  Has not read yet ({notice.kind}): {notice.reason}"
    for former in known.former_names:
        fate = "leads to them" if former.leads_on else "leads nowhere"
        taken = "taken away" if former.taken_away else "given up"
        yield f"  Was {former.name}: {taken}, {fate} until {former.kept_until.date()}"
    for action in known.actions:
        yield f"  {_action(action)}"


def _warn(context: AppContext, arguments: Arguments) -> Iterator[str]:
    player = moderation_actions.warn(context, arguments.player, _reason(arguments))
    yield f"{player.name} is warned, and will be told on the page of their games."


def _mute(context: AppContext, arguments: Arguments) -> Iterator[str]:
    player, until = moderation_actions.silence(
        context, arguments.player, arguments.days, _reason(arguments)
    )
    yield f"{player.name} can send no messages until {date_and_time(until)}, and will be told so."


def _unmute(context: AppContext, arguments: Arguments) -> Iterator[str]:
    player = moderation_actions.let_speak(context, arguments.player)
    yield f"{player.name} can send messages again."


def _ban(context: AppContext, arguments: Arguments) -> Iterator[str]:
    banned = moderation_actions.ban(context, arguments.player, _reason(arguments), arguments.days)
    yield f"{banned.player.name} is banned {_until(banned.until)}."
    for game in banned.games:
        fate = FATES.get(game.status, "Over already")
        yield f"  {fate}: {context.origin}/play/{game.id}"


def _unban(context: AppContext, arguments: Arguments) -> Iterator[str]:
    player = moderation_actions.unban(context, arguments.player)
    yield f"{player.name} is let in again. Games that the ban ended stay ended."


def _rename(context: AppContext, arguments: Arguments) -> Iterator[str]:
    leads_on: bool = arguments.leads_on
    player = moderation_actions.rename(
        context, arguments.player, arguments.new_name, _reason(arguments), leads_on=leads_on
    )
    old_links = "lead there" if leads_on else "lead nowhere"
    yield (
        f"{player.name} is called {arguments.new_name} now, and will be told so. For a year the "
        f"addresses with the old name {old_links}, and nobody can have it."
    )


def _remove_message(context: AppContext, arguments: Arguments) -> Iterator[str]:
    said = moderation_actions.remove_message(context, arguments.number, _reason(arguments))
    yield f"Message {said.id} is removed, and {_name(said.author)} will be told so."


def _erase(context: AppContext, arguments: Arguments) -> Iterator[str]:
    if not arguments.yes:
        raise OperatorRefused(f"That is for good: say --yes to erase {arguments.player}.")
    player = moderation_actions.erase(context, arguments.player)
    yield f"{player.name} is erased. Their certificates are new here again, and so is a ban gone."


def _log(context: AppContext, arguments: Arguments) -> Iterator[str]:
    actions = moderation_actions.trace(context, arguments.player)
    yield from map(_action, actions)
    if not actions:
        yield "Nothing was done."


def _action(action: Action) -> str:
    who = _name(action.name_then or "")
    if action.name_then and action.name_now != action.name_then:
        who = f"{who} (now {_name(action.name_now or '')})"
    return (
        f"{date_and_time(action.taken_at)}, {action.action}, {who}: {action.detail}".removesuffix(
            ": "
        )
    )


def _reason(arguments: Arguments) -> str:
    return " ".join(arguments.reason)


def _name(name: str) -> str:
    return name or "a former player"


def _until(moment: datetime | None) -> str:
    return "for good" if moment is None else f"until {date_and_time(moment)}"


COMMANDS: Mapping[str, Command] = {
    "reports": _reports,
    "close": _close,
    "show": _show,
    "warn": _warn,
    "mute": _mute,
    "unmute": _unmute,
    "ban": _ban,
    "unban": _unban,
    "rename": _rename,
    "remove-message": _remove_message,
    "erase": _erase,
    "log": _log,
}
"""What does each action, by its name."""
