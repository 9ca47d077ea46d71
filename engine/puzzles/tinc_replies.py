"""Replies to a wrong answer to a puzzle of tinc."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product

from engine.boards.lines_across import COLUMN, ROW, Line, ends_of
from engine.bots.solvers.tinc import line_name
from engine.cells import Cell, cell_name, cells_in, column_name
from engine.messages import Message, in_context, message, plural
from engine.puzzles.model import Puzzle, Task
from engine.puzzles.tinc_lines import A_TURN, Lines, stops
from engine.variants.tinc import TincPosition


class Effect(Enum):
    """The effect of a reply."""

    FILLS = "fills a line, and wins"
    STOPS = "stops every line of the solver that matters"
    THREATENS = "makes a line ready"
    DELAYS = "stops what it can"
    BLOCKS = "gets in the way of a line"
    BUILDS = "goes on undisturbed"


@dataclass(frozen=True)
class Countermove:
    """A reply, what it does, and to which lines."""

    reply: str
    effect: Effect
    lines: tuple[Line, ...]


def best_countermove(position: TincPosition, move: str, task: Task) -> Countermove:
    """Return the best reply to a turn: it wins, stops all lines, threatens, or blocks the longest.

    After a turn that leaves more lines ready than can be stopped, it stops two of them. If the task
    is to hold, a line that can be ready again is made so.
    """
    after = position.play(move)
    own, theirs = Lines(after, after.turn), Lines(after, after.turn.other)
    if own.ready:
        line = own.ready[0]
        return Countermove(after.turn_in(ends_of(line, after.reach)), Effect.FILLS, (line,))
    if theirs.ready:
        stopped = theirs.ready[:A_TURN]
        cells = [min(ends_of(line, after.reach)) for line in stopped]
        return Countermove(after.turn_in(cells), Effect.STOPS, tuple(stopped))
    chosen = stops([theirs.gaps(line) for line in theirs.short])
    if chosen and not (task is Task.HOLD and own.short):
        reply = after.turn_in(_with_another(after, own, chosen))
        return Countermove(reply, Effect.STOPS, tuple(theirs.short))
    if own.short:
        line = own.short[0]
        return Countermove(after.turn_in(own.gaps(line)), Effect.THREATENS, (line,))
    return _block(after, own, theirs)


def _block(after: TincPosition, own: Lines, theirs: Lines) -> Countermove:
    """Return the turn that gets in the way of the longest lines."""
    if theirs.short:
        return Countermove(inside_reply(after), Effect.DELAYS, ())
    longest = theirs.longest()[:A_TURN]
    chosen = stops([theirs.gaps(line) for line in longest])
    if not chosen:
        return Countermove(inside_reply(after), Effect.BUILDS, ())
    return Countermove(
        after.turn_in(_with_another(after, own, chosen)), Effect.BLOCKS, tuple(longest)
    )


def inside_reply(position: TincPosition) -> str:
    """Return a turn that avoids the edge: it stops what it can, and builds with the rest."""
    theirs = Lines(position, position.turn.other)
    stopped: tuple[Cell, ...] = ()
    if not theirs.ready:
        targets = [theirs.gaps(line) for line in theirs.short]
        while targets and not stopped:
            stopped = stops(targets) or ()
            targets.pop()
    own = Lines(position, position.turn)
    return position.turn_in(_with_another(position, own, stopped))


def _with_another(position: TincPosition, own: Lines, cells: Collection[Cell]) -> Collection[Cell]:
    """Return cells for a turn, with others inside that build on an own line, if there is room."""
    chosen = [*cells]
    near = range(1 - position.reach, position.reach)
    building = [cell for line in own.longest() for cell in sorted(own.gaps(line))]
    for cell in (*building, *product(near, near)):
        if len(chosen) >= A_TURN:
            break
        if cell not in position.symbols and cell not in chosen:
            chosen.append(cell)
    return chosen


def sentences(
    puzzle: Puzzle, position: TincPosition, move: str, countermove: Countermove
) -> tuple[Message, ...]:
    """Return in words why a turn does not do what is asked, addressed to the solver as "you".

    Cells and lines are called as in the grid of the puzzle, with what they are called now beside.
    """
    after = position.play(move)
    now = after.play(countermove.reply)
    values = {
        "move": _turn_named(move, position, position, now),
        "side": after.turn,
        "lines": _named(countermove.lines, position.reach, now.reach),
        "reply": _turn_named(countermove.reply, after, position, now),
        "count": len(countermove.lines),
    }
    words = [_REPLIES[countermove.effect]]
    if countermove.effect is Effect.THREATENS and puzzle.task is Task.HOLD:
        # Translators: “it” is one of the lines that the solver should have stopped; {reply} is a
        # move.
        words = [message("{side} makes it ready again with {reply}, and you must act.")]
    if countermove.effect is not Effect.FILLS:
        words.insert(0, _shortcoming(puzzle, position, after))
    return tuple(each.filled(**values) for each in words)


_REPLIES: dict[Effect, Message] = {
    # Translators: {lines} is one line with the context “a line”; {move} and {reply} are moves.
    Effect.FILLS: message("{move} lets {side} fill {lines} with {reply} and win."),
    # Translators: {lines} are one or more lines with the context “a line”; {reply} is a move.
    Effect.STOPS: message("{side}'s reply {reply} stops {lines}."),
    # Translators: {lines} is one line with the context “a line”; {reply} is a move.
    Effect.THREATENS: message("{side} replies {reply}. Now {lines} is ready, and you must act."),
    # Translators: {reply} is a move.
    Effect.DELAYS: message("After {side}'s reply {reply} you need at least one turn more."),
    # Translators: {lines} are one or two lines with the context “a line”; {reply} is a move.
    Effect.BLOCKS: message("{side}'s reply {reply} gets in the way of {lines}."),
    # Translators: {reply} is a move.
    Effect.BUILDS: message("After {side}'s reply {reply} no line of yours is one turn from ready."),
}


def _shortcoming(puzzle: Puzzle, position: TincPosition, after: TincPosition) -> Message:
    """Return in words what a turn fails to do, with its values left open."""
    if puzzle.task is Task.HOLD:
        # Translators: {lines} are one or two lines with the context “a line”.
        return message("{move} saves you, but does not stop {lines}.")
    if after.reach > position.reach:
        return message("{move} touches the edge, and every line grows by two cells.")
    if puzzle.task is Task.WIN_IN:
        return message("{move} misses the win.")
    if Lines(after, position.turn).ready:
        # Translators: {lines} is one line, or two, with the context “a line”; “ready” belongs to
        # it.
        return plural("{move} leaves only {lines} ready.", "{move} leaves only {lines} ready.")
    if puzzle.turns == 3:
        return message("{move} can be answered without the edge.")
    return message("{move} leaves no line ready.")


def _turn_named(
    turn: str, mover: TincPosition, position: TincPosition, now: TincPosition
) -> Message | str:
    """Return a turn of the position `mover` as the grid of `position` names it, and that of `now`.

    A reply in a grid that a wrong turn has made larger is inside, and so is in the old grid, too.
    """
    cells = [cell for name in turn.split("+") for cell in cells_in(name) or ()]
    before, after = (
        "+".join(cell_name(column + by, row + by) for column, row in cells)
        for by in (each.reach - mover.reach for each in (position, now))
    )
    if before == after:
        return before
    # Translators: a move, and what it is called since the grid has grown: “a1+b2 (now b2+c3)”.
    return in_context("a move", "{before} (now {after})", before=before, after=after)


def _named(lines: Sequence[Line], reach: int, later: int) -> Message | tuple[Message, ...]:
    """Return the names of lines in the grid of the puzzle, and what they are called `later`.

    The grids are given by their reach.
    """
    names = [_line_named(line, reach, later) for line in lines]
    if len(names) < 2:
        return tuple(names)
    *others, last = names
    # Translators: two or more lines with the context “a line”; {others} is a list.
    return in_context("a line", "{others} and {last}", others=tuple(others), last=last)


def _line_named(line: Line, reach: int, later: int) -> Message:
    name = line_name(line, reach)
    if later == reach:
        return name
    direction, number = line
    if direction == ROW:
        # Translators: a line, and the number of its row since the grid has grown: “row 3 (now 4)”.
        return in_context("a line", "{line} (now {row})", line=name, row=number + later + 1)
    if direction == COLUMN:
        # Translators: a line, and the letter of its column since the grid has grown: “column c (now
        # d)”.
        return in_context(
            "a line", "{line} (now {column})", line=name, column=column_name(number + later)
        )
    first, last = (
        cell_name(column + later, row + later) for column, row in sorted(ends_of(line, later))
    )
    # Translators: a line, and its cells since the grid has grown: “the diagonal from a1 to e5 (now
    # from b2 to f6)”.
    return in_context(
        "a line", "{line} (now from {first} to {last})", line=name, first=first, last=last
    )
