"""Starting a game: the choice of a variant, an opponent and terms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Any

from capsule.accounts import identity, names, players
from capsule.accounts.model import Player
from capsule.accounts.pages import action
from capsule.accounts.pages.account import expiry, link_path
from capsule.accounts.queries import player_called
from capsule.context import Transaction, reading
from capsule.errors import Refused
from capsule.games import clock, eligibility, rated, results
from capsule.games.public_lists import ListedGame, with_ratings
from capsule.games.visibility import Listing, usual_listing
from capsule.gemini.types import Request, Response
from capsule.play import challenges, starting
from capsule.play.pages.actions import refused, then_first_move
from capsule.ratings import update
from capsule.ui import boards, paging, responses
from capsule.ui.routes import ANY, KEY, VARIANT, Routes, cacheable, named, one_of
from engine import VARIANTS, Side, Variant, message

WITH_PATTERN = f"with={names.NAME_PATTERN}"
"""The regular expression of an opponent's name in a query."""

OFFER_PATTERN = rf"(?:{WITH_PATTERN}&?)?{starting.TERMS_PATTERN}"
"""The regular expression of a query with an opponent's name, terms, or both."""

_LISTINGS = (Listing.ALL, Listing.WITH_PEOPLE, Listing.NONE)
"""The listings that a page offers to everybody."""

_OPPONENT = re.compile(f"with=({names.NAME_PATTERN})(?:&|$)")


_LEVEL_PATTERN = "level=([a-z-]{1,24})"

_LEVEL = re.compile(f"(?:^|&){_LEVEL_PATTERN}$")

SUBJECT = "new game"
"""The subject of the action keys on these pages."""

MAX_WAITING = 2
"""Games to join that are looked for: the page has a link to the one, or to the list of several."""


class RatedAgainst(Enum):
    """The opponents against whom a game is rated."""

    EVERYBODY = auto()
    PEOPLE = auto()
    NOBODY = auto()


@dataclass(frozen=True, slots=True)
class OfferedTerms:
    """The terms on which a page offers games of a variant; the visitor has `chosen` some of them.

    `key` lets the visitor start a game. `opponent` is the name of the player to challenge, if the
    visitor has come from that player's page, and `other` that player, if anyone has the name.
    `beginning` is the game's first position. Games against bots are `rated_with_bots`, by default
    if the visitor has set `rates_bots`, and can only be if they `may_rate_bots`: a newcomer may
    not. `usual_listing` is what the visitor has set. A game with the opponent `is_surplus` if
    enough others have begun today, so that it does not count even if its terms let it.
    """

    variant: Variant
    key: str
    beginning: starting.Beginning
    chosen: starting.GameTerms
    rated_with_bots: bool
    opponent: str | None
    rates_bots: bool
    may_rate_bots: bool
    usual_listing: Listing
    is_surplus: bool
    other: Player | None

    @property
    def own_side(self) -> Side | None:
        """The side that the visitor will have, None if the sides are drawn."""
        side = self.chosen.side
        return None if side.is_random else Side(side.upper())

    @property
    def rated_against(self) -> RatedAgainst:
        """The opponents against whom games are rated on these terms."""
        if self.rated_with_bots:
            return RatedAgainst.EVERYBODY
        return RatedAgainst.PEOPLE if self.chosen.rated else RatedAgainst.NOBODY

    @property
    def base(self) -> str:
        """The address of the page that starts games, without terms."""
        return f"/play/new/{self.variant.key}"

    def page(self, below: str = "") -> str:
        """Return the address of the page that starts games on these terms, or of one below it."""
        return f"{self.base}{below}?{self._query(self.chosen)}"

    @property
    def others(self) -> Mapping[str, Mapping[object, str]]:
        """The addresses of the page with each other choice of a term, by the term and the choice.

        The days per move are None for no limit.
        """
        choices: Mapping[str, Sequence[Any]] = {
            "side": tuple(starting.SideChoice),
            "days": (*clock.DAYS_PER_MOVE, None),
            "listed": (self.usual_listing, *_LISTINGS),
        }
        return {
            term: {
                value: f"{self.base}?{self._query(replace(self.chosen, **{term: value}))}"
                for value in values
                if value != getattr(self.chosen, term)
            }
            for term, values in choices.items()
        }

    @property
    def other_ratings(self) -> Mapping[RatedAgainst, str]:
        """The addresses of the page with games rated against others; none for a board's games."""
        if self.beginning.board:
            return {}
        common = f"{self.base}?{self._with_opponent}{self.chosen.query_without_rated}"
        ways = {RatedAgainst.NOBODY: f"{common}&rated=no"}
        if self.may_rate_bots:
            ways[RatedAgainst.EVERYBODY] = f"{common}&rated=yes"
        if not (self.may_rate_bots and self.rates_bots):
            ways[RatedAgainst.PEOPLE] = common
        return {way: page for way, page in ways.items() if way is not self.rated_against}

    def address(self, way: str) -> str:
        """Return the address that starts a game in one of the `starting.WAYS`."""
        chosen, listing = self.chosen, self.chosen.listed
        if way.startswith(starting.BOT):
            chosen = bot_terms(replace(chosen, rated=self.rated_with_bots))
        elif way == starting.Invitation.SOLO:
            # Listed on request: no setting is about games that a player plays alone.
            is_asked_for = listing is Listing.ALL and self.usual_listing is not Listing.ALL
            listing = Listing.ALL if is_asked_for else Listing.NONE
            chosen = replace(chosen, listed=listing, rated=False)
        elif way == starting.Invitation.OPEN and listing is Listing.NONE:
            chosen = replace(chosen, listed=Listing.SEAT)
        return f"{self.base}/{self.key}/{way}?{chosen.query}"

    @property
    def challenge(self) -> str:
        """The address that challenges the opponent or, if there is none, asks for a name."""
        return challenge_address(self.base, self.key, self.chosen, self.opponent)

    def _query(self, chosen: starting.GameTerms) -> str:
        """Return the query of a page with terms, which leaves open what depends on the opponent."""
        depends_on_opponent = self.rated_against is RatedAgainst.PEOPLE
        query = chosen.query_without_rated if depends_on_opponent else chosen.query
        return f"{self._with_opponent}{query}"

    @property
    def _with_opponent(self) -> str:
        return f"with={self.opponent}&" if self.opponent else ""


