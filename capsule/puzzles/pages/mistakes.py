"""A player's own mistakes as puzzles: pages for that player alone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Action, Attempt
from capsule.context import AppContext, Transaction, reading
from capsule.errors import NotFound, Refused
from capsule.gemini.types import Request, Response, Wait
from capsule.puzzles import mistakes, model, queries
from capsule.puzzles.mistakes import Mistake
from capsule.puzzles.model import Line
from capsule.puzzles.pages.puzzle import NOT_ANSWERED, PermanentKeys
from capsule.ui import responses
from capsule.ui.boards import board_of_game
from capsule.ui.render import query
from capsule.ui.routes import ANY, CELL, GAME, KEY, Routes
from engine import Message, MoveError
from engine.game import message

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
    visitor = identity.signed_in(transaction, request)
    mistake, line = _found(transaction, visitor.player, game_id, number)
    context = transaction.context
    return responses.page(
        visitor.preferences,
        "puzzles/mistake.gmi",
        mistake=mistake,
        line=line,
        key=visitor.key(context, _subject(game_id, number), 0),
        drawn=line.view(visitor.preferences.style, request.query),
        board_address=board_of_game(context.origin, line.variant.key, line.played, game_id),
    )


@reading
def answered(
    transaction: Transaction, request: Request, game_id: str, number: str
) -> Response | Wait:
    """Return the page that judges an answer, which stores nothing; it may ask a bot."""
    visitor = identity.signed_in(transaction, request)
    mistake, line = _found(transaction, visitor.player, game_id, number)
    try:
        move = line.position.parse(request.typed or "")
    except MoveError:
        return responses.redirect(mistake.path)
    return _waiting(mistake, partial(_judged, transaction.context, visitor, mistake, line, move))


def act(
    context: AppContext, request: Request, game_id: str, number: str, key: str
) -> Response | Wait:
    """Ask for an answer; with one, store whether it puts the mistake right, and show the result.

    The bot that judges it is asked before anything is held.
    """
    with context.reading() as transaction:
        visitor = identity.signed_in(transaction, request)
        mistake, line = _found(transaction, visitor.player, game_id, number)
    solve = partial(SOLVE, context, request, key, game_id=game_id, number=number)
    try:
        move = line.position.parse(request.typed or "")
    except MoveError:
        return solve()
    if not identity.fits(key, visitor.key(context, _subject(game_id, number), 0)):
        return solve()

    def judged() -> Response:
        if mistakes.judge(context, mistake, line, move).is_right:
            return cast("Response", solve())
        return responses.redirect(_answered_address(mistake, move))

    return _waiting(mistake, judged)


def _judged(
    context: AppContext, visitor: Visitor, mistake: Mistake, before: Line, move: str
) -> Response:
    verdict = mistakes.judge(context, mistake, before, move)
    replies = () if verdict.is_right or verdict.reply is None else (verdict.reply,)
    line = model.line(before.variant.key, before.played, (move, *replies))
    with context.reading() as transaction:
        following = _next_address(transaction, mistake)
    return responses.page(
        visitor.preferences,
        "puzzles/judged.gmi",
        mistake=mistake,
        move=move,
        verdict=verdict,
        line=line,
        drawn=line.view(visitor.preferences.style),
        next_mistake=following,
    )


def _found(
    transaction: Transaction, player: Player | None, game_id: str, number: str
) -> tuple[Mistake, Line]:
    """Return a player's mistake and the position before it; raises `NotFound` if it is no such."""
    if player is None:
        raise NotFound
    found = mistakes.find_mistake(transaction.connection, player.id, game_id, int(number))
    if found is None:
        raise NotFound
    return found


def _subject(game_id: str, number: str) -> str:
    return f"mistake {game_id} {number}"


def _next_address(transaction: Transaction, mistake: Mistake) -> str:
    """Return the address to continue at: another open mistake, or the list."""
    others = (
        each
        for each in mistakes.mistakes_of(transaction.connection, mistake.player_id)
        if not each.is_solved and each.path != mistake.path
    )
    following = next(others, None)
    return HERE if following is None else following.path


def _answered_address(mistake: Mistake, move: str) -> str:
    return f"{mistake.path}/answered?{query(move)}"


def _waiting(mistake: Mistake, finish: Callable[[], Response]) -> Wait:
    return Wait(mistake.player_id, finish, fallback=responses.slow_down(JUDGEMENT_SECONDS))


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    _, line = _found(transaction, attempt.player, attempt["game_id"], attempt["number"])
    side = line.variant.side_name(line.position.turn)
    return line.position.instruction(), message("A better move, {side}", side=side)


def _solve(transaction: Transaction, attempt: Attempt) -> str:
    """Record that a better move was found, which has been judged so before."""
    mistake, line = _found(transaction, attempt.player, attempt["game_id"], attempt["number"])
    try:
        move = line.position.parse(attempt.typed)
    except MoveError as error:
        raise Refused(error.message) from error
    queries.add_mistake_solved(
        transaction.connection, attempt.player.id, mistake.game.id, mistake.number, transaction.now
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
