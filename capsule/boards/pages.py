"""The board that anyone can set up, the games that reached it, and the bots' opinion of it."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

from capsule.accounts import identity
from capsule.boards import explorer
from capsule.boards.model import Board, BrokenLine, Explored, follow
from capsule.bots.service import Hint, TooManyAsk
from capsule.context import AppContext, Transaction, reading
from capsule.feature import Feature
from capsule.gemini.types import Request, Response, Wait
from capsule.ui import boards, responses
from capsule.ui.preferences import Preferences
from capsule.ui.routes import ANY, CELL, VARIANT, Routes, cacheable, named
from engine import Message, MoveError, Side, View, message
from engine.bots.analysis import verdict_of


def board_at(
    transaction: Transaction, preferences: Preferences, variant: str, line: str
) -> Board | Response:
    """Return a board, or the page of the move that fails, or the redirect to the usual address.

    Raises `NotFound`.
    """
    found = explorer.read_board(transaction, variant, line)
    if isinstance(found, BrokenLine):
        return responses.page(preferences, "boards/broken.gmi", broken=found, last=found.board)
    if line != found.line_as_written:
        return responses.redirect(found.address)
    return found


OPINION_SECONDS = 5
"""Seconds after which a visitor who waits for an opinion may ask for another."""

MAX_MOVES, MAX_SIZE = 400, 41
"""The moves to a board, and the cells along a side of a grid, up to which there are opinions."""


@reading
def opinion(transaction: Transaction, request: Request, variant: str, line: str) -> Response | Wait:
    """Return the page of the engine's opinion of a board.

    A game that is over needs no opinion. There is none of a game that is being played, and none for
    programs, which may be playing it.
    """
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    board = board_at(transaction, visitor.preferences, variant, line)
    if isinstance(board, Response):
        return board
    if board.position.outcome is not None:
        return responses.redirect(board.address)
    without = _page_without(visitor, board)
    if without is not None:
        return without
    cached = context.evaluations.find(board.position)
    if cached is not None:
        return _page(visitor, board, cached)
    player = visitor.player
    too_many = responses.slow_down(OPINION_SECONDS)

    def ask() -> Response:
        player_id = None if player is None else player.id
        moves = partial(reading(explorer.moves_to), context, board)
        try:
            found = context.evaluations.ask(context.bots, board.position, moves, player_id)
        except TooManyAsk:
            return too_many
        return _page(visitor, board, found)

    owner = ("board", request.address_key) if player is None else player.id
    return Wait(owner, ask, fallback=too_many)


def _page_without(visitor: identity.Visitor, board: Board) -> Response | None:
    """Return the page that says why there is no opinion of a board, None if there may be one."""
    is_program = visitor.player is not None and visitor.player.is_program
    if is_program or (board.game is not None and board.game.is_running):
        return responses.page(visitor.preferences, "boards/no_opinion.gmi", board=board)
    if board.ply <= MAX_MOVES and board.position.size <= MAX_SIZE:
        return None
    return responses.page(
        visitor.preferences,
        "boards/too_large.gmi",
        board=board,
        max_moves=MAX_MOVES,
        max_size=MAX_SIZE,
    )


def _page(visitor: identity.Visitor, board: Board, found: Hint | None) -> Response:
    """Return the page of an opinion, None if no bot had time for one."""
    verdict = None
    if found is not None:
        verdict = verdict_of(
            board.variant, board.position.turn, found.win_probability, is_exact=found.is_exact
        )
    return responses.page(
        visitor.preferences, "boards/opinion.gmi", board=board, opinion=found, verdict=verdict
    )


KEPT_FOR = timedelta(minutes=1)
"""The maximum age of a cached board: its counts of games may be that old."""

AROUND = "around="
"""The beginning of a query that names the cell to look at on a wide board."""


@cacheable
def index(context: AppContext, request: Request) -> Response:
    """Return the list of the boards to begin with."""
    preferences = identity.preferences_of(context, request)
    return responses.page(preferences, "boards/index.gmi")


@cacheable
@reading
def board(transaction: Transaction, request: Request, variant: str, line: str) -> Response:
    """Return the page of the position that moves lead to, or of the move at which they fail.

    The query asks for another part of a wide board.
    """
    visitor = identity.visitor_of(transaction, request)
    found = board_at(transaction, visitor.preferences, variant, line)
    if isinstance(found, Response):
        return found
    drawn = _drawn(found, (request.query or "").removeprefix(AROUND), visitor)
    page = responses.page(
        visitor.preferences,
        "boards/board.gmi",
        board=found,
        drawn=drawn,
        may_grow=found.may_grow(transaction.context.origin),
        play_on=_play_on(transaction.context, found),
        explored=_explored(transaction, found),
        verdict=partial(verdict_of, found.variant, Side.X, is_exact=True),
    )
    tags = () if found.game is None else (found.game.game_id,)
    until = (transaction.now + KEPT_FOR,)
    policy = identity.cache_policy(visitor.player, transaction.now, *tags, until=until)
    return replace(page, cache_policy=policy, ignores_query=not drawn.ways)


@reading
def prompt(transaction: Transaction, request: Request, variant: str, line: str | None) -> Response:
    """Ask for a move on a board; with one, lead to the board after it."""
    found = explorer.read_board(transaction, variant, line or "")
    if isinstance(found, BrokenLine):
        return responses.redirect(found.board.after(found.move))
    if not request.typed:
        if found.position.outcome is not None:
            return responses.redirect(found.address)
        example = message("For example {move}.", move=found.position.example())
        return responses.prompt(found.position.instruction(), example, _next_move(found))
    return _moved(found, request.typed)


def _moved(found: Board, typed: str) -> Response:
    """Return the way to the board after a move that was typed, or ask again, and say why."""
    try:
        after = follow(found, [typed])
    except MoveError as error:
        return responses.prompt_again(error.message, _next_move(found))
    if isinstance(after, BrokenLine):
        return responses.prompt_again(after.reason, _next_move(found))
    return responses.redirect(after.address)


def _next_move(found: Board) -> Message:
    side = found.variant.side_name(found.position.turn)
    return message("{side} to move", side=side)


def _explored(transaction: Transaction, found: Board) -> Explored | None:
    """Return what is known of a board from games, None beyond the first moves."""
    if found.ply > explorer.MAX_PLIES:
        return None
    return explorer.explored(transaction, found, explorer.moves_to(transaction, found))


def _play_on(context: AppContext, found: Board) -> str | None:
    """Return the address that starts a game from a board, None if there is none.

    An address of further moves that is nearly too long is too long with the terms of a game.
    """
    if found.position.outcome is not None or not found.ply:
        return None
    address = boards.new_game_from(
        found.variant.key, found.line_as_written, found.position.turn.value.lower()
    )
    return address if boards.fits(context.origin, address, boards.ROOM_FOR_TERMS) else None


def _drawn(found: Board, around: str, visitor: identity.Visitor) -> View:
    """Return the visible part of a board; each other part has its query."""
    drawn = found.position.view(around, visitor.preferences.style, found.latest)
    return replace(drawn, ways=tuple((words, f"{AROUND}{cell}") for words, cell in drawn.ways))


_LINE = "(?P<line>[^/]*)"


ROUTES: Routes = (
    *named(
        "boards.pages.board",
        (("/board/", index), (f"/board/{VARIANT}/(?:{_LINE}/)?move", prompt, ANY)),
    ),
    *named("boards.pages.opinion", ((f"/board/{VARIANT}/{_LINE}", opinion, "engine"),)),
    *named(
        "boards.pages.board",
        (
            (f"/board/{VARIANT}/{_LINE}", prompt, f"(?!{AROUND}){ANY}"),
            (f"/board/{VARIANT}/{_LINE}", board, f"{AROUND}{CELL}"),
        ),
    ),
)

FEATURE = Feature(ROUTES, sweep=((explorer.count_due, "Positions of games could not be counted"),))
