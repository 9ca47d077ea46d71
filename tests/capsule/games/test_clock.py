"""Time in correspondence games: it runs, stands still on vacation, and never runs back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as some

from capsule.games.clock import (
    DAY,
    DAYS_PER_MOVE,
    MAX_VACATION_DAYS,
    OFFER_LIFETIME,
    Clock,
    ClockState,
    Vacation,
    days_to_take,
    vacation_in_year,
)
from capsule.games.deadlines import with_deadlines_applied
from capsule.games.model import RUNNING, GameStatus, Seat, StoredGame
from engine import VARIANTS, Side
from tests.support.client import BEGINNING

SPANS = some.timedeltas(timedelta(0), 60 * DAY)
ORDER = (ClockState.IN_TIME, ClockState.CLAIMABLE, ClockState.OVER)
ALICE, BOB = 1, 2


@some.composite
def vacations(draw: some.DrawFn) -> Sequence[Vacation]:
    """Some vacations, one after the other, in any order."""
    made, moment = [], BEGINNING - 10 * DAY
    for _ in range(draw(some.integers(0, 4))):
        moment += draw(SPANS)
        ends = moment + draw(some.timedeltas(timedelta(0), 20 * DAY))
        made.append(Vacation(moment, ends))
        moment = ends
    return draw(some.permutations(made))


@some.composite
def clocks(draw: some.DrawFn) -> Clock:
    return Clock(BEGINNING, draw(some.sampled_from(DAYS_PER_MOVE)), draw(vacations()))


@some.composite
def games(draw: some.DrawFn) -> StoredGame:
    """A game between Alice and Bob that goes on, or waits for somebody."""
    return StoredGame(
        id="aaaaaaaaaa",
        variant=VARIANTS["ultimate"],
        listed=draw(some.booleans()),
        x=Seat(player_id=ALICE, player_name="alice"),
        o=Seat(player_id=BOB, player_name="bob"),
        status=draw(some.sampled_from(RUNNING)),
        ply=draw(some.integers(0, 4)),
        turn=draw(some.sampled_from(Side)),
        turn_counter=draw(some.integers(0, 9)),
        draw_offered_by=draw(some.sampled_from((None, *Side))),
        created_at=BEGINNING,
        moved_at=BEGINNING + draw(SPANS),
        days_per_move=draw(some.sampled_from((*DAYS_PER_MOVE, None))),
    )


@given(clocks(), SPANS, SPANS)
def test_time_never_runs_back(clock: Clock, first: timedelta, later: timedelta) -> None:
    early, late = BEGINNING + first, BEGINNING + first + later
    assert timedelta(0) <= clock.elapsed(early) <= clock.elapsed(late)
    assert ORDER.index(clock.state(early)) <= ORDER.index(clock.state(late))


@given(clocks(), SPANS)
def test_the_time_is_up_when_it_is_used(clock: Clock, span: timedelta) -> None:
    now = BEGINNING + span
    assert (now >= clock.deadline) == (clock.elapsed(now) >= clock.days * DAY)
    assert (now >= clock.end) == (clock.elapsed(now) >= 2 * clock.days * DAY)
    assert BEGINNING < clock.quarter_left < clock.deadline < clock.end


@given(clocks(), SPANS)
def test_a_vacation_taken_now_changes_nothing_that_was(clock: Clock, span: timedelta) -> None:
    now = BEGINNING + span
    until = [each for each in clock.vacations if each.ends <= now]
    before = Clock(BEGINNING, clock.days, until)
    after = Clock(BEGINNING, clock.days, [*until, Vacation(now, now + 5 * DAY)])
    for moment in (now - timedelta(seconds=1), now):
        assert before.state(moment) is after.state(moment)
    if before.state(now) is ClockState.IN_TIME:
        assert after.deadline == before.deadline + 5 * DAY


@given(games(), vacations(), SPANS, SPANS)
def test_a_sweep_stores_what_every_later_page_shows(
    game: StoredGame, away: Sequence[Vacation], first: timedelta, later: timedelta
) -> None:
    known = {ALICE: away, BOB: away[:1]}
    early = BEGINNING + first
    late = early + later
    assert with_deadlines_applied(
        with_deadlines_applied(game, known, early), known, late
    ) == with_deadlines_applied(game, known, late)


@given(games(), vacations(), SPANS)
def test_what_ends_by_itself_ends_in_the_past(
    game: StoredGame, away: Sequence[Vacation], span: timedelta
) -> None:
    now = BEGINNING + span
    after = with_deadlines_applied(game, {ALICE: away, BOB: away}, now)
    if after == game:
        return
    assert after.ended_at is not None
    assert after.ended_at <= now
    assert after.turn_counter == game.turn_counter + 1
    if after.status is GameStatus.TIMED_OUT:
        assert game.ply >= 2
        assert after.winner not in (None, game.turn)
    else:
        assert after.was_aborted
        assert game.ply < 2 or game.status in (GameStatus.WAITING, GameStatus.CHALLENGED)
        assert after.winner is None


@given(games(), SPANS)
def test_a_seat_for_friends_is_kept_for_ever_and_others_lapse(
    game: StoredGame, span: timedelta
) -> None:
    now = BEGINNING + span
    after = with_deadlines_applied(game, {}, now)
    if game.status is GameStatus.WAITING and not game.listed:
        assert after == game
    elif game.status in (GameStatus.WAITING, GameStatus.CHALLENGED):
        assert after.was_aborted == (span >= OFFER_LIFETIME)


@given(vacations(), SPANS)
def test_nobody_takes_more_than_twenty_days_a_year(
    taken: Sequence[Vacation], span: timedelta
) -> None:
    now = BEGINNING + span
    days = days_to_take(taken, now)
    assert 0 <= days <= MAX_VACATION_DAYS
    if days:
        after = [*taken, Vacation(now, now + days * DAY)]
        for year in (2026, 2027, 2028):
            before = vacation_in_year(taken, year)
            assert vacation_in_year(after, year) <= max(before, MAX_VACATION_DAYS * DAY)


def test_a_vacation_over_new_year_counts_to_both_years() -> None:
    eve = datetime(2026, 12, 22, tzinfo=UTC)
    spring = Vacation(datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 4, 11, tzinfo=UTC))
    assert days_to_take([spring], eve) == 20, "ten days of the old year and ten of the new"
    assert days_to_take([spring], datetime(2026, 12, 1, tzinfo=UTC)) == 10
