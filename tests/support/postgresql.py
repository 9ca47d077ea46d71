"""A PostgreSQL server of the tests' own, thrown away with them, and databases made quickly."""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine, create_engine, text

from capsule.db.upgrading import upgrade_database
from tests.support.waiting import wait_until

ROLE = "oxonaut"
TEMPLATE = "migrated"

SECRET = Random(8).randbytes
"""Makes the secret of the databases that others are copied from."""

SETTINGS = {
    # No test cuts the power.
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "listen_addresses": "",
}


DURABLE = SETTINGS | {
    "fsync": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
    "shared_buffers": "128MB",
}
"""Settings for measurements: what has been stored survives a power cut, as where it is served."""


class NoPostgresql(Exception):
    """PostgreSQL is not installed here; the message says what is missing."""


@dataclass
class Server:
    """A server with its data in a folder, reached through a socket there."""

    folder: Path
    programs: Path
    settings: Mapping[str, str]
    _process: subprocess.Popen[bytes] | None = None
    _made: list[str] = field(default_factory=list)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The server's first process, which has started all others; it must be running."""
        assert self._process is not None
        return self._process

    def url(self, database: str) -> str:
        """Return the SQLAlchemy URL of a database."""
        return f"postgresql+psycopg://{ROLE}@/{database}?host={self.folder}"

    def initialise(self) -> None:
        """Make the folder of the server's data."""
        options = ["--auth=trust", f"--username={ROLE}", "--no-sync", "--no-locale", "-E", "UTF8"]
        self._run([str(self.programs / "initdb"), "-D", str(self.folder / "data"), *options])

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = {**self.settings, "unix_socket_directories": str(self.folder)}
        parts = [f"{name}={value}" for name, value in settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    str(self.programs / "postgres"),
                    *("-D", str(self.folder / "data")),
                    *(each for part in parts for each in ("-c", part)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                **_unprivileged(),
            )
        ready = [str(self.programs / "pg_isready"), "-q", "-h", str(self.folder)]
        process = self._process
        wait_until(
            lambda: subprocess.run(ready, check=False).returncode == 0 or process.poll() is not None
        )
        assert process.poll() is None, (self.folder / "log").read_text()

    def stop(self) -> None:
        """Stop the server at once, as in a crash: every connection is cut off."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Suspend all processes of the server during the block."""
        # The first one first: it starts the others.
        self.process.send_signal(signal.SIGSTOP)
        first = Path("/proc", str(self.process.pid))
        others = (first / "task" / first.name / "children").read_text().split()
        stopped = [self.process.pid, *map(int, others)]
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)

    def end(self) -> None:
        """Stop the server for good, and delete all that it has stored."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def make_empty(self, database: str) -> None:
        """Make a database with its tables and its secret and nothing else."""
        self._admin(f"CREATE DATABASE {database} TEMPLATE {self._template()} {self._strategy()}")
        self._made.append(database)

    def make_bare(self, database: str) -> None:
        """Make a database without tables."""
        self._admin(f"CREATE DATABASE {database}")
        self._made.append(database)

    def drop_all(self) -> None:
        """Drop every database that was made, with any connections that are left."""
        for database in self._made:
            self._admin(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        self._made.clear()

    def _template(self) -> str:
        if not self._has_template:
            self._admin(f"CREATE DATABASE {TEMPLATE}")
            upgrade_database(self.url(TEMPLATE), SECRET)
            self._has_template = True
        return TEMPLATE

    _has_template = False

    def _strategy(self) -> str:
        """Return how to copy the template: PostgreSQL 15 and newer would write it to the log."""
        with self._administrator.connect() as connection:
            version = connection.dialect.server_version_info
        assert version is not None
        return "STRATEGY file_copy" if version >= (15,) else ""

    def _admin(self, statement: str) -> None:
        with self._administrator.connect() as connection:
            connection.execute(text(statement))

    @property
    def _administrator(self) -> Engine:
        return _administrator(self.url("postgres"))

    def _run(self, command: list[str]) -> None:
        subprocess.run(command, check=True, capture_output=True, **_unprivileged())


@cache
def server() -> Server:
    """Return this process's server, which is started now if it is not running yet.

    Raises `NoPostgresql`.
    """
    made = new_server()
    atexit.register(made.end)
    return made


@contextmanager
def lent_server() -> Iterator[Server]:
    """Yield a server that has just been started; skip the test where there is no PostgreSQL."""
    try:
        made = new_server()
    except NoPostgresql as error:
        pytest.skip(str(error))
    try:
        yield made
    finally:
        made.end()


def new_server(settings: Mapping[str, str] = SETTINGS) -> Server:
    """Return a server that has just been started, which the caller must end.

    Raises `NoPostgresql`.
    """
    programs = _programs()
    # Sockets have short paths only, and pytest's folders have long ones that only root can enter.
    folder = Path(tempfile.mkdtemp(prefix="oxonaut-"))
    if os.geteuid() == 0:
        user = _user()
        os.chown(folder, user.pw_uid, user.pw_gid)
    made = Server(folder, programs, settings)
    try:
        made.initialise()
        made.start()
    except BaseException:
        made.end()
        raise
    return made


def name_for(home: Path) -> str:
    """Return the name of the database of the capsule in a folder."""
    return f"capsule_{sha256(str(home).encode()).hexdigest()[:16]}"


def _programs() -> Path:
    if find_spec("psycopg") is None:
        raise NoPostgresql("psycopg is not installed")
    # Debian keeps them out of the way, by version.
    versions = sorted(Path("/usr/lib/postgresql").glob("[0-9]*"), key=lambda path: int(path.name))
    if versions:
        return versions[-1] / "bin"
    found = shutil.which("pg_ctl")
    if found is None:
        raise NoPostgresql("PostgreSQL is not installed (apt-get install postgresql)")
    return Path(found).resolve().parent


def _unprivileged() -> dict[str, object]:
    """Return how to start a process of PostgreSQL, which refuses to be root."""
    if os.geteuid() != 0:
        return {}
    user = _user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/"}


def _user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


@cache
def _administrator(url: str) -> Engine:
    return create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
