"""The pages of players: all of them, the search for one, and the profile of each.

The result of a rated game is public, as are the ratings that come of it, even if the game is not
listed; but its address appears nowhere. A casual game that is not listed stays private.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice

from capsule.accounts import activity, identity, names, queries as account_queries
from capsule.accounts.pages.account import SUBJECT as ACCOUNT
from capsule.context import Transaction, reading
from capsule.cups.queries import cups_won_by
from capsule.errors import NotFound
from capsule.games import feed_entries, public_lists, results
from capsule.gemini.types import Request, Response
from capsule.lobby import queries
from capsule.ratings import ladders, model
from capsule.social import queries as social_queries
from capsule.social.pages.messages import PEOPLE_SUBJECT
from capsule.ui import drawings, responses
from capsule.ui.routes import ANY, PLAYER, Routes
from engine import VARIANTS, message
from engine.bots.levels import LEVELS

MAX_GAMES = 20
"""The numbers of running and of ended games on a profile."""

MAX_OPPONENTS = 20
"""The number of opponents on a profile."""

MIN_PLOTTED_GAMES = 5
"""The number of rated games from which a plot is worth drawing."""

MAX_ACTIVE, MAX_PLAYERS = 20, 10
"""The numbers of recently active and of new players on the page of all players."""

MAX_NAMES = 20
"""The number of similar names in the result of a search."""

_ASK = message("The name of a player, or its beginning")

_NAME_START = re.compile("[A-Za-z0-9_-]{1,24}")


@reading
def all_players(transaction: Transaction, request: Request) -> Response:
    """Return the page of all players."""
    active = activity.active_players(transaction, MAX_ACTIVE)
    known = {player.name for player, _ in active}
    newest = queries.newest(transaction.connection, transaction.now, MAX_PLAYERS + MAX_ACTIVE)
    others = ((name, shown) for name, shown in newest.items() if name not in known)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players.gmi",
        leaders=ladders.leaders(transaction),
        active=active,
        newest=dict(islice(others, MAX_PLAYERS)),
    )


@reading
def find(transaction: Transaction, request: Request) -> Response:
    """Ask for a name, and go to its player or to a list of names that begin like it.

    A name finds the player who has it, has one that looks like it, or had it until recently.
    """
    typed = (request.typed or "").strip()
    if not typed:
        return responses.prompt(_ASK)
    connection, now = transaction.connection, transaction.now
    similar: Sequence[str] = ()
    if (skeleton := names.skeleton(typed)) and _NAME_START.fullmatch(typed):
        meant = account_queries.player_called(connection, typed, now)
        if meant is not None and meant.name:
            return responses.redirect(f"/players/{meant.name}")
        similar = queries.similar_names(connection, skeleton, now, MAX_NAMES)
    if not similar:
        nobody = message("Nobody here is called {name}.", name=typed[: names.MAX_NAME_LENGTH + 1])
        return responses.prompt(nobody, _ASK)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "lobby/players_found.gmi",
        typed=typed,
        names=similar,
    )


@reading
def profile_page(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player."""
    return _profile(transaction, identity.visitor_of(transaction, request), name)


@reading
def profile_for_reader(transaction: Transaction, request: Request, name: str) -> Response:
    """Return the page of a player with what is between that player and its reader."""
    return _profile(transaction, identity.signed_in(transaction, request), name, "/play")


def _profile(
    transaction: Transaction, visitor: identity.Visitor, name: str, area: str = ""
) -> Response:
    """Return a player's page: the public one, or the one for its reader, below `/play`.

    A name in another case leads to the right one. The results are by variant, by the level of bots,
    and by opponent. The scores are those of the reader against the player, in the order of the
    variants. A player who is banned is offered no game. Raises `NotFound` if nobody has the name.
    """
    reader, is_for_reader = visitor.player, bool(area)
    acquaintance = social_queries.acquaintance_called(
        transaction.connection, name, reader if is_for_reader else None
    )
    if acquaintance is None:
        raise NotFound
    player = acquaintance.player
    if player.name != name:
        return responses.redirect(f"{area}/players/{player.name}")
    context, connection = transaction.context, transaction.connection
    is_own = reader is not None and reader.id == player.id
    games = public_lists.games_of_player(transaction, player, MAX_GAMES, MAX_GAMES)
    ratings = ladders.entries_of(transaction, player)
    histories = queries.rating_histories(
        connection, player.id, drawings.MAX_RANGES, ladders.MAX_RANKED_SIGMA
    )
    by_variant, by_level = queries.results_by_variant_and_level(connection, player.id)
    opponents, others, games_with_others = queries.results_by_opponent(
        connection, player.id, MAX_OPPONENTS
    )
    margins = queries.winning_margins(connection, player.id)
    scores = (
        results.scores_against(transaction, reader, player.id, player.name)
        if is_for_reader and reader is not None and not is_own
        else {}
    )
    return responses.page(
        visitor.preferences,
        "lobby/player.gmi",
        player=player,
        acquaintance=acquaintance,
        last_here=activity.last_here(player, transaction.now),
        ratings=ratings,
        histories={variant: histories[variant] for variant in ratings if variant in histories},
        by_variant={key: by_variant[key] for key in VARIANTS if key in by_variant},
        by_level={key: by_level[key] for key in LEVELS if key in by_level},
        opponents=opponents,
        others=others,
        games_with_others=games_with_others,
        winning=streak(margin > 0 for margin in margins),
        unbeaten=streak(margin >= 0 for margin in margins),
        running=[game for game in games if game.is_running],
        ended=feed_entries.own_results(
            [game for game in games if game.is_decided][:MAX_GAMES], player.id
        ),
        cups_won=cups_won_by(connection, player.id),
        scores=scores.values(),
        is_banned=player.is_banned(transaction.now),
        newcomers_rating=model.INITIAL.number,
        plotted_from=MIN_PLOTTED_GAMES,
        is_own=is_own,
        is_player=reader is not None,
        introduction_key=visitor.account_key(context, ACCOUNT) if is_for_reader else "",
        people_key=visitor.account_key(context, PEOPLE_SUBJECT) if is_for_reader else "",
    )


def streak(games: Iterable[bool]) -> tuple[int, int]:
    """Return the lengths of the streak up to the last game and of the longest one.

    >>> streak([True, True, False, True])
    (1, 2)
    """
    runs = [*accumulate(games, lambda run, counts: run + 1 if counts else 0, initial=0)]
    return runs[-1], max(runs)


ROUTES: Routes = (
    ("/players/", all_players),
    ("/players/find", find, ANY),
    (f"/players/{PLAYER}", profile_page),
    (f"/play/players/{PLAYER}", profile_for_reader),
)
