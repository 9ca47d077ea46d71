"""Messages and comments under a game."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages.action import NOTHING_SENT, Action, Attempt
from capsule.context import Transaction, reading
from capsule.errors import NotFound
from capsule.games import queries as game_queries
from capsule.games.eligibility import MIN_AGE
from capsule.games.model import StoredGame
from capsule.gemini.types import CachePolicy, PlayerGames, Request, Response
from capsule.languages.time_zones import in_zone
from capsule.social import messages
from capsule.social.line_queries import COMMENTS, MESSAGES
from capsule.social.pages.panel import (
    LINE_NUMBER,
    PEOPLE_SUBJECT,
    comment_subject,
    game_at,
    game_path,
    in_game,
    message_subject,
    names_in,
    people_action,
    social_section,
    wanted_number,
)
from capsule.social.rate_limit import TextsUnderGame
from capsule.ui import responses
from capsule.ui.routes import ANY, GAME, KEY, Routes, cacheable, named, one_of
from capsule.ui.typed_words import REMOVE
from capsule.ui.user_text import ROOM_FOR_TEXT
from engine import Message
from engine.game import message


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    game = game_at(transaction, attempt["game_id"])
    name = messages.require_addressee(transaction, game, attempt.player).name
    agreement = messages.agreement_of(game, attempt.player)
    ask = (
        message("Your message to {name}, which visitors can read too", name=name)
        if agreement is not None and agreement.is_mutual
        else message("Your message to {name}", name=name)
    )
    return ROOM_FOR_TEXT, ask


SAY = Action(
    name="say",
    counter=TextsUnderGame(message_subject, MESSAGES.last_by),
    back=game_path,
    asks=_ask,
    does=lambda transaction, attempt: messages.send(
        transaction, attempt.player, attempt["game_id"], attempt.text
    ),
    notice=NOTHING_SENT,
)

SHARE = in_game(
    name="share",
    does=lambda transaction, attempt: messages.let_visitors_read(
        transaction, attempt.player, attempt["game_id"], agrees=attempt["verb"] == "show"
    ),
)


@reading
def all_messages(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the messages of a game, page by page, for readers who may see them.

    The query is the number of the message with which a page begins, so that its address is
    permanent. A player also finds there who else may read them, and what to do about the opponent.
    """
    visitor = identity.visitor_of(transaction, request)
    game = game_at(transaction, game_id)
    page = messages.page(transaction, game, visitor.player, wanted_number(request))
    panel = messages.panel_for(transaction.connection, game, visitor.player)
    return responses.page(
        visitor.preferences,
        "social/messages.gmi",
        game=game,
        names=names_in(game),
        page=page,
        social=social_section(transaction.context, game, visitor, panel),
        may_read=messages.may_read_messages(game, visitor.player),
        has_certificate=visitor.certificate is not None,
    )


_CLOSE, _OPEN = "close-comments", "open-comments"


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
    page = _comments(transaction, request, visitor, game_id, "social/comments.gmi")
    return replace(page, cache_policy=_cache_policy(game_id, visitor.player, transaction.now))


@reading
def choose(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the comments of a page, each with the link to report it or to remove one's own."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(comments_path(_game_at(transaction, game_id).id))
    return _comments(transaction, request, visitor, game_id, "social/choose_comment.gmi")


def _comments(
    transaction: Transaction, request: Request, visitor: Visitor, game_id: str, template: str
) -> Response:
    """Return a page of comments, which lets the visitor write one and act on those there."""
    context, player = transaction.context, visitor.player
    game = _game_at(transaction, game_id)
    found = messages.comment_page(transaction, game, player, wanted_number(request))
    zone = visitor.preferences.time_zone
    by_day = groupby(found.page.lines, lambda line: in_zone(line.sent_at, zone).date())
    return responses.page(
        visitor.preferences,
        template,
        stored=game,
        visitor=visitor,
        found=found,
        days=[tuple(of_day) for _, of_day in by_day],
        path=comments_path(game_id),
        may_close=messages.may_close(game, player),
        comment_key=visitor.key(context, comment_subject(game_id), found.last_written),
        key=visitor.account_key(context, PEOPLE_SUBJECT),
    )


def _game_at(transaction: Transaction, game_id: str) -> StoredGame:
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None:
        raise NotFound
    return game


def _cache_policy(game_id: str, player: Player | None, now: datetime) -> CachePolicy:
    """Return how long a page of comments is fresh: until its reader may write, or may not."""
    if player is None:
        return identity.cache_policy(None, now, game_id)
    until = (player.sanctions.muted_until, player.created_at + MIN_AGE)
    return identity.cache_policy(player, now, game_id, PlayerGames(player.id), until=until)


def _path(attempt: Attempt) -> str:
    return comments_path(attempt["game_id"])


def _ask_for_comment(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    game = _game_at(transaction, attempt["game_id"])
    messages.require_may_write(transaction, game, attempt.player)
    return ROOM_FOR_TEXT, message("Your comment, which anyone can read")


def _ask_to_remove(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    number = int(attempt["number"])
    messages.require_own(transaction, attempt.player, attempt["game_id"], number)
    return [message("Type {word} to remove your comment for good")]


WRITE = Action(
    name="write",
    counter=TextsUnderGame(comment_subject, COMMENTS.last_by),
    back=_path,
    asks=_ask_for_comment,
    does=lambda transaction, attempt: messages.write(
        transaction, attempt.player, attempt["game_id"], attempt.text
    ),
    notice=NOTHING_SENT,
)

REMOVE_OWN = people_action(
    name="remove",
    back=_path,
    asks=_ask_to_remove,
    word=REMOVE,
    does=lambda transaction, attempt: messages.withdraw(
        transaction, attempt.player, attempt["game_id"], int(attempt["number"])
    ),
)

CLOSE = people_action(
    name="close",
    back=_path,
    does=lambda transaction, attempt: messages.close(
        transaction, attempt.player, attempt["game_id"], closed=attempt["verb"] == _CLOSE
    ),
)

_HERE = f"/play/{GAME}/comments"


ROUTES: Routes = (
    *(
        (f"/play/{GAME}/messages", all_messages, LINE_NUMBER),
        (f"/play/{GAME}/{KEY}/say", SAY, ANY),
        (f"/play/{GAME}/{KEY}/(?P<verb>show|hide)", SHARE),
    ),
    *named(
        "social.pages.comments",
        (
            (_HERE, show, LINE_NUMBER),
            (f"{_HERE}/choose", choose, LINE_NUMBER),
            (f"/play/{GAME}/{KEY}/comment", WRITE, ANY),
            (f"/play/{GAME}/{KEY}/{one_of('verb', (_CLOSE, _OPEN))}", CLOSE),
            (f"/play/{GAME}/{KEY}/remove-comment/(?P<number>{LINE_NUMBER})", REMOVE_OWN, ANY),
        ),
    ),
)
