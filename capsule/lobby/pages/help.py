"""Help, rules, and what robots may read."""

from collections.abc import Iterator
from functools import partial

from capsule.accounts.identity import reader_of, static_page
from capsule.bots.turns import MAX_TOURNAMENT_PLIES
from capsule.context import AppContext
from capsule.games.model import MAX_EVENT_PLIES
from capsule.gemini.types import Request, Response
from capsule.languages import model
from capsule.learning.lessons.pages import lesson_in
from capsule.learning.reading import EXAMPLES
from capsule.ui import boards, render, responses
from capsule.ui.columns import NARROW, WIDE
from capsule.ui.routes import VARIANT, Routes, cacheable, named, narrowable, one_of
from engine import VARIANTS

TOPICS = (
    *("certificates", "moves", "boards", "account", "tournaments", "cups", "manners", "privacy"),
    "programs",
)
"""The topics of the help, as in the addresses of its pages and the names of their templates."""

BROWSERS = ("lagrange", "amfora", "kristall", "elpher", "offpunk", "astronomo", "openssl")
"""The browsers that have a page about their certificates, likewise."""


@cacheable
def contents(context: AppContext, request: Request) -> Response:
    """Return the page that leads to the others."""
    return topic(context, request, "index")


@cacheable
def programs_json(context: AppContext, request: Request) -> Response:
    """Return the page about the JSON that programs read."""
    return topic(context, request, "json")


@cacheable
def browser(context: AppContext, request: Request, browser: str) -> Response:
    """Return the page about the certificates of a browser."""
    return topic(context, request, browser)


@cacheable
def topic(context: AppContext, request: Request, topic: str) -> Response:
    """Return the page about a topic."""
    return static_page(
        context,
        reader_of(context, request),
        f"lobby/help/{topic}.gmi",
        origin=context.origin,
        host=context.origin.removeprefix("gemini://"),
        max_tournament_plies=MAX_TOURNAMENT_PLIES,
        max_cup_plies=MAX_EVENT_PLIES,
        sends_mail=bool(context.mail_from),
    )


@cacheable
@narrowable
def index(context: AppContext, request: Request) -> Response:
    """Return the list of the games with a line about each."""
    return static_page(
        context,
        reader_of(context, request),
        "lobby/rules/index.gmi",
        variants=boards.easiest_first(),
        lessons={variant: lesson_in(variant) for variant in VARIANTS},
    )


@cacheable
@narrowable
def rules_of(context: AppContext, request: Request, variant: str) -> Response:
    """Return the rules of a variant; without a page of them, one made of the variant's words."""
    visitor = reader_of(context, request)
    style = visitor.preferences.style
    return static_page(
        context,
        visitor,
        render.first_template(f"lobby/rules/{variant}.gmi", "lobby/rules_of_plugin.gmi"),
        variant=VARIANTS[variant],
        reader=visitor,
        lesson=lesson_in(variant),
        read_about=EXAMPLES,
        after=boards.after,
        board=partial(boards.board, style=style),
        before_after=partial(boards.before_after, style=style),
    )


NOTE = """\
# Lines with a star inside are for crawlers that know it. The others will meet prompts,
# and pages that answer puzzles."""


@cacheable
def robots(context: AppContext, request: Request) -> Response:
    """Return the addresses that crawlers should skip."""
    del context, request
    prefixes = [language.prefix for language in model.OFFERED.values()]
    lines = [f"Disallow: {prefix}{start}" for start in _disallowed() for prefix in prefixes]
    # For crawlers that know `Allow`: a tournament is no position of a game.
    return responses.text(
        "\n".join([NOTE, "User-agent: *", *lines, "Allow: /play/tournaments/", ""])
    )


def _disallowed() -> Iterator[str]:
    """Yield the beginnings of the addresses that crawlers should skip."""
    # Pages that are made for one person, or ask for something.
    yield from ("/mail/", "/play/cups/", "/play/desk", "/play/me/", "/play/new/", "/play/next")
    yield from ("/play/players/", "/play/puzzles/", "/play/tournaments/new", "/players/find")
    # The positions of a game, the page that stays open, and the game's own page at other times.
    yield from (f"/play/*/{digit}" for digit in range(10))
    yield from ("/play/*/live", "/play/*at-")
    # The same pages for narrow screens, and the ways back from these.
    yield from (f"{area}/*{width}" for area in ("/play", "/rules") for width in (NARROW, WIDE))
    # The answers to puzzles and lessons, their hints and their solutions.
    yield from ("/puzzles/*/*/", "/rules/*/try/*/")
    # Boards, each of which leads to others.
    yield "/board/"
    yield from (f"/try/{variant}/" for variant in VARIANTS)


ROUTES: Routes = (
    *(
        ("/help/", contents),
        (f"/help/{one_of('topic', TOPICS)}", topic),
        (f"/help/certificates/{one_of('browser', BROWSERS)}", browser),
        ("/help/programs/json", programs_json),
    ),
    *named("lobby.pages.rules", (("/rules/", index), (f"/rules/{VARIANT}", rules_of))),
    *named("lobby.pages.robots", ((r"/robots\.txt", robots),)),
)
