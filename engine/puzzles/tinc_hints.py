"""Hints to puzzles of tinc, and faults of turns: which lines matter, and what they lack."""

from engine.boards.lines_across import ends_of
from engine.bots.solvers.tinc import line_name
from engine.messages import Message, message, plural
from engine.puzzles.model import Puzzle, Task
from engine.puzzles.tinc_lines import Lines
from engine.variants.tinc import TincPosition


def idea_in_words(puzzle: Puzzle, position: TincPosition) -> Message:
    """Return what to look for, in a sentence."""
    if puzzle.task is Task.WIN_IN:
        return message("One of your lines lacks only its two ends.")
    if puzzle.task is Task.HOLD:
        return message(
            "Each line has two ends on the edge. A symbol on one of them stops it for good."
        )
    if puzzle.task is Task.FORK:
        return message(
            "One move makes at least three lines ready. Look for cells that lines share."
        )
    if puzzle.turns == 2:
        return message("One of your lines lacks only two cells besides its ends.")
    after = position.play(puzzle.solutions[0])
    # Translators: a line is ready if one turn fills it.
    return plural(
        "One move leaves {count} line one turn from ready. Look for cells that lines share.",
        "One move leaves {count} lines one turn from ready. Look for cells that lines share.",
        count=len(Lines(after, position.turn).short),
    )


def area_in_words(puzzle: Puzzle, position: TincPosition) -> Message:
    """Return where to look, in a sentence."""
    own = Lines(position, position.turn)
    if puzzle.task is Task.HOLD:
        first, second = Lines(position, position.turn.other).ready
        # Translators: {first} and {second} are lines with the context “a line”.
        return message(
            "The lines are {first} and {second}.",
            first=line_name(first, position.reach),
            second=line_name(second, position.reach),
        )
    if puzzle.task is Task.WIN_IN:
        # Translators: {line} is a line with the context “a line”.
        return message("Look at {line}.", line=line_name(own.ready[0], position.reach))
    after = Lines(position.play(puzzle.solutions[0]), position.turn)
    built = next(iter(after.ready or after.short))
    if puzzle.turns == 2:
        # Translators: {line} is a line with the context “a line”.
        return message("Look at {line}.", line=line_name(built, position.reach))
    # Translators: {line} is a line with the context “a line”.
    return message("One of the lines is {line}.", line=line_name(built, position.reach))


def fault_in_words(position: TincPosition, move: str) -> tuple[Message, ...]:
    """Return which win a turn misses, or which line it leaves ready, in sentences."""
    after = position.play(move)
    own = Lines(position, position.turn).ready
    if own:
        line = line_name(own[0], position.reach)
        best = position.turn_in(ends_of(own[0], position.reach))
        return (
            message("{move} misses the win.", move=move),
            # Translators: {line} is a line with the context “a line”, {best} a move.
            message("You had {line} ready, and {best} fills it.", line=line, best=best),
        )
    theirs = Lines(after, after.turn).ready
    if not theirs:
        return ()
    return (
        # Translators: {line} is a line with the context “a line”.
        message(
            "After {move}, {line} is ready for {side}.",
            move=move,
            line=line_name(theirs[0], after.reach),
            side=after.turn,
        ),
    )
