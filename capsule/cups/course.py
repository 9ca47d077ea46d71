"""The steps of cups, taken by the sweep: open entry, begin and end groups and finals.

Each step is a transaction that locks the row of the cup's month, so that it is taken once, however
many processes sweep. After an outage, the missed steps are taken in the order of their dates.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import sqlalchemy as sa

from capsule.context import AppContext, Transaction
from capsule.cups import model, queries
from capsule.cups.draw import groups_of
from capsule.db.faults import retry
from capsule.games.creation import new_id
from capsule.games.model import GameStatus, is_loaded
from capsule.languages.dates import Month
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from capsule.tournaments import model as tournament_model, queries as tournament_queries
from capsule.tournaments.actions import start

MAX_CUPS = 10
"""The most cups that one sweep reads; at most three run at a time."""

MAX_GROUPS = 100
"""The most groups of a cup that one sweep begins, and the most that it settles."""


def advance_cups(context: AppContext) -> None:
    """Take every due step: those of cups being played first, then those of cups to come."""
    now = context.clock.deadline_time()
    retry(partial(_ensure_first, context, now))
    with context.database.reading() as connection:
        played = queries.cups_with(connection, model.PLAYED, MAX_CUPS)
    for cup in played:
        if is_loaded(cup.variant):
            retry(partial(_advance, context, cup.month, now))
    for _ in range(MAX_CUPS):
        with context.database.reading() as connection:
            ahead = queries.cups_with(connection, model.AHEAD, MAX_CUPS)
        due = next((cup for cup in ahead if _is_due(cup, now)), None)
        if due is None:
            return
        if due.status is model.CupStatus.COMING:
            retry(partial(_open, context, due.month, now))
        else:
            retry(partial(_draw, context, due.month, now))
            _begin_groups(context, due.month, now)


def _is_due(cup: model.Cup, now: datetime) -> bool:
    if cup.status is model.CupStatus.COMING:
        return cup.opens_at <= now
    return cup.begins_at <= now and is_loaded(cup.variant)


def _ensure_first(context: AppContext, now: datetime) -> None:
    """Store the capsule's first cup, or replace it by a later one if its opening was missed."""
    with context.database.reading() as connection:
        first, *others = queries.newest_cups(connection, 2) or (None,)
    if first is not None and (others or not model.has_missed_opening(first, now)):
        return
    with context.database.writing() as connection:
        if first is not None:
            queries.remove_cup(connection, first.month)
        queries.add_cup(connection, model.new_cup(model.first_month(now)))


def _open(context: AppContext, month: Month, now: datetime) -> None:
    """Open entry to a cup, and store the next month's cup."""
    with context.database.writing() as connection:
        cup = queries.cup_of(connection, month, to_change=True)
        if cup is None or cup.status is not model.CupStatus.COMING or cup.opens_at > now:
            return
        queries.save_cup(connection, replace(cup, status=model.CupStatus.ENTERING))
        queries.add_cup(connection, model.new_cup(month.after))


def _draw(context: AppContext, month: Month, now: datetime) -> None:
    """Draw the groups of a cup; with too few entrants, end it and enter them into the next."""
    with context.database.writing() as connection:
        cup = queries.cup_of(connection, month, to_change=True)
        if cup is None or cup.status is not model.CupStatus.ENTERING:
            return
        entrants = queries.entrants_of(connection, month, now)
        players = [each for each in entrants if each.may_play]
        ineligible_ids = [each.player_id for each in entrants if not each.may_play]
        queries.remove_entries(connection, month, ineligible_ids)
        if len(players) < model.MIN_ENTRANTS:
            queries.change_entries(
                connection, month, [each.player_id for each in players], has_stayed=True
            )
            ended = replace(cup, status=model.CupStatus.NOT_PLAYED, ended_at=cup.begins_at)
            _end(connection, ended, now)
            return
        groups = groups_of(_seeded(connection, cup, players))
        for number, group in enumerate(groups, 1):
            queries.change_entries(
                connection, month, [each.player_id for each in group], group_number=number
            )
        begun = replace(
            cup, status=model.CupStatus.GROUPS, group_count=len(groups), begun_at=cup.begins_at
        )
        queries.save_cup(connection, begun)


