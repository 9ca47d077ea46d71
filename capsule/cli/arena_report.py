"""The report of a match between bots, for people and for programs."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from capsule.cli.arena_statistics import BEGINNING, beginnings, elo_difference, results_of, thinking
from engine.bots.means import Timepiece
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.cli.arena_statistics import MatchResults
    from engine.bots.hosting.match import MatchGame, MatchTerms


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
    played = _times(games, "game") + (f" of {terms.games}" if games < terms.games else "")
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
        parts.append(f"openings of {_times(terms.openings, 'random move')}")
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
        "thinking": {name: _thinking_in_json(games, bot) for bot, name in enumerate("ab")},
        "beginnings": beginnings(games),
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
