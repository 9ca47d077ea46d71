"""Conditional moves: typed in advance, checked, secret, played at once when they fit."""

from random import Random
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings, strategies as some
from sqlalchemy import text

from capsule.games.moves import describe, parse_line
from capsule.gemini.types import Response
from capsule.languages.model import LANGUAGES, Language, override_language
from capsule.ui.render import translate
from engine import VARIANTS
from tests.support.choices import choose
from tests.support.client import Client, action, link, links
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    moves_of,
    play,
    start,
    start_between,
    undone,
)

ASK = "If … then …, with up to five answers"


def plan(client: Client, url: str, who: object, typed: str) -> Response:
    """Type a plan as a player, and return the response."""
    asking = link(client.get(url, who), "/plan")
    return client.ask(f"{asking}?{quote(typed, safe='')}", who)


def test_a_planned_answer_is_played_at_once(client: Client, url: str) -> None:
    asking = link(client.get(url, BOB), "/plan")
    assert client.ask(asking, BOB).status == 10
    assert client.ask(asking, BOB).meta.endswith(ASK)
    assert client.type(asking, "if e5 then d4", BOB) == Response(30, url)
    assert "* If e5 then d4" in client.get(url, BOB).splitlines()

    play(client, url, ["e5"], ALICE, BOB)

    page = client.get(url, ALICE)
    assert "bob (O) played d4" in page
    assert "Your turn." in page
    assert moves_of(client, url) == ["e5", "d4"]
    assert "Your plans" not in client.get(url, BOB)


@pytest.mark.parametrize("typed", ["若 e5，則 d4。", "如果ｅ５就ｄ４", "e5 → d4", "If e5 then d4"])
def test_a_plan_may_be_typed_in_the_language_of_the_player(
    client: Client, typed: str, url: str
) -> None:
    choose(client, "language/zh", who=BOB)
    assert plan(client, url, BOB, typed) == Response(30, url)
    assert "* 若 e5 則 d4" in client.get(url, BOB).splitlines()


def test_a_plan_goes_five_answers_deep(client: Client, url: str) -> None:
    position, line = VARIANTS["ultimate"].start, []
    for _ in range(12):
        line.append(next(iter(position.legal_moves())))
        position = position.play(line[-1])
    assert plan(client, url, BOB, " ".join(line)) == Response(
        10, f"A plan has at most 5 answers in a row. {ASK}"
    )
    assert plan(client, url, BOB, " ".join(line[:10])).status == 30
    for ply in range(0, 10, 2):
        play(client, url, [line[ply]], ALICE, BOB)
        assert moves_of(client, url) == line[: ply + 2]
    assert "Your turn." in client.get(url, ALICE)


def test_a_plan_is_shown_to_its_owner_only(client: Client, url: str) -> None:
    before = {
        (path, who): client.get(path, who)
        for path in (url, f"{url}/0", f"{url}/words", f"{url}/record.txt", f"{url}/record.json")
        for who in (ALICE, CAROL, None)
    }
    games = client.get("/play/", ALICE)
    plan(client, url, BOB, "if e5 then d4")
    assert {key: client.get(*key) for key in before} == before
    assert client.get("/play/", ALICE) == games


def test_plans_for_other_moves_are_dropped(client: Client, url: str) -> None:
    plan(client, url, BOB, "if e5 then d4, if a1 then a2")
    play(client, url, ["a1"], ALICE, BOB)
    assert moves_of(client, url) == ["a1"]
    play(client, url, ["c3", "g7"], ALICE, BOB)
    assert "Your plans" not in client.get(url, ALICE) + client.get(url, BOB)


