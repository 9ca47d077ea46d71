"""Where players sign in and find their games, sorted by what needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from capsule.accounts import identity, players
from capsule.accounts.pages.devices import expiry, link_path
from capsule.games import reading, vacations
from capsule.games.clock import OFFER_LIFETIME, ClockState
from capsule.games.model import ABORT_BEFORE
from capsule.games.status import CHALLENGED, WAITING
from capsule.gemini.types import Response
from capsule.moderation.pages.notices import from_operator
from capsule.play import challenges
from capsule.play.vacation_page import SUBJECT as VACATION
from capsule.social import messages
from capsule.ui import responses
from capsule.ui.render import translate
from engine import VARIANTS, Variant
from engine.game import message

if TYPE_CHECKING:
    from datetime import timedelta

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.clock import Clock
    from capsule.games.queries import StoredGame
    from capsule.gemini.types import Request


NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class GameEntry:
    """A game in a player's list.

    `side` is theirs, None in a game that they play alone; `opponent` is None there and while a seat
    is open. `until` is when something happens by itself: a move's time is up, a challenge lapses.
    """

    stored: StoredGame
    side: str | None
    opponent: str | None
    is_yours: bool
    offer: str | None
    until: datetime | None
    left: timedelta | None
    is_claimable: bool

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return VARIANTS[self.stored.variant]


def your_games(context: AppContext, request: Request) -> Response:
    """Return the player's games; with a game or tournament as query, sign in and go on to it.

    This is the one page that asks for a certificate, so that a browser uses it for all of `/play/`.
    """
    try:
        visitor = identity.signed_in(context, request)
    except identity.CertificateMissing:
        return Response(
            60,
            translate(message("Choose or make a client certificate: it is your key to your games")),
        )
    if request.query and re.fullmatch("(tournaments/)?[a-z2-7]{10}", request.query):
        return responses.redirect(f"/play/{request.query}")
    player = visitor.player
    if player is None:
        return responses.page(
            visitor.reader,
            "play/welcome.gmi",
            naming=players.naming(context, identity.certificate_of(visitor)),
            name_key=visitor.account_key(context, "account"),
            link=link_path(context, visitor),
        )
    running, ended = reading.games_of(context, player)
    clocks = reading.clocks_of(context, running)
    now = context.clock()
    entries = sorted(
        (_entry(game, clocks.get(game.id), player, now) for game in running),
        key=lambda entry: (entry.until or NEVER, entry.stored.moved_at, entry.stored.id),
    )
    yours = [entry for entry in entries if entry.is_yours]
    others = [entry for entry in entries if not entry.is_yours]
    to_answer = [_entry(game, None, player, now) for game in reading.challenges_to(context, player)]
    vacation, vacation_days = vacations.vacation_of(context, player)
    return responses.page(
        visitor.reader,
        "play/your_games.gmi",
        player=player,
        ending=expiry(context, visitor),
        **from_operator(context, visitor),
        variants=VARIANTS,
        your_turn=yours,
        offers=[*to_answer, *(entry for entry in others if entry.offer)],
        waiting=sorted(
            (entry for entry in others if not entry.offer),
            key=lambda entry: not entry.is_claimable,
        ),
        ended=ended,
        written=messages.recent_messages(context, player),
        challenged=challenges.challenged_names(context, running),
        vacation=vacation,
        vacation_days=vacation_days,
        vacation_key=visitor.account_key(context, VACATION),
    )


def _entry(game: StoredGame, clock: Clock | None, player: Player, now: datetime) -> GameEntry:
    is_solo = game.x_player_id == game.o_player_id
    is_x = game.x_player_id == player.id or (
        game.status == CHALLENGED and game.x_player_id is None and game.o_player_id != player.id
    )
    side = "X" if is_x else "O"
    waits = game.status == CHALLENGED or (game.status == WAITING and game.listed)
    deadline = None if clock is None else clock.deadline
    until = game.created_at + OFFER_LIFETIME if waits else deadline
    mover = game.x_player_id if game.turn == "X" else game.o_player_id
    return GameEntry(
        stored=game,
        side=None if is_solo else side,
        opponent=None if is_solo else (game.o_name if is_x else game.x_name),
        is_yours=mover == player.id,
        offer=_offer(game, player, side),
        until=until,
        left=None if until is None else until - now,
        is_claimable=clock is not None
        and (game.ply >= ABORT_BEFORE or game.tournament_id is not None)
        and mover != player.id
        and clock.stand(now) is ClockState.CLAIMABLE,
    )


def _offer(game: StoredGame, player: Player, side: str) -> str | None:
    """Return what the opponent offers in a game, None where it is nothing."""
    if game.challenged_player_id == player.id and game.status == CHALLENGED:
        return "rematch" if game.previous_id else "challenge"
    if game.draw_offered_by not in (None, side):
        return "draw"
    return "takeback" if game.takeback_asked_by not in (None, side) else None
