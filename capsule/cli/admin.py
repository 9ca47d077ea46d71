"""`oxonaut admin`: the operator's command line.

Every line is printed through `single_line`, so that no control characters in players' texts reach
the terminal.
"""

import argparse
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TextIO

import sqlalchemy as sa

from capsule.accounts.names import shown_name
from capsule.accounts.queries import former_names_of
from capsule.app import build_context
from capsule.cli.command import add_database_arguments, opened_database
from capsule.config import Config, SettingRefused
from capsule.context import AppContext, Transaction
from capsule.db.faults import CannotOpen, DatabaseFault
from capsule.errors import NotAtPresent, Refused
from capsule.featured import choosing
from capsule.games.model import GameStatus
from capsule.games.player_queries import count_unfinished
from capsule.mail import model, subscribing
from capsule.mail.letters import test_letter
from capsule.mail.relay import SendOutcome, SmtpRelay, relay_settings
from capsule.moderation import actions, queries
from capsule.moderation.actions import OperatorRefused, notices_for
from capsule.moderation.model import LineKind, OperatorAction, Report
from capsule.news import publishing
from capsule.social.line_queries import notes_with_number
from capsule.social.model import PublishedNotes
from capsule.social.queries import introduction_of
from capsule.timekeeping import watching
from capsule.tournaments.model import StoredTournament
from capsule.ui.render import single_line

Arguments = argparse.Namespace
Lines = Iterator[str]
Command = Callable[[Transaction, Arguments], Lines] | Callable[[AppContext, Arguments], Lines]


def feature(transaction: Transaction, arguments: Arguments) -> Lines:
    """Pick a game, and yield the line that reports it."""
    choosing.pick(transaction, arguments.game, arguments.reason)
    yield f"It is the game of the week for seven days: {transaction.context.origin}/games/"


FAILURES = {
    SendOutcome.REFUSED: "The relay refuses this address for good",
    SendOutcome.REJECTED: "The relay does not take letters from here",
    SendOutcome.DEFERRED: "The letter could not be sent now",
}
"""The meaning of each answer by which the relay has not taken a letter."""


def mail_test(context: AppContext, arguments: Arguments) -> Lines:
    """Send a letter to an address, and yield the lines that report it."""
    settings = relay_settings(arguments.read())
    address = subscribing.clean_address(arguments.address)
    letter = test_letter(context, address, model.random_key(context.random_bytes), context.clock())
    yield f"Asking {settings.host}, port {settings.port}, to take a letter for {address}."
    answer = SmtpRelay(settings).send(letter, address)
    if answer.outcome is not SendOutcome.ACCEPTED:
        raise OperatorRefused(f"{FAILURES[answer.outcome]}: {answer.words.rstrip('.')}.")
    yield f"The relay has taken it, and says: {answer.words}"


def mail_stop(transaction: Transaction, arguments: Arguments) -> Lines:
    """Stop all mail to an address, and yield the lines that report it."""
    players = subscribing.stop_for_owner(transaction, arguments.key_or_address)
    for player in players:
        yield f"Nothing more is sent to the address that {shown_name(player.name)} had given."
    if not players:
        days = subscribing.NO_CODES_FOR.days
        yield f"No player has given that address. No code goes there for {days} days."


def news(transaction: Transaction, arguments: Arguments) -> Lines:
    """Publish, edit or withdraw news, and yield the lines that report it."""
    text = " ".join(arguments.text)
    if arguments.withdraw is not None:
        if text:
            raise OperatorRefused("To withdraw news, give their number alone.")
        publishing.withdraw(transaction, arguments.withdraw)
        yield f"News number {arguments.withdraw} is withdrawn."
    elif arguments.edit is not None:
        publishing.edit(transaction, arguments.edit, text)
        yield f"News number {arguments.edit} is edited."
    else:
        number = publishing.publish(transaction, text)
        yield f"News number {number} is published: {transaction.context.origin}/news"


def in_figures(moment: datetime) -> str:
    """Return a time in figures, the same length for all."""
    return f"{moment:%Y-%m-%d at %H:%M} UTC"


def until_in_words(moment: datetime | None) -> str:
    """Return until when something lasts; None means for good."""
    return "for good" if moment is None else f"until {in_figures(moment)}"


def _reports(transaction: Transaction, arguments: Arguments) -> Lines:
    """Yield the open reports, or all, each with the words that are reported."""
    found = queries.all_reports(transaction.connection, also_closed=arguments.all)
    for report in found:
        yield from _report_lines(transaction, report)
        yield ""
    if not found:
        yield "There are no reports." if arguments.all else "There are no open reports."


