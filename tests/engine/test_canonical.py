"""Positions have one identity in every process, and one orientation that stands for all."""

import os
import subprocess
import sys
from random import Random

import pytest

from engine import VARIANTS
from engine.boards.canonical import canonical_positions
from tests.support.stories import WON_GAMES

TELL = f"""
from engine import VARIANTS
for variant, moves in {WON_GAMES!r}.items():
    print(VARIANTS[variant].replay(moves.split()[:5]).identity())
"""


def test_a_position_has_the_same_identity_in_every_process() -> None:
    identities = {
        subprocess.run(
            [sys.executable, "-c", TELL],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(identities) == 1


@pytest.mark.parametrize(
    ("variant", "one", "other"),
    [
        ("tinc", "a1 c2+c3", "a1 a1+b1"),
        ("numeric", "a1=5 a2=8 c1=1", "c1=1 a2=8 a1=5"),
        ("ultimate", "e5 e4 d1", "e5 e6 f9"),
        ("extreme", "e5 d4 a1", "n5 m4 j1"),
        ("quantum", "a1+b1 b2+c2", "c3+b3 a2+b2"),
    ],
)
def test_games_that_look_alike_come_to_one_identity(variant: str, one: str, other: str) -> None:
    start = VARIANTS[variant].start
    found = [canonical_positions(start, moves.split())[-1].identity for moves in (one, other)]
    assert found[0] == found[1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_image_of_a_game_has_its_identities(variant: str) -> None:
    start, rng = VARIANTS[variant].start, Random(2)
    moves = WON_GAMES[variant].split()[:8]
    position, images = start, []
    for move in moves:
        images.append(position.images(move))
        position = position.play(move)
    expected = [each.identity for each in canonical_positions(start, moves)]
    for way in rng.sample(range(len(images[0])), 4):
        turned = canonical_positions(start, [each[way] for each in images])
        assert [each.identity for each in turned] == expected
