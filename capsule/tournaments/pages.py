"""The pages of tournaments, their feeds, and what can be done there.

They are announced on terms that a page shows; then they are joined, started, left and cancelled.
The announcement, start and end have the address of their tournament in feeds, with a query that its
page ignores; a game's result has the address that it has in other feeds.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from capsule.accounts import identity, players
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages.account import link_path
from capsule.accounts.pages.action import (
    Action,
    ActionsOf,
    Attempt,
    Counter,
    StaleNotice,
    newcomer,
    nothing_to_advance,
)
from capsule.context import AppContext, Transaction, reading
from capsule.db.schema.tournaments import tournament_seats, tournaments
from capsule.errors import Refused
from capsule.feature import Feature
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.eligibility import Room, games_of_tournament, room_of
from capsule.games.feed_entries import ending, turn_address
from capsule.games.model import EndReason
from capsule.gemini.types import Request, Response
from capsule.languages.numbers import score
from capsule.ratings.update import rated_levels
from capsule.social.pages.messages import PEOPLE_SUBJECT
from capsule.tournaments import actions, model, queries
from capsule.tournaments.model import StoredTournament, Tournament, TournamentTerms
from capsule.tournaments.standings import crosstable
from capsule.ui import paging, render, responses
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind, newest_entries, oldest_of
from capsule.ui.routes import ANY, FEED, KEY, TOURNAMENT, Routes, named, one_of
from capsule.ui.typed_words import CANCEL, LEAVE
from engine import VARIANTS, Message, in_context, message
from engine.bots.levels import MAIN_LEVELS


@reading
def show(transaction: Transaction, request: Request, tournament_id: str) -> Response:
    """Return the page of a tournament, for anyone: its players, its standings and its games."""
    visitor, context = identity.visitor_of(transaction, request), transaction.context
    tournament = queries.find_tournament(transaction, tournament_id)
    standings, columns = tournament.standings, visitor.preferences.columns
    table = crosstable(standings, tournament.results, tournament.names, columns)
    return responses.page(
        visitor.preferences,
        "tournaments/tournament.gmi",
        tournament=tournament,
        stored=tournament.stored,
        visitor=visitor,
        key=tournament_key(context, visitor, tournament.stored),
        account_key=visitor.account_key(context, PEOPLE_SUBJECT),
        link=link_path(context, visitor),
        table=table,
        turn_address=turn_address,
    )


@reading
def feed(
    transaction: Transaction, request: Request, tournament_id: str, form: str | None
) -> Response:
    """Return the feed of a tournament, as Atom if `form` is ".xml", else as a page."""
    tournament = queries.find_tournament(transaction, tournament_id)
    results = [ending(game) for game in tournament.games if not game.is_running]
    found = Feed(
        FeedKind.TOURNAMENT,
        path=f"{tournament.stored.path}/feed",
        home=tournament.stored.path,
        title=message("Oxonaut: {title}", title=_title(tournament.stored)),
        entries=newest_entries([*results, *_events(tournament)]),
    )
    return identity.feed_page(transaction, request, found, form, transaction.context.upgraded_at)


MAX_TOURNAMENTS = 10
"""The number of a player's tournaments that are searched for their private feed."""


def public_entries(
    transaction: Transaction, variant: str | None, since: datetime
) -> Sequence[Entry]:
    """Return the entries of public feeds: the newest beginnings, and the ends since then."""
    connection = transaction.connection
    announced = queries.newest_tournaments(connection, variant, MAX_ENTRIES)
    begun = [entry for each in announced for entry in _beginning(each)]
    # Each tournament of an entry is read with all its games.
    ended = queries.tournaments_finished_since(
        connection, variant, max(since, oldest_of(begun)), MAX_ENTRIES
    )
    return [*begun, *(_ending(queries.load_tournament(transaction, each)) for each in ended)]


def _beginning(tournament: StoredTournament) -> Iterator[Entry]:
    """Yield the one entry that public feeds have of a tournament's beginning.

    It is the announcement until the tournament starts, and then the start, at its own time and
    address. One that was cancelled before has none: nobody can join it.
    """
    if tournament.has_started:
        yield _start(tournament, message("{title} begins: {variant}"))
    elif tournament.is_announced:
        yield _announcement(tournament)


