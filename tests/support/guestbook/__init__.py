"""A plug-in with a feature: a page, a line on home, an event, and another page about us."""

from datetime import UTC, datetime
from pathlib import Path

from capsule.accounts import identity
from capsule.context import AppContext
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.ui import responses
from capsule.ui.atom import Entry
from engine import message

TEMPLATES = Path(__file__).parent / "templates"
"""The folder of its templates, one of which takes the place of the capsule's own."""

WRITTEN = "Hello\n=> gemini://elsewhere.example/ Free certificates"
"""What somebody wrote who would like to write a link."""

WRITTEN_AT = datetime(2026, 11, 20, tzinfo=UTC)


def register() -> None:
    """Register nothing: it brings no variant."""


def unregister() -> None:
    """Take nothing back."""


def show(context: AppContext, request: Request) -> Response:
    """Return the page of what people wrote."""
    preferences = identity.preferences_of(context, request)
    return responses.page(preferences, "guestbook/guestbook.gmi", written=WRITTEN)


FEATURES = (
    Feature(
        (("/guestbook/", show),),
        public_entries=lambda *_: [Entry("/guestbook/?1", WRITTEN_AT, message("Somebody wrote"))],
        home=lambda _: ("/guestbook/", message("Guestbook, {count} line", count=1)),
    ),
)
