"""Messages and comments under a game, and the social section of the game's page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from itertools import groupby

from capsule.accounts import identity, queries as account_queries
from capsule.accounts.model import Player
from capsule.accounts.pages.action import (
    NOTHING_SENT,
    Action,
    ActionsOf,
    Attempt,
    Counter,
    nothing_to_advance,
)
from capsule.context import AppContext, Transaction, reading
from capsule.errors import NotFound, OutdatedAction
from capsule.games import eligibility, point_of_view, queries as game_queries
from capsule.games.game import Game
from capsule.games.model import StoredGame
from capsule.games.reading import load_game
from capsule.gemini.types import CachePolicy, PlayerGames, Request, Response
from capsule.languages.time_zones import in_zone
from capsule.social import lines, model
from capsule.social.line_queries import COMMENTS, MESSAGES, NOTES, LineTable
from capsule.ui import responses, typed_words, user_text
from capsule.ui.routes import ANY, GAME, KEY, Routes, cacheable, named, one_of
from engine import Message, message

PEOPLE_SUBJECT = "people"
"""The subject of the keys to mute, block and report others, and to share messages."""


LINE_NUMBER = "[1-9][0-9]{0,8}"
"""The pattern of the number of a message or a comment."""


@dataclass(frozen=True)
class SocialSection:
    """The social section of a game's page, made for one visitor.

    `player` is the visitor's, and `panel` what was read for them. `opponent` is the other person at
    a game that the player plays or could join. `agreement` is None unless the player plays with
    another person; then `refusal` says why they cannot write to the opponent, if they cannot.
    """

    game: Game
    player: Player | None
    panel: model.SocialPanel
    opponent: model.Person | None
    agreement: model.MessagesAgreement | None
    refusal: Message | None
    visitor: identity.Visitor
    context: AppContext

    @cached_property
    def message_key(self) -> str:
        """The key to send a message."""
        subject = MESSAGES.subject(self.game.stored.id)
        return self.visitor.key(self.context, subject, self.panel.last_sent)

    @cached_property
    def note_key(self) -> str:
        """The key to change the player's notes; the number of the newest note only ever rises."""
        newest = self.panel.notes[-1].id if self.panel.notes else identity.NONE_YET
        return self.visitor.key(self.context, NOTES.subject(self.game.stored.id), newest)

    @cached_property
    def relation_key(self) -> str:
        """The key to mute and block the opponent, and to share messages."""
        return self.visitor.account_key(self.context, PEOPLE_SUBJECT)

    @property
    def path(self) -> str:
        """The path of the game's page."""
        return f"/play/{self.game.stored.id}"

    @property
    def opponent_name(self) -> str:
        """The opponent's name, "" for a former player or if there is no opponent."""
        return self.opponent.name if self.opponent else ""

    @property
    def takes_messages(self) -> bool:
        """Whether the visitor takes messages: a player can choose not to."""
        return self.player is None or self.player.settings.takes_messages

    @property
    def messages(self) -> Sequence[model.StoredLine]:
        """The last messages, the oldest first; none for a player who takes none."""
        return self.panel.messages if self.takes_messages else ()

    @property
    def names(self) -> Mapping[int | None, str | None]:
        """The names of the two players by their numbers."""
        return {seat.player_id: seat.player_name for seat in self.game.stored.seats.values()}

    @property
    def has_more_messages(self) -> bool:
        """Whether there may be more messages than the last ones."""
        return len(self.panel.messages) == lines.MESSAGES_SHOWN

    @property
    def may_write(self) -> bool:
        """Whether the player may send the opponent a message."""
        return self.agreement is not None and self.refusal is None

    @property
    def asks_agreement(self) -> bool:
        """Whether to ask for consent that visitors read the messages, or show who has agreed."""
        return self.agreement is not None and (self.agreement.is_begun or bool(self.messages))

    @property
    def notes(self) -> Sequence[model.StoredLine]:
        """The player's notes on the game, the oldest first."""
        return lines.written_notes(self.panel.notes)

    @property
    def is_seat_refused(self) -> bool:
        """Whether the open seat is refused to the player because of a block."""
        return self.panel.is_apart and self.game.stored.open_side is not None

    @property
    def may_act_upon_opponent(self) -> bool:
        """Whether to offer the player to mute, block and report the opponent."""
        view = point_of_view.view_of(self.game, self.player)
        return self.opponent_name != "" and (view.is_seated or view.may_answer_challenge)


