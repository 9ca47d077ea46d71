"""A game's entries in the private feed of one of its players.

Readers cut titles off, so what distinguishes two of them comes first. An entry leads to the page of
the game, where its player can act, by an address of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts.model import NewsKind
from capsule.games.clock import HOUR
from capsule.games.event_addresses import (
    challenge_address,
    draw_address,
    event_address,
    takeback_address,
    turn_address,
    turn_address_after,
)
from capsule.games.feed_entries import address, ending
from capsule.games.own_results import own_result
from capsule.games.status import GameStatus
from capsule.ui.atom import Entry
from capsule.ui.dates import in_words
from engine.game import message, plural

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from capsule.games.clock import Clock
    from capsule.games.model import StoredGame, StoredMove
    from engine import Side


@dataclass(frozen=True, slots=True)
class FollowedGame:
    """A game as it is now, in the feed of a player who has a seat or is challenged to take one.

    `moves` are its last moves, in order. `clock` is the clock of the side to move, None if none
    runs, and `now` decides which of its reminders are due.
    """

    player_id: int
    stored: StoredGame
    moves: Sequence[StoredMove]
    clock: Clock | None
    now: datetime

    @property
    def side(self) -> Side | None:
        """The player's side, None for one who has not accepted a challenge yet."""
        return self.stored.side_of(self.player_id)

    @property
    def opponent(self) -> str | None:
        """The opponent's name, None while their seat is empty."""
        side = self.side or self.stored.reserved_side
        return None if side is None else self.stored.seat(side.other).name

    @property
    def is_turn(self) -> bool:
        """Whether it is the player's turn."""
        return self.stored.is_playing and self.stored.turn is self.side

    @property
    def takebacks(self) -> int:
        """The number with which a move made now would be stored."""
        return self.stored.turn_counter - self.stored.ply

    @property
    def was_ended_by_player(self) -> bool:
        """Whether the player brought the game's end about, and knows of it."""
        if self.stored.ended_by is not None:
            return self.stored.ended_by is self.side
        if self.stored.status is GameStatus.FINISHED:
            return bool(self.moves) and self.moves[-1].side is self.side
        is_resigned = self.stored.status is GameStatus.RESIGNED
        return is_resigned and self.stored.winner is not self.side


def has_entries(game: StoredGame) -> bool:
    """Return whether private feeds have entries of a game.

    In a solo game or one against a bot, the player is never kept waiting, and needs no announcement
    unless it is a tournament game, whose clock runs against bots, too.
    """
    if game.tournament_id is not None:
        return True
    return not (game.is_solo or game.bot_level)


def private_entries(game: FollowedGame, kinds: Collection[NewsKind]) -> Iterator[Entry]:
    """Yield a game's entries of these kinds for the private feed of a player.

    They announce a challenge, each turn that the player was given, an offer that waits for an
    answer, a clock that is running down, and the end, unless the player brought it about.
    """
    entries = {
        NewsKind.CHALLENGES: _challenge(game),
        NewsKind.TURNS: _turns(game),
        NewsKind.OFFERS: _offers(game),
        NewsKind.REMINDERS: _reminders(game),
        NewsKind.RESULTS: _results(game),
    }
    for kind, of_kind in entries.items():
        if kind in kinds:
            yield from of_kind


def _challenge(game: FollowedGame) -> Iterator[Entry]:
    stored = game.stored
    if stored.reserved_side is None or stored.challenged_player_id != game.player_id:
        return
    title = (
        message("Challenge: {variant}, {opponent}", **_names(game))
        if stored.previous_id is None
        else message("Rematch offered: {variant}, {opponent}", **_names(game))
    )
    yield Entry(
        address(stored.id, stored.start_ply), stored.created_at, title, challenge_address(stored)
    )


