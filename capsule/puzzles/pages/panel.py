"""A puzzle as its pages show it: the board, the task, and where it is answered."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from capsule.accounts import identity
from capsule.accounts.identity import Visitor
from capsule.accounts.pages import action
from capsule.accounts.pages.action import Attempt, Keys
from capsule.context import Transaction
from capsule.errors import NotFound
from capsule.gemini.types import CachePolicy, CacheTag, Request
from capsule.puzzles import collection, daily, model, queries as puzzle_queries
from capsule.puzzles.model import Line, PuzzleAnswer
from capsule.ui.boards import board_address
from capsule.ui.render import query
from engine import Message
from engine.game import message
from engine.puzzles import Puzzle, puzzle as puzzle_of

AREA = "(?P<area>/play)?/puzzles"
"""The beginning of the addresses of puzzles: below `/play/`, for those who have signed in."""

NUMBER = "(?P<number>[1-9][0-9]{0,3})"

NOT_ANSWERED = action.StaleNotice(
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
    line: Line
    visitor: Visitor
    answer: PuzzleAnswer | None
    key: str

    @property
    def highest_grade(self) -> int:
        """The highest grade of the game's puzzles."""
        return collection.highest_grade(self.puzzle.variant)

    @property
    def has_certificate(self) -> bool:
        """Whether the visitor presented a certificate, so that their answers are stored."""
        return bool(self.key)

    @property
    def may_count(self) -> bool:
        """Whether the visitor's next answer counts for ratings."""
        return self.has_certificate and (self.answer is None or self.answer.may_count)

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
            return f"{self.answer_address}?{query(move)}"
        return answered_address(self.here, move)

    @property
    def first_hint(self) -> str:
        """The address of the first hint; for players, one that records the request first."""
        return f"{self.here}/{self.key}/hint" if self.may_count else f"{self.here}/hint/1"

    @property
    def board(self) -> str:
        """The address of the position on a board where both sides' moves can be tried."""
        return board_address(self.puzzle.variant, self.puzzle.moves)

    @property
    def days(self) -> str:
        """The beginning of the addresses of the positions of past days."""
        return "/play" if self.has_certificate else ""

    def effect(self, move: str) -> Message | None:
        """Describe a legal move as far as the rules go, without judging it.

        The words for boards would also say whether a move wins, which is for the solver to find.
        """
        position = self.line.position
        return None if position.effects_judge_moves else position.effect(move)


def prefix_for(visitor: Visitor) -> str:
    """Return the prefix of a visitor's links to puzzles, without the final slash."""
    return "/play/puzzles" if visitor.certificate is not None else "/puzzles"


def today_address(now: datetime, visitor: Visitor) -> str:
    """Return the address of the position of the day.

    With a certificate, it is that of the day itself: the browser has no page of
    another day at that address.
    """
    return "/daily/" if visitor.certificate is None else f"/play/daily/{now.date().isoformat()}"


def address_of(visitor: Visitor, puzzle: Puzzle) -> str:
    """Return the address of a puzzle for a visitor."""
    return f"{prefix_for(visitor)}/{puzzle.variant}/{puzzle.number}"


def answered_address(here: str, move: str) -> str:
    """Return the address of the result of answering a puzzle, whose address is `here`."""
    return f"{here}/answered?{query(move)}"


def visitor_in(transaction: Transaction, request: Request, area: str | None) -> Visitor:
    """Return the visitor of a page of puzzles; below `/play/`, raises as `identity.signed_in`."""
    if area is None:
        return identity.visitor_of(transaction, request)
    return identity.signed_in(transaction, request)


def position_written(day: str, now: datetime) -> daily.DailyPosition:
    """Return the position of a day as addresses write it; raises `NotFound` if there is none."""
    try:
        position = daily.position_on(date.fromisoformat(day), now)
    except ValueError as error:
        raise NotFound from error
    if position is None:
        raise NotFound
    return position


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
class KeysForGood(Keys):
    """Keys on a `subject` that fit as long as their holders are who they are.

    What is stored first is stored for good, so that a second use of a key changes nothing.
    """

    subject: Callable[[Attempt], str]

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether a key is the visitor's own, or was before they were a player."""
        subject = self.subject(attempt)
        return attempt.visitor.held(transaction.context, subject, attempt.key, (0,))

    held = fits

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing."""


KEYS_OF_PUZZLES = KeysForGood(lambda attempt: _subject(puzzle_in(attempt)))


def _subject(puzzle: Puzzle) -> str:
    return f"puzzle {puzzle.variant} {puzzle.number}"


def panel_for(transaction: Transaction, visitor: Visitor, puzzle: Puzzle) -> PuzzlePanel:
    """Return a puzzle as a visitor is shown it."""
    player, answer = visitor.player, None
    if player is not None:
        connection, puzzle_id = transaction.connection, collection.id_of(puzzle)
        answer = puzzle_queries.answer_of(connection, player.id, puzzle_id)
    return PuzzlePanel(
        puzzle=puzzle,
        line=model.line(puzzle.variant, puzzle.moves),
        visitor=visitor,
        answer=answer,
        key=visitor.key(transaction.context, _subject(puzzle), 0),
    )


def cache_policy(now: datetime, visitor: Visitor, *tags: CacheTag) -> CachePolicy:
    """Return the cache policy of a page that shows a visitor's own answers, and of these tags.

    It is never reused on another day.
    """
    return identity.cache_policy(visitor.player, now, *tags, until=(daily.midnight_after(now),))
