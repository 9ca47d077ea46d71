"""Bots that play as people do: they look a little ahead, overlook things, and have weak moments."""

from dataclasses import dataclass, replace
from random import Random

from engine.bots.bot import Bot, Choice, require_running
from engine.bots.means import Means, equipped
from engine.game import Position


@dataclass(frozen=True)
class GlanceBot:
    """Looks a few moves ahead, and on any sure result prefers the better; else it plays at random.

    It plays every variant whose moves are few enough to be gone through. `ahead` is how many moves
    it looks ahead, 1 being its own; a move that leaves the choice between two does not count.
    `overlooks` is how likely it is to overlook a move, at each place where it thinks of one.
    """

    ahead: int
    overlooks: float = 0.0

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - its depth is its limit
        """Return a move that looks best at a glance; `rng` decides between equal ones.

        Raises `ValueError` for a position that is over.
        """
        require_running(position)
        moves = list(position.legal_moves())
        rng.shuffle(moves)
        judged = {move: self._judged(position, move, self.ahead, rng) for move in moves}
        move = max(moves, key=judged.__getitem__)
        return Choice(move, judged[move])

    def _judged(self, position: Position, move: str, ahead: int, rng: Random) -> float:
        """Return the expected result of a move for the side that makes it, from 0 to 1."""
        if self.overlooks and rng.random() < self.overlooks:
            return 0.5
        after = position.play(move)
        if after.outcome is not None:
            return after.outcome.value_for(position.turn)
        moves = tuple(after.legal_moves())
        left = ahead - (len(moves) > 2)
        if left <= 0:
            return 0.5
        best = 0.0
        for reply in moves:
            best = max(best, self._judged(after, reply, left, rng))
            if best == 1.0:
                break
        return best if after.turn is position.turn else 1 - best


class RandomBot:
    """Plays any move at all."""

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - it does not think
        """Return any legal move; raises `ValueError` for a position that is over."""
        require_running(position)
        return Choice(position.random_move(rng), 0.5)


class IndulgentBot:
    """Plays any move at all, but if it can, one after which the opponent can win at once.

    Of such moves it takes one that leaves the win among the most other moves: a player who looks
    for a win finds it, and one who plays at random seldom does. It plays every variant whose moves,
    and the replies to them, are few enough to be gone through.
    """

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - it does not think
        """Return a move; raises `ValueError` for a position that is over."""
        require_running(position)
        moves = list(position.legal_moves())
        rng.shuffle(moves)
        chances = {move: self._chance(position, move) for move in moves}
        return Choice(min(moves, key=chances.__getitem__), 0.5)

    def _chance(self, position: Position, move: str) -> float:
        """Return how likely a random reply wins, or 1 if none does or it is not a reply."""
        after = position.play(move)
        if after.turn is position.turn:
            return 1.0
        outcomes = [after.play(reply).outcome for reply in after.legal_moves()]
        wins = sum(outcome is not None and outcome.winner is after.turn for outcome in outcomes)
        return wins / len(outcomes) if wins else 1.0


@dataclass(frozen=True)
class WaveringBot:
    """Plays like `better`, but with probability `wavers` makes a move like `worse`."""

    better: Bot
    worse: Bot
    wavers: float

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return the choice of one of the two."""
        bot = self.worse if rng.random() < self.wavers else self.better
        return bot.choose(position, seconds, rng)

    def with_means(self, means: Means) -> "WaveringBot":
        """Return one of the same two bots with other means."""
        return replace(self, better=equipped(self.better, means), worse=equipped(self.worse, means))


@dataclass(frozen=True)
class BewilderedBot:
    """Plays like `settled` if it has at most `few` moves, and like `lost` if it has more."""

    settled: Bot
    lost: Bot
    few: int

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return the choice of one of the two."""
        bot = self.settled if len(list(position.legal_moves())) <= self.few else self.lost
        return bot.choose(position, seconds, rng)

    def with_means(self, means: Means) -> "BewilderedBot":
        """Return one of the same two bots with other means."""
        return replace(self, settled=equipped(self.settled, means), lost=equipped(self.lost, means))
