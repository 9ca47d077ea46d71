"""The trusted clock: the machine's clock beside its running time and the newest time seen."""

from datetime import UTC, datetime, timedelta

import pytest

from capsule.timekeeping.trusted_clock import (
    Doubt,
    RunningTime,
    SeenTime,
    TrustedClock,
    running_time,
)
from tests.support.client import BEGINNING

DAY, HOUR, MINUTE, SECOND = (
    timedelta(**{unit: 1}) for unit in ("days", "hours", "minutes", "seconds")
)
NOTHING_SEEN = SeenTime(datetime(1970, 1, 1, tzinfo=UTC), "", 0.0)


class Machine:
    """A machine whose clock can be set."""

    def __init__(self, boot: str = "first") -> None:
        self.now = BEGINNING
        self.boot = boot
        self.seconds = 5000.0

    def process(self, stored: SeenTime = NOTHING_SEEN) -> TrustedClock:
        """Return the clock of a process that starts now."""
        return TrustedClock(lambda: self.now, RunningTime(self.boot, lambda: self.seconds), stored)

    def wait(self, time: timedelta) -> None:
        self.now += time
        self.seconds += time.total_seconds()

    def set(self, time: timedelta) -> None:
        """Set the clock ahead, or back."""
        self.now += time

    def reboot(self, off: timedelta) -> None:
        self.now += off
        self.boot, self.seconds = f"{self.boot} again", 20.0


@pytest.fixture
def machine() -> Machine:
    return Machine()


def stored_by(clock: TrustedClock) -> SeenTime:
    """Return what a process stores, which it knows then itself."""
    seen = clock.shown()
    clock.learn(seen)
    return seen


def test_time_goes_by(machine: Machine) -> None:
    clock = machine.process()
    for pause in (SECOND, HOUR, 40 * DAY):
        machine.wait(pause)
        assert clock.doubt is None
        assert clock() == clock.deadline_time() == machine.now


@pytest.mark.parametrize(("ahead", "doubt"), [(3 * HOUR, None), (3 * HOUR + SECOND, Doubt.AHEAD)])
def test_a_clock_may_be_three_hours_ahead(
    machine: Machine, ahead: timedelta, doubt: Doubt | None
) -> None:
    clock = machine.process()
    stored_by(clock)
    machine.wait(MINUTE)
    machine.set(ahead)
    assert clock.doubt is doubt


@pytest.mark.parametrize(("behind", "doubt"), [(MINUTE, None), (MINUTE + SECOND, Doubt.BEHIND)])
def test_a_clock_may_be_a_minute_behind(
    machine: Machine, behind: timedelta, doubt: Doubt | None
) -> None:
    clock = machine.process()
    stored_by(clock)
    machine.set(-behind)
    assert clock.doubt is doubt
    assert clock() == BEGINNING


def test_no_deadline_passes_by_a_clock_that_is_behind_until_it_has_caught_up(
    machine: Machine,
) -> None:
    clock = machine.process()
    stored_by(clock)
    machine.set(-5 * DAY)
    machine.wait(4 * DAY)
    assert clock.deadline_time() == clock() == BEGINNING
    machine.wait(DAY)
    assert clock.doubt is None
    machine.wait(HOUR)
    assert clock.deadline_time() == clock() == BEGINNING + HOUR


def test_a_clock_that_is_set_while_the_capsule_is_off_is_in_doubt(machine: Machine) -> None:
    stored = stored_by(machine.process())
    machine.wait(20 * DAY)
    assert machine.process(stored).doubt is None, "the time that it was off counts"
    machine.set(DAY)
    assert machine.process(stored).doubt is Doubt.AHEAD


def test_a_machine_that_was_off_begins_with_the_time_that_its_clock_shows(machine: Machine) -> None:
    stored = stored_by(machine.process())
    machine.reboot(off=40 * DAY)
    clock = machine.process(stored)
    assert clock.deadline_time() == machine.now
    machine.set(DAY)
    assert clock.doubt is Doubt.AHEAD, "it runs from then on"


def test_a_machine_without_a_battery_is_trusted_once_its_clock_is_set(machine: Machine) -> None:
    stored = stored_by(machine.process())
    machine.reboot(off=-HOUR)
    clock = machine.process(stored)
    assert clock.doubt is Doubt.BEHIND
    machine.set(10 * HOUR)
    assert clock.doubt is None, "it was off for nine hours"
    stored_by(clock)
    machine.set(10 * HOUR)
    assert clock.doubt is Doubt.AHEAD


@pytest.mark.parametrize("wrong", [10 * DAY, -10 * DAY])
def test_a_confirmation_counts_in_every_process_of_the_machine(
    machine: Machine, wrong: timedelta
) -> None:
    first = machine.process()
    stored = stored_by(first)
    second = machine.process(stored)
    machine.set(wrong)
    assert first.doubt
    confirmed = machine.process(stored).shown()
    machine.wait(MINUTE)
    for clock in (first, second):
        clock.learn(confirmed)
        assert clock.doubt is None
        assert clock() == clock.deadline_time() == machine.now
    machine.set(wrong)
    assert first.doubt
    assert second.doubt, "it is for this once"


def test_machines_have_clocks_of_their_own(machine: Machine) -> None:
    other = Machine("the other's first")
    other.seconds = 900_000.0
    other.set(-2 * SECOND)
    right, wrong = machine.process(), other.process()
    other.set(10 * DAY)
    for _ in range(3):
        machine.wait(MINUTE)
        other.wait(MINUTE)
        wrong.learn(stored_by(right))
        assert right.doubt is None
        assert wrong.doubt is Doubt.AHEAD
    other.set(-10 * DAY)
    assert wrong.doubt is None, "two seconds behind"
    wrong.learn(stored_by(right))
    assert wrong() == machine.now


def test_this_machine_has_a_running_time() -> None:
    running = running_time()
    before = running.seconds()
    assert 0 < before <= running.seconds()
    assert running.boot
    assert len(running.boot) <= 36
