"""Games that have ended, as one of their players sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capsule.games.model import StoredGame


class OwnOutcome(Enum):
    """The end of a game for one of its players."""

    WON = auto()
    LOST = auto()
    DRAWN = auto()
    CALLED_OFF = auto()


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A game that has ended, as one of its players sees it.

    `opponent` is None if there was none: nobody had joined, or the player played alone. `is_alike`
    says that another one in the same list has the same words.
    """

    stored: StoredGame
    outcome: OwnOutcome
    opponent: str | None
    is_alike: bool = False


def own_results(games: Iterable[StoredGame], player_id: int) -> Sequence[OwnResult]:
    """Return games that have ended, as a player of all of them sees them."""
    results = [_own_result(game, player_id) for game in games]
    names = [
        (each.stored.variant.key, each.outcome, each.opponent, each.stored.is_solo)
        for each in results
    ]
    count = Counter(names)
    return [
        replace(each, is_alike=count[name] > 1) for each, name in zip(results, names, strict=True)
    ]


def _own_result(game: StoredGame, player_id: int) -> OwnResult:
    side = game.side_of(player_id) or game.reserved_side
    opponent = None if side is None or game.is_solo else game.seat(side.other).name
    if game.was_called_off:
        outcome = OwnOutcome.CALLED_OFF
    elif game.winner is None:
        outcome = OwnOutcome.DRAWN
    else:
        outcome = OwnOutcome.WON if game.winner is side else OwnOutcome.LOST
    return OwnResult(game, outcome, opponent)
