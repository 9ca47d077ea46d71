"""What players do with tournaments: announce, join, leave and cancel them; and how they start.

Each use case is one transaction, which holds the tournament, so that it starts exactly once,
whichever process the last player or the sweep comes to. An action names the number of changes that
its page was made at: if there were more since, `OutdatedAction` is raised and nothing changes.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import count, permutations
from typing import TYPE_CHECKING

from capsule.clock import DAY
from capsule.game import PLAYING as GAME_PLAYING
from capsule.game import RESIGNED, OutdatedAction, end, ending_of, game_at, win_of
from capsule.refusal import Refused
from capsule.seating import (
    MOST_AGAINST_BOTS,
    MOST_UNFINISHED,
    Seat,
    count_action,
    expect_here,
    games_ahead,
    games_of_tournament,
    new_id,
    set_up,
)
from capsule.store import games as stored_games
from capsule.store import tournaments as stored
from capsule.store.relations import blocked_ids
from capsule.store.tournaments import ANNOUNCED, CANCELLED, FINISHED, PLAYING
from capsule.tournament import LAPSE, Tournament, bots_for, can_start, current
from capsule.typed import readable
from engine import VARIANTS, Side
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.players import Player
    from capsule.store.tournaments import StoredSeat, StoredTournament
    from capsule.tournament_terms import TournamentTerms

MOST_ANNOUNCED = 3
"""Tournaments that one player may have announced and not yet started."""

LONGEST_TITLE = 60
"""Characters of a tournament's name."""

HOUR = timedelta(hours=1)


class TournamentRefused(Refused):
    """A tournament that the player cannot announce or join; `message` says why."""


def title_of(typed: str) -> str:
    """Return a tournament's name as it was typed, on one line.

    Raises `capsule.typed.TextRefused` where it is empty or too long.
    """
    return readable(typed, LONGEST_TITLE)


def look_at(site: Site, tournament_id: str) -> Tournament | None:
    """Return the tournament as it stands, or None where there is no such."""
    with site.store.reading() as connection:
        found = stored.tournament_by_id(connection, tournament_id)
        return None if found is None else current(site, connection, found)


def of_game(site: Site, game: StoredGame) -> StoredTournament | None:
    """Return the tournament that a game belongs to, None where it belongs to none."""
    if game.tournament_id is None:
        return None
    with site.store.reading() as connection:
        return stored.tournament_by_id(connection, game.tournament_id)


def of_player(site: Site, player: Player) -> Sequence[StoredTournament]:
    """Return the tournaments that the player takes part in and that are not over."""
    with site.store.reading() as connection:
        return stored.tournaments_of_player(connection, player.id, (ANNOUNCED, PLAYING))


def of_status(
    site: Site, status: str, most: int, before: tuple[datetime, str] | None = None
) -> Sequence[StoredTournament]:
    """Return the tournaments of a status, the newest first, from the place `before` on."""
    with site.store.reading() as connection:
        return stored.tournaments_of_status(connection, status, most, before)


def count_taken(site: Site, tournaments: Sequence[StoredTournament]) -> Mapping[str, int]:
    """Return how many seats are taken in tournaments, by their ids."""
    with site.store.reading() as connection:
        taken = stored.count_seats(connection, [each.id for each in tournaments])
    return {each.id: taken.get(each.id, 0) for each in tournaments}


def announce(site: Site, player: Player, terms: TournamentTerms, title: str) -> str:
    """Announce a tournament, in which the player has the first seat, and return its id.

    Raises `TextRefused` for the title; `TournamentRefused` where it is one too many, or has more
    games than the player may have; `OutdatedAction` where the player has acted since `player` was
    read.
    """
    title = title_of(title)
    with site.store.writing() as connection:
        count_action(connection, player)
        if stored.count_announced(connection, player.id) >= MOST_ANNOUNCED:
            raise TournamentRefused(
                message(
                    "You have announced {count} tournaments that have not started yet, which is as "
                    "many as anyone may: wait for one, or cancel it",
                    count=MOST_ANNOUNCED,
                )
            )
        _expect_room(connection, player, terms.seats, 1, terms.bots)
        tournament_id = new_id(site)
        now = site.clock()
        stored.add_tournament(
            connection,
            id=tournament_id,
            variant=terms.variant,
            title=title,
            announced_by=player.id,
            days_a_move=terms.days,
            rated=terms.rated,
            seats=terms.seats,
            fill_level=terms.bots,
            starts_at=None if terms.starts is None else _on_the_hour(now + terms.starts * DAY),
            status=ANNOUNCED,
            created_at=now,
        )
        stored.add_seat(connection, tournament_id, 1, player_id=player.id, taken_at=now)
        return tournament_id


