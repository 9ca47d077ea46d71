"""The pages of boards: any position, at an address of its own, for anyone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.boards import explorer
from capsule.boards.model import BrokenLine, follow
from capsule.boards.pages.addressed import board_at
from capsule.boards.pages.opinion import opinion
from capsule.boards.reading import moves_to, read_board
from capsule.context import reading
from capsule.gemini.types import Account, CachePolicy, CacheTag, Response
from capsule.ui import responses
from capsule.ui.board_addresses import ROOM_FOR_TERMS, fits, new_game_from
from capsule.ui.routes import ANY, CELL, VARIANT, cacheable
from engine import MoveError, Side
from engine.bots.analysis import verdict_of
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.boards.model import Board
    from capsule.boards.tallies import Explored
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request
    from capsule.ui.routes import Routes
    from engine import Message, View

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
    return replace(_kept(transaction, visitor, found, page), ignores_query=not drawn.ways)


@reading
def prompt(transaction: Transaction, request: Request, variant: str, line: str | None) -> Response:
    """Ask for a move on a board; with one, go on to the board after it."""
    found = read_board(transaction, variant, line or "")
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
    return explorer.explored(transaction, found, moves_to(transaction, found))


def _play_on(context: AppContext, found: Board) -> str | None:
    """Return the address that starts a game from a board, None if there is none.

    An address of further moves that is nearly too long is too long with the terms of a game.
    """
    if found.position.outcome is not None or not found.ply:
        return None
    address = new_game_from(
        found.variant.key, found.line_as_written, found.position.turn.value.lower()
    )
    return address if fits(context.origin, address, ROOM_FOR_TERMS) else None


def _drawn(found: Board, around: str, visitor: Visitor) -> View:
    """Return the visible part of a board; each other part has its query."""
    drawn = found.position.view(around, visitor.preferences.style, found.latest)
    return replace(drawn, ways=tuple((words, f"{AROUND}{cell}") for words, cell in drawn.ways))


def _kept(transaction: Transaction, visitor: Visitor, found: Board, page: Response) -> Response:
    """Return a page that is cached for a while, by how its visitor wants pages."""
    tags: set[CacheTag] = set()
    if visitor.player is not None:
        tags.add(Account(visitor.player.id))
    if found.game is not None:
        tags.add(found.game.game_id)
    return replace(page, cache_policy=CachePolicy(transaction.now + KEPT_FOR, frozenset(tags)))


_LINE = "(?P<line>[^/]*)"

ROUTES: Routes = (
    ("/board/", index),
    (f"/board/{VARIANT}/(?:{_LINE}/)?move", prompt, ANY),
    (f"/board/{VARIANT}/{_LINE}", opinion, "engine"),
    (f"/board/{VARIANT}/{_LINE}", prompt, f"(?!{AROUND}){ANY}"),
    (f"/board/{VARIANT}/{_LINE}", board, f"{AROUND}{CELL}"),
)
