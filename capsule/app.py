"""The application: which page answers which path, and what an error is answered with."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from capsule import render
from capsule.answers import NotThere, way_on
from capsule.costly import COME_BACK, Busy
from capsule.exchange import Response
from capsule.identity import CertificateMissing, CertificateNotAuthorised, CertificateRefused
from capsule.pages import (
    account,
    actions,
    analysis,
    devices,
    feeds,
    game,
    guide,
    home,
    ladders,
    listing,
    messages,
    moved,
    new,
    notes,
    notices,
    people,
    play,
    records,
    relations,
    reports,
    rules,
    settings,
    tournaments,
    vacation,
)
from capsule.settings import CHOICES
from capsule.site import Site
from capsule.store.store import key_secret
from engine import VARIANTS
from engine.bots.levels import LEVELS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.config import Config
    from capsule.exchange import Application, Request
    from capsule.store.store import Store

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
        ("/help/", guide.help_page),
        ("/rules/", rules.index),
        (f"/rules/{_VARIANT}", rules.rules_of),
        ("/games/", listing.games),
        (f"/games/{_VARIANT}", listing.games),
        (f"/{_FEED}", feeds.of_everybody),
        (f"/games/{_VARIANT}/{_FEED}", feeds.of_everybody),
        ("/players/", people.everybody),
        ("/players/find", people.find),
        (f"/players/ladder/{_VARIANT}", ladders.ladder),
        (rf"/players/ladder/{_VARIANT}\.csv", ladders.as_csv),
        (rf"/players/ladder/{_VARIANT}/bots\.csv", ladders.bots_as_csv),
        ("/players/(?P<name>[A-Za-z0-9_-]+)", people.of_name),
        (f"/players/(?P<name>[A-Za-z0-9_-]+)/{_FEED}", feeds.of_player),
        (f"/play/{_GAME}/{_FEED}", feeds.of_game),
        (r"/feed/(?P<address>[a-z2-7]{32})(?P<form>\.xml)?", feeds.for_player),
        ("/play/", play.your_games),
        ("/play/new/", new.choose_variant),
        (f"/play/new/{_VARIANT}", new.choose_way),
        (f"/play/new/{_VARIANT}/{_KEY}/(?P<way>{WAYS})", new.start),
        ("/play/me/", account.account),
        (r"/play/me/export\.json", account.export),
        (r"/play/me/records\.txt", account.records),
        (
            rf"/play/new/{_VARIANT}/{_KEY}/(?:(?P<written>[^/]+)/)?challenge",
            new.challenge,
        ),
        (f"/play/me/{_KEY}/vacation", vacation.take),
        (f"/play/me/{_KEY}/back", vacation.come_back),
        (f"/play/me/{_KEY}/name", account.rename),
        (f"/play/me/{_KEY}/erase", account.erase),
        (f"/play/me/{_KEY}/heard", notices.heard),
        (f"/play/me/{_KEY}/feed", account.change_feed_address),
        ("/play/me/settings", settings.overview),
        (f"/play/me/{_KEY}/set/(?P<choice>{_CHOICE})", settings.choose),
        (f"/play/me/{_KEY}/set/zone", settings.choose_time_zone),
        ("/play/me/code", devices.code),
        ("/play/me/certificates", devices.all_certificates),
        (f"/play/me/{_KEY}/code", devices.make_code),
        (f"/play/me/{_KEY}/withdraw", devices.withdraw_code),
        (f"/play/me/{_KEY}/link(?:/{_GAME})?", devices.link),
        (f"/play/me/{_KEY}/label/{_NUMBER}", devices.label),
        (f"/play/me/{_KEY}/revoke/{_NUMBER}", devices.revoke),
        ("/play/me/people", relations.people),
        (f"/play/me/{_KEY}/(?P<verb>{'|'.join(relations.VERBS)})", relations.change),
        ("/play/tournaments/", tournaments.every),
        ("/play/tournaments/new", tournaments.new),
        (f"/play/tournaments/{_TOURNAMENT}", tournaments.as_it_stands),
        (f"/play/tournaments/{_TOURNAMENT}/{_FEED}", tournaments.feed),
        (
            f"/play/tournaments/{_TOURNAMENT}/{_KEY}/(?P<verb>{'|'.join(tournaments.VERBS)})",
            tournaments.act,
        ),
        (f"/play/tournaments/{_KEY}/(?:(?P<written>[^/]+)/)?announce", tournaments.announce),
        (f"/play/{_GAME}", game.as_it_stands),
        (f"/play/{_GAME}/(?P<ply>0|[1-9][0-9]{{0,6}})", game.earlier),
        (f"/play/{_GAME}/history", game.history),
        (f"/play/{_GAME}/words", game.in_words),
        (f"/play/{_GAME}/analysis", analysis.after_the_game),
        (rf"/play/{_GAME}/record\.txt", records.as_text),
        (rf"/play/{_GAME}/record\.json", records.as_json),
        (f"/play/{_GAME}/{_KEY}/(?P<verb>{'|'.join(actions.VERBS)})", actions.act),
        (f"/play/{_GAME}/messages", messages.all_of),
        (f"/play/{_GAME}/{_KEY}/say", messages.say),
        (f"/play/{_GAME}/{_KEY}/(?P<verb>show|hide)", messages.share),
        (f"/play/{_GAME}/{_KEY}/note", notes.add),
        (f"/play/{_GAME}/{_KEY}/clear", notes.clear),
        (f"/play/{_GAME}/{_KEY}/report", reports.report),
        (f"/play/{_GAME}/{_KEY}/(?P<verb>{'|'.join(relations.VERBS)})", relations.in_game),
    )
)
"""Every path of the capsule and the page that answers it; named groups are the page's arguments."""


def make_site(
    config: Config,
    store: Store,
    clock: Callable[[], datetime],
    random_bytes: Callable[[int], bytes],
) -> Site:
    """Return the surroundings of the pages, without bots.

    `clock` returns the time, aware and in UTC; `random_bytes` as many unguessable bytes as asked.
    """
    with store.reading() as connection:
        secret = key_secret(connection)
    return Site(
        store=store,
        clock=clock,
        random_bytes=random_bytes,
        origin=config.origin,
        secret=secret,
    )


def build_app(site: Site) -> Application:
    """Return the function that answers requests."""
    return partial(answer, site)


def answer(site: Site, request: Request) -> Response:
    """Return the answer to a request; only a fault of ours is raised."""
    for pattern, page in ROUTES:
        match = pattern.fullmatch(request.path)
        if match is None:
            continue
        try:
            return page(site, request, **match.groupdict())
        except CertificateMissing:
            return way_on("/play/")
        except (CertificateRefused, CertificateNotAuthorised) as error:
            status = 62 if isinstance(error, CertificateRefused) else 61
            return Response(status, render.meta(render.words(error.message)))
        except Busy:
            return Response(44, str(COME_BACK))
        except NotThere:
            other = moved.instead(site, request.path)
            if other is not None:
                # For now, not for good: in a year the old name may be somebody else's.
                return way_on(other)
            break
    return _somewhere_near(request.path)


def _somewhere_near(path: str) -> Response:
    # The same path with or without its last slash: a slip of the keyboard, not another page.
    other = path[:-1] if path.endswith("/") else f"{path}/"
    is_plain = re.fullmatch("(/[a-z0-9]+)+/?", other)
    if is_plain and any(pattern.fullmatch(other) for pattern, _ in ROUTES):
        return way_on(other)
    return Response(51, render.words(message("There is nothing at this address")))
