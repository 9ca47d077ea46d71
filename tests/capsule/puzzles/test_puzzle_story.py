"""Puzzles: anyone can try them, and players' answers are remembered and rated."""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

from capsule.gemini.types import Certificate, Response
from capsule.puzzles import queries as puzzle_queries
from capsule.puzzles.model import PuzzleAnswer, PuzzleId
from capsule.ui.boards import board_address
from engine import VARIANTS
from engine.puzzles import Puzzle, puzzles_of, refutation_of
from tests.support.choices import choose
from tests.support.client import Client, link, links
from tests.support.gemtext import blocks
from tests.support.people import known_player
from tests.support.puzzles import FIRST, PUBLISHED, address, answer, gain, puzzle, wrong_move
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, start
from tests.support.tables import row_counts

# For anyone


def test_the_list_begins_with_an_easy_puzzle_and_counts_each_game_by_grade(client: Client) -> None:
    page = client.get("/puzzles/")
    first = next(iter(links(page).values()))
    _, _, variant, number = first.split("/")
    assert puzzle(variant, int(number)).grade == min(each.grade for each in puzzles_of(variant))
    for variant in PUBLISHED:
        assert f"{VARIANTS[variant].name}: {len(puzzles_of(variant))} puzzles" in page
        easy = [each for each in puzzles_of(variant) if each.grade == 2]
        assert f"grade 2: {len(easy)}" in page


@pytest.mark.parametrize("variant", PUBLISHED)
def test_the_page_of_a_game_has_all_its_puzzles_by_grade(client: Client, variant: str) -> None:
    page = client.get(f"/puzzles/{variant}/")
    grades = [url for url in links(page).values() if "/grade/" in url]
    listed = [
        url
        for grade in grades
        for url in links(client.get(grade)).values()
        if re.fullmatch(rf"/puzzles/{variant}/\d+", url)
    ]
    assert sorted(listed) == sorted(map(address, puzzles_of(variant)))
    assert len(grades) == max(each.grade for each in puzzles_of(variant))


def test_puzzles_of_a_grade_stand_together_by_what_they_ask(client: Client) -> None:
    page = client.get("/puzzles/tinc/")
    shown = client.get("/puzzles/tinc/grade/1")
    for theme in ("Win at once", "Leave a line ready"):
        asked = [one for one in puzzles_of("tinc") if one.grade == 1 and str(one.theme()) == theme]
        assert f"* {theme}: {asked[0].number} to {asked[-1].number}\n" in page
        section = shown.partition(f"## {theme}\n")[2].partition("##")[0]
        assert [*links(section).values()] == [address(one) for one in asked]


def test_a_grade_that_a_game_lacks_has_no_page(client: Client) -> None:
    assert client.ask("/puzzles/numeric/grade/5").status == 51
    assert "Numeric has no grade 5." in client.get("/puzzles/numeric/")
    hardest = puzzles_of("numeric")[-1]
    assert "Grade 4 of 4." in client.get(address(hardest))


def test_the_puzzles_of_tinc_say_that_nothing_can_be_forced(client: Client) -> None:
    assert "Nothing can be forced in Tinc" in client.get("/puzzles/tinc/")


@pytest.mark.parametrize("variant", PUBLISHED)
def test_a_puzzle_shows_its_board_and_task_and_leads_to_the_same_board(
    client: Client, variant: str
) -> None:
    shown = puzzle(variant)
    page = client.get(address(shown))
    assert blocks(page)[0].rows == tuple(
        shown.position().view(latest=_latest(shown)).drawing.splitlines()
    )
    assert str(shown.sentence()) in page
    board = next(url for url in links(page).values() if url.startswith("/board/"))
    assert client.ask(board).status == 20
    assert blocks(client.get(board))[0].rows == blocks(page)[0].rows


def _latest(of: Puzzle) -> tuple[str, ...]:
    before = VARIANTS[of.variant].replay(of.moves[:-1])
    return before.marked_by(of.moves[-1])


