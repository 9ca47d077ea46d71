"""Starting a game: which one, against whom, and on which terms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule import answers, challenges, games, identity, terms
from capsule.clock import DAYS_A_MOVE
from capsule.game import OutdatedAction
from capsule.pages.devices import link_path
from capsule.seating import TooManyGames
from engine import VARIANTS
from engine.bots.levels import LEVELS, level
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site
    from capsule.terms import Terms

SUBJECT = "new game"
"""What the keys on these pages are for."""


def choose_variant(site: Site, request: Request) -> Response:
    """Return the page that offers the five games."""
    visitor = identity.signed_in(site, request)
    return answers.page(
        visitor.reader, "new.gmi", link=link_path(site, visitor), variants=VARIANTS.values()
    )


def choose_way(site: Site, request: Request, variant: str) -> Response:
    """Return the page that offers the ways to play one game, on the terms of the query.

    The terms stand in the addresses of the page alone: nothing is kept until a game starts. Terms
    that cannot be read are as if they were not there.
    """
    visitor = identity.signed_in(site, request)
    try:
        chosen = terms.read(request.query)
    except terms.TermsRefused:
        chosen = games.USUAL
    return answers.page(
        visitor.reader,
        "new_variant.gmi",
        link=link_path(site, visitor),
        variant=VARIANTS[variant],
        key=visitor.account_key(site, SUBJECT),
        levels={name: level(variant, name).description for name in LEVELS},
        waiting=games.games_to_join(site, visitor.player, variant, most=5),
        terms=chosen,
        terms_query=_with_mark(chosen),
        sides={side: _with_mark(replace(chosen, side=side)) for side in terms.SIDES},
        days={days: _with_mark(replace(chosen, days=days)) for days in (*DAYS_A_MOVE, None)},
        listing={listed: _with_mark(replace(chosen, listed=listed)) for listed in (True, False)},
        rating={rated: _with_mark(replace(chosen, rated=rated)) for rated in (True, False)},
    )


def start(site: Site, request: Request, variant: str, key: str, way: str) -> Response:
    """Start a game and go to it; a page that has been used leads to a fresh one of its kind.

    So do terms that cannot be read: no game starts on others than were chosen.
    """
    visitor = identity.signed_in(site, request)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on(f"/play/new/{variant}")
    try:
        chosen = terms.read(request.query)
        player = identity.player_of(site, visitor)
        game_id = games.start(site, player, VARIANTS[variant], way, chosen)
    except (OutdatedAction, terms.TermsRefused):
        return answers.way_on(f"/play/new/{variant}")
    except TooManyGames as error:
        return answers.page(visitor.reader, "too_many_games.gmi", most=error.most)
    if way.startswith("bot-"):
        # Where the bot is X, the page that follows may show its first move already.
        site.mind.expect_move(game_id, 0, player.id)
    return answers.way_on(f"/play/{game_id}")


def challenge(
    site: Site, request: Request, variant: str, key: str, written: str | None
) -> Response:
    """Ask whom to challenge; with a name, start the game and go to it.

    The terms are in the path, since the query is what is typed.
    """
    visitor = identity.signed_in(site, request)
    if not visitor.may_act(site, SUBJECT, key):
        return answers.way_on(f"/play/new/{variant}")
    ask = message("The name of the player whom you challenge:")
    try:
        chosen = terms.read(written)
        if not request.query:
            return answers.question(ask)
        # Asked first: a wrong name makes nobody a player, and the key fits the next attempt.
        challenges.expect_to_challenge(site, visitor.player, request.query)
        player = identity.player_of(site, visitor)
        game_id = challenges.challenge(site, player, VARIANTS[variant], request.query, chosen)
    except challenges.ChallengeRefused as error:
        return answers.question_again(error.message, ask)
    except (OutdatedAction, terms.TermsRefused):
        return answers.way_on(f"/play/new/{variant}")
    except TooManyGames as error:
        return answers.page(visitor.reader, "too_many_games.gmi", most=error.most)
    return answers.way_on(f"/play/{game_id}")


def _with_mark(chosen: Terms) -> str:
    return f"?{chosen.query}" if chosen.query else ""
