"""Finding puzzles: by game and grade, the next one, and one to practise with."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.puzzles import daily, queries
from capsule.puzzles.model import CountedAnswer, PuzzleId, first_rating, id_of
from capsule.ratings.model import INITIAL, Rating, updated
from engine import VARIANTS, Message, message
from engine.puzzles import Puzzle, puzzles_of

SOLVED, FAILED = (1.0, 0.0), (0.0, 1.0)
"""The points of the player and of the puzzle."""


def answer(transaction: Transaction, player: Player, puzzle: Puzzle, move: str) -> None:
    """Store a player's answer, a legal move, if it is their first or the first right one.

    Until the player knows the solution, it is also stored as tried. If it solves the position of
    the day, the day is stored, too, and whether it was new. The same answer, given
    twice, changes nothing.
    """
    connection, now = transaction.connection, transaction.now
    is_right = move in puzzle.solutions
    known = queries.answer_of(connection, player.id, id_of(puzzle))
    if not known.knows_solution:
        queries.add_try(connection, player.id, id_of(puzzle), move)
    made = known
    if known.move is None:
        made = replace(known, move=move, is_right=is_right, answered_at=now)
        if known.may_count:
            made = replace(made, counted=_count(transaction, player, puzzle, is_right=is_right))
    is_found = is_right and known.shown_at is None
    if is_found and not known.is_solved:
        made = replace(made, solved_at=now)
    if made != known:
        queries.save_answer(connection, player.id, made)
    if is_found and daily.puzzle_on(now.date()) == id_of(puzzle):
        queries.add_day(connection, player.id, now.date(), now, is_new=known.is_new_on(now.date()))


def record_hint(transaction: Transaction, player: Player, puzzle: Puzzle) -> None:
    """Record that a player asks for a hint, unless they have answered already."""
    known = queries.answer_of(transaction.connection, player.id, id_of(puzzle))
    if known.may_count:
        made = replace(known, had_hint=True)
        queries.save_answer(transaction.connection, player.id, made)


def record_solution_shown(transaction: Transaction, player: Player, puzzle: Puzzle) -> None:
    """Record that a player gives up and is shown the solution.

    Nothing changes if they have found it, or have neither answered nor had a hint yet.
    """
    known = queries.answer_of(transaction.connection, player.id, id_of(puzzle))
    if known.may_give_up:
        made = replace(known, shown_at=transaction.now)
        queries.save_answer(transaction.connection, player.id, made)


def _count(
    transaction: Transaction, player: Player, puzzle: Puzzle, *, is_right: bool
) -> CountedAnswer:
    """Change the ratings of a player and of a puzzle by a first answer."""
    connection, now = transaction.connection, transaction.now
    before = queries.solver_rating(connection, player.id) or INITIAL
    known = queries.puzzle_rating(connection, id_of(puzzle))
    puzzle_before = known or first_rating(puzzle.grade)
    after, puzzle_after = updated(before, puzzle_before, SOLVED if is_right else FAILED)
    queries.save_solver_rating(connection, player.id, after, now)
    queries.save_puzzle_rating(connection, id_of(puzzle), puzzle_after, now)
    return CountedAnswer(before, after, puzzle_before)


GRADES = range(1, 6)

BEGIN_WITH = ("ultimate", "numeric")
"""The variants with the puzzle to begin with: the first of them that has puzzles."""

RANGE = 150
"""The greatest difference in rating points between a player and a puzzle for practice."""

FIRST_GRADE = 1
"""The grade of puzzles for visitors who are no players."""

_RANDOM_BYTES = 8


@dataclass(frozen=True, slots=True)
class PuzzleTheme:
    """The puzzles of a grade with the same task, and the numbers of the solved ones."""

    name: Message
    puzzles: Sequence[Puzzle]
    solved: Collection[int]

    @property
    def numbers(self) -> Sequence[Message | int]:
        """The numbers of the puzzles, three or more in a row as a range.

        >>> from types import SimpleNamespace
        >>> puzzles = [SimpleNamespace(number=number) for number in (1, 2, 5, 7, 8, 9)]
        >>> [str(number) for number in PuzzleTheme(None, puzzles, ()).numbers]
        ['1', '2', '5', '7 to 9']
        """
        numbers = [puzzle.number for puzzle in self.puzzles]
        first = [number for number in numbers if number - 1 not in numbers]
        last = [number for number in numbers if number + 1 not in numbers]
        ranges = zip(first, last, strict=True)
        return [part for ends in ranges for part in _range_in_words(*ends)]


@dataclass(frozen=True, slots=True)
class PuzzleGrade:
    """The puzzles of a grade of one variant by theme, in the order of their numbers."""

    grade: int
    themes: Sequence[PuzzleTheme]

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return sum(len(theme.puzzles) for theme in self.themes)

    @property
    def solved(self) -> int:
        """The number of solved puzzles."""
        return sum(len(theme.solved) for theme in self.themes)


def puzzles_by_grade(variant: str, solved: Collection[PuzzleId]) -> Sequence[PuzzleGrade]:
    """Return the puzzles of a variant by grade, the easiest first; there may be none.

    `solved` are those that a player has solved.
    """
    sections = []
    for grade in GRADES:
        puzzles = [puzzle for puzzle in puzzles_of(variant) if puzzle.grade == grade]
        if puzzles:
            sections.append(PuzzleGrade(grade, [*_by_theme(puzzles, solved)]))
    return sections


def _by_theme(puzzles: Sequence[Puzzle], solved: Collection[PuzzleId]) -> Iterator[PuzzleTheme]:
    """Yield the themes of puzzles, in the order in which they first come."""
    by_name: dict[Message, list[Puzzle]] = {}
    for puzzle in puzzles:
        by_name.setdefault(puzzle.theme(), []).append(puzzle)
    for name, found in by_name.items():
        ids = {puzzle.number for puzzle in found if id_of(puzzle) in solved}
        yield PuzzleTheme(name, found, ids)


def highest_grade(variant: str) -> int:
    """Return the highest grade of a variant's puzzles; it must have some."""
    return max(puzzle.grade for puzzle in puzzles_of(variant))


