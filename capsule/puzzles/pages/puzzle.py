"""The page of a puzzle, its hints, and the results of answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.errors import OutdatedAction
from capsule.gemini.types import Response
from capsule.puzzles import answers, collection, daily, lines
from capsule.puzzles.pages.panel import (
    AREA,
    NUMBER,
    address_of,
    answered_address,
    came_late,
    find_puzzle,
    freshness,
    is_own,
    panel_for,
    prefix_for,
    today_address,
    visitor_in,
)
from capsule.ui import responses
from capsule.ui.board_addresses import board_address
from capsule.ui.routes import ANY, CELL, KEY, VARIANT, cacheable
from engine import VARIANTS, MoveError
from engine.game import message
from engine.puzzles import area_of, idea_of, refutation_of

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request
    from capsule.puzzles.pages.panel import PuzzlePanel
    from capsule.ui.routes import Routes
    from engine import Message, Position
    from engine.puzzles import Puzzle


@cacheable
def show(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of a puzzle; its query is the cell of a wide board to look at."""
    visitor = visitor_in(context, request, area)
    puzzle = find_puzzle(variant, number)
    panel = panel_for(context, visitor, puzzle)
    drawn = panel.line.view(visitor.preferences.style, request.query)
    page = responses.page(
        visitor.preferences,
        "puzzles/puzzle.gmi",
        panel=panel,
        drawn=drawn,
        next_puzzle=_next_address(context, visitor, puzzle),
    )
    return replace(page, freshness=freshness(context, visitor), ignores_query=not drawn.ways)


