"""With which ratings bots begin: those of the measured ladder, until they have played for one."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from capsule.__main__ import main
from capsule.games.maintenance import recompute
from capsule.ratings import first_ratings, queries as rating_queries
from capsule.ratings.first_ratings import measured, read_ladder
from capsule.ratings.model import INITIAL, NEW_PLAYER, Holder, Rating, format_change, updated
from engine import VARIANTS, bots
from engine.bots import VariantBots
from engine.bots.levels import LEVELS, MAIN_LEVELS, level_label
from engine.bots.registry import levels_of
from tests.support.client import Client
from tests.support.console import where
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stored import player_id
from tests.support.stories import ALICE, bot_plays, play, start
from tests.support.tournaments import resign

README = Path(__file__).parents[3] / "engine" / "bots" / "README.md"

MEASURED = Path(first_ratings.__file__).with_name("measured")

NUMERIC: dict[str, object] = {"variant": "numeric"}

QUICKER = dict(zip(MAIN_LEVELS, (1000, 1200, 1500, 1700, 2000), strict=True))
"""A ladder of numeric as measured on the operator's machine."""


def ratings_of_bots(client: Client, variant: str) -> Mapping[str, Rating]:
    holders = {level: Holder(variant, None, level) for level in levels_of(variant)}
    with client.database.reading() as connection:
        found = rating_queries.ratings_of(connection, holders.values())
    return {level: found[holder] for level, holder in holders.items()}


def beaten_by(client: Client, level: str) -> str:
    """Let the bot of a level win a rated game of numeric against Alice; return its URL."""
    resign(client, start(client, "tinc", "solo"), ALICE)
    url = start(client, "numeric", f"bot-{level}")
    for own, theirs in (("a1=5", "a2=8"), ("c1=1", "a3=2")):
        play(client, url, [own], ALICE)
        bot_plays(client, url, theirs)
    return url


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_level_begins_where_the_measured_ladder_has_it(client: Client, variant: str) -> None:
    ratings = ratings_of_bots(client, variant)
    assert ratings["club"].number == INITIAL.number
    for lower, upper in pairwise(levels_of(variant)):
        lead = ratings[upper].number - ratings[lower].number
        assert 50 <= lead <= 1000, "each is stronger than the one below"
    assert {rating.uncertainty for rating in ratings.values()} == {200}
    assert {rating.games for rating in ratings.values()} == {0}
    printed = json.loads((MEASURED / f"{variant}.json").read_text())
    numbers = {level: rating.number for level, rating in ratings.items()}
    assert numbers == printed["ratings"]


def test_the_first_rated_game_starts_from_there_and_its_page_says_so(client: Client) -> None:
    first = ratings_of_bots(client, "numeric")["master"]
    url = beaten_by(client, "master")
    alice, master = updated(NEW_PLAYER, first, (0, 1))
    assert ratings_of_bots(client, "numeric")["master"] == master
    with client.database.reading() as connection:
        holder = Holder("numeric", player_id(client, ALICE), None)
        assert rating_queries.ratings_of(connection, [holder])[holder] == alice.with_opponent()
    assert (
        f"alice {alice.short} ({format_change(INITIAL, alice)}), "
        f"master bot {master.short} ({format_change(first, master)})." in client.get(url)
    )
    equal, _ = updated(INITIAL, INITIAL, (0, 1))
    assert alice.number > equal.number, "to lose to a master costs less than to an equal"


def test_lists_show_what_a_bot_begins_with(client: Client) -> None:
    page = client.get("/play/new/ultimate/bots?listed=yes", ALICE)
    (way,) = (line.split()[1] for line in page.splitlines() if "/bot-master" in line)
    client.get(way, ALICE)
    master = ratings_of_bots(client, "ultimate")["master"]
    assert f"master bot (O, {master.short})" in client.get("/games/ultimate")


def test_a_plug_in_brings_the_ladder_of_its_bots(tmp_path: Path) -> None:
    file = tmp_path / "noughts.json"
    file.write_text(json.dumps({"variant": "noughts", "ratings": QUICKER}), encoding="utf-8")
    with noughts_plugged_in():
        bots.register("noughts", VariantBots(ladder=file))
        try:
            begun = [measured()[Holder("noughts", None, level)].number for level in MAIN_LEVELS]
            assert begun == list(QUICKER.values())
        finally:
            bots.unregister("noughts")
    assert Holder("noughts", None, "club") not in measured()


def test_the_readme_tells_what_was_measured() -> None:
    lines = [f"| level | {' | '.join(VARIANTS)} |", "|---" * (len(VARIANTS) + 1) + "|"]
    for level in LEVELS:
        begun = [measured().get(Holder(variant, None, level)) for variant in VARIANTS]
        numbers = ("" if rating is None else rating.number for rating in begun)
        lines.append(f"| {level_label(level)} | {' | '.join(map(str, numbers))} |")
    assert "\n".join(lines) in README.read_text(encoding="utf-8")


def a_ladder(tmp_path: Path, content: object) -> str:
    file = tmp_path / "ladder.json"
    file.write_text(json.dumps(content))
    return str(file)


def test_a_bot_that_has_played_keeps_what_it_began_with_when_ladders_are_measured_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    beaten_by(client, "master")
    before = ratings_of_bots(client, "numeric")
    again = read_ladder(json.dumps(NUMERIC | {"ratings": QUICKER})).ratings
    monkeypatch.setattr(rating_queries, "measured", lambda: {**measured(), **again})
    after = ratings_of_bots(client, "numeric")
    assert after["master"] == before["master"]
    assert {level: after[level].number for level in MAIN_LEVELS[:-1]} == {
        level: QUICKER[level] for level in MAIN_LEVELS[:-1]
    }
    assert recompute(client.database, check=True).differing == 0


def test_the_operator_seeds_the_bots_that_have_not_played_from_a_ladder(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beaten_by(client, "master")
    kept = ratings_of_bots(client, "numeric")["master"]
    ladder = a_ladder(tmp_path, NUMERIC | {"ratings": QUICKER})
    for _ in range(2):
        assert main(["ratings", *where(client), "seed", ladder]) == 0
        assert capsys.readouterr().out == (
            "numeric: begin with novice 1000, casual 1200, club 1500, expert 1700; "
            f"have played and keep master {kept.short}\n"
        )
    after = ratings_of_bots(client, "numeric")
    assert after.pop("master") == kept
    assert {level: rating.number for level, rating in after.items()} == {
        level: number for level, number in QUICKER.items() if level != "master"
    }
    assert {rating.uncertainty for rating in after.values()} == {200}
    assert recompute(client.database, check=True).differing == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (NUMERIC, "this is not what a ladder prints with --json"),
        ([], "this is not what a ladder prints with --json"),
        (NUMERIC | {"ratings": None}, "this ladder was stopped before every level had played"),
        (
            NUMERIC | {"ratings": {"club": 1500}},
            "this ladder does not rate novice, casual, club, expert, master, and no others",
        ),
        ({"variant": "chess", "ratings": QUICKER}, "there is no variant chess here"),
        (
            NUMERIC | {"ratings": QUICKER | {"club": "1500"}},
            "this ladder has ratings that are not whole numbers",
        ),
    ],
)
def test_what_is_no_ladder_seeds_nothing(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, reason: str
) -> None:
    file = a_ladder(tmp_path, content)
    before = ratings_of_bots(client, "numeric")
    assert main(["ratings", "seed", *where(client), file]) == 1
    assert capsys.readouterr().err == f"oxonaut: {file}: {reason}\n"
    assert ratings_of_bots(client, "numeric") == before