def puzzle_to_begin_with() -> Puzzle | None:
    """Return an easy puzzle of a game whose rules are learned at once, None without puzzles."""
    for variant in (*BEGIN_WITH, *VARIANTS):
        found = puzzles_of(variant) if variant in VARIANTS else ()
        if found:
            return min(found, key=lambda puzzle: (puzzle.grade, puzzle.number))
    return None


def next_open(transaction: Transaction, player: Player | None, puzzle: Puzzle) -> Puzzle | None:
    """Return the variant's next puzzle by number of which a player does not know the solution.

    After the last one comes the first. It is None if there is no other.
    """
    settled = queries.ids_of(transaction.connection, queries.SETTLED, player)
    puzzles = puzzles_of(puzzle.variant)
    following = (*puzzles[puzzle.number :], *puzzles[: puzzle.number - 1])
    return next((each for each in following if id_of(each) not in settled), None)


def puzzle_to_practise(
    transaction: Transaction, player: Player | None, variant: str | None = None
) -> PuzzleId | None:
    """Return a puzzle that a player has not settled, of any variant or of one; None without one.

    It is near the lower bound of their rating, so that practice begins with the easiest and
    becomes harder as answers make the rating certain. Untried puzzles come first.
    Without a player, it is one of the easiest.
    """
    puzzles = [
        puzzle
        for each in ((variant,) if variant is not None else VARIANTS)
        for puzzle in puzzles_of(each)
    ]
    if player is None:
        easy = [puzzle for puzzle in puzzles if puzzle.grade == FIRST_GRADE]
        return _any(transaction.context, [id_of(puzzle) for puzzle in easy or puzzles])
    connection = transaction.connection
    rating = queries.solver_rating(connection, player.id) or INITIAL
    ratings = queries.puzzle_ratings_by_id(connection)
    settled = queries.ids_of(connection, queries.SETTLED, player)
    begun = queries.ids_of(connection, queries.BEGUN, player)
    at_least = rating.number - rating.uncertainty
    distances = {
        id_of(puzzle): abs(_rating(puzzle, ratings) - at_least)
        for puzzle in puzzles
        if id_of(puzzle) not in settled
    }
    untried = {each: distance for each, distance in distances.items() if each not in begun}
    candidates = untried or distances
    if not candidates:
        return None
    widest = max(RANGE, min(candidates.values()))
    near = [each for each, distance in candidates.items() if distance <= widest]
    return _any(transaction.context, near)


def _range_in_words(first: int, last: int) -> Sequence[Message | int]:
    if last - first < 2:
        return range(first, last + 1)
    # Translators: numbers of puzzles, in a list such as “1, 4 to 9”.
    return [message("{first} to {last}", first=first, last=last)]


def _rating(puzzle: Puzzle, ratings: Mapping[PuzzleId, Rating]) -> int:
    known = ratings.get(id_of(puzzle))
    return (known or first_rating(puzzle.grade)).number


def _any(context: AppContext, ids: Sequence[PuzzleId]) -> PuzzleId | None:
    if not ids:
        return None
    return ids[int.from_bytes(context.random_bytes(_RANDOM_BYTES)) % len(ids)]
