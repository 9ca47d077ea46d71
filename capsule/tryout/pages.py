"""Games without a certificate, whose whole state is their address; nothing is stored.

All visitors see the same, and the same moves always get the same replies of the bot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile
from random import Random

from capsule.accounts.identity import Visitor, reader_of, static_page
from capsule.boards.model import Board, BrokenLine, follow
from capsule.bots.service import STRANGERS, BotService
from capsule.context import AppContext
from capsule.errors import NotFound, require_worker
from capsule.feature import Feature
from capsule.gemini.types import Request, Response, Wait
from capsule.ui import boards, columns, responses, routes
from engine import VARIANTS, InvalidMove, Message, MoveError, Outcome, Side, Variant, message
from engine.bots import level, levels_of
from engine.variants import BUILT_IN

READER = Side.X
"""The side of the reader, who makes the first move of every game."""

LEVEL = "novice"
"""The level of the bot, which every variant has."""


@dataclass(frozen=True, slots=True)
class Tryout:
    """A game between its reader and the bot: the board at the start, and that after each move."""

    boards: tuple[Board, ...]

    @property
    def board(self) -> Board:
        """The board after the last move."""
        return self.boards[-1]

    @property
    def variant(self) -> Variant:
        return self.board.variant

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules, None while it is being played."""
        return self.board.position.outcome

    @property
    def ply(self) -> int:
        """The number of moves."""
        return self.board.ply

    @property
    def is_bots_turn(self) -> bool:
        """Whether the game is being played, and it is the bot's turn."""
        return self.outcome is None and self.board.position.turn is not READER

    @property
    def bots_moves(self) -> Sequence[Message]:
        """The bot's moves since the reader's last one, with their effects."""
        last = takewhile(lambda board: not _is_after_readers_move(board), reversed(self.boards))
        return [*filter(None, map(_narration, reversed([*last])))]

    @property
    def own_last_move(self) -> Message | None:
        """The reader's move if it is the last one, with its effect, else None."""
        return _narration(self.board) if _is_after_readers_move(self.board) else None

    @property
    def points(self) -> tuple[float, float] | None:
        """The points of X and O, None while it is being played."""
        return self.outcome.points if self.outcome else None

    @property
    def address(self) -> str:
        return tryout_address(self.variant.key, self.board.line)

    @property
    def words(self) -> str:
        """The address of the position in words."""
        return f"{self.address.rstrip('/')}/words"

    @property
    def before_own_move(self) -> "Tryout | None":
        """The game before the reader's last move, None if there is none."""
        ply = next((ply for ply in self._plies_of_reader if ply < self.ply), None)
        return None if ply is None else Tryout(self.boards[: ply + 1])

    @property
    def at_readers_turn(self) -> "Tryout":
        """The game as it was when the reader was to move last."""
        return Tryout(self.boards[: next(iter(self._plies_of_reader)) + 1])

    def may_move(self, origin: str) -> bool:
        """Return whether the reader is to move, and the address has room for the next moves."""
        is_over = self.outcome is not None
        return not (is_over or self.is_bots_turn) and boards.fits(origin, self.address)

    def played(self, move: str) -> "Tryout":
        """Return the game after a move in canonical notation; raises the engine's errors."""
        return Tryout((*self.boards, self.board.played(move)))

    @property
    def _plies_of_reader(self) -> Sequence[int]:
        """The numbers of moves after which the reader is to move, the last one first."""
        return [
            ply
            for ply, board in reversed([*enumerate(self.boards)])
            if board.position.outcome is None and board.position.turn is READER
        ]


def _is_after_readers_move(board: Board) -> bool:
    return board.before is not None and board.before.turn is READER


def _narration(board: Board) -> Message | None:
    """Return the move to a board with its effect, None at the start."""
    return None if board.before is None else board.before.narration(board.line[-1])


def tryout_of(variant: Variant, moves: Sequence[str]) -> tuple[Tryout, BrokenLine | None]:
    """Return the game after these moves from the start, and where they break the rules, if at all.

    The moves may be typed in any readable way; raises `InvalidMove` if one cannot be read.
    """
    reached = [Board(variant, variant.start)]
    for typed in moves:
        found = follow(reached[-1], [typed])
        if isinstance(found, BrokenLine):
            return Tryout(tuple(reached)), found
        reached.append(found)
    return Tryout(tuple(reached)), None


def tryout_address(variant: str, moves: Sequence[str]) -> str:
    """Return the address of the game after these moves from the start of a variant, by its key.

    >>> tryout_address("tinc", ["a1", "c2+c3"]), tryout_address("numeric", [])
    ('/try/tinc/a1,c2+c3', '/try/numeric/')
    """
    return f"/try/{variant}/{boards.quoted(','.join(moves))}"


class BotsBusy(Exception):
    """No bot had time for a move."""


def is_immediate(variant: Variant) -> bool:
    """Return whether the bot's replies take no longer than a page, as in built-in variants.

    There the level takes a few milliseconds and looks at no clock. A level of a plug-in may take
    long, and thinks in the bots' processes.
    """
    return variant.key in BUILT_IN


