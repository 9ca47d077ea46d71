"""Finding positions of ultimate and extreme with one right move, in games that bots play.

Both bots think little and misjudge the opening, so that games vary and contain mistakes. Several
times, some moves of a game are taken back and others played: only the last part of a game can be
settled, and most positions there have several right moves or none. Each game is searched from its
end towards its beginning, as far as a proof search still finds the value of every move.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.bots.local_boards.bot import BoardsBot
from engine.game import Side
from engine.puzzles.local_boards import examined
from engine.puzzles.local_boards_proof import OutOfNodes
from engine.variants import VARIANTS

_THINKING = (40, 150, 600)
_CONTINUATIONS = 8
_SHORTEST = 4
_FROM_A_GAME = 2
_GIVEN_UP = 2
"""The number of consecutive positions too hard to settle after which a search of a game stops."""


def positions(variant: str, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield endlessly the moves to positions with one right move.

    A game and its continuations have much in common, so only a few of their positions are yielded.
    """
    while True:
        seen = {
            moves: None
            for game, start in games(variant, rng)
            for moves in found(variant, game, start)
        }
        yield from rng.sample([*seen], min(_FROM_A_GAME, len(seen)))


def games(variant: str, rng: Random) -> Iterator[tuple[list[str], int]]:
    """Yield a game that bots played and its continuations, each with where it leaves the first."""
    first = _played(variant, (), rng)
    yield first, 0
    for _ in range(_CONTINUATIONS):
        start = len(first) - rng.randrange(_SHORTEST, len(first) // 3)
        position = VARIANTS[variant].replay(first[:start])
        other = rng.choice(
            [move for move in position.legal_moves() if move != first[start]] or [""]
        )
        if other:
            yield _played(variant, (*first[:start], other), rng), start


def _played(variant: str, opening: Sequence[str], rng: Random) -> list[str]:
    """Return the moves of a game that two bots played on from its opening moves."""
    bots = {
        side: BoardsBot(nodes=rng.choice(_THINKING), noise=0.5, opening=12, slips=0.04)
        for side in Side
    }
    moves = list(opening)
    position = VARIANTS[variant].replay(moves)
    while position.outcome is None:
        # The nodes are what limits them: the same seed plays the same game.
        moves.append(bots[position.turn].choose(position, 60, rng).move)
        position = position.play(moves[-1])
    return moves


def found(variant: str, moves: Sequence[str], start: int = 0) -> Iterator[tuple[str, ...]]:
    """Yield the moves to each position of a game that has one right move, the last position first.

    Those before the move `start`, counted from 0, are left out, and so are those whose proof takes
    so long that it would take long to check them all again.
    """
    positions = [VARIANTS[variant].start]
    for move in moves:
        positions.append(positions[-1].play(move))
    given_up = 0
    for ply in range(len(moves) - 1, start, -1):
        try:
            examination = examined(positions[ply])
        except OutOfNodes:
            given_up += 1
            if given_up == _GIVEN_UP:
                return
            continue
        given_up = 0
        if examination is not None:
            yield tuple(moves[:ply])
