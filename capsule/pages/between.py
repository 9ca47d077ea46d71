"""What a game's page shows of what goes on between its players: time, offers, plans, rematches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule import challenges, conditional
from capsule.clock import LAPSE, Stand
from capsule.game import CHALLENGED, WAITING
from engine import Side

if TYPE_CHECKING:
    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.players import Player


def between_players(site: Site, game: Game, player: Player | None) -> dict[str, object]:
    """Return what the templates show of it to this player, or to a stranger."""
    stored = game.stored
    clock = game.clock
    rematch = challenges.rematch_of(site, game)
    plan = conditional.plan_of(site, game, player)
    waits = stored.status == CHALLENGED or (stored.status == WAITING and stored.listed)
    return {
        "clock": clock,
        "is_time_up": clock is not None and clock.stand(game.now) is Stand.CLAIMABLE,
        "may_claim": game.may_claim(player),
        "vacations": [
            (side.value, vacation.ends)
            for side in Side
            if (vacation := game.vacation_of(side)) is not None
        ],
        "lapses": stored.created_at + LAPSE if waits else None,
        "challenged": challenges.challenged_names(site, [stored]).get(stored.id),
        "kept_side": game.kept_side and game.kept_side.value,
        "may_answer_challenge": game.may_answer_challenge(player),
        "may_take_back": game.may_take_back(player),
        "may_answer_takeback": game.may_answer_takeback(player),
        "taken_back": _taken_back(game, player),
        "may_plan": conditional.may_plan(game, player),
        "plan": conditional.in_words(game.position, plan),
        "rematch": rematch,
        "rematch_side": rematch and ("X" if rematch.x_player_id is None else "O"),
        "may_offer_rematch": challenges.may_offer_rematch(game, rematch, player),
        "may_answer_rematch": challenges.may_answer_rematch(rematch, player),
        "is_rematch_on": challenges.is_on(rematch),
    }


def _taken_back(game: Game, player: Player | None) -> str:
    """Return the moves that a takeback would remove: the one asked for, or the player's own."""
    side = game.side_acting_for(player)
    asker = game.stored.takeback_asked_by or (side and side.value)
    if game.is_solo and game.recent:
        asker = game.recent[-1].side
    ply = game.ply_of_takeback(asker)
    if ply is None:
        return ""
    return ", ".join(move.move for move in game.recent if move.ply > ply)