def join(site: Site, player: Player, tournament_id: str, changes: int) -> None:
    """Give the player a seat; with the last one the tournament starts.

    Raises `TournamentRefused` where the player has too many games for it, or shares no games with
    somebody who takes part.
    """
    with site.store.writing() as connection:
        expect_here(site, connection, player)
        tournament = _expect(site, connection, tournament_id, changes)
        if not tournament.may_join(player):
            raise OutdatedAction
        apart = blocked_ids(connection, player.id)
        if any(seat.player_id in apart for seat in tournament.seats):
            raise TournamentRefused(
                message(
                    "Somebody takes part with whom you share no games, since one of you has "
                    "blocked the other"
                )
            )
        terms = tournament.stored
        taken = len(tournament.seats) + 1
        _expect_room(connection, player, terms.seats, taken, terms.fill_level)
        number = _free_number({seat.number for seat in tournament.seats})
        stored.add_seat(
            connection, tournament_id, number, player_id=player.id, taken_at=tournament.now
        )
        stored.change_tournament(connection, tournament_id)
        if taken == terms.seats:
            _start(site, connection, terms, stored.seats_of(connection, tournament_id))


def leave(site: Site, player: Player, tournament_id: str, changes: int) -> None:
    """Take the player out of a tournament.

    Before the start the seat is free again. Afterwards the player's games that go on are lost; and
    where fewer than half had ended, no results of the player count: see `capsule.standings`.
    """
    with site.store.writing() as connection:
        tournament = _expect(site, connection, tournament_id, changes)
        if not tournament.may_leave(player):
            raise OutdatedAction
        _leave(site, connection, tournament, player)


def hold_all(connection: Connection, player: Player) -> Sequence[str]:
    """Hold every tournament that a player takes part in and that is not over; return their ids."""
    known = stored.tournaments_of_player(connection, player.id, (ANNOUNCED, PLAYING))
    ids = sorted(each.id for each in known)
    for tournament_id in ids:
        stored.tournament_by_id(connection, tournament_id, to_change=True)
    return ids


def leave_all(
    site: Site, connection: Connection, player: Player, tournament_ids: Iterable[str]
) -> None:
    """Take a player who goes, or is shut out, out of tournaments.

    Done in the caller's transaction, which holds them and all games of the player that go on.
    """
    held = [stored.tournament_by_id(connection, each) for each in tournament_ids]
    for tournament in filter(None, held):
        _leave(site, connection, current(site, connection, tournament), player)


def cancel(site: Site, player: Player, tournament_id: str, changes: int) -> None:
    """Call off a tournament that the player has announced, before it starts."""
    with site.store.writing() as connection:
        tournament = _expect(site, connection, tournament_id, changes)
        if not tournament.may_cancel(player):
            raise OutdatedAction
        stored.change_tournament(
            connection, tournament_id, status=CANCELLED, ended_at=tournament.now
        )


def keep_time(site: Site, most: int = 100) -> int:
    """Start the tournaments whose day has come, and store what has ended; return how many.

    At most `most` of either kind are looked at.
    """
    now = site.clock()
    with site.store.reading() as connection:
        found = stored.due(connection, now, now - LAPSE, most)
    changed = 0
    for tournament_id in found:
        with site.store.writing() as connection:
            before = stored.tournament_by_id(connection, tournament_id, to_change=True)
            changed += before is not None and _keep_time_of(site, connection, before)
    return changed


def _keep_time_of(site: Site, connection: Connection, before: StoredTournament) -> bool:
    tournament = current(site, connection, before)
    after = tournament.stored
    if after != before:
        stored.change_tournament(
            connection, before.id, status=after.status, ended_at=after.ended_at
        )
        return True
    if tournament.is_due and can_start(before, tournament.seats):
        _start(site, connection, before, tournament.seats)
        return True
    return False


