"""`oxonaut arena VARIANT A B`: matches between bots, with statistics."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from capsule.cli.refusal import refused
from engine.bots.hosting.match import MatchTerms, played
from engine.bots.hosting.outside import NoSuchBot
from engine.bots.levels import LEVELS
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.bots.hosting.match import MatchGame


_95 = 1.959964
"""The number of standard deviations to either side that cover 95 % of a normal distribution."""

INTERRUPTED = 130
"""The exit status of a command ended by Ctrl-C, as in shells."""

MISUSED = 2
"""The exit status of a command that names what there is not."""

DESCRIPTION = (
    "Let bots play each other on all cores, with sides swapped from game to game. A bot is a level "
    f"({', '.join(LEVELS)}) or a class of your own, named module:Class: one that chooses moves as "
    "engine/bots/bot.py tells or, for extreme, as engine/bots/hosting/course.py does. A crash, an "
    "illegal move or, for such a class, a changed board or 24 seconds over a move lose the game. "
    "Ctrl-C ends the match early and prints the result so far."
)
"""The command's description in its help."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command, named as in `MatchTerms` but for a, b and json."""
    parser.add_argument("variant", metavar="VARIANT", help=", ".join(VARIANTS))
    parser.add_argument("a", metavar="A", help="a bot, which has X in the first game")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument(
        "-n", dest="games", metavar="GAMES", type=_number, default=100, help="default: 100"
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=_time,
        help="seconds per move for either bot (default: a level's own, and 1 for others)",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="default: 1")
    parser.add_argument(
        "--openings",
        metavar="PLIES",
        type=_plies,
        default=0,
        help="random moves to begin with, the same for every two games (default: none)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one game must be played")
    return number


def _plies(text: str) -> int:
    plies = int(text)
    if plies < 0:
        raise argparse.ArgumentTypeError("the number of moves cannot be negative")
    return plies


