"""Counting sequences of moves; those that a symmetry makes the same are counted once."""

from collections.abc import Iterator, Sequence

from engine.facts.progress import Progress, unobserved
from engine.game import Position


def sequences(start: Position, length: int, progress: Progress = unobserved) -> int:
    """Return how many sequences of `length` moves there are from the start of a variant.

    A sequence stops when its game ends: one that is shorter does not count. The last move is
    counted and not played.
    """
    symmetries = range(len(start.images(start.example())))
    kinds = list(_kinds(start, symmetries))
    if length == 1:
        return sum(len(moves) for moves, _ in kinds)
    return sum(
        len(moves) * _count(start.play(moves[0]), length - 1, left)
        for moves, left in progress(kinds, f"sequences of {length} moves")
    )


def first_moves(start: Position) -> Iterator[tuple[str, ...]]:
    """Yield the first moves of a variant, those that a symmetry makes the same together."""
    symmetries = range(len(start.images(start.example())))
    return (moves for moves, _ in _kinds(start, symmetries))


def _count(position: Position, length: int, symmetries: Sequence[int]) -> int:
    if length == 1:
        return sum(1 for _ in position.legal_moves())
    if len(symmetries) == 1:
        return sum(
            _count(position.play(move), length - 1, symmetries) for move in position.legal_moves()
        )
    return sum(
        len(moves) * _count(position.play(moves[0]), length - 1, left)
        for moves, left in _kinds(position, symmetries)
    )


def _kinds(
    position: Position, symmetries: Sequence[int]
) -> Iterator[tuple[tuple[str, ...], Sequence[int]]]:
    """Yield moves that symmetries make the same, and the symmetries that keep the first of them.

    `symmetries` are places in `Position.images`, of those that keep all moves up to here.
    """
    seen: set[str] = set()
    for move in position.legal_moves():
        if move in seen:
            continue
        images = position.images(move)
        kind = dict.fromkeys([move, *(images[index] for index in symmetries)])
        seen.update(kind)
        yield tuple(kind), [index for index in symmetries if images[index] == move]
