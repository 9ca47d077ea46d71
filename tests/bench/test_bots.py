"""The bots' benchmark itself runs, and its matches are what they say."""

import json
from random import Random

import pytest

from engine import VARIANTS
from engine.bots import levels_of
from engine.bots.handicaps import GlanceBot
from engine.bots.solvers.numeric import PerfectNumeric
from engine.bots.solvers.tinc import TincBot
from tests.bench.bots import main
from tests.support.engine.matches import MAX_MOVES, Player, game, match


@pytest.mark.slow
def test_the_score_is_that_of_the_first_player_on_both_sides() -> None:
    strong = Player(PerfectNumeric(), 1)
    blind = Player(GlanceBot(ahead=1, overlooks=1.0), 1)
    assert match("numeric", strong, blind, 10).score > 0.7
    assert match("numeric", blind, strong, 10).score < 0.3


@pytest.mark.parametrize(
    "key", [key for key, variant in VARIANTS.items() if not variant.may_never_end]
)
def test_a_game_is_played_to_its_end(key: str) -> None:
    player = Player(GlanceBot(ahead=1), 1)
    moves = game(key, player, player, [], Random(1))
    assert VARIANTS[key].replay(moves).outcome is not None


def test_a_game_of_tinc_is_left_after_sixty_turns() -> None:
    player = Player(TincBot(), 1)
    assert len(game("tinc", player, player, [], Random(1))) == MAX_MOVES == 60


@pytest.mark.slow
def test_it_prints_a_line_a_level_and_the_facts_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "2", "--seconds", "0.05", "--variant", "numeric", "--json"])
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert [row["level"] for row in facts["ladder"]] == [*levels_of("numeric")][1:]
    assert all(row["won"] + row["drawn"] + row["lost"] == 2 for row in facts["ladder"])
    assert all(1 <= row["beginnings"] <= 2 for row in facts["ladder"])
    assert list(facts["ratings"]["numeric"]) == [*levels_of("numeric")]
    assert facts["clock"] == "wall"
    assert [row["variant"] for row in facts["characters"]] == ["numeric"] * 3
    assert 1 <= facts["characters"][-1]["beginnings"] <= 2
    assert facts["speed"][0]["rate"] > 0
    assert facts["processes"][0]["first"] > 0
    assert facts["processes"][0]["kind"] == "plain"
    assert facts["processes"][0]["moves"] > 4
    assert "master against expert" in printed.err
