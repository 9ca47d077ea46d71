"""The pages of games without a certificate; nothing is stored, and all visitors see the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from capsule.accounts.identity import Visitor, reader_of, static_page
from capsule.boards.model import BrokenLine
from capsule.context import AppContext
from capsule.errors import NotFound
from capsule.feature import Feature
from capsule.gemini.types import Request, Response, Wait
from capsule.tryout import model
from capsule.ui import boards, responses
from capsule.ui.columns import NARROW, is_wide_drawing, narrowed
from capsule.ui.routes import ANY, CELL, VARIANT, Routes, cacheable, narrowable
from engine import VARIANTS, InvalidMove, Message, MoveError
from engine.bots import levels_of
from engine.game import message

BUSY_SECONDS = 5
"""Seconds after which a move may be made again that no bot had time to answer."""

FEW_MOVES = 2
"""The number of legal moves up to which their links come before the one to type a move."""


@dataclass(frozen=True, slots=True)
class TryoutPage:
    """A game as its page shows it to a visitor of the capsule at an `origin`."""

    game: model.Tryout
    visitor: Visitor
    origin: str

    @property
    def prompt(self) -> str:
        """The address at which the reader moves, whose query is the move."""
        width = f"/{NARROW}" if self.visitor.is_narrow else ""
        return f"{self.game.address.rstrip('/')}/move{width}"

    @property
    def may_move(self) -> bool:
        """Whether the reader may move: the game is not over, and its address may grow."""
        return self.game.may_move(self.origin)

    @property
    def continuation(self) -> str | None:
        """The address that continues the game with a certificate, if it is not over.

        It is None, too, where that address would be too long with the terms of a game.
        """
        if self.game.outcome is not None:
            return None
        line, side = self.game.board.line_as_written, model.READER.value.lower()
        address = boards.new_game_with_bot(self.game.variant.key, line, side, model.LEVEL)
        return address if boards.fits(self.origin, address, boards.ROOM_FOR_TERMS) else None

    @property
    def is_move_above_board(self) -> bool:
        """Whether the link to move stands above the board, which fills a narrow screen."""
        return self.may_move and self.visitor.preferences.narrow

    @property
    def move_links(self) -> Sequence[str]:
        """The legal moves if they are few enough for links; an example at the start of others."""
        if not self.may_move:
            return ()
        is_narrow = self.visitor.preferences.narrow
        return boards.linked_moves(self.game.board.position, is_narrow=is_narrow)

    def effect(self, move: str) -> Message | None:
        """Return the effect of a legal move, in fewer words on a narrow screen."""
        is_narrow = self.visitor.preferences.narrow
        return boards.effect_of(self.game.board.position, move, is_narrow=is_narrow)

    @property
    def has_links_first(self) -> bool:
        """Whether the links of moves come before the link to type one."""
        return 0 < len(self.move_links) <= FEW_MOVES

    @property
    def example(self) -> str | None:
        """A first move for a visitor who has none in mind, None if all moves have links."""
        has_moved = bool(self.game.ply)
        return None if has_moved or self.move_links else self.game.board.position.example()

    @property
    def stronger(self) -> str:
        """The address that begins a game with the next level of the bots."""
        _, stronger, *_ = levels_of(self.game.variant.key)
        return f"/play/new/{self.game.variant.key}?level={stronger}"


@cacheable
@narrowable
def index(context: AppContext, request: Request) -> Response:
    """Return the page that says what these games are, and leads to one of each variant."""
    visitor = reader_of(context, request)
    return static_page(context, visitor, "tryout/index.gmi", variants=boards.easiest_first())


@cacheable
@narrowable
def position(context: AppContext, request: Request, variant: str, line: str) -> Response:
    """Return the page of a position in which the reader is to move, or of the end of the game.

    The query asks for another part of a wide board.
    """
    visitor = reader_of(context, request)
    game = _game_at(visitor, variant, line)
    if isinstance(game, Response):
        return game
    board = game.board.position.view(request.query, visitor.preferences.style, game.board.latest)
    shown = static_page(
        context,
        visitor,
        "tryout/position.gmi",
        page=TryoutPage(game, visitor, context.origin),
        board=board,
        is_wide=is_wide_drawing(board.drawing, board.overview),
        level=model.LEVEL,
        reader=model.READER,
    )
    return replace(shown, ignores_query=not board.ways)


@cacheable
@narrowable
def in_words(
    context: AppContext, request: Request, variant: str, line: str | None = None
) -> Response:
    """Return the page of a position in words, for people who use a screen reader."""
    visitor = reader_of(context, request)
    game = _game_at(visitor, variant, line or "", in_words=True)
    if isinstance(game, Response):
        return game
    return static_page(
        context,
        visitor,
        "tryout/words.gmi",
        page=TryoutPage(game, visitor, context.origin),
        level=model.LEVEL,
        reader=model.READER,
    )


def move(
    context: AppContext,
    request: Request,
    variant: str,
    line: str | None = None,
    narrow: str | None = None,
) -> Response | Wait:
    """Ask for the reader's move; with one, lead to the position after the bot's replies."""
    game, broken = _read(variant, line or "")
    if broken is not None:
        moves = (*game.board.line, broken.move)
        return _redirect(model.tryout_address(variant, moves), narrow)
    if game.is_bots_turn:
        return responses.redirect(_board_of(game))
    if not game.may_move(context.origin):
        return _redirect(game.address, narrow)
    if request.typed:
        return _moved(context, request, game, narrow)
    example = message("For example {move}.", move=game.board.position.example())
    return responses.prompt(game.board.position.instruction(), example, _your_move(game))


def _moved(
    context: AppContext, request: Request, game: model.Tryout, narrow: str | None
) -> Response | Wait:
    """Return the redirect to the position after the bot's replies, or ask again and say why."""
    try:
        after = game.played(game.board.position.parse(request.typed or ""))
    except MoveError as error:
        return responses.prompt_again(error.message, _your_move(game))
    too_many = responses.slow_down(BUSY_SECONDS)

    def finish() -> Response:
        try:
            return _redirect(model.with_replies(context.bots, after).address, narrow)
        except model.BotsBusy:
            return too_many

    if model.is_immediate(game.variant):
        return finish()
    return Wait(("tryout", request.address_key), finish, fallback=too_many)


