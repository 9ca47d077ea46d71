"""The keys of links that write a text under a game: each fits until its player has written one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.accounts.action_keys import NONE_YET, REMEMBERED
from capsule.accounts.pages.action import Counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.pages.action import Attempt
    from capsule.context import Transaction
    from capsule.social.model import StoredLine, StoredNote


@dataclass(frozen=True)
class TextsUnderGame(Counter):
    """The number of a player's last text of a kind under a game, which the next one raises.

    `subject_in` returns the subject of the keys in a game, and `last_by` a player's last texts
    there, up to a number of them, the newest first.
    """

    subject_in: Callable[[str], str]
    last_by: Callable[[Connection, int, str, int], Sequence[StoredLine | StoredNote]]

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return self.subject_in(attempt["game_id"])

    def count(self, transaction: Transaction, attempt: Attempt) -> int:
        """Return the number of the player's last text."""
        return self._numbers(transaction, attempt, 1)[0]

    def last_counts(self, transaction: Transaction, attempt: Attempt) -> Sequence[int]:
        """Return the numbers of the player's last texts, the newest first."""
        return self._numbers(transaction, attempt, REMEMBERED)

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing: the text that was stored has a higher number."""

    def _numbers(self, transaction: Transaction, attempt: Attempt, limit: int) -> Sequence[int]:
        player = attempt.visitor.player
        if player is None:
            return [NONE_YET]
        found = self.last_by(transaction.connection, player.id, attempt["game_id"], limit)
        return [*(each.id for each in found), NONE_YET][:limit]
