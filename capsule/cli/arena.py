"""`oxonaut arena VARIANT A B`: matches between bots, and ladders of all levels, with statistics."""

import argparse
import json
import math
from contextlib import closing
from dataclasses import replace
from typing import Any

from tqdm import tqdm

from capsule.cli import arena_report
from capsule.cli.command import MISUSED, at_least_one, refused, seconds
from capsule.config import Config
from engine.bots.hosting.match import MatchGame, MatchTerms, played
from engine.bots.hosting.outside import NoSuchBot
from engine.bots.levels import LEVELS
from engine.bots.means import Timepiece
from engine.bots.registry import bots_of
from engine.variants import VARIANTS

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
        _terms(arguments, names, openings, LADDER_GAMES)
        for names in arena_report.matches(arguments.variant)
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
            if is_ladder and not arena_report.Rung(terms, games).is_surely_a_step:
                _play_match(replace(terms, first=terms.games), games)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (NoSuchBot, ValueError) as error:
        return refused(error, MISUSED)
    rungs = [
        arena_report.Rung(terms, sorted(games, key=lambda game: game.number))
        for terms, games in zip(matches, found, strict=True)
    ]
    if is_ladder:
        _print(
            arena_report.ladder_in_json(rungs) if as_json else arena_report.ladder_in_words(rungs)
        )
    else:
        report = arena_report.in_json if as_json else arena_report.in_words
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
            so_far = arena_report.results_of(games)
            points = f"A {so_far.points:g}, B {so_far.games - so_far.points:g}"
            bar.set_postfix_str(points, refresh=False)
            bar.update()
