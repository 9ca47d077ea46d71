"""Puzzles of numeric, proven by the solver, which searches to the end of the game.

A puzzle is a position where one move alone wins, or one move alone does not lose. How far one must
look is how many own turns the win takes, or, to save oneself, how many turns the other side takes
to win after the wrong move that loses latest.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from engine.boards.grid import LINES, NINE, SYMMETRIES
from engine.boards.line_names import IN_LINE
from engine.bots.solvers.numeric import values
from engine.bots.solvers.numeric_search import NumericSearch, lines_made
from engine.game import Position, Side
from engine.messages import Message, in_context, message
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.proofs import Proven, Prover
from engine.variants.numeric import SIDE_NAMES, TARGET, NumericPosition


class NumericProver(Prover):
    """Proves by the exact value of every move."""

    def prove(self, position: Position) -> Proven | None:
        """Return what is proven of a position where one move alone wins, or does not lose."""
        numeric = NumericPosition.of(position)
        worth = values(numeric)
        best = max(worth.values(), default=-1.0)
        solutions = tuple(move for move, value in worth.items() if value == best)
        if best < 0 or len(solutions) != 1 or len(worth) == 1:
            return None
        line = _best_line(numeric, solutions[0])
        wrong = [numeric.play(move) for move in worth if move not in solutions]
        tempting = sum(not _wins_at_once(after) for after in wrong)
        wins = best > 0
        turns = (len(line) + 1) // 2
        return Proven(
            task=Task.WIN_IN if wins else Task.SAVE,
            turns=turns if wins else None,
            solutions=solutions,
            line=line,
            before=Value.WIN if wins else Value.DRAW,
            proof=Proof.EXACT,
            look=turns if wins else max(map(_turns_to_win, wrong)),
            tempting=tempting,
        )

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        """Return the other side's best reply, the line from there, and what the reply does."""
        del puzzle
        return _refutation(position, move)

    def fault(self, position: Position, move: str, better: str) -> tuple[Message, ...]:
        """Return the other side's best reply, and what it does."""
        del better
        return _refutation(position, move).sentences

    def idea(self, puzzle: Puzzle, position: Position) -> Message:
        """Return what the right move threatens, or, in a draw, what the other side does."""
        numeric = NumericPosition.of(position)
        if puzzle.task is Task.SAVE:
            return _danger(puzzle, numeric)
        after = numeric.play(puzzle.solutions[0])
        if after.outcome is not None:
            return message("You can make 15 now.")
        other = SIDE_NAMES[after.turn]
        threats = len([*islice(_fifteens(after, numeric.turn), 2)])
        return _IDEAS[threats].filled(other=other)

    def area(self, puzzle: Puzzle, position: Position) -> Message:
        """Return what kind of cell the right one is."""
        del position
        cell = puzzle.solutions[0].partition("=")[0]
        return _KINDS_OF_CELLS[NINE.index(cell) % 2 if cell != _CENTRE else 2]

    def images(self, position: Position, move: str) -> Sequence[str]:
        """Return the move turned and mirrored, with each of the renumberings."""
        split = [each.partition("=") for each in position.images(move)]
        return [
            f"{cell}={renumbering[int(number)]}"
            for renumbering in RENUMBERINGS
            for cell, _, number in split
        ]


_IDEAS = (
    # Translators: {other} is Odd or Even.
    message("The right move makes no threat yet. Look for one that leaves {other} no good reply."),
    # Translators: {other} is Odd or Even.
    message("The right move makes a threat that {other} must answer."),
    message("The right move threatens 15 in two cells at once."),
)
"""The first hint, by the number of cells in which the right move threatens 15, two at most."""

_CENTRE = "b2"

_KINDS_OF_CELLS: tuple[Message, ...] = (
    message("The right cell is a corner."),
    message("The right cell is in the middle of a side."),
    message("The right cell is the centre."),
)

_MAGIC_SQUARE = (2, 7, 6, 9, 5, 1, 4, 3, 8)
"""The numbers in a square whose rows, columns and diagonals are all the ways to make 15."""