def _announcement(tournament: StoredTournament) -> Entry:
    words = message("{title} is announced: {variant}, {seats} players at most")
    return _entry(tournament, "announced", tournament.created_at, words)


def _start(tournament: StoredTournament, words: Message, **values: object) -> Entry:
    started_at = tournament.started_at or tournament.created_at
    return _entry(tournament, "started", started_at, words, **values)


def _entry(
    tournament: StoredTournament, event: str, at: datetime, words: Message, **values: object
) -> Entry:
    values |= {"variant": tournament.variant.name, "seats": tournament.seat_count}
    title = words.filled(title=_title(tournament), **values)
    return Entry(f"{tournament.path}?{event}", at, title)


def _title(tournament: StoredTournament) -> str | Message:
    if tournament.cup is not None:
        return tournament.cup.title
    return tournament.title or in_context(
        "within a sentence", "a tournament of {variant}", variant=tournament.variant.name
    )


_PUBLIC_ENDINGS = (
    message("{title} is cancelled"),
    message("{title} is over: nobody stayed to win it"),
    message("{title} is over: {name} wins, points: {points}"),
    message("{title} is over: {names} share first place, points: {points}"),
)
_PRIVATE_ENDINGS = (
    message("Cancelled: {title}"),
    message("Over: {title}, nobody stayed to win it"),
    message("Over: {title}, {name} wins"),
    message("Over: {title}, {names} share first place"),
)


def _ending(tournament: Tournament, words: Sequence[Message] = _PUBLIC_ENDINGS) -> Entry:
    """Return the entry of the end of a tournament that is over.

    `words` are those of one that was cancelled, of one without a winner, with one, and with more.
    """
    stored, names = tournament.stored, tuple(seat.name for seat in tournament.winners)
    return _entry(
        stored,
        # The stored status, "finished" or "cancelled".
        stored.status,
        stored.ended_at or stored.created_at,
        words[0 if tournament.cancellation else 1 + min(len(names), 2)],
        name=next(iter(names), ""),
        names=names,
        points=score(tournament.winning_points),
    )


def private_entries(transaction: Transaction, player: Player) -> Sequence[Entry]:
    """Return the entries of a player's tournaments in their private feed: beginnings and ends."""
    connection = transaction.connection
    found = queries.tournaments_of_player(connection, player.id, MAX_TOURNAMENTS, with_over=True)
    if not found:
        return ()
    players = queries.count_seats(connection, [each.id for each in found])
    begins = message("Begins: {title}, {variant}, {count} players")
    over = (queries.load_tournament(transaction, each) for each in found if each.is_over)
    return [
        *(_start(each, begins, count=players[each.id]) for each in found if each.has_started),
        *(_ending(each, _PRIVATE_ENDINGS) for each in over if not _has_cancelled(player, each)),
    ]


def _has_cancelled(player: Player, tournament: Tournament) -> bool:
    is_by_announcer = tournament.cancellation is model.CancellationReason.BY_ANNOUNCER
    return is_by_announcer and tournament.stored.announced_by == player.id


def _events(tournament: Tournament) -> Iterator[Entry]:
    stored = tournament.stored
    if stored.cup is None:
        yield _announcement(stored)
    if stored.started_at is not None:
        words = message("{title} starts: {count} players, {games} games")
        yield _start(stored, words, count=len(tournament.seats), games=len(tournament.games))
    if stored.ended_at is not None:
        yield _ending(tournament)


def tournament_key(context: AppContext, visitor: Visitor, stored: StoredTournament) -> str:
    """Return the visitor's key to act on a tournament as it is now."""
    return visitor.key(context, _subject(stored.id), stored.changes)


