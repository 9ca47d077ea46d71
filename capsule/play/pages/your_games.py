"""A player's games: the list, the desk, the next one, and vacations."""

from dataclasses import replace
from datetime import timedelta

from capsule.accounts import activity, identity, players
from capsule.accounts.model import Player
from capsule.accounts.pages.account import SETTINGS, expiry, link_path
from capsule.accounts.pages.action import Action, ActionsOf, always, with_notice
from capsule.context import Transaction, reading
from capsule.cups.course import cup_entered
from capsule.games import clock, deadlines, feed_entries, player_queries, results
from capsule.games.reading import ended_games_of, load_games
from capsule.gemini.types import PlayerGames, Request, Response, Status
from capsule.languages import addresses, dates
from capsule.moderation.actions import notices_for
from capsule.moderation.pages import SUBJECT as NOTICES
from capsule.play.desk import PLACE_PATTERN, next_game, running_slice
from capsule.play.pages.new_game import bot_games
from capsule.social import lines
from capsule.ui import links, render, responses
from capsule.ui.routes import ANY, KEY, Routes, cacheable, named
from engine import message


@reading
def desk(transaction: Transaction, request: Request) -> Response:
    """Return the page of the games that wait for the player; the query is a place in their list."""
    visitor = identity.signed_in(transaction, request)
    if visitor.player is None:
        return responses.redirect("/play/")
    context, style = transaction.context, visitor.preferences.style
    found = running_slice(transaction, visitor.player, request.query or "", waiting_only=True)
    games = load_games(transaction, [entry.stored for entry in found.entries])
    boards = [game.position.view(style=style, latest=game.latest).drawing for game in games]
    keys = [visitor.game_key(context, game.id, game.stored.turn_counter) for game in games]
    return responses.page(
        visitor.preferences,
        "play/desk.gmi",
        page=found,
        games=[*zip(found.entries, games, boards, keys, strict=True)],
        ending=expiry(visitor, transaction.now),
    )


NEXT_GAME = "/play/next"
"""The address that leads to the next game; a game's id as its query leaves that game out."""


@reading
def lead_on(transaction: Transaction, request: Request) -> Response:
    """Lead to the first game that waits for the player, or to their games if none does.

    Some browsers cache pages by their addresses, so it leads to a new one.
    """
    player = identity.signed_in(transaction, request).player
    found = None if player is None else next_game(transaction, player, passed_over=request.query)
    page = "/play/" if found is None else f"/play/{found.id}"
    return responses.redirect(links.fresh(page, transaction.now))


SUBJECT = "vacation"
"""The subject of the action keys of these pages."""

TAKE = Action(
    name="take",
    counter=ActionsOf(SUBJECT),
    back=identity.AREA,
    asks=lambda transaction, attempt: [
        message(
            "Days of vacation from now on, at most {limit}",
            limit=deadlines.vacation_limit(transaction, attempt.player),
        )
    ],
    does=lambda transaction, attempt: deadlines.take_vacation(
        transaction, attempt.player, attempt.typed
    ),
)

COME_BACK = Action(
    name="come_back",
    counter=ActionsOf(SUBJECT),
    back=identity.AREA,
    does=lambda transaction, attempt: player_queries.end_vacation(
        transaction.connection, attempt.player.id, transaction.now
    ),
)


MAX_AGE = timedelta(minutes=1)
"""The maximum age of the cached page, parts of which depend on the time."""


