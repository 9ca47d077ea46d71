"""Games as they are stored: their seats, their records and their moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NoReturn

from capsule.accounts.model import Player
from capsule.accounts.names import EVERYONE, bot_name, level_bot_name, shown_name
from capsule.errors import NotAtPresent
from capsule.games.clock import DAY, FORFEIT_FACTOR, OFFER_LIFETIME, Clock, Vacations
from engine import VARIANTS, Message, Outcome, Position, Side, Variant, message


class GameStatus(StrEnum):
    """A game's status; the values are those in the database and in records."""

    WAITING = "waiting"
    """A seat is open to anyone who has the game's address."""

    CHALLENGED = "challenged"
    """A seat is reserved for one player, who has not answered yet."""

    PLAYING = "playing"
    FINISHED = "finished"
    """Decided by the rules of the variant, or drawn by the terms of its cup."""

    RESIGNED = "resigned"
    AGREED = "agreed"
    TIMED_OUT = "timed out"
    ABORTED = "aborted"
    """It ended before its second move, or nobody took its seat: it has no result."""


RUNNING = (GameStatus.WAITING, GameStatus.CHALLENGED, GameStatus.PLAYING)
DECIDED = (GameStatus.FINISHED, GameStatus.RESIGNED, GameStatus.AGREED, GameStatus.TIMED_OUT)
OVER = (*DECIDED, GameStatus.ABORTED)


class EndReason(StrEnum):
    """Why a game ended without a result; the values are those in the database and in JSON."""

    DECLINED = "declined"
    """The challenged player declined."""

    WITHDRAWN = "withdrawn"
    """Its player withdrew the challenge or the open seat."""

    EXPIRED = "expired"
    """Nobody took the seat in time."""

    ABORTED = "aborted"
    """A player aborted it before its second move."""

    OUT_OF_TIME = "out of time"
    """The side to move ran out of time before the second move."""

    BANNED = "banned"
    ERASED = "erased"
    """A player was banned, or erased the account, before the second move."""

    CANCELLED = "cancelled"
    """The operator cancelled the cup to which it belonged."""

    NO_VOTES = "no votes"
    """Nobody voted for the next move of everyone's game."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the resulting status, the winner, and the points of X and O.

    `winner` is None in a draw and in an aborted game. An aborted game has no `points`, but a
    `reason`, and `ended_by` is the side that caused the abort, None if neither did.
    """

    status: GameStatus
    winner: Side | None = None
    points: tuple[float, float] | None = None
    reason: EndReason | None = None
    ended_by: Side | None = None

    @classmethod
    def by_rules(cls, outcome: Outcome) -> "Ending":
        """Return the ending of a game decided by the rules of its variant."""
        return cls(GameStatus.FINISHED, outcome.winner, outcome.points)

    @classmethod
    def resignation(cls, loser: Side) -> "Ending":
        """Return the ending of a game that a side resigned."""
        return cls(GameStatus.RESIGNED, loser.other, _points_of_win(loser.other))

    @classmethod
    def timeout(cls, loser: Side) -> "Ending":
        """Return the ending of a game in which a side ran out of time."""
        return cls(GameStatus.TIMED_OUT, loser.other, _points_of_win(loser.other))

    @classmethod
    def agreement(cls, variant: Variant) -> "Ending":
        """Return the ending of a game drawn by agreement, with the variant's points for a draw."""
        return cls(GameStatus.AGREED, None, variant.draw_points)

    @classmethod
    def by_terms(cls, variant: Variant) -> "Ending":
        """Return the ending of a game that the terms of its cup make a draw."""
        return cls(GameStatus.FINISHED, None, variant.draw_points)

    @classmethod
    def aborted(cls, reason: EndReason, ended_by: Side | None = None) -> "Ending":
        """Return the ending of a game aborted for a reason, by a side or by neither."""
        return cls(GameStatus.ABORTED, reason=reason, ended_by=ended_by)


def _points_of_win(winner: Side) -> tuple[float, float]:
    return (1.0, 0.0) if winner is Side.X else (0.0, 1.0)


MIN_PLIES = 2
"""A game shorter than this many moves can be aborted, and does not count for ratings."""

MIN_ANALYSED_PLIES = 4
"""The length of the shortest game that can be won on the board, which is one of numeric."""

EVENT_VARIANTS = ("tinc", "ultimate", "numeric", "quantum", "extreme")
"""The variants of monthly cups and of everyone's games, in the order of their rotation."""

