"""The operator backs the capsule up while people play, and restores it when it is lost."""

import codecs
import gc
import os
import pwd
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from capsule.db import backup
from capsule.gemini import certificates
from capsule.processes import serving
from tests.support.client import Client, link
from tests.support.disks import limited_disk
from tests.support.operator import Operator
from tests.support.stories import ALICE, BOB, play, record, start_between
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, operator: Operator) -> Path:
    operator.home = tmp_path / "home"
    return operator.home


@pytest.fixture
def client(home: Path) -> Iterator[Client]:
    made = Client(home)
    yield made
    made.database.close()


@pytest.fixture
def copy(game: str, operator: Operator, tmp_path: Path) -> Path:
    """Return a backup of a capsule with a game that has no moves."""
    del game
    operator.printed(f"backup {tmp_path}/copies/copy.db")
    return tmp_path / "copies" / "copy.db"


def stop(client: Client) -> None:
    """Stop the capsule: nothing of it has its database open any more."""
    client.forget_pages()
    gc.collect()
    client.database.close()


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def test_what_was_backed_up_is_played_on_after_it_was_restored(
    client: Client, operator: Operator, tmp_path: Path
) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5"], ALICE, BOB)
    copy = tmp_path / "copies" / "monday.db"
    status, printed, _ = operator.type(f"backup {copy}")
    assert (status, printed.startswith(f"Backed up to {copy} (")) == (0, True)
    play(client, url, ["a2=8"], ALICE, BOB)
    stop(client)

    status, printed, errors = operator.type(f"restore {copy} --replace")

    assert status == 0, errors
    (aside,) = operator.home.glob("oxonaut.db.replaced-*")
    assert printed == (
        f"Restored {operator.home / 'oxonaut.db'}. The former database is now {aside}.\n"
    )
    client.start()
    assert record(client, url)["moves"] == ["a1=5"]
    play(client, url, ["c3=2"], ALICE, BOB)
    with closing(sqlite3.connect(aside)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (2,)
    assert not leftovers(operator.home)
    assert not leftovers(copy.parent)


def test_a_link_from_before_works_after_a_restoration(
    client: Client, operator: Operator, game: str, copy: Path, tmp_path: Path
) -> None:
    prompt = link(client.get(game, ALICE), "/move")
    stop(client)
    elsewhere = Client(tmp_path / "elsewhere")
    elsewhere.database.close()
    operator.home = elsewhere.home
    operator.printed(f"restore {copy} --replace")
    elsewhere.start()
    assert elsewhere.type(prompt, "e5", ALICE).meta == game
    elsewhere.database.close()


def test_only_its_owner_can_read_a_backup_and_it_is_one_file(copy: Path) -> None:
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.slow
def test_nobody_waits_for_a_backup_and_every_move_before_it_is_in_it(
    client: Client, home: Path, tmp_path: Path
) -> None:
    url = start_between(client, "ultimate")
    with client.database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE ballast (content BLOB)")
        connection.exec_driver_sql(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
            "INSERT INTO ballast SELECT randomblob(1000) FROM n"
        )
    stopping, longest, counts = Event(), [0.0], [0]

    def write() -> None:
        while not stopping.is_set():
            begun = time.monotonic()
            with client.database.writing() as connection:
                connection.exec_driver_sql("INSERT INTO ballast VALUES ('x')")
            longest[0] = max(longest[0], time.monotonic() - begun)
            counts[0] += 1

    writing = Thread(target=write)
    writing.start()
    try:
        before = counts[0]
        begun = time.monotonic()
        for number in range(3):
            moves = record(client, url)["moves"]
            copy = tmp_path / f"{number}.db"
            backup.back_up(home / "oxonaut.db", copy)
            with closing(sqlite3.connect(copy)) as connection:
                stored = connection.execute("SELECT count(*) FROM moves").fetchone()
            assert stored == (len(moves),)
            play(client, url, [["e5"], ["d4"], ["a1"]][number], ALICE, BOB)
        took = time.monotonic() - begun
        written = counts[0] - before
    finally:
        stopping.set()
        writing.join()
    assert written > 3
    assert longest[0] < took, "a writer waited for all of it"


def test_a_folder_keeps_the_newest_and_nothing_else_is_touched(
    client: Client, operator: Operator, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    for day in range(4):
        backup.back_up_to_folder(
            operator.home / "oxonaut.db", folder, NOW + timedelta(days=day), keep=3
        )
    (folder / "oxonaut-by-hand.db").write_bytes(b"mine")
    (folder / "notes.txt").write_text("mine")
    assert len(backup.backups(folder)) == 3
    backup.back_up_to_folder(operator.home / "oxonaut.db", folder, NOW + timedelta(days=4), keep=2)
    assert sorted(path.name for path in folder.iterdir()) == [
        "notes.txt",
        "oxonaut-2026-11-24T12-00-00Z.db",
        "oxonaut-2026-11-25T12-00-00Z.db",
        "oxonaut-by-hand.db",
    ]


def test_a_command_makes_backups_in_a_folder(operator: Operator, client: Client) -> None:
    folder = operator.home / "copies"
    folder.mkdir()
    status, printed, _ = operator.type(f"backup {folder}")
    (made,) = backup.backups(folder)
    assert (status, printed.split(" (", maxsplit=1)[0]) == (0, f"Backed up to {made}")
    assert operator.type(f"backup {folder} --keep 1")[0] == 0
    assert len(backup.backups(folder)) == 1


def test_what_is_no_backup_is_not_overwritten(
    client: Client, operator: Operator, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear operator")
    assert operator.refusal(f"backup {letter}") == (
        f"{letter} exists and is no backup, so it is left alone"
    )
    assert letter.read_text() == "Dear operator"
    database = operator.home / "oxonaut.db"
    assert operator.refusal(f"backup {database}") == f"{database} is the database itself"
    assert operator.refusal(f"backup {tmp_path / 'copies'} --keep 0") == "--keep must be 1 or more"


@pytest.mark.slow
def test_an_earlier_backup_stays_if_the_disk_is_full(home: Path, copy: Path) -> None:
    before = copy.read_bytes()
    command = [sys.executable, "-m", "capsule", "backup", "--home", str(home), str(copy)]

    def fill_the_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    # What the write-ahead log holds stays there: no process that is so limited may take it over.
    tried = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=fill_the_disk,
        timeout=PATIENCE,
        check=False,
    )
    assert tried.returncode == 1
    assert tried.stderr.startswith("oxonaut: ")
    assert "Traceback" not in tried.stderr
    assert copy.read_bytes() == before
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]


@pytest.mark.slow
def test_a_backup_that_is_killed_leaves_the_earlier_one(
    client: Client, home: Path, copy: Path
) -> None:
    before = copy.read_bytes()
    with client.database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE ballast (content BLOB)")
        connection.exec_driver_sql("INSERT INTO ballast VALUES (zeroblob(100000000))")
    command = [sys.executable, "-m", "capsule", "backup", "--home", str(home), str(copy)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        wait_until(lambda: leftovers(copy.parent))
        process.kill()
    assert copy.read_bytes() == before
    backup.require_sound(copy)


@pytest.mark.parametrize(
    ("command", "expected"), [("backup", "pg_dump"), ("restore", "pg_restore or psql")]
)
def test_postgresql_has_tools_of_its_own(operator: Operator, command: str, expected: str) -> None:
    address = "postgresql+psycopg://localhost/oxonaut"
    refusal = operator.refusal(f"{command} --database {address} copy.db")
    assert refusal.startswith("The database is PostgreSQL's: ")
    assert expected in refusal


def test_a_database_that_is_there_is_not_replaced_unasked(operator: Operator, copy: Path) -> None:
    database = operator.home / "oxonaut.db"
    assert operator.refusal(f"restore {copy}") == (
        f"There is a database at {database}: --replace moves it aside"
    )


def test_nothing_is_restored_under_a_capsule_that_serves(operator: Operator, copy: Path) -> None:
    with serving.announced(operator.home, NOW):
        assert operator.refusal(f"restore {copy} --replace") == (
            f"A capsule serves on {operator.home}: stop it first"
        )
        assert serving.who_serves(operator.home) == serving.Serving(os.getpid(), NOW)
    assert serving.who_serves(operator.home) is None


def test_nothing_is_restored_under_any_process_that_has_the_database_open(
    client: Client, operator: Operator, copy: Path
) -> None:
    client.get("/games/")
    database = operator.home / "oxonaut.db"
    assert operator.refusal(f"restore {copy} --replace") == (
        f"{database} is in use: stop what uses it first"
    )
    assert not [*operator.home.glob("*.replaced-*")]


def damaged(copy: Path) -> None:
    """Write over the middle of a backup."""
    with copy.open("r+b") as file:
        file.seek(copy.stat().st_size // 2)
        file.write(b"\xff" * 20_000)


def cut(copy: Path) -> None:
    """Lose the last half of a backup."""
    os.truncate(copy, copy.stat().st_size // 2)


def changed(copy: Path, statement: str) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute(statement)


def another(copy: Path) -> None:
    """Make the file a database of something else."""
    copy.unlink()
    changed(copy, "CREATE TABLE recipes (name)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "expected"),
    [
        (damaged, "damaged"),
        (cut, "damaged"),
        ("UPDATE alembic_version SET version_num = '9999'", "revision 9999"),
        (
            "UPDATE alembic_version SET version_num = '0017'",
            "revision 0017, which no release of Oxonaut had",
        ),
        (another, "not of a capsule"),
        ("DELETE FROM players", "refers to none"),
        (lambda copy: copy.write_text("Dear operator"), "no backup of a capsule"),
    ],
)
def test_a_backup_is_checked_before_it_is_restored(
    client: Client,
    operator: Operator,
    game: str,
    copy: Path,
    *,
    harm: str | Callable[[Path], object],
    expected: str,
) -> None:
    if isinstance(harm, str):
        changed(copy, harm)
    else:
        harm(copy)
    stop(client)
    assert expected in operator.refusal(f"restore {copy} --replace")
    client.start()
    assert record(client, game)["moves"] == []
    assert not leftovers(operator.home)
    assert not [*operator.home.glob("*.replaced-*")]


def test_a_damaged_database_is_moved_aside_with_its_log(
    client: Client, operator: Operator, game: str, copy: Path
) -> None:
    stop(client)
    database = operator.home / "oxonaut.db"
    database.write_bytes(b"lost" * 10_000)
    database.with_name("oxonaut.db-wal").write_bytes(b"log")
    for each in (database, database.with_name("oxonaut.db-wal"), copy):
        each.chmod(0o644)
    assert operator.type(f"restore {copy} --replace")[0] == 0
    (aside,) = operator.home.glob("oxonaut.db.replaced-*Z")
    assert aside.read_bytes() == b"lost" * 10_000
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"log"
    for each in (database, aside, aside.with_name(f"{aside.name}-wal")):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600
    client.start()
    assert record(client, game)["moves"] == []


SERVICE = 65534
"""The number of a user and of a group that are not root's."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be anybody")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield a folder that everybody may enter, of a user who is not root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.chown(folder, SERVICE, SERVICE)
        yield folder


@contextmanager
def being(user: int) -> Iterator[None]:
    """Be another user in the block."""
    # Python's own files may be root's alone, and what cannot be loaded once is missing for ever.
    codecs.lookup("idna")
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


def owners(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Return the owner, the group and the mode of each file of a folder."""
    found = {path.name: path.stat() for path in folder.iterdir()}
    return {
        name: (each.st_uid, each.st_gid, stat.S_IMODE(each.st_mode)) for name, each in found.items()
    }


@as_root
def test_what_root_restores_belongs_to_the_service_as_before(
    operator: Operator, copy: Path, open_folder: Path
) -> None:
    operator.home = open_folder
    assert operator.type(f"restore {copy}")[0] == 0
    of_service = (SERVICE, SERVICE, 0o600)
    assert owners(open_folder) == {
        "oxonaut.db": of_service,
        "oxonaut.lock": (SERVICE, SERVICE, 0o644),
    }, "as the folder"
    os.chown(open_folder, 0, 0)
    os.chown(open_folder / "oxonaut.db", SERVICE, 7)
    (open_folder / "oxonaut.db").chmod(0o640)
    assert operator.type(f"restore {copy} --replace")[0] == 0
    assert owners(open_folder)["oxonaut.db"] == (SERVICE, 7, 0o600), "as what it replaces"


COMMANDS = (
    "serve --host 127.0.0.1 --port 0",
    "status",
    "check",
    "admin log",
    "backup copies/copy.db",
)


@as_root
@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_cannot_be_opened_is_named_with_its_owner_and_who_asks(
    client: Client, operator: Operator, open_folder: Path, command: str
) -> None:
    database = open_folder / "oxonaut.db"
    operator.type(f"backup {database}")
    operator.home = open_folder
    with being(SERVICE):
        refusal = operator.refusal(command.replace("copies", str(open_folder)))
    me = pwd.getpwuid(SERVICE).pw_name
    assert refusal.endswith(
        f"unable to open database file: {database} belongs to root, its folder belongs to {me}, "
        f"and this is {me}"
    )


@pytest.mark.slow
def test_every_command_says_that_a_file_system_is_read_only(
    client: Client, operator: Operator, copy: Path, tmp_path: Path
) -> None:
    """Beside a database that was served and stopped, SQLite has to make files."""
    stop(client)
    with limited_disk(tmp_path / "disk", 16) as disk:
        shutil.copytree(operator.home, disk / "home")
        operator.home = disk / "home"
        database = operator.home / "oxonaut.db"
        certificates.ensure_server_certificate(operator.home / "certs", "localhost", NOW)
        remount = ["mount", "-o", "remount,ro", str(disk)]
        subprocess.run(remount, check=True)
        for command in COMMANDS:
            refusal = operator.refusal(command.replace("copies", str(tmp_path)))
            assert refusal.endswith(
                f"unable to open database file: {database} is on a file system that is read-only"
            )
        subprocess.run([*remount[:2], "remount,rw", str(disk)], check=True)
        shutil.copy(copy, database)
        subprocess.run(remount, check=True)
        # A backup needs no files beside it.
        status, printed, _ = operator.type("check")
        assert status == 0
        assert f"Warning: {database} is on a file system that is read-only.\n" in printed
        assert operator.refusal(COMMANDS[0]) == (
            "The database cannot be used: attempt to write a readonly database: "
            f"{database} is on a file system that is read-only"
        )
