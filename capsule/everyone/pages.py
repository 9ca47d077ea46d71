"""The pages of everyone's game: its board, the votes, and its feed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from capsule.accounts import identity
from capsule.accounts.model import Player
from capsule.accounts.pages.account import link_path
from capsule.accounts.pages.action import Action, Attempt, Keys, StaleNotice, nothing_to_advance
from capsule.context import Transaction, reading
from capsule.db.schema.games import everyones_votes
from capsule.errors import NotFound, OutdatedAction
from capsule.everyone import queries, voting
from capsule.everyone.model import EveryonesGame, Vote
from capsule.feature import Feature
from capsule.games import feed_entries, model, queries as game_queries
from capsule.gemini.types import CachePolicy, Request, Response
from capsule.languages.dates import same_words_for
from capsule.ui import boards, columns, responses
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries
from capsule.ui.routes import ANY, CELL, FEED, KEY, Routes, cacheable, named, narrowable
from engine import Message, message

HOME = "/everyone/"

VOTING = "/play/everyone/"
"""The address of the page for voters."""

MAX_GAMES = 5
"""The newest games whose events the feed has."""


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
    here = HOME if number is None else shown.numbered.path
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
    refusal = vote = None
    key = ""
    if (player := visitor.player) is not None:
        game_id, ply = shown.game.id, shown.game.ply + 1
        refusal = voting.obstacle(transaction, player)
        vote = queries.vote_of(transaction.connection, game_id, ply, player.id)
        if refusal is None and shown.takes_votes:
            key = visitor.key(context, key_subject(game_id, ply), vote.changes if vote else 0)
    if vote is not None and not vote.move:
        vote = None
    link = link_path(context, visitor)
    return _page(request, visitor, shown, VOTING, vote=vote, refusal=refusal, key=key, link=link)


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of everyone's games: their beginnings, their last moves and their ends."""
    games = queries.newest_games(transaction.connection, MAX_GAMES)
    entries = [entry for game in games for entry in _entries_of(transaction, game)]
    found = Feed(
        FeedKind.EVERYONE,
        path=f"{HOME}feed",
        home=HOME,
        title=message("Oxonaut: everyone's game"),
        entries=newest_entries(entries),
    )
    return identity.feed_page(transaction, request, found, form)


def letter_entries(transaction: Transaction, _player: Player) -> Sequence[Entry]:
    """Return the entries of the beginnings and the ends of the two newest games."""
    games = queries.newest_games(transaction.connection, 2)
    return [entry for game in games for entry in (_beginning(game), *_endings(game))]


def _entries_of(transaction: Transaction, game: EveryonesGame) -> Iterator[Entry]:
    stored = game.stored
    yield _beginning(game)
    after = max(stored.ply - MAX_ENTRIES, 0)
    for move in game_queries.moves_of(
        transaction.connection, stored.id, after=after, up_to=stored.ply
    ):
        yield feed_entries.move_entry(stored, move)
    yield from _endings(game)


def _beginning(game: EveryonesGame) -> Entry:
    words = message("Game {number} begins: {variant}, everyone against the {opponent}")
    return _entry(game, "begun", game.stored.created_at, words)


def _endings(game: EveryonesGame) -> Iterator[Entry]:
    stored = game.stored
    if stored.is_running:
        return
    if stored.points is None:
        words = message("Game {number} is over: nobody voted for a week")
    elif stored.winner is None:
        words = message("Game {number} is over: everyone draws with the {opponent}")
    elif stored.winner is stored.everyones_side:
        words = message("Game {number} is over: everyone beats the {opponent}")
    else:
        words = message("Game {number} is over: the {opponent} beats everyone")
    yield _entry(game, "over", stored.ended_at or stored.moved_at, words)


def _entry(game: EveryonesGame, event: str, at: datetime, words: Message) -> Entry:
    stored = game.stored
    opponent = next(seat.name or "" for seat in (stored.x, stored.o) if not seat.is_everyones)
    names = {"variant": stored.variant.name, "opponent": opponent}
    return Entry(f"{game.path}?{event}", at, words.filled(number=game.number, **names))


def key_subject(game_id: str, ply: int) -> str:
    """Return the subject of the keys to vote for a game's move with a number."""
    return f"vote {game_id} {ply}"


def _page(  # noqa: PLR0913 - each of them is the page's
    request: Request,
    visitor: identity.Visitor,
    shown: voting.ShownGame,
    here: str,
    *,
    vote: Vote | None = None,
    refusal: Message | None = None,
    key: str = "",
    link: str | None = None,
) -> Response:
    """Return the page of one of everyone's games, at the address `here`.

    `vote` is that of its reader below `/play/`, if any, and `refusal` why the reader may not vote;
    `key` is for a vote, "" if there can be none now. `link` is the address at which a visitor with
    a new certificate can add it to a player, None for others.
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
        is_wide=columns.is_wide_drawing(board.drawing, board.overview),
        vote=vote,
        refusal=refusal,
        key=key,
        move_links=boards.linked_moves(position, is_narrow=is_narrow) if key else (),
        effect_of=partial(boards.effect_of, position, is_narrow=is_narrow),
        link=link,
        max_plies=model.MAX_EVENT_PLIES,
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

    advance = nothing_to_advance

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
            (HOME, show, CELL),
            ("/everyone/(?P<number>[1-9][0-9]{0,5})", show, CELL),
            (f"{HOME}{FEED}", feed),
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
    return HOME, message("Everyone's game: {variant}, vote now", variant=variant)


# Erasing a player leaves the moves that were played by their votes.
FEATURE = Feature(
    ROUTES,
    (everyones_votes,),
    sweep=((voting.advance, "Everyone's game could not go on"),),
    on_ban=lambda transaction, player: queries.withdraw_votes(transaction.connection, player.id),
    letter_entries=letter_entries,
    home=home,
)
