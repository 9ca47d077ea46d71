"""What players do with games: start, join, move, resign, agree on a draw, abort; and look at them.

Each use case is one transaction. An action names the turn counter that its page was made at: if the
game has gone on since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

import base64
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from capsule.replays import Replayed
from capsule.store import games as stored
from capsule.store import players as stored_players
from engine import VARIANTS, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from capsule.exchange import Certificate
    from capsule.site import Site
    from capsule.store.games import StoredGame, StoredMove
    from capsule.store.players import Player
    from engine import Position, Variant

WAITING, PLAYING, FINISHED = "waiting", "playing", "finished"
RESIGNED, AGREED, ABORTED = "resigned", "agreed", "aborted"
RUNNING = (WAITING, PLAYING)
ENDED = (FINISHED, RESIGNED, AGREED)

ABORT_BEFORE = 2
"""A game can be called off while fewer moves than this have been made."""

MOST_UNFINISHED = 100
"""Games that one player may have going at once."""

MOST_AGAINST_BOTS = 10
"""Games against bots that one player may have going at once: bots' time is everybody's."""

MOVES_TOLD = 6
"""The last moves that a game's page tells of."""


class OutdatedAction(Exception):
    """The action does not fit the game as it stands, so nothing was changed."""


class TooManyGames(Exception):
    """The player has as many unfinished games as anyone may have: `most` of the kind."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are unfinished")
        self.most = most


@dataclass(frozen=True)
class Game:
    """A game as it stands or stood: what is stored, and the position after `ply` of its moves.

    `recent` are the last moves up to there, the oldest first.
    """

    stored: StoredGame
    position: Position
    ply: int
    recent: Sequence[StoredMove]

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
        if self.stored.status != WAITING:
            return None
        return Side.X if self.stored.x_player_id is None else Side.O

    @property
    def can_be_aborted(self) -> bool:
        """Whether it is young enough to be called off."""
        return self.is_running and self.stored.ply < ABORT_BEFORE

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

    def may_answer_draw(self, player: Player | None) -> bool:
        """Tell whether the opponent's offer of a draw waits for the player's answer."""
        side = self.side_acting_for(player)
        return (
            side is not None
            and self.stored.status == PLAYING
            and self.stored.draw_offered_by == side.other.value
        )


def look_at(site: Site, game_id: str, ply: int | None = None) -> Game | None:
    """Return the game as it stands, or after its first `ply` moves; None if there is no such."""
    with site.store.reading() as connection:
        game = stored.game_by_id(connection, game_id)
        if game is None or (ply is not None and ply > game.ply):
            return None
        return _at(site, connection, game, game.ply if ply is None else ply)


def visit(
    site: Site, certificate: Certificate | None, game_id: str
) -> tuple[Game | None, Player | None]:
    """Return the game as it stands and the certificate's player, in one look at the database."""
    with site.store.reading() as connection:
        game, player = stored.game_and_visitor(
            connection, game_id, certificate.fingerprint if certificate else ""
        )
        return None if game is None else _at(site, connection, game, game.ply), player


def all_moves(site: Site, game: Game) -> Sequence[StoredMove]:
    """Return every move of the game up to the ply that is looked at."""
    with site.store.reading() as connection:
        return stored.moves_of(connection, game.stored.id, up_to=game.ply)


def games_of(site: Site, player: Player) -> tuple[Sequence[StoredGame], Sequence[StoredGame]]:
    """Return the player's games that go on and, not more than twenty, those that ended last."""
    with site.store.reading() as connection:
        return (
            stored.games_of_player(connection, player.id, RUNNING, MOST_UNFINISHED),
            stored.games_of_player(connection, player.id, (*ENDED, ABORTED), 20),
        )


def public_games(
    site: Site, statuses: Sequence[str], variant: str | None = None, most: int = 20
) -> Sequence[StoredGame]:
    """Return the listed games with one of these statuses, the last moved in first."""
    with site.store.reading() as connection:
        return stored.listed_games(connection, statuses, variant, most)


