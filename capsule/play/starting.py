"""Starting games on chosen terms, and joining games with an open seat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum

from capsule.accounts.model import Player
from capsule.accounts.queries import is_blocked_between
from capsule.boards.explorer import moves_to, read_board
from capsule.boards.model import Board, BrokenLine
from capsule.context import AppContext, Transaction
from capsule.errors import NotFound, OutdatedAction, Refused
from capsule.games import clock, list_queries, player_queries, queries as game_queries, rated
from capsule.games.creation import create_game, new_game
from capsule.games.deadlines import apply_deadlines
from capsule.games.eligibility import TooManyGames, require_room, require_room_to_offer
from capsule.games.game import Game
from capsule.games.model import GameStatus, Seat, StoredGame, player_seat
from capsule.games.public_lists import place_of
from capsule.games.results import suggested_in
from capsule.games.visibility import Listing, guest, host_of, is_listed, party
from capsule.ratings import first_ratings, queries as rating_queries, update
from capsule.ratings.model import Holder
from capsule.social.rate_limit import RateLimit
from capsule.ui.boards import quoted
from capsule.ui.paging import TermsRefused, read_choices, write_choices
from engine import Side, Variant, message
from engine.bots.levels import LEVELS
from engine.bots.registry import levels_of

SECONDS_PER_MOVE = 20
"""The time that a player takes for a move against a bot: to look, to think and to type."""

ROUNDED_TO = (2, 5, 10, 15, 20, 30, 45, 60)
"""The minutes that are given, of which the last stands for all longer games."""


def minutes_of(variant: Variant) -> int | None:
    """Return how long a game against a bot takes, roughly; None if that was never measured.

    Half of the moves are the player's, and the bot's take no time to speak of.

    >>> from engine import VARIANTS
    >>> {key: minutes_of(VARIANTS[key]) for key in ("numeric", "tinc", "ultimate", "extreme")}
    {'numeric': 2, 'tinc': 5, 'ultimate': 10, 'extreme': 15}
    """
    plies = first_ratings.mean_plies().get(variant.key)
    if plies is None:
        return None
    minutes = plies / 2 * SECONDS_PER_MOVE / 60
    return next((each for each in ROUNDED_TO if minutes <= each), ROUNDED_TO[-1])


class SideChoice(StrEnum):
    """The side that a player asks for; the values appear in addresses."""

    X = "x"
    O = "o"  # noqa: E741 - the mark's own name
    RANDOM = "draw"

    @property
    def is_random(self) -> bool:
        """Whether the sides are drawn at random."""
        return self is SideChoice.RANDOM


NO_LIMIT = "none"


def pace_of(days: int | None) -> str:
    """Return a time limit for a move as it appears in a URL: a number of days, or "none"."""
    return NO_LIMIT if days is None else str(days)


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms that a player has chosen for a new game.

    `days` is the time limit for a move, None for no limit. `listed` says against whom the game is
    on the public lists once both seats are taken. `rated` lets it count for ratings, unless it is a
    solo game. `start` is the board from which it is played, as the address of the board ends, ""
    for the start of the variant; such a game is casual.
    """

    side: SideChoice = SideChoice.X
    days: int | None = clock.DEFAULT_DAYS_PER_MOVE
    listed: Listing = Listing.NONE
    rated: bool = True
    start: str = ""

    @property
    def query(self) -> str:
        """The terms as they appear in a URL, which says in any case whether it is listed and rated.

        >>> GameTerms().query, GameTerms(side=SideChoice.O, days=None, rated=False).query
        ('listed=no&rated=yes', 'side=o&days=none&listed=no&rated=no')
        >>> GameTerms(side=SideChoice.O, rated=False, start="b2=5,c1=2").query
        'from=b2=5,c1=2&side=o&listed=no&rated=no'
        """
        start = f"{_FROM}{quoted(self.start)}&" if self.start else ""
        return f"{start}{write_choices(_query_values(self), _UNSPOKEN)}"

    @property
    def query_without_rated(self) -> str:
        """The terms as they appear in a URL that leaves open whether the game is rated.

        >>> GameTerms(days=3).query_without_rated
        'days=3&listed=no'
        """
        return self.query.removesuffix(f"&rated={_query_values(self)['rated']}")


_FROM = "from="

TERMS_PATTERN = rf"(?:{_FROM}[^&]+&?)?(?:[a-z]{{4,6}}=[a-z0-9]{{1,6}}&?){{0,4}}"
"""The regular expression of terms in a query."""

DEFAULT_TERMS = GameTerms()
"""The terms of an address that does not say others."""


def read_terms(query: str | None, defaults: GameTerms = DEFAULT_TERMS) -> GameTerms:
    """Return the terms in a query that `GameTerms.query` wrote, defaults for those missing.

    Raises `TermsRefused` if the query contains anything else, or a term twice.

    >>> read_terms("days=3&side=o")
    GameTerms(side=<SideChoice.O: 'o'>, days=3, listed=<Listing.NONE: 'no'>, rated=True, start='')
    >>> read_terms("from=b2=5").start
    'b2=5'
    """
    beginning, _, others = (query or "").partition("&")
    start = beginning.removeprefix(_FROM) if beginning.startswith(_FROM) else ""
    if start:
        query = others
    values = _query_values(defaults) | read_choices(query, _VALUES)
    days = values["days"]
    return GameTerms(
        side=SideChoice(values["side"]),
        days=None if days == NO_LIMIT else int(days),
        listed=Listing(values["listed"]),
        rated=values["rated"] == "yes" and not start,
        start=start,
    )


