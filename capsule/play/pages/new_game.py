"""Starting a game: the choice of an opponent for a game of one variant."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from capsule.accounts import identity, players
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages import action
from capsule.accounts.pages.account import expiry, link_path
from capsule.accounts.pages.action import Action, ActionsOf, Attempt, StaleNotice, Then, newcomer
from capsule.context import Transaction, reading
from capsule.errors import Refused
from capsule.games import rated
from capsule.games.eligibility import TooManyGames
from capsule.games.public_lists import ListedGame, with_ratings
from capsule.games.visibility import Listing, usual_listing
from capsule.gemini.types import Request, Response
from capsule.play import challenges, starting, terms
from capsule.play.pages import answers
from capsule.play.pages.answers import no_opponent, too_many_games
from capsule.play.pages.offered_terms import (
    OFFER_PATTERN,
    WITH_PATTERN,
    OfferedTerms,
    offered_terms,
    opponent_in,
)
from capsule.play.terms import (
    DEFAULT_TERMS,
    Beginning,
    beginning_of,
    minutes_of,
    nearest_levels,
    suggested_levels,
)
from capsule.ratings.update import RatedLevel, rated_levels
from capsule.ui import paging, responses
from capsule.ui.boards import easiest_first
from capsule.ui.routes import ANY, KEY, VARIANT, Routes, cacheable, named, one_of
from engine import VARIANTS, Variant
from engine.game import message

_LEVEL_PATTERN = "level=([a-z-]{1,24})"

_LEVEL = re.compile(f"(?:^|&){_LEVEL_PATTERN}$")

SUBJECT = "new game"
"""The subject of the action keys on these pages."""

MAX_WAITING = 2
"""Games to join that are looked for: the page has a link to the one, or to the list of several."""


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """The page on which a game of a variant is started, on the terms that are offered.

    `key` lets the visitor start a game, `levels` are those of the bots that it shows, and `waiting`
    are games with an open seat.
    """

    offered: OfferedTerms
    key: str
    levels: Sequence[RatedLevel]
    waiting: Sequence[ListedGame]

    def address(self, way: str) -> str:
        """Return the address that starts a game in one of the `starting.WAYS`."""
        chosen = self.offered.against_people
        listing = chosen.listed
        if way.startswith(starting.BOT):
            chosen = bot_terms(self.offered.against_bots)
        elif way == starting.Invitation.SOLO:
            # Listed on request: no setting is about games that somebody plays alone.
            is_asked_for = listing is Listing.ALL and self.offered.usual_listing is not Listing.ALL
            listing = Listing.ALL if is_asked_for else Listing.NONE
            chosen = replace(chosen, listed=listing, rated=False)
        elif way == starting.Invitation.OPEN and listing is Listing.NONE:
            chosen = replace(chosen, listed=Listing.SEAT)
        return f"{self.offered.base}/{self.key}/{way}?{chosen.query}"

    @property
    def challenge_address(self) -> str:
        """The address that challenges the opponent or, if there is none, asks for a name."""
        return challenge_address(
            self.offered.base, self.key, self.offered.against_people, self.offered.opponent
        )


def bot_terms(chosen: terms.GameTerms) -> terms.GameTerms:
    """Return the terms of a game against a bot, which is listed or not, as their address says."""
    listing = Listing.ALL if chosen.listed.with_bots else Listing.NONE
    return replace(chosen, listed=listing)


def challenge_address(
    base: str, key: str, chosen: terms.GameTerms, opponent: str | None = None
) -> str:
    """Return the address below a variant's that challenges a player, or asks for a name.

    The terms are in its path, since its query is the name.
    """
    name = f"?{opponent}" if opponent else ""
    return f"{base}/{key}/{chosen.query}/challenge{name}"


@cacheable
@reading
def choose_way(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with the ways to start a game of a variant, on the terms in the query.

    The terms, and the opponent before them, are in the addresses alone: nothing is stored until a
    game starts. Terms that cannot be read are ignored. A level of bots in the query comes first.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    level, query = level_in(request.query)
    offered = offered_terms(transaction, visitor.player, VARIANTS[variant], query)
    if (refused := no_opponent(transaction, visitor, offered.opponent)) is not None:
        return refused
    page = NewGamePage(
        offered=offered,
        key=visitor.account_key(context, SUBJECT),
        levels=()
        if offered.opponent
        else nearest_levels(transaction, visitor.player, variant, level),
        waiting=()
        if offered.opponent or offered.beginning.board
        else _waiting(transaction, visitor.player, variant),
    )
    return responses.page(
        visitor.preferences,
        "play/new_game.gmi",
        page=page,
        link=link_path(context, visitor),
        ending=expiry(visitor, transaction.now),
    )


def _waiting(transaction: Transaction, player: Player | None, variant: str) -> Sequence[ListedGame]:
    """Return the first games to join; the page says something of one that is the only one."""
    found = starting.seats_to_take(transaction, player, variant, MAX_WAITING).games
    if len(found) > 1:
        return [ListedGame(each, {}) for each in found]
    foreseen = rated.foreseen(transaction.connection, found, player, transaction.now)
    return with_ratings(transaction.connection, foreseen)


def level_in(query: str | None) -> tuple[str | None, str | None]:
    """Return the level of bots that a query names, None if it names none, and the rest of it.

    >>> level_in("from=b2=5,a1=2&side=x&level=novice"), level_in("days=3")
    (('novice', 'from=b2=5,a1=2&side=x'), (None, 'days=3'))
    """
    found = _LEVEL.search(query or "")
    return (None, query) if found is None else (found[1], (query or "")[: found.start()])


@cacheable
@reading
def choose_level(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with all levels of a variant's bots, on the terms in the query."""
    visitor = identity.signed_in(transaction, request)
    page = NewGamePage(
        offered=offered_terms(transaction, visitor.player, VARIANTS[variant], request.query),
        key=visitor.account_key(transaction.context, SUBJECT),
        levels=rated_levels(transaction.connection, variant),
        waiting=(),
    )
    return responses.page(visitor.preferences, "play/levels.gmi", page=page)