def _seeded(
    connection: sa.Connection, cup: model.Cup, players: Sequence[model.Entrant]
) -> Sequence[model.Entrant]:
    """Return players from the highest rating to the lowest; equals stay in order of entry."""
    holders = {each.player_id: Holder(cup.variant.key, each.player_id, None) for each in players}
    ratings = rating_queries.ratings_of(connection, [*holders.values()])
    return sorted(players, key=lambda each: -ratings[holders[each.player_id]].mu)


def _begin_groups(context: AppContext, month: Month, now: datetime) -> None:
    """Begin those groups of a cup that have not begun, each in a separate transaction."""
    with context.database.reading() as connection:
        cup = queries.cup_of(connection, month)
        begun = queries.parts_begun(connection, month)
    if cup is None or cup.status is not model.CupStatus.GROUPS:
        return
    missing = [number for number in range(1, (cup.group_count or 0) + 1) if number not in begun]
    for number in missing[:MAX_GROUPS]:
        retry(partial(_begin_group, context, month, number, now))


def _begin_group(context: AppContext, month: Month, number: int, now: datetime) -> None:
    with context.writing() as transaction:
        connection = transaction.connection
        cup = queries.cup_of(connection, month, to_change=True)
        if cup is None or number in queries.parts_begun(connection, month):
            return
        drawn = queries.entrants_of(connection, month, now, group_number=number)
        players = sorted(each.player_id for each in drawn)
        _begin(transaction, cup, number, players, cup.groups_end_at(now))


def _begin(
    transaction: Transaction,
    cup: model.Cup,
    group: int | None,
    player_ids: Sequence[int],
    ends_at: datetime,
) -> None:
    """Store a group of a cup, or its final if `group` is None, and begin the games."""
    now = transaction.now
    seats = [
        tournament_model.TournamentSeat(number=number, taken_at=now, player_id=player_id)
        for number, player_id in enumerate(player_ids, 1)
    ]
    tournament = tournament_model.StoredTournament(
        id=new_id(transaction.context),
        variant=cup.variant,
        title="",
        announced_by=None,
        announcer="",
        days_per_move=model.DAYS_PER_MOVE,
        rated=True,
        seat_count=len(seats),
        fill_level=None,
        starts_at=now,
        status=tournament_model.TournamentStatus.ANNOUNCED,
        created_at=now,
        cup=tournament_model.CupPart(cup.month, group),
        ends_at=ends_at,
    )
    tournament_queries.add_tournament(transaction.connection, tournament, seats)
    start(transaction, tournament, seats)


def _advance(context: AppContext, month: Month, now: datetime) -> None:
    """Take the next steps of a cup that is being played."""
    _begin_groups(context, month, now)
    with context.database.reading() as connection:
        to_settle = queries.groups_to_settle(connection, month, MAX_GROUPS)
    for tournament_id in to_settle:
        _settle_group(context, month, tournament_id)
    with context.writing() as transaction:
        cup = queries.cup_of(transaction.connection, month, to_change=True)
        if cup is None or not cup.is_being_played:
            return
        if cup.status is model.CupStatus.GROUPS:
            _end_groups(transaction, cup)
        else:
            _end_final(transaction, cup)


def _settle_group(context: AppContext, month: Month, tournament_id: str) -> None:
    """Store the winners of a group that has ended, and which players have stayed to the end."""
    with context.writing() as transaction:
        connection = transaction.connection
        queries.cup_of(connection, month, to_change=True)
        if tournament_id not in queries.groups_to_settle(connection, month, MAX_GROUPS):
            return
        stored = tournament_queries.tournament_by_id(connection, tournament_id)
        if stored is None or stored.cup is None or stored.cup.group is None:
            return
        tournament = tournament_queries.load_tournament(transaction, stored)
        queries.add_winners(connection, month, stored.cup.group, _winners(tournament))
        _store_stayers(connection, month, tournament)


