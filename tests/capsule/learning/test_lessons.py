"""The lessons: every board can be played, every move has its answer, and no rule is missing."""

import inspect
import re
import sys
from typing import Any

import pytest

from capsule.gemini.types import Response
from capsule.learning.lessons.model import Feedback, Lesson, Step
from capsule.learning.lessons.pages import lesson_in
from capsule.ui import render
from capsule.ui.boards import MAX_MOVE_LINKS
from engine import VARIANTS
from tests.support.choices import choose
from tests.support.client import Client, links
from tests.support.gemtext import blocks, prose
from tests.support.sixth_variant import noughts_plugged_in
from tests.support.stories import ALICE
from tests.support.taught import TAUGHT

LESSONS = {variant: lesson for variant in VARIANTS if (lesson := lesson_in(variant)) is not None}
STEPS = [
    pytest.param(lesson, number, id=f"{variant}-{number}")
    for variant, lesson in LESSONS.items()
    for number in range(1, len(lesson.steps) + 1)
]

every_step = pytest.mark.parametrize(("lesson", "number"), STEPS)


def address(lesson: Lesson[Any], number: int) -> str:
    return f"/rules/{lesson.variant.key}/try/{number}"


def judged(lesson: Lesson[Any], step: Step[Any]) -> list[Feedback[Any]]:
    """Return what is said to each move that is legal on a step's board."""
    moves = lesson.position(step).legal_moves()
    return [step.judge(lesson.attempt(step, move)) for move in moves]


def answer(lesson: Lesson[Any], number: int, *, is_right: bool) -> str | None:
    """Return the address of a right or a wrong answer to a step, None if there is none."""
    for feedback in judged(lesson, lesson.steps[number - 1]):
        if feedback.is_right is is_right:
            move = render.query(feedback.attempt.move)
            return f"{address(lesson, number)}/answered?{move}"
    return None


def right_answer(lesson: Lesson[Any], number: int) -> str:
    found = answer(lesson, number, is_right=True)
    assert found is not None
    return found


def ways_on(lesson: Lesson[Any], number: int) -> set[str]:
    """Return where one goes on without an answer: the steps beside this one, the rules, home."""
    beside = {number - 1, number + 1} & {*range(1, len(lesson.steps) + 1)}
    return {address(lesson, each) for each in beside} | {f"/rules/{lesson.variant.key}", "/"}


@every_step
def test_every_legal_move_has_its_answer(lesson: Lesson[Any], number: int) -> None:
    feedbacks = judged(lesson, lesson.steps[number - 1])
    assert any(feedback.is_right for feedback in feedbacks)
    if len(feedbacks) > 1:
        assert not all(feedback.is_right for feedback in feedbacks)
    for feedback in feedbacks:
        words = str(feedback.words)
        assert re.fullmatch(r"[A-Za-z0-9].*[.?]", words), (feedback.attempt.move, words)
        assert not re.search(r"[{}]|  |\.\.", words), (feedback.attempt.move, words)


@every_step
def test_every_answer_of_a_step_is_for_some_move(lesson: Lesson[Any], number: int) -> None:
    """An answer that no move gets would only look like an answer."""
    step = lesson.steps[number - 1]
    attempts = [feedback.attempt for feedback in judged(lesson, step)]
    first = [next(each for each in step.replies if each.matches(one)) for one in attempts]
    assert all(reply in first for reply in step.replies)


@every_step
def test_a_step_is_a_rule_a_board_a_task_and_a_way_to_answer(
    client: Client, lesson: Lesson[Any], number: int
) -> None:
    page = client.get(address(lesson, number))
    step = lesson.steps[number - 1]
    name, count = lesson.variant.name, len(lesson.steps)
    assert page.startswith(f"# {name}, step {number} of {count}: {step.title}\n")
    definition = f"{lesson.variant.about} Learn {name} here in "
    assert page.splitlines()[2].startswith(definition if number == 1 else str(step.teaching))
    assert page.index(str(step.teaching)) < page.index("```") < page.index(str(step.task))
    assert len(blocks(page)) == 1
    found = list(links(page).values())
    assert found[0] == f"{address(lesson, number)}/answer"
    moves = list(lesson.position(step).legal_moves())
    linked = [target for target in found if "?" in target]
    assert len(linked) == (len(moves) if len(moves) <= MAX_MOVE_LINKS else 0)
    assert {client.ask(target).status for target in found[1:]} == {20}
    assert client.ask(found[0]).status == 10
    board = client.get(links(page)["Try moves on this board without a task"])
    assert blocks(board)[0].rows == blocks(page)[0].rows
    assert len(set(found)) == len(found), "one link, one meaning"
    assert ways_on(lesson, number) <= set(found)
    if number == 1:
        assert page == client.get(f"/rules/{lesson.variant.key}/try")


