"""A player's own mistakes as puzzles: pages for that player alone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, Attempt
from capsule.context import AppContext, Transaction, reading
from capsule.errors import Refused
from capsule.gemini.types import Request, Response, Wait
from capsule.puzzles import mistakes, model, queries
from capsule.puzzles.pages.puzzle import NOT_ANSWERED, PermanentKeys
from capsule.ui import boards, render, responses
from capsule.ui.routes import ANY, CELL, GAME, KEY, Routes
from engine import Message, message

HERE = "/play/mistakes/"

JUDGEMENT_SECONDS = 5
"""Seconds after which a player who waits for a judgement already may ask for another."""

_MISTAKE = f"{HERE}{GAME}/(?P<number>[1-9][0-9]{{0,6}})"


@reading
def show_all(transaction: Transaction, request: Request) -> Response:
    """Return the list of a player's mistakes."""
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    found = () if player is None else mistakes.mistakes_of(transaction.connection, player.id)
    return responses.page(
        visitor.preferences,
        "puzzles/mistakes.gmi",
        open=[each for each in found if not each.is_solved],
        solved=[each for each in found if each.is_solved],
    )


@reading
def show(transaction: Transaction, request: Request, game_id: str, number: str) -> Response:
    """Return the page of a mistake; its query is the cell of a wide board to look at."""
    visitor, mistake, line = _place(transaction, request, game_id, number)
    context = transaction.context
    return responses.page(
        visitor.preferences,
        "puzzles/mistake.gmi",
        mistake=mistake,
        line=line,
        key=visitor.key(context, _subject(game_id, number), 0),
        drawn=line.view(visitor.preferences.style, request.query),
        board_address=boards.board_of_game(context.origin, line.variant.key, line.played, game_id),
    )


@reading
def answered(
    transaction: Transaction, request: Request, game_id: str, number: str
) -> Response | Wait:
    """Return the page that judges an answer, which stores nothing; it may ask a bot."""
    visitor, mistake, line = _place(transaction, request, game_id, number)
    try:
        move = line.parse(request.typed or "")
    except Refused:
        return responses.redirect(mistake.path)
    return _waiting(mistake, partial(_judged, transaction.context, visitor, mistake, line, move))


def act(
    context: AppContext, request: Request, game_id: str, number: str, key: str
) -> Response | Wait:
    """Ask for an answer; with one, store whether it puts the mistake right, and show the result.

    The bot that judges it is asked before anything is held.
    """
    visitor, mistake, line = reading(_place)(context, request, game_id, number)
    solve = partial(SOLVE, context, request, key, game_id=game_id, number=number)
    try:
        move = line.parse(request.typed or "")
    except Refused:
        return solve()
    if not visitor.fits(context, _subject(game_id, number), key, 0):
        return solve()

    def judged() -> Response:
        if mistakes.judge(context, mistake, line, move).is_right:
            return cast("Response", solve())
        return responses.redirect(_answered_address(mistake, move))

    return _waiting(mistake, judged)


def _judged(
    context: AppContext,
    visitor: identity.Visitor,
    mistake: mistakes.Mistake,
    before: model.Line,
    move: str,
) -> Response:
    verdict = mistakes.judge(context, mistake, before, move)
    replies = () if verdict.is_right or verdict.reply is None else (verdict.reply,)
    line = model.line(before.variant.key, before.played, (move, *replies))
    return responses.page(
        visitor.preferences,
        "puzzles/judged.gmi",
        mistake=mistake,
        move=move,
        verdict=verdict,
        line=line,
        drawn=line.view(visitor.preferences.style),
        next_mistake=reading(_next_address)(context, mistake),
    )


def _place(
    transaction: Transaction, request: Request, game_id: str, number: str
) -> tuple[identity.Visitor, mistakes.Mistake, model.Line]:
    """Return the visitor, their mistake and the position before it; raises `NotFound` if none."""
    visitor = identity.signed_in(transaction, request)
    found = mistakes.find_mistake(transaction.connection, visitor.player, game_id, int(number))
    return visitor, *found


def _found(transaction: Transaction, attempt: Attempt) -> tuple[mistakes.Mistake, model.Line]:
    game_id, number = attempt["game_id"], int(attempt["number"])
    return mistakes.find_mistake(transaction.connection, attempt.player, game_id, number)


def _subject(game_id: str, number: str) -> str:
    return f"mistake {game_id} {number}"


def _next_address(transaction: Transaction, mistake: mistakes.Mistake) -> str:
    """Return the address to continue at: another open mistake, or the list."""
    others = (
        each
        for each in mistakes.mistakes_of(transaction.connection, mistake.player_id)
        if not each.is_solved and each.path != mistake.path
    )
    following = next(others, None)
    return HERE if following is None else following.path


def _answered_address(mistake: mistakes.Mistake, move: str) -> str:
    return f"{mistake.path}/answered?{render.query(move)}"


def _waiting(mistake: mistakes.Mistake, finish: Callable[[], Response]) -> Wait:
    return Wait(mistake.player_id, finish, fallback=responses.slow_down(JUDGEMENT_SECONDS))


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    _, line = _found(transaction, attempt)
    side = line.variant.side_name(line.position.turn)
    return line.position.instruction(), message("A better move, {side}", side=side)


def _solve(transaction: Transaction, attempt: Attempt) -> str:
    """Record that a better move was found, which has been judged so before."""
    mistake, line = _found(transaction, attempt)
    move, number = line.parse(attempt.typed), mistake.finding.number
    queries.add_mistake_solved(
        transaction.connection, attempt.player.id, mistake.game.id, number, transaction.now
    )
    return _answered_address(mistake, move)


SOLVE = Action(
    name="solve",
    counter=PermanentKeys(lambda attempt: _subject(attempt["game_id"], attempt["number"])),
    back=lambda attempt: f"{HERE}{attempt['game_id']}/{attempt['number']}",
    asks=_ask,
    does=_solve,
    notice=NOT_ANSWERED,
)


ROUTES: Routes = (
    (HERE, show_all),
    (_MISTAKE, show, CELL),
    (f"{_MISTAKE}/answer(?:ed)?", answered, ANY),
    (f"{_MISTAKE}/{KEY}/answer", act, ANY),
)