@cacheable
@reading
def your_games(transaction: Transaction, request: Request) -> Response:
    """Return the page of the player's games.

    The query may be a place in the list of running games, which then begins there. If it names a
    page below, that page is shown instead, once there is a certificate.

    Only this page asks for a certificate, so that a browser uses one for all of `/play/`.
    """
    try:
        visitor = identity.signed_in(transaction, request)
    except identity.CertificateMissing:
        return Response(
            Status.CERTIFICATE_REQUIRED,
            render.translate(
                message(
                    "To play you need a client certificate; it replaces name and password. "
                    "The page {address} says how to make one. "
                    "Without one you can try a game at {game}",
                    address=addresses.address_in("/help/certificates"),
                    game=addresses.address_in("/try/"),
                )
            ),
        )
    player = visitor.player
    if player is None:
        return responses.page(
            visitor.preferences,
            "play/welcome.gmi",
            games=bot_games(transaction, visitor),
            ending=expiry(visitor, transaction.now),
            naming=players.naming(transaction, identity.certificate_of(visitor)),
            name_key=visitor.account_key(transaction.context, "account"),
            link=link_path(transaction.context, visitor),
        )
    return _games_of(transaction, visitor, player, request.query or "")


def _games_of(
    transaction: Transaction, visitor: identity.Visitor, player: Player, query: str
) -> Response:
    """Return the page of a player's games, which begins at the place in a query.

    The first page also has the last games to end, the scores in those that can be played again with
    people, and the messages.
    """
    context, connection, now = transaction.context, transaction.connection, transaction.now
    running = running_slice(transaction, player, query)
    is_first = running.earlier is None
    over = [*running.over, *(ended_games_of(connection, player) if is_first else ())]
    # A page with all running games has those whose end is not stored yet.
    unstored = running.over if running.later is None else None
    has_played = running.entries or over or not is_first
    vacation_days = clock.days_to_take(running.vacations, now)
    response = responses.page(
        visitor.preferences,
        "play/your_games.gmi",
        player=player,
        running=running,
        first_games=() if has_played else bot_games(transaction, visitor),
        ended=feed_entries.own_results(over, player.id),
        again=results.last_scores(transaction, over, player, unstored) if is_first else (),
        messages=lines.recent_messages(transaction, player) if is_first else (),
        vacation=clock.current_vacation(running.vacations, now),
        vacation_days=vacation_days,
        vacation_may_reach_next_year=(now + vacation_days * clock.DAY).year > now.year,
        vacation_key=visitor.account_key(context, SUBJECT),
        cup=cup_entered(transaction, player),
        ending=expiry(visitor, now),
        notices=notices_for(player),
        notices_key=visitor.account_key(context, NOTICES),
        is_told=activity.needs_notice(transaction, player),
        settings_key=visitor.account_key(context, SETTINGS),
    )
    # It is fresh until it says another time, or a game changes.
    left = [entry.time_left for entry in running.entries if entry.time_left is not None]
    unchanged = [dates.same_words_for(time) for time in left if time > timedelta(0)]
    until = [now + MAX_AGE, *(now + max(each, timedelta.resolution) for each in unchanged)]
    policy = identity.cache_policy(player, now, PlayerGames(player.id), until=until)
    return replace(response, cache_policy=policy)


@reading
def unsent(transaction: Transaction, request: Request) -> Response:
    """Ask for the certificate without which a text was not sent; then show the games."""
    try:
        identity.signed_in(transaction, request)
    except identity.CertificateMissing:
        sentence = message(
            "Nothing was sent, since your browser showed no certificate. Choose yours, go back to "
            "the page, and send it again"
        )
        return Response(Status.CERTIFICATE_REQUIRED, render.translate(sentence))
    return with_notice(identity.AREA, _UNSENT)


_UNSENT = always(
    message(
        "Nothing was sent, since your browser had shown no certificate. Go back to the page, and "
        "send it again."
    )
)


ROUTES: Routes = (
    *named("play.pages.desk", (("/play/desk", desk, PLACE_PATTERN),)),
    *named("play.pages.next_game", ((NEXT_GAME, lead_on, "[a-z2-7]{10}"),)),
    *named(
        "play.pages.vacation",
        ((f"/play/me/{KEY}/vacation", TAKE, ANY), (f"/play/me/{KEY}/back", COME_BACK)),
    ),
    *(
        ("/play/", unsent, identity.UNSENT_QUERY),
        ("/play/", your_games, f"{identity.GOAL_PATTERN}|{PLACE_PATTERN}"),
    ),
)