def _expect(site: Site, connection: Connection, tournament_id: str, changes: int) -> Tournament:
    found = stored.tournament_by_id(connection, tournament_id, to_change=True)
    if found is None or found.changes != changes:
        raise OutdatedAction
    return current(site, connection, found)


def _expect_room(
    connection: Connection, player: Player, seats: int, taken: int, fill_level: str | None
) -> None:
    coming, with_bots = games_of_tournament(seats, taken, fill_level)
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    have = ahead + stored_games.count_unfinished(connection, player.id)
    if have + coming > MOST_UNFINISHED:
        raise TournamentRefused(
            message(
                "It may bring you {coming} games. You have {have} that have not ended or that "
                "other tournaments may bring, and {most} are the most",
                coming=coming,
                have=have,
                most=MOST_UNFINISHED,
            )
        )
    have = ahead_with_bots + stored_games.count_unfinished(connection, player.id, against_bots=True)
    if with_bots and have + with_bots > MOST_AGAINST_BOTS:
        raise TournamentRefused(
            message(
                "It may bring you {coming} games against bots. You have {have} that have not ended "
                "or that other tournaments may bring, and {most} are the most",
                coming=with_bots,
                have=have,
                most=MOST_AGAINST_BOTS,
            )
        )


def _start(
    site: Site, connection: Connection, tournament: StoredTournament, seats: Sequence[StoredSeat]
) -> None:
    """Let bots take the empty seats, where they may, and begin every game of both rounds."""
    now = site.clock()
    taken = {seat.number: Seat(seat.player_id, seat.bot) for seat in seats}
    for bot in bots_for(tournament.fill_level, tournament.seats - len(taken)):
        number = _free_number(taken)
        taken[number] = Seat(bot=bot)
        stored.add_seat(connection, tournament.id, number, bot=bot, taken_at=now)
    for sides in permutations(taken.values(), 2):
        set_up(
            site,
            connection,
            VARIANTS[tournament.variant],
            sides,
            status=GAME_PLAYING,
            listed=True,
            days_a_move=tournament.days_a_move,
            rated=tournament.rated,
            tournament_id=tournament.id,
            started_at=now,
        )
    stored.change_tournament(connection, tournament.id, status=PLAYING, started_at=now)


def _free_number(taken: Container[int]) -> int:
    return next(number for number in count(1) if number not in taken)


def _leave(site: Site, connection: Connection, tournament: Tournament, player: Player) -> None:
    seat = tournament.seat_of(player)
    if seat is None or tournament.stored.status in (FINISHED, CANCELLED):
        return
    if tournament.stored.status == ANNOUNCED:
        stored.drop_seat(connection, tournament.stored.id, seat.number)
    else:
        _give_up(site, connection, tournament, seat)
    stored.change_tournament(connection, tournament.stored.id)


def _give_up(site: Site, connection: Connection, tournament: Tournament, seat: StoredSeat) -> None:
    own = [
        game.id
        for game in tournament.games
        if seat.player_id in (game.x_player_id, game.o_player_id)
    ]
    games = [game_at(site, connection, game, game.ply) for game in _hold(connection, own)]
    ended = sum(not game.is_running for game in games)
    stored.change_seat(
        connection,
        tournament.stored.id,
        seat.number,
        left_at=tournament.now,
        results_count=2 * ended >= len(games),
    )
    for game in games:
        if game.is_running:
            side = Side.X if game.stored.x_player_id == seat.player_id else Side.O
            end(connection, game, ending_of(RESIGNED, *win_of(side.other)))


def _hold(connection: Connection, game_ids: Iterable[str]) -> Sequence[StoredGame]:
    # All are held before the first one ends: see `capsule.rated.rate`.
    held = [
        stored_games.game_by_id(connection, game_id, to_change=True) for game_id in sorted(game_ids)
    ]
    return [game for game in held if game is not None]


def _on_the_hour(moment: datetime) -> datetime:
    hour = moment.replace(minute=0, second=0, microsecond=0)
    return hour if hour == moment else hour + HOUR