def with_replies(bots: BotService, game: Tryout) -> Tryout:
    """Return the game after the bot's moves, in which the reader is to move or which is over.

    Raises `BotsBusy` if a bot in the bots' processes has no time.
    """
    while game.is_bots_turn:
        game = game.played(_reply(bots, game))
    return game


def _reply(bots: BotService, game: Tryout) -> str:
    digest = sha256(f"{game.variant.key} {game.board.line_as_written}".encode()).digest()
    seed = int.from_bytes(digest)
    if is_immediate(game.variant):
        require_worker()
        opponent = level(game.variant.key, LEVEL)
        return opponent.bot.choose(game.board.position, opponent.seconds, Random(seed)).move
    move = bots.move(game.variant.key, game.board.line, LEVEL, seed, STRANGERS)
    if move is None:
        raise BotsBusy
    return move


BUSY_SECONDS = 5
"""Seconds after which a move may be made again that no bot had time to answer."""

FEW_MOVES = 2
"""The number of legal moves up to which their links come before the one to type a move."""


@dataclass(frozen=True, slots=True)
class TryoutPage:
    """A game as its page shows it to a visitor of the capsule at an `origin`."""

    game: Tryout
    visitor: Visitor
    origin: str

    @property
    def prompt(self) -> str:
        """The address at which the reader moves, whose query is the move."""
        width = f"/{columns.NARROW}" if self.visitor.is_narrow else ""
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
        line, side = self.game.board.line_as_written, READER.value.lower()
        address = boards.new_game_with_bot(self.game.variant.key, line, side, LEVEL)
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


@routes.cacheable
@routes.narrowable
def index(context: AppContext, request: Request) -> Response:
    """Return the page that says what these games are, and leads to one of each variant."""
    visitor = reader_of(context, request)
    return static_page(context, visitor, "tryout/index.gmi", variants=boards.easiest_first())


@routes.cacheable
@routes.narrowable
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
        is_wide=columns.is_wide_drawing(board.drawing, board.overview),
        level=LEVEL,
        reader=READER,
    )
    return replace(shown, ignores_query=not board.ways)


@routes.cacheable
@routes.narrowable
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
        level=LEVEL,
        reader=READER,
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
        return _redirect(tryout_address(variant, moves), narrow)
    if game.is_bots_turn:
        return responses.redirect(_board_of(game))
    if not game.may_move(context.origin):
        return _redirect(game.address, narrow)
    if request.typed:
        return _moved(context, request, game, narrow)
    example = message("For example {move}.", move=game.board.position.example())
    return responses.prompt(game.board.position.instruction(), example, _your_move(game))


def _moved(
    context: AppContext, request: Request, game: Tryout, narrow: str | None
) -> Response | Wait:
    """Return the redirect to the position after the bot's replies, or ask again and say why."""
    try:
        after = game.played(game.board.position.parse(request.typed or ""))
    except MoveError as error:
        return responses.prompt_again(error.message, _your_move(game))
    too_many = responses.slow_down(BUSY_SECONDS)

    def finish() -> Response:
        try:
            return _redirect(with_replies(context.bots, after).address, narrow)
        except BotsBusy:
            return too_many

    if is_immediate(game.variant):
        return finish()
    return Wait(("tryout", request.address_key), finish, fallback=too_many)


def _game_at(
    visitor: Visitor, variant: str, line: str, *, in_words: bool = False
) -> Tryout | Response:
    """Return the game at the address of its page, or the response where it has no page there."""
    found, broken = _read(variant, line)
    if broken is not None:
        last = found.at_readers_turn
        return responses.page(visitor.preferences, "boards/broken.gmi", broken=broken, last=last)
    if found.is_bots_turn:
        return responses.redirect(_board_of(found))
    if line != found.board.line_as_written:
        return responses.redirect(columns.narrowed(found.words if in_words else found.address))
    return found


def _read(variant: str, line: str) -> tuple[Tryout, BrokenLine | None]:
    """Return the game at the address that ends in `line`; raises `NotFound` if it is unreadable."""
    try:
        return tryout_of(VARIANTS[variant], line.split(",") if line else [])
    except InvalidMove:
        raise NotFound from None


def _board_of(game: Tryout) -> str:
    return boards.board_address(game.variant.key, game.board.line)


def _redirect(address: str, narrow: str | None) -> Response:
    return responses.redirect(f"{address}?{columns.NARROW}" if narrow else address)


def _your_move(game: Tryout) -> Message:
    return message("Your move, {side}", side=game.variant.side_name(READER))


_LINE = "(?P<line>[^/]*)"
_BELOW = f"/try/{routes.VARIANT}/(?:{_LINE}/)?"

ROUTES: routes.Routes = (
    ("/try/", index),
    (f"{_BELOW}move(?:/(?P<narrow>{columns.NARROW}))?", move, routes.ANY),
    (f"{_BELOW}words", in_words),
    (f"/try/{routes.VARIANT}/{_LINE}", position, routes.CELL),
)

FEATURE = Feature(ROUTES)
