"""A capsule of an earlier release is upgraded, with commands typed before, meanwhile and after."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from capsule.db.database import connect
from capsule.db.migrating import migrate, newest_revision, stored_revision
from tests.support import postgresql
from tests.support.operator import Operator
from tests.support.release.kept import RELEASES, Release
from tests.support.wire.mortal import UNCLOSED, MortalCapsule

pytestmark = [pytest.mark.slow, UNCLOSED]


def revision_in(home: Path) -> str:
    with closing(sqlite3.connect(home / "oxonaut.db")) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@pytest.mark.parametrize(
    ("release", "arguments"),
    [
        pytest.param(RELEASES[2], ("--workers", "2"), id="0.3.0 in several"),
        pytest.param(RELEASES[0], (), id="0.1.0 in one process", marks=pytest.mark.deep),
    ],
)
def test_an_upgrade_on_sqlite_with_checks_before_during_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: Release, arguments: Sequence[str]
) -> None:
    home = tmp_path / "home"
    operator = Operator(home, capsys)
    home.mkdir()
    release.put_into(home)
    old = revision_in(home)
    of_release = rf"Oxonaut {re.escape(release.version)} \(revision {old}\)"
    assert re.search(of_release, operator.refusal("check"))
    assert revision_in(home) == old
    with MortalCapsule(home, *arguments) as capsule:
        capsule.start()
        log = capsule.printed_in_this_life
        assert re.search(
            rf" Migrating the database from {of_release} to [^(]*Oxonaut \S+ \(revision", log
        )
        assert log.count("The database is migrated") == 1, "by one process"
        assert "fit together" in operator.printed("check")
        refused = operator.refusal("serve --host 127.0.0.1 --port 0")
        assert refused.startswith(f"A capsule serves on {home} already, as process ")
        assert capsule.ask("/").status == 20
        capsule.kill()
        capsule.start()
        assert "Migrating" not in capsule.printed_in_this_life
        capsule.stop()
    operator.printed("check")
    (copy,) = home.glob("oxonaut.db.before-*")
    operator.printed(f"restore {copy} --replace")
    assert revision_in(home) == old
    assert re.search(of_release, operator.refusal("check"))


@pytest.mark.deep
def test_an_upgrade_on_postgresql_with_checks_before_during_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with postgresql.lent_server() as server:
        server.make_bare("upgraded")
        url = server.url("upgraded")
        home, check = tmp_path / "home", f"check --database '{url}'"
        operator = Operator(home, capsys)
        with closing(connect(url)) as earlier:
            with earlier.writing() as connection:
                migrate(connection, "0030")
            assert "of Oxonaut 0.2.0 (revision 0030)" in operator.refusal(check)
            with MortalCapsule(home, "--database", url) as capsule, earlier.reading():
                capsule.start(wait=False)
                assert capsule.process is not None
                assert capsule.process.wait(60) == 1
                assert "stop all capsules and commands on it first" in capsule.printed_in_this_life
            with earlier.reading() as connection:
                assert stored_revision(connection) == "0030"
        with MortalCapsule(home, "--database", url) as capsule:
            capsule.start()
            assert "Migrating the database from Oxonaut 0.2.0" in capsule.printed_in_this_life
            assert "fit together" in operator.printed(check)
            status = operator.printed(f"status --database '{url}'")
            assert f"Revision: {newest_revision()}" in status
            capsule.stop()
        operator.printed(check)
