"""Lessons: steps with a board and a task, and an answer to every legal move.

A lesson is data. What a learner has done is in the address alone, so nothing is stored.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar, cast

from capsule.languages.numbers import in_words
from engine import Message, Position, Variant, message

P = TypeVar("P", bound=Position)


@dataclass(frozen=True)
class TriedMove(Generic[P]):
    """A legal move that a learner tried, with the positions before and after it.

    `values` has the values of the braces in its lesson's answers.
    """

    before: P
    move: str
    after: P
    values: Mapping[str, object] = field(default_factory=dict)


Moves: TypeAlias = Collection[str] | Callable[[TriedMove[P]], bool]
"""Some of a step's moves: by name, or by what they do."""

Words: TypeAlias = str | Message | Callable[[TriedMove[P]], Message]
"""The answer to a move: a sentence that may name it, or one made of its effect."""


@dataclass(frozen=True)
class Reply(Generic[P]):
    """The answer to some of a step's moves, and whether they are right."""

    moves: Moves[P]
    words: Words[P]
    is_right: bool = False

    def matches(self, attempt: TriedMove[P]) -> bool:
        """Return whether this is the answer to a move."""
        if callable(self.moves):
            return self.moves(attempt)
        return attempt.move in self.moves

    def words_for(self, attempt: TriedMove[P]) -> Message:
        """Return the sentences of the answer, with the names of a move."""
        if callable(self.words):
            return self.words(attempt)
        words = message(self.words) if isinstance(self.words, str) else self.words
        return words.filled(**attempt.values)


# These calls, and the titles of steps, mark texts for translation, as `message` does.


def right(moves: Moves[P], words: Words[P], /) -> Reply[P]:
    """Return the answer to the moves that do what the task asks."""
    return Reply(moves, words, is_right=True)


def wrong(moves: Moves[P], words: Words[P], /) -> Reply[P]:
    """Return the answer to moves of one kind that do not."""
    return Reply(moves, words)


def fallback(words: Words[Any], /) -> Reply[Any]:
    """Return the answer to all other moves, which are wrong."""
    return Reply(lambda _: True, words)


@dataclass(frozen=True)
class Feedback(Generic[P]):
    """An attempt, whether it does what the task asks, and the sentences that say why."""

    attempt: TriedMove[P]
    is_right: bool
    words: Message


class Step(Generic[P]):
    """One step of a lesson: `moves`, separated by spaces, lead to its board.

    `title` is the subject, in a few words, `teaching` a paragraph that teaches a rule, and `task`
    the learner's task. A move gets the first of the `replies` that matches it.
    """

    def __init__(
        self, title: str, moves: str, teaching: Message, task: Message, *replies: Reply[P]
    ) -> None:
        self.title, self.moves = message(title), tuple(moves.split())
        self.teaching, self.task, self.replies = teaching, task, replies

    def judge(self, attempt: TriedMove[P]) -> Feedback[P]:
        """Return the feedback on a legal move."""
        reply = next(reply for reply in self.replies if reply.matches(attempt))
        return Feedback(attempt, reply.is_right, reply.words_for(attempt))


def wins(attempt: TriedMove[Any]) -> bool:
    """Return whether an attempt ends the game."""
    return attempt.after.outcome is not None


def move_values(attempt: TriedMove[Any]) -> Mapping[str, object]:
    """Return the values of an answer's braces in a game whose moves are cells."""
    return {"move": attempt.move, "cell": attempt.move}


class Lesson(Generic[P]):
    """The steps in which a game is learned.

    `values_of` returns the values of the braces in the answers to an attempt.
    """

    def __init__(
        self,
        variant: Variant,
        *steps: Step[P],
        values_of: Callable[[TriedMove[P]], Mapping[str, object]] = move_values,
    ) -> None:
        self.variant, self.steps, self.values_of = variant, steps, values_of

    @property
    def count(self) -> Message:
        """The number of steps, in words."""
        return in_words(len(self.steps))

    def position(self, step: Step[P]) -> P:
        """Return the position of a step.

        Raises the engine's errors if its moves cannot be played.
        """
        return cast("P", self.variant.replay(step.moves))

    def attempt(self, step: Step[P], typed: str) -> TriedMove[P]:
        """Return the attempt of a typed move.

        Raises `InvalidMove` or `IllegalMove` if it cannot be played.
        """
        before = self.position(step)
        move = before.parse(typed)
        attempt = TriedMove(before, move, cast("P", before.play(move)))
        return replace(attempt, values=self.values_of(attempt))