def test_few_moves_have_links_and_many_are_asked_for_first(client: Client) -> None:
    few, many = puzzle(number=1), puzzle(number=len(puzzles_of("numeric")))
    assert len(list(few.position().legal_moves())) <= 12 < len(list(many.position().legal_moves()))
    answers = [url for url in links(client.get(address(few))).values() if "answered?" in url]
    assert answers == [address(few, move) for move in few.position().legal_moves()]
    first = next(iter(links(client.get(address(many))).values()))
    assert first == f"{address(many)}/answer"
    assert client.ask(first).status == 10


@pytest.mark.parametrize("variant", PUBLISHED)
def test_a_right_answer_shows_the_whole_line_and_leads_on(client: Client, variant: str) -> None:
    solved = puzzle(variant)
    page = client.get(address(solved, solved.line[0]))
    assert page.startswith(f"# {solved.line[0]} is right")
    assert all(move in page for move in solved.line)
    end = VARIANTS[variant].replay((*solved.moves, *solved.line))
    leads_to = solved.conclusion() if end.outcome is None else end.outcome.reason
    assert str(leads_to) in page
    assert next(iter(links(page).items())) == ("Next puzzle", f"/puzzles/{variant}/2")


@pytest.mark.parametrize("variant", PUBLISHED)
def test_a_wrong_answer_is_refuted_by_a_move_and_can_be_tried_again(
    client: Client, variant: str
) -> None:
    missed = puzzle(variant)
    wrong = wrong_move(missed)
    page = client.get(address(missed, wrong))
    assert page.startswith(f"# Not {wrong}")
    assert "is right" not in page
    match = re.search(r"^The moves: (.+)\.$", page, re.MULTILINE)
    assert match is not None
    moves = [each.split()[-1] for each in match[1].split(", ")]
    after = VARIANTS[variant].replay((*missed.moves, *moves))
    assert moves[0] == wrong
    assert len(moves) > 1 or after.outcome is not None, "what refutes it is shown"
    assert next(iter(links(page).items())) == ("Try again", address(missed))


@pytest.mark.parametrize("typed", ["nonsense", "a1=1=1", "z9=4", "\r\n=> gemini://evil"])
def test_what_cannot_be_played_is_asked_for_again_with_the_reason(
    client: Client, typed: str
) -> None:
    answered = client.ask(f"{FIRST}/answer?{quote(typed)}")
    assert answered.status == 10
    assert answered.meta.endswith(f"Your move, {puzzle().side_name(puzzle().side)}")
    assert "\n" not in answered.meta


def test_an_answer_is_shown_at_an_address_of_its_own_which_the_older_one_leads_to(
    client: Client,
) -> None:
    move = puzzle().solutions[0]
    assert client.ask(f"{FIRST}/answer?{quote(move)}") == Response(30, address(puzzle(), move))
    for typed in ("", "?", "?z9%3D4"):
        assert client.ask(f"{FIRST}/answered{typed}") == Response(30, FIRST)


@pytest.mark.parametrize("variant", PUBLISHED)
def test_the_board_after_a_wrong_answer_shows_the_reply_and_a_link_the_rest(
    client: Client, variant: str
) -> None:
    missed = max(
        puzzles_of(variant), key=lambda one: max(map(len, one.refutations.values()), default=0)
    )
    wrong = max(
        missed.refutations or [wrong_move(missed)],
        key=lambda move: len(refutation_of(missed, move).line),
    )
    position, line = missed.position(), (wrong, *refutation_of(missed, wrong).line)
    played = 0
    while position.turn is missed.side or not played:
        position, played = position.play(line[played]), played + 1
        if position.outcome is not None:
            break
    before = VARIANTS[variant].replay((*missed.moves, *line[:played]))
    replied = before.play(line[played])
    page = client.get(address(missed, wrong))
    drawing = replied.view(latest=before.marked_by(line[played])).drawing
    assert blocks(page)[0].rows == tuple(drawing.splitlines())
    rest = links(page)[
        "See how it goes on, move by move"
        if len(line) > played + 1
        else "See this line on a board, move by move"
    ]
    assert rest == board_address(variant, (*missed.moves, *line))


