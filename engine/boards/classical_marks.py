"""The classical marks of quantum tic-tac-toe: whose they are, their lines, and what these score.

`settled` has the subscript of the mark in each of the nine squares, 0 if none has settled.
"""

from collections.abc import Sequence

from engine.boards.grid import HAS_LINE, NINE, completed_lines
from engine.game import Outcome, Side, won_by
from engine.messages import Message, in_context, message

_DRAW = Outcome(
    None,
    in_context(
        "why a game ended", "all cells have settled without three in a row, so nobody scores"
    ),
    (0, 0),
)


def side_of(number: int) -> Side:
    """Return the side that makes move `number`, counted from 1: X the odd ones, O the even."""
    return Side.X if number % 2 else Side.O


def mark_name(number: int) -> str:
    """Return what the marks of move `number` are called.

    >>> mark_name(1), mark_name(6)
    ('x1', 'o6')
    """
    return f"{side_of(number).value.lower()}{number}"


def settled_mask(settled: Sequence[int]) -> int:
    """Return the mask of the squares that hold a classical mark."""
    return sum(1 << place for place, number in enumerate(settled) if number)


def mask_of(settled: Sequence[int], side: Side) -> int:
    """Return the mask of the squares that hold a classical mark of `side`."""
    return sum(
        1 << place for place, number in enumerate(settled) if number and side_of(number) is side
    )


def outcome_of(settled: Sequence[int]) -> Outcome | None:
    """Return the outcome of a game in which these marks have settled, None until it has ended."""
    lines: dict[Side, Sequence[tuple[int, int, int]]] = {}
    for side in Side:
        mask = mask_of(settled, side)
        if HAS_LINE[mask]:
            lines[side] = completed_lines(mask)
    if len(lines) == 2:  # each has one then: two lines of five marks leave no third
        return _shared(settled, lines[Side.X][0], lines[Side.O][0])
    for side, own in lines.items():
        line = _line_words(settled, own[0])
        if len(own) == 1:
            # Translators: {line} is a list of three cells with their marks, such as “a1 (x3)”.
            reason = in_context(
                "why a game ended", "{side} has three in a row: {line}", side=side, line=line
            )
            return won_by(side, reason)
        # Translators: {first} and {second} are lists of three cells with their marks.
        reason = in_context(
            "why a game ended",
            "{side} has three in a row twice: {first} and {second}",
            side=side,
            first=line,
            second=_line_words(settled, own[1]),
        )
        return won_by(side, reason)
    return _DRAW if all(settled) else None


def _shared(settled: Sequence[int], x_line: Sequence[int], o_line: Sequence[int]) -> Outcome:
    """Return the outcome if both have a line: the lower highest subscript scores 1."""
    x_value, o_value = _value(settled, x_line), _value(settled, o_line)
    winner = Side.X if x_value < o_value else Side.O
    # Translators: {x_line} and {o_line} are lists of three cells with their marks, such as “a1
    # (x3)”; {lower} and {higher} are numbers, {winner} and {loser} are X and O.
    reason = in_context(
        "why a game ended",
        "both have three in a row. X's line is {x_line}, and O's is {o_line}. The highest number "
        "in {winner}'s is {lower}, in {loser}'s {higher}. {winner} scores 1 point and {loser} ½",
        x_line=_line_words(settled, x_line),
        o_line=_line_words(settled, o_line),
        winner=winner,
        loser=winner.other,
        lower=min(x_value, o_value),
        higher=max(x_value, o_value),
    )
    return Outcome(winner, reason, (1, 0.5) if winner is Side.X else (0.5, 1))


def _value(settled: Sequence[int], line: Sequence[int]) -> int:
    return max(settled[place] for place in line)


def _line_words(settled: Sequence[int], line: Sequence[int]) -> tuple[Message, ...]:
    return tuple(
        # Translators: a cell and the mark in it, such as “a1 (x3)”.
        message("{cell} ({mark})", cell=NINE[place], mark=mark_name(settled[place]))
        for place in line
    )
