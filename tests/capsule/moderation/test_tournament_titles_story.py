"""The titles of tournaments are moderated like messages: reported, replaced, and refused."""

import json
from datetime import timedelta

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.stories import ALICE, BOB, CAROL, ROOM, start, undone
from tests.support.tournaments import HERE, announce, begin, join

INSULT = "bob is a cheat"


def report(client: Client, url: str, text: str, who: object = BOB) -> Response:
    """Report the title of a tournament and return the answer."""
    return client.type(link(client.get(url, who), "/report"), text, who)


def id_of(url: str) -> str:
    """Return the id of the tournament at an address."""
    return url.removeprefix(HERE)


def test_the_title_of_a_tournament_can_be_reported(client: Client, console: Console) -> None:
    start(client, "tinc", "solo", BOB)
    url = announce(client, title=INSULT)
    prompt = links(client.get(url, BOB))["Report its name to the operator"]
    assert client.ask(prompt, BOB) == Response(
        10, f"{ROOM} What should the operator know about the name of this tournament?"
    )
    answer = client.type(prompt, "it insults me", BOB)
    assert answer.status == 20
    assert links(answer.body)["Back to the tournament"] == url
    assert console.admin("reports").splitlines() == [
        "Report 1, 2026-11-20 at 14:02 UTC",
        "  bob about alice: it insults me",
        f"  gemini://localhost{url}",
        f"    its title: {INSULT}",
        "",
    ]
    (exported,) = json.loads(client.get("/play/me/export.json", BOB))["reports"]
    assert (exported["about"], exported["game"], exported["tournament"]) == (
        "alice",
        None,
        id_of(url),
    )
    assert undone(client, f"{prompt}?again", BOB, url), "a page reports once"


def test_only_other_players_report_a_title_and_only_with_a_key_of_theirs(
    client: Client, console: Console
) -> None:
    start(client, "tinc", "solo", BOB)
    start(client, "tinc", "solo", CAROL)
    url = announce(client, title=INSULT)
    for who in (None, ALICE, certificate("new")):
        assert "/report" not in client.get(url, who)
    prompt = link(client.get(url, BOB), "/report")
    for other in (ALICE, CAROL, certificate("new")):
        assert undone(client, f"{prompt}?rude", other, url)
    assert client.ask(prompt.replace(id_of(url), "aaaaaaaaaa"), BOB).status == 51
    assert console.admin("reports") == "There are no open reports.\n"


def test_a_muted_player_can_announce_no_tournament(client: Client, console: Console) -> None:
    start(client, "tinc", "solo")
    prompt = link(client.get(f"{HERE}new", ALICE), "/announce")
    console.admin("mute alice 3 mind your words")
    assert "/announce" not in client.get(f"{HERE}new", ALICE), "only what will work is offered"
    for path in ("rated=yes/announce", "rated=no&bots=club&starts=now/announce"):
        answer = client.ask(prompt.replace("rated=yes/announce", path) + f"?{INSULT}", ALICE)
        assert answer.status == 20
        assert (
            "The operator has muted you until 23 November 2026 at 14:02 UTC. Until then you cannot "
            "announce a tournament." in answer.body
        )
    assert INSULT not in client.get(HERE)
    client.now += timedelta(days=3)
    assert announce(client, title="A quiet round")


def test_the_operator_gives_a_tournament_another_title(client: Client, console: Console) -> None:
    url = begin(client)
    insulting = announce(client, title=INSULT)
    assert console.admin(f"retitle-tournament {id_of(insulting)} 'Friday evening' no insults") == (
        f"Tournament {id_of(insulting)} ({INSULT}) is now Friday evening, and alice is told so.\n"
    )
    assert client.get(insulting, BOB).startswith("# Friday evening\n")
    for page in (HERE, f"{insulting}/feed", "/feed"):
        assert INSULT not in client.get(page)
        assert "Friday evening" in client.get(page)
    page = client.get("/play/", ALICE)
    notice = "A tournament that you announced is now called Friday evening: no insults"
    assert notice in page
    assert links(page)["The tournament"] == insulting
    assert "retitle-tournament, alice: " in console.admin("log --player alice")
    assert console.admin(f"retitle-tournament {id_of(url)} Saturday why")
    assert client.get(url).startswith("# Saturday\n"), "one that is being played, too"


def test_the_operator_calls_a_tournament_off(client: Client, console: Console) -> None:
    url = announce(client, title=INSULT)
    join(client, url, BOB)
    assert console.admin(f"cancel-tournament {id_of(url)} it insults bob") == (
        f"Tournament {id_of(url)} ({INSULT}) is called off, and alice is told so.\n"
    )
    page = client.get(url, BOB)
    assert "The operator called it off on 20 November 2026 at 14:02 UTC: it insults bob" in page
    assert "Take part" not in page
    assert "A tournament that you announced has been called off: it insults bob" in client.get(
        "/play/", ALICE
    )
    assert console.refusal(f"cancel-tournament {id_of(url)} again") == (
        f"Tournament {id_of(url)} is cancelled already."
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("cancel-tournament aaaaaaaaaa why", "There is no tournament aaaaaaaaaa."),
        ("retitle-tournament aaaaaaaaaa title why", "There is no tournament aaaaaaaaaa."),
        ("cancel-tournament {} why", "Tournament {} has started: give it another title instead."),
        (
            "retitle-tournament {} '' why",
            "That cannot be the title. There is nothing to read in it.",
        ),
        (
            f"retitle-tournament {{}} {'x' * 61} why",
            "That cannot be the title. Your text has 61 characters, but only 60 fit.",
        ),
        (
            "retitle-tournament {} title ''",
            "That cannot be the reason. There is nothing to read in it.",
        ),
    ],
)
def test_what_cannot_be_done_to_a_tournament_is_refused_with_a_sentence(
    client: Client, console: Console, line: str, why: str
) -> None:
    url = begin(client)
    assert console.refusal(line.format(id_of(url))) == why.format(id_of(url))
    assert console.admin("log") == "No action was taken.\n"


def test_a_ban_takes_the_titles_that_a_player_gave(client: Client, console: Console) -> None:
    played = begin(client)
    announced = announce(client, title=INSULT)
    console.admin("ban alice insults")
    for url in (played, announced):
        assert client.get(url, BOB).startswith("# A tournament of Ultimate\n")
        assert "/report" not in client.get(url, BOB)
    for page in (HERE, f"{announced}/feed", "/feed"):
        assert INSULT not in client.get(page)
