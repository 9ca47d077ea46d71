"""What players do with games: look at them, start, join, move, resign and call them off.

Each use case is one transaction. An action names the turn counter that its page was made at: if the
game has gone on since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from capsule.clock import DAY, DAYS_A_MOVE, LAPSE, TIMES_UNTIL_THE_END
from capsule.game import (
    ABORTED,
    ENDED,
    PLAYING,
    RESIGNED,
    RUNNING,
    TIMED_OUT,
    WAITING,
    Game,
    OutdatedAction,
    as_of,
    current,
    end,
    ending_of,
    expect,
    game_at,
    make_move,
    one_move,
    store_change,
    vacations_in,
    win_of,
)
from capsule.store import games as stored
from capsule.store import players as stored_players
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.exchange import Certificate
    from capsule.site import Site
    from capsule.store.games import StoredGame, StoredMove
    from capsule.store.players import Player
    from engine import Variant

MOST_UNFINISHED = 100
"""Games that one player may have going at once."""

MOST_AGAINST_BOTS = 10
"""Games against bots that one player may have going at once: bots' time is everybody's."""


class TooManyGames(Exception):
    """The player has as many unfinished games as anyone may have: `most` of the kind."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are unfinished")
        self.most = most


def look_at(site: Site, game_id: str, ply: int | None = None) -> Game | None:
    """Return the game as it stands, or after its first `ply` moves; None if there is no such."""
    with site.store.reading() as connection:
        game = stored.game_by_id(connection, game_id)
        if game is None or (ply is not None and ply > game.ply):
            return None
        return game_at(site, connection, game, game.ply if ply is None else ply)


def visit(
    site: Site, certificate: Certificate | None, game_id: str
) -> tuple[Game | None, Player | None]:
    """Return the game as it stands and the certificate's player, in one look at the database."""
    with site.store.reading() as connection:
        game, player = stored.game_and_visitor(
            connection, game_id, certificate.fingerprint if certificate else ""
        )
        return None if game is None else game_at(site, connection, game, game.ply), player


def all_moves(site: Site, game: Game) -> Sequence[StoredMove]:
    """Return every move of the game up to the ply that is looked at."""
    with site.store.reading() as connection:
        return stored.moves_of(connection, game.stored.id, up_to=game.ply)


def some_moves(site: Site, game: Game, first: int, last: int) -> Sequence[StoredMove]:
    """Return the game's moves from the one of number `first` to that of number `last`."""
    with site.store.reading() as connection:
        return stored.moves_of(connection, game.stored.id, after=first - 1, up_to=last)


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
        game = expect(site, connection, game_id, turn_counter)
        if game.open_side is None or game.seats_of(player):
            raise OutdatedAction
        seat = "x_player_id" if game.open_side is Side.X else "o_player_id"
        # `moved_at` orders the lists of games: someone's arrival is news there.
        now = site.clock()
        values = {seat: player.id, "status": PLAYING, "moved_at": now, "started_at": now}
        stored.change_game(connection, game_id, **values)


def move(site: Site, player: Player, game_id: str, turn_counter: int, text: str) -> None:
    """Play the move that the player typed.

    Raises the engine's `InvalidMove` or `IllegalMove` where it cannot be played, and
    `OutdatedAction` where it is not the player's turn or the game has gone on.
    """
    with one_move(), site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.is_turn_of(player):
            raise OutdatedAction
        replayed = make_move(site, connection, game, game.position.parse(text))
    site.replays.put(game_id, turn_counter + 1, replayed)


def resign(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the game to the opponent; in a solo game the side to move gives up."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        side = game.side_acting_for(player)
        if side is None or game.stored.status != PLAYING:
            raise OutdatedAction
        end(connection, game, ending_of(RESIGNED, *win_of(side.other)))


def claim(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Win a game in which the opponent's time for a move is up."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.may_claim(player):
            raise OutdatedAction
        end(connection, game, ending_of(TIMED_OUT, *win_of(game.position.turn.other)))


def abort(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Call off a game before its second move; nobody wins or loses by it."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.seats_of(player) or not game.can_be_aborted:
            raise OutdatedAction
        end(connection, game, {"status": ABORTED})


def end_overdue(site: Site, most: int = 100) -> int:
    """Store the end of each game that has ended by itself; return how many those were.

    At most `most` are looked at in a transaction.
    """
    now = site.clock()
    times_up = {days: now - TIMES_UNTIL_THE_END * days * DAY for days in DAYS_A_MOVE}
    count, last = 0, ""
    while True:
        with site.store.reading() as connection:
            found = stored.perhaps_overdue(connection, times_up, now - LAPSE, most, last)
        for game_id in found:
            with site.store.writing() as connection:
                before = stored.game_by_id(connection, game_id, to_change=True)
                after = before and as_of(before, vacations_in(connection, [before]), now)
                if before is not None and after is not None and after != before:
                    store_change(connection, before, after)
                    count += 1
        if len(found) < most:
            return count
        last = found[-1]