def offered_terms(
    transaction: Transaction, visitor: identity.Visitor, variant: Variant, query: str | None
) -> OfferedTerms:
    """Return the terms in a query, or the defaults if it cannot be read."""
    player = visitor.player
    opponent, query = opponent_in(query)
    rates_bots, other = players.rates_bots(player), _called(transaction, opponent)
    ids = (None if each is None else each.id for each in (player, other))
    usual = replace(starting.DEFAULT_TERMS, listed=usual_listing(player))
    usual_with_bots = replace(usual, rated=rates_bots)
    try:
        chosen = starting.read_terms(query, usual)
        with_bots = starting.read_terms(query, usual_with_bots)
        beginning = starting.beginning_of(transaction, variant, chosen)
    except paging.TermsRefused:
        chosen, with_bots, beginning = usual, usual_with_bots, starting.Beginning(variant)
    may_rate_bots = opponent is None and not starting.is_newcomer(transaction, player)
    return OfferedTerms(
        variant,
        visitor.account_key(transaction.context, SUBJECT),
        beginning,
        chosen,
        rated_with_bots=with_bots.rated and may_rate_bots,
        opponent=opponent,
        rates_bots=rates_bots,
        may_rate_bots=may_rate_bots,
        usual_listing=usual.listed,
        is_surplus=chosen.rated and rated.is_surplus(transaction, variant, *ids),
        other=other,
    )


def _called(transaction: Transaction, name: str | None) -> Player | None:
    return None if name is None else player_called(transaction.connection, name, transaction.now)


def opponent_in(query: str | None) -> tuple[str | None, str]:
    """Return the opponent in a query, if it names one, and the rest of the query.

    >>> opponent_in("with=bob&days=3"), opponent_in("days=3")
    (('bob', 'days=3'), (None, 'days=3'))
    """
    query = query or ""
    named = _OPPONENT.match(query)
    return (None, query) if named is None else (named[1], query[named.end() :])


def bot_terms(chosen: starting.GameTerms) -> starting.GameTerms:
    """Return the terms of a game against a bot, whose address says if it is listed."""
    listing = Listing.ALL if chosen.listed.with_bots else Listing.NONE
    return replace(chosen, listed=listing)


def challenge_address(
    base: str, key: str, chosen: starting.GameTerms, opponent: str | None = None
) -> str:
    """Return the address that challenges a player to a variant, or asks for the player's name.

    The terms are in its path, since its query is the name.
    """
    name = f"?{opponent}" if opponent else ""
    return f"{base}/{key}/{chosen.query}/challenge{name}"


