"""What players do with games: look at them, start, join, move, resign and call them off.

Each use case is one transaction. An action names the turn counter that its page was made at: if the
game has gone on since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.clock import DAY, DAYS_A_MOVE, LAPSE, TIMES_UNTIL_THE_END
from capsule.conditional import play
from capsule.game import (
    ABORTED,
    CHALLENGED,
    ENDED,
    PLAYING,
    RESIGNED,
    RUNNING,
    TIMED_OUT,
    WAITING,
    Game,
    OutdatedAction,
    as_of,
    clock_of,
    current,
    end,
    ending_of,
    expect,
    game_at,
    one_move,
    store_change,
    vacations_in,
    win_of,
)
from capsule.relations import are_apart, blocked_ids
from capsule.replays import Replayed
from capsule.seating import (
    MOST_UNFINISHED,
    Seat,
    count_action,
    expect_here,
    expect_room,
    seats_for,
    set_up,
)
from capsule.store import games as stored
from capsule.store import lists as stored_lists
from capsule.terms import Terms
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.clock import Clock
    from capsule.site import Site
    from capsule.store.games import StoredGame, StoredMove
    from capsule.store.players import Player
    from engine import Variant


USUAL = Terms()

MOST_LOOKED_AT = 50
"""Games looked at to find some that a player can join: some may be of those whom they blocked."""


def look_at(site: Site, game_id: str, ply: int | None = None) -> Game | None:
    """Return the game as it stands, or after its first `ply` moves; None if there is no such."""
    with site.store.reading() as connection:
        game = stored.game_by_id(connection, game_id)
        if game is None or (ply is not None and ply > game.ply):
            return None
        return game_at(site, connection, game, game.ply if ply is None else ply)


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
        running = stored_lists.games_of_player(connection, player.id, RUNNING, MOST_UNFINISHED)
        ended = stored_lists.games_of_player(connection, player.id, (*ENDED, ABORTED), 20)
        known = current(site, connection, running)
    return (
        [game for game in known if game.status in RUNNING],
        [*(game for game in known if game.status not in RUNNING), *ended],
    )


def challenges_to(site: Site, player: Player) -> Sequence[StoredGame]:
    """Return the games in which a seat is kept for the player."""
    with site.store.reading() as connection:
        found = stored_lists.challenges_to(connection, player.id, MOST_UNFINISHED)
        return [game for game in current(site, connection, found) if game.status == CHALLENGED]


def clocks_of(site: Site, games: Sequence[StoredGame]) -> Mapping[str, Clock]:
    """Return the clocks that run in these games, by the games' ids."""
    with site.store.reading() as connection:
        vacations = vacations_in(connection, games)
    clocks = ((game.id, clock_of(game, vacations)) for game in games)
    return {game_id: clock for game_id, clock in clocks if clock is not None}


def public_games(
    site: Site, statuses: Sequence[str], variant: str | None = None, most: int = 20
) -> Sequence[StoredGame]:
    """Return the listed games with one of these statuses, the last moved in first."""
    with site.store.reading() as connection:
        found = stored_lists.listed_games(connection, statuses, variant, most)
        return [game for game in current(site, connection, found) if game.status in statuses]


def games_to_join(
    site: Site, player: Player | None, variant: str, most: int
) -> Sequence[StoredGame]:
    """Return listed games of a variant in which the player, or somebody new, can take a seat.

    Those of players who are kept apart from this one by a block are not among them.
    """
    with site.store.reading() as connection:
        apart = blocked_ids(connection, player.id) if player else frozenset()
        found = stored_lists.listed_games(
            connection, (WAITING,), variant, MOST_LOOKED_AT if apart else most
        )
        known = [game for game in current(site, connection, found) if game.status == WAITING]
    return [game for game in known if not apart & {game.x_player_id, game.o_player_id}][:most]


def start(site: Site, player: Player, variant: Variant, way: str, terms: Terms = USUAL) -> str:
    """Start a game on these terms and return its id.

    `way` is "invite" (whoever opens its URL may join), "open" (the same, and listed), "solo" (the
    player has both seats) or "bot-" and a level. Without another person no clock runs. Raises
    `OutdatedAction` where the player has acted since `player` was read, `TooManyGames` where they
    have too many unfinished games.
    """
    bot = way.removeprefix("bot-") if way.startswith("bot-") else None
    is_between_people = way in ("invite", "open")
    with site.store.writing() as connection:
        count_action(connection, player)
        expect_room(connection, player, against_bots=bot is not None)
        other = Seat(player_id=player.id if way == "solo" else None, bot=bot)
        return set_up(
            site,
            connection,
            variant,
            seats_for(site, terms.side, player, other),
            status=WAITING if is_between_people else PLAYING,
            listed=way == "open" or (terms.listed and not is_between_people),
            lists_when_joined=way == "open" or terms.listed,
            days_a_move=terms.days if is_between_people else None,
            rated=terms.rated and way != "solo",
        )


def join(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the player the seat that is open; nothing happens to someone who has a seat.

    Raises `OutdatedAction` where no seat is open, or one of the two has blocked the other.
    """
    with site.store.writing() as connection:
        expect_here(site, connection, player)
        game = expect(site, connection, game_id, turn_counter)
        if game.open_side is None or game.seats_of(player):
            raise OutdatedAction
        holder = game.stored.x_player_id or game.stored.o_player_id
        if holder is not None and are_apart(connection, player.id, holder):
            raise OutdatedAction
        seat = "x_player_id" if game.open_side is Side.X else "o_player_id"
        # `moved_at` orders the lists of games: someone's arrival is news there.
        now = site.clock()
        values = {seat: player.id, "status": PLAYING, "moved_at": now, "started_at": now}
        values["listed"] = game.stored.listed or game.stored.lists_when_joined
        stored.change_game(connection, game_id, **values)


def move(site: Site, player: Player, game_id: str, turn_counter: int, text: str) -> None:
    """Play the move that the player typed, and what has been planned upon it.

    Raises the engine's `InvalidMove` or `IllegalMove` where it cannot be played, and
    `OutdatedAction` where it is not the player's turn or the game has gone on.
    """
    with one_move(), site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.is_turn_of(player):
            raise OutdatedAction
        game = play(site, connection, game, game.position.parse(text))
    replayed = Replayed(game.position, game.recent, game.before)
    site.replays.put(game_id, game.stored.turn_counter, replayed)


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
            found = stored_lists.perhaps_overdue(connection, times_up, now - LAPSE, most, last)
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
