"""A game from the point of view of one player or of a spectator: what the reader may do now.

Only this module distinguishes a player's own side from the opponent's, like `Pov` in lila.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from capsule.accounts.model import Player
from capsule.errors import OutdatedAction
from capsule.games.clock import ClockState
from capsule.games.game import Game
from capsule.games.model import Seat
from engine import Side


@dataclass(frozen=True, slots=True)
class Spectator:
    """The point of view of a reader without a seat, who may at most answer a challenge.

    It has every attribute of a `PointOfView` that pages read without asking for its kind.
    """

    may_answer_challenge: bool = False

    is_seated: ClassVar[Literal[False]] = False
    own_side: ClassVar[None] = None
    side_taken_back: ClassVar[None] = None
    is_turn: ClassVar[bool] = False
    may_resign: ClassVar[bool] = False
    may_claim: ClassVar[bool] = False
    may_offer_draw: ClassVar[bool] = False
    is_draw_declined: ClassVar[bool] = False
    may_answer_draw: ClassVar[bool] = False
    may_take_back: ClassVar[bool] = False
    is_takeback_declined: ClassVar[bool] = False
    takes_back_at_once: ClassVar[bool] = False
    may_answer_takeback: ClassVar[bool] = False
    may_plan: ClassVar[bool] = False
    may_ask_hint: ClassVar[bool] = False


SPECTATOR = Spectator()
"""The point of view of all other readers without a seat."""

CHALLENGED = Spectator(may_answer_challenge=True)
"""The point of view of a player for whom a seat is reserved."""


@dataclass(frozen=True, slots=True)
class PointOfView:
    """A game as seen by the player of one side.

    A solo player has both seats; `side` is then the side to move.
    """

    game: Game
    side: Side

    is_seated: ClassVar[Literal[True]] = True
    may_answer_challenge: ClassVar[bool] = False

    @property
    def own_side(self) -> Side | None:
        """The player's side; None for a solo player, who has both."""
        return None if self.game.stored.is_solo else self.side

    @property
    def seat(self) -> Seat:
        """The player's own seat."""
        return self.game.stored.seat(self.side)

    @property
    def opponent(self) -> Seat:
        """The seat on the other side."""
        return self.game.stored.seat(self.side.other)

    @property
    def is_turn(self) -> bool:
        """Whether the player is to move."""
        return self.game.stored.is_running and self.game.position.turn is self.side

    @property
    def may_resign(self) -> bool:
        return self.game.stored.is_playing

    @property
    def may_claim(self) -> bool:
        """Whether the opponent's time is up, so that the player may claim the game."""
        return (
            self.game.clock_state is ClockState.CLAIMABLE
            and not self.game.stored.can_be_aborted
            and not self.is_turn
        )

    @property
    def may_offer_draw(self) -> bool:
        """Whether the player may offer a draw: once per turn, and to a bot on their own turn.

        A bot on turn moves at once: an offer would lapse before the bot could answer it.
        """
        game = self.game.stored
        return (
            game.is_playing
            and not game.is_solo
            and (self.is_turn or game.bot_level is None)
            and game.draw_offered_by is None
            and not self._has_offered_draw
        )

    @property
    def is_draw_declined(self) -> bool:
        """Whether the opponent has declined the draw that the player offered on this turn.

        An offer that the opponent has made since replaces this notice.
        """
        game = self.game.stored
        is_answered = game.is_playing and game.draw_offered_by is None
        return is_answered and self._has_offered_draw and not self.may_answer_takeback

    @property
    def may_answer_draw(self) -> bool:
        """Whether the opponent has offered a draw that the player may accept or decline."""
        game = self.game.stored
        return game.is_playing and game.draw_offered_by is self.side.other

    @property
    def may_take_back(self) -> bool:
        """Whether the player may take a move back, or ask the opponent for a takeback.

        A player may ask once per turn. Tournament games have no takebacks.
        """
        game = self.game.stored
        if not game.is_playing or game.tournament_id is not None:
            return False
        if game.is_solo:
            return game.plies_played > 0
        if self.game.ply_of_takeback(self.side) is None:
            return False
        return self.takes_back_at_once or (
            game.takeback_asked_by is None and not self._has_asked_takeback
        )

    @property
    def is_takeback_declined(self) -> bool:
        """Whether the opponent has declined the takeback that the player asked for on this turn.

        An offer that the opponent has made since replaces this notice.
        """
        game = self.game.stored
        is_answered = game.is_playing and game.takeback_asked_by is None
        return is_answered and self._has_asked_takeback and not self.may_answer_draw

    @property
    def takes_back_at_once(self) -> bool:
        """Whether a takeback needs nobody's consent: in solo games and against bots."""
        return self.game.stored.is_solo or self.game.stored.bot_level is not None

    @property
    def side_taken_back(self) -> Side:
        """The side whose last move a takeback removes: the player's; if solo, the last mover's."""
        last = self.game.last_move
        return last.side if self.game.stored.is_solo and last is not None else self.side

    @property
    def may_answer_takeback(self) -> bool:
        """Whether the opponent has asked for a takeback that the player may accept or decline."""
        game = self.game.stored
        return game.is_playing and game.takeback_asked_by is self.side.other

    @property
    def may_plan(self) -> bool:
        """Whether the player may plan conditional moves: while another person is to move."""
        game = self.game.stored
        return game.is_playing and game.is_between_people and not self.is_turn

    @property
    def may_ask_hint(self) -> bool:
        """Whether the player may ask for a hint.

        Players may on their turn, in solo games and against bots, but not in tournaments. Programs
        never may: they find their own moves.
        """
        game = self.game.stored
        is_allowed = game.tournament_id is None and not self.seat.is_program
        return self.is_turn and is_allowed and self.takes_back_at_once

    @property
    def _has_offered_draw(self) -> bool:
        return self.seat.draw_offered_at_turn == self.game.stored.turn_counter

    @property
    def _has_asked_takeback(self) -> bool:
        return self.seat.takeback_asked_at_turn == self.game.stored.turn_counter


def view_of(game: Game, player: Player | None) -> PointOfView | Spectator:
    """Return a game from the point of view of a player, or of a visitor without a player."""
    side = None if player is None else game.stored.side_of(player.id)
    if side is None:
        is_challenged = player is not None and game.stored.is_challenge_to(player.id)
        return CHALLENGED if is_challenged else SPECTATOR
    # A solo player acts for the side to move.
    return PointOfView(game, game.position.turn if game.stored.is_solo else side)


def require_view(game: Game, player: Player | None) -> PointOfView:
    """Return a game from the player's seat; raises `OutdatedAction` if they have none."""
    view = view_of(game, player)
    if not view.is_seated:
        raise OutdatedAction
    return view
