"""The course of cups: players enter and leave; steps open entry, begin and end groups and finals.

The sweep takes the steps. Each is a transaction that locks the row of the cup's month, so that it
is taken once, however many processes sweep. After an outage, the missed steps are taken in the
order of their dates.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.accounts.queries import blocked_ids
from capsule.context import AppContext, Transaction, reading, writing
from capsule.cups import draw, model, queries
from capsule.errors import OutdatedAction, OverLimit
from capsule.games.creation import new_id
from capsule.games.eligibility import is_eligible
from capsule.games.model import GameStatus, is_loaded
from capsule.games.player_queries import MAX_IN_CUP_GROUP
from capsule.languages.dates import Month
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from capsule.tournaments import actions, model as tournament_model, queries as tournament_queries
from engine import Message, message

MAX_AHEAD = 3
"""The number of cups ahead that are read: one is open, and one is to come."""

PROGRAMS_MAY_NOT = message("A cup is for people. Programs may not enter")
NOT_ELIGIBLE = message(
    "To enter, first finish a game against a person, or three against bots. You can enter a day "
    "after you first played here"
)
BLOCKED = message(
    "You cannot play against one of its entrants, since one of you has blocked the other"
)


def open_cup(transaction: Transaction) -> model.Cup | None:
    """Return the cup that may be entered now, or None."""
    found = queries.cups_with(transaction.connection, (model.CupStatus.ENTERING,), MAX_AHEAD)
    return next((cup for cup in found if cup.may_be_entered(transaction.now)), None)


def cup_entered(transaction: Transaction, player: Player) -> model.Cup | None:
    """Return the cup that has not begun and that a player has entered, or None."""
    entered = queries.cups_entered_ahead(transaction.connection, player.id, MAX_AHEAD)
    return next((cup for cup in entered if cup.may_be_left(transaction.now)), None)


def obstacle(transaction: Transaction, player: Player, cup: model.Cup) -> Message | None:
    """Return why a player may not enter a cup, or None if they may."""
    connection = transaction.connection
    if player.is_program:
        return PROGRAMS_MAY_NOT
    if not is_eligible(connection, player, transaction.now):
        return NOT_ELIGIBLE
    blocked = blocked_ids(connection, player.id)
    if blocked and queries.have_entered(connection, cup.month, blocked):
        return BLOCKED
    return actions.lack_of_room(connection, player, MAX_IN_CUP_GROUP, MAX_IN_CUP_GROUP, None)


def enter(transaction: Transaction, player: Player) -> None:
    """Enter a player into the cup whose entry is open.

    Raises `OverLimit` if they may not enter at present, or `OutdatedAction` if no entry is open or
    the player is entered already.
    """
    connection, now = transaction.connection, transaction.now
    found = open_cup(transaction)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_entered(now):
        raise OutdatedAction
    if queries.have_entered(connection, cup.month, [player.id]):
        raise OutdatedAction
    reason = obstacle(transaction, player, cup)
    if reason is not None:
        raise OverLimit(reason)
    queries.add_entries(connection, cup.month, [player.id], now)


def leave(transaction: Transaction, player: Player) -> None:
    """Take back a player's entry to a cup that has not begun; raises `OutdatedAction`."""
    connection, now = transaction.connection, transaction.now
    found = cup_entered(transaction, player)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_left(now):
        raise OutdatedAction
    queries.remove_entries(connection, cup.month, [player.id])


MAX_CUPS = 10
"""The most cups that are read; at most three run at a time."""

MAX_STEPS = 300
"""The most steps of one sweep: to begin a group is one of them, and to settle it another."""


def advance_cups(context: AppContext) -> None:
    """Take every due step: those of cups being played first, then those of cups to come."""
    if reading(_lacks_first)(context):
        _add_first(context)
    for _ in range(MAX_STEPS):
        month = _due_month(context)
        if month is None:
            return
        _take_step(context, month)


def _lacks_first(transaction: Transaction) -> bool:
    """Return whether there is no cup, apart from one whose opening was missed."""
    return all(
        model.has_missed_opening(cup, transaction.deadline_time)
        for cup in queries.newest_cups(transaction.connection, 2)
    )


