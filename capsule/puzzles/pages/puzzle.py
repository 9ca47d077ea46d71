"""The pages of puzzles: their lists, a puzzle, its hints, and the results of answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from capsule.accounts import identity
from capsule.accounts.pages.action import (
    Action,
    Attempt,
    Keys,
    StaleNotice,
    newcomer,
    nothing_to_advance,
)
from capsule.context import AppContext, Transaction, reading
from capsule.errors import NotFound, Refused
from capsule.gemini.types import CacheTag, Request, Response
from capsule.puzzles import collection, daily, model, queries
from capsule.ui import boards, render, responses
from capsule.ui.routes import ANY, CELL, KEY, VARIANT, Routes, cacheable, named
from engine import VARIANTS, Message, View, message
from engine.puzzles import Puzzle, area_of, idea_of, puzzle as puzzle_of, refutation_of

AREA = "(?P<area>/play)?/puzzles"
"""The beginning of the addresses of puzzles: below `/play/`, for visitors who have signed in."""

NUMBER = "(?P<number>[1-9][0-9]{0,3})"

NOT_ANSWERED = StaleNotice(
    message("Your answer was not taken: that page was out of date."),
    message("That link was out of date: nothing was changed."),
    message("Your answer was:"),
)


@dataclass(frozen=True, slots=True)
class PuzzlePanel:
    """A puzzle as one visitor sees it.

    `answer` is their record on it, None without a player; `key` lets them answer, and
    is "" without a certificate.
    """

    puzzle: Puzzle
    line: model.Line
    visitor: identity.Visitor
    answer: model.PuzzleAnswer | None
    key: str

    @property
    def highest_grade(self) -> int:
        """The highest grade of the game's puzzles."""
        return collection.highest_grade(self.puzzle.variant)

    @property
    def may_count(self) -> bool:
        """Whether the visitor's next answer counts for ratings."""
        return bool(self.key) and (self.answer is None or self.answer.may_count)

    @property
    def all_puzzles(self) -> str:
        """The address of the list of all puzzles."""
        return f"{prefix_for(self.visitor)}/"

    @property
    def here(self) -> str:
        """The address of the puzzle."""
        return address_of(self.visitor, self.puzzle)

    @property
    def answer_address(self) -> str:
        """The address that takes the answer as its query, and asks for it without one."""
        return f"{self.here}/{self.key}/answer" if self.key else f"{self.here}/answer"

    def answer_with(self, move: str) -> str:
        """Return the address that answers with a move; a player's is stored on the way."""
        if self.key:
            return f"{self.answer_address}?{render.query(move)}"
        return answered_address(self.here, move)

    @property
    def first_hint(self) -> str:
        """The address of the first hint; for players, one that records the request first."""
        return f"{self.here}/{self.key}/hint" if self.may_count else f"{self.here}/hint/1"

    @property
    def board(self) -> str:
        """The address of the position on a board where both sides' moves can be tried."""
        return boards.board_address(self.puzzle.variant, self.puzzle.moves)

    @property
    def days(self) -> str:
        """The beginning of the addresses of the positions of past days."""
        return "/play" if self.key else ""

    def effect(self, move: str) -> Message | None:
        """Describe a legal move as far as the rules go, without judging it.

        The words for boards would also say whether a move wins, which is for the solver to find.
        """
        position = self.line.position
        return None if position.effects_judge_moves else position.effect(move)


def prefix_for(visitor: identity.Visitor) -> str:
    """Return the prefix of a visitor's links to puzzles, without the final slash."""
    return "/play/puzzles" if visitor.certificate is not None else "/puzzles"


def today_address(now: datetime, visitor: identity.Visitor) -> str:
    """Return the address of the position of the day.

    With a certificate, it is that of the day itself: the browser has no page of
    another day at that address.
    """
    return "/daily/" if visitor.certificate is None else f"/play/daily/{now.date().isoformat()}"


def address_of(visitor: identity.Visitor, puzzle: Puzzle) -> str:
    """Return the address of a puzzle for a visitor."""
    return f"{prefix_for(visitor)}/{puzzle.variant}/{puzzle.number}"


def answered_address(here: str, move: str) -> str:
    """Return the address of the result of answering a puzzle, whose address is `here`."""
    return f"{here}/answered?{render.query(move)}"


