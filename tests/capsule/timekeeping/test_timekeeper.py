"""The timekeeper: two clocks, and what they say of each other."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from capsule.timekeeping.model import Finding, StoredClock, Suspicion, Timekeeper
from tests.support.client import BEGINNING

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
SWEEP = timedelta(seconds=20)
NOTHING = StoredClock()


class Machine:
    """A machine with both clocks."""

    def __init__(self) -> None:
        self.now = BEGINNING
        self.seconds = 5000.0

    def process(self, stored: StoredClock = NOTHING) -> Timekeeper:
        return Timekeeper(lambda: self.now, lambda: self.seconds, stored)

    def wait(self, time: timedelta, *keepers: Timekeeper) -> None:
        """Let time go by, in which each of these looks at the clocks now and then."""
        end = self.now + time
        while self.now < end:
            step = min(end - self.now, 5 * MINUTE)
            self.now += step
            self.seconds += step.total_seconds()
            for keeper in keepers:
                keeper.time()

    def set(self, time: timedelta) -> None:
        """Set the clock ahead, or back."""
        self.now += time


@pytest.fixture
def machine() -> Machine:
    return Machine()


def held_at(keeper: Timekeeper, machine: Machine) -> datetime | None:
    """Return the time at which a keeper has stopped, None if it goes with the clock."""
    time = keeper.time()
    return None if time == machine.now else time


def news(keeper: Timekeeper, stored: StoredClock = NOTHING) -> Finding | None:
    finding = keeper.compare(stored).finding
    if finding is not None:
        keeper.reported(finding)
    return finding


def test_time_goes_by(machine: Machine) -> None:
    keeper = machine.process()
    for pause in (SWEEP, HOUR, 40 * DAY):
        machine.wait(pause)
        assert held_at(keeper, machine) is None
    assert news(keeper) is None


@pytest.mark.parametrize(("ahead", "is_held"), [(HOUR, False), (HOUR + MINUTE, True)])
def test_a_jump_is_more_than_an_hour(machine: Machine, ahead: timedelta, *, is_held: bool) -> None:
    keeper = machine.process()
    machine.wait(SWEEP, keeper)
    machine.set(ahead)
    assert (keeper.time() == BEGINNING + SWEEP) is is_held
    assert (news(keeper) is Finding.JUMPED) is is_held


def test_what_gains_slowly_has_not_jumped(machine: Machine) -> None:
    keeper = machine.process()
    for _ in range(50):
        machine.wait(SWEEP, keeper)
        machine.set(10 * MINUTE)
        assert held_at(keeper, machine) is None


def test_after_three_steady_hours_it_is_trusted(machine: Machine) -> None:
    keeper = machine.process()
    machine.set(10 * DAY)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(3 * HOUR - MINUTE, keeper)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(MINUTE, keeper)
    assert held_at(keeper, machine) is None
    assert news(keeper) is Finding.STEADY
    assert news(keeper) is None


def test_another_jump_begins_the_three_hours_again(machine: Machine) -> None:
    keeper = machine.process()
    machine.set(10 * DAY)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(2 * HOUR, keeper)
    machine.set(90 * DAY)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(2 * HOUR, keeper)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(HOUR, keeper)
    assert held_at(keeper, machine) is None


@pytest.mark.parametrize("off", [timedelta(0), -30 * MINUTE, 30 * MINUTE, -9 * DAY])
def test_a_clock_that_is_set_right_is_trusted_at_once(machine: Machine, off: timedelta) -> None:
    keeper = machine.process()
    machine.set(10 * DAY)
    machine.wait(HOUR, keeper)
    machine.set(-10 * DAY + off)
    assert held_at(keeper, machine) is None
    assert news(keeper) is Finding.SET_RIGHT


def test_half_a_correction_is_none(machine: Machine) -> None:
    keeper = machine.process()
    machine.set(10 * DAY)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(HOUR, keeper)
    machine.set(-5 * DAY)
    assert held_at(keeper, machine) == BEGINNING
    machine.wait(2 * HOUR, keeper)
    assert held_at(keeper, machine) is None


def test_a_clock_set_back_is_believed_and_forward_again_it_is_not(machine: Machine) -> None:
    keeper = machine.process()
    machine.wait(HOUR, keeper)
    machine.set(-5 * DAY)
    assert held_at(keeper, machine) is None
    machine.wait(HOUR, keeper)
    machine.set(5 * DAY)
    assert held_at(keeper, machine) is not None


def test_what_another_process_noticed_holds_for_who_starts_later(machine: Machine) -> None:
    suspicion = Suspicion(noticed_at=machine.now, expected=machine.now - 10 * DAY)
    keeper = machine.process(StoredClock(suspicion))
    assert news(keeper, StoredClock(suspicion)) is Finding.LEFT_OVER
    assert held_at(keeper, machine) == suspicion.expected
    machine.wait(3 * HOUR, keeper)
    assert held_at(keeper, machine) is None


def test_a_capsule_that_was_switched_off_begins_at_the_time_that_it_is(machine: Machine) -> None:
    machine.process().time()
    machine.now += 40 * DAY
    machine.seconds = 3.0
    assert held_at(machine.process(), machine) is None


def test_a_confirmation_counts_in_every_process(machine: Machine) -> None:
    first, second = machine.process(), machine.process()
    machine.wait(SWEEP, first, second)
    machine.set(10 * DAY)
    assert news(first) is Finding.JUMPED
    machine.wait(SWEEP, first)
    confirmed = StoredClock(confirmed_at=machine.now)
    machine.wait(SWEEP)
    assert news(first, confirmed) is Finding.CONFIRMED
    assert held_at(first, machine) is None
    # The second has not looked at the clock since before the jump.
    assert news(second, confirmed) is Finding.CONFIRMED
    assert held_at(second, machine) is None


def test_a_confirmation_is_for_one_jump(machine: Machine) -> None:
    keeper = machine.process()
    before = StoredClock(confirmed_at=machine.now)
    machine.set(10 * DAY)
    assert news(keeper, before) is Finding.JUMPED
    assert news(keeper, StoredClock(confirmed_at=machine.now)) is Finding.CONFIRMED
    late = StoredClock(confirmed_at=machine.now)
    machine.wait(HOUR, keeper)
    machine.set(20 * DAY)
    assert news(keeper, late) is Finding.JUMPED
    assert held_at(keeper, machine) is not None


def test_machines_have_clocks_of_their_own(machine: Machine) -> None:
    right, wrong = machine, Machine()
    one, other = right.process(), wrong.process()
    wrong.set(10 * DAY)
    assert news(other) is Finding.JUMPED
    stored = StoredClock(Suspicion(wrong.now, BEGINNING))
    for each, keeper in ((right, one), (wrong, other)):
        each.wait(SWEEP, keeper)
    assert news(one, stored) is None
    assert held_at(one, right) is None
    # Neither what is confirmed there nor that nothing is stored any more says anything of this one.
    assert news(other, StoredClock(confirmed_at=right.now)) is None
    assert news(other, NOTHING) is None
    assert held_at(other, wrong) == BEGINNING
