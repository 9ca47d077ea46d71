"""The JSON that programs read and send."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from capsule.accounts import identity
from capsule.accounts.pages.action import Action, ActionsOf, Attempt, newcomer
from capsule.context import AppContext, Transaction, reading
from capsule.feature import Feature
from capsule.games import public_lists
from capsule.games.reading import load_games
from capsule.gemini.types import Request, Response, Wait
from capsule.play import starting
from capsule.play.desk import desk_of
from capsule.play.pages import actions, new_game
from capsule.play.pages.game import visit_of
from capsule.programs import declaring
from capsule.programs.states import Json, answer, in_json, refusal, states_of, written
from capsule.tournaments.model import Tournament, TournamentStatus
from capsule.tournaments.pages import JOIN, tournament_key
from capsule.tournaments.queries import find_tournament, load_tournament, tournaments_of_status
from capsule.ui import paging, render, responses, typed_words
from capsule.ui.routes import ANY, GAME, KEY, TOURNAMENT, VARIANT, Routes, named, one_of
from engine import Message, message
from engine.bots import levels_of

SUBJECT = "program"
"""The subject of the keys of these actions."""

HERE = "/play/me/program"


@reading
def overview(transaction: Transaction, request: Request) -> Response:
    """Return the page that says what a program is, and which challenges the player takes."""
    visitor = identity.signed_in(transaction, request)
    player = visitor.player
    return responses.page(
        visitor.preferences,
        "programs/program.gmi",
        program=player if player is not None and player.is_program else None,
        may_declare=declaring.may_declare(transaction.connection, player),
        key=visitor.account_key(transaction.context, SUBJECT),
        other_kinds=(*declaring.PACES, *declaring.RATINGS),
    )


def _ask(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    declaring.require_may_declare(transaction.connection, attempt.visitor.player)
    return [message("Type {word} to become one for good")]


DECLARE = Action(
    name="declare",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    asks=_ask,
    word=typed_words.PROGRAM,
    does=lambda transaction, attempt: declaring.declare(transaction, attempt.player),
    makes_player=newcomer,
)

CHOOSE = Action(
    name="choose",
    counter=ActionsOf(SUBJECT),
    back=HERE,
    does=lambda transaction, attempt: declaring.take_challenges(
        transaction, attempt.player, attempt["word"], takes=attempt["choice"] == "take"
    ),
)


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

    Then come the player's games with an open seat, which only the player sees.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    connection, player = transaction.connection, visitor.player
    key = visitor.account_key(context, SUBJECT)
    may_declare = declaring.may_declare(connection, player)
    declare = f"/play/me/{key}/program/declare.json" if may_declare else None
    if player is None:
        return answer(player=None, games=[], challenges=[], open=[], declare=declare)
    entries = desk_of(transaction, player)
    seats = starting.games_offered_by(transaction, player, MAX_SEATS)
    games = load_games(transaction, [*(entry.stored for entry in entries), *seats])
    found = states_of(transaction, visitor, games)
    waiting = [*zip(entries, found, strict=False)]
    return answer(
        player=player.name,
        games=[state for entry, state in waiting if not entry.is_challenge],
        challenges=[state for entry, state in waiting if entry.is_challenge],
        open=found[len(entries) :],
        declare=declare,
    )


def declare(context: AppContext, request: Request, key: str) -> Response | Wait:
    """Make the player a program, as its page does, and return its desk."""
    done = DECLARE(context, request, key)
    return in_json(done, lambda _address: desk(context, request))


@reading
def open_seats(transaction: Transaction, request: Request) -> Response:
    """Return the games with an open seat: each player's first, then the others.

    The visitor's own are left out, as are those of players whom a block separates from the visitor.
    The query is the place at which the list continues, from `next`; any other counts as none.
    """
    visitor = identity.visitor_of(transaction, request)
    place = public_lists.decode_place(request.query or "")
    found, beyond = starting.seats_to_take(transaction, visitor.player, None, MAX_SEATS, place)
    games = load_games(transaction, found)
    waiting = [game for game in games if game.stored.open_side is not None]
    states = states_of(transaction, visitor, waiting)
    onwards = None if beyond is None else f"/games/open.json?{public_lists.encode_place(beyond)}"
    return answer(games=states, next=onwards)


@reading
def keys(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the addresses that start a game of a variant, on the terms in the query.

    One of them can be used, once: an action makes the other addresses outdated.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    try:
        chosen = starting.read_terms(request.query)
    except paging.TermsRefused:
        return refusal_of_terms(_TERMS)
    base = f"/play/new/{variant}/{visitor.account_key(context, new_game.SUBJECT)}"
    ways = {str(way): f"{base}/{way}.json?{chosen.query}" for way in starting.Invitation}
    bots = {name: f"{base}/{starting.BOT}{name}.json?{chosen.query}" for name in levels_of(variant)}
    return answer(**ways, bots=bots, challenge=f"{base}/{chosen.query}/challenge.json")


def refusal_of_terms(readable: str) -> Response:
    """Return the answer to terms in a query that cannot be read."""
    return refusal(render.translate(message("These terms cannot be read: {terms}", terms=readable)))


_TERMS = (
    "side=x|o|draw, days=1|2|3|5|7|14|none, listed=no|yes|people|bots|seat, "
    "rated=yes|no, from=moves"
)


VERBS = tuple(verb for verb in actions.VERBS if verb not in {"hint", "plan", "forget"})
"""The actions of programs in a game: those of people, without hints and notes."""

_VERBS_WITH_TERMS = ("join", "accept", "rematch")

_GAME_PAGE = re.compile(f"/play/{GAME}")


def act(
    context: AppContext, request: Request, game_id: str, key: str, verb: str
) -> Response | Wait:
    """Take an action in a game, as a browser does, and return the new state of the game."""
    if verb in _VERBS_WITH_TERMS:
        try:
            actions.listing_in(request.query)
        except paging.TermsRefused:
            return refusal_of_terms("listed=yes|no")
    done = actions.act(context, request, game_id, key, verb)
    return in_json(done, partial(_state_at, context, request))


def start(
    context: AppContext, request: Request, variant: str, key: str, way: str
) -> Response | Wait:
    """Start a game, as a browser does, and return its state."""
    done = new_game.START(context, request, key, variant=variant, way=way)
    return in_json(done, partial(_state_at, context, request))


def challenge(
    context: AppContext, request: Request, variant: str, key: str, encoded_terms: str | None
) -> Response | Wait:
    """Challenge the player whom the query names, and return the state of the game."""
    named = {"variant": variant, "encoded_terms": encoded_terms}
    done = new_game.CHALLENGE(context, request, key, **named)
    return in_json(done, partial(_state_at, context, request))


def _state_at(context: AppContext, request: Request, address: str) -> Response:
    """Return the state of the game to which a browser would be led."""
    game = _GAME_PAGE.fullmatch(address)
    if game is None:
        return refusal(
            render.translate(
                message("This address is no longer yours to use: ask for the addresses again")
            )
        )
    return state(context, request, game["game_id"])


MAX_TOURNAMENTS = 20
"""Tournaments that the list of them has."""


@reading
def open_tournaments(transaction: Transaction, request: Request) -> Response:
    """Return the tournaments that have not started, the latest first."""
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    found = [
        load_tournament(transaction, each)
        for each in tournaments_of_status(
            transaction.connection, TournamentStatus.ANNOUNCED, MAX_TOURNAMENTS
        )
    ]
    return answer(tournaments=[_state(context, visitor, each) for each in found if each.is_open])


def join(context: AppContext, request: Request, tournament_id: str, key: str) -> Response | Wait:
    """Take a seat in a tournament, as a browser does, and return its state."""
    done = JOIN(context, request, key, tournament_id=tournament_id)
    return in_json(done, lambda _: _tournament(context, request, tournament_id))


@reading
def _tournament(transaction: Transaction, request: Request, tournament_id: str) -> Response:
    tournament = find_tournament(transaction, tournament_id)
    visitor = identity.visitor_of(transaction, request)
    return answer(**_state(transaction.context, visitor, tournament))


def _state(
    context: AppContext, visitor: identity.Visitor, tournament: Tournament
) -> Mapping[str, Json]:
    stored = tournament.stored
    fields: dict[str, Json] = {
        "id": stored.id,
        "title": stored.title,
        "variant": stored.variant.key,
        "status": stored.status,
        "seats": stored.seat_count,
        "taken": len(tournament.seats),
        "rated": stored.rated,
        "days_per_move": stored.days_per_move,
        "starts": None if stored.starts_at is None else written(stored.starts_at),
        "page": stored.path,
    }
    if visitor.certificate is not None and tournament.may_join(visitor.player):
        key = tournament_key(context, visitor, stored)
        fields["join"] = f"{stored.path}/{key}/join.json"
    return fields


ROUTES: Routes = (
    *named(
        "programs.pages.declaration",
        (
            (HERE, overview),
            (f"/play/me/{KEY}/program/declare", DECLARE, ANY),
            (
                (
                    f"/play/me/{KEY}/program/(?P<word>[a-z0-9]+)/"
                    f"{one_of('choice', ('take', 'decline'))}"
                ),
                CHOOSE,
            ),
        ),
    ),
    *named(
        "programs.pages.games",
        (
            (r"/play/desk\.json", desk),
            (r"/games/open\.json", open_seats, public_lists.PLACE_PATTERN),
            (rf"/play/new/{VARIANT}/keys\.json", keys, ANY),
            (rf"/play/{GAME}/state\.json", state),
            (rf"/play/me/{KEY}/program/declare\.json", declare, ANY),
        ),
    ),
    *named(
        "programs.pages.actions",
        (
            (rf"/play/{GAME}/{KEY}/{one_of('verb', VERBS)}\.json", act, ANY),
            (rf"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}\.json", start, ANY),
            (
                rf"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge\.json",
                challenge,
                ANY,
            ),
        ),
    ),
    *named(
        "programs.pages.tournaments",
        (
            (r"/play/tournaments/open\.json", open_tournaments),
            (rf"/play/tournaments/{TOURNAMENT}/{KEY}/join\.json", join, ANY),
        ),
    ),
)

FEATURE = Feature(ROUTES)
