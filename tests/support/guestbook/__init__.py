"""A plug-in with a feature: a page below its name, a line on home, and another page about us."""

from pathlib import Path

from capsule.accounts import identity
from capsule.context import AppContext
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.ui import responses
from engine.game import message

TEMPLATES = Path(__file__).parent / "templates"
"""The folder of its templates, one of which takes the place of the capsule's own."""

WRITTEN = "Hello\n=> gemini://elsewhere.example/ Free certificates"
"""What somebody wrote who would like to write a link."""


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
        home=lambda _: ("/guestbook/", message("Guestbook, {count} line", count=1)),
    ),
)