RENUMBERINGS: tuple[Mapping[int, int], ...] = tuple(
    {_MAGIC_SQUARE[place]: _MAGIC_SQUARE[image] for place, image in enumerate(symmetry)}
    for symmetry in SYMMETRIES
)
"""The eight ways to turn or mirror the magic square: odd numbers stay odd, and every 15 stays."""

PROVER = NumericProver()
"""Proves the puzzles of numeric."""


def _refutation(position: Position, move: str) -> Refutation:
    """Return the other side's best reply to a legal move, the line from there, and what it does."""
    after = NumericPosition.of(position).play(move)
    if after.outcome is not None:
        # Translators: {reason} is a clause with the context “why a game ended”.
        end = message("{move} ends the game: {reason}.", move=move, reason=after.outcome.reason)
        return Refutation(move, (), (end,))
    reply = _best_reply(after)
    line = _best_line(after, reply)
    return Refutation(move, line, tuple(_sentences(move, after, line)))


def _danger(puzzle: Puzzle, position: NumericPosition) -> Message:
    """Return what the other side threatens where one move alone does not lose."""
    other = SIDE_NAMES[position.turn.other]
    threat = next(_fifteens(position, position.turn.other), None)
    if threat is None:
        # Translators: {other} is Odd or Even.
        return message(
            "{other} threatens nothing yet. Ask of each move which 15 it allows.", other=other
        )
    made, line = threat
    cell = made.partition("=")[0]
    if all(move in puzzle.solutions for move in position.legal_moves() if move.startswith(cell)):
        # Translators: {line} has the context “in a line”; {other} is Odd or Even.
        return message("{other} threatens 15 in {line}.", other=other, line=line)
    # Translators: {line} has the context “in a line”; {other} is Odd or Even.
    return message(
        "{other} threatens 15 in {line}. Not every move that stops it is safe.",
        other=other,
        line=line,
    )


def _best_line(position: NumericPosition, move: str) -> tuple[str, ...]:
    """Return best play from a move on: to the end, or until nobody can make 15."""
    line = [move]
    position = position.play(move)
    while position.outcome is None and not _is_dead(position):
        reply = _best_reply(position)
        line.append(reply)
        position = position.play(reply)
    return tuple(line)


def _best_reply(position: NumericPosition) -> str:
    """Return the move that wins soonest, else one that draws, else one that loses latest.

    Of several, it leaves the other side the fewest moves as good as its best.
    """
    best = NumericSearch(position).best_scores()
    return min(best, key=lambda move: _ways_on(position.play(move)))


def _ways_on(position: NumericPosition) -> int:
    worth = [*values(position).values()]
    return worth.count(max(worth)) if worth else 0


def _turns_to_win(position: NumericPosition) -> int:
    """Return how many own turns the side to move takes to win."""
    score = max(NumericSearch(position).best_scores().values())
    return (position.cells.count(None) - score) // 2 + 1


def _wins_at_once(position: NumericPosition) -> bool:
    return any(_fifteens(position, position.turn))


def _fifteens(position: NumericPosition, side: Side) -> Iterator[tuple[str, Message]]:
    """Yield for each cell where a side could make 15 if it were to move, the move and its line."""
    hand = position.odd if side is Side.X else position.even
    for place, cell in enumerate(NINE):
        if position.cells[place] is None:
            made = ((number, lines_made(position.cells, place, number)) for number in hand)
            yield from islice(
                ((f"{cell}={number}", IN_LINE[lines[0]]) for number, lines in made if lines), 1
            )


def _is_dead(position: NumericPosition) -> bool:
    """Return whether no line can be filled to make 15 with the numbers left."""
    left = (*position.odd, *position.even)
    return not any(
        _can_make(TARGET, [position.cells[place] for place in line], left) for line in LINES
    )


