"""Why a game ended without a result, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.status import EndReason
from engine.game import message

if TYPE_CHECKING:
    from capsule.games.model import StoredGame
    from engine import Message, Side

# Translators: all of these are clauses that follow a colon or a comma, without a full stop.
_BY_PLAYER = {
    EndReason.DECLINED: message("{name} declined the challenge"),
    EndReason.WITHDRAWN: message("{name} closed the open seat"),
    EndReason.ABORTED: message("{name} aborted the game"),
    EndReason.OUT_OF_TIME: message("{name} ran out of time"),
    EndReason.BANNED: message("{name} was banned"),
    EndReason.ERASED: message("a player erased their account"),
}
_BY_READER = {
    EndReason.WITHDRAWN: message("you closed the open seat"),
    EndReason.ABORTED: message("you aborted the game"),
    EndReason.OUT_OF_TIME: message("you ran out of time"),
    EndReason.BANNED: message("you were banned"),
}
_BY_NEITHER = {
    EndReason.EXPIRED: message("nobody took the open seat for seven days"),
    EndReason.CANCELLED: message("the operator cancelled the cup"),
    EndReason.NO_VOTES: message("nobody voted for seven days"),
}
_REMATCH_DECLINED = message("{name} declined the rematch")
_CHALLENGE_WITHDRAWN = message("{name} withdrew the challenge to {challenged}")
_OWN_CHALLENGE_WITHDRAWN = message("you withdrew the challenge to {challenged}")
_CHALLENGE_EXPIRED = message("{challenged} did not answer the challenge for seven days")


def reason_in_words(game: StoredGame, own_side: Side | None = None) -> Message | None:
    """Return why a game ended without a result, for a reader who played `own_side` or neither.

    It is None for a game with a result, and for one that ended before reasons were stored.
    """
    reason, side = game.end_reason, game.ended_by
    if reason is None:
        return None
    is_reader = side is not None and side is own_side and reason in _BY_READER
    words = _BY_READER if is_reader else _BY_NEITHER if side is None else _BY_PLAYER
    found = words[reason]
    challenged = game.challenged.name
    if challenged is not None and reason is EndReason.WITHDRAWN:
        found = _OWN_CHALLENGE_WITHDRAWN if is_reader else _CHALLENGE_WITHDRAWN
    elif challenged is not None and reason is EndReason.EXPIRED:
        found = _CHALLENGE_EXPIRED
    elif game.previous_id is not None and reason is EndReason.DECLINED:
        found = _REMATCH_DECLINED
    return found.filled(name=side and game.holder(side).name, challenged=challenged)