def _report_lines(transaction: Transaction, report: Report) -> Lines:
    connection, origin = transaction.connection, transaction.context.origin
    yield f"Report {report.id}, {in_figures(report.made_at)}"
    reporter, reported = shown_name(report.reporter_name), shown_name(report.reported_name)
    yield f"  {reporter} about {reported}: {report.text}"
    if report.closed_at is not None:
        yield f"  Closed {in_figures(report.closed_at)}"
    event = report.event
    if event.tournament_id is not None:
        yield f"  {origin}/play/tournaments/{event.tournament_id}"
        yield f"    its title: {report.title or '(removed)'}"
    if event.is_profile and report.reported_name:
        introduction = introduction_of(connection, report.reported_id)
        yield f"  {origin}/players/{report.reported_name}"
        yield f"    their line: {introduction.line or '(none)'}"
        yield f"    their website: {introduction.website or '(none)'}"
    if event.game_id is None:
        return
    yield f"  {origin}/play/{event.game_id}"
    if event.annotation_number is not None:
        found = notes_with_number(connection, event.annotation_number)
        yield from _notes(event.annotation_number, found)
        return
    for line in queries.reported_lines(connection, event):
        text = "(removed)" if line.is_removed else line.text
        number = f"{event.line_kind} {line.id}, {in_figures(line.sent_at)}"
        yield f"    {number}, {shown_name(line.author_name)}: {text}"


def _notes(number: int, found: PublishedNotes | None) -> Lines:
    if found is None:
        yield f"    notes {number}: (no longer published)"
        return
    yield f"    notes {number}, {found.author.name}:"
    for note in found.notes:
        about = "on the game" if note.ply is None else f"on move {note.ply}"
        yield f"      {about}: {note.text}"


def show(transaction: Transaction, arguments: Arguments) -> Lines:
    """Yield the lines of the file on a player."""
    connection, moment = transaction.connection, transaction.now
    player = actions.player_called(transaction, arguments.player)
    certificates, by_them, about_them, still_open = queries.counts_of(connection, player.id)
    in_progress, _ = count_unfinished(connection, player.id)
    yield f"{player.name}, here since {in_figures(player.created_at)}"
    yield f"  {transaction.context.origin}/players/{player.name}"
    yield f"  Certificates: {certificates}. Games in progress: {in_progress}."
    about = f"Reports about them: {about_them}, {still_open} of them open."
    yield f"  {about} Reports by them: {by_them}."
    if player.is_banned(moment):
        how_long = until_in_words(player.sanctions.banned_until)
        yield f"  Banned {how_long}: {player.sanctions.ban_reason}"
    if player.is_muted(moment):
        yield f"  Muted {until_in_words(player.sanctions.muted_until)}"
    for notice in notices_for(player):
        yield f"  Not read yet ({notice.kind}): {notice.reason}"
    for former in former_names_of(connection, player.id, moment):
        fate = "leads to them" if former.leads_on else "leads nowhere"
        taken = "taken away" if former.taken_away else "given up"
        yield f"  Former name {former.name}: {taken}, {fate} until {former.kept_until.date()}"
    for action in queries.actions_taken(connection, player.id):
        yield f"  {_action(action)}"


def log(transaction: Transaction, arguments: Arguments) -> Lines:
    """Yield the operator's actions about a player, or about all, the newest last."""
    name = arguments.player
    player_id = None if name is None else actions.player_called(transaction, name).id
    taken = queries.actions_taken(transaction.connection, player_id)
    yield from map(_action, taken)
    if not taken:
        yield "No action was taken."


def _action(action: OperatorAction) -> str:
    who = shown_name(action.name_then or "")
    if action.name_then and action.name_now != action.name_then:
        who = f"{who} (now {shown_name(action.name_now or '')})"
    about = [] if action.player_id is None else [who]
    line = ", ".join([in_figures(action.taken_at), action.kind, *about])
    return f"{line}: {action.detail}" if action.detail else line


FATES = {GameStatus.RESIGNED: "Given to the opponent", GameStatus.ABORTED: "Aborted"}
"""The fate of a banned player's game, by its status."""

OLD_ADDRESSES = {
    True: "For a year the addresses with the old name lead there, and nobody can have it.",
    False: "For a year the addresses with the old name lead nowhere, and nobody can have it.",
}
"""The fate of a player's old name, by whether it leads to the player."""

