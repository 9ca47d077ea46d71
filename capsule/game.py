"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from capsule import clock
from capsule.clock import Clock, Stand
from capsule.rated import rate
from capsule.replays import Replayed, replay
from capsule.store import games as stored
from capsule.store import vacations as stored_vacations
from capsule.store.plans import drop_plans
from engine import VARIANTS, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.clock import Vacation
    from capsule.site import Site
    from capsule.store.games import StoredGame, StoredMove
    from capsule.store.players import Player
    from engine import Position, Variant

WAITING, CHALLENGED, PLAYING = "waiting", "challenged", "playing"
FINISHED, RESIGNED, AGREED, TIMED_OUT = "finished", "resigned", "agreed", "timed out"
ABORTED = "aborted"
RUNNING = (WAITING, CHALLENGED, PLAYING)
ENDED = (FINISHED, RESIGNED, AGREED, TIMED_OUT)

ABORT_BEFORE = 2
"""A game can be called off while fewer moves than this have been made."""

MOVES_TOLD = 6
"""The last moves that a game's page tells of."""


class OutdatedAction(Exception):
    """The action does not fit the game as it stands, so nothing was changed."""


@dataclass(frozen=True)
class Game:
    """A game as it stands or stood: what is stored, and the position after `ply` of its moves.

    `recent` are the last moves up to there, the oldest first, and `before` is the position before
    the last of them. `now` is when it was looked at: what had ended by itself until then is ended.
    `vacations` are those of players whose clocks may run, by player, as far as they matter.
    """

    stored: StoredGame
    position: Position
    ply: int
    recent: Sequence[StoredMove]
    now: datetime
    vacations: Mapping[int, Sequence[Vacation]]
    before: Position | None = None

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return VARIANTS[self.stored.variant]

    @property
    def is_running(self) -> bool:
        """Whether it goes on: moves may come."""
        return self.stored.status in RUNNING

    @property
    def is_solo(self) -> bool:
        """Whether one player has both seats."""
        return (
            self.stored.x_player_id is not None
            and self.stored.x_player_id == self.stored.o_player_id
        )

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays, if one does."""
        return self.stored.x_bot or self.stored.o_bot

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return self.is_running and self.stored.bot_to_move

    @property
    def open_side(self) -> Side | None:
        """The seat that anyone may still take, if there is one."""
        return self._empty_seat if self.stored.status == WAITING else None

    @property
    def kept_side(self) -> Side | None:
        """The seat that is kept for somebody who was challenged, if there is one."""
        return self._empty_seat if self.stored.status == CHALLENGED else None

    @property
    def _empty_seat(self) -> Side:
        return Side.X if self.stored.x_player_id is None and not self.stored.x_bot else Side.O

    @property
    def can_be_aborted(self) -> bool:
        """Whether it is young enough to be called off: of a tournament none is."""
        return self.is_running and _may_be_called_off(self.stored)

    def seats_of(self, player: Player | None) -> tuple[Side, ...]:
        """Return the sides that the player has: none, one, or both in a solo game."""
        if player is None:
            return ()
        holders = ((Side.X, self.stored.x_player_id), (Side.O, self.stored.o_player_id))
        return tuple(side for side, holder in holders if holder == player.id)

    def side_acting_for(self, player: Player | None) -> Side | None:
        """Return the side for which the player acts: in a solo game the one to move."""
        seats = self.seats_of(player)
        if len(seats) == 2:
            return self.position.turn
        return seats[0] if seats else None

    def is_turn_of(self, player: Player | None) -> bool:
        """Tell whether the player is the one to move."""
        return self.is_running and self.position.turn in self.seats_of(player)

    @property
    def clock(self) -> Clock | None:
        """The clock of the side to move, where one runs."""
        return clock_of(self.stored, self.vacations)

    def vacation_of(self, side: Side) -> Vacation | None:
        """Return the vacation that a side's player is on."""
        holder = self.stored.x_player_id if side is Side.X else self.stored.o_player_id
        if holder is None:
            return None
        return clock.current_vacation(self.vacations.get(holder, ()), self.now)

    def may_claim(self, player: Player | None) -> bool:
        """Tell whether the opponent's time is up, so that the player may claim the game."""
        runs = self.clock
        return (
            runs is not None
            and not self.can_be_aborted
            and self.position.turn.other in self.seats_of(player)
            and runs.stand(self.now) is Stand.CLAIMABLE
        )

    def may_answer_challenge(self, player: Player | None) -> bool:
        """Tell whether the player is the one whom this game waits for."""
        return (
            player is not None
            and self.stored.status == CHALLENGED
            and self.stored.challenged_player_id == player.id
        )

    def may_offer_draw(self, player: Player | None) -> bool:
        """Tell whether the player may offer a draw: once a turn, and not in a solo game."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and not self.is_solo
            and self.bot_level is None
            and self.stored.draw_offered_by is None
            and _offered_at_turn(self.stored, side) != self.stored.turn_counter
        )

    def ply_of_takeback(self, side: str | None) -> int | None:
        """Return how many moves stay when a side's last one is taken back; None if it has none."""
        last = next((move for move in reversed(self.recent) if move.side == side), None)
        return None if last is None else last.ply - 1

    def may_take_back(self, player: Player | None) -> bool:
        """Tell whether the player may take a move back, or ask for it: once a turn.

        In a tournament a move stays made.
        """
        side = self.side_acting_for(player)
        if side is None or self.stored.status != PLAYING or self.stored.tournament_id is not None:
            return False
        if self.is_solo:
            return self.ply > 0
        return self.ply_of_takeback(side.value) is not None and (
            self.bot_level is not None
            or (
                self.stored.takeback_asked_by is None
                and _offered_at_turn(self.stored, side) != self.stored.turn_counter
            )
        )

    def may_answer_takeback(self, player: Player | None) -> bool:
        """Tell whether the opponent's wish to take moves back waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.takeback_asked_by == side.other.value
        )

    def may_answer_draw(self, player: Player | None) -> bool:
        """Tell whether the opponent's offer of a draw waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.draw_offered_by == side.other.value
        )