MAX_EVENT_PLIES = 60
"""The plies after which an event's game is drawn, in variants whose games might never end."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game: held by a player, by everyone or by a bot of some level, or empty.

    `player_name` is "" for a player who has been erased, and `is_program` says that the player is a
    declared program. `draw_offered_at_turn` and `takeback_asked_at_turn` are the turn counters of
    the side's last offer and last request. `shows_messages` says that the side lets visitors read
    the messages. `is_struck_out` marks a banned player, whose name pages of cups do not show.
    """

    player_id: int | None = None
    player_name: str | None = None
    bot: str | None = None
    draw_offered_at_turn: int | None = None
    takeback_asked_at_turn: int | None = None
    shows_messages: bool = False
    is_program: bool = False
    is_everyones: bool = False
    is_struck_out: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the seat is free: neither a player nor a bot nor everyone holds it."""
        return self.player_id is None and self.bot is None and not self.is_everyones

    @property
    def has_people(self) -> bool:
        """Whether a person or everyone holds the seat, but no bot and no declared program."""
        return not (self.is_empty or self.bot is not None or self.is_program)

    @property
    def name(self) -> str | None:
        """The holder's name as pages show it: a program's name says that it is a bot."""
        is_called_bot = self.is_program and not self.is_struck_out
        return bot_name(self.player_name) if is_called_bot else self.recorded_name

    @property
    def recorded_name(self) -> str | None:
        """The holder's name as records store it, by which a player can be looked up."""
        if self.bot:
            return level_bot_name(self.bot)
        if self.is_everyones:
            return EVERYONE
        if self.player_name is None:
            return None
        return shown_name(self.player_name, is_struck_out=self.is_struck_out)


EMPTY_SEAT = Seat()

EVERYONES_SEAT = Seat(is_everyones=True)
"""The seat of the people who vote for the moves of everyone's game."""


