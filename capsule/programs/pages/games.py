"""Pages for programs: a game's state, their desk, open seats, and the ways to start a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.context import reading
from capsule.games import listing
from capsule.games.reading import load_games
from capsule.play import starting, terms
from capsule.play.desk import desk_of
from capsule.play.pages import new_game
from capsule.play.visits import visit_of
from capsule.programs import declaring
from capsule.programs.answers import answer, in_json, refusal
from capsule.programs.pages import declaration
from capsule.programs.states import states_of
from capsule.ui import query_terms
from capsule.ui.render import translate
from capsule.ui.routes import ANY, GAME, KEY, VARIANT
from engine.bots import levels_of
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.identity import Visitor
    from capsule.context import AppContext, Transaction
    from capsule.gemini.types import Request, Response, Wait
    from capsule.ui.routes import Routes

MAX_SEATS = 50
"""The greatest number of open seats in one list."""


@reading
def state(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the state of a game, with the visitor's actions there."""
    visit = visit_of(transaction, request, game_id)
    (fields,) = states_of(transaction, visit.visitor, [visit.game])
    return answer(**fields)


@reading
def desk(transaction: Transaction, request: Request) -> Response:
    """Return the games that wait for the player, the most urgent first, and the challenges.

    After them come the player's games with an open seat, which nobody else is shown.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    connection, player = transaction.connection, visitor.player
    if player is None:
        declare = declaration_address(context, visitor)
        return answer(player=None, games=[], challenges=[], open=[], declare=declare)
    entries = desk_of(context, connection, player)
    seats = starting.games_offered_by(transaction, player, MAX_SEATS)
    games = load_games(transaction, [*(entry.stored for entry in entries), *seats])
    found = states_of(transaction, visitor, games)
    states, offered = found[: len(entries)], found[len(entries) :]
    are_challenges = [entry.is_challenge for entry in entries]
    may_declare = declaring.may_declare(connection, player)
    return answer(
        player=player.name,
        games=[state for state, asked in zip(states, are_challenges, strict=True) if not asked],
        challenges=[state for state, asked in zip(states, are_challenges, strict=True) if asked],
        open=offered,
        declare=declaration_address(context, visitor) if may_declare else None,
    )


def declare(context: AppContext, request: Request, key: str) -> Response | Wait:
    """Make the player a program, as its page does, and return its desk."""
    done = declaration.DECLARE(context, request, key)
    return in_json(done, lambda _address: desk(context, request))


def declaration_address(context: AppContext, visitor: Visitor) -> str:
    """Return the address at which a program says that it is one."""
    key = visitor.account_key(context, declaration.SUBJECT)
    return f"/play/me/{key}/program/declare.json"


@reading
def open_seats(transaction: Transaction, request: Request) -> Response:
    """Return the games with a seat that anybody may take: everybody's first seats, then others.

    The visitor's own, and those of players with whom they have nothing to do, are left out. The
    query is the place at which the list goes on, from `next`; any other counts as none.
    """
    visitor = identity.visitor_of(transaction, request)
    place = listing.decode_place(request.query or "")
    found = starting.seats_to_take(transaction, visitor.player, None, MAX_SEATS, place)
    beyond = found.beyond
    games = load_games(transaction, found.games)
    waiting = [game for game in games if game.stored.open_side is not None]
    states = states_of(transaction, visitor, waiting)
    onwards = None if beyond is None else f"/games/open.json?{listing.encode_place(beyond)}"
    return answer(games=states, next=onwards)


@reading
def keys(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the addresses that start a game of a variant, on the terms in the query.

    One of them can be used, once: an action makes the other addresses outdated.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    try:
        chosen = terms.read(request.query)
    except query_terms.TermsRefused:
        return refusal_of_terms(_TERMS)
    base = f"/play/new/{variant}/{visitor.account_key(context, new_game.SUBJECT)}"
    query = f"?{chosen.query}" if chosen.query else ""
    in_path = f"{chosen.query}/" if chosen.query else ""
    return answer(
        **{str(way): f"{base}/{way}.json{query}" for way in starting.Invitation},
        bots={name: f"{base}/{starting.BOT}{name}.json{query}" for name in levels_of(variant)},
        challenge=f"{base}/{in_path}challenge.json",
    )


def refusal_of_terms(readable: str) -> Response:
    """Return the answer to terms in a query that cannot be read."""
    return refusal(translate(message("These terms cannot be read: {terms}", terms=readable)))


_TERMS = (
    "side=x|o|draw, days=1|2|3|5|7|14|none, listed=no|yes|people|bots|seat, "
    "rated=yes|no, from=moves"
)

ROUTES: Routes = (
    (r"/play/desk\.json", desk),
    (r"/games/open\.json", open_seats, listing.PLACE_PATTERN),
    (rf"/play/new/{VARIANT}/keys\.json", keys, ANY),
    (rf"/play/{GAME}/state\.json", state),
    (rf"/play/me/{KEY}/program/declare\.json", declare, ANY),
)
