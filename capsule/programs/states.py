"""The state of games in JSON: public facts, and a player's actions.

The names of the fields are a contract: fields are added, never renamed.
`/help/programs/json` documents them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import TypeAlias

from capsule.accounts.identity import Visitor
from capsule.context import AppContext, Transaction
from capsule.games import public_lists, queries as game_queries, rated
from capsule.games.game import Game
from capsule.games.model import Seat, StoredGame
from capsule.games.point_of_view import PointOfView, view_of
from capsule.gemini.types import Response, Status, Wait
from capsule.ratings.model import Rating
from capsule.ui import responses
from engine import Position, Side

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | float | bool | None"
"""A value that JSON can represent."""

MAX_LEGAL_MOVES = 200
"""The largest number of legal moves that a state lists."""


def states_of(
    transaction: Transaction, visitor: Visitor, games: Sequence[Game]
) -> Sequence[Mapping[str, Json]]:
    """Return the states of games in their order, each with the visitor's actions there."""
    connection = transaction.connection
    stored = [game.stored for game in games]
    as_they_will_be = rated.foreseen(transaction, stored, visitor.player)
    shown = [replace(game, stored=each) for game, each in zip(games, as_they_will_be, strict=True)]
    listed = public_lists.with_ratings(connection, [game.stored for game in shown])
    moves = game_queries.moves_of_games(connection, {game.id: (0, game.ply) for game in shown})
    return [
        {
            **_facts(game, [move.move for move in moves[game.id]], each.ratings),
            **_for_player(transaction.context, visitor, game),
        }
        for game, each in zip(shown, listed, strict=True)
    ]


def _facts(game: Game, moves: Sequence[str], ratings: Mapping[Side, Rating]) -> dict[str, Json]:
    """Return the public facts of a game."""
    stored, clock = game.stored, game.clock
    left = None if clock is None else clock.deadline - game.now
    return {
        "id": stored.id,
        "variant": stored.variant.key,
        "moves": moves,
        "players": {str(side): _seat(stored.seat(side), ratings.get(side)) for side in Side},
        "status": stored.status,
        "reason": stored.end_reason,
        "ended_by": None if stored.ended_by is None else str(stored.ended_by),
        "challenged": stored.challenged.recorded_name,
        "winner": None if stored.winner is None else str(stored.winner),
        "points": stored.points,
        "turn": str(game.position.turn) if game.is_running else None,
        "ply": game.ply,
        "start": stored.start_ply,
        "rated": rated.may_count(stored) if stored.is_running else rated.counts(stored),
        "days_per_move": stored.days_per_move,
        "seconds_left": None if left is None else max(0, int(left.total_seconds())),
        "created": written(stored.created_at),
        "ended": None if stored.ended_at is None else written(stored.ended_at),
        "tournament": stored.tournament_id,
        "rematch": stored.next_id,
        "page": page_of(stored),
    }


def page_of(game: StoredGame) -> str:
    """Return the address of a game's page."""
    return f"/play/{game.id}"


def _seat(seat: Seat, rating: Rating | None) -> Json:
    """Return the holder of a seat, None while it is empty."""
    if seat.is_empty:
        return None
    return {
        "name": seat.recorded_name,
        "bot": seat.bot is not None,
        "program": seat.is_program,
        "rating": None if rating is None else rating.number,
    }


def _for_player(context: AppContext, visitor: Visitor, game: Game) -> Mapping[str, Json]:
    """Return what a visitor may do in a game: nothing without a certificate."""
    if visitor.certificate is None:
        return {}
    key = visitor.game_key(context, game.id, game.stored.turn_counter)
    actions = f"{page_of(game.stored)}/{key}"
    view = view_of(game, visitor.player)
    if view.is_seated:
        return {
            **(_for_mover(view, actions) if view.is_turn else {}),
            **_for_seated(context, visitor, view, actions),
        }
    if view.may_answer_challenge:
        return {"accept": f"{actions}/accept.json", "decline": f"{actions}/decline.json"}
    return {} if game.stored.open_side is None else {"join": f"{actions}/join.json"}


def _for_mover(view: PointOfView, actions: str) -> Mapping[str, Json]:
    return {
        "you": str(view.side),
        "legal_moves": _legal_moves(view.game.position),
        "move": f"{actions}/move.json",
        "draw": f"{actions}/draw.json" if view.may_offer_draw else None,
        "resign": f"{actions}/resign.json",
    }


def _for_seated(
    context: AppContext, visitor: Visitor, view: PointOfView, actions: str
) -> Mapping[str, Json]:
    """Return a player's actions that do not depend on the turn."""
    game = view.game
    turn = game.id, game.stored.turn_counter
    fields: dict[str, Json] = {"seat": str(view.side)}
    if game.stored.can_be_aborted:
        fields["abort"] = f"{actions}/abort.json"
    if view.may_claim:
        fields["claim"] = f"{actions}/claim.json"
    offers = []
    if view.may_answer_draw:
        offers.append(_offer("draw", game.stored, visitor.draw_key(context, *turn)))
    if view.may_answer_takeback:
        offers.append(_offer("takeback", game.stored, visitor.takeback_key(context, *turn)))
    return {**fields, "offers": offers}


def _offer(kind: str, game: StoredGame, key: str) -> Json:
    return {
        "kind": kind,
        "accept": f"{page_of(game)}/{key}/accept.json",
        "decline": f"{page_of(game)}/{key}/decline.json",
    }


def _legal_moves(position: Position) -> Sequence[str] | None:
    """Return the legal moves of a position, None if there are too many to list."""
    moves = list(islice(position.legal_moves(), MAX_LEGAL_MOVES + 1))
    return None if len(moves) > MAX_LEGAL_MOVES else moves


def written(moment: datetime) -> str:
    """Return a time as text, in UTC and whole seconds."""
    whole = moment.astimezone(UTC).replace(microsecond=0)
    return whole.isoformat().replace("+00:00", "Z")


KIND = "application/json; charset=utf-8"
"""The META of every answer."""

VERSION = 1
"""The version in each answer: programs for this one do not understand another."""


def answer(**fields: Json) -> Response:
    """Return an answer with these fields, after its version."""
    return responses.text(json.dumps({"version": VERSION, **fields}, ensure_ascii=False), KIND)


def refusal(sentence: str) -> Response:
    """Return the answer that says why not."""
    return answer(error=sentence)


def in_json(
    browser_answer: Response | Wait, at_address: Callable[[str], Response]
) -> Response | Wait:
    """Return the JSON for a program in place of the answer that a browser would get.

    If the browser is redirected, `at_address` returns the program's answer; if it is asked again or
    refused, the program receives the same sentence. Errors of the protocol, such as 44, are the
    same for both.
    """
    if isinstance(browser_answer, Response):
        return _response_in_json(browser_answer, at_address)
    return replace(
        browser_answer,
        finish=lambda: _response_in_json(browser_answer.finish(), at_address),
        fallback=_response_in_json(browser_answer.fallback, at_address),
    )


def _response_in_json(response: Response, at_address: Callable[[str], Response]) -> Response:
    if response.status == Status.REDIRECT and not response.reason:
        return at_address(response.meta)
    if response.status in (Status.INPUT, Status.SENSITIVE_INPUT):
        return refusal(response.reason or response.meta)
    if response.status in (Status.SUCCESS, Status.REDIRECT):
        return refusal(response.reason)
    return response