def no_opponent(
    transaction: Transaction, visitor: identity.Visitor, other: Player | None
) -> Response | None:
    """Return the page that says why a visitor cannot challenge a player, None if they can try.

    `other` is None where the page of a new game has no opponent, or a name that nobody has: that is
    refused when it is challenged.
    """
    if other is None:
        return None
    try:
        challenges.require_together(transaction, visitor.player, other)
    except challenges.ChallengeRefused as error:
        template = "play/no_opponent.gmi"
        return responses.refusal(visitor.preferences, template, error, "/play/new/")
    return None


@cacheable
@reading
def choose_way(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with the ways to start a game of a variant, on the terms in the query.

    The terms, and the opponent before them, are in the addresses alone: nothing is stored until a
    game starts. Terms that cannot be read are ignored. A level of bots in the query comes first.
    """
    visitor, context = identity.signed_in(transaction, request), transaction.context
    level, query = level_in(request.query)
    offered = offered_terms(transaction, visitor, VARIANTS[variant], query)
    if (refused := no_opponent(transaction, visitor, offered.other)) is not None:
        return refused
    player, opponent, board = visitor.player, offered.opponent, offered.beginning.board
    return responses.page(
        visitor.preferences,
        "play/new_game.gmi",
        offered=offered,
        bots=() if opponent else starting.nearest_levels(transaction, player, variant, level),
        waiting=() if opponent or board else _waiting(transaction, player, variant),
        link=link_path(context, visitor),
        ending=expiry(visitor, transaction.now),
    )


def _waiting(transaction: Transaction, player: Player | None, variant: str) -> Sequence[ListedGame]:
    """Return the first games to join, with ratings if there is only one."""
    found, _ = starting.seats_to_take(transaction, player, variant, MAX_WAITING)
    if len(found) > 1:
        return [ListedGame(each, {}) for each in found]
    foreseen = rated.foreseen(transaction, found, player)
    return with_ratings(transaction.connection, foreseen)


def level_in(query: str | None) -> tuple[str | None, str | None]:
    """Return the level of bots in a query, if it names one, and the rest of the query.

    >>> level_in("from=b2=5,a1=2&side=x&level=novice"), level_in("days=3")
    (('novice', 'from=b2=5,a1=2&side=x'), (None, 'days=3'))
    """
    found = _LEVEL.search(query or "")
    return (None, query) if found is None else (found[1], (query or "")[: found.start()])


@cacheable
@reading
def change_terms(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with a link for every other choice of a term of a new game."""
    visitor = identity.signed_in(transaction, request)
    offered = offered_terms(transaction, visitor, VARIANTS[variant], request.query)
    if (refused := no_opponent(transaction, visitor, offered.other)) is not None:
        return refused
    return responses.page(visitor.preferences, "play/terms.gmi", offered=offered)


@cacheable
@reading
def choose_level(transaction: Transaction, request: Request, variant: str) -> Response:
    """Return the page with all levels of a variant's bots, on the terms in the query."""
    visitor = identity.signed_in(transaction, request)
    return responses.page(
        visitor.preferences,
        "play/levels.gmi",
        offered=offered_terms(transaction, visitor, VARIANTS[variant], request.query),
        bots=update.rated_levels(transaction.connection, variant),
    )


_NO_SUCH_TERMS = action.StaleNotice(
    message("Nobody was challenged: that link has terms that are not offered."),
    message("No game was started: that link has terms that are not offered."),
)
_NOT_STARTED = action.StaleNotice(
    message("No game was started: that page was out of date."),
    message("That link was out of date: no game was started."),
)
_NOT_CHALLENGED = action.StaleNotice(
    message("Nobody was challenged: that page was out of date."),
    message("That link was out of date: nobody was challenged."),
)


def _chosen(
    transaction: Transaction, attempt: action.Attempt, query: str | None
) -> tuple[starting.GameTerms, starting.Beginning]:
    """Return the terms in a link's query, and the game's beginning; raises `TermsNotOffered`."""
    try:
        chosen = starting.read_terms(query)
        return chosen, starting.beginning_of(transaction, VARIANTS[attempt["variant"]], chosen)
    except paging.TermsRefused as error:
        raise starting.TermsNotOffered from error


def _refused(attempt: action.Attempt, refusal: Refused) -> Response | None:
    here, typed = f"/play/new/{attempt['variant']}", _name(attempt)
    if isinstance(refusal, eligibility.TooManyGames):
        return refused(attempt.visitor, refusal, here, typed)
    if isinstance(refusal, starting.TermsNotOffered):
        return action.with_notice(here, _NO_SUCH_TERMS, typed, is_own=True)
    return None


def _name(attempt: action.Attempt) -> str | None:
    """Return the typed name of an opponent; without one, the query has the terms of a link."""
    return attempt.typed if "encoded_terms" in attempt.arguments else None


def _back(attempt: action.Attempt) -> str:
    """Return the address of the page that offers the terms of a link again.

    It leaves open whether games are rated if a game begun in this way would be so again.
    """
    variant, way = attempt["variant"], attempt["way"] or starting.Invitation.INVITE
    query = attempt.text if attempt["way"] else attempt["encoded_terms"]
    try:
        chosen = starting.read_terms(query)
    except paging.TermsRefused:
        return f"/play/new/{variant}"
    usually_rated = way != starting.Invitation.SOLO
    if way.startswith(starting.BOT):
        usually_rated = players.rates_bots(attempt.visitor.player)
    is_usual = chosen.rated is usually_rated
    return f"/play/new/{variant}?{chosen.query_without_rated if is_usual else chosen.query}"


def _start(transaction: Transaction, attempt: action.Attempt) -> action.Then:
    game_id = starting.start(transaction, attempt.player, attempt["way"], *attempt.prepared)
    return then_first_move(transaction, attempt, game_id)


_starting = partial(
    action.Action,
    counter=action.ActionsOf(SUBJECT),
    back=_back,
    refuses=_refused,
    makes_player=action.newcomer,
)

START = _starting(
    name="start",
    prepares=lambda transaction, attempt: _chosen(transaction, attempt, attempt.text),
    does=_start,
    notice=_NOT_STARTED,
)


def _challenge(transaction: Transaction, attempt: action.Attempt) -> str:
    player, name = attempt.player, attempt.typed
    return f"/play/{challenges.challenge(transaction, player, name, *attempt.prepared)}"


# The terms are in the path, since the query is what the visitor types.
CHALLENGE = _starting(
    name="challenge",
    asks=lambda *_: [message("The name of the player to challenge")],
    prepares=lambda transaction, attempt: _chosen(transaction, attempt, attempt["encoded_terms"]),
    does=_challenge,
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


def bot_games(transaction: Transaction, visitor: identity.Visitor) -> Sequence[BotGame]:
    """Return a game of each variant for a visitor who is signed in."""
    player = visitor.player
    is_rated = players.rates_bots(player) and not starting.is_newcomer(transaction, player)
    chosen = replace(starting.DEFAULT_TERMS, listed=usual_listing(player), rated=is_rated)
    query = bot_terms(chosen).query
    key = visitor.account_key(transaction.context, SUBJECT)
    levels = results.suggested_in(transaction.connection, player.id if player else None, VARIANTS)
    return [
        BotGame(
            variant,
            levels[variant.key],
            is_rated,
            starting.minutes_of(variant),
            f"/play/new/{variant.key}/{key}/{starting.BOT}{levels[variant.key]}?{query}",
        )
        for variant in boards.easiest_first()
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
    other = _called(transaction, opponent)
    if (refused := no_opponent(transaction, visitor, other)) is not None:
        return refused
    key = visitor.account_key(context, SUBJECT)
    usual = replace(starting.DEFAULT_TERMS, listed=usual_listing(visitor.player))
    return responses.page(
        visitor.preferences,
        "play/choose_challenge.gmi",
        opponent=opponent,
        at_once={
            variant: challenge_address(f"/play/new/{variant.key}", key, usual, opponent)
            for variant in VARIANTS.values()
        },
        link=link_path(context, visitor),
    )


ROUTES: Routes = (
    *(
        (f"/play/new/{VARIANT}", choose_way, f"{OFFER_PATTERN}(?:{_LEVEL_PATTERN})?"),
        (f"/play/new/{VARIANT}/bots", choose_level, OFFER_PATTERN),
        (f"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}", START, ANY),
        (f"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge", CHALLENGE, ANY),
    ),
    *named(
        "play.pages.offered_terms", ((f"/play/new/{VARIANT}/terms", change_terms, OFFER_PATTERN),)
    ),
    *named("play.pages.game_choice", (("/play/new/", choose_variant, WITH_PATTERN),)),
)
