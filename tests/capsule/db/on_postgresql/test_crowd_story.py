"""Many at once on PostgreSQL, with real threads: nobody gets what another has, nor a fault of ours.

And a server that goes away, comes back, or is too busy.
"""

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from sqlalchemy import Engine, create_engine, func, select, text
from sqlalchemy.exc import InternalError

from capsule.db.database import connect, open_database
from capsule.db.faults import DatabaseBusy, DatabaseUnavailable
from capsule.db.schema.games import games
from capsule.everyone import voting
from capsule.games import deadlines, player_queries
from capsule.gemini.types import Certificate, Response
from capsule.moderation import actions as moderation_actions
from capsule.seasons import scoring
from tests.support import postgresql
from tests.support.acting import operate
from tests.support.client import Client, certificate, context_of, link
from tests.support.postgresql import Server
from tests.support.stored import change_row, store_solo_games
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, record, start, start_between
from tests.support.tournaments import announce
from tests.support.waiting import wait_until

# It has a server of its own.
pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

CROWD = 8
NAMES = "anton bruno carla doris edgar frida gustav helga igor jutta".split()
AWAY = Response(41, "The database does not answer. Try again soon")
NOT_STORED = Response(41, "Your move was not stored. Try again later")


@pytest.fixture
def other(database_url: str) -> Iterator[Engine]:
    """Connect as another program would."""
    made = create_engine(database_url)
    yield made
    made.dispose()


def at_once(client: Client, asked: Sequence[tuple[str, Certificate]]) -> list[Response]:
    """Return the answers to requests that are made at the same moment."""
    ready = Barrier(len(asked))

    def ask(url: str, who: Certificate) -> Response:
        ready.wait()
        return client.ask(url, who)

    with ThreadPoolExecutor(len(asked)) as threads:
        return list(threads.map(lambda each: ask(*each), asked))


