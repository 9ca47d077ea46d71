"""The operator reads reports and acts on them, and every action is recorded."""

import io
import sys
from datetime import timedelta

import pytest
from sqlalchemy import text

from capsule.__main__ import main
from capsule.gemini.types import Response
from tests.support.client import Client, link, links
from tests.support.console import EVE, Console, quarrel
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, start_between, undone

FROM_THE_OPERATOR = "## From the operator"


def test_reports_are_read_with_the_messages_of_the_game(client: Client, console: Console) -> None:
    url = quarrel(client)
    assert console.admin("reports").splitlines() == [
        "Report 1, 2026-11-20 at 14:02 UTC",
        "  alice about eve: eve is rude",
        f"  gemini://localhost{url}",
        "    message 1, 2026-11-20 at 14:02 UTC, eve: you cheat",
        "",
    ]


def test_a_closed_report_is_not_listed(client: Client, console: Console) -> None:
    quarrel(client)
    assert console.admin("close 1") == "Report 1 is closed.\n"
    assert console.admin("reports") == "There are no open reports.\n"
    assert "  Closed 2026-11-20 at 14:02 UTC\n" in console.admin("reports --all")
    assert console.refusal("close 1") == "Report 1 is closed already."
    assert console.refusal("close 2") == "There is no report 2."


def test_the_operator_is_told_that_there_are_no_reports(console: Console) -> None:
    assert console.admin("reports") == "There are no open reports.\n"
    assert console.admin("reports --all") == "There are no reports.\n"
    assert console.admin("log") == "No action was taken.\n"


def test_a_warning_stays_until_it_is_acknowledged(client: Client, console: Console) -> None:
    quarrel(client)
    assert FROM_THE_OPERATOR not in client.get("/play/", EVE)
    assert console.admin("warn EVE be polite") == (
        "eve is warned. The page of their games says so.\n"
    )

    page = client.get("/play/", EVE)
    assert page.index(FROM_THE_OPERATOR) < page.index("## Waiting for your opponent")
    assert "This is a warning: be polite" in page
    assert page == client.get("/play/", EVE)
    assert FROM_THE_OPERATOR not in client.get("/play/", ALICE)

    assert client.ask(link(page, "/heard"), EVE) == Response(30, "/play/")
    assert FROM_THE_OPERATOR not in client.get("/play/", EVE)


def test_nobody_acknowledges_for_another_or_unseen(client: Client, console: Console) -> None:
    quarrel(client)
    console.admin("warn eve be polite")
    heard = link(client.get("/play/", EVE), "/heard")
    console.admin("warn eve and be quick")
    for who in (ALICE, BOB, EVE):
        assert undone(client, heard, who, "/play/")
    assert client.ask(heard) == Response(30, "/play/")
    assert undone(client, "/play/me/key/heard", EVE, "/play/")
    page = client.get("/play/", EVE)
    assert page.index("be polite") < page.index("and be quick")


def test_a_muted_player_is_told_until_when_and_cannot_write(
    client: Client, console: Console
) -> None:
    url = quarrel(client)
    say = link(client.get(url, EVE), "/say")
    assert console.admin("mute eve 3 mind your words") == (
        "eve cannot send messages until 2026-11-23 at 14:02 UTC, and is told so.\n"
    )
    client.ask(f"{say}?ha", EVE)
    page = client.get(url, EVE)
    assert "ha" not in [line.rpartition(": ")[2] for line in page.splitlines()]
    assert "/say" not in page
    assert (
        "You can send no messages until 23 November 2026 at 14:02 UTC: mind your words"
        in client.get("/play/", EVE)
    )
    client.now += timedelta(days=3)
    assert link(client.get(url, EVE), "/say")


def test_lifting_a_mute_takes_back_its_notice(client: Client, console: Console) -> None:
    url = quarrel(client)
    assert console.refusal("unmute eve") == "eve is not muted."
    console.admin("mute eve 3 mind your words")
    console.admin("warn eve be polite")
    assert console.admin("unmute eve") == "eve can send messages again.\n"
    assert link(client.get(url, EVE), "/say")
    page = client.get("/play/", EVE)
    assert "be polite" in page
    assert "mind your words" not in page


def test_the_operator_removes_a_message_and_its_place_stays(
    client: Client, console: Console
) -> None:
    url = quarrel(client)
    assert console.admin("remove-message 1 no insults") == (
        "Message 1 is removed, and eve is told so.\n"
    )
    for who in (ALICE, EVE):
        page = client.get(url, who)
        assert "you cheat" not in page
        assert "(removed by the operator)" in page
    page = client.get("/play/", EVE)
    assert "A message of yours has been removed: no insults" in page
    assert links(page)["The game where it stood"] == url
    assert "eve: (removed)" in console.admin("reports")
    assert console.refusal("remove-message 1 again") == "Message 1 is removed already."
    assert console.refusal("remove-message 9 why") == "There is no message 9."
    assert "you cheat" not in client.get("/play/me/export.json", EVE)


