"""The entries of a player's running games in lists, and places in these as addresses have them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from capsule.games.clock import ClockState
from capsule.games.event_addresses import (
    challenge_address,
    draw_address,
    takeback_address,
    turn_address,
)
from capsule.games.running_queries import NEVER, Place, Section
from capsule.ui import paging
from capsule.ui.durations import time_left

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from capsule.accounts.model import Player
    from capsule.games.clock import Clock
    from capsule.games.model import StoredGame
    from engine import Side, Variant


_NEVER = "never"
PLACE_PATTERN = (
    rf"(after|before)-([0-3])-([0-9a-f]{{1,9}}|{_NEVER})-({paging.MOMENT_PATTERN})"
    r"-([a-z2-7]{10})"
)
"""The regular expression of a place in a list, as in an address."""

_PLACE = re.compile(PLACE_PATTERN)


class Offer(Enum):
    """An offer that an opponent may make."""

    CHALLENGE = auto()
    REMATCH = auto()
    DRAW = auto()
    TAKEBACK = auto()


_ADDRESSES = {
    Offer.CHALLENGE: challenge_address,
    Offer.REMATCH: challenge_address,
    Offer.DRAW: draw_address,
    Offer.TAKEBACK: takeback_address,
}


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in a player's list.

    `side` is the player's, None in a solo game; `opponent` is None there and while a seat is open.
    `deadline` is the end of the time for the move, or when a challenge or an open seat lapses, and
    `time_left` is the time until then. Both are None if there is no deadline. `clock` is the one
    that runs, if any. `is_alike` says that the page has another game with the same label.
    """

    stored: StoredGame
    side: Side | None
    opponent: str | None
    is_your_turn: bool
    offer: Offer | None
    place: Place
    deadline: datetime | None
    time_left: timedelta | None
    is_claimable: bool
    clock: Clock | None = None
    is_alike: bool = False

    @property
    def variant(self) -> Variant:
        """The game's variant."""
        return self.stored.variant

    @property
    def address(self) -> str:
        """The address of its page, which is new to a browser when it waits for the player again."""
        if self.offer is not None:
            return _ADDRESSES[self.offer](self.stored)
        if self.place.section is Section.YOUR_TURN:
            return turn_address(self.stored)
        return f"/play/{self.stored.id}"

    @property
    def is_challenge(self) -> bool:
        """Whether the game starts only if the player accepts it."""
        return self.offer in (Offer.CHALLENGE, Offer.REMATCH)

    @property
    def is_time_up(self) -> bool:
        """Whether the deadline has passed."""
        return self.time_left is not None and self.time_left <= timedelta(0)

    @property
    def time_in_words(self) -> str | None:
        """The time until the deadline as lists say it, None if there is none."""
        return None if self.time_left is None else str(time_left(self.time_left))


def entry_of(
    game: StoredGame, place: Place, clock: Clock | None, player: Player, now: datetime
) -> GameEntry:
    """Return a game at its place in the list of a player, as the player is shown it at a time.

    `clock` is its running clock, if it has one.
    """
    # A challenged player has no seat yet: theirs is the one that is kept.
    side = game.side_of(player.id) or game.reserved_side or game.turn
    is_your_turn = game.is_playing and game.mover.player_id == player.id
    deadline = game.lapses_at or (clock.deadline if clock is not None else None)
    return GameEntry(
        stored=game,
        side=None if game.is_solo else side,
        opponent=None if game.is_solo else game.seat(side.other).name,
        is_your_turn=is_your_turn,
        offer=_offer(game, player, side),
        place=place,
        deadline=deadline,
        time_left=None if deadline is None else deadline - now,
        is_claimable=clock is not None
        and not game.can_be_aborted
        and not is_your_turn
        and clock.state(now) is ClockState.CLAIMABLE,
        clock=clock,
    )


def _offer(game: StoredGame, player: Player, side: Side) -> Offer | None:
    """Return the offer that the opponent has made in a game, or None."""
    if game.reserved_side is not None and game.challenged_player_id == player.id:
        return Offer.REMATCH if game.previous_id else Offer.CHALLENGE
    if game.draw_offered_by is side.other:
        return Offer.DRAW
    return Offer.TAKEBACK if game.takeback_asked_by is side.other else None


def with_unique_labels(
    entries: Sequence[GameEntry], *, tells_state: bool = False
) -> Sequence[GameEntry]:
    """Return entries with `is_alike` set on those that would have the same label.

    `tells_state` is for lists that also say the player's side, the move and the time left.
    """
    names = [
        (
            (each.variant.key, each.opponent, each.stored.is_solo),
            (each.place.section, each.side, each.stored.ply, each.time_in_words)
            if tells_state
            else None,
        )
        for each in entries
    ]
    count = Counter(names)
    return [
        replace(each, is_alike=count[name] > 1) for each, name in zip(entries, names, strict=True)
    ]


def query_of(place: Place, *, backwards: bool) -> str:
    """Return the query of the slice that follows a place, or of the one before it.

    >>> moment = paging.decode_moment("f4240")
    >>> query_of(Place(Section.WAITING, NEVER, moment, "k3x7m2pqrt"), backwards=False)
    'after-2-never-f4240-k3x7m2pqrt'
    """
    deadline = _NEVER if place.deadline == NEVER else f"{place.deadline:x}"
    moved_at = paging.encode_moment(place.moved_at)
    direction = "before" if backwards else "after"
    return f"{direction}-{place.section:d}-{deadline}-{moved_at}-{place.game_id}"


def place_in(query: str) -> tuple[Place, bool] | None:
    """Return the place that a query names, and whether it leads backwards from there, or None.

    >>> place_in("before-2-never-f4240-k3x7m2pqrt")[0].section, place_in("k3x7m2pqrt")
    (<Section.WAITING: 2>, None)
    """
    match = _PLACE.fullmatch(query)
    if match is None:
        return None
    direction, section, deadline, moved_at, game_id = match.groups()
    place = Place(
        Section(int(section)),
        NEVER if deadline == _NEVER else int(deadline, 16),
        paging.decode_moment(moved_at),
        game_id,
    )
    return place, direction == "before"
