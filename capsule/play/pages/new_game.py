"""Starting a game: the choice of an opponent for a game of one variant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import identity, settings
from capsule.accounts.pages import outdated
from capsule.accounts.pages.devices import expiry, link_path
from capsule.accounts.pages.outdated import Undone
from capsule.errors import OutdatedAction
from capsule.games.listed import Listing
from capsule.games.quota import TooManyGames
from capsule.games.reading import find_stored
from capsule.play import challenges, starting, terms
from capsule.play.beginnings import beginning_of
from capsule.play.bot_levels import nearest_levels
from capsule.play.pages import waiting
from capsule.play.pages.offered_terms import OFFER_PATTERN, offered_terms
from capsule.play.pages.refusals import no_opponent, too_many_games
from capsule.ratings.rated_levels import rated_levels
from capsule.ui import query_terms, responses
from capsule.ui.routes import ANY, KEY, VARIANT, cacheable, one_of
from engine import VARIANTS
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.listing import ListedGame
    from capsule.gemini.types import Request, Response, Wait
    from capsule.play.pages.offered_terms import OfferedTerms
    from capsule.ratings.rated_levels import RatedLevel
    from capsule.ui.routes import Routes


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
def choose_way(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page with the ways to start a game of a variant, on the terms in the query.

    The terms, and the opponent before them, are in the addresses alone: nothing is stored until a
    game starts. Terms that cannot be read are ignored.
    """
    visitor = identity.signed_in(context, request)
    offered = offered_terms(context, visitor.player, VARIANTS[variant], request.query)
    if (refused := no_opponent(context, visitor, offered.opponent)) is not None:
        return refused
    page = NewGamePage(
        offered=offered,
        key=visitor.account_key(context, SUBJECT),
        levels=() if offered.opponent else nearest_levels(context, visitor.player, variant),
        waiting=()
        if offered.opponent or offered.beginning.board
        else starting.seats_to_take(context, visitor.player, variant, MAX_WAITING).games,
    )
    return responses.page(
        visitor.preferences,
        "play/new_game.gmi",
        page=page,
        link=link_path(context, visitor),
        ending=expiry(visitor, context.clock()),
    )


@cacheable
def choose_level(context: AppContext, request: Request, variant: str) -> Response:
    """Return the page with all levels of a variant's bots, on the terms in the query."""
    visitor = identity.signed_in(context, request)
    with context.database.reading() as connection:
        levels = rated_levels(connection, variant)
    page = NewGamePage(
        offered=offered_terms(context, visitor.player, VARIANTS[variant], request.query),
        key=visitor.account_key(context, SUBJECT),
        levels=levels,
        waiting=(),
    )
    return responses.page(visitor.preferences, "play/levels.gmi", page=page)


def start(
    context: AppContext, request: Request, variant: str, key: str, way: str
) -> Response | Wait:
    """Start a game and redirect to it.

    A key that has been used and terms that cannot be read lead to a fresh page: no game starts on
    terms that were not chosen.
    """
    visitor = identity.signed_in(context, request)
    here = f"/play/new/{variant}"
    try:
        chosen = terms.read(request.query)
        visitor.require_key(context, SUBJECT, key)
        # Looked at first, so that nobody becomes a player for a board that is not there.
        beginning_of(context, VARIANTS[variant], chosen)
        player = identity.player_of(context, visitor)
        game_id = starting.start(context, player, VARIANTS[variant], way, chosen)
    except query_terms.TermsRefused:
        return outdated.attempt(context, request, SUBJECT, key).answer(here, _NO_SUCH_TERMS)
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        game = late.player and starting.last_started(context, late.player, variant, way)
        if game is not None and late.is_before_last:
            return responses.redirect(f"/play/{game.id}")
        return late.answer(_page_again(late.player, variant, way, chosen), _NOT_STARTED)
    except TooManyGames as error:
        return too_many_games(visitor, error, f"/play/new/{variant}")
    if way.startswith(starting.BOT) and (started := find_stored(context, game_id)) is not None:
        # If the bot is X, the next page may already show its first move.
        return waiting.for_bot(context, player, started)
    return responses.redirect(f"/play/{game_id}")


def challenge(
    context: AppContext, request: Request, variant: str, key: str, encoded_terms: str | None
) -> Response:
    """Ask for the name of a player to challenge; given one, start the game and redirect to it.

    The terms are in the path, since the query is what the visitor types.
    """
    visitor = identity.signed_in(context, request)
    ask = message("The name of the player to challenge")
    try:
        chosen = terms.read(encoded_terms)
        visitor.require_key(context, SUBJECT, key)
        if not request.typed:
            return responses.prompt(ask)
        # Checked first: a wrong name makes nobody a player and leaves the key valid.
        challenges.require_challengeable(
            context, visitor.player, VARIANTS[variant], request.typed, chosen
        )
        player = identity.player_of(context, visitor)
        game_id = challenges.challenge(context, player, VARIANTS[variant], request.typed, chosen)
    except challenges.ChallengeRefused as error:
        return responses.prompt_again(error.message, ask)
    except query_terms.TermsRefused:
        late = outdated.attempt(context, request, SUBJECT, key)
        return late.answer(f"/play/new/{variant}", _NO_SUCH_TERMS, typed=request.typed)
    except OutdatedAction:
        return _late_challenge(context, request, variant, key, chosen)
    except TooManyGames as error:
        return too_many_games(visitor, error, f"/play/new/{variant}", request.typed)
    return responses.redirect(f"/play/{game_id}")


def _late_challenge(
    context: AppContext, request: Request, variant: str, key: str, chosen: terms.GameTerms
) -> Response:
    """Return the page of the terms, or the game if that has been started just now."""
    late, typed = outdated.attempt(context, request, SUBJECT, key), request.typed or ""
    game = late.player and challenges.last_challenge(context, late.player, variant, typed)
    if game is not None and late.is_before_last:
        return responses.redirect(f"/play/{game.id}")
    here = _page_again(late.player, variant, starting.Invitation.INVITE, chosen)
    return late.answer(here, _NOT_CHALLENGED, typed=typed)


def _page_again(player: Player | None, variant: str, way: str, chosen: terms.GameTerms) -> str:
    """Return the address of the page that offers the terms of an action again.

    It leaves open whether games are rated if a game begun in this way would be so again.
    """
    usually_rated = way != starting.Invitation.SOLO
    if way.startswith(starting.BOT):
        usually_rated = settings.rates_bots(player)
    is_usual = chosen.rated is usually_rated
    return f"/play/new/{variant}?{chosen.query_without_rated if is_usual else chosen.query}"


_NO_SUCH_TERMS = Undone(
    message("Nobody was challenged: that link has terms that are not offered."),
    message("No game was started: that link has terms that are not offered."),
)
_NOT_STARTED = Undone(
    message("No game was started: that page was out of date."),
    message("That link was out of date: no game was started."),
)
_NOT_CHALLENGED = Undone(
    message("Nobody was challenged: that page was out of date."),
    message("That link was out of date: nobody was challenged."),
)


ROUTES: Routes = (
    (f"/play/new/{VARIANT}", choose_way, OFFER_PATTERN),
    (f"/play/new/{VARIANT}/bots", choose_level, OFFER_PATTERN),
    (f"/play/new/{VARIANT}/{KEY}/{one_of('way', starting.WAYS)}", start, ANY),
    (f"/play/new/{VARIANT}/{KEY}/(?:(?P<encoded_terms>[^/]+)/)?challenge", challenge, ANY),
)
