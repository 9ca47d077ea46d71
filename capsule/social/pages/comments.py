"""Comments on a game: reading and writing them, removing one's own, closing and opening them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.eligibility import MIN_AGE
from capsule.games.reading import find_stored
from capsule.gemini.types import AccountOf, Freshness, GamesOf
from capsule.social import comments
from capsule.social.pages.panel import (
    LINE_NUMBER,
    SUBJECT,
    ShownLine,
    comment_subject,
    wanted_number,
)
from capsule.social.pages.typed_lines import TypedLine
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, cacheable, one_of
from capsule.ui.time_zones import in_zone
from capsule.ui.typed_words import REMOVE, is_typed, naming
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Request, Response, Subject
    from capsule.social.comments import CommentPage
    from capsule.ui.routes import Routes

MAX_AGE = timedelta(minutes=10)
"""The maximum age of a cached page: everything on it that depends on the time is known."""

_CLOSE, _OPEN = "close-comments", "open-comments"


@dataclass(frozen=True)
class ShownComment(ShownLine):
    """A comment with its number; `is_own` says that the reader has written it."""

    number: int
    is_own: bool


@dataclass(frozen=True)
class Day:
    """The comments of a page that were written on one day in the reader's time zone."""

    written_at: datetime
    comments: Sequence[ShownComment]


@dataclass(frozen=True)
class CommentSection:
    """A page of comments on a game, made for one visitor.

    The keys let the visitor write a comment, and act on those that are there. Each is "" without a
    certificate.
    """

    game: StoredGame
    visitor: Visitor
    found: CommentPage
    comment_key: str
    key: str

    @property
    def path(self) -> str:
        """The address of the page with the last comments."""
        return comments_path(self.game.id)

    @property
    def days(self) -> Iterator[Day]:
        """The comments by the days on which they were written, in order."""
        player = self.visitor.player
        zone = self.visitor.preferences.time_zone
        shown = (
            ShownComment(
                author=self.found.names.get(line.author_id, ""),
                sent_at=line.sent_at,
                text=line.text,
                number=line.id,
                is_own=player is not None and player.id == line.author_id,
            )
            for line in self.found.page.lines
        )
        for _, of_day in groupby(shown, lambda each: in_zone(each.sent_at, zone).date()):
            written = tuple(of_day)
            yield Day(written[0].sent_at, written)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may write a comment."""
        return self.visitor.player is not None and self.found.refusal is None

    @property
    def may_close(self) -> bool:
        """Whether the visitor may close the comments, and open them again."""
        return comments.may_close(self.game, self.visitor.player)


def comments_path(game_id: str) -> str:
    """Return the address of the comments on a game."""
    return f"/play/{game_id}/comments"


@cacheable
def show(context: AppContext, request: Request, game_id: str) -> Response:
    """Return a page of the comments on a game, the last one unless the query names another.

    The query is the number of the comment with which a page begins, so that its address is
    permanent.
    """
    section = _section(context, request, game_id)
    page = responses.page(section.visitor.preferences, "social/comments.gmi", section=section)
    return replace(page, freshness=_freshness(context, section))


def choose(context: AppContext, request: Request, game_id: str) -> Response:
    """Return the comments of a page, each with the link to report it or to remove one's own."""
    identity.signed_in(context, request)
    section = _section(context, request, game_id)
    if section.visitor.player is None:
        return responses.redirect(section.path)
    return responses.page(section.visitor.preferences, "social/choose_comment.gmi", section=section)


def write(context: AppContext, request: Request, game_id: str, key: str) -> Response:
    """Ask for a comment; with one, write it and go to the comments."""
    visitor = identity.signed_in(context, request)
    typed = TypedLine(
        context,
        visitor,
        game_id,
        key,
        request.query or "",
        subject=comment_subject(game_id),
        path=comments_path(game_id),
        last_by=comments.last_written_by,
    )
    game, player = _existing(context, game_id), visitor.player
    if player is None:
        return typed.came_late()
    with context.database.reading() as connection:
        found = comments.page(context, connection, game, player)
    if not typed.follows(found.last_written) or found.refusal is not None:
        return typed.came_late(found.refusal)
    return typed.written(
        message("Your comment, which anyone can read"),
        partial(comments.too_soon, context, player),
        partial(comments.write, context, player, game_id, found.last_written),
    )


def remove(context: AppContext, request: Request, game_id: str, key: str, number: str) -> Response:
    """Ask for the word; with it, remove a comment of the visitor's own."""
    path = comments_path(game_id)
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        _require_own(context, player, game_id, int(number))
        if not is_typed(request.query, REMOVE):
            ask = message("Type {word} to remove your comment for good")
            return responses.prompt(naming(ask, REMOVE))
        comments.withdraw(context, player, game_id, int(number))
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(
            path, is_done=lambda player: comments.has_withdrawn(context, player, int(number))
        )
    return responses.redirect(path)


def close(context: AppContext, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Close the comments on a game, or open them again, and go there."""
    path, closed = comments_path(game_id), verb == _CLOSE

    def is_done(player: Player) -> bool:
        game = _existing(context, game_id)
        return comments.may_close(game, player) and game.comments_closed is closed

    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        comments.close(context, player, game_id, closed=closed)
    except OutdatedAction:
        return outdated.attempt(context, request, SUBJECT, key).answer(path, is_done=is_done)
    return responses.redirect(path)


def _section(context: AppContext, request: Request, game_id: str) -> CommentSection:
    certificate = identity.valid_certificate(context, request)
    with context.database.reading() as connection:
        game, player = game_queries.game_and_visitor(
            connection, game_id, certificate.fingerprint if certificate else ""
        )
        if game is None:
            raise NotFound
        visitor = identity.visitor_with(context, request, certificate, player)
        first = wanted_number(request)
        found = comments.page(context, connection, game, visitor.player, first)
    comment_key = visitor.key(context, comment_subject(game_id), found.last_written)
    key = visitor.account_key(context, SUBJECT)
    return CommentSection(game, visitor, found, comment_key, key)


def _freshness(context: AppContext, section: CommentSection) -> Freshness:
    """Return how long a page of comments is fresh: until whoever reads it may write, or not."""
    now, player = context.clock(), section.visitor.player
    if player is None:
        return Freshness(now + MAX_AGE, frozenset({section.game.id}))
    moments = [player.sanctions.muted_until, player.created_at + MIN_AGE]
    until = min([now + MAX_AGE, *(each for each in moments if each is not None and each > now)])
    subjects: set[Subject] = {section.game.id, AccountOf(player.id), GamesOf(player.id)}
    return Freshness(until, frozenset(subjects))


def _existing(context: AppContext, game_id: str) -> StoredGame:
    game = find_stored(context, game_id)
    if game is None:
        raise NotFound
    return game


def _require_own(context: AppContext, player: Player, game_id: str, number: int) -> None:
    author = comments.author_of(context, game_id, number)
    if author is None or author.id != player.id:
        raise OutdatedAction


_HERE = f"/play/{GAME}/comments"

ROUTES: Routes = (
    (_HERE, show, LINE_NUMBER),
    (f"{_HERE}/choose", choose, LINE_NUMBER),
    (f"/play/{GAME}/{KEY}/comment", write, ANY),
    (f"/play/{GAME}/{KEY}/{one_of('verb', (_CLOSE, _OPEN))}", close),
    (f"/play/{GAME}/{KEY}/remove-comment/(?P<number>{LINE_NUMBER})", remove, ANY),
)
