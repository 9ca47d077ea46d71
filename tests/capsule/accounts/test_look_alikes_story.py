"""Names that look alike at a glance: nobody gets one of another's, and nobody loses theirs."""

from pathlib import Path

import pytest
from sqlalchemy import text

from capsule.accounts import queries as account_queries
from capsule.accounts.queries import player_called
from capsule.db.database import connect
from capsule.db.migrating import migrate
from capsule.gemini.types import Response
from tests.support.client import BEGINNING, Client, certificate, link
from tests.support.stories import ALICE, BOB, start


def rename(client: Client, name: str, who: object = ALICE) -> Response:
    """Type a new name at the prompt of an account and return the answer."""
    return client.type(link(client.get("/play/me/", who), "/name"), name, who)


@pytest.mark.parametrize(("taken", "alike"), [("domino", "clomino"), ("nnary", "Mary")])
def test_nobody_takes_a_name_that_looks_like_anothers(
    client: Client, taken: str, alike: str
) -> None:
    rename(client, taken, BOB)
    answer = rename(client, alike)
    assert answer.meta == f"{alike} is too like {taken}, which is taken. Your name"
    start(client, "tinc", "solo", certificate(alike))
    assert client.ask(f"/players/{alike}").status == 51, "a certificate gives no such name either"


def test_a_name_that_looks_like_a_former_one_is_kept_for_its_player(client: Client) -> None:
    rename(client, "domino", BOB)
    rename(client, "bobby", BOB)
    answer = rename(client, "clomino")
    assert answer.meta.startswith("clomino was another player's until recently")
    assert rename(client, "clomino", BOB).status == 30
    assert client.ask("/players/domino") == Response(30, "/players/clomino")


def test_a_player_may_take_a_name_that_looks_like_their_own(client: Client) -> None:
    rename(client, "domino")
    assert rename(client, "clomino").status == 30
    assert rename(client, "Clomino").status == 30
    assert client.ask("/players/Clomino").status == 20


@pytest.mark.sqlite
def test_owners_of_names_that_have_become_alike_keep_them(tmp_path: Path) -> None:
    database = connect(f"sqlite:///{tmp_path}/old.db")
    rows = (
        (3, "domino", "domlno"),
        (5, "clomino", "clomlno"),
        (7, "c1ornino", "clomlno7"),
        (8, "", "former 8"),
        (9, "", "former 9"),
    )
    with database.writing() as connection:
        migrate(connection, "0028")
        for row in rows:
            connection.execute(
                text(
                    "INSERT INTO players (id, name, likeness, actions, created_at)"
                    " VALUES (:id, :name, :likeness, 0, '2026-11-20 14:02:00.000000')"
                ),
                dict(zip(("id", "name", "likeness"), row, strict=True)),
            )
        migrate(connection)
        for player_id, name, _ in rows[:2]:
            for found in (
                account_queries.player_by_name(connection, name),
                player_called(connection, name.upper(), BEGINNING),
            ):
                assert found is not None
                assert (found.id, found.name) == (player_id, name)
        alike = account_queries.players_looking_like(connection, "Clomino")
        assert [each.name for each in alike] == ["clomino", "domino"]
        account_queries.rename_player(connection, 3, "otto")
        account_queries.rename_player(connection, 5, "Clomino2")
    database.close()
