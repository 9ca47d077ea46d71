"""`oxonaut arena VARIANT --ladder`: all levels, one against the next, and the ratings of that."""

import json

import pytest

from capsule.__main__ import main
from capsule.cli.arena import Rung, ladder_in_json, ladder_in_words, matches, ratings, scored
from capsule.ratings.first_ratings import Scored, first_ratings, read_ladder
from capsule.ratings.model import Rating
from engine.bots import MAIN_LEVELS, levels_of
from engine.bots.hosting.match import MatchGame, MatchTerms


def decided(number: int, winner: int | None) -> MatchGame:
    """Return a game of numeric that ended early for this reason or that."""
    forfeit = None if winner is None else "crashed"
    return MatchGame(number, number % 2, winner, (), ((0.1,), (0.1,)), (1, 1), forfeit)


def rung(names: tuple[str, str], wins: int, draws: int, losses: int) -> Rung:
    winners = [0] * wins + [None] * draws + [1] * losses
    terms = MatchTerms("numeric", names, games=len(winners), seed=5, openings=2)
    return Rung(terms, [decided(number, winner) for number, winner in enumerate(winners)])


def ladder(*results: tuple[int, int, int]) -> list[Rung]:
    return [rung(names, *result) for names, result in zip(matches("numeric"), results, strict=True)]


def test_each_level_plays_the_one_below_it() -> None:
    assert matches("numeric") == [
        ("casual", "novice"),
        ("club", "casual"),
        ("expert", "club"),
        ("master", "expert"),
    ]
    assert matches("extreme")[:2] == [("novice-plus", "novice"), ("casual", "novice-plus")]


def test_a_ladder_in_words() -> None:
    rungs = ladder((6, 2, 2), (7, 0, 3), (5, 2, 3), (9, 1, 0))
    heading, nothing, *table = ladder_in_words(rungs).splitlines()
    assert heading == (
        "Numeric: each level against the one below, 10 games a match and as many again if the "
        "interval leaves 62% to 88%, seed 5, openings of 2 random moves, each level's own time"
    )
    assert not nothing
    assert table == [
        "                       score   95 % interval    Elo  won drawn lost beginnings",
        "casual against novice  70.0%  39.7% to 89.2%   +147    6     2    2          1",
        "club against casual    70.0%  39.7% to 89.2%   +147    7     0    3          1",
        "expert against club    60.0%  31.3% to 83.2%    +70    5     2    3          1",
        "master against expert  95.0%  65.5% to 99.5%   +512    9     1    0          1",
        "",
        "Outside 62% to 88%: expert against club, master against expert",
        "First ratings: novice 1200, casual 1350, club 1500, expert 1570, master 2090",
    ]
    assert max(map(len, table)) < 80, "a line of a terminal"


def test_a_level_that_won_everything_is_rated_as_if_it_had_drawn_one_game_more() -> None:
    rungs = ladder((6, 2, 2), (7, 0, 3), (5, 2, 3), (10, 0, 0))
    assert ratings(rungs) == ratings(ladder((6, 2, 2), (7, 0, 3), (5, 2, 3), (10, 1, 0)))
    assert ladder_in_words(rungs).endswith(
        "master against expert was one-sided: rated as if one game more had been drawn"
    )
    assert ladder_in_json(rungs)["one_sided"] == ["master"]


def test_a_step_is_neither_level_ground_nor_a_cliff() -> None:
    scores = {wins: rung(("club", "casual"), wins, 0, 200 - wins) for wins in range(100, 201, 4)}
    assert [wins for wins, match in scores.items() if match.is_a_step] == [*range(124, 177, 4)]
    surely = [wins for wins, match in scores.items() if match.is_surely_a_step]
    assert surely == [*range(140, 165, 4)]


def test_there_are_no_ratings_before_every_match_has_a_game() -> None:
    rungs = ladder((6, 2, 2), (7, 0, 3), (5, 2, 3), (0, 0, 0))
    assert ratings(rungs) is None
    assert "First ratings" not in ladder_in_words(rungs)
    report = ladder_in_json(rungs)
    assert report["ratings"] is None
    assert [each["games"] for each in report["matches"]] == [10, 10, 10, 0]


def test_the_club_bot_begins_like_a_new_player_whatever_the_others_do() -> None:
    assert first_ratings(MAIN_LEVELS, [Scored(3, 4)] * 4)["club"] == Rating().number
    numbers = list(first_ratings(MAIN_LEVELS, [Scored(3, 4)] * 4).values())
    assert numbers == [1110, 1310, 1500, 1690, 1890]


def test_a_game_that_was_left_is_a_draw() -> None:
    assert scored(Rung(MatchTerms("tinc", ("club", "casual")), [decided(0, None)])) == Scored(
        0.5, 1
    )


@pytest.mark.slow
def test_the_command_plays_a_ladder_from_openings_that_the_game_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "numeric", "--ladder", "-n", "2", "--seconds", "0.05", "--json"]) == 0
    printed = capsys.readouterr().out
    report = json.loads(printed)
    assert (report["variant"], report["openings"], report["seconds"]) == ("numeric", 2, 0.05)
    assert [(each["a"], each["b"], each["games"]) for each in report["matches"]] == [
        (*names, 4) for names in matches("numeric")
    ]
    assert list(report["ratings"]) == list(levels_of("numeric"))
    assert report["ratings"]["club"] == 1500
    seeds = read_ladder(printed)
    assert seeds.variant == "numeric"
    assert {bot.bot: rating.number for bot, rating in seeds.ratings.items()} == report["ratings"]


@pytest.mark.deep
def test_the_command_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "tinc", "--ladder", "-n", "1", "--cpu", "--openings", "1"]) == 0
    heading, _, _, *rows = capsys.readouterr().out.splitlines()
    assert heading == (
        "Tinc: each level against the one below, 1 games a match and as many again if the interval "
        "leaves 62% to 88%, seed 1, by processor time, openings of 1 random move, each level's own "
        "time"
    )
    assert [row[:22].rstrip() for row in rows[:4]] == [
        "casual against novice",
        "club against casual",
        "expert against club",
        "master against expert",
    ]
