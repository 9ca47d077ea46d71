"""The lists of puzzles, and the link to one for practice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.puzzles import answers, collection
from capsule.puzzles.pages.panel import AREA, area_of, freshness, visitor_in
from capsule.ui import responses
from capsule.ui.routes import VARIANT, cacheable
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.puzzles.collection import VariantPuzzles
    from capsule.puzzles.model import Solver
    from capsule.ui.routes import Routes
    from engine.puzzles import Puzzle


@dataclass(frozen=True, slots=True)
class PuzzlesPage:
    """The page of all puzzles: how many there are, `first` the one to begin with.

    `solver` is the player's record, None for other visitors.
    """

    visitor: Visitor
    variants: Sequence[VariantPuzzles]
    first: Puzzle | None
    solver: Solver | None

    @property
    def area(self) -> str:
        """The prefix of the visitor's links to puzzles."""
        return area_of(self.visitor)

    @property
    def has_certificate(self) -> bool:
        """Whether the visitor presented a certificate."""
        return self.visitor.certificate is not None

    @property
    def daily(self) -> str:
        """The address of the position of the day."""
        return "/play/daily/" if self.has_certificate else "/daily/"


@dataclass(frozen=True, slots=True)
class VariantPage:
    """The page of a variant's puzzles, of which there may be none."""

    visitor: Visitor
    puzzles: VariantPuzzles

    @property
    def area(self) -> str:
        """The prefix of the visitor's links to puzzles."""
        return area_of(self.visitor)

    @property
    def has_player(self) -> bool:
        """Whether the visitor is a player, whose solved puzzles are marked."""
        return self.visitor.player is not None


@cacheable
def index(context: AppContext, request: Request, area: str | None) -> Response:
    """Return the page of all puzzles, by game."""
    visitor = visitor_in(context, request, area)
    solved = answers.solved_by(context, visitor.player)
    page = PuzzlesPage(
        visitor,
        [collection.puzzles_by_grade(variant, solved) for variant in VARIANTS],
        collection.puzzle_to_begin_with(),
        None if visitor.player is None else answers.solver(context, visitor.player),
    )
    response = responses.page(visitor.preferences, "puzzles/index.gmi", page=page)
    return replace(response, freshness=freshness(context, visitor))


@cacheable
def of_variant(context: AppContext, request: Request, area: str | None, variant: str) -> Response:
    """Return the page of a variant's puzzles by grade; a player's solved ones are marked."""
    visitor = visitor_in(context, request, area)
    solved = answers.solved_by(context, visitor.player)
    page = VariantPage(visitor, collection.puzzles_by_grade(variant, solved))
    response = responses.page(visitor.preferences, "puzzles/variant.gmi", page=page)
    return replace(response, freshness=freshness(context, visitor))


def practise(
    context: AppContext, request: Request, area: str | None, variant: str | None
) -> Response:
    """Lead to a puzzle that the visitor has not solved, near to their rating."""
    visitor = visitor_in(context, request, area)
    found = collection.puzzle_to_practise(context, visitor.player, variant)
    puzzles = area_of(visitor)
    if found is None:
        return responses.redirect(f"{puzzles}/{f'{variant}/' if variant else ''}")
    return responses.redirect(f"{puzzles}/{found.variant}/{found.number}")


ROUTES: Routes = (
    (f"{AREA}/", index),
    (f"{AREA}/practice(?:/{VARIANT})?", practise),
    (f"{AREA}/{VARIANT}/", of_variant),
)
