"""The page about security says what the tests show, and nothing that they do not."""

import pytest

from capsule.db.upgrading import KEPT_FOR
from capsule.lobby.pages.home import CRASHES, MANY_CRASHES
from tests.support.client import Client, links

pytestmark = pytest.mark.sqlite  # hardly any of it comes from the database


def test_its_figures_are_those_of_the_tests(client: Client) -> None:
    page = client.get("/about/security")
    assert f"the capsule is killed {CRASHES} times while people and bots play" in page
    assert f"before a release {MANY_CRASHES} times" in page


def test_it_says_what_is_not_protected(client: Client) -> None:
    _, _, rest = client.get("/about/security").partition("## What is not protected\n")
    assert len([line for line in rest.splitlines() if line.startswith("* ")]) >= 6


def test_the_privacy_page_names_the_copy_from_before_an_upgrade(client: Client) -> None:
    assert f"may be kept for {KEPT_FOR.days} days" in client.get("/help/privacy")


def test_it_is_found_from_the_pages_where_people_look(client: Client) -> None:
    for path in ("/about", "/help/privacy"):
        assert "/about/security" in links(client.get(path)).values()
    for target in links(client.get("/about/security")).values():
        assert client.ask(target).status == 20