def test_a_plan_has_several_lines(client: Client, url: str) -> None:
    for typed in ("if e5 then d4 if a1 then c3", "a1 b2", "if e5 -> d4; b2 > f6"):
        assert plan(client, url, BOB, typed).status == 30, typed
    page = client.get(url, BOB).splitlines()
    assert "* If e5 then d4, if a1 then c3" in page
    assert "* If e5 then d4, if b2 then f6" in page
    assert "* If a1 then b2" in page
    play(client, url, ["e5"], ALICE, BOB)
    page = client.get(url, BOB).splitlines()
    assert "* If a1 then c3" in page
    assert "* If b2 then f6" in page
    assert "* If a1 then b2" not in page
    play(client, url, ["b2"], ALICE, BOB)
    assert moves_of(client, url) == ["e5", "d4", "b2", "f6"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("if e5 then e5", "e5 cannot be planned: e5 is taken."),
        ("if e5 then a1", "a1 cannot be planned: a1 is in the top left board"),
        ("if z9 then e5", "z9 cannot be planned: "),
        ("e5", "Add your answer to e5."),
        ("if e5 then d4 if a1", "Add your answer to a1."),
        ("if then", "Type a move and your answer to it."),
    ],
)
def test_a_plan_that_cannot_be_played_is_explained(
    client: Client, typed: str, reason: str, url: str
) -> None:
    answer = plan(client, url, BOB, typed)
    assert answer.status == 10
    assert answer.meta.startswith(reason)
    assert answer.meta.endswith(ASK)
    assert "Your plans" not in client.get(url, BOB)


def test_a_second_answer_to_the_same_move_is_refused(client: Client, url: str) -> None:
    plan(client, url, BOB, "if e5 then d4")
    assert plan(client, url, BOB, "if e5 then f6") == Response(
        10, f"After e5 you have planned d4. Clear your plans to change that. {ASK}"
    )
    client.get(links(client.get(url, BOB))["Clear your plans"], BOB)
    assert "Your plans" not in client.get(url, BOB)
    assert plan(client, url, BOB, "if e5 then f6").status == 30
    play(client, url, ["e5"], ALICE, BOB)
    assert moves_of(client, url) == ["e5", "f6"]


def test_a_planned_answer_triggers_the_opponents_plan(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE, BOB)
    plan(client, url, ALICE, "if d4 then a1 if c3 then g7")
    play(client, url, ["d4"], ALICE, BOB)
    assert moves_of(client, url) == ["e5", "d4", "a1"]
    # Alice still has a plan for c3; Bob moves elsewhere, and both go on by hand.
    play(client, url, ["b2"], ALICE, BOB)
    assert moves_of(client, url) == ["e5", "d4", "a1", "b2"]
    plan(client, url, BOB, "if f6 then i9 if g7 then a3")
    play(client, url, ["f6"], ALICE, BOB)
    assert moves_of(client, url)[4:] == ["f6", "i9"]
    assert "If g7 then a3" in client.get(url, BOB)


def test_a_plan_may_end_the_game(client: Client) -> None:
    moves = WON_GAMES["numeric"].split()
    url = start_between(client, "numeric")
    play(client, url, moves[:2], ALICE, BOB)
    plan(client, url, BOB, f"if {moves[2]} then {moves[3]}")
    play(client, url, [moves[2]], ALICE, BOB)
    assert "bob (Even) wins" in client.get(url)
    assert "/plan" not in client.get(url, BOB)


def test_a_chooser_plans_the_choice_and_the_next_placement(client: Client) -> None:
    url = start_between(client, "quantum")
    play(client, url, ["a1+b2"], ALICE, BOB)
    assert plan(client, url, ALICE, "if a1 b2 then a1 then c1+c2").status == 30
    assert "* If a1+b2 then a1, c1+c2" in client.get(url, ALICE).splitlines()
    play(client, url, ["a1+b2"], ALICE, BOB)
    assert moves_of(client, url) == ["a1+b2", "a1+b2", "a1", "c1+c2"]
    assert "Your turn." in client.get(url, BOB)


# The first example of a language also reads its catalogue.
@settings(deadline=None)
@given(seed=some.integers(0, 9999))
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_plan_as_a_page_shows_it_can_be_typed(
    variant: str, language: Language, seed: int
) -> None:
    rng = Random(seed)
    positions, moves = [VARIANTS[variant].start], []
    while positions[-1].outcome is None and len(moves) < 60:
        moves.append(positions[-1].random_move(rng))
        positions.append(positions[-1].play(moves[-1]))
    first = rng.randrange(max(1, len(moves) - 4))
    position = positions[first]
    side, last = position.turn.other, min(first + 8, len(moves))
    while last > first and positions[last - 1].turn is not side:
        last -= 1
    line = moves[first:last]
    assume(line)
    with override_language(language):
        (shown,) = map(translate, describe(position, [line]))
        assert parse_line(position, side, shown) == tuple(line), shown