def start(site: Site, player: Player, variant: Variant, way: str) -> str:
    """Start a game with the player as X and return its id.

    `way` is "invite" (whoever opens its URL may join), "open" (the same, and listed), "solo" (the
    player has both seats) or "bot-" and a level. Raises `OutdatedAction` where the player has acted
    since `player` was read, `TooManyGames` where they have too many unfinished games.
    """
    now = site.clock()
    bot = way.removeprefix("bot-") if way.startswith("bot-") else None
    game_id = base64.b32encode(site.random_bytes(10)).decode().lower()[:10]
    with site.store.writing() as connection:
        current = stored_players.player_by_id(connection, player.id)
        if current is None or current.actions != player.actions:
            raise OutdatedAction
        if stored.count_unfinished(connection, player.id) >= MOST_UNFINISHED:
            raise TooManyGames(MOST_UNFINISHED)
        if bot and (
            stored.count_unfinished(connection, player.id, against_bots=True) >= MOST_AGAINST_BOTS
        ):
            raise TooManyGames(MOST_AGAINST_BOTS)
        stored_players.count_action(connection, player.id)
        stored.add_game(
            connection,
            id=game_id,
            variant=variant.key,
            listed=way == "open",
            x_player_id=player.id,
            o_player_id=player.id if way == "solo" else None,
            o_bot=bot,
            status=PLAYING if way == "solo" or bot else WAITING,
            turn=variant.start.turn.value,
            created_at=now,
            moved_at=now,
        )
    return game_id


