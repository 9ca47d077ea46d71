"""The pages of settings: language, boards, times, ratings, and what the private feed tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity, settings
from capsule.accounts.model import Settings
from capsule.accounts.pages import outdated
from capsule.errors import OutdatedAction
from capsule.ui import languages, responses, time_zones
from capsule.ui.boards import SAMPLE_BOARD, board
from capsule.ui.routes import ANY, KEY, one_of
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


SUBJECT = "settings"
"""The subject of the keys of these actions."""

HERE = "/play/me/settings"
FEED = "/play/me/news"


def overview(context: AppContext, request: Request) -> Response:
    """Return the page that says how each setting is, with a link to every other choice."""
    visitor = identity.signed_in(context, request)
    player = visitor.player
    chosen = Settings() if player is None else player.settings
    return responses.page(
        visitor.preferences,
        "accounts/settings.gmi",
        player=player,
        rated_against_bots=chosen.rated_against_bots,
        lists_games=chosen.lists_games,
        lists_bot_games=chosen.lists_bot_games,
        takes_messages=chosen.takes_messages,
        shows_activity=chosen.shows_activity,
        may_be_featured=chosen.may_be_featured,
        width_chosen=chosen.width_chosen,
        languages=[each for each in languages.OFFERED.values() if each is not languages.spoken()],
        language=languages.spoken(),
        now=context.clock(),
        position=VARIANTS["ultimate"].replay(SAMPLE_BOARD),
        board=board,
        key=visitor.account_key(context, SUBJECT),
    )


def feed(context: AppContext, request: Request) -> Response:
    """Return the page that says what the private feed tells, with a link to change each kind."""
    visitor = identity.signed_in(context, request)
    chosen = Settings() if visitor.player is None else visitor.player.settings
    return responses.page(
        visitor.preferences,
        "accounts/feed_settings.gmi",
        enabled_news=chosen.enabled_news,
        disabled_news=chosen.disabled_news,
        key=visitor.account_key(context, SUBJECT),
    )


def choose(context: AppContext, request: Request, key: str, choice: str) -> Response:
    """Give a setting a value, `choice` being its name/value, and go to the page that has it."""
    visitor = identity.signed_in(context, request)
    name, _, value = choice.partition("/")
    page = FEED if name.startswith("news-") else HERE
    try:
        visitor.require_key(context, SUBJECT, key)
        settings.choose(context, identity.player_of(context, visitor), name, value)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            page,
            is_done=lambda player: settings.is_chosen(player, name, value),
        )
    return responses.redirect(page)


def choose_time_zone(context: AppContext, request: Request, key: str) -> Response:
    """Ask for a city or a time zone; with one, set it and go to the settings."""
    visitor = identity.signed_in(context, request)
    ask = message("Your time zone: a large city, or a name like Europe/Vienna")
    typed = (request.typed or "").strip()
    try:
        visitor.require_key(context, SUBJECT, key)
        if not typed:
            return responses.prompt(ask)
        zone = time_zones.find(typed)
        settings.choose_time_zone(context, identity.player_of(context, visitor), zone)
    except time_zones.ZoneRefused as error:
        return responses.prompt_again(error.message, ask)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(
            HERE,
            typed=typed,
            is_done=lambda player: _is_in_zone(player, typed),
        )
    return responses.redirect(HERE)


def _is_in_zone(player: Player, typed: str) -> bool:
    try:
        return player.time_zone == time_zones.find(typed)
    except time_zones.ZoneRefused:
        return False


_CHOICES = [f"{name}/{value}" for name, values in settings.CHOICES.items() for value in values]

ROUTES: Routes = (
    (HERE, overview),
    (FEED, feed),
    (f"/play/me/{KEY}/set/{one_of('choice', _CHOICES)}", choose),
    (f"/play/me/{KEY}/set/zone", choose_time_zone, ANY),
)
