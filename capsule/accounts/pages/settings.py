"""The pages of settings: language, boards, times, ratings, and what the private feed tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity, settings
from capsule.accounts.model import Settings
from capsule.accounts.pages.action import Action, ActionsOf, newcomer
from capsule.context import reading
from capsule.ui import languages, responses, time_zones
from capsule.ui.boards import SAMPLE_BOARD, board
from capsule.ui.routes import ANY, KEY, one_of
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SUBJECT = "settings"
"""The subject of the keys of these actions."""

HERE = "/play/me/settings"
FEED = "/play/me/news"


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page that says how each setting is, with a link to every other choice."""
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    return responses.page(
        visitor.preferences,
        "accounts/settings.gmi",
        player=player,
        settings=Settings() if player is None else player.settings,
        languages=[each for each in languages.OFFERED.values() if each is not languages.spoken()],
        language=languages.spoken(),
        now=transaction.now,
        position=VARIANTS["ultimate"].replay(SAMPLE_BOARD),
        board=board,
        key=visitor.account_key(transaction.context, SUBJECT),
    )


@reading
def feed(transaction: Transaction, request: Request) -> Response:
    """Return the page that says what the private feed tells, with a link to change each kind."""
    visitor = identity.signed_in(transaction, request)
    chosen = Settings() if visitor.player is None else visitor.player.settings
    return responses.page(
        visitor.preferences,
        "accounts/feed_settings.gmi",
        enabled_news=chosen.enabled_news,
        disabled_news=chosen.disabled_news,
        key=visitor.account_key(transaction.context, SUBJECT),
    )


def _choose(transaction: Transaction, attempt: Attempt) -> None:
    name, _, value = attempt["choice"].partition("/")
    settings.choose(transaction, attempt.player, name, value)


CHOOSE = Action(
    name="choose",
    counter=ActionsOf(SUBJECT),
    back=lambda attempt: FEED if attempt["choice"].startswith("news-") else HERE,
    does=_choose,
    makes_player=newcomer,
)

CHOOSE_TIME_ZONE = Action(
    name="choose_time_zone",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=lambda *_: [message("Your time zone: a large city, or a name like Europe/Vienna")],
    does=lambda transaction, attempt: settings.choose_time_zone(
        transaction, attempt.player, time_zones.find(attempt.typed)
    ),
    makes_player=newcomer,
)

_CHOICES = [f"{name}/{value}" for name, values in settings.CHOICES.items() for value in values]

ROUTES: Routes = (
    (HERE, overview),
    (FEED, feed),
    (f"/play/me/{KEY}/set/{one_of('choice', _CHOICES)}", CHOOSE),
    (f"/play/me/{KEY}/set/zone", CHOOSE_TIME_ZONE, ANY),
)
