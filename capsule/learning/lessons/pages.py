"""The pages of the lessons; a learner's progress is in their addresses, and nowhere else.

They are the same for everybody, apart from how boards are drawn.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from capsule.accounts.identity import reader_of, static_page
from capsule.context import AppContext
from capsule.errors import NotFound
from capsule.feature import Feature
from capsule.gemini.types import Request, Response
from capsule.learning import reading
from capsule.learning.lessons import local_boards, numeric, quantum, tinc
from capsule.learning.lessons.model import Feedback, Lesson, Step
from capsule.puzzles.model import Line, line
from capsule.ui import boards, render, responses
from capsule.ui.routes import ANY, NUMBER, VARIANT, cacheable
from engine import Message, MoveError, Style, Variant, message


def lesson_in(variant: str) -> Lesson[Any] | None:
    """Return the lesson in a variant, None if there is none."""
    return _LESSONS.get(variant)


_LESSONS: dict[str, Lesson[Any]] = {
    lesson.variant.key: lesson
    for lesson in (tinc.LESSON, *local_boards.LESSONS, numeric.LESSON, quantum.LESSON)
}


@dataclass(frozen=True)
class StepPage:
    """A step of a lesson, as pages show it; steps are counted from 1."""

    lesson: Lesson[Any]
    number: int

    @property
    def variant(self) -> Variant:
        """The game that is learned."""
        return self.lesson.variant

    @property
    def step(self) -> Step[Any]:
        return self.lesson.steps[self.number - 1]

    @property
    def count(self) -> int:
        """The number of steps of the lesson."""
        return len(self.lesson.steps)

    @cached_property
    def line(self) -> Line:
        """The moves that lead to the step's board."""
        return line(self.variant.key, self.step.moves)

    @property
    def address(self) -> str:
        return f"/rules/{self.variant.key}/try/{self.number}"

    def answered(self, move: str) -> str:
        """Return the address of the answer to a move."""
        return f"{self.address}/answered?{render.query(move)}"

    @property
    def board_address(self) -> str:
        """The address of the step's board without its task."""
        return boards.board_address(self.variant.key, self.step.moves)

    @property
    def before(self) -> "StepPage | None":
        """The step before, None of the first."""
        return StepPage(self.lesson, self.number - 1) if self.number > 1 else None

    @property
    def after(self) -> "StepPage | None":
        """The next step, None of the last."""
        return StepPage(self.lesson, self.number + 1) if self.number < self.count else None


@cacheable
def step(context: AppContext, request: Request, variant: str, number: str = "1") -> Response:
    """Return a step's page: a rule, a board and a task."""
    page = _step(variant, number)
    visitor = reader_of(context, request)
    drawing = page.line.view(visitor.preferences.style).drawing
    template = "learning/lessons/step.gmi"
    return static_page(context, visitor, template, page=page, drawing=drawing)


def ask(context: AppContext, request: Request, variant: str, number: str) -> Response:
    """Ask for a move; with one, redirect to its answer.

    A move that cannot be played is asked for again. The answer has another address, since
    some browsers store a page that answers typed text under the address of the prompt.
    """
    del context
    page = _step(variant, number)
    if not request.typed:
        return responses.prompt(page.step.task, _your_move(page))
    try:
        attempt = page.lesson.attempt(page.step, request.typed)
    except MoveError as error:
        return responses.prompt_again(error.message, _your_move(page))
    return responses.redirect(page.answered(attempt.move))


def answered(context: AppContext, request: Request, variant: str, number: str) -> Response:
    """Return the page that says whether a move does what the task asks.

    An address that names no legal move leads back to the step.
    """
    page = _step(variant, number)
    try:
        attempt = page.lesson.attempt(page.step, request.typed or "")
    except MoveError:
        return responses.redirect(page.address)
    feedback = page.step.judge(attempt)
    visitor = reader_of(context, request)
    return static_page(
        context,
        visitor,
        "learning/lessons/answer.gmi",
        page=page,
        feedback=feedback,
        board=_board_after(page.variant, feedback, visitor.preferences.style),
    )


def _step(variant: str, number: str) -> StepPage:
    lesson = lesson_in(variant)
    if lesson is None or int(number) > len(lesson.steps):
        raise NotFound
    return StepPage(lesson, int(number))


def _your_move(page: StepPage) -> Message:
    side = page.variant.side_name(page.line.position.turn)
    return message("Your move, {side}", side=side)


def _board_after(variant: Variant, feedback: Feedback[Any], style: Style) -> render.Block:
    """Return the board after an attempt, and the boards before it if cells were renamed."""
    attempt = feedback.attempt
    if len(attempt.before.stages(attempt.move, style)) > 2:
        return boards.last_move(attempt.before, attempt.move, style)
    drawing = attempt.after.view(style=style, latest=attempt.before.marked_by(attempt.move)).drawing
    caption = message("{title} board after {move}", title=variant.title, move=attempt.move)
    return render.block(drawing, render.translate(caption))


FEATURE = Feature(
    (
        (f"/rules/{VARIANT}/try", step),
        (f"/rules/{VARIANT}/try/{NUMBER}", step),
        (f"/rules/{VARIANT}/try/{NUMBER}/answer", ask, ANY),
        (f"/rules/{VARIANT}/try/{NUMBER}/answered", answered, ANY),
        *reading.ROUTES,
    )
)
