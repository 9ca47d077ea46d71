"""Games without a certificate as addressed: the positions to which the moves lead.

The same moves always get the same replies of the bot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import takewhile
from random import Random

from capsule.boards.model import Board, BrokenLine, follow
from capsule.bots.service import STRANGERS, BotService
from capsule.errors import require_worker
from capsule.ui.boards import fits, quoted
from engine import Message, Outcome, Side, Variant
from engine.bots import level
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
        """The variant."""
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
        """The address of the game."""
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
        return not (is_over or self.is_bots_turn) and fits(origin, self.address)

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
    boards = [Board(variant, variant.start)]
    for typed in moves:
        found = follow(boards[-1], [typed])
        if isinstance(found, BrokenLine):
            return Tryout(tuple(boards)), found
        boards.append(found)
    return Tryout(tuple(boards)), None


def tryout_address(variant: str, moves: Sequence[str]) -> str:
    """Return the address of the game after these moves from the start of a variant, by its key.

    >>> tryout_address("tinc", ["a1", "c2+c3"]), tryout_address("numeric", [])
    ('/try/tinc/a1,c2+c3', '/try/numeric/')
    """
    return f"/try/{variant}/{quoted(','.join(moves))}"


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