def _store_stayers(
    connection: sa.Connection, month: Month, tournament: tournament_model.Tournament
) -> None:
    for seat in tournament.seats:
        if seat.player_id is not None:
            has_stayed = _has_stayed(tournament, seat)
            queries.change_entries(connection, month, [seat.player_id], has_stayed=has_stayed)


def _has_stayed(
    tournament: tournament_model.Tournament, seat: tournament_model.TournamentSeat
) -> bool:
    """Return whether a player has stayed: has not left, nor lost half of their games on time."""
    own = [
        (game, side)
        for game in tournament.games
        if seat.player_id is not None and (side := game.side_of(seat.player_id)) is not None
    ]
    lost = sum(
        game.status is GameStatus.TIMED_OUT and game.winner is side.other for game, side in own
    )
    return seat.left_at is None and (not own or 2 * lost < len(own))


def _winners(tournament: tournament_model.Tournament) -> Sequence[int]:
    """Return the ids of the winners of a group or final; nobody wins a cancelled one."""
    if not tournament.stored.is_finished:
        return ()
    return [seat.player_id for seat in tournament.winning_seats if seat.player_id is not None]


def _end_groups(transaction: Transaction, cup: model.Cup) -> None:
    """If all groups of a cup are settled, begin its final, or end the cup if it needs none."""
    connection, now = transaction.connection, transaction.now
    groups = tournament_queries.parts_of_cup(connection, cup.month)
    ends = [group.ended_at for group in groups if group.is_over and group.ended_at is not None]
    if len(ends) != cup.group_count or queries.groups_to_settle(connection, cup.month, 1):
        return
    found = queries.winners_of(connection, [cup.month], now, with_groups=True)
    winners = [each.player_id for each in found]
    if cup.group_count == 1:
        _finish(transaction, cup, winners, max(ends))
        return
    finalists = queries.able_to_play(connection, cup.month, winners, now)
    if len(finalists) < 2:
        _finish(transaction, cup, finalists, max(ends))
        return
    _begin(transaction, cup, None, finalists, now + model.FINAL_LIFETIME)
    queries.save_cup(connection, replace(cup, status=model.CupStatus.FINAL, final_at=now))


def _end_final(transaction: Transaction, cup: model.Cup) -> None:
    """End a cup if its final has ended."""
    connection = transaction.connection
    final = next(iter(tournament_queries.parts_of_cup(connection, cup.month, 1)), None)
    if final is None or not final.is_over or final.ended_at is None:
        return
    tournament = tournament_queries.load_tournament(transaction, final)
    _store_stayers(connection, cup.month, tournament)
    _finish(transaction, cup, _winners(tournament), final.ended_at)


def _finish(
    transaction: Transaction, cup: model.Cup, winners: Sequence[int], ended_at: datetime
) -> None:
    queries.add_winners(transaction.connection, cup.month, model.WHOLE_CUP, winners)
    ended = replace(cup, status=model.CupStatus.FINISHED, ended_at=ended_at)
    _end(transaction.connection, ended, transaction.now)


def _end(connection: sa.Connection, cup: model.Cup, now: datetime) -> None:
    """Store the end of a cup, and enter the players who stayed into the next cup to begin."""
    queries.save_cup(connection, cup)
    ahead = queries.cups_with(connection, model.AHEAD, MAX_CUPS)
    following = next((each for each in ahead if each.begins_at > (cup.ended_at or now)), None)
    if following is None:
        return
    entered = {each.player_id for each in queries.entrants_of(connection, following.month, now)}
    carried_ids = [
        each.player_id
        for each in queries.entrants_of(connection, cup.month, now, has_stayed=True)
        if each.may_play and each.player_id not in entered
    ]
    queries.add_entries(connection, following.month, carried_ids, now, is_carried=True)
