"""`oxonaut arena VARIANT A B`: matches between bots, and ladders of all levels, with statistics."""

import argparse
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from tqdm import tqdm

from capsule.cli.command import MISUSED, at_least_one, refused, seconds
from capsule.config import Config
from capsule.languages.numbers import counted
from capsule.ratings.first_ratings import Scored, first_ratings
from engine import VARIANTS, Side
from engine.bots.hosting.match import MatchGame, MatchTerms, played
from engine.bots.hosting.outside import NoSuchBot
from engine.bots.levels import LEVELS
from engine.bots.means import Timepiece
from engine.bots.registry import bots_of, levels_of

INTERRUPTED = 130
"""The exit status of a command ended by Ctrl-C, as in shells."""

GAMES, LADDER_GAMES = 100, 200
"""Games of a match, by itself and in a ladder, if no number is given."""

DESCRIPTION = (
    "Let bots play each other on all cores, with sides swapped from game to game. A bot is a "
    f"level of the game ({', '.join(LEVELS)}) or a class of your own, named module:Class. Such a "
    "class chooses moves as engine/bots/bot.py says or, for extreme, as "
    "engine/bots/hosting/course.py does. A bot loses a game by a crash or an illegal move. A class "
    "of your own also loses by changing the board or taking 24 seconds too long. With --ladder, "
    "each level plays the one below it, and the first ratings of bots are computed from that. A "
    "match of a ladder goes on for as many games again if its score may be outside 62 to 88 %. "
    "Ctrl-C ends the match early and prints the result so far."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("variant", metavar="VARIANT", help=", ".join(VARIANTS))
    parser.add_argument("a", metavar="A", nargs="?", help="a bot, which has X in the first game")
    parser.add_argument("b", metavar="B", nargs="?", help="its opponent")
    parser.add_argument(
        "--ladder", action="store_true", help="play each level against the one below it"
    )
    parser.add_argument(
        "-n",
        dest="games",
        metavar="GAMES",
        type=at_least_one,
        help=f"games of a match (default: {GAMES}; in a ladder {LADDER_GAMES})",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        help="seconds per move for either bot (default: a level's own, and 1 for others)",
    )
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="count the processor time of a bot's process instead of the time that passes: then "
        "a loaded machine plays as well as an idle one",
    )
    parser.add_argument(
        "--memory",
        metavar="MB",
        type=_megabytes,
        help="megabytes for the tree of moves of a bot that keeps one (default: the bot's own)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="seed of all luck (default: 1)"
    )
    parser.add_argument(
        "--openings",
        metavar="PLIES",
        type=_plies,
        help="random moves to begin with, the same for every two games (default: none; in a "
        "ladder, as many as its games need to differ)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _plies(text: str) -> int:
    plies = int(text)
    if plies < 0:
        raise argparse.ArgumentTypeError("the number of moves cannot be negative")
    return plies


def _megabytes(text: str) -> float:
    megabytes = float(text)
    if not 1 <= megabytes < math.inf:
        raise argparse.ArgumentTypeError("there must be at least one megabyte to think in")
    return megabytes


def run(_config: Config, arguments: argparse.Namespace) -> int:
    """Play what the arguments name, print its result and return the exit status."""
    variant, a, b = arguments.variant, arguments.a, arguments.b
    if variant not in VARIANTS:
        variants = ", ".join(VARIANTS)
        return refused(f"There is no variant {variant}: it is one of {variants}", MISUSED)
    if arguments.ladder:
        if a is not None:
            return refused("A ladder is played by the levels: name no bots for it", MISUSED)
        return _play(_ladder(arguments), as_json=arguments.json, is_ladder=True)
    if b is None:
        return refused("Name two bots, A and B, or play a --ladder", MISUSED)
    terms = _terms(arguments, (a, b), arguments.openings or 0)
    return _play((terms,), as_json=arguments.json, is_ladder=False)


def _ladder(arguments: argparse.Namespace) -> tuple[MatchTerms, ...]:
    openings = arguments.openings
    if openings is None:
        openings = bots_of(arguments.variant).openings
    return tuple(
        _terms(arguments, names, openings, LADDER_GAMES) for names in matches(arguments.variant)
    )


def _terms(
    arguments: argparse.Namespace, names: tuple[str, str], openings: int, games: int = GAMES
) -> MatchTerms:
    return MatchTerms(
        arguments.variant,
        names,
        games=arguments.games or games,
        seconds=arguments.seconds,
        seed=arguments.seed,
        openings=openings,
        clock=Timepiece.PROCESSOR if arguments.cpu else Timepiece.WALL,
        memory=arguments.memory,
    )


def _play(matches: tuple[MatchTerms, ...], *, as_json: bool, is_ladder: bool) -> int:
    """Play matches, print the report of a ladder or of the only match, return the exit status.

    Ctrl-C ends them early, with the result so far.
    """
    found: list[list[MatchGame]] = [[] for _ in matches]
    status = 0
    try:
        for terms, games in zip(matches, found, strict=True):
            _play_match(terms, games)
            if is_ladder and not Rung(terms, games).is_surely_a_step:
                _play_match(replace(terms, first=terms.games), games)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (NoSuchBot, ValueError) as error:
        return refused(error, MISUSED)
    rungs = [
        Rung(terms, sorted(games, key=lambda game: game.number))
        for terms, games in zip(matches, found, strict=True)
    ]
    if is_ladder:
        _print(ladder_in_json(rungs) if as_json else ladder_in_words(rungs))
    else:
        report = in_json if as_json else in_words
        _print(report(*rungs[0]))
    return status


def _print(report: str | dict[str, Any]) -> None:
    text = report if isinstance(report, str) else json.dumps(report, indent=2)
    print(text)  # noqa: T201 - what was asked for


def _play_match(terms: MatchTerms, games: list[MatchGame]) -> None:
    """Add a match's games to the list as they end."""
    with (
        closing(played(terms)) as match,
        # Shown on a terminal only, since the report may be piped to another program.
        tqdm(
            desc=" against ".join(terms.names), total=terms.games, unit="game", disable=None
        ) as bar,
    ):
        for game in match:
            games.append(game)
            so_far = results_of(games)
            points = f"A {so_far.points:g}, B {so_far.games - so_far.points:g}"
            bar.set_postfix_str(points, refresh=False)
            bar.update()


_95 = 1.959964
"""The number of standard deviations to either side that cover 95 % of a normal distribution."""


@dataclass(frozen=True)
class MatchResults:
    """The results of some games from A's point of view.

    >>> MatchResults(6, 2, 2).score
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

        >>> [round(end, 3) for end in MatchResults(8, 0, 2).interval()]
        [0.49, 0.943]
        >>> [round(end, 3) for end in MatchResults(10, 0, 0).interval()]
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


def results_of(games: Sequence[MatchGame], x: int | None = None) -> MatchResults:
    """Return the results of games: all of them, or those in which bot `x`, 0 or 1, had X."""
    winners = Counter(game.winner for game in games if x is None or game.x == x)
    return MatchResults(winners[0], winners[None], winners[1])


BEGINNING = 4
"""The number of first moves that distinguish one beginning of a game from another."""


def beginnings(games: Sequence[MatchGame]) -> int:
    """Return in how many ways games began: by their first `BEGINNING` moves, random ones too."""
    return len({game.moves[:BEGINNING] for game in games})


def thinking(games: Sequence[MatchGame], bot: int) -> Mapping[str, float]:
    """Return how long a bot, 0 or 1, thought in some games; 0 simulations if it counts none."""
    seconds = [each for game in games for each in game.seconds[bot]]
    simulations = sum(game.simulations[bot] for game in games)
    moves, total = len(seconds), sum(seconds)
    return {
        "moves": moves,
        "seconds_a_move": total / moves if moves else 0.0,
        "longest": max(seconds, default=0.0),
        "simulations_a_move": simulations / moves if moves else 0.0,
        "simulations_a_second": simulations / total if total else 0.0,
    }


def in_words(terms: MatchTerms, games: Sequence[MatchGame]) -> str:
    """Return the report of a match as text, for people."""
    lines = [_heading(terms, len(games))]
    if games:
        width = max(len(name) for name in terms.names)
        lines += [*_scores(terms, games), "", *_table(terms, games, width)]
        lines += [
            f"{name} {forfeit}: {counted(number, 'game')} forfeited"
            for name, forfeit, number in _forfeits(terms, games)
        ]
    return "\n".join(lines)


def _heading(terms: MatchTerms, games: int) -> str:
    played = counted(games, "game") + (f" of {terms.games}" if games < terms.games else "")
    return f"{VARIANTS[terms.variant].name}: {played}, {conditions(terms)}"


def conditions(terms: MatchTerms) -> str:
    """Return the terms of games in words, without their number and the bots."""
    parts = [f"seed {terms.seed}"]
    if terms.seconds is not None:
        parts.append(f"{terms.seconds:g} s a move")
    if terms.scale != 1:
        parts.append(f"{terms.scale:g} times each level's own time")
    if terms.clock is Timepiece.PROCESSOR:
        parts.append("by processor time")
    if terms.memory is not None:
        parts.append(f"{terms.memory:g} MB a bot")
    if terms.openings:
        parts.append(f"openings of {counted(terms.openings, 'random move')}")
    return ", ".join(parts)


def _scores(terms: MatchTerms, games: Sequence[MatchGame]) -> list[str]:
    total = results_of(games)
    low, high = total.interval()
    elo, elo_low, elo_high = (elo_difference(share) for share in (total.score, low, high))
    score = f"{total.points:g} of {total.games} = {total.score:.1%}"
    return [
        f"A, {terms.names[0]}, against B, {terms.names[1]}:",
        f"  score      {score}, 95 % interval {low:.1%} to {high:.1%}",
        f"  Elo        {elo:+.0f}, 95 % interval {elo_low:+.0f} to {elo_high:+.0f}",
        f"  in all     {_in_short(total)}",
        f"  as X       {_in_short(results_of(games, 0))}",
        f"  as O       {_in_short(results_of(games, 1))}",
        f"  beginnings {beginnings(games)} different by the first {BEGINNING} moves",
    ]


def _in_short(results: MatchResults) -> str:
    return f"{results.wins} won, {results.draws} drawn, {results.losses} lost"


def _table(terms: MatchTerms, games: Sequence[MatchGame], width: int) -> list[str]:
    rows = [f"  {'':{width}}   s a move   longest   simulations a move   a second"]
    for bot, name in enumerate(terms.names):
        _, each_move, longest, simulations, a_second = thinking(games, bot).values()
        rows.append(
            f"{'AB'[bot]} {name:{width}} {each_move:10.3f} {longest:9.3f} "
            f"{_in_figures(simulations):>20} {_in_figures(a_second):>10}"
        )
    return rows


def _in_figures(number: float) -> str:
    return f"{number:,.0f}" if number else "none"


def _forfeits(terms: MatchTerms, games: Sequence[MatchGame]) -> list[tuple[str, str, int]]:
    """Return each bot that forfeited games, the reason, and the number of games."""
    forfeits = Counter(
        (f"{'AB'[1 - game.winner]} {terms.names[1 - game.winner]}", game.forfeit)
        for game in games
        if game.forfeit is not None and game.winner is not None
    )
    return [(name, forfeit, number) for (name, forfeit), number in forfeits.most_common()]


def in_json(terms: MatchTerms, games: Sequence[MatchGame]) -> dict[str, Any]:
    """Return the report of a match fit for JSON, for programs; infinite values are None."""
    return {
        "variant": terms.variant,
        **conditions_in_json(terms),
        **results_in_json(terms, games),
        "played": [_game_in_json(game) for game in games],
    }


def conditions_in_json(terms: MatchTerms) -> dict[str, Any]:
    """Return the terms of games fit for JSON, without the variant and the bots."""
    return {
        "seed": terms.seed,
        "seconds": terms.seconds,
        "scale": terms.scale,
        "clock": terms.clock.value,
        "memory": terms.memory,
        "openings": terms.openings,
        "games_asked_for": terms.games,
    }


def results_in_json(terms: MatchTerms, games: Sequence[MatchGame]) -> dict[str, Any]:
    """Return the bots of a match and how they did, fit for JSON, without the games themselves."""
    total = results_of(games)
    low, high = total.interval() if games else (0.0, 1.0)
    return {
        "a": terms.names[0],
        "b": terms.names[1],
        "games": len(games),
        "score": total.score if games else None,
        "interval": [low, high],
        "elo": _finite(elo_difference(total.score)) if games else None,
        "elo_interval": [_finite(elo_difference(low)), _finite(elo_difference(high))],
        "results": {
            "all": vars(total),
            "as_x": vars(results_of(games, 0)),
            "as_o": vars(results_of(games, 1)),
        },
        "thinking": {name: thinking(games, bot) for bot, name in enumerate("ab")},
        "beginnings": beginnings(games),
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _game_in_json(game: MatchGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "x": "ab"[game.x],
        "winner": None if game.winner is None else "ab"[game.winner],
        "forfeit": game.forfeit,
        "moves": list(game.moves),
    }


STEP = (0.62, 0.88)
"""The lowest and the highest score that a level should have against the one below it."""


def matches(variant: str) -> Sequence[tuple[str, str]]:
    """Return the matches of a variant's ladder, the weakest levels first; A is the stronger one."""
    return [(upper, lower) for lower, upper in pairwise(levels_of(variant))]


class Rung(NamedTuple):
    """A match of a ladder, and the games that have been played of it."""

    terms: MatchTerms
    games: Sequence[MatchGame]

    @property
    def name(self) -> str:
        """The match in words."""
        return " against ".join(self.terms.names)

    @property
    def is_a_step(self) -> bool:
        """Whether the stronger level scored neither too little nor too much."""
        low, high = STEP
        return low <= results_of(self.games).score <= high

    @property
    def is_surely_a_step(self) -> bool:
        """Whether the interval of its score lies within `STEP`."""
        (low, high), (lowest, highest) = results_of(self.games).interval(), STEP
        return lowest <= low and high <= highest


def ladder_in_words(rungs: Sequence[Rung]) -> str:
    """Return the report of a ladder as text, for people."""
    terms = rungs[0].terms
    heading = [
        f"{VARIANTS[terms.variant].name}: each level against the one below",
        f"{terms.games} games a match and as many again if the interval leaves {_STEP}",
        conditions(terms),
        *(["each level's own time"] if terms.seconds is None and terms.scale == 1 else []),
    ]
    played = [rung for rung in rungs if rung.games]
    outside = [rung.name for rung in played if not rung.is_a_step]
    width = max(len(rung.name) for rung in rungs)
    lines = [
        ", ".join(heading),
        "",
        f"{'':{width}} {_HEAD}",
        *(_line(rung, width) for rung in played),
        "",
        f"Outside {_STEP}: {', '.join(outside)}" if outside else f"Each scored {_STEP}",
    ]
    found = ratings(rungs)
    if found is not None:
        numbers = ", ".join(f"{level} {number}" for level, number in found.items())
        lines.append(f"First ratings: {numbers}")
    lines += [
        f"{rung.name} was one-sided: rated as if one game more had been drawn"
        for rung in played
        if scored(rung).is_one_sided
    ]
    return "\n".join(lines)


_STEP = "{:.0%} to {:.0%}".format(*STEP)

_HEAD = " score   95 % interval    Elo  won drawn lost beginnings"


def _line(rung: Rung, width: int) -> str:
    total = results_of(rung.games)
    low, high = total.interval()
    interval = f"{low:.1%} to {high:.1%}"
    return (
        f"{rung.name:{width}} {total.score:6.1%} {interval:>15} "
        f"{elo_difference(total.score):+6.0f} {total.wins:4} {total.draws:5} {total.losses:4} "
        f"{beginnings(rung.games):10}"
    )


def ladder_in_json(rungs: Sequence[Rung]) -> dict[str, Any]:
    """Return the report of a ladder fit for JSON, as `oxonaut ratings seed` reads it.

    `ratings` is None unless every match was begun. `one_sided` names the levels whose matches
    against the one below were, and which are rated as if they had drawn one game more.
    """
    terms = rungs[0].terms
    return {
        "variant": terms.variant,
        **conditions_in_json(terms),
        "matches": [results_in_json(*rung) for rung in rungs],
        "ratings": ratings(rungs),
        "one_sided": [
            rung.terms.names[0] for rung in rungs if rung.games and scored(rung).is_one_sided
        ],
    }


def ratings(rungs: Sequence[Rung]) -> Mapping[str, int] | None:
    """Return the first ratings that a ladder gives the levels; None if some match was not begun."""
    if not all(rung.games for rung in rungs):
        return None
    levels = [*levels_of(rungs[0].terms.variant)]
    return first_ratings(levels, [scored(rung) for rung in rungs])


def scored(rung: Rung) -> Scored:
    """Return what the stronger level of a match scored, by the points that ratings count.

    They differ from won games if a game has its own points: half a point's lead in quantum is
    three quarters of a win.
    """
    return Scored(sum(_value(rung.terms.variant, game) for game in rung.games), len(rung.games))


def _value(variant: str, game: MatchGame) -> float:
    """Return A's score in a game, from 0 to 1."""
    if game.forfeit is not None:
        return 1.0 if game.winner == 0 else 0.0
    outcome = VARIANTS[variant].replay(game.moves).outcome
    if outcome is None:
        return 0.5
    return outcome.value_for(Side.X if game.x == 0 else Side.O)
