"""Rematches: a challenge made from a game that has ended, with the sides changed and its terms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.relation_queries import are_apart
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.creation import NewGame, create_game
from capsule.games.deadlines import apply_deadlines, settle
from capsule.games.finish import end
from capsule.games.model import EMPTY_SEAT, Seat
from capsule.games.quota import require_room
from capsule.games.reading import load_game, require_view
from capsule.games.status import Ending, GameStatus
from capsule.play.challenges import take_kept_seat
from engine import Side

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game, StoredGame
    from capsule.games.point_of_view import PointOfView


@dataclass(frozen=True, slots=True)
class Rematch:
    """A game that has ended as one visitor sees it, and the rematch that was offered last.

    `view` is None for somebody who did not play.
    """

    game: Game
    offered: StoredGame | None
    player: Player | None
    view: PointOfView | None

    @property
    def may_offer(self) -> bool:
        """Whether the player may offer a rematch.

        After a declined or expired offer, only the opponent may offer again. A game of a tournament
        has no rematch: the next game of its players is there already.
        """
        game, view, offered = self.game.stored, self.view, self.offered
        if game.is_running or game.is_solo or game.tournament_id is not None:
            return False
        if self.player is None or view is None or view.opponent.is_empty:
            return False
        return offered is None or (
            offered.was_called_off and not offered.has_player(self.player.id)
        )

    @property
    def may_answer(self) -> bool:
        """Whether the rematch that was offered waits for the player's answer."""
        return (
            self.is_waiting
            and self.offered is not None
            and self.player is not None
            and self.offered.challenged_player_id == self.player.id
        )

    @property
    def is_waiting(self) -> bool:
        """Whether the rematch that was offered waits for an answer."""
        return self.offered is not None and self.offered.status is GameStatus.CHALLENGED

    @property
    def is_accepted(self) -> bool:
        """Whether the rematch that was offered has been taken up."""
        offered = self.offered
        return (
            offered is not None
            and not self.is_waiting
            and (offered.challenged_player_id in (offered.x.player_id, offered.o.player_id))
        )

    @property
    def is_against_bot(self) -> bool:
        """Whether a bot plays the rematch, which needs no answer."""
        return self.game.stored.bot_level is not None

    @property
    def own_side(self) -> Side | None:
        """The side that the rematch keeps for whoever is to answer."""
        return self.offered.kept_side if self.offered is not None else None


def rematch_of(
    context: AppContext, connection: Connection, game: Game, player: Player | None
) -> Rematch:
    """Return what there is to say to a visitor about the rematch of a game."""
    offered = None if game.is_running else _offered(context, connection, game)
    return Rematch(game, offered, player, game.view_of(player))


def offer_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> str:
    """Offer a rematch after a game's end, and return the id of the game to look at next.

    A bot plays it at once; it is agreed where the opponent has offered one. Raises `TooManyGames`.
    """
    with context.database.writing() as connection:
        rematch = _load_ended(context, connection, player, game_id, turn_counter)
        if rematch.offered is not None and rematch.may_answer:
            take_kept_seat(connection, load_game(context, connection, rematch.offered), player)
            return rematch.offered.id
        if not rematch.may_offer:
            raise OutdatedAction
        view = require_view(rematch.game, player)
        opponent = view.opponent
        _require_willing(context, connection, player, opponent)
        require_room(connection, player, against_bots=opponent.bot is not None)
        new_id = create_game(context, connection, _rematch_terms(view))
        stored = rematch.game.stored
        # Where an earlier offer came to nothing, no page that still shows it may answer this one.
        again = 0 if rematch.offered is None else 1
        after = replace(stored, next_id=new_id, turn_counter=turn_counter + again)
        game_queries.save_changes(connection, stored, after)
        return new_id if opponent.bot else game_id


def accept_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> str:
    """Play the rematch that was offered after this game, and return its id."""
    with context.database.writing() as connection:
        rematch = _load_ended(context, connection, player, game_id, turn_counter)
        if rematch.offered is None or not rematch.may_answer:
            raise OutdatedAction
        take_kept_seat(connection, load_game(context, connection, rematch.offered), player)
        return rematch.offered.id


def decline_rematch(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the rematch that was offered after this game."""
    with context.database.writing() as connection:
        rematch = _load_ended(context, connection, player, game_id, turn_counter)
        if rematch.offered is None or not rematch.may_answer:
            raise OutdatedAction
        end(connection, load_game(context, connection, rematch.offered), Ending.called_off())


def _rematch_terms(view: PointOfView) -> NewGame:
    """Return the game to play again: a bot has its seat at once, a person's is kept."""
    stored, bot = view.game.stored, view.opponent.bot
    own, other = Seat(player_id=view.seat.player_id), Seat(bot=bot) if bot else EMPTY_SEAT
    x, o = (other, own) if view.side is Side.X else (own, other)
    return NewGame(
        variant=stored.variant,
        x=x,
        o=o,
        status=GameStatus.PLAYING if bot else GameStatus.CHALLENGED,
        listed=stored.listed and bot is not None,
        lists_when_joined=stored.listed,
        days_per_move=stored.days_per_move,
        rated=stored.rated,
        challenged_player_id=view.opponent.player_id,
        previous_id=stored.id,
    )


def _require_willing(
    context: AppContext, connection: Connection, player: Player, opponent: Seat
) -> None:
    """Raise `OutdatedAction` where the opponent is banned, or one of the two has blocked the other."""
    if opponent.player_id is None:
        return
    other = player_queries.player_by_id(connection, opponent.player_id)
    is_banned = other is not None and other.is_banned(context.clock())
    if is_banned or are_apart(connection, player.id, opponent.player_id):
        raise OutdatedAction


def _load_ended(
    context: AppContext, connection: Connection, player: Player, game_id: str, turn_counter: int
) -> Rematch:
    """Return a game that has ended at that turn, with its rematch; both are held."""
    found = game_queries.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = load_game(context, connection, found)
    if game.is_running or game.stored.turn_counter != turn_counter:
        raise OutdatedAction
    settle(connection, found, game.stored)
    offered = _offered(context, connection, game, to_change=True)
    return Rematch(game, offered, player, game.view_of(player))


def _offered(
    context: AppContext, connection: Connection, game: Game, *, to_change: bool = False
) -> StoredGame | None:
    if game.stored.next_id is None:
        return None
    found = game_queries.game_by_id(connection, game.stored.next_id, to_change=to_change)
    return apply_deadlines(context, connection, [found])[0] if found else None