def counted(answers: Sequence[Response]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


@pytest.mark.parametrize("attempt", [0, *(pytest.param(n, marks=pytest.mark.deep) for n in (1, 2))])
def test_new_certificates_with_one_name_become_one_player_each(
    client: Client, attempt: int
) -> None:
    people = [certificate(f"{number}-{attempt}", common_name="alice") for number in range(CROWD)]
    asked = [(link(client.get("/play/new/tinc", who), "/solo"), who) for who in people]
    answers = at_once(client, asked)
    assert counted(answers) == {30: CROWD}
    names = {record(client, answer.meta)["players"]["X"] for answer in answers}
    assert len(names) == CROWD
    assert "alice" in names


def test_of_many_moves_at_once_one_is_played(client: Client) -> None:
    url = start_between(client, "ultimate")
    for number, (mover, cell) in enumerate(((ALICE, "e5"), (BOB, "d4"), (ALICE, "a1"))):
        prompt = link(client.get(url, mover), "/move")
        answers = at_once(client, [(f"{prompt}?{cell}", mover)] * CROWD)
        assert counted(answers) == {30: CROWD}
        assert len(record(client, url)["moves"]) == number + 1


def test_games_that_end_at_once_are_all_rated(client: Client) -> None:
    urls = []
    for _ in range(CROWD):
        # Of those that two players begin on one day, two count.
        client.now += timedelta(hours=12)
        urls.append(start_between(client, "tinc"))
    for url in urls:
        play(client, url, ["a1", "b1"], ALICE, BOB)
    prompts = [(f"{link(client.get(url, BOB), '/resign')}?resign", BOB) for url in urls]
    assert counted(at_once(client, prompts)) == {30: CROWD}
    with client.database.reading() as connection:
        numbers = connection.execute(select(games.c.rating_number)).scalars().all()
    assert sorted(numbers) == list(range(1, CROWD + 1))


def test_of_two_games_that_a_pair_begins_at_once_the_last_that_may_counts(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_between(client, "tinc")
    meeting, count = Barrier(2), player_queries.count_rated_together

    def count_when_both_have(*given: object) -> int:
        counted = count(*given)
        with suppress(BrokenBarrierError):
            meeting.wait(0.5)
        return counted

    monkeypatch.setattr(player_queries, "count_rated_together", count_when_both_have)
    joins = []
    for host, guest in ((ALICE, BOB), (BOB, ALICE)):
        url = start(client, "tinc", "invite", host)
        joins.append((link(client.get(url, guest), "/join"), guest))
    assert counted(at_once(client, joins)) == {30: 2}
    with client.database.reading() as connection:
        surplus = connection.execute(select(games.c.surplus)).scalars().all()
    assert sorted(surplus) == [False, False, True]


def writers(client: Client, workers: Sequence[Client]) -> list[Callable[[], object]]:
    """Return fifty writers of all kinds, to games and about people that others write to, too."""
    people = [certificate(name) for name in NAMES]
    erased, one, other, *joining, away, talker, commenter, writer, again = people
    pairs = [*pairwise(people), (again, erased)]
    played = [[open_game(client, "ultimate", *pair) for _ in range(3)] for pair in pairs]
    for pair, (first, second, ended) in zip(pairs, played, strict=True):
        for url in (first, second, ended):
            play(client, url, ["e5", "d4", "a1", "b2"], *pair)
        client.type(link(client.get(ended, pair[1]), "/resign"), "resign", pair[1])
    client.now += timedelta(days=2)
    tournament = announce(client, "seats=3", erased)
    for host, guest in ((one, "carla"), (other, "bruno")):
        client.type(link(client.get("/play/new/tinc", host), "/challenge"), guest, host)
    asked = [(link(client.get(tournament, who), "/join"), who) for who in joining]
    prompts = [
        ("/play/me/", "/erase", erased, "erase"),
        ("/play/me/people", "/block", one, "carla"),
        ("/play/me/people", "/block", other, "bruno"),
        ("/play/", "/vacation", away, "3"),
        (played[6][0], "/say", talker, "Hello!"),
        (f"{played[7][2]}/comments", "/comment", commenter, "A fine game"),
        (f"{played[8][0]}/more", "/note", writer, "beware"),
    ]
    for (x, o), (first, second, ended) in zip(pairs, played, strict=True):
        asked += [(link(client.get(second, x), "/draw"), x)]
        prompts += [(first, "/move", x, "d5"), (second, "/resign", o, "resign")]
        asked += [(link(client.get(ended, again), "/rematch"), again)] if again is x else []
    asked += [
        (f"{link(client.get(page, who), end)}?{text}", who) for page, end, who, text in prompts
    ]
    contexts = [context_of(each) for each in workers]
    sweeps = (deadlines.end_overdue, scoring.score_due, voting.advance)
    return [
        *(partial(workers[number % len(workers)].ask, *each) for number, each in enumerate(asked)),
        *(partial(sweep, context) for sweep in sweeps for context in contexts),
        partial(operate, moderation_actions.ban, contexts[0], "jutta", "spam", None),
        partial(operate, moderation_actions.warn, contexts[1], "frida", "be kind"),
    ]


@pytest.mark.parametrize("attempt", range(2))
def test_fifty_writers_do_not_wait_in_a_circle(
    client: Client, server: Server, database_url: str, tmp_path: Path, attempt: int
) -> None:
    """They all hold rows in the order that `Database.writing` names."""
    del attempt
    before = (server.folder / "log").read_text().count("deadlock detected")
    workers = [Client(tmp_path, database_url=database_url) for _ in range(4)]
    writing = writers(client, workers)
    for each in workers:
        each.now = client.now
    ready = Barrier(len(writing))

    def write(act: Callable[[], object]) -> object:
        ready.wait()
        done = act()
        for _ in range(10):
            # On a slow machine there are not connections enough for all at once.
            if not (isinstance(done, Response) and done.status == 44):
                break
            done = act()
        return done

    try:
        with ThreadPoolExecutor(len(writing)) as threads:
            done = [*threads.map(write, writing)]
    finally:
        for each in workers:
            each.database.close()
    answers = counted([each for each in done if isinstance(each, Response)])
    assert len(writing) >= 50
    assert set(answers) <= {20, 30, 61}
    assert answers[30] >= CROWD * 2
    assert (server.folder / "log").read_text().count("deadlock detected") == before


def test_the_last_room_for_a_game_is_taken_once(client: Client) -> None:
    start(client, "tinc", "solo")
    store_solo_games(client, ALICE, 98)
    hosts = [certificate(f"host{number}") for number in range(CROWD)]
    urls = [start(client, "tinc", "invite", host) for host in hosts]
    joins = [(link(client.get(url, ALICE), "/join"), ALICE) for url in urls]
    answers = at_once(client, joins)
    assert set(counted(answers)) <= {20, 30}
    assert sum(record(client, url)["status"] == "playing" for url in urls) == 1


def test_the_last_seat_of_a_tournament_is_taken_once(client: Client) -> None:
    url = announce(client, "seats=3")
    people = [certificate(f"player{number}") for number in range(CROWD)]
    for who in people:
        start(client, "tinc", "solo", who)
    first = link(client.get(url, people[0]), "/join")
    assert client.ask(first, people[0]).status == 30
    joins = [(link(client.get(url, who), "/join"), who) for who in people[1:]]
    answers = at_once(client, joins)
    assert set(counted(answers)) <= {20, 30}
    with client.database.reading() as connection:
        seats = text("SELECT count(*) FROM tournament_seats")
        assert connection.execute(seats).scalar_one() == 3
        begun = select(func.count()).where(games.c.tournament_id.is_not(None))
        assert connection.execute(begun).scalar_one() == 6


def test_a_page_sees_one_state_and_stores_nothing(client: Client, other: Engine) -> None:
    start(client, "tinc", "solo")
    count = text("SELECT count(*) FROM games WHERE status = 'playing'")
    with client.database.reading() as connection:
        before = connection.execute(count).scalar_one()
        with other.begin() as elsewhere:
            elsewhere.execute(text("UPDATE games SET status = 'aborted'"))
        assert connection.execute(count).scalar_one() == before == 1
        with pytest.raises(InternalError, match="read-only transaction"):
            connection.execute(text("DELETE FROM moves"))
    with client.database.reading() as connection:
        assert connection.execute(count).scalar_one() == 0


def test_who_writes_sees_what_others_stored_while_it_waited(client: Client, other: Engine) -> None:
    """Counting after holding is right only if the count is newer than the wait."""
    url = start(client, "tinc", "solo")
    game_id = url.removeprefix("/play/")
    ready = Barrier(2)

    def change() -> None:
        with other.begin() as connection:
            connection.execute(text("SELECT * FROM players FOR UPDATE"))
            ready.wait()
            time.sleep(0.3)
            change_row(connection, game_id, hints=7)

    with ThreadPoolExecutor(1) as threads, client.database.writing() as connection:
        connection.execute(text("SELECT count(*) FROM games"))
        changing = threads.submit(change)
        ready.wait()
        connection.execute(text("SELECT * FROM players FOR UPDATE"))
        assert connection.execute(select(games.c.hints)).scalar_one() == 7
        changing.result()


def test_a_move_that_waits_for_another_program_is_busy_and_pages_are_not(
    client: Client, other: Engine
) -> None:
    url = start_between(client, "ultimate")
    page = client.get(url, ALICE)
    with other.begin() as elsewhere:
        elsewhere.execute(text("SELECT * FROM games FOR UPDATE"))
        elsewhere.execute(text("SELECT * FROM certificates FOR UPDATE"))
        begun = time.monotonic()
        answer = client.ask(f"{link(page, '/move')}?e5", ALICE)
        waited = time.monotonic() - begun
        begun = time.monotonic()
        client.now += (client.now - client.now.replace(year=client.now.year - 1)) / 300
        assert client.get(url, ALICE)
        assert client.get("/play/", ALICE)
        assert time.monotonic() - begun < waited / 2
    assert (answer.status, answer.meta.isdecimal()) == (44, True)
    assert record(client, url)["moves"] == []
    assert client.type(link(client.get(url, ALICE), "/move"), "e5", ALICE).status == 30


def test_a_statement_that_takes_too_long_is_given_up(client: Client) -> None:
    with pytest.raises(DatabaseBusy), client.database.reading() as connection:
        connection.execute(text("SELECT pg_sleep(9)"))


def test_while_the_server_is_away_pages_say_so_and_come_back_with_it(
    client: Client, server: Server
) -> None:
    url = start_between(client, "ultimate")
    page = client.get(url, ALICE)
    server.stop()
    begun = time.monotonic()
    asked: list[tuple[str, Certificate]] = [("/", ALICE), (url, BOB), ("/play/", CAROL)]
    asked += [("/players/nobody", ALICE), (f"{link(page, '/move')}?e5", ALICE)]
    expected = [AWAY, AWAY, AWAY, AWAY, NOT_STORED]
    for _ in range(3):
        assert [client.ask(*each) for each in asked] == expected
        assert at_once(client, asked) == expected
    assert (time.monotonic() - begun) / (6 * len(asked)) < 1
    server.start()
    wait_until_back(client)
    assert [client.ask(each).status for each in ("/", url)] == [20, 20]
    assert client.ask(f"{link(page, '/move')}?e5", ALICE) == Response(30, url)


@pytest.mark.parametrize(
    ("role", "database", "reason"),
    [
        (postgresql.ROLE, "nowhere", 'database "nowhere" does not exist'),
        ("stranger", "nowhere", 'role "stranger" does not exist'),
    ],
)
def test_a_server_that_refuses_the_capsule_is_not_waited_for(
    server: Server, caplog: pytest.LogCaptureFixture, role: str, database: str, reason: str
) -> None:
    url = server.url(database).replace(postgresql.ROLE, role, 1)
    with pytest.raises(DatabaseUnavailable, match=reason):
        open_database(url, 60)
    assert "Waiting for the database" not in caplog.text


def wait_until_back(client: Client) -> None:
    """Wait until the capsule has found that its database is back."""
    wait_until(lambda: client.ask("/").status != 41)


def test_nobody_waits_for_a_machine_that_is_known_not_to_answer() -> None:
    """The first visitor waits for seconds, and nobody after them."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        url = f"postgresql+psycopg://oxonaut@127.0.0.1:{port}/oxonaut"
        database = connect(url)
        begun = time.monotonic()
        with pytest.raises(DatabaseUnavailable), database.reading():
            pass
        first = time.monotonic() - begun
        begun = time.monotonic()
        for _ in range(20):
            with pytest.raises(DatabaseUnavailable), database.reading():
                pass
        assert time.monotonic() - begun < first / 2
        database.close()


def test_connections_that_a_restart_has_cut_are_not_used_again(
    client: Client, server: Server
) -> None:
    url = start_between(client, "ultimate")
    at_once(client, [(url, ALICE)] * CROWD)
    server.stop()
    server.start()
    assert counted(at_once(client, [(url, ALICE)] * CROWD)) == {20: CROWD}
    play(client, url, ["e5"], ALICE, BOB)


def test_a_move_during_which_the_server_dies_is_not_answered_as_made(
    client: Client, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    from capsule.games import moves  # noqa: PLC0415 - what is patched below

    made = moves.make_move

    def cut_off(*arguments: object, **named: object) -> object:
        after = made(*arguments, **named)
        server.stop()
        return after

    monkeypatch.setattr(moves, "make_move", cut_off)
    assert client.ask(f"{prompt}?e5", ALICE) == NOT_STORED
    monkeypatch.undo()
    server.start()
    wait_until_back(client)
    assert record(client, url)["moves"] == []
    assert client.ask(f"{prompt}?e5", ALICE) == Response(30, url)


def test_two_that_wait_for_each_other_are_separated_and_both_are_done(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    start(client, "tinc", "solo", BOB)
    meeting = Barrier(2)
    first_time = {"alice": True, "bob": True}
    from capsule.db.faults import retry  # noqa: PLC0415 - used here alone

    def hold(name: str, then: str) -> str:
        with client.database.writing() as connection:
            statement = text("SELECT id FROM players WHERE name = :name FOR NO KEY UPDATE")
            connection.execute(statement, {"name": name})
            if first_time.pop(name, False):
                meeting.wait()
            connection.execute(statement, {"name": then})
        return name

    with ThreadPoolExecutor(2) as threads:
        pair = [("alice", "bob"), ("bob", "alice")]
        assert list(threads.map(lambda each: retry(lambda: hold(*each)), pair)) == ["alice", "bob"]
