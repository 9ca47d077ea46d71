"""The page where players sign in and find their games, those that need them first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from typing import TYPE_CHECKING

from capsule.accounts import identity, players
from capsule.accounts.pages.devices import expiry, link_path
from capsule.games import reading, vacations
from capsule.games.clock import ClockState
from capsule.gemini.types import Response
from capsule.moderation.pages.notices import notice_section
from capsule.play import challenges
from capsule.play.vacation_page import SUBJECT as VACATION
from capsule.social import messages
from capsule.ui import responses
from capsule.ui.render import translate
from engine import Variant
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.clock import Clock, Vacation
    from capsule.games.model import StoredGame
    from capsule.gemini.types import Request
    from capsule.social.model import IncomingMessage
    from capsule.ui.routes import Routes
    from engine import Side, Variant


NEVER = datetime.max.replace(tzinfo=UTC)


class Offer(Enum):
    """An offer that an opponent may make."""

    CHALLENGE = auto()
    REMATCH = auto()
    DRAW = auto()
    TAKEBACK = auto()


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in a player's list.

    `side` is the player's, None in a solo game; `opponent` is None there and while a seat is open.
    `deadline` is the end of the time for the move, or when a challenge or an open seat lapses, and
    `time_left` is the time until then. Both are None if there is no deadline.
    """

    stored: StoredGame
    side: Side | None
    opponent: str | None
    is_your_turn: bool
    offer: Offer | None
    deadline: datetime | None
    time_left: timedelta | None
    is_claimable: bool

    @property
    def variant(self) -> Variant:
        """The game's variant."""
        return self.stored.variant

    @property
    def is_challenge(self) -> bool:
        """Whether the game starts only if the player accepts it."""
        return self.offer in (Offer.CHALLENGE, Offer.REMATCH)

    @property
    def offers_draw(self) -> bool:
        """Whether the opponent offers a draw."""
        return self.offer is Offer.DRAW

    @property
    def asks_takeback(self) -> bool:
        """Whether the opponent asks to take a move back."""
        return self.offer is Offer.TAKEBACK

    @property
    def offers_rematch(self) -> bool:
        """Whether the opponent offers a rematch."""
        return self.offer is Offer.REMATCH


def your_games(context: AppContext, request: Request) -> Response:
    """Return the page of the player's games; given a game or tournament as query, redirect there.

    Only this page asks for a certificate, so that a browser uses one for all of `/play/`.
    """
    try:
        visitor = identity.signed_in(context, request)
    except identity.CertificateMissing:
        return Response(
            60,
            translate(message("Choose or make a client certificate: it is the key to your games")),
        )
    if request.query and re.fullmatch("(tournaments/)?[a-z2-7]{10}", request.query):
        return responses.redirect(f"/play/{request.query}")
    player = visitor.player
    if player is None:
        return responses.page(
            visitor.preferences,
            "play/welcome.gmi",
            naming=players.naming(context, identity.certificate_of(visitor)),
            name_key=visitor.account_key(context, "account"),
            link=link_path(context, visitor),
        )
    return responses.page(
        visitor.preferences,
        "play/your_games.gmi",
        page=_read_page(context, player),
        ending=expiry(context, visitor),
        vacation_key=visitor.account_key(context, VACATION),
        notices=notice_section(context, visitor),
    )


@dataclass(frozen=True, slots=True)
class YourGamesPage:
    """A player's games, those that need the player first, with messages and vacation.

    `your_turn` and `waiting` are in the order of their deadlines, but games to claim come first.
    `offers` await the player's answer; `ended` are the last games to end. `challenged` has the
    names of the players for whom seats are kept, by game id.
    """

    player: Player
    your_turn: Sequence[GameEntry]
    offers: Sequence[GameEntry]
    waiting: Sequence[GameEntry]
    ended: Sequence[StoredGame]
    challenged: Mapping[str, str]
    messages: Sequence[IncomingMessage]
    vacation: Vacation | None
    vacation_days: int

    @property
    def count_waiting_for_you(self) -> int:
        """The number of games that wait for the player to move or to answer an offer."""
        return len(self.your_turn) + len(self.offers)

    @property
    def has_games(self) -> bool:
        """Whether any game is running."""
        return bool(self.your_turn or self.waiting or self.offers)


def _read_page(context: AppContext, player: Player) -> YourGamesPage:
    now = context.clock()
    with context.database.reading() as connection:
        running, ended = reading.games_of(context, connection, player)
        clocks = reading.clocks_of(connection, running)
        received = reading.challenges_to(context, connection, player)
        vacation, vacation_days = vacations.vacation_of(context, connection, player)
        challenged = challenges.challenged_names(connection, running)
        recent = messages.recent_messages(context, connection, player)
    entries = sorted(
        (_entry(game, clocks.get(game.id), player, now) for game in running),
        key=lambda entry: (entry.deadline or NEVER, entry.stored.moved_at, entry.stored.id),
    )
    others = [entry for entry in entries if not entry.is_your_turn]
    return YourGamesPage(
        player=player,
        your_turn=[entry for entry in entries if entry.is_your_turn],
        offers=[
            *(_entry(game, None, player, now) for game in received),
            *(entry for entry in others if entry.offer),
        ],
        waiting=sorted(
            (entry for entry in others if not entry.offer),
            key=lambda entry: not entry.is_claimable,
        ),
        ended=ended,
        challenged=challenged,
        messages=recent,
        vacation=vacation,
        vacation_days=vacation_days,
    )


def _entry(game: StoredGame, clock: Clock | None, player: Player, now: datetime) -> GameEntry:
    # A challenged player has no seat yet: theirs is the one that is kept.
    side = game.side_of(player.id) or game.reserved_side or game.turn
    is_your_turn = game.mover.player_id == player.id
    deadline = game.lapses_at or (clock.deadline if clock is not None else None)
    return GameEntry(
        stored=game,
        side=None if game.is_solo else side,
        opponent=None if game.is_solo else game.seat(side.other).name,
        is_your_turn=is_your_turn,
        offer=_offer(game, player, side),
        deadline=deadline,
        time_left=None if deadline is None else deadline - now,
        is_claimable=clock is not None
        and not game.can_be_aborted
        and not is_your_turn
        and clock.state(now) is ClockState.CLAIMABLE,
    )


def _offer(game: StoredGame, player: Player, side: Side) -> Offer | None:
    """Return the offer that the opponent has made in a game, or None."""
    if game.reserved_side is not None and game.challenged_player_id == player.id:
        return Offer.REMATCH if game.previous_id else Offer.CHALLENGE
    if game.draw_offered_by is side.other:
        return Offer.DRAW
    return Offer.TAKEBACK if game.takeback_asked_by is side.other else None


ROUTES: Routes = (("/play/", your_games),)
