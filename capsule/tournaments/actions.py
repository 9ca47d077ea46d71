"""Announcing, joining, starting, leaving and cancelling tournaments.

Each use case locks the tournament, so that the last player to join and the sweep cannot both
start it.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count, permutations

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, writing
from capsule.errors import OutdatedAction, OverLimit
from capsule.games import clock, creation, deadlines, eligibility, queries as game_queries
from capsule.games.finish import finish
from capsule.games.model import Ending, EndReason, GameStatus, Seat, StoredGame
from capsule.games.visibility import Party, guest, is_listed, party
from capsule.languages.time_zones import local_time
from capsule.tournaments import model, queries
from capsule.ui.user_text import clean_line
from engine import VARIANTS, Message, message


def start_and_end_due(context: AppContext, limit: int = 100) -> int:
    """Start the tournaments that are due and store the end of others; return how many changed.

    At most `limit` of either kind are read. Each is changed in a separate transaction.
    """
    now = context.clock.deadline_time()
    found = context.read(queries.due_tournaments, now, now - model.FILL_LIFETIME, limit)
    return sum(_start_or_end(context, each) for each in found)


@writing
def _start_or_end(transaction: Transaction, tournament_id: str) -> bool:
    """Start a tournament or store its end, if due; return whether it changed."""
    stored = queries.tournament_by_id(transaction.connection, tournament_id, to_change=True)
    if stored is None:
        return False
    tournament = queries.load_tournament(transaction, stored)
    status, ended_at = tournament.stored.status, tournament.stored.ended_at
    if status is not stored.status and ended_at is not None:
        queries.change_tournament(
            transaction.connection, stored.id, status=status, ended_at=ended_at
        )
        return True
    if tournament.is_due:
        start(transaction, stored, tournament.seats)
    return tournament.is_due


def start(
    transaction: Transaction,
    tournament: model.StoredTournament,
    seats: Sequence[model.TournamentSeat],
) -> None:
    """Give the empty seats to bots, if the terms say so, and start every game of both rounds."""
    connection, now = transaction.connection, transaction.now
    players = [*seats]
    for level in tournament.bots_for(tournament.seat_count - len(seats)):
        number = free_number({seat.number for seat in players})
        seat = model.TournamentSeat(number, now, bot=level)
        queries.add_seat(connection, tournament.id, seat)
        players.append(seat)
    ids = [each.player_id for each in players if each.player_id is not None]
    people = account_queries.players_by_ids(connection, ids)
    for x, o in permutations(players, 2):
        game = creation.new_game(
            transaction.context,
            tournament.variant,
            Seat(player_id=x.player_id, bot=x.bot),
            Seat(player_id=o.player_id, bot=o.bot),
            GameStatus.PLAYING,
        )
        begun = replace(
            game,
            listed=is_listed(_party(x, people), _party(o, people)),
            days_per_move=tournament.days_per_move,
            rated=tournament.rated,
            started_at=now,
            tournament_id=tournament.id,
            ends_by=tournament.ends_at,
        )
        creation.create_game(connection, begun)
    queries.change_tournament(
        connection, tournament.id, status=model.TournamentStatus.PLAYING, started_at=now
    )


def _party(seat: model.TournamentSeat, people: Mapping[int, Player]) -> Party:
    player = None if seat.player_id is None else people.get(seat.player_id)
    return party(Seat(bot=seat.bot)) if player is None else guest(player)


def free_number(taken: Container[int]) -> int:
    """Return the lowest seat number that is not taken."""
    return next(number for number in count(1) if number not in taken)


def end_games(transaction: Transaction, player: Player, reason: EndReason) -> Sequence[StoredGame]:
    """End all games of a player who is banned or erased, as `reason` says; return the ended games.

    The opponent wins each game, unless it is short enough to be aborted. Challenges to the player
    are aborted too, and the player leaves every tournament. All this includes absent variants.
    """
    connection = transaction.connection
    tournaments = queries.lock_tournaments_of_player(connection, player.id)
    ids = game_queries.all_unfinished_ids(connection, player.id)
    game_queries.games_with(connection, ids, to_change=True)
    for tournament in tournaments:
        withdraw(transaction, queries.load_tournament(transaction, tournament), player)
    # Read again, since leaving the tournaments has ended some of the games.
    games = game_queries.games_with(connection, ids)
    _end_all(transaction, games, lambda game: _ending(game, player, reason))
    return game_queries.games_with(connection, ids)


def call_off_games(transaction: Transaction, tournament: model.Tournament) -> None:
    """Abort the running games of a tournament that the transaction has locked."""
    ids = [game.id for game in tournament.games]
    games = game_queries.games_with(transaction.connection, ids, to_change=True)
    _end_all(transaction, games, lambda _: Ending.aborted(EndReason.CANCELLED))


def _end_all(
    transaction: Transaction, games: Sequence[StoredGame], ending: Callable[[StoredGame], Ending]
) -> None:
    """End the running games among these; the transaction has locked them all."""
    connection = transaction.connection
    for stored, game in zip(games, deadlines.apply_deadlines(transaction, games), strict=True):
        if game.is_running:
            finish(connection, stored, stored.ended(ending(stored), transaction.now))
        else:
            # A deadline has ended the game, perhaps before any sweep has stored that.
            deadlines.store_expiry(connection, stored, game)


def _ending(game: StoredGame, player: Player, reason: EndReason) -> Ending:
    side = game.side_of(player.id)
    if side is None or not game.is_playing or game.is_solo or game.can_be_aborted:
        return Ending.aborted(reason, side or game.reserved_side)
    return Ending.resignation(side)


def withdraw(transaction: Transaction, tournament: model.Tournament, player: Player) -> None:
    """Withdraw a player from a tournament that is not over and that the transaction has locked.

    Before the start, this frees the seat. Afterwards, the player loses all running games, and their
    results count only if at least half of their games have ended.
    """
    connection = transaction.connection
    seat = tournament.seat_of(player)
    stored = tournament.stored
    if seat is None or not (stored.is_announced or stored.is_playing):
        return
    if stored.is_announced:
        queries.remove_seat(connection, stored.id, seat.number)
    else:
        own = [game.id for game in tournament.games if game.has_player(player.id)]
        games = game_queries.games_with(connection, own, to_change=True)
        ended = sum(not game.is_running for game in deadlines.apply_deadlines(transaction, games))
        queries.change_seat(
            connection,
            stored.id,
            seat.number,
            left_at=tournament.now,
            results_count=2 * ended >= len(games),
        )
        _end_all(transaction, games, lambda game: _ending(game, player, EndReason.ABORTED))
    queries.change_tournament(connection, stored.id)


MAX_ANNOUNCED = 3
"""The most tournaments not started yet that a player may have announced."""

MAX_TITLE_LENGTH = 60
"""The most characters in a tournament's title."""


