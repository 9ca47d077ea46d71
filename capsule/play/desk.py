"""The desk: the games that wait for a player, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capsule.games import waiting_queries
from capsule.games.deadlines import apply_deadlines, running_clock, vacations_in
from capsule.play.challenges import challenged_names
from capsule.play.game_entries import entry_of, with_unique_labels
from capsule.ui.durations import same_words_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.clock import Clock
    from capsule.games.model import StoredGame
    from capsule.play.game_entries import GameEntry


@dataclass(frozen=True, slots=True)
class Desk:
    """The games that wait for a player, in the order of need.

    `challenged` has the names of the players for whom seats are kept, by game id. All of this stays
    as it is until `until` unless a game of the player changes; None means for ever.
    """

    entries: Sequence[GameEntry] = ()
    challenged: Mapping[str, str] = field(default_factory=dict)
    until: datetime | None = None

    def next_after(self, game_id: str) -> GameEntry | None:
        """Return the game to go on to from a game, unless that waits for the player itself."""
        if any(entry.stored.id == game_id for entry in self.entries):
            return None
        return next(iter(self.entries), None)


def desk_of(context: AppContext, connection: Connection, player: Player) -> Desk:
    """Return what waits for a player."""
    waiting = waiting_queries.waiting_games_of(connection, player.id)
    games = [
        game for game in apply_deadlines(context, connection, waiting.games) if game.is_running
    ]
    vacations = vacations_in(connection, games) if waiting.was_anybody_away else {}
    now = context.clock.deadline_time()
    clocks = {game.id: running_clock(context, game, vacations) for game in games}
    entries = with_unique_labels(
        sorted(
            (entry_of(game, clocks[game.id], player, now) for game in games),
            key=lambda entry: entry.place,
        )
    )
    times = [
        *(end - now for game in games if (end := _end(game, clocks[game.id])) is not None),
        *(
            same_words_for(entry.time_left)
            for entry in entries
            if entry.time_left is not None and not entry.is_time_up
        ),
    ]
    until = context.clock() + min(times) if times else None
    by_player = [game for game in games if game.has_player(player.id)]
    return Desk(entries, challenged_names(connection, by_player), until)


def _end(game: StoredGame, clock: Clock | None) -> datetime | None:
    """Return when a game ends unless something happens, None if it waits for ever."""
    return game.lapses_at if clock is None else clock.end