_VALUES: Mapping[str, Sequence[str]] = {
    "side": tuple(SideChoice),
    "days": (*(str(days) for days in clock.DAYS_PER_MOVE), NO_LIMIT),
    "listed": tuple(Listing),
    "rated": ("yes", "no"),
}


_UNSPOKEN = {"side": DEFAULT_TERMS.side, "days": pace_of(DEFAULT_TERMS.days)}
"""The choices that an address leaves out."""


def _query_values(terms: GameTerms) -> dict[str, str]:
    return {
        "side": terms.side,
        "days": pace_of(terms.days),
        "listed": terms.listed,
        "rated": "yes" if terms.rated else "no",
    }


def seats_for(
    context: AppContext, side: SideChoice, player: Player, other: Seat
) -> tuple[Seat, Seat]:
    """Return the seats of X and O: the player's on the chosen side, and `other` opposite."""
    is_x = side is SideChoice.X
    if side is SideChoice.RANDOM:
        is_x = context.random_bytes(1)[0] % 2 == 0
    own = Seat(player_id=player.id)
    return (own, other) if is_x else (other, own)


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first position of a new game: its variant's start, or a board that `moves` lead to."""

    variant: Variant
    board: Board | None = None
    moves: Sequence[str] = ()

    @property
    def first_side(self) -> Side:
        """The side that moves first."""
        return (self.board.position if self.board else self.variant.start).turn


def beginning_of(transaction: Transaction, variant: Variant, terms: GameTerms) -> Beginning:
    """Return where a game on these terms begins.

    Raises `TermsRefused` if there is no such board, or no move is left on it.
    """
    if not terms.start:
        return Beginning(variant)
    try:
        board = read_board(transaction, variant.key, terms.start)
        if isinstance(board, BrokenLine) or board.position.outcome is not None:
            raise TermsRefused(terms.start)
        return Beginning(variant, board, moves_to(transaction, board))
    except NotFound:
        raise TermsRefused(terms.start) from None


NEAREST = 3
"""The number of levels that are shown before all the others."""


def nearest_levels(
    transaction: Transaction, player: Player | None, variant: str, first: str | None = None
) -> Sequence[update.RatedLevel]:
    """Return the levels whose ratings are nearest to the player's own, the weakest first.

    For a player without a rating in the variant, or a newcomer, they are those nearest to the level
    that is suggested. Before them comes the one called `first`, if the variant has that.
    """
    connection, player_id = transaction.connection, None if player is None else player.id
    holder = Holder(variant, player_id, None)
    holders = [*update.bots_of(variant), *((holder,) if player is not None else ())]
    ratings = rating_queries.ratings_of(connection, holders)
    levels, own = update.with_ratings(variant, ratings), ratings.get(holder)
    if own is None or not own.games:
        suggested = suggested_in(connection, player_id, [variant])[variant]
        own = next(level.rating for level in levels if level.name == suggested)
    middle = own.mu
    nearest = sorted(levels, key=lambda level: abs(level.rating.mu - middle))[:NEAREST]
    chosen = [level for level in levels if level.name == first]
    return [*chosen, *(level for level in levels if level in nearest and level not in chosen)]


class Invitation(StrEnum):
    """The people to whom the other seat of a new game is open; the values appear in addresses."""

    INVITE = "invite"
    """Anyone who has the game's address."""

    OPEN = "open"
    """Anyone: the game is listed."""

    SOLO = "solo"
    """Nobody: the player has both seats."""


BOT = "bot-"
"""The prefix of a bot's level in an address."""

WAYS = (*Invitation, *(f"{BOT}{level}" for level in LEVELS))
"""The ways to start a game, as they appear in addresses; no variant need have every level."""


SEATS_A_DAY = RateLimit(
    10,
    timedelta(days=1),
    message(
        "You have taken {count} open seats within 24 hours, the most allowed. "
        "You can take the next one on {when}"
    ),
)
"""Open seats that a player may take: challenges, rematches and tournaments are no such seats."""

SPARE_CANDIDATES = 6
"""Games examined beyond those wanted."""


def seats_to_take(
    transaction: Transaction,
    player: Player | None,
    variant: str | None,
    limit: int,
    place: list_queries.ListPlace | None = None,
) -> tuple[Sequence[StoredGame], list_queries.ListPlace | None]:
    """Return up to `limit` listed games of a variant with a seat for the player.

    They begin after a place in the list of open seats, or at its head; the place from which the
    list continues is returned too, None at its end. `variant` is None for any, and `player` for a
    newcomer. The player's own games are left out, as are those of players whom a block separates
    from this one, in either direction.
    """
    player_id = None if player is None else player.id
    # Some of them may just have lapsed.
    candidates = limit + SPARE_CANDIDATES
    stored = list_queries.open_seats(transaction.connection, variant, place, candidates, player_id)
    waiting = [
        game for game in apply_deadlines(transaction, stored) if game.status is GameStatus.WAITING
    ]
    shown, more = waiting[:limit], waiting[limit:]
    last = shown[-1] if more else stored[-1] if len(stored) == candidates else None
    return shown, None if last is None else place_of(last, newer=False)


