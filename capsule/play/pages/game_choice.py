"""The games that can be started: each against a bot at once, or as a challenge of a player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.accounts import identity, settings
from capsule.accounts.pages.devices import expiry, link_path
from capsule.context import reading
from capsule.games.listed import usual_listing
from capsule.play import starting
from capsule.play.bot_levels import suggested_levels
from capsule.play.lengths import minutes_of
from capsule.play.pages.new_game import SUBJECT, bot_terms, challenge_address
from capsule.play.pages.offered_terms import WITH_PATTERN, opponent_in
from capsule.play.pages.refusals import no_opponent
from capsule.play.terms import DEFAULT_TERMS
from capsule.ui import responses
from capsule.ui.routes import cacheable
from capsule.ui.variant_order import easiest_first
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.identity import Visitor
    from capsule.context import Transaction
    from capsule.gemini.types import Request, Response
    from capsule.ui.routes import Routes
    from engine import Variant


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


@dataclass(frozen=True, slots=True)
class Challenges:
    """The games to which a visitor can challenge an opponent.

    `at_once` maps variants to the addresses that challenge on the usual terms, and `on_other_terms`
    to those of the pages on which terms are chosen.
    """

    opponent: str
    at_once: Mapping[Variant, str]
    on_other_terms: Mapping[Variant, str]


def bot_games(transaction: Transaction, visitor: Visitor) -> Sequence[BotGame]:
    """Return a game of each variant for a visitor who is signed in."""
    player = visitor.player
    is_rated = settings.rates_bots(player) and not starting.is_newcomer(transaction, player)
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
    challenges = Challenges(
        opponent,
        {
            variant: challenge_address(f"/play/new/{variant.key}", key, usual, opponent)
            for variant in VARIANTS.values()
        },
        {variant: f"/play/new/{variant.key}?with={opponent}" for variant in VARIANTS.values()},
    )
    return responses.page(
        visitor.preferences,
        "play/choose_challenge.gmi",
        challenges=challenges,
        is_rated=DEFAULT_TERMS.rated,
        link=link_path(context, visitor),
    )


ROUTES: Routes = (("/play/new/", choose_variant, WITH_PATTERN),)
