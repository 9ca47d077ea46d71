"""The application: which page answers which path, and what an error is answered with."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts.identity import (
    CertificateMissing,
    CertificateNotAuthorised,
    CertificateRefused,
)
from capsule.accounts.pages import account as account_pages
from capsule.accounts.pages import devices as device_pages
from capsule.accounts.pages import former_names
from capsule.accounts.pages import settings as settings_pages
from capsule.accounts.settings import CHOICES
from capsule.bots import pages as analysis_pages
from capsule.context import AppContext
from capsule.db.database import key_secret
from capsule.errors import NotFound
from capsule.gemini.types import Response
from capsule.lobby import feed_pages, home, public_games
from capsule.lobby import help as help_pages
from capsule.lobby import players as player_pages
from capsule.lobby import rules as rules_pages
from capsule.moderation.pages import notices as notice_pages
from capsule.moderation.pages import reports as report_pages
from capsule.play import actions as game_actions
from capsule.play import (
    game_page,
    new_game,
    position_pages,
    record_pages,
    vacation_page,
    your_games,
)
from capsule.ratings import pages as ladder_pages
from capsule.social.pages import messages as message_pages
from capsule.social.pages import notes as note_pages
from capsule.social.pages import relations as relation_pages
from capsule.tournaments import pages as tournament_pages
from capsule.ui import render
from capsule.ui.exclusive import RETRY_SECONDS, Busy
from capsule.ui.responses import redirect
from engine import VARIANTS
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.config import Config
    from capsule.db.database import Database
    from capsule.gemini.types import Application, Request

    Page = Callable[..., Response]


_VARIANT = f"(?P<variant>{'|'.join(VARIANTS)})"
_GAME = "(?P<game_id>[a-z2-7]{10})"
_TOURNAMENT = "(?P<tournament_id>[a-z2-7]{10})"
WAYS = "|".join(("invite", "open", "solo", *(f"bot-{level}" for level in LEVELS)))
_KEY = "(?P<key>[^/]+)"
_NUMBER = "(?P<number>[1-9][0-9]?)"
_CHOICE = "|".join(f"{name}/{value}" for name, values in CHOICES.items() for value in values)
_FEED = r"feed(?P<form>\.xml)?"

ROUTES: tuple[tuple[re.Pattern[str], Page], ...] = tuple(
    (re.compile(path), page)
    for path, page in (
        ("/", home.front),
        ("/about", home.about),
        (r"/robots\.txt", home.robots),
        (r"/favicon\.txt", home.favicon),
        ("/help/", help_pages.help_page),
        ("/rules/", rules_pages.index),
        (f"/rules/{_VARIANT}", rules_pages.rules_of),
        ("/games/", public_games.games),
        (f"/games/{_VARIANT}", public_games.games),
        (f"/{_FEED}", feed_pages.public_feed),
        (f"/games/{_VARIANT}/{_FEED}", feed_pages.public_feed),
        ("/players/", player_pages.all_players),
        ("/players/find", player_pages.find),
        (f"/players/ladder/{_VARIANT}", ladder_pages.ladder),
        (rf"/players/ladder/{_VARIANT}\.csv", ladder_pages.as_csv),
        (rf"/players/ladder/{_VARIANT}/bots\.csv", ladder_pages.bots_as_csv),
        ("/players/(?P<name>[A-Za-z0-9_-]+)", player_pages.profile_page),
        (f"/players/(?P<name>[A-Za-z0-9_-]+)/{_FEED}", feed_pages.player_feed),
        (f"/play/{_GAME}/{_FEED}", feed_pages.game_feed),
        (r"/feed/(?P<address>[a-z2-7]{32})(?P<form>\.xml)?", feed_pages.private_feed),
        ("/play/", your_games.your_games),
        ("/play/new/", new_game.choose_variant),
        (f"/play/new/{_VARIANT}", new_game.choose_way),
        (f"/play/new/{_VARIANT}/{_KEY}/(?P<way>{WAYS})", new_game.start),
        ("/play/me/", account_pages.account),
        (r"/play/me/export\.json", account_pages.export),
        (r"/play/me/records\.txt", account_pages.records),
        (
            rf"/play/new/{_VARIANT}/{_KEY}/(?:(?P<written>[^/]+)/)?challenge",
            new_game.challenge,
        ),
        (f"/play/me/{_KEY}/vacation", vacation_page.take),
        (f"/play/me/{_KEY}/back", vacation_page.come_back),
        (f"/play/me/{_KEY}/name", account_pages.rename),
        (f"/play/me/{_KEY}/erase", account_pages.erase),
        (f"/play/me/{_KEY}/heard", notice_pages.acknowledge),
        (f"/play/me/{_KEY}/feed", account_pages.change_feed_address),
        ("/play/me/settings", settings_pages.overview),
        (f"/play/me/{_KEY}/set/(?P<choice>{_CHOICE})", settings_pages.choose),
        (f"/play/me/{_KEY}/set/zone", settings_pages.choose_time_zone),
        ("/play/me/code", device_pages.code),
        ("/play/me/certificates", device_pages.all_certificates),
        (f"/play/me/{_KEY}/code", device_pages.make_code),
        (f"/play/me/{_KEY}/withdraw", device_pages.withdraw_code),
        (f"/play/me/{_KEY}/link(?:/{_GAME})?", device_pages.link),
        (f"/play/me/{_KEY}/label/{_NUMBER}", device_pages.label),
        (f"/play/me/{_KEY}/revoke/{_NUMBER}", device_pages.revoke),
        ("/play/me/people", relation_pages.people),
        (f"/play/me/{_KEY}/(?P<verb>{'|'.join(relation_pages.VERBS)})", relation_pages.change),
        ("/play/tournaments/", tournament_pages.every),
        ("/play/tournaments/new", tournament_pages.new),
        (f"/play/tournaments/{_TOURNAMENT}", tournament_pages.show),
        (f"/play/tournaments/{_TOURNAMENT}/{_FEED}", tournament_pages.feed),
        (
            f"/play/tournaments/{_TOURNAMENT}/{_KEY}/(?P<verb>{'|'.join(tournament_pages.VERBS)})",
            tournament_pages.act,
        ),
        (f"/play/tournaments/{_KEY}/(?:(?P<written>[^/]+)/)?announce", tournament_pages.announce),
        (f"/play/{_GAME}", game_page.show),
        (f"/play/{_GAME}/(?P<ply>0|[1-9][0-9]{{0,6}})", position_pages.position),
        (f"/play/{_GAME}/history", position_pages.history),
        (f"/play/{_GAME}/words", position_pages.in_words),
        (f"/play/{_GAME}/analysis", analysis_pages.after_the_game),
        (rf"/play/{_GAME}/record\.txt", record_pages.as_text),
        (rf"/play/{_GAME}/record\.json", record_pages.as_json),
        (f"/play/{_GAME}/{_KEY}/(?P<verb>{'|'.join(game_actions.VERBS)})", game_actions.act),
        (f"/play/{_GAME}/messages", message_pages.all_of),
        (f"/play/{_GAME}/{_KEY}/say", message_pages.say),
        (f"/play/{_GAME}/{_KEY}/(?P<verb>show|hide)", message_pages.share),
        (f"/play/{_GAME}/{_KEY}/note", note_pages.add),
        (f"/play/{_GAME}/{_KEY}/clear", note_pages.clear),
        (f"/play/{_GAME}/{_KEY}/report", report_pages.report),
        (
            f"/play/{_GAME}/{_KEY}/(?P<verb>{'|'.join(relation_pages.VERBS)})",
            relation_pages.in_game,
        ),
    )
)
"""Every path of the capsule and the page that answers it; named groups are the page's arguments."""


