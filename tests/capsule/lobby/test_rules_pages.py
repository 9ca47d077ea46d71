"""The rules pages: they can be read, their examples are played out, and what they claim holds."""

import re
from random import Random

import pytest

from capsule.ui.boards import FAMOUS_GAME, MAX_COLUMNS, after, before_after
from capsule.ui.render import templates_folder
from engine import VARIANTS, Side
from engine.variants.tinc import TincPosition
from tests.support.client import Client, certificate, links
from tests.support.gemtext import SCREEN, blocks, lines_shown, prose

pytestmark = pytest.mark.sqlite  # hardly any of it comes from the database

RULES = [f"/rules/{key}" for key in VARIANTS]


@pytest.mark.parametrize("path", ["/rules/", "/try/", "/play/", "/play/new/"])
def test_a_list_of_games_invites_to_each_below_its_link_ultimate_first_and_tinc_last(
    client: Client, path: str
) -> None:
    lines = client.get(path, certificate("newcomer")).splitlines()
    places = {}
    for variant in VARIANTS.values():
        places[variant.key] = lines.index(str(variant.tagline))
        assert re.match(f"=> /[a-z/]+/{variant.key}[/ ]", lines[places[variant.key] - 1])
    assert min(places, key=places.__getitem__) == "ultimate"
    assert max(places, key=places.__getitem__) == "tinc"


@pytest.mark.parametrize("key", VARIANTS)
def test_a_rules_page_begins_with_what_the_game_is_a_summary_of_five_lines_and_play_it(
    client: Client, key: str
) -> None:
    first, _, _ = client.get(f"/rules/{key}").partition("\n## ")
    lines = first.splitlines()
    assert first.endswith("\n"), "a heading has room above it"
    assert lines[0] == f"# {VARIANTS[key].title}"
    assert lines[2] == str(VARIANTS[key].about)
    assert lines[2].startswith(f"{VARIANTS[key].title}")
    assert all(line.startswith("* ") for line in lines[4:9])
    assert not lines[9]
    assert lines[10].startswith(f"=> /play/new/{key} Play it: ")
    assert lines_shown("\n".join(lines[:11])) <= SCREEN


def test_the_quantum_page_begins_with_an_example_of_three_moves(client: Client) -> None:
    page = client.get("/rules/quantum")
    _, _, rest = page.partition("\n## An example of three moves\n")
    example, _, _ = rest.partition("\n## ")
    ring = after("quantum", "a1+b1 b1+b2 a1+b2")
    assert tuple(ring.legal_moves()) == ("a1", "b2"), "the third move calls for a measurement"
    assert ring.turn is Side.O
    drawn = ["\n".join(block.rows) for block in blocks(example)]
    assert drawn == [ring.diagram(), ring.play("a1").diagram()]
    for sentence in ring.describe()[-3:-1]:
        assert f"* {sentence}" in example
    assert len(list(ring.play("a1").legal_moves())) == 15, "pairs of six squares"
    assert page.index("## An example") < page.index("## The rules in full")


@pytest.mark.parametrize("url", RULES)
def test_a_rules_page_shows_boards_before_and_after_a_move(client: Client, url: str) -> None:
    shown = blocks(client.get(url))
    assert len(shown) >= 4
    assert any("->" in row for block in shown for row in block.rows) or url == "/rules/quantum"


@pytest.mark.parametrize("key", VARIANTS)
def test_a_rules_page_leads_to_the_game_and_to_the_other_rules(client: Client, key: str) -> None:
    targets = [*links(client.get(f"/rules/{key}")).values()]
    assert {f"/play/new/{key}", f"/games/{key}", "/rules/", "/help/", "/"} <= {*targets}
    assert len({*targets}) == len(targets), "one link, one meaning"
    assert {f"/rules/{other}" for other in VARIANTS} <= set(links(client.get("/rules/")).values())


