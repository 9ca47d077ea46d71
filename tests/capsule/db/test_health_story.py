"""The capsule says whether its database answers, and since when."""

from datetime import timedelta

import pytest

from capsule.app import build_app
from tests.support.client import Client

pytestmark = pytest.mark.sqlite  # its database is a file, which can be moved away


def health(client: Client) -> tuple[int, str, list[str]]:
    answer = build_app(client.context).health()
    return answer.status, answer.meta, answer.body.splitlines()


def test_it_says_since_when_the_database_answers_or_does_not(client: Client) -> None:
    def told(sentence: str) -> tuple[int, str, list[str]]:
        return 20, "text/plain; charset=utf-8", ["The capsule answers.", sentence]

    started = f"{client.now:%Y-%m-%d %H:%M:%S} UTC"
    client.now += timedelta(hours=1)
    client.context.health.look()
    assert health(client) == told(f"The database answers, and has since {started}.")
    client.database.close()
    path, elsewhere = client.home / "oxonaut.db", client.home / "elsewhere.db"
    path.rename(elsewhere)
    path.mkdir()
    client.now += timedelta(minutes=5)
    lost = f"{client.now:%Y-%m-%d %H:%M:%S} UTC"
    for _ in range(2):
        client.context.health.look()
        client.now += timedelta(minutes=5)
    assert health(client) == told(f"The database does not answer, and has not since {lost}.")
    path.rmdir()
    elsewhere.rename(path)
    back = f"{client.now:%Y-%m-%d %H:%M:%S} UTC"
    client.context.health.look()
    assert health(client) == told(f"The database answers, and has since {back}.")
