"""A player's own mistakes as puzzles: pages for that player alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import action_keys, identity
from capsule.accounts.pages import outdated
from capsule.errors import NotFound, OutdatedAction
from capsule.gemini.types import Response, Wait
from capsule.puzzles import lines, mistakes
from capsule.puzzles.pages.panel import NOT_ANSWERED
from capsule.ui import responses
from capsule.ui.board_addresses import board_of_game
from capsule.ui.render import query
from capsule.ui.routes import ANY, CELL, GAME, KEY
from engine import MoveError
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from capsule.accounts.identity import Visitor
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request
    from capsule.puzzles.lines import Line
    from capsule.puzzles.mistakes import Mistake
    from capsule.ui.routes import Routes

HERE = "/play/mistakes/"

JUDGEMENT_SECONDS = 5
"""Seconds after which a player who waits for a judgement already may ask for another."""

_MISTAKE = f"{HERE}{GAME}/(?P<number>[1-9][0-9]{{0,6}})"


@dataclass(frozen=True, slots=True)
class MistakePage:
    """A mistake as its player is shown it; `key` lets them answer."""

    mistake: Mistake
    line: Line
    key: str
    board: str

    @property
    def answer_address(self) -> str:
        """The address that takes an answer as its query, and asks for it without one."""
        return f"{self.mistake.path}/{self.key}/answer"


def show_all(context: AppContext, request: Request) -> Response:
    """Return the list of a player's mistakes."""
    visitor = identity.signed_in(context, request)
    player = visitor.player
    found = () if player is None else mistakes.mistakes_of(context, player)
    return responses.page(
        visitor.preferences,
        "puzzles/mistakes.gmi",
        open=[each for each in found if not each.is_solved],
        solved=[each for each in found if each.is_solved],
    )


def show(context: AppContext, request: Request, game_id: str, number: str) -> Response:
    """Return the page of a mistake; its query is the cell of a wide board to look at."""
    visitor, _, page = _page(context, request, game_id, number)
    drawn = page.line.view(visitor.preferences.style, request.query)
    return responses.page(visitor.preferences, "puzzles/mistake.gmi", page=page, drawn=drawn)


def answered(context: AppContext, request: Request, game_id: str, number: str) -> Response | Wait:
    """Return the page that judges an answer, which stores nothing; it may ask a bot."""
    visitor, player, page = _page(context, request, game_id, number)
    try:
        move = page.line.position.parse(request.typed or "")
    except MoveError:
        return responses.redirect(page.mistake.path)
    return _waiting(player, partial(_judged, context, visitor, player, page, move))


def act(
    context: AppContext, request: Request, game_id: str, number: str, key: str
) -> Response | Wait:
    """Ask for an answer; with one, store whether it puts the mistake right, and show the result.

    A wrong key, from a planted link, changes nothing.
    """
    _, player, page = _page(context, request, game_id, number)
    if not action_keys.fits(key, page.key):
        # A mistake is a player's, whose key never changes: this one is of somebody else's page.
        path = page.mistake.path
        return outdated.page_below(path, NOT_ANSWERED, request.typed)
    ask = message(
        "A better move, {side}", side=page.line.variant.side_name(page.line.position.turn)
    )
    if not request.typed:
        return responses.prompt(page.line.position.instruction(), ask)
    try:
        move = page.line.position.parse(request.typed)
    except MoveError as error:
        return responses.prompt_again(error.message, ask)

    def note() -> Response:
        if mistakes.judge(context, player, page.mistake, page.line, move).is_right:
            with suppress(OutdatedAction):
                mistakes.note_solved(context, player, page.mistake)
        return responses.redirect(f"{page.mistake.path}/answered?{query(move)}")

    return _waiting(player, note)


def _judged(
    context: AppContext, visitor: Visitor, player: Player, shown: MistakePage, move: str
) -> Response:
    verdict = mistakes.judge(context, player, shown.mistake, shown.line, move)
    replies = () if verdict.is_right or verdict.reply is None else (verdict.reply,)
    line = lines.line(shown.line.variant.key, shown.line.played, (move, *replies))
    return responses.page(
        visitor.preferences,
        "puzzles/judged.gmi",
        mistake=shown.mistake,
        move=move,
        verdict=verdict,
        line=line,
        drawn=line.view(visitor.preferences.style),
        next_mistake=_next_address(context, player, shown.mistake),
    )


def _page(
    context: AppContext, request: Request, game_id: str, number: str
) -> tuple[Visitor, Player, MistakePage]:
    visitor = identity.signed_in(context, request)
    found = (
        None
        if visitor.player is None
        else mistakes.find_mistake(context, visitor.player, game_id, int(number))
    )
    if visitor.player is None or found is None:
        raise NotFound
    mistake, line = found
    board = board_of_game(context.origin, mistake.variant.key, line.played, game_id)
    key = visitor.key(context, f"mistake {game_id} {number}", 0)
    return visitor, visitor.player, MistakePage(mistake, line, key, board)


def _next_address(context: AppContext, player: Player, mistake: Mistake) -> str:
    """Return the address to continue at: another open mistake, or the list."""
    others = (
        each
        for each in mistakes.mistakes_of(context, player)
        if not each.is_solved and each.path != mistake.path
    )
    following = next(others, None)
    return HERE if following is None else following.path


def _waiting(player: Player, finish: Callable[[], Response]) -> Wait:
    return Wait(player.id, finish, otherwise=responses.slow_down(JUDGEMENT_SECONDS))


ROUTES: Routes = (
    (HERE, show_all),
    (_MISTAKE, show, CELL),
    (f"{_MISTAKE}/answer(?:ed)?", answered, ANY),
    (f"{_MISTAKE}/{KEY}/answer", act, ANY),
)
