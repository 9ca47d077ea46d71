"""The terms of a new game: side, days per move, listed or not, rated or casual."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from capsule.accounts.model import Player
from capsule.boards.explorer import moves_to, read_board
from capsule.boards.model import Board, BrokenLine
from capsule.context import AppContext, Transaction
from capsule.errors import NotFound
from capsule.games.clock import DAYS_PER_MOVE, DEFAULT_DAYS_PER_MOVE
from capsule.games.model import Seat
from capsule.games.results import suggested_in
from capsule.games.visibility import Listing
from capsule.ratings import queries as rating_queries
from capsule.ratings.first_ratings import mean_plies
from capsule.ratings.model import Holder
from capsule.ratings.update import RatedLevel, bots_of, with_ratings
from capsule.ui.boards import quoted
from capsule.ui.paging import TermsRefused, read_choices, write_choices
from engine import Side, Variant

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
    plies = mean_plies().get(variant.key)
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
    days: int | None = DEFAULT_DAYS_PER_MOVE
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

    @property
    def pace(self) -> str:
        """The time limit for a move as it appears in a URL: a number of days, or "none"."""
        return pace_of(self.days)


_FROM = "from="

TERMS_PATTERN = rf"(?:{_FROM}[^&]+&?)?(?:[a-z]{{4,6}}=[a-z0-9]{{1,6}}&?){{0,4}}"
"""The regular expression of terms in a query."""

DEFAULT_TERMS = GameTerms()
"""The terms of an address that does not say others."""


def read(query: str | None, defaults: GameTerms = DEFAULT_TERMS) -> GameTerms:
    """Return the terms in a query that `GameTerms.query` wrote, defaults for those missing.

    Raises `TermsRefused` if the query contains anything else, or a term twice.

    >>> read("days=3&side=o")
    GameTerms(side=<SideChoice.O: 'o'>, days=3, listed=<Listing.NONE: 'no'>, rated=True, start='')
    >>> read("from=b2=5").start
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
    "days": (*(str(days) for days in DAYS_PER_MOVE), NO_LIMIT),
    "listed": tuple(Listing),
    "rated": ("yes", "no"),
}


_UNSPOKEN = {"side": DEFAULT_TERMS.side, "days": DEFAULT_TERMS.pace}
"""The choices that an address leaves out."""


def _query_values(terms: GameTerms) -> dict[str, str]:
    return {
        "side": terms.side,
        "days": terms.pace,
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
) -> Sequence[RatedLevel]:
    """Return the levels whose ratings are nearest to the player's own, the weakest first.

    For a player without a rating in the variant, or a newcomer, they are those nearest to the level
    that is suggested. Before them comes the one called `first`, if the variant has that.
    """
    connection, player_id = transaction.connection, None if player is None else player.id
    holder = Holder(variant, player_id, None)
    holders = [*bots_of(variant), *((holder,) if player is not None else ())]
    ratings = rating_queries.ratings_of(connection, holders)
    levels, own = with_ratings(variant, ratings), ratings.get(holder)
    if own is None or not own.games:
        suggested = suggested_in(connection, player_id, [variant])[variant]
        own = next(level.rating for level in levels if level.name == suggested)
    middle = own.mu
    nearest = sorted(levels, key=lambda level: abs(level.rating.mu - middle))[:NEAREST]
    chosen = [level for level in levels if level.name == first]
    return [*chosen, *(level for level in levels if level in nearest and level not in chosen)]