def game_path(attempt: Attempt) -> str:
    """Return the address of the game that an action is about."""
    return f"/play/{attempt['game_id']}"


@dataclass(frozen=True)
class LastLine(Counter):
    """The number of a player's last line in a table under a game, which the next one raises."""

    lines: LineTable
    advance = nothing_to_advance

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return self.lines.subject(attempt["game_id"])

    def count(self, transaction: Transaction, attempt: Attempt) -> int:
        """Return the number of the player's last line."""
        return self._numbers(transaction, attempt, 1)[0]

    def last_counts(self, transaction: Transaction, attempt: Attempt) -> Sequence[int]:
        """Return the numbers of the player's last lines, the newest first."""
        return self._numbers(transaction, attempt, identity.REMEMBERED)

    def _numbers(self, transaction: Transaction, attempt: Attempt, limit: int) -> Sequence[int]:
        player = attempt.visitor.player
        if player is None:
            return [identity.NONE_YET]
        found = self.lines.last_by(transaction.connection, player.id, attempt["game_id"], limit)
        return [*(each.id for each in found), identity.NONE_YET][:limit]


def write_action(
    name: str,
    lines: LineTable,
    asks: Callable[[Transaction, Attempt], Message],
    writes: Callable[[Transaction, Player, str, str], None],
    back: Callable[[Attempt], str] = game_path,
) -> Action:
    """Return the action that asks for a line under a game, and writes it."""
    return Action(
        name=name,
        counter=LastLine(lines),
        back=back,
        asks=lambda transaction, attempt: (user_text.ROOM_FOR_TEXT, asks(transaction, attempt)),
        does=lambda transaction, attempt: writes(
            transaction, attempt.player, attempt["game_id"], attempt.text
        ),
        notice=NOTHING_SENT,
    )


people_action = partial(Action, counter=ActionsOf(PEOPLE_SUBJECT))
"""Makes an action with the keys about people."""

in_game = partial(people_action, back=game_path)
"""Makes such an action, which leads back to a game."""


def game_at(transaction: Transaction, game_id: str) -> Game:
    """Return a game as it is now; raises `NotFound`."""
    stored = _stored_at(transaction, game_id)
    return load_game(transaction, stored)


def _stored_at(transaction: Transaction, game_id: str) -> StoredGame:
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None:
        raise NotFound
    return game


def opponent_in(transaction: Transaction, attempt: Attempt) -> model.Person:
    """Return the opponent of the player who acts in a game; raises `OutdatedAction` if none."""
    game = game_at(transaction, attempt["game_id"])
    opponent = lines.opponent_of(game, attempt.player)
    if opponent is None or not opponent.name:
        raise OutdatedAction
    return opponent


def wanted_number(request: Request) -> int | None:
    """Return the number of the line with which a page is to begin, None for the last page."""
    return int(request.query) if request.query else None


def social_section(
    transaction: Transaction, game: Game, visitor: identity.Visitor
) -> SocialSection:
    """Return the social section of a game's page for a visitor."""
    context, player = transaction.context, visitor.player
    panel = lines.panel_for(transaction.connection, game, player)
    opponent = lines.opponent_of(game, player)
    agreement = lines.agreement_of(game, player)
    refusal = None
    if player is not None and opponent is not None and agreement is not None:
        refusal = lines.message_refusal(game, player, opponent, panel)
    return SocialSection(
        game=game,
        player=player,
        panel=panel,
        opponent=opponent,
        agreement=agreement,
        refusal=refusal,
        visitor=visitor,
        context=context,
    )


def _ask(transaction: Transaction, attempt: Attempt) -> Message:
    game = game_at(transaction, attempt["game_id"])
    name = lines.require_addressee(transaction, game, attempt.player).name
    agreement = lines.agreement_of(game, attempt.player)
    if agreement is not None and agreement.is_mutual:
        return message("Your message to {name}, which visitors can read too", name=name)
    return message("Your message to {name}", name=name)


SAY = write_action("say", MESSAGES, _ask, lines.send_message)

