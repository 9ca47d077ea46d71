"""An annotated game: its moves and their effects, its boards and their addresses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from capsule.ui.board_addresses import board_address
from capsule.ui.render import Block, block, translate
from engine import VARIANTS
from engine.game import in_context, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Message, Position
    from engine.style import Style


@dataclass(frozen=True)
class AnnotatedGame:
    """A game and how its reader wants boards drawn. Moves are counted from 1; 0 is the start."""

    variant: str
    moves: tuple[str, ...]
    style: Style

    @cached_property
    def positions(self) -> Sequence[Position]:
        """The positions from the start to the end."""
        positions = [VARIANTS[self.variant].start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    @property
    def last(self) -> int:
        """The number of the last move."""
        return len(self.moves)

    @property
    def end(self) -> Message:
        """The reason for the result of the game, which must be over."""
        outcome = self.positions[-1].outcome
        if outcome is None:
            raise ValueError(f"The game of {self.variant} is not over")
        return outcome.reason

    def board(self, number: int) -> Block:
        """Return the board after `count` moves, with the marks of the last one in brackets."""
        before, after = self.positions[max(number - 1, 0)], self.positions[number]
        if number == 0:
            return block(after.close_up(self.style), translate(message("The board at the start")))
        move = self.moves[number - 1]
        title = message("The board after move {number}, {move}", number=number, move=move)
        return block(after.close_up(self.style, before.marked_by(move)), translate(title))

    def address(self, number: int | None = None) -> str:
        """Return the address of the board after a number of moves, by default after the last."""
        return board_address(self.variant, self.moves[: self.last if number is None else number])

    @cached_property
    def _sentences(self) -> Sequence[Message]:
        return [self._sentence(number) for number in range(1, self.last + 1)]

    def move(self, number: int) -> Message:
        """Return a move with its number and who made it, and what it does: "12. X: b2"."""
        return self._sentences[number - 1]

    def _sentence(self, number: int) -> Message:
        position = self.positions[number - 1]
        move = self.moves[number - 1]
        side = VARIANTS[self.variant].side_name(position.turn)
        effect = position.effect(move)
        if effect is None:
            narration = position.narration(move)
            return message("{number}. {side}: {move}", number=number, side=side, move=narration)
        return message(
            "{number}. {side}: {move} {effect}", number=number, side=side, move=move, effect=effect
        )

    def sentences(self, first: int, last: int) -> Sequence[Message]:
        """Return the moves from one number to another, as `move` words them."""
        return [self.move(number) for number in range(first, last + 1)]

    def in_brief(self, first: int, last: int) -> Message:
        """Return the moves from one number to another in one line, without their effects."""
        numbers = range(first, last + 1)
        moves = tuple(self._in_brief(number) for number in numbers)
        return message("Moves {first} to {last}: {moves}", first=first, last=last, moves=moves)

    def _in_brief(self, number: int) -> Message:
        side = VARIANTS[self.variant].side_name(self.positions[number - 1].turn)
        return in_context(
            "a move in a list", "{side} {move}", side=side, move=self.moves[number - 1]
        )


@lru_cache(maxsize=256)
def annotated_game(variant: str, moves: str, style: Style) -> AnnotatedGame:
    """Return a game, by its moves separated by spaces; the same one for all who read it alike."""
    return AnnotatedGame(variant, tuple(moves.split()), style)
