"""Games that end without a result say why, and who brought that about, wherever they are shown."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest

from capsule.games.deadlines import end_overdue
from capsule.gemini.types import Certificate, Live, Request
from capsule.moderation.actions import cancel_tournament
from engine.record import from_json, from_text
from tests.support.acting import operate
from tests.support.client import Client, action, context_of, link
from tests.support.console import Console
from tests.support.cups import begin_cup, parts
from tests.support.everyone import advance, midnight
from tests.support.feeds import entries, private_feed
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, start_between
from tests.support.tournaments import games

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Case:
    """A way in which Alice's game of ultimate ends, and the words for it.

    `why` is said to all, and `to_alice` to her instead where she ended it; `by` is the side that
    did. Her list says with `opponent` what her words leave out.
    """

    begin: Callable[[Client], str]
    end: Callable[[Client, Console, str], object]
    title: str
    why: str
    reason: str
    by: str | None = None
    to_alice: str = ""
    opponent: str = ""

    @property
    def in_alices_list(self) -> str:
        """The line of her list, which her feed has too unless she ended the game."""
        return f"Aborted: Ultimate{self.opponent}, {self.to_alice or self.why}"


def challenge(client: Client) -> str:
    start(client, "tinc", "solo", CAROL)
    prompt = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    return client.type(prompt, "carol", ALICE).meta


def rematch(client: Client) -> str:
    url = start_between(client, "ultimate", CAROL, ALICE)
    play(client, url, ["e5", "d4"], CAROL, ALICE)
    client.type(action(client.get(url, CAROL), "resign"), "resign", CAROL)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    return f"/play/{json.loads(client.get(f'{url}/state.json'))['rematch']}"


def seat(client: Client) -> str:
    return start(client, "ultimate", "open")


def game_with_bob(client: Client) -> str:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE, BOB)
    return url


def abort(who: Certificate) -> Callable[[Client, Console, str], object]:
    return lambda client, _, url: client.type(action(client.get(url, who), "abort"), "abort", who)


def decline(client: Client, _: Console, url: str) -> None:
    client.get(link(client.get(url, CAROL), "/decline"), CAROL)


def decline_rematch(client: Client, _: Console, url: str) -> None:
    state = json.loads(client.get(f"{url}/state.json", CAROL))
    client.get(state["decline"], CAROL)


def block(who: Certificate, name: str) -> Callable[[Client, Console, str], object]:
    def end(client: Client, _: Console, __: str) -> None:
        client.type(link(client.get("/play/me/people", who), "/block"), name, who)

    return end


def wait(weeks: int) -> Callable[[Client, Console, str], object]:
    def end(client: Client, _: Console, __: str) -> None:
        client.now += weeks * WEEK

    return end


def ban(name: str) -> Callable[[Client, Console, str], object]:
    return lambda _, console, __: console.admin(f"ban {name} cheating")


def erase(who: Certificate) -> Callable[[Client, Console, str], object]:
    return lambda client, _, __: client.type(
        link(client.get("/play/me/", who), "/erase"), "erase", who
    )


WITH_CAROL, WITH_NOBODY, WITH_BOB, WITH_FORMER = (
    f"Ultimate: alice (X) – {other} (O)"
    for other in ("carol", "open seat", "bob", "a former player")
)
DECLINED = "carol declined the challenge"
WITHDRAWN = "alice withdrew the challenge to carol", "withdrawn", "X"
YOU_WITHDREW = "you withdrew the challenge to carol"
ERASED = "a player erased their account", "erased", "O"
CASES = {
    "challenge declined": Case(challenge, decline, WITH_CAROL, DECLINED, "declined", "O"),
    "rematch declined": Case(
        rematch, decline_rematch, WITH_CAROL, "carol declined the rematch", "declined", "O"
    ),
    "challenger blocked": Case(
        challenge, block(CAROL, "alice"), WITH_CAROL, DECLINED, "declined", "O"
    ),
    "challenged player blocked": Case(
        challenge, block(ALICE, "carol"), WITH_CAROL, *WITHDRAWN, YOU_WITHDREW
    ),
    "challenge withdrawn": Case(challenge, abort(ALICE), WITH_CAROL, *WITHDRAWN, YOU_WITHDREW),
    "challenge expired": Case(
        challenge,
        wait(1),
        WITH_CAROL,
        "carol did not answer the challenge for seven days",
        "expired",
    ),
    "challenged player banned": Case(
        challenge, ban("carol"), WITH_CAROL, "carol was banned", "banned", "O"
    ),
    "challenged player erased": Case(challenge, erase(CAROL), WITH_FORMER, *ERASED),
    "seat closed": Case(
        seat,
        abort(ALICE),
        WITH_NOBODY,
        "alice closed the open seat",
        "withdrawn",
        "X",
        "you closed the open seat",
    ),
    "seat expired": Case(
        seat, wait(1), WITH_NOBODY, "nobody took the open seat for seven days", "expired"
    ),
    "aborted by the opponent": Case(
        game_with_bob, abort(BOB), WITH_BOB, "bob aborted the game", "aborted", "O"
    ),
    "aborted": Case(
        game_with_bob,
        abort(ALICE),
        WITH_BOB,
        "alice aborted the game",
        "aborted",
        "X",
        "you aborted the game",
        " with bob",
    ),
    "out of time": Case(
        game_with_bob, wait(2), WITH_BOB, "bob ran out of time", "out of time", "O"
    ),
    "opponent banned": Case(game_with_bob, ban("bob"), WITH_BOB, "bob was banned", "banned", "O"),
    "opponent erased": Case(game_with_bob, erase(BOB), WITH_FORMER, *ERASED),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    """Each way in which a game ends without a result."""
    found = request.param
    assert isinstance(found, Case)
    return found


def live(client: Client, url: str) -> Live:
    answer = client.answer(Request(f"{url}/live"))
    assert isinstance(answer, Live)
    return answer


def test_every_page_of_the_game_says_who_or_what_ended_it(
    client: Client, console: Console, case: Case
) -> None:
    url = case.begin(client)
    before = live(client, url)
    case.end(client, console, url)
    sentence = f"The game was aborted: {case.why}. Nobody won or lost."
    page = client.get(url)
    assert page.startswith(f"# {case.title}\n")
    for each in (
        page,
        *(client.get(f"{url}/{part}") for part in ("words", "history", "share.gmi")),
    ):
        assert sentence in " ".join(each.split())
    own = case.to_alice or case.why
    assert f"The game was aborted: {own}. Nobody won or lost." in client.get(url, ALICE)
    assert f"## The game was aborted: {case.why}\n" in before.more().text


def test_programs_learn_who_or_what_ended_it(client: Client, console: Console, case: Case) -> None:
    url = case.begin(client)
    case.end(client, console, url)
    state = json.loads(client.get(f"{url}/state.json"))
    assert (state["status"], state["reason"], state["ended_by"]) == (
        "aborted",
        case.reason,
        case.by,
    )
    other = case.title.split(" – ")[1].removesuffix(" (O)")
    challenged = other if case.begin in {challenge, rematch} else None
    kept = record(client, url)
    assert (kept["reason"], kept["ended_by"]) == (case.reason, case.by)
    assert state["challenged"] == kept["challenged"] == challenged
    is_empty = challenged is not None or case.title == WITH_NOBODY
    assert kept["players"] == {"X": "alice", "O": None if is_empty else other}
    text = from_text(client.get(f"{url}/record.txt"))
    assert text == from_json(json.dumps(kept))
    assert text.reason == case.reason


def test_lists_and_feeds_say_who_or_what_ended_it(
    client: Client, console: Console, case: Case
) -> None:
    url = case.begin(client)
    case.end(client, console, url)
    end_overdue(context_of(client))
    title = case.title.replace(" (X)", "").replace(" (O)", "").replace("Ultimate: ", "Ultimate, ")
    for path in (f"{url}/feed", f"{url}/feed.xml"):
        assert f"Aborted: {title}: {case.why}" in client.get(path)
    assert f"{url}?end {case.in_alices_list}\n" in client.get("/play/", ALICE)
    is_announced = case.in_alices_list in entries(client, private_feed(client, ALICE))
    assert is_announced is not bool(case.to_alice), "her own act is no news to her"


def test_a_game_of_a_cup_that_the_operator_cancels_says_so(client: Client) -> None:
    begin_cup(client, 3)
    (part,) = parts(client, "2027-01").values()
    url = next(iter(games(client, part).values()))
    operate(cancel_tournament, context_of(client), part.rpartition("/")[2], "a quarrel")
    assert "The game was aborted: the operator cancelled the cup." in client.get(url)
    state = json.loads(client.get(f"{url}/state.json"))
    assert (state["reason"], state["ended_by"]) == ("cancelled", None)


def test_everyones_game_without_votes_says_so(client: Client) -> None:
    url = f"/play/{advance(client).stored.id}"
    before = live(client, url)
    for _ in range(8):
        midnight(client)
    assert "Nobody voted for seven days" in client.get(url)
    assert "## The game was aborted: nobody voted for seven days" in before.more().text
    assert json.loads(client.get(f"{url}/state.json"))["reason"] == "no votes"
    assert "Aborted: Tinc, everyone – " in (feed := client.get(f"{url}/feed"))
    assert ": nobody voted for seven days" in feed


def test_a_game_that_ended_before_reasons_were_stored_says_that_it_was_aborted(
    client: Client,
) -> None:
    url = challenge(client)
    client.get(link(client.get(url, CAROL), "/decline"), CAROL)
    with client.context.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET end_reason = NULL, ended_by = NULL")
    page = client.get(url)
    assert page.startswith(f"# {WITH_CAROL}\n")
    assert "The game was aborted; nobody won or lost." in page
    assert f"{url}?end Aborted: Ultimate, carol\n" in client.get("/play/", ALICE)