def test_an_opponent_who_moves_twice_is_answered_after_the_second(client: Client) -> None:
    moves = WON_GAMES["extreme"].split()
    rules = VARIANTS["extreme"]
    movers = [rules.replay(moves[:ply]).turn for ply in range(len(moves))]
    twice = next(
        ply
        for ply in range(1, len(moves) - 2)
        if movers[ply] is movers[ply - 1] and movers[ply + 1] is not movers[ply]
    )
    url = start_between(client, "extreme")
    play(client, url, moves[: twice - 1], ALICE, BOB)
    planner = BOB if str(movers[twice]) == "X" else ALICE
    line = moves[twice - 1 : twice + 2]
    assert plan(client, url, planner, " ".join(line)).status == 30
    play(client, url, line[:1], ALICE, BOB)
    assert moves_of(client, url) == moves[:twice], "the bonus move comes first"
    play(client, url, line[1:2], ALICE, BOB)
    assert moves_of(client, url) == moves[: twice + 2]


def test_only_the_player_who_waits_can_plan(client: Client, url: str) -> None:
    assert "/plan" not in client.get(url, ALICE)
    own = link(client.get(url, ALICE), "/move")
    for verb in ("plan", "forget"):
        link_of = own.replace("/move", f"/{verb}")
        assert undone(client, f"{link_of}?e5%20d4", ALICE, url)
    bobs = link(client.get(url, BOB), "/plan")
    assert undone(client, f"{bobs}?e5%20d4", CAROL, url)
    assert undone(client, f"{bobs}?e5%20d4", ALICE, url)
    assert client.ask(f"{bobs}?e5%20d4") == Response(30, "/play/?unsent")
    play(client, url, ["e5"], ALICE, BOB)
    assert moves_of(client, url) == ["e5"]
    assert undone(client, f"{bobs}?e5%20d4", BOB, url) == (
        "Nothing was planned: that page showed an earlier position. Your text was:\n> e5 d4"
    )
    assert "Your plans" not in client.get(url, BOB)


def test_a_plan_that_comes_again_after_it_was_played_is_not_called_lost(
    client: Client, url: str
) -> None:
    bobs = link(client.get(url, BOB), "/plan")
    for typed in ("if e5 then d4", "if a1 then b2"):
        assert client.type(bobs, typed, BOB).status == 30
    play(client, url, ["e5"], ALICE)
    for typed in ("if e5 then d4", "if a1 then b2"):
        again = client.ask(f"{bobs}?{quote(typed)}", BOB)
        assert again == Response(30, url), "as it was answered before"
    for typed in ("if e5 then d5", "nonsense"):
        body = client.ask(f"{bobs}?{quote(typed)}", BOB).body
        assert body.startswith("Nothing was planned: that page showed an earlier position."), typed


@pytest.mark.parametrize("way", ["solo", "bot-club", "invite"])
def test_there_is_nothing_to_plan_without_another_person(client: Client, way: str) -> None:
    url = start(client, "ultimate", way)
    play(client, url, ["e5"], ALICE)
    assert "/plan" not in client.get(url, ALICE)


def test_a_takeback_drops_the_plans(client: Client) -> None:
    url = start_between(client, "quantum")
    play(client, url, ["a1+b2", "c1+c2"], ALICE, BOB)
    plan(client, url, BOB, "if a2+a3 then b1+b3 if c1+c3 then a2+c2")
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    client.get(link(client.get(url, ALICE), "/accept"), ALICE)
    # The same moves, with the sides changed: nothing of the old plan must be left.
    play(client, url, ["a2+a3", "b1+b3"], ALICE, BOB)
    assert moves_of(client, url) == ["a1+b2", "a2+a3", "b1+b3"]


@pytest.mark.parametrize("ending", ["resign", "abort"])
def test_plans_are_deleted_when_the_game_ends(client: Client, ending: str, url: str) -> None:
    plan(client, url, BOB, "if e5 then d4")
    client.type(action(client.get(url, BOB), ending), ending, BOB)
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM plans")).scalar_one() == 0


def test_a_planned_answer_withdraws_offers_like_any_move(client: Client, url: str) -> None:
    plan(client, url, BOB, "if e5 then d4")
    client.get(link(client.get(url, BOB), "/draw"), BOB)
    play(client, url, ["e5"], ALICE, BOB)
    assert "draw" not in client.get(url).lower()