DESCRIPTION = (
    "See the reports of players, and act on them. The capsule may serve meanwhile. Names can be "
    "typed in upper or lower case. A reason is shown to the player concerned. Each action is "
    "recorded, and `log` prints the records."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser; `name` will be that of the action."""
    add_database_arguments(parser)
    commands = parser.add_subparsers(dest="name", required=True, metavar="ACTION")
    added = {}
    for name, act, purpose, positional in ACTIONS:
        added[name] = commands.add_parser(
            name, help=purpose, description=f"{purpose.capitalize()}."
        )
        added[name].set_defaults(act=act, reason=())
        # They may stand after the action too, without undoing those before it.
        add_database_arguments(added[name], default=argparse.SUPPRESS)
        for argument in positional.split():
            _add_positional(added[name], argument)
    added["reports"].add_argument("--all", action="store_true", help="also those that are closed")
    added["ban"].add_argument(
        "--days", type=int, metavar="N", help="for N days (default: for good)"
    )
    added["rename"].add_argument(
        "--no-redirect",
        dest="leads_on",
        action="store_false",
        help="let the addresses with the old name lead nowhere",
    )
    added["news"].add_argument("text", nargs="*", metavar="TEXT", help="the news, one line")
    which = added["news"].add_mutually_exclusive_group()
    which.add_argument("--edit", type=int, metavar="N", help="give news number N this text")
    which.add_argument("--withdraw", type=int, metavar="N", help="withdraw news number N")
    added["erase"].add_argument(
        "--yes", action="store_true", help="required, since it cannot be undone"
    )
    added["log"].add_argument("--player", metavar="PLAYER", help="those about one player only")


def _add_positional(parser: argparse.ArgumentParser, name: str) -> None:
    metavar = name.upper().replace("_", "-")
    if name in ("number", "days"):
        parser.add_argument(name, type=int, metavar=metavar)
    elif name in ("reason", "why"):
        parser.add_argument("reason", nargs="+", metavar=metavar, help="one word or more")
    else:
        parser.add_argument(name, metavar=metavar)


def run(config: Config, arguments: Arguments) -> int:
    """Take the action that the arguments name, print its result and return the exit status."""
    try:
        for line in _report(config, arguments):
            _write(line, sys.stdout)
    except (Refused, NotAtPresent, SettingRefused) as error:
        _write(f"oxonaut: {error}.", sys.stderr)
        return 1
    except (OperatorRefused, sa.exc.SQLAlchemyError, CannotOpen, DatabaseFault) as error:
        _write(f"oxonaut: {error}", sys.stderr)
        return 1
    return 0


def _report(config: Config, arguments: Arguments) -> Lines:
    """Take the action in one transaction, and yield the lines that report it."""
    # Otherwise a slip in the name of the folder would make an empty one.
    if not config.has_database:
        name = sa.make_url(config.database_url).database
        raise OperatorRefused(
            f"There is no database {name}: name the capsule's folder with --home."
        )
    arguments.reason = " ".join(arguments.reason)
    with opened_database(config) as database:
        context = build_context(config, database, now, secrets.token_bytes)
        if arguments.act is mail_test:
            # It waits for the relay, so it holds no transaction.
            yield from mail_test(context, arguments)
            return
        with context.reading() if arguments.act in READING else context.writing() as transaction:
            lines = [*arguments.act(transaction, arguments)]
        yield from lines
        if arguments.act in ERASING and not database.checkpoint():
            yield "The text leaves the disk once nobody reads an older state of the database."


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def _write(line: str, stream: TextIO) -> None:
    encoding = stream.encoding or "utf-8"
    # A terminal's encoding may lack characters that players can write.
    shown = single_line(line).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(f"{shown}\n")


def _close(transaction: Transaction, arguments: Arguments) -> Lines:
    actions.close_report(transaction, arguments.number)
    yield f"Report {arguments.number} is closed."


def _warn(transaction: Transaction, arguments: Arguments) -> Lines:
    player = actions.warn(transaction, arguments.player, arguments.reason)
    yield f"{player.name} is warned. The page of their games says so."


def _mute(transaction: Transaction, arguments: Arguments) -> Lines:
    player, until = actions.mute(transaction, arguments.player, arguments.days, arguments.reason)
    yield f"{player.name} cannot send messages until {in_figures(until)}, and is told so."


def _unmute(transaction: Transaction, arguments: Arguments) -> Lines:
    player = actions.lift_mute(transaction, arguments.player)
    yield f"{player.name} can send messages again."


def _ban(transaction: Transaction, arguments: Arguments) -> Lines:
    player, until, games = actions.ban(
        transaction, arguments.player, arguments.reason, arguments.days
    )
    yield f"{player.name} is banned {until_in_words(until)}."
    for game in games:
        fate = FATES.get(game.status, "Already over")
        yield f"  {fate}: {transaction.context.origin}/play/{game.id}"


def _unban(transaction: Transaction, arguments: Arguments) -> Lines:
    player = actions.lift_ban(transaction, arguments.player)
    yield f"{player.name} is no longer banned. Games that the ban ended stay ended."


def _rename(transaction: Transaction, arguments: Arguments) -> Lines:
    leads_on: bool = arguments.leads_on
    player = actions.rename(
        transaction, arguments.player, arguments.new_name, arguments.reason, leads_on=leads_on
    )
    yield f"{player.name} is now called {arguments.new_name}, and is told so."
    yield OLD_ADDRESSES[leads_on]


def _remove_line(transaction: Transaction, arguments: Arguments) -> Lines:
    kind = LineKind(arguments.name.removeprefix("remove-"))
    line = actions.remove_line(transaction, kind, arguments.number, arguments.reason)
    removed = f"{kind.capitalize()} {line.id} is removed"
    yield f"{removed}, and {shown_name(line.author_name)} is told so."


def _remove_notes(transaction: Transaction, arguments: Arguments) -> Lines:
    found = actions.remove_notes(transaction, arguments.number, arguments.reason)
    yield f"The notes of {found.author.name} are removed, and they are told so."


def _clear_profile(transaction: Transaction, arguments: Arguments) -> Lines:
    player = actions.clear_profile(transaction, arguments.player, arguments.reason)
    yield f"The page of {player.name} has no line and no website now, and they are told so."


def _cancel_tournament(transaction: Transaction, arguments: Arguments) -> Lines:
    tournament = actions.cancel_tournament(transaction, arguments.tournament, arguments.reason)
    yield f"{_titled(tournament)} is called off{_and_announcer_learns(tournament)}."


def _retitle_tournament(transaction: Transaction, arguments: Arguments) -> Lines:
    tournament = actions.retitle_tournament(
        transaction, arguments.tournament, arguments.title, arguments.reason
    )
    yield f"{_titled(tournament)} is now {arguments.title}{_and_announcer_learns(tournament)}."


def _titled(tournament: StoredTournament) -> str:
    title = f" ({tournament.title})" if tournament.title else ""
    return f"Tournament {tournament.id}{title}"


def _and_announcer_learns(tournament: StoredTournament) -> str:
    return f", and {tournament.announcer} is told so" if tournament.announcer else ""


def _erase(transaction: Transaction, arguments: Arguments) -> Lines:
    if not arguments.yes:
        raise OperatorRefused(f"That cannot be undone: add --yes to erase {arguments.player}.")
    player = actions.erase(transaction, arguments.player)
    yield f"{player.name} is erased. Their certificates are new here again, and no ban is left."


def _clock(transaction: Transaction, _arguments: Arguments) -> Lines:
    shown, seen = watching.confirm(transaction)
    yield f"The clock shows {in_figures(shown.at)}."
    if seen is None:
        yield "It is trusted already: there was nothing to confirm."
        return
    yield (
        f"It was in doubt: the newest time seen was {in_figures(seen.at)}. It is confirmed now. "
        f"Within {watching.WATCH_SECONDS:.0f} seconds, games end by it again."
    )


READING = (_reports, show, log)
"""The commands that store nothing."""

ERASING = (_remove_line, _remove_notes, _clear_profile, _retitle_tournament, _erase)
"""The commands that erase words, which leave the disk after the transaction."""

ACTIONS: Sequence[tuple[str, Command, str, str]] = (
    ("reports", _reports, "print the open reports", ""),
    ("close", _close, "close a report", "number"),
    ("show", show, "print what is known about a player", "player"),
    ("warn", _warn, "warn a player, who must acknowledge it", "player reason"),
    ("mute", _mute, "keep a player from sending messages for some days", "player days reason"),
    ("unmute", _unmute, "lift a player's mute", "player"),
    ("ban", _ban, "ban a player and end their games", "player reason"),
    ("unban", _unban, "lift a player's ban", "player"),
    ("rename", _rename, "give a player another name", "player new_name reason"),
    ("remove-message", _remove_line, "remove a message under a game", "number reason"),
    ("remove-comment", _remove_line, "remove a comment on a game", "number reason"),
    ("remove-notes", _remove_notes, "remove a player's published notes on a game", "number reason"),
    (
        "clear-profile",
        _clear_profile,
        "remove the line and the website of a player's page",
        "player reason",
    ),
    ("cancel-tournament", _cancel_tournament, "call off a tournament", "tournament reason"),
    (
        "retitle-tournament",
        _retitle_tournament,
        "give a tournament another title, as one word or in quotes",
        "tournament title reason",
    ),
    ("news", news, "publish news, or edit or withdraw them", ""),
    ("feature", feature, "pick the game of the week", "game why"),
    ("mail-test", mail_test, "send a letter by the relay, and print its answer", "address"),
    ("mail-stop", mail_stop, "stop all mail to an address", "key_or_address"),
    ("erase", _erase, "erase a player who asks for it", "player"),
    ("clock", _clock, "confirm that the machine's clock is right after it was in doubt", ""),
    ("log", log, "print the operator's actions, the newest last", ""),
)
"""The actions: each with its function, what it is for, and what it takes."""