def visitor_in(transaction: Transaction, request: Request, area: str | None) -> identity.Visitor:
    """Return the visitor of a page of puzzles; below `/play/`, raises as `identity.signed_in`."""
    if area is None:
        return identity.visitor_of(transaction, request)
    return identity.signed_in(transaction, request)


def find_puzzle(variant: str, number: str | int) -> Puzzle:
    """Return a puzzle; raises `NotFound` if there is none."""
    found = puzzle_of(variant, int(number))
    if found is None:
        raise NotFound
    return found


def puzzle_in(attempt: Attempt) -> Puzzle:
    """Return the puzzle that the address of an action names; raises `NotFound` if there is none."""
    return find_puzzle(attempt["variant"], attempt["number"])


@dataclass(frozen=True)
class PermanentKeys(Keys):
    """Keys on a `subject` that stay valid as long as they have the same holder.

    The first answer is final, so a second use of a key changes nothing.
    """

    subject: Callable[[Attempt], str]
    advance = nothing_to_advance

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key is the visitor's own, or was before they were a player."""
        subject = self.subject(attempt)
        return attempt.visitor.held(transaction.context, subject, attempt.key, (0,))

    held = fits


KEYS_OF_PUZZLES = PermanentKeys(lambda attempt: _subject(puzzle_in(attempt)))


def _subject(puzzle: Puzzle) -> str:
    return f"puzzle {puzzle.variant} {puzzle.number}"


def panel_for(transaction: Transaction, visitor: identity.Visitor, puzzle: Puzzle) -> PuzzlePanel:
    """Return a puzzle as a visitor sees it."""
    player, answer = visitor.player, None
    if player is not None:
        answer = queries.answer_of(transaction.connection, player.id, model.id_of(puzzle))
    return PuzzlePanel(
        puzzle=puzzle,
        line=model.line(puzzle.variant, puzzle.moves),
        visitor=visitor,
        answer=answer,
        key=visitor.key(transaction.context, _subject(puzzle), 0),
    )


def cached_page(
    transaction: Transaction,
    visitor: identity.Visitor,
    template: str,
    *tags: CacheTag,
    drawn: View | None = None,
    **values: object,
) -> Response:
    """Return a page that shows a visitor's own answers; it is never reused on another day.

    It ignores the query unless it has a board of which the query may choose a part.
    """
    now = transaction.now
    area, until = prefix_for(visitor), (daily.midnight_after(now),)
    policy = identity.cache_policy(visitor.player, now, *tags, until=until)
    page = responses.page(visitor.preferences, template, area=area, drawn=drawn, **values)
    return replace(page, cache_policy=policy, ignores_query=drawn is not None and not drawn.ways)


