"""The capsule is killed while people play, and nothing that it confirmed is lost."""

import os
import signal
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from capsule.__main__ import main
from capsule.db import backup
from capsule.lobby.pages.home import CRASHES, MANY_CRASHES
from tests.support.waiting import wait_until
from tests.support.wire.identities import make
from tests.support.wire.mortal import (
    ALTERNATING,
    UNCLOSED,
    MortalCapsule,
    Visitor,
    faults,
    played_by,
    require_nothing_lost,
)
from tests.support.wire.processes import children

pytestmark = UNCLOSED


def visitors_of(capsule: MortalCapsule, folder: Path, rng: Random) -> list[Visitor]:
    """Return two people who play bots, and two certificates that play each other."""
    names = ("alice", "bob", "carol", "dave")
    alice, bob, *pair = (make(folder, name) for name in names)
    return [
        Visitor(capsule, players, Random(rng.random()), ALTERNATING)
        for players in ([alice], [bob], pair)
    ]


def wait_for_moves(visitors: Sequence[Visitor], count: int, rng: Random) -> None:
    """Wait until some visitors have made that many more moves, and a moment longer."""
    enough = sum(visitor.moves for visitor in visitors) + count
    wait_until(lambda: faults(visitors) or sum(visitor.moves for visitor in visitors) >= enough)
    assert not faults(visitors)
    time.sleep(rng.uniform(0, 0.1))


@pytest.mark.deep
@pytest.mark.parametrize(
    "deaths", [pytest.param(CRASHES, id="few"), pytest.param(MANY_CRASHES, id="many")]
)
def test_no_answered_move_is_lost_however_often_the_capsule_is_killed(
    tmp_path: Path, deaths: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(deaths)
    with MortalCapsule(tmp_path / "home") as capsule:
        capsule.start()
        certificate = ssl.get_server_certificate(capsule.address)
        visitors = visitors_of(capsule, tmp_path, rng)
        with played_by(visitors):
            for death in range(deaths):
                # Every fifth life is long enough for a bot, which takes a while to start.
                playing = visitors[:2] if death % 5 == 0 else visitors
                wait_for_moves(playing, rng.randrange(6), rng)
                capsule.kill()
                if death % 7 == 3:
                    # This life is over before it has answered anybody.
                    capsule.start(wait=False)
                    time.sleep(rng.uniform(0, 0.2))
                    capsule.kill()
                capsule.start()
        require_nothing_lost(capsule, visitors)
        assert ssl.get_server_certificate(capsule.address) == certificate
        moves = sum(visitor.moves for visitor in visitors)
        games = sum(len(visitor.tables) for visitor in visitors)
        unanswered = sum(visitor.unanswered for visitor in visitors)
        assert moves > deaths, "too little was played between the deaths to show anything"
        assert unanswered > 0
        # A copy is whole even while it is being played on.
        backup.back_up(tmp_path / "home" / "oxonaut.db", tmp_path / "copy.db")
        capsule.kill()
        time.sleep(1)
        assert "Traceback" not in capsule.printed
    for place in (["--home", str(tmp_path / "home")], [f"--database=sqlite:///{tmp_path}/copy.db"]):
        assert main(["check", *place]) == 0
    with capsys.disabled():
        print(
            f"\n{deaths} deaths: {moves} answered moves in {games} games, all there; "
            f"{unanswered} requests without an answer"
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "deaths",
    [
        pytest.param(5, id="some"),
        pytest.param(CRASHES, id="few", marks=pytest.mark.deep),
        pytest.param(MANY_CRASHES, id="many", marks=pytest.mark.deep),
    ],
)
def test_no_answered_move_is_lost_however_often_one_of_several_processes_is_killed(
    tmp_path: Path, deaths: int
) -> None:
    rng = Random(deaths)
    with MortalCapsule(tmp_path / "home", "--workers", "2") as capsule:
        capsule.start()
        assert capsule.process is not None
        supervisor = capsule.process.pid
        visitors = visitors_of(capsule, tmp_path, rng)
        with played_by(visitors):
            for _ in range(deaths):
                wait_for_moves(visitors, rng.randrange(1, 6), rng)
                # A worker or the housekeeper; whatever is being replaced just now lives next time.
                living = children(supervisor)
                for process in rng.sample(living, min(1, len(living))):
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
        assert capsule.process.poll() is None
        require_nothing_lost(capsule, visitors)
        assert sum(visitor.moves for visitor in visitors) > deaths
        capsule.stop()
        assert capsule.printed.count("is replaced") > deaths / 2
        assert "Traceback" not in capsule.printed
    assert main(["check", "--home", str(tmp_path / "home")]) == 0