def _can_make(target: int, cells: Sequence[int | None], left: Sequence[int]) -> bool:
    """Return whether the empty cells among these can be filled to reach the target sum."""
    if None not in cells:
        return False
    missing = target - sum(cell for cell in cells if cell is not None)
    return _is_sum(missing, cells.count(None), left)


def _is_sum(total: int, count: int, numbers: Sequence[int]) -> bool:
    if count == 0:
        return total == 0
    return any(
        _is_sum(total - number, count - 1, numbers[index + 1 :])
        for index, number in enumerate(numbers)
    )


def _sentences(move: str, after: NumericPosition, line: Sequence[str]) -> Iterator[Message]:
    """Yield in words what a wrong move allows the other side, whose turn it is after it."""
    side, reply = after.turn, line[0]
    # Translators: {move} and {reply} are moves; {side} is X or O, or Odd or Even.
    yield message(
        "{move} lets {side} reply {reply}.", move=move, side=SIDE_NAMES[side], reply=reply
    )
    last = after
    for number, made in enumerate(line, start=1):
        last = last.play(made)
        dilemma = _dilemma(last, side)
        if dilemma is not None:
            if number > 1:
                # Translators: {moves} is a list of moves.
                yield message("Play goes on {moves}.", moves=tuple(line[1:number]))
            yield dilemma
            return
    if last.outcome is None or last.outcome.winner is None:
        yield _drawn(after, reply)
    else:
        # Translators: {reason} is a clause with the context “why a game ended”.
        yield message("Then {reason}.", reason=last.outcome.reason)


def _dilemma(position: NumericPosition, side: Side) -> Message | None:
    """Return in words why every move of the solver lets `side` make 15, None if one does not."""
    if position.outcome is not None or position.turn is side:
        return None
    moves = position.legal_moves()
    answers = {move: _fifteen(position.play(move), side) for move in moves}
    if None in answers.values():
        return None
    threats = [*islice(_fifteens(position, side), 2)]
    if not threats:
        # Translators: {side} is Odd or Even; {move} and {answer} are moves.
        return message(
            "Now each of your moves lets {side} make 15. For example, {move} allows {answer}.",
            side=SIDE_NAMES[side],
            move=moves[0],
            answer=answers[moves[0]],
        )
    (first, first_line), *others = threats
    if others:
        ((second, second_line),) = others
        # Translators: {first} and {second} are moves; {first_line} and {second_line} have the
        # context “in a line”.
        return message(
            "You cannot stop both {first} in {first_line} and {second} in {second_line}.",
            first=first,
            first_line=first_line,
            second=second,
            second_line=second_line,
        )
    cell = first.partition("=")[0]
    blocks = tuple(
        # Translators: part of a list: “a1=3 allows c3=4, a1=5 allows c3=2”.
        in_context("moves that fail", "{block} allows {answer}", block=block, answer=answer)
        for block, answer in answers.items()
        if block.startswith(cell)
    )
    # Translators: {threat} is a move, {line} has the context “in a line”; {blocks} is a list such
    # as “a1=3 allows c3=4, a1=5 allows c3=2”.
    return message(
        "You cannot stop {threat} in {line} without allowing another 15: {blocks}.",
        threat=first,
        line=first_line,
        blocks=blocks,
    )


def _fifteen(position: NumericPosition, side: Side) -> str | None:
    """Return a move that makes 15, given that it is the turn of `side` and the game is not over."""
    if position.outcome is not None:
        return None
    return next((move for move, _line in _fifteens(position, side)), None)


def _drawn(after: NumericPosition, reply: str) -> Message:
    """Return in words how a reply to a wrong move holds the draw."""
    cell = reply.partition("=")[0]
    stopped = [line for made, line in _fifteens(after, after.turn.other) if made.startswith(cell)]
    if stopped:
        # Translators: {line} has the context “in a line”. “It” is the other side's reply.
        return message(
            "It stops your 15 in {line}. With best play the game is drawn.", line=stopped[0]
        )
    return message("With best play nobody makes 15 after that, and the game is drawn.")