SHARE = in_game(
    name="share",
    does=lambda transaction, attempt: lines.let_visitors_read(
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
    player, number = visitor.player, wanted_number(request)
    may_read = lines.may_read_messages(game, player)
    return responses.page(
        visitor.preferences,
        "social/messages.gmi",
        game=game,
        page=MESSAGES.page(transaction.connection, game_id, player, number, lines.PAGE_SIZE)
        if may_read
        else model.LinePage(),
        social=social_section(transaction, game, visitor),
        may_read=may_read,
        has_certificate=visitor.certificate is not None,
    )


_CLOSE, _OPEN = "close-comments", "open-comments"

COMMENT_PAGE_SIZE = 10


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
    """Return a page of comments, each with a link to report it or to remove the reader's own."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect(comments_path(_stored_at(transaction, game_id).id))
    return _comments(transaction, request, visitor, game_id, "social/choose_comment.gmi")


def _comments(
    transaction: Transaction,
    request: Request,
    visitor: identity.Visitor,
    game_id: str,
    template: str,
) -> Response:
    """Return a page of comments, on which the visitor writes one or acts on the others."""
    context, connection, player = transaction.context, transaction.connection, visitor.player
    game = _stored_at(transaction, game_id)
    page = COMMENTS.page(connection, game_id, player, wanted_number(request), COMMENT_PAGE_SIZE)
    authors = {line.author_id for line in page.lines}
    last = () if player is None else COMMENTS.last_by(connection, player.id, game_id, 1)
    zone = visitor.preferences.time_zone
    by_day = groupby(page.lines, lambda line: in_zone(line.written_at, zone).date())
    return responses.page(
        visitor.preferences,
        template,
        stored=game,
        visitor=visitor,
        page=page,
        names=account_queries.names_of(connection, authors) if authors else {},
        refusal=player and lines.comment_refusal(transaction, game, player),
        days=[tuple(of_day) for _, of_day in by_day],
        path=comments_path(game_id),
        may_close=lines.may_close_comments(game, player),
        comment_key=visitor.key(
            context, COMMENTS.subject(game_id), last[0].id if last else identity.NONE_YET
        ),
        key=visitor.account_key(context, PEOPLE_SUBJECT),
    )


def _cache_policy(game_id: str, player: Player | None, now: datetime) -> CachePolicy:
    """Return how long a page of comments is fresh: until its reader may write, or may not."""
    if player is None:
        return identity.cache_policy(None, now, game_id)
    until = (player.sanctions.muted_until, player.created_at + eligibility.MIN_AGE)
    return identity.cache_policy(player, now, game_id, PlayerGames(player.id), until=until)


def _path(attempt: Attempt) -> str:
    return comments_path(attempt["game_id"])


def _ask_for_comment(transaction: Transaction, attempt: Attempt) -> Message:
    game = _stored_at(transaction, attempt["game_id"])
    lines.require_may_comment(transaction, game, attempt.player)
    return message("Your comment, which anyone can read")


def _ask_to_remove(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    number = int(attempt["number"])
    lines.require_own_comment(transaction, attempt.player, attempt["game_id"], number)
    return [message("Type {word} to remove your comment for good")]


WRITE = write_action("write", COMMENTS, _ask_for_comment, lines.write_comment, back=_path)

REMOVE_OWN = people_action(
    name="remove",
    back=_path,
    asks=_ask_to_remove,
    word=typed_words.REMOVE,
    does=lambda transaction, attempt: lines.withdraw_comment(
        transaction, attempt.player, attempt["game_id"], int(attempt["number"])
    ),
)

CLOSE = people_action(
    name="close",
    back=_path,
    does=lambda transaction, attempt: lines.close_comments(
        transaction, attempt.player, attempt["game_id"], closed=attempt["verb"] == _CLOSE
    ),
)

_HERE = f"/play/{GAME}/comments"


ROUTES: Routes = (
    *named(
        "social.pages.messages",
        (
            (f"/play/{GAME}/messages", all_messages, LINE_NUMBER),
            (f"/play/{GAME}/{KEY}/say", SAY, ANY),
            (f"/play/{GAME}/{KEY}/(?P<verb>show|hide)", SHARE),
        ),
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