def build_context(
    config: Config,
    database: Database,
    clock: Callable[[], datetime],
    random_bytes: Callable[[int], bytes],
) -> AppContext:
    """Return the surroundings of the pages, without bots.

    `clock` returns the time, aware and in UTC; `random_bytes` as many unguessable bytes as asked.
    """
    with database.reading() as connection:
        secret = key_secret(connection)
    return AppContext(
        database=database,
        clock=clock,
        random_bytes=random_bytes,
        origin=config.origin,
        secret=secret,
    )


def build_app(context: AppContext) -> Application:
    """Return the function that answers requests."""
    return partial(answer, context)


def answer(context: AppContext, request: Request) -> Response:
    """Return the answer to a request; only a fault of ours is raised."""
    for pattern, page in ROUTES:
        match = pattern.fullmatch(request.path)
        if match is None:
            continue
        try:
            return page(context, request, **match.groupdict())
        except CertificateMissing:
            return redirect("/play/")
        except (CertificateRefused, CertificateNotAuthorised) as error:
            status = 62 if isinstance(error, CertificateRefused) else 61
            return Response(status, render.meta(render.translate(error.message)))
        except Busy:
            return Response(44, str(RETRY_SECONDS))
        except NotFound:
            other = former_names.redirect_for_former_name(context, request.path)
            if other is not None:
                # For now, not for good: in a year the old name may be somebody else's.
                return redirect(other)
            break
    return _somewhere_near(request.path)


def _somewhere_near(path: str) -> Response:
    # The same path with or without its last slash: a slip of the keyboard, not another page.
    other = path[:-1] if path.endswith("/") else f"{path}/"
    is_plain = re.fullmatch("(/[a-z0-9]+)+/?", other)
    if is_plain and any(pattern.fullmatch(other) for pattern, _ in ROUTES):
        return redirect(other)
    return Response(51, render.translate(message("There is nothing at this address")))
