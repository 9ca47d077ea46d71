"""The operator's terminal, which nothing can garble, and the record of every action."""

import io
import sys
from datetime import timedelta

from sqlalchemy import text

from tests.support.client import Client
from tests.support.console import Console, quarrel
from tests.support.stored import on_disk


def test_nothing_that_players_write_moves_the_terminal(client: Client, console: Console) -> None:
    # As if the pages had let it through: the console trusts nobody.
    quarrel(client)
    trap = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\nReport 2, \u202eevil\u2028"
    with client.database.writing() as connection:
        connection.execute(text("UPDATE messages SET text = :trap"), {"trap": trap})
        connection.execute(text("UPDATE reports SET text = :trap"), {"trap": trap})
        renaming = text("UPDATE players SET name = :trap WHERE name = 'alice'")
        connection.execute(renaming, {"trap": trap[:24]})  # as long as names are
    for line in ("reports", "show eve", "log"):
        printed = console.admin(line)
        assert all(each.isprintable() for each in printed.split("\n")), printed
    assert len(console.admin("reports").splitlines()) == 5


def test_a_terminal_with_few_letters_shows_the_others_as_escapes(
    client: Client, console: Console
) -> None:
    quarrel(client, "日本")
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    console.patch.setattr(sys, "stdout", terminal)
    assert console.try_admin("reports")[0] == 0
    assert b"eve: \\u65e5\\u672c\n" in terminal.buffer.getvalue()


def test_every_action_is_in_the_log(client: Client, console: Console) -> None:
    url = quarrel(client)
    for line in (
        "warn eve be polite",
        "mute eve 1 mind your words",
        "unmute eve",
        "remove-message 1 rude",
        "rename eve evelyn no single names",
        "ban evelyn cheating --days 7",
        "unban evelyn",
        "close 1",
        "warn alice report less",
    ):
        client.now += timedelta(minutes=1)
        console.admin(line)
    assert console.admin("log").splitlines() == [
        "2026-11-20 at 14:03 UTC, warn, eve (now evelyn): be polite",
        "2026-11-20 at 14:04 UTC, mute, eve (now evelyn): for 1 day: mind your words",
        "2026-11-20 at 14:05 UTC, unmute, eve (now evelyn)",
        f"2026-11-20 at 14:06 UTC, remove-message, eve (now evelyn): message 1 under {url}: rude",
        "2026-11-20 at 14:07 UTC, rename, eve (now evelyn): to evelyn: no single names",
        "2026-11-20 at 14:08 UTC, ban, evelyn: for 7 days: cheating",
        "2026-11-20 at 14:09 UTC, unban, evelyn",
        "2026-11-20 at 14:10 UTC, close, evelyn: report 1",
        "2026-11-20 at 14:11 UTC, warn, alice: report less",
    ]
    assert console.admin("log --player ALICE").count("\n") == 1
    assert console.admin("log --player eve").count("\n") == 8, "the old name leads to the player"


def test_the_operator_sees_everything_about_a_player(client: Client, console: Console) -> None:
    quarrel(client)
    console.admin("rename eve evelyn no single names")
    console.admin("mute evelyn 2 mind your words")
    console.admin("ban evelyn cheating --days 7")
    assert console.admin("show Evelyn").splitlines() == [
        "evelyn, here since 2026-11-20 at 14:02 UTC",
        "  gemini://localhost/players/evelyn",
        "  Certificates: 1. Games in progress: 0.",
        "  Reports about them: 1, 1 of them open. Reports by them: 0.",
        "  Banned until 2026-11-27 at 14:02 UTC: cheating",
        "  Muted until 2026-11-22 at 14:02 UTC",
        "  Not read yet (renamed): no single names",
        "  Not read yet (silenced): mind your words",
        "  Former name eve: taken away, leads to them until 2027-11-20",
        "  2026-11-20 at 14:02 UTC, rename, eve (now evelyn): to evelyn: no single names",
        "  2026-11-20 at 14:02 UTC, mute, evelyn: for 2 days: mind your words",
        "  2026-11-20 at 14:02 UTC, ban, evelyn: for 7 days: cheating",
    ]


def test_of_an_erased_player_only_the_fact_of_an_action_stays(
    client: Client, console: Console
) -> None:
    url = quarrel(client)
    console.admin("warn eve be polite")
    console.admin("rename eve evelyn no single names")
    assert console.admin("erase evelyn --yes") == (
        "evelyn is erased. Their certificates are new here again, and no ban is left.\n"
    )
    assert client.get(url).startswith("# Tinc: alice (X) – a former player (O)\n")
    assert console.admin("log").splitlines() == [
        "2026-11-20 at 14:02 UTC, warn, a former player",
        "2026-11-20 at 14:02 UTC, rename, a former player",
        "2026-11-20 at 14:02 UTC, erase, a former player",
    ]
    assert console.admin("reports --all") == "There are no reports.\n"
    assert console.refusal("show eve") == "Nobody here is called eve."
    files = on_disk(client)
    for trace in (b"evelyn", b"be polite", b"single names"):
        assert trace not in files