def player_seat(player: Player) -> Seat:
    """Return a seat that a player has taken."""
    return Seat(player_id=player.id, player_name=player.name, is_program=player.is_program)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored, without its moves.

    `turn` is the side to move and `ply` the number of moves made. Every move, takeback and ending
    raises `turn_counter`, and nothing lowers it: a link made at one count is void at the next.
    Lists of games are sorted by `moved_at`, the time of the last event that moves a game in them.
    A player's first listed open seat has the `precedence` 0, the second −1, and so on. A rated game
    is `surplus` if its players had already begun as many games of the variant as count in a day.
    `rating_number` orders the games that changed ratings. A challenge reserves a seat for the
    `challenged` player, who may have `declined`. A game without a result has an `end_reason`,
    unless it ended before reasons were stored, and `ended_by` is the side that caused the end.
    `previous_id` is the id of the game before this rematch, `next_id` that of the rematch offered
    last. `draw_offered_at` and `takeback_asked_at` are the times of the last offers, which may have
    lapsed. The first `start_ply` moves lead to the game's starting position. `comments` is the
    number of comments on the game. A cup's game ends at `ends_by` at the latest. Once the open seat
    is taken, the game may be listed: by `lists_when_joined` if a person took the seat, by
    `lists_with_bots` if a program did.
    """

    id: str
    variant: Variant
    x: Seat
    o: Seat
    status: GameStatus
    turn: Side
    created_at: datetime
    moved_at: datetime
    ply: int = 0
    turn_counter: int = 0
    winner: Side | None = None
    points: tuple[float, float] | None = None
    draw_offered_by: Side | None = None
    takeback_asked_by: Side | None = None
    draw_offered_at: datetime | None = None
    takeback_asked_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    bot_to_move: bool = False
    hints: int = 0
    takebacks: int = 0
    analysis_due: bool = False
    season_due: bool = False
    listed: bool = False
    lists_when_joined: bool = False
    lists_with_bots: bool = False
    days_per_move: int | None = None
    rated: bool = False
    surplus: bool = False
    rating_number: int | None = None
    precedence: int | None = None
    seat_taken_by: int | None = None
    challenged: Seat = EMPTY_SEAT
    declined: bool = False
    end_reason: EndReason | None = None
    ended_by: Side | None = None
    previous_id: str | None = None
    next_id: str | None = None
    tournament_id: str | None = None
    ends_by: datetime | None = None
    start_ply: int = 0
    comments: int = 0
    comments_closed: bool = False

    def seat(self, side: Side) -> Seat:
        """Return the seat of a side."""
        return self.x if side is Side.X else self.o

    def with_seat(self, side: Side, seat: Seat) -> "StoredGame":
        """Return the game with a side's seat replaced."""
        return replace(self, x=seat) if side is Side.X else replace(self, o=seat)

    @property
    def is_rated(self) -> bool:
        """Whether its terms let it count for ratings, and it is not surplus."""
        return self.rated and not self.surplus

    def holder(self, side: Side) -> Seat:
        """Return a side's seat; after the end, the challenged player's if it was never taken."""
        seat = self.seat(side)
        return self.challenged if seat.is_empty and not self.is_running else seat

    @property
    def challenged_player_id(self) -> int | None:
        """The id of the challenged player, None if nobody was challenged."""
        return self.challenged.player_id

    @property
    def seats(self) -> Mapping[Side, Seat]:
        """Both seats, by side."""
        return {Side.X: self.x, Side.O: self.o}

    @property
    def mover(self) -> Seat:
        """The seat of the side to move."""
        return self.seat(self.turn)

    def side_of(self, player_id: int) -> Side | None:
        """Return a player's side: X if they have both, None if they have neither."""
        if self.x.player_id == player_id:
            return Side.X
        return Side.O if self.o.player_id == player_id else None

    def has_player(self, player_id: int) -> bool:
        """Return whether a player has a seat."""
        return self.side_of(player_id) is not None

    def waits_for(self, player_id: int) -> bool:
        """Return whether a player has to move, or to answer an offer or a challenge.

        A solo game waits for nobody. A game with an open seat waits for an opponent, even if its
        player may already make the first move.
        """
        if not self.is_running or self.is_solo:
            return False
        side = self.side_of(player_id)
        if side is None:
            return self.is_challenge_to(player_id)
        return (self.is_playing and self.turn is side) or self.has_offer_to(side)

    def is_challenge_to(self, player_id: int | None) -> bool:
        """Return whether a seat is reserved for a player; None is a visitor without an account."""
        return self.reserved_side is not None and self.challenged_player_id == player_id

    def has_offer_to(self, side: Side | None) -> bool:
        """Return whether an offer of a draw or a takeback waits for a side's answer."""
        return side is not None and side.other in (self.draw_offered_by, self.takeback_asked_by)

    @property
    def is_running(self) -> bool:
        """Whether the game has not ended: it is being played or waits for a player."""
        return self.status in RUNNING

    @property
    def is_playing(self) -> bool:
        """Whether both seats are taken and the game has not ended."""
        return self.status is GameStatus.PLAYING

    @property
    def is_decided(self) -> bool:
        """Whether the game has ended with a result."""
        return self.status in DECIDED

    @property
    def has_comments(self) -> bool:
        """Whether the game has comments: everyone's game, and listed games with a result."""
        return self.everyones_side is not None or (self.is_decided and self.listed)

    @property
    def is_worth_analysing(self) -> bool:
        """Whether the game has ended with a result and is long enough to have a turning point."""
        return self.is_decided and self.plies_played >= MIN_ANALYSED_PLIES

    @property
    def was_aborted(self) -> bool:
        """Whether the game has ended without a result."""
        return self.status is GameStatus.ABORTED

    @property
    def is_offered(self) -> bool:
        """Whether lists show that anyone may take its open seat."""
        return self.status is GameStatus.WAITING and self.listed

    @property
    def is_solo(self) -> bool:
        """Whether one player has both seats."""
        return self.x.player_id is not None and self.x.player_id == self.o.player_id

    @property
    def is_between_people(self) -> bool:
        """Whether two people have the seats."""
        return None not in (self.x.player_id, self.o.player_id) and not self.is_solo

    @property
    def everyones_side(self) -> Side | None:
        """The side that everyone plays, None unless this is everyone's game."""
        if self.x.is_everyones:
            return Side.X
        return Side.O if self.o.is_everyones else None

    @property
    def is_drawn_by_length(self) -> bool:
        """Whether an event's game has reached the length at which it is drawn."""
        is_of_event = self.everyones_side is not None or self.ends_by is not None
        return is_of_event and self.variant.may_never_end and self.ply >= MAX_EVENT_PLIES

    @property
    def is_between_bots(self) -> bool:
        """Whether bots have both seats."""
        return self.x.bot is not None and self.o.bot is not None

    @property
    def has_live(self) -> bool:
        """Whether the game has a live page: a running game that is not solo nor against a bot."""
        return self.is_running and not self.is_solo and self.bot_level is None

    @property
    def player_names(self) -> Sequence[str]:
        """The names of its players, each once, without bots and former players."""
        names = (seat.player_name for seat in self.seats.values())
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def bot_level(self) -> str | None:
        """The level of the game's bot, X's if both sides are bots; None without a bot."""
        return self.x.bot or self.o.bot

    @property
    def answering_bot(self) -> Side | None:
        """The side of a bot that has yet to answer an offer of a draw, or None."""
        side = self.draw_offered_by and self.draw_offered_by.other
        return side if side is not None and self.is_playing and self.seat(side).bot else None

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot is to move, or to answer an offer."""
        return self.bot_to_move or self.answering_bot is not None

    @property
    def open_side(self) -> Side | None:
        """The side whose seat anyone may take, if there is one."""
        return self._empty_side if self.status is GameStatus.WAITING else None

    @property
    def reserved_side(self) -> Side | None:
        """The side whose seat is reserved for a challenged player, if there is one."""
        return self._empty_side if self.status is GameStatus.CHALLENGED else None

    @property
    def vacant_side(self) -> Side | None:
        """The side whose seat is open to anyone or reserved for a player, if there is one."""
        return self.open_side or self.reserved_side

    @property
    def reserved_for(self) -> str | None:
        """The name of the challenged player for whom a seat is reserved, or None."""
        return self.challenged.player_name if self.status is GameStatus.CHALLENGED else None

    @property
    def _empty_side(self) -> Side:
        return Side.X if self.x.is_empty else Side.O

    @property
    def plies_played(self) -> int:
        """The number of moves made in the game, without those that led to its starting position."""
        return self.ply - self.start_ply

    @property
    def can_be_aborted(self) -> bool:
        """Whether the game is short enough to be aborted; a tournament game never is."""
        return self.is_running and self.plies_played < MIN_PLIES and self.tournament_id is None

    @property
    def lapses_at(self) -> datetime | None:
        """The time at which the game is aborted if its seat is still empty, or None."""
        lapses = self.status is GameStatus.CHALLENGED or self.is_offered
        return self.created_at + OFFER_LIFETIME if lapses else None

    @property
    def first_deadline(self) -> datetime | None:
        """The earliest time at which a deadline can end the game; vacations only postpone it."""
        if not self.is_playing:
            return self.lapses_at
        if self.days_per_move is None or self.bot_to_move:
            return self.ends_by
        end = self.moved_at + FORFEIT_FACTOR * self.days_per_move * DAY
        return end if self.ends_by is None else min(end, self.ends_by)

    def may_be_due(self, now: datetime) -> bool:
        """Return whether a deadline may have ended the game by now; vacations only postpone it."""
        first = self.first_deadline
        return first is not None and first <= now

    def clock(self, vacations: Vacations) -> Clock | None:
        """Return the clock of the side to move; None if none runs. `vacations` are by player."""
        # If a bot is late, the capsule is at fault: that must not cost a player the game.
        if not self.is_playing or self.days_per_move is None or self.bot_to_move:
            return None
        return Clock(
            self.moved_at, self.days_per_move, vacations.get(self.mover.player_id or 0, ())
        )

    def ended(self, ending: Ending, at: datetime) -> "StoredGame":
        """Return the game with this ending, reached at that time.

        The turn counter rises, so that links made before the end are void.
        """
        return replace(
            self,
            status=ending.status,
            winner=ending.winner,
            points=ending.points,
            end_reason=ending.reason,
            ended_by=ending.ended_by,
            analysis_due=ending.points is not None,
            season_due=ending.points is not None,
            draw_offered_by=None,
            takeback_asked_by=None,
            bot_to_move=False,
            ended_at=at,
            moved_at=at,
            turn_counter=self.turn_counter + 1,
        )


@dataclass(frozen=True, slots=True)
class StoredMove:
    """The move that made a game `ply` moves long.

    `takebacks` distinguishes it from earlier moves of the same number that were taken back. A
    `planned` move was typed in advance.
    """

    ply: int
    side: Side
    move: str
    played_at: datetime
    takebacks: int = 0
    planned: bool = False


Version = tuple[int, str, str | None, str | None]
"""The version of a game: two are equal if nothing has happened to the game in between.