def games_offered_by(transaction: Transaction, player: Player, limit: int) -> Sequence[StoredGame]:
    """Return the player's games with an open seat, the latest first."""
    waiting = list_queries.games_of_player(
        transaction.connection, player.id, (GameStatus.WAITING,), limit
    )
    still = apply_deadlines(transaction, waiting)
    return [each for each in still if each.open_side is not None]


def is_newcomer(transaction: Transaction, player: Player | None) -> bool:
    """Return whether a player has no finished game yet; None is a visitor who is not a player.

    Newcomers' games against bots are casual: nobody is rated by a first look at a game.
    """
    if player is None:
        return True
    return not game_queries.has_decided_game(transaction.connection, player.id)


class TermsNotOffered(Refused):
    """A link with terms that no page has written."""

    def __init__(self) -> None:
        super().__init__(message("That link has terms that are not offered"))


def start(
    transaction: Transaction, player: Player, way: str, terms: GameTerms, beginning: Beginning
) -> str:
    """Start a game on these terms, in one of the `WAYS`, and return its id.

    The game begins at `beginning`, as the terms say. Only games between people have a clock, and a
    newcomer's against a bot is casual. Raises `OutdatedAction` if the variant has no such level,
    `TermsNotOffered` if no such game can be open to anyone, and `TooManyGames` if the player has
    too many unfinished games, or offers too many.
    """
    context, connection = transaction.context, transaction.connection
    variant = beginning.variant
    bot = way.removeprefix(BOT) if way.startswith(BOT) else None
    is_solo, is_open = way == Invitation.SOLO, way == Invitation.OPEN
    is_between_people = bot is None and not is_solo
    if bot is not None and bot not in levels_of(variant.key):
        raise OutdatedAction
    if is_open and beginning.moves:
        # A player who takes an open seat expects to begin at the start.
        raise TermsNotOffered
    require_room(connection, player, against_bots=bot is not None)
    if is_open:
        require_room_to_offer(connection, player)
    other = Seat(player_id=player.id if is_solo else None, bot=bot)
    x, o = seats_for(context, terms.side, player, other)
    listing = terms.listed
    if is_open and listing is Listing.NONE:
        # It means what it meant in releases that listed every game with a seat for anyone.
        listing = Listing.ALL
    lists_at_once = is_listed(guest(player, listing), None if is_solo else party(other))
    is_casual = is_solo or (bot is not None and is_newcomer(transaction, player))
    status = GameStatus.WAITING if is_between_people else GameStatus.PLAYING
    game = replace(
        new_game(context, variant, x, o, status),
        listed=is_open or (lists_at_once and not is_between_people),
        lists_when_joined=listing.with_people,
        lists_with_bots=listing.with_bots,
        days_per_move=terms.days if is_between_people else None,
        rated=terms.rated and not is_casual,
    )
    return create_game(connection, game, beginning.moves)


def join(
    transaction: Transaction, player: Player, game: Game, listing: Listing | None = None
) -> None:
    """Give the player the open seat; `listing` is None for what they have set.

    Raises `OutdatedAction` if the game has no open seat or the player has a seat already, and as
    `take_seat` does.
    """
    side = game.stored.open_side
    if side is None or game.stored.has_player(player.id):
        raise OutdatedAction
    take_seat(transaction, player, game, side, listing)


def take_seat(
    transaction: Transaction, player: Player, game: Game, side: Side, listing: Listing | None
) -> None:
    """Give the player an open or a reserved seat of a running game that the transaction has locked.

    Raises `OutdatedAction` if one of the two players has blocked the other, and `TooManyGames` if
    the player has too many unfinished games, or has taken too many open seats within a day.
    """
    connection, now, stored = transaction.connection, transaction.now, game.stored
    host = stored.seat(side.other).player_id
    if host is not None and is_blocked_between(connection, player.id, host):
        raise OutdatedAction
    require_room(connection, player)
    is_open = side is stored.open_side
    if is_open:
        taken = player_queries.seats_taken_by(player.id)
        reason = SEATS_A_DAY.refusal(connection, player, taken, now)
        if reason is not None:
            raise TooManyGames(reason)
    begun = replace(
        stored.with_seat(side, player_seat(player)),
        status=GameStatus.PLAYING,
        seat_taken_by=player.id if is_open else None,
        listed=is_listed(host_of(stored), guest(player, listing)),
        # Lists of games are sorted by `moved_at`, and an arrival counts as an event there.
        moved_at=now,
        started_at=now,
    )
    game_queries.save_changes(connection, stored, rated.as_begun(connection, begun))