@cacheable
@reading
def show(
    transaction: Transaction, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of a puzzle; its query is the cell of a wide board to look at."""
    panel = _panel(transaction, request, area, variant, number)
    visitor, puzzle = panel.visitor, panel.puzzle
    return cached_page(
        transaction,
        visitor,
        "puzzles/puzzle.gmi",
        drawn=panel.line.view(visitor.preferences.style, request.query),
        panel=panel,
        next_puzzle=_next_address(transaction, visitor, puzzle),
    )


def first_hint(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the first hint: what to look for."""
    return _hint(context, request, (area, variant, number), idea_of)


def second_hint(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the second hint: where the right move is."""
    return _hint(context, request, (area, variant, number), area_of)


def _hint(
    context: AppContext,
    request: Request,
    place: tuple[str | None, str, str],
    hint: Callable[[Puzzle], Message],
) -> Response:
    """Return the page of a hint, which players have asked for by reading it.

    No key is needed: a visitor who has typed the address has read the hint all the same. A
    certificate that is new here does not become a player.
    """
    read = partial(reading(_panel), context, request, *place)
    panel = read()
    if panel.visitor.player is not None and panel.may_count:
        ASK_HINT(context, request, panel.key, variant=place[1], number=place[2])
        panel = read()
    preferences = panel.visitor.preferences
    return responses.page(
        preferences,
        "puzzles/hint.gmi",
        panel=panel,
        drawn=panel.line.view(preferences.style),
        hint=hint(panel.puzzle),
        is_last=hint is area_of,
    )


@reading
def solution(
    transaction: Transaction, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the whole solution.

    Players who have neither found it nor given up are redirected to the puzzle; visitors without
    a certificate see it.
    """
    panel = _panel(transaction, request, area, variant, number)
    visitor, puzzle = panel.visitor, panel.puzzle
    known = panel.answer
    if visitor.certificate is not None and not (known and known.knows_solution):
        return responses.redirect(panel.here)
    line = model.line(variant, puzzle.moves, puzzle.line)
    return responses.page(
        visitor.preferences,
        "puzzles/solution.gmi",
        panel=panel,
        line=line,
        drawn=line.view(visitor.preferences.style),
        board_address=boards.board_address(variant, line.played),
        next_puzzle=_next_address(transaction, visitor, puzzle),
    )


@reading
def ask(
    transaction: Transaction, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Ask for an answer; with one, redirect to its result.

    The result has another address, since some browsers store a page that answers typed text under
    the address of the prompt.
    """
    visitor = visitor_in(transaction, request, area)
    puzzle = find_puzzle(variant, number)
    if not request.typed:
        return responses.prompt(*_question(puzzle))
    try:
        move = model.line(variant, puzzle.moves).parse(request.typed)
    except Refused as refusal:
        return responses.prompt_again(refusal.message, _question(puzzle)[-1])
    return responses.redirect(answered_address(address_of(visitor, puzzle), move))


@reading
def answered(
    transaction: Transaction, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of an answer's result; an address without a legal move leads to the puzzle.

    It stores nothing: a player's answer is stored on the way here, by `ANSWER`.
    """
    panel = _panel(transaction, request, area, variant, number)
    visitor, puzzle, now = panel.visitor, panel.puzzle, transaction.now
    try:
        move = panel.line.parse(request.typed or "")
    except Refused:
        return responses.redirect(panel.here)
    is_right = move in puzzle.solutions
    refutation = None if is_right else refutation_of(puzzle, move)
    played = _solution(puzzle, move) if refutation is None else (move, *refutation.line)
    whole = model.line(variant, puzzle.moves, played)
    line = whole if refutation is None else whole.up_to_reply()
    position = daily.position_today(now)
    is_of_today = position is not None and position.puzzle == puzzle
    return responses.page(
        visitor.preferences,
        "puzzles/answer.gmi",
        panel=panel,
        move=move,
        line=line,
        refutation=refutation,
        drawn=line.view(visitor.preferences.style),
        is_whole=line == whole,
        board_address=boards.board_address(variant, whole.played),
        next_puzzle=_next_address(transaction, visitor, puzzle),
        standing=daily.standing(transaction, now.date(), visitor.player) if is_of_today else None,
        today=today_address(now, visitor),
    )


def _panel(
    transaction: Transaction, request: Request, area: str | None, variant: str, number: str
) -> PuzzlePanel:
    visitor = visitor_in(transaction, request, area)
    return panel_for(transaction, visitor, find_puzzle(variant, number))


def _question(puzzle: Puzzle) -> Sequence[Message]:
    """Return the sentences that ask for an answer."""
    position = model.line(puzzle.variant, puzzle.moves).position
    side_name = VARIANTS[puzzle.variant].side_name(position.turn)
    ask = message("Your move, {side}", side=side_name)
    wrong = (move for move in position.legal_moves() if move not in puzzle.solutions)
    example = next(wrong, None)
    if example is None:
        return puzzle.sentence(), ask
    return puzzle.sentence(), message("A move is written like {move}.", move=example), ask


def _solution(puzzle: Puzzle, move: str) -> tuple[str, ...]:
    """Return the line of a right move: the puzzle's if it begins so, else the move alone."""
    return puzzle.line if puzzle.line[0] == move else (move,)


def _next_address(transaction: Transaction, visitor: identity.Visitor, puzzle: Puzzle) -> str:
    """Return the address to continue at: the variant's next puzzle that is open, or the list."""
    others = f"{prefix_for(visitor)}/{puzzle.variant}/"
    following = collection.next_open(transaction, visitor.player, puzzle)
    return others if following is None else f"{others}{following.number}"


def _here(attempt: Attempt) -> str:
    return address_of(attempt.visitor, puzzle_in(attempt))


def _answer(transaction: Transaction, attempt: Attempt) -> str:
    puzzle = puzzle_in(attempt)
    move = model.line(puzzle.variant, puzzle.moves).parse(attempt.typed)
    collection.answer(transaction, attempt.player, puzzle, move)
    return answered_address(_here(attempt), move)


def _ask_hint(transaction: Transaction, attempt: Attempt) -> str:
    collection.record_hint(transaction, attempt.player, puzzle_in(attempt))
    return f"{_here(attempt)}/hint/1"


def _give_up(transaction: Transaction, attempt: Attempt) -> str:
    collection.record_solution_shown(transaction, attempt.player, puzzle_in(attempt))
    return f"{_here(attempt)}/solution"


_action = partial(Action, counter=KEYS_OF_PUZZLES, back=_here, notice=NOT_ANSWERED)

ANSWER = _action(
    name="answer",
    asks=lambda _, attempt: _question(puzzle_in(attempt)),
    does=_answer,
    makes_player=newcomer,
)

ASK_HINT = _action(name="ask_hint", does=_ask_hint, makes_player=newcomer)

GIVE_UP = _action(name="give_up", does=_give_up)

_PUZZLE = f"{VARIANT}/{NUMBER}"


@cacheable
@reading
def index(transaction: Transaction, request: Request, area: str | None) -> Response:
    """Return the page of all puzzles, by game."""
    visitor = visitor_in(transaction, request, area)
    solved = queries.ids_of(transaction.connection, queries.SOLVED, visitor.player)
    rating, days = None, frozenset[date]()
    if (player := visitor.player) is not None:
        rating = queries.solver_rating(transaction.connection, player.id)
        days = queries.days_solved(transaction.connection, player.id)
    return cached_page(
        transaction,
        visitor,
        "puzzles/index.gmi",
        has_certificate=visitor.certificate is not None,
        today=today_address(transaction.now, visitor),
        by_variant={each: collection.puzzles_by_grade(each, solved) for each in VARIANTS},
        first=collection.puzzle_to_begin_with(),
        player=player,
        rating=rating,
        solved=len(solved),
        streak=model.streak(days, transaction.now.date()),
        best_streak=model.longest_streak(days),
    )


@cacheable
@reading
def of_variant(
    transaction: Transaction, request: Request, area: str | None, variant: str
) -> Response:
    """Return the page of a variant's puzzles by grade; a player's solved ones are marked."""
    visitor = visitor_in(transaction, request, area)
    solved = queries.ids_of(transaction.connection, queries.SOLVED, visitor.player)
    return cached_page(
        transaction,
        visitor,
        "puzzles/variant.gmi",
        has_player=visitor.player is not None,
        variant=VARIANTS[variant],
        sections=collection.puzzles_by_grade(variant, solved),
    )


@cacheable
@reading
def of_grade(
    transaction: Transaction, request: Request, area: str | None, variant: str, grade: str
) -> Response:
    """Return the page of a variant's puzzles of one grade, by theme."""
    visitor = visitor_in(transaction, request, area)
    solved = queries.ids_of(transaction.connection, queries.SOLVED, visitor.player)
    sections = {each.grade: each for each in collection.puzzles_by_grade(variant, solved)}
    if int(grade) not in sections:
        raise NotFound
    return cached_page(
        transaction,
        visitor,
        "puzzles/grade.gmi",
        variant=VARIANTS[variant],
        section=sections.pop(int(grade)),
        others=sections,
    )


@reading
def practise(
    transaction: Transaction, request: Request, area: str | None, variant: str | None
) -> Response:
    """Redirect to a puzzle that the visitor has not solved, near their rating."""
    visitor = visitor_in(transaction, request, area)
    found = collection.puzzle_to_practise(transaction, visitor.player, variant)
    puzzles = prefix_for(visitor)
    if found is None:
        return responses.redirect(f"{puzzles}/{f'{variant}/' if variant else ''}")
    return responses.redirect(f"{puzzles}/{found.variant}/{found.number}")


ROUTES: Routes = (
    (f"{AREA}/{_PUZZLE}", show, CELL),
    (f"{AREA}/{_PUZZLE}/hint/1", first_hint),
    (f"{AREA}/{_PUZZLE}/hint/2", second_hint),
    (f"{AREA}/{_PUZZLE}/solution", solution),
    (f"{AREA}/{_PUZZLE}/answer", ask, ANY),
    (f"{AREA}/{_PUZZLE}/answered", answered, ANY),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/answer", ANSWER, ANY),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/hint", ASK_HINT),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/solution", GIVE_UP),
    *named(
        "puzzles.pages.lists",
        (
            (f"{AREA}/", index),
            (f"{AREA}/practice(?:/{VARIANT})?", practise),
            (f"{AREA}/{VARIANT}/", of_variant),
            (f"{AREA}/{VARIANT}/grade/(?P<grade>[1-5])", of_grade),
        ),
    ),
)
