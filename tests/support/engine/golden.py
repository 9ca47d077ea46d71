"""Games shown ply by ply in text files, which a person checks against the rules.

A file in tests/data/golden begins with a comment that says what to look at, the variant and the
moves. All that follows, the board and the words after each move, is written by

    python -m tests.support.engine.golden --write

To add a game, write the head of a new file and run this. After it has changed a file, read what
changed as a person would: a golden file that nobody has read proves nothing. Without --write it
only lists the files that differ from what the engine says.
"""

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from engine import ASCII, VARIANTS, Position, Style

FOLDER = Path(__file__).parents[2] / "data" / "golden"


class Head(NamedTuple):
    """The part that a person writes: comment lines that begin with #, the variant and the moves.

    `columns` is the greatest width of boards.
    """

    comment: str
    variant: str
    moves: Sequence[str]
    columns: int = ASCII.columns


def head_of(text: str) -> Head:
    """Return the head of a golden file."""
    comment = "".join(row for row in text.splitlines(keepends=True) if row.startswith("#"))
    tags, _, _ = text.removeprefix(comment).strip().partition("\n\n")
    variant, moves = tags.removeprefix("variant: ").split("\nmoves: ")
    variant, _, columns = variant.partition("\ncolumns: ")
    return Head(comment, variant, moves.split(), int(columns or ASCII.columns))


def golden_text(head: Head) -> str:
    """Return the whole text of a golden file."""
    moves = textwrap.fill(
        " ".join(head.moves), 96, initial_indent="moves: ", subsequent_indent="       "
    )
    style = replace(ASCII, columns=head.columns)
    columns = "" if style == ASCII else f"columns: {head.columns}\n"
    parts = [f"{head.comment}\nvariant: {head.variant}\n{columns}{moves}\n"]
    before = VARIANTS[head.variant].start
    parts.append(_position_text("Start.", before, words_of(before), style))
    for ply, move in enumerate(head.moves, start=1):
        after = before.play(move)
        *facts, instruction = words_of(after)
        news = [sentence for sentence in facts if sentence not in words_of(before)]
        title = f"{ply}. {before.turn} played {before.narration(move)}."
        latest = before.marked_by(move)
        parts.append(_position_text(title, after, [*news, instruction], style, latest))
        before = after
    parts.append(_end_text(before))
    return "\n".join(parts)


def words_of(position: Position) -> Sequence[str]:
    """Return the sentences that describe a position."""
    return [str(sentence) for sentence in position.describe()]


def _position_text(
    title: str, position: Position, news: Sequence[str], style: Style, latest: Sequence[str] = ()
) -> str:
    """Return a ply: what was played, the board as a page shows it, and the sentences that are news.

    If the grid is too wide for a page, the whole board follows, without marks.
    """
    view = position.view(style=style, latest=latest)
    drawings = [view.drawing, *([view.overview] if view.overview else [])]
    if view.overview:
        drawings.append(f"The whole grid:\n\n{position.diagram(style)}")
    return "\n\n".join([title, *drawings, "\n".join(f"  {sentence}" for sentence in news)]) + "\n"


def _end_text(position: Position) -> str:
    """Return the outcome and the whole description of the last position."""
    outcome = position.outcome
    if outcome is None:
        end = f"The game goes on, and {position.turn} is to move."
    else:
        winner = "Nobody wins" if outcome.winner is None else f"{outcome.winner} wins"
        x, o = outcome.points
        end = f"{winner}. Points: X {x:g}, O {o:g}. Reason: {outcome.reason}."
    words = "".join(f"  {sentence}\n" for sentence in words_of(position))
    return f"{end}\n\nThe whole position in words:\n\n{words}"


def main() -> None:
    """Compare the golden files with what the engine says, or write them again."""
    parser = argparse.ArgumentParser(description="Compare or rewrite the golden playthroughs.")
    parser.add_argument("--write", action="store_true", help="write the files that differ")
    write = parser.parse_args().write
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        new = golden_text(head_of(text))
        if new != text:
            print(f"{path.name} {'is written again' if write else 'differs'}")
            if write:
                path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
