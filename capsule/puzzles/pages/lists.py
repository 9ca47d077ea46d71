"""The lists of puzzles, and the link to one for practice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.context import reading
from capsule.errors import NotFound
from capsule.puzzles import answers, collection
from capsule.puzzles.pages.panel import AREA, cache_policy, prefix_for, today_address, visitor_in
from capsule.ui import responses
from capsule.ui.routes import VARIANT, cacheable
from engine import VARIANTS

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes


@cacheable
@reading
def index(transaction: Transaction, request: Request, area: str | None) -> Response:
    """Return the page of all puzzles, by game."""
    visitor = visitor_in(transaction, request, area)
    solved = answers.solved_by(transaction, visitor.player)
    response = responses.page(
        visitor.preferences,
        "puzzles/index.gmi",
        area=prefix_for(visitor),
        has_certificate=visitor.certificate is not None,
        today=today_address(transaction.now, visitor),
        by_variant=[collection.puzzles_by_grade(variant, solved) for variant in VARIANTS],
        first=collection.puzzle_to_begin_with(),
        solver=None if visitor.player is None else answers.solver(transaction, visitor.player),
    )
    return replace(response, cache_policy=cache_policy(transaction.now, visitor))


@cacheable
@reading
def of_variant(
    transaction: Transaction, request: Request, area: str | None, variant: str
) -> Response:
    """Return the page of a variant's puzzles by grade; a player's solved ones are marked."""
    visitor = visitor_in(transaction, request, area)
    solved = answers.solved_by(transaction, visitor.player)
    response = responses.page(
        visitor.preferences,
        "puzzles/variant.gmi",
        area=prefix_for(visitor),
        has_player=visitor.player is not None,
        puzzles=collection.puzzles_by_grade(variant, solved),
    )
    return replace(response, cache_policy=cache_policy(transaction.now, visitor))


@cacheable
@reading
def of_grade(
    transaction: Transaction, request: Request, area: str | None, variant: str, grade: str
) -> Response:
    """Return the page of a variant's puzzles of one grade, by theme."""
    visitor = visitor_in(transaction, request, area)
    puzzles = collection.puzzles_by_grade(variant, answers.solved_by(transaction, visitor.player))
    section = puzzles.section(int(grade))
    if section is None:
        raise NotFound
    response = responses.page(
        visitor.preferences,
        "puzzles/grade.gmi",
        area=prefix_for(visitor),
        puzzles=puzzles,
        section=section,
    )
    return replace(response, cache_policy=cache_policy(transaction.now, visitor))


@reading
def practise(
    transaction: Transaction, request: Request, area: str | None, variant: str | None
) -> Response:
    """Lead to a puzzle that the visitor has not solved, near to their rating."""
    visitor = visitor_in(transaction, request, area)
    found = collection.puzzle_to_practise(transaction, visitor.player, variant)
    puzzles = prefix_for(visitor)
    if found is None:
        return responses.redirect(f"{puzzles}/{f'{variant}/' if variant else ''}")
    return responses.redirect(f"{puzzles}/{found.variant}/{found.number}")


ROUTES: Routes = (
    (f"{AREA}/", index),
    (f"{AREA}/practice(?:/{VARIANT})?", practise),
    (f"{AREA}/{VARIANT}/", of_variant),
    (f"{AREA}/{VARIANT}/grade/(?P<grade>[1-5])", of_grade),
)