def test_the_narrow_setting_is_obeyed(client: Client) -> None:
    choose(client, "narrow/on", who=ALICE)
    for variant in PUBLISHED:
        for block in blocks(client.get(address(puzzle(variant)), ALICE)):
            assert max(map(len, block.rows)) <= 40


@pytest.mark.parametrize("url", ["/puzzles/numeric/9999", "/puzzles/numeric/0", "/puzzles/chess/1"])
def test_there_is_nothing_where_there_is_no_puzzle(client: Client, url: str) -> None:
    assert client.ask(url).status == 51


def test_a_game_without_puzzles_says_so_and_leads_elsewhere(client: Client) -> None:
    with noughts_plugged_in():
        client.forget_pages()
        page = client.get("/puzzles/noughts/")
        assert "There are no puzzles of Noughts yet." in page
        assert links(page)["Start a game of Noughts"] == "/play/new/noughts"
        assert "no puzzles yet" in client.get("/puzzles/")
        assert client.ask("/puzzles/practice/noughts") == Response(30, "/puzzles/noughts/")


def test_a_visitor_without_a_certificate_leaves_nothing_behind(client: Client) -> None:
    before = row_counts(client.database)
    for url in (FIRST, address(puzzle(), wrong_move(puzzle())), f"{FIRST}/hint/1", "/daily/"):
        client.get(url)
    client.ask("/puzzles/practice")
    assert row_counts(client.database) == before


# With a certificate


def test_a_first_right_answer_is_one_link_and_is_remembered(client: Client) -> None:
    page = client.get(f"/play{FIRST}", ALICE)
    right = puzzle().solutions[0]
    after = client.get(links(page)[right], ALICE)
    assert f"# {right} is right" in after
    assert "Your puzzle rating: " in after
    assert "You solved it with your first answer" in client.get(f"/play{FIRST}", ALICE)
    listed = client.get("/play/puzzles/numeric/grade/1", ALICE)
    assert [label for label in links(listed) if label.endswith("(solved)")] == [
        "Puzzle 1: Even to move (solved)"
    ]
    assert "Grade 1: 20 puzzles, 1 solved" in client.get("/play/puzzles/numeric/", ALICE)
    assert "1 solved" in client.get("/play/puzzles/", ALICE)
    assert "solved" not in client.get("/puzzles/numeric/"), "nobody else is told"


def test_a_typed_answer_is_one_prompt(client: Client) -> None:
    hard = puzzle(number=len(puzzles_of("numeric")))
    prompt = link(client.get(f"/play{address(hard)}", ALICE), "/answer")
    typed = client.type(prompt, hard.solutions[0].upper(), ALICE)
    assert typed.status == 30
    assert "is right" in client.get(typed.meta, ALICE)
    assert "You solved it" in client.get(f"/play{address(hard)}", ALICE)


def test_only_the_first_answer_counts_and_a_later_one_solves(client: Client) -> None:
    missed = puzzle()
    wrong = answer(client, missed, wrong_move(missed))
    rating = re.search(r"Your puzzle rating: (\S+)", wrong)
    assert rating is not None
    assert rating[1].startswith("1")
    assert int(rating[1].strip("?")) < 1500
    right = answer(client, missed, missed.solutions[0])
    assert "Your puzzle rating" not in right
    assert f"Your puzzle rating is {rating[1]}" in client.get("/play/puzzles/", ALICE)
    assert "You have solved it." in client.get(f"/play{FIRST}", ALICE)