def clean_title(typed: str) -> str:
    """Return a typed title as one clean line.

    Raises `capsule.ui.user_text.TextRefused` if it is empty or too long.
    """
    return clean_line(typed, MAX_TITLE_LENGTH)


def announce(
    transaction: Transaction, player: Player, terms: model.TournamentTerms, title: str
) -> str:
    """Announce a tournament with the player in its first seat, and return its id.

    The tournament starts at once if its terms say so.

    Raises:
        TextRefused: The title is empty or too long.
        OverLimit: The player is muted, has announced too many tournaments, or would
            have too many games.
    """
    title = clean_title(title)
    connection, now = transaction.connection, transaction.now
    reason = obstacle(connection, player, terms, now)
    if reason is not None:
        raise OverLimit(reason)
    tournament = model.StoredTournament(
        id=creation.new_id(transaction.context),
        variant=VARIANTS[terms.variant],
        title=title,
        announced_by=player.id,
        announcer=player.name,
        days_per_move=terms.days_per_move,
        rated=terms.rated,
        seat_count=terms.seats,
        fill_level=terms.fill_level,
        starts_at=_starts_at(terms, now),
        status=model.TournamentStatus.ANNOUNCED,
        created_at=now,
    )
    seat = model.TournamentSeat(1, now, player.id)
    queries.add_tournament(connection, tournament, [seat])
    if terms.starts_at_once:
        start(transaction, tournament, [seat])
    return tournament.id


def obstacle(
    connection: sa.Connection, player: Player, terms: model.TournamentTerms, now: datetime
) -> Message | None:
    """Return why a player may not announce a tournament on these terms, or None if they may."""
    until = player.sanctions.muted_until
    if until is not None and player.is_muted(now):
        return message(
            "The operator has muted you until {when}. Until then you cannot announce a tournament",
            when=local_time(until, player.settings.time_zone),
        )
    if not terms.starts_at_once and queries.count_announced(connection, player.id) >= MAX_ANNOUNCED:
        return message(
            "You have announced {count} tournaments that have not started yet, which is the "
            "limit. Wait for one to start, or cancel it",
            count=MAX_ANNOUNCED,
        )
    return lack_of_room(connection, player, terms.seats, 1, terms.fill_level)