def _game_at(
    visitor: Visitor, variant: str, line: str, *, in_words: bool = False
) -> model.Tryout | Response:
    """Return the game at the address of its page, or the response where it has no page there."""
    found, broken = _read(variant, line)
    if broken is not None:
        last = found.at_readers_turn
        return responses.page(visitor.preferences, "boards/broken.gmi", broken=broken, last=last)
    if found.is_bots_turn:
        return responses.redirect(_board_of(found))
    if line != found.board.line_as_written:
        return responses.redirect(narrowed(found.words if in_words else found.address))
    return found


def _read(variant: str, line: str) -> tuple[model.Tryout, BrokenLine | None]:
    """Return the game at the address that ends in `line`; raises `NotFound` if it is unreadable."""
    try:
        return model.tryout_of(VARIANTS[variant], line.split(",") if line else [])
    except InvalidMove:
        raise NotFound from None


def _board_of(game: model.Tryout) -> str:
    return boards.board_address(game.variant.key, game.board.line)


def _redirect(address: str, narrow: str | None) -> Response:
    return responses.redirect(f"{address}?{NARROW}" if narrow else address)


def _your_move(game: model.Tryout) -> Message:
    return message("Your move, {side}", side=game.variant.side_name(model.READER))


_LINE = "(?P<line>[^/]*)"
_BELOW = f"/try/{VARIANT}/(?:{_LINE}/)?"

ROUTES: Routes = (
    ("/try/", index),
    (f"{_BELOW}move(?:/(?P<narrow>{NARROW}))?", move, ANY),
    (f"{_BELOW}words", in_words),
    (f"/try/{VARIANT}/{_LINE}", position, CELL),
)

FEATURE = Feature(ROUTES)