It has the turn counter, the status, and the sides that have offered a draw or asked for a takeback.
"""


def version_of(game: StoredGame) -> Version:
    """Return the version of a game, as `queries.versions` reads it."""
    draw, takeback = game.draw_offered_by, game.takeback_asked_by
    return game.turn_counter, game.status, draw and draw.value, takeback and takeback.value


NO_GAME = message("This capsule does not have the variant of this game at present")
"""The reason why the page of a game cannot be shown."""


class _UnknownPosition(Position):
    """A position of a variant without rules, all of whose methods raise `NotAtPresent`."""

    turn = Side.X
    outcome = None

    def _unknown(self, *_arguments: object, **_named: object) -> NoReturn:
        raise NotAtPresent(NO_GAME)

    legal_moves = parse = play = diagram = describe = instruction = _unknown


def variant_called(key: str) -> Variant:
    """Return the variant with this key; one without rules if it is not loaded."""
    return VARIANTS.get(key) or Variant(key, name=key, title=key, start=_UnknownPosition())


def points_of(x: float | None, o: float | None) -> tuple[float, float] | None:
    """Return the points of both sides, None for a game without a result."""
    return None if x is None or o is None else (x, o)


def is_loaded(variant: Variant) -> bool:
    """Return whether the rules of a stored game's variant are known."""
    return variant.key in VARIANTS


def require_loaded(variant: Variant, reason: Message = NO_GAME) -> None:
    """Raise `NotAtPresent` with a reason if a variant is not loaded."""
    if not is_loaded(variant):
        raise NotAtPresent(reason)