def test_hard_puzzles_are_worth_more_than_easy_ones(client: Client) -> None:
    hard = max(puzzles_of("numeric"), key=lambda each: each.grade)
    gains = [
        gain(answer(client, each, each.solutions[0], who))
        for each, who in ((puzzle(), ALICE), (hard, BOB))
    ]
    assert puzzle().grade < hard.grade
    assert 0 < gains[0] < gains[1]


def test_answers_at_the_same_moment_count_once_for_a_player_and_all_for_the_puzzle(
    client: Client,
) -> None:
    people = (ALICE, BOB, CAROL)
    for who in people:
        start(client, "tinc", "solo", who)
    players = [known_player(client.context, who) for who in people]
    first, moves = puzzle(), (puzzle().solutions[0], wrong_move(puzzle()))
    with ThreadPoolExecutor(6) as threads:
        made = [
            threads.submit(answer, client, first, move, who) for who in people for move in moves
        ]
    assert [each.exception() for each in made] == [None] * 6
    with client.database.reading() as connection:
        rating = puzzle_queries.puzzle_ratings_by_id(connection)[PuzzleId("numeric", 1)]
        own = [
            puzzle_queries.solver_rating(connection, player.id)
            for player in players
            if player is not None
        ]
    assert rating.games == len(people)
    assert [each.games for each in own if each is not None] == [1, 1, 1]


def test_a_visitor_who_signs_in_comes_back_to_the_puzzle(client: Client) -> None:
    way = next(url for url in links(client.get(FIRST)).values() if url.startswith("/play/?"))
    assert client.get(way, ALICE) == client.get(f"/play{FIRST}", ALICE)
    assert client.ask(f"/play{FIRST}") == Response(30, way)
    assert client.get("/play/?puzzles/", ALICE) == client.get("/play/puzzles/", ALICE)


def test_a_new_certificate_is_told_that_an_answer_makes_it_a_player(client: Client) -> None:
    assert "Your first answer makes you a player" in client.get(f"/play{FIRST}", ALICE)
    answer(client, puzzle(), wrong_move(puzzle()))
    assert "makes you a player" not in client.get(f"/play{FIRST}", ALICE)
    assert "You are alice" in client.get("/play/me/", ALICE)


def test_practice_gives_puzzles_that_are_not_solved_until_all_are(client: Client) -> None:
    answer(client, puzzle(), wrong_move(puzzle()))
    left = {1, 2, 3}
    with client.database.writing() as connection:
        for each in puzzles_of("numeric")[3:]:
            solved = PuzzleAnswer(PuzzleId("numeric", each.number), solved_at=client.now)
            puzzle_queries.save_answer(connection, player_id(client, ALICE), solved)
    while left:
        led = client.ask("/play/puzzles/practice/numeric", ALICE)
        number = int(led.meta.rpartition("/")[2])
        assert number in left
        answer(client, puzzle(number=number), puzzle(number=number).solutions[0])
        left.remove(number)
    led = client.ask("/play/puzzles/practice/numeric", ALICE)
    assert led == Response(30, "/play/puzzles/numeric/")


def test_practice_begins_with_the_easiest_and_is_not_much_harder_after_one_answer(
    client: Client,
) -> None:
    def grades(who: Certificate | None) -> set[int]:
        area = "" if who is None else "/play"
        led = [client.ask(f"{area}/puzzles/practice", who).meta for _ in range(20)]
        asked = (address.rpartition("/puzzles/")[2].split("/") for address in led)
        return {puzzle(variant, int(number)).grade for variant, number in asked}

    assert grades(None) == {1}
    assert grades(ALICE) == {1}
    answer(client, puzzle(), puzzle().solutions[0])
    assert max(grades(ALICE)) <= 2


def test_one_is_led_to_the_next_that_is_not_solved(client: Client) -> None:
    answer(client, puzzle(number=2), puzzle(number=2).solutions[0])
    page = answer(client, puzzle(), puzzle().solutions[0])
    assert links(page)["Next puzzle"] == "/play/puzzles/numeric/3"
