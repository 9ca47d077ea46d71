"""A plug-in may be a feature, with pages, a line on home and templates of its own."""

import sys
from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from capsule.__main__ import main
from capsule.cli.command import CannotLoadPlugin, load_plugins
from capsule.feature import Feature
from capsule.processes.capsule import Capsule
from capsule.ui.render import replaced_templates
from engine import plugins
from tests.support.client import Client, links

GUESTBOOK = "tests.support.guestbook"


@pytest.fixture(autouse=True)
def plugged_in() -> Iterator[None]:
    """Plug the guestbook in before a capsule starts, for as long as a test takes."""
    load_plugins([GUESTBOOK])
    try:
        yield
    finally:
        plugins.unload(GUESTBOOK)


def test_it_has_a_page_to_which_a_line_on_home_leads(client: Client) -> None:
    for home, page in (("/", "/guestbook/"), ("/pt/", "/pt/guestbook/")):
        assert links(client.get(home))["Guestbook, 1 line"] == page
        assert client.get(page).startswith("# Guestbook\n")


def test_its_event_is_in_the_public_feed(client: Client) -> None:
    assert links(client.get("/feed"))["2026-11-20 - Somebody wrote"] == "/guestbook/?1"


def test_what_its_template_shows_stays_in_its_line(client: Client) -> None:
    page = client.get("/guestbook/")
    assert "Hello => gemini://elsewhere.example/" in page
    assert "\n=> gemini://elsewhere.example/" not in page


def test_its_template_takes_the_place_of_the_capsules_own(client: Client) -> None:
    assert "We play here on Fridays." in client.get("/about")


def test_the_operator_is_told_which_templates_are_replaced(
    client: Client, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (line,) = replaced_templates()
    assert line.startswith("A plug-in replaces the template lobby/about.gmi by ")
    Capsule(*7 * [Mock()]).prepare(client.database)
    assert line in caplog.text
    if client.database.engine.dialect.name == "sqlite":
        assert main(["check", "--home", str(client.home), "--plugin", GUESTBOOK]) == 0
        assert f"{line}.\n" in capsys.readouterr().out


def test_a_page_that_is_not_below_its_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = sys.modules[GUESTBOOK]
    (feature,) = plugin.FEATURES
    ((_, page),) = feature.routes
    monkeypatch.setattr(plugin, "FEATURES", (Feature((("/about", page),)),))
    with pytest.raises(CannotLoadPlugin, match="its page /about is not below /guestbook/"):
        load_plugins([GUESTBOOK])