def _turns(game: FollowedGame) -> Iterator[Entry]:
    stored, moves = game.stored, game.moves
    if _began_with_first_turn(game):
        title = message("Your turn in {variant}: you begin against {opponent}", **_names(game))
        begun_at = stored.started_at or stored.created_at
        yield Entry(
            address(stored.id, stored.start_ply),
            begun_at,
            title,
            turn_address_after(stored, stored.start_ply, 0),
        )
    # The side that is to move after each move: none if the reply had been planned, or if the move
    # ended the game.
    movers = [None if move.planned else move.side for move in moves[1:]]
    movers.append(None if stored.status is GameStatus.FINISHED else stored.turn)
    # `movers` has one item too many if there are no moves.
    for move, next_mover in zip(moves, movers, strict=False):
        if move.side is not game.side and next_mover is game.side:
            yield _turn_after(game, move)
    if game.is_turn and game.takebacks != (moves[-1].takebacks if moves else 0):
        title = message("Your turn in {variant}: {opponent} agreed to the takeback", **_names(game))
        path = address(stored.id, stored.ply, game.takebacks)
        yield Entry(path, stored.moved_at, title, turn_address(stored))


def _began_with_first_turn(game: FollowedGame) -> bool:
    # A player who has just accepted a challenge knows whose turn it is; and X may have moved before
    # anyone took the other seat.
    stored, moves = game.stored, game.moves
    accepted = stored.challenged_player_id == game.player_id
    first_mover = moves[0].side if moves else stored.turn
    if game.side is not first_mover or accepted or stored.started_at is None:
        return False
    first = stored.start_ply + 1
    return not moves or (moves[0].ply == first and moves[0].played_at >= stored.started_at)


def _turn_after(game: FollowedGame, move: StoredMove) -> Entry:
    title = message(
        "Your turn in {variant}: {opponent} played {move}", **_names(game), move=move.move
    )
    path = address(game.stored.id, move.ply, move.takebacks)
    page = turn_address_after(game.stored, move.ply, move.takebacks)
    return Entry(path, move.played_at, title, page)


def _offers(game: FollowedGame) -> Iterator[Entry]:
    stored = game.stored
    if game.side is None:
        return
    if stored.draw_offered_by is game.side.other:
        title = message("Draw offered: {variant}, {opponent}", **_names(game))
        yield Entry(draw_address(stored), stored.draw_offered_at or stored.moved_at, title)
    if stored.takeback_asked_by is game.side.other:
        title = message("Takeback requested: {variant}, {opponent}", **_names(game))
        yield Entry(takeback_address(stored), stored.takeback_asked_at or stored.moved_at, title)


def _reminders(game: FollowedGame) -> Iterator[Entry]:
    stored, clock = game.stored, game.clock
    if clock is None or not game.is_turn:
        return
    deadline = clock.deadline
    until = {"date": in_words(deadline), "time": f"{deadline:%H:%M}"}
    place = address(stored.id, stored.ply)
    if game.now >= clock.quarter_left:
        title = plural(
            "{count} hour left: {variant}, {opponent}, until {date} at {time} UTC",
            "{count} hours left: {variant}, {opponent}, until {date} at {time} UTC",
            **_names(game),
            **until,
            count=clock.quarter // HOUR,
        )
        name = f"reminder-{stored.turn_counter}"
        yield Entry(f"{place}?{name}", clock.quarter_left, title, event_address(stored, name))
    if game.now >= clock.hour_left:
        title = message(
            "One hour left: {variant}, {opponent}, until {date} at {time} UTC",
            **_names(game),
            **until,
        )
        page = event_address(stored, f"last-hour-{stored.turn_counter}")
        yield Entry(page, clock.hour_left, title)


def _results(game: FollowedGame) -> Iterator[Entry]:
    if game.side is None or game.stored.is_running or game.was_ended_by_player:
        return
    announced = ending(game.stored)
    yield replace(announced, title=own_result(game.stored, game.player_id))


def _names(game: FollowedGame) -> Mapping[str, str | None]:
    return {"variant": game.stored.variant.name, "opponent": game.opponent}