def _time(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError("the time must be a positive number of seconds")
    return seconds


@dataclass(frozen=True)
class Tally:
    """The results of some games from A's point of view.

    >>> Tally(6, 2, 2).score
    0.7
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The number of games that A won, with draws counted as half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """A's share of the points, from 0 to 1; at least one game must have been played."""
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the score.

        It is Wilson's (E. B. Wilson, "Probable inference, the law of succession, and statistical
        inference", Journal of the American Statistical Association 22, 1927, pages 209 to 212),
        which is valid even for few games and one-sided results. A draw counts as half a win and
        half a loss, which makes the interval wider than necessary if there are many draws.

        >>> [round(end, 3) for end in Tally(8, 0, 2).interval()]
        [0.49, 0.943]
        >>> [round(end, 3) for end in Tally(10, 0, 0).interval()]
        [0.722, 1.0]
        """
        games, share, square = self.games, self.score, _95**2
        centre = share + square / (2 * games)
        half = _95 * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
        whole = 1 + square / games
        # For a score of 0 or 1 the interval ends exactly there: rounding errors must not move it.
        low = (centre - half) / whole if share > 0 else 0.0
        high = (centre + half) / whole if share < 1 else 1.0
        return low, high


def elo_difference(share: float) -> float:
    """Return the Elo difference at which a player is expected to score `share`.

    It is the logistic form, in which every 400 points multiply the odds by ten (A. E. Elo, "The
    Rating of Chessplayers, Past and Present", 1978); it is infinite for a share of 0 or 1.

    >>> round(elo_difference(0.75), 1), elo_difference(0.5), elo_difference(0)
    (190.8, 0.0, -inf)
    """
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def tally(games: Sequence[MatchGame], x: int | None = None) -> Tally:
    """Return the results of games: all of them, or those in which bot `x`, 0 or 1, had X."""
    winners = Counter(game.winner for game in games if x is None or game.x == x)
    return Tally(winners[0], winners[None], winners[1])


BEGINNING = 4
"""The moves by which games are told apart by how they began."""


def beginnings(games: Sequence[MatchGame]) -> int:
    """Return in how many ways games began: by their first `BEGINNING` moves, random ones too."""
    return len({game.moves[:BEGINNING] for game in games})


@dataclass(frozen=True)
class Thinking:
    """A bot's thinking time over all its moves; `simulations` is 0 if the bot counts none."""

    moves: int
    seconds: float
    longest: float
    simulations: int

    @property
    def seconds_a_move(self) -> float:
        """The mean time per move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def simulations_a_move(self) -> float:
        """The mean number of simulations per move."""
        return self.simulations / self.moves if self.moves else 0.0

    @property
    def simulations_a_second(self) -> float:
        """The mean number of simulations per second."""
        return self.simulations / self.seconds if self.seconds else 0.0


def thinking(games: Sequence[MatchGame], bot: int) -> Thinking:
    """Return the thinking time of a bot, 0 or 1, in some games."""
    seconds = [each for game in games for each in game.seconds[bot]]
    simulations = sum(game.simulations[bot] for game in games)
    return Thinking(len(seconds), sum(seconds), max(seconds, default=0.0), simulations)


def run(arguments: argparse.Namespace) -> int:
    """Play the match that the arguments name, print its result and return the exit status."""
    given = vars(arguments)
    terms = MatchTerms(
        names=(given["a"], given["b"]),
        **{name: given[name] for name in ("variant", "games", "seconds", "seed", "openings")},
    )
    return play_match(terms, as_json=given["json"])


def play_match(terms: MatchTerms, *, as_json: bool = False) -> int:
    """Play a match, print its result and return the exit status.

    Ctrl-C ends the match early, with the result so far.
    """
    if terms.variant not in VARIANTS:
        variants = ", ".join(VARIANTS)
        return refused(f"There is no variant {terms.variant}: it is one of {variants}", MISUSED)
    games: list[MatchGame] = []
    status = 0
    try:
        with (
            closing(played(terms)) as match,
            # Shown on a terminal only, since the report may be piped to another program.
            tqdm(total=terms.games, unit="game", file=sys.stderr, disable=None) as bar,
        ):
            for game in match:
                games.append(game)
                so_far = tally(games)
                points = f"A {so_far.points:g}, B {so_far.games - so_far.points:g}"
                bar.set_postfix_str(points, refresh=False)
                bar.update()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (NoSuchBot, ValueError) as error:
        return refused(error, MISUSED)
    games.sort(key=lambda game: game.number)
    if as_json:
        print(json.dumps(in_json(terms, games), indent=2))  # noqa: T201 - what was asked for
    else:
        print(in_words(terms, games))  # noqa: T201 - what was asked for
    return status


def in_words(terms: MatchTerms, games: Sequence[MatchGame]) -> str:
    """Return the report of a match as text, for people."""
    lines = [_heading(terms, len(games))]
    if games:
        width = max(len(name) for name in terms.names)
        lines += [*_scores(terms, games), "", *_table(terms, games, width)]
        lines += [
            f"{name} {forfeit}: {_times(number, 'game')} forfeited"
            for name, forfeit, number in _forfeits(terms, games)
        ]
    return "\n".join(lines)


def _heading(terms: MatchTerms, games: int) -> str:
    parts = [
        f"{VARIANTS[terms.variant].name}: {_times(games, 'game')}"
        + (f" of {terms.games}" if games < terms.games else ""),
        f"seed {terms.seed}",
    ]
    if terms.seconds is not None:
        parts.append(f"{terms.seconds:g} s a move")
    if terms.openings:
        parts.append(f"openings of {_times(terms.openings, 'random move')}")
    return ", ".join(parts)


def _scores(terms: MatchTerms, games: Sequence[MatchGame]) -> list[str]:
    total = tally(games)
    low, high = total.interval()
    elo, elo_low, elo_high = (elo_difference(share) for share in (total.score, low, high))
    score = f"{total.points:g} of {total.games} = {total.score:.1%}"
    return [
        f"A, {terms.names[0]}, against B, {terms.names[1]}:",
        f"  score      {score}, 95 % interval {low:.1%} to {high:.1%}",
        f"  Elo        {elo:+.0f}, 95 % interval {elo_low:+.0f} to {elo_high:+.0f}",
        f"  in all     {_in_short(total)}",
        f"  as X       {_in_short(tally(games, 0))}",
        f"  as O       {_in_short(tally(games, 1))}",
        f"  beginnings {beginnings(games)} different by the first {BEGINNING} moves",
    ]


def _in_short(results: Tally) -> str:
    return f"{results.wins} won, {results.draws} drawn, {results.losses} lost"


def _table(terms: MatchTerms, games: Sequence[MatchGame], width: int) -> list[str]:
    rows = [f"  {'':{width}}   s a move   longest   simulations a move   a second"]
    for bot, name in enumerate(terms.names):
        thought = thinking(games, bot)
        rows.append(
            f"{'AB'[bot]} {name:{width}} {thought.seconds_a_move:10.3f} {thought.longest:9.3f} "
            f"{_counted(thought.simulations_a_move):>20} "
            f"{_counted(thought.simulations_a_second):>10}"
        )
    return rows


def _counted(number: float) -> str:
    return f"{number:,.0f}" if number else "none"


def _forfeits(terms: MatchTerms, games: Sequence[MatchGame]) -> list[tuple[str, str, int]]:
    """Return each bot that forfeited games, the reason, and the number of games."""
    counted = Counter(
        (f"{'AB'[1 - game.winner]} {terms.names[1 - game.winner]}", game.forfeit)
        for game in games
        if game.forfeit is not None and game.winner is not None
    )
    return [(name, forfeit, number) for (name, forfeit), number in counted.most_common()]


def _times(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def in_json(terms: MatchTerms, games: Sequence[MatchGame]) -> dict[str, Any]:
    """Return the report of a match fit for JSON, for programs; infinite values are None."""
    total = tally(games)
    low, high = total.interval() if games else (0.0, 1.0)
    return {
        "variant": terms.variant,
        "a": terms.names[0],
        "b": terms.names[1],
        "seed": terms.seed,
        "seconds": terms.seconds,
        "openings": terms.openings,
        "games": len(games),
        "games_asked_for": terms.games,
        "score": total.score if games else None,
        "interval": [low, high],
        "elo": _finite(elo_difference(total.score)) if games else None,
        "elo_interval": [_finite(elo_difference(low)), _finite(elo_difference(high))],
        "results": {
            "all": vars(total),
            "as_x": vars(tally(games, 0)),
            "as_o": vars(tally(games, 1)),
        },
        "thinking": {name: _thinking_in_json(games, bot) for bot, name in enumerate("ab")},
        "beginnings": beginnings(games),
        "played": [_game_in_json(game) for game in games],
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _thinking_in_json(games: Sequence[MatchGame], bot: int) -> dict[str, float]:
    thought = thinking(games, bot)
    return {
        "moves": thought.moves,
        "seconds_a_move": thought.seconds_a_move,
        "longest": thought.longest,
        "simulations_a_move": thought.simulations_a_move,
        "simulations_a_second": thought.simulations_a_second,
    }


def _game_in_json(game: MatchGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "x": "ab"[game.x],
        "winner": None if game.winner is None else "ab"[game.winner],
        "forfeit": game.forfeit,
        "moves": list(game.moves),
    }
