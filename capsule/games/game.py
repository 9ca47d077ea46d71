"""A game with its position and its clock, as pages and actions read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from capsule.games.clock import Clock, ClockState, Vacation, Vacations, current_vacation
from capsule.games.model import EndReason, StoredGame, StoredMove
from engine import Message, Position, Side, Variant, message

# Translators: all of these are clauses that follow a colon or a comma, without a full stop.
_BY_PLAYER = {
    EndReason.DECLINED: message("{name} declined the challenge"),
    EndReason.WITHDRAWN: message("{name} closed the open seat"),
    EndReason.ABORTED: message("{name} aborted the game"),
    EndReason.OUT_OF_TIME: message("{name} ran out of time"),
    EndReason.BANNED: message("{name} was banned"),
    EndReason.ERASED: message("a player erased their account"),
}
_BY_READER = {
    EndReason.WITHDRAWN: message("you closed the open seat"),
    EndReason.ABORTED: message("you aborted the game"),
    EndReason.OUT_OF_TIME: message("you ran out of time"),
    EndReason.BANNED: message("you were banned"),
}
_BY_NEITHER = {
    EndReason.EXPIRED: message("nobody took the open seat for seven days"),
    EndReason.CANCELLED: message("the operator cancelled the cup"),
    EndReason.NO_VOTES: message("nobody voted for seven days"),
}
_REMATCH_DECLINED = message("{name} declined the rematch")
_CHALLENGE_WITHDRAWN = message("{name} withdrew the challenge to {challenged}")
_OWN_CHALLENGE_WITHDRAWN = message("you withdrew the challenge to {challenged}")
_CHALLENGE_EXPIRED = message("{challenged} did not answer the challenge for seven days")


def reason_in_words(game: StoredGame, own_side: Side | None = None) -> Message | None:
    """Return why a game ended without a result, for a reader who played `own_side` or neither.

    It is None for a game with a result, and for one that ended before reasons were stored.
    """
    reason, side = game.end_reason, game.ended_by
    if reason is None:
        return None
    is_reader = side is not None and side is own_side and reason in _BY_READER
    words = _BY_READER if is_reader else _BY_NEITHER if side is None else _BY_PLAYER
    found = words[reason]
    challenged = game.challenged.name
    if challenged is not None and reason is EndReason.WITHDRAWN:
        found = _OWN_CHALLENGE_WITHDRAWN if is_reader else _CHALLENGE_WITHDRAWN
    elif challenged is not None and reason is EndReason.EXPIRED:
        found = _CHALLENGE_EXPIRED
    elif game.previous_id is not None and reason is EndReason.DECLINED:
        found = _REMATCH_DECLINED
    return found.filled(name=side and game.holder(side).name, challenged=challenged)


MAX_RECENT_MOVES = 6
"""Latest moves that a game's page shows."""


@dataclass(frozen=True, slots=True)
class Game:
    """A stored game with the position after the first `ply` of its moves, or after all of them.

    `recent` are the last moves up to that position, the oldest first, and `before_turn` is the
    position before the last turn: all moves that one side made in a row. Neither includes moves
    that led to the position from which the game was played. `now` is the time at which the game was
    read: deadlines that had passed are applied. `clock` is that of the side to move, None if none
    runs, and `vacations` are those that matter to it, by player.
    """

    stored: StoredGame
    position: Position
    ply: int
    recent: Sequence[StoredMove]
    now: datetime
    clock: Clock | None
    vacations: Vacations
    before_turn: Position | None = None

    @property
    def id(self) -> str:
        """The game's id, as in its address."""
        return self.stored.id

    @property
    def variant(self) -> Variant:
        return self.stored.variant

    @property
    def is_running(self) -> bool:
        """Whether the game has not ended: it is being played or waits for a player."""
        return self.stored.is_running

    @property
    def is_latest(self) -> bool:
        """Whether this is the position after all moves."""
        return self.ply == self.stored.ply

    @property
    def is_before_start(self) -> bool:
        """Whether the position is one on the way to that from which the game was played."""
        return self.ply < self.stored.start_ply

    @property
    def last_move(self) -> StoredMove | None:
        """The move that led to the position, None at the start."""
        return self.recent[-1] if self.recent else None

    @property
    def last_turn(self) -> Sequence[StoredMove]:
        """The moves of the last turn: the last move, and those before it by the same side."""
        first = len(self.recent)
        while first and self.recent[first - 1].side is self.recent[-1].side:
            first -= 1
        return self.recent[first:]

    @property
    def steps(self) -> Sequence[tuple[Position, str]]:
        """The moves of the last turn, each with the position before it; () at the start."""
        if self.before_turn is None:
            return ()
        first, *others = self.last_turn
        steps = [(self.before_turn, first.move)]
        for move in others:
            before, played = steps[-1]
            steps.append((before.play(played), move.move))
        return steps

    @property
    def before(self) -> Position | None:
        """The position before the last move, None at the start."""
        return self.steps[-1][0] if self.steps else None

    @property
    def latest(self) -> Sequence[str]:
        """The cells that the last turn has marked, by their names in the position."""
        return [cell for before, move in self.steps for cell in before.marked_by(move)]

    @property
    def narration(self) -> Message | None:
        """The last turn in words, to follow "played"; None at the start."""
        narration: Message | None = None
        for before, move in self.steps:
            words = before.narration(move)
            narration = (
                words
                if narration is None
                # Translators: a turn of several moves, to go on from “played”.
                else message("{first}, then {next}", first=narration, next=words)
            )
        return narration

    @property
    def description(self) -> Sequence[Message]:
        """The position in words, without an instruction if the players ended the game."""
        is_cut_short = self.is_latest and not self.is_running and self.position.outcome is None
        return self.facts if is_cut_short else self.position.describe()

    @property
    def facts(self) -> Sequence[Message]:
        """The position in words without what may be done in it or how it ended."""
        instruction = self.position.instruction()
        return [each for each in self.position.describe() if each != instruction]

    @property
    def narration_exceeds_move(self) -> bool:
        """Whether the narration says more than which move was the last."""
        return self.last_move is not None and str(self.narration) != self.last_move.move

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return self.is_running and self.stored.bot_to_move

    @property
    def clock_state(self) -> ClockState | None:
        """The state of the running clock, None if none runs."""
        return None if self.clock is None else self.clock.state(self.now)

    def reason_in_words(self, own_side: Side | None) -> Message | None:
        """Return why the game ended without a result, for a reader who played `own_side`."""
        return reason_in_words(self.stored, own_side)

    def vacation_of(self, side: Side) -> Vacation | None:
        """Return the current vacation of a side's player; None if there is none."""
        holder = self.stored.seat(side).player_id
        if holder is None:
            return None
        return current_vacation(self.vacations.get(holder, ()), self.now)

    def ply_of_takeback(self, side: Side) -> int | None:
        """Return how many moves remain once a side's last one is taken back.

        None if the side has no recent move.
        """
        last = next((move for move in reversed(self.recent) if move.side is side), None)
        return None if last is None else last.ply - 1
