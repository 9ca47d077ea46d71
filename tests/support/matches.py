"""Take the last match: a plug-in with rules and nothing else, no words and no rules page."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import variants
from engine.game import (
    IllegalMove,
    InvalidMove,
    Message,
    Outcome,
    Position,
    Side,
    Variant,
    message,
    won_by,
)
from engine.style import ASCII, Style


@dataclass(frozen=True)
class MatchesPosition(Position):
    """The matches that are left; players take one or two in turn."""

    left: int = 7
    turn: Side = Side.X
    outcome: Outcome | None = None

    def legal_moves(self) -> Sequence[str]:
        return [move for move in ("1", "2") if int(move) <= self.left]

    def parse(self, text: str) -> str:
        move = text.strip()
        if move not in {"1", "2"}:
            raise InvalidMove("Take 1 match or 2")
        if self.outcome is not None:
            raise IllegalMove("The game is over")
        if int(move) > self.left:
            raise IllegalMove("Only one match is left")
        return move

    def play(self, move: str) -> "MatchesPosition":
        if self.parse(move) != move:
            raise InvalidMove("Write the move as {move}", move=self.parse(move))
        left = self.left - int(move)
        end = None if left else won_by(self.turn, message("{side} took the last", side=self.turn))
        return MatchesPosition(left, self.turn.other, end)

    def diagram(self, style: Style = ASCII) -> str:
        del style
        return " ".join("|" * self.left)

    def describe(self) -> tuple[Message, ...]:
        return (message("There are {left} matches.", left=self.left), self.instruction())

    def instruction(self) -> Message:
        if self.outcome is not None:
            return message("The game is over: {reason}.", reason=self.outcome.reason)
        return message("{side} takes one or two matches.", side=self.turn)


MATCHES = Variant("matches", "Matches", "Take the Last Match", MatchesPosition())


def register() -> None:
    """Add the variant to those of the engine."""
    variants.register(MATCHES)


def unregister() -> None:
    """Take it back."""
    variants.unregister(MATCHES.key)
