"""Games that have ended, as one of their players sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.games.end_reasons import reason_in_words
from capsule.games.status import GameStatus
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capsule.games.model import StoredGame
    from engine import Message


_WON = {
    GameStatus.FINISHED: message("Won against {opponent}, {variant}"),
    GameStatus.RESIGNED: message("Won against {opponent} by resignation, {variant}"),
    GameStatus.TIMED_OUT: message("Won against {opponent} on time, {variant}"),
}
_LOST = {
    GameStatus.FINISHED: message("Lost to {opponent}, {variant}"),
    GameStatus.RESIGNED: message("Lost to {opponent} by resignation, {variant}"),
    GameStatus.TIMED_OUT: message("Lost to {opponent} on time, {variant}"),
}
_WITHOUT_WINNER = {
    GameStatus.FINISHED: message("Drew with {opponent}, {variant}"),
    GameStatus.AGREED: message("Drew with {opponent} by agreement, {variant}"),
    GameStatus.ABORTED: message("Aborted: {variant}, {opponent}"),
}


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A game that has ended, as one of its players sees it, and its `summary` in a few words.

    `is_alike` says that another one in the same list has the same words.
    """

    stored: StoredGame
    summary: Message
    is_alike: bool = False


def own_results(games: Iterable[StoredGame], player_id: int) -> Sequence[OwnResult]:
    """Return games that have ended, as a player of all of them sees them."""
    results = [OwnResult(game, own_result(game, player_id)) for game in games]
    count = Counter(each.summary for each in results)
    return [replace(each, is_alike=count[each.summary] > 1) for each in results]


def own_result(game: StoredGame, player_id: int) -> Message:
    """Return how a game ended, in a few words that a list or a feed of its player shows."""
    variant = game.variant
    if game.is_solo:
        return _solo_result(game)
    side = game.side_of(player_id) or game.reserved_side
    opponent = None if side is None else game.holder(side.other).name
    reason = reason_in_words(game, side)
    if reason is not None and (opponent is None or opponent in reason.values.values()):
        return message("Aborted: {variant}, {reason}", variant=variant.name, reason=reason)
    if reason is not None:
        return message(
            "Aborted: {variant} with {opponent}, {reason}",
            variant=variant.name,
            opponent=opponent,
            reason=reason,
        )
    if opponent is None:
        return message("Aborted: {variant}, nobody had joined", variant=variant.name)
    words = _WITHOUT_WINNER
    if game.winner is not None:
        words = _WON if game.winner is side else _LOST
    return words[game.status].filled(variant=variant.name, opponent=opponent)


def _solo_result(game: StoredGame) -> Message:
    variant = game.variant
    if game.was_aborted:
        return message("Aborted: {variant}", variant=variant.name)
    if game.winner is None:
        return message("{variant} alone: a draw", variant=variant.name)
    return message(
        "{variant} alone: {side} won", variant=variant.name, side=variant.side_name(game.winner)
    )
