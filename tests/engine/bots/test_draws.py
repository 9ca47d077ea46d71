"""A bot is content with a draw by its own judgement, never because it was asked often."""

from dataclasses import replace
from random import Random

import pytest

from engine import VARIANTS, Side
from engine.bots import Level, is_content_with_draw, level, levels_of
from engine.bots.hosting.worker import answer

WON_AT_ONCE = (
    "f2 g4 b2 d5 a5 c4 h1 e1 d3 a9 a7 a1 b1 f1 h2 d4 b3 d8 b6 e9 e7 e3 d9 a8 a4 g9 c7 h3 f8 g6 "
    "c8 i4 i1 i2 h4 d1 c9 h7"
)
"""A game of ultimate in which X, to move, wins with a6."""

SURELY_DRAWN = {
    "numeric": "b1=7 c1=2 b2=1 a2=4 a3=5 c3=8",
    "quantum": "a1+a2 b2+a3 c2+a3 a1+b1 b1+b3 b2+c3",
}
SURELY_WON_FOR_X = {
    "numeric": "b2=9 b3=6 a1=3 a2=8 c2=7 c3=4",
    "quantum": "a2+b3 b2+c2 a1+a2 c1+b2 c2+c3 c2+b3",
}
"""Games in which X is to move, by variant."""


def brief(variant: str, name: str) -> Level:
    """Return a level that thinks for no longer than a test wants to wait."""
    each = level(variant, name)
    return replace(each, seconds=min(each.seconds, 0.05))


def is_content(variant: str, name: str, moves: str, side: Side, seed: int = 1) -> bool:
    position = VARIANTS[variant].replay(moves.split())
    return is_content_with_draw(brief(variant, name), position, side, Random(seed))


@pytest.mark.parametrize("variant", SURELY_DRAWN)
@pytest.mark.parametrize("name", ["expert", "master"])
def test_a_draw_that_is_proven_is_welcome(variant: str, name: str) -> None:
    for seed in range(4):
        assert is_content(variant, name, SURELY_DRAWN[variant], Side.O, seed)


@pytest.mark.parametrize("variant", SURELY_WON_FOR_X)
def test_a_master_that_is_lost_is_content_and_one_that_wins_is_not(variant: str) -> None:
    assert is_content(variant, "master", SURELY_WON_FOR_X[variant], Side.O)
    assert not is_content(variant, "master", SURELY_WON_FOR_X[variant], Side.X)


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        *(("ultimate", name) for name in levels_of("ultimate")),
        *(pytest.param("extreme", name, marks=pytest.mark.deep) for name in levels_of("extreme")),
    ],
)
def test_nobody_draws_by_asking_while_the_game_is_open(variant: str, name: str) -> None:
    """Weak levels misjudge their moves by luck, which must not make them give up."""
    for side in Side:
        for moves in ("", "e5"):
            for seed in range(4 if name != "master" else 1):
                assert not is_content(variant, name, moves, side, seed)


@pytest.mark.parametrize("name", levels_of("ultimate"))
def test_every_level_of_ultimate_knows_when_it_is_about_to_lose(name: str) -> None:
    assert is_content("ultimate", name, WON_AT_ONCE, Side.O)
    assert not is_content("ultimate", name, WON_AT_ONCE, Side.X)


def test_in_tinc_a_bot_that_sees_no_win_is_content() -> None:
    assert is_content("tinc", "master", "a1 a1+c1 b3+d3 e1", Side.O)


def test_in_tinc_a_bot_that_has_a_line_to_fill_is_not() -> None:
    # X has filled row 3 except its two ends, and O has put nothing on the edge.
    ready = "a1 a1+c1 b3+d3 c4"
    position = VARIANTS["tinc"].replay(ready.split())
    assert position.play("a3+e3").outcome is not None
    for name in ("expert", "master"):
        contents = [is_content("tinc", name, ready, Side.X, seed) for seed in range(10)]
        assert not any(contents)
    assert is_content("tinc", "master", ready, Side.O)
    assert not is_content("tinc", "master", "a1 a1+c1 b3+d3", Side.X), "though O is to move"


def test_a_game_that_is_over_has_no_draw_to_think_about() -> None:
    with pytest.raises(ValueError, match="over"):
        is_content("numeric", "master", "a1=5 b1=2 b2=7 a3=8 c3=3", Side.X)
    with pytest.raises(ValueError, match="over"):
        is_content("tinc", "master", "a1 a1+c1 b3+d3 c4 a3+e3", Side.X)


def test_the_process_of_bots_answers_for_the_side_that_it_is_asked_for() -> None:
    moves = SURELY_WON_FOR_X["numeric"].split()
    task = {"task": "draw", "variant": "numeric", "moves": moves, "level": "master", "seed": 1}
    assert answer(task | {"side": "O"}) == {"is_content": True}
    assert answer(task | {"side": "X"}) == {"is_content": False}


def test_with_each_move_of_tinc_the_bot_says_whether_a_draw_would_do() -> None:
    task = {"task": "move", "variant": "tinc", "level": "master", "seed": 1}
    told = answer(task | {"moves": ["a1"]})
    assert told["is_content"] is True
    told = answer(task | {"moves": "a1 a1+c1 b3+d3 c4".split()})
    assert told["is_content"] is False, "it has just won"
    assert "is_content" not in answer(task | {"variant": "numeric", "moves": []})
