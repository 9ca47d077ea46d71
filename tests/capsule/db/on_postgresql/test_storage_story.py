"""A PostgreSQL that is read and stores nothing: a standby, a full disk, a COMMIT refused."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, delete, insert, text

from capsule.app import build_app
from capsule.db.database import Database, connect
from capsule.db.faults import CannotStore
from capsule.db.health import TRY_SECONDS, StorageWatch
from capsule.db.schema.players import secrets
from capsule.gemini.types import Response
from tests.support.client import Client, link
from tests.support.disks import fill, limited_disk
from tests.support.postgresql import Server
from tests.support.stories import ALICE, record, start_between

# It has a server of its own.
pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

MEGABYTE = 1024 * 1024

NOT_STORED = Response(41, "Your move was not stored. Try again later")
IN_DOUBT = Response(41, "Your move may have been stored. Look at the game before you try again")

REFUSAL = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{code}'; END $$;
CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON moves DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Connect as a capsule does."""
    with closing(connect(database_url)) as made:
        yield made


def administer(url: str, *statements: str) -> None:
    """Execute statements as the server's administrator."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def has_outage(client: Client) -> bool:
    """Return whether the capsule says that nothing can be stored."""
    return "Nothing can be stored since " in build_app(client.context).health().body


def store(database: Database, megabytes: int) -> None:
    """Store that much, in the place of what was stored before."""
    with database.writing() as connection:
        connection.execute(delete(secrets).where(secrets.c.name == "ballast"))
        value = os.urandom(megabytes * MEGABYTE)
        connection.execute(insert(secrets).values(name="ballast", value=value))


def try_again(database: Database) -> None:
    """Try to store something, as one process does every ten seconds."""
    seconds = 0.0
    watch = StorageWatch(database, lambda _outage: None, lambda: seconds)
    seconds += TRY_SECONDS
    watch.check()


@contextmanager
def standby(server: Server) -> Iterator[None]:
    """Make the server a standby during the block, and have it take over at the end."""
    server.stop()
    signal = server.folder / "data" / "standby.signal"
    signal.touch()
    shutil.chown(signal, server.folder.stat().st_uid)
    server.start()
    try:
        yield
    finally:
        administer(server.url("postgres"), "SELECT pg_promote()")


def test_on_a_standby_moves_are_not_stored_until_it_takes_over(
    client: Client, server: Server
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    with standby(server):
        client.database.close()
        # On a connection that has just been made, and on one that has been read through.
        for _ in range(2):
            with pytest.raises(CannotStore):
                store(client.database, 1)
            assert client.ask(url, ALICE).status == 20
        assert client.ask(f"{prompt}?e5", ALICE) == NOT_STORED
        assert has_outage(client)
        try_again(client.database)
        assert has_outage(client)
    try_again(client.database)
    assert not has_outage(client)
    assert client.ask(f"{prompt}?e5", ALICE) == Response(30, url)


def test_where_all_transactions_are_read_only_moves_are_not_stored(
    client: Client, database_url: str
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    name = database_url.partition("@/")[2].partition("?")[0]
    administer(database_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    client.database.close()
    assert client.ask(f"{prompt}?e5", ALICE) == NOT_STORED
    assert client.ask(url, ALICE).status == 20
    assert has_outage(client)


@pytest.mark.parametrize(
    ("code", "answer", "is_outage"),
    [
        ("53100", NOT_STORED, True),
        ("42501", NOT_STORED, True),
        ("57P01", NOT_STORED, False),
        # As a balancer says it of a server that it has lost.
        ("08006", IN_DOUBT, False),
    ],
    ids=["disk full", "no right", "the server stops", "the server is lost"],
)
def test_a_commit_that_is_answered_with_a_code_has_stored_nothing(
    client: Client, database_url: str, code: str, answer: Response, *, is_outage: bool
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    administer(database_url, REFUSAL.format(code=code))
    assert client.ask(f"{prompt}?e5", ALICE) == answer
    assert has_outage(client) is is_outage
    assert record(client, url)["moves"] == []


def test_where_its_disk_is_full_it_goes_on_by_itself_once_there_is_room(
    server: Server, database: Database, database_url: str, tmp_path: Path
) -> None:
    with limited_disk(server.folder / "disk", 8) as disk:
        shutil.chown(disk, server.folder.stat().st_uid)
        administer(
            database_url,
            f"CREATE TABLESPACE small LOCATION '{disk}'",
            "ALTER TABLE secrets SET TABLESPACE small",
        )
        ballast = fill(disk)
        for _ in range(2):
            with pytest.raises(CannotStore, match="No space left on device"):
                store(database, 1)
            try_again(database)
            assert database.storage.outage is not None
        ballast.unlink()
        try_again(database)
        assert database.storage.outage is None
        store(database, 1)
        administer(
            database_url, "ALTER TABLE secrets SET TABLESPACE pg_default", "DROP TABLESPACE small"
        )


def test_a_file_of_its_that_may_not_grow_is_a_lack_of_room(
    server: Server, database: Database, database_url: str
) -> None:
    """As with a quota, for which PostgreSQL has no code."""
    with database.reading() as connection:
        process = connection.scalar(text("SELECT pg_backend_pid()"))
    # Its log has files of 16 MB, which it must be able to write.
    limit = ["prlimit", f"--pid={process}", f"--fsize={20 * MEGABYTE}:"]
    owner = server.folder.stat()
    # Only somebody else with all rights could, and root in a container may not have them.
    subprocess.run(limit, user=owner.st_uid, group=owner.st_gid, check=True)
    with pytest.raises(CannotStore, match="could not extend file"):
        store(database, 24)
    assert database.storage.outage is not None
