"""The pages of everyone's game: its board, and the votes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from capsule.accounts import identity
from capsule.accounts.pages.account import link_path
from capsule.accounts.pages.action import Action, Attempt, Keys, StaleNotice
from capsule.context import Transaction, reading
from capsule.db.schema.games import everyones_votes
from capsule.errors import NotFound, OutdatedAction
from capsule.everyone import feed as everyones_feed, queries, voting
from capsule.feature import Feature
from capsule.games.model import MAX_EVENT_PLIES
from capsule.gemini.types import CachePolicy, Request, Response
from capsule.languages.dates import same_words_for
from capsule.ui import responses
from capsule.ui.boards import effect_of, linked_moves
from capsule.ui.columns import is_wide_drawing
from capsule.ui.routes import ANY, CELL, FEED, KEY, Routes, cacheable, named, narrowable
from engine import Message
from engine.game import message

VOTING = "/play/everyone/"
"""The address of the page for voters."""


@cacheable
@narrowable
@reading
def show(transaction: Transaction, request: Request, number: str | None = None) -> Response:
    """Return the page of the game with a number or, without one, of the newest, for anyone."""
    visitor = identity.visitor_of(transaction, request)
    shown = voting.shown_game(transaction, None if number is None else int(number))
    if shown is None and number is not None:
        raise NotFound
    if shown is None:
        return responses.page(visitor.preferences, "everyone/none.gmi")
    here = everyones_feed.HOME if number is None else shown.numbered.path
    page = _page(request, visitor, shown, here)
    return replace(page, cache_policy=_cache_policy(transaction.now, visitor, shown))


@narrowable
@reading
def show_to_voters(transaction: Transaction, request: Request) -> Response:
    """Return the page of the newest game, with the visitor's own vote and the way to cast it."""
    context = transaction.context
    visitor = replace(identity.signed_in(transaction, request), is_narrow=request.is_narrow)
    shown = voting.shown_game(transaction)
    if shown is None:
        return responses.page(visitor.preferences, "everyone/none.gmi")
    reader = voting.voter(transaction, shown, visitor.player)
    may_vote = reader is not None and reader.refusal is None and shown.takes_votes
    subject = key_subject(shown.game.id, shown.game.ply + 1)
    key = visitor.key(context, subject, reader.changes) if reader and may_vote else ""
    link = link_path(context, visitor)
    return _page(request, visitor, shown, VOTING, reader=reader, key=key, link=link)


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of everyone's games."""
    found = everyones_feed.feed(transaction.connection)
    return identity.feed_page(transaction, request, found, form)


def key_subject(game_id: str, ply: int) -> str:
    """Return the subject of the keys to vote for a game's move with a number."""
    return f"vote {game_id} {ply}"


def _page(  # noqa: PLR0913 - each of them is the page's
    request: Request,
    visitor: identity.Visitor,
    shown: voting.ShownGame,
    here: str,
    *,
    reader: voting.Voter | None = None,
    key: str = "",
    link: str | None = None,
) -> Response:
    """Return the page of one of everyone's games, at the address `here`.

    `reader` is the player who reads it below `/play/`, if any; `key` is for their vote, "" if they
    may not vote now. `link` is the address at which a visitor with a new certificate can add it to
    a player, None for others.
    """
    style = visitor.preferences.style
    if not shown.game.is_running:
        style = replace(style, free=style.empty)
    position, is_narrow = shown.game.position, visitor.preferences.narrow
    board = position.view(request.query, style, shown.game.latest)
    response = responses.page(
        visitor.preferences,
        "everyone/game.gmi",
        shown=shown,
        here=here,
        is_for_voters=here == VOTING,
        visitor=visitor,
        board=board,
        is_wide=is_wide_drawing(board.drawing, board.overview),
        voter=reader,
        may_see_votes=reader is not None and reader.vote is not None,
        key=key,
        move_links=linked_moves(position, is_narrow=is_narrow) if key else (),
        effect_of=partial(effect_of, position, is_narrow=is_narrow),
        link=link,
        max_plies=MAX_EVENT_PLIES,
    )
    return replace(response, ignores_query=not board.ways)


def _cache_policy(now: datetime, visitor: identity.Visitor, shown: voting.ShownGame) -> CachePolicy:
    """Return how long a page is fresh: until its words for the time left or the game change."""
    until = list[datetime | None]()
    if shown.takes_votes:
        until = [now + same_words_for(shown.time_left), shown.numbered.left_at]
    return identity.cache_policy(visitor.player, now, shown.game.id, until=until)


@dataclass(frozen=True)
class _KeysToVote(Keys):
    """The keys to vote for the next move; each vote of the player outdates the earlier ones."""

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key is for the next move, and the player has not voted since."""
        connection = transaction.connection
        game = queries.newest_game(connection, to_change=transaction.is_writing)
        if game is None:
            return False
        game_id, ply = game.stored.id, game.stored.ply + 1
        last = queries.vote_of(connection, game_id, ply, attempt.player.id)
        return attempt.visitor.fits(
            transaction.context, key_subject(game_id, ply), attempt.key, last.changes if last else 0
        )

    def held(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key was lately for a vote in one of the two newest games."""
        connection, player = transaction.connection, attempt.visitor.player
        if player is None:
            return False
        return any(
            attempt.visitor.fits(
                transaction.context, key_subject(game.stored.id, ply), attempt.key, changes
            )
            for game in queries.newest_games(connection, 2)
            for ply, changes in voting.last_places(connection, game, player)
        )

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing: the vote itself is counted."""


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    shown = voting.shown_game(transaction)
    if shown is None or not shown.takes_votes:
        raise OutdatedAction
    voting.require_may_vote(transaction, attempt.player)
    game, position = shown.game, shown.game.position
    return [
        position.instruction(),
        message("For example {move}.", move=position.example()),
        message("Your vote, {side}", side=game.variant.side_name(position.turn)),
    ]


VOTE = Action(
    name="vote",
    counter=_KeysToVote(),
    back=VOTING,
    asks=_ask,
    does=lambda transaction, attempt: voting.vote(transaction, attempt.player, attempt.typed),
    notice=StaleNotice(
        message("You did not vote: that page was out of date."),
        message("That link was out of date: nothing was changed."),
        message("Your move was:"),
    ),
)


ROUTES: Routes = (
    *named(
        "everyone.pages.game",
        (
            (everyones_feed.HOME, show, CELL),
            ("/everyone/(?P<number>[1-9][0-9]{0,5})", show, CELL),
            (f"{everyones_feed.HOME}{FEED}", feed),
            (VOTING, show_to_voters, CELL),
        ),
    ),
    *named("everyone.pages.vote", ((f"{VOTING}{KEY}/vote", VOTE, ANY),)),
)


def home(transaction: Transaction) -> tuple[str, Message] | None:
    """Return the line about the newest game for the home page."""
    game = queries.newest_game(transaction.connection)
    if game is None:
        return None
    variant = game.stored.variant.name
    return everyones_feed.HOME, message("Everyone's game: {variant}, vote now", variant=variant)


# Erasing a player leaves the moves that were played by their votes.
FEATURE = Feature(
    ROUTES,
    (everyones_votes,),
    sweep=((voting.advance, "Everyone's game could not go on"),),
    on_ban=lambda transaction, player: queries.withdraw_votes(transaction.connection, player.id),
    letter_entries=everyones_feed.letter_entries,
    home=home,
)