def clock_of(game: StoredGame, vacations: Mapping[int, Sequence[Vacation]]) -> Clock | None:
    """Return the clock of the side to move in a stored game, where one runs."""
    # A bot is late only where the capsule is at fault: that costs nobody a game.
    if game.status != PLAYING or game.days_a_move is None or game.bot_to_move:
        return None
    mover = game.x_player_id if game.turn == "X" else game.o_player_id
    return Clock(game.moved_at, game.days_a_move, vacations.get(mover or 0, ()))


def as_of(
    game: StoredGame, vacations: Mapping[int, Sequence[Vacation]], now: datetime
) -> StoredGame:
    """Return a stored game as it is at a time: ended, where it has ended by itself until then.

    A page shows this and the sweep stores it, so that both always agree.
    """
    if game.status == CHALLENGED or (game.status == WAITING and game.listed):
        lapses = game.created_at + clock.LAPSE
        return game if now < lapses else ended(game, {"status": ABORTED}, lapses)
    runs = clock_of(game, vacations)
    if runs is None or runs.stand(now) is not Stand.OVER:
        return game
    return ended(game, _timed_out(game), runs.end)


def _timed_out(game: StoredGame) -> dict[str, str | float | None]:
    if _may_be_called_off(game):
        return {"status": ABORTED}
    return ending_of(TIMED_OUT, *win_of(Side(game.turn).other))


def _may_be_called_off(game: StoredGame) -> bool:
    return game.ply < ABORT_BEFORE and game.tournament_id is None


def win_of(side: Side) -> tuple[Side, tuple[float, float]]:
    """Return the winner and the points of a game that a side won outright."""
    return side, (1.0, 0.0) if side is Side.X else (0.0, 1.0)


def current(
    site: Site, connection: Connection, games: Sequence[StoredGame]
) -> Sequence[StoredGame]:
    """Return stored games as they are now."""
    now = site.clock()
    vacations = vacations_in(connection, [game for game in games if as_of(game, {}, now) != game])
    return [as_of(game, vacations, now) for game in games]


def vacations_in(
    connection: Connection, games: Sequence[StoredGame]
) -> Mapping[int, Sequence[Vacation]]:
    """Return the vacations that matter to the clocks of these games."""
    timed = [game for game in games if game.status == PLAYING and game.days_a_move is not None]
    if not timed:
        return {}
    seats = (seat for game in timed for seat in (game.x_player_id, game.o_player_id))
    since = min(game.moved_at for game in timed)
    players = {player_id for player_id in seats if player_id is not None}
    return stored_vacations.vacations_of(connection, players, since)