def first_hint(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the first hint: what to look for."""
    panel = _panel_with_hint(context, request, area, variant, number)
    return _hint(panel, idea_of(panel.puzzle), is_last=False)


def second_hint(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the second hint: where the right move is."""
    panel = _panel_with_hint(context, request, area, variant, number)
    return _hint(panel, area_of(panel.puzzle), is_last=True)


def solution(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of the whole solution.

    Players who have neither found it nor given up are led to the puzzle; visitors without a
    certificate see it.
    """
    visitor = visitor_in(context, request, area)
    puzzle = find_puzzle(variant, number)
    panel = panel_for(context, visitor, puzzle)
    known = panel.answer
    if visitor.certificate is not None and not (known and known.knows_solution):
        return responses.redirect(panel.here)
    line = lines.line(variant, puzzle.moves, puzzle.line)
    return responses.page(
        visitor.preferences,
        "puzzles/solution.gmi",
        panel=panel,
        line=line,
        drawn=line.view(visitor.preferences.style),
        board_address=board_address(variant, line.played),
        next_puzzle=_next_address(context, visitor, puzzle),
    )


def give_up(context: AppContext, request: Request, variant: str, number: str, key: str) -> Response:
    """Note that a player is shown the solution, and go on to it; a wrong key changes nothing."""
    visitor = identity.signed_in(context, request)
    puzzle = find_puzzle(variant, number)
    here = address_of(visitor, puzzle)
    if not is_own(context, visitor, puzzle, key):
        return came_late(visitor, puzzle)
    if visitor.player is not None:
        with suppress(OutdatedAction):
            answers.note_shown(context, visitor.player, puzzle)
    return responses.redirect(f"{here}/solution")


def ask(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Ask for an answer; with one, redirect to its result.

    The result has an address of its own, since some browsers keep a page that answers typed text in
    the place of the prompt.
    """
    visitor = visitor_in(context, request, area)
    puzzle = find_puzzle(variant, number)
    move = _typed_move(request, puzzle)
    if isinstance(move, Response):
        return move
    return responses.redirect(answered_address(address_of(visitor, puzzle), move))


def answered(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> Response:
    """Return the page of an answer's result; an address without a legal move leads to the puzzle.

    It stores nothing: a player's answer is stored on the way here, by `act`.
    """
    visitor = visitor_in(context, request, area)
    puzzle = find_puzzle(variant, number)
    panel = panel_for(context, visitor, puzzle)
    try:
        move = panel.line.position.parse(request.typed or "")
    except MoveError:
        return responses.redirect(panel.here)
    is_right = move in puzzle.solutions
    refutation = None if is_right else refutation_of(puzzle, move)
    played = _solution(puzzle, move) if refutation is None else (move, *refutation.line)
    whole = lines.line(variant, puzzle.moves, played)
    line = whole if refutation is None else whole.up_to_reply()
    is_of_today = daily.is_of_today(context, puzzle)
    day = daily.today(context)
    return responses.page(
        visitor.preferences,
        "puzzles/answer.gmi",
        panel=panel,
        move=move,
        line=line,
        refutation=refutation,
        drawn=line.view(visitor.preferences.style),
        is_whole=line == whole,
        board_address=board_address(variant, whole.played),
        next_puzzle=_next_address(context, visitor, puzzle),
        standing=daily.standing(context, day, visitor.player) if is_of_today else None,
        today=today_address(context, visitor),
    )


def act(context: AppContext, request: Request, variant: str, number: str, key: str) -> Response:
    """Ask for a player's answer; with one, store it and redirect to its result.

    A wrong key, from a planted link, changes nothing.
    """
    visitor = identity.signed_in(context, request)
    puzzle = find_puzzle(variant, number)
    here = address_of(visitor, puzzle)
    if not is_own(context, visitor, puzzle, key):
        return came_late(visitor, puzzle, request.typed)
    move = _typed_move(request, puzzle)
    if isinstance(move, Response):
        return move
    with suppress(OutdatedAction):
        answers.answer(context, identity.player_of(context, visitor), puzzle, move)
    return responses.redirect(answered_address(here, move))


def ask_hint(
    context: AppContext, request: Request, variant: str, number: str, key: str
) -> Response:
    """Note that a player asks for a hint, and go on to it; a wrong key changes nothing."""
    visitor = identity.signed_in(context, request)
    puzzle = find_puzzle(variant, number)
    here = address_of(visitor, puzzle)
    if not is_own(context, visitor, puzzle, key):
        return came_late(visitor, puzzle)
    with suppress(OutdatedAction):
        answers.note_hint(context, identity.player_of(context, visitor), puzzle)
    return responses.redirect(f"{here}/hint/1")


def _panel_with_hint(
    context: AppContext, request: Request, area: str | None, variant: str, number: str
) -> PuzzlePanel:
    """Return a puzzle for the page of a hint, which a player has asked for by reading it.

    No key is needed: who has typed the address has read the hint all the same. A certificate that
    is new here does not become a player.
    """
    visitor, puzzle = visitor_in(context, request, area), find_puzzle(variant, number)
    panel = panel_for(context, visitor, puzzle)
    if visitor.player is None or not panel.may_count:
        return panel
    with suppress(OutdatedAction):
        answers.note_hint(context, visitor.player, puzzle)
    return panel_for(context, visitor, puzzle)


def _hint(panel: PuzzlePanel, hint: Message, *, is_last: bool) -> Response:
    preferences = panel.visitor.preferences
    return responses.page(
        preferences,
        "puzzles/hint.gmi",
        panel=panel,
        drawn=panel.line.view(preferences.style),
        hint=hint,
        is_last=is_last,
    )


def _typed_move(request: Request, puzzle: Puzzle) -> str | Response:
    """Return the legal move in a query, or the prompt that asks for one."""
    position = lines.line(puzzle.variant, puzzle.moves).position
    if not request.typed:
        return _prompt(puzzle, position)
    try:
        return position.parse(request.typed)
    except MoveError as error:
        return responses.prompt_again(error.message, _your_move(puzzle, position))


def _prompt(puzzle: Puzzle, position: Position) -> Response:
    task, ask = puzzle.sentence(), _your_move(puzzle, position)
    wrong = (move for move in position.legal_moves() if move not in puzzle.solutions)
    example = next(wrong, None)
    if example is None:
        return responses.prompt(task, ask)
    return responses.prompt(task, message("A move is written like {move}.", move=example), ask)


def _your_move(puzzle: Puzzle, position: Position) -> Message:
    side_name = VARIANTS[puzzle.variant].side_name(position.turn)
    return message("Your move, {side}", side=side_name)


def _solution(puzzle: Puzzle, move: str) -> tuple[str, ...]:
    """Return the line of a right move: the puzzle's if it begins so, else the move alone."""
    return puzzle.line if puzzle.line[0] == move else (move,)


def _next_address(context: AppContext, visitor: Visitor, puzzle: Puzzle) -> str:
    """Return the address to continue at: the variant's next puzzle that is open, or the list."""
    settled = answers.settled_by(context, visitor.player)
    others = f"{prefix_for(visitor)}/{puzzle.variant}/"
    following = collection.next_open(puzzle, settled)
    return others if following is None else f"{others}{following.number}"


_PUZZLE = f"{VARIANT}/{NUMBER}"

ROUTES: Routes = (
    (f"{AREA}/{_PUZZLE}", show, CELL),
    (f"{AREA}/{_PUZZLE}/hint/1", first_hint),
    (f"{AREA}/{_PUZZLE}/hint/2", second_hint),
    (f"{AREA}/{_PUZZLE}/solution", solution),
    (f"{AREA}/{_PUZZLE}/answer", ask, ANY),
    (f"{AREA}/{_PUZZLE}/answered", answered, ANY),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/answer", act, ANY),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/hint", ask_hint),
    (f"/play/puzzles/{_PUZZLE}/{KEY}/solution", give_up),
)