def join(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Give the player a seat, and start the tournament if that was the last one.

    Raises `OverLimit` if the player would have too many games, or if either the player or
    a participant has blocked the other, and `OutdatedAction` if the player may not join.
    The use cases below also raise `OutdatedAction` if the tournament no longer allows the action.
    """
    connection = transaction.connection
    tournament = require(transaction, player, tournament_id, model.Tournament.may_join)
    blocked = account_queries.blocked_ids(connection, player.id)
    if any(seat.player_id in blocked for seat in tournament.seats):
        raise OverLimit(
            message(
                "You cannot play against one of its players, since one of you has blocked the other"
            )
        )
    stored = tournament.stored
    taken = len(tournament.seats) + 1
    reason = lack_of_room(connection, player, stored.seat_count, taken, stored.fill_level)
    if reason is not None:
        raise OverLimit(reason)
    number = free_number({seat.number for seat in tournament.seats})
    seat = model.TournamentSeat(number, tournament.now, player.id)
    queries.add_seat(connection, tournament_id, seat)
    queries.change_tournament(connection, tournament_id)
    if taken == stored.seat_count:
        seats = sorted([*tournament.seats, seat], key=lambda seat: seat.number)
        start(transaction, stored, seats)


def start_now(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Start a tournament that the player has announced before it is due or full."""
    tournament = require(transaction, player, tournament_id, model.Tournament.may_start)
    start(transaction, tournament.stored, tournament.seats)


def leave(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Withdraw the player from a tournament, as `withdraw` does."""
    tournament = require(transaction, player, tournament_id, model.Tournament.may_leave)
    withdraw(transaction, tournament, player)


def cancel(transaction: Transaction, player: Player, tournament_id: str) -> None:
    """Cancel a tournament that the player has announced and that has not started."""
    tournament = require(transaction, player, tournament_id, model.Tournament.may_cancel)
    queries.change_tournament(
        transaction.connection,
        tournament_id,
        status=model.TournamentStatus.CANCELLED,
        ended_at=tournament.now,
    )


def require(
    transaction: Transaction,
    player: Player,
    tournament_id: str,
    may: Callable[[model.Tournament, Player], bool],
) -> model.Tournament:
    """Return a tournament; raises `OutdatedAction` if the player `may` not act on it."""
    tournament = queries.find_tournament(transaction, tournament_id)
    if not may(tournament, player):
        raise OutdatedAction
    return tournament


_TOO_MANY_GAMES = (
    message(
        "It may bring you {coming} games. With {have} unfinished already, that exceeds the "
        "limit of {limit}"
    ),
    message(
        "It may bring you {coming} games. With {have} unfinished already (tournaments "
        "included), that exceeds the limit of {limit}"
    ),
)
_TOO_MANY_AGAINST_BOTS = (
    message(
        "It may bring you {coming} games against bots. With {have} unfinished already, "
        "that exceeds the limit of {limit}"
    ),
    message(
        "It may bring you {coming} games against bots. With {have} unfinished already "
        "(tournaments included), that exceeds the limit of {limit}"
    ),
)


def lack_of_room(
    connection: sa.Connection, player: Player, seat_count: int, taken: int, fill_level: str | None
) -> Message | None:
    """Return the words for too many games that a tournament may bring the player, if it may."""
    coming, with_bots = eligibility.games_of_tournament(seat_count, taken, fill_level)
    room, limit = eligibility.room_of(connection, player), eligibility.max_unfinished(player)
    if coming > room.games:
        words = _TOO_MANY_GAMES[room.ahead > 0]
        return words.filled(coming=coming, have=limit - room.games, limit=limit)
    limit = eligibility.MAX_UNFINISHED_AGAINST_BOTS
    if with_bots and with_bots > room.against_bots:
        words = _TOO_MANY_AGAINST_BOTS[room.ahead_with_bots > 0]
        return words.filled(coming=with_bots, have=limit - room.against_bots, limit=limit)
    return None


def _starts_at(terms: model.TournamentTerms, now: datetime) -> datetime | None:
    """Return when a tournament starts: now, or on the first full hour after its days."""
    if not terms.starts_in:
        return now if terms.starts_at_once else None
    moment = now + terms.starts_in * clock.DAY
    hour = moment.replace(minute=0, second=0, microsecond=0)
    return hour if hour == moment else hour + clock.HOUR