def test_a_renamed_player_is_told_and_cannot_take_the_name_back(
    client: Client, console: Console
) -> None:
    url = quarrel(client)
    assert console.admin("rename eve evelyn no single names") == (
        "eve is now called evelyn, and is told so.\n"
        "For a year the addresses with the old name lead there, and nobody can have it.\n"
    )
    assert client.get(url).startswith("# Tinc: alice (X) – evelyn (O)\n")
    assert client.ask("/players/eve") == Response(30, "/players/evelyn")
    assert "The operator has changed your name from eve to evelyn: no single names" in client.get(
        "/play/", EVE
    )
    for who in (EVE, ALICE):
        answer = client.type(link(client.get("/play/me/", who), "/name"), "Eve", who)
        assert answer.meta == (
            "The operator has taken Eve away. Nobody can have it before 20 November 2027. Your name"
        )


def test_an_offensive_name_leads_nowhere(client: Client, console: Console) -> None:
    quarrel(client)
    assert "addresses with the old name lead nowhere" in console.admin(
        "rename --no-redirect eve evelyn rude"
    )
    assert client.ask("/players/eve").status == 51
    assert client.ask("/players/eve/feed.xml").status == 51
    challenge = link(client.get("/play/new/tinc", ALICE), "/challenge")
    assert client.type(challenge, "eve", ALICE).meta.startswith("Nobody here is called eve.")
    answer = client.type(link(client.get("/play/me/", EVE), "/name"), "eve", EVE)
    assert answer.meta.startswith("The operator has taken eve away")


@pytest.mark.parametrize(
    ("new_name", "why"),
    [
        ("alice", "alice is taken."),
        ("al1ce", "al1ce is too like alice, which is taken."),
        ("expert-bot", "expert-bot could be mistaken for a bot."),
        ("'two words'", "A name has no spaces, only letters from a to z, digits, - and _."),
        ("eve", "eve has that name already."),
    ],
)
def test_the_operator_cannot_give_a_name_that_nobody_can_have(
    client: Client, console: Console, new_name: str, why: str
) -> None:
    quarrel(client)
    assert console.refusal(f"rename eve {new_name} because") == why
    assert client.ask("/players/eve").status == 20
    assert console.admin("log") == "No action was taken.\n"


ACTIONS = (
    "warn {} why",
    "mute {} 3 why",
    "unmute {}",
    "ban {} why",
    "unban {}",
    "rename {} other-name why",
    "erase {} --yes",
    "show {}",
    "log --player {}",
)


NOBODY = {
    "mallory": "Nobody here is called mallory.",
    "al1ce": "Nobody here is called al1ce.",
    "'a former player'": "Nobody here is called a former player.",
    "''": "Nobody here is called .",
    "expert": "expert is a bot, not a player.",
    "'Novice bot'": "Novice bot is a bot, not a player.",
    "club-bot": "club-bot is a bot, not a player.",
    "club-plus": "club-plus is a bot, not a player.",
}


DAYS = "The number of days is from 1 to 3650. Only a ban can be without an end."


@pytest.mark.parametrize("action", ACTIONS)
def test_no_action_is_taken_on_an_unknown_name(
    client: Client, console: Console, action: str
) -> None:
    start_between(client, "tinc")
    assert {name: console.refusal(action.format(name)) for name in NOBODY} == NOBODY


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("warn eve ''", "That cannot be the reason. There is nothing to read in it."),
        (
            f"warn eve {'x' * 281}",
            "That cannot be the reason. Your text has 281 characters, but only 280 fit.",
        ),
        ("ban eve ' '", "That cannot be the reason. There is nothing to read in it."),
        ("ban eve why --days 0", DAYS),
        ("mute eve 0 why", DAYS),
        ("mute eve 4000 why", DAYS),
        ("unban eve", "eve is not banned."),
        ("erase eve", "That cannot be undone: add --yes to erase eve."),
    ],
)
def test_an_impossible_action_is_refused_with_a_sentence(
    client: Client, console: Console, line: str, why: str
) -> None:
    quarrel(client)
    assert console.refusal(line) == why
    assert console.admin("log") == "No action was taken.\n"
    assert FROM_THE_OPERATOR not in client.get("/play/", EVE)


@pytest.mark.sqlite
def test_the_settings_may_stand_before_or_after_the_action(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(client.home)
    url = f"sqlite:///{home}/oxonaut.db"
    for line in (
        ["--home", home, "reports"],
        ["reports", "--home", home],
        ["--database", url, "reports"],
        ["reports", "--database", url],
    ):
        assert main(["admin", *line]) == 0
        assert capsys.readouterr().out == "There are no open reports.\n"
    (client.home / "oxonaut.toml").write_text("colour = 1\n")
    assert main(["admin", "--home", home, "reports"]) == 2


# The operator's terminal, which nothing can garble, and the record of every action


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