@every_step
def test_the_right_answer_leads_to_the_next_step(
    client: Client, lesson: Lesson[Any], number: int
) -> None:
    page = client.get(right_answer(lesson, number))
    assert page.partition("\n")[0].endswith(": right")
    first = next(iter(links(page).values()))
    assert ways_on(lesson, number) <= {*links(page).values()}
    if number < len(lesson.steps):
        assert first == address(lesson, number + 1)
    else:
        assert first == f"/play/new/{lesson.variant.key}"
        assert links(page)["Play the novice bot, the easiest"] == first


@every_step
def test_a_wrong_answer_leads_back_to_the_board(
    client: Client, lesson: Lesson[Any], number: int
) -> None:
    wrong = answer(lesson, number, is_right=False)
    if wrong is None:
        assert len(judged(lesson, lesson.steps[number - 1])) == 1, "nothing else is legal"
        return
    page = client.get(wrong)
    assert page.partition("\n")[0].endswith(": not yet")
    assert next(iter(links(page).values())) == address(lesson, number)


@every_step
def test_boards_are_as_wide_as_their_reader_wants_them(
    client: Client, lesson: Lesson[Any], number: int
) -> None:
    addresses = [address(lesson, number), right_answer(lesson, number)]
    wrong = answer(lesson, number, is_right=False)
    addresses += [wrong] if wrong else []
    widths = {None: 64, ALICE: 40}
    choose(client, "narrow/on")
    for who, width in widths.items():
        for each in addresses:
            (block,) = blocks(client.get(each, who))
            assert block.title
            assert max(map(len, block.rows)) <= width, (each, block)


def test_a_move_that_cannot_be_played_is_asked_for_again_in_the_engines_words(
    client: Client,
) -> None:
    ask = "/rules/quantum/try/5/answer"
    taken = client.type(ask, "a1 c3")
    assert (taken.status, taken.meta) == (
        10,
        "x3 has settled in c3, which takes no more marks. Your move, O",
    )
    unreadable = client.type(ask, "what?")
    assert unreadable.status == 10
    assert unreadable.meta.endswith("Your move, O")
    assert client.ask(f"{ask}?").status == 10


@pytest.mark.parametrize("typed", ["c1+a3", "A3 and c1", " a3,C1 "])
def test_a_move_may_be_typed_as_in_a_game(client: Client, typed: str) -> None:
    answered = client.type("/rules/quantum/try/5/answer", typed)
    assert answered == Response(30, "/rules/quantum/try/5/answered?c1%2Ba3")
    assert client.ask(answered.meta).status == 20


@pytest.mark.parametrize(
    "path", ["/rules/quantum/try/9", "/rules/quantum/try/0", "/rules/quantum/try/99/answered?a1"]
)
def test_a_step_that_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.ask(path).status == 51


def test_a_variant_from_outside_has_no_lesson_and_no_link_to_one(client: Client) -> None:
    with noughts_plugged_in():
        client.forget_pages()
        assert client.ask("/rules/noughts/try").status == 51
        assert client.ask("/rules/noughts/try/1/answer?b2").status == 51
        for page in (client.get("/rules/noughts"), client.get("/rules/")):
            assert "/rules/noughts/try" not in links(page).values()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_lead_to_the_lesson_on_their_first_screen(client: Client, variant: str) -> None:
    first, _, _ = client.get(f"/rules/{variant}").partition("\n## ")
    number = {5: "five", 6: "six", 7: "seven", 8: "eight"}[len(LESSONS[variant].steps)]
    assert links(first)[f"Learn it in {number} steps"] == f"/rules/{variant}/try"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_rule_is_taught_by_the_step_that_the_lesson_says(
    client: Client, variant: str
) -> None:
    lesson = LESSONS[variant]
    module = "local_boards" if variant in {"ultimate", "extreme"} else variant
    docstring = inspect.getdoc(sys.modules[f"capsule.learning.lessons.{module}"]) or ""
    rules = re.split(f"(?i)\\b{variant}, in ", docstring)[1].replace("\n  ", " ")
    lines = re.split("\n(?=[A-Z])", rules)[0].splitlines()
    found = [re.fullmatch("- (.+): steps? ([0-9, and]+)[.]", line) for line in lines]
    said = {each[1]: each[2] for each in found if each}
    for (rule, steps), (number, words) in zip(said.items(), TAUGHT[variant], strict=True):
        assert str(number) in re.findall("[0-9]", steps), rule
        pages = [client.get(address(lesson, number)), client.get(right_answer(lesson, number))]
        assert any(words in prose(page) for page in pages), (rule, words)