@writing
def _add_first(transaction: Transaction) -> None:
    """Store the capsule's first cup, in place of one whose opening was missed."""
    connection = transaction.connection
    if _lacks_first(transaction):
        for missed in queries.newest_cups(connection, 1):
            queries.remove_cup(connection, missed.month)
        queries.add_cup(connection, model.new_cup(model.first_month(transaction.deadline_time)))


@reading
def _due_month(transaction: Transaction) -> Month | None:
    """Return the month of the first cup with a due step, None without one."""
    cups = (
        cup
        for statuses in (model.PLAYED, model.AHEAD)
        for cup in queries.cups_with(transaction.connection, statuses, MAX_CUPS)
    )
    return next((cup.month for cup in cups if _due_step(transaction, cup)), None)


@writing
def _take_step(transaction: Transaction, month: Month) -> None:
    cup = queries.cup_of(transaction.connection, month, to_change=True)
    step = None if cup is None else _due_step(transaction, cup)
    if step is not None:
        step()


def _due_step(transaction: Transaction, cup: model.Cup) -> Callable[[], None] | None:
    """Return the next step of a cup if it is due, else None."""
    now = transaction.deadline_time
    if cup.status is model.CupStatus.COMING:
        return partial(_open, transaction, cup) if cup.opens_at <= now else None
    if not is_loaded(cup.variant):
        return None
    if cup.status is model.CupStatus.ENTERING:
        return partial(_draw, transaction, cup) if cup.begins_at <= now else None
    return _due_step_of_parts(transaction, cup)


def _due_step_of_parts(transaction: Transaction, cup: model.Cup) -> Callable[[], None] | None:
    """Return the next step of a cup that is being played: it begins, settles or ends a part."""
    connection = transaction.connection
    parts = tournament_queries.parts_of_cup(connection, cup.month)
    if cup.status is model.CupStatus.GROUPS and len(parts) < (cup.group_count or 0):
        return partial(_begin_group, transaction, cup, len(parts) + 1)
    unsettled = queries.unsettled_groups(connection, cup.month)
    for part in parts:
        group = None if part.cup is None else part.cup.group
        if part.is_over and group is not None and group in unsettled:
            return partial(_settle_group, transaction, cup, part, group)
    is_final = cup.status is model.CupStatus.FINAL
    # The final is the first of the parts.
    last = parts[:1] if is_final else parts
    ends = [part.ended_at for part in last if part.is_over and part.ended_at is not None]
    if not ends or len(ends) < len(last):
        return None
    if is_final:
        return partial(_end_final, transaction, cup, parts[0], max(ends))
    return partial(_end_groups, transaction, cup, max(ends))


def _open(transaction: Transaction, cup: model.Cup) -> None:
    """Open entry to a cup, and store the next month's cup."""
    connection = transaction.connection
    queries.save_cup(connection, replace(cup, status=model.CupStatus.ENTERING))
    queries.add_cup(connection, model.new_cup(cup.month.after))


def _draw(transaction: Transaction, cup: model.Cup) -> None:
    """Draw the groups of a cup; with too few entrants, end it and enter them into the next."""
    connection, month, now = transaction.connection, cup.month, transaction.deadline_time
    entrants = queries.entrants_of(connection, month, now)
    players = [each for each in entrants if each.may_play]
    ineligible_ids = [each.player_id for each in entrants if not each.may_play]
    queries.remove_entries(connection, month, ineligible_ids)
    if len(players) < model.MIN_ENTRANTS:
        player_ids = [each.player_id for each in players]
        queries.change_entries(connection, month, player_ids, has_stayed=True)
        ended = replace(cup, status=model.CupStatus.NOT_PLAYED, ended_at=cup.begins_at)
        _end(transaction, ended, now)
        return
    groups = draw.groups_of(_seeded(connection, cup, players))
    for number, group in enumerate(groups, 1):
        player_ids = [each.player_id for each in group]
        queries.change_entries(connection, month, player_ids, group_number=number)
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