_NO_SUCH_TERMS = StaleNotice(
    message("Nobody was challenged: that link has terms that are not offered."),
    message("No game was started: that link has terms that are not offered."),
)
_NOT_STARTED = StaleNotice(
    message("No game was started: that page was out of date."),
    message("That link was out of date: no game was started."),
)
_NOT_CHALLENGED = StaleNotice(
    message("Nobody was challenged: that page was out of date."),
    message("That link was out of date: nobody was challenged."),
)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The terms of a new game, and where it begins."""

    terms: terms.GameTerms
    beginning: Beginning


def _chosen(transaction: Transaction, attempt: Attempt, query: str | None) -> _Chosen:
    """Return what the query of a link chooses; raises `TermsNotOffered`."""
    try:
        chosen = terms.read(query)
        return _Chosen(chosen, beginning_of(transaction, VARIANTS[attempt["variant"]], chosen))
    except paging.TermsRefused as error:
        raise starting.TermsNotOffered from error


def _refused(attempt: Attempt, refusal: Refused) -> Response | None:
    here, typed = f"/play/new/{attempt['variant']}", _name(attempt)
    if isinstance(refusal, TooManyGames):
        return too_many_games(attempt.visitor, refusal, here, typed)
    if isinstance(refusal, starting.TermsNotOffered):
        return action.with_notice(here, _NO_SUCH_TERMS, typed, is_own=True)
    return None


def _name(attempt: Attempt) -> str | None:
    """Return the name that was typed; the query of the other ways is the terms of their links."""
    return attempt.typed if "encoded_terms" in attempt.arguments else None


def _back(attempt: Attempt) -> str:
    """Return the address of the page that offers the terms of a link again."""
    variant, way = attempt["variant"], attempt["way"] or starting.Invitation.INVITE
    query = attempt.text if attempt["way"] else attempt["encoded_terms"]
    try:
        chosen = terms.read(query)
    except paging.TermsRefused:
        return f"/play/new/{variant}"
    return _page_again(attempt.visitor.player, variant, way, chosen)


def _page_again(player: Player | None, variant: str, way: str, chosen: terms.GameTerms) -> str:
    """Return the address of the page that offers the terms of an action again.

    It leaves open whether games are rated if a game begun in this way would be so again.
    """
    usually_rated = way != starting.Invitation.SOLO
    if way.startswith(starting.BOT):
        usually_rated = players.rates_bots(player)
    is_usual = chosen.rated is usually_rated
    return f"/play/new/{variant}?{chosen.query_without_rated if is_usual else chosen.query}"


def _start(transaction: Transaction, attempt: Attempt) -> Then:
    chosen: _Chosen = attempt.prepared
    game_id = starting.start(
        transaction, attempt.player, attempt["way"], chosen.terms, chosen.beginning
    )
    return answers.then_first_move(transaction, attempt.player, game_id)


START = Action(
    name="start",
    counter=ActionsOf(SUBJECT),
    back=_back,
    prepares=lambda transaction, attempt: _chosen(transaction, attempt, attempt.text),
    does=_start,
    refuses=_refused,
    makes_player=newcomer,
    notice=_NOT_STARTED,
)


def _challenge(transaction: Transaction, attempt: Attempt) -> str:
    chosen: _Chosen = attempt.prepared
    game_id = challenges.challenge(
        transaction, attempt.player, attempt.typed, chosen.terms, chosen.beginning
    )
    return f"/play/{game_id}"


# The terms are in the path, since the query is what the visitor types.
CHALLENGE = Action(
    name="challenge",
    counter=ActionsOf(SUBJECT),
    back=_back,
    asks=lambda *_: [message("The name of the player to challenge")],
    prepares=lambda transaction, attempt: _chosen(transaction, attempt, attempt["encoded_terms"]),
    does=_challenge,
    refuses=_refused,
    makes_player=newcomer,
    notice=_NOT_CHALLENGED,
)


@dataclass(frozen=True, slots=True)
class BotGame:
    """A game against the bot of the level suggested to a visitor; `address` starts it.

    `minutes` is about how long it takes, None if that is not known.
    """

    variant: Variant
    level: str
    is_rated: bool
    minutes: int | None
    address: str


def bot_games(transaction: Transaction, visitor: Visitor) -> Sequence[BotGame]:
    """Return a game of each variant for a visitor who is signed in."""
    player = visitor.player
    is_rated = players.rates_bots(player) and not starting.is_newcomer(transaction, player)
    chosen = replace(DEFAULT_TERMS, listed=usual_listing(player), rated=is_rated)
    query = bot_terms(chosen).query
    key = visitor.account_key(transaction.context, SUBJECT)
    levels = suggested_levels(transaction, player)
    return [
        BotGame(
            variant,
            levels[variant.key],
            is_rated,
            minutes_of(variant),
            f"/play/new/{variant.key}/{key}/{starting.BOT}{levels[variant.key]}?{query}",
        )
        for variant in easiest_first()
    ]


@cacheable
@reading
def choose_variant(transaction: Transaction, request: Request) -> Response:
    """Return the page with the games to choose from, against bots or the opponent in the query."""
    visitor, context = identity.signed_in(transaction, request), transaction.context
    opponent, _ = opponent_in(request.query)
    if opponent is None:
        return responses.page(
            visitor.preferences,
            "play/choose_variant.gmi",
            games=bot_games(transaction, visitor),
            link=link_path(context, visitor),
            ending=expiry(visitor, transaction.now),
        )
    if (refused := no_opponent(transaction, visitor, opponent)) is not None:
        return refused
    key = visitor.account_key(context, SUBJECT)
    usual = replace(DEFAULT_TERMS, listed=usual_listing(visitor.player))
    return responses.page(
        visitor.preferences,
        "play/choose_challenge.gmi",
        opponent=opponent,
        at_once={
            variant: challenge_address(f"/play/new/{variant.key}", key, usual, opponent)
            for variant in VARIANTS.values()
        },
        is_rated=DEFAULT_TERMS.rated,
        link=link_path(context, visitor),
    )


ROUTES: Routes = (
    *(
        (f"/play/new/{VARIANT}", choose_way, f"{OFFER_PATTERN}(?:{_LEVEL_PATTERN})?"),
        (f"/play/new/{VARIANT}/bots", choose_level, OFFER_PATTERN),
        (f"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}", START, ANY),
        (f"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge", CHALLENGE, ANY),
    ),
    *named("play.pages.game_choice", (("/play/new/", choose_variant, WITH_PATTERN),)),
)