def join(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the player the seat that is open; nothing happens to someone who has a seat.

    Raises `OutdatedAction` where no seat is open.
    """
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if game.open_side is None or game.seats_of(player):
            raise OutdatedAction
        seat = "x_player_id" if game.open_side is Side.X else "o_player_id"
        # `moved_at` orders the lists of games: someone's arrival is news there.
        values = {seat: player.id, "status": PLAYING, "moved_at": site.clock()}
        stored.change_game(connection, game_id, **values)


def move(site: Site, player: Player, game_id: str, turn_counter: int, text: str) -> None:
    """Play the move that the player typed.

    Raises the engine's `InvalidMove` or `IllegalMove` where it cannot be played, and
    `OutdatedAction` where it is not the player's turn or the game has gone on.
    """
    with _one_move(), site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not game.is_turn_of(player):
            raise OutdatedAction
        replayed = _make_move(site, connection, game, game.position.parse(text))
    site.replays.put(game_id, turn_counter + 1, replayed)


def bot_move(site: Site, game_id: str, turn_counter: int, move: str) -> None:
    """Play the move that a bot has chosen; raises `OutdatedAction` where the game has gone on."""
    with _one_move(), site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not game.is_bots_turn:
            raise OutdatedAction
        replayed = _make_move(site, connection, game, move)
    site.replays.put(game_id, turn_counter + 1, replayed)


def bots_turns(site: Site, most: int) -> Sequence[StoredGame]:
    """Return games in which a bot is to move, those that have waited longest first."""
    with site.store.reading() as connection:
        return stored.bots_turns(connection, most)


def next_analysis_due(site: Site) -> Game | None:
    """Return the game whose analysis has been due for longest, or None where none is."""
    with site.store.reading() as connection:
        due = stored.next_analysis_due(connection)
        return None if due is None else _at(site, connection, due, due.ply)


def keep_analysis(site: Site, game_id: str, content: str | None) -> None:
    """Keep the analysis of a game, which is due no longer; None where none could be made."""
    with site.store.writing() as connection:
        if content is not None:
            stored.keep_analysis(connection, game_id, content)
        stored.change_game(connection, game_id, analysis_due=False)


def analysis_of(site: Site, game_id: str) -> str | None:
    """Return the analysis of a game as it was kept, None where there is none."""
    with site.store.reading() as connection:
        return stored.analysis_of(connection, game_id)


def may_ask_hint(game: Game, player: Player | None) -> bool:
    """Tell whether the player may ask for a hint: at their turn, alone or against a bot."""
    return (game.is_solo or game.bot_level is not None) and game.is_turn_of(player)


def count_hint(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Note that a hint was asked for; `OutdatedAction` where the player may not ask."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not may_ask_hint(game, player):
            raise OutdatedAction
        stored.change_game(connection, game_id, hints=game.stored.hints + 1)


def resign(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the game to the opponent; in a solo game the side to move gives up."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        side = game.side_acting_for(player)
        if side is None or game.stored.status != PLAYING:
            raise OutdatedAction
        points = (0.0, 1.0) if side is Side.X else (1.0, 0.0)
        _end(site, connection, game, _ending(RESIGNED, side.other, points))


def offer_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Offer a draw, which lapses with the next move; agree where the opponent has offered one."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if game.may_answer_draw(player):
            _agree(site, connection, game)
            return
        side = game.side_acting_for(player)
        if side is None or not game.may_offer_draw(player):
            raise OutdatedAction
        offered_at = "x_offered_at_turn" if side is Side.X else "o_offered_at_turn"
        values = {"draw_offered_by": side.value, offered_at: turn_counter}
        stored.change_game(connection, game_id, **values)


def accept_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """End the game in the draw that the opponent has offered."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        _agree(site, connection, game)


def decline_draw(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the draw that the opponent has offered."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not game.may_answer_draw(player):
            raise OutdatedAction
        stored.change_game(connection, game_id, draw_offered_by=None)


def abort(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Call off a game before its second move; nobody wins or loses by it."""
    with site.store.writing() as connection:
        game = _expect(site, connection, game_id, turn_counter)
        if not game.seats_of(player) or not game.can_be_aborted:
            raise OutdatedAction
        _end(site, connection, game, {"status": ABORTED})


def _at(site: Site, connection: Connection, game: StoredGame, ply: int) -> Game:
    def replay() -> Replayed:
        moves = stored.moves_of(connection, game.id, up_to=ply)
        position = VARIANTS[game.variant].replay(each.move for each in moves)
        return Replayed(position, moves[-MOVES_TOLD:])

    is_now = ply == game.ply
    replayed = site.replays.get(game.id, game.turn_counter, replay) if is_now else replay()
    return Game(game, replayed.position, ply, replayed.recent)


def _expect(site: Site, connection: Connection, game_id: str, turn_counter: int) -> Game:
    game = stored.game_by_id(connection, game_id, to_change=True)
    if game is None or game.turn_counter != turn_counter or game.status not in RUNNING:
        raise OutdatedAction
    return _at(site, connection, game, game.ply)


@contextmanager
def _one_move() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        # Another device or process has just made this move of the game.
        raise OutdatedAction from error


def _make_move(site: Site, connection: Connection, game: Game, move: str) -> Replayed:
    now = site.clock()
    position = game.position.play(move)
    made = stored.StoredMove(game.ply + 1, game.position.turn.value, move, now)
    stored.add_move(connection, game.stored.id, made)
    ending = {}
    if position.outcome is not None:
        winner = position.outcome.winner
        ending = _ending(FINISHED, winner, position.outcome.points) | {"ended_at": now}
    next_bot = game.stored.x_bot if position.turn is Side.X else game.stored.o_bot
    stored.change_game(
        connection,
        game.stored.id,
        ply=game.ply + 1,
        turn=position.turn.value,
        turn_counter=game.stored.turn_counter + 1,
        draw_offered_by=None,
        moved_at=now,
        bot_to_move=position.outcome is None and next_bot is not None,
        **ending,
    )
    return Replayed(position, (*game.recent, made)[-MOVES_TOLD:])


def _agree(site: Site, connection: Connection, game: Game) -> None:
    _end(site, connection, game, _ending(AGREED, None, game.variant.draw_points))


def _ending(
    status: str, winner: Side | None, points: tuple[float, float]
) -> dict[str, str | float | None]:
    return {
        "status": status,
        "analysis_due": True,
        "winner": winner and winner.value,
        "x_points": points[0],
        "o_points": points[1],
    }


def _end(
    site: Site, connection: Connection, game: Game, values: dict[str, str | float | None]
) -> None:
    now = site.clock()
    stored.change_game(
        connection,
        game.stored.id,
        draw_offered_by=None,
        bot_to_move=False,
        ended_at=now,
        moved_at=now,
        **values,
    )


def _offered_at_turn(game: StoredGame, side: Side) -> int | None:
    return game.x_offered_at_turn if side is Side.X else game.o_offered_at_turn