def _begin_group(transaction: Transaction, cup: model.Cup, number: int) -> None:
    # Its games would end too late by a clock that is ahead.
    now = transaction.deadline_time
    drawn = queries.entrants_of(transaction.connection, cup.month, now, group_number=number)
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
        tournament_model.TournamentSeat(number, now, player_id)
        for number, player_id in enumerate(player_ids, 1)
    ]
    tournament = tournament_model.StoredTournament(
        id=new_id(transaction.context),
        variant=cup.variant,
        days_per_move=model.DAYS_PER_MOVE,
        rated=True,
        seat_count=len(seats),
        starts_at=now,
        status=tournament_model.TournamentStatus.ANNOUNCED,
        created_at=now,
        cup=tournament_model.CupPart(cup.month, group),
        ends_at=ends_at,
    )
    tournament_queries.add_tournament(transaction.connection, tournament, seats)
    actions.start(transaction, tournament, seats)


def _settle_group(
    transaction: Transaction, cup: model.Cup, stored: tournament_model.StoredTournament, group: int
) -> None:
    """Store the winners of a group that has ended, and which players have stayed to the end."""
    tournament = tournament_queries.load_tournament(transaction, stored)
    queries.add_winners(transaction.connection, cup.month, group, _winners(tournament))
    _store_stayers(transaction.connection, cup.month, tournament)


def _store_stayers(
    connection: sa.Connection, month: Month, tournament: tournament_model.Tournament
) -> None:
    """Store which players have stayed: have not left, nor lost half of their games on time."""
    for seat in tournament.seats:
        if seat.player_id is None:
            continue
        own = [(game, game.side_of(seat.player_id)) for game in tournament.games]
        sides = [(game, side) for game, side in own if side is not None]
        lost = sum(
            game.status is GameStatus.TIMED_OUT and game.winner is side.other
            for game, side in sides
        )
        has_stayed = seat.left_at is None and (not sides or 2 * lost < len(sides))
        queries.change_entries(connection, month, [seat.player_id], has_stayed=has_stayed)


def _winners(tournament: tournament_model.Tournament) -> Sequence[int]:
    """Return the ids of the winners of a group or final; nobody wins a cancelled one."""
    if tournament.stored.status is not tournament_model.TournamentStatus.FINISHED:
        return ()
    return [seat.player_id for seat in tournament.winners if seat.player_id is not None]


def _end_groups(transaction: Transaction, cup: model.Cup, ended_at: datetime) -> None:
    """Begin the final of a cup whose groups are settled, or end the cup if it needs none."""
    connection, now = transaction.connection, transaction.now
    found = queries.winners_of(connection, [cup.month], now, with_groups=True)
    winners = [each.player_id for each in found]
    if cup.group_count != 1:
        entrants = queries.entrants_of(connection, cup.month, now)
        able_ids = {each.player_id for each in entrants if each.may_play}
        winners = [player_id for player_id in winners if player_id in able_ids]
        if len(winners) > 1:
            _begin(transaction, cup, None, winners, now + model.FINAL_LIFETIME)
            queries.save_cup(connection, replace(cup, status=model.CupStatus.FINAL, final_at=now))
            return
    _finish(transaction, cup, winners, ended_at)


def _end_final(
    transaction: Transaction,
    cup: model.Cup,
    final: tournament_model.StoredTournament,
    ended_at: datetime,
) -> None:
    tournament = tournament_queries.load_tournament(transaction, final)
    _store_stayers(transaction.connection, cup.month, tournament)
    _finish(transaction, cup, _winners(tournament), ended_at)


def _finish(
    transaction: Transaction, cup: model.Cup, winners: Sequence[int], ended_at: datetime
) -> None:
    queries.add_winners(transaction.connection, cup.month, model.WHOLE_CUP, winners)
    ended = replace(cup, status=model.CupStatus.FINISHED, ended_at=ended_at)
    _end(transaction, ended, transaction.now)


def _end(transaction: Transaction, cup: model.Cup, now: datetime) -> None:
    """Store the end of a cup, and enter the players who stayed into the next cup to begin."""
    connection = transaction.connection
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