@dataclass(frozen=True)
class _ChangesOfTournament(Counter):
    """The count of a tournament's changes, which each action on it raises."""

    advance = nothing_to_advance

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return _subject(attempt["tournament_id"])

    def count(self, transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the count of changes; raises `NotFound` if there is no such tournament."""
        return queries.stored_tournament(transaction, attempt["tournament_id"]).changes

    def last_counts(self, _transaction: Transaction, _attempt: Attempt) -> Sequence[int]:
        """Return none: nothing is typed that could be quoted."""
        return ()


def _subject(tournament_id: str) -> str:
    return f"tournament {tournament_id}"


def _ask_to_leave(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    may_leave, tournament_id = Tournament.may_leave, attempt["tournament_id"]
    tournament = actions.require(transaction, attempt.player, tournament_id, may_leave)
    if tournament.stored.is_announced:
        return [message("Type {word} to give up your seat")]
    return [message("Type {word} to leave for good. You lose all your games in progress")]


def _ask_to_cancel(transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    may_cancel, tournament_id = Tournament.may_cancel, attempt["tournament_id"]
    actions.require(transaction, attempt.player, tournament_id, may_cancel)
    return [message("Type {word} to call the tournament off")]


_action = partial(
    Action,
    counter=_ChangesOfTournament(),
    back=lambda attempt: f"/play/tournaments/{attempt['tournament_id']}",
)


def _does(
    use_case: Callable[[Transaction, Player, str], None],
) -> Callable[[Transaction, Attempt], None]:
    return lambda transaction, attempt: use_case(
        transaction, attempt.player, attempt["tournament_id"]
    )


JOIN = _action(name="join", does=_does(actions.join), makes_player=newcomer)
START = _action(name="start", does=_does(actions.start_now))
LEAVE_TOURNAMENT = _action(name="leave", asks=_ask_to_leave, word=LEAVE, does=_does(actions.leave))
CANCEL_TOURNAMENT = _action(
    name="cancel", asks=_ask_to_cancel, word=CANCEL, does=_does(actions.cancel)
)

_TOURNAMENT = f"/play/tournaments/{TOURNAMENT}"


PAGE_SIZE = 20
"""The number of tournaments of a list on one page."""

LISTED = tuple(each for each in model.TournamentStatus if each != "cancelled")
"""The statuses that have a list; cancelled tournaments have none."""

_PLACE = re.compile(rf"({'|'.join(LISTED)})-({paging.MOMENT_PATTERN})-([a-z2-7]{{10}})")


@reading
def lists(transaction: Transaction, request: Request) -> Response:
    """Return the lists of tournaments, at the top those that the visitor takes part in.

    The query is a place in one of the lists, from a link of such a page; then the page has the rest
    of that list alone. Any other query counts as none.
    """
    connection, visitor = transaction.connection, identity.visitor_of(transaction, request)
    place = _PLACE.fullmatch(request.query or "")
    before = None if place is None else (paging.decode_moment(place[2]), place[3])
    found = {
        status: queries.tournaments_of_status(connection, status, PAGE_SIZE + 1, before)
        for status in (LISTED if place is None else [model.TournamentStatus(place[1])])
    }
    yours = (
        queries.tournaments_of_player(connection, visitor.player.id)
        if visitor.player and place is None
        else ()
    )
    shown = [each.id for listed in (yours, *found.values()) for each in listed]
    your_ids = {tournament.id for tournament in yours}
    return responses.page(
        visitor.preferences,
        "tournaments/lists.gmi",
        yours=yours,
        players=queries.count_seats(connection, shown),
        # The visitor's own stand above; one more than a page has was read.
        lists={
            status: [each for each in listed[:PAGE_SIZE] if each.id not in your_ids]
            for status, listed in found.items()
        },
        older={
            status: _place_of(listed[PAGE_SIZE - 1])
            for status, listed in found.items()
            if len(listed) > PAGE_SIZE
        },
        is_first=place is None,
        is_signed_in=visitor.certificate is not None,
    )


def _place_of(tournament: StoredTournament) -> str:
    return f"{tournament.status}-{paging.encode_moment(tournament.created_at)}-{tournament.id}"


SUBJECT = "tournaments"
"""The subject of the keys for announcements."""

PATH = "/play/tournaments/new"

CHANGEABLE = ("game", "start", "bots", "seats", "pace")
"""The terms that have a page with their choices each, as in its address."""

DEFAULT_LEVEL = "club"
"""The level of the first bot if a tournament is to start at once and none was chosen."""

DEFAULT_SEATS_AT_ONCE = 4
"""The most seats of a tournament that starts at once, unless more are chosen: with three bots."""


def _others(
    term: str, terms: TournamentTerms, at_once: TournamentTerms | None, room: Room
) -> Mapping[Any, str]:
    """Return the addresses of the other choices of a term, by the choices, of those that fit.

    `at_once` are the terms on which the tournament can start now, None if there is no room.
    """
    found: dict[Any, TournamentTerms] = {}
    match term:
        case "game":
            found = {each: replace(terms, variant=key) for key, each in VARIANTS.items()}
        case "start":
            found |= {} if at_once is None else {model.AT_ONCE: at_once}
            found |= {days: replace(terms, starts_in=days) for days in model.DAYS_UNTIL_START}
            # Without a day there is nothing for bots to fill.
            found[None] = replace(terms, starts_in=None, fill_level=None)
        case "bots" if terms.starts_in is not None:
            no_bots = () if terms.starts_at_once else (None,)
            found = {each: replace(terms, fill_level=each) for each in (*no_bots, *MAIN_LEVELS)}
        case "seats":
            counted = [replace(terms, seat_count=count) for count in model.SEAT_COUNTS]
            found = {each.seats: each for each in counted if each.seats == each.seat_count}
        case "pace":
            found = {days: replace(terms, days_per_move=days) for days in DAYS_PER_MOVE}
    return {
        choice: _path_of(other)
        for choice, other in found.items()
        if other != terms and _fits(other, room)
    }


def _fits(terms: TournamentTerms, room: Room) -> bool:
    games, with_bots = games_of_tournament(terms.seats, 1, terms.fill_level)
    return games <= room.games and with_bots <= room.against_bots


def _at_once(terms: TournamentTerms, room: Room, *, rates_bots: bool) -> TournamentTerms | None:
    """Return the terms with a start at once and as many bots as fit, moderately; None if too few.

    Games against bots are casual unless the player `rates_bots`.
    """
    wanted, most = terms, terms.seat_count
    if not terms.starts_at_once:
        wanted = replace(
            terms,
            starts_in=model.AT_ONCE,
            fill_level=terms.fill_level or DEFAULT_LEVEL,
            rated=terms.rated and rates_bots,
        )
        most = min(terms.seat_count, DEFAULT_SEATS_AT_ONCE)
    counts = (count for count in reversed(model.SEAT_COUNTS) if count <= most)
    options = (replace(wanted, seat_count=count) for count in counts)
    return next((each for each in options if _fits(each, room)), None)


def _announcing(key: str, terms: TournamentTerms) -> str:
    """Return the address that announces a tournament, under the name in its query."""
    return f"/play/tournaments/{key}/{terms.query}/announce"


def _path_of(terms: TournamentTerms, page: str = "") -> str:
    return f"{PATH}{page}?{terms.query}"


@reading
def choose_terms(transaction: Transaction, request: Request) -> Response:
    """Return the page on which a tournament is announced, on the terms in the query.

    The terms are in the query and in the links of the page: nothing is stored before the
    announcement. A query that cannot be read counts as none.
    """
    visitor, terms, _, at_once = _proposed(transaction, request)
    context, player, now = transaction.context, visitor.player, transaction.now
    is_muted = player is not None and player.is_muted(now)
    return responses.page(
        visitor.preferences,
        "tournaments/announcement.gmi",
        terms=terms,
        variant=VARIANTS[terms.variant],
        at_once=None if is_muted else at_once,
        refusal=player and actions.obstacle(transaction.connection, player, terms, now),
        title=_proposed_title(transaction, visitor, terms),
        action=partial(_announcing, visitor.account_key(context, SUBJECT)),
        change=_path_of(terms, "/terms"),
        link=link_path(context, visitor),
    )


@reading
def change_terms(transaction: Transaction, request: Request, term: str) -> Response:
    """Return the page with all terms, or with the other choices of one of them."""
    visitor, terms, room, at_once = _proposed(transaction, request)
    levels = rated_levels(transaction.connection, terms.variant)
    return responses.page(
        visitor.preferences,
        "tournaments/announcement_terms.gmi",
        terms=terms,
        variant=VARIANTS[terms.variant],
        term=term,
        others=_others(term, terms, at_once, room),
        has_bots=bool(_others("bots", terms, at_once, room)),
        ratings={level.name: level.rating for level in levels},
        pages={each: _path_of(terms, f"/{each}") for each in ("terms", *CHANGEABLE)},
        kept=_path_of(terms),
        other_rating=_path_of(replace(terms, rated=not terms.rated)),
    )


def _proposed(
    transaction: Transaction, request: Request
) -> tuple[Visitor, TournamentTerms, Room, TournamentTerms | None]:
    """Return the visitor, their terms, their room, and the terms of a start at once, if any."""
    visitor, terms = identity.signed_in(transaction, request), _read(request.query)
    player = visitor.player
    room = Room() if player is None else room_of(transaction.connection, player)
    return visitor, terms, room, _at_once(terms, room, rates_bots=players.rates_bots(player))


def _read(query: str | None) -> TournamentTerms:
    return TournamentTerms.parse(query) or TournamentTerms()


def _proposed_title(transaction: Transaction, visitor: Visitor, terms: TournamentTerms) -> str:
    game = VARIANTS[terms.variant].name
    player = visitor.player
    if player is not None:
        name: str | None = player.name
    else:
        name = players.naming(transaction, identity.certificate_of(visitor)).name
    if name is None:
        return render.translate(message("A tournament of {game}", game=game))
    return render.translate(message("{name}'s {game}", name=name, game=game))


def _terms_in(attempt: Attempt) -> TournamentTerms:
    """Return the terms in the path of an announcement, since the query is what is typed."""
    terms = TournamentTerms.parse(attempt["written"])
    if terms is None:
        raise Refused(message("The terms in that link are not possible"))
    return terms


def _ask(_transaction: Transaction, attempt: Attempt) -> Sequence[Message]:
    _terms_in(attempt)
    return [
        message(
            "The tournament's name, at most {longest} characters", longest=actions.MAX_TITLE_LENGTH
        )
    ]


def _announce(transaction: Transaction, attempt: Attempt) -> str:
    terms = _terms_in(attempt)
    announced = actions.announce(transaction, attempt.player, terms, attempt.text)
    return f"/play/tournaments/{announced}"


ANNOUNCE = Action(
    name="announce",
    counter=ActionsOf(SUBJECT),
    back=lambda attempt: _path_of(_read(attempt["written"])),
    asks=_ask,
    does=_announce,
    makes_player=newcomer,
    notice=StaleNotice(
        message("No tournament was announced: that page was out of date."),
        message("That link was out of date: no tournament was announced."),
        refused=message("No tournament was announced. {reason}."),
    ),
)

ROUTES: Routes = (
    *named(
        "tournaments.pages.tournament",
        (
            (_TOURNAMENT, show),
            (f"{_TOURNAMENT}/{FEED}", feed),
            (f"{_TOURNAMENT}/{KEY}/join", JOIN),
            (f"{_TOURNAMENT}/{KEY}/start", START),
            (f"{_TOURNAMENT}/{KEY}/leave", LEAVE_TOURNAMENT, ANY),
            (f"{_TOURNAMENT}/{KEY}/cancel", CANCEL_TOURNAMENT, ANY),
        ),
    ),
    *named("tournaments.pages.lists", (("/play/tournaments/", lists, _PLACE.pattern),)),
    *named(
        "tournaments.pages.announcement",
        (
            (PATH, choose_terms, ANY),
            (f"{PATH}/{one_of('term', ('terms', *CHANGEABLE))}", change_terms, ANY),
            (f"/play/tournaments/{KEY}/(?:(?P<written>[^/]+)/)?announce", ANNOUNCE, ANY),
        ),
    ),
)

FEATURE = Feature(
    ROUTES,
    (tournaments, tournament_seats),
    erase=lambda transaction, player: actions.end_games(transaction, player, EndReason.ERASED),
    sweep=((actions.start_and_end_due, "Tournaments could not be started or ended"),),
    on_ban=lambda transaction, player: queries.erase_titles(transaction.connection, player.id),
    public_entries=public_entries,
    private_entries=private_entries,
)
