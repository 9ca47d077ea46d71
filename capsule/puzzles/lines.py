"""Lines of play: moves from a position on, with their sides, and the board at the end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from capsule.ui.move_links import linked_moves
from engine import VARIANTS, Message
from engine.game import in_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position, Variant
    from engine.game import View
    from engine.style import Style

KEPT_POSITIONS = 500
"""The number of positions that are cached instead of being replayed."""


@dataclass(frozen=True, slots=True)
class Line:
    """Moves from a position on: `before` are those that led to it, `moves` those of the line.

    `positions` are the one before the first move of the line and those after each of them.
    """

    variant: Variant
    before: tuple[str, ...]
    moves: tuple[str, ...]
    positions: tuple[Position, ...]

    @property
    def position(self) -> Position:
        """The position at the end."""
        return self.positions[-1]

    @property
    def played(self) -> tuple[str, ...]:
        """All moves from the start of the game."""
        return (*self.before, *self.moves)

    @property
    def ply(self) -> int:
        """The number of moves that led to the position at the end."""
        return len(self.before) + len(self.moves)

    @property
    def latest(self) -> Sequence[str]:
        """The cells that the last move has marked."""
        if self.moves:
            return self.positions[-2].marked_by(self.moves[-1])
        if self.before:
            return _replayed(self.variant, self.before[:-1]).marked_by(self.before[-1])
        return ()

    @property
    def move_links(self) -> Sequence[str]:
        """The moves at the end that have a link of their own: all of them, if there are few."""
        return linked_moves(self.position)

    def up_to_reply(self) -> Line:
        """Return the line up to the first move of the other side; all of it if there is none."""
        side = self.positions[0].turn
        moves = zip(self.positions, self.moves, strict=False)
        count = next((n for n, (before, _) in enumerate(moves, 1) if before.turn is not side), None)
        if count is None:
            return self
        return Line(self.variant, self.before, self.moves[:count], self.positions[: count + 1])

    def view(self, style: Style, around: str | None = None) -> View:
        """Return the board at the end, as a page shows it."""
        return self.position.view(around, style, self.latest)

    @property
    def narration(self) -> Message:
        """The moves of the line, each with the side that plays it: "X e5, O d4"."""
        moves = (
            in_context(
                "a move in a list",
                "{side} {move}",
                side=self.variant.side_name(before.turn),
                move=move,
            )
            for before, move in zip(self.positions, self.moves, strict=False)
        )
        return Message("{moves}", {"moves": tuple(moves)})


def line(variant: str, before: Sequence[str], moves: Sequence[str] = ()) -> Line:
    """Return the line of `moves` after those `before` them; raises the engine's errors."""
    played = VARIANTS[variant]
    positions = [_replayed(played, tuple(before))]
    for move in moves:
        positions.append(positions[-1].play(move))
    return Line(played, tuple(before), tuple(moves), tuple(positions))


@lru_cache(KEPT_POSITIONS)
def _replayed(variant: Variant, moves: tuple[str, ...]) -> Position:
    return variant.replay(moves)
