"""Comments on a game: reading and writing them, removing one's own, closing and opening them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf
from capsule.accounts.pages.outdated import NOTHING_SENT
from capsule.context import reading
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.eligibility import MIN_AGE
from capsule.gemini.types import Account, CachePolicy, PlayerGames
from capsule.social import comments
from capsule.social.comment_queries import COMMENTS
from capsule.social.pages.panel import (
    LINE_NUMBER,
    SUBJECT,
    ShownLine,
    comment_subject,
    wanted_number,
)
from capsule.social.texts import TextsUnderGame
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, cacheable, one_of
from capsule.ui.time_zones import in_zone
from capsule.ui.typed_words import REMOVE
from capsule.ui.user_text import ROOM_FOR_TEXT
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from capsule.accounts.identity import Visitor
    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.games.model import StoredGame
    from capsule.gemini.types import CacheTag, Request, Response
    from capsule.social.comments import CommentPage
    from capsule.ui.routes import Routes
    from engine import Message

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
@reading
def show(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return a page of the comments on a game, the last one unless the query names another.

    The query is the number of the comment with which a page begins, so that its address is
    permanent.
    """
    visitor = identity.visitor_of(transaction, request)
    section = _section(transaction, request, visitor, game_id)
    page = responses.page(visitor.preferences, "social/comments.gmi", section=section)
    return replace(page, cache_policy=_cache_policy(section, transaction.now))


@reading
def choose(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the comments of a page, each with the link to report it or to remove one's own."""
    visitor = identity.signed_in(transaction, request)
    section = _section(transaction, request, visitor, game_id)
    if visitor.player is None:
        return responses.redirect(section.path)
    return responses.page(visitor.preferences, "social/choose_comment.gmi", section=section)


def _section(
    transaction: Transaction, request: Request, visitor: Visitor, game_id: str
) -> CommentSection:
    context = transaction.context
    game = _game_at(transaction, game_id)
    found = comments.page(transaction, game, visitor.player, wanted_number(request))
    comment_key = visitor.key(context, comment_subject(game_id), found.last_written)
    key = visitor.account_key(context, SUBJECT)
    return CommentSection(game, visitor, found, comment_key, key)


def _game_at(transaction: Transaction, game_id: str) -> StoredGame:
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None:
        raise NotFound
    return game


def _cache_policy(section: CommentSection, now: datetime) -> CachePolicy:
    """Return how long a page of comments is fresh: until whoever reads it may write, or not."""
    player = section.visitor.player
    if player is None:
        return CachePolicy(now + MAX_AGE, frozenset({section.game.id}))
    moments = [player.sanctions.muted_until, player.created_at + MIN_AGE]
    until = min([now + MAX_AGE, *(each for each in moments if each is not None and each > now)])
    tags: set[CacheTag] = {section.game.id, Account(player.id), PlayerGames(player.id)}
    return CachePolicy(until, frozenset(tags))


def _path(attempt: Attempt) -> str:
    return comments_path(attempt["game_id"])


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    game = _game_at(transaction, attempt["game_id"])
    comments.require_may_write(transaction, game, attempt.player)
    return ROOM_FOR_TEXT, message("Your comment, which anyone can read")


def _ask_to_remove(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    number = int(attempt["number"])
    comments.require_own(transaction, attempt.player, attempt["game_id"], number)
    return [message("Type {word} to remove your comment for good")]


WRITE = Action(
    name="write",
    counter=TextsUnderGame(comment_subject, COMMENTS.last_by),
    back=_path,
    asks=_ask,
    does=lambda transaction, attempt: comments.write(
        transaction, attempt.player, attempt["game_id"], attempt.text
    ),
    notice=NOTHING_SENT,
)

REMOVE_OWN = Action(
    name="remove",
    counter=ActionsOf(SUBJECT),
    back=_path,
    asks=_ask_to_remove,
    word=REMOVE,
    does=lambda transaction, attempt: comments.withdraw(
        transaction, attempt.player, attempt["game_id"], int(attempt["number"])
    ),
)

CLOSE = Action(
    name="close",
    counter=ActionsOf(SUBJECT),
    back=_path,
    does=lambda transaction, attempt: comments.close(
        transaction, attempt.player, attempt["game_id"], closed=attempt["verb"] == _CLOSE
    ),
)

_HERE = f"/play/{GAME}/comments"

ROUTES: Routes = (
    (_HERE, show, LINE_NUMBER),
    (f"{_HERE}/choose", choose, LINE_NUMBER),
    (f"/play/{GAME}/{KEY}/comment", WRITE, ANY),
    (f"/play/{GAME}/{KEY}/{one_of('verb', (_CLOSE, _OPEN))}", CLOSE),
    (f"/play/{GAME}/{KEY}/remove-comment/(?P<number>{LINE_NUMBER})", REMOVE_OWN, ANY),
)