def test_boards_too_wide_for_one_row_stand_one_above_the_other() -> None:
    ruler = "a b c   d e f   g h i"
    (narrow,) = blocks(before_after(after("ultimate"), "f1"))
    assert [row.count(ruler) for row in narrow.rows if ruler in row] == [2]
    (wide,) = blocks(before_after(after("extreme"), "a1"))
    assert [row.count(ruler) for row in wide.rows if ruler in row] == [1, 1]
    assert "  ->  a1" in wide.rows
    assert max(map(len, narrow.rows + wide.rows)) <= MAX_COLUMNS


@pytest.mark.parametrize(
    ("key", "moves", "typed", "move"),
    [
        ("tinc", "a1 c1 e1 g1", "c3+d4", "c3+d4"),
        ("tinc", "a1 c1 e1 g1", "d4 c3", "c3+d4"),
        ("tinc", "a1 c1 e1 g1", "D4,C3", "c3+d4"),
        ("tinc", "a1 c1 e1 g1", "c3 and d4", "c3+d4"),
        ("tinc", "a1", "c3", "c3"),
        ("ultimate", "", "e5", "e5"),
        ("ultimate", "", "E5", "e5"),
        ("numeric", "", "B2 = 5", "b2=5"),
        ("numeric", "", "b2 5", "b2=5"),
        ("numeric", "", "b25", "b2=5"),
        ("numeric", "", "5 b2", "b2=5"),
        ("numeric", "", "5 in b2", "b2=5"),
        ("quantum", "", "C3 A1", "a1+c3"),
        ("quantum", "", "a1,c3", "a1+c3"),
        ("quantum", "", "a1 and c3", "a1+c3"),
        ("quantum", "a1+b2 a1+b2", "b2", "b2"),
        ("extreme", "", "e5", "e5"),
        ("extreme", "", "n5", "n5"),
    ],
)
def test_what_a_page_says_of_typing_is_so(
    client: Client, key: str, moves: str, typed: str, move: str
) -> None:
    assert typed in prose(client.get(f"/rules/{key}"))
    assert after(key, moves).parse(typed) == move


def grids(rows: tuple[str, ...]) -> list[int]:
    """Return how many columns each board has whose rulers stand in the first row of a block."""
    return [len(ruler.split()) for ruler in re.findall("[a-z](?: [a-z])*", rows[0])]


def test_the_tinc_page_shows_the_grid_grow_stay_and_be_won(client: Client) -> None:
    page = client.get("/rules/tinc")
    moves = {block.title.rpartition(" ")[2]: grids(block.rows) for block in blocks(page)}
    assert moves["a1"] == [1, 3]
    assert moves["c2+c3"] == [3, 5]
    assert moves["c2+c4"] == [5, 5]
    assert moves["c1+c5"] == [5, 5]
    assert moves["b1+a2"] == [3, 5], "a short diagonal does not end the game"
    assert moves["e1+d2"] == [5, 7]
    assert "The game is over: X fills column c, from c1 to c5" in prose(page)


@pytest.mark.slow
def test_a_win_at_tinc_comes_after_two_turns_that_left_the_edge_alone() -> None:
    chances = 0
    for seed in range(60):
        random = Random(seed)
        positions = [tinc("a1")]
        while positions[-1].outcome is None and positions[-1].size <= 7 and len(positions) < 10:
            position = positions[-1]
            turns = [position.play(move) for move in position.legal_moves() if "+" in move]
            wins = [turn for turn in turns if turn.outcome is not None]
            if wins:
                chances += 1
                assert len(positions) >= 4, "nobody can win before the fifth turn"
                assert len({before.size for before in positions[-3:]}) == 1
            quiet = [turn for turn in turns if turn.size == position.size]
            positions.append(random.choice(quiet if quiet and random.random() < 0.9 else turns))
    assert chances > 10


def tinc(moves: str) -> TincPosition:
    position = after("tinc", moves)
    assert isinstance(position, TincPosition)
    return position