def game_at(site: Site, connection: Connection, game: StoredGame, ply: int) -> Game:
    """Return a stored game as it is now, after the first `ply` of its moves."""
    now = site.clock()
    vacations = vacations_in(connection, [game])
    game = as_of(game, vacations, now)

    def replayed_now() -> Replayed:
        return replay(site.replays, connection, game, ply, MOVES_TOLD)

    is_now = ply == game.ply
    replayed = (
        site.replays.get(game.id, game.turn_counter, replayed_now) if is_now else replayed_now()
    )
    return Game(
        game, replayed.position, ply, replayed.recent, now, vacations, before=replayed.before
    )


def expect(site: Site, connection: Connection, game_id: str, turn_counter: int) -> Game:
    """Return a game that goes on, for an action from a page made at that turn.

    Nobody else changes it until the transaction ends. Raises `OutdatedAction`.
    """
    found = stored.game_by_id(connection, game_id, to_change=True)
    if found is None or found.turn_counter != turn_counter:
        raise OutdatedAction
    game = game_at(site, connection, found, found.ply)
    if not game.is_running:
        raise OutdatedAction
    return game


@contextmanager
def one_move() -> Iterator[None]:
    """Raise `OutdatedAction` where another device or process has just made this move."""
    try:
        yield
    except IntegrityError as error:
        raise OutdatedAction from error


def make_move(
    site: Site, connection: Connection, game: Game, move: str, *, planned: bool = False
) -> Replayed:
    """Store a legal move of a game and return where it leads, for the cache of replays.

    A `planned` move was typed in advance.
    """
    now = site.clock()
    position = game.position.play(move)
    made = stored.StoredMove(
        game.ply + 1,
        game.position.turn.value,
        move,
        now,
        takebacks=game.stored.turn_counter - game.ply,
        planned=planned,
    )
    stored.add_move(connection, game.stored.id, made)
    ending: dict[str, Any] = {}
    if position.outcome is not None:
        winner = position.outcome.winner
        ending = ending_of(FINISHED, winner, position.outcome.points) | {"ended_at": now}
    next_bot = game.stored.x_bot if position.turn is Side.X else game.stored.o_bot
    after = replace(
        game.stored,
        ply=game.ply + 1,
        turn=position.turn.value,
        turn_counter=game.stored.turn_counter + 1,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=now,
        bot_to_move=position.outcome is None and next_bot is not None,
        **ending,
    )
    store_change(connection, game.stored, after)
    return Replayed(position, (*game.recent, made)[-MOVES_TOLD:], game.position)


def ending_of(
    status: str, winner: Side | None, points: tuple[float, float]
) -> dict[str, str | float | None]:
    """Return the columns of a game that ended so: what it was worth to whom."""
    return {
        "status": status,
        "analysis_due": True,
        "winner": winner and winner.value,
        "x_points": points[0],
        "o_points": points[1],
    }


def ended(
    game: StoredGame, values: Mapping[str, str | float | None], moment: datetime
) -> StoredGame:
    """Return a game that ended at a moment with these values of its columns.

    The turn counter goes up, so that no link made before the end acts after it.
    """
    over: dict[str, Any] = {
        **values,
        "draw_offered_by": None,
        "takeback_asked_by": None,
        "bot_to_move": False,
        "ended_at": moment,
        "moved_at": moment,
        "turn_counter": game.turn_counter + 1,
    }
    return replace(game, **over)


def store_change(connection: Connection, before: StoredGame, after: StoredGame) -> None:
    """Store what has changed in a game; where it has ended, plans go and ratings change."""
    names = (field.name for field in fields(before))
    changed = {name: getattr(after, name) for name in names}
    changed = {name: value for name, value in changed.items() if getattr(before, name) != value}
    if not changed:
        return
    stored.change_game(connection, before.id, **changed)
    if before.status in RUNNING and after.status not in RUNNING:
        drop_plans(connection, before.id)
        rate(connection, after)


def end(connection: Connection, game: Game, values: Mapping[str, str | float | None]) -> None:
    """End a game now, with these values of its columns."""
    store_change(connection, game.stored, ended(game.stored, values, game.now))


def _offered_at_turn(game: StoredGame, side: Side) -> int | None:
    return game.x_offered_at_turn if side is Side.X else game.o_offered_at_turn