def test_the_ultimate_page_shows_a_free_choice_and_a_win_that_cost_the_game(client: Client) -> None:
    text = prose(client.get("/rules/ultimate"))
    game = moves_of("ultimate")
    assert game.split() == FAMOUS_GAME, "the game that the home page shows until one is played"
    free = after("ultimate", game, 15)
    assert "a5" in text
    assert game.split()[14] == "a5"
    assert str(free.instruction()).startswith("Play in any open board: ")
    assert "middle left" not in str(free.instruction())
    sent = after("ultimate", game, 20)
    assert game.split()[19] == "c8"
    assert str(sent.instruction()) == "Play in the middle right board."
    end = sent.play("g5")
    assert end.outcome is not None
    assert end.outcome.winner is Side.X
    assert f"The game is over: {end.outcome.reason}." in text


def moves_of(key: str) -> str:
    """Return the moves of the game that a rules page plays, as its template has them."""
    source = (templates_folder() / "lobby" / "rules" / f"{key}.gmi").read_text()
    found = re.search(r'^%% set game = "([^"]+)"$', source, re.MULTILINE)
    assert found is not None
    return found[1]


def test_on_the_numeric_page_odd_cannot_stop_two_threats_and_wins_with_evens_numbers(
    client: Client,
) -> None:
    game = moves_of("numeric")
    two_threats = after("numeric", game, 4)
    answers = [two_threats.play(move) for move in two_threats.legal_moves()]
    lost = [answer for answer in answers if answer.outcome is None]
    assert lost
    for answer in lost:
        wins = [move for move in answer.legal_moves() if answer.play(move).outcome is not None]
        assert {"a3=2", "c2=6"} & set(wins)
    end = after("numeric", game)
    assert end.outcome is not None
    assert end.outcome.winner is Side.X
    text = prose(client.get("/rules/numeric"))
    assert "The game is over: Odd makes 15 in row 1: 4 + 3 + 8." in text


def test_the_quantum_page_works_through_a_measurement_where_one_choice_loses(
    client: Client,
) -> None:
    text = prose(client.get("/rules/quantum"))
    game = moves_of("quantum")
    closed = after("quantum", game, 5)
    assert tuple(closed.legal_moves()) == ("a1", "b2")
    assert closed.turn is Side.O
    choosing = [str(each) for each in closed.describe() if str(each).startswith("Choosing")]
    assert len(choosing) == 2
    for sentence in choosing:
        assert f"* {sentence}" in text
        assert "x3 in c3" in sentence
    chosen, diagonal = closed.play("a1"), closed.play("b2")
    assert chosen.outcome is None
    assert (chosen.turn, len(tuple(chosen.legal_moves()))) == (Side.O, 10)
    assert diagonal.outcome is not None
    assert diagonal.outcome.winner is Side.X
    assert str(diagonal.outcome.reason) in text


def test_the_quantum_page_shows_a_game_that_scores_one_to_a_half(client: Client) -> None:
    closed = after("quantum", "a1+a2 b1+b2 a1+b1 b2+b3 a3+b3 b1+b3")
    for choice in closed.legal_moves():
        outcome = closed.play(choice).outcome
        assert outcome is not None
        assert outcome.points == (1, 0.5)
    text = prose(client.get("/rules/quantum"))
    assert "The game is over: " in text
    assert "X scores 1 point and O ½" in text


def test_the_extreme_page_shows_a_bonus_move_and_a_game_won_by_one(client: Client) -> None:
    text = prose(client.get("/rules/extreme"))
    game = moves_of("extreme")
    won_board = after("extreme", game, 5)
    assert won_board.turn is Side.X
    assert str(won_board.instruction()) == (
        "Bonus move: play in the bottom right board of board 1 or of board 2."
    )
    passed = after("extreme", game, 6)
    assert passed.turn is Side.O
    assert str(passed.instruction()) == "Play in the top left board of board 2."
    before_the_end = after("extreme", game, 20)
    assert str(before_the_end.instruction()).startswith("Bonus move: ")
    end = after("extreme", game)
    assert end.outcome is not None
    assert end.outcome.winner is Side.X
    assert f"The game is over: {end.outcome.reason}." in text
